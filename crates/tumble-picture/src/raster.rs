//! Rasterisation: the cells of a grid that a triangle covers. Cells are samples of a tile or texels
//! of a depth map; a cell is covered if its middle is.

use std::ops::Range;

use glam::{Vec2, Vec3};

/// The cells from 0 to `count` whose middles are between two coordinates.
pub(crate) fn middles(low: f32, high: f32, count: usize) -> Range<usize> {
    let first = (low - 0.5).ceil().clamp(0.0, count as f32) as usize;
    first..((high + 0.5).floor().clamp(0.0, count as f32) as usize).max(first)
}

/// Visits the cells of a square grid that a triangle covers, with column, row, and the third
/// coordinate, interpolated linearly between the corners.
pub(crate) fn triangle([a, b, c]: [Vec3; 3], side: usize, mut see: impl FnMut(usize, usize, f32)) {
    let area = (b - a).truncate().perp_dot((c - a).truncate());
    if area == 0.0 {
        return;
    }
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    for y in middles(low.y, high.y, side) {
        for x in middles(low.x, high.x, side) {
            let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let of = |from: Vec3, to: Vec3| (to - from).truncate().perp_dot(point - from.truncate()) / area;
            let weights = Vec3::new(of(b, c), of(c, a), of(a, b));
            if weights.min_element() >= 0.0 {
                see(x, y, weights.dot(Vec3::new(a.z, b.z, c.z)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_covered_if_its_middle_is() {
        assert_eq!(middles(0.6, 3.4, 9), 1..3);
        assert_eq!(middles(0.4, 3.6, 9), 0..4);
        assert_eq!(middles(-7.0, 70.0, 9), 0..9);
        assert!(middles(20.0, 30.0, 9).is_empty() && middles(-9.0, -1.0, 9).is_empty());
    }

    /// Half a square of 8 cells covers 36 middles with its diagonal, and the third coordinate is
    /// the plane's.
    #[test]
    fn a_triangle_covers_half_of_its_square() {
        let corners = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(8.0, 0.0, 9.0), Vec3::new(0.0, 8.0, 1.0)];
        for corners in [corners, [corners[1], corners[0], corners[2]]] {
            let mut count = 0;
            triangle(corners, 8, |x, _, z| {
                count += 1;
                assert!((z - (1.5 + x as f32)).abs() < 1e-5);
            });
            assert_eq!(count, 36);
        }
    }
}
