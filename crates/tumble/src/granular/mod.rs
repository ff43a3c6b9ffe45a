//! The granular solver: soft contacts, small steps (Bell, Yu & Mucha 2005; Yee, Christara & Lait
//! 2009).
//!
//! A step is in `step.rs`: neighbours ▶ contacts ▶ gather, between the parts of the integrator.
//!
//! ```
//! use tumble::granular::Granular;
//! use tumble::prelude::*;
//!
//! // A ball of 1 cm rests on stiff ground. By Hertz it sinks in by δ with m g = 4/3 E* √R δ^(3/2).
//! let mut world = World::ground();
//! let soft = Material { youngs_modulus: 1e6, poisson_ratio: 0.3, ..Material::default() };
//! let stiff = Material { youngs_modulus: f64::INFINITY, ..soft.clone() };
//! let (soft, stiff) = (world.materials.add(soft), world.materials.add(stiff));
//! world.obstacles[0].material = stiff;
//! let ball = world.add_shape(Shape::ball("ball", 0.01)?);
//! let ball = world.add(NewBody::new(ball, soft, DVec3::new(0.0, 0.0, 0.01)))?;
//! let weight = 9.81 * world.mass(ball)?;
//!
//! let mut simulation = Simulation::new(Setup::new(world, Granular::new(Law::HERTZ)))?;
//! (0..48).for_each(|_| drop(simulation.advance()));
//! let modulus = 1e6 / (1.0 - 0.3 * 0.3);
//! let depth = (0.75 * weight / (modulus * 0.01f64.sqrt())).powf(2.0 / 3.0);
//! assert!((0.01 - simulation.pose(ball)?.position.z - depth).abs() < 1e-4 * depth);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alarms;
mod contacts;
mod corners;
mod gather;
mod inputs;
mod integrate;
mod law;
mod look;
mod saved;
mod sleep;
mod stable_step;
mod step;
mod stiction;
mod walls;

pub use integrate::{Control, Integrator, TriedStep};
pub use law::{ContactEnd, Dashpot, Law, Normal, Rolling, Shear};
pub use stable_step::StepLimit;
pub use stiction::Stiction;

pub(crate) use integrate::{Slope, StepCount};
pub(crate) use saved::SavedGranular;

use alarms::Alarms;
use integrate::RungeKutta;
use law::{Coefficients, pair_table};

use crate::contact::{DeepestOfFrame, Neighbours, Spheres};
use crate::stage::MOST_STEPS_PER_FRAME;
use crate::world::check::must;
use crate::world::{Grip, MaterialId, Pair, ShapeId, World, WorldProblem};

/// How the granular solver works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Granular {
    /// The contact law.
    pub law: Law,
    /// How bodies stick to obstacles, if they do beyond friction.
    pub stiction: Option<Stiction>,
    /// How motion is integrated.
    pub integrator: Integrator,
    /// Skin of the neighbour list \[m\]; by default chosen from the speeds. Changes speed, not
    /// results beyond rounding.
    pub skin: Option<f64>,
}

impl Granular {
    /// This law, everything else by default.
    pub fn new(law: Law) -> Self {
        Self { law, stiction: None, integrator: Integrator::Verlet, skin: None }
    }

    /// Reports the first setting with which no step could be computed, in a world in which bodies
    /// of these shapes will move.
    pub(crate) fn check(
        &self,
        world: &World,
        mut shapes: impl Iterator<Item = ShapeId>,
        fps: f64,
    ) -> Result<(), WorldProblem> {
        let of = || "the solver".to_string();
        let Self { law, skin, integrator, stiction } = self;
        let is_length = |length: f64| length > 0.0 && length.is_finite();
        must(skin.is_none_or(is_length), of, "its skin must be above zero")?;
        must(is_length(law.restitution_speed), of, "the speed of its restitution must be above zero")?;
        if let Integrator::Rkf45(control) | Integrator::Rk23(control) = integrator {
            let lengths = [control.tolerance, control.largest, control.smallest.unwrap_or(control.largest)];
            must(lengths.into_iter().all(is_length), of, "tolerance and steps must be above zero")?;
            // The largest step bounds the smallest one too.
            let steps = 1.0 / fps / control.smallest.unwrap_or(f64::INFINITY).min(control.largest);
            must(steps < MOST_STEPS_PER_FRAME, of, "a frame has too many of its smallest steps")?;
        }
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let shares = stiction.is_none_or(|stiction| is_share(stiction.sliding) && is_share(stiction.turning));
        must(shares, of, "its stiction takes away a share from 0 to 1")?;
        let bounces = |pair: &Pair| pair.restitution >= LEAST_RESTITUTION;
        let bounces = !law.has_restitution() || world.materials.pairs().iter().all(bounces);
        must(bounces, || "a pair of materials".into(), "grains need a restitution of at least 0.01")?;
        shapes.try_for_each(|id| {
            let shape = world.shape(id)?;
            let of = || format!("shape `{}`", shape.name);
            must(!shape.spheres.is_empty(), of, "it has no spheres, and the granular solver needs them")
        })
    }
}

/// The least restitution that damped springs can have.
const LEAST_RESTITUTION: f64 = 0.01;

/// The granular solver and its state.
#[derive(Clone, Debug)]
pub(crate) struct GranularSolver {
    law: Law,
    stiction: Option<Stiction>,
    integrator: Integrator,
    /// The integrator, if it chooses its steps.
    adaptive: Option<RungeKutta>,
    /// Coefficients of all pairs of surfaces, and the number of surfaces: one for each material,
    /// and from the first body with another grip on one for each material and grip.
    pairs: Vec<Coefficients>,
    surfaces: usize,
    neighbours: Neighbours,
    /// Spheres of all bodies. Written by neighbours.
    spheres: Spheres,
    /// Sleeping spheres near moving obstacles, bodies that wake in a step, and triangles near one
    /// of them. Written and read by waking.
    alarms: Alarms,
    woken: Vec<u32>,
    near: Vec<u32>,
    /// The deepest contact of any step since the frame began. Not part of the state.
    pub(super) deepest: DeepestOfFrame,
    /// Whether the skin of the list is chosen, and for steps of which length \[s\].
    chooses_skin: bool,
    choose_skin_for: Option<f64>,
}

impl GranularSolver {
    /// A solver for a world in which bodies of these kinds (shape, material, smallest size \[-\])
    /// will move, and its step limits; `None` without any kind.
    pub(crate) fn new(
        world: &World,
        settings: Granular,
        kinds: &[(ShapeId, MaterialId, f64)],
    ) -> Option<(Self, StepLimit)> {
        let Granular { law, stiction, integrator, skin } = settings;
        let smallest = kinds
            .iter()
            .flat_map(|&(shape, _, size)| world.shapes[shape.index()].spheres.iter().map(move |s| s.radius * size))
            .fold(f64::INFINITY, f64::min);
        let pairs = pair_table(&law, &world.materials, &[Grip::Usual]);
        // Without any rolling friction there is no rolling torque and no rolling history.
        let rolling = if pairs.iter().any(|c| c.rolling > 0.0) { law.rolling } else { Rolling::Free };
        let law = Law { rolling, ..law };
        let limit = StepLimit::new(&law, world, &pairs, kinds)?;
        let solver = Self {
            law,
            stiction,
            integrator,
            adaptive: RungeKutta::new(integrator, limit.default),
            pairs,
            surfaces: world.materials.list().len(),
            // Unless it is given, the skin is chosen as soon as there are bodies.
            neighbours: Neighbours::new(skin.unwrap_or(0.1 * smallest), law.remembers_rolling()),
            spheres: Spheres::default(),
            alarms: Alarms::default(),
            woken: Vec::new(),
            near: Vec::new(),
            deepest: DeepestOfFrame::default(),
            chooses_skin: skin.is_none(),
            choose_skin_for: None,
        };
        Some((solver, limit))
    }

    /// Chooses the skin of the neighbour list anew whenever it is built, for steps of this length
    /// \[s\], unless it is given.
    pub(crate) fn choose_skin(&mut self, step: f64) {
        self.choose_skin_for = self.chooses_skin.then_some(step);
    }

    /// Whether the integrator chooses its steps by their error.
    pub(crate) fn is_adaptive(&self) -> bool {
        self.adaptive.is_some()
    }

    /// The step that an adaptive integrator tries next \[s\]; zero for others. Part of the state.
    pub(crate) fn next_step(&self) -> f64 {
        self.adaptive.as_ref().map_or(0.0, |method| method.next)
    }

    /// Takes over the next step of a saved state.
    pub(crate) fn set_next_step(&mut self, step: f64) {
        if let Some(method) = &mut self.adaptive {
            method.set_next(step);
        }
    }

    /// The steps that an adaptive integrator tried since this was last asked; they are noted from
    /// the first question on.
    pub(crate) fn take_tried_steps(&mut self) -> Vec<TriedStep> {
        let tried = self.adaptive.as_mut().and_then(|method| method.tried.replace(Vec::new()));
        tried.unwrap_or_default()
    }

    /// Puts rows into the order that the state alone decides, and builds the list.
    ///
    /// Called before the first step of a frame, so that a frame depends on the state at its
    /// beginning and on nothing else: not on when the list was last built, nor on whether the run
    /// was resumed.
    pub(crate) fn begin_frame(&mut self, world: &mut World) {
        self.deepest = DeepestOfFrame::default();
        self.know_grips(world);
        if self.neighbours.sleepers_differ(world) {
            self.neighbours.settle(world, &mut self.spheres);
        }
        self.find_neighbours(world, 0.0);
    }

    /// Computes the coefficients of all grips when a body first has another than the usual one:
    /// without directors, contacts need not look their surfaces up.
    fn know_grips(&mut self, world: &World) {
        let materials = world.materials.list().len();
        if self.surfaces == materials && world.bodies.grip.iter().any(|&grip| grip != Grip::Usual) {
            self.pairs = pair_table(&self.law, &world.materials, &Grip::ALL);
            self.surfaces = Grip::ALL.len() * materials;
        }
    }

    /// Sorts the rows of awake bodies, and builds the list.
    pub(crate) fn find_neighbours(&mut self, world: &mut World, lag: f64) {
        self.alarms.clear();
        if let Some(step) = self.choose_skin_for {
            self.neighbours.choose_skin(world, step);
        }
        self.neighbours.sort(world);
        self.neighbours.build(world, &mut self.spheres, lag, false);
    }

    /// How often the neighbour list was built.
    pub(crate) fn list_builds(&self) -> u64 {
        self.neighbours.builds
    }
}
