//! What a frame's report says, energies and overlaps, and what is said of a pile afterwards: how steep, how dense, how still.
//! Reads everything, writes nothing.

mod ball;
mod coarse;
mod columns;
mod cone;
mod drift;
mod motion_error;
mod packing;
mod penetration;
mod repose;
mod surface;

pub use ball::{Ball, balls, grain_diameter};
pub use drift::{Drift, Moved, drift};
pub use motion_error::{ErrorMean, FrameError, MotionError};
pub use packing::{Packing, packing};
pub use penetration::{Penetration, penetration};
pub use repose::{NotAHeap, Repose, Sector, repose};
pub use surface::{Surface, SurfaceDifference};

use glam::DVec3;

use crate::emit::{distance_from, occupancy};
use crate::world::{BodyId, World};

/// Kinetic energy of all bodies, of translation and rotation \[J\].
pub fn kinetic_energy(world: &World) -> f64 {
    let bodies = &world.bodies;
    let energy = |row: usize| {
        let (motion, inertia) = (&bodies.motion[row], &bodies.inertia[row]);
        let spin = bodies.pose[row].orientation.conjugate() * motion.spin;
        0.5 * (inertia.mass * motion.velocity.length_squared() + inertia.moments.dot(spin * spin))
    };
    in_id_order(world).map(energy).sum()
}

/// Energy of all bodies in the field of gravity, zero at the origin \[J\].
pub fn potential_energy(world: &World) -> f64 {
    let bodies = &world.bodies;
    in_id_order(world).map(|row| -bodies.inertia[row].mass * world.gravity.dot(bodies.pose[row].position)).sum()
}

/// Kinetic energy below which a world counts as settled \[J\]: a millionth of what lifts every body by its diameter.
pub fn settled_energy(world: &World) -> f64 {
    let bodies = &world.bodies;
    let lift = |row: usize| bodies.inertia[row].mass * world.gravity.length() * 2.0 * world.radius(row);
    1e-6 * in_id_order(world).map(lift).sum::<f64>()
}

/// Rows in the order of ids, so that sums do not depend on the row order.
fn in_id_order(world: &World) -> impl Iterator<Item = usize> {
    world.bodies.rows_by_id()
}

/// Two things that are in each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// The body.
    pub body: BodyId,
    /// The other body, or the number of an obstacle.
    pub other: Result<BodyId, usize>,
    /// How deep \[m\].
    pub depth: f64,
}

/// All overlaps that are deeper than a millionth of the body's radius, each pair with its deepest two spheres.
pub fn overlaps(world: &World) -> Vec<Overlap> {
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
        };
        for (other, _) in occupied.overlaps(bodies.pose[row].position, radius) {
            if id < bodies.traits[other].id {
                see(Ok(bodies.traits[other].id), deepest(&own, world.spheres(other)));
            }
        }
        for (o, obstacle) in world.obstacles.iter().enumerate() {
            let local = own.iter().map(|&(center, radius)| (obstacle.pose.to_local(center), radius));
            let depth = match obstacle.cover.as_slice() {
                [] => local
                    .map(|(center, radius)| radius - distance_from(&obstacle.surface, center))
                    .fold(f64::NEG_INFINITY, f64::max),
                cover => deepest(&local.collect::<Vec<_>>(), cover.iter().map(|s| (s.offset, s.radius))),
            };
            see(Err(o), depth);
        }
    }
    found
}

/// How deep the deepest two spheres of two bodies are in each other \[m\].
fn deepest(some: &[(DVec3, f64)], others: impl Iterator<Item = (DVec3, f64)>) -> f64 {
    let depth = |(b, s): (DVec3, f64)| some.iter().map(move |&(a, r)| r + s - (a - b).length());
    others.flat_map(depth).fold(f64::NEG_INFINITY, f64::max)
}
