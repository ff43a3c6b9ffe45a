//! Friction: rolling, sliding, and standing still on a slope.

use glam::DVec3;
use tumble::granular::{Law, Normal};
use tumble::world::{BodyId, Material};
use tumble::{Setup, Simulation};

use crate::common::{add, advance, close, material, state, world_over_floor};

/// A sphere of 1 cm on a floor tilted by `degrees`, at its depth of rest; x points downhill. Frames
/// are half a millisecond.
fn on_slope(degrees: f64, friction: f64, law: Law, velocity: f64) -> (Simulation, BodyId) {
    let (radius, g) = (0.01, 9.81);
    let stuff = Material { restitution: 0.3, friction, stiffness: 1e5, ..material(1e8, 0.3, 2500.0) };
    let mut world = world_over_floor(&stuff, &[radius]);
    let angle = degrees.to_radians();
    world.gravity = g * DVec3::new(angle.sin(), 0.0, -angle.cos());
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let weight = mass * g * angle.cos();
    let depth = match law.normal {
        Normal::Linear => weight / 2e5,
        _ => (weight / (4.0 / 3.0 * 1e8 / (1.0 - 0.09) * radius.sqrt())).powf(2.0 / 3.0),
    };
    let body = add(&mut world, 0, DVec3::new(0.0, 0.0, radius - depth), DVec3::X * velocity, DVec3::ZERO);
    (Simulation::new(Setup { fps: 2000.0, ..Setup::new(world, law) }).unwrap(), body)
}

/// Rolls without slip iff μ ≥ (2/7) tan θ: a = (5/7) g sin θ. Else a = g (sin θ - μ cos θ), α =
/// (5/2) μ g cos θ/R.
#[test]
fn a_sphere_rolls_or_slides_down_a_slope() {
    let (g, angle) = (9.81, 30f64.to_radians());
    let threshold = 2.0 / 7.0 * angle.tan();
    for law in [Law::LINEAR, Law::HERTZ] {
        for factor in [2.0, 1.02, 0.98, 0.5] {
            let mu = factor * threshold;
            let (mut simulation, body) = on_slope(30.0, mu, law, 0.0);
            (0..600).for_each(|_| advance(&mut simulation));
            let (t, motion) = (simulation.time(), state(&simulation, body).1);
            let (acceleration, turning) = if factor > 1.0 {
                (5.0 / 7.0 * g * angle.sin(), 5.0 / 7.0 * g * angle.sin() / 0.01)
            } else {
                (g * (angle.sin() - mu * angle.cos()), 2.5 * mu * g * angle.cos() / 0.01)
            };
            close(
                &format!("{law:?}, mu = {factor} of threshold: acceleration"),
                motion.velocity.x / t,
                acceleration,
                1e-2,
            );
            close(&format!("{law:?}, mu = {factor} of threshold: turning"), motion.spin.y / t, turning, 1e-2);
        }
    }
}

/// Slide-to-roll on the level: after t = 2 v0/(7 μ g) it rolls at 5 v0/7, having gone 12 v0²/(49 μ
/// g).
#[test]
fn a_sliding_sphere_begins_to_roll() {
    let (v0, mu, g) = (1.0, 0.3, 9.81);
    let (mut simulation, body) = on_slope(0.0, mu, Law::HERTZ, v0);
    let (mut rolled_at, mut way) = (None, 0.0);
    while simulation.time() < 0.2 {
        advance(&mut simulation);
        let (position, motion) = state(&simulation, body);
        if rolled_at.is_none() && motion.velocity.x - 0.01 * motion.spin.y < 1e-3 * v0 {
            (rolled_at, way) = (Some(simulation.time()), position.x);
        }
    }
    close("time until rolling", rolled_at.unwrap(), 2.0 * v0 / (7.0 * mu * g), 1e-2);
    close("way until rolling", way, 12.0 * v0 * v0 / (49.0 * mu * g), 1e-2);
    close("rolling speed", state(&simulation, body).1.velocity.x, 5.0 / 7.0 * v0, 1e-3);
}

/// The friction spring has a memory: a ball on three, which only friction keeps from being wedged
/// apart, stands for good.
#[test]
fn a_pyramid_of_four_does_not_creep() {
    let (radius, g) = (0.01, 9.81);
    let stuff = Material { restitution: 0.3, friction: 0.6, ..material(1e7, 0.3, 2500.0) };
    let mut world = world_over_floor(&stuff, &[radius]);
    world.gravity = DVec3::new(0.0, 0.0, -g);
    let side = 2.0 * radius;
    let at = |x: f64, y: f64, z: f64| DVec3::new(x * side, y * side, radius + z * side);
    let high = (2.0f64 / 3.0).sqrt();
    let corners =
        [at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.5, 0.75f64.sqrt(), 0.0), at(0.5, 0.75f64.sqrt() / 3.0, high)];
    let balls = corners.map(|corner| add(&mut world, 0, corner, DVec3::ZERO, DVec3::ZERO));
    let mut simulation = Simulation::new(Setup { fps: 10.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
    (0..10).for_each(|_| advance(&mut simulation));
    let rest = balls.map(|ball| state(&simulation, ball).0);
    assert!(rest[3].z > radius + 0.99 * high * side, "it stands: {}", rest[3]);
    (0..100).for_each(|_| advance(&mut simulation));
    for (ball, rest) in balls.iter().zip(rest) {
        let drift = (state(&simulation, *ball).0 - rest).length() / side;
        assert!(drift < 1e-6, "crept by {drift} of its size in 10 s");
    }
}
