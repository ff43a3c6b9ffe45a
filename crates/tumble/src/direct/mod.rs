//! Directors: what makes piles look as asked.
//!
//! A director acts once per frame, after the solver's steps, through one door, the [`Stagehand`]:
//! it reads where bodies are, how they move and what pushes on them; it puts bodies to sleep and
//! wakes them, changes how they move, and adds and removes constraints, all by id. It never moves a
//! body itself. A director has a folder of its own, with what it remembers: it directs, saves,
//! loads and shows. `Director` is the list of them. One of the caller's own works between two
//! frames, through the same door: [`Simulation::stagehand`](crate::Simulation::stagehand).
//!
//! ```
//! use tumble::prelude::*;
//!
//! let mut world = World::ground();
//! let ball = world.add_shape(Shape::ball("ball", 0.05)?);
//! let ball = world.add(NewBody::new(ball, MaterialId(0), DVec3::new(0.0, 0.0, 1.0)))?;
//! let mut simulation = Simulation::new(Setup::new(world, Rigid::DEFAULT))?;
//! simulation.advance();
//! // Nothing that falls faster than a metre per second.
//! let mut stage = simulation.stagehand();
//! let velocity = stage.motion(ball)?.velocity.clamp_length_max(1.0);
//! stage.set_motion(ball, Motion { velocity, ..Motion::default() })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod pile;
mod stagehand;

pub use stagehand::{SeenBody, Stagehand};

use crate::frame::Frame;
use crate::state::{NotAState, StateIo};
use crate::world::{Bodies, WorldProblem};
use pile::{Pile, Piles, PilesState};

/// A director at work.
#[derive(Clone, Debug)]
pub(crate) enum Director {
    /// Piles by their angle of repose.
    Pile(Piles),
}

/// The memory of a director, as it was saved.
pub(crate) enum DirectorState {
    Pile(PilesState),
}

impl Director {
    /// Directs bodies after a frame.
    pub(crate) fn direct(&mut self, stage: &mut Stagehand<'_>) -> Result<(), WorldProblem> {
        match self {
            Self::Pile(piles) => piles.direct(stage),
        }
    }

    /// Its memory, for writing, hashing and reading.
    pub(crate) fn state<Io: StateIo>(&self, io: &mut Io) -> Result<DirectorState, Io::Problem> {
        match self {
            Self::Pile(piles) => piles.state(io).map(DirectorState::Pile),
        }
    }

    /// Refuses what it cannot remember.
    pub(crate) fn check(&self, saved: &DirectorState) -> Result<(), NotAState> {
        match (self, saved) {
            (Self::Pile(piles), DirectorState::Pile(saved)) => piles.check(saved),
        }
    }

    /// Takes over what was saved.
    pub(crate) fn load(&mut self, saved: DirectorState) {
        match (self, saved) {
            (Self::Pile(piles), DirectorState::Pile(saved)) => piles.load(saved),
        }
    }

    /// Gives bodies what it remembers of them, after their state was loaded.
    pub(crate) fn restore(&self, bodies: &mut Bodies) {
        match self {
            Self::Pile(piles) => piles.restore(bodies),
        }
    }

    /// Shows what it decided.
    pub(crate) fn show(&self, frame: &mut Frame) {
        match self {
            Self::Pile(piles) => piles.show(frame),
        }
    }

    /// Whether it has nothing left to do until something moves.
    pub(crate) fn is_done(&self) -> bool {
        match self {
            Self::Pile(piles) => piles.are_done(),
        }
    }

    /// The piles that it directs.
    pub(crate) fn piles(&self) -> &[Pile] {
        match self {
            Self::Pile(piles) => piles.piles(),
        }
    }
}
