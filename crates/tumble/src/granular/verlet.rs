//! Velocity-Verlet: half a kick, a drift, and after the new forces the other half kick. Second order, and symplectic
//! where the forces are conservative.
//!
//! Contact forces depend on velocity too (damping, slip); like every DEM code we evaluate them with the velocity of the
//! half step.

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use crate::contact::{BLOCK, Sphere};
use crate::world::{Inertia, Motion, Pose, World, Wrench};

/// The first half of a step: kick with the forces of the last step, then drift.
pub(crate) fn kick_and_drift(world: &mut World, dt: f64) {
    let (gravity, drag) = (world.gravity, world.drag);
    let bodies = &mut world.bodies;
    let rows = (&mut bodies.pose, &mut bodies.motion, &bodies.wrench, &bodies.inertia).into_par_iter();
    rows.with_min_len(BLOCK).for_each(|(pose, motion, wrench, inertia)| {
        kick(motion, wrench, inertia, gravity, drag, 0.5 * dt);
        drift(pose, motion, dt);
    });
}

/// The second half of a step: kick with the new forces.
pub(crate) fn kick_again(world: &mut World, dt: f64) {
    let (gravity, drag) = (world.gravity, world.drag);
    let bodies = &mut world.bodies;
    let rows = (&mut bodies.motion, &bodies.wrench, &bodies.inertia).into_par_iter();
    rows.with_min_len(BLOCK).for_each(|(motion, wrench, inertia)| {
        kick(motion, wrench, inertia, gravity, drag, 0.5 * dt);
    });
}

#[inline(always)]
fn kick(motion: &mut Motion, wrench: &Wrench, inertia: &Inertia, gravity: DVec3, drag: f64, dt: f64) {
    motion.velocity += dt * (wrench.force / inertia.mass + gravity - drag * motion.velocity);
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

/// Puts the spheres where their bodies are, in the order of rows.
pub(crate) fn place_all(world: &World, spheres: &mut Vec<Sphere>) {
    let bodies = &world.bodies;
    spheres.clear();
    for (row, traits) in bodies.traits.iter().enumerate() {
        let shape = &world.shapes[traits.shape as usize];
        spheres.extend(shape.spheres.iter().map(|sphere| Sphere {
            center: bodies.pose[row].to_world(traits.size * sphere.offset),
            radius: traits.size * sphere.radius,
            velocity: bodies.motion[row].velocity,
            mass: bodies.inertia[row].mass,
            spin: bodies.motion[row].spin,
            material: traits.material,
            body: row as u32,
        }));
    }
}

/// Moves the spheres along with their bodies, which stand in the same rows as when the spheres were placed.
pub(crate) fn place_moved(world: &World, spheres: &mut [Sphere]) {
    let bodies = &world.bodies;
    spheres.par_iter_mut().with_min_len(BLOCK).for_each(|sphere| {
        let row = sphere.body as usize;
        sphere.center = bodies.pose[row].position;
        sphere.velocity = bodies.motion[row].velocity;
        sphere.spin = bodies.motion[row].spin;
    });
}
