//! Closed meshes split into convex parts: parry's V-HACD (Mamou 2016) on voxels, then hulls of the surface in each part.
//!
//! A hull gets few corners, those that are farthest in evenly spread directions: a contact between two hulls costs as much as
//! they have corners together.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;

use super::{Convex, ConvexPart, Hull, Mesh, MeshSurface, solid_moments};
use crate::world::Pose;

/// How a mesh is split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// Voxels along the longest side.
    pub resolution: u32,
    /// How hollow a part may be, over the size of the mesh \[-\].
    pub concavity: f64,
    /// Most parts.
    pub most_parts: u32,
    /// Most corners of a part.
    pub most_corners: u32,
}

impl Split {
    /// What suits things of about the size of a chair.
    pub const DEFAULT: Self = Self { resolution: 64, concavity: 0.01, most_parts: 24, most_corners: 32 };
}

/// A mesh as convex parts, and how good they are.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The parts, in the axes of the mesh.
    pub list: Vec<ConvexPart>,
    /// Volume of all parts over that of the mesh, less one \[-\]: what they fill of its hollows, and where they overlap.
    pub excess: f64,
    /// How far a vertex of the mesh is outside of all parts at most \[m\].
    pub cut_off: f64,
}

/// Splits a closed mesh; gives the corners of each part. This is the slow half of making [`Parts`].
pub fn split(mesh: &Mesh, how: &Split) -> Vec<Vec<DVec3>> {
    let parameters = VHACDParameters {
        concavity: how.concavity,
        resolution: how.resolution,
        max_convex_hulls: how.most_parts,
        fill_mode: FillMode::FloodFill { detect_cavities: false },
        ..VHACDParameters::default()
    };
    let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
    let pieces =
        VHACD::decompose(&parameters, vertices, triangles, true).compute_exact_convex_hulls(vertices, triangles);
    let corners = |(corners, _): (Vec<DVec3>, Vec<[u32; 3]>)| {
        let few = fewer(&corners, how.most_corners);
        if Hull::new(&few).is_some() { few } else { corners }
    };
    pieces.into_iter().map(corners).collect()
}

impl Parts {
    /// The parts of a mesh with these corners; none if nothing came of it.
    pub fn new(mesh: &Mesh, corners: &[Vec<DVec3>]) -> Option<Self> {
        let part = |corners: &Vec<DVec3>| {
            let hull = Hull::new(corners)?;
            Some(ConvexPart { convex: Convex::Hull(Box::new(hull)), pose: Pose::IDENTITY })
        };
        let list: Vec<ConvexPart> = corners.iter().filter_map(part).collect();
        if list.is_empty() {
            return None;
        }
        let volume: f64 = list.iter().map(|part| part.moments().volume).sum();
        let surfaces: Vec<MeshSurface> = list.iter().map(|part| MeshSurface::new(part.mesh(0))).collect();
        let outside =
            |vertex: &DVec3| surfaces.iter().map(|s| s.signed_distance(*vertex)).fold(f64::INFINITY, f64::min);
        let cut_off = mesh.vertices().iter().map(outside).fold(0.0, f64::max);
        Some(Self { list, excess: volume / solid_moments(mesh).volume - 1.0, cut_off })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Model;

    fn parts(mesh: &Mesh) -> Parts {
        Parts::new(mesh, &split(mesh, &Split::DEFAULT)).unwrap()
    }

    #[test]
    fn an_l_block_becomes_two_parts_or_few() {
        let model = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.07), arm: 0.07 };
        let parts = parts(&model.mesh(0).unwrap());
        assert!(parts.list.len() <= 3, "{}", parts.list.len());
        assert!(parts.excess.abs() < 0.08 && parts.cut_off < 0.005, "{} {}", parts.excess, parts.cut_off);
    }

    #[test]
    fn a_ring_keeps_its_hole() {
        let model = Model::Ring { radius: 0.2, tube: 0.05 };
        let parts = parts(&model.mesh(32).unwrap());
        assert!(parts.list.len() >= 6, "{}", parts.list.len());
        let hole = parts.list.iter().map(|part| MeshSurface::new(part.mesh(0)).signed_distance(DVec3::ZERO));
        assert!(hole.fold(f64::INFINITY, f64::min) > 0.08);
        assert!(parts.excess < 0.25 && parts.cut_off < 0.02, "{} {}", parts.excess, parts.cut_off);
    }
}
