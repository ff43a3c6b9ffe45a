//! Contact laws: how a pair of touching spheres pushes, rubs and resists rolling.
//!
//! A law is four independent choices, each a few named and complete ones: how it pushes
//! ([`Normal`]), when a contact ends ([`ContactEnd`]), how it rubs ([`Shear`]) and how it resists
//! rolling ([`Rolling`]). They are looked at once for four contacts; a scene has one law, so every
//! look goes the same way and costs next to nothing.

mod coefficients;
mod normal;
mod restitution;
mod rolling;
mod shear;

pub(crate) use coefficients::{Coefficients, pair_table};
pub(crate) use normal::{springs, tangent_stiffness};

use crate::lanes::{LANES, Numbers, Vectors};

/// How spheres push each other apart: f = k_r x^b + k_d x^a ẋ, x the overlap (Bell, Yu & Mucha
/// 2005, eq. 7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Normal {
    /// b = 1, a = 0: a spring and a dashpot from stiffness and restitution (eq. 8–11). Restitution
    /// and duration do not depend on speed.
    Linear,
    /// b = 3/2: elastic spheres, from Young's modulus and Poisson's ratio (eq. 13–15), with one of
    /// three dashpots.
    Hertz(Dashpot),
    /// The same family with k_r and k_d given by the materials, whatever the sizes and masses.
    Given {
        /// Whether b is 3/2; else 1.
        hertz: bool,
        /// The exponent a.
        dashpot: Dashpot,
    },
}

/// The exponent a of the dashpot k_d x^a ẋ, which decides how restitution depends on speed (figure
/// 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dashpot {
    /// a = 0: with Hertz, faster collisions are more elastic, which no material does.
    Zero,
    /// a = 1/4: restitution does not depend on speed (Tsuji et al. 1992).
    Quarter,
    /// a = 1/2: faster collisions lose more, as real materials do: 1 - e ∝ v^{1/5} (Brilliantov et
    /// al. 1996).
    Half,
}

/// When a contact ends. Late in the rebound the dashpot would pull the two together (erratum B2 of
/// Bell et al.).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactEnd {
    /// As soon as the force would pull: it never does.
    NoPull,
    /// When the overlap is gone, as the closed forms of the literature assume; the last bit of a
    /// contact pulls.
    ZeroOverlap,
}

/// How spheres rub.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shear {
    /// -k_t V_t (Bell eq. 16): not limited by how hard they press; cannot hold a slope.
    Viscous {
        /// k_t \[N·s/m\].
        viscosity: f64,
    },
    /// -μ f_n V_t/|V_t| (eq. 17 with erratum B1): always the full sliding friction.
    Coulomb,
    /// -min(μ f_n, k_t |V_t|) V_t/|V_t| (eq. 18): slow slip is not held; a pile creeps flat.
    Combined {
        /// k_t \[N·s/m\].
        viscosity: f64,
    },
    /// A spring with memory, cut at the Coulomb limit (eq. 19 with errata B1, B4): holds.
    Spring {
        /// k_t \[N/m\]; by default 2/7 of the present normal stiffness f/x.
        stiffness: Option<f64>,
        /// Dashpot beside the spring, as a multiple of the one that damps it like the normal
        /// direction; 0 for none, as printed.
        damping: f64,
    },
    /// Yee, Christara & Lait 2009, eq. 5 with errata Y3–Y8: μ f_n (1 - (1 - s)^{3/2}), s the
    /// stretch over the largest one, which grows with overlap, and a dashpot that fades as s
    /// reaches 1.
    Saturating {
        /// The dashpot is the spring's present stiffness times this time \[s\].
        damping_time: f64,
    },
    /// Mindlin's spring 8 G* √(R x), as in LAMMPS and LIGGGHTS, damped like the normal direction.
    /// For Hertz.
    Mindlin,
}

/// How spheres resist rolling on each other, and spinning about the line between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rolling {
    /// They do not.
    Free,
    /// A torque μ_r R f_n against the difference of their spins (Yee eq. 3, with erratum Y10),
    /// however slow.
    Constant,
    /// A spring with memory up to that torque: comes to rest.
    Spring,
}

/// The contact law of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// How it pushes.
    pub normal: Normal,
    /// When a contact ends.
    pub end: ContactEnd,
    /// How it rubs.
    pub shear: Shear,
    /// How it resists rolling.
    pub rolling: Rolling,
    /// Speed at which laws whose restitution depends on speed have the restitution that was asked
    /// for \[m/s\].
    pub restitution_speed: f64,
}

impl Law {
    /// Hertz and Mindlin, restitution independent of speed. The default.
    pub const HERTZ: Self = Self {
        normal: Normal::Hertz(Dashpot::Quarter),
        end: ContactEnd::NoPull,
        shear: Shear::Mindlin,
        rolling: Rolling::Spring,
        restitution_speed: 1.0,
    };

    /// Springs and dashpots all over.
    pub const LINEAR: Self =
        Self { normal: Normal::Linear, shear: Shear::Spring { stiffness: None, damping: 1.0 }, ..Self::HERTZ };

    /// Yee et al. 2009, eq. 2: viscoelastic spheres, friction that only opposes motion. Nothing
    /// holds a pile.
    pub const BASIC: Self = Self {
        normal: Normal::Hertz(Dashpot::Half),
        shear: Shear::Combined { viscosity: 1.0 },
        rolling: Rolling::Free,
        ..Self::HERTZ
    };

    /// Yee et al. 2009, eq. 3: friction springs without damping, and rolling resistance.
    pub const STATIC: Self =
        Self { shear: Shear::Spring { stiffness: None, damping: 0.0 }, rolling: Rolling::Constant, ..Self::BASIC };

    /// Yee et al. 2009, eq. 5: friction that saturates, with damping, and rolling resistance.
    pub const DAMPED: Self = Self { shear: Shear::Saturating { damping_time: 1e-4 }, ..Self::STATIC };

    /// Whether its damping follows from the restitution of materials.
    pub(crate) fn has_restitution(&self) -> bool {
        !matches!(self.normal, Normal::Given { .. })
    }

    /// Whether contacts remember how far they have rolled.
    pub(crate) fn remembers_rolling(&self) -> bool {
        self.rolling == Rolling::Spring
    }

    /// Whether contacts resist rolling.
    #[inline(always)]
    pub(crate) fn resists_rolling(&self) -> bool {
        self.rolling != Rolling::Free
    }
}

/// Geometry and relative motion of four contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactState {
    /// Unit vector from the first sphere to the other thing.
    pub(crate) normal: Vectors,
    /// Overlap \[m\], >= 0.
    pub(crate) overlap: Numbers,
    /// Velocity of the first sphere's surface relative to the other's, at the contact \[m/s\].
    pub(crate) velocity: Vectors,
    /// Sum of the two spins \[rad/s\]: half of it is the mean spin of the pair.
    pub(crate) spin_sum: Vectors,
    /// Spin of the first sphere relative to the other \[rad/s\].
    pub(crate) spin_difference: Vectors,
    /// Effective radius \[m\].
    pub(crate) radius: Numbers,
    /// Effective mass \[kg\].
    pub(crate) mass: Numbers,
}

impl ContactState {
    pub(crate) const NONE: Self = Self {
        normal: Vectors::ZERO,
        overlap: Numbers::ZERO,
        velocity: Vectors::ZERO,
        spin_sum: Vectors::ZERO,
        spin_difference: Vectors::ZERO,
        radius: Numbers::ZERO,
        mass: Numbers::ZERO,
    };
}

/// History of a contact: its springs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactHistory {
    /// Stretch of the friction spring \[m\].
    pub(crate) stretch: Vectors,
    /// Angle of the rolling spring \[rad\].
    pub(crate) roll: Vectors,
}

impl ContactHistory {
    pub(crate) const NONE: Self = Self { stretch: Vectors::ZERO, roll: Vectors::ZERO };
}

/// Force and torque of a contact on the first sphere; the other gets the opposite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactForce {
    /// Normal force, > 0 if repulsive \[N\].
    pub(crate) push: Numbers,
    /// Tangential force \[N\].
    pub(crate) shear: Vectors,
    /// Torque against rolling \[N·m\].
    pub(crate) rolling: Vectors,
}

impl ContactForce {
    pub(crate) const NONE: Self = Self { push: Numbers::ZERO, shear: Vectors::ZERO, rolling: Vectors::ZERO };
}

/// Springs and dashpots of contacts at their present overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Springs {
    /// Normal force over overlap \[N/m\].
    pub(crate) stiffness: Numbers,
    /// Normal dashpot \[N·s/m\].
    pub(crate) damping: Numbers,
    /// Friction spring \[N/m\]; its meaning depends on [`Shear`].
    pub(crate) shear_stiffness: Numbers,
    /// Friction dashpot \[N·s/m\]; likewise.
    pub(crate) shear_damping: Numbers,
}

/// Computes the contact forces; the history advances by `dt`, or stays as it is if `dt` is zero.
#[inline(always)]
pub(crate) fn touch(
    law: &Law,
    t: &ContactState,
    c: &Coefficients<Numbers>,
    memory: &mut ContactHistory,
    dt: Numbers,
) -> ContactForce {
    let springs = normal::springs(law, c, t.overlap, t.radius, t.mass);
    let approach = t.velocity.dot(t.normal);
    let mut push = springs.stiffness * t.overlap + springs.damping * approach;
    if law.end == ContactEnd::NoPull {
        push = push.fast_max(Numbers::ZERO);
    }
    // The Coulomb limit is μ times the repulsive normal force (B1: μ |f_n|); an attractive one
    // gives none.
    let press = if law.end == ContactEnd::NoPull { push } else { push.fast_max(Numbers::ZERO) };
    let shear = shear::shear(law, t, c, &springs, approach, press, &mut memory.stretch, dt);
    let rolling = rolling::rolling(law, t, c, &springs, press, &mut memory.roll, dt);
    ContactForce { push, shear, rolling }
}

/// Added to a divisor that may be zero, against NaN; far below any length or force.
const TINY: Numbers = Numbers::new([1e-290; LANES]);

/// The vectors, clamped to at most these lengths.
#[inline(always)]
fn cut(vectors: Vectors, longest: Numbers) -> Vectors {
    let size = vectors.length_squared();
    let beyond = size.simd_gt(longest * longest);
    if !beyond.any() {
        return vectors;
    }
    vectors * beyond.bitselect(longest / (size.sqrt() + TINY), Numbers::ONE)
}
