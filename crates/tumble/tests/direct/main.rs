//! Piles come out as they were asked for.

use glam::{DVec2, DVec3};
use tumble::direct::pile::{PileSettings, Rule};
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{Model, Surface};
use tumble::measure::Flights;
use tumble::rigid::Rigid;
use tumble::world::{
    BodyId, Key, Material, MaterialId, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, World,
};
use tumble::{Setup, Simulation};

#[path = "../common/mod.rs"]
mod common;
mod judge;

use judge::judge;

/// A floor on which L-blocks can fall, and heavy balls.
fn floor() -> World {
    let block = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.07), arm: 0.07 };
    let parts = block.parts().unwrap().unwrap();
    let stuff =
        Material { friction: 0.7, restitution: 0.1, density: 1000.0, rolling_friction: 0.0, ..Material::default() };
    World {
        shapes: vec![Shape::of_parts("block", parts).unwrap(), Shape::ball("ball", 0.25).unwrap()],
        materials: Materials::new(vec![stuff]),
        obstacles: vec![Obstacle::new("floor", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    }
}

/// So many blocks fall around a place of the plan, 25 per second.
fn pour(count: u64, x: f64) -> Emitter {
    let region = Region::Box { low: DVec3::new(x - 0.3, -0.3, 1.7), high: DVec3::new(x + 0.3, 0.3, 2.2) };
    let place = Place::Region { region, pattern: Pattern::Random };
    Emitter {
        jitter: Jitter { orientation: true, ..Jitter::default() },
        motion: Motion { velocity: DVec3::new(0.0, 0.0, -4.0), spin: DVec3::ZERO },
        ..common::emitter(0, count, When::Rate { start: 0.0, per_second: 25.0 }, place)
    }
}

/// So many blocks fall on the tip of a pile, 12 per second.
fn pour_on_the_tip(count: u64) -> Emitter {
    let above = Pose { position: DVec3::new(0.0, 0.0, 2.6), ..Pose::IDENTITY };
    Emitter {
        when: When::Rate { start: 0.0, per_second: 12.0 },
        place: Place::Point { path: Path::Fixed(above), spread: 0.05 },
        ..pour(count, 0.0)
    }
}

fn start(world: World, emitters: Vec<Emitter>, pile: PileSettings) -> Simulation {
    let setup = Setup { emitters, piles: vec![pile], fps: 60.0, ..Setup::new(world, Rigid::DEFAULT) };
    Simulation::new(setup).unwrap()
}

/// Settings of a pile with this angle \[°\], at the origin.
fn in_the_middle(angle: f64) -> PileSettings {
    PileSettings { place: Some(DVec2::ZERO), ..PileSettings::new(angle.to_radians()) }
}

/// 500 L-blocks that fall on a pile with this angle \[°\].
fn poured(angle: f64) -> Simulation {
    start(floor(), vec![pour(500, 0.0)], in_the_middle(angle))
}

/// Advances until all bodies are born and asleep and stay so; gives how many frames that took.
fn settle(simulation: &mut Simulation, bodies: u64) -> Option<usize> {
    let mut quiet = 0;
    (1..6000).find(|_| {
        let report = simulation.advance();
        quiet = if report.awake == 0 && report.bodies >= bodies { quiet + 1 } else { 0 };
        quiet > 20
    })
}

/// By how much the silhouette of a heap of 500 bodies is too low on average \[°\]: their cone has
/// no tip. Found on exact cones, in the tests of `measure/silhouette.rs`.
const TOO_LOW: f64 = 1.3;

/// The same blocks, poured in the same way, lie flat or stand steep as they are asked to. Nothing
/// floats, bodies in the air fall freely, and up to the angle that physics gives by itself (45° for
/// these) the pile stands when it is let go. Asleep, nothing moves by a bit.
#[test]
fn the_angle_is_a_dial() {
    let mut full = Simulation::new(Setup {
        emitters: vec![pour_on_the_tip(500)],
        fps: 60.0,
        ..Setup::new(floor(), Rigid::DEFAULT)
    })
    .unwrap();
    settle(&mut full, 500).expect("all come to rest");
    let by_physics = judge(&full);
    println!("without a director: {by_physics:?}");
    for (angle, stands) in [(30.0, true), (40.0, true), (55.0, false)] {
        let mut simulation = start(floor(), vec![pour_on_the_tip(500)], in_the_middle(angle));
        let mut flights = Flights::default();
        for _ in 0..1000 {
            simulation.advance();
            flights.see(simulation.world(), &simulation.contacts(), simulation.frame_length());
        }
        let frames = settle(&mut simulation, 500).expect("all come to rest");
        let judged = judge(&simulation);
        println!(
            "asked for {angle}°: {judged:?}, {} of {} flights astray, all asleep after {frames} frames",
            flights.astray, flights.all
        );
        assert!(
            (judged.angle + TOO_LOW - angle).abs() < 4.0,
            "asked for {angle}°, its silhouette has {:.1}°",
            judged.angle
        );
        assert_eq!(judged.unsupported, 0, "bodies on nothing");
        assert!(flights.all > 1000 && flights.astray * 500 < flights.all, "flights are not free");
        if stands {
            assert!(judged.loss < 0.02, "it loses {:.1} % of its energy", 100.0 * judged.loss);
            assert!((judged.released_angle - judged.angle).abs() < 3.0, "it stands at {}°", judged.released_angle);
            assert!(judged.contacts_per_body > 0.9 * by_physics.contacts_per_body, "{judged:?}");
        }
        let at_rest = simulation.world().bodies.pose.clone();
        (0..1000).for_each(|_| drop(simulation.advance()));
        let moved = simulation.world().bodies.pose.iter().zip(&at_rest).filter(|(now, then)| now != then).count();
        assert_eq!(moved, 0, "bodies that moved in a thousand frames");
    }
}

/// The angle depends neither on the frame rate nor on the size of bodies: from blocks of 4 mm to
/// blocks of 20 m, each a mean of three piles. Minutes: run with `--ignored`.
#[test]
#[ignore = "takes minutes"]
fn frame_rate_and_size_do_not_matter() {
    let pile = |scale: f64, fps: f64, seed: u64| {
        let mut world = floor();
        let lengths = scale * DVec3::new(0.2, 0.2, 0.07);
        let parts = Model::LBlock { lengths, arm: 0.07 * scale }.parts().unwrap().unwrap();
        world.shapes = vec![Shape::of_parts("block", parts).unwrap()];
        let tip = pour_on_the_tip(400);
        let time = scale.sqrt();
        let above = Pose { position: DVec3::new(0.0, 0.0, 2.6 * scale), ..Pose::IDENTITY };
        let pour = Emitter {
            when: When::Rate { start: 0.0, per_second: 12.0 / time },
            place: Place::Point { path: Path::Fixed(above), spread: 0.05 * scale },
            motion: Motion { velocity: time * tip.motion.velocity, spin: DVec3::ZERO },
            ..tip
        };
        let setup = Setup {
            emitters: vec![pour],
            piles: vec![in_the_middle(38.0)],
            fps,
            seed,
            ..Setup::new(world, Rigid::DEFAULT)
        };
        let mut simulation = Simulation::new(setup).unwrap();
        while simulation.time() < 120.0 * time && !(simulation.time() > 40.0 * time && simulation.is_directed()) {
            simulation.advance();
        }
        judge(&simulation).angle
    };
    let mut means = Vec::new();
    for (scale, fps) in
        [(1.0, 60.0), (1.0, 24.0), (1.0, 120.0), (0.02, 60.0), (0.02, 240.0), (10.0, 24.0), (100.0, 24.0)]
    {
        let angles = [1, 2, 3].map(|seed| pile(scale, fps, seed));
        means.push(angles.iter().sum::<f64>() / 3.0);
        println!("blocks of {:.3} m at {fps} fps: {angles:.1?}, mean {:.1}°", 0.2 * scale, means[means.len() - 1]);
    }
    let [least, most] = [f64::min, f64::max].map(|of| means.iter().copied().reduce(of).unwrap());
    assert!(most - least < 4.0, "from {least:.1}° to {most:.1}°");
}

/// A hit wakes what it moves and no more: a ball of 5 kg at 9 m/s dents a pile of blocks, one of 65
/// kg breaks it up; one that falls beside it wakes nobody.
#[test]
fn hits_are_local() {
    let mut simulation = poured(40.0);
    assert!(settle(&mut simulation, 500).is_some(), "it settles");
    let state = simulation.save();
    let mut hit = |size: f64, from: DVec3, velocity: DVec3| {
        simulation.load(&state).unwrap();
        let at_rest: Vec<(BodyId, DVec3)> = positions(&simulation);
        let pose = Pose { position: from, ..Pose::IDENTITY };
        let motion = Motion { velocity, spin: DVec3::ZERO };
        simulation.add(NewBody { shape: ShapeId(1), material: MaterialId(0), size, pose, motion }).unwrap();
        // The ball rolls on.
        (0..120).for_each(|_| drop(simulation.advance()));
        let rests = (0..3000).any(|_| simulation.advance().awake <= 1);
        assert!(rests, "the pile comes to rest again");
        let is_moved = |&&(id, at): &&(BodyId, DVec3)| {
            let row = simulation.world().bodies.row(id).unwrap();
            simulation.world().bodies.pose[row].position.distance(at) > 0.02
        };
        at_rest.iter().filter(is_moved).count()
    };
    let dent = hit(0.425, DVec3::new(-2.0, 0.0, 0.45), DVec3::new(9.0, 0.0, 0.0));
    let hole = hit(1.0, DVec3::new(-3.0, 0.0, 0.6), DVec3::new(8.0, 0.0, 1.0));
    let beside = hit(0.425, DVec3::new(-3.0, 0.0, 0.3), DVec3::ZERO);
    println!("moved by more than 2 cm: {dent} by 5 kg, {hole} by 65 kg, {beside} by one that falls beside");
    assert!((2..150).contains(&dent) && hole > 2 * dent && beside == 0, "{dent}, {hole}, {beside}");
}

fn positions(simulation: &Simulation) -> Vec<(BodyId, DVec3)> {
    let bodies = &simulation.world().bodies;
    bodies.rows_by_id().map(|row| (bodies.traits[row].id, bodies.pose[row].position)).collect()
}

/// Two streams make two piles, which are found where they fall; one stream makes one, though its
/// first bodies lie about.
#[test]
fn piles_are_found_where_bodies_land() {
    for places in [vec![-0.9, 0.9], vec![0.4]] {
        let streams = places.iter().map(|&x| pour(150, x)).collect();
        let mut simulation = start(floor(), streams, PileSettings::new(40f64.to_radians()));
        assert!(settle(&mut simulation, 150 * places.len() as u64).is_some(), "they settle");
        let mut found: Vec<DVec2> = simulation.piles().iter().map(|pile| pile.centre).collect();
        found.sort_by(|a, b| a.x.total_cmp(&b.x));
        println!("streams at {places:?}, piles at {found:?}");
        assert_eq!(found.len(), places.len());
        for (pile, x) in found.iter().zip(&places) {
            assert!(pile.distance(DVec2::new(*x, 0.0)) < 0.2, "{pile} of a stream at {x}");
        }
    }
}

/// Two streams so near to each other that their piles meet: while both are small there are two, in
/// the end there is one in the middle.
#[test]
fn piles_that_grow_into_each_other_become_one() {
    let streams = [-0.65, 0.65].map(|x| pour(350, x)).to_vec();
    let mut simulation = start(floor(), streams, PileSettings::new(30f64.to_radians()));
    let mut most = 0;
    for _ in 0..1500 {
        simulation.advance();
        most = most.max(simulation.piles().len());
    }
    let found: Vec<DVec2> = simulation.piles().iter().map(|pile| pile.centre).collect();
    println!("{most} piles at most, in the end {found:?}");
    assert!(most == 2 && found.len() == 1, "{most}, {found:?}");
    assert!(found[0].length() < 0.25, "{}", found[0]);
}

/// A crate of 1.2 m that lies 6 m away before the first block falls is no member of the pile and
/// does not set its scale, whether the pile says which shapes it takes or not.
#[test]
fn a_foreign_crate_is_no_member() {
    for shapes in [vec![ShapeId(0)], Vec::new()] {
        let mut world = floor();
        world.shapes.push(Shape::cuboid("crate", DVec3::splat(1.2)).unwrap());
        let shape = ShapeId(world.shapes.len() as u32 - 1);
        let pose = Pose { position: DVec3::new(6.0, 0.0, 0.6), ..Pose::IDENTITY };
        let motion = Motion::default();
        world.add(NewBody { shape, material: MaterialId(0), size: 1.0, pose, motion }).unwrap();
        let settings = PileSettings { shapes: shapes.clone(), ..PileSettings::new(35f64.to_radians()) };
        let mut simulation = start(world, vec![pour(200, 0.0)], settings);
        assert!(settle(&mut simulation, 201).is_some(), "it settles");
        let piles: Vec<(DVec2, f64)> = simulation.piles().iter().map(|pile| (pile.centre, pile.whole)).collect();
        let highest = simulation.world().bodies.pose.iter().map(|pose| pose.position.z).fold(0.0, f64::max);
        println!("takes {shapes:?}: piles {piles:?}, highest {highest:.2} m");
        // A cone of 35° with the volume of 200 blocks has a radius of about 1 m.
        assert!(piles.len() == 1 && piles[0].0.length() < 0.3 && (0.7..1.5).contains(&piles[0].1), "{piles:?}");
        assert!((0.4..1.0).contains(&highest), "{highest}");
    }
}

/// Smooth blocks between four boards of 1.2 m; the last is lifted after 40 s.
fn boxed() -> World {
    let mut world = floor();
    let smooth = Material { friction: 0.2, density: 1000.0, rolling_friction: 0.0, ..Material::default() };
    world.materials = Materials::new(vec![smooth]);
    for (k, away) in [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y].into_iter().enumerate() {
        let half = if away.x == 0.0 { DVec3::new(0.75, 0.05, 0.6) } else { DVec3::new(0.05, 0.75, 0.6) };
        let at = |height: f64| Pose { position: (0.65 * away).extend(height), ..Pose::IDENTITY };
        let lifted = [(0.0, 0.6), (40.0, 0.6), (40.5, 2.4)].map(|(time, height)| Key { time, pose: at(height) });
        let path = if k == 3 { Path::Keys(lifted.to_vec()) } else { Path::Fixed(at(0.6)) };
        world.obstacles.push(Obstacle::new("board", MaterialId(0), Surface::Box(half), path));
    }
    world
}

/// In a box the pile stands on its walls: it is as full at its foot as the walls let it be, and
/// nothing spills. Without a wall it flows, about as far as it does without a director.
#[test]
fn a_removed_wall_lets_a_pile_flow() {
    let out = |simulation: &Simulation| {
        let poses = simulation.world().bodies.pose.iter();
        poses.filter(|pose| pose.position.truncate().abs().max_element() > 0.7).count()
    };
    let run_to = |simulation: &mut Simulation, time: f64| {
        while simulation.time() < time {
            simulation.advance();
        }
        simulation.world().bodies.rest.iter().filter(|rest| !rest.asleep).count()
    };
    let flow_of = |piles: Vec<PileSettings>| {
        let setup = Setup { emitters: vec![pour(250, 0.0)], piles, fps: 60.0, ..Setup::new(boxed(), Rigid::DEFAULT) };
        let mut simulation = Simulation::new(setup).unwrap();
        let (awake, spilled) = (run_to(&mut simulation, 39.0), out(&simulation));
        let cone = simulation.piles().first().map(|pile| pile.radius);
        let awake_later = run_to(&mut simulation, 80.0);
        let flowed = out(&simulation) - spilled;
        println!("{spilled} spill, {flowed} flow out; awake {awake} before, {awake_later} after; cone {cone:?}");
        let beside = simulation.world().bodies.pose.iter().filter(|pose| pose.position.y > 0.7).count();
        assert!(beside <= spilled, "{beside} behind a wall that is still there");
        (awake, spilled, cone, awake_later, flowed)
    };
    let (.., by_physics) = flow_of(Vec::new());
    let (awake, spilled, cone, awake_later, flowed) = flow_of(vec![in_the_middle(35.0)]);
    assert_eq!((awake, awake_later), (0, 0), "awake before the wall is lifted, and after the flow");
    assert!(spilled <= 4 && cone > Some(0.7), "{spilled} spill; the cone stands higher than the floor at the walls");
    assert!(2 * flowed > by_physics, "{flowed} flow out, without a director {by_physics}");
}

/// The paper's rule, and its local variant: bodies sleep in the cone, from its axis outwards, and
/// less than half of them while more come.
#[test]
fn the_papers_rule_lets_the_middle_sleep() {
    for rule in [Rule::Layers, Rule::LocalLayers] {
        let mut simulation = start(floor(), vec![pour(300, 0.0)], PileSettings { rule, ..in_the_middle(60.0) });
        let mut held = (0, 0.0, 0.0);
        for _ in 0..700 {
            simulation.advance();
            let bodies = &simulation.world().bodies;
            let mean_distance = |held: bool| {
                let rows: Vec<usize> = (0..bodies.len()).filter(|&row| bodies.rest[row].held == held).collect();
                let sum: f64 = rows.iter().map(|&row| bodies.pose[row].position.truncate().length()).sum();
                (rows.len(), sum / rows.len().max(1) as f64)
            };
            let (inside, outside) = (mean_distance(true), mean_distance(false));
            if inside.0 > held.0 {
                held = (inside.0, inside.1, outside.1);
            }
        }
        println!("{rule:?}: at most {} held, {:.2} m from the axis, the others {:.2} m", held.0, held.1, held.2);
        assert!(held.0 > 10 && held.1 < held.2, "{held:?}");
        let pile = &simulation.piles()[0];
        let capacity: f64 = pile.layers.iter().map(|layer| layer.capacity).sum();
        assert!(capacity > 2.0 * 250.0, "{capacity}");
        assert!(settle(&mut simulation, 300).is_some(), "it settles");
    }
}
