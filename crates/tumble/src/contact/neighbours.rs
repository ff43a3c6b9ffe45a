//! The neighbour list: which spheres and surfaces may touch before anything has moved half the skin, and what each such
//! pair remembers.
//!
//! Reads body poses, spheres, obstacles; writes the row order of bodies, the pairs of each block of spheres with their
//! history, and for each sphere the list of rows in which it is the second partner.
//!
//! Row order and pair order are functions of the state alone (cells, then ids), not of how it was reached.

use glam::DVec3;
use rayon::prelude::*;

use super::block::{BLOCK, Block, Wall};
use super::{Grid, Spheres};
use crate::world::{Bodies, BodyId, Obstacle, Pose, Shape, World};

/// A contact's memory, by names that survive re-sorting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedContact {
    pub(crate) a: BodyId,
    pub(crate) b: BodyId,
    /// As seen by `a`.
    pub(crate) stretch: DVec3,
}

/// A wall contact's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedWall {
    pub(crate) body: BodyId,
    pub(crate) obstacle: u32,
    pub(crate) triangle: u32,
    pub(crate) stretch: DVec3,
    pub(crate) normal: DVec3,
}

/// The neighbour list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    /// Extra reach of the list \[m\].
    pub(crate) skin: f64,
    /// Pairs, by blocks of spheres.
    pub(crate) blocks: Vec<Block>,
    /// Rows in which sphere `s` is the second partner are `incoming[incoming_starts[s]..incoming_starts[s + 1]]`.
    pub(crate) incoming_starts: Vec<u32>,
    /// Block and row in the block.
    pub(crate) incoming: Vec<(u32, u32)>,
    /// How often the list was built.
    pub(crate) builds: u64,
    /// Where bodies and obstacles were when the list was built.
    built_positions: Vec<DVec3>,
    built_obstacles: Vec<Pose>,
    /// Largest distance of a body from an obstacle's origin when the list was built \[m\]: the lever of a turning plane.
    built_span: f64,
    /// Names of the spheres' bodies when the list was built.
    built_ids: Vec<BodyId>,
    /// The list before this one, from which history is carried over.
    previous: Vec<Block>,
    grid: Grid,
}

impl Neighbours {
    /// An empty list with this skin.
    pub(crate) fn new(skin: f64) -> Self {
        Self { skin, ..Self::default() }
    }

    /// Whether bodies and obstacles are still within the reach of the list.
    pub(crate) fn holds(&self, bodies: &Bodies, obstacles: &[Obstacle]) -> bool {
        if self.built_positions.len() != bodies.len() {
            return false;
        }
        let limit = 0.25 * self.skin * self.skin;
        self.obstacle_motion(obstacles) <= 0.5 * self.skin
            && bodies
                .pose
                .par_chunks(BLOCK)
                .zip(self.built_positions.par_chunks(BLOCK))
                .all(|(now, then)| now.iter().zip(then).all(|(n, t)| (n.position - *t).length_squared() <= limit))
    }

    /// Farthest that any point of an obstacle near a body has moved since the list was built \[m\].
    fn obstacle_motion(&self, obstacles: &[Obstacle]) -> f64 {
        let moved = |(obstacle, then): (&Obstacle, &Pose)| {
            let turn = obstacle.pose.orientation * then.orientation.conjugate();
            let chord = 2.0 * DVec3::new(turn.x, turn.y, turn.z).length();
            let lever = obstacle.surface.reach().min(self.built_span);
            (obstacle.pose.position - then.position).length() + if chord > 0.0 { chord * lever } else { 0.0 }
        };
        obstacles.iter().zip(&self.built_obstacles).filter(|(o, _)| o.is_driven()).map(moved).fold(0.0, f64::max)
    }

    /// Sorts bodies in space and builds the list anew, carrying history over.
    ///
    /// The spheres are placed in the new order.
    pub(crate) fn build(&mut self, world: &mut World, spheres: &mut Spheres) {
        let old_row = self.old_rows(world.bodies.ids.slots());
        let widest = widest_sphere(world);
        let cell = 2.0 * widest + self.skin;
        self.sort_bodies(&mut world.bodies, cell);
        spheres.place(world);

        // Rows moved, so what each body was called in the old list is looked up by its id.
        let old_of = |sphere: usize| {
            let id = world.bodies.traits[spheres.carried[sphere].body as usize].id;
            old_row.get(id.index as usize).filter(|(generation, _)| *generation == id.generation).map(|&(_, row)| row)
        };
        self.grid.build(spheres.place.iter().map(|s| s.center), cell);
        std::mem::swap(&mut self.blocks, &mut self.previous);
        self.blocks.resize_with(spheres.len().div_ceil(BLOCK), Block::default);

        let (grid, previous, skin) = (&self.grid, &self.previous, self.skin);
        self.blocks.par_iter_mut().enumerate().for_each(|(b, block)| {
            block.clear();
            let mut near = Vec::new();
            for s in b * BLOCK..((b + 1) * BLOCK).min(spheres.len()) {
                block.find_pairs(s, spheres, grid, skin);
                block.find_walls(&spheres.place[s], &world.obstacles, skin, &mut near);
                block.recall(s, previous, &old_of);
            }
        });

        self.list_incoming(spheres.len());
        self.built_positions.clear();
        self.built_positions.extend(world.bodies.pose.iter().map(|pose| pose.position));
        self.built_ids.clear();
        self.built_ids.extend(spheres.carried.iter().map(|carried| world.bodies.traits[carried.body as usize].id));
        self.built_obstacles.clear();
        self.built_obstacles.extend(world.obstacles.iter().map(|obstacle| obstacle.pose));
        self.built_span = span(&self.built_positions, &world.obstacles);
        self.builds += 1;
    }

    /// For each id slot, the generation and the sphere it had when the list was built.
    fn old_rows(&self, slots: usize) -> Vec<(u32, u32)> {
        let mut rows = vec![(u32::MAX, 0); slots];
        for (row, id) in self.built_ids.iter().enumerate() {
            rows[id.index as usize] = (id.generation, row as u32);
        }
        rows
    }

    /// Puts bodies in the order of cells, those of one cell in the order of ids.
    fn sort_bodies(&mut self, bodies: &mut Bodies, cell: f64) {
        self.grid.build(bodies.pose.iter().map(|pose| pose.position), cell);
        let mut order = self.grid.entries().to_vec();
        let cells = self.grid.cells();
        for group in order.chunk_by_mut(|&a, &b| cells[a as usize] == cells[b as usize]) {
            group.sort_unstable_by_key(|&row| bodies.traits[row as usize].id);
        }
        if !order.is_sorted() {
            bodies.take_rows(&order);
        }
    }

    /// Lists for each sphere the rows in which it is the second partner, in the order of the first partners.
    fn list_incoming(&mut self, spheres: usize) {
        let starts = &mut self.incoming_starts;
        starts.clear();
        starts.resize(spheres + 2, 0);
        for partner in self.blocks.iter().flat_map(|block| &block.partner) {
            starts[*partner as usize + 2] += 1;
        }
        for s in 2..starts.len() {
            starts[s] += starts[s - 1];
        }
        self.incoming.resize(starts.last().map_or(0, |&end| end as usize), (0, 0));
        for (b, block) in self.blocks.iter().enumerate() {
            for (row, partner) in block.partner.iter().enumerate() {
                let slot = &mut starts[*partner as usize + 1];
                self.incoming[*slot as usize] = (b as u32, row as u32);
                *slot += 1;
            }
        }
        starts.pop();
    }

    /// The name of a sphere's body when the list was built.
    pub(crate) fn name(&self, sphere: usize) -> BodyId {
        self.built_ids[sphere]
    }

    /// All memory of the list, in the order of ids.
    pub(crate) fn save(&self) -> (Vec<SavedContact>, Vec<SavedWall>) {
        let id = |sphere: usize| self.name(sphere);
        let (mut contacts, mut walls) = (Vec::new(), Vec::new());
        for (b, block) in self.blocks.iter().enumerate() {
            for k in 0..block.len() {
                let s = b * BLOCK + k;
                for p in block.pairs_of(k) {
                    if block.stretch[p] != DVec3::ZERO {
                        let (a, b) = (id(s), id(block.partner[p] as usize));
                        let stretch = if a < b { block.stretch[p] } else { -block.stretch[p] };
                        contacts.push(SavedContact { a: a.min(b), b: a.max(b), stretch });
                    }
                }
                let touching = block.walls[block.walls_of(k)].iter().filter(|wall| wall.touching);
                walls.extend(touching.map(|&Wall { obstacle, triangle, stretch, normal, .. }| SavedWall {
                    body: id(s),
                    obstacle,
                    triangle,
                    stretch,
                    normal,
                }));
            }
        }
        contacts.sort_unstable_by_key(|c| (c.a, c.b));
        walls.sort_unstable_by_key(|w| (w.body, w.obstacle, w.triangle));
        (contacts, walls)
    }

    /// Becomes the list of a saved state: one that knows nothing but its memory, from which the next build carries over.
    ///
    /// `bodies` are the names of all rows; contacts and walls are in the order of the rows.
    pub(crate) fn load(&mut self, bodies: &[BodyId], contacts: &[SavedContact], walls: &[SavedWall]) {
        let (mut contacts, mut walls) = (contacts.iter().peekable(), walls.iter().peekable());
        let row_of = |id: &BodyId| bodies.binary_search(id).map_or(u32::MAX, |row| row as u32);
        self.blocks.clear();
        for rows in bodies.chunks(BLOCK) {
            let mut block = Block::default();
            block.clear();
            for id in rows {
                while let Some(contact) = contacts.next_if(|contact| contact.a == *id) {
                    block.partner.push(row_of(&contact.b));
                    block.stretch.push(contact.stretch);
                }
                while let Some(wall) = walls.next_if(|wall| wall.body == *id) {
                    let &SavedWall { obstacle, triangle, stretch, normal, .. } = wall;
                    block.walls.push(Wall { stretch, normal, touching: true, ..Wall::new(obstacle, triangle) });
                }
                block.end_sphere();
            }
            self.blocks.push(block);
        }
        self.built_ids = bodies.to_vec();
        // No positions: the list cannot hold, so it is built before the next forces.
        self.built_positions.clear();
    }
}

/// Radius of the largest sphere in the world \[m\].
fn widest_sphere(world: &World) -> f64 {
    let widest = |shape: &Shape| shape.spheres.iter().map(|s| s.radius).fold(0.0, f64::max);
    let by_shape: Vec<f64> = world.shapes.iter().map(widest).collect();
    world.bodies.traits.iter().map(|t| by_shape[t.shape as usize] * t.size).fold(0.0, f64::max)
}

/// Largest distance of a body from the origin of a driven obstacle \[m\].
fn span(positions: &[DVec3], obstacles: &[Obstacle]) -> f64 {
    let farthest = |o: &Obstacle| positions.iter().map(|p| (*p - o.pose.position).length()).fold(0.0, f64::max);
    obstacles.iter().filter(|o| o.is_driven()).map(farthest).fold(0.0, f64::max)
}
