//! Spheres of all bodies and covered obstacles in the world, as contacts see them.
//!
//! Reads poses and motions of bodies and obstacles; written when rows move and after every drift. Two columns, by use: whether
//! two spheres touch needs only where they are, and a column of that alone stays in the nearest cache. Rows are of the type of a
//! register, so that they are loaded in one piece: of four numbers each the compiler would load one by one.

use std::ops::Range;

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::{Block, for_each_block};
use crate::lanes::{Numbers, last, row, vector};
use crate::world::{Obstacle, World};

/// Where a sphere is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sphere {
    /// Centre and radius \[m\].
    pub(crate) row: Numbers,
}

impl Sphere {
    #[inline(always)]
    pub(crate) fn new(center: DVec3, radius: f64) -> Self {
        Self { row: row(center, radius) }
    }

    /// Centre \[m\].
    #[inline(always)]
    pub(crate) fn center(&self) -> DVec3 {
        vector(self.row)
    }

    /// Radius \[m\].
    #[inline(always)]
    pub(crate) fn radius(&self) -> f64 {
        last(self.row)
    }
}

/// How a sphere moves, and how hard it is to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moving {
    /// Velocity of the sphere's centre \[m/s\], and one over the mass of its body \[1/kg\]: zero for an obstacle.
    pub(crate) velocity: Numbers,
    /// Spin of the body \[rad/s\]; the last number is not used.
    pub(crate) spin: Numbers,
}

impl Moving {
    #[inline(always)]
    fn new(velocity: DVec3, inverse_mass: f64, spin: DVec3) -> Self {
        Self { velocity: row(velocity, inverse_mass), spin: row(spin, 0.0) }
    }

    /// Velocity of the centre \[m/s\].
    pub(crate) fn velocity(&self) -> DVec3 {
        vector(self.velocity)
    }

    /// Spin \[rad/s\].
    pub(crate) fn spin(&self) -> DVec3 {
        vector(self.spin)
    }

    /// One over the mass of the body \[1/kg\].
    #[inline(always)]
    pub(crate) fn inverse_mass(&self) -> f64 {
        last(self.velocity)
    }
}

/// Whose a sphere is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Owner {
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
    pub(crate) moving: Vec<Moving>,
    pub(crate) owner: Vec<Owner>,
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

    /// Makes the spheres anew, after rows have moved; `lag` as in [`Spheres::follow`].
    pub(crate) fn place(&mut self, world: &World, lag: f64) {
        let bodies = &world.bodies;
        self.place.clear();
        self.moving.clear();
        self.owner.clear();
        self.local.clear();
        self.first.clear();
        for (row, traits) in bodies.traits.iter().enumerate() {
            self.first.push(self.place.len() as u32);
            for sphere in &world.shapes[traits.shape as usize].spheres {
                self.place.push(Sphere::new(DVec3::ZERO, traits.size * sphere.radius));
                self.moving.push(Moving::new(DVec3::ZERO, 1.0 / bodies.inertia[row].mass, DVec3::ZERO));
                self.owner.push(Owner { material: traits.material, body: row as u32 });
                self.local.push(traits.size * sphere.offset);
            }
            let own = self.first[row] as usize..;
            follow_body(world, row, &self.local[own.clone()], &mut self.place[own.clone()], &mut self.moving[own], lag);
        }
        self.first.push(self.place.len() as u32);
        for obstacle in &world.obstacles {
            for sphere in &obstacle.cover {
                let (place, moving) = on_obstacle(obstacle, sphere.offset, sphere.radius, lag);
                self.place.push(place);
                self.moving.push(moving);
                self.owner.push(Owner { material: obstacle.material, body: OBSTACLE });
                self.local.push(sphere.offset);
            }
        }
        self.listed.clear();
        self.listed.extend(self.place.iter().map(|sphere| sphere.center()));
    }

    /// Moves the spheres along with their bodies, which are in the same rows as before and whose motion is that of `lag` \[s\]
    /// earlier. What turns has moved on since: a sphere then was half a step behind, and with it the lever of its velocity.
    pub(crate) fn follow(&mut self, world: &World, blocks: &[Block], lag: f64) {
        let (local, first) = (&self.local, &self.first);
        let columns = (self.place.as_mut_slice(), self.moving.as_mut_slice());
        for_each_block(blocks, columns, &|block| block.spheres.clone(), &|block, (place, moving)| {
            let begin = block.spheres.start;
            for row in block.bodies.clone() {
                let spheres = first[row] as usize..first[row + 1] as usize;
                let own = spheres.start - begin..spheres.end - begin;
                follow_body(world, row, &local[spheres], &mut place[own.clone()], &mut moving[own], lag);
            }
        });
        self.follow_obstacles(&world.obstacles, lag);
    }

    fn follow_obstacles(&mut self, obstacles: &[Obstacle], lag: f64) {
        let mut spheres = self.of_obstacles();
        for obstacle in obstacles {
            for s in spheres.by_ref().take(obstacle.cover.len()) {
                if obstacle.is_driven() {
                    (self.place[s], self.moving[s]) = on_obstacle(obstacle, self.local[s], self.place[s].radius(), lag);
                }
            }
        }
    }

    /// Whether all spheres are within this distance of where they were when the list was built.
    pub(crate) fn are_within(&self, distance: f64) -> bool {
        let limit = distance * distance;
        let near = |(now, then): (&Sphere, &DVec3)| (now.center() - *then).length_squared() <= limit;
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
fn follow_body(world: &World, row: usize, local: &[DVec3], place: &mut [Sphere], moving: &mut [Moving], lag: f64) {
    let (pose, motion) = (&world.bodies.pose[row], &world.bodies.motion[row]);
    if let ([local], [place], [moving]) = (local, &mut *place, &mut *moving)
        && *local == DVec3::ZERO
    {
        *place = Sphere::new(pose.position, place.radius());
        *moving = Moving::new(motion.velocity, moving.inverse_mass(), motion.spin);
        return;
    }
    let turn = DMat3::from_quat(pose.orientation);
    for ((local, place), moving) in local.iter().zip(place).zip(moving) {
        let offset = turn * *local;
        *place = Sphere::new(pose.position + offset, place.radius());
        let lever = offset - lag * motion.spin.cross(offset);
        let velocity = motion.velocity + motion.spin.cross(lever);
        *moving = Moving::new(velocity, moving.inverse_mass(), motion.spin);
    }
}

fn on_obstacle(obstacle: &Obstacle, local: DVec3, radius: f64, lag: f64) -> (Sphere, Moving) {
    let center = obstacle.pose.to_world(local);
    (Sphere::new(center, radius), Moving::new(obstacle.velocity_before(center, lag), 0.0, obstacle.motion.spin))
}
