//! The internal motion of particles: velocities of the carriers around them.
//!
//! Alduán, Tena & Otaduy (2009, §4.3.1), eqs. (3) and (4): v = Σ wᵢ vᵢ / Σ wᵢ over the carriers
//! closer than the influence radius r, with wᵢ = (3r - 2dᵢ) / 4r = 3/4 - dᵢ / 2r, if there are two
//! or more. That weight is 1/4 at d = r and not 0, so that v jumps when a carrier comes within r;
//! [`Kernel::Smooth`] does not.
//!
//! Reads places of a block, eight at a time, and the carriers near it; writes velocities. Sums run
//! over carriers in the order of their grid, and those beyond the influence radius add zero, so
//! that a particle's sum does not depend on its block.

use glam::Vec3;
use wide::f32x8;

use super::carriers::Influence;
use super::near::{Found, Influences, LANES, load, square, store};
use super::particles::{BLOCK, GROUP, ParticleBlock, bounds};
use super::{DetailSettings, Kernel, VelocityField};

/// Carriers near a block, and which of them are near a group of it.
#[derive(Debug, Default)]
pub(super) struct CarrierScratch {
    near: Influences,
    found: Found,
}

/// Gives each particle of a block that lies in the medium the velocity of its carriers; `dense`
/// says which do.
pub(super) fn interpolate(
    block: &mut ParticleBlock<'_>,
    dense: &mut [f32; BLOCK],
    field: &VelocityField,
    settings: &DetailSettings,
    room: &mut CarrierScratch,
) {
    let [x, y, z, ..] = &block.state;
    let (low, high) = bounds(&[x, y, z]);
    field.near(low, high, &mut room.near, &mut room.found);
    *dense = [0.0; BLOCK];
    if room.near.carriers.len() < settings.least_carriers as usize {
        return;
    }
    match settings.kernel {
        Kernel::Printed => follow(block, dense, room, field.common, settings, |share| {
            share.simd_lt(f32x8::ONE) & (f32x8::splat(0.75) - f32x8::HALF * share.sqrt())
        }),
        Kernel::Smooth => follow(block, dense, room, field.common, settings, |share| {
            let left = (f32x8::ONE - share).fast_max(f32x8::ZERO);
            left * left * left
        }),
    }
}

/// The same with a kernel: the weight of a carrier by d²/r².
#[inline(always)]
fn follow(
    block: &mut ParticleBlock<'_>,
    dense: &mut [f32; BLOCK],
    room: &mut CarrierScratch,
    common: Vec3,
    settings: &DetailSettings,
    kernel: impl Fn(f32x8) -> f32x8,
) {
    let CarrierScratch { near, found } = room;
    let state = &mut block.state;
    let least = f32x8::splat(settings.least_carriers as f32);
    // A particle nearer to a carrier than this lies in the medium and not above it.
    let touch = (settings.touch / settings.influence) as f32;
    let touch = f32x8::splat(touch * touch);
    for first in (0..block.ids.len()).step_by(GROUP) {
        let group = first..(first + GROUP).min(block.ids.len());
        let (low, high) = bounds(&[&state[0][group.clone()], &state[1][group.clone()], &state[2][group.clone()]]);
        found.clear();
        near.find(0..near.carriers.len(), low, high, found);

        for start in group.clone().step_by(LANES) {
            let [x, y, z] = [load(&state[0][start..]), load(&state[1][start..]), load(&state[2][start..])];
            let (mut counts, mut nearest) = (f32x8::ZERO, f32x8::splat(f32::INFINITY));
            let [mut sum, mut u, mut v, mut w] = [f32x8::ZERO; 4];
            for &number in found.numbers() {
                let Influence { place, velocity, inverse_square } = near.carriers[number as usize];
                let share = square([x - place.x, y - place.y, z - place.z]) * inverse_square;
                let weight = kernel(share);
                counts += share.simd_lt(f32x8::ONE) & f32x8::ONE;
                nearest = share.fast_min(nearest);
                sum += weight;
                u += weight * velocity.x;
                v += weight * velocity.y;
                w += weight * velocity.z;
            }
            // Where nobody is near, zero is divided by zero, and not looked at.
            let follows = counts.simd_ge(least) & nearest.simd_lt(touch);
            store(&mut dense[start..group.end], follows & f32x8::ONE);
            for (axis, sums) in [(3, u), (4, v), (5, w)] {
                let column = &mut state[axis][start..group.end];
                let velocity = f32x8::splat(common[axis - 3]) + sums / sum;
                store(column, follows.select(velocity, load(column)));
            }
        }
    }
}
