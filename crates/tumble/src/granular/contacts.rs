//! The contact stage: narrow phase and force law for every pair of the neighbour list.
//!
//! Reads spheres, obstacles, the pair table; writes the force sums of every block and the history
//! of its contacts. Each block writes only its own data, so blocks run on any thread with the same
//! result.
//!
//! Pairs pass through short loops in batches of at most 64: find the touching pairs, compute their
//! relative motion, apply the contact law, add the forces to the sums. Only touching pairs pass the
//! first loop, four of them per register; the batch between the loops stays in the first-level
//! cache.

use std::cell::RefCell;

use rayon::prelude::*;

use super::inputs::{ContactInputs, Remember};
use super::law::{Coefficients, ContactForce, ContactHistory, ContactState, Law, Rolling, touch};
use super::walls::touch_walls;
use crate::contact::{Block, Deepest, FOUR, Neighbours, SpherePair, Sum};
use crate::lanes::{LANES, Numbers, Register, Vectors};

/// Computes all contacts.
pub(crate) fn contacts(inputs: &ContactInputs<'_>, neighbours: &mut Neighbours) {
    neighbours.blocks.par_iter_mut().for_each(|block| {
        block.sums.fill(Sum::ZERO);
        block.deepest = None;
        // Monomorphised for the law of most scenes, with and without rolling resistance.
        BATCH.with_borrow_mut(|batch| match *inputs.law {
            Law::HERTZ => touch_spheres(inputs, &Law::HERTZ, block, batch),
            SMOOTH => touch_spheres(inputs, &SMOOTH, block, batch),
            _ => touch_spheres(inputs, inputs.law, block, batch),
        });
        touch_walls(inputs, block);
    });
}

/// Hertz and Mindlin without rolling resistance.
const SMOOTH: Law = Law { rolling: Rolling::Free, ..Law::HERTZ };

/// Contacts that go through the loops together: a whole number of groups.
const CONTACTS: usize = 64;
/// Groups of contacts that are computed in one register each.
const GROUPS: usize = CONTACTS / LANES;
/// Negates the radius in the last lane, so that the difference of two rows holds the sum of the
/// radii there.
const TO_REACH: Register = Register::new([1.0, 1.0, 1.0, -1.0]);

/// A batch of contacts between the loops. The last group is padded with its last contact.
struct Batch {
    count: usize,
    /// Indices of the touching pairs, and the pairs.
    number: [u32; CONTACTS],
    pair: [SpherePair; CONTACTS],
    /// From the first centre to the other, and the sum of the radii.
    apart: [Register; CONTACTS],
    touch: [ContactState; GROUPS],
    /// Lever of the contact point, as a share of each sphere's radius \[-\].
    lever: [Numbers; GROUPS],
    radii: [[Numbers; 2]; GROUPS],
    answer: [ContactForce; GROUPS],
}

thread_local! {
    /// One batch per thread, reused for all its blocks: clearing a new one per block took a
    /// twentieth of the time.
    static BATCH: RefCell<Batch> = const { RefCell::new(Batch::EMPTY) };
}

/// Computes the pairs of a block.
#[inline(always)]
fn touch_spheres(inputs: &ContactInputs<'_>, law: &Law, block: &mut Block, batch: &mut Batch) {
    let mut next = 0;
    while next < block.pairs.len() {
        next = batch.find_touching(inputs, block, next);
        batch.compute_motion(inputs, law, block);
        batch.note_deepest(inputs, block);
        batch.apply_law(inputs, law, block);
        batch.add_forces(law, block);
    }
}

impl Batch {
    const EMPTY: Self = Self {
        count: 0,
        number: [0; CONTACTS],
        pair: [SpherePair { own: 0, partner: 0, slot: 0 }; CONTACTS],
        apart: [Register::ZERO; CONTACTS],
        touch: [ContactState::NONE; GROUPS],
        lever: [Numbers::ZERO; GROUPS],
        radii: [[Numbers::ZERO; 2]; GROUPS],
        answer: [ContactForce::NONE; GROUPS],
    };

    fn groups(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// Collects up to `CONTACTS` touching pairs from index `next` and returns the next index;
    /// clears the history of pairs that separated.
    #[inline(always)]
    fn find_touching(&mut self, inputs: &ContactInputs<'_>, block: &mut Block, mut next: usize) -> usize {
        let place = inputs.spheres.place.as_slice();
        let own = &place[block.spheres.clone()];
        let Block { pairs, touched, stretch, roll, .. } = block;
        let end = pairs.len();
        let mut count = 0;
        while next < end && count <= CONTACTS - FOUR {
            // Past the end, the last pair is repeated to fill the register and masked out.
            let four: [SpherePair; FOUR] = std::array::from_fn(|k| pairs[(next + k).min(end - 1)]);
            let apart = four.map(|pair| place[pair.partner as usize].row - own[pair.own as usize].row * TO_REACH);
            let [x, y, z, reach] = Register::transpose(apart);
            let near = (x * x + y * y + z * z).simd_lt(reach * reach).to_bitmask();
            let near = near & ((1 << (end - next).min(FOUR)) - 1);
            // Branch-free compaction: every pair is written, and `count` moves on only if it
            // touches.
            for k in 0..FOUR {
                self.number[count] = (next + k) as u32;
                self.pair[count] = four[k];
                self.apart[count] = apart[k];
                count += (near >> k & 1) as usize;
            }
            if inputs.memory != Remember::Frozen {
                let ended = touched[next / FOUR] & !(near as u8);
                touched[next / FOUR] = near as u8;
                if ended != 0 {
                    forget(ended, &mut stretch[next..], roll.get_mut(next..).unwrap_or_default());
                }
            }
            next += FOUR;
        }
        for k in count..count.next_multiple_of(LANES) {
            (self.number[k], self.pair[k], self.apart[k]) =
                (self.number[count - 1], self.pair[count - 1], self.apart[count - 1]);
        }
        self.count = count;
        next
    }

    /// Computes normal, overlap and relative velocity of each contact.
    #[inline(always)]
    fn compute_motion(&mut self, inputs: &ContactInputs<'_>, law: &Law, block: &Block) {
        let moving = inputs.spheres.moving.as_slice();
        let own = &moving[block.spheres.clone()];
        for g in 0..self.groups() {
            let pair: [SpherePair; LANES] = std::array::from_fn(|k| self.pair[g * LANES + k]);
            let (a, b) = (pair.map(|p| &own[p.own as usize]), pair.map(|p| &moving[p.partner as usize]));
            let (velocity_a, inverse_a) = Vectors::from_rows(a.map(|s| s.velocity));
            let (velocity_b, inverse_b) = Vectors::from_rows(b.map(|s| s.velocity));
            let (spin_a, radius_a) = Vectors::from_rows(a.map(|s| s.spin));
            let (spin_b, radius_b) = Vectors::from_rows(b.map(|s| s.spin));
            let (apart, reach) = Vectors::from_rows(std::array::from_fn(|k| self.apart[g * LANES + k]));

            let inverse_reach = Numbers::ONE / reach;
            // Coincident centres have no normal: they get no force instead of a NaN, and are
            // reported as an overlap.
            let distance = apart.length_squared().sqrt().fast_max(Numbers::splat(f64::MIN_POSITIVE));
            let normal = apart * (Numbers::ONE / distance);
            // The contact point divides the line of centres in the ratio of the radii: the two
            // levers add up to the distance, which conserves angular momentum.
            let lever = distance * inverse_reach;
            let rolling = spin_a * radius_a + spin_b * radius_b;
            (self.lever[g], self.radii[g]) = (lever, [radius_a, radius_b]);
            self.touch[g] = ContactState {
                normal,
                overlap: (reach - distance).fast_max(Numbers::ZERO),
                velocity: velocity_a - velocity_b + rolling.cross(normal) * lever,
                spin_sum: spin_a + spin_b,
                spin_difference: if law.resists_rolling() { spin_a - spin_b } else { Vectors::ZERO },
                radius: radius_a * radius_b * inverse_reach,
                mass: Numbers::ONE / (inverse_a + inverse_b),
            };
        }
    }

    /// Notes the deepest contact, if it is deeper than asked.
    #[inline(always)]
    fn note_deepest(&self, inputs: &ContactInputs<'_>, block: &mut Block) {
        let limit = Numbers::splat(inputs.deepest);
        for g in 0..self.groups() {
            let [a, b] = self.radii[g];
            if self.touch[g].overlap.simd_gt(limit * a.fast_min(b)).any() {
                self.note_deepest_of(g, inputs, block);
            }
        }
    }

    #[cold]
    fn note_deepest_of(&self, group: usize, inputs: &ContactInputs<'_>, block: &mut Block) {
        let [a, b] = self.radii[group];
        let depths = (self.touch[group].overlap / a.fast_min(b)).to_array();
        let pairs = &self.pair[group * LANES..self.count.min((group + 1) * LANES)];
        for (pair, depth) in pairs.iter().zip(depths) {
            if depth > block.deepest.map_or(inputs.deepest, |deepest| deepest.depth) {
                let sphere = block.spheres.start as u32 + pair.own;
                block.deepest = Some(Deepest { depth, sphere, other: Some(pair.partner) });
            }
        }
    }

    /// Applies the contact law and stores the updated history.
    #[inline(always)]
    fn apply_law(&mut self, inputs: &ContactInputs<'_>, law: &Law, block: &mut Block) {
        let only_pair = inputs.only_pair();
        let dt = inputs.memory.step();
        let surface = |s: usize| inputs.spheres.owner[s].surface;
        for g in 0..self.groups() {
            let number: [usize; LANES] = std::array::from_fn(|k| self.number[g * LANES + k] as usize);
            let of_pair = |k: usize| {
                let pair = self.pair[g * LANES + k];
                inputs.pair(surface(block.spheres.start + pair.own as usize), surface(pair.partner as usize))
            };
            let c = only_pair.unwrap_or_else(|| Coefficients::new(std::array::from_fn(of_pair)));
            let mut memory = ContactHistory::NONE;
            memory.stretch = Vectors::from_rows(number.map(|p| block.stretch[p])).0;
            if law.remembers_rolling() {
                memory.roll = Vectors::from_rows(number.map(|p| block.roll[p])).0;
            }
            self.answer[g] = touch(law, &self.touch[g], &c, &mut memory, dt);
            if inputs.memory != Remember::Frozen {
                let stretch = memory.stretch.rows();
                number.iter().zip(stretch).for_each(|(&p, stretch)| block.stretch[p] = stretch);
                if law.remembers_rolling() {
                    let roll = memory.roll.rows();
                    number.iter().zip(roll).for_each(|(&p, roll)| block.roll[p] = roll);
                }
            }
        }
    }

    /// Adds the force and torque of each pair to the sums of both spheres.
    #[inline(always)]
    fn add_forces(&self, law: &Law, block: &mut Block) {
        let sums = block.sums.as_mut_slice();
        for g in 0..self.groups() {
            let (normal, ContactForce { push, shear, rolling }) = (self.touch[g].normal, self.answer[g]);
            let force = (shear - normal * push).rows();
            let torque = (normal.cross(shear) * self.lever[g]).rows();
            let pairs = &self.pair[g * LANES..self.count.min((g + 1) * LANES)];
            for (k, pair) in pairs.iter().enumerate() {
                let sum = &mut sums[pair.own as usize];
                sum.force += force[k];
                sum.torque += torque[k];
                let sum = &mut sums[pair.slot as usize];
                sum.force -= force[k];
                sum.torque += torque[k];
            }
            if law.resists_rolling() {
                // Sums of torques are per unit of each sphere's radius.
                let [a, b] = self.radii[g].map(|radius| (rolling * (Numbers::ONE / radius)).rows());
                for (k, pair) in pairs.iter().enumerate() {
                    sums[pair.own as usize].torque += a[k];
                    sums[pair.slot as usize].torque -= b[k];
                }
            }
        }
    }
}

/// Clears the history of pairs that separated.
#[cold]
fn forget(ended: u8, stretch: &mut [Register], roll: &mut [Register]) {
    for k in (0..FOUR).filter(|k| ended >> k & 1 != 0) {
        stretch[k] = Register::ZERO;
        if let Some(roll) = roll.get_mut(k) {
            *roll = Register::ZERO;
        }
    }
}
