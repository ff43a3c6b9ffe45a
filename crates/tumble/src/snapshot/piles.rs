//! What piles remember, to and from bytes.

use glam::DVec2;

use super::{NotAState, Reader, Writer};
use crate::direct::pile::{Memory, Pile, PileState};

/// Bytes of what a pile remembers of a body: its id, two times.
const SAVED_MEMORY: usize = 24;

/// Writes what all piles remember.
pub(super) fn write(piles: &[Pile], to: &mut Writer<'_>) {
    to.u64(piles.len() as u64);
    for PileState { centre, cone, shaken, memory } in piles.iter().map(|pile| &pile.state) {
        to.u32(u32::from(centre.is_some()) + 2 * u32::from(cone.is_some()));
        centre
            .unwrap_or_default()
            .to_array()
            .into_iter()
            .chain(cone.unwrap_or_default())
            .for_each(|value| to.f64(value));
        to.f64(*shaken);
        to.u64(memory.len() as u64);
        for &Memory { id, free, slow } in memory {
            to.u64(id);
            to.f64(free);
            to.f64(slow);
        }
    }
}

/// Reads what so many piles remember.
pub(super) fn read(from: &mut Reader<'_>, piles: usize) -> Result<Vec<PileState>, NotAState> {
    if from.u64()? != piles as u64 {
        return Err(NotAState("it has another number of piles"));
    }
    let mut states = Vec::new();
    for _ in 0..piles {
        let flags = from.u32()?;
        let (centre, cone) = (DVec2::new(from.f64()?, from.f64()?), [from.f64()?, from.f64()?, from.f64()?]);
        let shaken = from.f64()?;
        let memory =
            from.list(SAVED_MEMORY, |from| Ok(Memory { id: from.u64()?, free: from.f64()?, slow: from.f64()? }))?;
        states.push(PileState {
            centre: (flags & 1 != 0).then_some(centre),
            cone: (flags & 2 != 0).then_some(cone),
            shaken,
            memory,
        });
    }
    Ok(states)
}
