//! Bodies that are in each other, or in obstacles, at the start of a scene.

use tumble::measure::{self, Overlap};
use tumble::world::World;

use crate::findings::Findings;
use crate::scene::Note;
use crate::spec::SceneSpec;

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

/// Refuses bodies of spheres that are in each other or in obstacles, and warns of solids that are.
pub(super) fn check(spec: &SceneSpec, world: &World, findings: &mut Findings, notes: &mut Vec<Note>) {
    let bodies = spec.bodies.iter().enumerate();
    let bodies = bodies.flat_map(|(at, body)| body.names().into_iter().map(move |name| (name, at))).collect();
    let placed = Placed { world, bodies };
    placed.report_overlaps(findings);
    if spec.solver.kind().needs().parts {
        placed.warn_of_overlaps(findings, notes);
    }
}

/// Single bodies and obstacles where they start.
struct Placed<'a> {
    world: &'a World,
    /// The name of each body, and the number of its table.
    bodies: Vec<(String, usize)>,
}

impl Placed<'_> {
    /// The body of an overlap, and the path of its position. Nothing was removed yet, so the slot
    /// of an id is the number of the body.
    fn body(&self, overlap: &Overlap) -> (&str, String) {
        let (name, table) = &self.bodies[overlap.body.index as usize];
        (name, format!("body[{table}].position"))
    }

    /// The other side of an overlap.
    fn other(&self, overlap: &Overlap) -> String {
        match overlap.other {
            Ok(other) => format!("body `{}`", self.bodies[other.index as usize].0),
            Err(obstacle) => format!("obstacle `{}`", self.world.obstacles[obstacle].name),
        }
    }

    /// Refuses bodies of spheres that are in each other or in obstacles: soft contacts would throw
    /// them apart.
    fn report_overlaps(&self, findings: &mut Findings) {
        let overlaps = measure::first_overlaps(self.world, MOST_OVERLAPS);
        for overlap in overlaps.iter().take(SPHERES_TOLD) {
            let ((this, path), other) = (self.body(overlap), self.other(overlap));
            let what = format!("body `{this}` overlaps {other} by {:.3e} m at the start", overlap.depth);
            findings.at(path, what, "move one of them: bodies must start apart or just touching");
        }
        if let Some(next) = overlaps.get(SPHERES_TOLD) {
            let (this, path) = self.body(next);
            let (least, more) =
                (if overlaps.len() == MOST_OVERLAPS { "at least " } else { "" }, overlaps.len() - SPHERES_TOLD);
            let what = format!("{least}{more} more overlaps at the start, from body `{this}` on");
            findings.at(path, what, "if they are in a grid, set `spacing` to their diameter or more");
        }
    }

    /// Says which solids are in each other: the solver moves them apart, so it is no error, unless
    /// they are too many.
    fn warn_of_overlaps(&self, findings: &mut Findings, notes: &mut Vec<Note>) {
        let mut warn = |text| notes.push(Note { text, is_warning: true });
        let most = MOST_OVERLAPS_A_BODY * self.bodies.len();
        let mut overlaps = measure::solid_overlaps(self.world, TOUCHING, most);
        if let Some(first) = overlaps.first().filter(|_| overlaps.len() == most) {
            let (this, path) = self.body(first);
            let what = format!("bodies are in each other in at least {most} pairs at the start, body `{this}` first");
            findings.at(path, what, "put them apart; if they are in a grid, set `spacing` to their size");
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
