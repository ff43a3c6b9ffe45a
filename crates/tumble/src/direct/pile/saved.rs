//! The memory of piles, as it is saved.

use super::trial::PileTrial;
use super::{LandedMemory, Layer, Pile, Piles, PilesState};
use crate::state::{NotAState, StateIo, record};
use crate::world::{Bodies, Grip};

record!(PilesState: side, piles, memory; else Self::default());
record!(Pile: kind, centre, radius, whole, lean, seen, rested, proven, is_shaken, trial, firmness, steep, layers);
record!(PileTrial: rounds_left, rounds);
record!(Layer: bottom, thickness, radius, capacity, density);
record!(LandedMemory: id, free, slow, still, still_at, stuck, from, grip);

/// Version of what piles remember.
const VERSION: u32 = 3;

/// Sides of squares that bodies can have given them \[m\].
const SIDES: std::ops::Range<f64> = 1e-12..1e12;

impl Piles {
    /// Their memory, for writing, hashing and reading.
    pub(crate) fn state<Io: StateIo>(&self, io: &mut Io) -> Result<PilesState, Io::Problem> {
        // Without piles there is nothing that could be read wrongly.
        let counted = if self.kinds.is_empty() {
            0.0
        } else {
            io.version(VERSION, "its piles were written by another version of tumble")?;
            io.value(&self.state.counted)?
        };
        Ok(PilesState { counted, ..io.value(&self.state)? })
    }

    /// Refuses what these piles cannot remember.
    pub(crate) fn check(&self, saved: &PilesState) -> Result<(), NotAState> {
        if !(saved.counted >= 0.0 && saved.counted.is_finite()) {
            return Err(NotAState("its piles have counted no number of bodies"));
        }
        if saved.side != 0.0 && !SIDES.contains(&saved.side) {
            return Err(NotAState("its piles have squares without a size"));
        }
        let is_sound = |pile: &Pile| {
            let Pile { centre, radius, whole, seen, proven, trial, .. } = pile;
            (pile.kind as usize) < self.kinds.len()
                && centre.is_finite()
                && pile.aims_well()
                && trial.is_none_or(PileTrial::is_sound)
                && [radius, whole, seen, proven].iter().all(|n| n.is_finite())
        };
        if saved.memory.iter().any(|memory| memory.grip as usize >= Grip::ALL.len()) {
            return Err(NotAState("its bodies grip in ways that there are not"));
        }
        if saved.piles.iter().all(is_sound) { Ok(()) } else { Err(NotAState("it has other piles")) }
    }

    /// Takes over what was saved.
    pub(crate) fn load(&mut self, saved: PilesState) {
        self.state = saved;
        self.layered.clear();
    }

    /// Gives bodies the grips that were saved.
    pub(crate) fn restore(&self, bodies: &mut Bodies) {
        for row in 0..bodies.len() {
            let id = bodies.traits[row].id;
            let memory = self.state.memory.get(id.index as usize).filter(|memory| memory.id == id.number());
            bodies.grip[row] = memory.map_or(Grip::Usual, |memory| Grip::ALL[memory.grip as usize]);
        }
    }
}
