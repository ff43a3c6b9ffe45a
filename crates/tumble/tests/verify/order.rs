//! The order of every integrator on smooth problems, from four halvings of the step; ± 0.15.
//!
//! Smooth means: contacts that do not begin or end. There the order of any method drops (Danby et
//! al. 2013).

use glam::DVec3;
use tumble::geometry::Surface;
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::{Material, MaterialId, Obstacle, Path, Pose, World, Wrench};
use tumble::{Setup, Simulation};

use crate::common::{add, advance, material, state, world_without_floor};

/// An integration method, made for a given step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Verlet,
    SymplecticEuler,
    Rkf45,
    Rk23,
    SequentialRkf45,
    SequentialRk23,
}

impl Method {
    fn with(self, step: f64) -> Integrator {
        let sequential = matches!(self, Self::SequentialRkf45 | Self::SequentialRk23);
        // Steps of one length, whatever their error.
        let control = Control { tolerance: f64::MAX, smallest: Some(step), largest: step, sequential };
        match self {
            Self::Verlet => Integrator::Verlet,
            Self::SymplecticEuler => Integrator::SymplecticEuler,
            Self::Rkf45 | Self::SequentialRkf45 => Integrator::Rkf45(control),
            Self::Rk23 | Self::SequentialRk23 => Integrator::Rk23(control),
        }
    }
}

/// Runs a world to `time` in this many steps.
fn run(world: World, method: Method, steps: f64, time: f64) -> Simulation {
    let step = time / steps;
    let setup = Setup {
        step: Some(step),
        fps: 1.0 / time,
        ..Setup::new(world, Granular { integrator: method.with(step), ..Granular::new(Law::LINEAR) })
    };
    let mut simulation = Simulation::new(setup).unwrap();
    advance(&mut simulation);
    assert_eq!(simulation.counts().steps, steps as u64);
    simulation
}

/// Fails unless the error falls with this power of the step.
#[track_caller]
fn check_order(what: &str, order: f64, error: impl Fn(f64) -> f64) {
    let errors = [25.0, 50.0, 100.0, 200.0].map(error);
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("{what}: order expected {order}, got {orders:.3?}, error in the end {:.1e}", errors[3]);
    let last = orders.last().unwrap();
    assert!((last - order).abs() < 0.15, "{what}: order {last} instead of {order}, errors {errors:?}");
}

/// v = v∞ + (v0 - v∞) e^{-c t}, x its integral. Kicks take the drag of the velocity before them, so
/// steps of fixed length are of first order where forces depend on velocity.
#[test]
fn free_fall_with_drag() {
    let (gravity, drag, time) = (DVec3::new(0.3, 0.0, -9.81), 1.7, 1.0);
    let (x0, v0) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(2.0, -1.0, 5.0));
    let last = gravity / drag;
    let velocity = last + (v0 - last) * f64::exp(-drag * time);
    let place = x0 + last * time + (v0 - last) / drag * (1.0 - f64::exp(-drag * time));
    for (method, order) in
        [(Method::Verlet, 1.0), (Method::SymplecticEuler, 1.0), (Method::Rkf45, 4.0), (Method::Rk23, 2.0)]
    {
        check_order(&format!("{method:?}, fall with drag"), order, |steps| {
            let stuff = Material { stiffness: 1e-3, ..material(1e-3, 0.3, 1.0) };
            let mut world = World { gravity, drag, ..world_without_floor(&stuff, &[1.0]) };
            let body = add(&mut world, 0, x0, v0, DVec3::ZERO);
            let (x, motion) = state(&run(world, method, steps, time), body);
            (x - place).length() + (motion.velocity - velocity).length()
        });
    }
}

/// Two balls of mass m squeezed between two walls, all springs of stiffness k; they swing against
/// each other at ω² = 3 k/m about their places, and together at ω² = k/m, and never let go. Returns
/// the error of places and velocities at `time`.
fn squeezed(method: Method, steps: f64) -> f64 {
    let stuff = Material { stiffness: 1.0, ..material(1.0, 0.3, 1.0) };
    let mut world = world_without_floor(&stuff, &[1.0]);
    let mass = world.shapes[0].volume;
    // Everything overlaps by 0.2 at rest.
    let wall = |z: f64, up: f64| {
        let orientation = glam::DQuat::from_rotation_arc(DVec3::Z, DVec3::new(0.0, 0.0, up));
        let pose = Pose { position: DVec3::new(0.0, 0.0, z), orientation };
        Obstacle::new("wall", MaterialId(0), Surface::Plane, Path::Fixed(pose))
    };
    world.obstacles = vec![wall(-1.7, 1.0), wall(1.7, -1.0)];
    let (apart, together) = (0.03, 0.02);
    let places = |apart: f64, together: f64| [-0.9 - apart + together, 0.9 + apart + together];
    let balls = places(apart, together).map(|z| add(&mut world, 0, DVec3::new(0.0, 0.0, z), DVec3::ZERO, DVec3::ZERO));
    // A run begins with the forces of the step before it.
    let force = |z: f64| Wrench { force: DVec3::new(0.0, 0.0, z), torque: DVec3::ZERO };
    world.bodies.wrench = vec![force(3.0 * apart - together), force(-3.0 * apart - together)];
    let (fast, slow) = ((3.0 / mass).sqrt(), (1.0 / mass).sqrt());
    let time = 3.0 / slow;
    let simulation = run(world, method, steps, time);
    let expected = places(apart * (fast * time).cos(), together * (slow * time).cos());
    let speeds = [fast * apart * (fast * time).sin(), -fast * apart * (fast * time).sin()]
        .map(|v| v - slow * together * (slow * time).sin());
    (0..2)
        .map(|k| {
            let (position, motion) = state(&simulation, balls[k]);
            (position.z - expected[k]).abs() + (motion.velocity.z - speeds[k]).abs() / slow
        })
        .sum()
}

/// Verlet 2, symplectic Euler 1, RKF45 4, RK23 2; one force after another, as Yee et al. apply
/// them, 1 whatever the method (erratum Y12: the forces of a stage are those of a state one step
/// ahead).
#[test]
fn a_lasting_linear_contact() {
    for (method, order) in [
        (Method::Verlet, 2.0),
        (Method::SymplecticEuler, 1.0),
        (Method::Rkf45, 4.0),
        (Method::Rk23, 2.0),
        (Method::SequentialRkf45, 1.0),
        (Method::SequentialRk23, 1.0),
    ] {
        check_order(&format!("{method:?}, linear contacts"), order, |steps| squeezed(method, steps));
    }
}

/// The sequential method damps an oscillation by e^{-h ω² t/2}, which its error estimate cannot see
/// (erratum Y12). Our first stage, which weighs 25/216, takes the forces that the last step left
/// and does not damp. One ball between two walls, ω² = 2 k/m; the next order is h ω = 5 % of the
/// logarithm.
#[test]
fn sequential_application_damps_as_predicted() {
    let stuff = Material { stiffness: 1.0, ..material(1.0, 0.3, 1.0) };
    let mut world = world_without_floor(&stuff, &[1.0]);
    let mass = world.shapes[0].volume;
    for (z, up) in [(-0.8, DVec3::Z), (0.8, -DVec3::Z)] {
        let orientation = glam::DQuat::from_rotation_arc(DVec3::Z, up);
        let pose = Pose { position: DVec3::new(0.0, 0.0, z), orientation };
        world.obstacles.push(Obstacle::new("wall", MaterialId(0), Surface::Plane, Path::Fixed(pose)));
    }
    let ball = add(&mut world, 0, DVec3::new(0.0, 0.0, 0.05), DVec3::ZERO, DVec3::ZERO);
    world.bodies.wrench[0].force.z = -0.1;
    let rate = (2.0 / mass).sqrt();
    let (time, steps) = (20.0 / rate, 400.0);
    let simulation = run(world, Method::SequentialRkf45, steps, time);
    let (position, motion) = state(&simulation, ball);
    let amplitude = position.z.hypot(motion.velocity.z / rate) / 0.05;
    let expected = (-(1.0 - 25.0 / 216.0) * 0.5 * time / steps * rate * rate * time).exp();
    crate::common::close("amplitude after 20 radians", amplitude, expected, 0.02);
}

/// A ball squeezed between two walls swings along them on its friction springs, without turning:
/// ω² = 2 k_t/m, k_t = 2/7 k. Verlet's springs follow in second order. Adaptive methods stretch
/// them once per step, when it is accepted, so that all of them are of first order here, and their
/// error estimate does not see it.
#[test]
fn a_lasting_friction_spring() {
    for (method, order) in
        [(Method::Verlet, 2.0), (Method::SymplecticEuler, 1.0), (Method::Rkf45, 1.0), (Method::Rk23, 1.0)]
    {
        check_order(&format!("{method:?}, friction springs"), order, |steps| {
            let stuff = Material { stiffness: 1.0, friction: 10.0, ..material(1.0, 0.3, 1.0) };
            let mut world = world_without_floor(&stuff, &[1.0]);
            let mass = world.shapes[0].volume;
            for (z, up) in [(-0.8, DVec3::Z), (0.8, -DVec3::Z)] {
                let pose = Pose {
                    position: DVec3::new(0.0, 0.0, z),
                    orientation: glam::DQuat::from_rotation_arc(DVec3::Z, up),
                };
                world.obstacles.push(Obstacle::new("wall", MaterialId(0), Surface::Plane, Path::Fixed(pose)));
            }
            let rate = (4.0 / 7.0 / mass).sqrt();
            let (speed, time) = (0.02, 2.0 / rate);
            let ball = add(&mut world, 0, DVec3::ZERO, DVec3::X * speed, DVec3::ZERO);
            let (position, motion) = state(&run(world, method, steps, time), ball);
            let (sin, cos) = (rate * time).sin_cos();
            (position.x - speed / rate * sin).abs() * rate + (motion.velocity.x - speed * cos).abs()
        });
    }
}
