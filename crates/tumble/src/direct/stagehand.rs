//! The director's door: all that a director may see and do, by id.
//!
//! Open once per frame, after the solver's steps, and between two frames to anybody: see
//! [`Simulation::stagehand`](crate::Simulation::stagehand). A director never moves a body itself.

use glam::DVec3;

use crate::contact::BodyContact;
use crate::solver::Engine;
use crate::statics::Touching;
use crate::world::{BodyId, Grip, Joint, JointId, JointProblem, Motion, NewJoint, Obstacle, Pose, Rest};
use crate::world::{ShapeId, World, WorldProblem};

/// Shows a director the stage, and moves things for it.
#[derive(Debug)]
pub struct Stagehand<'a> {
    world: &'a mut World,
    solver: &'a Engine,
    step: f64,
    frame: f64,
}

/// A body as a director sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenBody {
    /// Its name.
    pub id: BodyId,
    /// Its shape.
    pub shape: ShapeId,
    /// Where its centre of mass is \[m\].
    pub centre: DVec3,
    /// How that moves, and how the body turns.
    pub motion: Motion,
    /// Whether it is asleep, and whether a director holds it so.
    pub rest: Rest,
    /// Mass \[kg\].
    pub mass: f64,
    /// Radius of the sphere about its centre of mass that holds it \[m\].
    pub radius: f64,
    /// About how far apart such bodies lie in a heap \[m\].
    pub diameter: f64,
}

impl<'a> Stagehand<'a> {
    /// For a solver with steps of length `step` \[s\] and frames of length `frame` \[s\].
    pub(crate) fn new(world: &'a mut World, solver: &'a Engine, step: f64, frame: f64) -> Self {
        Self { world, solver, step, frame }
    }

    /// Time from one frame to the next \[s\].
    pub fn frame_length(&self) -> f64 {
        self.frame
    }

    /// Gravity \[m/s²\].
    pub fn gravity(&self) -> DVec3 {
        self.world.gravity
    }

    /// Obstacles.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.world.obstacles
    }

    /// More than the index of any id that there is.
    pub fn slots(&self) -> usize {
        self.world.bodies.ids.slots()
    }

    /// All bodies, in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = SeenBody> {
        self.world.bodies.rows_by_id().map(|row| self.see(row))
    }

    /// A body.
    pub fn body(&self, id: BodyId) -> Result<SeenBody, WorldProblem> {
        self.world.bodies.row(id).map(|row| self.see(row)).ok_or(WorldProblem::NoBody(id))
    }

    fn see(&self, row: usize) -> SeenBody {
        let bodies = &self.world.bodies;
        SeenBody {
            id: bodies.traits[row].id,
            shape: bodies.traits[row].shape,
            centre: bodies.pose[row].position,
            motion: bodies.motion[row],
            rest: bodies.rest[row],
            mass: bodies.inertia[row].mass,
            radius: self.world.radius(row),
            diameter: self.world.diameter(row),
        }
    }

    /// Where the mesh of a body is: its origin and axes.
    pub fn pose(&self, id: BodyId) -> Result<Pose, WorldProblem> {
        self.world.pose(id)
    }

    /// How the centre of mass of a body moves, and how the body turns.
    pub fn motion(&self, id: BodyId) -> Result<Motion, WorldProblem> {
        self.world.motion(id)
    }

    /// All contacts, with points, normals and forces.
    pub fn contacts(&self) -> Vec<BodyContact> {
        self.solver.contacts(self.world, self.step)
    }

    /// Fills in all bodies and the points where they touch, as statics reads them; buffers are
    /// reused.
    pub fn fill_touching(&self, touching: &mut Touching) {
        self.solver.fill_touching(self.world, self.step, touching);
    }

    /// Bodies that something pushes on, in the order of their ids; sleepers may be left out.
    pub fn touched(&self) -> Vec<BodyId> {
        let mut touched = self.solver.touched(self.world);
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Pairs of a body and what bears it, none for obstacles, sorted by the ids of both. Solids
    /// bear if the sum of their contact forces on a body points up, with more than a twentieth of
    /// its weight; grains, if the normal points up.
    pub fn bearings(&self) -> Vec<(BodyId, Option<BodyId>)> {
        self.solver.bearings(self.world, self.step)
    }

    /// Sets how a body moves, and wakes it if it sleeps.
    pub fn set_motion(&mut self, id: BodyId, motion: Motion) -> Result<(), WorldProblem> {
        self.world.set_motion(id, motion)
    }

    /// Puts a body to sleep, until something hits it or takes away what bears it.
    pub fn sleep(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.world.sleep(id)
    }

    /// Puts a body to sleep by itself: hits on its neighbours do not wake it.
    pub fn hold(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.world.hold(id)
    }

    /// Sets how firmly a body grips what it touches.
    pub fn set_grip(&mut self, id: BodyId, grip: Grip) -> Result<(), WorldProblem> {
        self.world.set_grip(id, grip)
    }

    /// Wakes a body.
    pub fn wake(&mut self, id: BodyId) -> Result<(), WorldProblem> {
        self.world.wake(id)
    }

    /// Constraints that there are.
    pub fn constraints(&self) -> impl Iterator<Item = &Joint> {
        self.world.joints.iter()
    }

    /// Holds a body to another, to an obstacle or to a place: see [`World::join`].
    pub fn add_constraint(&mut self, what: NewJoint, at: Pose) -> Result<JointId, JointProblem> {
        self.solver.check_joints()?;
        self.world.join(what, at)
    }

    /// Takes a constraint away, and wakes what it held.
    pub fn remove_constraint(&mut self, id: JointId) -> Result<(), JointProblem> {
        match self.world.remove_joints(|joint| joint.id == id) {
            0 => Err(JointProblem::NoJoint(id)),
            _ => Ok(()),
        }
    }
}
