//! Rotation: Euler's equations, angular momentum and energy, the order of every integrator on them,
//! and the heavy top.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use tumble::geometry::Surface;
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::{
    Clump, Inertia, Material, MaterialId, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, ShapeSphere,
};
use tumble::{Setup, Simulation, measure};

use crate::common::{add, advance, close, material, world_without_floor};

/// Moments 1, 2, 3 and spin (0.5, 1, 0.3): after four seconds the spin in the body's axes is this
/// (physics references, 3.2).
const AT_FOUR: DVec3 = DVec3::new(-0.083_079_406_904_796, 1.114_942_963_630_138_7, 0.094_696_335_465_271);

/// A free body with these moments of inertia and this spin, in frames of `frame` with steps of
/// `step`.
fn free_body(moments: DVec3, spin: DVec3, integrator: Integrator, step: f64, frame: f64) -> Simulation {
    // So soft that nothing but the accuracy of the rotation limits the step.
    let mut world = world_without_floor(&material(1e-6, 0.3, 1.0), &[1.0]);
    add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, spin);
    world.bodies.inertia[0] = Inertia { mass: 1.0, moments };
    let setup = Setup {
        step: Some(step),
        fps: 1.0 / frame,
        ..Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) })
    };
    Simulation::new(setup).unwrap()
}

/// An adaptive method that takes steps of this length whatever their error.
fn fixed(step: f64) -> Control {
    Control { tolerance: f64::MAX, smallest: Some(step), largest: step, sequential: false }
}

fn spin_in_body(simulation: &Simulation) -> DVec3 {
    let bodies = &simulation.world().bodies;
    bodies.pose[0].orientation.conjugate() * bodies.motion[0].spin
}

fn momentum(simulation: &Simulation) -> DVec3 {
    let bodies = &simulation.world().bodies;
    bodies.inertia[0].momentum(bodies.pose[0].orientation, bodies.motion[0].spin)
}

/// I₁ω̇₁ = (I₂-I₃)ω₂ω₃ and so on, to t = 4 in 64 … 1024 steps: the spin converges to the reference
/// with order 2 for kicks and drifts (both kinds: without forces they are the same symplectic
/// splitting), 4 for RKF45 and 2 for RK23; ± 0.15.
#[test]
fn eulers_equations_converge_with_the_order_of_the_method() {
    type Choice = fn(f64) -> Integrator;
    let methods: [(&str, f64, Choice); 4] = [
        ("Verlet", 2.0, |_| Integrator::Verlet),
        ("symplectic Euler", 2.0, |_| Integrator::SymplecticEuler),
        ("RKF45", 4.0, |h| Integrator::Rkf45(fixed(h))),
        ("RK23", 2.0, |h| Integrator::Rk23(fixed(h))),
    ];
    for (name, order, method) in methods {
        let error = |steps: f64| {
            let step = 4.0 / steps;
            let moments = DVec3::new(1.0, 2.0, 3.0);
            let mut body = free_body(moments, DVec3::new(0.5, 1.0, 0.3), method(step), step, 4.0);
            advance(&mut body);
            assert_eq!(body.counts().steps, steps as u64);
            (spin_in_body(&body) - AT_FOUR).length()
        };
        let errors = [64.0, 128.0, 256.0, 512.0, 1024.0].map(error);
        for pair in errors.windows(2) {
            let got = (pair[0] / pair[1]).log2();
            println!("{name}: error {:.1e} to {:.1e}, order expected {order}, got {got:.3}", pair[0], pair[1]);
            assert!(got > order - 0.15, "{name}: order {got} instead of {order}");
        }
        // In world axes the terms of fourth and fifth order are of opposite sign, so that RKF45
        // comes down to its order from above.
        let last = (errors[3] / errors[4]).log2();
        assert!((last - order).abs() < 0.15, "{name}: order {last} instead of {order}");
        let allowed = if order == 4.0 { 1e-12 } else { 5e-6 };
        assert!(errors[4] < allowed, "{name}: {:e} off after 1024 steps", errors[4]);
    }
}

/// Ten thousand steps of a body with three different moments, tumbling about its middle axis:
/// |ΔL|/L < 1e-10, and the error of the energy stays within its first swing, as that of a
/// symplectic method does: no drift.
#[test]
fn angular_momentum_stays_and_energy_swings() {
    let moments = DVec3::new(1.0, 2.0, 3.0);
    let mut body = free_body(moments, DVec3::new(0.01, 1.0, 0.02), Integrator::Verlet, 0.05, 0.5);
    let (start, energy) = (momentum(&body), measure::kinetic_energy(body.world()));
    let (mut worst, mut swings) = (0.0f64, [0.0f64; 2]);
    for frame in 0..1000 {
        advance(&mut body);
        worst = worst.max((momentum(&body) - start).length() / start.length());
        let swing = &mut swings[usize::from(frame >= 500)];
        *swing = swing.max((measure::kinetic_energy(body.world()) / energy - 1.0).abs());
    }
    assert_eq!(body.counts().steps, 10_000);
    println!("10⁴ steps: |ΔL|/L expected 0, got {worst:.1e}, allowed 1e-10; energy swings {swings:?}");
    assert!(worst < 1e-10, "{worst:e}");
    // (ω h)²/12 = 2e-4.
    assert!(swings[0] < 1e-3 && swings[1] < 1.05 * swings[0], "{swings:?}");
}

/// I₁ = I₂: in the body's axes the spin turns about the third at (I₃-I₁)/I₁ ω₃, and ω₃ stays.
#[test]
fn a_symmetric_top_precesses() {
    for (third, name) in [(1.6, "flat"), (0.4, "long")] {
        let spin = DVec3::new(0.3, 0.0, 2.0);
        let step = 1e-3;
        for integrator in [Integrator::Verlet, Integrator::Rkf45(fixed(step)), Integrator::Rk23(fixed(step))] {
            let mut top = free_body(DVec3::new(1.0, 1.0, third), spin, integrator, step, 1.0);
            advance(&mut top);
            let (rate, got) = ((third - 1.0) * spin.z, spin_in_body(&top));
            close(&format!("{name} top: precession, {integrator:?}"), got.y.atan2(got.x), rate, 1e-5);
            close(&format!("{name} top: spin about its axis"), got.z, spin.z, 1e-6);
        }
    }
}

/// A clump turns as the moments of its shape say: a rod of three spheres spun about any axis across
/// it keeps its spin, up to the error of the splitting, which falls with the square of the step; a
/// cube of eight is as round as a ball.
#[test]
fn clumps_turn_by_their_moments() {
    let sphere = |x: f64| ShapeSphere { offset: DVec3::new(x, 0.3 * x, -0.2 * x), radius: 0.1 };
    let rod = Shape::clump("rod", vec![sphere(-0.3), sphere(0.0), sphere(0.3)]).unwrap();
    let cube = Shape::named_clump("cube", Clump::Cube, 0.1, 0.1).unwrap();
    let across = DVec3::new(1.0, 0.3, -0.2).normalize().any_orthonormal_vector();
    let off = |shape: &Shape, given: DVec3, step: f64| {
        let mut world = world_without_floor(&material(1.0, 0.3, 1000.0), &[1.0]);
        let spin = shape.axes.conjugate() * given;
        world.shapes = vec![shape.clone()];
        add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, spin);
        let setup = Setup { step: Some(step), fps: 1.0, ..Setup::new(world, Law::HERTZ) };
        let mut simulation = Simulation::new(setup).unwrap();
        (0..2).for_each(|_| advance(&mut simulation));
        (simulation.world().bodies.motion[0].spin - spin).length() / spin.length()
    };
    let errors = [4e-3, 2e-3, 1e-3].map(|step| off(&rod, 3.0 * across, step));
    let round = off(&cube, DVec3::new(1.0, -2.0, 0.7), 4e-3);
    println!("spin across a rod off by {errors:?} after 2 s; of a cube by {round:.1e}, allowed 1e-12");
    assert!(errors[2] < 1e-4, "{errors:?}");
    assert!((errors[0] / errors[1] - 4.0).abs() < 0.4 && (errors[1] / errors[2] - 4.0).abs() < 0.4, "{errors:?}");
    assert!(round < 1e-12, "the spin of a cube changed by {round:e}");
}

/// A free clump of three spheres that are not in a line, by methods that choose their steps with
/// the tolerance that scenes have by default, a tenth of a radius per second: energy and angular
/// momentum stay for two seconds, to 2e-6 of them per radian, and no method needs a smaller step.
#[test]
fn adaptive_steps_see_rotation() {
    let sphere = |x: f64, y: f64| ShapeSphere { offset: DVec3::new(x, y, 0.0), radius: 0.01 };
    let shape = Shape::clump("three", vec![sphere(0.0, 0.0), sphere(0.02, 0.0), sphere(0.0, 0.03)]).unwrap();
    let control = Control { tolerance: 1e-3, smallest: None, largest: 0.1, sequential: false };
    for integrator in [Integrator::Rkf45(control), Integrator::Rk23(control)] {
        for degrees in [360f64, 1080.0, 2000.0, 5000.0] {
            let mut world = world_without_floor(&material(1e7, 0.3, 2500.0), &[0.01]);
            world.gravity = DVec3::new(0.0, 0.0, -9.81);
            world.shapes = vec![shape.clone()];
            let spin = degrees.to_radians() * DVec3::new(0.5, 1.0, 0.3).normalize();
            add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, spin);
            let setup = Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) });
            let mut body = Simulation::new(setup).unwrap();
            let turning = |body: &Simulation| 0.5 * momentum(body).dot(body.world().bodies.motion[0].spin);
            let (energy, start) = (turning(&body), momentum(&body));
            (0..48).for_each(|_| advance(&mut body));
            let energy = turning(&body) / energy - 1.0;
            let off = (momentum(&body) - start).length() / start.length();
            let allowed = 2e-6 * degrees.to_radians() * 2.0;
            let steps = body.counts().steps;
            println!(
                "{degrees} °/s: energy off by {energy:.1e}, momentum by {off:.1e}, allowed {allowed:.1e}; {steps} steps"
            );
            assert!(energy.abs() < allowed && off < allowed, "{integrator:?} at {degrees} °/s: {energy:e}, {off:e}");
        }
    }
}

/// The orientation of a ball that spins in free flight is right too: its surface is where it should
/// be, within the tolerance.
#[test]
fn adaptive_steps_turn_balls_right() {
    let (radius, spin, tolerance) = (0.01, DVec3::new(30.0, -40.0, 20.0), 1e-5);
    let control = Control { tolerance, smallest: None, largest: 0.1, sequential: false };
    for integrator in [Integrator::Rkf45(control), Integrator::Rk23(control)] {
        let mut world = world_without_floor(&material(1e7, 0.3, 2500.0), &[radius]);
        add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, spin);
        let setup = Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) });
        let mut ball = Simulation::new(setup).unwrap();
        (0..24).for_each(|_| advance(&mut ball));
        let turned = ball.world().bodies.pose[0].orientation;
        let off = 2.0 * (turned * DQuat::from_scaled_axis(-spin)).xyz().length() * radius;
        println!("surface of a spinning ball off by {off:.1e} m after a second, allowed {tolerance:e}");
        assert!(off < tolerance, "{integrator:?}: {off:e} m");
    }
}

/// A heavy top: a smooth ball, l below the middle of a body of mass M, sits in the seat of three
/// spheres and is its fixed point. Steady precession at θ needs I₁ Ω² cos θ - I₃ ω₃ Ω + M g l = 0,
/// I₁ about the ball: the slow root, 0.5 % (the fast one would throw the ball out of its seat). The
/// numbers are ours: the I₁ of the physics references, 0.002 kg m², is less than M l².
#[test]
fn a_heavy_top_precesses() {
    let (mass, l, g) = (1.0, 0.05, 9.81);
    let (across, about) = (0.001, 0.0008);
    let (tilt, spin) = (30f64.to_radians(), 150.0);
    let (a, b, c) = ((across + mass * l * l) * tilt.cos(), about * spin, mass * g * l);
    let rate = (b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    // Dense, so that the step is chosen for a body of about the mass that it is given.
    let stuff = Material { restitution: 0.2, ..material(1e8, 0.3, 2e5) };
    let mut world = world_without_floor(&stuff, &[0.01]);
    world.gravity = DVec3::new(0.0, 0.0, -g);
    let ends = [-l, l].map(|z| ShapeSphere { offset: DVec3::new(0.0, 0.0, z), radius: 0.01 });
    world.shapes = vec![Shape::clump("top", ends.to_vec()).unwrap()];
    let mut seat = Obstacle::new("seat", MaterialId(1), Surface::Plane, Path::Fixed(Pose::IDENTITY));
    let corner = |k: f64| DQuat::from_rotation_z(k * TAU / 3.0) * DVec3::new(0.02, 0.0, 0.0);
    seat.cover = [0.0, 1.0, 2.0].map(|k| ShapeSphere { offset: corner(k), radius: 0.02 }).to_vec();
    world.obstacles = vec![seat];
    // The spheres of a clump are in its principal axes, of which the long one may be any.
    let long = world.shapes[0].spheres[1].offset.normalize();
    let axis = DVec3::new(tilt.sin(), 0.0, tilt.cos());
    let pivot = DVec3::new(0.0, 0.0, (0.03f64.powi(2) - 0.02f64.powi(2)).sqrt());
    let turn = DQuat::from_rotation_y(tilt) * DQuat::from_rotation_arc(long, DVec3::Z);
    let motion = Motion {
        velocity: (rate * DVec3::Z).cross(l * axis),
        spin: rate * DVec3::Z + (spin - rate * tilt.cos()) * axis,
    };
    let pose = Pose { position: pivot + l * axis, orientation: turn };
    world.add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion }).unwrap();
    let moments = DVec3::splat(across) + (about - across) * long * long;
    world.bodies.inertia[0] = Inertia { mass, moments };
    let time = 2.0 / rate;
    let setup = Setup { step: Some(1.2e-5), fps: 1.0 / time, ..Setup::new(world, Law::HERTZ) };
    let mut simulation = Simulation::new(setup).unwrap();
    advance(&mut simulation);
    let axis = simulation.world().bodies.pose[0].orientation * long;
    close("precession of a heavy top", axis.y.atan2(axis.x) / time, rate, 5e-3);
    close("tilt of a heavy top", axis.z.acos(), tilt, 5e-3);
}
