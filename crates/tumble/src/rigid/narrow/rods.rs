//! Balls and capsules against each other: nearest points of their axes.

use glam::DVec3;

use crate::geometry::{Manifold, ManifoldPoint};
use crate::world::Pose;

/// Sine of the angle below which capsules lie along each other and touch at two points.
const PARALLEL_SINE: f64 = 0.02;

/// A ball (half length zero) or a capsule: radius and half length \[m\].
#[derive(Clone, Copy)]
pub(super) struct Rod {
    pub(super) radius: f64,
    pub(super) half: f64,
}

/// Finds contact points of two rods; `place` is the pose of `b` in the frame of `a`.
pub(super) fn rod_rod(a: Rod, b: Rod, place: &Pose, reach: f64, out: &mut Manifold) {
    let (axis, away) = (place.orientation * DVec3::Z, place.position);
    let (cosine, p, q) = (axis.z, away.z, away.dot(axis));
    let square = 1.0 - cosine * cosine;

    let (mut s, mut t);
    if a.half > 0.0 && b.half > 0.0 && square < PARALLEL_SINE * PARALLEL_SINE {
        // The stretch of a that lies beside b.
        let (low, high) = ((p - b.half).max(-a.half), (p + b.half).min(a.half));
        if low < high {
            let on_b = |s: f64| (cosine * s - q).clamp(-b.half, b.half);
            let pairs = [(low, on_b(low)), (high, on_b(high))];
            let between = |(s, t): (f64, f64)| away + t * axis - s * DVec3::Z;
            // Both points share the normal of the nearer one.
            let nearer = if between(pairs[0]).length_squared() <= between(pairs[1]).length_squared() { 0 } else { 1 };
            out.normal = direction(between(pairs[nearer]));
            for (k, &(s, t)) in pairs.iter().enumerate() {
                push(a, b, s * DVec3::Z, away + t * axis, k as u32, reach, out);
            }
            return;
        }
        (s, t) = if p > 0.0 { (a.half, 0.0) } else { (-a.half, 0.0) };
    } else {
        s = if square > 0.0 { ((p - cosine * q) / square).clamp(-a.half, a.half) } else { 0.0 };
        t = 0.0;
    }
    // Nearest points of two segments: each to the other, until the ends agree (Ericson, §5.1.9).
    for _ in 0..2 {
        t = (cosine * s - q).clamp(-b.half, b.half);
        s = (p + cosine * t).clamp(-a.half, a.half);
    }
    let (on_a, on_b) = (s * DVec3::Z, away + t * axis);
    out.normal = direction(on_b - on_a);
    push(a, b, on_a, on_b, 0, reach, out);
}

/// Adds the point between two points of the axes, if it is within `reach` \[m\].
fn push(a: Rod, b: Rod, on_a: DVec3, on_b: DVec3, feature: u32, reach: f64, out: &mut Manifold) {
    let separation = (on_b - on_a).dot(out.normal) - a.radius - b.radius;
    if separation < reach {
        let surface_a = on_a + a.radius * out.normal;
        out.points.push(ManifoldPoint { on_a: surface_a, on_b: surface_a + separation * out.normal, feature });
    }
}

/// The direction of a vector; any, if it has no length.
fn direction(between: DVec3) -> DVec3 {
    between.try_normalize().unwrap_or(DVec3::X)
}
