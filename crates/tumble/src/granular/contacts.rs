//! The contact stage: for every pair in the list, does it touch, and what does it do?
//!
//! Reads spheres, obstacles, the pair table; writes the sums of forces of every block and the memory of its contacts. Each
//! block writes only what it owns, so blocks run on any thread with the same result.
//!
//! Pairs are computed four at a time, those that do not touch along with those that do: the law is a long chain of square
//! roots and divisions, and which pairs of a list touch is a coin toss that no processor foresees.

use glam::DVec3;
use rayon::prelude::*;

use super::lanes::{LANES, Numbers, Vectors};
use super::law::{Answer, Coefficients, Law, Memory, Rolling, Touch, touch};
use super::walls::touch_walls;
use crate::contact::{Block, Neighbours, Spheres, Sum};
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
        // A law that the compiler knows is computed in registers alone: worth a third of the time for the one that most scenes have.
        if *scene.law == PLAIN {
            touch_spheres(scene, &PLAIN, block);
        } else {
            touch_spheres(scene, scene.law, block);
        }
        touch_walls(scene, block);
    });
}

/// Hertz and Mindlin without rolling resistance.
const PLAIN: Law = Law { rolling: Rolling::Free, ..Law::HERTZ };

/// Computes the pairs of a block, four at a time; those that do not touch do nothing and forget.
#[inline(always)]
fn touch_spheres(scene: &Scene<'_>, law: &Law, block: &mut Block) {
    let only_pair = scene.only_pair();
    let dt = scene.memory.step();
    let first = block.spheres.start;
    for begin in (0..block.partner.len()).step_by(LANES) {
        let count = LANES.min(block.partner.len() - begin);
        // The last group may be short; its last pair then fills the lanes that are left.
        let pair: [usize; LANES] = std::array::from_fn(|k| begin + k.min(count - 1));
        let a = pair.map(|p| first + block.first_of[p] as usize);
        let b = pair.map(|p| block.partner[p] as usize);
        let place = |s: usize| (&scene.spheres.place[s].center, scene.spheres.place[s].radius);
        let (center_a, radius_a) = Vectors::with_number(a.map(place));
        let (center_b, radius_b) = Vectors::with_number(b.map(place));
        let apart = center_b - center_a;
        let (reach, squared) = (radius_a + radius_b, apart.length_squared());
        let touching = squared.simd_lt(reach * reach);
        if !touching.any() {
            forget(block, begin, count, scene.memory);
            continue;
        }

        let carried = |s: usize| &scene.spheres.carried[s];
        let moving = |s: usize| (&carried(s).velocity, carried(s).inverse_mass);
        let (velocity_a, inverse_a) = Vectors::with_number(a.map(moving));
        let (velocity_b, inverse_b) = Vectors::with_number(b.map(moving));
        let (spin_a, spin_b) = (Vectors::new(a.map(|s| &carried(s).spin)), Vectors::new(b.map(|s| &carried(s).spin)));
        let inverse_reach = Numbers::ONE / reach;
        // Two centres in one place have no direction; they get no force rather than a NaN, and are reported as an overlap.
        let distance = squared.sqrt().fast_max(Numbers::splat(f64::MIN_POSITIVE));
        let normal = apart * (Numbers::ONE / distance);
        // The contact point divides the line of centres like the radii, so that the two levers add up to the distance
        // and angular momentum is conserved.
        let lever = distance * inverse_reach;
        let rolling = spin_a * radius_a + spin_b * radius_b;
        let t = Touch {
            normal,
            overlap: (reach - distance).fast_max(Numbers::ZERO),
            velocity: velocity_a - velocity_b + rolling.cross(normal) * lever,
            spin_sum: spin_a + spin_b,
            spin_difference: spin_a - spin_b,
            radius: radius_a * radius_b * inverse_reach,
            mass: Numbers::ONE / (inverse_a + inverse_b),
        };
        let of_pair = |k: usize| scene.pair(carried(a[k]).material, carried(b[k]).material);
        let c = only_pair.unwrap_or_else(|| Coefficients::new(std::array::from_fn(of_pair)));
        let mut memory = Memory {
            stretch: Vectors::new(pair.map(|p| &block.stretch[p])),
            roll: if block.roll.is_empty() { Vectors::ZERO } else { Vectors::new(pair.map(|p| &block.roll[p])) },
        };
        let Answer { push, shear, rolling } = touch(law, &t, &c, &mut memory, dt);

        let force = (shear - normal * push).only(touching);
        let torque = (normal.cross(shear) * lever).only(touching);
        let own = pair.map(|p| block.first_of[p] as usize);
        let other = pair.map(|p| block.slot[p] as usize);
        let (force, torque) = (force.rows(), torque.rows());
        for k in 0..count {
            let sum = &mut block.sums[own[k]];
            sum.force += force[k];
            sum.torque += torque[k];
            let sum = &mut block.sums[other[k]];
            sum.force -= force[k];
            sum.torque += torque[k];
        }
        if law.resists_rolling() {
            let (on_a, on_b) = (
                rolling.only(touching) * (Numbers::ONE / radius_a),
                rolling.only(touching) * (Numbers::ONE / radius_b),
            );
            let (on_a, on_b) = (on_a.rows(), on_b.rows());
            for k in 0..count {
                block.sums[own[k]].torque += on_a[k];
                block.sums[other[k]].torque -= on_b[k];
            }
        }
        if scene.memory != Remember::Frozen {
            for (stretch, new) in
                block.stretch[begin..begin + count].iter_mut().zip(memory.stretch.only(touching).lanes())
            {
                *stretch = new;
            }
            if !block.roll.is_empty() {
                for (roll, new) in block.roll[begin..begin + count].iter_mut().zip(memory.roll.only(touching).lanes()) {
                    *roll = new;
                }
            }
        }
    }
}

/// Pairs that do not touch have nothing to remember.
fn forget(block: &mut Block, begin: usize, count: usize, memory: Remember) {
    if memory != Remember::Frozen {
        block.stretch[begin..begin + count].fill(DVec3::ZERO);
        if !block.roll.is_empty() {
            block.roll[begin..begin + count].fill(DVec3::ZERO);
        }
    }
}
