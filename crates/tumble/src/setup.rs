//! The start of a simulation, and checks that it can run.

use glam::DVec3;

use crate::direct::pile::PileSettings;
use crate::emit::Emitter;
use crate::report::SetupProblem;
use crate::solver::Solver;
use crate::world::check::{self, must};
use crate::world::{MaterialId, ShapeId, World};

/// Everything a simulation starts from.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The world at the beginning.
    pub world: World,
    /// Emitters of more bodies.
    pub emitters: Vec<Emitter>,
    /// How bodies move.
    pub solver: Solver,
    /// Piles that are directed.
    pub piles: Vec<PileSettings>,
    /// Length of fixed steps \[s\]; by default from the stiffness or the size of bodies.
    pub step: Option<f64>,
    /// Frames a second \[1/s\].
    pub fps: f64,
    /// Number of the first frame, which shows the start.
    pub first_frame: i64,
    /// Seed of all draws.
    pub seed: u64,
    /// Bodies that leave this box are removed and reported \[m\].
    pub bounds: Option<(DVec3, DVec3)>,
}

impl Setup {
    /// A world without emitters, at 24 frames a second, everything else by default. The solver is
    /// the granular one with a law, or the settings of either.
    pub fn new(world: World, solver: impl Into<Solver>) -> Self {
        Self {
            world,
            emitters: Vec::new(),
            solver: solver.into(),
            piles: Vec::new(),
            step: None,
            fps: 24.0,
            first_frame: 1,
            seed: 0,
            bounds: None,
        }
    }
}

impl Setup {
    /// Reports the first thing with which no step could be computed.
    pub(crate) fn check(&self) -> Result<(), SetupProblem> {
        check::world(&self.world)?;
        self.emitters.iter().try_for_each(|emitter| emitter.check(&self.world))?;
        self.piles.iter().try_for_each(|pile| pile.check(&self.world))?;
        let of = || "the setup".to_string();
        let is_length = |length: f64| length > 0.0 && length.is_finite();
        must(is_length(self.fps) && is_length(1.0 / self.fps), of, "frames per second must be above zero")?;
        must(self.step.is_none_or(is_length), of, "the step must be above zero")?;
        must(self.bounds.is_none_or(|(low, high)| low.cmple(high).all()), of, "its bounds must have an inside")?;
        let shapes = self.kinds().into_iter().map(|(shape, ..)| shape);
        self.solver.check(&self.world, shapes, self.fps)?;
        Ok(())
    }

    /// Kinds of bodies that there will be: shape, material, smallest size \[-\].
    pub(crate) fn kinds(&self) -> Vec<(ShapeId, MaterialId, f64)> {
        let there = self.world.bodies.traits.iter().map(|t| (t.shape, t.material, t.size));
        there.chain(self.emitters.iter().map(|e| (e.shape, e.material, e.size[0]))).collect()
    }
}
