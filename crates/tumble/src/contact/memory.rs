//! Contact history, carried from one neighbour list to the next and to and from a saved state.
//!
//! Rows move and lists change; names do not. The name of a sphere is its body's id and its number
//! in the body.

use glam::DVec3;

use super::block::{Block, FOUR, SpherePair, Wall, block_size};
use super::{Neighbours, Sleepers, Spheres};
use crate::lanes::{Register, row, vector};
use crate::world::{BodyId, World};

/// The name of a sphere. Those that cover obstacles are counted over all obstacles and come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SphereName {
    pub(crate) body: BodyId,
    pub(crate) sphere: u32,
}

impl SphereName {
    /// Whether it is a sphere of an obstacle.
    pub(crate) fn is_of_obstacle(self) -> bool {
        self.body == OBSTACLES
    }
}

/// The "body" of spheres that cover obstacles.
const OBSTACLES: BodyId = BodyId { index: u32::MAX, generation: u32::MAX };

/// History of a contact between two spheres, by names that survive re-sorting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedContact {
    pub(crate) a: SphereName,
    pub(crate) b: SphereName,
    /// As seen by `a`.
    pub(crate) stretch: DVec3,
    /// As seen by `a`.
    pub(crate) roll: DVec3,
}

/// History of a contact between a sphere and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedWall {
    pub(crate) sphere: SphereName,
    pub(crate) obstacle: u32,
    pub(crate) triangle: u32,
    pub(crate) stretch: DVec3,
    pub(crate) roll: DVec3,
    pub(crate) normal: DVec3,
}

impl Wall {
    /// Its history, for a sphere of this name.
    pub(super) fn saved(&self, sphere: SphereName) -> SavedWall {
        let &Self { obstacle, triangle, stretch, roll, normal, .. } = self;
        SavedWall { sphere, obstacle, triangle, stretch, roll, normal }
    }
}

impl SavedWall {
    /// The wall with this history, for the sphere of this number in its block.
    fn wall(&self, sphere: u32) -> Wall {
        let &Self { obstacle, triangle, stretch, roll, normal, .. } = self;
        Wall { stretch, roll, normal, touching: true, ..Wall::new(sphere, obstacle, triangle) }
    }

    pub(super) fn key(&self) -> (SphereName, u32, u32) {
        (self.sphere, self.obstacle, self.triangle)
    }
}

/// The previous list, from which history is recalled.
pub(super) struct Old<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) names: &'a Names,
    /// History of its contacts with no awake body.
    pub(super) sleepers: &'a Sleepers,
}

/// Names of the spheres of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The body in each row.
    ids: Vec<BodyId>,
    /// Its first sphere, and in the end the first sphere of obstacles.
    first: Vec<u32>,
    /// Number of spheres.
    count: u32,
    /// Bodies before this row were asleep, except those in these rows.
    asleep: usize,
    woken: Vec<u32>,
}

impl Names {
    /// Number of bodies.
    pub(super) fn bodies(&self) -> usize {
        self.ids.len()
    }

    /// The body in each row.
    pub(super) fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// Whether a sphere belonged to a sleeping body or to an obstacle.
    fn rested(&self, sphere: u32) -> bool {
        let row = self.row(sphere);
        row >= self.ids.len() || row < self.asleep && self.woken.binary_search(&(row as u32)).is_err()
    }

    /// Stores the rows of bodies that have woken.
    pub(super) fn set_woken(&mut self, sleepers: &Sleepers) {
        self.woken.clear();
        self.woken.extend_from_slice(sleepers.woken());
    }

    pub(super) fn set(&mut self, world: &World, spheres: &Spheres, sleepers: &Sleepers) {
        self.asleep = sleepers.rows();
        self.set_woken(sleepers);
        self.ids.clear();
        self.ids.extend(world.bodies.traits.iter().map(|traits| traits.id));
        self.first.clear();
        self.first.extend((0..self.ids.len()).map(|row| spheres.of_body(row).start as u32));
        self.first.push(spheres.of_obstacles().start as u32);
        self.count = spheres.len() as u32;
    }

    /// The name of a sphere.
    pub(super) fn name(&self, sphere: usize) -> SphereName {
        let row = self.row(sphere as u32);
        let body = self.ids.get(row).copied().unwrap_or(OBSTACLES);
        SphereName { body, sphere: sphere as u32 - self.first[row] }
    }

    /// The row of a sphere; for one of obstacles the number of rows.
    fn row(&self, sphere: u32) -> usize {
        self.first.partition_point(|&first| first <= sphere) - 1
    }

    /// Returns a function that maps a sphere of the present world to its index in this list.
    pub(super) fn finder<'a>(&'a self, world: &'a World, spheres: &'a Spheres) -> impl Fn(usize) -> Option<u32> + 'a {
        // For each id slot, the generation and the row it had.
        let mut rows = vec![(u32::MAX, 0); world.bodies.ids.slots()];
        for (row, id) in self.ids.iter().enumerate().filter(|(_, id)| (id.index as usize) < world.bodies.ids.slots()) {
            rows[id.index as usize] = (id.generation, row);
        }
        let of_obstacles = spheres.of_obstacles().start;
        move |sphere| {
            if sphere >= of_obstacles {
                return self.first.last().map(|first| first + (sphere - of_obstacles) as u32);
            }
            let row = spheres.owner[sphere].body as usize;
            let id = world.bodies.traits[row].id;
            let (generation, old_row) = rows[id.index as usize];
            let number = (sphere - spheres.of_body(row).start) as u32;
            (generation == id.generation).then(|| self.first[old_row] + number)
        }
    }
}

impl Block {
    /// Carries the history of all pairs and walls over from the old list.
    pub(super) fn recall(
        &mut self,
        old: &Old<'_>,
        old_of: &impl Fn(usize) -> Option<u32>,
        (names, spheres): (&Names, &Spheres),
        rolls: bool,
    ) {
        self.touched.resize(self.pairs.len().div_ceil(FOUR), 0);
        self.stretch.resize(self.pairs.len(), Register::ZERO);
        self.roll.resize(if rolls { self.pairs.len() } else { 0 }, Register::ZERO);
        // For pairs with a sleeper, recompute `touched` from geometry: saved states store only
        // contacts with a non-zero spring.
        let pairs = if old.sleepers.is_empty() { 0 } else { self.pairs.len() };
        for p in 0..pairs {
            let (a, b) = (self.spheres.start + self.pairs[p].own as usize, self.pairs[p].partner as usize);
            if b < old.sleepers.spheres() && spheres.place[a].touches(&spheres.place[b]) {
                self.set_touched(p);
            }
        }
        let listed = |sphere: usize| old_of(sphere).filter(|&then| then < old.names.count);
        // The block of a sphere of the old list and its number in it; none for one that was asleep.
        let old_place = |sphere: u32| {
            let block = old.blocks.get(old.blocks.partition_point(|block| block.spheres.end <= sphere as usize))?;
            Some((block, (sphere as usize).checked_sub(block.spheres.start)?))
        };
        let between = |first: u32, second: u32| {
            let (block, k) = old_place(first)?;
            let pair = block.pairs_of(k).find(|&p| block.pairs[p].partner == second)?;
            Some((block.touched(pair), block.stretch[pair], block.roll.get(pair).copied().unwrap_or(Register::ZERO)))
        };
        for k in 0..self.len() {
            let s = self.spheres.start + k;
            let Some(then) = listed(s) else { continue };
            // A sphere that was asleep has no pairs and no walls of its own in the old list.
            let slept = !old.sleepers.nothing_kept() && old.names.rested(then);
            for p in self.pairs_of(k) {
                let partner = self.pairs[p].partner as usize;
                let Some(other) = listed(partner) else { continue };
                // Adding zero removes negative zeros, whichever order the pair was stored in.
                let zero = Register::ZERO;
                if let Some((touching, stretch, roll)) = between(then, other) {
                    self.keep(p, touching, zero + stretch, zero + roll);
                } else if let Some((touching, stretch, roll)) = between(other, then) {
                    self.keep(p, touching, zero - stretch, zero - roll);
                } else if slept && old.names.rested(other) {
                    let (a, b) = (names.name(s), names.name(partner));
                    if let Some(kept) = old.sleepers.contact(a.min(b), a.max(b)) {
                        let sign = if a < b { 1.0 } else { -1.0 };
                        let signed = |v: DVec3| row(DVec3::ZERO + sign * v, 0.0);
                        self.keep(p, true, signed(kept.stretch), signed(kept.roll));
                    }
                }
            }
            let walls = self.walls_of(k);
            if slept {
                for wall in &mut self.walls[walls] {
                    if let Some(kept) = old.sleepers.wall((names.name(s), wall.obstacle, wall.triangle)) {
                        *wall = kept.wall(wall.sphere);
                    }
                }
                continue;
            }
            let Some((block, old_k)) = old_place(then) else { continue };
            let old_walls = &block.walls[block.walls_of(old_k)];
            for wall in &mut self.walls[walls] {
                let same = |old: &&Wall| old.obstacle == wall.obstacle && old.triangle == wall.triangle && old.touching;
                if let Some(old) = old_walls.iter().find(same) {
                    *wall = Wall { sphere: wall.sphere, ..*old };
                }
            }
        }
    }
}

impl Block {
    /// History of a pair, between spheres of these names.
    pub(super) fn saved(&self, pair: usize, a: SphereName, b: SphereName) -> SavedContact {
        let (stretch, roll) = (vector(self.stretch[pair]), self.roll.get(pair).copied().map_or(DVec3::ZERO, vector));
        let sign = if a < b { 1.0 } else { -1.0 };
        // Adding zero removes negative zeros.
        let (stretch, roll) = (DVec3::ZERO + sign * stretch, DVec3::ZERO + sign * roll);
        SavedContact { a: a.min(b), b: a.max(b), stretch, roll }
    }

    fn keep(&mut self, pair: usize, touching: bool, stretch: Register, roll: Register) {
        if touching {
            self.set_touched(pair);
        }
        self.stretch[pair] = stretch;
        if let Some(kept) = self.roll.get_mut(pair) {
            *kept = roll;
        }
    }
}

impl Neighbours {
    /// The name of a sphere's body when the list was built; none for an obstacle.
    pub(crate) fn body_of(&self, sphere: usize) -> Option<BodyId> {
        Some(self.names.name(sphere).body).filter(|&body| body != OBSTACLES)
    }

    /// All contact history of the list, in the order of names.
    pub(crate) fn save(&self, spheres: &Spheres) -> (Vec<SavedContact>, Vec<SavedWall>) {
        let name = |sphere: usize| self.names.name(sphere);
        let (mut contacts, mut walls) = (Vec::new(), Vec::new());
        for block in &self.blocks {
            for k in 0..block.len() {
                let s = block.spheres.start + k;
                for p in block.pairs_of(k) {
                    let roll = block.roll.get(p).copied().map_or(DVec3::ZERO, vector);
                    if vector(block.stretch[p]) != DVec3::ZERO || roll != DVec3::ZERO {
                        contacts.push(block.saved(p, name(s), name(block.pairs[p].partner as usize)));
                    }
                }
                let touching = block.walls[block.walls_of(k)].iter().filter(|wall| wall.touching);
                walls.extend(touching.map(|wall| wall.saved(name(s))));
            }
        }
        let remembers = |contact: &SavedContact| contact.stretch != DVec3::ZERO || contact.roll != DVec3::ZERO;
        contacts.extend(self.sleepers.contacts(spheres).map(|kept| kept.what).filter(remembers));
        walls.extend(self.sleepers.walls(spheres).map(|kept| kept.what));
        contacts.sort_unstable_by_key(|c| (c.a, c.b));
        walls.sort_unstable_by_key(SavedWall::key);
        (contacts, walls)
    }

    /// Becomes the list of a saved state, which holds nothing but history; the next build carries
    /// it over.
    ///
    /// Bodies are in the order of ids; contacts and walls are in the order of names.
    pub(crate) fn load(
        &mut self,
        world: &World,
        spheres: &mut Spheres,
        contacts: &[SavedContact],
        walls: &[SavedWall],
    ) {
        spheres.place(world, 0, 0.0);
        // Sleepers are settled with the next list, from this one.
        self.sleepers = Sleepers::default();
        self.names.set(world, spheres, &self.sleepers);
        let (mut contacts, mut walls) = (contacts.iter().peekable(), walls.iter().peekable());
        let row_of = |id: &BodyId| self.names.ids.binary_search(id).unwrap_or(self.names.ids.len());
        let sphere_of = |name: &SphereName| {
            let sphere = self.names.first[row_of(&name.body)].checked_add(name.sphere)?;
            (sphere < self.names.count).then_some(sphere)
        };
        self.blocks.clear();
        let size = block_size(spheres.len());
        for begin in (0..spheres.len()).step_by(size) {
            let own = begin..(begin + size).min(spheres.len());
            let mut block = Block::default();
            block.restart(0..0, own.clone());
            for (k, sphere) in own.enumerate() {
                let name = self.names.name(sphere);
                while let Some(contact) = contacts.next_if(|contact| contact.a == name) {
                    // A damaged state may name spheres that are not there.
                    let Some(partner) = sphere_of(&contact.b) else { continue };
                    block.pairs.push(SpherePair { own: k as u32, partner, slot: 0 });
                    block.touched.resize(block.pairs.len().div_ceil(FOUR), 0);
                    block.set_touched(block.pairs.len() - 1);
                    block.stretch.push(row(contact.stretch, 0.0));
                    if self.rolls {
                        block.roll.push(row(contact.roll, 0.0));
                    }
                }
                while let Some(wall) = walls.next_if(|wall| wall.sphere == name) {
                    block.walls.push(wall.wall(k as u32));
                }
                block.end_sphere();
            }
            self.blocks.push(block);
        }
        (self.complete, self.is_trial) = (false, false);
    }
}
