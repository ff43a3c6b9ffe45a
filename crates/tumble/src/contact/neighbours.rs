//! The neighbour list: pairs of spheres and surfaces that may touch before anything has moved half
//! the skin, with their history.
//!
//! Reads body poses, spheres, obstacles; writes the row order of bodies, the pairs of each block of
//! spheres with their history, and for each sphere its slots in the halos of other blocks.
//!
//! Row order and pair order are functions of the state alone (asleep or awake, then cells, then
//! ids), not of how it was reached. Only awake spheres search for partners; see `sleepers.rs`.

use glam::DVec3;
use rayon::prelude::*;

use super::block::{Block, block_size};
use super::memory::{Names, Old};
use super::sleepers::in_order;
use super::{Levels, Sleepers, Spheres};
use crate::geometry::{Grid, Surface};
use crate::world::{Bodies, Obstacle, Pose, World};

/// The neighbour list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    /// Extra reach of the list \[m\].
    pub(crate) skin: f64,
    /// Whether pairs have a rolling spring.
    pub(super) rolls: bool,
    /// Pairs, by blocks of spheres.
    pub(crate) blocks: Vec<Block>,
    /// Sums of other blocks for sphere `s` are `incoming[incoming_starts[s]..incoming_starts[s +
    /// 1]]`.
    pub(crate) incoming_starts: Vec<u32>,
    /// Block and slot in the block.
    pub(crate) incoming: Vec<(u32, u32)>,
    /// How often the list was built.
    pub(crate) builds: u64,
    /// Whether it lists all pairs, not only those of a saved state.
    pub(super) complete: bool,
    /// Names of the spheres when the list was built.
    pub(super) names: Names,
    /// Where obstacles were when the list was built.
    built_obstacles: Vec<Pose>,
    /// Largest distance of a sphere from an obstacle's origin when the list was built \[m\]: the
    /// lever of a turning plane.
    built_span: f64,
    /// The list from which history is carried over, and its names: the one before this one, unless
    /// this one was built on trial, within a step that may be rejected.
    previous: Vec<Block>,
    previous_names: Names,
    /// Whether this list was built on trial, so that the contact history is still in the previous
    /// one.
    pub(super) is_trial: bool,
    /// Sleeping bodies, which come first.
    pub(crate) sleepers: Sleepers,
    pub(super) levels: Levels,
    pub(super) grid: Grid,
}

impl Neighbours {
    /// An empty list with this skin.
    pub(crate) fn new(skin: f64, rolls: bool) -> Self {
        Self { skin, rolls, ..Self::default() }
    }

    /// The blocks with bodies; those with spheres of obstacles come after them.
    pub(crate) fn blocks_of_bodies(&self) -> &[Block] {
        &self.blocks[..self.blocks.partition_point(|block| !block.bodies.is_empty())]
    }

    /// How far spheres and obstacles may move before the list has to be built anew \[m\].
    pub(crate) fn reach(&self) -> f64 {
        0.5 * self.skin
    }

    /// Whether obstacles are still within the reach of the list. One that was built on trial is
    /// good for trials only.
    pub(crate) fn holds(&self, obstacles: &[Obstacle], trial: bool) -> bool {
        (trial || !self.is_trial) && self.obstacle_motion(obstacles) <= self.reach()
    }

    /// Whether the list holds all present bodies. Rows move and bodies are removed only when it is
    /// rebuilt, but bodies are born between builds.
    pub(crate) fn lists(&self, bodies: &Bodies) -> bool {
        self.complete && self.names.bodies() == bodies.len()
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

    /// Chooses the skin that minimises the cost of steps of `step` \[s\] at the present speeds.
    ///
    /// A list with skin s holds for s/2v steps and costs as much as B of them; its pairs grow with
    /// (1 + s/2r)³, and with them the share P of a step that tests them. The sum of both, 2Bv/s + P
    /// (1 + s/2r)³ with v the displacement per step, is least for about s² = (4B/3P) r v.
    pub(crate) fn choose_skin(&mut self, world: &World, step: f64) {
        let radius = smallest_sphere(world, self.sleepers.awake(world.bodies.len()));
        if radius.is_finite() {
            let way = step * largest_speed(world, self.sleepers.awake(world.bodies.len()));
            self.skin = (SKIN_FACTOR * radius * way).sqrt().clamp(SKINS[0] * radius, SKINS[1] * radius);
        }
    }

    /// Puts awake bodies in the order of cells, those of one cell in the order of ids. Bodies that
    /// have woken between sleepers stay in their rows.
    pub(crate) fn sort(&mut self, world: &mut World) {
        let first = self.sleepers.rows();
        let finest = smallest_sphere(world, first..world.bodies.len());
        let bodies = &mut world.bodies;
        let positions = bodies.pose[first..].iter().map(|pose| pose.position);
        let mut order =
            in_order(&mut self.grid, positions, 2.0 * finest + self.skin, |k| bodies.traits[first + k as usize].id);
        if !order.is_sorted() {
            order.iter_mut().for_each(|row| *row += first as u32);
            bodies.take_rows_from(first, &order);
        }
    }

    /// Rebuilds the list without moving rows and carries history over; motions are `lag` \[s\]
    /// older than poses. A list that is built on `trial`, within a step that may be rejected, may
    /// lack pairs that have history; the next one then recalls from the list before it.
    pub(crate) fn build(&mut self, world: &World, spheres: &mut Spheres, lag: f64, trial: bool) {
        let rest = &world.bodies.rest;
        spheres.place(world, self.sleepers.rows(), lag);
        self.sleepers.woken().iter().for_each(|&row| spheres.place_row(world, row as usize, lag));
        if !self.is_trial {
            std::mem::swap(&mut self.blocks, &mut self.previous);
            std::mem::swap(&mut self.names, &mut self.previous_names);
        }
        self.is_trial = trial;
        self.names.set(world, spheres, &self.sleepers);
        let of_woken = self.sleepers.woken().iter().flat_map(|&row| spheres.of_body(row as usize));
        let of_others = self.sleepers.spheres()..spheres.len();
        self.levels.build(&spheres.place, of_woken.chain(of_others), self.skin);
        self.divide(world, spheres);

        let old_of = self.previous_names.finder(world, spheres);
        let (levels, sleepers) = (&self.levels, &self.sleepers);
        let old = Old { blocks: &self.previous, names: &self.previous_names, sleepers };
        let (skin, rolls) = (self.skin, self.rolls);
        let spheres = &*spheres;
        self.blocks.par_iter_mut().for_each(|block| {
            let (mut near, mut among) = (Vec::new(), Vec::new());
            for row in block.bodies.clone() {
                near_obstacles(world, row, skin, &mut among);
                for s in spheres.of_body(row) {
                    block.find_pairs(s, spheres, levels, skin);
                    block.find_sleepers(s, spheres, sleepers, skin, |other| rest[other as usize].asleep);
                    block.find_walls(&spheres.place[s], &world.obstacles, &among, skin, &mut near);
                    block.end_sphere();
                }
            }
            if block.bodies.is_empty() {
                for s in block.spheres.clone() {
                    block.find_pairs(s, spheres, levels, skin);
                    block.end_sphere();
                }
            }
            block.give_slots();
            block.recall(&old, &old_of, (&self.names, spheres), rolls);
        });
        drop(old_of);

        self.list_incoming(spheres.len());
        self.built_obstacles.clear();
        self.built_obstacles.extend(world.obstacles.iter().map(|obstacle| obstacle.pose));
        self.built_span = span(spheres.listed(), &world.obstacles);
        self.builds += 1;
        self.complete = true;
    }

    /// Divides bodies into blocks, and the spheres of obstacles after them.
    fn divide(&mut self, world: &World, spheres: &Spheres) {
        let size = block_size(spheres.len() - self.sleepers.spheres());
        let mut count = 0;
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut block = |bodies, spheres| {
            if count == blocks.len() {
                blocks.push(Block::default());
            }
            blocks[count].restart(bodies, spheres);
            count += 1;
        };
        for rows in self.sleepers.woken().chunk_by(|row, next| row + 1 == *next) {
            let rows = rows[0] as usize..rows[rows.len() - 1] as usize + 1;
            block(rows.clone(), spheres.first_of(rows.start)..spheres.first_of(rows.end));
        }
        let rows = self.sleepers.rows()..world.bodies.len();
        let mut first_row = rows.start;
        for row in rows.clone() {
            let (begin, end) = (spheres.of_body(first_row).start, spheres.of_body(row).end);
            if end - begin >= size || row + 1 == rows.end {
                block(first_row..row + 1, begin..end);
                first_row = row + 1;
            }
        }
        let of_obstacles = spheres.of_obstacles();
        for begin in of_obstacles.clone().step_by(size) {
            block(0..0, begin..(begin + size).min(of_obstacles.end));
        }
        blocks.truncate(count);
        self.blocks = blocks;
    }

    /// Lists for each sphere its slots in the force sums of other blocks, in the order of blocks.
    pub(super) fn list_incoming(&mut self, spheres: usize) {
        let starts = &mut self.incoming_starts;
        starts.clear();
        starts.resize(spheres + 2, 0);
        for &sphere in self.blocks.iter().flat_map(|block| &block.halo) {
            starts[sphere as usize + 2] += 1;
        }
        for s in 2..starts.len() {
            starts[s] += starts[s - 1];
        }
        self.incoming.resize(starts.last().map_or(0, |&end| end as usize), (0, 0));
        for (b, block) in self.blocks.iter().enumerate() {
            for (k, &sphere) in block.halo.iter().enumerate() {
                let place = &mut starts[sphere as usize + 1];
                self.incoming[*place as usize] = (b as u32, (block.len() + k) as u32);
                *place += 1;
            }
        }
        starts.pop();
    }
}

/// 4B/3P: a list costs as much as about five steps, and testing pairs takes a fifth of a step.
const SKIN_FACTOR: f64 = 33.0;

/// The smallest and the largest skin that is chosen, over the smallest radius.
const SKINS: [f64; 2] = [0.1, 1.0];

/// Upper bound of the speed of any point of a body in these rows or of a driven obstacle \[m/s\].
fn largest_speed(world: &World, rows: impl Iterator<Item = usize>) -> f64 {
    let bodies = rows.map(|row| (row, &world.bodies.motion[row]));
    let of_bodies = bodies.map(|(row, motion)| motion.velocity.length() + motion.spin.length() * world.radius(row));
    // A plane turns as far out as there are bodies; their own speed must do for it.
    let lever = |obstacle: &Obstacle| Some(obstacle.surface.reach()).filter(|reach| reach.is_finite()).unwrap_or(0.0);
    let driven = world.obstacles.iter().filter(|obstacle| obstacle.is_driven());
    let of_obstacles = driven.map(|o| o.motion.velocity.length() + o.motion.spin.length() * lever(o));
    of_bodies.chain(of_obstacles).fold(0.0, f64::max)
}

/// Radius of the smallest sphere of a body in these rows \[m\].
pub(super) fn smallest_sphere(world: &World, rows: impl Iterator<Item = usize>) -> f64 {
    let by_shape: Vec<f64> =
        world.shapes.iter().map(|shape| shape.spheres.iter().map(|s| s.radius).fold(f64::INFINITY, f64::min)).collect();
    let traits = rows.map(|row| &world.bodies.traits[row]);
    traits.map(|t| by_shape[t.shape.index()] * t.size).fold(f64::INFINITY, f64::min)
}

/// Obstacles without a cover whose surface the body in a row may reach.
pub(super) fn near_obstacles(world: &World, row: usize, skin: f64, near: &mut Vec<u32>) {
    let (center, reach) = (world.bodies.pose[row].position, world.radius(row) + skin);
    let is_sphere = world.shapes[world.bodies.traits[row].shape.index()].spheres.len() == 1;
    near.clear();
    near.extend((0..world.obstacles.len() as u32).filter(|&o| {
        let obstacle = &world.obstacles[o as usize];
        let bare = obstacle.cover.is_empty();
        bare && match &obstacle.surface {
            // The tree of a mesh answers for a sphere as fast as for a body, but a body has
            // several.
            Surface::Mesh(mesh) => is_sphere || mesh.comes_near(obstacle.pose.to_local(center), reach),
            surface => surface.distance(obstacle.pose.to_local(center)) < reach,
        }
    }));
}

/// Largest distance of a sphere from the origin of a driven obstacle \[m\].
fn span(positions: &[DVec3], obstacles: &[Obstacle]) -> f64 {
    let farthest = |o: &Obstacle| positions.iter().map(|p| (*p - o.pose.position).length()).fold(0.0, f64::max);
    obstacles.iter().filter(|o| o.is_driven()).map(farthest).fold(0.0, f64::max)
}
