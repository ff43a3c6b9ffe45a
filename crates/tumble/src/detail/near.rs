//! Search for carriers that may influence a box, eight carriers at a time.
//!
//! Interpolation asks this twice, of the grid for a block of particles and of its result for a
//! group of the block, so that particles are compared with few carriers that turn out to be too
//! far. The comparison is that of a particle with a carrier, operation by operation, at the place
//! of the box that is nearest to the carrier: rounding keeps order, so no carrier that would have
//! counted is left out.

use std::ops::Range;

use glam::Vec3;
use wide::f32x8;

use super::carriers::Influence;

/// Numbers in a register.
pub(super) const LANES: usize = 8;

/// Carriers, and where they are once more for eight of them at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Influences {
    pub(super) carriers: Vec<Influence>,
    eights: Vec<Eight>,
}

/// Places of eight carriers \[m\] and one over their squared radii of influence \[1/m²\].
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Eight {
    x: [f32; LANES],
    y: [f32; LANES],
    z: [f32; LANES],
    inverse_square: [f32; LANES],
}

/// Numbers of carriers that were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    numbers: Vec<u32>,
    count: usize,
}

impl Influences {
    pub(super) fn clear(&mut self) {
        self.carriers.clear();
        self.eights.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, carrier: Influence) {
        let lane = self.carriers.len() % LANES;
        if lane == 0 {
            self.eights.push(Eight::default());
        }
        self.carriers.push(carrier);
        if let Some(eight) = self.eights.last_mut() {
            [eight.x[lane], eight.y[lane], eight.z[lane]] = carrier.place.to_array();
            eight.inverse_square[lane] = carrier.inverse_square;
        }
    }

    /// Finds those among some carriers that may influence something in a box, in ascending order,
    /// besides what was found before.
    #[inline(always)]
    pub(super) fn find(&self, among: Range<usize>, low: Vec3, high: Vec3, found: &mut Found) {
        // By how much places lie outside of the box along an axis.
        let outside = |places: [f32; LANES], low: f32, high: f32| {
            let places = f32x8::new(places);
            (f32x8::splat(low) - places).fast_max(places - f32x8::splat(high)).fast_max(f32x8::ZERO)
        };
        let eights = among.start / LANES..among.end.div_ceil(LANES);
        found.make_room(eights.len() * LANES);
        for (eight, first) in self.eights[eights.clone()].iter().zip((eights.start * LANES..).step_by(LANES)) {
            let x = outside(eight.x, low.x, high.x);
            let y = outside(eight.y, low.y, high.y);
            let z = outside(eight.z, low.z, high.z);
            let share = square([x, y, z]) * f32x8::new(eight.inverse_square);
            let within = share.simd_lt(f32x8::ONE).to_bitmask();
            let (start, end) = (among.start.saturating_sub(first), (among.end - first).min(LANES));
            found.add(first as u32, within & ((1 << end) - (1 << start)));
        }
    }
}

impl Found {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers[..self.count]
    }

    /// Makes room for so many more numbers, and for a whole register of them at the end.
    fn make_room(&mut self, more: usize) {
        if self.numbers.len() < self.count + more + LANES {
            self.numbers.resize(2 * (self.count + more + LANES), 0);
        }
    }

    /// Adds `first + k` for each bit k that is set, without a branch to guess; there must be room.
    #[inline(always)]
    fn add(&mut self, first: u32, bits: u32) {
        let bits = bits as usize % SET.len();
        let room = &mut self.numbers[self.count..self.count + LANES];
        room.iter_mut().zip(SET[bits]).for_each(|(number, k)| *number = first + u32::from(k));
        self.count += bits.count_ones() as usize;
    }
}

/// Which bits of a number are set, in ascending order, and zeros.
const SET: [[u8; LANES]; 1 << LANES] = {
    let mut table = [[0; LANES]; 1 << LANES];
    let mut bits = 0;
    while bits < table.len() {
        let (mut k, mut count) = (0, 0);
        while k < LANES {
            if bits >> k & 1 == 1 {
                table[bits][count] = k as u8;
                count += 1;
            }
            k += 1;
        }
        bits += 1;
    }
    table
};

/// The square of a length.
#[inline(always)]
pub(super) fn square([x, y, z]: [f32x8; 3]) -> f32x8 {
    x * x + y * y + z * z
}

/// Eight numbers of a column; beyond its end the last one again.
#[inline(always)]
pub(super) fn load(column: &[f32]) -> f32x8 {
    match column.first_chunk() {
        Some(&eight) => f32x8::new(eight),
        None => f32x8::new(std::array::from_fn(|lane| column[lane.min(column.len() - 1)])),
    }
}

/// Writes eight numbers to a column, or as many as it has.
#[inline(always)]
pub(super) fn store(column: &mut [f32], numbers: f32x8) {
    match column.first_chunk_mut() {
        Some(eight) => *eight = numbers.to_array(),
        None => column.iter_mut().zip(numbers.to_array()).for_each(|(place, number)| *place = number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;

    /// Every carrier within reach of some place of a box is found, and none beyond reach of all of
    /// it, in ranges of any length.
    #[test]
    fn finds_who_reaches_a_box() {
        let mut influences = Influences::default();
        for id in 0..500 {
            let mut draws = Draws::new(3, 1, id);
            let (place, radius) = (draws.in_ball().as_vec3(), draws.between(0.1, 0.3) as f32);
            influences.push(Influence { place, velocity: Vec3::ZERO, inverse_square: (radius * radius).recip() });
        }
        let (low, high) = (Vec3::new(-0.2, -0.1, 0.0), Vec3::new(0.1, 0.3, 0.2));
        for among in [0..500, 3..3, 7..9, 100..117, 483..500] {
            let reaches = |&k: &u32| {
                let Influence { place, inverse_square, .. } = influences.carriers[k as usize];
                place.clamp(low, high).distance_squared(place) * inverse_square < 1.0
            };
            let mut found = Found::default();
            influences.find(among.clone(), low, high, &mut found);
            let expected: Vec<u32> = (among.start as u32..among.end as u32).filter(reaches).collect();
            assert_eq!(found.numbers(), expected);
        }
    }
}
