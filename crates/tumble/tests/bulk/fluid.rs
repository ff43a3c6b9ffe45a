//! Smooth grains in a smooth box press on it like a fluid.
//!
//! At rest the floor bears the weight and walls that face each other are pushed alike: balance of
//! forces, whatever is inside. How hard they are pushed is no such law. A fluid of bulk density ρ_b
//! pushes a wall of width W and height H with ρ_b g W H²/2, which is its weight times the height of
//! its centre over W. Grains without friction still bear some shear: with their angle of friction
//! of 5.8° (Peyneau & Roux 2008) a wall has (1 - sin φ)/(1 + sin φ) = 0.82 of that at least, and at
//! most the inverse.

use glam::DVec3;
use tumble::emit::Emitter;
use tumble::world::{Material, Shape};

use crate::scene::{BASE, D, G, between, filling, grain, near, plane, run, settled_energy, simulate, walls, world};

#[test]
fn smooth_grains_press_like_a_fluid() {
    let (count, half) = (1458, 4.7 * D);
    let stuff = Material { youngs_modulus: 4e6, ..grain(0.0) };
    let mut world = world(Shape::ball("grain", 0.5 * D).unwrap(), &stuff, 0.0);
    world.obstacles = walls([half, half]);
    world.obstacles.push(plane("floor", BASE, DVec3::ZERO, DVec3::Z));
    // Grains come to rest soon: without friction little else takes their energy.
    world.drag = 10.0;
    // Of different sizes, so that they are no crystal.
    let fill = filling(count, DVec3::new(-half, -half, 0.0), DVec3::new(half, half, 45.0 * D));
    let mut simulation = simulate(world, vec![Emitter { size: [0.8, 1.2], ..fill }], 1);
    run(&mut simulation, 3.0);
    let world = simulation.world();
    assert_eq!(world.bodies.len(), count as usize);
    println!(
        "{:.1e} of the energy that is settled",
        tumble::measure::kinetic_energy(world) / settled_energy(&simulation)
    );

    let modulus = stuff.youngs_modulus / (1.0 - stuff.poisson_ratio.powi(2));
    let (mut floor, mut sides, mut weight, mut lift) = (0.0, [0.0; 4], 0.0, 0.0);
    for row in 0..world.bodies.len() {
        let (place, radius) = (world.bodies.pose[row].position, world.radius(row));
        let push = |distance: f64| 4.0 / 3.0 * modulus * radius.sqrt() * (radius - distance).max(0.0).powf(1.5);
        floor += push(place.z);
        let distances = [half - place.x, half + place.x, half - place.y, half + place.y];
        sides.iter_mut().zip(distances).for_each(|(side, distance)| *side += push(distance));
        weight += G * world.bodies.inertia[row].mass;
        lift += G * world.bodies.inertia[row].mass * place.z;
    }
    let fluid = lift / (2.0 * half);
    near("floor over weight", floor / weight, 1.0, 1e-3);
    near("wall over the one it faces, x", sides[0] / sides[1], 1.0, 1e-3);
    near("wall over the one it faces, y", sides[2] / sides[3], 1.0, 1e-3);
    for side in sides {
        between("wall over that of a fluid", side / fluid, 0.82, 1.22);
    }
}
