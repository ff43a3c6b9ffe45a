//! How two convex pieces touch: by closed forms where there are, else by parry; at most four points.

mod box_box;
mod faces;
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
        let has_flat_sides = |piece: &Piece| matches!(piece.convex, Convex::Box(_) | Convex::Cylinder { .. });
        if !(has_flat_sides(a) && has_flat_sides(b) && faces::flat_sides(a, b, place, reach, out)) {
            out.find(a, b, place, hint, reach);
            faces::with_all_corners(a, b, place, reach, out);
        }
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

/// Keeps the points within `reach` \[m\], and of more than four those that bear: the deepest, the
/// one farthest from it along the surface, and on both sides of the line between them the ones that
/// span the largest triangles. A point loses as much distance as it is higher than the deepest, so
/// that of two corners above each other the lower one counts.
pub(super) fn keep_few(touches: &mut Touches, reach: f64) {
    let normal = touches.normal;
    let points = &mut touches.points;
    points.retain(|point| (point.on_b - point.on_a).dot(normal) < reach);
    if points.len() <= MOST_POINTS {
        return;
    }
    let gap = |k: usize| (points[k].on_b - points[k].on_a).dot(normal);
    let best = |score: &dyn Fn(usize) -> f64| {
        (0..points.len()).fold((0, f64::NEG_INFINITY), |best, k| {
            let score = score(k);
            if score > best.1 { (k, score) } else { best }
        })
    };
    let (first, _) = best(&|k| -gap(k));
    let height = |k: usize| gap(k) - gap(first);
    let from_first = |k: usize| {
        let away = points[k].on_a - points[first].on_a;
        away - away.dot(normal) * normal
    };
    let (second, _) = best(&|k| from_first(k).length() - height(k));
    let line = from_first(second);
    let length = line.length();
    let area = |k: usize| normal.dot(line.cross(from_first(k)));
    let (left, most) = best(&|k| area(k) - length * height(k));
    let (right, least) = best(&|k| -area(k) - length * height(k));
    let scale = f64::EPSILON * length * length;
    let keep = [Some(first), Some(second), (most > scale).then_some(left), (least > scale).then_some(right)];
    let mut number = 0;
    points.retain(|_| {
        number += 1;
        keep.contains(&Some(number - 1))
    });
}
