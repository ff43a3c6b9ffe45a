//! Planes that may split a solid well: along the faces of its hollow edges, and evenly spread ones
//! across, the middle ones among them.

use glam::{DMat3, DVec3};

use super::cut::Plane;
use super::solid::sides;
use super::{Mesh, principal};

/// An edge is hollow from this sine of the angle between its faces on: smaller angles are facets of
/// curved surfaces.
const HOLLOW: f64 = 0.4;

/// Most planes along faces of hollow edges: those of the longest, and most hollow, edges.
const MOST_FACES: usize = 32;

/// Planes across in each direction.
const ACROSS: u32 = 5;

/// Planes that are worth a try for the part of a mesh that has these points.
pub(super) fn candidates(mesh: &Mesh, points: &[DVec3], size: f64) -> Vec<Plane> {
    let (low, high) = bounds(points);
    let mut planes: Vec<Plane> = Vec::new();
    for plane in faces_of_hollow_edges(mesh, low, high, size) {
        let is_known = |known: &Plane| {
            known.normal.dot(plane.normal).abs() > 1.0 - 1e-9
                && (known.offset - plane.offset * known.normal.dot(plane.normal).signum()).abs() < 1e-6 * size
        };
        if planes.len() < MOST_FACES && !planes.iter().any(is_known) {
            planes.push(plane);
        }
    }
    // Across the part's own length: a bent rod is cut like a sausage.
    let own = principal_axes(points);
    for normal in directions().map(DVec3::normalize).chain(own) {
        let along = points.iter().map(|point| point.dot(normal));
        let (least, most) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), d| (l.min(d), m.max(d)));
        let step = (most - least) / f64::from(ACROSS + 1);
        planes.extend((1..=ACROSS).map(|k| Plane { normal, offset: least + f64::from(k) * step }));
    }
    planes
}

/// The axes along which points spread most and least, and the one across.
fn principal_axes(points: &[DVec3]) -> [DVec3; 3] {
    let count = points.len().max(1) as f64;
    let middle = points.iter().sum::<DVec3>() / count;
    let mut spread = DMat3::ZERO;
    for point in points {
        let away = *point - middle;
        spread += DMat3::from_cols(away * away.x, away * away.y, away * away.z);
    }
    let axes = DMat3::from_quat(principal(&spread).1);
    [axes.x_axis, axes.y_axis, axes.z_axis]
}

/// The axes, the diagonals of the sides and those of a cube.
fn directions() -> impl Iterator<Item = DVec3> {
    (0..27).map(|k| DVec3::new(f64::from(k % 3 - 1), f64::from(k / 3 % 3 - 1), f64::from(k / 9 - 1))).filter(|d| {
        // One of each two that are opposite.
        d.to_array().into_iter().find(|part| *part != 0.0).is_some_and(|first| first > 0.0)
    })
}

/// The planes of both faces of each hollow edge in a box, the longest and most hollow edges first.
fn faces_of_hollow_edges(mesh: &Mesh, low: DVec3, high: DVec3, size: f64) -> Vec<Plane> {
    let vertices = mesh.vertices();
    let room = DVec3::splat(1e-9 * size);
    let normal = |triangle: u32| {
        let [a, b, c] = mesh.triangles()[triangle as usize].map(|v| vertices[v as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let mut found: Vec<(f64, [Plane; 2])> = Vec::new();
    for edge in sides(mesh.triangles()).chunk_by(|a, b| a.ends == b.ends) {
        let [one, other] = edge else { continue };
        let ends = one.ends.map(|v| vertices[v as usize]);
        let middle = 0.5 * (ends[0] + ends[1]);
        if middle.cmplt(low - room).any() || middle.cmpgt(high + room).any() {
            continue;
        }
        let normals = [normal(one.triangle), normal(other.triangle)];
        // At a hollow edge each face looks at the other one.
        let opposite = mesh.triangles()[other.triangle as usize].into_iter().find(|v| !one.ends.contains(v));
        let Some(opposite) = opposite.map(|v| vertices[v as usize]) else { continue };
        let rise = (opposite - ends[0]).dot(normals[0]);
        let sine = normals[0].cross(normals[1]).length();
        if rise > 1e-9 * size && (sine > HOLLOW || normals[0].dot(normals[1]) < 0.0) {
            let plane = |normal: DVec3| Plane { normal, offset: normal.dot(ends[0]) };
            found.push(((ends[1] - ends[0]).length() * sine, normals.map(plane)));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().flat_map(|(_, planes)| planes).collect()
}

fn bounds(points: &[DVec3]) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points.iter().fold(start, |(low, high), point| (low.min(*point), high.max(*point)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Model;

    #[test]
    fn the_notch_of_an_l_gives_two_planes() {
        let mesh = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.07), arm: 0.07 }.mesh(0).unwrap();
        let (low, high) = mesh.bounds();
        let planes = faces_of_hollow_edges(&mesh, low, high, 0.2);
        assert_eq!(planes.len(), 2);
        assert!(planes.iter().all(|plane| plane.normal.z.abs() < 1e-9));
        assert_eq!(candidates(&mesh, mesh.vertices(), 0.2).len(), 2 + 16 * ACROSS as usize);
        assert!(
            faces_of_hollow_edges(&crate::geometry::test_meshes::sphere(2), -DVec3::ONE, DVec3::ONE, 2.0).is_empty()
        );
    }
}
