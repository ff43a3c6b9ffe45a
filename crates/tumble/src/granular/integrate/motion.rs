//! Kicks and drifts: what forces do to motion, and motion to place, in steps of fixed length.
//!
//! Contact forces depend on velocity too (damping, slip); like every DEM code we evaluate them with the velocity of the
//! half step.

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use crate::world::{Inertia, Motion, Pose, World, Wrench};

/// Bodies in a unit of work.
const CHUNK: usize = 256;

/// Changes velocities and spins by the present forces for `dt` \[s\].
pub(crate) fn kick(world: &mut World, dt: f64) {
    let (gravity, drag) = (world.gravity, world.drag);
    let bodies = &mut world.bodies;
    let poses = bodies.pose.par_chunks(CHUNK);
    let forces = bodies.wrench.par_chunks(CHUNK).zip(bodies.inertia.par_chunks(CHUNK));
    bodies.motion.par_chunks_mut(CHUNK).zip(poses).zip(forces).for_each(|((motions, poses), (wrenches, inertias))| {
        for (((motion, pose), wrench), inertia) in motions.iter_mut().zip(poses).zip(wrenches).zip(inertias) {
            kick_one(motion, pose, wrench, inertia, gravity, drag, dt);
        }
    });
}

/// Changes velocities and spins by the present forces for `kick` \[s\], then places and orientations for `dt` \[s\].
pub(crate) fn drift(world: &mut World, kick: f64, dt: f64) {
    let (gravity, drag) = (world.gravity, world.drag);
    let bodies = &mut world.bodies;
    let poses = bodies.pose.par_chunks_mut(CHUNK);
    let motions = bodies.motion.par_chunks_mut(CHUNK);
    let forces = bodies.wrench.par_chunks(CHUNK).zip(bodies.inertia.par_chunks(CHUNK));
    poses.zip(motions).zip(forces).for_each(|((poses, motions), (wrenches, inertias))| {
        for (((pose, motion), wrench), inertia) in poses.iter_mut().zip(motions).zip(wrenches).zip(inertias) {
            kick_one(motion, pose, wrench, inertia, gravity, drag, kick);
            pose.position += dt * motion.velocity;
            if inertia.is_round() {
                turn_round(pose, motion, dt);
            } else {
                turn(pose, motion, inertia, dt);
            }
        }
    });
}

#[inline(always)]
fn kick_one(motion: &mut Motion, pose: &Pose, wrench: &Wrench, inertia: &Inertia, gravity: DVec3, drag: f64, dt: f64) {
    motion.velocity += dt / inertia.mass * wrench.force + dt * (gravity - drag * motion.velocity);
    motion.spin += inertia.spin(pose.orientation, dt * wrench.torque);
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
    let mut q = pose.orientation;
    let mut momentum = (inertia.moments * (q.conjugate() * motion.spin)).to_array();
    for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
        let angle = share * dt * momentum[axis] / inertia.moments[axis];
        // tan(angle/2), to fifth order; any value keeps the momentum's length.
        let t = 0.5 * angle * (1.0 + angle * angle / 12.0);
        let scale = 1.0 / (1.0 + t * t);
        let (cos, sin) = ((1.0 - t * t) * scale, 2.0 * t * scale);
        // In axes that turn with the body the momentum turns back.
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        (momentum[j], momentum[k]) = (cos * momentum[j] + sin * momentum[k], cos * momentum[k] - sin * momentum[j]);
        let mut turn = [0.0; 3];
        turn[axis] = t;
        q *= DQuat::from_xyzw(turn[0], turn[1], turn[2], 1.0);
    }
    pose.orientation = q.normalize();
    motion.spin = pose.orientation * (DVec3::from(momentum) / inertia.moments);
}
