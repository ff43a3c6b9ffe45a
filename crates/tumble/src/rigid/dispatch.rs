//! Parts the pairs of the broad phase into one list for each method that answers collisions.
//!
//! Reads pairs, joints and sleep states; writes the lists. Every method consumes its own list:
//! impulses are the only one today, and the narrow phase finds contacts for their list. A further
//! method adds a list here and a consumer in `step.rs`. Pairs that a joint keeps from colliding are
//! in no list.

use super::broad::Broad;
use super::contact::Partner;
use super::joints::{JointPair, is_apart, joined};
use super::pairs::PairList;
use crate::world::World;

/// The pairs of a step, parted by method.
#[derive(Clone, Debug, Default)]
pub(super) struct Dispatch {
    /// Pairs that collide by impulses.
    pub(super) impulses: PairList,
    /// Pairs that a joint connects, sorted.
    pub(super) joined: Vec<JointPair>,
}

impl Dispatch {
    /// Parts the pairs of a step.
    pub(super) fn part(&mut self, world: &World, broad: &Broad) {
        joined(world, &mut self.joined);
        self.impulses.clear();
        for row in 0..world.bodies.len() {
            let collides = |other: &Partner| !is_apart(&self.joined, row as u32, *other);
            self.impulses.push_row(broad.pairs.of(row).iter().copied().filter(collides));
        }
    }

    /// Pairs of bodies that a joint connects, by rows.
    pub(super) fn joined_bodies(&self) -> impl Iterator<Item = (u32, u32)> {
        self.joined.iter().filter_map(|joined| Some((joined.a, joined.b.row()?)))
    }

    /// Whether the old contacts of a pair stay as they are: it may collide, and neither side can
    /// have moved. Such pairs are in no list, since the broad phase looks for none.
    pub(super) fn rests(&self, world: &World, row: usize, other: Partner) -> bool {
        let is_still = match other.row() {
            Some(partner) => world.bodies.rest[partner as usize].asleep,
            None => !world.obstacles[other.number()].is_driven(),
        };
        world.bodies.rest[row].asleep && is_still && !is_apart(&self.joined, row as u32, other)
    }
}
