//! The heap as it is: how high it stands over each square of the plan that is the pile's.
//!
//! Reads where the members of a pile are; says how much room they take, which cone of a given slope
//! is filled, and which has the same volume. The room is measured, not guessed from bounding boxes:
//! how densely things pack is known only when they have. Sums over squares instead of closed forms
//! let walls and neighbours cut cones.

use std::f64::consts::PI;

use glam::{DVec2, DVec3, IVec2};

/// Most steps of Newton's method.
const MOST_STEPS: usize = 50;

/// Slopes between which that of a heap is searched, and how often this range is halved: to a
/// thousandth.
const SLOPES: [f64; 2] = [0.05, 10.0];
const BISECTIONS: usize = 12;
const BISECTIONS_OF_RADIUS: usize = 30;

/// The bands between which the slope of a heap is measured: where the lower one begins and the
/// upper one ends, over the height of the heap; and which part of both is the lower.
const BANDS: [f64; 3] = [0.15, 0.42, 0.8];

/// Heights over squares of the plan.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    side: f64,
    squares: Vec<Square>,
}

#[derive(Clone, Copy, Debug)]
struct Square {
    /// Distance of its middle from the axis \[m\].
    from_axis: f64,
    /// Height of the highest member above the base; zero where there is none \[m\].
    top: f64,
}

impl Heap {
    /// Measures members that stand above `base` \[m\] on these squares with this side \[m\], which
    /// come row by row.
    pub(super) fn new(
        members: impl Iterator<Item = DVec3>,
        squares: &[IVec2],
        axis: DVec2,
        side: f64,
        base: f64,
    ) -> Self {
        let row_by_row = |square: IVec2| (square.y, square.x);
        let empty = |square: &IVec2| Square { from_axis: axis.distance(side * (square.as_dvec2() + 0.5)), top: 0.0 };
        let mut heap = Self { side, squares: squares.iter().map(empty).collect() };
        for place in members {
            let square = (place.truncate() / side).floor().as_ivec2();
            if let Ok(number) = squares.binary_search_by_key(&row_by_row(square), |&square| row_by_row(square)) {
                let top = &mut heap.squares[number].top;
                *top = top.max(place.z - base + 0.5 * side);
            }
        }
        heap
    }

    /// Room that it takes \[m³\].
    pub(super) fn volume(&self) -> f64 {
        self.squares.iter().map(|square| square.top).sum::<f64>() * self.side * self.side
    }

    /// The slope of the cone on this ground that has as much volume as the heap in each of two
    /// bands, one above the other. Foot and tip are left out: bodies that rolled away make an apron
    /// around a heap, and a few make a spire. None if no cone has this volume, or the heap is flat.
    pub(super) fn slope(&self) -> Option<f64> {
        // ∫h³/∫h² is six tenths of the height of a free cone; it is taken above the lowest layer.
        let above = self.squares.iter().map(|square| (square.top - self.side).max(0.0));
        let [cubes, squares] = above.fold([0.0; 2], |[cubes, squares], h| [cubes + h * h * h, squares + h * h]);
        let height = self.side + cubes / squares / 0.6;
        let [low, high] = [(BANDS[0] * height).max(self.side), BANDS[2] * height];
        if !(height.is_finite() && low < high) {
            return None;
        }
        let middle = low + BANDS[1] * (high - low);
        let wanted = self.volume_between(low, high);
        let upper = self.volume_between(middle, high);
        let upper_of = |slope: f64| {
            let [mut least, mut most] = [0.0, self.reach() + high / slope];
            for _ in 0..BISECTIONS_OF_RADIUS {
                let radius = 0.5 * (least + most);
                if self.volume_of_cone(slope, radius, low, high) < wanted { least = radius } else { most = radius }
            }
            self.volume_of_cone(slope, 0.5 * (least + most), middle, high)
        };
        let [mut flat, mut steep] = SLOPES;
        let is_cone = upper_of(flat) < upper && upper < upper_of(steep);
        for _ in 0..BISECTIONS {
            let slope = (flat * steep).sqrt();
            if upper_of(slope) < upper { flat = slope } else { steep = slope }
        }
        is_cone.then(|| (flat * steep).sqrt())
    }

    /// Room that it takes between two heights \[m³\].
    fn volume_between(&self, low: f64, high: f64) -> f64 {
        let heights = self.squares.iter().map(|square| square.top.clamp(low, high) - low);
        heights.sum::<f64>() * self.side * self.side
    }

    /// How far its ground goes from the axis \[m\].
    pub(super) fn reach(&self) -> f64 {
        self.squares.iter().map(|square| square.from_axis).fold(0.0, f64::max) + 0.5 * self.side
    }

    /// Room between two heights in the cone of this slope and radius \[m³\].
    pub(super) fn volume_of_cone(&self, slope: f64, radius: f64, low: f64, high: f64) -> f64 {
        let heights = self.squares.iter().map(|square| (slope * (radius - square.from_axis)).clamp(low, high) - low);
        heights.sum::<f64>() * self.side * self.side
    }

    /// Radius of the cone with this slope and volume \[m\]; at most `most`.
    ///
    /// The volume is piecewise linear and convex in the radius: Newton's method gets there in a few
    /// steps.
    pub(super) fn cone_of(&self, volume: f64, slope: f64, most: f64) -> f64 {
        let sum = volume / (slope * self.side * self.side);
        let mut radius = radius_of_cone(volume, slope).max(self.side);
        for _ in 0..MOST_STEPS {
            let inside = self.squares.iter().map(|square| radius - square.from_axis).filter(|above| *above > 0.0);
            let (count, all) = inside.fold((0.0, 0.0), |(count, all), above| (count + 1.0, all + above));
            if count == 0.0 || (all - sum).abs() < 1e-9 * sum {
                break;
            }
            radius -= (all - sum) / count;
        }
        radius.min(most)
    }

    /// Radius of the largest cone with this slope of which the heap fills at least the part `full`
    /// \[m\]; at most `most`.
    pub(super) fn largest_full_cone(&self, slope: f64, full: f64, most: f64) -> f64 {
        let squares: Vec<Square> = self.squares.iter().copied().filter(|square| square.from_axis < most).collect();
        let (mut least, mut most) = (0.0, most);
        // A thousandth of a body is finer than anything that piles.
        while most - least > 1e-3 * self.side {
            let radius = 0.5 * (least + most);
            let missing = squares.iter().map(|square| {
                let side = (slope * (radius - square.from_axis)).max(0.0);
                full * side - side.min(square.top)
            });
            if missing.sum::<f64>() <= 0.0 { least = radius } else { most = radius }
        }
        least
    }
}

/// The radius of the whole cone with a volume \[m³\] and a slope \[m\].
pub(super) fn radius_of_cone(volume: f64, slope: f64) -> f64 {
    (3.0 * volume / (PI * slope)).cbrt()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Squares within a distance of the origin.
    pub(in super::super) fn around(distance: f64, side: f64) -> Vec<IVec2> {
        let far = (distance / side).ceil() as i32;
        (-far..far).flat_map(|y| (-far..far).map(move |x| IVec2::new(x, y))).collect()
    }

    /// Members on a lattice under a cone of slope 0.8 and radius 12.
    fn cone() -> Heap {
        let lattice = (0..40 * 40 * 12).map(|k| {
            DVec3::new((k % 40) as f64, (k / 40 % 40) as f64, (k / 1600) as f64 + 0.5) - DVec3::new(19.5, 19.5, 0.0)
        });
        let inside = lattice.filter(|place| place.z + 0.5 <= 0.8 * (12.0 - place.truncate().length()));
        Heap::new(inside, &around(30.0, 1.0), DVec2::ZERO, 1.0, 0.0)
    }

    #[test]
    fn a_cone_is_as_large_as_it_is() {
        let heap = cone();
        // Steps of a lattice lose half a body on the whole side.
        let volume = PI / 3.0 * 12f64.powi(3) * 0.8;
        assert!(heap.volume() < volume && heap.volume() > 0.8 * volume, "{} of {volume}", heap.volume());
        let whole = heap.cone_of(heap.volume(), 0.8, f64::INFINITY);
        assert!((whole - radius_of_cone(heap.volume(), 0.8)).abs() < 0.02, "{whole}");
        let full = heap.largest_full_cone(0.8, 0.8, whole);
        assert!((full - whole).abs() < 0.02, "{full} of {whole}");
    }

    /// Of a cone twice as steep with a radius of 8, the heap lacks 6 % at the top, and a little
    /// more for its steps; a flatter one of the same volume lacks its toe.
    #[test]
    fn other_slopes_fill_less() {
        let heap = cone();
        let whole = heap.cone_of(heap.volume(), 0.4, f64::INFINITY);
        let (steep, flat) = (heap.largest_full_cone(1.6, 0.9, 20.0), heap.largest_full_cone(0.4, 0.9, whole));
        assert!((steep - 8.0).abs() < 0.2 && flat > 12.0 && flat < whole, "{steep} {flat}");
    }

    /// A cone has its own slope, also between walls and with bodies that lie around it; what is as
    /// high everywhere has next to none.
    #[test]
    fn a_heap_has_the_slope_of_its_cone() {
        for (slope, walls) in [(0.4, 30.0), (0.8, 30.0), (1.7, 30.0), (0.8, 9.0)] {
            let cone = |from_axis: f64| slope * (14.0 - from_axis);
            let mut heap = Heap::new(std::iter::empty(), &around(walls, 0.5), DVec2::ZERO, 0.5, 0.0);
            for (k, square) in heap.squares.iter_mut().enumerate() {
                let stray = if k % 7 == 0 { 0.5 } else { 0.0 };
                square.top = cone(square.from_axis).max(stray);
            }
            let found = heap.slope().unwrap();
            assert!((found / slope - 1.0).abs() < 0.01, "{found} of {slope} within {walls}");
        }
        let mut level = Heap::new(std::iter::empty(), &around(3.0, 0.1), DVec2::ZERO, 0.1, 0.0);
        assert_eq!(level.slope(), None);
        level.squares.iter_mut().for_each(|square| square.top = 1.0);
        assert!(level.slope().is_none_or(|slope| slope < 0.2), "{:?}", level.slope());
    }

    /// Between walls, the same volume needs a cone that stands higher; a rim keeps it low.
    #[test]
    fn walls_lift_a_cone() {
        let heap = Heap::new(std::iter::empty(), &around(3.0, 0.1), DVec2::ZERO, 0.1, 0.0);
        // A square of 6 × 6: the cone of radius R > 3 √2 has the volume 36 R - 216 · 0.7652/2 (mean
        // distance from the middle of a square).
        let radius = heap.cone_of(36.0 * 6.0 - 108.0 * 0.765_195_7, 1.0, f64::INFINITY);
        assert!((radius - 6.0).abs() < 0.01, "{radius}");
        assert_eq!(heap.cone_of(1e3, 1.0, 5.0), 5.0);
    }

    #[test]
    fn nothing_is_no_heap() {
        let heap = Heap::new(std::iter::empty(), &[], DVec2::ZERO, 1.0, 0.0);
        assert_eq!((heap.volume(), heap.largest_full_cone(1.0, 0.9, 0.0)), (0.0, 0.0));
    }
}
