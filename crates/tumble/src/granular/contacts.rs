//! The contact stage: for every pair in the list, does it touch, and what does it do?
//!
//! Reads spheres, obstacles, the pair table; writes the sums of forces of every block and the memory of its contacts. Each
//! block writes only what it owns, so blocks run on any thread with the same result.
//!
//! Pairs go through short loops, at most sixty-four at a time: who touches, how they meet, what the law makes of it, what that adds
//! up to. Only pairs that touch get past the first, four of them in a register; what lies between the loops stays in the nearest cache.

use std::cell::RefCell;

use rayon::prelude::*;

use super::law::{Answer, Coefficients, Law, Memory, Rolling, Touch, touch};
use super::walls::touch_walls;
use crate::contact::{Block, Neighbours, Spheres, Sum};
use crate::lanes::{LANES, Numbers, Vectors};
use crate::world::Obstacle;

/// What the contact loop reads.
pub(crate) struct Scene<'a> {
    pub(crate) law: &'a Law,
    pub(crate) spheres: &'a Spheres,
    pub(crate) obstacles: &'a [Obstacle],
    /// Row-major.
    pub(crate) pairs: &'a [Coefficients],
    /// Number of materials.
    pub(crate) materials: usize,
    /// Whether bodies stick to obstacles, so that contacts must tell how they are held.
    pub(crate) stiction: bool,
    /// What becomes of the memory.
    pub(crate) memory: Remember,
    /// How much older than places velocities are \[s\].
    pub(crate) lag: f64,
}

/// What a look at the contacts does to their memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Remember {
    /// It advances by a step of this length \[s\].
    Advance(f64),
    /// It stays as it is: the look may be one of several in a step, or in a step that is taken back.
    Frozen,
}

impl Remember {
    /// The time to advance by, in all lanes.
    pub(super) fn step(self) -> Numbers {
        match self {
            Self::Advance(dt) => Numbers::splat(dt),
            Self::Frozen => Numbers::ZERO,
        }
    }
}

impl Scene<'_> {
    /// The coefficients of two materials.
    #[inline(always)]
    pub(super) fn pair(&self, a: u32, b: u32) -> &Coefficients {
        &self.pairs[a as usize * self.materials + b as usize]
    }

    /// The coefficients of all contacts, where they are the same.
    pub(super) fn only_pair(&self) -> Option<Coefficients<Numbers>> {
        let [only] = self.pairs else { return None };
        Some(Coefficients::new([only; LANES]))
    }
}

/// Computes all contacts.
pub(crate) fn contacts(scene: &Scene<'_>, neighbours: &mut Neighbours) {
    neighbours.blocks.par_iter_mut().for_each(|block| {
        block.sums.fill(Sum::ZERO);
        // The law that most scenes have is known to the compiler, with and without rolling resistance.
        BATCH.with_borrow_mut(|batch| match *scene.law {
            Law::HERTZ => touch_spheres(scene, &Law::HERTZ, block, batch),
            SMOOTH => touch_spheres(scene, &SMOOTH, block, batch),
            _ => touch_spheres(scene, scene.law, block, batch),
        });
        touch_walls(scene, block);
    });
}

/// Hertz and Mindlin without rolling resistance.
const SMOOTH: Law = Law { rolling: Rolling::Free, ..Law::HERTZ };

/// Groups of four contacts that go through the loops together.
const GROUPS: usize = 16;

/// Contacts on their way through the loops.
struct Batch {
    /// Numbers of the pairs that touch; the last group is filled up with its last pair.
    pairs: [u32; GROUPS * LANES],
    count: usize,
    touch: [Touch; GROUPS],
    /// Where on the line between the centres they touch, as a share of each radius.
    lever: [Numbers; GROUPS],
    radii: [[Numbers; 2]; GROUPS],
    answer: [Answer; GROUPS],
    memory: [Memory; GROUPS],
}

thread_local! {
    /// Each thread has one for all blocks it works on: clearing a new one for each took a twentieth of the time.
    static BATCH: RefCell<Batch> = const { RefCell::new(Batch::EMPTY) };
}

/// Computes the pairs of a block.
#[inline(always)]
fn touch_spheres(scene: &Scene<'_>, law: &Law, block: &mut Block, batch: &mut Batch) {
    let mut next = 0;
    while next < block.partner.len() {
        next = batch.find(scene, block, next);
        batch.meet(scene, law, block);
        batch.obey(scene, law, block);
        batch.add_up(law, block);
        if scene.memory != Remember::Frozen {
            batch.remember(block);
        }
    }
}

impl Batch {
    const EMPTY: Self = Self {
        pairs: [0; GROUPS * LANES],
        count: 0,
        touch: [Touch::NONE; GROUPS],
        lever: [Numbers::ZERO; GROUPS],
        radii: [[Numbers::ZERO; 2]; GROUPS],
        answer: [Answer::NONE; GROUPS],
        memory: [Memory::NONE; GROUPS],
    };

    fn groups(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// The pairs of a group.
    #[inline(always)]
    fn group(&self, g: usize) -> [usize; LANES] {
        std::array::from_fn(|k| self.pairs[g * LANES + k] as usize)
    }

    /// Finds pairs that touch, from number `next` on, until there are enough; says where to go on. Pairs that no longer touch forget.
    #[inline(always)]
    fn find(&mut self, scene: &Scene<'_>, block: &mut Block, mut next: usize) -> usize {
        let (first, end) = (block.spheres.start, block.partner.len());
        let place = &scene.spheres.place;
        self.count = 0;
        while next < end && self.count <= (GROUPS - 1) * LANES {
            let upto = (next + LANES).min(end);
            for p in next..upto {
                let (a, b) = (&place[first + block.first_of[p] as usize], &place[block.partner[p] as usize]);
                let reach = a.radius() + b.radius();
                let touching = (b.center() - a.center()).length_squared() < reach * reach;
                // Written in any case, and kept if it touches: no branch to guess.
                self.pairs[self.count] = p as u32;
                self.count += usize::from(touching);
                if block.touching[p] && !touching && scene.memory != Remember::Frozen {
                    block.forget(p);
                }
            }
            next = upto;
        }
        if self.count > 0 {
            let last = self.pairs[self.count - 1];
            self.pairs[self.count..self.count.next_multiple_of(LANES)].fill(last);
        }
        next
    }

    /// Where and how fast the spheres of each pair meet.
    #[inline(always)]
    fn meet(&mut self, scene: &Scene<'_>, law: &Law, block: &Block) {
        let first = block.spheres.start;
        for g in 0..self.groups() {
            let pair = self.group(g);
            let a = pair.map(|p| first + block.first_of[p] as usize);
            let b = pair.map(|p| block.partner[p] as usize);
            let (place, moving) = (&scene.spheres.place, &scene.spheres.moving);
            let (center_a, radius_a) = Vectors::from_rows(a.map(|s| place[s].row));
            let (center_b, radius_b) = Vectors::from_rows(b.map(|s| place[s].row));
            let (velocity_a, inverse_a) = Vectors::from_rows(a.map(|s| moving[s].velocity));
            let (velocity_b, inverse_b) = Vectors::from_rows(b.map(|s| moving[s].velocity));
            let (spin_a, _) = Vectors::from_rows(a.map(|s| moving[s].spin));
            let (spin_b, _) = Vectors::from_rows(b.map(|s| moving[s].spin));

            let apart = center_b - center_a;
            let reach = radius_a + radius_b;
            let inverse_reach = Numbers::ONE / reach;
            // Two centres in one place have no direction; they get no force rather than a NaN, and are reported as an overlap.
            let distance = apart.length_squared().sqrt().fast_max(Numbers::splat(f64::MIN_POSITIVE));
            let normal = apart * (Numbers::ONE / distance);
            // The contact point divides the line of centres like the radii, so that the two levers add up to the distance
            // and angular momentum is conserved.
            let lever = distance * inverse_reach;
            let rolling = spin_a * radius_a + spin_b * radius_b;
            (self.lever[g], self.radii[g]) = (lever, [radius_a, radius_b]);
            self.touch[g] = Touch {
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

    /// What the law makes of it.
    #[inline(always)]
    fn obey(&mut self, scene: &Scene<'_>, law: &Law, block: &Block) {
        let only_pair = scene.only_pair();
        let dt = scene.memory.step();
        let material = |s: usize| scene.spheres.owner[s].material;
        for g in 0..self.groups() {
            let pair = self.group(g);
            let of_pair = |k: usize| {
                let a = block.spheres.start + block.first_of[pair[k]] as usize;
                scene.pair(material(a), material(block.partner[pair[k]] as usize))
            };
            let c = only_pair.unwrap_or_else(|| Coefficients::new(std::array::from_fn(of_pair)));
            self.memory[g].stretch = Vectors::from_rows(pair.map(|p| block.stretch[p])).0;
            if !block.roll.is_empty() {
                self.memory[g].roll = Vectors::from_rows(pair.map(|p| block.roll[p])).0;
            }
            self.answer[g] = touch(law, &self.touch[g], &c, &mut self.memory[g], dt);
        }
    }

    /// Adds what each pair does to the sums of both spheres.
    #[inline(always)]
    fn add_up(&self, law: &Law, block: &mut Block) {
        for g in 0..self.groups() {
            let (normal, Answer { push, shear, rolling }) = (self.touch[g].normal, self.answer[g]);
            let force = (shear - normal * push).rows();
            let torque = (normal.cross(shear) * self.lever[g]).rows();
            let count = LANES.min(self.count - g * LANES);
            for (k, &p) in self.group(g)[..count].iter().enumerate() {
                let (own, other) = (block.first_of[p] as usize, block.slot[p] as usize);
                let sum = &mut block.sums[own];
                sum.force += force[k];
                sum.torque += torque[k];
                let sum = &mut block.sums[other];
                sum.force -= force[k];
                sum.torque += torque[k];
            }
            if law.resists_rolling() {
                // Sums of torques are per unit of each sphere's radius.
                let [a, b] = self.radii[g].map(|radius| (rolling * (Numbers::ONE / radius)).rows());
                for (k, &p) in self.group(g)[..count].iter().enumerate() {
                    block.sums[block.first_of[p] as usize].torque += a[k];
                    block.sums[block.slot[p] as usize].torque -= b[k];
                }
            }
        }
    }

    /// Keeps what the contacts remember.
    #[inline(always)]
    fn remember(&self, block: &mut Block) {
        for g in 0..self.groups() {
            let stretch = self.memory[g].stretch.rows();
            for (k, &p) in self.group(g).iter().enumerate() {
                block.stretch[p] = stretch[k];
                block.touching[p] = true;
            }
            if !block.roll.is_empty() {
                let roll = self.memory[g].roll.rows();
                for (k, &p) in self.group(g).iter().enumerate() {
                    block.roll[p] = roll[k];
                }
            }
        }
    }
}
