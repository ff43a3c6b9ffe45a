//! All contacts from step to step, in blocks of rows.
//!
//! Reads the pairs of impulses, pieces and where they are; writes contacts, each with its history
//! from the step before. The contacts of a row are in the order of partner and pieces, so that old
//! and new ones are matched in one pass.

use std::ops::Range;

use rayon::prelude::*;

use super::contact::{Contact, Partner};
use super::dispatch::Dispatch;
use super::renew::NarrowPhase;
use super::solids::SolidPieces;
use super::travel::Travel;
use crate::geometry::Manifold;
use crate::world::World;

/// Rows of a block.
const BLOCK: usize = 16;

/// The contacts of some consecutive rows.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactBlock {
    pub(super) contacts: Vec<Contact>,
    /// Contacts of the step before.
    before: Vec<Contact>,
    /// Index of the first contact of each row, now and in the step before.
    starts: Vec<u32>,
    starts_before: Vec<u32>,
    /// Old contacts of the present row that no new one has been compared with yet.
    old: Range<usize>,
    /// Buffers of the narrow phase.
    pub(super) touches: Manifold,
    pub(super) triangles: Vec<u32>,
    /// Whether all bodies of the block slept in the last step, with nothing near them that moves.
    is_still: bool,
    /// Whether its contacts are those of the last step, because nothing of it can have moved.
    pub(super) is_untouched: bool,
}

/// All contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactList {
    pub(super) blocks: Vec<ContactBlock>,
}

impl ContactList {
    /// All contacts, in the order of rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Contact> {
        self.blocks.iter().flat_map(|block| &block.contacts)
    }

    /// Pairs of bodies that have a contact with points, by rows.
    pub(super) fn touching(&self) -> impl Iterator<Item = (u32, u32)> {
        let touching = self.iter().filter(|contact| contact.count > 0);
        touching.filter_map(|contact| Some((contact.a, contact.b.row()?)))
    }

    /// Replaces all contacts; they must be in the order of rows and keys.
    pub(super) fn set(&mut self, contacts: impl IntoIterator<Item = Contact>, rows: usize) {
        self.blocks.clear();
        self.blocks.resize_with(rows.div_ceil(BLOCK), ContactBlock::default);
        for contact in contacts {
            self.blocks[contact.a as usize / BLOCK].contacts.push(contact);
        }
        for (number, block) in self.blocks.iter_mut().enumerate() {
            for row in number * BLOCK..=((number + 1) * BLOCK).min(rows) {
                block.starts.push(block.contacts.partition_point(|contact| (contact.a as usize) < row) as u32);
            }
        }
    }

    /// Finds the contacts of all pairs that collide by impulses.
    pub(super) fn find(&mut self, solids: &SolidPieces, dispatch: &Dispatch, travel: &Travel<'_>) {
        let rows = travel.world.bodies.len();
        self.blocks.resize_with(rows.div_ceil(BLOCK), ContactBlock::default);
        let narrow = NarrowPhase { world: travel.world, solids };
        self.blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
            let rows = number * BLOCK..((number + 1) * BLOCK).min(rows);
            if block.begin(rows.clone(), travel.world, dispatch) {
                block.find(rows, &narrow, dispatch, travel);
            }
        });
    }
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
    fn begin(&mut self, rows: Range<usize>, world: &World, dispatch: &Dispatch) -> bool {
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

    /// Finds the contacts of all rows; those of pairs that rest are taken over as they are.
    fn find(&mut self, rows: Range<usize>, narrow: &NarrowPhase<'_>, dispatch: &Dispatch, travel: &Travel<'_>) {
        for row in rows {
            self.starts.push(self.contacts.len() as u32);
            let start = |row: usize| self.starts_before.get(row).map_or(0, |&start| start as usize);
            self.old = start(row % BLOCK)..start(row % BLOCK + 1);
            for &other in dispatch.impulses.of(row) {
                self.keep(row, Some(other), travel.world, dispatch);
                narrow.find(self, row, other, travel.reach(row, other));
            }
            self.keep(row, None, travel.world, dispatch);
        }
        self.starts.push(self.contacts.len() as u32);
    }

    /// Takes over the old contacts of a sleeping row, up to those with a partner or to the end,
    /// where nothing can have moved.
    fn keep(&mut self, row: usize, until: Option<Partner>, world: &World, dispatch: &Dispatch) {
        if !world.bodies.rest[row].asleep {
            return;
        }
        while self.old.start < self.old.end && until.is_none_or(|other| self.before[self.old.start].b < other) {
            let old = &self.before[self.old.start];
            if dispatch.rests(world, row, old.b) {
                self.contacts.push(*old);
            }
            self.old.start += 1;
        }
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
