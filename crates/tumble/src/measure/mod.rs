//! Measures for a frame's report, energies and overlaps, and measures of a finished pile: how
//! steep, how dense, how still. Reads everything, writes nothing.
//!
//! ```
//! use tumble::measure::{self, Ball};
//! use tumble::prelude::*;
//!
//! // A ball at a height of 2 m has the energy m g h, and keeps it while it falls.
//! let mut world = World::ground();
//! let ball = world.add_shape(Shape::ball("ball", 0.05)?);
//! let ball = world.add(NewBody::new(ball, MaterialId(0), DVec3::new(0.0, 0.0, 2.0)))?;
//! let energy = 2.0 * 9.81 * world.mass(ball)?;
//! assert!((measure::potential_energy(&world) / energy - 1.0).abs() < 1e-12);
//! let mut simulation = Simulation::new(Setup::new(world, Rigid::DEFAULT))?;
//! (0..12).for_each(|_| drop(simulation.advance()));
//! let report = simulation.measure();
//! assert!(((report.kinetic_energy + report.potential_energy) / energy - 1.0).abs() < 1e-6);
//! assert!(!measure::is_settled(simulation.world()));
//!
//! // Heaps are measured as balls, whatever they are made of. A single one is no heap.
//! let ball = Ball { centre: DVec3::ZERO, radius: 0.05, body: ball };
//! assert!(measure::repose(&[ball], DVec3::Z).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ball;
mod coarse;
mod columns;
mod cone;
mod drift;
mod motion_error;
mod packing;
mod penetration;
mod repose;
mod silhouette;
mod standing;
mod surface;

pub use ball::{Ball, balls, grain_diameter, single_balls};
pub use drift::{Drift, Moved, drift};
pub use motion_error::{ErrorMean, FrameError, MotionError};
pub use packing::{Packing, packing};
pub use penetration::{Penetration, penetration};
pub use repose::{NotAHeap, Repose, Sector, repose};
pub use silhouette::{Silhouette, silhouette, silhouette_above};
pub use standing::{Flights, Support};
pub use surface::{PileSurface, SurfaceDifference};

pub use crate::contact::Overlap;

use std::fmt;

use glam::DVec3;

use crate::emit::occupancy;
use crate::world::World;

/// Kinetic energy of all bodies, of translation and rotation \[J\].
pub fn kinetic_energy(world: &World) -> f64 {
    in_id_order(world).map(|row| kinetic_energy_of(world, row)).sum()
}

/// Kinetic energy of the body in a row \[J\].
fn kinetic_energy_of(world: &World, row: usize) -> f64 {
    let bodies = &world.bodies;
    let (motion, inertia) = (&bodies.motion[row], &bodies.inertia[row]);
    let spin = bodies.pose[row].orientation.conjugate() * motion.spin;
    0.5 * (inertia.mass * motion.velocity.length_squared() + inertia.moments.dot(spin * spin))
}

/// Energy of all bodies in the field of gravity, zero at the origin \[J\].
pub fn potential_energy(world: &World) -> f64 {
    in_id_order(world).map(|row| potential_energy_of(world, row)).sum()
}

/// Energy of the body in a row in the field of gravity \[J\].
fn potential_energy_of(world: &World, row: usize) -> f64 {
    let bodies = &world.bodies;
    -bodies.inertia[row].mass * world.gravity.dot(bodies.pose[row].position)
}

/// Quantity of a body that is not a finite number; of several, the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFinite {
    /// Its position.
    Position,
    /// Its orientation.
    Orientation,
    /// Its velocity.
    Velocity,
    /// Its spin.
    Spin,
    /// Its energy, though all of the others are finite.
    Energy,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Orientation => "orientation",
            Self::Velocity => "velocity",
            Self::Spin => "spin",
            Self::Energy => "energy",
        })
    }
}

/// The first quantity of the body in a row that is not a finite number, if there is one.
pub(crate) fn not_finite(world: &World, row: usize) -> Option<NotFinite> {
    let (pose, motion) = (&world.bodies.pose[row], &world.bodies.motion[row]);
    let energy = kinetic_energy_of(world, row) + potential_energy_of(world, row);
    let finite = [
        (NotFinite::Position, pose.position.is_finite()),
        (NotFinite::Orientation, pose.orientation.is_finite()),
        (NotFinite::Velocity, motion.velocity.is_finite()),
        (NotFinite::Spin, motion.spin.is_finite()),
        (NotFinite::Energy, energy.is_finite()),
    ];
    finite.into_iter().find(|(_, is_finite)| !is_finite).map(|(what, _)| what)
}

/// Whether all bodies are at rest: there are some, and none has a millionth of the energy that
/// lifts it by its diameter d, which is a speed of 0.0014 √(g d). One that still rolls is not made
/// up for by many that lie still.
pub fn is_settled(world: &World) -> bool {
    let bodies = &world.bodies;
    let lift = |row: usize| bodies.inertia[row].mass * world.gravity.length() * 2.0 * world.radius(row);
    let is_still = |row: usize| kinetic_energy_of(world, row) < SETTLED * lift(row);
    !bodies.is_empty() && (0..bodies.len()).all(is_still)
}

/// Largest kinetic energy of a body at rest, over the work that lifts it by its diameter.
const SETTLED: f64 = 1e-6;

/// Rows in the order of ids, so that sums do not depend on the row order.
fn in_id_order(world: &World) -> impl Iterator<Item = usize> {
    world.bodies.rows_by_id()
}

/// All overlaps that are deeper than a millionth of the body's radius, each pair with its deepest
/// two spheres.
pub fn overlaps(world: &World) -> Vec<Overlap> {
    first_overlaps(world, usize::MAX)
}

/// The first of these overlaps, at most so many: `n` bodies in one place are in each other in
/// `n²/2` pairs.
pub fn first_overlaps(world: &World, most: usize) -> Vec<Overlap> {
    let bodies = &world.bodies;
    let occupied = occupancy(world, 0.0, |_, _| true);
    let mut found = Vec::new();
    for row in in_id_order(world) {
        let (id, radius) = (bodies.traits[row].id, world.radius(row));
        let own: Vec<(DVec3, f64)> = world.spheres(row).collect();
        let mut see = |other, depth: f64| {
            if depth > 1e-6 * radius {
                found.push(Overlap { body: id, other, depth });
            }
            found.len() < most
        };
        // A solid has no spheres to be measured by.
        let near = (!own.is_empty()).then(|| occupied.overlaps(bodies.pose[row].position, radius));
        for (other, _) in near.into_iter().flatten() {
            if id < bodies.traits[other].id && !see(Ok(bodies.traits[other].id), deepest(&own, world.spheres(other))) {
                return found;
            }
        }
        for (o, obstacle) in world.obstacles.iter().enumerate() {
            let local = own.iter().map(|&(center, radius)| (obstacle.pose.to_local(center), radius));
            let depth = match obstacle.cover.as_slice() {
                [] => local
                    .map(|(center, radius)| radius - obstacle.surface.distance(center))
                    .fold(f64::NEG_INFINITY, f64::max),
                cover => deepest(&local.collect::<Vec<_>>(), cover.iter().map(|s| (s.offset, s.radius))),
            };
            if !see(Err(o), depth) {
                return found;
            }
        }
    }
    found
}

/// Pairs of solids, and of solids and obstacles, that are in each other by more than `least` of the
/// radius of the smaller, at most so many. Pairs that a joint keeps from touching do not count.
pub fn solid_overlaps(world: &World, least: f64, most: usize) -> Vec<Overlap> {
    crate::rigid::overlaps(world, least, most)
}

/// How deep the deepest two spheres of two bodies are in each other \[m\].
fn deepest(some: &[(DVec3, f64)], others: impl Iterator<Item = (DVec3, f64)>) -> f64 {
    let depth = |(b, s): (DVec3, f64)| some.iter().map(move |&(a, r)| r + s - (a - b).length());
    others.flat_map(depth).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Material, Materials, Motion, NewBody, Pose, Shape};
    use crate::world::{MaterialId, ShapeId};

    /// Of four hundred balls one rolls, at ten times the speed that counts as rest: its energy is a
    /// quarter of what all may have together.
    #[test]
    fn one_that_rolls_is_not_settled() {
        let mut world = World {
            shapes: vec![Shape::ball("ball", 0.01).unwrap()],
            materials: Materials::new(vec![Material::default()]),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            ..World::default()
        };
        assert!(!is_settled(&world), "nothing is there to rest");
        for k in 0..400 {
            let pose = Pose { position: DVec3::new(0.1 * f64::from(k), 0.0, 0.01), ..Pose::IDENTITY };
            world
                .add(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() })
                .unwrap();
        }
        assert!(is_settled(&world));
        let rest = (2.0 * SETTLED * 9.81 * 0.02f64).sqrt();
        world.bodies.motion[17].velocity.x = 0.99 * rest;
        assert!(is_settled(&world));
        world.bodies.motion[17].velocity.x = 10.0 * rest;
        assert!(!is_settled(&world));
    }
}
