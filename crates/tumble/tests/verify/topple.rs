//! Clumps that fall over and hit off centre, and spheres that cover an obstacle: motion in closed
//! form.

use glam::{DQuat, DVec3};
use tumble::geometry::Surface;
use tumble::granular::{Law, Rolling, Shear};
use tumble::world::{Material, MaterialId, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, ShapeSphere};
use tumble::{Setup, Simulation};

use crate::common::{advance, close, material, state, world_over_floor};

const G: f64 = 9.81;

/// Two rails of spheres of radius `r`, `length` long between the middles of the end spheres, along
/// z.
fn ladder(r: f64, length: f64) -> Shape {
    let rail = |y: f64| (0..9).map(move |k| DVec3::new(0.0, y, length * (k as f64 / 8.0 - 0.5)));
    Shape::clump("ladder", rail(-0.03).chain(rail(0.03)).map(|offset| ShapeSphere { offset, radius: r }).collect())
        .unwrap()
}

/// A ladder on end, tilted by ψ₀, falls over. It rolls on its lowest spheres (radius r), so with ρ
/// from their middle to its own and I its moment about y, energy gives ψ'² = 2 m g ρ (cos ψ₀ - cos
/// ψ)/(m (r² + 2 r ρ cos ψ + ρ²) + I), and the time is the integral of dψ/ψ'. To 45°, beyond which
/// it would slip; 0.5 %.
#[test]
fn a_ladder_falls_over() {
    let (radius, length, start, end) = (0.01, 0.2, 12f64.to_radians(), 45f64.to_radians());
    let shape = ladder(radius, length);
    let stuff = Material { restitution: 0.1, friction: 1.5, ..material(1e9, 0.3, 2500.0) };
    let mut world = world_over_floor(&stuff, &[radius]);
    world.gravity = DVec3::new(0.0, 0.0, -G);
    let rho = 0.5 * length;
    let tilt = DQuat::from_rotation_y(start);
    let position = tilt * DVec3::new(0.0, 0.0, rho) + radius * DVec3::Z;
    let pose = Pose { position, orientation: tilt * shape.axes };
    let axis = shape.axes.conjugate() * DVec3::Y;
    world.shapes = vec![shape.clone()];
    let body = world
        .add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() })
        .unwrap();
    let (mass, about) = (shape.volume, (axis * axis).dot(shape.moments));
    let rate = |psi: f64| {
        let inertia = mass * (radius * radius + 2.0 * radius * rho * psi.cos() + rho * rho) + about;
        (2.0 * mass * G * rho * (start.cos() - psi.cos()) / inertia).sqrt()
    };
    // With ψ = ψ₀ + u² the integrand 2u/ψ' has no pole.
    let (steps, last) = (20_000, (end - start).sqrt());
    let time: f64 = (0..steps)
        .map(|k| last * (k as f64 + 0.5) / steps as f64)
        .map(|u| 2.0 * u / rate(start + u * u) * last / steps as f64)
        .sum();
    let mut simulation = Simulation::new(Setup { fps: 1000.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
    let lean = |simulation: &Simulation| {
        let bodies = &simulation.world().bodies;
        let up = bodies.pose[bodies.row(body).unwrap()].orientation * (shape.axes.conjugate() * DVec3::Z);
        up.x.atan2(up.z)
    };
    let mut before = (0.0, start);
    while lean(&simulation) < end {
        before = (simulation.time(), lean(&simulation));
        advance(&mut simulation);
    }
    let share = (end - before.1) / (lean(&simulation) - before.1);
    close("time to 45°", before.0 + share * (simulation.time() - before.0), time, 5e-3);
    close("spin at 45°", state(&simulation, body).1.spin.y, rate(lean(&simulation)), 5e-3);
}

/// A rod hits the floor with one end at φ, smooth and elastic: at the lever d = (L/2) cos φ the
/// floor pushes with j = 2 v/(1/m + d²/I), so v' = -v + j/m and ω' = j d/I. (The rod of the physics
/// references, 3.1, with e = 1: how a dashpot damps a push off centre depends on the law.) The
/// contact moves a little while it lasts; 1 %.
#[test]
fn a_rod_hits_off_centre() {
    let (radius, length, speed) = (0.01, 0.3, 0.5);
    let shape = ladder(radius, length);
    for degrees in [20.0f64, 30.0, 60.0] {
        let phi = degrees.to_radians();
        let stuff = material(1e9, 0.3, 2500.0);
        let mut world = world_over_floor(&stuff, &[radius]);
        // Along z in its own frame, turned so that the end at +x is the lower one.
        let along = DVec3::new(-phi.cos(), 0.0, phi.sin());
        let turn = DQuat::from_rotation_arc(DVec3::Z, along);
        let axis = shape.axes.conjugate() * turn.conjugate() * DVec3::Y;
        let position = DVec3::new(0.0, 0.0, radius + 0.5 * length * phi.sin() + 1e-6);
        world.shapes = vec![shape.clone()];
        let pose = Pose { position, orientation: turn * shape.axes };
        let motion = Motion { velocity: DVec3::new(0.0, 0.0, -speed), spin: DVec3::ZERO };
        let body =
            world.add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion }).unwrap();
        let (mass, about) = (2500.0 * shape.volume, 2500.0 * (axis * axis).dot(shape.moments));
        let lever = 0.5 * length * phi.cos();
        let push = 2.0 * speed / (1.0 / mass + lever * lever / about);
        let mut simulation = Simulation::new(Setup { fps: 500.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
        (0..2).for_each(|_| advance(&mut simulation));
        let got = state(&simulation, body).1;
        close(&format!("rod at {degrees}°: velocity"), got.velocity.z, push / mass - speed, 1e-2);
        close(&format!("rod at {degrees}°: spin"), got.spin.y.abs(), push * lever / about, 1e-2);
    }
}

/// A shape with one sphere that is not in its middle, as an object may have: the floor pushes at
/// the lever d, j = 2 v/(1/m + d²/I), and it spins.
#[test]
fn a_lone_sphere_off_centre_turns_its_body() {
    let (radius, lever, speed) = (0.02, 0.01, 0.5);
    let mut world = world_over_floor(&material(1e8, 0.3, 1000.0), &[radius]);
    world.shapes[0].spheres[0].offset = DVec3::new(lever, 0.0, 0.0);
    world.shapes[0].bounding_radius = radius + lever;
    let inertia = 1000.0 * world.shapes[0].volume * DVec3::new(1.0, 0.4 * radius * radius, 0.0);
    let push = 2.0 * speed / (1.0 / inertia.x + lever * lever / inertia.y);
    let start = DVec3::new(0.0, 0.0, radius + 1e-6);
    let body = crate::common::add(&mut world, 0, start, DVec3::new(0.0, 0.0, -speed), DVec3::ZERO);
    let mut simulation = Simulation::new(Setup { fps: 200.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
    advance(&mut simulation);
    close("spin by a sphere off centre", -state(&simulation, body).1.spin.y, push * lever / inertia.y, 2e-2);
}

/// A ball hits a sphere that covers an obstacle: Hertz with 1/R* = 1/R₁ + 1/R₂ and the mass of the
/// ball alone. Deepest overlap (5 m v²/4k)^{2/5} to 0.1 %, restitution as asked to 0.5 %; and the
/// surface itself is not there.
#[test]
fn a_ball_bounces_off_a_covered_obstacle() {
    for restitution in [1.0, 0.6] {
        let (radius, cover, speed) = (0.02, 0.05, 0.7);
        let stuff = Material { restitution, friction: 0.3, ..material(1e8, 0.3, 1200.0) };
        let mut world = world_over_floor(&stuff, &[radius]);
        // Large enough to be hit first, if it were there.
        let mut block =
            Obstacle::new("block", MaterialId(1), Surface::Box(DVec3::splat(0.06)), Path::Fixed(Pose::IDENTITY));
        block.cover = vec![ShapeSphere { offset: DVec3::ZERO, radius: cover }];
        world.obstacles = vec![block];
        let mass = 1200.0 * world.shapes[0].volume;
        let k = 4.0 / 3.0 * 1e8 / (1.0 - 0.09) * (radius * cover / (radius + cover)).sqrt();
        let deepest = (1.25 * mass * speed * speed / k).powf(0.4);
        let step = 2.943_275_2 * deepest / speed / 500.0;
        let away = DVec3::new(0.6, 0.0, 0.8);
        let pose = Pose { position: (radius + cover + 0.5 * step * speed) * away, ..Pose::IDENTITY };
        let motion = Motion { velocity: -speed * away, spin: DVec3::ZERO };
        let ball =
            world.add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion }).unwrap();
        let setup = Setup { step: Some(step), fps: 0.2 / step, ..Setup::new(world, Law::HERTZ) };
        let mut simulation = Simulation::new(setup).unwrap();
        let mut overlap = 0.0f64;
        (0..200).for_each(|_| {
            advance(&mut simulation);
            overlap = overlap.max(radius + cover - state(&simulation, ball).0.length());
        });
        let velocity = state(&simulation, ball).1.velocity;
        close("covered obstacle: restitution", velocity.dot(away) / speed, restitution, 5e-3);
        assert!(velocity.cross(away).length() < 1e-9, "it flies back as it came: {velocity}");
        if restitution == 1.0 {
            close("covered obstacle: overlap", overlap, deepest, 1e-3);
        }
    }
}

/// A driven cover carries: a ball held in the seat of three spheres moves with them, and friction
/// sees their velocity.
#[test]
fn a_covered_obstacle_carries() {
    let radius = 0.02;
    let stuff = Material { restitution: 0.2, friction: 0.5, ..material(1e7, 0.3, 1200.0) };
    let mut world = world_over_floor(&stuff, &[radius]);
    world.gravity = DVec3::new(0.0, 0.0, -G);
    let belt = Motion { velocity: DVec3::new(0.1, 0.0, 0.0), spin: DVec3::ZERO };
    let mut seat =
        Obstacle::new("seat", MaterialId(1), Surface::Box(DVec3::splat(0.01)), Path::Constant(Pose::IDENTITY, belt));
    let corner = |k: f64| DQuat::from_rotation_z(k * std::f64::consts::TAU / 3.0) * DVec3::new(0.025, 0.0, 0.0);
    seat.cover = [0.0, 1.0, 2.0].map(|k| ShapeSphere { offset: corner(k), radius: 0.02 }).to_vec();
    world.obstacles = vec![seat];
    let height = (0.04f64.powi(2) - 0.025 * 0.025).sqrt();
    let ball = crate::common::add(&mut world, 0, DVec3::new(0.0, 0.0, height), belt.velocity, DVec3::ZERO);
    let law = Law { rolling: Rolling::Free, shear: Shear::Mindlin, ..Law::HERTZ };
    let mut simulation = Simulation::new(Setup { fps: 20.0, ..Setup::new(world, law) }).unwrap();
    (0..10).for_each(|_| advance(&mut simulation));
    let on_seat = |s: &Simulation| state(s, ball).0 - belt.velocity * s.time();
    let rest = on_seat(&simulation);
    (0..40).for_each(|_| advance(&mut simulation));
    let drift = (on_seat(&simulation) - rest).length() / (2.0 * radius);
    println!("carried by a covered obstacle: drift {drift:.1e} of a body in 2 s, allowed 1e-6");
    assert!(drift < 1e-6, "{drift:e}");
}
