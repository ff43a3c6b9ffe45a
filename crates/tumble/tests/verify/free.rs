//! Motion without contact.

use glam::{DQuat, DVec3};
use tumble::Warning;
use tumble::granular::Law;
use tumble::world::{Material, Motion, NewBody, ShapeId, World};

use crate::common::{add, advance, close, material, state, stepping, world_without_floor};

fn falling(gravity: DVec3, drag: f64) -> World {
    World { gravity, drag, ..world_without_floor(&material(1e7, 0.3, 1000.0), &[0.01]) }
}

/// x = x0 + v0 t + g t²/2: Verlet's method is exact for a constant force, up to rounding.
#[test]
fn free_fall_is_a_parabola() {
    let mut world = falling(DVec3::new(0.1, 0.0, -9.81), 0.0);
    let (x0, v0) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(-1.0, 0.5, 4.0));
    let body = add(&mut world, 0, x0, v0, DVec3::ZERO);
    let step = 1e-4;
    let mut simulation = stepping(world, Law::HERTZ, step);
    (0..5000).for_each(|_| advance(&mut simulation));
    let t = 5000.0 * step;
    let (x, motion) = state(&simulation, body);
    let gravity = DVec3::new(0.1, 0.0, -9.81);
    assert!((x - (x0 + v0 * t + 0.5 * gravity * t * t)).length() < 1e-12);
    assert!((motion.velocity - (v0 + gravity * t)).length() < 1e-11);
}

/// v = v∞ (1 - exp(-c t)), v∞ = g/c.
#[test]
fn drag_leads_to_the_terminal_velocity() {
    let (g, drag) = (9.81, 8.0);
    let mut world = falling(DVec3::new(0.0, 0.0, -g), drag);
    let body = add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let step = 1e-4;
    let mut simulation = stepping(world, Law::HERTZ, step);
    (0..2500).for_each(|_| advance(&mut simulation));
    let t = 2500.0 * step;
    let expected = -g / drag * (1.0 - (-drag * t).exp());
    // The kick takes the drag of the half step before: first order in (c h) = 8e-4 at worst.
    close("velocity under drag", state(&simulation, body).1.velocity.z, expected, 1e-3);
}

/// A free sphere turns by w t about its axis: q = (cos wt/2, n sin wt/2).
#[test]
fn a_spinning_sphere_keeps_its_orientation_exact() {
    let mut world = falling(DVec3::ZERO, 0.0);
    let spin = DVec3::new(3.0, -40.0, 12.0);
    let body = add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, spin);
    let step = 1e-4;
    let mut simulation = stepping(world, Law::HERTZ, step);
    (0..1000).for_each(|_| advance(&mut simulation));
    let bodies = &simulation.world().bodies;
    let got = bodies.pose[bodies.row(body).unwrap()].orientation;
    let expected = DQuat::from_scaled_axis(spin * 0.1);
    // The turn of a step is right to (w h)³/12 = 6e-9.
    assert!(got.angle_between(expected) < 1e-5, "{}", got.angle_between(expected));
    assert!((got.length() - 1.0).abs() < 1e-9);
}

/// A body whose motion leaves the range of numbers is named, with the quantity that is not finite,
/// in the frame in which that happens.
#[test]
fn what_is_not_finite_is_named() {
    let mut world = falling(DVec3::ZERO, 0.0);
    let still = add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    // Its energy is more than a number holds.
    let heavy = world.materials.add(Material { density: 1e300, ..Material::default() });
    let motion = Motion { velocity: DVec3::ZERO, spin: DVec3::new(0.0, 1e14, 0.0) };
    let body = world.add(NewBody { motion, ..NewBody::new(ShapeId(0), heavy, DVec3::X) }).unwrap();
    let mut simulation = stepping(world, Law::HERTZ, 1e-4);
    let warnings = simulation.advance().warnings;
    let named: Vec<_> = warnings.iter().filter(|warning| warning.kind() == "not_finite").collect();
    assert!(
        matches!(named[..], [Warning::NotFinite { body: found, .. }] if *found == body && body != still),
        "{warnings:?}"
    );
    assert!(named[0].to_string().contains("set a smaller `step`"), "{}", named[0]);
}
