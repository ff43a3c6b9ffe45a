//! Flat things at default settings: they lie where they should, and come to rest within seconds.

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Hull};
use tumble::rigid::Rigid;
use tumble::world::{Motion, Shape, World};
use tumble::{Setup, Simulation};

use super::{add, block, pose, put, solid, world};
use crate::common::advance;

/// A simulation with default settings, sleep included, at 24 frames per second.
fn as_shipped(world: World) -> Simulation {
    Simulation::new(Setup { fps: 24.0, ..Setup::new(world, Rigid::DEFAULT) }).unwrap()
}

fn awake(simulation: &Simulation) -> usize {
    simulation.world().bodies.rest.iter().filter(|rest| !rest.asleep).count()
}

/// A prism with so many sides, as a hull.
fn prism(sides: u32, radius: f64, height: f64) -> Shape {
    let corner = |k: u32| DQuat::from_rotation_z(f64::from(k) * std::f64::consts::TAU / f64::from(sides)) * DVec3::X;
    let ring = |z: f64| (0..sides).map(move |k| radius * corner(k) + z * DVec3::Z);
    let points: Vec<DVec3> = ring(-0.5 * height).chain(ring(0.5 * height)).collect();
    solid(Convex::Hull(Box::new(Hull::new(&points).unwrap())))
}

/// Plates, sheets, tiles, coins and coins as hulls of 32 sides, dropped from two centimetres with
/// some velocity and spin, lie on the ground at half their thickness: within 1 % of it or a
/// thousandth of their width, and asleep after five seconds.
#[test]
fn flat_things_lie_on_the_ground() {
    let things = [
        ("plate", block(1.0, 1.0, 0.02), 0.02, 1.0),
        ("sheet", block(1.0, 1.0, 0.005), 0.005, 1.0),
        ("tile", block(0.1, 0.1, 0.008), 0.008, 0.1),
        ("card", block(0.063, 0.088, 0.0004), 0.0004, 0.063),
        ("coin", solid(Convex::Cylinder { radius: 0.012, half: 0.001 }), 0.002, 0.024),
        ("hull", prism(32, 0.012, 0.002), 0.002, 0.024),
    ];
    for (name, shape, thickness, width) in things {
        for tilt in [0.0, 0.03, 0.2] {
            let mut world = world(vec![shape.clone()], 0.5, 0.3);
            let turn = DQuat::from_rotation_x(tilt) * DQuat::from_rotation_z(0.7);
            let start = Motion { velocity: DVec3::new(0.3, 0.1, 0.0), spin: DVec3::new(0.26, -0.17, 0.87) };
            let height = 0.02 + 0.5 * thickness + 0.7 * width * tilt.sin();
            let thing = add(&mut world, 0, DVec3::new(0.0, 0.0, height), turn, start);
            let mut simulation = as_shipped(world);
            let mut frames = 0;
            while awake(&simulation) > 0 && frames < 240 {
                advance(&mut simulation);
                frames += 1;
            }
            let off = pose(&simulation, thing).position.z - 0.5 * thickness;
            println!("{name}, tilt {tilt}: off by {:.2e} m, at rest after {:.2} s", off, f64::from(frames) / 24.0);
            assert!(off.abs() < 0.01 * thickness + 1e-4 * width, "{name}, tilt {tilt}: off by {off} m");
            assert!(frames < 120, "{name}, tilt {tilt}: awake after {frames} frames");
        }
    }
}

/// A heap of 250 coins and one of 250 tiles come to rest.
#[test]
fn heaps_of_coins_and_tiles_come_to_rest() {
    let things = [
        ("coins", solid(Convex::Cylinder { radius: 0.012, half: 0.001 }), 0.03),
        ("tiles", block(0.04, 0.04, 0.004), 0.06),
    ];
    for (name, shape, apart) in things {
        let mut world = world(vec![shape], 0.4, 0.3);
        for k in 0..250u32 {
            let [x, y, z] = [k % 5, k / 5 % 5, k / 25].map(f64::from);
            let place = apart * DVec3::new(x - 2.0, y - 2.0, 1.0 + 0.6 * z);
            let turn = DQuat::from_scaled_axis(DVec3::new(0.1 * x, 0.1 * y + 0.03 * z, z));
            add(&mut world, 0, place, turn, Motion::default());
        }
        let mut simulation = as_shipped(world);
        let mut frames = 0;
        while awake(&simulation) > 0 && frames < 240 {
            advance(&mut simulation);
            frames += 1;
        }
        let lowest = simulation.world().bodies.pose.iter().map(|pose| pose.position.z).fold(f64::INFINITY, f64::min);
        println!("{name}: {} awake after {:.2} s, lowest {lowest} m", awake(&simulation), f64::from(frames) / 24.0);
        assert!(awake(&simulation) == 0, "{name}: {} awake after {frames} frames", awake(&simulation));
    }
}

/// Bricks and plates put exactly face to face stay.
#[test]
fn a_thin_stack_stands() {
    let mut world = world(vec![block(0.2, 0.2, 0.004)], 0.5, 0.1);
    let plates: Vec<_> = (0..10).map(|k| put(&mut world, 0, DVec3::Z * (0.002 + 0.004 * f64::from(k)))).collect();
    let mut simulation = as_shipped(world);
    (0..72).for_each(|_| advance(&mut simulation));
    for (k, &plate) in plates.iter().enumerate() {
        let off = pose(&simulation, plate).position - DVec3::Z * (0.002 + 0.004 * k as f64);
        // Soft contacts sink by n g/ω² under n weights: 2.1e-5 m each on the ground, and twice that
        // on another plate.
        let sunk = 2.1e-5 * (10.0 + 2.0 * (1..=k).map(|below| (10 - below) as f64).sum::<f64>());
        println!("plate {k}: {off}, expected to sink by {sunk}");
        assert!(off.truncate().length() < 1e-4, "plate {k}: {off}");
        assert!((off.z + sunk).abs() < 0.3 * sunk, "plate {k}: {off}, expected to sink by {sunk}");
    }
}
