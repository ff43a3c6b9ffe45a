//! Longer motions: sliding, rolling, tipping, turning freely.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Surface};
use tumble::world::{MaterialId, Motion, Obstacle, Pair, Path, Pose};

use super::{G, add, block, by_default, motion, pose, put, solid, stepping, world};
use crate::common::{advance, close};

/// A block on a slope (gravity leans) stays if tan θ < μ, and slides with a = g (sin θ - μ cos θ)
/// if not.
#[test]
fn a_block_slides_down_a_slope_or_stays() {
    let friction: f64 = 0.5;
    for (share, slides) in [(0.97, false), (1.03, true), (1.5, true)] {
        let angle = (share * friction).atan();
        let mut world = world(vec![block(0.2, 0.2, 0.1)], friction, 0.0);
        world.gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
        let body = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.05));
        let mut simulation = by_default(world);
        (0..60).for_each(|_| advance(&mut simulation));
        let (from, at_once) = (pose(&simulation, body).position.x, motion(&simulation, body).velocity.x);
        (0..600).for_each(|_| advance(&mut simulation));
        let (way, speed) = (pose(&simulation, body).position.x - from, motion(&simulation, body).velocity.x);
        println!("tan θ = {share} μ: {way:e} m in ten seconds");
        if slides {
            close("acceleration", (speed - at_once) / 10.0, G * (angle.sin() - friction * angle.cos()), 1e-2);
        } else {
            assert!(way.abs() < 1e-6 * 0.2, "it crept by {way} m");
        }
    }
}

/// A ball that slides with v₀ = 1 on a level floor rolls after t = 2 v₀/(7 μ g), with 5/7 v₀,
/// having gone 12 v₀²/(49 μ g). Its slip falls linearly, so where it ends within a step follows
/// from the two steps before; time and way are of first order in the step.
#[test]
fn a_ball_slides_until_it_rolls() {
    let (radius, friction) = (0.1, 0.3);
    for step in [Some(5e-4), None] {
        let mut world = world(vec![solid(Convex::Ball(radius))], friction, 0.0);
        let sliding = Motion { velocity: DVec3::X, spin: DVec3::ZERO };
        let body = add(&mut world, 0, DVec3::new(0.0, 0.0, radius), DQuat::IDENTITY, sliding);
        let mut simulation = stepping(world, step);
        let mut slips = [1.0, 1.0];
        let begins = loop {
            advance(&mut simulation);
            let now = motion(&simulation, body);
            let slip = now.velocity.x - radius * now.spin.y;
            if slip < 1e-3 {
                break simulation.time() + simulation.step_length() * (slips[1] / (slips[0] - slips[1]) - 1.0);
            }
            slips = [slips[1], slip];
        };
        let rolling = motion(&simulation, body).velocity.x;
        let way = pose(&simulation, body).position.x - rolling * (simulation.time() - begins);
        close("time", begins, 2.0 / (7.0 * friction * G), 0.6 * simulation.step_length());
        close("way", way, 12.0 / (49.0 * friction * G), 0.6 * simulation.step_length());
        // A ball rolls if it slips by less than 1e-3 of the speed at the start.
        close("speed", rolling, 5.0 / 7.0, 5e-4);
    }
}

/// A ball on a slope rolls with 5/7 g sin θ if μ ≥ 2/7 tan θ.
#[test]
fn a_ball_rolls_down_a_slope() {
    let angle = 30f64.to_radians();
    for (friction, rolls) in [(0.3, true), (0.08, false)] {
        let mut world = world(vec![solid(Convex::Ball(0.1))], friction, 0.0);
        world.gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
        let body = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.1));
        let mut simulation = by_default(world);
        (0..120).for_each(|_| advance(&mut simulation));
        let known = if rolls { 5.0 / 7.0 * angle.sin() } else { angle.sin() - friction * angle.cos() };
        close("acceleration", motion(&simulation, body).velocity.x / 2.0, G * known, 1e-2);
    }
}

/// A rolling ball or a cylinder on its side that resists rolling slows down with μ g/(1 + k²/r²),
/// which is 5/7 and 2/3 μ g, until it lies still; on a slope with tan θ = 0.9 μ it stays where it
/// is, and at 1.2 μ it rolls.
#[test]
fn rolling_resistance_stops_what_rolls() {
    let (radius, resistance, friction) = (0.1, 0.02, 0.5);
    let cylinder = Convex::Cylinder { radius, half: 0.15 };
    for (shape, share, allowed) in [(Convex::Ball(radius), 5.0 / 7.0, 1e-3), (cylinder, 2.0 / 3.0, 1e-2)] {
        let round = || {
            let mut world = world(vec![solid(shape.clone())], friction, 0.0);
            let pair = world.materials.pair(MaterialId(0), MaterialId(1)).unwrap();
            world
                .materials
                .set_pair(MaterialId(0), MaterialId(1), Pair { rolling_friction: resistance, ..pair })
                .unwrap();
            world
        };
        let on_its_side = DQuat::from_rotation_x(0.5 * PI);
        let at = DVec3::new(0.0, 0.0, radius);

        let mut level = round();
        let rolling = Motion { velocity: DVec3::X, spin: DVec3::Y / radius };
        let body = add(&mut level, 0, at, on_its_side, rolling);
        let mut simulation = by_default(level);
        (0..120).for_each(|_| advance(&mut simulation));
        let slower = (1.0 - motion(&simulation, body).velocity.x) / 2.0;
        close("deceleration", slower, share * resistance * G, allowed);
        (0..600).for_each(|_| advance(&mut simulation));
        let still = motion(&simulation, body);
        assert!(still.velocity.length() + radius * still.spin.length() < 1e-6, "it still rolls: {still:?}");

        for (lean, rolls) in [(0.9, false), (1.2, true)] {
            let mut slope = round();
            let angle = (lean * resistance).atan();
            slope.gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
            let body = add(&mut slope, 0, at, on_its_side, Motion::default());
            let mut simulation = by_default(slope);
            (0..60).for_each(|_| advance(&mut simulation));
            let (from, at_once) = (pose(&simulation, body).position.x, motion(&simulation, body).velocity.x);
            (0..300).for_each(|_| advance(&mut simulation));
            let (way, speed) = (pose(&simulation, body).position.x - from, motion(&simulation, body).velocity.x);
            println!("tan θ = {lean} μ: {way:e} m in five seconds");
            if rolls {
                let known = share * G * (angle.sin() - resistance * angle.cos());
                close("acceleration", (speed - at_once) / 5.0, known, 1e-2);
            } else {
                assert!(way.abs() < 1e-6 * radius, "it crept by {way} m");
            }
        }
    }
}

/// A block of 0.02 × 0.10 m that leans at 12° tips over its edge: θ'' = (g r/k²) sin(θ - α), with r
/// half its diagonal, k² = (b² + h²)/3 and tan α = b/h. It is flat after 0.45538 s, and shortly
/// before 70° has w² = 2 (g r/k²) (cos(12° - α) - cos(θ - α)). Then the edge hardly presses the
/// floor any more, and no friction holds it. Time and spin are of first order in the step.
#[test]
fn a_block_tips_over() {
    let (b, h): (f64, f64) = (0.02, 0.1);
    for step in [Some(2e-4), None] {
        let mut world = world(vec![block(b, 0.06, h)], 100.0, 0.0);
        let edge = DVec3::new(0.5 * b, 0.0, -0.5 * h);
        let start = 12f64.to_radians();
        let tilt = DQuat::from_rotation_y(start);
        let body = add(&mut world, 0, -(tilt * edge), tilt, Motion::default());
        let mut simulation = stepping(world, step);
        let alpha = b.atan2(h);
        let known = |lean: f64| {
            let rate = G * 0.5 * b.hypot(h) / ((b * b + h * h) / 3.0);
            (2.0 * rate * ((start - alpha).cos() - (lean - alpha).cos())).sqrt()
        };
        // Lean and spin of the last step before 70°, and that before it is flat.
        let mut before = [(start, 0.0); 2];
        let flat = loop {
            let up = pose(&simulation, body).orientation * DVec3::Z;
            let (lean, spin) = (up.x.atan2(up.z), motion(&simulation, body).spin.y);
            if lean > 89.8f64.to_radians() {
                break simulation.time() - simulation.step_length() + (0.5 * PI - before[1].0) / before[1].1;
            }
            assert!(simulation.time() < 1.0, "it leans at {lean}");
            before = [if lean < 70f64.to_radians() { (lean, spin) } else { before[0] }, (lean, spin)];
            advance(&mut simulation);
        };
        close("spin", before[0].1, known(before[0].0), 9.0 * simulation.step_length());
        close("time", flat, 0.45537729750036765, 3.5 * simulation.step_length());
    }
}

/// A body that touches nothing turns as Euler says: I = (1, 2, 3), w₀ = (0.5, 1, 0.3) in body axes,
/// after 4 s and with its angular momentum kept to rounding.
#[test]
fn a_free_body_turns_as_euler_says() {
    for (step, steps) in [(Some(4e-4), 10_000), (None, 240)] {
        let mut shape = block(1.0, 1.0, 1.0);
        shape.moments = DVec3::new(1.0, 2.0, 3.0) / 1000.0;
        let mut world = world(vec![shape], 0.5, 0.5);
        (world.gravity, world.obstacles) = (DVec3::ZERO, Vec::new());
        let spinning = Motion { velocity: DVec3::ZERO, spin: DVec3::new(0.5, 1.0, 0.3) };
        let body = add(&mut world, 0, DVec3::ZERO, DQuat::IDENTITY, spinning);
        let mut simulation = stepping(world, step);
        let momentum = |simulation: &tumble::Simulation| {
            let bodies = &simulation.world().bodies;
            let row = bodies.row(body).unwrap();
            bodies.inertia[row].momentum(bodies.pose[row].orientation, bodies.motion[row].spin)
        };
        let before = momentum(&simulation);
        (0..steps).for_each(|_| advance(&mut simulation));
        assert!((simulation.time() - 4.0).abs() < 1e-9, "{} s", simulation.time());
        let own = pose(&simulation, body).orientation.conjugate() * motion(&simulation, body).spin;
        let known = DVec3::new(-0.08307940690479423, 1.1149429636301351, 0.0946963354652682);
        let change = (momentum(&simulation) - before).length() / before.length();
        println!("spin off by {:.1e} rad/s, angular momentum by {change:.1e}", own.distance(known));
        // Second order in the step.
        assert!(own.distance(known) < 1e-3 * simulation.step_length().powi(2), "{own}");
        assert!(change < 1e-10, "angular momentum changed by {change:e}");
    }
}

/// Two bodies that collide off centre without gravity keep their momentum, and angular momentum to
/// first order in the step: impulses act at the anchors of its beginning.
#[test]
fn collisions_keep_momentum() {
    for step in [Some(1e-3), None] {
        let mut world = world(vec![block(0.2, 0.3, 0.4)], 0.6, 0.5);
        (world.gravity, world.obstacles) = (DVec3::ZERO, Vec::new());
        let flying = |x: f64| Motion { velocity: DVec3::new(x, 0.1, -0.2), spin: DVec3::new(1.0, -2.0, x) };
        let turned = DQuat::from_rotation_z(0.4) * DQuat::from_rotation_x(0.7);
        add(&mut world, 0, DVec3::new(-0.4, 0.0, 0.0), DQuat::IDENTITY, flying(2.0));
        add(&mut world, 0, DVec3::new(0.4, 0.1, 0.05), turned, flying(-1.0));
        let mut simulation = stepping(world, step);
        let sums = |simulation: &tumble::Simulation| {
            let bodies = &simulation.world().bodies;
            let mut sums = (DVec3::ZERO, DVec3::ZERO);
            for row in 0..bodies.len() {
                let (mass, velocity) = (bodies.inertia[row].mass, bodies.motion[row].velocity);
                sums.0 += mass * velocity;
                sums.1 += bodies.pose[row].position.cross(mass * velocity)
                    + bodies.inertia[row].momentum(bodies.pose[row].orientation, bodies.motion[row].spin);
            }
            sums
        };
        let before = sums(&simulation);
        let speed = simulation.world().bodies.motion[0].velocity;
        while simulation.time() < 0.6 {
            advance(&mut simulation);
        }
        assert!((simulation.world().bodies.motion[0].velocity - speed).length() > 0.1, "they have not met");
        let after = sums(&simulation);
        let off = (after.0 - before.0).length() / before.0.length();
        let turned = (after.1 - before.1).length() / before.1.length();
        println!("momentum off by {off:.1e}, angular momentum by {turned:.1e}");
        assert!(off < 1e-5, "{before:?} {after:?}");
        assert!(turned < 8.0 * simulation.step_length(), "{before:?} {after:?}");
    }
}

/// A driven bar that turns fast sweeps balls along, and none of them gets through it: a point of
/// its end moves by two balls in a step.
#[test]
fn a_fast_bar_sweeps_balls_along() {
    let mut world = world(vec![solid(Convex::Ball(0.05))], 0.3, 0.1);
    let turning = Motion { velocity: DVec3::ZERO, spin: DVec3::new(0.0, 0.0, 15.0) };
    let start = Pose { position: DVec3::new(0.0, 0.0, 0.1), ..Pose::IDENTITY };
    let bar =
        Obstacle::new("bar", MaterialId(1), Surface::Box(DVec3::new(1.0, 0.02, 0.1)), Path::Constant(start, turning));
    world.obstacles.push(bar);
    let balls: Vec<_> = (1..9).map(|k| put(&mut world, 0, DVec3::new(0.12 * f64::from(k), 0.3, 0.05))).collect();
    let mut simulation = stepping(world, 1.0 / 60.0);
    (0..5).for_each(|_| advance(&mut simulation));
    // The bar has turned by 72°: everything that it passed is in front of it.
    let angle = 15.0 * simulation.time();
    for ball in balls {
        let place = DQuat::from_rotation_z(-angle) * pose(&simulation, ball).position;
        assert!(place.y > 0.0 || place.x > 0.98, "a ball is at {place} seen from the bar");
    }
}
