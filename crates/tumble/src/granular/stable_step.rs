//! How large a step may be: from the stiffest contact that the scene can make.

use super::law::{Coefficients, Law, Shear, springs, tangent_stiffness};
use crate::lanes::{LANES, Numbers};
use crate::world::{MaterialId, Shape, ShapeId, World};

/// Overlap, relative to the effective radius, at which the stiffness of a Hertz contact is taken:
/// the deepest that a well-chosen modulus lets happen.
const REFERENCE_OVERLAP: f64 = 0.01;

/// The default step, in units of the natural time √(m/k) of the fastest contact: 21 steps in a
/// collision.
const DEFAULT: f64 = 0.15;

/// The largest step, in the same units. A single undamped contact is stable up to 2; a grain with
/// twelve neighbours feels up to four times the stiffness, and accuracy needs a margin.
const LARGEST: f64 = 0.5;

/// The steps a scene can take.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimit {
    /// The step taken unless the scene sets one \[s\].
    pub default: f64,
    /// The largest step that may be set \[s\].
    pub largest: f64,
    /// Names of the materials of the pair that decides.
    pub between: [String; 2],
}

impl StepLimit {
    /// The limits for bodies of these kinds: shape, material, smallest size \[-\]. `None` without
    /// any.
    pub(super) fn new(
        law: &Law,
        world: &World,
        pairs: &[Coefficients],
        kinds: &[(ShapeId, MaterialId, f64)],
    ) -> Option<Self> {
        let materials = world.materials.list();
        // Effective mass, effective radius and the two materials of every pair that can meet.
        let body = |&(shape, material, size): &(ShapeId, MaterialId, f64)| {
            let shape = &world.shapes[shape.index()];
            let mass = materials[material.index()].density * answering_volume(shape) * size.powi(3);
            let radius = shape.spheres.iter().map(|s| s.radius).fold(f64::INFINITY, f64::min) * size;
            (mass, radius, material.index())
        };
        let bodies: Vec<_> = kinds.iter().map(body).collect();
        let harmonic = |a: f64, b: f64| a * b / (a + b);
        let between_bodies = bodies
            .iter()
            .flat_map(|&(m, r, a)| bodies.iter().map(move |&(n, s, b)| (harmonic(m, n), harmonic(r, s), a, b)));
        let with_obstacles =
            bodies.iter().flat_map(|&(m, r, a)| world.obstacles.iter().map(move |o| (m, r, a, o.material.index())));
        let time = |(mass, radius, a, b): (f64, f64, usize, usize)| {
            (natural_time(law, &pairs[a * materials.len() + b], mass, radius), a, b)
        };
        let (time, a, b) = between_bodies.chain(with_obstacles).map(time).min_by(|x, y| x.0.total_cmp(&y.0))?;
        let between = [a, b].map(|m| materials[m].name.clone());
        Some(Self { default: DEFAULT * time, largest: LARGEST * time, between })
    }
}

/// Share of a body's volume in the effective mass of a contact at one of its spheres.
///
/// A force off the centre of mass also turns the body, which lowers the effective mass: 1/m + d²/I
/// with the lever d. A clump that lies on a face rests on many spheres, which push at once: a sixth
/// of them.
fn answering_volume(shape: &Shape) -> f64 {
    let lever = shape.spheres.iter().map(|s| s.offset.length()).fold(0.0, f64::max);
    let turning = 1.0 / (1.0 / shape.volume + lever * lever / shape.moments.min_element());
    turning.min(shape.volume * 6.0 / shape.spheres.len().max(6) as f64)
}

/// √(m/k) of a contact, shortened by its damping as the stability limit of Verlet's method is:
/// √(1+ζ²) - ζ.
fn natural_time(law: &Law, c: &Coefficients, mass: f64, radius: f64) -> f64 {
    let overlap = REFERENCE_OVERLAP * radius;
    let stiffness = tangent_stiffness(law, c, overlap, radius);
    let splat = Numbers::splat;
    let springs = springs(law, &Coefficients::new([c; LANES]), splat(overlap), splat(radius), splat(mass));
    let zeta = springs.damping.to_array()[0] / (2.0 * (mass * stiffness).sqrt());
    let along = (mass / stiffness).sqrt() * ((1.0 + zeta * zeta).sqrt() - zeta);
    // The effective mass of a sphere along its surface is 2/7 of its mass. A dashpot alone is
    // stable up to twice mass over damping.
    let dashpot = match law.shear {
        Shear::Viscous { viscosity } | Shear::Combined { viscosity } => viscosity,
        Shear::Saturating { damping_time } => damping_time * stiffness,
        _ => 0.0,
    };
    along.min(2.0 / LARGEST * 2.0 / 7.0 * mass / dashpot)
}
