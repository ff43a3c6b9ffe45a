//! Solids that overlap before anything moves.

use super::broad::Broad;
use super::joints::{is_apart, joined};
use super::renew::depths_of_pair;
use super::solids::SolidPieces;
use super::travel::Travel;
use crate::contact::Overlap;
use crate::world::{Motion, World};

/// Finds pairs of solids, and of solids and obstacles, that overlap by more than `least` of the
/// radius of the smaller; `most` at most. Pairs that a joint keeps from colliding do not count, nor
/// do pairs of clumps, which are measured by their spheres.
pub(crate) fn overlaps(world: &World, least: f64, most: usize) -> Vec<Overlap> {
    let mut solids = SolidPieces::default();
    solids.follow(world, true);
    let mut broad = Broad::default();
    let obstacle_motions = vec![Motion::default(); world.obstacles.len()];
    let travel = Travel::new(world, &solids.radii, &obstacle_motions, 0.0);
    // On one thread: when a scene is checked, the number of threads is not chosen yet.
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(|| broad.find(&travel, true)),
        Err(_) => broad.find(&travel, true),
    }
    let mut held = Vec::new();
    joined(world, &mut held);

    let id = |row: usize| world.bodies.traits[row].id;
    let is_solid = |row: usize| !world.shapes[world.bodies.traits[row].shape.index()].parts.is_empty();
    let mut found = Vec::new();
    for row in world.bodies.rows_by_id() {
        for &other in broad.pairs.of(row) {
            let partner = other.row().map(|row| row as usize);
            if is_apart(&held, row as u32, other) || !(is_solid(row) || partner.is_some_and(is_solid)) {
                continue;
            }
            let radius = partner.map_or(f64::INFINITY, |row| solids.radii[row]).min(solids.radii[row]);
            let depth = depths_of_pair(world, &solids, row, other).fold(0.0, f64::max);
            if depth > least * radius {
                let other = partner.map_or_else(|| Err(other.number()), |row| Ok(id(row)));
                found.push(Overlap { body: id(row), other, depth });
                if found.len() == most {
                    return found;
                }
            }
        }
    }
    found
}
