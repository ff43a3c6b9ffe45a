//! The stacking structure: a cone cut into layers, each with a radius and a capacity (Hsu & Keyser
//! 2010, section 3.1).
//!
//! Corrected as in H9: at least one layer, and layers of thickness h/k, so that their capacities
//! add up to the number of objects. Capacities are those of the ground that the pile has: walls and
//! neighbours cut the cone (dissertation, 5.2.5).

use super::heap::Heap;

/// A layer of a cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Height of its bottom above the base \[m\].
    pub bottom: f64,
    /// Its thickness \[m\].
    pub thickness: f64,
    /// Radius half way up \[m\], no farther than the ground goes.
    pub radius: f64,
    /// Objects that it has room for.
    pub capacity: f64,
    /// Objects in it, over its capacity \[-\].
    pub density: f64,
}

/// Cuts the cone with this slope (the tangent of the angle) and radius \[m\] into ⌊h/D⌋ layers, so
/// that nothing of length D \[m\] is in more than two. `room` is what an object takes \[m³\].
pub(super) fn layers(heap: &Heap, slope: f64, radius: f64, room: f64, length: f64) -> Vec<Layer> {
    let height = radius * slope;
    let count = (height / length).max(1.0).floor();
    let thickness = height / count;
    let reach = heap.reach();
    (0..count as usize)
        .map(|layer| {
            let bottom = layer as f64 * thickness;
            Layer {
                bottom,
                thickness,
                radius: (radius - (bottom + 0.5 * thickness) / slope).min(reach),
                capacity: heap.volume_of_cone(slope, radius, bottom, bottom + thickness) / room,
                density: 0.0,
            }
        })
        .collect()
}

/// The layer at a height above the base \[m\], if there is one.
pub(super) fn layer_at(layers: &[Layer], height: f64) -> Option<usize> {
    let layer = (height / layers.first()?.thickness).floor();
    (layer >= 0.0 && layer < layers.len() as f64).then_some(layer as usize)
}

/// How far a place is above the side of a cone, at right angles to it \[m\]; negative inside. The
/// place is so far from the axis and so high above the base.
pub(super) fn above_side(slope: f64, radius: f64, from_axis: f64, height: f64) -> f64 {
    (height - slope * (radius - from_axis)) / slope.hypot(1.0)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use glam::DVec2;

    use super::super::heap::tests::around;
    use super::*;

    /// Layers on open ground: their capacities add up to the cone of eq. 1, N v = π/3 r³ tan α.
    #[test]
    fn layers_hold_all_objects() {
        for (slope, radius) in [(0.3, 1.0), (1.0, 8.0), (1.7, 20.0)] {
            let heap = Heap::new(std::iter::empty(), &around(1.2 * radius, 0.1), DVec2::ZERO, 0.1, 0.0);
            let layers = layers(&heap, slope, radius, 0.4, 1.1);
            let all: f64 = layers.iter().map(|layer| layer.capacity).sum();
            let expected = PI / 3.0 * radius.powi(3) * slope / 0.4;
            assert!((all - expected).abs() < 0.01 * expected, "{all} {expected}");
            assert!(layers.len() == 1 || layers[0].thickness >= 1.1);
            let top = slope * radius;
            let middle = radius * (1.0 - 0.5 * layers[0].thickness / top);
            assert_eq!(layers[0].bottom, 0.0);
            assert!((layers[0].radius - middle).abs() < 1e-9);
            assert_eq!(layer_at(&layers, 0.999 * top), Some(layers.len() - 1));
            assert_eq!((layer_at(&layers, -0.1), layer_at(&layers, 1.1 * top)), (None, None));
        }
    }

    #[test]
    fn the_side_is_where_the_cone_ends() {
        let (slope, radius) = (1.0, 4.0);
        assert!(above_side(slope, radius, radius, 0.0).abs() < 1e-12);
        assert!(above_side(slope, radius, 0.0, slope * radius).abs() < 1e-12);
        assert!((above_side(slope, radius, radius, 2.0) - 2f64.sqrt()).abs() < 1e-12);
        assert!(above_side(slope, radius, 2.0, 0.0) < 0.0);
    }
}
