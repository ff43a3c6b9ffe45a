//! A standing figure and a sitting rabbit: bones, their flesh as a mesh, and a convex part for
//! every limb.
//!
//! Both look along x, stand on the ground with their centre of mass above the origin, and are one
//! unit high before they are made to measure.

use glam::DVec3;

use super::blend::{Bone, distance};
use super::net::{net, refined};
use super::{Mesh, hulls};
use crate::geometry::{ConvexPart, solid_moments};

/// How far a surface still belongs to the part beside it, over the height: parts overlap by this
/// much.
const OVERLAP: f64 = 0.012;

/// Facets around round parts, unless the caller asks for more.
const USUAL_SEGMENTS: u32 = 48;

/// Bones of a creature, and the grid that its flesh is meshed on.
pub(super) struct Creature {
    bones: Vec<Bone>,
    /// Over which distance soles are rounded.
    edge: f64,
    /// Edge of a cell of the grid.
    cell: f64,
    /// Cells of the grid from its middle each way.
    reach: [usize; 3],
    /// Middle of the grid.
    middle: DVec3,
}

impl Creature {
    pub(super) fn figure() -> Self {
        let (head, chest, hips, shoulders) = (0, 1, 2, 3);
        let mut bones = vec![
            Bone::new(head, [0.002, 0.0, 0.912], [0.004, 0.0, 0.945], [0.054, 0.057], 0.03),
            Bone::new(shoulders, [-0.004, 0.0, 0.83], [0.0, 0.0, 0.87], [0.034, 0.032], 0.02),
        ];
        let mut both = |bone: Bone, right: usize| bones.extend([bone, bone.mirrored(right)]);
        both(Bone::new(chest, [0.0, 0.055, 0.755], [0.0, 0.034, 0.66], [0.068, 0.058], 0.05), chest);
        both(Bone::new(shoulders, [-0.004, 0.03, 0.81], [-0.004, 0.11, 0.795], [0.04, 0.04], 0.03), shoulders);
        both(Bone::new(hips, [0.0, 0.032, 0.64], [0.0, 0.048, 0.54], [0.057, 0.066], 0.05), hips);
        // Arms: upper arm, forearm, hand.
        both(Bone::new(4, [-0.004, 0.125, 0.785], [-0.012, 0.185, 0.64], [0.038, 0.03], 0.02), 5);
        both(Bone::new(6, [-0.012, 0.185, 0.64], [0.015, 0.232, 0.51], [0.03, 0.022], 0.02), 7);
        both(Bone::new(6, [0.015, 0.235, 0.5], [0.022, 0.252, 0.445], [0.025, 0.026], 0.02), 7);
        // Legs: thigh, shin, foot.
        both(Bone::new(8, [0.0, 0.062, 0.5], [0.008, 0.088, 0.28], [0.063, 0.043], 0.03), 9);
        both(Bone::new(10, [0.008, 0.088, 0.28], [0.0, 0.108, 0.06], [0.043, 0.029], 0.02), 11);
        both(Bone::new(12, [-0.018, 0.108, 0.022], [0.095, 0.125, 0.014], [0.032, 0.028], 0.02), 13);
        Self { bones, edge: 0.01, cell: 0.0195, reach: [8, 16, 28], middle: DVec3::new(0.03, 0.0, 0.5) }
    }

    pub(super) fn rabbit() -> Self {
        let (back, chest, head, tail) = (0, 1, 2, 3);
        let mut bones = vec![
            Bone::new(back, [-0.2, 0.0, 0.26], [0.02, 0.0, 0.29], [0.225, 0.19], 0.1),
            Bone::new(chest, [0.06, 0.0, 0.27], [0.16, 0.0, 0.4], [0.17, 0.115], 0.08),
            Bone::new(head, [0.2, 0.0, 0.55], [0.315, 0.0, 0.515], [0.12, 0.08], 0.05),
            Bone::new(tail, [-0.42, 0.0, 0.2], [-0.45, 0.0, 0.23], [0.075, 0.07], 0.03),
        ];
        let mut both = |bone: Bone, right: usize| bones.extend([bone, bone.mirrored(right)]);
        // Cheeks.
        both(Bone::new(head, [0.24, 0.04, 0.52], [0.3, 0.04, 0.5], [0.085, 0.06], 0.04), head);
        // Ears, broad in the middle.
        let ear = |from: [f64; 3], to: [f64; 3], radii: [f64; 2]| {
            Bone::new(4, from, to, radii, 0.025).flat([1.0, -0.35, 0.25], 1.5)
        };
        both(ear([0.18, 0.065, 0.62], [0.12, 0.112, 0.8], [0.05, 0.066]), 5);
        both(ear([0.12, 0.112, 0.8], [0.075, 0.147, 0.93], [0.066, 0.046]), 5);
        // Haunches and hind feet.
        both(Bone::new(6, [-0.17, 0.18, 0.175], [-0.07, 0.2, 0.15], [0.17, 0.12], 0.025).flat([0.0, 1.0, 0.0], 1.5), 7);
        both(Bone::new(8, [-0.12, 0.21, 0.03], [0.1, 0.23, 0.03], [0.05, 0.048], 0.03), 9);
        // Forelegs and paws.
        both(Bone::new(10, [0.16, 0.085, 0.3], [0.24, 0.1, 0.06], [0.075, 0.046], 0.03), 11);
        both(Bone::new(10, [0.23, 0.1, 0.03], [0.285, 0.105, 0.025], [0.046, 0.042], 0.02), 11);
        Self { bones, edge: 0.015, cell: 0.031, reach: [16, 12, 18], middle: DVec3::new(-0.05, 0.0, 0.5) }
    }

    /// The mesh in units of its own, and the map that places it and gives it this height \[m\].
    fn grown(&self, height: f64) -> (Mesh, impl Fn(DVec3) -> DVec3) {
        let mesh = net(|point| distance(&self.bones, self.edge, point), self.middle, self.reach, self.cell);
        let (low, high) = mesh.bounds();
        let size = height / (high.z - low.z);
        let foot = solid_moments(&mesh).centre.with_z(low.z);
        (mesh, move |point: DVec3| size * (point - foot))
    }

    /// The mesh with this height \[m\]. Twice as many facets around than usual split each triangle
    /// in four.
    pub(super) fn mesh(&self, height: f64, segments: u32) -> Mesh {
        let (mut mesh, place) = self.grown(height);
        let times = (segments / USUAL_SEGMENTS).max(1).ilog2();
        if times > 0 {
            mesh = refined(&mesh, |point| distance(&self.bones, self.edge, point), times, self.cell);
        }
        super::made(mesh.vertices().iter().map(|v| place(*v)).collect(), mesh.triangles().to_vec())
    }

    /// For each part the hull of the vertices that are nearest to its bones.
    pub(super) fn parts(&self, height: f64) -> Vec<ConvexPart> {
        let (mesh, place) = self.grown(height);
        let count = self.bones.iter().map(|bone| bone.part + 1).max().unwrap_or(0);
        let mut points = vec![Vec::new(); count];
        for vertex in mesh.vertices() {
            let mut near = vec![f64::MAX; count];
            for bone in &self.bones {
                near[bone.part] = near[bone.part].min(bone.distance(*vertex));
            }
            let nearest = near.iter().copied().fold(f64::MAX, f64::min);
            for (points, distance) in points.iter_mut().zip(near) {
                if distance < nearest + OVERLAP {
                    points.push(place(*vertex));
                }
            }
        }
        points.iter().map(|points| hulls::part(points)).collect()
    }
}
