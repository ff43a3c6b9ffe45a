//! Emitters: make bodies over time, never overlapping anything at birth.
//!
//! A birth is decided by the emitter's own count and by hashed draws, so that it does not depend on
//! threads, rows or on where a run was resumed. Where a new body would overlap, it waits and tries
//! again; nothing is dropped.
//!
//! ```
//! use tumble::prelude::*;
//!
//! // Ten balls per second for three seconds, from a spout of 40 cm at a height of 1 m.
//! let mut world = World::ground();
//! let ball = world.add_shape(Shape::ball("ball", 0.02)?);
//! let spout = Pose { position: DVec3::new(0.0, 0.0, 1.0), ..Pose::IDENTITY };
//! let place = Place::Point { path: Path::Fixed(spout), spread: 0.2 };
//! let pour = Emitter::new("spout", ball, MaterialId(0), 30, place);
//! let pour = Emitter { when: When::Rate { per_second: 10.0, start: 0.0 }, ..pour };
//! let setup = Setup { emitters: vec![pour], ..Setup::new(world, Rigid::DEFAULT) };
//! let mut simulation = Simulation::new(setup)?;
//! (0..24).for_each(|_| drop(simulation.advance()));
//! assert_eq!(simulation.world().bodies.len(), 10);
//! (0..72).for_each(|_| drop(simulation.advance()));
//! assert_eq!(simulation.world().bodies.len(), 30);
//! assert!(simulation.starved().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod occupancy;
mod place;

pub(crate) use occupancy::Occupancy;
pub use place::{Pattern, Place, Region};

use glam::{DQuat, DVec3};

use crate::random::Draws;
use crate::world::check::{FARTHEST, is_motion, is_turn, must};
use crate::world::{MaterialId, Motion, NewBody, Pose, ShapeId, World, WorldProblem};

/// When an emitter makes its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// All at this time \[s\].
    AtOnce(f64),
    /// One after another.
    Rate {
        /// Bodies a second \[1/s\].
        per_second: f64,
        /// Time of the first \[s\].
        start: f64,
    },
}

/// How much bodies differ from each other at birth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jitter {
    /// Largest shift from the regular place \[m\].
    pub position: f64,
    /// Largest difference of velocity, in any direction \[m/s\].
    pub velocity: f64,
    /// Largest difference of spin, about any axis \[rad/s\].
    pub spin: f64,
    /// Whether orientations are random.
    pub orientation: bool,
}

/// Makes bodies of one kind.
#[derive(Clone, Debug)]
pub struct Emitter {
    /// Name in messages.
    pub name: String,
    /// The bodies' shape.
    pub shape: ShapeId,
    /// The bodies' material.
    pub material: MaterialId,
    /// How many.
    pub count: u64,
    /// Smallest and largest size \[-\].
    pub size: [f64; 2],
    /// When.
    pub when: When,
    /// Where.
    pub place: Place,
    /// Orientation before jitter.
    pub orientation: DQuat,
    /// Motion before jitter.
    pub motion: Motion,
    /// How much bodies differ.
    pub jitter: Jitter,
}

/// How far an emitter has come. Part of the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bodies made.
    pub born: u64,
    /// Places tried.
    pub tried: u64,
}

/// An emitter's turn to make bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Tells this emitter's draws from others'.
    pub(crate) stream: u64,
    /// Seed of all draws.
    pub(crate) seed: u64,
    /// Now \[s\].
    pub(crate) time: f64,
    /// How long ago the last turn was \[s\].
    pub(crate) since: f64,
}

/// Random places tried for one body before it waits.
const TRIES: u64 = 200;

/// Sites of a lattice tried for one body before it waits, without those that are passed over.
const SITES: u64 = 1_000_000;

impl Emitter {
    /// Bodies of size one, at rest and unrotated, all at once when the simulation begins.
    pub fn new(name: &str, shape: ShapeId, material: MaterialId, count: u64, place: Place) -> Self {
        Self {
            name: name.to_string(),
            shape,
            material,
            count,
            size: [1.0, 1.0],
            when: When::AtOnce(0.0),
            place,
            orientation: DQuat::IDENTITY,
            motion: Motion::default(),
            jitter: Jitter::default(),
        }
    }

    /// Reports what it cannot make bodies with.
    pub(crate) fn check(&self, world: &World) -> Result<(), WorldProblem> {
        let of = || format!("emitter `{}`", self.name);
        world.shape(self.shape)?;
        world.materials.check(self.material)?;
        let [least, most] = self.size;
        must(
            (1e-9..1e9).contains(&least) && (least..1e9).contains(&most),
            of,
            "its sizes must be between 1e-9 and 1e9",
        )?;
        let is_timed = match self.when {
            When::AtOnce(time) => time.is_finite(),
            When::Rate { per_second, start } => per_second > 0.0 && per_second.is_finite() && start.is_finite(),
        };
        must(is_timed, of, "its time must be finite and its rate above zero")?;
        must(is_turn(self.orientation) && is_motion(&self.motion), of, "its motion and orientation must be finite")?;
        let Jitter { position, velocity, spin, .. } = self.jitter;
        let is_jitter = |jitter: f64| (0.0..FARTHEST).contains(&jitter);
        must([position, velocity, spin].into_iter().all(is_jitter), of, "its jitter cannot be negative")?;
        self.place.check(of)
    }

    /// How many bodies should have been born at `time`.
    pub fn due(&self, time: f64) -> u64 {
        match self.when {
            When::AtOnce(at) if time >= at => self.count,
            When::AtOnce(_) => 0,
            When::Rate { start, .. } if time < start => 0,
            // The first is born at the start, not one interval later.
            When::Rate { per_second, start } => {
                self.count.min((((time - start) * per_second) as u64).saturating_add(1))
            }
        }
    }

    /// The time at which body number `k` should be born \[s\].
    fn birth_time(&self, k: u64) -> f64 {
        match self.when {
            When::AtOnce(at) => at,
            When::Rate { per_second, start } => start + k as f64 / per_second,
        }
    }

    /// Centre and radius of a ball that holds all that can be born in a turn \[m\].
    pub(crate) fn around(&self, turn: Turn, world: &World) -> (DVec3, f64) {
        let own = world.radius_of(self.shape, self.size[1]) + self.jitter.position;
        let Place::Point { path, spread } = &self.place else {
            let (centre, radius) = self.place.around();
            return (centre, radius + own);
        };
        let (before, now) = (path.at(turn.time - turn.since).0.position, path.at(turn.time).0.position);
        let fastest = self.motion.velocity.length() + self.jitter.velocity;
        let flight = turn.since * (fastest + turn.since * world.gravity.length());
        (now, spread + before.distance(now) + flight + own)
    }

    /// Makes what is due, as far as there is room.
    pub(crate) fn emit(&self, turn: Turn, progress: &mut Progress, world: &mut World, occupied: &mut Occupancy) {
        while progress.born < self.due(turn.time) {
            let Some(new) = self.next(turn, progress, world, occupied) else { return };
            occupied.add(new.pose.position, world.radius_of(self.shape, new.size));
            world.bodies.add(new, &world.shapes, &world.materials);
            progress.born += 1;
        }
    }

    /// The next body in a place with room, or nothing if there is none now.
    fn next(&self, turn: Turn, progress: &mut Progress, world: &World, occupied: &Occupancy) -> Option<NewBody> {
        let mut draws = Draws::new(turn.seed, turn.stream, progress.born);
        let size = draws.between(self.size[0], self.size[1]);
        let given = if self.jitter.orientation { draws.orientation() } else { self.orientation };
        let orientation = given * world.shapes[self.shape.index()].axes;
        let motion = Motion {
            velocity: self.motion.velocity + self.jitter.velocity * draws.in_ball(),
            spin: self.motion.spin + self.jitter.spin * draws.in_ball(),
        };
        // A body of a stream has flown since its moment of birth, so that the stream is even
        // however often we look. One that had to wait is born at the earliest after the last turn.
        let birth = self.birth_time(progress.born).max(turn.time - turn.since);
        let flown = if matches!(self.place, Place::Point { .. }) { (turn.time - birth).max(0.0) } else { 0.0 };
        let flight = flown * motion.velocity + 0.5 * flown * flown * world.gravity;

        let radius = world.radius_of(self.shape, size);
        let widest = world.radius_of(self.shape, self.size[1]);
        let mut sites = self.place.sites(widest, self.jitter.position).unwrap_or(TRIES);
        let mut looks = sites.min(SITES);
        while sites > 0 && looks > 0 {
            let mut draws = Draws::new(turn.seed, turn.stream ^ SITE_STREAM, progress.tried);
            let site = self.place.site(progress.tried, widest, self.jitter.position, &mut draws, birth);
            progress.tried += 1;
            let position = site + self.jitter.position * draws.in_ball() + flight;
            if self.place.holds(position, radius) && occupied.is_free(position, radius, world) {
                let pose = Pose { position, orientation };
                return Some(NewBody { shape: self.shape, material: self.material, size, pose, motion });
            }
            let outside = self.place.outside_after(progress.tried - 1, radius, widest, self.jitter.position);
            progress.tried += outside.min(sites - 1);
            sites -= 1 + outside.min(sites - 1);
            looks -= 1;
        }
        None
    }
}

/// Separates the draws of places from those of bodies.
const SITE_STREAM: u64 = 1 << 63;

/// All places taken by the bodies of a world that are wanted, by centre and radius.
pub(crate) fn occupancy(world: &World, widest: f64, is_wanted: impl Fn(DVec3, f64) -> bool) -> Occupancy {
    let bodies = (0..world.bodies.len()).map(|row| (world.bodies.pose[row].position, world.radius(row)));
    let mut occupied = Occupancy::new(bodies.clone().map(|(_, radius)| radius).fold(widest, f64::max));
    for (centre, radius) in bodies.filter(|&(centre, radius)| is_wanted(centre, radius)) {
        occupied.add(centre, radius);
    }
    occupied
}
