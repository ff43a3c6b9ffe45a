//! The Hertz law with Mindlin's friction spring: f = (4/3) E* √R* x^{3/2} + c x^{1/4} ẋ.
//!
//! Damping grows with x^{1/4} (Tsuji et al. 1992), which makes the restitution independent of speed. The friction spring is
//! Mindlin's no-slip stiffness 8 G* √(R* x), as in LIGGGHTS and LAMMPS `mindlin`.

use super::super::lanes::Numbers;
use super::{Coefficients, Normal, Springs, restitution};
use crate::world::Material;

/// Bell et al. 2005, eq. 13–15, with E* and G* of the pair.
pub(crate) struct Hertz;

impl Normal for Hertz {
    fn damping(e: f64) -> f64 {
        restitution::hertz_damping(e)
    }

    fn coefficients(a: &Material, b: &Material, alpha: f64, friction: f64) -> Coefficients {
        // 1/E* = (1-nu_a²)/E_a + (1-nu_b²)/E_b;  1/G* = (2-nu_a)/G_a + (2-nu_b)/G_b,  G = E / (2 (1+nu)).
        // A rigid partner has infinite modulus and adds nothing.
        let soft = |m: &Material| (1.0 - m.poisson_ratio.powi(2)) / m.youngs_modulus;
        let shear_soft = |m: &Material| (2.0 - m.poisson_ratio) * 2.0 * (1.0 + m.poisson_ratio) / m.youngs_modulus;
        let stiffness = 4.0 / 3.0 / (soft(a) + soft(b));
        let shear_stiffness = 8.0 / (shear_soft(a) + shear_soft(b));
        // c x^{1/4} = alpha sqrt(m k) x^{1/4} with k = (4/3) E* sqrt(R*): alpha sqrt(4/3 E*) times sqrt(m a), a = sqrt(R* x).
        Coefficients {
            stiffness,
            damping: alpha * stiffness.sqrt(),
            shear_stiffness,
            // The same share of critical damping as along the normal: 2 sqrt(5/6) beta sqrt(S_t m), alpha = sqrt(5) beta.
            shear_damping: alpha * (2.0 / 3.0 * shear_stiffness).sqrt(),
            friction,
        }
    }

    #[inline(always)]
    fn springs(c: &Coefficients<Numbers>, overlap: Numbers, radius: Numbers, mass: Numbers) -> Springs {
        // Radius of the touching disc.
        let a = (radius * overlap).sqrt();
        let root = (mass * a).sqrt();
        Springs {
            stiffness: c.stiffness * a,
            damping: c.damping * root,
            shear_stiffness: c.shear_stiffness * a,
            shear_damping: c.shear_damping * root,
        }
    }

    fn tangent_stiffness(c: &Coefficients, overlap: f64, radius: f64) -> f64 {
        1.5 * c.stiffness * (radius * overlap).sqrt()
    }
}
