//! Limits of static equilibrium: cases that stand, and cases that do not.

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, ConvexPart, Surface};
use tumble::world::{End, MaterialId, Motion, Obstacle, ObstacleId, Path, Pose, Shape};

use super::{G, add, block, by_default, pose, put, rub, solid, world};
use crate::common::advance;

/// A block of b × h on a slope topples if tan θ > b/h.
#[test]
fn a_block_topples_on_a_steep_slope() {
    let (b, h): (f64, f64) = (0.04, 0.1);
    for (share, topples) in [(0.97, false), (1.03, true)] {
        let angle = (share * b / h).atan();
        let mut world = world(vec![block(b, 0.06, h)], 2.0, 0.0);
        world.gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
        let body = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.5 * h));
        let mut simulation = by_default(world);
        (0..600).for_each(|_| advance(&mut simulation));
        let up = (pose(&simulation, body).orientation * DVec3::Z).z;
        assert_eq!(up < 0.9, topples, "at {share} of the angle its axis is up by {up}");
    }
}

/// A uniform ladder between floor and wall slides below tan θ = (1 - μ_f μ_w)/(2 μ_f).
#[test]
fn a_ladder_slides_when_it_leans_too_far() {
    for (floor, wall) in [(0.4f64, 0.0), (0.4, 0.4), (0.3, 0.2)] {
        let critical = ((1.0 - floor * wall) / (2.0 * floor)).atan();
        for (share, slides) in [(1.04, false), (0.96, true)] {
            let angle = share * critical;
            let (length, thick) = (1.0, 0.01);
            let mut world = world(vec![block(length, 0.2, thick)], floor, 0.0);
            rub(&mut world, 0, 1, floor);
            let upright = Pose { orientation: DQuat::from_rotation_arc(DVec3::Z, DVec3::X), ..Pose::IDENTITY };
            let second = world.materials.list()[0].clone();
            world.materials = tumble::world::Materials::new(vec![second.clone(), second.clone(), second]);
            rub(&mut world, 0, 1, floor);
            rub(&mut world, 0, 2, wall);
            world.obstacles.push(Obstacle::new("wall", MaterialId(2), Surface::Plane, Path::Fixed(upright)));
            // The lower edge of its end on the floor, the lower edge of its top at the wall: it
            // leans with its underside.
            let turn = DQuat::from_rotation_y(angle);
            let corner = |x: f64, z: f64| turn * DVec3::new(x * 0.5 * length, 0.0, z * 0.5 * thick);
            let lowest = [corner(1.0, -1.0), corner(1.0, 1.0)].iter().map(|c| c.z).fold(f64::INFINITY, f64::min);
            let leftmost = [corner(-1.0, -1.0), corner(-1.0, 1.0)].iter().map(|c| c.x).fold(f64::INFINITY, f64::min);
            let start = DVec3::new(-leftmost, 0.0, -lowest);
            let body = add(&mut world, 0, start, turn, Motion::default());
            let mut simulation = by_default(world);
            (0..300).for_each(|_| advance(&mut simulation));
            let fallen = start.z - pose(&simulation, body).position.z;
            assert_eq!(fallen > 0.05, slides, "μ {floor}, {wall} at {share} of the angle: sunk by {fallen}");
        }
    }
}

/// Two cards with round edges (radius r, 2 a between the middles of the edges) that lean against
/// each other: the push H at the top and the friction H below it balance the weight if H (2 a sin
/// θ + r) = m g a cos θ, so they stand if H ≤ μ m g. With r = 0 it is tan θ = 1/(2 μ), two cards
/// whose sharp edges have no normal. Friction at the top bears nothing, by symmetry; without any
/// the two would stand as a needle does.
#[test]
fn two_cards_lean_on_each_other() {
    let (radius, half) = (0.005, 0.1);
    for friction in [0.3, 0.5, 0.7] {
        let needed = |angle: f64| half * angle.cos() / (2.0 * half * angle.sin() + radius);
        let mut critical = (0.0, 0.5 * std::f64::consts::PI);
        for _ in 0..60 {
            let middle = 0.5 * (critical.0 + critical.1);
            critical = if needed(middle) > friction { (middle, critical.1) } else { (critical.0, middle) };
        }
        for (share, falls) in [(1.04, false), (0.96, true)] {
            let angle = share * critical.0;
            let mut world = world(vec![card(radius, half)], friction, 0.0);
            rub(&mut world, 0, 0, 1.0);
            let mut cards = Vec::new();
            for side in [-1.0, 1.0] {
                // From the foot, which is out, to the top, which is in the middle.
                let along = DVec3::new(-side * angle.cos(), 0.0, angle.sin());
                let position = DVec3::new(side * (radius + half * angle.cos()), 0.0, radius + half * angle.sin());
                cards.push(add(&mut world, 0, position, DQuat::from_rotation_arc(DVec3::Z, along), Motion::default()));
            }
            let mut simulation = by_default(world);
            let before = pose(&simulation, cards[0]).position.z;
            (0..300).for_each(|_| advance(&mut simulation));
            let sunk = before - pose(&simulation, cards[0]).position.z;
            assert_eq!(sunk > 0.005, falls, "μ {friction} at {share} of the angle: sunk by {sunk}");
        }
    }
}

/// A plate with a capsule along both edges, 2 `half` apart along z.
fn card(radius: f64, half: f64) -> Shape {
    let lying = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    let edge = |side: f64| ConvexPart {
        convex: Convex::Capsule { radius, half: 0.05 },
        pose: Pose { position: side * half * DVec3::Z, orientation: lying },
    };
    let plate = Convex::Box(DVec3::new(0.8 * radius, 0.05, half));
    let parts = vec![edge(-1.0), edge(1.0), ConvexPart { convex: plate, pose: Pose::IDENTITY }];
    Shape::of_parts("card", parts).unwrap()
}

/// Three cylinders in a pyramid stand if the friction between them is at least 2 - √3 and that on
/// the floor a third of it.
#[test]
fn three_cylinders_stand_in_a_pyramid() {
    let radius = 0.05;
    let critical = 2.0 - 3f64.sqrt();
    for (between, floor, falls) in [(1.05, 1.05, false), (0.9, 3.0, true), (3.0, 0.9, true)] {
        let mut world = world(vec![solid(Convex::Cylinder { radius, half: 0.1 })], 1.0, 0.0);
        rub(&mut world, 0, 0, between * critical);
        rub(&mut world, 0, 1, floor * critical / 3.0);
        let lying = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        let mut at = |x: f64, z: f64| add(&mut world, 0, DVec3::new(x, 0.0, z), lying, Motion::default());
        at(-radius, radius);
        at(radius, radius);
        let top = at(0.0, radius * (1.0 + 3f64.sqrt()));
        let mut simulation = by_default(world);
        let before = pose(&simulation, top).position.z;
        (0..300).for_each(|_| advance(&mut simulation));
        let sunk = before - pose(&simulation, top).position.z;
        assert_eq!(sunk > 0.2 * radius, falls, "{between} and {floor} times the limits: sunk by {sunk}");
    }
}

/// Blocks stacked to reach over an edge by H_n/2 of their length: they stand a little short of it
/// and fall a little beyond.
#[test]
fn blocks_reach_over_the_edge() {
    let (n, length, thick) = (5, 0.2, 0.04);
    for (share, falls) in [(0.97, false), (1.03, true)] {
        let mut world = world(vec![block(length, 0.1, thick)], 1.0, 0.0);
        let table = Surface::Box(DVec3::new(0.5, 0.5, 0.5));
        let below = Pose { position: DVec3::new(-0.5, 0.0, 0.5), ..Pose::IDENTITY };
        world.obstacles = vec![Obstacle::new("table", MaterialId(1), table, Path::Fixed(below))];
        // The k-th from the top reaches 1/(2k) of a length over the one below it.
        let mut reach = -0.5 * length;
        let mut top = None;
        for k in (1..=n).rev() {
            reach += share * length / (2.0 * k as f64);
            let height = 1.0 + (n - k) as f64 * thick + 0.5 * thick;
            top = Some(put(&mut world, 0, DVec3::new(reach, 0.0, height)));
        }
        let mut simulation = by_default(world);
        let before = pose(&simulation, top.unwrap()).position.z;
        (0..600).for_each(|_| advance(&mut simulation));
        let sunk = before - pose(&simulation, top.unwrap()).position.z;
        assert_eq!(sunk > 0.05, falls, "at {share} of the reach: sunk by {sunk}");
    }
}

/// Contacts report their forces: on a slope, the weight of a stack across it, friction along it, at
/// the corners of the blocks.
#[test]
fn contacts_carry_the_weight() {
    let angle = 0.3f64;
    let mut world = world(vec![block(0.2, 0.2, 0.1)], 0.7, 0.0);
    world.gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
    let lower = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.05));
    let upper = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.15));
    let weight = world.gravity * world.bodies.inertia[0].mass;
    let mut simulation = by_default(world);
    (0..120).for_each(|_| advance(&mut simulation));
    let touches = simulation.contacts();
    assert_eq!(touches.len(), 2);
    for (touch, carries) in
        touches.iter().map(|touch| (touch, if touch.to == End::Obstacle(ObstacleId(0)) { 2.0 } else { 1.0 }))
    {
        // Whichever of the two it names, the force on the upper side is against the weight.
        let up = if touch.normal.z < 0.0 { 1.0 } else { -1.0 };
        let force = up * touch.force();
        println!("{:?} carries {force}", touch.to);
        assert!((force + carries * weight).length() < 1e-3 * weight.length(), "{force} {weight}");
        assert!(touch.points.iter().all(|point| (point.position.x.abs() - 0.1).abs() < 1e-3), "{touch:?}");
        assert!(touch.points.len() == 4 && touch.points.iter().all(|point| point.separation.abs() < 1e-4));
        assert!([lower, upper].contains(&touch.body));
    }
}
