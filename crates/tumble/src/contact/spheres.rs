//! Spheres of all bodies and covered obstacles in the world, as contacts see them.
//!
//! Reads poses and motions of bodies and obstacles; written when rows move and after every drift. Two columns, by use: whether
//! two spheres touch needs only where they are, and a column of that alone stays in the nearest cache. Rows of 32 bytes go
//! into registers in one piece.

use std::ops::Range;

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::{Block, for_each_block};
use crate::world::{Obstacle, World};

/// Where a sphere is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sphere {
    /// Centre \[m\].
    pub(crate) center: DVec3,
    /// Radius \[m\].
    pub(crate) radius: f64,
}

/// What a sphere has from the body or obstacle it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Carried {
    /// Velocity of the sphere's centre \[m/s\].
    pub(crate) velocity: DVec3,
    /// One over the mass of the body \[1/kg\]; zero for an obstacle.
    pub(crate) inverse_mass: f64,
    /// Spin of the body \[rad/s\].
    pub(crate) spin: DVec3,
    /// Zero: fills the row up to 32 bytes.
    pub(crate) row_end: f64,
    /// Index of the material.
    pub(crate) material: u32,
    /// Row of the body, or [`OBSTACLE`].
    pub(crate) body: u32,
}

/// The "body" of spheres that cover obstacles.
pub(crate) const OBSTACLE: u32 = u32::MAX;

/// All spheres: those of bodies in the order of rows, then those of obstacles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spheres {
    pub(crate) place: Vec<Sphere>,
    pub(crate) carried: Vec<Carried>,
    /// Offset from the body's centre in its own axes, or place in the obstacle's axes \[m\].
    local: Vec<DVec3>,
    /// Spheres of the body in row `r` are `first[r]..first[r + 1]`.
    first: Vec<u32>,
    /// Centres when the neighbour list was built.
    listed: Vec<DVec3>,
}

impl Spheres {
    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.place.len()
    }

    /// Spheres of the body in a row.
    #[inline(always)]
    pub(crate) fn of_body(&self, row: usize) -> Range<usize> {
        self.first[row] as usize..self.first[row + 1] as usize
    }

    /// Spheres of all obstacles.
    pub(crate) fn of_obstacles(&self) -> Range<usize> {
        self.first.last().map_or(0, |&end| end as usize)..self.len()
    }

    /// Makes the spheres anew, after rows have moved.
    pub(crate) fn place(&mut self, world: &World) {
        let bodies = &world.bodies;
        self.place.clear();
        self.carried.clear();
        self.local.clear();
        self.first.clear();
        for (row, traits) in bodies.traits.iter().enumerate() {
            self.first.push(self.place.len() as u32);
            for sphere in &world.shapes[traits.shape as usize].spheres {
                self.place.push(Sphere { center: DVec3::ZERO, radius: traits.size * sphere.radius });
                self.local.push(traits.size * sphere.offset);
                self.carried.push(Carried {
                    velocity: DVec3::ZERO,
                    inverse_mass: 1.0 / bodies.inertia[row].mass,
                    spin: DVec3::ZERO,
                    row_end: 0.0,
                    material: traits.material,
                    body: row as u32,
                });
            }
            let spheres = self.first[row] as usize..;
            follow_body(
                world,
                row,
                &self.local[spheres.clone()],
                &mut self.place[spheres.clone()],
                &mut self.carried[spheres],
            );
        }
        self.first.push(self.place.len() as u32);
        for obstacle in &world.obstacles {
            for sphere in &obstacle.cover {
                let (place, carried) = on_obstacle(obstacle, sphere.offset, sphere.radius);
                self.place.push(place);
                self.carried.push(carried);
                self.local.push(sphere.offset);
            }
        }
        self.listed.clear();
        self.listed.extend(self.place.iter().map(|sphere| sphere.center));
    }

    /// Moves the spheres along with their bodies, which are in the same rows as before.
    pub(crate) fn follow(&mut self, world: &World, blocks: &[Block]) {
        let (local, first) = (&self.local, &self.first);
        let columns = (self.place.as_mut_slice(), self.carried.as_mut_slice());
        for_each_block(blocks, columns, &|block| block.spheres.clone(), &|block, (place, carried)| {
            let begin = block.spheres.start;
            for row in block.bodies.clone() {
                let spheres = first[row] as usize..first[row + 1] as usize;
                let own = spheres.start - begin..spheres.end - begin;
                follow_body(world, row, &local[spheres], &mut place[own.clone()], &mut carried[own]);
            }
        });
        self.follow_obstacles(&world.obstacles);
    }

    fn follow_obstacles(&mut self, obstacles: &[Obstacle]) {
        let mut spheres = self.of_obstacles();
        for obstacle in obstacles {
            for s in spheres.by_ref().take(obstacle.cover.len()) {
                if obstacle.is_driven() {
                    (self.place[s], self.carried[s]) = on_obstacle(obstacle, self.local[s], self.place[s].radius);
                }
            }
        }
    }

    /// Whether all spheres are within this distance of where they were when the list was built.
    pub(crate) fn are_within(&self, distance: f64) -> bool {
        let limit = distance * distance;
        let near = |(now, then): (&Sphere, &DVec3)| (now.center - *then).length_squared() <= limit;
        let chunks = self.place.par_chunks(4096).zip(self.listed.par_chunks(4096));
        chunks.all(|(now, then)| now.iter().zip(then).all(near))
    }

    /// Centres when the list was built \[m\].
    pub(crate) fn listed(&self) -> &[DVec3] {
        &self.listed
    }
}

/// Moves the spheres of a body to where it is.
#[inline(always)]
fn follow_body(world: &World, row: usize, local: &[DVec3], place: &mut [Sphere], carried: &mut [Carried]) {
    let (pose, motion) = (&world.bodies.pose[row], &world.bodies.motion[row]);
    if let ([local], [place], [carried]) = (local, &mut *place, &mut *carried)
        && *local == DVec3::ZERO
    {
        place.center = pose.position;
        carried.velocity = motion.velocity;
        carried.spin = motion.spin;
        return;
    }
    let turn = DMat3::from_quat(pose.orientation);
    for ((local, place), carried) in local.iter().zip(place).zip(carried) {
        let offset = turn * *local;
        place.center = pose.position + offset;
        carried.velocity = motion.velocity + motion.spin.cross(offset);
        carried.spin = motion.spin;
    }
}

fn on_obstacle(obstacle: &Obstacle, local: DVec3, radius: f64) -> (Sphere, Carried) {
    let center = obstacle.pose.to_world(local);
    let carried = Carried {
        velocity: obstacle.velocity_at(center),
        inverse_mass: 0.0,
        spin: obstacle.motion.spin,
        row_end: 0.0,
        material: obstacle.material,
        body: OBSTACLE,
    };
    (Sphere { center, radius }, carried)
}
