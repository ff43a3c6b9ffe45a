//! Solids that begin with an overlap separate without being thrown.

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Hull};
use tumble::measure;
use tumble::world::{BodyId, Motion, Pose, World};

use super::{G, add, block, by_default, pose, put, solid, world};
use crate::common::advance;

/// Crates of half a metre in a grid, each half in the next.
fn crates(count: [i32; 3]) -> (World, Vec<BodyId>) {
    let mut world = world(vec![block(0.5, 0.5, 0.5)], 0.5, 0.5);
    let mut bodies = Vec::new();
    for (x, y, z) in (0..count[0]).flat_map(|x| (0..count[1]).flat_map(move |y| (0..count[2]).map(move |z| (x, y, z))))
    {
        let place = 0.25 * DVec3::new(f64::from(x), f64::from(y), f64::from(z) + 1.0);
        bodies.push(put(&mut world, 0, place));
    }
    (world, bodies)
}

/// Kinetic energy of as many bodies like the first that move at a tenth of √(g r) \[J\]: a body
/// that falls over or drops when it comes free has more.
fn hardly_moving(world: &World) -> f64 {
    let bodies = world.bodies.len() as f64;
    0.5 * bodies * world.bodies.inertia[0].mass * 0.01 * G * 0.43
}

/// 64 crates half in each other had 55 kJ after the first frame. Nothing falls here before all are
/// apart: they are lifted on each other, and hardly move.
#[test]
fn crates_in_each_other_are_not_thrown() {
    for count in [[2, 1, 1], [1, 1, 2], [4, 1, 1], [4, 4, 4]] {
        let (world, _) = crates(count);
        let most = hardly_moving(&world);
        let mut simulation = by_default(world);
        let mut fastest = 0f64;
        for _ in 0..20 {
            advance(&mut simulation);
            fastest = fastest.max(measure::kinetic_energy(simulation.world()));
        }
        println!("{count:?}: at most {fastest:.2e} J, allowed {most:.2e}");
        assert!(fastest < most, "{count:?}: {fastest} J");
    }
}

/// Three seconds later they are out of each other, and where they were put: within the width that
/// they need beside each other.
#[test]
fn they_come_apart_and_stay_near() {
    let (world, bodies) = crates([4, 4, 4]);
    let mut simulation = by_default(world);
    (0..180).for_each(|_| advance(&mut simulation));
    // Corners of all crates in the axes of all others, which the solver does not look at.
    let poses: Vec<Pose> = bodies.iter().map(|&body| pose(&simulation, body)).collect();
    let corner = |k: u32| 0.25 * DVec3::from_array([0, 1, 2].map(|axis| f64::from(k >> axis & 1) * 2.0 - 1.0));
    for (k, a) in poses.iter().enumerate() {
        for b in poses.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, b)| b) {
            let corners = (0..8).map(|k| b.to_world(corner(k))).chain([b.position]);
            let inside = corners.map(|at| (DVec3::splat(0.25) - a.to_local(at).abs()).min_element());
            let depth = inside.fold(f64::NEG_INFINITY, f64::max);
            assert!(depth < 0.005, "a corner is {depth} m inside of another crate");
        }
    }
    for body in bodies {
        let away = pose(&simulation, body).position - DVec3::new(0.375, 0.375, 0.0);
        assert!(away.truncate().length() < 3.0 && away.z < 3.0, "{away}");
    }
}

/// Bodies of other forms, without gravity: whatever pushes them apart leaves them no motion.
#[test]
fn what_comes_apart_in_space_does_not_fly() {
    let hull = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z];
    let forms = [
        ("ball", Convex::Ball(0.1)),
        ("capsule", Convex::Capsule { radius: 0.05, half: 0.1 }),
        ("cylinder", Convex::Cylinder { radius: 0.1, half: 0.05 }),
        ("hull", Convex::Hull(Box::new(Hull::new(&hull.map(|corner| 0.1 * corner)).unwrap()))),
    ];
    for (name, convex) in forms {
        let mut world = world(vec![solid(convex)], 0.5, 0.5);
        world.gravity = DVec3::ZERO;
        world.obstacles.clear();
        for k in 0..4 {
            let turn = DQuat::from_scaled_axis(0.3 * f64::from(k) * DVec3::ONE);
            add(&mut world, 0, 0.07 * f64::from(k) * DVec3::X, turn, Motion::default());
        }
        let mass = world.bodies.inertia[0].mass;
        let mut simulation = by_default(world);
        let mut fastest = 0f64;
        for _ in 0..120 {
            advance(&mut simulation);
            fastest = fastest.max(measure::kinetic_energy(simulation.world()));
        }
        // Ten radii per second are the natural speed without gravity: 5 % of it.
        let most = 0.5 * 4.0 * mass * 0.05f64.powi(2);
        println!("{name}: at most {fastest:.2e} J, allowed {most:.2e}");
        assert!(fastest < most, "{name}: {fastest} J");
        // Balls are apart when their centres are; the solver is asked about the others.
        let centres: Vec<DVec3> = simulation.world().bodies.pose.iter().map(|pose| pose.position).collect();
        let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
        let nearest = pairs.map(|(a, b)| centres[a].distance(centres[b])).fold(f64::INFINITY, f64::min);
        assert!(name != "ball" || nearest > 0.197, "balls are {nearest} m apart");
        let left = measure::solid_overlaps(simulation.world(), 0.03, usize::MAX);
        assert!(left.is_empty(), "{name}: {left:?}");
    }
}
