//! A pile that looks at itself: what it is asked to be against what it has become.
//!
//! Reads where the members of one pile are; writes how much steeper or flatter its cone is made
//! than it was asked to be. How the slope of a cone and that of the heap that grows by it differ
//! depends on what is piled: hooked things stand steeper. So whenever the pile has grown a little,
//! its angle of repose is measured as anybody would, and a part of what is missing is added.

use glam::DVec3;

use super::{Pile, Site};
use crate::direct::SeenBody;
use crate::measure::{Ball, repose};

/// Members at the first look.
const FIRST_LOOK: f64 = 150.0;

/// By how much a pile grows between two looks.
const GROWTH: f64 = 1.05;

/// How much of what is missing is added, and how much may be added in all \[rad\].
const GAIN: f64 = 0.3;
pub(super) const MOST_LEAN: f64 = 0.15;

/// Part of the members that sleep when the pile is looked at: one that is awash is no cone.
const QUIET: f64 = 0.85;

/// Angles with a larger error than this are not believed \[rad\].
const DOUBT: f64 = 0.1;

pub(super) fn look(pile: &mut Pile, site: &Site<'_>) {
    let count = site.members.len() as f64;
    if count < FIRST_LOOK.max(GROWTH * pile.seen) {
        return;
    }
    let sleepers: Vec<&SeenBody> = site.members.iter().filter(|body| body.rest.asleep).collect();
    if (sleepers.len() as f64) < QUIET * count {
        return;
    }
    pile.seen = count;
    let ball = |body: &SeenBody| Ball { centre: body.centre, radius: 0.5 * body.diameter, body: body.id };
    let balls: Vec<Ball> = sleepers.into_iter().map(ball).collect();
    if let Some(found) = repose(&balls, DVec3::Z).ok().filter(|found| found.spread < DOUBT) {
        pile.lean = (pile.lean + GAIN * (site.settings.angle - found.angle)).clamp(-MOST_LEAN, MOST_LEAN);
    }
}
