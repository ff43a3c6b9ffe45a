//! How contacts push: stiffness and dashpot at the present overlap, f = k x + c ẋ.
//!
//! The force of Hertz' spheres is (4/3) E* √R* x^{3/2}, so its stiffness over overlap is (4/3) E* a
//! with a = √(R* x), the radius of the touching disc. The dashpots are scaled so that ε alone
//! decides the restitution, for every mass and size: with X = (m v²/k)^{2/5} the law c x^a ẋ has ε
//! = (c/m) X^{a+1}/v (see `restitution.rs`).

use super::{Coefficients, Dashpot, Law, Normal, Shear, Springs};
use crate::lanes::Numbers;

/// Springs and dashpots at these overlaps \[m\], for these effective radii \[m\] and effective
/// masses \[kg\].
#[inline(always)]
pub(crate) fn springs(
    law: &Law,
    c: &Coefficients<Numbers>,
    overlap: Numbers,
    radius: Numbers,
    mass: Numbers,
) -> Springs {
    let (stiffness, damping, disc) = match law.normal {
        Normal::Linear => (c.stiffness, c.damping * mass.sqrt(), Numbers::ONE),
        Normal::Hertz(dashpot) => {
            let disc = (radius * overlap).sqrt();
            let stiffness = c.stiffness * disc;
            let damping = match dashpot {
                // c = ε √(m k) x^{1/4}, k = (4/3) E* √R: for a = 1/4 the speed drops out.
                Dashpot::Quarter => c.damping * (mass * stiffness).sqrt(),
                // c = ε m^{3/5} k^{2/5} v^{1/5}.
                Dashpot::Zero => c.damping * scale(mass, c.stiffness * radius.sqrt(), 0.4, law.restitution_speed),
                // c √x = ε m^{2/5} k^{3/5} v^{-1/5} √x.
                Dashpot::Half => {
                    let coefficient = c.damping * scale(mass, c.stiffness * radius.sqrt(), 0.6, law.restitution_speed);
                    coefficient * overlap.sqrt()
                }
            };
            (stiffness, damping, disc)
        }
        Normal::Given { hertz, dashpot } => {
            let root = overlap.sqrt();
            let stiffness = if hertz { c.stiffness * root } else { c.stiffness };
            let damping = match dashpot {
                Dashpot::Zero => c.damping,
                Dashpot::Quarter => c.damping * root.sqrt(),
                Dashpot::Half => c.damping * root,
            };
            (stiffness, damping, (radius * overlap).sqrt())
        }
    };
    let (shear_stiffness, shear_damping) = match law.shear {
        Shear::Mindlin => {
            let spring = c.shear_stiffness * disc;
            // For a = 1/4 the dashpots are in a fixed ratio, which the coefficient holds.
            let dashpot = match law.normal {
                Normal::Hertz(Dashpot::Quarter) => c.shear_damping * (mass * stiffness).sqrt(),
                _ => damping * (Numbers::splat(2.0 / 3.0) * spring / (stiffness + super::TINY)).sqrt(),
            };
            (spring, dashpot)
        }
        Shear::Spring { stiffness: None, .. } => {
            // The effective tangential mass is 2/7, so 2/7 of stiffness and dashpot damp it like
            // the normal direction.
            (c.shear_stiffness * stiffness, c.shear_damping * c.shear_stiffness * damping)
        }
        Shear::Spring { stiffness: Some(_), .. } => {
            let ratio = c.shear_stiffness / (stiffness + super::TINY);
            (c.shear_stiffness, c.shear_damping * ratio.fast_min(Numbers::ONE) * damping)
        }
        _ => (c.shear_stiffness, c.shear_damping),
    };
    Springs { stiffness, damping, shear_stiffness, shear_damping }
}

/// m (k/m)^p v^{1-2p}: factor that makes ε the dimensionless damping of a law at this speed.
#[inline(always)]
fn scale(mass: Numbers, stiffness: Numbers, power: f64, speed: f64) -> Numbers {
    mass * (stiffness / mass).powf_simd(Numbers::splat(power)) * Numbers::splat(speed.powf(1.0 - 2.0 * power))
}

/// Change of the elastic force with overlap \[N/m\].
pub(crate) fn tangent_stiffness(law: &Law, c: &Coefficients, overlap: f64, radius: f64) -> f64 {
    match law.normal {
        Normal::Linear | Normal::Given { hertz: false, .. } => c.stiffness,
        Normal::Hertz(_) => 1.5 * c.stiffness * (radius * overlap).sqrt(),
        Normal::Given { hertz: true, .. } => 1.5 * c.stiffness * overlap.sqrt(),
    }
}
