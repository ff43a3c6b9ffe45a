//! Hulls with fewer corners: a contact between two hulls costs as much as they have corners
//! together.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::{Convex, Hull};

/// The points that are farthest in some of so many evenly spread directions.
pub(super) fn fewer(points: &[DVec3], most: u32) -> Vec<DVec3> {
    if points.len() <= most as usize {
        return points.to_vec();
    }
    let golden = PI * (3.0 - 5f64.sqrt());
    let direction = |k: u32| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(most);
        (DVec2::from_angle(golden * f64::from(k)) * (1.0 - z * z).sqrt()).extend(z)
    };
    let farthest = |n: DVec3| (0..points.len()).max_by(|&a, &b| points[a].dot(n).total_cmp(&points[b].dot(n)));
    let mut kept: Vec<usize> = (0..most).filter_map(|k| farthest(direction(k))).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|k| points[k]).collect()
}

/// The corners of a hull, and where it has more than it needs, as few as leave out no more than
/// `tolerance` of it \[m\], at most `most`.
///
/// Corner by corner, the one that is farthest outside of those before. Moving corners outwards
/// makes up for the volume that is left out in the end, so that errors are half inside, half
/// outside.
pub(super) fn few_corners(hull: &Hull, tolerance: f64, most: u32) -> Vec<DVec3> {
    let all = hull.corners();
    let Some(inner) = grown(all, tolerance, most) else { return all.to_vec() };
    let (own, whole) = (moments(&inner), moments(hull));
    let area: f64 = area_of(&inner);
    let shift = (whole.0 - own.0) / area;
    if shift < 1e-6 * (6.0 * whole.0).cbrt() {
        return inner.corners().to_vec();
    }
    inner.corners().iter().map(|corner| *corner + shift * (*corner - own.1).normalize_or_zero()).collect()
}

/// A hull of some of the points that leaves out no more than `tolerance` of them \[m\], of at most
/// `most` of them: the farthest in a few directions, and then one by one the one that is farthest
/// outside. None if all lie in a plane.
pub(super) fn grown(points: &[DVec3], tolerance: f64, most: u32) -> Option<Hull> {
    let mut kept = fewer(points, most.clamp(4, 8));
    loop {
        let Some(now) = Hull::new(&kept) else {
            // The first points lie in a plane: add others in order until they do not.
            kept.push(*points.iter().find(|point| !kept.contains(point))?);
            continue;
        };
        let sides = sides(&now);
        let outside = |point: &DVec3| sides.iter().map(|(n, d)| point.dot(*n) - d).fold(f64::NEG_INFINITY, f64::max);
        let (distance, next) =
            points.iter().map(|point| (outside(point), *point)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        if distance <= tolerance || kept.len() >= most as usize || kept.contains(&next) {
            return Some(now);
        }
        kept.push(next);
    }
}

/// Volume and centre.
fn moments(hull: &Hull) -> (f64, DVec3) {
    let moments = Convex::Hull(Box::new(hull.clone())).moments();
    (moments.volume, moments.centre)
}

/// Normal and distance from the origin of each side.
fn sides(hull: &Hull) -> Vec<(DVec3, f64)> {
    let (corners, triangles) = hull.triangles();
    let side = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| corners[v as usize]);
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some((normal, normal.dot(a)))
    };
    triangles.iter().filter_map(side).collect()
}

/// Area of the surface of a hull \[m²\].
pub(super) fn area_of(hull: &Hull) -> f64 {
    let (corners, triangles) = hull.triangles();
    let area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| corners[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    triangles.iter().map(area).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::test_meshes::sphere;

    #[test]
    fn a_box_of_many_points_has_eight_corners() {
        let points: Vec<DVec3> =
            (0..125).map(|k| DVec3::new(f64::from(k % 5), f64::from(k / 5 % 5), 0.5 * f64::from(k / 25))).collect();
        let corners = few_corners(&Hull::new(&points).unwrap(), 1e-6, 64);
        assert_eq!(corners.len(), 8);
        assert!((moments(&Hull::new(&corners).unwrap()).0 - 32.0).abs() < 1e-9);
    }

    #[test]
    fn a_ball_keeps_its_volume() {
        let ball = Hull::new(sphere(4).vertices()).unwrap();
        let corners = few_corners(&ball, 1e-3, 48);
        assert_eq!(corners.len(), 48);
        let few = Hull::new(&corners).unwrap();
        assert!((moments(&few).0 / moments(&ball).0 - 1.0).abs() < 0.02);
        let reach = corners.iter().map(|corner| corner.length());
        assert!(reach.fold(0.0, f64::max) < 1.06);
    }
}
