//! Which method answers a pair that may touch.
//!
//! Reads pairs of the broad phase, joints and who sleeps; says what is to be done with each. This is the place where pairs part:
//! another method of answering collisions is another [`Method`] here, and what it needs is found where this one is read.

use super::contact::Other;
use super::joints::{Joined, is_apart};
use crate::world::World;

/// What is done with a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Nothing: a joint holds the two together and they do not collide.
    None,
    /// Contacts stay as they are: nothing of the pair can have moved.
    Keep,
    /// Contacts are found, and answered by impulses.
    Impulse,
}

/// What decides.
pub(super) struct Dispatch<'a> {
    pub(super) world: &'a World,
    pub(super) joined: &'a [Joined],
}

impl Dispatch<'_> {
    /// The method for a body and what it may touch.
    pub(super) fn method(&self, row: usize, other: Other) -> Method {
        if is_apart(self.joined, row as u32, other) {
            Method::None
        } else if self.world.bodies.rest[row].asleep && self.stays(other) {
            Method::Keep
        } else {
            Method::Impulse
        }
    }

    fn stays(&self, other: Other) -> bool {
        match other.row() {
            Some(partner) => self.world.bodies.rest[partner as usize].asleep,
            None => !self.world.obstacles[other.number()].is_driven(),
        }
    }
}
