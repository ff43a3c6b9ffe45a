//! Box against box: separating axes, then the incident face clipped to the reference face.
//!
//! Gottschalk's fifteen axes (Ericson, Real-Time Collision Detection, §4.4); Sutherland & Hodgman's
//! clipping.

use glam::{DMat3, DVec3};

use crate::geometry::{Manifold, ManifoldPoint};
use crate::world::Pose;

/// An edge axis is chosen only if it separates more than the face axes by this part of half the
/// diagonal of the smaller box: a face gives more points to stand on, and thin boxes that lie on
/// each other must not rock on their edges.
const EDGE_LEAD: f64 = 1.5e-3;

/// Sine of the angle below which edges count as parallel.
const MIN_EDGE_SINE: f64 = 1e-3;

/// Finds contact points of two boxes with half lengths `a` and `b`; `place` is the pose of the
/// second in the frame of the first.
pub(super) fn box_box(a: DVec3, b: DVec3, place: &Pose, reach: f64, out: &mut Manifold) {
    let turn = DMat3::from_quat(place.orientation);
    let away = place.position;
    let (axes, size) = (
        turn.to_cols_array_2d().map(DVec3::from),
        DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs()),
    );

    // Face axes of a, then of b.
    let separation_a = away.abs() - a - size * b;
    let along_b = turn.transpose() * away;
    let separation_b = along_b.abs() - b - size.transpose() * a;
    let (face_a, face_b) = (widest(separation_a), widest(separation_b));
    if separation_a[face_a].max(separation_b[face_b]) > reach {
        return;
    }

    // Edge axes: separation along the cross product of two edges.
    let mut edge = (f64::NEG_INFINITY, 0, 0);
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let sine = (1.0 - axes[j][i] * axes[j][i]).max(0.0).sqrt();
            if sine < MIN_EDGE_SINE {
                continue;
            }
            let apart = (away[i2] * axes[j][i1] - away[i1] * axes[j][i2]).abs();
            let of_a = a[i1] * axes[j][i2].abs() + a[i2] * axes[j][i1].abs();
            let of_b = b[j1] * axes[j2][i].abs() + b[j2] * axes[j1][i].abs();
            let separation = (apart - of_a - of_b) / sine;
            if separation > reach {
                return;
            }
            if separation > edge.0 {
                edge = (separation, i, j);
            }
        }
    }

    let lead = EDGE_LEAD * a.length().min(b.length());
    if edge.0 > separation_a[face_a].max(separation_b[face_b]) + lead {
        // The corners beside the edges may come down within the step: without them one would enter
        // the other box unseen, and pushing it out again would add energy.
        let (normal, nearest) = edge_edge(a, b, &axes, away, [edge.1, edge.2]);
        face_face(a, b, &axes, away, normal, reach, out);
        if out.points.is_empty() {
            out.points.push(nearest);
        }
    } else if separation_b[face_b] > separation_a[face_a] + lead {
        // Seen from b, a is the other box.
        let back = turn.transpose();
        let columns = back.to_cols_array_2d().map(DVec3::from);
        let towards = back * -away;
        face_face(b, a, &columns, towards, face_normal(face_b, towards), reach, out);
        for touch in &mut out.points {
            (touch.on_a, touch.on_b) = (away + turn * touch.on_b, away + turn * touch.on_a);
            touch.feature ^= 1 << 31;
        }
        out.normal = turn * -out.normal;
    } else {
        face_face(a, b, &axes, away, face_normal(face_a, away), reach, out);
    }
}

/// The axis with the largest component.
pub(super) fn widest(separations: DVec3) -> usize {
    if separations.x >= separations.y && separations.x >= separations.z {
        0
    } else if separations.y >= separations.z {
        1
    } else {
        2
    }
}

/// A corner of the incident face, clipped or not.
#[derive(Clone, Copy, Default)]
struct FaceCorner {
    at: DVec3,
    feature: u32,
}

/// The outer normal of the face across `axis` that looks along a direction.
fn face_normal(axis: usize, direction: DVec3) -> DVec3 {
    let mut normal = DVec3::ZERO;
    normal[axis] = direction[axis].signum();
    normal
}

/// Clips the incident face of box `b` to the reference face of box `a`, both seen along `normal`:
/// the reference face looks most along it, the incident face most against it.
fn face_face(a: DVec3, b: DVec3, axes: &[DVec3; 3], away: DVec3, normal: DVec3, reach: f64, out: &mut Manifold) {
    let face = widest(normal.abs());
    let side = normal[face].signum();
    let cosines = DVec3::from_array(axes.map(|axis| axis.dot(normal)));
    let other = widest(cosines.abs());
    let towards = -cosines[other].signum();
    let (j1, j2) = ((other + 1) % 3, (other + 2) % 3);
    let middle = away + towards * b[other] * axes[other];
    let (u, v) = (b[j1] * axes[j1], b[j2] * axes[j2]);
    let number = (other as u32 * 2 + u32::from(towards > 0.0)) << 8 | (face as u32 * 2 + u32::from(side > 0.0)) << 12;
    // Separation of a point from the reference face along the normal, and its place on that face.
    let separation = |at: DVec3| (side * at[face] - a[face]) / normal[face].abs();
    let on_face = |at: DVec3| at - separation(at) * normal;

    let mut polygon = [FaceCorner::default(); 8];
    for (k, at) in [middle + u + v, middle - u + v, middle - u - v, middle + u - v].into_iter().enumerate() {
        polygon[k] = FaceCorner { at, feature: number | k as u32 };
    }
    let mut count = 4;
    let (i1, i2) = ((face + 1) % 3, (face + 2) % 3);
    for (plane, (axis, sign)) in [(i1, 1.0), (i1, -1.0), (i2, 1.0), (i2, -1.0)].into_iter().enumerate() {
        count = cut(&mut polygon, count, |at| a[axis] - sign * on_face(at)[axis], plane as u32);
    }

    out.normal = normal;
    for corner in &polygon[..count] {
        if separation(corner.at) < reach {
            let mut on_a = on_face(corner.at);
            on_a[face] = side * a[face];
            out.points.push(ManifoldPoint { on_a, on_b: corner.at, feature: corner.feature });
        }
    }
}

/// Keeps the part of a polygon where `inside` is not negative, and gives its number of corners.
fn cut(polygon: &mut [FaceCorner; 8], count: usize, inside: impl Fn(DVec3) -> f64, plane: u32) -> usize {
    let before = *polygon;
    let mut kept = 0;
    for k in 0..count {
        let (from, to) = (before[k], before[(k + 1) % count]);
        let (here, there) = (inside(from.at), inside(to.at));
        if here >= 0.0 && kept < 8 {
            polygon[kept] = from;
            kept += 1;
        }
        if (here >= 0.0) != (there >= 0.0) && kept < 8 {
            let at = from.at + here / (here - there) * (to.at - from.at);
            let edge = from.feature.wrapping_mul(31).wrapping_add(to.feature.wrapping_mul(17));
            polygon[kept] = FaceCorner { at, feature: (edge.wrapping_mul(7) + plane + 1) & 0x7fff_ffff };
            kept += 1;
        }
    }
    kept
}

/// Finds the normal of the edge of box `a` along its axis `edges[0]` and the edge of box `b` along
/// its axis `edges[1]`, and the points where the two edges are nearest to each other.
fn edge_edge(a: DVec3, b: DVec3, axes: &[DVec3; 3], away: DVec3, edges: [usize; 2]) -> (DVec3, ManifoldPoint) {
    let [i, j] = edges;
    let mut along = DVec3::ZERO;
    along[i] = 1.0;
    let mut normal = along.cross(axes[j]).normalize();
    if normal.dot(away) < 0.0 {
        normal = -normal;
    }
    // Middles of both edges.
    let mut on_a = DVec3::ZERO;
    let mut on_b = away;
    let mut number = (i * 3 + j) as u32;
    for k in 0..3 {
        if k != i {
            on_a[k] = normal[k].signum() * a[k];
            number = number * 2 + u32::from(normal[k] > 0.0);
        }
        if k != j {
            let side = -normal.dot(axes[k]).signum();
            on_b += side * b[k] * axes[k];
            number = number * 2 + u32::from(side > 0.0);
        }
    }
    // Nearest points of two lines.
    let between = on_b - on_a;
    let (cosine, p, q) = (axes[j][i], between[i], between.dot(axes[j]));
    let square = 1.0 - cosine * cosine;
    let (s, t) = ((p - cosine * q) / square, (cosine * p - q) / square);
    on_a[i] += s.clamp(-a[i], a[i]);
    on_b += t.clamp(-b[j], b[j]) * axes[j];
    (normal, ManifoldPoint { on_a, on_b, feature: 1 << 30 | number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;
    use glam::DQuat;

    /// The separation is the largest over all directions of the distance between the projections of
    /// the boxes, found by brute force.
    #[test]
    fn the_normal_is_that_of_the_least_overlap() {
        let mut touching = 0;
        for id in 0..400 {
            let mut draws = Draws::new(5, 2, id);
            let half = |draws: &mut Draws| 0.6 + 0.4 * draws.in_ball();
            let (a, b) = (half(&mut draws), half(&mut draws));
            let place = Pose { position: 1.3 * draws.in_ball().normalize(), orientation: draws.orientation() };
            let mut out = Manifold::default();
            box_box(a, b, &place, 0.05, &mut out);
            let separation_along = |n: DVec3| {
                let shadow_b = b.dot((place.orientation.conjugate() * n).abs());
                n.dot(place.position) - a.dot(n.abs()) - shadow_b
            };
            let least = (0..3000)
                .map(|k| separation_along(Draws::new(9, id, k).in_ball().normalize()))
                .fold(f64::NEG_INFINITY, f64::max);
            if out.points.is_empty() {
                continue;
            }
            touching += 1;
            assert!((out.normal.length() - 1.0).abs() < 1e-12);
            let separation = separation_along(out.normal);
            assert!(separation > least - 2e-3, "case {id}: {separation} but {least} is possible");
            // The deepest point shows the separation.
            let deepest = out.points.iter().map(|t| (t.on_b - t.on_a).dot(out.normal)).fold(f64::INFINITY, f64::min);
            assert!((deepest - separation).abs() < 2e-3, "case {id}: {deepest} but {separation}");
        }
        assert!(touching > 50, "{touching}");
    }

    /// Where two bars touch with their edges, all corners of the area that the faces beside them
    /// share are points: each on the surfaces of both, one above the other along the normal.
    #[test]
    fn corners_beside_edges_are_points_too() {
        let (half, mut crossings) = (DVec3::new(0.5, 0.03, 0.03), 0);
        for id in 0..200 {
            let mut draws = Draws::new(5, 3, id);
            let tilt = DQuat::from_scaled_axis(0.04 * draws.in_ball());
            let orientation = tilt * DQuat::from_rotation_z(0.6 + draws.in_ball().x.abs());
            let place = Pose { position: DVec3::new(0.0, 0.0, 0.0615), orientation };
            let mut out = Manifold::default();
            box_box(half, half, &place, 0.02, &mut out);
            let is_face = |axis: DVec3| axis.dot(out.normal).abs() > 1.0 - 1e-12;
            if is_face(DVec3::Z) || is_face(orientation * DVec3::Z) {
                continue;
            }
            crossings += 1;
            assert_eq!(out.points.len(), 4, "case {id}");
            for touch in &out.points {
                let on_b = place.to_local(touch.on_b);
                for on in [touch.on_a, on_b] {
                    assert!((on.abs() - half).max_element().abs() < 1e-12, "case {id}: {on} is beside the bar");
                }
                let between = touch.on_b - touch.on_a;
                assert!(between.cross(out.normal).length() < 1e-12, "case {id}: {between} leans");
            }
        }
        assert!(crossings > 50, "{crossings}");
    }

    #[test]
    fn a_box_on_a_box_has_four_corners() {
        let place = Pose { position: DVec3::new(0.2, 0.1, 0.99), orientation: DQuat::from_rotation_z(0.3) };
        let mut out = Manifold::default();
        box_box(DVec3::splat(0.5), DVec3::splat(0.5), &place, 0.02, &mut out);
        assert!(out.points.len() >= 4);
        assert_eq!(out.normal, DVec3::Z);
        assert!(out.points.iter().all(|t| (t.on_b.z - 0.49).abs() < 1e-12 && (t.on_a.z - 0.5).abs() < 1e-12));
        let mut features: Vec<u32> = out.points.iter().map(|t| t.feature).collect();
        features.sort_unstable();
        features.dedup();
        assert_eq!(features.len(), out.points.len());
    }
}
