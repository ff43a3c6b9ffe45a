//! Velocity-Verlet: half a kick, a drift, and after the new forces the other half kick. Second order, and symplectic
//! where the forces are conservative.
//!
//! Contact forces depend on velocity too (damping, slip); like every DEM code we evaluate them with the velocity of the
//! half step.

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use crate::contact::BLOCK;
use crate::world::{Inertia, Motion, Pose, World, Wrench};

/// The first half of a step: kick with the forces of the last step, then drift.
pub(crate) fn kick_and_drift(world: &mut World, dt: f64) {
    let (gravity, drag) = (world.gravity, world.drag);
    let bodies = &mut world.bodies;
    let poses = bodies.pose.par_chunks_mut(BLOCK);
    let motions = bodies.motion.par_chunks_mut(BLOCK);
    let forces = bodies.wrench.par_chunks(BLOCK).zip(bodies.inertia.par_chunks(BLOCK));
    poses.zip(motions).zip(forces).for_each(|((poses, motions), (wrenches, inertias))| {
        for (((pose, motion), wrench), inertia) in poses.iter_mut().zip(motions).zip(wrenches).zip(inertias) {
            kick(motion, wrench, inertia, gravity, drag, 0.5 * dt);
            drift(pose, motion, dt);
        }
    });
}

/// The second half of a step: kick with the new forces.
pub(crate) fn kick_again(world: &mut World, dt: f64) {
    let (gravity, drag) = (world.gravity, world.drag);
    let bodies = &mut world.bodies;
    let forces = bodies.wrench.par_chunks(BLOCK).zip(bodies.inertia.par_chunks(BLOCK));
    bodies.motion.par_chunks_mut(BLOCK).zip(forces).for_each(|(motions, (wrenches, inertias))| {
        for ((motion, wrench), inertia) in motions.iter_mut().zip(wrenches).zip(inertias) {
            kick(motion, wrench, inertia, gravity, drag, 0.5 * dt);
        }
    });
}

#[inline(always)]
fn kick(motion: &mut Motion, wrench: &Wrench, inertia: &Inertia, gravity: DVec3, drag: f64, dt: f64) {
    motion.velocity += dt / inertia.mass * wrench.force + dt * (gravity - drag * motion.velocity);
    motion.spin += dt / inertia.moment * wrench.torque;
}

#[inline(always)]
fn drift(pose: &mut Pose, motion: &Motion, dt: f64) {
    pose.position += dt * motion.velocity;
    // q' = w q / 2. One Newton step towards length one instead of a square root: the length is off by (w dt)²/8 only.
    let w = 0.5 * dt * motion.spin;
    let q = pose.orientation;
    let turned = q + DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * q;
    pose.orientation = turned * (1.5 - 0.5 * turned.length_squared());
}
