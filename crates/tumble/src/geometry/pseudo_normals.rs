//! Which side of a closed mesh a point is on, from the nearest point of the mesh.
//!
//! Where the nearest point is on an edge or a corner, the plane of one of its triangles may say
//! either. The sum of the triangles' normals there, weighted by their angles at the corner, always
//! says the right one (Bærentzen & Aanæs 2002).
//!
//! A mesh with holes has a front and a back only beside its triangles: the normals of its rims are
//! zero, which say neither.

use glam::DVec3;

use super::solid::sides;
use super::{Feature, Mesh};

/// The normals of faces, edges and corners.
pub(super) struct PseudoNormals {
    faces: Vec<DVec3>,
    /// Of the sides 01, 12, 20 of each triangle.
    edges: Vec<[DVec3; 3]>,
    vertices: Vec<DVec3>,
}

impl PseudoNormals {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).normalize_or_zero();
        let faces: Vec<DVec3> = mesh.triangles().iter().map(|t| normal(corners(t))).collect();

        let mut vertices = vec![DVec3::ZERO; mesh.vertices().len()];
        for (t, &face) in mesh.triangles().iter().zip(&faces) {
            let at = corners(t);
            for k in 0..3 {
                let (to_next, to_last) = (at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]);
                let angle = to_next.cross(to_last).length().atan2(to_next.dot(to_last));
                vertices[t[k] as usize] += angle * face;
            }
        }

        let mut edges = vec![[DVec3::ZERO; 3]; faces.len()];
        for edge in sides(mesh.triangles()).chunk_by(|a, b| a.ends == b.ends) {
            if edge.len() == 1 {
                edge[0].ends.iter().for_each(|&end| vertices[end as usize] = DVec3::ZERO);
                continue;
            }
            let sum: DVec3 = edge.iter().map(|side| faces[side.triangle as usize]).sum();
            for side in edge {
                let t = mesh.triangles()[side.triangle as usize];
                let (from, to) = if side.rising { (0, 1) } else { (1, 0) };
                let is_side = |&k: &usize| t[k] == side.ends[from] && t[(k + 1) % 3] == side.ends[to];
                // It is one of the three, since the side is the triangle's.
                let number = (0..3).find(is_side).unwrap_or(0);
                edges[side.triangle as usize][number] = sum;
            }
        }
        Self { faces, edges, vertices }
    }

    /// The normal at a part of a triangle of the mesh, not of length one.
    pub(super) fn at(&self, mesh: &Mesh, triangle: u32, feature: Feature) -> DVec3 {
        match feature {
            Feature::Face => self.faces[triangle as usize],
            Feature::Side(k) => self.edges[triangle as usize][k as usize],
            Feature::Corner(k) => self.vertices[mesh.triangles()[triangle as usize][k as usize] as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_solid;
    use super::super::test_meshes::{cube, soup};
    use super::*;
    use crate::geometry::closest_on_triangle;
    use crate::random::Draws;

    /// Whether the nearest point of any triangle says inside.
    fn is_inside(mesh: &Mesh, normals: &PseudoNormals, point: DVec3) -> bool {
        let nearest = |(k, t): (usize, &[u32; 3])| {
            let (at, feature) = closest_on_triangle(point, t.map(|v| mesh.vertices()[v as usize]));
            ((point - at).length(), (point - at).dot(normals.at(mesh, k as u32, feature)))
        };
        let all = mesh.triangles().iter().enumerate().map(nearest);
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap().1 < 0.0
    }

    /// A cube and a needle, whose corners are sharp: inside is where all planes say so.
    #[test]
    fn points_of_convex_bodies_are_on_the_right_side() {
        let needle =
            [DVec3::ZERO, DVec3::new(1.0, 0.05, 0.0), DVec3::new(1.0, 0.0, 0.08), DVec3::new(1.0, -0.04, -0.03)];
        let [a, b, c, d] = needle;
        let needle = soup(vec![[a, c, b], [a, d, c], [a, b, d], [b, c, d]]);
        for mesh in [cube(), needle] {
            assert_eq!(check_solid(&mesh), Ok(()));
            let normals = PseudoNormals::new(&mesh);
            let (low, high) = mesh.bounds();
            let mut counts = [0; 2];
            for id in 0..4000 {
                let mut draws = Draws::new(12, 0, id);
                let place = |draws: &mut Draws, low: f64, high: f64| {
                    draws.between(1.3 * low - 0.3 * high, 1.3 * high - 0.3 * low)
                };
                let x = place(&mut draws, low.x, high.x);
                let y = place(&mut draws, low.y, high.y);
                let point = DVec3::new(x, y, place(&mut draws, low.z, high.z));
                let beyond = |t: &[u32; 3]| {
                    let [a, b, c] = t.map(|v| mesh.vertices()[v as usize]);
                    (b - a).cross(c - a).dot(point - a)
                };
                let expected = mesh.triangles().iter().map(beyond).all(|side| side < 0.0);
                counts[expected as usize] += 1;
                assert_eq!(is_inside(&mesh, &normals, point), expected, "{point}");
            }
            assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
        }
    }

    /// Some sides of the cube have one triangle at a corner and some two: only with angles as
    /// weights is the normal along the diagonal.
    #[test]
    fn corners_are_weighted_by_angle() {
        let normals = PseudoNormals::new(&cube());
        for corner in 0..8 {
            let expected = cube().vertices()[corner];
            let found = normals.vertices[corner].normalize();
            assert!((found - expected.normalize()).length() < 1e-14, "{found}");
        }
    }
}
