//! All contacts from step to step, in blocks of rows.
//!
//! Reads the pairs of impulses, pieces and where they are; writes contacts, each with its history
//! from the step before. The contacts of a row are in the order of partner and pieces, so that old
//! and new ones are matched in one pass.

use std::ops::Range;

use rayon::prelude::*;

use super::contact::{Contact, Partner};
use super::contact_block::{BLOCK, ContactBlock};
use super::dispatch::Dispatch;
use super::renew::NarrowPhase;
use super::solids::SolidPieces;
use super::travel::Travel;
use crate::world::World;

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
}
