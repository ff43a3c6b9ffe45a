//! A block of the neighbour list: the pairs and walls of a fixed number of consecutive spheres.
//!
//! Every pair belongs to the sphere that finds it. A block owns all its pairs, so blocks can be worked on by any thread with
//! the same result, without locks and without atomics.

use glam::DVec3;

use super::{Feature, Grid, Sphere, Spheres, closest_on_triangle, sphere_box, sphere_plane};
use crate::geometry::Surface;
use crate::world::Obstacle;

/// Number of consecutive spheres whose pairs form one unit of work. Fixed: results must not depend on threads.
pub(crate) const BLOCK: usize = 256;

/// Force of a contact on its first sphere; the second gets the opposite.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    /// Force \[N\].
    pub(crate) force: DVec3,
    /// Torque on either sphere, per unit of that sphere's radius \[N\].
    pub(crate) torque: DVec3,
}

/// A sphere and a piece of an obstacle that may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    /// The obstacle.
    pub(crate) obstacle: u32,
    /// The triangle, for a mesh; else 0.
    pub(crate) triangle: u32,
    /// Tangential stretch of the friction spring \[m\].
    pub(crate) stretch: DVec3,
    /// Unit vector from the surface to the sphere, as of the last look.
    pub(crate) normal: DVec3,
    /// Distance of the centre from the surface, as of the last look \[m\].
    pub(crate) distance: f64,
    /// What part of the triangle was nearest.
    pub(crate) feature: Feature,
    /// Whether it touches.
    pub(crate) touching: bool,
    /// Whether it touched in the step before.
    pub(crate) touched: bool,
}

/// All pairs of [`BLOCK`] consecutive spheres.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Pairs of the block's sphere `k` are `starts[k]..starts[k + 1]`.
    pub(crate) starts: Vec<u32>,
    /// The sphere of the block that each pair belongs to, counted from the first of the block.
    pub(crate) first_of: Vec<u32>,
    /// The other sphere of each pair.
    pub(crate) partner: Vec<u32>,
    /// Tangential stretch of each pair's friction spring, as seen by the first sphere \[m\]. Zero when they do not touch.
    pub(crate) stretch: Vec<DVec3>,
    /// What each pair does. Written by contacts, read by gather.
    pub(crate) rows: Vec<Row>,
    /// Walls of the block's sphere `k` are `wall_starts[k]..wall_starts[k + 1]`, in the order of obstacle and triangle.
    pub(crate) wall_starts: Vec<u32>,
    /// What the spheres may touch of the obstacles.
    pub(crate) walls: Vec<Wall>,
}

impl Wall {
    pub(super) fn new(obstacle: u32, triangle: u32) -> Self {
        Self {
            obstacle,
            triangle,
            stretch: DVec3::ZERO,
            normal: DVec3::ZERO,
            distance: 0.0,
            feature: Feature::Face,
            touching: false,
            touched: false,
        }
    }
}

impl Block {
    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Pairs of the block's sphere `k`.
    pub(crate) fn pairs_of(&self, k: usize) -> std::ops::Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    /// Walls of the block's sphere `k`.
    pub(crate) fn walls_of(&self, k: usize) -> std::ops::Range<usize> {
        self.wall_starts[k] as usize..self.wall_starts[k + 1] as usize
    }

    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.wall_starts.clear();
        self.wall_starts.push(0);
        self.partner.clear();
        self.stretch.clear();
        self.rows.clear();
        self.first_of.clear();
        self.walls.clear();
    }

    /// Ends the pairs and walls of one sphere.
    pub(super) fn end_sphere(&mut self) {
        self.starts.push(self.partner.len() as u32);
        self.wall_starts.push(self.walls.len() as u32);
    }

    /// Appends the partners of sphere `s` within reach, each pair at one of its two spheres only.
    pub(super) fn find_pairs(&mut self, s: usize, spheres: &Spheres, grid: &Grid, skin: f64) {
        let own = &spheres.place[s];
        grid.visit_later(s, own.center, |run| {
            for &other in run {
                let sphere = &spheres.place[other as usize];
                let reach = own.radius + sphere.radius + skin;
                let near = (sphere.center - own.center).length_squared() < reach * reach;
                if near && spheres.carried[other as usize].body != spheres.carried[s].body {
                    self.partner.push(other);
                }
            }
        });
        self.stretch.resize(self.partner.len(), DVec3::ZERO);
        self.rows.resize(self.partner.len(), Row::default());
        self.first_of.resize(self.partner.len(), (s % BLOCK) as u32);
    }

    /// Appends the pieces of obstacles within reach of a sphere.
    pub(super) fn find_walls(&mut self, sphere: &Sphere, obstacles: &[Obstacle], skin: f64, near: &mut Vec<u32>) {
        let reach = sphere.radius + skin;
        for (o, obstacle) in obstacles.iter().enumerate() {
            let center = obstacle.pose.to_local(sphere.center);
            near.clear();
            match &obstacle.surface {
                Surface::Plane if sphere_plane(center).distance < reach => near.push(0),
                Surface::Box(half) if sphere_box(center, *half).distance < reach => near.push(0),
                Surface::Mesh(mesh) => {
                    mesh.near(center, reach, near);
                    near.retain(|&triangle| {
                        let (nearest, _) = closest_on_triangle(center, mesh.corners(triangle));
                        (center - nearest).length() < reach
                    });
                }
                _ => {}
            }
            self.walls.extend(near.iter().map(|&triangle| Wall::new(o as u32, triangle)));
        }
        self.end_sphere();
    }

    /// Carries the memory of the last sphere's pairs and walls over from the old list.
    pub(super) fn recall(&mut self, s: usize, previous: &[Block], old_of: &impl Fn(usize) -> Option<u32>) {
        let Some(old) = old_of(s) else { return };
        let old_block = |row: u32| (&previous[row as usize / BLOCK], row as usize % BLOCK);
        let stretch_between = |first: u32, second: u32| {
            let (block, k) = old_block(first);
            block.pairs_of(k).find(|&p| block.partner[p] == second).map(|p| block.stretch[p])
        };
        let k = self.len() - 1;
        for p in self.pairs_of(k) {
            if let Some(other) = old_of(self.partner[p] as usize) {
                // Sums with zero leave no negative zeros behind, whichever way round the pair was kept.
                self.stretch[p] = match stretch_between(old, other) {
                    Some(stretch) => DVec3::ZERO + stretch,
                    None => DVec3::ZERO - stretch_between(other, old).unwrap_or(DVec3::ZERO),
                };
            }
        }
        let (block, old_k) = old_block(old);
        let old_walls = &block.walls[block.walls_of(old_k)];
        let walls = self.walls_of(k);
        for wall in &mut self.walls[walls] {
            let same = |old: &&Wall| old.obstacle == wall.obstacle && old.triangle == wall.triangle && old.touching;
            if let Some(old) = old_walls.iter().find(same) {
                *wall = *old;
            }
        }
    }
}
