//! Spheres of all bodies and covered obstacles in the world, for contact detection.
//!
//! Reads poses and motions of bodies and obstacles; written when rows move and after every drift.
//! Two columns, by use: the overlap test needs only positions and radii, and a column of these
//! alone stays in the nearest cache. Rows are registers, so that each is one load: the compiler
//! would load an array of four numbers one by one.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::{DMat3, DVec3};

use super::Block;
use super::parallel::{OfBodies, OfSpheres, for_each_block};
use crate::lanes::{Register, last, row, vector};
use crate::world::{MaterialId, Motion, Obstacle, Pose, World};

/// Where a sphere is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sphere {
    /// Centre and radius \[m\].
    pub(crate) row: Register,
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

    /// Whether it overlaps another.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        let reach = self.radius() + other.radius();
        (self.center() - other.center()).length_squared() < reach * reach
    }
}

/// Velocity, spin and inverse mass of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moving {
    /// Velocity of the sphere's centre \[m/s\], and one over the mass of its body \[1/kg\]: zero
    /// for an obstacle and for a body that is asleep.
    pub(crate) velocity: Register,
    /// Spin of the body \[rad/s\], and the radius of the sphere \[m\].
    pub(crate) spin: Register,
}

impl Moving {
    #[inline(always)]
    fn new(velocity: DVec3, inverse_mass: f64, spin: DVec3, radius: f64) -> Self {
        Self { velocity: row(velocity, inverse_mass), spin: row(spin, radius) }
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

/// Material and grip of a sphere: its place in the table of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SurfaceId(u32);

impl SurfaceId {
    /// The surface of something with this material and the usual grip.
    pub(crate) fn of(material: MaterialId) -> Self {
        Self(material.0)
    }

    /// The surface of the body in a row.
    fn of_row(world: &World, row: usize) -> Self {
        let grip = world.bodies.grip[row] as u32;
        Self(grip * world.materials.list().len() as u32 + world.bodies.traits[row].material.0)
    }

    /// Its material.
    pub(crate) fn material(self, world: &World) -> MaterialId {
        MaterialId(self.0 % world.materials.list().len() as u32)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Surface and body of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Owner {
    pub(crate) surface: SurfaceId,
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

    /// The first sphere of all that belong to this row or come after it.
    pub(crate) fn first_of(&self, row: usize) -> usize {
        self.first[row] as usize
    }

    /// Spheres of all obstacles.
    pub(crate) fn of_obstacles(&self) -> Range<usize> {
        self.first.last().map_or(0, |&end| end as usize)..self.len()
    }

    /// Rebuilds the spheres of all rows from `from` on, after these have moved; `lag` as in
    /// [`Spheres::follow`].
    pub(crate) fn place(&mut self, world: &World, from: usize, lag: f64) {
        let bodies = &world.bodies;
        let kept = self.first.get(from).map_or(0, |&first| first as usize);
        self.place.truncate(kept);
        self.moving.truncate(kept);
        self.owner.truncate(kept);
        self.local.truncate(kept);
        self.first.truncate(from);
        for (row, traits) in bodies.traits.iter().enumerate().skip(from) {
            self.first.push(self.place.len() as u32);
            let inverse_mass = inverse_mass(world, row);
            for sphere in &world.shapes[traits.shape.index()].spheres {
                let radius = traits.size * sphere.radius;
                self.place.push(Sphere::new(DVec3::ZERO, radius));
                self.moving.push(Moving::new(DVec3::ZERO, inverse_mass, DVec3::ZERO, radius));
                self.owner.push(Owner { surface: SurfaceId::of_row(world, row), body: row as u32 });
                self.local.push(traits.size * sphere.offset);
            }
            let own = self.first[row] as usize..;
            let (place, moving) = (&mut self.place[own.clone()], &mut self.moving[own.clone()]);
            follow_body(&bodies.pose[row], &bodies.motion[row], &self.local[own], place, moving, lag);
        }
        self.first.push(self.place.len() as u32);
        for obstacle in &world.obstacles {
            for sphere in &obstacle.cover {
                let (place, moving) = on_obstacle(obstacle, sphere.offset, sphere.radius, lag);
                self.place.push(place);
                self.moving.push(moving);
                self.owner.push(Owner { surface: SurfaceId::of(obstacle.material), body: OBSTACLE });
                self.local.push(sphere.offset);
            }
        }
        self.listed.truncate(kept);
        self.listed.extend(self.place[kept..].iter().map(|sphere| sphere.center()));
    }

    /// Rebuilds the spheres of one row at their old indices: its body has woken or moved since the
    /// last list.
    pub(crate) fn place_row(&mut self, world: &World, row: usize, lag: f64) {
        let own = self.of_body(row);
        let inverse_mass = inverse_mass(world, row);
        let (place, moving) = (&mut self.place[own.clone()], &mut self.moving[own.clone()]);
        for (place, moving) in place.iter().zip(&mut *moving) {
            *moving = Moving::new(DVec3::ZERO, inverse_mass, DVec3::ZERO, place.radius());
        }
        follow_body(&world.bodies.pose[row], &world.bodies.motion[row], &self.local[own.clone()], place, moving, lag);
        for s in own {
            self.listed[s] = self.place[s].center();
        }
    }

    /// Calls `advance` to move every body (its row, pose and motion), and moves the spheres along
    /// with it. Returns whether all spheres then are within `reach` \[m\] of their centres when the
    /// list was built, since which no row has moved.
    ///
    /// Motions are `lag` \[s\] older than poses. A rotating body has turned since: the lever of a
    /// sphere's velocity is that of its orientation `lag` earlier.
    pub(crate) fn follow(
        &mut self,
        bodies: (&mut [Pose], &mut [Motion]),
        obstacles: &[Obstacle],
        blocks: &[Block],
        (lag, reach): (f64, f64),
        advance: impl Fn(usize, &mut Pose, &mut Motion) + Sync,
    ) -> bool {
        let (local, first, listed) = (&self.local, &self.first, &self.listed);
        let of_spheres = (OfSpheres(&mut self.place), OfSpheres(&mut self.moving));
        let columns = ((OfBodies(bodies.0), OfBodies(bodies.1)), of_spheres);
        let left = AtomicBool::new(false);
        for_each_block(blocks, columns, &|block, ((poses, motions), (places, movings))| {
            let (place, moving) = (places.0, movings.0);
            for ((row, pose), motion) in block.bodies.clone().zip(poses.0).zip(motions.0) {
                advance(row, pose, motion);
                let spheres = first[row] as usize..first[row + 1] as usize;
                let own = spheres.start - block.spheres.start..spheres.end - block.spheres.start;
                follow_body(pose, motion, &local[spheres], &mut place[own.clone()], &mut moving[own], lag);
            }
            if !are_within(reach, place, &listed[block.spheres.clone()]) {
                left.store(true, Ordering::Relaxed);
            }
        });
        self.follow_obstacles(obstacles, lag);
        let of_obstacles = self.of_obstacles();
        !left.into_inner() && are_within(reach, &self.place[of_obstacles.clone()], &self.listed[of_obstacles])
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

    /// Centres when the list was built \[m\].
    pub(crate) fn listed(&self) -> &[DVec3] {
        &self.listed
    }
}

/// Inverse mass of a body in contacts \[1/kg\]: zero for one that is asleep, which does not give
/// way.
fn inverse_mass(world: &World, row: usize) -> f64 {
    if world.bodies.rest[row].asleep { 0.0 } else { 1.0 / world.bodies.inertia[row].mass }
}

/// Whether spheres are within this distance of where they were.
fn are_within(distance: f64, now: &[Sphere], then: &[DVec3]) -> bool {
    let limit = distance * distance;
    now.iter().zip(then).all(|(now, then)| (now.center() - *then).length_squared() <= limit)
}

/// Moves the spheres of a body to where it is.
#[inline(always)]
fn follow_body(pose: &Pose, motion: &Motion, local: &[DVec3], place: &mut [Sphere], moving: &mut [Moving], lag: f64) {
    if let ([local], [place], [moving]) = (local, &mut *place, &mut *moving)
        && *local == DVec3::ZERO
    {
        *place = Sphere::new(pose.position, place.radius());
        *moving = Moving::new(motion.velocity, moving.inverse_mass(), motion.spin, place.radius());
        return;
    }
    let turn = DMat3::from_quat(pose.orientation);
    for ((local, place), moving) in local.iter().zip(place).zip(moving) {
        let offset = turn * *local;
        *place = Sphere::new(pose.position + offset, place.radius());
        let lever = offset - lag * motion.spin.cross(offset);
        let velocity = motion.velocity + motion.spin.cross(lever);
        *moving = Moving::new(velocity, moving.inverse_mass(), motion.spin, place.radius());
    }
}

fn on_obstacle(obstacle: &Obstacle, local: DVec3, radius: f64, lag: f64) -> (Sphere, Moving) {
    let center = obstacle.pose.to_world(local);
    let moving = Moving::new(obstacle.velocity_before(center, lag), 0.0, obstacle.motion.spin, radius);
    (Sphere::new(center, radius), moving)
}
