//! Spheres of all bodies in the world, as contacts see them.
//!
//! Reads poses and motions of bodies; written when rows move and after every drift. Two columns, by use: whether two
//! spheres touch needs only where they are, and a column of that alone stays in the nearest cache.

use glam::DVec3;
use rayon::prelude::*;

use super::BLOCK;
use crate::world::World;

/// Where a sphere is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sphere {
    /// Centre \[m\].
    pub(crate) center: DVec3,
    /// Radius \[m\].
    pub(crate) radius: f64,
}

/// What a sphere has from the body it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Carried {
    /// Velocity of the sphere's centre \[m/s\].
    pub(crate) velocity: DVec3,
    /// Mass of the body \[kg\].
    pub(crate) mass: f64,
    /// Spin of the body \[rad/s\].
    pub(crate) spin: DVec3,
    /// Index of the material.
    pub(crate) material: u32,
    /// Row of the body.
    pub(crate) body: u32,
}

/// All spheres, in the order of their bodies' rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spheres {
    pub(crate) place: Vec<Sphere>,
    pub(crate) carried: Vec<Carried>,
}

impl Spheres {
    /// Number of spheres.
    pub(crate) fn len(&self) -> usize {
        self.place.len()
    }

    /// Makes the spheres anew, after rows have moved.
    pub(crate) fn place(&mut self, world: &World) {
        let bodies = &world.bodies;
        self.place.clear();
        self.carried.clear();
        for (row, traits) in bodies.traits.iter().enumerate() {
            for sphere in &world.shapes[traits.shape as usize].spheres {
                let center = bodies.pose[row].to_world(traits.size * sphere.offset);
                self.place.push(Sphere { center, radius: traits.size * sphere.radius });
                self.carried.push(Carried {
                    velocity: bodies.motion[row].velocity,
                    mass: bodies.inertia[row].mass,
                    spin: bodies.motion[row].spin,
                    material: traits.material,
                    body: row as u32,
                });
            }
        }
    }

    /// Moves the spheres along with their bodies, which are in the same rows as before.
    pub(crate) fn follow(&mut self, world: &World) {
        let bodies = &world.bodies;
        let blocks = self.place.par_chunks_mut(BLOCK).zip(self.carried.par_chunks_mut(BLOCK));
        blocks.for_each(|(places, carrieds)| {
            for (place, carried) in places.iter_mut().zip(carrieds) {
                let motion = &bodies.motion[carried.body as usize];
                place.center = bodies.pose[carried.body as usize].position;
                carried.velocity = motion.velocity;
                carried.spin = motion.spin;
            }
        });
    }
}
