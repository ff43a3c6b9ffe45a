//! Single collisions.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Surface};
use tumble::world::{Motion, Obstacle, Path, Pose};

use super::{G, add, block, by_default, motion, pose, solid, stepping, world};
use crate::common::{advance, close};

/// A slender rod (m = L = 1) that falls flat at 30° to the floor with v = 2, e = 0.5, without friction: with c = L/2 cos 30° the
/// impulse is j = (1 + e) v / (1/m + c²/I) = 0.923077, so v' = -1.076923 and w' = c j/I = 4.796448 (I = m L²/12).
#[test]
fn a_rod_hits_the_floor_with_one_end() {
    let thin = 1e-3;
    let mut rod = solid(Convex::Capsule { radius: 0.5 * thin, half: 0.5 });
    rod.moments = DVec3::new(rod.volume / 12.0, rod.volume / 12.0, rod.moments.z);
    let mut world = world(vec![rod], 0.0, 0.5);
    world.gravity = DVec3::ZERO;
    let tilt = DQuat::from_rotation_y(60f64.to_radians());
    let height = 0.5 * 0.5 + 0.5 * thin + 1e-4;
    let falling = Motion { velocity: DVec3::new(0.0, 0.0, -2.0), spin: DVec3::ZERO };
    let body = add(&mut world, 0, DVec3::new(0.0, 0.0, height), tilt, falling);
    let mut simulation = stepping(world, 1e-4);
    (0..10).for_each(|_| advance(&mut simulation));
    let after = motion(&simulation, body);
    close("velocity after", after.velocity.z, -1.076923, 2e-3);
    close("spin after", after.spin.length(), 4.796448, 2e-3);
}

/// A sphere that hits the floor obliquely: it sticks if the friction is enough, v_t' = 5/7 v_t = R w'; else v_t' = v_t - μ (1 + e) v_n and
/// R w' = 5/2 μ (1 + e) v_n.
#[test]
fn a_ball_hits_the_floor_obliquely() {
    let (radius, down, restitution) = (0.1, 2.0, 0.5);
    for (friction, sticks) in [(0.1, false), (0.8, true)] {
        let along = 1.5;
        let mut world = world(vec![solid(Convex::Ball(radius))], friction, restitution);
        world.gravity = DVec3::ZERO;
        let flying = Motion { velocity: DVec3::new(along, 0.0, -down), spin: DVec3::ZERO };
        let body = add(&mut world, 0, DVec3::new(0.0, 0.0, radius + 1e-4), DQuat::IDENTITY, flying);
        let mut simulation = stepping(world, 1e-3);
        (0..5).for_each(|_| advance(&mut simulation));
        let after = motion(&simulation, body);
        let slip = friction * (1.0 + restitution) * down;
        let (velocity, surface) =
            if sticks { (along * 5.0 / 7.0, along * 5.0 / 7.0) } else { (along - slip, 2.5 * slip) };
        close("normal", after.velocity.z, restitution * down, 1e-5);
        close("tangential", after.velocity.x, velocity, 5e-3);
        close("surface", after.spin.y * radius, surface, 5e-3);
    }
}

/// A ball that bounces with e = 0.8 from h = 1 stops after √(2h/g) (1 + e)/(1 - e) = 4.0637 s and has then gone h (1 + e²)/(1 - e²) = 4.5556 m.
/// What is slower than gravity makes it in two steps no longer bounces: 2 g dt/g of time, here 0.05 %.
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

/// Housner's block rocks from one edge to the other without bouncing: angular momentum about the new edge is kept, so
/// w+/w- = 1 - 3/2 sin² α = 0.94231 for b/h = 0.2.
#[test]
fn a_block_rocks_to_its_other_edge() {
    let (b, h) = (0.02, 0.1);
    let mut world = world(vec![block(b, 0.06, h)], 10.0, 0.0);
    let start = 2f64.to_radians();
    let edge = DVec3::new(0.5 * b, 0.0, -0.5 * h);
    let tilt = DQuat::from_rotation_y(start);
    let body = add(&mut world, 0, -(tilt * edge), tilt, Motion::default());
    let mut simulation = stepping(world, 1e-4);
    let mut fastest = (0.0f64, 0.0f64);
    let mut has_hit = false;
    for _ in 0..2000 {
        advance(&mut simulation);
        let spin = motion(&simulation, body).spin.y;
        let lean = (pose(&simulation, body).orientation * DVec3::Z).x;
        if !has_hit {
            fastest.0 = fastest.0.min(spin);
            has_hit = lean < -1e-4;
        } else if fastest.1 == 0.0 {
            fastest.1 = spin;
        }
    }
    let ratio = fastest.1 / fastest.0;
    close("spin kept", ratio, 1.0 - 1.5 * (b / h).atan().sin().powi(2), 1e-2);
}

/// A ball that comes fast and is near at the end of a step, but does not touch yet, has not bounced: it flies on until it does.
#[test]
fn what_does_not_touch_yet_does_not_bounce() {
    let (radius, speed, step) = (0.1, 0.5, 1.0 / 60.0);
    let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 0.8);
    world.gravity = DVec3::ZERO;
    // When the step ends, less is left than where contacts begin and more than the way of a substep.
    let height = radius + speed * step + 0.016 * radius;
    let falling = Motion { velocity: DVec3::new(0.0, 0.0, -speed), spin: DVec3::ZERO };
    let body = add(&mut world, 0, DVec3::new(0.0, 0.0, height), DQuat::IDENTITY, falling);
    let mut simulation = stepping(world, step);
    advance(&mut simulation);
    assert_eq!(motion(&simulation, body).velocity.z, -speed);
    advance(&mut simulation);
    close("speed after", motion(&simulation, body).velocity.z, 0.8 * speed, 1e-5);
}

/// A marble that flies three metres in a step does not pass through a wall of five millimetres nor through a plate that hangs in the air,
/// straight or askew.
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
            world.obstacles.push(Obstacle::new("wall", 1, surface, Path::Fixed(wall)));
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
