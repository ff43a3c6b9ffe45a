//! The contacts of some consecutive rows, with those of the step before.

use std::ops::Range;

use super::contact::{Contact, Partner};
use super::dispatch::Dispatch;
use crate::geometry::Manifold;
use crate::world::World;

/// Rows of a block.
pub(super) const BLOCK: usize = 16;

/// The contacts of some consecutive rows.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactBlock {
    pub(super) contacts: Vec<Contact>,
    /// Contacts of the step before.
    pub(super) before: Vec<Contact>,
    /// Index of the first contact of each row, now and in the step before.
    pub(super) starts: Vec<u32>,
    pub(super) starts_before: Vec<u32>,
    /// Old contacts of the present row that no new one has been compared with yet.
    pub(super) old: Range<usize>,
    /// Buffers of the narrow phase.
    pub(super) touches: Manifold,
    pub(super) triangles: Vec<u32>,
    /// Whether all bodies of the block slept in the last step, with nothing near them that moves.
    is_still: bool,
    /// Whether its contacts are those of the last step, because nothing of it can have moved.
    pub(super) is_untouched: bool,
}

impl ContactBlock {
    /// The contacts of the step before.
    pub(super) fn before(&self) -> &[Contact] {
        &self.before
    }

    /// The contacts of a row of the block.
    pub(super) fn contacts_of(&self, row: u32) -> &[Contact] {
        let row = row as usize % BLOCK;
        &self.contacts[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Sees whether any contact of the block can have changed, and if so makes the contacts old
    /// ones.
    pub(super) fn begin(&mut self, rows: Range<usize>, world: &World, dispatch: &Dispatch) -> bool {
        let rest = &world.bodies.rest;
        let is_still = rows.clone().all(|row| rest[row].asleep && dispatch.impulses.of(row).is_empty());
        self.is_untouched = is_still && self.is_still && self.starts.len() == rows.len() + 1;
        self.is_still = is_still;
        if !self.is_untouched {
            std::mem::swap(&mut self.contacts, &mut self.before);
            std::mem::swap(&mut self.starts, &mut self.starts_before);
            self.contacts.clear();
            self.starts.clear();
        }
        !self.is_untouched
    }

    /// Notes that a body woke in this step, so that contacts can change in this and the next.
    pub(super) fn wake(&mut self) {
        (self.is_still, self.is_untouched) = (false, false);
    }

    /// Finds the old contact of two pieces (match history); a new one if there is none.
    pub(super) fn match_history(&mut self, row: usize, other: Partner, pieces: [u32; 2]) -> Contact {
        let key = (other, pieces);
        while self.old.start < self.old.end && self.before[self.old.start].key() < key {
            self.old.start += 1;
        }
        let old = self.before[..self.old.end].get(self.old.start).filter(|old| old.key() == key);
        old.copied().unwrap_or_else(|| Contact::new(row as u32, other, pieces))
    }
}
