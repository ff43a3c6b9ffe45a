//! The stacking structure: a cone cut into layers, each with a radius and a capacity (Hsu & Keyser 2010, section 3.1).
//!
//! Corrected as in H9: at least one layer, and layers of thickness h/k, so that their capacities add up to the number of objects.

use std::f64::consts::PI;

/// A cone of objects, cut into layers of equal thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Structure {
    /// Radius of its base \[m\].
    pub radius: f64,
    /// Height \[m\].
    pub height: f64,
    /// Objects it has room for.
    pub capacity: f64,
    /// Number of layers.
    pub layers: usize,
}

impl Structure {
    /// The cone with this slope (the tangent of the angle) that has room for `capacity` objects, each of which takes so much room \[m³\] and is
    /// nowhere longer than `length` \[m\].
    ///
    /// Eq. 1: N v = π/3 r³ tan α, with h = r tan α and k = ⌊h/D⌋ layers, so that no object is in more than two.
    pub fn new(slope: f64, capacity: f64, room: f64, length: f64) -> Self {
        let radius = (3.0 * capacity * room / (PI * slope)).cbrt();
        let height = radius * slope;
        Self { radius, height, capacity, layers: (height / length).max(1.0) as usize }
    }

    /// Thickness of a layer \[m\].
    pub fn thickness(&self) -> f64 {
        self.height / self.layers as f64
    }

    /// The layer at a height above the base, if there is one.
    pub fn layer_at(&self, height: f64) -> Option<usize> {
        let layer = (height / self.thickness()).floor();
        (layer >= 0.0 && layer < self.layers as f64).then_some(layer as usize)
    }

    /// Radius of the bottom of a layer \[m\].
    pub fn radius_of(&self, layer: usize) -> f64 {
        self.radius * self.part_above(layer)
    }

    /// Objects that a layer has room for.
    pub fn capacity_of(&self, layer: usize) -> f64 {
        self.capacity * (self.part_above(layer).powi(3) - self.part_above(layer + 1).powi(3))
    }

    /// How much of the height is above the bottom of a layer.
    fn part_above(&self, layer: usize) -> f64 {
        1.0 - layer as f64 / self.layers as f64
    }

    /// How far a place is above the side of the cone, at right angles to it \[m\]; negative inside. The place is so far from the axis and so high
    /// above the base.
    pub fn above_side(&self, from_axis: f64, height: f64) -> f64 {
        let side = self.height * (1.0 - from_axis / self.radius);
        (height - side) * self.radius / self.radius.hypot(self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_hold_all_objects() {
        for (slope, capacity) in [(0.3, 1.0), (1.0, 400.0), (1.7, 10_000.0)] {
            let structure = Structure::new(slope, capacity, 0.4, 1.1);
            let volume = PI / 3.0 * structure.radius.powi(2) * structure.height;
            assert!((volume - 0.4 * capacity).abs() < 1e-9 * volume);
            assert!((structure.height / structure.radius - slope).abs() < 1e-12);
            let all: f64 = (0..structure.layers).map(|layer| structure.capacity_of(layer)).sum();
            assert!((all - capacity).abs() < 1e-9 * capacity);
            assert!(structure.layers == 1 || structure.thickness() >= 1.1);
            assert_eq!(structure.radius_of(0), structure.radius);
            assert_eq!(structure.layer_at(0.999 * structure.height), Some(structure.layers - 1));
            assert_eq!((structure.layer_at(-0.1), structure.layer_at(1.1 * structure.height)), (None, None));
        }
    }

    #[test]
    fn the_side_is_where_the_cone_ends() {
        let structure = Structure::new(1.0, 100.0, 1.0, 1.0);
        let (r, h) = (structure.radius, structure.height);
        assert!(structure.above_side(r, 0.0).abs() < 1e-12 && structure.above_side(0.0, h).abs() < 1e-12);
        assert!((structure.above_side(r, 2.0) - 2f64.sqrt()).abs() < 1e-12);
        assert!(structure.above_side(0.5 * r, 0.0) < 0.0);
    }
}
