//! The order of rows: bodies that are born or gone, and rows sorted in space.
//!
//! Reads ids and positions; writes the order of rows, and the rows that contacts name.

use super::contact::{Contact, Partner};
use super::solver::RigidSolver;
use super::tree;
use crate::world::{BodyId, World};

impl RigidSolver {
    /// Finds bodies that are born, and drops contacts of bodies that are gone since the last step.
    pub(super) fn keep_up(&mut self, world: &World) {
        let now = world.bodies.traits.iter().map(|traits| traits.id);
        if self.names.iter().copied().eq(now.clone()) {
            return;
        }
        let born = self.unknown(world);
        self.born.extend(born);
        let rows_changed = self.names.iter().copied().zip(now.clone()).any(|(then, now)| then != now);
        if rows_changed || self.names.len() > now.len() {
            let names = std::mem::take(&mut self.names);
            self.rename(|row| world.bodies.row(names[row as usize]).map(|row| row as u32), world.bodies.len());
        }
        self.names.clear();
        self.names.extend(now);
    }

    /// Living bodies that no step has seen yet and that are not in `born`.
    pub(super) fn unknown(&self, world: &World) -> Vec<BodyId> {
        let mut known: Vec<BodyId> = self.names.iter().chain(&self.born).copied().collect();
        known.sort_unstable();
        let ids = world.bodies.traits.iter().map(|traits| traits.id);
        ids.filter(|id| known.binary_search(id).is_err()).collect()
    }

    /// The body that was in a row in the last step, if it still lives.
    pub(super) fn name(&self, world: &World, row: u32) -> Option<BodyId> {
        self.names.get(row as usize).copied().filter(|&id| world.bodies.row(id).is_some())
    }

    /// Sorts rows so that bodies near each other have rows near each other.
    pub(super) fn sort(&mut self, world: &mut World) {
        let positions: Vec<_> = world.bodies.pose.iter().map(|pose| pose.position).collect();
        let order = tree::order(&positions);
        let mut new_row = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| new_row[old as usize] = new as u32);
        world.bodies.take_rows(&order);
        self.rename(|row| Some(new_row[row as usize]), order.len());
        self.names.clear();
        self.names.extend(world.bodies.traits.iter().map(|traits| traits.id));
    }

    /// Gives contacts the new rows of their bodies, and drops those of bodies that have none.
    fn rename(&mut self, new_row: impl Fn(u32) -> Option<u32>, rows: usize) {
        let renamed = |contact: &Contact| match (new_row(contact.a), contact.b.row().map(&new_row)) {
            (Some(a), None) => Ok(Contact { a, ..*contact }),
            (Some(a), Some(Some(b))) if a < b => Ok(Contact { a, b: Partner::body(b), ..*contact }),
            (Some(a), Some(Some(b))) => Ok(contact.swapped(b, a)),
            // The body that stays behind may have stood on the one that is gone.
            (a, b) => Err(a.or(b.flatten())),
        };
        let (list, left): (Vec<_>, Vec<_>) = self.contacts.iter().map(renamed).partition(Result::is_ok);
        self.unsupported = self.unsupported.iter().filter_map(|&row| new_row(row)).collect();
        self.unsupported.extend(left.into_iter().filter_map(|contact| contact.err().flatten()));
        let mut list: Vec<Contact> = list.into_iter().flatten().collect();
        list.sort_unstable_by_key(|contact| (contact.a, contact.key()));
        self.contacts.set(list, rows);
        self.is_new = true;
    }
}
