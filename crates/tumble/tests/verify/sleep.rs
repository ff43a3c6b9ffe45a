//! Grains asleep: they stand like an obstacle, do not change by a bit, wake when they should, and
//! keep the history of their contacts.

use glam::DVec3;
use tumble::geometry::Surface;
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::ShapeSphere;
use tumble::world::{
    BodyId, Clump, Key, Material, MaterialId, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, World,
};
use tumble::{FrameReport, Setup, Simulation};

use crate::common::{add, material, state, world_without_floor};

const G: f64 = 9.81;
/// Radius of all grains \[m\]; bodies that wake them are faster than 0.09 √(g r) = 0.028 m/s.
const R: f64 = 0.01;

/// A grain that is hit within a step wakes at its end: steps must be short beside a collision.
const CONTROL: Control = Control { tolerance: 1e-7, smallest: None, largest: 5e-5, sequential: false };

const INTEGRATORS: [fn(Control) -> Integrator; 4] =
    [|_| Integrator::Verlet, |_| Integrator::SymplecticEuler, Integrator::Rkf45, Integrator::Rk23];

fn granular(integrator: fn(Control) -> Integrator) -> Granular {
    Granular { integrator: integrator(CONTROL), ..Granular::new(Law::HERTZ) }
}

fn stuff() -> Material {
    Material { restitution: 0.5, friction: 0.4, rolling_friction: 0.01, ..material(1e8, 0.3, 2500.0) }
}

fn empty() -> World {
    let mut world = World { gravity: DVec3::new(0.0, 0.0, -G), ..world_without_floor(&stuff(), &[R]) };
    world.materials = Materials::new(vec![stuff()]);
    world
}

/// A world over a floor of the same material.
fn over_floor() -> World {
    let floor = Obstacle::new("floor", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY));
    World { obstacles: vec![floor], ..empty() }
}

/// A layer of 8 by 8 whose middle is the origin; spheres touch.
fn layer() -> Vec<DVec3> {
    let place = |k: i32| 2.0 * R * (f64::from(k) - 3.5);
    (0..64).map(|k| DVec3::new(place(k % 8), place(k / 8), 0.0)).collect()
}

fn simulation(world: World, solver: Granular, fps: f64) -> Simulation {
    Simulation::new(Setup { fps, ..Setup::new(world, solver) }).unwrap()
}

fn advance(simulation: &mut Simulation) -> FrameReport {
    simulation.advance()
}

fn sleep(simulation: &mut Simulation, bodies: &[BodyId]) {
    bodies.iter().for_each(|&body| simulation.sleep(body).unwrap());
}

fn is_asleep(simulation: &Simulation, body: BodyId) -> bool {
    let bodies = &simulation.world().bodies;
    bodies.rest[bodies.row(body).unwrap()].asleep
}

fn bits(simulation: &Simulation, body: BodyId) -> [u64; 13] {
    let bodies = &simulation.world().bodies;
    let row = bodies.row(body).unwrap();
    let (pose, motion) = (&bodies.pose[row], &bodies.motion[row]);
    let numbers = [pose.position, motion.velocity, motion.spin].map(|v| v.to_array()).concat();
    let mut all = numbers.iter().copied().chain(pose.orientation.to_array()).map(f64::to_bits);
    std::array::from_fn(|_| all.next().unwrap())
}

/// A ball falls and spins on a layer asleep, and on an obstacle covered with the same spheres: it
/// is not thrown by more than the order in which the forces of the spheres are added up. It is too
/// slow to wake a grain, and no sleeper changes by a bit.
#[test]
fn a_ball_on_sleepers_feels_what_it_feels_on_an_obstacle() {
    for integrator in INTEGRATORS {
        let start = DVec3::new(2e-5, 1e-5, 1.4165 * R);
        let (velocity, spin) = (DVec3::new(0.004, 0.0, -0.01), DVec3::new(0.3, 1.0, 0.2));
        let run = |asleep: bool| {
            let mut world = empty();
            let mut sleepers = Vec::new();
            if asleep {
                sleepers = layer().iter().map(|&at| add(&mut world, 0, at, DVec3::ZERO, DVec3::ZERO)).collect();
            } else {
                let plate = Surface::Box(DVec3::splat(R));
                let mut obstacle = Obstacle::new("layer", MaterialId(0), plate, Path::Fixed(Pose::IDENTITY));
                obstacle.cover = layer().iter().map(|&offset| ShapeSphere { offset, radius: R }).collect();
                world.obstacles.push(obstacle);
            }
            let ball = add(&mut world, 0, start, velocity, spin);
            let mut simulation = simulation(world, granular(integrator), 500.0);
            sleep(&mut simulation, &sleepers);
            let before: Vec<_> = sleepers.iter().map(|&body| bits(&simulation, body)).collect();
            let mut path = Vec::new();
            for _ in 0..50 {
                let report = advance(&mut simulation);
                assert_eq!((report.awake, report.bodies), (1, 1 + sleepers.len() as u64));
                let (place, motion) = state(&simulation, ball);
                path.push([place, motion.velocity, motion.spin]);
            }
            assert!(sleepers.iter().zip(before).all(|(&body, before)| bits(&simulation, body) == before));
            path
        };
        let (sleepers, obstacle) = (run(true), run(false));
        let moved = (obstacle[49][0] - start).length();
        let apart = sleepers.iter().zip(&obstacle).map(|(a, b)| (a[0] - b[0]).length()).fold(0.0, f64::max);
        println!("{:?}: {apart:.1e} m apart after {moved:.1e} m", integrator(CONTROL));
        assert!(moved > 1e-5 && (obstacle[0][2] - spin).length() > 0.01, "{:?}", obstacle[0]);
        assert!(apart < 1e-12, "{apart:e}");
    }
}

/// A column of grains on the floor, of which the lower half is asleep, and clumps asleep in the
/// air: a thousand steps change no bit of the sleepers, while those above sink a little into each
/// other.
#[test]
fn sleepers_do_not_change_by_a_bit() {
    for integrator in INTEGRATORS {
        let mut world = over_floor();
        world.shapes.push(Shape::named_clump("grain", Clump::Tetrahedron, 0.5 * R, 0.1).unwrap());
        let place = |k: usize, x: f64| DVec3::new(x, 0.0, R * (1.0 + 2.0 * k as f64));
        let column: Vec<_> = (0..8).map(|k| add(&mut world, 0, place(k, 0.0), DVec3::ZERO, DVec3::ZERO)).collect();
        let clumps: Vec<_> =
            (0..4).map(|k| add(&mut world, 1, place(k + 3, 0.1), DVec3::X, DVec3::new(3.0, 2.0, 1.0))).collect();
        let mut simulation = simulation(world, granular(integrator), 200.0);
        let asleep = [&column[..4], &clumps[..]].concat();
        sleep(&mut simulation, &asleep);
        let before: Vec<_> = asleep.iter().map(|&body| bits(&simulation, body)).collect();
        let mut steps = 0;
        while steps < 1000 {
            let report = advance(&mut simulation);
            steps += report.steps;
            assert_eq!(report.awake, 4);
        }
        assert!(asleep.iter().zip(before).all(|(&body, before)| bits(&simulation, body) == before));
        assert!(column[4..].iter().all(|&body| state(&simulation, body).1.velocity.length() > 0.0));
    }
}

/// Two grains far from each other fall asleep in the air. One is woken by command, and falls like a
/// stone.
#[test]
fn a_command_wakes() {
    for integrator in INTEGRATORS {
        let mut world = empty();
        let grains = [0.0, 1.0].map(|x| add(&mut world, 0, DVec3::X * x, DVec3::ZERO, DVec3::ZERO));
        let mut simulation = simulation(world, granular(integrator), 100.0);
        sleep(&mut simulation, &grains);
        assert_eq!(advance(&mut simulation).awake, 0);
        simulation.wake(grains[1]).unwrap();
        (0..10).for_each(|_| assert_eq!(advance(&mut simulation).awake, 1));
        assert_eq!(state(&simulation, grains[0]).0, DVec3::ZERO);
        let fallen = -state(&simulation, grains[1]).0.z;
        // Symplectic Euler is off by a step over the time.
        assert!((fallen / (0.5 * G * 0.01) - 1.0).abs() < 5e-3, "{fallen}");
    }
}

/// A grain asleep without gravity is hit in the middle. Above the waking speed it leaves like an
/// equal ball that was never asleep, with (1+e)/2 of the speed; below, the other bounces off with e
/// as from a wall.
#[test]
fn a_hit_wakes() {
    for integrator in INTEGRATORS {
        for speed in [0.5, 0.005] {
            let mut world = World { gravity: DVec3::ZERO, ..empty() };
            let sleeper = add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
            let bullet = add(&mut world, 0, DVec3::X * -2.2 * R, DVec3::X * speed, DVec3::ZERO);
            let mut simulation = simulation(world, granular(integrator), 20.0 * speed / R);
            sleep(&mut simulation, &[sleeper]);
            (0..40).for_each(|_| drop(advance(&mut simulation)));
            let [hit, left] = [sleeper, bullet].map(|body| state(&simulation, body).1.velocity.x / speed);
            println!(
                "{:?} at {speed} m/s: the sleeper leaves with {hit:.4}, the other with {left:.4}",
                integrator(CONTROL)
            );
            // Waking speed without gravity: 0.09 · 10 r/s = 0.009 m/s.
            let expected = if speed > 0.009 { (0.75, 0.25) } else { (0.0, -0.5) };
            assert!((hit - expected.0).abs() < 0.01 && (left - expected.1).abs() < 0.01);
            assert_eq!(is_asleep(&simulation, sleeper), speed < 0.009);
        }
    }
}

/// A column of three grains asleep. The lowest is woken and is carried away by its speed: the one
/// above it loses its support and wakes, and then the third.
#[test]
fn who_loses_its_support_wakes() {
    let mut world = empty();
    let column = [0.0, 1.0, 2.0].map(|k| add(&mut world, 0, DVec3::Z * (2.0 - 1e-4) * R * k, DVec3::ZERO, DVec3::ZERO));
    let beside = add(&mut world, 0, DVec3::new(0.0, 3.0 * R, 0.0), DVec3::ZERO, DVec3::ZERO);
    let mut simulation = simulation(world, granular(|_| Integrator::Verlet), 100.0);
    sleep(&mut simulation, &[&column[..], &[beside]].concat());
    (0..10).for_each(|_| assert_eq!(advance(&mut simulation).awake, 0));
    simulation.wake(column[0]).unwrap();
    (0..10).for_each(|_| drop(advance(&mut simulation)));
    assert!(column.iter().all(|&body| !is_asleep(&simulation, body)), "who lay on it is awake");
    assert!(is_asleep(&simulation, beside), "who stood beside it is not");
    assert!(column.iter().all(|&body| state(&simulation, body).0.z < 0.0));
}

/// A grain that leaves the world is removed; one asleep that touched it wakes, one that did not
/// sleeps on. Whether it slept itself does not matter, nor whether the state was saved between.
#[test]
fn who_touched_a_body_that_is_removed_wakes() {
    for leaver_sleeps in [true, false] {
        let make = || {
            let mut world = World { gravity: DVec3::ZERO, ..empty() };
            let bodies = [[0.0, 0.0], [-1.9755, -0.3], [2.0, -0.3], [4.0, -0.3]]
                .map(|[x, z]| add(&mut world, 0, R * DVec3::new(x, 0.0, z), DVec3::ZERO, DVec3::ZERO));
            let bounds = Some((DVec3::splat(-1.0), DVec3::new(1.0, 1.0, -0.1 * R)));
            let setup = Setup { bounds, fps: 1e4, ..Setup::new(world, Law::HERTZ) };
            (Simulation::new(setup).unwrap(), bodies)
        };
        let (mut simulation, [leaver, touching, apart, far]) = make();
        sleep(&mut simulation, &[touching, apart, far]);
        if leaver_sleeps {
            simulation.sleep(leaver).unwrap();
        }
        let report = advance(&mut simulation);
        assert_eq!(report.awake, u64::from(!leaver_sleeps), "nobody is fast enough to wake another");
        assert_eq!(simulation.counts().removed, 1);
        let (mut resumed, _) = make();
        resumed.load(&simulation.save()).unwrap();
        for mut simulation in [simulation, resumed] {
            assert_eq!(advance(&mut simulation).awake, 1);
            assert!(!is_asleep(&simulation, touching) && is_asleep(&simulation, apart) && is_asleep(&simulation, far));
        }
    }
}

/// A plate under two grains asleep waits, then sinks; another one comes from the side. Those on the
/// sinking one wake when it starts to move, and fall with it; the one beside when it is reached.
/// Once the plates are surfaces, once they are covered with spheres.
#[test]
fn a_moving_obstacle_wakes() {
    for covered in [false, true] {
        for integrator in INTEGRATORS {
            let mut world = empty();
            let at = |x: f64, z: f64| Pose { position: DVec3::new(x, 0.0, z), ..Pose::IDENTITY };
            let plate = Surface::Box(DVec3::new(3.0 * R, R, R));
            let path =
                |from: Pose, to: Pose| Path::Keys(vec![Key { time: 0.05, pose: from }, Key { time: 0.15, pose: to }]);
            let sinking = Obstacle::new("sinking", MaterialId(0), plate.clone(), path(at(0.0, -R), at(0.0, -3.0 * R)));
            let coming = Obstacle::new("coming", MaterialId(0), plate, path(at(20.0 * R, R), at(14.0 * R, R)));
            world.obstacles = vec![sinking, coming];
            if covered {
                let spheres = |k: i32| ShapeSphere { offset: DVec3::X * f64::from(k - 2) * R, radius: R };
                world.obstacles.iter_mut().for_each(|obstacle| obstacle.cover = (0..5).map(spheres).collect());
            }
            // They touch or nearly do; the third stands in the way of the second plate and is
            // reached after 0.1 s.
            let height = (1.0 - 1e-5) * R;
            let on = [-R, R].map(|x| add(&mut world, 0, DVec3::new(x, 0.0, height), DVec3::ZERO, DVec3::ZERO));
            let beside = add(&mut world, 0, DVec3::new(13.0 * R, 0.0, R), DVec3::ZERO, DVec3::ZERO);
            let far = add(&mut world, 0, DVec3::new(0.0, 0.0, 4.0 * R), DVec3::ZERO, DVec3::ZERO);
            let mut simulation = simulation(world, granular(integrator), 100.0);
            sleep(&mut simulation, &[on[0], on[1], beside, far]);
            (0..4).for_each(|_| assert_eq!(advance(&mut simulation).awake, 0));
            (0..2).for_each(|_| drop(advance(&mut simulation)));
            let asleep = [on[0], on[1], beside, far].map(|body| is_asleep(&simulation, body));
            assert_eq!(asleep, [false, false, true, true], "covered {covered}");
            (0..9).for_each(|_| drop(advance(&mut simulation)));
            assert!(!is_asleep(&simulation, beside) && is_asleep(&simulation, far));
            assert!(on.iter().all(|&body| state(&simulation, body).0.z < 0.5 * R));
        }
    }
}

/// Three grains on the floor that bear a fourth, and a light pebble above it.
fn pyramid() -> (Simulation, [BodyId; 4], BodyId) {
    let mut world = over_floor();
    let stuff = Material { friction: 0.8, rolling_friction: 0.1, ..stuff() };
    world.materials = Materials::new(vec![stuff.clone(), Material { density: 100.0, ..stuff }]);
    let side = 2.0 * R / 3f64.sqrt();
    let base = [0.0, 1.0, 2.0].map(|k| {
        let angle = std::f64::consts::TAU / 3.0 * k;
        DVec3::new(side * angle.cos(), side * angle.sin(), R)
    });
    let top = DVec3::new(0.0, 0.0, R + 2.0 * R * (2.0f64 / 3.0).sqrt());
    let grains = [base[0], base[1], base[2], top].map(|at| add(&mut world, 0, at, DVec3::ZERO, DVec3::ZERO));
    let pose = Pose { position: top + DVec3::new(0.5 * R, 0.0, 4.0 * R), ..Pose::IDENTITY };
    let pebble = world
        .add_centred(NewBody { shape: ShapeId(0), material: MaterialId(1), size: 0.5, pose, motion: Motion::default() })
        .unwrap();
    let mut simulation = simulation(world, Granular::new(Law::HERTZ), 50.0);
    simulation.sleep(pebble).unwrap();
    (simulation, grains, pebble)
}

/// Three grains on the floor bear a fourth: friction and rolling springs alone keep them from being
/// driven apart. They sleep for a while and wake again: nothing moves, because contacts that slept
/// keep their springs. Without these the three would roll apart. Once more with the state saved in
/// between, and once with only half of them asleep at a time.
#[test]
fn springs_survive_sleep() {
    for (save, one_by_one) in [(false, false), (true, false), (true, true)] {
        let (mut simulation, grains, _) = pyramid();
        (0..100).for_each(|_| drop(advance(&mut simulation)));
        let contacts = simulation.measure().contacts;
        let before = grains.map(|body| state(&simulation, body).0);
        if one_by_one {
            sleep(&mut simulation, &grains[1..3]);
            advance(&mut simulation);
            assert_eq!(advance(&mut simulation).contacts, contacts);
        }
        sleep(&mut simulation, &grains);
        for _ in 0..5 {
            let report = advance(&mut simulation);
            assert_eq!((report.awake, report.contacts), (0, contacts), "contacts of sleepers are still counted");
        }
        if save {
            let state = simulation.save();
            simulation = pyramid().0;
            simulation.load(&state).unwrap();
            assert_eq!(simulation.save(), state);
        }
        if one_by_one {
            grains[2..].iter().for_each(|&body| simulation.wake(body).unwrap());
            assert_eq!(advance(&mut simulation).awake, 2);
        }
        grains.iter().for_each(|&body| simulation.wake(body).unwrap());
        let mut farthest = 0.0f64;
        for _ in 0..10 {
            assert_eq!(advance(&mut simulation).awake, 4);
            let moved = grains.iter().zip(before).map(|(&body, before)| (state(&simulation, body).0 - before).length());
            farthest = moved.fold(farthest, f64::max);
        }
        println!("after sleep the grains move by {farthest:.1e} m");
        assert!(farthest < 1e-9, "{farthest:e}");
    }
}

/// The pebble falls on the fourth grain, which wakes with its springs: it moves by no more than so
/// light a blow can move it. Without them it would sink between the others. Those that bear it
/// sleep on.
#[test]
fn who_is_hit_keeps_its_springs() {
    let (mut simulation, grains, pebble) = pyramid();
    (0..100).for_each(|_| drop(advance(&mut simulation)));
    sleep(&mut simulation, &grains);
    let before = state(&simulation, grains[3]).0;
    simulation.wake(pebble).unwrap();
    assert_eq!(advance(&mut simulation).awake, 1);
    (0..10).for_each(|_| drop(advance(&mut simulation)));
    assert_eq!(grains.map(|body| is_asleep(&simulation, body)), [true, true, true, false]);
    let moved = (state(&simulation, grains[3]).0 - before).length();
    println!("a grain that was hit moved by {moved:.1e} m");
    assert!(moved < 1e-8, "{moved:e}");
}
