//! Piles come out as they were asked for.

use glam::{DVec2, DVec3};
use tumble::direct::pile::PileSettings;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{ConvexPart, Mesh, Model, Moments, Surface};
use tumble::rigid::Rigid;
use tumble::world::{Material, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, World};
use tumble::{Setup, Simulation, Stopwatch};

#[path = "../common/mod.rs"]
mod common;

/// 500 L-blocks that fall on a pile with this angle \[°\].
fn poured(angle: f64) -> Simulation {
    let block = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.07), arm: 0.07 };
    let parts = block.parts().unwrap().unwrap();
    let mesh = Mesh::joined(&parts.iter().map(|part| part.mesh(8)).collect::<Vec<_>>());
    let moments = Moments::sum(parts.iter().map(ConvexPart::moments));
    let stuff = Material { friction: 0.7, restitution: 0.1, density: 1000.0, ..Material::default() };
    let world = World {
        shapes: vec![Shape::solid("block", parts, &moments, &mesh), Shape::sphere("ball", 0.25)],
        materials: Materials::new(vec![stuff]),
        obstacles: vec![Obstacle::new("floor", 0, Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    let region = Region::Box { low: DVec3::new(-0.3, -0.3, 1.7), high: DVec3::new(0.3, 0.3, 2.2) };
    let place = Place::Region { region, pattern: Pattern::Random };
    let jitter = Jitter { orientation: true, ..Jitter::default() };
    let pour = Emitter {
        jitter,
        motion: Motion { velocity: DVec3::new(0.0, 0.0, -4.0), spin: DVec3::ZERO },
        ..common::emitter(0, 500, When::Rate { start: 0.0, per_second: 25.0 }, place)
    };
    Simulation::new(Setup {
        emitters: vec![pour],
        piles: vec![PileSettings { place: Some(DVec2::ZERO), ..PileSettings::new(angle.to_radians()) }],
        fps: 60.0,
        ..Setup::new(world, Rigid::DEFAULT)
    })
    .unwrap()
}

/// The slope of the highest bodies of each square, over the middle of the side \[°\]: a line through distance from the axis and height.
fn slope_of(simulation: &Simulation) -> f64 {
    let world = simulation.world();
    let side = world.diameter(0);
    let mut tops = std::collections::BTreeMap::new();
    for position in world.bodies.pose.iter().map(|pose| pose.position) {
        let square = (position.truncate() / side).floor().as_ivec2();
        let top: &mut DVec3 = tops.entry((square.x, square.y)).or_insert(position);
        *top = if position.z > top.z { position } else { *top };
    }
    let spots: Vec<(f64, f64)> = tops.values().map(|top| (top.truncate().length(), top.z)).collect();
    let pile = &simulation.piles()[0];
    let spots: Vec<_> = spots.into_iter().filter(|spot| (0.15..0.85).contains(&(spot.0 / pile.radius))).collect();
    let count = spots.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| spots.iter().map(of).sum::<f64>() / count;
    let (r, z) = (mean(|spot| spot.0), mean(|spot| spot.1));
    let both: f64 = spots.iter().map(|spot| (spot.0 - r) * (spot.1 - z)).sum();
    let along: f64 = spots.iter().map(|spot| (spot.0 - r).powi(2)).sum();
    (-both / along).atan().to_degrees()
}

/// The same blocks, poured in the same way, lie flat or stand steep as they are asked to; then nothing moves by a bit.
#[test]
fn the_angle_is_a_dial() {
    for angle in [25.0, 40.0, 55.0] {
        let mut simulation = poured(angle);
        let (mut frames, mut awake) = (0, 1);
        while frames < 2400 && (awake > 0 || frames < 1300) {
            awake = simulation.advance(&mut Stopwatch::stopped()).awake;
            frames += 1;
        }
        let got = slope_of(&simulation);
        println!("asked for {angle}°, got {got:.1}°, all asleep after {frames} frames");
        assert!((got - angle).abs() < 3.0, "asked for {angle}°, got {got:.1}°");
        assert_eq!(awake, 0, "all come to rest");
        let at_rest = simulation.world().bodies.pose.clone();
        (0..1000).for_each(|_| drop(simulation.advance(&mut Stopwatch::stopped())));
        let moved = simulation.world().bodies.pose.iter().zip(&at_rest).filter(|(now, then)| now != then).count();
        assert_eq!(moved, 0, "bodies that moved in a thousand frames");
    }
}

/// A pile that a heavy ball hits breaks up, and settles again.
#[test]
fn a_heavy_hit_breaks_the_pile_up() {
    let mut simulation = poured(45.0);
    let settle = |simulation: &mut Simulation| {
        (0..3000).find(|_| {
            let report = simulation.advance(&mut Stopwatch::stopped());
            report.awake == 0 && report.bodies >= 500
        })
    };
    assert!(settle(&mut simulation).is_some(), "it settles");
    let at_rest: Vec<DVec3> = simulation.world().bodies.pose.iter().map(|pose| pose.position).collect();
    let pose = Pose { position: DVec3::new(-3.0, 0.0, 0.6), ..Pose::IDENTITY };
    let motion = Motion { velocity: DVec3::new(8.0, 0.0, 1.0), spin: DVec3::ZERO };
    simulation.add(NewBody { shape: 1, material: 0, size: 1.0, pose, motion });
    let most_awake = (0..40).map(|_| simulation.advance(&mut Stopwatch::stopped()).awake).max();
    println!("{most_awake:?} of 501 wake");
    assert!(most_awake > Some(450));
    let moved = |simulation: &Simulation| {
        let poses = simulation.world().bodies.pose.iter().zip(&at_rest);
        poses.filter(|(now, then)| now.position.distance(**then) > 0.1).count()
    };
    assert!(moved(&simulation) > 50, "{} moved", moved(&simulation));
    assert!(settle(&mut simulation).is_some(), "it settles again");
}

#[test]
#[ignore]
fn try_one() {
    let angle: f64 = std::env::var("ANGLE").unwrap().parse().unwrap();
    let mut simulation = poured(angle);
    for frame in 0..2000 {
        let report = simulation.advance(&mut Stopwatch::stopped());
        if frame % 200 == 199 {
            let pile = &simulation.piles()[0];
            println!(
                "{frame} bodies {} awake {} radius {:.3} whole {:.3} n {}",
                report.bodies,
                report.awake,
                pile.radius,
                pile.whole,
                simulation.world().bodies.len()
            );
        }
    }
    let world = simulation.world();
    let side = world.diameter(0);
    let mut tops = std::collections::BTreeMap::new();
    for position in world.bodies.pose.iter().map(|pose| pose.position) {
        let square = (position.truncate() / side).floor().as_ivec2();
        let top: &mut DVec3 = tops.entry((square.x, square.y)).or_insert(position);
        *top = if position.z > top.z { position } else { *top };
    }
    for bin in 0..20 {
        let (low, high) = (bin as f64 * side, (bin + 1) as f64 * side);
        let here: Vec<f64> =
            tops.values().filter(|t| (low..high).contains(&t.truncate().length())).map(|t| t.z).collect();
        let mean = here.iter().sum::<f64>() / here.len().max(1) as f64;
        println!(
            "r {:.2} tops {} mean {:.2} max {:.2}",
            low + 0.5 * side,
            here.len(),
            mean,
            here.iter().copied().fold(0.0, f64::max)
        );
    }
    println!("slope {:.1}", slope_of(&simulation));
}
