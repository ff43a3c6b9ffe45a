//! A piece against a half-space: its lowest points.

use glam::DVec3;

use super::box_box::widest;
use super::faces::cylinder_side;
use crate::geometry::{Convex, Manifold, ManifoldPoint, Piece};
use crate::world::Pose;

/// Finds contact points of a piece and a half-space z < 0; `place` is the pose of the half-space in
/// the frame of the piece.
pub(in crate::rigid) fn piece_plane(piece: &Piece, place: &Pose, reach: f64, out: &mut Manifold) {
    let up = place.orientation * DVec3::Z;
    out.points.clear();
    out.normal = -up;
    let mut point = |at: DVec3, feature: u32| {
        let height = (at - place.position).dot(up);
        if height < reach {
            out.points.push(ManifoldPoint { on_a: at, on_b: at - height * up, feature });
        }
    };
    match &piece.convex {
        Convex::Ball(radius) => point(-*radius * up, 0),
        Convex::Capsule { radius, half } => {
            point(DVec3::new(0.0, 0.0, *half) - *radius * up, 0);
            point(DVec3::new(0.0, 0.0, -*half) - *radius * up, 1);
        }
        // Only the corners of the face that looks down most: those of the face above it bear
        // nothing.
        Convex::Box(half) => {
            let axis = widest(up.abs());
            for k in (0..8u32).filter(|k| (k >> axis & 1 == 1) == (up[axis] < 0.0)) {
                let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                point(*half * DVec3::new(sign(0), sign(1), sign(2)), k);
            }
        }
        Convex::Cylinder { radius, half } => cylinder_side(*radius, *half, -up, point),
        Convex::Hull(hull) => hull.corners().iter().enumerate().for_each(|(k, &corner)| point(corner, k as u32)),
    }
}
