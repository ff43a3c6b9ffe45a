//! What contacts remember, carried from one neighbour list to the next and to and from a saved state.
//!
//! Rows move and lists change; names do not. A sphere is called by its body's id and its number in the body.

use glam::DVec3;

use super::block::{Block, FOUR, Pair, Wall, block_size};
use super::{Neighbours, Spheres};
use crate::lanes::{Row, row, vector};
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

/// A contact's memory, by names that survive re-sorting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedContact {
    pub(crate) a: SphereName,
    pub(crate) b: SphereName,
    /// As seen by `a`.
    pub(crate) stretch: DVec3,
    /// As seen by `a`.
    pub(crate) roll: DVec3,
}

/// A wall contact's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedWall {
    pub(crate) sphere: SphereName,
    pub(crate) obstacle: u32,
    pub(crate) triangle: u32,
    pub(crate) stretch: DVec3,
    pub(crate) roll: DVec3,
    pub(crate) normal: DVec3,
}

/// What the spheres of a list are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The body in each row.
    ids: Vec<BodyId>,
    /// Its first sphere, and in the end the first sphere of obstacles.
    first: Vec<u32>,
    /// Number of spheres.
    count: u32,
}

impl Names {
    /// Number of bodies.
    pub(super) fn bodies(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn set(&mut self, world: &World, spheres: &Spheres) {
        self.ids.clear();
        self.ids.extend(world.bodies.traits.iter().map(|traits| traits.id));
        self.first.clear();
        self.first.extend((0..self.ids.len()).map(|row| spheres.of_body(row).start as u32));
        self.first.push(spheres.of_obstacles().start as u32);
        self.count = spheres.len() as u32;
    }

    /// The name of a sphere.
    pub(super) fn name(&self, sphere: usize) -> SphereName {
        let row = self.first.partition_point(|&first| first <= sphere as u32) - 1;
        let body = self.ids.get(row).copied().unwrap_or(OBSTACLES);
        SphereName { body, sphere: sphere as u32 - self.first[row] }
    }

    /// Tells which sphere of this list a sphere of the present world was.
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
    /// Carries the memory of all pairs and walls over from the old list.
    pub(super) fn recall(
        &mut self,
        previous: &[Block],
        old_names: &Names,
        old_of: &impl Fn(usize) -> Option<u32>,
        rolls: bool,
    ) {
        self.touched.resize(self.pairs.len().div_ceil(FOUR), 0);
        self.stretch.resize(self.pairs.len(), Row::ZERO);
        self.roll.resize(if rolls { self.pairs.len() } else { 0 }, Row::ZERO);
        // The block of a sphere of the old list and its number in it.
        let old_place = |sphere: u32| {
            let block = &previous[previous.partition_point(|block| block.spheres.end <= sphere as usize)];
            (block, sphere as usize - block.spheres.start)
        };
        let between = |first: u32, second: u32| {
            let (block, k) = old_place(first);
            let pair = block.pairs_of(k).find(|&p| block.pairs[p].partner == second)?;
            Some((block.touched(pair), block.stretch[pair], block.roll.get(pair).copied().unwrap_or(Row::ZERO)))
        };
        for k in 0..self.len() {
            let Some(old) = old_of(self.spheres.start + k).filter(|&old| old < old_names.count) else { continue };
            for p in self.pairs_of(k) {
                let Some(other) = old_of(self.pairs[p].partner as usize).filter(|&old| old < old_names.count) else {
                    continue;
                };
                // Sums with zero leave no negative zeros behind, whichever way round the pair was kept.
                let zero = Row::ZERO;
                if let Some((touching, stretch, roll)) = between(old, other) {
                    self.keep(p, touching, zero + stretch, zero + roll);
                } else if let Some((touching, stretch, roll)) = between(other, old) {
                    self.keep(p, touching, zero - stretch, zero - roll);
                }
            }
            let (block, old_k) = old_place(old);
            let old_walls = &block.walls[block.walls_of(old_k)];
            let walls = self.walls_of(k);
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
    fn keep(&mut self, pair: usize, touching: bool, stretch: Row, roll: Row) {
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

    /// All memory of the list, in the order of names.
    pub(crate) fn save(&self) -> (Vec<SavedContact>, Vec<SavedWall>) {
        let name = |sphere: usize| self.names.name(sphere);
        let (mut contacts, mut walls) = (Vec::new(), Vec::new());
        for block in &self.blocks {
            for k in 0..block.len() {
                let s = block.spheres.start + k;
                for p in block.pairs_of(k) {
                    let stretch = vector(block.stretch[p]);
                    let roll = block.roll.get(p).copied().map_or(DVec3::ZERO, vector);
                    if stretch != DVec3::ZERO || roll != DVec3::ZERO {
                        let (a, b) = (name(s), name(block.pairs[p].partner as usize));
                        let sign = if a < b { 1.0 } else { -1.0 };
                        // A sum with zero leaves no negative zeros behind.
                        let (stretch, roll) = (DVec3::ZERO + sign * stretch, DVec3::ZERO + sign * roll);
                        contacts.push(SavedContact { a: a.min(b), b: a.max(b), stretch, roll });
                    }
                }
                let touching = block.walls[block.walls_of(k)].iter().filter(|wall| wall.touching);
                walls.extend(touching.map(|&Wall { obstacle, triangle, stretch, roll, normal, .. }| SavedWall {
                    sphere: name(s),
                    obstacle,
                    triangle,
                    stretch,
                    roll,
                    normal,
                }));
            }
        }
        contacts.sort_unstable_by_key(|c| (c.a, c.b));
        walls.sort_unstable_by_key(|w| (w.sphere, w.obstacle, w.triangle));
        (contacts, walls)
    }

    /// Becomes the list of a saved state: one that knows nothing but its memory, from which the next build carries over.
    ///
    /// Bodies are in the order of ids; contacts and walls are in the order of names.
    pub(crate) fn load(
        &mut self,
        world: &World,
        spheres: &mut Spheres,
        contacts: &[SavedContact],
        walls: &[SavedWall],
    ) {
        spheres.place(world, 0.0);
        self.names.set(world, spheres);
        let (mut contacts, mut walls) = (contacts.iter().peekable(), walls.iter().peekable());
        let row_of = |id: &BodyId| self.names.ids.binary_search(id).unwrap_or(self.names.ids.len());
        let sphere_of = |name: &SphereName| self.names.first[row_of(&name.body)] + name.sphere;
        self.blocks.clear();
        let size = block_size(spheres.len());
        for begin in (0..spheres.len()).step_by(size) {
            let own = begin..(begin + size).min(spheres.len());
            let mut block = Block::default();
            block.restart(0..0, own.clone());
            for (k, sphere) in own.enumerate() {
                let name = self.names.name(sphere);
                while let Some(contact) = contacts.next_if(|contact| contact.a == name) {
                    block.pairs.push(Pair { own: k as u32, partner: sphere_of(&contact.b), slot: 0 });
                    block.touched.resize(block.pairs.len().div_ceil(FOUR), 0);
                    block.set_touched(block.pairs.len() - 1);
                    block.stretch.push(row(contact.stretch, 0.0));
                    if self.rolls {
                        block.roll.push(row(contact.roll, 0.0));
                    }
                }
                while let Some(wall) = walls.next_if(|wall| wall.sphere == name) {
                    let &SavedWall { obstacle, triangle, stretch, roll, normal, .. } = wall;
                    let new = Wall::new(k as u32, obstacle, triangle);
                    block.walls.push(Wall { stretch, roll, normal, touching: true, ..new });
                }
                block.end_sphere();
            }
            self.blocks.push(block);
        }
        (self.complete, self.is_trial) = (false, false);
    }
}
