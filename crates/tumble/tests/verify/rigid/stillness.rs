//! Sleep at default settings: moving bodies go on moving, at any size.

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Hull, Surface};
use tumble::rigid::Rigid;
use tumble::world::{MaterialId, Motion, Obstacle, Path, Pose, Rest, World};
use tumble::{Setup, Simulation};

use super::{G, add, block, motion, pose, put, rub, solid, world};
use crate::common::advance;

fn as_shipped(world: World) -> Simulation {
    Simulation::new(Setup { fps: 24.0, ..Setup::new(world, Rigid::DEFAULT) }).unwrap()
}

/// Boxes of 1 cm to 3 m on slopes of 0.98 of the friction limit stay and fall asleep; those of 1.02
/// slide.
#[test]
fn boxes_slide_just_beyond_the_limit() {
    for side in [0.01, 0.1, 1.0, 3.0] {
        for (part, slides) in [(0.98, false), (1.02, true)] {
            for turn in [0.0, 0.5, 2.0] {
                let friction = 0.5;
                let mut world = world(vec![block(side, side, 0.5 * side)], friction, 0.0);
                rub(&mut world, 0, 1, friction);
                let slope = (part * friction).atan();
                let along = DQuat::from_rotation_z(turn) * DVec3::X;
                world.gravity = G * (slope.sin() * along - slope.cos() * DVec3::Z);
                let body = put(&mut world, 0, DVec3::Z * 0.25 * side);
                let mut simulation = as_shipped(world);
                (0..144).for_each(|_| advance(&mut simulation));
                let way = pose(&simulation, body).position.truncate().length() / side;
                assert_eq!(way > 0.1, slides, "{side} m at {part} of the limit: went {way} of a box");
            }
        }
    }
}

/// Without gravity a free box keeps its velocity; on a floor without friction too.
#[test]
fn what_nothing_stops_goes_on() {
    for (gravity, friction, speed) in [(0.0, 0.5, 0.1), (0.0, 0.5, 0.01), (G, 0.0, 0.02)] {
        let mut world = world(vec![block(1.0, 1.0, 1.0)], friction, 0.0);
        world.gravity = -gravity * DVec3::Z;
        let moving = Motion { velocity: speed * DVec3::X, spin: DVec3::ZERO };
        let body = add(&mut world, 0, DVec3::Z * if gravity > 0.0 { 0.5 } else { 5.0 }, DQuat::IDENTITY, moving);
        let mut simulation = as_shipped(world);
        (0..240).for_each(|_| advance(&mut simulation));
        let now = motion(&simulation, body).velocity.x;
        assert!((now - speed).abs() < 1e-3 * speed, "{speed} m/s became {now} m/s");
    }
}

/// A rod that leans a tenth of a degree beyond its edge falls.
#[test]
fn what_tips_falls() {
    let (width, height) = (0.1f64, 1.0);
    let mut world = world(vec![block(width, width, height)], 0.8, 0.0);
    let lean = (width / height).atan() + 0.1f64.to_radians();
    let turn = DQuat::from_rotation_y(lean);
    let edge = turn * DVec3::new(0.5 * width, 0.0, -0.5 * height);
    let body = add(&mut world, 0, -edge, turn, Motion::default());
    let mut simulation = as_shipped(world);
    (0..240).for_each(|_| advance(&mut simulation));
    assert!(pose(&simulation, body).position.z < 0.1, "{}", pose(&simulation, body).position);
}

/// Boards that fall across two bars, each tilted by a little, rock from corner to corner of the
/// areas they share with the bars, lose energy at every corner, and fall asleep. Bars are obstacles
/// or bodies that are held.
#[test]
fn boards_that_rock_on_bars_come_to_rest() {
    let (bar, mut latest) = (DVec3::new(0.03, 0.2, 0.03), 0f64);
    for (id, restitution, held) in (0..60u32).flat_map(|id| [(id, 0.0, true), (id, 0.2, false), (id, 0.2, true)]) {
        let draw = |n: u32| (12.9898 * f64::from(7 * id + n) + 0.5).sin();
        let tilt = |n: u32| DQuat::from_scaled_axis(0.03 * DVec3::new(draw(n), draw(n + 1), draw(n + 2)));
        let mut world = world(vec![block(0.8, 0.16, 0.04), solid(Convex::Box(bar))], 0.5, restitution);
        world.obstacles.clear();
        for (n, x) in [(0, -0.25), (10, 0.25)] {
            let turn = tilt(n) * DQuat::from_rotation_z(0.6 * draw(n + 3));
            let at = Pose { position: DVec3::new(x, 0.0, 0.0), orientation: turn };
            if held {
                let body = add(&mut world, 1, at.position, turn, Motion::default());
                let row = world.bodies.row(body).unwrap();
                world.bodies.rest[row] = Rest::HELD;
            } else {
                world.obstacles.push(Obstacle::new("bar", MaterialId(1), Surface::Box(bar), Path::Fixed(at)));
            }
        }
        let body = add(&mut world, 0, DVec3::new(0.02 * draw(20), 0.0, 0.08), tilt(21), Motion::default());
        let mut simulation = Simulation::new(Setup { fps: 60.0, ..Setup::new(world, Rigid::DEFAULT) }).unwrap();
        let is_awake = |simulation: &Simulation| {
            let bodies = &simulation.world().bodies;
            !bodies.rest[bodies.row(body).unwrap()].asleep
        };
        while is_awake(&simulation) {
            assert!(simulation.time() < 4.0, "board {id} still rocks at {:?}", motion(&simulation, body));
            advance(&mut simulation);
        }
        latest = latest.max(simulation.time());
    }
    println!("the last is asleep after {latest:.2} s");
}

/// Wedges put exactly face to face stay where they are: without gravity nothing moves them.
#[test]
fn hulls_face_to_face_are_not_thrown_apart() {
    let mut thrown = Vec::new();
    for id in 0..300u32 {
        let (a, b) = (0.1 + 0.002 * f64::from(id % 40), 0.05 + 0.003 * f64::from(id % 17));
        let height = 0.08 + 0.001 * f64::from(id % 29);
        let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let points = [
            corner(-a, -b, 0.0),
            corner(a, -b, 0.0),
            corner(a, b, 0.0),
            corner(-a, b, 0.0),
            corner(-0.6 * a, -b, height),
            corner(0.6 * a, -b, height),
            corner(0.6 * a, b, height),
            corner(-0.6 * a, b, height),
        ];
        let shape = solid(Convex::Hull(Box::new(Hull::new(&points).unwrap())));
        let centre = shape.parts[0].pose.position;
        let mut world = world(vec![shape], 0.5, 0.1);
        (world.gravity, world.obstacles) = (DVec3::ZERO, Vec::new());
        let turn = DQuat::from_scaled_axis(DVec3::new(0.1 * f64::from(id), 0.07 * f64::from(id), 0.3));
        // The second stands on its head below the first, sole to sole.
        let head = DQuat::from_rotation_x(std::f64::consts::PI);
        let bodies = [(-centre, DQuat::IDENTITY), (head * -centre, head)]
            .map(|(at, orientation)| add(&mut world, 0, turn * at, turn * orientation, Motion::default()));
        let before = bodies.map(|body| world.bodies.pose[world.bodies.row(body).unwrap()].position);
        let mut simulation = as_shipped(world);
        advance(&mut simulation);
        let moved = bodies.iter().zip(before).map(|(&body, from)| pose(&simulation, body).position.distance(from));
        let moved = moved.fold(0.0, f64::max);
        if moved > 1e-5 {
            thrown.push((id, moved));
        }
    }
    assert!(thrown.is_empty(), "{} of 300 were thrown, {:?}", thrown.len(), thrown.first());
}
