//! Checks of what statics says, by code that knows neither of its two solvers.
//!
//! That bodies stand is proven by forces: each in the friction cone of its point, and together with
//! the loads they leave nothing on any body. That bodies fall is proven by a motion: the loads do
//! work in it, and every contact opens at least μ times as fast as it slides. Forces f in their
//! cones do at most Σ f_n (μ slip - opening) against it, so where that bracket is not quite
//! negative, the motion still excludes all forces up to a size, which is told.

use glam::DVec3;

use super::{PointForce, Touching};
use crate::world::Motion;

/// How well forces prove that bodies stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceCheck {
    /// Largest force (and torque over radius) that is left on a body, over its weight or its load,
    /// whichever is larger.
    pub residual: f64,
    /// Largest force outside of a friction cone, over the mean weight.
    pub outside: f64,
}

/// How well a motion proves that bodies fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionCheck {
    /// Power of all loads, over the sum of weights times speeds: zero or less proves nothing.
    pub power: f64,
    /// Sum of normal forces, over the weight of all bodies, below which no forces balance the
    /// loads.
    pub excludes: f64,
}

/// Checks forces on the body of each point, with a factor on friction.
pub fn check_forces(touching: &Touching, forces: &[PointForce], friction: f64) -> ForceCheck {
    let gravity = touching.gravity();
    let bodies = touching.bodies();
    let mut left: Vec<[DVec3; 2]> =
        bodies.iter().map(|body| [body.mass * gravity + body.load.force, body.load.torque]).collect();
    let mean = bodies.iter().map(|body| body.mass).sum::<f64>() / bodies.len().max(1) as f64 * gravity.length();
    let mut outside = 0f64;
    for (point, &PointForce { force, torque }) in touching.points().iter().zip(forces) {
        let normal = force.dot(point.normal);
        let slide = force.reject_from_normalized(point.normal).length() - friction * point.friction * normal;
        let radius = bodies[point.body as usize].radius;
        let roll = (torque.length() - friction * point.rolling * normal) / radius;
        outside = [-normal, slide, roll].into_iter().fold(outside, f64::max);
        for (body, sign) in [(Some(point.body), 1.0), (point.to, -1.0)] {
            let Some(body) = body.map(|body| body as usize) else { continue };
            left[body][0] += sign * force;
            left[body][1] += sign * ((point.point - bodies[body].centre).cross(force) + torque);
        }
    }
    let residual = left.iter().zip(bodies).filter(|(_, body)| !body.is_fixed).map(|([force, torque], body)| {
        let levered = *torque / body.radius;
        let burden = f64::max(body.mass * gravity.length(), body.load.force.length());
        (force.length_squared() + levered.length_squared()).sqrt() / burden
    });
    ForceCheck { residual: residual.fold(0.0, f64::max), outside: outside / mean }
}

/// Checks a motion of all bodies, with a factor on friction.
pub fn check_motion(touching: &Touching, motions: &[Motion], friction: f64) -> MotionCheck {
    let gravity = touching.gravity();
    let (mut power, mut scale, mut weights) = (0.0, 0.0, 0.0);
    for (body, motion) in touching.bodies().iter().zip(motions).filter(|(body, _)| !body.is_fixed) {
        let force = body.mass * gravity + body.load.force;
        let weight = body.mass * gravity.length();
        power += force.dot(motion.velocity) + body.load.torque.dot(motion.spin);
        scale += weight * (motion.velocity.length() + motion.spin.length() * body.radius);
        weights += weight;
    }
    let mut most = 0f64;
    for point in touching.points() {
        let at = |body: u32| {
            let (body, motion) = (&touching.bodies()[body as usize], &motions[body as usize]);
            let moves = if body.is_fixed { 0.0 } else { 1.0 };
            [moves * (motion.velocity + motion.spin.cross(point.point - body.centre)), moves * motion.spin]
        };
        let [of, to] = [at(point.body), point.to.map_or([DVec3::ZERO; 2], at)];
        let (velocity, spin) = (of[0] - to[0], of[1] - to[1]);
        let opening = velocity.dot(point.normal);
        let slip = velocity.reject_from_normalized(point.normal).length();
        let roll = spin.reject_from_normalized(point.normal).length();
        most = most.max(friction * (point.friction * slip + point.rolling * roll) - opening);
    }
    let excludes = if power <= 0.0 { 0.0 } else { power / (most * weights) };
    MotionCheck { power: if scale > 0.0 { power / scale } else { 0.0 }, excludes }
}
