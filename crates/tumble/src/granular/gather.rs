//! The gather stage: each body sums what contacts do to its spheres, in a fixed order.
//!
//! Reads the sums of all blocks; writes the wrench of every body. Summing by body instead of scattering by contact needs
//! no atomics and gives the same bits for any number of threads.
//!
//! A force on a sphere also turns the body about its centre, the normal force included: its line misses the centre of a clump
//! (erratum Y9 of Yee et al. 2009, who turn bodies by friction alone).

use glam::DVec3;

use crate::contact::{Neighbours, Spheres, Sum, for_each_block};
use crate::lanes::vector;
use crate::world::{Bodies, Wrench};

/// Sums forces and torques of all bodies.
pub(crate) fn gather(neighbours: &Neighbours, spheres: &Spheres, bodies: &mut Bodies) {
    let poses = &bodies.pose;
    let wrenches = bodies.wrench.as_mut_slice();
    for_each_block(neighbours.blocks_of_bodies(), wrenches, &|block| block.bodies.clone(), &|block, wrenches| {
        for (row, wrench) in block.bodies.clone().zip(wrenches) {
            let mut whole = Wrench::default();
            for s in spheres.of_body(row) {
                let Sum { force, torque } = sum(neighbours, block.sums[s - block.spheres.start], s);
                let force = vector(force);
                whole.force += force;
                whole.torque += spheres.place[s].radius() * vector(torque);
                let lever = spheres.place[s].center() - poses[row].position;
                if lever != DVec3::ZERO {
                    whole.torque += lever.cross(force);
                }
            }
            *wrench = whole;
        }
    });
}

/// What all blocks do to sphere `s`, whose own block does `own`.
#[inline(always)]
fn sum(neighbours: &Neighbours, own: Sum, s: usize) -> Sum {
    let incoming = neighbours.incoming_starts[s] as usize..neighbours.incoming_starts[s + 1] as usize;
    neighbours.incoming[incoming].iter().fold(own, |total, &(block, slot)| {
        let more = &neighbours.blocks[block as usize].sums[slot as usize];
        Sum { force: total.force + more.force, torque: total.torque + more.torque }
    })
}
