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

use super::lanes::{LANES, Numbers, Vectors};
use crate::world::{Material, Materials};

/// The normal law of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Force proportional to overlap; restitution and duration do not depend on speed (Bell et al. 2005, eq. 8–11).
    Linear,
    /// Force of elastic spheres, overlap to the power 3/2, from Young's modulus and Poisson's ratio (eq. 13–15).
    Hertz,
}

/// What a contact law needs to know of two materials, computed once. `T` is a number, or one a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients<T = f64> {
    /// Stiffness along the normal, in the units of the law.
    pub(crate) stiffness: T,
    /// Damping along the normal, in the units of the law.
    pub(crate) damping: T,
    /// Stiffness of the friction spring, in the units of the law.
    pub(crate) shear_stiffness: T,
    /// Damping of the friction spring, in the units of the law.
    pub(crate) shear_damping: T,
    /// Coefficient of friction \[-\].
    pub(crate) friction: T,
}

impl Coefficients<Numbers> {
    /// The coefficients of one pair of materials a lane.
    #[inline(always)]
    pub(crate) fn new(lanes: [&Coefficients; LANES]) -> Self {
        Self {
            stiffness: Numbers::new(lanes.map(|c| c.stiffness)),
            damping: Numbers::new(lanes.map(|c| c.damping)),
            shear_stiffness: Numbers::new(lanes.map(|c| c.shear_stiffness)),
            shear_damping: Numbers::new(lanes.map(|c| c.shear_damping)),
            friction: Numbers::new(lanes.map(|c| c.friction)),
        }
    }
}

/// Springs and dashpots of contacts at their present overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Springs {
    /// Normal force over overlap \[N/m\].
    pub(crate) stiffness: Numbers,
    /// Normal dashpot \[N·s/m\].
    pub(crate) damping: Numbers,
    /// Friction spring \[N/m\].
    pub(crate) shear_stiffness: Numbers,
    /// Friction dashpot \[N·s/m\].
    pub(crate) shear_damping: Numbers,
}

/// A normal law.
pub(crate) trait Normal: Sync {
    /// The damping that gives this restitution, in units of the law.
    fn damping(restitution: f64) -> f64;

    /// The coefficients of a pair of materials with this damping.
    fn coefficients(a: &Material, b: &Material, damping: f64, friction: f64) -> Coefficients;

    /// Springs and dashpots at these overlaps \[m\], for these effective radii \[m\] and effective masses \[kg\].
    fn springs(c: &Coefficients<Numbers>, overlap: Numbers, radius: Numbers, mass: Numbers) -> Springs;

    /// Change of the elastic force with overlap \[N/m\].
    fn tangent_stiffness(c: &Coefficients, overlap: f64, radius: f64) -> f64;
}

/// The coefficients of all pairs of materials, dense and row-major.
pub(crate) fn pair_table<N: Normal>(materials: &Materials) -> Vec<Coefficients> {
    let list = materials.list();
    let all = || (0..list.len()).flat_map(|a| (0..list.len()).map(move |b| (a, b)));
    // Finding the damping takes milliseconds, and many pairs share a restitution.
    let mut restitutions: Vec<f64> = all().map(|(a, b)| materials.pair(a, b).restitution).collect();
    restitutions.sort_by(f64::total_cmp);
    restitutions.dedup();
    let dampings: Vec<f64> = restitutions.iter().map(|&e| N::damping(e)).collect();
    let pair = |(a, b): (usize, usize)| {
        let values = materials.pair(a, b);
        let damping = dampings[restitutions.partition_point(|&e| e < values.restitution)];
        N::coefficients(&list[a], &list[b], damping, values.friction)
    };
    all().map(pair).collect()
}

/// How things touch, four contacts at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Unit vector from the first sphere to the other thing.
    pub(crate) normal: Vectors,
    /// How deep \[m\], > 0.
    pub(crate) overlap: Numbers,
    /// Velocity of the first sphere's surface relative to the other's, at the contact \[m/s\].
    pub(crate) velocity: Vectors,
    /// Effective radius \[m\].
    pub(crate) radius: Numbers,
    /// Effective mass \[kg\].
    pub(crate) mass: Numbers,
}

/// The force on the first sphere, along the normal and across it \[N\]; advances the friction spring by `dt`.
#[inline(always)]
pub(crate) fn touch<N: Normal>(
    t: &Touch,
    c: &Coefficients<Numbers>,
    stretch: &mut Vectors,
    dt: f64,
) -> (Vectors, Vectors) {
    let springs = N::springs(c, t.overlap, t.radius, t.mass);
    // f = k x + c xdot with x > 0 in overlap and xdot > 0 in approach. Late in the rebound the dashpot would pull: the
    // contact has ended then (Bell et al. leave the sign open, erratum B2).
    let approach = t.velocity.dot(t.normal);
    let push = (springs.stiffness * t.overlap + springs.damping * approach).fast_max(Numbers::ZERO);

    // Bell et al. eq. 19 as corrected (B1, B4): the stretch is a vector that turns with the tangent plane and keeps its
    // length, √((s² + o²)/s²) to first order in o²/s² (the plane turns by a hair in a step), and the Coulomb limit is
    // mu |f_n|.
    let slip = t.velocity - t.normal * approach;
    let out_of_plane = stretch.dot(t.normal);
    let mut s = *stretch - t.normal * out_of_plane;
    let lost = Numbers::HALF * out_of_plane * out_of_plane / (s.length_squared() + TINY);
    s = s * (Numbers::ONE + lost.fast_min(Numbers::ONE)) + slip * Numbers::splat(dt);

    // Sliding: the force is at the limit, and the spring is cut to the stretch that holds it.
    let limit = c.friction * push;
    let cut = limit / (springs.shear_stiffness * s.length_squared().sqrt() + TINY);
    let slides = cut.simd_lt(Numbers::ONE);
    s = s * cut.fast_min(Numbers::ONE);
    // Sticking: the dashpot helps the spring come to rest, without going beyond the limit.
    let damping = slides.bitselect(Numbers::ZERO, springs.shear_damping);
    let mut shear = s * springs.shear_stiffness + slip * damping;
    let size = shear.length_squared();
    let beyond = size.simd_gt(limit * limit) & !slides;
    if beyond.any() {
        shear = shear * beyond.bitselect(limit / (size.sqrt() + TINY), Numbers::ONE);
    }
    *stretch = s;
    (t.normal * -push, shear * Numbers::splat(-1.0))
}

/// Keeps a division by a length that may be zero from giving a NaN; far below any length or force.
const TINY: Numbers = Numbers::new([1e-290; LANES]);
