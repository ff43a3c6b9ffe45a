//! The seam between the two solvers: which one moves the bodies, and everything that differs
//! between them. No other file of the engine asks which solver it is; a tidy test holds that.

use crate::contact::{BodyContact, Contacts, DeepestOfFrame};
use crate::frame::Method;
use crate::granular::{Granular, GranularSolver, Law, SavedGranular, StepCount, StepLimit, TriedStep};
use crate::report::SetupProblem;
use crate::rigid::{Rigid, RigidMemory, RigidSolver, SavedRigid};
use crate::stage::{Stage, Stopwatch};
use crate::state::{NotAState, StateIo};
use crate::statics::{StaticBody, Touching};
use crate::world::{Bodies, BodyId, JointProblem, MaterialId, ShapeId, World, WorldProblem, Wrench};

/// Grains bear each other if at least this part of the normal points up.
const BEARING_SLOPE: f64 = 0.2;

/// Solids bear a body if their contacts push it up with at least this part of its weight.
const BEARING_PART: f64 = 0.05;

/// How bodies move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    /// By soft contacts of spheres, in small steps.
    Granular(Granular),
    /// By impulses between solids, in large steps.
    Rigid(Rigid),
}

/// The two solvers, without their settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverKind {
    /// Soft contacts of spheres.
    Granular,
    /// Impulses between solids.
    Rigid,
}

impl SolverKind {
    /// The geometries by which bodies touch in it.
    pub fn needs(self) -> ShapeNeeds {
        match self {
            Self::Granular => ShapeNeeds { spheres: true, parts: false },
            Self::Rigid => ShapeNeeds { spheres: false, parts: true },
        }
    }

    /// Whether it keeps joints.
    pub fn has_joints(self) -> bool {
        self == Self::Rigid
    }
}

/// Geometries of shapes that solvers touch by. A shape is made with those that are needed, and may
/// have both: then each solver takes its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShapeNeeds {
    /// Spheres: a solid is covered with them.
    pub spheres: bool,
    /// Convex parts: a mesh is split into them. A clump needs none, its spheres are convex.
    pub parts: bool,
}

impl Solver {
    /// Which solver it is.
    pub fn kind(&self) -> SolverKind {
        match self {
            Self::Granular(_) => SolverKind::Granular,
            Self::Rigid(_) => SolverKind::Rigid,
        }
    }

    /// Substeps of a step.
    pub fn substeps(&self) -> u32 {
        match self {
            Self::Granular(_) => 1,
            Self::Rigid(rigid) => rigid.substeps,
        }
    }

    /// Reports the first setting with which no step could be computed, in a world in which bodies
    /// of these shapes will move.
    pub(crate) fn check(
        &self,
        world: &World,
        shapes: impl Iterator<Item = ShapeId>,
        fps: f64,
    ) -> Result<(), WorldProblem> {
        match self {
            Self::Granular(granular) => granular.check(world, shapes, fps),
            Self::Rigid(rigid) => rigid.check(),
        }
    }
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

impl Engine {
    /// A solver for a world in which bodies of these kinds will move (shape, material, smallest
    /// size), with the longest step that it should take unless `step` \[s\] is asked for.
    pub(crate) fn new(
        solver: Solver,
        world: &World,
        kinds: &[(ShapeId, MaterialId, f64)],
        step: Option<f64>,
    ) -> Result<(Self, f64, Option<StepLimit>), SetupProblem> {
        if !solver.kind().has_joints() && !world.joints.is_empty() {
            return Err(SetupProblem::Joint(JointProblem::NeedsRigid));
        }
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

    fn kind(&self) -> SolverKind {
        match self {
            Self::Granular(_) => SolverKind::Granular,
            Self::Rigid(_) => SolverKind::Rigid,
        }
    }

    /// The method of all bodies, as frames show it.
    pub(crate) fn method(&self) -> Method {
        match self {
            Self::Granular(_) => Method::Granular,
            Self::Rigid(_) => Method::Impulse,
        }
    }

    /// Refuses joints if the solver has none.
    pub(crate) fn check_joints(&self) -> Result<(), JointProblem> {
        if self.kind().has_joints() { Ok(()) } else { Err(JointProblem::NeedsRigid) }
    }

    /// Whether fast things may pass through each other within a step: the rigid solver looks ahead
    /// along their way.
    pub(crate) fn can_pass_through(&self) -> bool {
        self.kind() == SolverKind::Granular
    }

    /// Tells how long steps are \[s\], or would be if an adaptive integrator did not choose them.
    pub(crate) fn set_step(&mut self, step: f64) {
        match self {
            Self::Granular(solver) => solver.choose_skin(step),
            Self::Rigid(_) => {}
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

    /// Whether steps are as long as their error allows.
    pub(crate) fn is_adaptive(&self) -> bool {
        match self {
            Self::Granular(solver) => solver.is_adaptive(),
            Self::Rigid(_) => false,
        }
    }

    /// Steps from one time to another, each as long as its error allows.
    pub(crate) fn adaptive_steps(&mut self, world: &mut World, from: f64, to: f64, watch: &mut Stopwatch) -> StepCount {
        match self {
            Self::Granular(solver) if solver.is_adaptive() => solver.steps(world, from, to, watch),
            Self::Granular(_) | Self::Rigid(_) => StepCount::NONE,
        }
    }

    /// The steps that an adaptive integrator tried since this was last asked; none of others.
    pub(crate) fn take_tried_steps(&mut self) -> Vec<TriedStep> {
        match self {
            Self::Granular(solver) => solver.take_tried_steps(),
            Self::Rigid(_) => Vec::new(),
        }
    }

    /// Computes the forces on all bodies where they are now, as in a step of this length \[s\]
    /// unless it is chosen; false if there are none, because velocities jump.
    pub(crate) fn look_at_forces(&self, world: &mut World, step: f64) -> bool {
        match self {
            Self::Granular(solver) => {
                solver.look_at_forces(world, if solver.is_adaptive() { solver.next_step() } else { step });
                true
            }
            Self::Rigid(_) => false,
        }
    }

    /// Wakes what may have lain on bodies that are removed. The rigid solver finds it by the
    /// contacts that end.
    pub(crate) fn wake_around(&self, world: &mut World, gone: &[bool]) {
        match self {
            Self::Granular(solver) => solver.wake_around(world, gone),
            Self::Rigid(_) => {}
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

    /// Pairs of a body and what bears it, none for obstacles, sorted; `step` is that of the solver
    /// \[s\].
    pub(crate) fn bearings(&self, world: &World, step: f64) -> Vec<(BodyId, Option<BodyId>)> {
        let mut bearings = match self {
            Self::Granular(solver) => solver.bearings(world, BEARING_SLOPE),
            Self::Rigid(solver) => solver.bearings(world, step, BEARING_PART),
        };
        bearings.sort_unstable();
        bearings.dedup();
        bearings
    }

    /// How many contacts push on bodies; one may come several times.
    pub(crate) fn contacts_of_bodies(&self, world: &World) -> Vec<(BodyId, u32)> {
        match self {
            Self::Granular(solver) => solver.contacts_of_bodies(&world.obstacles).collect(),
            Self::Rigid(solver) => solver.contacts_of_bodies(world).collect(),
        }
    }

    /// The solver's own state, for writing, hashing and reading.
    pub(crate) fn state<Io: StateIo>(&self, world: &World, io: &mut Io) -> Result<SavedMemory, Io::Problem> {
        Ok(match self {
            Self::Granular(solver) => SavedMemory::Granular(solver.state(world, io)?),
            Self::Rigid(solver) => SavedMemory::Rigid(solver.state(world, io)?),
        })
    }

    /// Restores a state that was read for this solver, in a world whose bodies are in the order of
    /// ids.
    pub(crate) fn load(&mut self, world: &mut World, memory: SolverMemory) {
        match (self, memory) {
            (Self::Granular(solver), SolverMemory::Granular(memory)) => solver.load(world, &memory),
            (Self::Rigid(solver), SolverMemory::Rigid(memory)) => solver.load(world, memory),
            _ => unreachable!("the memory was read for this solver"),
        }
    }
}

/// The memory of a solver, as it was saved.
pub(crate) enum SavedMemory {
    Granular(SavedGranular),
    Rigid(SavedRigid),
}

/// The same, checked.
pub(crate) enum SolverMemory {
    Granular(SavedGranular),
    Rigid(RigidMemory),
}

impl SavedMemory {
    /// Checks the memory against bodies in the order of ids and this many obstacles.
    pub(crate) fn in_rows(self, bodies: &Bodies, obstacles: usize) -> Result<SolverMemory, NotAState> {
        Ok(match self {
            Self::Granular(memory) => SolverMemory::Granular(memory),
            Self::Rigid(memory) => SolverMemory::Rigid(memory.in_rows(bodies, obstacles)?),
        })
    }
}
