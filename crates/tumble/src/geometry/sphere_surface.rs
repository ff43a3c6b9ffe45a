//! Geometry of a sphere against the surface of an obstacle, in the obstacle's own axes.

use glam::DVec3;

/// Distance and normal of a point to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    /// Distance of the point from the surface \[m\], negative inside a solid.
    pub(crate) distance: f64,
    /// Unit vector from the surface to the point.
    pub(crate) normal: DVec3,
}

/// The part of a triangle that is nearest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Feature {
    /// A point inside the triangle.
    #[default]
    Face,
    /// A point on side 01, 12 or 20.
    Side(u8),
    /// Corner 0, 1 or 2.
    Corner(u8),
}

/// A point above the half-space z < 0.
pub(crate) fn sphere_plane(center: DVec3) -> Gap {
    Gap { distance: center.z, normal: DVec3::Z }
}

/// A point and a solid box about the origin.
pub(crate) fn sphere_box(center: DVec3, half: DVec3) -> Gap {
    let nearest = center.clamp(-half, half);
    let apart = center - nearest;
    let distance = apart.length();
    if distance > 0.0 {
        return Gap { distance, normal: apart / distance };
    }
    // Inside: the way out is through the nearest side.
    let depth = half - center.abs();
    let axis = if depth.x <= depth.y && depth.x <= depth.z {
        DVec3::X
    } else if depth.y <= depth.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let side = if center.dot(axis) < 0.0 { -1.0 } else { 1.0 };
    Gap { distance: -depth.dot(axis), normal: side * axis }
}

/// The nearest point of a triangle, and the part it lies on (Ericson, Real-Time Collision
/// Detection, §5.1.5).
pub(crate) fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> (DVec3, Feature) {
    let (ab, ac) = (b - a, c - a);
    let ap = p - a;
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Side(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Side(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), Feature::Side(1));
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), Feature::Face)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;

    #[test]
    fn box_gap_is_the_distance_to_its_surface() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!(sphere_box(DVec3::new(2.0, 0.0, 0.0), half), Gap { distance: 1.0, normal: DVec3::X });
        let corner = sphere_box(DVec3::new(2.0, 3.0, 4.0), half);
        assert!((corner.distance - 3f64.sqrt()).abs() < 1e-15);
        let inside = sphere_box(DVec3::new(0.0, -1.5, 0.0), half);
        assert_eq!(inside, Gap { distance: -0.5, normal: -DVec3::Y });
    }

    /// No sampled point of the triangle is nearer than the one found.
    #[test]
    fn nearest_point_of_a_triangle_is_nearest() {
        for id in 0..500 {
            let mut draws = Draws::new(5, 0, id);
            let corners = [draws.in_ball(), draws.in_ball(), draws.in_ball()];
            let p = 2.0 * draws.in_ball();
            let (nearest, feature) = closest_on_triangle(p, corners);
            let mut best = f64::INFINITY;
            let n = 60;
            for i in 0..=n {
                for j in 0..=n - i {
                    let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
                    let q = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                    best = best.min((p - q).length());
                }
            }
            let found = (p - nearest).length();
            assert!(found <= best + 1e-12 && found > best - 0.06, "{found} {best} {feature:?}");
            if let Feature::Corner(k) = feature {
                assert_eq!(nearest, corners[k as usize]);
            }
        }
    }
}
