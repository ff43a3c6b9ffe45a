//! Meshes for tests: a cube, spheres, a torus, a Möbius strip.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::Mesh;
pub(crate) use super::surface::tests::cube;

/// The unit sphere: an octahedron whose triangles are split in four this many times.
pub(crate) fn sphere(splits: u32) -> Mesh {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut faces = Vec::new();
    for k in 0..8 {
        let sign = |axis: u32| if k >> axis & 1 == 0 { 1.0 } else { -1.0 };
        let mut face = [0, 1, 2].map(|axis| sign(axis) * axes[axis as usize]);
        if sign(0) * sign(1) * sign(2) < 0.0 {
            face.swap(1, 2);
        }
        faces.push(face);
    }
    for _ in 0..splits {
        let split = |[a, b, c]: [DVec3; 3]| {
            let [ab, bc, ca] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        faces = faces.into_iter().flat_map(split).collect();
    }
    soup(faces)
}

/// A torus about z with these radii, with n by m quads.
pub(crate) fn torus(large: f64, small: f64, n: u32, m: u32) -> Mesh {
    let at = |i: u32, j: u32| {
        let (a, b) = ((i % n) as f64 / n as f64 * TAU, (j % m) as f64 / m as f64 * TAU);
        let out = large + small * b.cos();
        DVec3::new(out * a.cos(), out * a.sin(), small * b.sin())
    };
    let quad = |(i, j): (u32, u32)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    soup((0..n).flat_map(|i| (0..m).map(move |j| (i, j))).flat_map(quad).collect())
}

/// A Möbius strip.
pub(crate) fn moebius_strip() -> Mesh {
    let n = 24u32;
    let at = |i: u32, side: f64| {
        // After one turn, the sides have changed places; exactly, so that the vertices merge.
        let side = if i == n { -side } else { side };
        let a = (i % n) as f64 / n as f64 * TAU;
        let half = (i % n) as f64 / n as f64 * PI;
        let out = 1.0 + 0.3 * side * half.cos();
        DVec3::new(out * a.cos(), out * a.sin(), 0.3 * side * half.sin())
    };
    let quad = |i: u32| {
        let [a, b, c, d] = [at(i, -1.0), at(i + 1, -1.0), at(i + 1, 1.0), at(i, 1.0)];
        [[a, b, c], [a, c, d]]
    };
    soup((0..n).flat_map(quad).collect())
}

/// Several meshes as one.
pub(crate) fn together(meshes: &[Mesh]) -> Mesh {
    let corners = |mesh: &Mesh| -> Vec<[DVec3; 3]> {
        mesh.triangles().iter().map(|t| t.map(|v| mesh.vertices()[v as usize])).collect()
    };
    soup(meshes.iter().flat_map(corners).collect())
}

/// A mesh of triangles that share vertices where these are equal.
pub(crate) fn soup(faces: Vec<[DVec3; 3]>) -> Mesh {
    let triangles = (0..faces.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(faces.into_iter().flatten().collect(), triangles).unwrap_or_else(|problem| panic!("{problem}"))
}
