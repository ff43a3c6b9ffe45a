//! The start of a simulation, and checks that it can run.

use glam::DVec3;

use crate::direct::pile::PileSettings;
use crate::emit::Emitter;
use crate::granular::{Granular, Integrator};
use crate::report::SetupProblem;
use crate::rigid::Rigid;
use crate::solver::Solver;
use crate::world::check::{self, must};
use crate::world::{MaterialId, ShapeId, World, WorldProblem};

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

/// More steps than this in a frame are a mistake in the units: a day for a single ball.
pub(crate) const MOST_STEPS_PER_FRAME: f64 = 1e10;

/// The least restitution that damped springs can have.
const LEAST_RESTITUTION: f64 = 0.01;

impl Setup {
    /// Reports the first thing with which no step could be computed.
    pub(crate) fn check(&self) -> Result<(), SetupProblem> {
        check::world(&self.world)?;
        self.emitters.iter().try_for_each(|emitter| emitter.check(&self.world))?;
        self.piles.iter().try_for_each(PileSettings::check)?;
        let of = || "the setup".to_string();
        let is_length = |length: f64| length > 0.0 && length.is_finite();
        must(is_length(self.fps) && is_length(1.0 / self.fps), of, "frames per second must be above zero")?;
        must(self.step.is_none_or(is_length), of, "the step must be above zero")?;
        must(self.bounds.is_none_or(|(low, high)| low.cmple(high).all()), of, "its bounds must have an inside")?;
        self.check_solver()?;
        Ok(())
    }

    /// Kinds of bodies that there will be: shape, material, smallest size \[-\].
    pub(crate) fn kinds(&self) -> Vec<(ShapeId, MaterialId, f64)> {
        let there = self.world.bodies.traits.iter().map(|t| (t.shape, t.material, t.size));
        there.chain(self.emitters.iter().map(|e| (e.shape, e.material, e.size[0]))).collect()
    }

    fn check_solver(&self) -> Result<(), WorldProblem> {
        let of = || "the solver".to_string();
        match self.solver {
            Solver::Rigid(Rigid { substeps, .. }) => {
                must((1..=1000).contains(&substeps), of, "it needs 1 to 1000 substeps")
            }
            Solver::Granular(Granular { law, skin, integrator, stiction }) => {
                let is_length = |length: f64| length > 0.0 && length.is_finite();
                must(skin.is_none_or(is_length), of, "its skin must be above zero")?;
                must(is_length(law.restitution_speed), of, "the speed of its restitution must be above zero")?;
                if let Integrator::Rkf45(control) | Integrator::Rk23(control) = integrator {
                    let lengths = [control.tolerance, control.largest, control.smallest.unwrap_or(control.largest)];
                    must(lengths.into_iter().all(is_length), of, "tolerance and steps must be above zero")?;
                    let steps = 1.0 / self.fps / control.smallest.unwrap_or(f64::INFINITY);
                    must(steps < MOST_STEPS_PER_FRAME, of, "a frame has too many of its smallest steps")?;
                }
                let is_share = |share: f64| (0.0..=1.0).contains(&share);
                let shares = stiction.is_none_or(|stiction| is_share(stiction.sliding) && is_share(stiction.turning));
                must(shares, of, "its stiction takes away a share from 0 to 1")?;
                let bounces = |pair: &crate::world::Pair| pair.restitution >= LEAST_RESTITUTION;
                let bounces = !law.has_restitution() || self.world.materials.pairs().iter().all(bounces);
                must(bounces, || "a pair of materials".into(), "grains need a restitution of at least 0.01")?;
                for (id, ..) in self.kinds() {
                    let shape = self.world.shape(id)?;
                    let of = || format!("shape `{}`", shape.name);
                    must(!shape.spheres.is_empty(), of, "it has no spheres, and the granular solver needs them")?;
                }
                Ok(())
            }
        }
    }
}
