//! The gather stage: each body sums the contact forces on its spheres in a fixed order, and gets
//! its kick.
//!
//! Reads the sums of all blocks; writes the wrench and the motion of every body. Summing by body
//! instead of scattering by contact needs no atomics and gives the same bits for any number of
//! threads. The kick is done here because wrench and motion are at hand.
//!
//! A force on a sphere also turns the body about its centre, the normal force included: its line
//! misses the centre of a clump (erratum Y9 of Yee et al. 2009, who turn bodies by friction alone).

use glam::DVec3;

use super::integrate::{ExternalForces, kick};
use super::stiction::{Stiction, stick};
use crate::contact::{Block, Neighbours, OfBodies, Spheres, Sum, for_each_block};
use crate::lanes::vector;
use crate::world::{Bodies, Pose, World, Wrench};

/// Sums forces and torques of all bodies, applies stiction for a step of `dt` \[s\], and kicks for
/// `last` \[s\].
pub(crate) fn gather(
    neighbours: &Neighbours,
    spheres: &Spheres,
    world: &mut World,
    stiction: Option<Stiction>,
    (dt, last): (f64, f64),
) {
    let field = ExternalForces::of(world);
    let shapes = &world.shapes;
    let Bodies { pose: poses, motion, wrench, inertia: inertias, traits, .. } = &mut world.bodies;
    let columns = (OfBodies(motion), OfBodies(wrench));
    for_each_block(neighbours.blocks_of_bodies(), columns, &|block, (motions, wrenches)| {
        for ((row, motion), wrench) in block.bodies.clone().zip(motions.0).zip(wrenches.0) {
            let (pose, inertia) = (&poses[row], &inertias[row]);
            *wrench = sum_of_body(neighbours, block, spheres, row, pose);
            if let Some(stiction) = stiction {
                let own = spheres.of_body(row);
                let held = &block.reactions[own.start - block.spheres.start..own.end - block.spheres.start];
                let radius = shapes[traits[row].shape.index()].bounding_radius * traits[row].size;
                stick(stiction, held, wrench, motion, pose, inertia, radius, field.gravity, dt);
            }
            if last > 0.0 {
                kick(motion, pose, wrench, inertia, field, last);
            }
        }
    });
}

/// Contact wrench on the body in a row.
#[inline(always)]
fn sum_of_body(neighbours: &Neighbours, block: &Block, spheres: &Spheres, row: usize, pose: &Pose) -> Wrench {
    let mut whole = Wrench::default();
    for s in spheres.of_body(row) {
        let Sum { force, torque } = sum(neighbours, block.sums[s - block.spheres.start], s);
        let force = vector(force);
        whole.force += force;
        whole.torque += spheres.place[s].radius() * vector(torque);
        let lever = spheres.place[s].center() - pose.position;
        if lever != DVec3::ZERO {
            whole.torque += lever.cross(force);
        }
    }
    whole
}

/// Force sum of sphere `s` over all blocks; `own` is that of its own block.
#[inline(always)]
fn sum(neighbours: &Neighbours, own: Sum, s: usize) -> Sum {
    let incoming = neighbours.incoming_starts[s] as usize..neighbours.incoming_starts[s + 1] as usize;
    neighbours.incoming[incoming].iter().fold(own, |total, &(block, slot)| {
        let more = &neighbours.blocks[block as usize].sums[slot as usize];
        Sum { force: total.force + more.force, torque: total.torque + more.torque }
    })
}
