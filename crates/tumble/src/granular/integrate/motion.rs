//! Kicks: velocity updates by forces, in steps of fixed length.
//!
//! Contact forces depend on velocity too (damping, slip); like every DEM code we evaluate them with
//! the velocity of the half step.

use glam::DVec3;

use crate::world::{Inertia, Motion, Pose, World, Wrench};

/// Changes velocity and spin of a body by its wrench, gravity and drag, for `dt` \[s\].
#[inline(always)]
pub(crate) fn kick(
    motion: &mut Motion,
    pose: &Pose,
    wrench: &Wrench,
    inertia: &Inertia,
    field: ExternalForces,
    dt: f64,
) {
    motion.velocity += dt / inertia.mass * wrench.force + dt * (field.gravity - field.drag * motion.velocity);
    motion.spin += inertia.spin(pose.orientation, dt * wrench.torque);
}

/// Gravity and drag, which act on all bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExternalForces {
    /// Acceleration \[m/s²\].
    pub(crate) gravity: DVec3,
    /// Share of the velocity that is lost per second \[1/s\].
    pub(crate) drag: f64,
}

impl ExternalForces {
    pub(crate) fn of(world: &World) -> Self {
        Self { gravity: world.gravity, drag: world.drag }
    }
}
