//! Round bodies at default settings: they roll as they should, at their contacts and nowhere else.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};
use tumble::geometry::Convex;
use tumble::world::{Material, Materials, Motion, World};
use tumble::{Simulation, measure};

use super::{G, add, by_default, motion, pose, put, solid, stepping, world};
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

/// A disc of radius a and thickness 2c that is tilted by α and rolls round on its edge, its centre
/// at rest (Euler's disc). It does not slip, so it turns about the line to where it touches; with
/// moments A across and C along its axis, L' = Ω × L is the torque of its weight, Ω² = m g (a cos
/// α - c sin α)/(A sin α cos α - C (c/a) sin² α), or 4g/(a sin α) for a thin one. Its contact point
/// moves round by Ω a per second, while a contact stays for a step: its losses are of first order
/// in that. The two numbers of a tilt are the allowed error of the precession and the allowed loss
/// of energy per turn, each over the step \[1/s\].
#[test]
fn a_disc_rolls_round_on_its_edge() {
    let (a, c) = (0.1f64, 0.005);
    let tilts = [(15f64, 5.0, 95.0), (30.0, 20.0, 70.0), (60.0, 25.0, 6.0)];
    for ((tilt, off, loses), step) in tilts.into_iter().flat_map(|case| [(case, Some(2.5e-4)), (case, None)]) {
        let shape = solid(Convex::Cylinder { radius: a, half: c });
        let (sin, cos) = tilt.to_radians().sin_cos();
        let [across, along] = [shape.moments.x, shape.moments.z].map(|moment| moment / shape.volume);
        let known = (G * (a * cos - c * sin) / (across * sin * cos - along * c / a * sin * sin)).sqrt();
        let mut world = world(vec![shape], 1.0, 0.0);
        let turn = DQuat::from_rotation_y(tilt.to_radians());
        let touch = turn * DVec3::new(a, 0.0, -c);
        let rolling = Motion { velocity: DVec3::ZERO, spin: -known * sin / a * touch };
        let body = add(&mut world, 0, -touch.z * DVec3::Z, turn, rolling);
        let mut simulation = stepping(world, step);
        let energy = |simulation: &Simulation| {
            let bodies = &simulation.world().bodies;
            measure::kinetic_energy(simulation.world()) + bodies.inertia[0].mass * G * bodies.pose[0].position.z
        };
        let before = energy(&simulation);
        let (mut turned, mut axis) = (0.0, turn * DVec3::Z);
        while turned < TAU && simulation.time() < 1.0 {
            advance(&mut simulation);
            let now = pose(&simulation, body).orientation * DVec3::Z;
            turned += axis.truncate().angle_to(now.truncate());
            axis = now;
        }
        let lost = 1.0 - energy(&simulation) / before;
        println!("{tilt}°: {lost:.1e} of its energy lost in a turn");
        close("precession", turned / simulation.time(), known, off * simulation.step_length());
        assert!(lost > -1e-4 && lost < loses * simulation.step_length(), "{tilt}°: lost {lost} of its energy");
    }
}

/// An apple that spins on its spot stops: rolling resistance resists twisting too, with the torque
/// μ_r R m g.
#[test]
fn a_spinning_ball_stops() {
    let (radius, spin) = (0.04, 3.0);
    for step in [Some(1e-3), None] {
        let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 0.0);
        let material = Material { density: 800.0, friction: 0.5, rolling_friction: 0.01, ..Material::default() };
        world.materials = Materials::new(vec![material.clone(), material]);
        let spinning = Motion { velocity: DVec3::ZERO, spin: DVec3::Z * spin };
        let body = add(&mut world, 0, DVec3::Z * radius, DQuat::IDENTITY, spinning);
        let mut simulation = stepping(world, step);
        let slowing = 0.01 * G / (0.4 * radius);
        while simulation.time() < 0.2 {
            advance(&mut simulation);
        }
        let known = spin - simulation.time() * slowing;
        close("spin after 0.2 s", motion(&simulation, body).spin.z, known, 3e-4);
        while simulation.time() < 0.6 {
            advance(&mut simulation);
        }
        assert!(motion(&simulation, body).spin.length() < 1e-6, "{}", motion(&simulation, body).spin);
    }
}

/// Bodies down to a micrometre keep finite states.
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
