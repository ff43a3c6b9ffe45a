//! Drifts: what motion does to place, for bodies of both solvers.

use glam::{DQuat, DVec3};

use crate::world::{Inertia, Motion, Pose};

/// Changes place and orientation of a body by its motion, for `dt` \[s\].
#[inline(always)]
pub(crate) fn drift(pose: &mut Pose, motion: &mut Motion, inertia: &Inertia, dt: f64) {
    pose.position += dt * motion.velocity;
    if inertia.is_round() {
        turn_round(pose, motion, dt);
    } else {
        turn(pose, motion, inertia, dt);
    }
}

/// Turns a body whose spin stays what it is. q' = w q / 2.
#[inline(always)]
fn turn_round(pose: &mut Pose, motion: &Motion, dt: f64) {
    // One Newton step towards length one instead of a square root: the length is off by (w dt)²/8 only.
    let w = 0.5 * dt * motion.spin;
    let q = pose.orientation;
    let turned = q + DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * q;
    pose.orientation = turned * (1.5 - 0.5 * turned.length_squared());
}

/// Turns a body whose axes differ: about x, y, z, y, x of its own, each with the momentum it then has about that axis
/// (Dullweber, Leimkuhler & McLachlan 1997). Second order, symplectic, and angular momentum is kept to rounding.
fn turn(pose: &mut Pose, motion: &mut Motion, inertia: &Inertia, dt: f64) {
    let mut momentum = (inertia.moments * (pose.orientation.conjugate() * motion.spin)).to_array();
    let mut q = pose.orientation.to_array();
    let angles = (dt / inertia.moments).to_array();
    turn_about::<0>(&mut q, &mut momentum, 0.5 * angles[0]);
    turn_about::<1>(&mut q, &mut momentum, 0.5 * angles[1]);
    turn_about::<2>(&mut q, &mut momentum, angles[2]);
    turn_about::<1>(&mut q, &mut momentum, 0.5 * angles[1]);
    turn_about::<0>(&mut q, &mut momentum, 0.5 * angles[0]);
    pose.orientation = DQuat::from_array(q).normalize();
    motion.spin = pose.orientation * (DVec3::from(momentum) / inertia.moments);
}

/// Turns about one axis of the body by an angle over the momentum about it. The quaternion is not yet of length one.
#[inline(always)]
fn turn_about<const AXIS: usize>(q: &mut [f64; 4], momentum: &mut [f64; 3], angle: f64) {
    let angle = angle * momentum[AXIS];
    // tan(angle/2), to fifth order; any value keeps the momentum's length.
    let t = 0.5 * angle * (1.0 + angle * angle / 12.0);
    let scale = 1.0 / (1.0 + t * t);
    let (cos, sin) = ((1.0 - t * t) * scale, 2.0 * t * scale);
    // In axes that turn with the body the momentum turns back.
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    (momentum[j], momentum[k]) = (cos * momentum[j] + sin * momentum[k], cos * momentum[k] - sin * momentum[j]);
    let (i, w) = (q[AXIS], q[3]);
    (q[AXIS], q[3]) = (i + w * t, w - i * t);
    (q[j], q[k]) = (q[j] + q[k] * t, q[k] - q[j] * t);
}
