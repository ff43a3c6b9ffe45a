//! Piles of objects by their angle of repose (Hsu & Keyser 2010; Hsu 2013, chapter 5).
//!
//! Reads where bodies are, how they move and whether they touch something; writes who sleeps, and how those move that slide down
//! the side. After each frame, on one page in `Pile::direct`: members ▶ place ▶ cones ▶ layers ▶ hold, slow down or push on.
//!
//! The paper's rule is the score ρ d v of density, closeness and slowness against τ, from the bottom up. Its cone has room for twice or four
//! times the objects there are, and closeness is that to the axis, so that only the inner part of each layer can sleep (H10) and the cone is
//! not the pile's shape. Here the cone is the largest one that the heap fills, closeness is that to its side, and bodies on the way down
//! the side do not get faster than a landslide: so they find a place on the side instead of running out at its foot, and the pile
//! grows as a cone. Where the heap stands higher than a cone of its whole volume would, bodies are pushed on down the side.

mod heap;
mod structure;

use glam::{DVec2, DVec3};

use crate::world::{Motion, Rest, World};

use heap::{Heap, radius_of_cone};
pub use structure::Structure;

/// Landed bodies from which the place of a pile is found.
const FIRST_SET: usize = 8;

/// How long an axis whose place was not given takes to follow its members \[s\].
const FOLLOWING: f64 = 1.0;

/// Part of the largest cone that the heap must fill.
const FULL: f64 = 0.85;

/// How far above the side of that cone bodies may still come to rest, over their diameter: what the pile grows by.
const SHELL: f64 = 1.0;

/// How far bodies may stand above the cone of the whole volume before they are pushed on, over their diameter.
const TOO_HIGH: f64 = 0.5;

/// How fast bodies slide down the side, over √(g D).
const LANDSLIDE: f64 = 0.3;

/// How fast motion fades to that or to rest, over √(g/D).
const FADING: f64 = 10.0;

/// For how long something that is stuck above the side is pushed \[s\].
const PATIENCE: f64 = 2.0;

/// For how long a body that touched the pile counts as landed, though it may be hopping \[s\].
const HOP: f64 = 0.3;

/// A body wakes the pile that it hits with this momentum, over that of a member with speed √(g D).
const HEAVY: f64 = 20.0;

/// For how long a pile that was hit moves as it likes \[s\].
const SHAKEN: f64 = 1.0;

/// What a pile is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PileSettings {
    /// Angle of repose \[rad\].
    pub angle: f64,
    /// Where its axis is \[m\]; if not said, where the first bodies land.
    pub place: Option<DVec2>,
    /// Height of what it stands on \[m\].
    pub base: f64,
    /// The score τ above which bodies fall asleep \[-\].
    pub threshold: f64,
    /// What is slow, over √(g D) with the length D of a body \[-\].
    pub slow: f64,
    /// For how long a body must have been slow before it may fall asleep \[s\].
    pub grace: f64,
}

impl PileSettings {
    /// With this angle \[rad\], on the ground at zero, where the first bodies land, as in the paper.
    pub fn new(angle: f64) -> Self {
        Self { angle, place: None, base: 0.0, threshold: 0.5, slow: 0.3, grace: 0.1 }
    }
}

/// A pile that grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Pile {
    settings: PileSettings,
    pub(crate) state: PileState,
    heap: Heap,
    members: Vec<usize>,
}

/// What a pile remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PileState {
    /// Where its axis is, once it is known.
    pub(crate) centre: Option<DVec2>,
    /// The largest cone that it fills: members it has room for, room \[m³\] and length \[m\] of a member; none before the first ones.
    pub(crate) cone: Option<[f64; 3]>,
    /// For how long it still moves as it likes, after a hit \[s\].
    pub(crate) shaken: f64,
    /// What it remembers of bodies, by the slots of their ids.
    pub(crate) memory: Vec<Memory>,
}

/// What a pile remembers of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The number of its id: a slot can get another body.
    pub(crate) id: u64,
    /// For how long it has touched nothing \[s\].
    pub(crate) free: f64,
    /// For how long it has been slow \[s\].
    pub(crate) slow: f64,
}

impl Memory {
    fn new(id: u64) -> Self {
        Self { id, free: f64::INFINITY, slow: 0.0 }
    }
}

/// A member, as one frame sees it.
#[derive(Clone, Copy, Debug)]
struct Sight {
    /// Its layer in the cone that is filled, if it is in one.
    layer: Option<usize>,
    /// How far its top is above the side of that cone, and of the cone of the whole volume, over its diameter; and whether it
    /// lies on others.
    above: f64,
    above_whole: f64,
    lies_on_others: bool,
    /// Down the side.
    downhill: DVec3,
}

impl Pile {
    /// A pile of nothing yet.
    pub fn new(settings: PileSettings) -> Self {
        let state = PileState { centre: settings.place, ..PileState::default() };
        Self { settings, state, heap: Heap::default(), members: Vec::new() }
    }

    /// What it is to be.
    pub fn settings(&self) -> &PileSettings {
        &self.settings
    }

    /// Its layers, once it has any, and where their axis is.
    pub fn structure(&self) -> Option<(DVec2, Structure)> {
        let (centre, [capacity, room, length]) = (self.state.centre?, self.state.cone?);
        Some((centre, Structure::new(self.settings.angle.tan(), capacity, room, length)))
    }

    /// Directs bodies after a frame of `dt` \[s\]. `contacts` says how many push on each row.
    pub(crate) fn direct(&mut self, world: &mut World, contacts: &[u32], dt: f64) {
        let gravity = world.gravity.length();
        // Who has landed.
        self.gather(world, contacts, dt);
        if self.members.is_empty() || (self.state.centre.is_none() && self.members.len() < FIRST_SET) {
            return;
        }
        let of_members = |of: &dyn Fn(usize) -> f64| {
            self.members.iter().map(|&row| of(row)).sum::<f64>() / self.members.len() as f64
        };
        let length = 2.0 * of_members(&|row| world.radius(row));
        let diameter = of_members(&|row| world.diameter(row));
        let centre = self.follow(world, dt);

        // The largest cone that they fill, and the cone of their whole volume.
        let slope = self.settings.angle.tan();
        let places = self.members.iter().map(|&row| world.bodies.pose[row].position);
        self.heap.measure(places, diameter, self.settings.base);
        let (volume, of_one) = (self.heap.volume(), self.heap.volume() / self.members.len() as f64);
        let radius = self.heap.largest_cone(centre, slope, FULL).max(diameter);
        let full = volume * (radius / radius_of_cone(volume, slope)).powi(3);
        self.state.cone = Some([full / of_one, of_one, length]);
        let cone = Structure::new(slope, full / of_one, of_one, length);
        let whole = Structure::new(slope, volume / of_one, of_one, length);

        // What is hit hard moves as it likes for a while.
        if self.is_hit(world, centre, &cone, length, dt) {
            self.state.shaken = SHAKEN;
        }
        if self.state.shaken > 0.0 {
            self.state.shaken -= dt;
            self.let_go(world);
            return;
        }

        // How full its layers are, and up to where bodies sleep.
        let (down, across) = (-self.settings.angle.sin(), self.settings.angle.cos());
        let sight = |place: DVec3| {
            let (out, height) = (place.truncate() - centre, place.z - self.settings.base);
            let (from_axis, top) = (out.length(), height + 0.5 * diameter);
            Sight {
                layer: cone.layer_at(height),
                above: cone.above_side(from_axis, top) / diameter,
                above_whole: whole.above_side(from_axis, top) / diameter,
                lies_on_others: height > 0.5 * length && from_axis < whole.radius,
                downhill: (across * out.normalize_or(DVec2::X)).extend(down),
            }
        };
        let mut density = vec![0.0; cone.layers];
        let mut has_sleepers = vec![false; cone.layers];
        for &row in &self.members {
            let seen = sight(world.bodies.pose[row].position);
            if let Some(layer) = seen.layer.filter(|_| seen.above < SHELL) {
                density[layer] += 1.0 / cone.capacity_of(layer);
                has_sleepers[layer] |= world.bodies.rest[row].asleep;
            }
        }
        let lowest_open = has_sleepers.iter().position(|sleepers| !sleepers).unwrap_or(cone.layers);

        let slow = self.settings.slow * (gravity * length).sqrt();
        let landslide = LANDSLIDE * (gravity * length).sqrt();
        let fade = (-FADING * (gravity / length).sqrt() * dt).exp();
        for &row in &self.members {
            let (motion, rest) = (&mut world.bodies.motion[row], &mut world.bodies.rest[row]);
            let memory = &mut self.state.memory[world.bodies.traits[row].id.index as usize];
            let (seen, speed) = (sight(world.bodies.pose[row].position), motion.velocity.length());
            let is_stuck = memory.slow > PATIENCE;
            if rest.asleep {
                // Avalanche: what stands too high wakes.
                if seen.lies_on_others && seen.above_whole > 2.0 * TOO_HIGH && !is_stuck {
                    *rest = Rest::default();
                }
                continue;
            }
            memory.slow = if speed < slow { memory.slow + dt } else { 0.0 };
            if seen.lies_on_others && seen.above_whole > TOO_HIGH && !is_stuck {
                // Too high for its volume: on down the side.
                fade_to(motion, landslide * seen.downhill, fade);
            } else if seen.above > SHELL + 0.5 {
                // On the way down the side, or beside the pile: free, but no faster than a landslide.
                if seen.lies_on_others && speed > landslide {
                    let slower = motion.velocity * (landslide / speed);
                    fade_to(motion, slower, fade);
                }
            } else {
                // In the pile: to rest, and asleep if the layer is dense, the side not near and the body slow, from the bottom up.
                fade_to(motion, DVec3::ZERO, fade);
                let closeness = (SHELL + 0.5 - seen.above).clamp(0.0, 1.0);
                let slowness = 1.0 / (1.0 + speed / slow);
                let layer = seen.layer.unwrap_or(0).min(cone.layers - 1);
                let score = density[layer].min(1.0) * closeness * slowness;
                if score > self.settings.threshold && memory.slow > self.settings.grace && layer <= lowest_open {
                    *rest = Rest { asleep: true, held: true, still: 0.0 };
                    *motion = Motion::default();
                }
            }
        }
    }

    /// Whether a body with much momentum will be in the pile, or a member from it, within two frames. Looked at before it hits: sleepers would
    /// be a wall to it.
    fn is_hit(&self, world: &World, centre: DVec2, cone: &Structure, length: f64, dt: f64) -> bool {
        let bodies = &world.bodies;
        let mean_mass =
            self.members.iter().map(|&row| bodies.inertia[row].mass).sum::<f64>() / self.members.len() as f64;
        let limit = HEAVY * mean_mass * (world.gravity.length() * length).sqrt();
        (0..bodies.len()).any(|row| {
            let velocity = bodies.motion[row].velocity;
            let soon = bodies.pose[row].position + 2.0 * dt * velocity;
            let (from_axis, height) = (soon.truncate().distance(centre), soon.z - self.settings.base);
            bodies.inertia[row].mass * velocity.length() > limit
                && cone.above_side(from_axis, height) < world.radius(row) + length
        })
    }

    /// Wakes all members, who then have to be slow again for a while before they may sleep.
    fn let_go(&mut self, world: &mut World) {
        for &row in &self.members {
            if world.bodies.rest[row].held {
                world.bodies.rest[row] = Rest::default();
            }
            self.state.memory[world.bodies.traits[row].id.index as usize].slow = 0.0;
        }
    }

    /// Where the axis is: where it was said to be, or in the middle of the members, which it follows.
    fn follow(&mut self, world: &World, dt: f64) -> DVec2 {
        if let Some(place) = self.settings.place {
            return place;
        }
        let places = self.members.iter().map(|&row| world.bodies.pose[row].position.truncate());
        let middle = places.sum::<DVec2>() / self.members.len() as f64;
        let centre = self.state.centre.map_or(middle, |centre| centre.lerp(middle, (dt / FOLLOWING).min(1.0)));
        *self.state.centre.insert(centre)
    }

    /// Finds out who has landed.
    fn gather(&mut self, world: &World, contacts: &[u32], dt: f64) {
        self.members.clear();
        for (row, traits) in world.bodies.traits.iter().enumerate() {
            let slot = traits.id.index as usize;
            if slot >= self.state.memory.len() {
                self.state.memory.resize(slot + 1, Memory::new(u64::MAX));
            }
            let memory = &mut self.state.memory[slot];
            if memory.id != traits.id.number() {
                *memory = Memory::new(traits.id.number());
            }
            let touches = contacts[row] > 0 || world.bodies.rest[row].asleep;
            memory.free = if touches { 0.0 } else { memory.free + dt };
            if memory.free < HOP {
                self.members.push(row);
            }
        }
        // The order of rows is the solver's own affair.
        self.members.sort_unstable_by_key(|&row| world.bodies.traits[row].id);
    }
}

/// Lets motion fade to a steady one.
fn fade_to(motion: &mut Motion, velocity: DVec3, fade: f64) {
    motion.velocity = velocity + fade * (motion.velocity - velocity);
    motion.spin *= fade;
}
