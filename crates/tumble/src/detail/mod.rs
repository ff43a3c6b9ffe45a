//! High-resolution sand from coarse carriers: Alduán, Tena & Otaduy, *Simulation of High-Resolution
//! Granular Media* (2009).
//!
//! Grains carry the mechanics, particles carry the look. Each grain, a *carrier*, is born with a
//! number of particles around it; where grains are dense, particles follow the velocities of those
//! near them, and where they are not they fly freely; everywhere fine obstacles stop them.
//!
//! Particles push nobody. So [`Detail`] stands beside the simulation and reads frames as everybody
//! else does: from a run while it runs, or from its recording, with the same result to the bit. A
//! particle reads carriers and obstacles and no other particle; so a block of particles goes
//! through a whole frame while it is in the nearest cache.
//!
//! ```
//! use tumble::detail::{Detail, DetailSettings, DetailShape, DetailSurface};
//! use tumble::prelude::*;
//! use tumble::{FrameDetail, FrameParticle};
//!
//! // A grain falls, and its 32 particles fall freely with it: by g t²/2 in half a second.
//! let mut world = World::ground();
//! let grain = Shape::ball("grain", 0.05)?;
//! let shapes = [DetailShape { spheres: grain.spheres.clone(), mesh: None, is_carrier: true }];
//! let grain = world.add_shape(grain);
//! world.add(NewBody::new(grain, MaterialId(0), DVec3::new(0.0, 0.0, 3.0)))?;
//! let mut simulation = Simulation::new(Setup::new(world, Law::LINEAR))?;
//!
//! let (mut frame, mut shown) = (Frame::default(), FrameDetail::default());
//! simulation.show(&mut frame);
//! let settings = DetailSettings::default();
//! let (mut detail, _) = Detail::new(settings, &shapes, &[DetailSurface::Plane], &frame)?;
//! detail.show(&mut shown);
//! let mean = |particles: &[FrameParticle]| {
//!     particles.iter().map(|particle| particle.position[2]).sum::<f32>() / particles.len() as f32
//! };
//! let before = mean(&shown.particles);
//! for _ in 0..12 {
//!     simulation.advance();
//!     simulation.show(&mut frame);
//!     assert_eq!(detail.advance(&frame).particles, 32);
//! }
//! detail.show(&mut shown);
//! assert!((before - mean(&shown.particles) - 0.5 * 9.81 * 0.25).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod carriers;
mod density;
mod external;
mod interpolate;
mod near;
mod obstacles;
mod particles;
mod saved;
mod seed;
mod setup;
mod surface;

use rayon::prelude::*;

use crate::frame::Frame;
use crate::random::mix;
use crate::stage::{Stage, Stopwatch};
use carriers::{Carrier, CarrierShape, VelocityField, carriers_of, ways};
use density::{Densities, Refill};
use external::FreeFlight;
use obstacles::{Meeting, MovingStopper, Stands};
use particles::{BLOCK, Born, PART, ParticleBlock, Particles, bounds};
pub use setup::{DetailProblem, DetailSettings, DetailShape, DetailSurface, DetailWarning, Kernel, Which};
use surface::Stopper;

/// Cells into which particles are sorted, over the influence radius of carriers: a block then lies
/// in a box about as wide as that radius.
const CELL: f32 = 1.0;

/// So many frames pass from one look for carriers without particles to the next.
const REFILL_EVERY: i64 = 4;

/// A carrier that goes more than this per frame, in radii, moves: new particles beside it do not
/// catch the eye.
const MOVING: f64 = 0.1;

/// The particles of a run.
#[derive(Clone, Debug)]
pub struct Detail {
    settings: DetailSettings,
    /// Radii of each shape whose bodies are carriers.
    carrier_shapes: Vec<Option<CarrierShape>>,
    /// Surfaces that stop particles: obstacles, and each shape whose bodies are no carriers.
    surfaces: Vec<Stopper>,
    body_surfaces: Vec<Option<Stopper>>,
    /// The last frame: its time \[s\], carriers and where obstacles were.
    time: f64,
    carriers: Vec<Carrier>,
    stands: Stands,
    particles: Particles,
    /// Of all carriers that ever were, in the order of their birth.
    born: Vec<Born>,
}

/// A frame of particles in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DetailReport {
    /// Particles there are.
    pub particles: u64,
    /// Of these, those that lay in the medium when velocities were last interpolated.
    pub dense: u64,
    /// Carriers there are.
    pub carriers: u64,
    /// Particles that left the world in this frame.
    pub removed: u64,
    /// Bodies that cannot be, with places, velocities or sizes that are no numbers: they have no
    /// part in it.
    pub unsound: u64,
    /// Carriers born in this frame that have no particles, because there are no more names for
    /// those.
    pub bare: u64,
}

impl Detail {
    /// Goes on to the next frame.
    pub fn advance(&mut self, frame: &Frame) -> DetailReport {
        self.advance_timed(frame, &mut Stopwatch::stopped())
    }

    /// Goes on to the next frame, and measures how long that takes.
    pub fn advance_timed(&mut self, frame: &Frame, watch: &mut Stopwatch) -> DetailReport {
        watch.start(Stage::Detail);
        let report = rayon::scope(|_| self.go_on(frame));
        watch.stop();
        report
    }

    fn go_on(&mut self, frame: &Frame) -> DetailReport {
        let carriers = carriers_of(frame, &self.carrier_shapes);
        let stands = Stands::of(frame, &self.body_surfaces);
        let time = frame.time - self.time;

        // A recording may say anything of its times: without any time nothing moves.
        let dense = if time > 0.0 { self.move_along(&carriers, &stands, time) } else { 0 };
        let bounds = self.settings.bounds;
        // A recording may also throw particles beyond all numbers.
        let removed = self.particles.remove(|place| {
            let is_inside = |place: glam::DVec3, (low, high)| place.cmpge(low).all() && place.cmple(high).all();
            !place.is_finite() || bounds.is_some_and(|bounds| !is_inside(place.as_dvec3(), bounds))
        });
        if self.settings.refill && frame.number % REFILL_EVERY == 0 {
            self.refill(&carriers, &stands, time, frame.number);
        }
        let bare = self.bear(&carriers, &stands);

        let report = DetailReport {
            particles: self.particles.len() as u64,
            dense,
            carriers: carriers.len() as u64,
            removed: removed as u64,
            unsound: frame.bodies.iter().filter(|body| !carriers::is_sound(body)).count() as u64,
            bare,
        };
        (self.carriers, self.stands, self.time) = (carriers, stands, frame.time);
        report
    }

    /// How unevenly particles lie among carriers: the root mean square of their density over that
    /// of carriers, less one, in cubes three radii of a carrier wide \[-\]. Chance alone makes a
    /// tenth or so; none where carriers are no medium.
    pub fn unevenness(&self) -> Option<f64> {
        Densities::new(&self.particles, &self.carriers, self.settings.count)?.unevenness()
    }

    /// Moves all particles while carriers and obstacles move to where they are in the next frame;
    /// gives how many lie in the medium.
    fn move_along(&mut self, carriers: &[Carrier], stands: &Stands, time: f64) -> u64 {
        let Self { settings, particles, born, .. } = self;
        let ways = ways(&self.carriers, carriers, time);
        let obstacles = MovingStopper::all(&self.stands, stands, &self.surfaces, &self.body_surfaces);
        let intervals = settings.interpolations;
        let influence = settings.influence as f32;
        let share = |k: u32| f64::from(k) / f64::from(intervals);
        let fields: Vec<VelocityField> = (0..intervals)
            .into_par_iter()
            .map(|k| VelocityField::between(&ways, [share(k), share(k + 1)], time, influence))
            .collect();
        let steps = intervals * settings.steps;
        let share = |step: u32| step as f32 / steps as f32;
        let at = |step: u32| obstacles.iter().map(|obstacle| obstacle.during([share(step), share(step + 1)])).collect();
        let meetings: Vec<Vec<Meeting<'_>>> = (0..steps).map(at).collect();
        let flight = FreeFlight::new(settings, time / f64::from(steps));
        let largest = born.iter().map(|born| born.radius).fold(0.0, f32::max);
        particles.sort(CELL * fields[0].reach());

        let frame = FrameOfBlocks { settings, fields: &fields, meetings: &meetings, flight, born, largest };
        particles
            .blocks()
            .map_init(BlockScratch::default, |scratch, mut block| frame.advance(&mut block, scratch))
            .sum()
    }

    /// Gives carriers that have run ahead of their particles some from where there are too many.
    fn refill(&mut self, carriers: &[Carrier], stands: &Stands, time: f64, frame: i64) {
        let Self { settings, particles, born, .. } = self;
        let moves = |carrier: &Carrier| carrier.velocity.length() * time > MOVING * f64::from(carrier.reach);
        let is_moving: Vec<bool> = carriers.iter().map(moves).collect();
        let Some(up) = density::up(settings.gravity).filter(|_| is_moving.contains(&true)) else { return };
        let Some(densities) = Densities::new(particles, carriers, settings.count) else { return };
        let seed = mix(settings.seed ^ mix(frame as u64));
        let obstacles = MovingStopper::all(stands, stands, &self.surfaces, &self.body_surfaces);
        for Refill { row, carrier } in densities.refills(particles, (carriers, &is_moving), settings.count, up, seed) {
            let (carrier, id) = (&carriers[carrier], particles.ids[row]);
            let Born { material, radius } = born[(id / settings.count) as usize];
            let place = seed::place(carrier, seed, id);
            // One of another kind, or for which there is no room, stays where it was: another one
            // will go.
            if material == carrier.material && obstacles.iter().all(|obstacle| obstacle.leaves_room(place, radius)) {
                particles.set(row, place, carrier.velocity.as_vec3());
            }
        }
    }

    /// Makes the particles of carriers that were not there in the last frame; gives how many of
    /// these get none.
    fn bear(&mut self, carriers: &[Carrier], stands: &Stands) -> u64 {
        let Self { settings, particles, born, .. } = self;
        let obstacles = MovingStopper::all(stands, stands, &self.surfaces, &self.body_surfaces);
        let mut bare = 0;
        for carrier in carriers {
            if self.carriers.binary_search_by_key(&carrier.id, |known| known.id).is_ok() {
                continue;
            }
            let serial = born.len() as u32;
            let Some(names) =
                serial.checked_mul(settings.count).filter(|first| first.checked_add(settings.count).is_some())
            else {
                bare += 1;
                continue;
            };
            let is_free = |place| obstacles.iter().all(|obstacle| obstacle.leaves_room(place, carrier.fine));
            let new = seed::particles(carrier, serial, settings, is_free);
            for (id, (place, velocity)) in (names..).zip(new) {
                particles.push(id, place, velocity);
            }
            born.push(Born { material: carrier.material, radius: carrier.fine });
        }
        bare
    }
}

/// Data shared by all blocks in a frame.
struct FrameOfBlocks<'a> {
    settings: &'a DetailSettings,
    /// Carriers at each interpolation.
    fields: &'a [VelocityField],
    /// All obstacles in each step.
    meetings: &'a [Vec<Meeting<'a>>],
    flight: FreeFlight,
    born: &'a [Born],
    /// The largest radius of a particle \[m\].
    largest: f32,
}

/// Scratch storage for the carriers and obstacles near a block.
#[derive(Default)]
struct BlockScratch {
    carriers: interpolate::CarrierScratch,
    obstacles: Vec<u32>,
}

impl FrameOfBlocks<'_> {
    /// Takes a block through a frame: the velocities of carriers, then steps with external forces,
    /// and again. Gives how many of its particles lie in the medium.
    fn advance(&self, block: &mut ParticleBlock<'_>, scratch: &mut BlockScratch) -> u64 {
        let Self { settings, flight, .. } = *self;
        // One for those that lie in the medium, zero for others.
        let mut dense = [0.0; BLOCK];
        for (field, meetings) in self.fields.iter().zip(self.meetings.chunks(settings.steps as usize)) {
            interpolate::interpolate(block, &mut dense, field, settings, &mut scratch.carriers);
            for (mut part, dense) in block.parts().zip(dense.chunks(PART)) {
                self.find_obstacles(&part, meetings, &mut scratch.obstacles);
                for meetings in meetings {
                    external::advance(&mut part, dense, flight, meetings, &scratch.obstacles, settings, self.born);
                }
            }
        }
        dense.iter().filter(|&&dense| dense > 0.0).count() as u64
    }

    /// Finds the obstacles that a part of a block may meet during some steps.
    fn find_obstacles(&self, part: &ParticleBlock<'_>, steps: &[Vec<Meeting<'_>>], found: &mut Vec<u32>) {
        let [x, y, z, u, v, w] = &part.state;
        let (low, high) = bounds(&[x, y, z]);
        let (slowest, fastest) = bounds(&[u, v, w]);
        let count = steps.len() as f32;
        let speed = slowest.abs().max(fastest.abs()).length() + count * self.flight.gain.length();
        let flown = 1.5 * self.largest + speed * count * self.flight.time;
        let (first, last) = (&steps[0], &steps[steps.len() - 1]);
        let mut pushed = 0.0;
        loop {
            let margin = flown + pushed;
            found.clear();
            let is_near =
                |&k: &usize| margin.is_infinite() || !first[k].is_far_until(&last[k], low - margin, high + margin);
            found.extend((0..first.len()).filter(is_near).map(|k| k as u32));
            // A moving obstacle takes particles along in every step, and throws them with up to
            // twice its speed: to where other obstacles may be.
            let moves = found.iter().map(|&k| first[k as usize].moves_until(&last[k as usize])).fold(0.0, f32::max);
            let reaches = (1.0 + 2.0 * count) * moves;
            if reaches <= pushed {
                return;
            }
            pushed = reaches;
        }
    }
}
