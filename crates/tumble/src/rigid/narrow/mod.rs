//! How two convex pieces touch: by closed forms where there are, else by parry; at most four points.

mod box_box;
mod plane;
mod rods;

use glam::DVec3;

use crate::geometry::{Convex, Piece, Touches};
use crate::world::Pose;

pub(super) use plane::piece_plane;
use rods::Rod;

/// The most points that a contact of two pieces has.
pub(super) const MOST_POINTS: usize = 4;

/// Finds how piece `b`, placed in the axes of piece `a`, touches it within `reach` \[m\]; `hint` is the normal of the last look, or zero.
pub(super) fn touch(a: &Piece, b: &Piece, place: &Pose, hint: DVec3, reach: f64, out: &mut Touches) {
    out.points.clear();
    out.normal = DVec3::ZERO;
    if let (Convex::Box(half_a), Convex::Box(half_b)) = (&a.convex, &b.convex) {
        box_box::box_box(*half_a, *half_b, place, reach, out);
    } else if let (Some(rod_a), Some(rod_b)) = (rod(&a.convex), rod(&b.convex)) {
        rods::rod_rod(rod_a, rod_b, place, reach, out);
    } else {
        out.find(a, b, place, hint, reach);
        return;
    }
    // A closed form needs no hint.
    if out.points.is_empty() {
        out.normal = DVec3::ZERO;
    }
}

fn rod(convex: &Convex) -> Option<Rod> {
    match *convex {
        Convex::Ball(radius) => Some(Rod { radius, half: 0.0 }),
        Convex::Capsule { radius, half } => Some(Rod { radius, half }),
        _ => None,
    }
}

/// Keeps the points that are within `reach` \[m\], and of many those that support as much as all do: the deepest, the one farthest from it, and on both sides of the line between
/// them the ones that span the largest triangles.
pub(super) fn keep_few(touches: &mut Touches, reach: f64) {
    let normal = touches.normal;
    let points = &mut touches.points;
    points.retain(|point| (point.on_b - point.on_a).dot(normal) < reach);
    if points.len() <= MOST_POINTS {
        return;
    }
    let gap = |k: usize| (points[k].on_b - points[k].on_a).dot(normal);
    let at = |k: usize| points[k].on_a;
    let best = |score: &dyn Fn(usize) -> f64| {
        (0..points.len()).fold((0, f64::NEG_INFINITY), |best, k| {
            let score = score(k);
            if score > best.1 { (k, score) } else { best }
        })
    };
    let (first, _) = best(&|k| -gap(k));
    let (second, _) = best(&|k| (at(k) - at(first)).length_squared());
    let line = at(second) - at(first);
    let area = |k: usize| normal.dot(line.cross(at(k) - at(first)));
    let ((left, most), (right, least)) = (best(&area), best(&|k| -area(k)));
    let scale = f64::EPSILON * line.length_squared();
    let keep = [Some(first), Some(second), (most > scale).then_some(left), (least > scale).then_some(right)];
    let mut number = 0;
    points.retain(|_| {
        number += 1;
        keep.contains(&Some(number - 1))
    });
}
