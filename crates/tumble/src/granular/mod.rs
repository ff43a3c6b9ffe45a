//! The granular solver: soft contacts, small steps (Bell, Yu & Mucha 2005; Yee, Christara & Lait
//! 2009).
//!
//! A step is in `step.rs`: neighbours ▶ contacts ▶ gather, between the parts of the integrator.

mod contacts;
mod corners;
mod gather;
mod integrate;
mod law;
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

use integrate::RungeKutta;
use law::{Coefficients, pair_table};
use sleep::Alarms;

use crate::contact::{Neighbours, Spheres, Wall};
use crate::solver::{Contacts, DeepestOfFrame};
use crate::world::{BodyId, MaterialId, Obstacle, ShapeId, World};

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
}

/// The granular solver and its state.
#[derive(Clone, Debug)]
pub(crate) struct GranularSolver {
    law: Law,
    stiction: Option<Stiction>,
    integrator: Integrator,
    /// The integrator, if it chooses its steps.
    adaptive: Option<RungeKutta>,
    pairs: Vec<Coefficients>,
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
        let pairs = pair_table(&law, &world.materials);
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
        if self.neighbours.sleepers_differ(world) {
            self.neighbours.settle(world, &mut self.spheres);
        }
        self.find_neighbours(world, 0.0);
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

    /// Visits all contacts of the present list.
    pub(crate) fn look(&self, obstacles: &[Obstacle]) -> Contacts {
        let mut seen = Contacts::default();
        // Ids are those of the list: rows may have been removed since it was built.
        let name = |sphere: usize| self.neighbours.body_of(sphere);
        self.visit_contacts(obstacles, |sphere, other, depth| {
            seen.count += 1;
            if depth > seen.deepest {
                seen.deepest = depth;
                let (a, b) = (name(sphere), other.and_then(name));
                seen.deepest_between = a.map(|a| (a, b)).or(b.map(|b| (b, None)));
            }
        });
        seen
    }

    /// Number of contacts of each sphere of the present list, with the id of its body; spheres of
    /// obstacles are left out.
    pub(crate) fn contacts_of_bodies(&self, obstacles: &[Obstacle]) -> impl Iterator<Item = (BodyId, u32)> {
        let mut counts = vec![0; self.spheres.len()];
        self.visit_contacts(obstacles, |sphere, other, _| {
            counts[sphere] += 1;
            if let Some(other) = other {
                counts[other] += 1;
            }
        });
        let touched = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
        touched.filter_map(|(sphere, count)| Some((self.neighbours.body_of(sphere)?, count)))
    }

    /// Visits every touching contact: a sphere, the other one (none for an obstacle), overlap over
    /// the smaller radius \[-\].
    fn visit_contacts(&self, obstacles: &[Obstacle], mut see: impl FnMut(usize, Option<usize>, f64)) {
        let place = &self.spheres.place;
        let overlap = |a: usize, b: usize| {
            let (a, b) = (&place[a], &place[b]);
            let overlap = a.radius() + b.radius() - (a.center() - b.center()).length();
            overlap / a.radius().min(b.radius())
        };
        // Contacts with no awake body are not in the list.
        for kept in self.neighbours.sleepers.contacts(&self.spheres) {
            let a = kept.spheres[0] as usize;
            let of_obstacle = self.spheres.of_obstacles().start + kept.what.b.sphere as usize;
            let b = if kept.what.b.is_of_obstacle() { of_obstacle } else { kept.spheres[1] as usize };
            if b < place.len() && overlap(a, b) > 0.0 {
                see(a, Some(b), overlap(a, b));
            }
        }
        for kept in self.neighbours.sleepers.walls(&self.spheres) {
            let (s, mut wall) = (kept.spheres[0] as usize, [Wall::new(0, kept.what.obstacle, kept.what.triangle)]);
            walls::look_at_walls(&place[s], obstacles, &mut wall);
            if wall[0].touching {
                see(s, None, (place[s].radius() - wall[0].distance) / place[s].radius());
            }
        }
        let mut near = Vec::new();
        for block in &self.neighbours.blocks {
            for (k, s) in block.spheres.clone().enumerate() {
                let a = &self.spheres.place[s];
                for p in block.pairs_of(k) {
                    let other = block.pairs[p].partner as usize;
                    if overlap(s, other) > 0.0 {
                        see(s, Some(other), overlap(s, other));
                    }
                }
                near.clear();
                near.extend_from_slice(&block.walls[block.walls_of(k)]);
                walls::look_at_walls(a, obstacles, &mut near);
                for wall in near.iter().filter(|wall| wall.touching) {
                    see(s, None, (a.radius() - wall.distance) / a.radius());
                }
            }
        }
    }
}
