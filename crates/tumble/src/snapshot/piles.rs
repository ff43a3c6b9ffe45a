//! What piles remember, to and from bytes.

use glam::{DVec2, DVec3};

use super::{NotAState, Reader, Writer};
use crate::direct::pile::{Layer, MOST_LEAN, Memory, Pile, PilesState};

/// Bytes of what is remembered of a body: its id, four times, a place. Of a layer: five numbers.
const SAVED_MEMORY: usize = 64;
const SAVED_LAYER: usize = 40;

/// The least bytes of a pile: its kind, eight numbers with the count of its layers.
const SAVED_PILE: usize = 68;

/// Sides of squares that bodies can have given them \[m\].
const SIDES: std::ops::Range<f64> = 1e-12..1e12;

/// Writes what all piles remember.
pub(super) fn write(state: &PilesState, to: &mut Writer<'_>) {
    to.f64(state.side);
    to.u64(state.piles.len() as u64);
    for Pile { kind, centre, radius, whole, layers, lean, seen, shaken } in &state.piles {
        to.u32(*kind);
        [centre.x, centre.y, *radius, *whole, *lean, *seen, *shaken].into_iter().for_each(|value| to.f64(value));
        to.u64(layers.len() as u64);
        for &Layer { bottom, thickness, radius, capacity, density } in layers {
            [bottom, thickness, radius, capacity, density].into_iter().for_each(|value| to.f64(value));
        }
    }
    to.u64(state.memory.len() as u64);
    for &Memory { id, free, slow, still, pushed, from } in &state.memory {
        to.u64(id);
        [free, slow, still, pushed, from.x, from.y, from.z].into_iter().for_each(|value| to.f64(value));
    }
}

/// Reads what piles of so many kinds remember.
pub(super) fn read(from: &mut Reader<'_>, kinds: usize) -> Result<PilesState, NotAState> {
    let side = from.f64()?;
    if side != 0.0 && !SIDES.contains(&side) {
        return Err(NotAState("its piles have squares without a size"));
    }
    let piles = from.list(SAVED_PILE, |from| {
        Ok(Pile {
            kind: from.u32()?,
            centre: DVec2::new(from.f64()?, from.f64()?),
            radius: from.f64()?,
            whole: from.f64()?,
            lean: from.f64()?,
            seen: from.f64()?,
            shaken: from.f64()?,
            layers: from.list(SAVED_LAYER, |from| {
                let (bottom, thickness, radius) = (from.f64()?, from.f64()?, from.f64()?);
                Ok(Layer { bottom, thickness, radius, capacity: from.f64()?, density: from.f64()? })
            })?,
        })
    })?;
    let is_sound = |pile: &Pile| {
        let Pile { centre, radius, whole, lean, seen, shaken, .. } = pile;
        (pile.kind as usize) < kinds
            && centre.is_finite()
            && lean.abs() <= MOST_LEAN
            && [radius, whole, seen, shaken].iter().all(|n| n.is_finite())
    };
    if !piles.iter().all(is_sound) {
        return Err(NotAState("it has other piles"));
    }
    let memory = from.list(SAVED_MEMORY, |from| {
        Ok(Memory {
            id: from.u64()?,
            free: from.f64()?,
            slow: from.f64()?,
            still: from.f64()?,
            pushed: from.f64()?,
            from: DVec3::new(from.f64()?, from.f64()?, from.f64()?),
        })
    })?;
    Ok(PilesState { side, piles, memory })
}
