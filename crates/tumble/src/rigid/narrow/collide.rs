//! Contact points of two convex pieces: by closed forms where there are any, else by parry.

use glam::DVec3;

use super::box_box::box_box;
use super::faces::{flat_sides, with_all_corners};
use super::rods::{Rod, rod_rod};
use crate::geometry::{Convex, Manifold, Piece};
use crate::world::Pose;

/// Finds contact points of pieces `a` and `b` that are within `reach` \[m\] of each other; `place`
/// is the pose of `b` in the frame of `a`, and `hint` the last normal, or zero.
pub(in crate::rigid) fn collide(a: &Piece, b: &Piece, place: &Pose, hint: DVec3, reach: f64, out: &mut Manifold) {
    out.points.clear();
    out.normal = DVec3::ZERO;
    if let (Convex::Box(half_a), Convex::Box(half_b)) = (&a.convex, &b.convex) {
        box_box(*half_a, *half_b, place, reach, out);
    } else if let (Some(rod_a), Some(rod_b)) = (rod(&a.convex), rod(&b.convex)) {
        rod_rod(rod_a, rod_b, place, reach, out);
    } else {
        let has_flat_sides = |piece: &Piece| matches!(piece.convex, Convex::Box(_) | Convex::Cylinder { .. });
        if !(has_flat_sides(a) && has_flat_sides(b) && flat_sides(a, b, place, reach, out)) {
            out.find(a, b, place, hint, reach);
            with_all_corners(a, b, place, reach, out);
        }
        return;
    }
    // A closed form needs no hint.
    if out.points.is_empty() {
        out.normal = DVec3::ZERO;
    }
}

/// Balls and capsules as rods.
fn rod(convex: &Convex) -> Option<Rod> {
    match *convex {
        Convex::Ball(radius) => Some(Rod { radius, half: 0.0 }),
        Convex::Capsule { radius, half } => Some(Rod { radius, half }),
        _ => None,
    }
}
