//! What piles remember, as it is saved.

use super::{NotAState, record};
use crate::direct::pile::{Layer, MOST_LEAN, Memory, Pile, PilesState};

record!(PilesState: side, piles, memory);
record!(Pile: kind, centre, radius, whole, lean, seen, shaken, layers);
record!(Layer: bottom, thickness, radius, capacity, density);
record!(Memory: id, free, slow, still, pushed, from);

/// Sides of squares that bodies can have given them \[m\].
const SIDES: std::ops::Range<f64> = 1e-12..1e12;

impl PilesState {
    /// Refuses what piles of so many kinds cannot remember.
    pub(super) fn check(&self, kinds: usize) -> Result<(), NotAState> {
        if self.side != 0.0 && !SIDES.contains(&self.side) {
            return Err(NotAState("its piles have squares without a size"));
        }
        let is_sound = |pile: &Pile| {
            let Pile { centre, radius, whole, lean, seen, shaken, .. } = pile;
            (pile.kind as usize) < kinds
                && centre.is_finite()
                && lean.abs() <= MOST_LEAN
                && [radius, whole, seen, shaken].iter().all(|n| n.is_finite())
        };
        if self.piles.iter().all(is_sound) { Ok(()) } else { Err(NotAState("it has other piles")) }
    }
}
