//! Where piles are: found where sets of bodies land, and made one when they grow into each other
//! (Hsu & Keyser 2010, sections 3.1 and 3.5).
//!
//! Only piles whose place was not given are found and merged; only those of one kind become one.

use std::collections::BTreeMap;

use glam::DVec2;

use super::{Pile, PileSettings, PilesState, mean};
use crate::direct::SeenBody;

/// Bodies that make a pile.
const FIRST_SET: usize = 8;

/// How far they are at least from a pile that there is already, over their length.
const BESIDE: f64 = 2.0;

/// Of those that make another pile, so many lie on others: what only rolled away from a pile does
/// not.
const UP: usize = 2;

/// How far from its axis bodies of this length belong to a pile \[m\].
pub(super) fn reach(pile: &Pile, length: f64) -> f64 {
    pile.whole.max(pile.radius) + BESIDE * length
}

/// Makes a pile where enough bodies lie together that are part of none; at most one a frame and
/// kind.
pub(super) fn found(state: &mut PilesState, kinds: &[PileSettings], landed: &[SeenBody]) {
    for (kind, settings) in kinds.iter().enumerate().filter(|(_, settings)| settings.place.is_none()) {
        let taken: Vec<SeenBody> = landed.iter().copied().filter(|body| settings.takes(body.shape)).collect();
        let length = 2.0 * mean(&taken, |body| body.radius);
        let is_free = |body: &SeenBody| {
            let mut piles = state.piles.iter().filter(|pile| kinds[pile.kind as usize].takes(body.shape));
            piles.all(|pile| pile.centre.distance(body.centre.truncate()) > reach(pile, length))
        };
        let mut squares: BTreeMap<[i32; 2], Vec<SeenBody>> = BTreeMap::new();
        for &body in taken.iter().filter(|body| is_free(body)) {
            let square = (body.centre.truncate() / length).floor().as_ivec2();
            squares.entry(square.to_array()).or_default().push(body);
        }
        // Where most of them lie together, in a square as wide as they are long and those around
        // it.
        let around = |&[x, y]: &[i32; 2]| -> Vec<SeenBody> {
            let near = (0..9).filter_map(|k| squares.get(&[x + k % 3 - 1, y + k / 3 - 1]));
            near.flatten().copied().collect()
        };
        let Some(set) = squares.keys().map(around).max_by_key(Vec::len) else { continue };
        let is_first = !state.piles.iter().any(|pile| pile.kind as usize == kind);
        let up = set.iter().filter(|body| body.centre.z - settings.base > 0.75 * length).count();
        if set.len() >= FIRST_SET && (is_first || up >= UP) {
            let middle = set.iter().map(|body| body.centre.truncate()).sum::<DVec2>() / set.len() as f64;
            state.piles.push(Pile::new(kind, middle));
        }
    }
}

/// Makes two piles one when the axis of the smaller is in the other; the new axis is between them,
/// by their volumes.
pub(super) fn merge(piles: &mut Vec<Pile>, kinds: &[PileSettings]) {
    let near = |a: &Pile, b: &Pile| {
        let is_found = kinds[a.kind as usize].place.is_none();
        a.kind == b.kind && is_found && a.centre.distance(b.centre) < a.radius.max(b.radius)
    };
    let pair = |piles: &[Pile]| {
        let pairs = (0..piles.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.into_iter().find(|&(a, b)| near(&piles[a], &piles[b]))
    };
    while let Some((a, b)) = pair(piles) {
        let gone = piles.remove(b);
        let (kept, volume) = (&mut piles[a], |pile: &Pile| pile.radius.powi(3));
        let part = volume(&gone) / (volume(kept) + volume(&gone));
        kept.centre = kept.centre.lerp(gone.centre, part);
        (kept.radius, kept.whole) = (kept.radius.max(gone.radius), kept.whole.max(gone.whole));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pile(x: f64, radius: f64, kind: usize) -> Pile {
        Pile { radius, whole: radius, ..Pile::new(kind, DVec2::new(x, 0.0)) }
    }

    #[test]
    fn near_piles_of_one_kind_become_one() {
        let kinds = [PileSettings::new(0.5), PileSettings { place: Some(DVec2::ZERO), ..PileSettings::new(0.5) }];
        let mut piles = vec![pile(0.0, 2.0, 0), pile(1.5, 2.0, 0), pile(3.0, 1.0, 0), pile(0.1, 2.0, 1)];
        merge(&mut piles, &kinds);
        // The second is in the first: in the middle, at 0.75. That is 2.25 from the third.
        assert_eq!(piles.iter().map(|pile| pile.centre.x).collect::<Vec<_>>(), [0.75, 3.0, 0.1]);
        piles[0].radius = 2.5;
        merge(&mut piles, &kinds);
        assert_eq!(piles.len(), 2);
        assert!(piles[0].centre.x > 0.75 && piles[0].centre.x < 1.0 && piles[0].radius == 2.5);
    }
}
