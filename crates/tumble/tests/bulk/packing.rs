//! Packings of spheres: how dense, and how many neighbours each touches.
//!
//! Spheres of d = m = 1 dropped from a dilute random state under g = 1 with linear springs (k_n =
//! 2·10⁴, k_t = 2/7 k_n, e = 0.67) on a floor of their own material: φ = 0.642 and 6.3 contacts
//! without friction, 0.607 and 4.96 with μ = 0.5 (LAMMPS 22Jul2025, one seed; random close packing
//! 0.634–0.645, z = 6 → 4 by Silbert 2010). The reference is periodic sideways. Here smooth walls
//! stand further apart, and only grains at least two and a half diameters from everything are
//! judged. Walls order the grains next to them in layers; only this effect of them remains.

use glam::DVec3;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::granular::Law;
use tumble::measure::packing;
use tumble::world::{Material, MaterialId, Materials, Obstacle, Pair, Shape, World};
use tumble::{Frame, Setup, Simulation};

use crate::common::{emitter, material};
use crate::scene::{balls, between, near, plane, run, walls};

/// Solid fraction and contacts per grain, deep inside a poured bed of this width and count.
fn bed(width: f64, count: u64, friction: f64, time: f64, seed: u64) -> (f64, f64) {
    let stuff =
        Material { friction, restitution: 0.67, stiffness: 2e4, ..material(1e7, 0.3, 6.0 / std::f64::consts::PI) };
    let mut materials = Materials::new(vec![stuff.clone(), stuff.clone(), stuff]);
    materials
        .set_pair(
            MaterialId(0),
            MaterialId(2),
            Pair { friction: 0.0, ..materials.pair(MaterialId(0), MaterialId(2)).unwrap() },
        )
        .unwrap();
    let half = 0.5 * width;
    let mut obstacles: Vec<Obstacle> = walls([half, half]);
    obstacles.push(plane("floor", 1, DVec3::ZERO, DVec3::Z));
    let world = World {
        shapes: vec![Shape::ball("grain", 0.5).unwrap()],
        materials,
        obstacles,
        gravity: DVec3::NEG_Z,
        ..World::default()
    };
    // As dilute as the reference: 1500 in 10 × 10 × 57.
    let height = 3.8 * count as f64 / (width * width);
    let region = Region::Box { low: DVec3::new(-half, -half, 0.0), high: DVec3::new(half, half, height) };
    let place = Place::Region { region, pattern: Pattern::Random };
    let jitter = Jitter { velocity: 0.1, ..Jitter::default() };
    let rain = Emitter { jitter, ..emitter(0, count, When::AtOnce(0.0), place) };
    // A contact lasts 0.0158, ten steps.
    let setup = Setup { emitters: vec![rain], seed, fps: 1.0, step: Some(1.5e-3), ..Setup::new(world, Law::LINEAR) };
    let mut simulation = Simulation::new(setup).unwrap();
    run(&mut simulation, time);
    let found = packing(&balls(&simulation), DVec3::Z).expect("the bed has an inside");

    let mut frame = Frame::default();
    simulation.show(&mut frame);
    let top = frame.bodies.iter().map(|body| body.position[2]).fold(0.0, f32::max);
    let side = half as f32 - 2.5;
    let is_inside = |[x, y, z]: [f32; 3]| x.abs() < side && y.abs() < side && z > 2.5 && z < top - 3.5;
    let contacts: Vec<f64> =
        frame.bodies.iter().filter(|body| is_inside(body.position)).map(|body| f64::from(body.contacts)).collect();
    let coordination = contacts.iter().sum::<f64>() / contacts.len() as f64;
    println!(
        "μ {friction}: fraction {:.4} ± {:.4} of {} bodies, {coordination:.2} contacts of {}, energy per grain {:.1e}",
        found.fraction,
        found.standard_error,
        found.bodies,
        contacts.len(),
        tumble::measure::kinetic_energy(simulation.world()) / count as f64
    );
    (found.fraction, coordination)
}

/// Without friction a bed goes on to shift and to sink for long, whatever the step: it gets twice
/// the time, and contacts that are still to come may be missing.
fn compare(width: f64, count: u64, time: f64, missing: f64, seed: u64) {
    let smooth = bed(width, count, 0.0, 2.0 * time, seed);
    let rough = bed(width, count, 0.5, time, seed);
    near("fraction without friction", smooth.0, 0.642, 0.012);
    near("fraction with μ = 0.5", rough.0, 0.607, 0.012);
    near("difference", smooth.0 - rough.0, 0.035, 0.01);
    between("contacts without friction", smooth.1, 6.3 - 0.25 - missing, 6.3 + 0.25);
    near("contacts with μ = 0.5", rough.1, 4.96, 0.25);
}

#[test]
fn a_bed_of_spheres_is_as_dense_as_it_should_be() {
    compare(13.0, 1900, 22.0, 0.2, 1);
}

#[test]
#[ignore = "full size: sixteen diameters wide, three seeds, minutes"]
fn a_wide_bed_of_spheres_is_as_dense_as_it_should_be() {
    for seed in 1..=3 {
        compare(16.0, 2800, 80.0, 0.0, seed);
    }
}
