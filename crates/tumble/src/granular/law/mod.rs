//! Contact laws: how a pair of touching spheres pushes and rubs.
//!
//! A law gives the stiffness and damping of a contact from its overlap; what is done with them (push, never pull; a
//! friction spring with memory, truncated at the Coulomb limit) is the same for all and stands in [`touch`].
//! All laws end a contact when the force would pull, and their damping is set so that the restitution asked for is
//! the restitution obtained under this convention (see [`restitution`]).

mod hertz;
mod linear;
mod restitution;

pub(crate) use hertz::Hertz;
pub(crate) use linear::Linear;

use glam::DVec3;

use crate::world::{Material, Materials};

/// The normal law of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Force proportional to overlap; restitution and duration do not depend on speed (Bell et al. 2005, eq. 8–11).
    Linear,
    /// Force of elastic spheres, overlap to the power 3/2, from Young's modulus and Poisson's ratio (eq. 13–15).
    Hertz,
}

/// What a contact law needs to know of two materials, computed once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients {
    /// Stiffness along the normal, in the units of the law.
    pub(crate) stiffness: f64,
    /// Damping along the normal, in the units of the law.
    pub(crate) damping: f64,
    /// Stiffness of the friction spring, in the units of the law.
    pub(crate) shear_stiffness: f64,
    /// Damping of the friction spring, in the units of the law.
    pub(crate) shear_damping: f64,
    /// Coefficient of friction \[-\].
    pub(crate) friction: f64,
}

/// Spring and dashpot of one contact at its present overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Springs {
    /// Normal force over overlap \[N/m\].
    pub(crate) stiffness: f64,
    /// Normal dashpot \[N·s/m\].
    pub(crate) damping: f64,
    /// Friction spring \[N/m\].
    pub(crate) shear_stiffness: f64,
    /// Friction dashpot \[N·s/m\].
    pub(crate) shear_damping: f64,
}

/// A normal law.
pub(crate) trait Normal: Sync {
    /// The coefficients of a pair of materials.
    fn coefficients(a: &Material, b: &Material, restitution: f64, friction: f64) -> Coefficients;

    /// Spring and dashpot at this overlap \[m\], for this effective radius \[m\] and effective mass \[kg\].
    fn springs(c: &Coefficients, overlap: f64, radius: f64, mass: f64) -> Springs;

    /// Change of the elastic force with overlap \[N/m\].
    fn tangent_stiffness(c: &Coefficients, overlap: f64, radius: f64) -> f64;
}

/// The coefficients of all pairs of materials, dense and row-major.
pub(crate) fn pair_table<N: Normal>(materials: &Materials) -> Vec<Coefficients> {
    let list = materials.list();
    let pair = |(a, b): (usize, usize)| {
        let values = materials.pair(a, b);
        N::coefficients(&list[a], &list[b], values.restitution, values.friction)
    };
    (0..list.len()).flat_map(|a| (0..list.len()).map(move |b| (a, b))).map(pair).collect()
}

/// How two things touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Unit vector from the first sphere to the other thing.
    pub(crate) normal: DVec3,
    /// How deep \[m\], > 0.
    pub(crate) overlap: f64,
    /// Velocity of the first sphere's surface relative to the other's, at the contact \[m/s\].
    pub(crate) velocity: DVec3,
    /// Effective radius \[m\].
    pub(crate) radius: f64,
    /// Effective mass \[kg\].
    pub(crate) mass: f64,
}

/// The force on the first sphere, along the normal and across it \[N\]; advances the friction spring by `dt`.
#[inline(always)]
pub(crate) fn touch<N: Normal>(t: &Touch, c: &Coefficients, stretch: &mut DVec3, dt: f64) -> (DVec3, DVec3) {
    let springs = N::springs(c, t.overlap, t.radius, t.mass);
    // f = k x + c xdot with x > 0 in overlap and xdot > 0 in approach. Late in the rebound the dashpot would pull: the
    // contact has ended then (Bell et al. leave the sign open, erratum B2).
    let approach = t.velocity.dot(t.normal);
    let push = (springs.stiffness * t.overlap + springs.damping * approach).max(0.0);

    // Bell et al. eq. 19 as corrected (B1, B4): the stretch is a vector that turns with the tangent plane and keeps its
    // length, and the Coulomb limit is mu |f_n|.
    let slip = t.velocity - approach * t.normal;
    let before = stretch.length_squared();
    let mut s = *stretch - stretch.dot(t.normal) * t.normal;
    let after = s.length_squared();
    if after > 0.0 {
        s *= (before / after).sqrt();
    }
    s += dt * slip;
    let limit = c.friction * push;
    let spring = springs.shear_stiffness * s;
    let size = spring.length_squared();
    let shear = if size > limit * limit {
        // Sliding: the force is at the limit, and the spring is cut to the stretch that holds it.
        let cut = limit / size.sqrt();
        s *= cut;
        -cut * spring
    } else {
        // Sticking: the dashpot helps the spring come to rest, without going beyond the limit.
        (-spring - springs.shear_damping * slip).clamp_length_max(limit)
    };
    *stretch = s;
    (-push * t.normal, shear)
}
