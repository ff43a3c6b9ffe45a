//! Queries and changes between two frames: bodies by their ids, contacts, joints.
//!
//! Poses are those of what a shape was made from, such as a mesh, with its origin and axes; motions
//! are those of the centre of mass: see [`Shape::placed`](crate::world::Shape::placed).

use glam::DVec3;

use crate::contact::BodyContact;
use crate::direct::Stagehand;
use crate::simulation::Simulation;
use crate::statics::Touching;
use crate::world::{BodyId, Joint, JointId, JointProblem, Motion, NewBody, NewJoint, Pose, WorldProblem};

impl Simulation {
    /// Adds a body: see [`World::add`](crate::world::World::add).
    pub fn add(&mut self, new: NewBody) -> Result<BodyId, WorldProblem> {
        self.world.add(new)
    }

    /// Removes a body, and wakes what may have lain on it.
    pub fn remove(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        let gone = self.world.bodies.row(id).ok_or(WorldProblem::NoBody(id))?;
        let gone: Vec<bool> = (0..self.world.bodies.len()).map(|row| row == gone).collect();
        self.take_out(&gone);
        Ok(())
    }

    /// Where the mesh of a body is, or whatever else its shape was made from: its origin and axes.
    pub fn pose(&self, id: BodyId) -> Result<Pose, WorldProblem> {
        self.world.pose(id)
    }

    /// How the centre of mass of a body moves, and how the body turns.
    pub fn motion(&self, id: BodyId) -> Result<Motion, WorldProblem> {
        self.world.motion(id)
    }

    /// Sets how a body moves, and wakes it.
    pub fn set_motion(&mut self, id: BodyId, motion: Motion) -> Result<(), WorldProblem> {
        self.world.set_motion(id, motion)
    }

    /// Hits a body with an impulse \[N·s\] at a point of the world \[m\], and wakes it.
    pub fn apply_impulse(&mut self, id: BodyId, impulse: DVec3, at: DVec3) -> Result<(), WorldProblem> {
        self.world.apply_impulse(id, impulse, at)
    }

    /// Puts a body to sleep: see [`World::sleep`](crate::world::World::sleep).
    pub fn sleep(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.world.sleep(id)
    }

    /// Wakes a body.
    pub fn wake(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.world.wake(id)
    }

    /// The director's door, between two frames: what the pile director sees and does is open to a
    /// director of one's own.
    pub fn stagehand(&mut self) -> Stagehand<'_> {
        let (step, frame) = (self.step_length(), self.frame_length());
        Stagehand::new(&mut self.world, &self.solver, step, frame)
    }

    /// All contacts where bodies are now, with their forces: of the granular solver those that its
    /// law gives, of the rigid one those of the last substep.
    pub fn contacts(&self) -> Vec<BodyContact> {
        self.solver.contacts(&self.world, self.step_length())
    }

    /// Fills in all bodies and the points where they touch, as statics reads them; buffers are
    /// reused.
    pub fn fill_touching(&self, touching: &mut Touching) {
        self.solver.fill_touching(&self.world, self.step_length(), touching);
    }

    /// Joins two things: see [`World::join`](crate::world::World::join).
    pub fn join(&mut self, what: NewJoint, at: Pose) -> Result<JointId, JointProblem> {
        self.solver.check_joints()?;
        self.world.join(what, at)
    }

    /// Removes all joints for which `gone` holds, and wakes what they held; gives how many.
    pub fn remove_joints(&mut self, gone: impl FnMut(&Joint) -> bool) -> usize {
        self.world.remove_joints(gone)
    }
}
