//! Bodies that are in each other, or in obstacles, at the start of a scene.

use std::cell::RefCell;

use tumble::measure::{self, Overlap};
use tumble::world::World;

use crate::scene::Note;
use crate::text::TableReader;

/// How many overlaps of spheres are told by name and depth; the others are counted.
const SPHERES_TOLD: usize = 20;

/// How many overlaps of spheres are looked for: bodies in one place have more pairs than there is
/// memory.
const MOST_OVERLAPS: usize = 10_000;

/// Solids that are in each other by less than this, over the radius of the smaller, are as good as
/// touching.
const TOUCHING: f64 = 1e-3;

/// How many overlaps of solids are told by name and depth, the deepest first.
const SOLIDS_TOLD: usize = 5;

/// As many overlaps of solids for each body are too many: all in one place, they would take more
/// memory than there is, and could not be moved apart.
const MOST_OVERLAPS_A_BODY: usize = 64;

/// Single bodies and obstacles where they start, with their names and where they stand in the file.
pub(crate) struct Placed<'a> {
    pub(crate) world: &'a World,
    pub(crate) bodies: &'a [(String, TableReader<'a>)],
    pub(crate) obstacles: &'a [(String, TableReader<'a>)],
}

impl Placed<'_> {
    /// The body of an overlap and where it stands in the file. Nothing was removed yet, so the slot
    /// of an id is the number of the body.
    fn body(&self, overlap: &Overlap) -> &(String, TableReader<'_>) {
        &self.bodies[overlap.body.index as usize]
    }

    /// The other side of an overlap.
    fn other(&self, overlap: &Overlap) -> String {
        match overlap.other {
            Ok(other) => format!("body `{}`", self.bodies[other.index as usize].0),
            Err(obstacle) => format!("obstacle `{}`", self.obstacles[obstacle].0),
        }
    }

    /// Refuses bodies of spheres that are in each other or in obstacles: soft contacts would throw
    /// them apart.
    pub(crate) fn report_overlaps(&self) {
        let overlaps = measure::first_overlaps(self.world, MOST_OVERLAPS);
        for overlap in overlaps.iter().take(SPHERES_TOLD) {
            let ((this, reader), other) = (self.body(overlap), self.other(overlap));
            let what = format!("body `{this}` overlaps {other} by {:.3e} m at the start", overlap.depth);
            reader.problem_at("position", what, "move one of them: bodies must start apart or just touching");
        }
        if let Some(next) = overlaps.get(SPHERES_TOLD) {
            let (this, reader) = self.body(next);
            let (least, more) =
                (if overlaps.len() == MOST_OVERLAPS { "at least " } else { "" }, overlaps.len() - SPHERES_TOLD);
            let what = format!("{least}{more} more overlaps at the start, from body `{this}` on");
            reader.problem_at("position", what, "if they are in a grid, set `spacing` to their diameter or more");
        }
    }

    /// Says which solids are in each other: the solver moves them apart, so it is no error, unless
    /// they are too many.
    pub(crate) fn warn_of_overlaps(&self, notes: &RefCell<Vec<Note>>) {
        let warn = |text| notes.borrow_mut().push(Note { text, is_warning: true });
        let most = MOST_OVERLAPS_A_BODY * self.bodies.len();
        let mut overlaps = measure::solid_overlaps(self.world, TOUCHING, most);
        if let Some(first) = overlaps.first().filter(|_| overlaps.len() == most) {
            let (this, reader) = self.body(first);
            let what = format!("bodies are in each other in at least {most} pairs at the start, body `{this}` first");
            reader.problem_at("position", what, "put them apart; if they are in a grid, set `spacing` to their size");
            return;
        }
        overlaps.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        for overlap in overlaps.iter().take(SOLIDS_TOLD) {
            let ((this, _), other) = (self.body(overlap), self.other(overlap));
            warn(format!("body `{this}` is in {other} by {:.3e} m at the start; they are moved apart", overlap.depth));
        }
        if let Some(next) = overlaps.get(SOLIDS_TOLD) {
            let more = overlaps.len() - SOLIDS_TOLD;
            warn(format!("{more} more pairs are in each other at the start, by up to {:.3e} m", next.depth));
        }
    }
}
