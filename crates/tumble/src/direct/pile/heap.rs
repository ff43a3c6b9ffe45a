//! The heap as it is: how high it stands over each square of the plan.
//!
//! Reads where the members of a pile are; says how much room they take and which cone of a given slope is filled. The room is measured, not
//! guessed from bounding boxes: how densely things pack is known only when they have.

use std::f64::consts::PI;

use glam::{DVec2, DVec3, IVec2};

/// Heights over squares of the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Heap {
    low: IVec2,
    width: usize,
    /// Side of a square \[m\].
    side: f64,
    /// Height of the highest member in each square above the base; zero where there is none \[m\].
    tops: Vec<f64>,
}

impl Heap {
    /// Measures members of mean diameter `side` \[m\] that stand above `base` \[m\].
    pub(super) fn measure(&mut self, members: impl Iterator<Item = DVec3> + Clone, side: f64, base: f64) {
        let square = |place: DVec3| (place.truncate() / side).floor().as_ivec2();
        let (low, high) = members
            .clone()
            .map(square)
            .fold((IVec2::MAX, IVec2::MIN), |(low, high), square| (low.min(square), high.max(square)));
        self.tops.clear();
        (self.low, self.side, self.width) = (low, side, 0);
        if high.cmplt(low).any() {
            return;
        }
        let size = (high - low + IVec2::ONE).as_usizevec2();
        self.width = size.x;
        self.tops.resize(size.x * size.y, 0.0);
        for place in members {
            let at = (square(place) - low).as_usizevec2();
            let top = &mut self.tops[at.y * size.x + at.x];
            *top = top.max(place.z - base + 0.5 * side);
        }
    }

    /// Room that it takes \[m³\].
    pub(super) fn volume(&self) -> f64 {
        self.tops.iter().sum::<f64>() * self.side * self.side
    }

    /// Radius of the largest cone about an axis, with this slope, of which the heap fills at least the part `full` \[m\].
    pub(super) fn largest_cone(&self, axis: DVec2, slope: f64, full: f64) -> f64 {
        let (mut least, mut most) = (0.0, radius_of_cone(self.volume(), slope));
        // A thousandth is finer than anything that piles.
        while most - least > 1e-3 * self.side {
            let middle = 0.5 * (least + most);
            let inside = self.volume_within(axis, middle, slope);
            if inside >= full * PI / 3.0 * middle.powi(3) * slope { least = middle } else { most = middle }
        }
        least
    }

    /// Room that it takes within a cone \[m³\].
    fn volume_within(&self, axis: DVec2, radius: f64, slope: f64) -> f64 {
        let squares = self.tops.iter().enumerate().filter(|(_, top)| **top > 0.0);
        let heights = squares.map(|(k, &top)| {
            let square = self.low + IVec2::new((k % self.width) as i32, (k / self.width) as i32);
            let from_axis = (self.side * (square.as_dvec2() + 0.5) - axis).length();
            (slope * (radius - from_axis)).clamp(0.0, top)
        });
        heights.sum::<f64>() * self.side * self.side
    }
}

/// The radius of the cone with a volume \[m³\] and a slope \[m\].
pub(super) fn radius_of_cone(volume: f64, slope: f64) -> f64 {
    (3.0 * volume / (PI * slope)).cbrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Members on a lattice under a cone of slope 0.8 and radius 12.
    fn cone() -> impl Iterator<Item = DVec3> + Clone {
        (0..40 * 40 * 12)
            .map(|k| {
                DVec3::new((k % 40) as f64, (k / 40 % 40) as f64, (k / 1600) as f64 + 0.5) - DVec3::new(19.5, 19.5, 0.0)
            })
            .filter(|place| place.z + 0.5 <= 0.8 * (12.0 - place.truncate().length()))
    }

    #[test]
    fn a_cone_is_as_large_as_it_is() {
        let mut heap = Heap::default();
        heap.measure(cone(), 1.0, 0.0);
        // Steps of a lattice lose half a body on the whole side.
        let volume = PI / 3.0 * 12f64.powi(3) * 0.8;
        assert!(heap.volume() < volume && heap.volume() > 0.8 * volume, "{} of {volume}", heap.volume());
        let radius = heap.largest_cone(DVec2::ZERO, 0.8, 0.8);
        assert!((radius - radius_of_cone(heap.volume(), 0.8)).abs() < 0.01, "{radius}");
    }

    /// Of a cone twice as steep with a radius of 8, the heap lacks 6 % at the top, and a little more for its steps; a flatter one of
    /// the same volume lacks its toe.
    #[test]
    fn other_slopes_fill_less() {
        let mut heap = Heap::default();
        heap.measure(cone(), 1.0, 0.0);
        let (steep, flat) = (heap.largest_cone(DVec2::ZERO, 1.6, 0.9), heap.largest_cone(DVec2::ZERO, 0.4, 0.9));
        assert!(
            (steep - 8.0).abs() < 0.2 && flat > 12.0 && flat < radius_of_cone(heap.volume(), 0.4),
            "{steep} {flat}"
        );
    }

    #[test]
    fn nothing_is_no_heap() {
        let mut heap = Heap::default();
        heap.measure(std::iter::empty(), 1.0, 0.0);
        assert_eq!((heap.volume(), heap.largest_cone(DVec2::ZERO, 1.0, 0.9)), (0.0, 0.0));
    }
}
