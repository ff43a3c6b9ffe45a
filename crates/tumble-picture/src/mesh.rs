//! Meshes for drawing: with a normal at every corner of every triangle.
//!
//! The normal at a corner is the mean over the faces around its vertex whose angle to this face is
//! below that of [`CREASE`], so that a rabbit is smooth and a brick keeps its edges.

use glam::Vec3;
use rayon::prelude::*;

/// Cosine of the angle up to which neighbouring faces are drawn as one smooth surface: 40 degrees.
const CREASE: f32 = 0.766;

/// Number of triangles around a vertex above which its normals are not smoothed.
const MANY: usize = 256;

/// A mesh in its own axes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnMesh {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Normals at the three corners of each triangle.
    pub(crate) normals: Vec<[Vec3; 3]>,
    /// Distance of the farthest vertex from the origin \[m\].
    pub(crate) reach: f32,
    /// Radius of the sphere with the same surface \[m\]: by Cauchy's theorem a convex body covers
    /// as much of a picture, on average.
    pub(crate) mean_radius: f32,
}

impl DrawnMesh {
    pub(crate) fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let corner = |v: u32| vertices[v as usize];
        // Twice the area times the unit normal: large faces count more in a mean.
        let faces: Vec<Vec3> =
            triangles.iter().map(|&[a, b, c]| (corner(b) - corner(a)).cross(corner(c) - corner(a))).collect();
        let units: Vec<Vec3> = faces.iter().map(|face| face.normalize_or(Vec3::Z)).collect();

        // Triangles around each vertex, as slices of one list.
        let mut around: Vec<(u32, u32)> =
            triangles.iter().zip(0..).flat_map(|(corners, face)| corners.map(|vertex| (vertex, face))).collect();
        around.sort_unstable();
        let starts: Vec<usize> =
            (0..=vertices.len() as u32).map(|vertex| around.partition_point(|&(v, _)| v < vertex)).collect();
        let normal = |vertex: u32, face: usize| {
            let here = &around[starts[vertex as usize]..starts[vertex as usize + 1]];
            // At the tip of a fan of very many triangles, the mean would cost the square of their
            // number.
            if here.len() > MANY {
                return units[face];
            }
            let smooth = here.iter().filter(|&&(_, other)| units[other as usize].dot(units[face]) > CREASE);
            smooth.map(|&(_, other)| faces[other as usize]).sum::<Vec3>().normalize_or(units[face])
        };
        let normals = triangles
            .par_iter()
            .enumerate()
            .map(|(face, corners)| corners.map(|vertex| normal(vertex, face)))
            .collect();

        let surface: f32 = faces.iter().map(|face| 0.5 * face.length()).sum();
        let reach = vertices.iter().map(|vertex| vertex.length()).fold(0.0, f32::max);
        let mean_radius = (surface / (4.0 * std::f32::consts::PI)).sqrt().min(reach);
        Self { vertices, triangles, normals, reach, mean_radius }
    }

    /// A box about the origin.
    pub(crate) fn cuboid(half: Vec3) -> Self {
        let vertices = crate::camera::corners(-half, half).to_vec();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Self::new(vertices, sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
    }

    /// An upright cylinder of radius and height one that stands on the origin.
    pub(crate) fn cylinder(sides: u32) -> Self {
        let rim = |k: u32, z: f32| {
            let (sin, cos) = (std::f32::consts::TAU * k as f32 / sides as f32).sin_cos();
            Vec3::new(cos, sin, z)
        };
        let mut vertices: Vec<Vec3> = (0..sides).flat_map(|k| [rim(k, 0.0), rim(k, 1.0)]).collect();
        vertices.extend([Vec3::ZERO, Vec3::Z]);
        let triangles = (0..sides).flat_map(|k| {
            let (low, high) = (2 * k, 2 * k + 1);
            let (next_low, next_high) = (2 * ((k + 1) % sides), 2 * ((k + 1) % sides) + 1);
            let (bottom, top) = (2 * sides, 2 * sides + 1);
            [[low, next_low, next_high], [low, next_high, high], [bottom, next_low, low], [top, high, next_high]]
        });
        Self::new(vertices, triangles.collect())
    }

    /// A square of half length one across the origin, facing up.
    pub(crate) fn square() -> Self {
        let vertices = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        Self::new(vertices.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_keeps_its_edges_and_a_cylinder_is_round() {
        let cube = DrawnMesh::cuboid(Vec3::ONE);
        for (triangle, normals) in cube.triangles.iter().zip(&cube.normals) {
            let [a, b, c] = triangle.map(|v| cube.vertices[v as usize]);
            let face = (b - a).cross(c - a).normalize();
            assert!(normals.iter().all(|normal| (*normal - face).length() < 1e-6) && face.dot(a) > 0.0);
        }
        assert!((cube.mean_radius - (24.0 / (4.0 * std::f32::consts::PI)).sqrt()).abs() < 1e-5);

        let tube = DrawnMesh::cylinder(24);
        for (triangle, normals) in tube.triangles.iter().zip(&tube.normals) {
            for (&v, normal) in triangle.iter().zip(normals) {
                let out = tube.vertices[v as usize] * Vec3::new(1.0, 1.0, 0.0);
                // Either a cap, exactly upright, or the side, along the radius up to the unevenness
                // of its triangles.
                assert!(normal.z.abs() == 1.0 || normal.dot(out) > 0.99, "{normal} at {out}");
            }
        }
    }
}
