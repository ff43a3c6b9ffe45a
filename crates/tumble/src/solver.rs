//! Which solver moves the bodies, and what both can be asked.

use glam::DVec3;

use crate::granular::{Granular, GranularSolver, Law, StepCount, StepLimit};
use crate::report::SetupProblem;
use crate::rigid::{Rigid, RigidSolver};
use crate::stage::{Stage, Stopwatch};
use crate::statics::{StaticBody, Touching};
use crate::world::{BodyId, End, MaterialId, ShapeId, World, Wrench};

/// How bodies move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// By soft contacts of spheres, in small steps.
    Granular(Granular),
    /// By impulses between solids, in large steps.
    Rigid(Rigid),
}

impl From<Law> for Solver {
    fn from(law: Law) -> Self {
        Self::Granular(Granular::new(law))
    }
}

impl From<Granular> for Solver {
    fn from(granular: Granular) -> Self {
        Self::Granular(granular)
    }
}

impl From<Rigid> for Solver {
    fn from(rigid: Rigid) -> Self {
        Self::Rigid(rigid)
    }
}

/// A solver at work.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    Granular(Box<GranularSolver>),
    Rigid(Box<RigidSolver>),
}

/// A body that touches something: what statics needs of a contact, for both solvers.
///
/// The granular solver gives a contact of two spheres each, the rigid one all points between two
/// convex pieces together.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyContact {
    /// The body.
    pub body: BodyId,
    /// The other side of the contact.
    pub to: End,
    /// From the body to the other, of length one.
    pub normal: DVec3,
    /// Where they touch.
    pub points: Vec<ContactPoint>,
    /// Friction that acts on the body, at the middle of the points \[N\].
    pub friction: DVec3,
    /// Torque on the body, of friction about the normal and of rolling resistance across it
    /// \[N·m\].
    pub torque: DVec3,
}

impl BodyContact {
    /// Force with which the other presses on the body along the normal, over all points \[N\].
    pub fn normal_force(&self) -> f64 {
        self.points.iter().map(|point| point.normal_force).sum()
    }

    /// All of the force on the body \[N\].
    pub fn force(&self) -> DVec3 {
        self.friction - self.normal_force() * self.normal
    }
}

/// A point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Where it is, half way between the two surfaces \[m\].
    pub position: DVec3,
    /// From surface to surface; negative where they overlap \[m\].
    pub separation: f64,
    /// Force with which the two push each other apart \[N\].
    pub normal_force: f64,
}

/// Summary of all contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Contacts {
    /// How many push.
    pub(crate) count: u64,
    /// Deepest overlap over the smaller radius \[-\].
    pub(crate) deepest: f64,
    /// The two bodies of the deepest contact; the second is none for an obstacle.
    pub(crate) deepest_between: Option<(BodyId, Option<BodyId>)>,
}

/// The deepest contact since a frame began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DeepestOfFrame {
    /// Overlap over the smaller radius \[-\].
    pub(crate) depth: f64,
    /// The two bodies; the second is none for an obstacle.
    pub(crate) between: Option<(BodyId, Option<BodyId>)>,
}

impl DeepestOfFrame {
    /// Keeps a contact if it is deeper than those before.
    pub(crate) fn see(&mut self, depth: f64, between: Option<(BodyId, Option<BodyId>)>) {
        if depth > self.depth {
            *self = Self { depth, between };
        }
    }
}

impl Engine {
    /// A solver for a world in which bodies of these kinds will move (shape, material, smallest
    /// size), with the longest step that it should take unless `step` \[s\] is asked for.
    pub(crate) fn new(
        solver: Solver,
        world: &World,
        kinds: &[(ShapeId, MaterialId, f64)],
        step: Option<f64>,
    ) -> Result<(Self, f64, Option<StepLimit>), SetupProblem> {
        match solver {
            Solver::Granular(settings) => {
                let (solver, limit) = GranularSolver::new(world, settings, kinds).ok_or(SetupProblem::NothingMoves)?;
                if let Some(step) = step.filter(|&step| step > limit.largest) {
                    return Err(SetupProblem::StepTooLarge { step, limit });
                }
                Ok((Self::Granular(Box::new(solver)), step.unwrap_or(limit.default), Some(limit)))
            }
            Solver::Rigid(settings) => {
                let radii = kinds.iter().map(|&(shape, _, size)| world.radius_of(shape, size));
                let smallest = radii.reduce(f64::min).ok_or(SetupProblem::NothingMoves)?;
                let step = step.unwrap_or_else(|| Rigid::default_step(smallest, world.gravity.length()));
                Ok((Self::Rigid(Box::new(RigidSolver::new(settings))), step, None))
            }
        }
    }

    /// Gets ready for a frame, which then depends on the state alone.
    pub(crate) fn begin_frame(&mut self, world: &mut World, frame: u64, watch: &mut Stopwatch) {
        match self {
            // Row order and neighbour list follow from the state, who sleeps included.
            Self::Granular(solver) => {
                watch.start(Stage::Neighbours);
                solver.begin_frame(world);
            }
            // Row order is part of the state.
            Self::Rigid(solver) => {
                watch.start(Stage::Broad);
                solver.begin_frame(world, frame);
            }
        }
    }

    /// Advances the world by a step of fixed length `dt` \[s\], to `time`.
    pub(crate) fn step(&mut self, world: &mut World, time: f64, dt: f64, watch: &mut Stopwatch) {
        match self {
            Self::Granular(solver) => solver.step(world, time, dt, watch),
            Self::Rigid(solver) => solver.step(world, time, dt, watch),
        }
    }

    /// The granular solver if its steps are as long as their error allows.
    pub(crate) fn adaptive(&mut self) -> Option<&mut GranularSolver> {
        self.granular_mut().filter(|solver| solver.is_adaptive())
    }

    /// The granular solver, if it is one.
    pub(crate) fn granular(&self) -> Option<&GranularSolver> {
        match self {
            Self::Granular(solver) => Some(solver),
            Self::Rigid(_) => None,
        }
    }

    /// The granular solver, if it is one.
    pub(crate) fn granular_mut(&mut self) -> Option<&mut GranularSolver> {
        match self {
            Self::Granular(solver) => Some(solver),
            Self::Rigid(_) => None,
        }
    }

    /// How often the list of who may touch was built.
    pub(crate) fn list_builds(&self) -> u64 {
        match self {
            Self::Granular(solver) => solver.list_builds(),
            Self::Rigid(solver) => solver.steps(),
        }
    }

    /// Looks at all contacts.
    pub(crate) fn look(&self, world: &World) -> Contacts {
        match self {
            Self::Granular(solver) => solver.look(&world.obstacles),
            Self::Rigid(solver) => solver.look(world),
        }
    }

    /// All contacts, with their forces; those of the rigid solver in the last substep of a step of
    /// `step` \[s\].
    pub(crate) fn contacts(&self, world: &World, step: f64) -> Vec<BodyContact> {
        match self {
            Self::Granular(solver) => solver.contacts(world),
            Self::Rigid(solver) => solver.body_contacts(world, step).collect(),
        }
    }

    /// Fills in all bodies and the points where they touch, with forces as in `contacts`.
    pub(crate) fn fill_touching(&self, world: &World, step: f64, touching: &mut Touching) {
        touching.begin(world.gravity);
        for row in world.bodies.rows_by_id() {
            touching.add_body(StaticBody {
                id: world.bodies.traits[row].id,
                centre: world.bodies.pose[row].position,
                mass: world.bodies.inertia[row].mass,
                radius: world.radius(row),
                load: Wrench::default(),
                is_fixed: false,
            });
        }
        match self {
            Self::Granular(solver) => solver.fill_touching(world, touching),
            Self::Rigid(solver) => solver.fill_touching(world, step, touching),
        }
        touching.finish();
    }

    /// The deepest contact of any step since the frame began.
    pub(crate) fn deepest_of_frame(&self) -> DeepestOfFrame {
        match self {
            Self::Granular(solver) => solver.deepest,
            Self::Rigid(solver) => solver.deepest,
        }
    }

    /// Bodies that something pushes on, some several times; not all of the sleepers.
    pub(crate) fn touched(&self, world: &World) -> Vec<BodyId> {
        match self {
            Self::Granular(solver) => solver.contacts_of_bodies(&world.obstacles).map(|(id, _)| id).collect(),
            Self::Rigid(solver) => solver.touched(world).collect(),
        }
    }

    /// How many contacts push on bodies; one may come several times.
    pub(crate) fn contacts_of_bodies(&self, world: &World) -> Vec<(BodyId, u32)> {
        match self {
            Self::Granular(solver) => solver.contacts_of_bodies(&world.obstacles).collect(),
            Self::Rigid(solver) => solver.contacts_of_bodies(world).collect(),
        }
    }

    /// Steps from one time to another by an adaptive solver.
    pub(crate) fn adaptive_steps(&mut self, world: &mut World, from: f64, to: f64, watch: &mut Stopwatch) -> StepCount {
        self.adaptive().map_or(StepCount::NONE, |solver| solver.steps(world, from, to, watch))
    }
}
