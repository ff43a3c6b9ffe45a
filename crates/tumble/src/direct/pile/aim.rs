//! A pile that looks at itself: what it is asked to be against what it has become.
//!
//! Reads the heap of one pile; writes how much steeper or flatter its cone is made than it was
//! asked to be, and how firm it is. Where the heap and its cone differ depends on what is piled:
//! hooked things stand steeper, round ones run out. So whenever the pile has grown a little, the
//! slope of its heap is measured, and a part of what is missing is added. Whenever it comes to rest
//! and is too steep, its cone is made flatter, until it no longer is.

use std::f64::consts::FRAC_PI_2;

use super::{LandedMemory, Pile, Site};

/// Members at the first look.
const FIRST_LOOK: f64 = 60.0;

/// By how much a pile grows between two looks.
const GROWTH: f64 = 1.02;

/// How much of what is missing is added to the lean at a look, and how large that may become
/// \[rad\]. The cone is made steeper by little: what it lacks then, firmness has to give.
const GAIN: f64 = 0.08;
const MOST_LEAN: f64 = 0.4;
pub(super) const MOST_STEEPER: f64 = 0.1;

/// The flattest cone, over the angle asked for.
pub(super) const FLATTEST: f64 = 0.2;

/// Firmness for what is missing now \[1/rad\], beside that for what was missing before.
const FIRMER: f64 = 3.0;

/// By how much a pile that grows is made steeper than asked \[rad\]: what is too steep comes down
/// when it is at rest, and what is too flat never gets up again.
const AHEAD: f64 = 0.07;

/// Part of the members that sleep when the pile is looked at: one that is awash is no cone.
const QUIET: f64 = 0.4;

/// A pile at rest that is steeper than asked by more than this is made flatter \[rad\], and by how
/// much of what it is too steep its cone then changes; at most by so much at a time, since a
/// landslide loosens what it takes along \[rad\].
const TOO_STEEP: f64 = 0.035;
const TRIM: f64 = 0.7;
const MOST_TRIM: f64 = 0.035;

/// A pile that became flatter by less than this when it came down last is left as it is: its bodies
/// hook each other \[rad\].
const LITTLE: f64 = 0.01;

/// Looks at a pile that has grown, or that `comes_to_rest` and holds nobody who has yet to be let
/// go. Says whether it is to become flatter.
pub(super) fn look(pile: &mut Pile, site: &Site<'_>, comes_to_rest: bool, memory: &mut [LandedMemory]) -> bool {
    let count = site.members.len() as f64;
    let asleep = site.members.iter().filter(|body| body.rest.asleep).count() as f64;
    let has_grown = count >= GROWTH * pile.seen && asleep >= QUIET * count;
    if count < FIRST_LOOK || !(has_grown || comes_to_rest) {
        return false;
    }
    let Some(slope) = site.lying.slope() else { return false };
    let missing = site.settings.angle - slope.atan();
    if has_grown {
        pile.seen = count;
        let missing = missing + AHEAD;
        pile.lean = (pile.lean + GAIN * missing).clamp(-MOST_LEAN, MOST_LEAN);
        pile.firmness = (pile.lean / MOST_LEAN + FIRMER * missing).clamp(0.0, 1.0);
        pile.steep = FRAC_PI_2;
    }
    let comes_on = slope.atan() < pile.steep - LITTLE;
    let is_too_steep = comes_to_rest && missing < -TOO_STEEP && comes_on && pile.lean > -MOST_LEAN;
    if is_too_steep {
        pile.steep = slope.atan();
        (pile.lean, pile.firmness) = (pile.lean.min(MOST_STEEPER), 0.0);
        pile.flatten((-TRIM * missing).min(MOST_TRIM));
        // Bodies that were stuck try again, and what then lies there has to prove itself.
        pile.is_shaken = true;
        site.members.iter().for_each(|body| memory[body.id.index as usize].stuck = 0.0);
    }
    is_too_steep
}

impl Pile {
    /// Makes its cone flatter by this angle \[rad\]. Says whether it could be.
    pub(super) fn flatten(&mut self, by: f64) -> bool {
        let before = self.lean;
        self.lean = (self.lean - by).max(-MOST_LEAN);
        self.lean < before
    }

    /// Whether it was made flatter since it grew.
    pub(super) fn has_come_down(&self) -> bool {
        self.steep < FRAC_PI_2
    }

    /// Whether what it learned about itself can have been saved.
    pub(super) fn aims_well(&self) -> bool {
        self.lean.abs() <= MOST_LEAN && (0.0..=1.0).contains(&self.firmness) && self.steep.is_finite()
    }
}
