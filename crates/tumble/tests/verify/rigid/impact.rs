//! Single collisions.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Surface};
use tumble::world::{MaterialId, Motion, Obstacle, Path, Pose};

use super::{G, add, any_time_in_a_step, block, by_default, hitting, motion, pose, solid, stepping, world};
use crate::common::{advance, close};

/// A slender rod (m = L = 1) that falls flat at 30° to the floor with v = 2, e = 0.5, without
/// friction: with c = L/2 cos 30° the impulse is j = (1 + e) v / (1/m + c²/I) = 0.923077, so v' =
/// -1.076923 and w' = c j/I = 4.796448 (I = m L²/12). Only rounding is allowed: where along the
/// normal an impulse acts does not matter, and it comes in one substep however long.
#[test]
fn a_rod_hits_the_floor_with_one_end() {
    let (thin, down) = (1e-3, 2.0);
    for (step, part) in any_time_in_a_step(1e-4) {
        let mut rod = solid(Convex::Capsule { radius: 0.5 * thin, half: 0.5 });
        rod.moments = DVec3::new(rod.volume / 12.0, rod.volume / 12.0, rod.moments.z);
        let mut world = world(vec![rod], 0.0, 0.5);
        world.gravity = DVec3::ZERO;
        let tilt = DQuat::from_rotation_y(60f64.to_radians());
        let height = 0.5 * 0.5 + 0.5 * thin;
        let falling = Motion { velocity: DVec3::new(0.0, 0.0, -down), spin: DVec3::ZERO };
        let body = add(&mut world, 0, DVec3::new(0.0, 0.0, height), tilt, falling);
        let mut simulation = hitting(world, step, part);
        (0..2).for_each(|_| advance(&mut simulation));
        let after = motion(&simulation, body);
        close("velocity after", after.velocity.z, -14.0 / 13.0, 1e-6);
        close("spin after", after.spin.length(), 12.0 / 13.0 * 3f64.sqrt() * 3.0, 1e-6);
    }
}

/// A sphere that hits the floor obliquely: it sticks if the friction is enough, v_t' = 5/7 v_t = R
/// w'; else v_t' = v_t - μ (1 + e) v_n and R w' = 5/2 μ (1 + e) v_n, at any step: impulses act at
/// the point of the ball that will touch, not between it and the floor.
#[test]
fn a_ball_hits_the_floor_obliquely() {
    let (radius, down, along, restitution) = (0.1, 2.0, 1.5, 0.5);
    let times = any_time_in_a_step(1e-3);
    for ((friction, sticks), (step, part)) in times.flat_map(|time| [((0.1, false), time), ((0.8, true), time)]) {
        let mut world = world(vec![solid(Convex::Ball(radius))], friction, restitution);
        world.gravity = DVec3::ZERO;
        let flying = Motion { velocity: DVec3::new(along, 0.0, -down), spin: DVec3::ZERO };
        let body = add(&mut world, 0, radius * DVec3::Z, DQuat::IDENTITY, flying);
        let mut simulation = hitting(world, step, part);
        (0..2).for_each(|_| advance(&mut simulation));
        let after = motion(&simulation, body);
        let slip = friction * (1.0 + restitution) * down;
        let (velocity, surface) =
            if sticks { (along * 5.0 / 7.0, along * 5.0 / 7.0) } else { (along - slip, 2.5 * slip) };
        close("normal", after.velocity.z, restitution * down, 1e-6);
        close("tangential", after.velocity.x, velocity, 1e-6);
        close("surface", after.spin.y * radius, surface, 1e-6);
    }
}

/// A ball that bounces with e = 0.8 from h = 1 stops after √(2h/g) (1 + e)/(1 - e) = 4.0637 s and
/// has then gone h (1 + e²)/(1 - e²) = 4.5556 m. A ball slower than the speed that gravity gives it
/// in two steps no longer bounces: 2 g dt/g of time, here 0.05 %.
#[test]
fn a_ball_bounces_until_it_stops() {
    let radius = 0.05;
    let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 0.8);
    let body = super::put(&mut world, 0, DVec3::new(0.0, 0.0, 1.0 + radius));
    let mut simulation = stepping(world, 2.5e-4);
    let (mut path, mut before, mut last_moving) = (0.0, 1.0 + radius, 0.0);
    while simulation.time() < 4.5 {
        advance(&mut simulation);
        let height = pose(&simulation, body).position.z;
        path += (height - before).abs();
        before = height;
        if motion(&simulation, body).velocity.length() > 6e-3 {
            last_moving = simulation.time();
        }
    }
    let known: f64 = (2.0 / G).sqrt() * 1.8 / 0.2;
    close("time to rest", last_moving, known, 1e-2);
    close("way to rest", path, 1.64 / 0.36, 1e-2);
}

/// Housner's block rocks from one edge to the other without bouncing: angular momentum about the
/// new edge is kept, so w+/w- = 1 - 3/2 sin² α = 0.94231 for b/h = 0.2. Energy stays between hits,
/// w²k²/2 + g r (cos(α - θ) - cos α) with r half the diagonal and k² = 4r²/3 about an edge, so
/// w+/w- is the root of the share of it that is left when the block turns back. The error is of
/// first order in the step.
#[test]
fn a_block_rocks_to_its_other_edge() {
    let (b, h) = (0.02f64, 0.1);
    for step in [Some(1e-4), None] {
        let mut world = world(vec![block(b, 0.06, h)], 10.0, 0.0);
        let start = 2f64.to_radians();
        let edge = DVec3::new(0.5 * b, 0.0, -0.5 * h);
        let tilt = DQuat::from_rotation_y(start);
        let body = add(&mut world, 0, -(tilt * edge), tilt, Motion::default());
        let mut simulation = stepping(world, step);
        let (alpha, r) = ((b / h).atan(), 0.5 * b.hypot(h));
        let energy =
            |lean: f64, spin: f64| 2.0 / 3.0 * r * r * spin * spin + G * r * ((alpha - lean.abs()).cos() - alpha.cos());
        let left = loop {
            advance(&mut simulation);
            let lean = (pose(&simulation, body).orientation * DVec3::Z).x.asin();
            let spin = motion(&simulation, body).spin.y;
            if lean < 0.0 && spin > 0.0 {
                break energy(lean, spin);
            }
            assert!(simulation.time() < 0.2, "it does not turn back: {lean}, {spin}");
        };
        let kept = (left / energy(start, 0.0)).sqrt();
        close("spin kept", kept, 1.0 - 1.5 * alpha.sin().powi(2), 20.0 * simulation.step_length());
    }
}

/// A ball that comes fast and is near at the end of a step, but does not touch yet, has not
/// bounced: it flies on until it does.
#[test]
fn what_does_not_touch_yet_does_not_bounce() {
    let (radius, speed, step) = (0.1, 0.5, 1.0 / 60.0);
    let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 0.8);
    world.gravity = DVec3::ZERO;
    // When the step ends, less is left than where contacts begin and more than the way of a
    // substep.
    let height = radius + speed * step + 0.016 * radius;
    let falling = Motion { velocity: DVec3::new(0.0, 0.0, -speed), spin: DVec3::ZERO };
    let body = add(&mut world, 0, DVec3::new(0.0, 0.0, height), DQuat::IDENTITY, falling);
    let mut simulation = stepping(world, step);
    advance(&mut simulation);
    assert_eq!(motion(&simulation, body).velocity.z, -speed);
    advance(&mut simulation);
    close("speed after", motion(&simulation, body).velocity.z, 0.8 * speed, 1e-5);
}

/// A marble that flies three metres in a step does not pass through a wall of five millimetres nor
/// through a plate that hangs in the air, straight or askew.
#[test]
fn a_fast_marble_does_not_pass_through_a_wall() {
    for speed in [20.0, 60.0, 200.0] {
        for askew in [0.0, 0.4, -0.8] {
            let mut world = world(vec![solid(Convex::Ball(0.01)), block(0.3, 0.3, 0.005)], 0.3, 0.2);
            world.gravity = DVec3::ZERO;
            world.obstacles.clear();
            let wall =
                Pose { position: DVec3::new(5.0, 0.0, 0.0), orientation: DQuat::from_rotation_y(0.5 * PI + askew) };
            let surface = Surface::Box(0.5 * DVec3::new(1.0, 1.0, 0.005));
            world.obstacles.push(Obstacle::new("wall", MaterialId(1), surface, Path::Fixed(wall)));
            let flying = Motion { velocity: speed * DVec3::X, spin: DVec3::ZERO };
            let at_wall = add(&mut world, 0, DVec3::new(1.237, 0.01, 0.02), DQuat::IDENTITY, flying);
            let at_plate = add(&mut world, 0, DVec3::new(1.237, 3.01, 0.02), DQuat::IDENTITY, flying);
            let plate = add(&mut world, 1, DVec3::new(5.0, 3.0, 0.0), wall.orientation, Motion::default());
            let mut simulation = by_default(world);
            for _ in 0..30 {
                advance(&mut simulation);
                let struck = pose(&simulation, plate);
                for (marble, thin, half) in [(at_wall, wall, 0.5), (at_plate, struck, 0.15)] {
                    // On the side it came from, wherever it is before the plate and not beside it.
                    let seen = thin.to_local(pose(&simulation, marble).position);
                    assert!(seen.truncate().abs().max_element() > half || seen.z < 0.0, "{speed} m/s: {seen}");
                }
            }
            assert!(motion(&simulation, plate).velocity.x > 0.0, "{speed} m/s: the plate was not hit");
            assert!(motion(&simulation, at_wall).velocity.x < 0.5 * speed, "{speed} m/s: the wall was not hit");
        }
    }
}
