//! Deep bodies: those that were put into something, and those that they are moved into.
//!
//! Reads contacts where bodies are when a step begins; writes the deepest contact of the frame, and
//! which contacts are deep. Deep contacts move bodies apart, see `solve/apart.rs`.

use rayon::prelude::*;

use super::contact::MAX_DEPTH_SLIP;
use super::contact_block::ContactBlock;
use super::solids::SolidPieces;
use super::solver::{DeepBodies, RigidSolver};
use crate::world::World;

/// Bodies that were put into each other stay deep until this depth is left, over the radius of the
/// smaller; else they would be thrown the rest of the way.
const MIN_DEPTH: f64 = 0.01;

/// Bodies that deep ones are moved into become deep from this depth on, over the radius of the
/// smaller: more than bodies enter each other where they meet and bear loads.
const MIN_NEIGHBOUR_DEPTH: f64 = 0.2;

/// The deepest contact of a block: depth over the smaller radius, and the two rows.
type DeepestOfBlock = (f64, u32, Option<u32>);

impl RigidSolver {
    /// Measures all contacts where bodies are when the step begins: keeps the deepest if it is that
    /// of the frame, and finds the bodies that are deep in something.
    pub(super) fn find_overlaps(&mut self, world: &World) {
        let rows = world.bodies.len();
        // Contacts are deep only if bodies were just born, or if some were deep in the last step.
        let may_be_deep = self.deep.any || !self.born.is_empty();
        self.find_deep(rows, self.deep.any);
        self.deep.born.clear();
        self.deep.born.resize(if self.born.is_empty() { 0 } else { rows }, false);
        self.born.drain(..).filter_map(|id| world.bodies.row(id)).for_each(|row| self.deep.born[row] = true);

        // Of contacts that are equally deep the one of the smallest row counts, whichever thread
        // finds it.
        let (solids, least, deep) = (&self.solids, self.deepest.depth, &self.deep);
        let blocks = self.contacts.blocks.par_iter_mut().filter(|block| !block.is_untouched);
        let deepest = blocks
            .filter_map(|block| measure(block, solids, deep, least))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((depth, a, b)) = deepest {
            let name = |row: u32| world.bodies.traits[row as usize].id;
            self.deepest.see(depth, Some((name(a), b.map(name))));
        }
        self.find_deep(rows, may_be_deep);
    }

    /// Finds the rows that have a deep contact, if any may have one.
    fn find_deep(&mut self, rows: usize, may_be: bool) {
        let deep = &mut self.deep;
        deep.rows.clear();
        deep.rows.resize(rows, false);
        let contacts = self.contacts.iter().filter(|contact| may_be && contact.is_deep);
        for row in contacts.flat_map(|contact| [Some(contact.a), contact.b.row()]).flatten() {
            deep.rows[row as usize] = true;
        }
        deep.any = may_be && deep.rows.contains(&true);
    }
}

/// Says of each contact of a block whether it is deep; gives the deepest, if it is deeper than
/// `least`.
fn measure(block: &mut ContactBlock, solids: &SolidPieces, deep: &DeepBodies, least: f64) -> Option<DeepestOfBlock> {
    let mut deepest: Option<DeepestOfBlock> = None;
    for contact in block.contacts.iter_mut().filter(|contact| contact.count > 0 || contact.is_deep) {
        let (a, b) = (contact.a, contact.b.row());
        let (frames, radius) = match b.map(|row| row as usize) {
            Some(b) => (&solids.frames[b], solids.radii[a as usize].min(solids.radii[b])),
            None => (&solids.obstacle_frames[contact.b.number()], solids.radii[a as usize]),
        };
        let slip = MAX_DEPTH_SLIP * radius as f32;
        let depth = f64::from(contact.depth(&solids.frames[a as usize], frames, slip)) / radius;
        if depth > deepest.map_or(least, |deepest| deepest.0) {
            deepest = Some((depth, a, b));
        }
        let any = |rows: &[bool]| [Some(a), b].into_iter().flatten().any(|row| rows.get(row as usize) == Some(&true));
        contact.is_deep =
            depth > MIN_DEPTH && (contact.is_deep || any(&deep.born)) || depth > MIN_NEIGHBOUR_DEPTH && any(&deep.rows);
    }
    deepest
}
