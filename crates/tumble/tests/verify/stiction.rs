//! Stiction: bodies that obstacles can hold are brought to rest (Yee, Christara & Lait 2009, eq. 7,
//! erratum Y11).

use glam::DVec3;
use tumble::granular::{Control, Granular, Integrator, Law, Rolling, Shear, Stiction};
use tumble::world::{BodyId, Clump, Material, Motion, Path, Pose, Shape, World};
use tumble::{Setup, Simulation};

use crate::common::{add, advance, close, material, state, world_over_floor};

const G: f64 = 9.81;
const MU: f64 = 0.4;

/// Friction that alone holds nothing.
const CREEPING: Law = Law { shear: Shear::Combined { viscosity: 0.5 }, rolling: Rolling::Free, ..Law::HERTZ };

/// A ball of 1 cm, or a cube of eight, on a level floor at its depth of rest, with this velocity.
fn on_floor(cube: bool, velocity: DVec3, pull: f64) -> (World, BodyId) {
    let stuff = Material { restitution: 0.3, friction: MU, ..material(1e7, 0.3, 2500.0) };
    let mut world = world_over_floor(&stuff, &[0.01]);
    // As if pulled aside with a share of its weight.
    world.gravity = G * DVec3::new(pull, 0.0, -1.0);
    let mut feet = 1.0;
    if cube {
        world.shapes = vec![Shape::named_clump("cube", Clump::Cube, 0.01, 0.0).unwrap()];
        feet = 4.0;
    }
    let weight = 2500.0 * world.shapes[0].volume * G / feet;
    let depth = (weight / (4.0 / 3.0 * 1e7 / (1.0 - 0.09) * 0.1)).powf(2.0 / 3.0);
    let height = if cube { 0.02 } else { 0.01 };
    let body = add(&mut world, 0, DVec3::new(0.0, 0.0, height - depth), velocity, DVec3::ZERO);
    // The forces of the step before.
    world.bodies.wrench[0].force = DVec3::new(0.0, 0.0, feet * weight);
    (world, body)
}

/// Frames are `steps` steps long.
fn sticking(world: World, law: Law, steps: f64) -> Simulation {
    let setup =
        Setup::new(world, Granular { stiction: Some(Stiction { sliding: 0.5, turning: 0.5 }), ..Granular::new(law) });
    let step = Simulation::new(setup.clone()).unwrap().step_limit().unwrap().default;
    Simulation::new(Setup { fps: 1.0 / (steps * step), step: Some(step), ..setup }).unwrap()
}

/// Every step takes away the share κ = 1/2 of the sliding speed: after n whole steps 2^{-n} of it
/// is left, whatever the mass; after forty nothing, and the body stays where it is for good. The
/// first half kick takes an amount of the order of a step.
#[test]
fn a_slow_body_stops_within_a_few_steps() {
    for cube in [false, true] {
        let v0 = 1e-4;
        let (world, body) = on_floor(cube, DVec3::X * v0, 0.0);
        let mut simulation = sticking(world, CREEPING, 1.0);
        let mut speeds = vec![v0];
        for _ in 0..40 {
            advance(&mut simulation);
            speeds.push(state(&simulation, body).1.velocity.x);
        }
        let whole = (speeds[20] / speeds[4]).powf(1.0 / 16.0);
        close(&format!("cube {cube}: speed left by a step"), whole, 0.5, 1e-6);
        let way = state(&simulation, body).0.x;
        assert!(way < 3.0 * v0 * simulation.step_length(), "it slid {way:e} m");
        assert!(speeds[40].abs() < 1e-10, "{:e}", speeds[40]);
        (0..40_000).step_by(40).for_each(|_| (0..40).for_each(|_| advance(&mut simulation)));
        let moved = (state(&simulation, body).0.x - way).abs() / 0.02;
        println!("cube {cube}: moved {moved:.1e} of itself since, allowed 1e-9");
        assert!(moved < 1e-9, "{moved:e}");
    }
}

/// The Coulomb test is against the reaction: a cube pulled aside with less than μ of its weight
/// stands still under friction that by itself would creep; pulled with more, it slides at (pull -
/// μ) g as if there were no stiction.
#[test]
fn a_body_pulled_beyond_friction_slides() {
    for (pull, slides) in [(0.9 * MU, false), (1.1 * MU, true)] {
        let (world, body) = on_floor(true, DVec3::ZERO, pull);
        let law = Law { shear: Shear::Combined { viscosity: 20.0 }, ..CREEPING };
        let mut simulation = sticking(world, law, 2000.0);
        advance(&mut simulation);
        let (from, before) = (simulation.time(), state(&simulation, body));
        (0..5).for_each(|_| advance(&mut simulation));
        let (place, motion) = state(&simulation, body);
        if slides {
            let got = (motion.velocity.x - before.1.velocity.x) / (simulation.time() - from);
            close("acceleration beyond friction", got, (pull - MU) * G, 1e-2);
        } else {
            let moved = (place.x - before.0.x).abs() / 0.04;
            println!("pulled with {pull} of its weight: moved {moved:.1e} of itself in {} s", simulation.time() - from);
            assert!(moved < 1e-6, "{moved:e}");
        }
    }
}

/// On a floor that moves, rest is the floor's motion: the body takes on its velocity and stays
/// where it is on it.
#[test]
fn a_body_rests_on_a_moving_floor() {
    for cube in [false, true] {
        let (mut world, body) = on_floor(cube, DVec3::ZERO, 0.0);
        let belt = Motion { velocity: DVec3::new(0.02, -0.01, 0.0), spin: DVec3::ZERO };
        world.obstacles[0].path = Path::Constant(Pose::IDENTITY, belt);
        let mut simulation = sticking(world, CREEPING, 100.0);
        advance(&mut simulation);
        let (place, motion) = state(&simulation, body);
        assert!((motion.velocity - belt.velocity).truncate().length() < 1e-6, "{}", motion.velocity);
        let from = simulation.time();
        (0..100).for_each(|_| advance(&mut simulation));
        let carried = state(&simulation, body).0 - place;
        let expected = belt.velocity * (simulation.time() - from);
        println!("cube {cube}: carried {carried} m, expected {expected}");
        assert!((carried - expected).truncate().length() < 1e-6 * expected.length(), "{carried} {expected}");
    }
}

/// Stiction works with adaptive steps too, whose brake is over the length of the step.
#[test]
fn adaptive_steps_stick() {
    let (world, body) = on_floor(true, DVec3::X * 1e-3, 0.5 * MU);
    let control = Control { tolerance: 1e-7, smallest: Some(1e-7), largest: 1e-3, sequential: false };
    for integrator in [Integrator::Rkf45(control), Integrator::Rk23(control)] {
        let stiction = Some(Stiction { sliding: 0.5, turning: 0.5 });
        let setup = Setup::new(world.clone(), Granular { stiction, integrator, ..Granular::new(CREEPING) });
        let mut simulation = Simulation::new(setup).unwrap();
        (0..12).for_each(|_| advance(&mut simulation));
        let rest = state(&simulation, body).0.x;
        (0..24).for_each(|_| advance(&mut simulation));
        let moved = (state(&simulation, body).0.x - rest).abs() / 0.04;
        println!("{integrator:?}: moved {moved:.1e} of itself in 1 s, allowed 1e-6");
        assert!(moved < 1e-6, "{moved:e}");
    }
}

/// Friction cannot slow a body by more than μ g, so neither may stiction: a cube that slides at 1
/// m/s, and a ball that rolls at 1 m/s, are no bodies at rest. The cube is slowed at μ g; the ball
/// rolls on.
#[test]
fn stiction_does_not_stop_fast_bodies() {
    for (cube, law) in [(true, Law::HERTZ), (true, CREEPING), (false, Law::HERTZ)] {
        let (mut world, body) = on_floor(cube, DVec3::X, 0.0);
        if !cube {
            world.bodies.motion[0].spin = DVec3::new(0.0, 100.0, 0.0);
        }
        let mut simulation = sticking(world, law, 100.0);
        (0..2).for_each(|_| advance(&mut simulation));
        let lost = 1.0 - state(&simulation, body).1.velocity.x;
        let most = MU * G * simulation.time();
        println!("cube {cube}, {:?}: lost {lost:.4} m/s in {:.4} s, at most {most:.4}", law.shear, simulation.time());
        assert!(lost <= 1.01 * most, "lost {lost} m/s of 1 m/s, friction can take {most}");
    }
}
