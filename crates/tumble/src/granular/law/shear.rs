//! How contacts rub. Forces are those on the first sphere; they oppose the slip V_t of its surface
//! over the other's (errata B1, Y3, Y4: minus signs everywhere, the limit is that of the pressing
//! force).

use super::{Coefficients, ContactState, Law, Shear, Springs, TINY, cut};
use crate::lanes::{Numbers, Vectors};

/// The friction force \[N\]; advances the stretch of the spring by `dt`.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // One contact in one call: a struct would only rename them.
pub(super) fn shear(
    law: &Law,
    t: &ContactState,
    c: &Coefficients<Numbers>,
    springs: &Springs,
    approach: Numbers,
    press: Numbers,
    stretch: &mut Vectors,
    dt: Numbers,
) -> Vectors {
    let slip = t.velocity - t.normal * approach;
    let limit = c.friction * press;
    match law.shear {
        Shear::Viscous { .. } => slip * -springs.shear_stiffness,
        Shear::Coulomb => slip * -(limit / (slip.length_squared().sqrt() + TINY)),
        Shear::Combined { .. } => cut(slip * -springs.shear_stiffness, limit),
        Shear::Spring { .. } | Shear::Mindlin => {
            *stretch = follow(*stretch, t, slip, dt);
            let spring = *stretch * -springs.shear_stiffness;
            let size = spring.length_squared();
            let slides = size.simd_gt(limit * limit);
            if !slides.any() {
                // Sticking: the dashpot helps the spring come to rest, without going beyond the
                // limit.
                return cut(spring - slip * springs.shear_damping, limit);
            }
            // Sliding: the force is at the limit, and the spring is cut to the stretch that holds
            // it (B4).
            let shorter = slides.bitselect(limit / (size.sqrt() + TINY), Numbers::ONE);
            *stretch = *stretch * shorter;
            let damping = slides.bitselect(Numbers::ZERO, springs.shear_damping);
            cut(spring * shorter - slip * damping, limit)
        }
        Shear::Saturating { .. } => {
            // With s = |stretch|/longest and γ = 3/2 (errata Y6–Y8): μ f_n (1 - (1-s)^γ) along the
            // stretch, and a dashpot that is a time times the spring's present stiffness, γ μ
            // f_n/longest (1-s)^{γ-1}.
            let longest = c.friction * springs.shear_stiffness * t.overlap;
            let s = follow(*stretch, t, slip, dt);
            let length = s.length_squared().sqrt();
            *stretch = s * (longest / (length + TINY)).fast_min(Numbers::ONE);
            let share = (length / (longest + TINY)).fast_min(Numbers::ONE);
            let left = Numbers::ONE - share;
            let root = left.sqrt();
            let force = limit * (Numbers::ONE - left * root);
            let dashpot = springs.shear_damping * Numbers::splat(1.5) * limit * root / (longest + TINY);
            s * -(force / (length + TINY)) - slip * dashpot
        }
    }
}

/// The stretch of a spring after the pair has turned and slipped for `dt`.
///
/// It turns with the tangent plane and keeps its length (B4): √((s² + o²)/s²) to first order in
/// o²/s², since the plane turns by a hair in a step; and it turns in the plane with the mean spin
/// of the two about the normal.
#[inline(always)]
fn follow(stretch: Vectors, t: &ContactState, slip: Vectors, dt: Numbers) -> Vectors {
    let out_of_plane = stretch.dot(t.normal);
    let s = stretch - t.normal * out_of_plane;
    let lost = Numbers::HALF * out_of_plane * out_of_plane / (s.length_squared() + TINY);
    let twist = t.spin_sum.dot(t.normal) * (Numbers::HALF * dt);
    s * (Numbers::ONE + lost.fast_min(Numbers::ONE)) + t.normal.cross(s) * twist + slip * dt
}
