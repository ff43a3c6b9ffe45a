//! The linear law: f = k x + c ẋ, with the same restitution and duration at every speed.

use super::super::lanes::Numbers;
use super::{Coefficients, Normal, Springs, restitution};
use crate::world::Material;

/// Ratio of the friction spring to the normal spring. A sphere answers a push along its surface with 2/7 of its mass, so
/// with 2/7 of the stiffness both directions swing in the same time and stick ends when contact does.
const SHEAR_RATIO: f64 = 2.0 / 7.0;

/// Bell et al. 2005, eq. 8, with the stiffness given and k_d from the restitution.
pub(crate) struct Linear;

impl Normal for Linear {
    fn damping(e: f64) -> f64 {
        restitution::linear_damping_ratio(e)
    }

    fn coefficients(a: &Material, b: &Material, zeta: f64, friction: f64) -> Coefficients {
        // The two springs stand in series; `stiffness` is that of a contact between equals.
        let stiffness = 2.0 / (1.0 / a.stiffness + 1.0 / b.stiffness);
        // c = 2 zeta sqrt(m k); the root of the mass is multiplied in `springs`.
        let damping = 2.0 * zeta * stiffness.sqrt();
        Coefficients {
            stiffness,
            damping,
            shear_stiffness: SHEAR_RATIO * stiffness,
            shear_damping: SHEAR_RATIO * damping,
            friction,
        }
    }

    #[inline(always)]
    fn springs(c: &Coefficients<Numbers>, _overlap: Numbers, _radius: Numbers, mass: Numbers) -> Springs {
        let root = mass.sqrt();
        Springs {
            stiffness: c.stiffness,
            damping: c.damping * root,
            shear_stiffness: c.shear_stiffness,
            shear_damping: c.shear_damping * root,
        }
    }

    fn tangent_stiffness(c: &Coefficients, _overlap: f64, _radius: f64) -> f64 {
        c.stiffness
    }
}
