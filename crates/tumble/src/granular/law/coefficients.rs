//! Coefficients of a contact law for two materials, computed once before the first step.

use super::restitution::{Curve, damping_for};
use super::{Law, Normal, Shear};
use crate::lanes::{LANES, Numbers};
use crate::world::{Grip, Material, MaterialId, Materials};

/// Ratio of the friction spring to the normal spring. The effective mass of a sphere along its
/// surface is 2/7 of its mass, so with 2/7 of the stiffness both directions have the same period,
/// and sticking ends when the contact does.
const SHEAR_RATIO: f64 = 2.0 / 7.0;

/// The coefficients of a pair of materials. `T` is a number, or one per lane. Units depend on the
/// law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients<T = f64> {
    /// Of the normal force.
    pub(crate) stiffness: T,
    /// Of the normal dashpot.
    pub(crate) damping: T,
    /// Of the friction spring, or of viscous friction.
    pub(crate) shear_stiffness: T,
    /// Of the friction dashpot.
    pub(crate) shear_damping: T,
    /// Coefficient of friction \[-\].
    pub(crate) friction: T,
    /// Coefficient of rolling resistance \[-\].
    pub(crate) rolling: T,
}

impl Coefficients<Numbers> {
    /// The coefficients of one pair of materials per lane.
    #[inline(always)]
    pub(crate) fn new(lanes: [&Coefficients; LANES]) -> Self {
        Self {
            stiffness: Numbers::new(lanes.map(|c| c.stiffness)),
            damping: Numbers::new(lanes.map(|c| c.damping)),
            shear_stiffness: Numbers::new(lanes.map(|c| c.shear_stiffness)),
            shear_damping: Numbers::new(lanes.map(|c| c.shear_damping)),
            friction: Numbers::new(lanes.map(|c| c.friction)),
            rolling: Numbers::new(lanes.map(|c| c.rolling)),
        }
    }
}

/// The coefficients of all pairs of surfaces, dense and row-major. A surface is a material with one
/// of these grips: first all materials with the first grip.
pub(crate) fn pair_table(law: &Law, materials: &Materials, grips: &[Grip]) -> Vec<Coefficients> {
    let list = materials.list();
    let ids = || (0..list.len() as u32).map(MaterialId);
    let all = || ids().flat_map(|a| ids().map(move |b| (a, b)));
    // Finding the damping takes milliseconds, and many pairs share a restitution.
    let mut restitutions: Vec<f64> = all().map(|(a, b)| materials.between(a, b).restitution).collect();
    restitutions.sort_by(f64::total_cmp);
    restitutions.dedup();
    let curve = Curve::of(law);
    let dampings: Vec<f64> = restitutions.iter().map(|&e| curve.map_or(0.0, |curve| damping_for(e, curve))).collect();
    let pair = |(a, b): (MaterialId, MaterialId)| {
        let values = materials.between(a, b);
        let damping = dampings[restitutions.partition_point(|&e| e < values.restitution)];
        let (a, b) = (&list[a.index()], &list[b.index()]);
        let (stiffness, damping) = along_the_normal(law, a, b, damping);
        let (shear_stiffness, shear_damping) = across_the_normal(law, a, b, stiffness, damping);
        let (friction, rolling) = (values.friction, values.rolling_friction);
        Coefficients { stiffness, damping, shear_stiffness, shear_damping, friction, rolling }
    };
    let surfaces = || grips.iter().flat_map(|&grip| ids().map(move |id| (id, grip)));
    let gripped = |((a, grip_a), (b, grip_b)): ((MaterialId, Grip), (MaterialId, Grip))| {
        let (values, grip) = (materials.between(a, b), grip_a.with(grip_b));
        let (plain, firm) = (pair((a, b)), grip.rolling());
        Coefficients { friction: grip.friction(values.friction), rolling: plain.rolling.max(firm), ..plain }
    };
    surfaces().flat_map(|a| surfaces().map(move |b| (a, b))).map(gripped).collect()
}

/// Stiffness and damping; `damping` is ε of the universal curve that gives the restitution.
fn along_the_normal(law: &Law, a: &Material, b: &Material, damping: f64) -> (f64, f64) {
    match law.normal {
        Normal::Linear => {
            // The two springs stand in series; `stiffness` is that of a contact between equals.
            let stiffness = 2.0 / (1.0 / a.stiffness + 1.0 / b.stiffness);
            // c = ε √(m k); the root of the mass is multiplied in `springs`.
            (stiffness, damping * stiffness.sqrt())
        }
        Normal::Hertz(_) => {
            // 1/E* = (1-nu_a²)/E_a + (1-nu_b²)/E_b (eq. 14). A rigid partner has infinite modulus
            // and adds nothing.
            let soft = |m: &Material| (1.0 - m.poisson_ratio.powi(2)) / m.youngs_modulus;
            (4.0 / 3.0 / (soft(a) + soft(b)), damping)
        }
        Normal::Given { .. } => {
            let between = |a: f64, b: f64| if a + b > 0.0 { 2.0 * a * b / (a + b) } else { 0.0 };
            let stiffness = if a.k_r.is_infinite() { 2.0 * b.k_r } else { between(a.k_r, b.k_r) };
            let stiffness = if b.k_r.is_infinite() { 2.0 * a.k_r } else { stiffness };
            (stiffness, (a.k_d * b.k_d).sqrt())
        }
    }
}

fn across_the_normal(law: &Law, a: &Material, b: &Material, stiffness: f64, damping: f64) -> (f64, f64) {
    match law.shear {
        Shear::Viscous { viscosity } | Shear::Combined { viscosity } => (viscosity, 0.0),
        Shear::Coulomb => (0.0, 0.0),
        Shear::Spring { stiffness: given, damping } => (given.unwrap_or(SHEAR_RATIO), damping),
        // The largest stretch is mu (2-nu)/(2(1-nu)) times the overlap (Yee et al.); a rigid
        // partner has no say.
        Shear::Saturating { damping_time } => {
            let share = |m: &Material| (2.0 - m.poisson_ratio) / (2.0 * (1.0 - m.poisson_ratio));
            let soft: Vec<f64> = [a, b].iter().filter(|m| m.youngs_modulus.is_finite()).map(|m| share(m)).collect();
            let mean = if soft.is_empty() { share(a) } else { soft.iter().sum::<f64>() / soft.len() as f64 };
            (mean, damping_time)
        }
        Shear::Mindlin => {
            // 1/G* = (2-nu_a)/G_a + (2-nu_b)/G_b,  G = E / (2 (1+nu)).
            let soft = |m: &Material| (2.0 - m.poisson_ratio) * 2.0 * (1.0 + m.poisson_ratio) / m.youngs_modulus;
            let shear_stiffness = 8.0 / (soft(a) + soft(b));
            // The same share of critical damping as along the normal: with S_n = (3/2) k √(R x) and
            // S_t = 8 G* √(R x) the dashpots are as √(S_t/S_n).
            (shear_stiffness, damping * (2.0 / 3.0 * shear_stiffness / stiffness).sqrt())
        }
    }
}
