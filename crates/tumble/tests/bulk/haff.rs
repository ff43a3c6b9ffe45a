//! Haff's law: a gas of inelastic spheres cools as T = T0/(1 + t/τ)².
//!
//! 1/√T grows with the slope (1 - e²)/6 · 4 n d² χ √(π/m), χ = (1 - φ/2)/(1 - φ)³ at contact (Haff
//! 1983, with T = m⟨v²⟩/3): for N = 1500, d = m = 1, φ = 0.05, e = 0.9, T0 = 1, τ = 41.016. LAMMPS
//! followed it to 0.3 % in slope, in a periodic box. Here the gas is between smooth walls that
//! bounce perfectly, which changes the number of collisions and nothing else: a sphere closer than
//! d to a wall can be hit from part of its sides only, on average over that layer by a quarter
//! less, while centres have (L - d)³ to be in. Collisions are N²/2V_c (1 - 6 · d/4L) per second
//! times a constant, that is as many as in a volume of (L - d/2)³ to first order in d/L: in a box
//! as large as the periodic one cooling should be faster by 3/2 d/L. It is by less, 3.3 % instead
//! of 6.0 % for 1500 spheres and 4.4 % instead of 9.3 % for 400, and why is not known. Nothing is
//! corrected in the short test; the long one has a box that is longer by half a diameter.

use glam::DVec3;
use tumble::emit::{Emitter, Pattern, Place, Region, When};
use tumble::granular::Law;
use tumble::world::{Material, MaterialId, Materials, Pair, Shape, World};
use tumble::{Setup, Simulation};

use crate::common::{emitter, material};
use crate::scene::{between, frame, line, near, plane, walls};

const E: f64 = 0.9;
const SHARE: f64 = 0.05;

/// The slope of 1/√T over time, relative to Haff's, of a gas in a box longer than N/n by `longer`;
/// the contact time is `contact`.
fn slope(count: u64, longer: f64, contact: f64, time: f64, seed: u64) -> f64 {
    use std::f64::consts::PI;
    let volume = count as f64 * PI / 6.0 / SHARE;
    let side = volume.cbrt() + longer;
    // Bell et al. 2005, eq. 10: k = m_eff (π² + ln² e)/t².
    let stiffness = 0.5 * (PI * PI + E.ln() * E.ln()) / (contact * contact);
    let stuff = Material { restitution: E, friction: 0.0, stiffness, ..material(1e7, 0.3, 6.0 / PI) };
    let mut materials = Materials::new(vec![stuff.clone(), stuff.clone(), stuff]);
    let smooth = Pair { restitution: 1.0, friction: 0.0, rolling_friction: 0.0 };
    materials.set_pair(MaterialId(0), MaterialId(1), smooth).unwrap();
    materials.set_pair(MaterialId(0), MaterialId(2), smooth).unwrap();
    let half = 0.5 * side;
    let mut obstacles = walls([half, half]);
    obstacles.push(plane("floor", 1, DVec3::NEG_Z * half, DVec3::Z));
    obstacles.push(plane("lid", 1, DVec3::Z * half, DVec3::NEG_Z));
    let world = World { shapes: vec![Shape::ball("grain", 0.5).unwrap()], materials, obstacles, ..World::default() };
    let region = Region::Box { low: DVec3::splat(-half), high: DVec3::splat(half) };
    let place = Place::Region { region, pattern: Pattern::Random };
    let mut gas: Emitter = emitter(0, count, When::AtOnce(0.0), place);
    // In a ball of this radius ⟨v²⟩ = 3/5 V² = 3. Collisions make it Maxwell's within a few for
    // each sphere.
    gas.jitter.velocity = 5f64.sqrt();
    let step = contact / 12.0;
    let setup = Setup { emitters: vec![gas], seed, fps: 1.0, step: Some(step), ..Setup::new(world, Law::LINEAR) };
    let mut simulation = Simulation::new(setup).unwrap();
    let mut points = Vec::new();
    let begin = 4.0;
    while simulation.time() < begin + time {
        frame(&mut simulation);
        let motion = &simulation.world().bodies.motion;
        let temperature = motion.iter().map(|m| m.velocity.length_squared()).sum::<f64>() / (3.0 * count as f64);
        if simulation.time() > begin {
            points.push((simulation.time(), 1.0 / temperature.sqrt()));
        }
    }
    let density = count as f64 / volume;
    let chi = (1.0 - 0.5 * SHARE) / (1.0 - SHARE).powi(3);
    let haff = (1.0 - E * E) / 6.0 * 4.0 * density * chi * PI.sqrt();
    let (slope, _, r2) = line(&points);
    println!("{count} spheres, box {side:.2}: slope {slope:.5}, Haff {haff:.5}, τ {:.2}, r² {r2:.5}", 1.0 / slope);
    slope / haff
}

#[test]
fn a_gas_cools_as_haff_says() {
    near("slope of 1/√T over Haff's", slope(1500, 0.0, 0.01, 40.0, 1), 1.0, 0.05);
}

#[test]
#[ignore = "full size: contacts of 0.01 for two τ, three seeds, minutes"]
fn a_gas_cools_as_haff_says_for_long() {
    for seed in 1..=3 {
        near("slope of 1/√T over Haff's", slope(1500, 0.5, 0.01, 82.0, seed), 1.0, 0.05);
    }
}

#[test]
#[ignore = "full size: boxes of two sizes, half a minute"]
fn walls_speed_cooling_up_by_less_than_estimated() {
    for count in [400u32, 1500] {
        let side = (f64::from(count) * std::f64::consts::PI / 6.0 / SHARE).cbrt();
        let found = slope(u64::from(count), 0.0, 0.01, 40.0, 1);
        between("slope over Haff's in a box of the periodic one's size", found, 1.0, 1.0 + 1.5 / side);
    }
}
