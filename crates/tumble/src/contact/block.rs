//! A block of the neighbour list: pairs, walls and force sums of the spheres of some consecutive
//! bodies.
//!
//! Every pair belongs to the sphere that finds it. A block owns all its pairs and a force sum for
//! every sphere of a pair, its own and those of other blocks (its halo). So any thread can work on
//! any block with the same result, without locks and without atomics, and the sums stay in the
//! nearest caches.

use std::ops::Range;

use glam::DVec3;

use super::spheres::OBSTACLE;
use super::{Levels, Sleepers, Sphere, Spheres};
use crate::geometry::{Feature, Surface, closest_on_triangle, sphere_box, sphere_plane};
use crate::lanes::Register;
use crate::world::Obstacle;

/// Number of spheres with which a block is full, given the number of all spheres; a body is never
/// divided. A large block has a small halo, and still fits into the second-level cache; a small
/// scene needs enough blocks for all threads. The size depends on the number of spheres alone, so
/// that results do not depend on the number of threads.
pub(super) fn block_size(spheres: usize) -> usize {
    (spheres / 32).clamp(128, 1024)
}

/// Sum of contact forces and torques on a sphere; the last lane of each register is unused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    /// Force \[N\].
    pub(crate) force: Register,
    /// Torque about the sphere's centre, per unit of its radius \[N\].
    pub(crate) torque: Register,
}

impl Sum {
    pub(crate) const ZERO: Self = Self { force: Register::ZERO, torque: Register::ZERO };
}

/// Pairs that are tested together; one byte of `touched` holds their bits.
pub(crate) const FOUR: usize = 4;

/// Two spheres that may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpherePair {
    /// The sphere that the pair belongs to, counted from the first of the block.
    pub(crate) own: u32,
    /// The other sphere.
    pub(crate) partner: u32,
    /// Index in [`Block::sums`] of the force on the other sphere.
    pub(crate) slot: u32,
}

/// A sphere and a piece of an obstacle that may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wall {
    /// The sphere, counted from the first of the block.
    pub(crate) sphere: u32,
    /// The obstacle.
    pub(crate) obstacle: u32,
    /// The triangle, for a mesh; else 0.
    pub(crate) triangle: u32,
    /// The nearest feature of the triangle.
    pub(crate) feature: Feature,
    /// Whether it touches.
    pub(crate) touching: bool,
    /// Whether it touched in the previous step.
    pub(crate) touched: bool,
    /// Whether a nearer piece of the same mesh covers it.
    pub(crate) covered: bool,
    /// Tangential stretch of the friction spring \[m\].
    pub(crate) stretch: DVec3,
    /// Angle of the rolling spring \[rad\].
    pub(crate) roll: DVec3,
    /// Unit vector from the surface to the sphere, at the last evaluation.
    pub(crate) normal: DVec3,
    /// Distance of the centre from the surface, at the last evaluation \[m\]; in an inner corner of
    /// a mesh, the radius less the overlap with all pieces together.
    pub(crate) distance: f64,
    /// Share of the normal force in an inner corner of a mesh \[-\], at the last evaluation; one
    /// elsewhere.
    pub(crate) share: f64,
}

/// Spheres of consecutive bodies (or of obstacles) with all their pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    /// Rows of the bodies; empty for a block of obstacles' spheres.
    pub(crate) bodies: Range<usize>,
    /// Their spheres.
    pub(crate) spheres: Range<usize>,
    /// Pairs of the block's sphere `k` are `starts[k]..starts[k + 1]`.
    pub(crate) starts: Vec<u32>,
    /// Pairs of spheres that may touch.
    pub(crate) pairs: Vec<SpherePair>,
    /// Whether they touched when the history last advanced: bit `p % FOUR` of byte `p / FOUR` for
    /// pair `p`.
    pub(crate) touched: Vec<u8>,
    /// Tangential stretch of each pair's friction spring, as seen by the first sphere \[m\]. Zero
    /// when they do not touch.
    pub(crate) stretch: Vec<Register>,
    /// Angle of each pair's rolling spring, as seen by the first sphere \[rad\]; empty if the law
    /// has none.
    pub(crate) roll: Vec<Register>,
    /// Spheres of other blocks in pairs of this one, ascending.
    pub(crate) halo: Vec<u32>,
    /// Force sum of each sphere of the block, then of each of the halo. Written by contacts, read
    /// by gather.
    pub(crate) sums: Vec<Sum>,
    /// Walls of the block's sphere `k` are `wall_starts[k]..wall_starts[k + 1]`, in the order of
    /// obstacle and triangle.
    pub(crate) wall_starts: Vec<u32>,
    /// Pieces of obstacles that the spheres may touch.
    pub(crate) walls: Vec<Wall>,
    /// Copies of the walls, for a trial evaluation.
    pub(crate) seen_walls: Vec<Wall>,
    /// Walls that touch. Written and read by contacts.
    pub(crate) touching_walls: Vec<u32>,
    /// Rows of sleeping bodies that this block wakes. Written and read by waking.
    pub(crate) woken: Vec<u32>,
    /// The deepest contact of the last evaluation above the limit asked for. Written by contacts.
    pub(crate) deepest: Option<Deepest>,
    /// Reaction of obstacles on each of the block's spheres; empty unless there is stiction.
    /// Written by contacts.
    pub(crate) reactions: Vec<Reaction>,
}

/// A contact that is deeper than others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deepest {
    /// Overlap over the smaller radius \[-\].
    pub(crate) depth: f64,
    /// The sphere.
    pub(crate) sphere: u32,
    /// The other sphere; none for the surface of an obstacle.
    pub(crate) other: Option<u32>,
}

/// Reaction of obstacles on a sphere, for stiction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reaction {
    /// Sum of normal forces \[N\].
    pub(crate) push: DVec3,
    /// Sum of normal forces times coefficients of friction \[N\].
    pub(crate) friction: f64,
    /// Sum of friction forces \[N\].
    pub(crate) rub: DVec3,
    /// Sum of normal forces times relative velocities at the contact points \[N·m/s\].
    pub(crate) slip: DVec3,
    /// Sum of normal forces times the velocities of the obstacles there \[N·m/s\].
    pub(crate) velocity: DVec3,
}

impl Wall {
    pub(crate) fn new(sphere: u32, obstacle: u32, triangle: u32) -> Self {
        Self {
            sphere,
            obstacle,
            triangle,
            feature: Feature::Face,
            touching: false,
            touched: false,
            covered: false,
            stretch: DVec3::ZERO,
            roll: DVec3::ZERO,
            normal: DVec3::ZERO,
            distance: 0.0,
            share: 1.0,
        }
    }

    /// Value of `share` while it is not known.
    pub(crate) const UNDECIDED: f64 = -1.0;

    /// Whether its share is not known.
    pub(crate) fn is_undecided(&self) -> bool {
        self.share < 0.0
    }
}

impl Block {
    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Pairs of the block's sphere `k`.
    pub(crate) fn pairs_of(&self, k: usize) -> Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    /// Walls of the block's sphere `k`.
    pub(crate) fn walls_of(&self, k: usize) -> Range<usize> {
        self.wall_starts[k] as usize..self.wall_starts[k + 1] as usize
    }

    /// Clears the block, keeps its allocations, and makes it the block of these bodies and spheres.
    pub(super) fn restart(&mut self, bodies: Range<usize>, spheres: Range<usize>) {
        (self.bodies, self.spheres) = (bodies, spheres);
        self.starts.clear();
        self.starts.push(0);
        self.wall_starts.clear();
        self.wall_starts.push(0);
        self.pairs.clear();
        self.touched.clear();
        self.stretch.clear();
        self.roll.clear();
        self.walls.clear();
    }

    /// Ends the pairs and walls of one sphere.
    pub(super) fn end_sphere(&mut self) {
        self.starts.push(self.pairs.len() as u32);
        self.wall_starts.push(self.walls.len() as u32);
    }

    /// Appends the partners of sphere `s` within reach, each pair at one of its two spheres only.
    pub(super) fn find_pairs(&mut self, s: usize, spheres: &Spheres, levels: &Levels, skin: f64) {
        let (center, radius) = (spheres.place[s].center(), spheres.place[s].radius());
        let body = spheres.owner[s].body;
        let own = (s - self.spheres.start) as u32;
        levels.visit_partners(s, center, |run| {
            for &other in run {
                let sphere = &spheres.place[other as usize];
                let reach = radius + sphere.radius() + skin;
                let near = (sphere.center() - center).length_squared() < reach * reach;
                if near && spheres.owner[other as usize].body != body {
                    self.pairs.push(SpherePair { own, partner: other, slot: 0 });
                }
            }
        });
    }

    /// Adds pairs with sleeping spheres near `s`. Bodies that woke after the last sort are skipped
    /// (`rests` is false): the awake grid finds them. Sleepers never search.
    pub(super) fn find_sleepers(
        &mut self,
        s: usize,
        spheres: &Spheres,
        sleepers: &Sleepers,
        skin: f64,
        rests: impl Fn(u32) -> bool,
    ) {
        let (center, radius) = (spheres.place[s].center(), spheres.place[s].radius());
        let own = (s - self.spheres.start) as u32;
        sleepers.visit_near(center, radius + skin, |run| {
            for &other in run {
                let sphere = &spheres.place[other as usize];
                let reach = radius + sphere.radius() + skin;
                let near = (sphere.center() - center).length_squared() < reach * reach;
                if near && rests(spheres.owner[other as usize].body) {
                    self.pairs.push(SpherePair { own, partner: other, slot: 0 });
                }
            }
        });
    }

    /// Appends the spheres of obstacles that were within reach of sphere `s` when the list was
    /// built; it has not moved since.
    pub(super) fn find_covers(&mut self, s: usize, spheres: &Spheres, levels: &Levels, skin: f64) {
        if spheres.of_obstacles().is_empty() {
            return;
        }
        let (center, radius) = (spheres.place[s].center(), spheres.place[s].radius());
        let own = (s - self.spheres.start) as u32;
        levels.visit_near(center, radius + skin, |run| {
            for &other in run.iter().filter(|&&other| spheres.owner[other as usize].body == OBSTACLE) {
                let reach = radius + spheres.place[other as usize].radius() + skin;
                if (spheres.listed()[other as usize] - center).length_squared() < reach * reach {
                    self.pairs.push(SpherePair { own, partner: other, slot: 0 });
                }
            }
        });
    }

    /// Appends the pieces of these obstacles within reach of a sphere.
    pub(super) fn find_walls(
        &mut self,
        sphere: &Sphere,
        obstacles: &[Obstacle],
        among: &[u32],
        skin: f64,
        near: &mut Vec<u32>,
    ) {
        let reach = sphere.radius() + skin;
        let number = self.starts.len() as u32 - 1;
        for &o in among {
            let obstacle = &obstacles[o as usize];
            let center = obstacle.pose.to_local(sphere.center());
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
            self.walls.extend(near.iter().map(|&triangle| Wall::new(number, o, triangle)));
        }
    }

    /// Whether a pair touched when the history last advanced.
    pub(crate) fn touched(&self, pair: usize) -> bool {
        self.touched[pair / FOUR] & 1 << (pair % FOUR) != 0
    }

    /// Marks a pair as one that touched.
    pub(super) fn set_touched(&mut self, pair: usize) {
        self.touched[pair / FOUR] |= 1 << (pair % FOUR);
    }

    /// Builds the halo and gives every sphere of a pair a slot in the force sums.
    pub(super) fn give_slots(&mut self) {
        let own = self.spheres.clone();
        let partners = self.pairs.iter().map(|pair| pair.partner);
        self.halo.clear();
        self.halo.extend(partners.filter(|&partner| !own.contains(&(partner as usize))));
        self.halo.sort_unstable();
        self.halo.dedup();
        for pair in &mut self.pairs {
            pair.slot = match self.halo.binary_search(&pair.partner) {
                Ok(place) => (own.len() + place) as u32,
                Err(_) => pair.partner - own.start as u32,
            };
        }
        self.sums.clear();
        self.sums.resize(self.len() + self.halo.len(), Sum::ZERO);
    }
}
