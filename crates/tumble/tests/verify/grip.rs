//! Grips, by which directors lower and raise friction: bodies slide and hold as they should, and no
//! energy or momentum comes of it.

use glam::{DQuat, DVec3};
use tumble::granular::Law;
use tumble::rigid::Rigid;
use tumble::world::{Grip, Material, MaterialId, Motion, NewBody, Pose, Shape, ShapeId, ShapeSphere, World};
use tumble::{Setup, Simulation, Solver};

use crate::common::{add, advance, close, material, state, world_over_floor};

const G: f64 = 9.81;

fn stuff(friction: f64) -> Material {
    Material { restitution: 0.1, friction, rolling_friction: 0.0, stiffness: 1e5, ..material(1e7, 0.3, 1000.0) }
}

/// Speed of a flat box or of a plate of four balls, after a second on a slope with this tangent,
/// over that without friction \[-\].
fn slid(solver: Solver, tan: f64, grip: Grip) -> f64 {
    let is_rigid = matches!(solver, Solver::Rigid(_));
    let mut world = world_over_floor(&stuff(0.15), &[]);
    world.gravity = G * DVec3::new(tan, 0.0, -1.0).normalize();
    let (shape, height) = if is_rigid {
        (Shape::cuboid("box", DVec3::new(0.2, 0.2, 0.04)).unwrap(), 0.02)
    } else {
        let corners = [(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)];
        let ball = |(x, y)| ShapeSphere { offset: DVec3::new(x, y, 0.0), radius: 0.02 };
        (Shape::clump("plate", corners.map(ball).to_vec()).unwrap(), 0.02)
    };
    world.shapes = vec![shape];
    let pose = Pose { position: DVec3::new(0.0, 0.0, height), orientation: DQuat::IDENTITY };
    let new = NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() };
    let body = world.add(new).unwrap();
    world.set_grip(body, grip).unwrap();
    let mut simulation = Simulation::new(Setup { fps: 50.0, ..Setup::new(world, solver) }).unwrap();
    (0..50).for_each(|_| advance(&mut simulation));
    let (_, motion) = state(&simulation, body);
    motion.velocity.x / (G * tan / tan.hypot(1.0))
}

/// On a slope of tangent 0.6 with a friction of 0.15: usual, v = g t (sin - μ cos); slippery, v =
/// g t sin; firm with eight times the friction, it stays, and slides from 1.2 on.
#[test]
fn grips_lower_and_raise_friction() {
    let rigid = Solver::from(Rigid { sleeping: false, ..Rigid::DEFAULT });
    for (name, solver) in [("rigid", rigid), ("granular", Solver::from(Law::HERTZ))] {
        let slid = |tan, grip| slid(solver, tan, grip);
        close(&format!("{name}, usual"), slid(0.6, Grip::Usual), 0.75, 0.02);
        close(&format!("{name}, slippery"), slid(0.6, Grip::Slippery), 1.0, 0.02);
        assert!(slid(0.6, Grip::Firm).abs() < 0.01, "{name}, firm: {}", slid(0.6, Grip::Firm));
        assert!(slid(1.15, Grip::Firm).abs() < 0.02, "{name}, firm below its limit: {}", slid(1.15, Grip::Firm));
        close(&format!("{name}, firm above its limit"), slid(2.4, Grip::Firm), 0.5, 0.05);
    }
}

/// Ten bodies with all grips collide without gravity: momentum stays, energy never grows.
#[test]
fn grips_give_no_momentum_and_no_energy() {
    let mut world = World { gravity: DVec3::ZERO, obstacles: Vec::new(), ..world_over_floor(&stuff(0.5), &[]) };
    world.shapes = vec![Shape::cuboid("box", DVec3::new(0.1, 0.08, 0.06)).unwrap()];
    let grips = [Grip::Usual, Grip::Firm, Grip::Slippery];
    for k in 0..10 {
        let angle = 0.7 * f64::from(k);
        let out = DVec3::new(angle.cos(), angle.sin(), 0.3 * (2.0 * angle).sin());
        let body = add(&mut world, 0, (0.2 + 0.08 * f64::from(k)) * out, -1.5 * out, DVec3::new(3.0, -2.0, 1.0));
        world.set_grip(body, grips[k as usize % 3]).unwrap();
    }
    let momentum = |simulation: &Simulation| -> DVec3 {
        let bodies = &simulation.world().bodies;
        bodies.motion.iter().zip(&bodies.inertia).map(|(motion, inertia)| inertia.mass * motion.velocity).sum()
    };
    let mut simulation = Simulation::new(Setup { fps: 60.0, ..Setup::new(world, Rigid::DEFAULT) }).unwrap();
    let (start, mut energy, first) = (momentum(&simulation), f64::INFINITY, simulation.measure().kinetic_energy);
    for _ in 0..120 {
        let report = simulation.advance();
        assert!(report.kinetic_energy < energy * (1.0 + 1e-6), "{} after {energy}", report.kinetic_energy);
        energy = report.kinetic_energy;
    }
    assert!(energy < 0.9 * first, "they collide: {energy} of {first}");
    assert!((momentum(&simulation) - start).length() < 1e-5 * start.length().max(1.0), "{}", momentum(&simulation));
}
