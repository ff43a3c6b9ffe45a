//! A pile that looks at itself: what it is asked to be against what it has become.
//!
//! Reads the heap of one pile; writes how much steeper or flatter its cone is made than it was
//! asked to be. Where the heap and its cone differ depends on what is piled: hooked things stand
//! steeper, round ones run out. So whenever the pile has grown a little, the slope of its heap is
//! measured, and a part of what is missing is added. Whenever it comes to rest and is too steep,
//! its cone is made flatter, until it no longer is.

use super::{LandedMemory, Pile, Site};

/// Members at the first look.
const FIRST_LOOK: f64 = 60.0;

/// By how much a pile grows between two looks.
const GROWTH: f64 = 1.05;

/// How much of what is missing is added, and how much may be added in all \[rad\].
const GAIN: f64 = 0.2;
pub(super) const MOST_LEAN: f64 = 0.25;

/// By how much a pile that grows is made steeper than asked \[rad\]: what is too steep comes down
/// when it is at rest, and what is too flat never gets up again.
const AHEAD: f64 = 0.05;

/// Part of the members that sleep when the pile is looked at: one that is awash is no cone.
const QUIET: f64 = 0.4;

/// A pile at rest that is steeper than asked by more than this is made flatter \[rad\], and by how
/// much of what it is too steep its cone then changes.
const TOO_STEEP: f64 = 0.0175;
const TRIM: f64 = 0.5;

/// Looks at a pile that has grown, or that `comes_to_rest`.
pub(super) fn look(pile: &mut Pile, site: &Site<'_>, comes_to_rest: bool, memory: &mut [LandedMemory]) {
    let count = site.members.len() as f64;
    let asleep = site.members.iter().filter(|body| body.rest.asleep).count() as f64;
    let has_grown = count >= GROWTH * pile.seen && asleep >= QUIET * count;
    if count < FIRST_LOOK || !(has_grown || comes_to_rest) {
        return;
    }
    let Some(slope) = site.lying.slope() else { return };
    let ahead = if comes_to_rest { 0.0 } else { AHEAD };
    let missing = site.settings.angle + ahead - slope.atan();
    if has_grown || missing < -TOO_STEEP {
        pile.seen = count;
        let gain = if has_grown { GAIN } else { TRIM };
        let lean = (pile.lean + gain * missing).clamp(-MOST_LEAN, MOST_LEAN);
        if comes_to_rest && lean < pile.lean {
            // Bodies that were stuck try again, and what then lies there has to prove itself.
            pile.proven = 0.0;
            site.members.iter().for_each(|body| memory[body.id.index as usize].stuck = 0.0);
        }
        pile.lean = lean;
    }
}
