//! The granular solver: soft contacts, small steps (Bell, Yu & Mucha 2005).
//!
//! A step is in `step.rs`: neighbours ▶ contacts ▶ gather, between the two halves of the integrator.

mod contacts;
mod gather;
mod lanes;
mod law;
mod stable_step;
mod step;
mod verlet;

pub use law::Law;
pub use stable_step::StepLimit;

use law::{Coefficients, Hertz, Linear, pair_table};

use crate::contact::{Neighbours, Row, SavedContact, SavedWall, Spheres};
use crate::world::{BodyId, Obstacle, World};

/// The granular solver and its memory.
#[derive(Clone, Debug)]
pub(crate) struct Granular {
    law: Law,
    pairs: Vec<Coefficients>,
    neighbours: Neighbours,
    /// Spheres of all bodies. Written by neighbours.
    spheres: Spheres,
    /// What obstacles do to each sphere. Written by contacts, read by gather.
    from_walls: Vec<Row>,
}

/// What a look at all contacts shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Contacts {
    /// How many pairs push.
    pub(crate) count: u64,
    /// Deepest overlap over the smaller radius \[-\].
    pub(crate) deepest: f64,
    /// The two bodies of the deepest contact; the second is none for an obstacle.
    pub(crate) deepest_between: Option<(BodyId, Option<BodyId>)>,
}

impl Granular {
    /// A solver for the materials of a world.
    pub(crate) fn new(world: &World, law: Law, skin: f64) -> Self {
        let pairs = match law {
            Law::Linear => pair_table::<Linear>(&world.materials),
            Law::Hertz => pair_table::<Hertz>(&world.materials),
        };
        Self { law, pairs, neighbours: Neighbours::new(skin), spheres: Spheres::default(), from_walls: Vec::new() }
    }

    /// The steps that bodies of these kinds can take: index of shape, index of material, smallest size \[-\].
    pub(crate) fn step_limit(&self, world: &World, kinds: &[(u32, u32, f64)]) -> Option<StepLimit> {
        match self.law {
            Law::Linear => StepLimit::new::<Linear>(world, &self.pairs, kinds),
            Law::Hertz => StepLimit::new::<Hertz>(world, &self.pairs, kinds),
        }
    }

    /// Puts rows into the order that the state alone decides, and builds the list.
    ///
    /// Called before the first step of a frame, so that a frame depends on the state at its beginning and on nothing
    /// else: not on when the list was last built, nor on whether the run was resumed.
    pub(crate) fn find_neighbours(&mut self, world: &mut World) {
        self.neighbours.build(world, &mut self.spheres);
        self.from_walls.resize(self.spheres.len(), Row::default());
    }

    /// How often the neighbour list was built.
    pub(crate) fn list_builds(&self) -> u64 {
        self.neighbours.builds
    }

    /// Looks at all contacts of the present list.
    pub(crate) fn look(&self, obstacles: &[Obstacle]) -> Contacts {
        let mut seen = Contacts::default();
        // Names are the list's: rows may have gone since it was built.
        let name = |sphere: usize| self.neighbours.name(sphere);
        self.visit_contacts(obstacles, |sphere, other, depth| {
            seen.count += 1;
            if depth > seen.deepest {
                seen.deepest = depth;
                seen.deepest_between = Some((name(sphere), other.map(name)));
            }
        });
        seen
    }

    /// How many contacts push on each sphere of the present list, with the name of its body.
    pub(crate) fn contacts_of_bodies(&self, obstacles: &[Obstacle]) -> impl Iterator<Item = (BodyId, u32)> {
        let mut counts = vec![0; self.spheres.len()];
        self.visit_contacts(obstacles, |sphere, other, _| {
            counts[sphere] += 1;
            if let Some(other) = other {
                counts[other] += 1;
            }
        });
        counts.into_iter().enumerate().map(|(sphere, count)| (self.neighbours.name(sphere), count))
    }

    /// Shows every contact that pushes: a sphere, the other one (none for an obstacle), overlap over the smaller radius.
    fn visit_contacts(&self, obstacles: &[Obstacle], mut see: impl FnMut(usize, Option<usize>, f64)) {
        let mut walls = Vec::new();
        let mut s = 0;
        for block in &self.neighbours.blocks {
            for k in 0..block.len() {
                let a = &self.spheres.place[s];
                for p in block.pairs_of(k) {
                    let other = block.partner[p] as usize;
                    let b = &self.spheres.place[other];
                    let overlap = a.radius + b.radius - (a.center - b.center).length();
                    if overlap > 0.0 {
                        see(s, Some(other), overlap / a.radius.min(b.radius));
                    }
                }
                walls.clear();
                walls.extend_from_slice(&block.walls[block.walls_of(k)]);
                contacts::look_at_walls(a, obstacles, &mut walls);
                for wall in walls.iter().filter(|wall| wall.touching) {
                    see(s, None, (a.radius - wall.distance) / a.radius);
                }
                s += 1;
            }
        }
    }

    /// The memory of all contacts between living bodies, by names.
    pub(crate) fn save(&self, world: &World) -> (Vec<SavedContact>, Vec<SavedWall>) {
        let (mut contacts, mut walls) = self.neighbours.save();
        let lives = |id| world.bodies.row(id).is_some();
        contacts.retain(|contact| lives(contact.a) && lives(contact.b));
        walls.retain(|wall| lives(wall.body));
        (contacts, walls)
    }

    /// Takes over the memory of a saved state, whose bodies are in the order of ids.
    pub(crate) fn load(&mut self, world: &mut World, contacts: &[SavedContact], walls: &[SavedWall]) {
        let names: Vec<BodyId> = world.bodies.traits.iter().map(|traits| traits.id).collect();
        self.neighbours.load(&names, contacts, walls);
        self.find_neighbours(world);
    }
}
