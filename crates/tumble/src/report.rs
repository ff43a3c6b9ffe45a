//! Reports of a simulation: why it cannot start, a frame in numbers, and warnings.
//!
//! A step cannot fail. Problems during a run are warnings that name the body and the setting to
//! change.

use std::fmt;

use glam::DVec3;

use crate::granular::{StepCount, StepLimit};
use crate::measure::{self, NotFinite};
use crate::world::{BodyId, JointProblem, Motion, World, WorldProblem};

/// Why a simulation cannot start.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupProblem {
    /// There is no body and no emitter.
    NothingMoves,
    /// The step is too large for the stiffness.
    StepTooLarge {
        /// The step that was asked for \[s\].
        step: f64,
        /// The possible steps.
        limit: StepLimit,
    },
    /// The stiffness asks for more steps in a frame than anyone can wait for.
    TooManySteps {
        /// Steps in a frame.
        steps: f64,
        /// The possible steps, if the stiffness decides.
        limit: Option<StepLimit>,
    },
    /// An emitter cannot place its bodies.
    NoRoom {
        /// The emitter.
        emitter: String,
        /// How many it should make.
        wanted: u64,
        /// How many have room.
        fit: u64,
    },
    /// A joint cannot be.
    Joint(JointProblem),
    /// Something in the world cannot be as it is, or a setting.
    World(WorldProblem),
}

impl From<WorldProblem> for SetupProblem {
    fn from(problem: WorldProblem) -> Self {
        Self::World(problem)
    }
}

impl fmt::Display for SetupProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingMoves => write!(f, "there is nothing to simulate: no body and no emitter"),
            Self::StepTooLarge { step, limit } => write!(
                f,
                "a step of {step:e} s is too large for the stiffness of {} on {}: at most {:.3e} s is stable, {:.3e} s is the default",
                limit.between[0], limit.between[1], limit.largest, limit.default
            ),
            Self::TooManySteps { steps, limit: Some(limit) } => write!(
                f,
                "a frame would take {steps:.1e} steps: {} on {} needs steps of {:.3e} s",
                limit.between[0], limit.between[1], limit.default
            ),
            Self::TooManySteps { steps, limit: None } => write!(f, "a frame would take {steps:.1e} steps"),
            Self::NoRoom { emitter, wanted, fit } => {
                write!(f, "{emitter} cannot place {wanted} bodies: room without overlapping was found for {fit}")
            }
            Self::Joint(problem) => write!(f, "{problem}"),
            Self::World(problem) => write!(f, "{problem}"),
        }
    }
}

impl std::error::Error for SetupProblem {}

/// Something that should not happen, in one frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// A body was outside the bounds and was removed.
    LeftTheWorld {
        /// The body.
        body: BodyId,
        /// Where it was.
        position: DVec3,
    },
    /// A contact is too deep for the force law to mean anything.
    DeepOverlap {
        /// The body.
        body: BodyId,
        /// The other body; none for an obstacle.
        other: Option<BodyId>,
        /// Overlap over the smaller radius \[-\].
        depth: f64,
    },
    /// A body moves so far in a step that it could pass through another.
    TooFast {
        /// The body.
        body: BodyId,
        /// Its speed \[m/s\].
        speed: f64,
    },
    /// An obstacle moves so far in a step that it can pass through bodies.
    ObstacleTooFast {
        /// Its name.
        obstacle: String,
        /// How fast its surface moves \[m/s\].
        speed: f64,
        /// The smallest diameter of a body \[m\].
        diameter: f64,
    },
    /// Many steps of the smallest length had too large an error.
    StepAtSmallest {
        /// How many in the frame.
        steps: u64,
        /// Of how many.
        of: u64,
    },
    /// A director asked for what cannot be.
    Director(WorldProblem),
    /// Something of a body is not a finite number; the run cannot go on.
    NotFinite {
        /// The body.
        body: BodyId,
        /// The quantity that is not finite.
        what: NotFinite,
    },
}

impl Warning {
    /// A name for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::LeftTheWorld { .. } => "left_the_world",
            Self::DeepOverlap { .. } => "deep_overlap",
            Self::TooFast { .. } => "too_fast",
            Self::ObstacleTooFast { .. } => "obstacle_too_fast",
            Self::StepAtSmallest { .. } => "step_at_smallest",
            Self::NotFinite { .. } => "not_finite",
            Self::Director(_) => "director",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftTheWorld { body, position } => write!(
                f,
                "body {} left the world at ({:.4}, {:.4}, {:.4}) and was removed; enlarge `bounds` to keep it",
                body.number(),
                position.x,
                position.y,
                position.z
            ),
            Self::DeepOverlap { body, other, depth } => {
                let other = other.map_or("an obstacle".to_string(), |other| format!("body {}", other.number()));
                write!(
                    f,
                    "body {} overlaps {other} by {:.0} % of its radius; raise `youngs_modulus` or `stiffness`, or `substeps` of the rigid solver",
                    body.number(),
                    100.0 * depth
                )
            }
            Self::TooFast { body, speed } => write!(
                f,
                "body {} moves at {speed:.3} m/s, over a tenth of its radius in a step; set a smaller `step`",
                body.number()
            ),
            Self::ObstacleTooFast { obstacle, speed, diameter } => write!(
                f,
                "obstacle `{obstacle}` moves at {speed:.3} m/s, in a step over more than the diameter of the smallest body, {diameter:.3e} m, and can pass through it; set a smaller `step` or move it more slowly"
            ),
            Self::StepAtSmallest { steps, of } => write!(
                f,
                "{steps} of {of} steps were as short as `smallest_step` allows and still not exact enough; lower it, or raise `tolerance`"
            ),
            Self::Director(problem) => write!(f, "a director asked for what cannot be: {problem}"),
            Self::NotFinite { body, what } => write!(
                f,
                "body {} has no finite {what} any more; set a smaller `step`, or lower speeds, spins and `drag`",
                body.number()
            ),
        }
    }
}

/// A frame in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameReport {
    /// Frame number.
    pub frame: i64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps taken for it.
    pub steps: u64,
    /// Steps rejected because their error was too large.
    pub rejected_steps: u64,
    /// Shortest step taken for it \[s\].
    pub smallest_step: f64,
    /// Longest step taken for it \[s\].
    pub largest_step: f64,
    /// How often the neighbour list was built for it.
    pub list_builds: u64,
    /// Bodies there are.
    pub bodies: u64,
    /// Bodies that are not asleep.
    pub awake: u64,
    /// Contacts that push.
    pub contacts: u64,
    /// Joints that hold.
    pub joints: u64,
    /// Bodies that are due and wait for room.
    pub waiting: u64,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Energy in the field of gravity \[J\].
    pub potential_energy: f64,
    /// Deepest overlap over the smaller radius, in any step since the frame before \[-\].
    pub deepest_overlap: f64,
    /// Whether everything has come to rest.
    pub settled: bool,
    /// Warnings of this frame.
    pub warnings: Vec<Warning>,
}

impl FrameReport {
    /// Overlap over radius beyond which the law is not to be believed.
    const DEEP: f64 = 0.1;

    /// Displacement per step over radius beyond which collisions can be missed.
    const FAST: f64 = 0.1;

    /// More than this share of steps at the smallest length is worth a warning.
    const OFTEN: f64 = 0.1;

    pub(crate) fn count_steps(&mut self, count: &StepCount) {
        self.steps = count.taken;
        self.rejected_steps = count.rejected;
        (self.smallest_step, self.largest_step) = (count.shortest.min(count.longest), count.longest);
        if count.at_smallest as f64 > Self::OFTEN * count.taken as f64 {
            self.warnings.push(Warning::StepAtSmallest { steps: count.at_smallest, of: count.taken });
        }
    }

    pub(crate) fn warn_of_overlap(&mut self, between: Option<(BodyId, Option<BodyId>)>) {
        if let Some((body, other)) = between.filter(|_| self.deepest_overlap > Self::DEEP) {
            self.warnings.push(Warning::DeepOverlap { body, other, depth: self.deepest_overlap });
        }
    }

    /// Warns of bodies that are nowhere, and of those that are too fast for soft contacts in steps
    /// of this length \[s\].
    pub(crate) fn warn_of_motion(&mut self, world: &World, step: Option<f64>) {
        let bodies = &world.bodies;
        // Only the fastest is named: when the step is too coarse, it is too coarse for many.
        let mut fastest: Option<(f64, Warning)> = None;
        for row in bodies.rows_by_id() {
            let (traits, motion) = (&bodies.traits[row], &bodies.motion[row]);
            let (body, speed) = (traits.id, motion.velocity.length());
            if let Some(what) = measure::not_finite(world, row) {
                self.warnings.push(Warning::NotFinite { body, what });
            }
            let way = speed * step.unwrap_or(0.0) / world.radius(row);
            if way > fastest.as_ref().map_or(Self::FAST, |(way, _)| *way) {
                fastest = Some((way, Warning::TooFast { body, speed }));
            }
        }
        self.warnings.extend(fastest.map(|(_, warning)| warning));
    }

    /// Warns of obstacles that pass through bodies in steps of this length, where they were among
    /// them in this frame \[s\].
    pub(crate) fn warn_of_obstacles(&mut self, world: &World, step: f64, frame: f64) {
        let (mut low, mut high, mut diameter) = (DVec3::INFINITY, DVec3::NEG_INFINITY, f64::INFINITY);
        for (row, pose) in world.bodies.pose.iter().enumerate() {
            let radius = world.radius(row);
            (low, high) = (low.min(pose.position - radius), high.max(pose.position + radius));
            diameter = diameter.min(2.0 * radius);
        }
        for obstacle in world.obstacles.iter().filter(|obstacle| obstacle.motion != Motion::default()) {
            let (reach, velocity) = (obstacle.surface.reach(), obstacle.motion.velocity);
            let around = if reach.is_finite() { reach * obstacle.motion.spin.length() } else { 0.0 };
            let speed = velocity.length() + around;
            let (now, before) = (obstacle.pose.position, obstacle.pose.position - frame * velocity);
            let was_there = (now.min(before) - reach).cmple(high).all() && (now.max(before) + reach).cmpge(low).all();
            if speed * step > diameter && was_there {
                self.warnings.push(Warning::ObstacleTooFast { obstacle: obstacle.name.clone(), speed, diameter });
            }
        }
    }
}
