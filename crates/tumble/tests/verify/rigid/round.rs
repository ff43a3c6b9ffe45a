//! Round things at default settings: they roll as they should, on what they touch and nowhere else.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use tumble::geometry::Convex;
use tumble::world::{Material, Materials, Motion, World};

use super::{G, add, by_default, motion, put, solid, stepping, world};
use crate::common::{advance, close};

/// The same world, in which nothing resists rolling.
fn without_rolling_resistance(mut world: World, friction: f64) -> World {
    let material = Material { density: 1000.0, friction, rolling_friction: 0.0, ..Material::default() };
    world.materials = Materials::new(vec![material.clone(), material]);
    world
}

/// Cylinders and capsules roll down 15° for a second: g sin θ t / (1 + k²/r²), whatever their
/// length.
#[test]
fn logs_and_pencils_roll_down_a_slope() {
    let cases = [
        ("log", Convex::Cylinder { radius: 0.1, half: 1.0 }, 0.1),
        ("rod", Convex::Cylinder { radius: 0.02, half: 0.5 }, 0.02),
        ("pencil", Convex::Cylinder { radius: 0.004, half: 0.09 }, 0.004),
        ("wheel", Convex::Cylinder { radius: 0.2, half: 0.05 }, 0.2),
        ("capsule", Convex::Capsule { radius: 0.05, half: 0.5 }, 0.05),
    ];
    for (name, convex, radius) in cases {
        let shape = solid(convex);
        let inertia = shape.moments.z / (shape.volume * radius * radius);
        let mut world = without_rolling_resistance(world(vec![shape], 0.8, 0.0), 0.8);
        let slope = 15f64.to_radians();
        world.gravity = G * DVec3::new(slope.sin(), 0.0, -slope.cos());
        let lying = DQuat::from_rotation_x(0.5 * PI);
        let body = add(&mut world, 0, DVec3::Z * radius, lying, Motion::default());
        let mut simulation = by_default(world);
        (0..60).for_each(|_| advance(&mut simulation));
        let known = G * slope.sin() / (1.0 + inertia);
        close(name, motion(&simulation, body).velocity.x, known, 0.01);
    }
}

/// A pencil that rolls on a level floor with nothing to resist goes on rolling.
#[test]
fn a_pencil_goes_on_rolling() {
    let radius = 0.004;
    let mut world =
        without_rolling_resistance(world(vec![solid(Convex::Cylinder { radius, half: 0.09 })], 0.5, 0.0), 0.5);
    let rolling = Motion { velocity: DVec3::X, spin: DVec3::Y / radius };
    let body = add(&mut world, 0, DVec3::Z * radius, DQuat::from_rotation_x(0.5 * PI), rolling);
    let mut simulation = by_default(world);
    (0..60).for_each(|_| advance(&mut simulation));
    close("speed", motion(&simulation, body).velocity.x, 1.0, 0.01);
}

/// An apple that spins on its spot stops: what resists rolling resists twisting too, with the
/// torque μ_r R m g.
#[test]
fn a_spinning_ball_stops() {
    let (radius, spin) = (0.04, 3.0);
    let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 0.0);
    let material = Material { density: 800.0, friction: 0.5, rolling_friction: 0.01, ..Material::default() };
    world.materials = Materials::new(vec![material.clone(), material]);
    let spinning = Motion { velocity: DVec3::ZERO, spin: DVec3::Z * spin };
    let body = add(&mut world, 0, DVec3::Z * radius, DQuat::IDENTITY, spinning);
    let mut simulation = stepping(world, 1e-3);
    let slowing = 0.01 * G / (0.4 * radius);
    (0..200).for_each(|_| advance(&mut simulation));
    close("spin after 0.2 s", motion(&simulation, body).spin.z, spin - 0.2 * slowing, 0.01);
    (0..400).for_each(|_| advance(&mut simulation));
    assert!(motion(&simulation, body).spin.length() < 1e-6, "{}", motion(&simulation, body).spin);
}

/// Bodies down to a micrometre do not become anything but numbers.
#[test]
fn small_bodies_stay_numbers() {
    for size in [1e-1, 1e-3, 1e-4, 3e-5, 1e-5, 1e-6] {
        let shapes = vec![
            solid(Convex::Ball(size)),
            solid(Convex::Capsule { radius: size, half: size }),
            solid(Convex::Cylinder { radius: size, half: size }),
        ];
        let mut world = world(shapes, 0.5, 0.3);
        for (k, shape) in [0, 1, 2, 0, 1, 2].into_iter().enumerate() {
            put(&mut world, shape, size * DVec3::new(0.3 * k as f64, 0.2 * k as f64, 3.0 + 5.0 * k as f64));
        }
        let mut simulation = by_default(world);
        (0..3).for_each(|_| advance(&mut simulation));
        for (pose, motion) in simulation.world().bodies.pose.iter().zip(&simulation.world().bodies.motion) {
            assert!(pose.position.is_finite() && motion.spin.is_finite(), "{size} m");
            assert!(pose.position.z > -size, "{size} m: {}", pose.position);
        }
    }
}
