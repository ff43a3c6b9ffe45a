//! Point reduction: at most four points per contact.

use super::MAX_POINTS;
use crate::geometry::Manifold;

/// Keeps the points whose separation is below `reach` \[m\], and of more than four those that bear:
/// the deepest, the one farthest from it along the surface, and on both sides of the line between
/// them the ones that span the largest triangles. A point loses as much distance as it is higher
/// than the deepest, so that of two corners above each other the lower one counts.
pub(in crate::rigid) fn reduce_points(touches: &mut Manifold, reach: f64) {
    let normal = touches.normal;
    let points = &mut touches.points;
    points.retain(|point| (point.on_b - point.on_a).dot(normal) < reach);
    if points.len() <= MAX_POINTS {
        return;
    }
    let separation = |k: usize| (points[k].on_b - points[k].on_a).dot(normal);
    let best = |score: &dyn Fn(usize) -> f64| {
        (0..points.len()).fold((0, f64::NEG_INFINITY), |best, k| {
            let score = score(k);
            if score > best.1 { (k, score) } else { best }
        })
    };
    let (first, _) = best(&|k| -separation(k));
    let height = |k: usize| separation(k) - separation(first);
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
