//! The internal motion of particles: velocities of the guides around them.
//!
//! Alduán, Tena & Otaduy (2009, §4.3.1), eqs. (3) and (4): v = Σ wᵢ vᵢ / Σ wᵢ over the guides closer than the influence radius r, with
//! wᵢ = (3r - 2dᵢ) / 4r = 3/4 - dᵢ / 2r, if there are two or more. That weight is 1/4 at d = r and not 0, so that v jumps when a guide comes
//! within r; [`Kernel::Smooth`] does not.
//!
//! Reads places of a block, eight at a time, and the guides near it; writes velocities. Sums run over guides in the order of
//! their grid, and who is too far adds zero, so that a particle's sum does not depend on its block.

use glam::Vec3;
use wide::f32x8;

use super::guides::Influence;
use super::particles::{BLOCK, Block, bounds};
use super::{DetailSettings, Kernel, VelocityField};

/// Particles that are computed together.
const LANES: usize = 8;

/// Gives each particle of a block that lies in the medium the velocity of its guides; `dense` says which do.
pub(super) fn interpolate(
    block: &mut Block<'_>,
    dense: &mut [bool; BLOCK],
    field: &VelocityField,
    settings: &DetailSettings,
    near: &mut Vec<Influence>,
) {
    let [x, y, z, ..] = &block.state;
    let (low, high) = bounds(&[x, y, z]);
    field.near(low, high, near);
    *dense = [false; BLOCK];
    if near.len() < settings.least_guides as usize {
        return;
    }
    match settings.kernel {
        Kernel::Printed => follow(block, dense, near, field.common, settings, |square, guide| {
            f32x8::splat(0.75) - square.sqrt() * f32x8::splat(0.5 * guide.inverse)
        }),
        Kernel::Smooth => follow(block, dense, near, field.common, settings, |square, guide| {
            let left = f32x8::ONE - square * f32x8::splat(guide.inverse * guide.inverse);
            left * left * left
        }),
    }
}

#[inline(always)]
fn follow(
    block: &mut Block<'_>,
    dense: &mut [bool; BLOCK],
    near: &[Influence],
    common: Vec3,
    settings: &DetailSettings,
    weight: impl Fn(f32x8, &Influence) -> f32x8,
) {
    let least = f32x8::splat(settings.least_guides as f32);
    for first in (0..block.ids.len()).step_by(LANES) {
        let [x, y, z] = [0, 1, 2].map(|axis| load(&block.state[axis][first..]));
        let (mut sum, mut count, mut touches) = (f32x8::ZERO, f32x8::ZERO, f32x8::ZERO);
        let [mut u, mut v, mut w] = [f32x8::ZERO; 3];
        for guide in near {
            let [dx, dy, dz] = [x - guide.place.x, y - guide.place.y, z - guide.place.z];
            let square = dx * dx + dy * dy + dz * dz;
            let within = square.simd_lt(f32x8::splat(guide.within));
            let weight = within & weight(square, guide);
            sum += weight;
            count += within & f32x8::ONE;
            touches |= square.simd_lt(f32x8::splat(guide.touch));
            u += weight * guide.velocity.x;
            v += weight * guide.velocity.y;
            w += weight * guide.velocity.z;
        }
        // Where nobody is near, zero is divided by zero, and not looked at.
        let follows = (count.simd_ge(least) & touches).to_bitmask();
        let velocity = [u, v, w].map(|sums| (sums / sum).to_array());
        for lane in (0..LANES.min(block.ids.len() - first)).filter(|lane| follows >> lane & 1 == 1) {
            dense[first + lane] = true;
            for axis in 0..3 {
                block.state[3 + axis][first + lane] = common[axis] + velocity[axis][lane];
            }
        }
    }
}

/// Eight numbers of a column; beyond its end the last one again.
#[inline(always)]
fn load(column: &[f32]) -> f32x8 {
    match column.first_chunk() {
        Some(&eight) => f32x8::new(eight),
        None => f32x8::new(std::array::from_fn(|lane| column[lane.min(column.len() - 1)])),
    }
}
