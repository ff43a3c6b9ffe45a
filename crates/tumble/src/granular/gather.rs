//! The gather stage: each body sums the contacts of its spheres, in the order of the list.
//!
//! Reads the rows of contacts; writes the wrench of every body. Summing by body instead of scattering by contact needs
//! no atomics and gives the same bits for any number of threads.

use rayon::prelude::*;

use crate::contact::{BLOCK, Neighbours, Row, Spheres};
use crate::world::Wrench;

/// Sums forces and torques of all bodies. Spheres and bodies are one to one: a clump adds the sum over its spheres here.
pub(crate) fn gather(neighbours: &Neighbours, spheres: &Spheres, from_walls: &[Row], wrenches: &mut [Wrench]) {
    let blocks = neighbours.blocks.par_iter().zip(wrenches.par_chunks_mut(BLOCK));
    blocks.enumerate().for_each(|(b, (block, wrenches))| {
        for (k, wrench) in wrenches.iter_mut().enumerate() {
            let s = b * BLOCK + k;
            let Row { mut force, mut torque } = from_walls[s];
            for row in &block.rows[block.pairs_of(k)] {
                force += row.force;
                torque += row.torque;
            }
            let incoming = neighbours.incoming_starts[s] as usize..neighbours.incoming_starts[s + 1] as usize;
            for &(block, row) in &neighbours.incoming[incoming] {
                let row = &neighbours.blocks[block as usize].rows[row as usize];
                force -= row.force;
                torque += row.torque;
            }
            *wrench = Wrench { force, torque: spheres.place[s].radius * torque };
        }
    });
}
