//! The memory of piles, as it is saved.

use super::aim::MOST_LEAN;
use super::{LandedMemory, Layer, Pile, Piles, PilesState};
use crate::state::{NotAState, StateIo, record};

record!(PilesState: side, piles, memory);
record!(Pile: kind, centre, radius, whole, lean, seen, shaken, layers);
record!(Layer: bottom, thickness, radius, capacity, density);
record!(LandedMemory: id, free, slow, still, pushed, from);

/// Sides of squares that bodies can have given them \[m\].
const SIDES: std::ops::Range<f64> = 1e-12..1e12;

impl Piles {
    /// Their memory, for writing, hashing and reading.
    pub(crate) fn state<Io: StateIo>(&self, io: &mut Io) -> Result<PilesState, Io::Problem> {
        io.value(&self.state)
    }

    /// Refuses what these piles cannot remember.
    pub(crate) fn check(&self, saved: &PilesState) -> Result<(), NotAState> {
        if saved.side != 0.0 && !SIDES.contains(&saved.side) {
            return Err(NotAState("its piles have squares without a size"));
        }
        let is_sound = |pile: &Pile| {
            let Pile { centre, radius, whole, lean, seen, shaken, .. } = pile;
            (pile.kind as usize) < self.kinds.len()
                && centre.is_finite()
                && lean.abs() <= MOST_LEAN
                && [radius, whole, seen, shaken].iter().all(|n| n.is_finite())
        };
        if saved.piles.iter().all(is_sound) { Ok(()) } else { Err(NotAState("it has other piles")) }
    }

    /// Takes over what was saved.
    pub(crate) fn load(&mut self, saved: PilesState) {
        self.state = saved;
        self.layered.clear();
    }
}
