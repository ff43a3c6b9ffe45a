//! How contacts resist rolling and spinning: a torque against the difference of the two spins
//! (erratum Y10 of Yee et al.).
//!
//! The limit is μ_r R* f_n with the effective radius, so that a ball on a plane stays on slopes up
//! to tan θ = μ_r.

use super::{Coefficients, ContactState, Law, Rolling, Springs, TINY, cut};
use crate::lanes::{Numbers, Vectors};

/// The torque on the first sphere \[N·m\]; advances the angle of the rolling spring by `dt`.
#[inline(always)]
pub(super) fn rolling(
    law: &Law,
    t: &ContactState,
    c: &Coefficients<Numbers>,
    springs: &Springs,
    press: Numbers,
    roll: &mut Vectors,
    dt: Numbers,
) -> Vectors {
    if law.rolling == Rolling::Free {
        return Vectors::ZERO;
    }
    let limit = c.rolling * t.radius * press;
    if law.rolling == Rolling::Constant {
        // At most the torque that stops a ball within the step: more would reverse its spin and
        // make it oscillate.
        let stops = Numbers::splat(0.4) * t.mass * t.radius * t.radius / (dt + TINY);
        let size = t.spin_difference.length_squared().sqrt();
        return t.spin_difference * -(limit / (size + TINY)).fast_min(stops);
    }
    // The normal spring and dashpot on a lever of the effective radius; 2/5 of them, as a ball has
    // 2/5 m R² of inertia, so that rolling has the same period as the normal direction.
    let lever = Numbers::splat(0.4) * t.radius * t.radius;
    let (stiffness, damping) = (springs.stiffness * lever, springs.damping * lever);
    let angle = *roll + t.spin_difference * dt;
    let shorter = limit / (stiffness * angle.length_squared().sqrt() + TINY);
    let rolls = shorter.simd_lt(Numbers::ONE);
    *roll = angle * shorter.fast_min(Numbers::ONE);
    let damping = rolls.bitselect(Numbers::ZERO, damping);
    cut(*roll * -stiffness - t.spin_difference * damping, limit)
}
