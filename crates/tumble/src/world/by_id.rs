//! Bodies by their ids: where they are and how they move, and what changes that between two steps.
//!
//! Poses are those of what the shape was made from, such as a mesh, with its origin and axes;
//! motions are those of the centre of mass. [`Shape::placed`](super::Shape::placed) is where the
//! two meet.

use glam::DVec3;

use super::{BodyId, Grip, Motion, Pose, Rest, Shape, Traits, World, WorldProblem, check};

impl World {
    /// The row of a body.
    fn row(&self, id: BodyId) -> Result<usize, WorldProblem> {
        self.bodies.row(id).ok_or(WorldProblem::NoBody(id))
    }

    fn known(&self, id: BodyId) -> Result<(usize, &Traits, &Shape), WorldProblem> {
        let row = self.row(id)?;
        let traits = &self.bodies.traits[row];
        Ok((row, traits, self.shape(traits.shape)?))
    }

    /// Where the mesh of a body is, or whatever else its shape was made from: its origin and axes.
    pub fn pose(&self, id: BodyId) -> Result<Pose, WorldProblem> {
        let (row, traits, shape) = self.known(id)?;
        Ok(shape.standing(self.bodies.pose[row], traits.size))
    }

    /// Where the centre of mass of a body is \[m\].
    pub fn centre(&self, id: BodyId) -> Result<DVec3, WorldProblem> {
        Ok(self.bodies.pose[self.row(id)?].position)
    }

    /// How the centre of mass of a body moves, and how the body turns.
    pub fn motion(&self, id: BodyId) -> Result<Motion, WorldProblem> {
        Ok(self.bodies.motion[self.row(id)?])
    }

    /// Mass of a body \[kg\].
    pub fn mass(&self, id: BodyId) -> Result<f64, WorldProblem> {
        Ok(self.bodies.inertia[self.row(id)?].mass)
    }

    /// Whether a body is asleep, and who keeps it so.
    pub fn rest(&self, id: BodyId) -> Result<Rest, WorldProblem> {
        Ok(self.bodies.rest[self.row(id)?])
    }

    /// Sets how a body moves, and wakes it if it sleeps.
    pub fn set_motion(&mut self, id: BodyId, motion: Motion) -> Result<(), WorldProblem> {
        let row = self.row(id)?;
        let of = || format!("body {}", id.number());
        check::must(check::is_motion(&motion), of, "its velocity and spin must be finite")?;
        self.bodies.motion[row] = motion;
        if self.bodies.rest[row].asleep {
            self.bodies.rest[row] = Rest::default();
        }
        Ok(())
    }

    /// Hits a body with an impulse \[N·s\] at a point of the world \[m\], and wakes it.
    pub fn apply_impulse(&mut self, id: BodyId, impulse: DVec3, at: DVec3) -> Result<(), WorldProblem> {
        let row = self.row(id)?;
        let (inertia, pose) = (&self.bodies.inertia[row], &self.bodies.pose[row]);
        let torque = (at - pose.position).cross(impulse);
        let Motion { velocity, spin } = self.bodies.motion[row];
        let motion =
            Motion { velocity: velocity + impulse / inertia.mass, spin: spin + inertia.spin(pose.orientation, torque) };
        self.set_motion(id, motion)
    }

    /// Puts a body to sleep. It does not move until something hits it, what supports it goes, an
    /// obstacle that touches it moves, or it is woken.
    pub fn sleep(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.lay(id, Rest { asleep: true, ..Rest::default() })
    }

    /// Puts a body to sleep by itself: a hit on it, the loss of what bears it or [`World::wake`]
    /// wakes it, and not a hit on its neighbours.
    pub fn hold(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.lay(id, Rest::HELD)
    }

    fn lay(&mut self, id: BodyId, rest: Rest) -> Result<(), WorldProblem> {
        let row = self.row(id)?;
        self.bodies.rest[row] = rest;
        self.bodies.motion[row] = Motion::default();
        Ok(())
    }

    /// Sets how firmly a body grips what it touches.
    pub fn set_grip(&mut self, id: BodyId, grip: Grip) -> Result<(), WorldProblem> {
        let row = self.row(id)?;
        self.bodies.grip[row] = grip;
        Ok(())
    }

    /// Wakes a body.
    pub fn wake(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        let row = self.row(id)?;
        self.bodies.rest[row] = Rest::default();
        Ok(())
    }
}
