//! Bodies on a slope: rolling resistance, holding, creeping, sliding and tipping.

use glam::{DQuat, DVec3};
use tumble::granular::{Law, Rolling, Shear};
use tumble::world::{BodyId, Clump, Material, MaterialId, Motion, NewBody, Pose, Shape, ShapeId, World};
use tumble::{Setup, Simulation};

use crate::common::{advance, close, material, state, world_over_floor};

const G: f64 = 9.81;

/// Soft enough for ten seconds to be few steps.
fn stuff(friction: f64, rolling_friction: f64) -> Material {
    Material { restitution: 0.3, friction, rolling_friction, stiffness: 1e4, ..material(1e7, 0.3, 2500.0) }
}

/// A body over a floor that is tilted about y by `tan`, at height `z`; x points downhill.
fn on_slope(shape: Shape, turn: DQuat, z: f64, tan: f64, stuff: &Material) -> (World, BodyId) {
    let mut world = world_over_floor(stuff, &[0.01]);
    // Pull along x over pull along z is the slope.
    world.gravity = G * DVec3::new(tan, 0.0, -1.0).normalize();
    let orientation = turn * shape.axes;
    world.shapes = vec![shape];
    let pose = Pose { position: DVec3::new(0.0, 0.0, z), orientation };
    let body = world
        .add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() })
        .unwrap();
    (world, body)
}

fn ball(tan: f64, stuff: &Material) -> (World, BodyId) {
    on_slope(Shape::ball("ball", 0.01).unwrap(), DQuat::IDENTITY, 0.01, tan, stuff)
}

/// A cube of eight spheres of radius 1 cm, standing on four.
fn cube(tan: f64, stuff: &Material) -> (World, BodyId) {
    on_slope(Shape::named_clump("cube", Clump::Cube, 0.01, 0.0).unwrap(), DQuat::IDENTITY, 0.02, tan, stuff)
}

/// A tetrahedron of four spheres of radius 1 cm, standing on three, an edge of its foot across the
/// slope on the lower side.
fn tetrahedron(tan: f64, stuff: &Material) -> (World, BodyId) {
    let shape = Shape::named_clump("tetrahedron", Clump::Tetrahedron, 0.01, 0.0).unwrap();
    // One corner up, another uphill.
    let corner = |k: usize| (shape.axes * shape.spheres[k].offset).normalize();
    let up = DQuat::from_rotation_arc(corner(0), DVec3::Z);
    let second = up * corner(1);
    let turn = DQuat::from_rotation_z(std::f64::consts::PI - second.y.atan2(second.x)) * up;
    let foot = 0.02 * 6f64.sqrt() / 12.0;
    on_slope(shape, turn, foot + 0.01, tan, stuff)
}

fn simulation(world: World, law: Law, fps: f64) -> Simulation {
    Simulation::new(Setup { fps, ..Setup::new(world, law) }).unwrap()
}

/// How far a body moves in ten seconds, after one to settle, over `size` \[-\].
fn drift((world, body): (World, BodyId), law: Law, size: f64) -> f64 {
    let mut simulation = simulation(world, law, 10.0);
    (0..10).for_each(|_| advance(&mut simulation));
    let rest = state(&simulation, body).0;
    (0..100).for_each(|_| advance(&mut simulation));
    (state(&simulation, body).0 - rest).length() / size
}

/// A ball with rolling resistance μ_r stays where tan θ < μ_r, for good: it drifts by less than
/// 1e-6 of itself in ten seconds. Above it rolls at a = (5/7) g (sin θ - μ_r cos θ); on the level
/// it is slowed by (5/7) μ_r g. Both forms; 1 %. A torque of constant size overshoots rest in every
/// step, by up to (5/2) μ_r g h in speed, and lets the ball creep at less than that.
#[test]
fn rolling_resistance_holds_up_to_its_coefficient() {
    let stuff = stuff(0.8, 0.1);
    for rolling in [Rolling::Constant, Rolling::Spring] {
        let law = Law { rolling, ..Law::HERTZ };
        let creep = 10.0 * 2.5 * 0.1 * G * simulation(ball(0.0, &stuff).0, law, 10.0).step_length() / 0.02;
        let allowed = if rolling == Rolling::Spring { 1e-6 } else { creep };
        for share in [0.5, 0.97] {
            let got = drift(ball(share * 0.1, &stuff), law, 0.02);
            println!("{rolling:?}: tan θ = {share} μ_r: drift expected 0, got {got:.1e}, allowed {allowed:.1e}");
            assert!(got < allowed, "{rolling:?} at {share}: {got:e}");
        }
        for share in [1.03, 2.0] {
            let (world, body) = ball(share * 0.1, &stuff);
            let angle = (share * 0.1f64).atan();
            let mut simulation = simulation(world, law, 10.0);
            (0..3).for_each(|_| advance(&mut simulation));
            let before = state(&simulation, body).1.velocity.x;
            (0..10).for_each(|_| advance(&mut simulation));
            let expected = 5.0 / 7.0 * G * (angle.sin() - 0.1 * angle.cos());
            let got = state(&simulation, body).1.velocity.x - before;
            close(&format!("{rolling:?}: acceleration at tan θ = {share} μ_r"), got, expected, 1e-2);
        }
        let (mut world, body) = ball(0.0, &stuff);
        world.bodies.motion[0] = Motion { velocity: DVec3::X, spin: DVec3::new(0.0, 100.0, 0.0) };
        let mut simulation = simulation(world, law, 10.0);
        advance(&mut simulation);
        let before = state(&simulation, body).1.velocity.x;
        (0..5).for_each(|_| advance(&mut simulation));
        let got = (before - state(&simulation, body).1.velocity.x) / 0.5;
        close(&format!("{rolling:?}: slowing on the level"), got, 5.0 / 7.0 * 0.1 * G, 1e-2);
        // It stops after 1/(5/7 μ_r g) = 1.4 s and stays.
        (0..15).for_each(|_| advance(&mut simulation));
        let stopped = state(&simulation, body).0;
        (0..100).for_each(|_| advance(&mut simulation));
        let moved = (state(&simulation, body).0 - stopped).length() / 0.02;
        println!("{rolling:?}: after stopping, drift expected 0, got {moved:.1e}, allowed {allowed:.1e}");
        assert!(moved < allowed, "{rolling:?}: {moved:e}");
    }
}

/// A round body with I = κ m R² rolls without slip iff μ ≥ tan θ κ/(1+κ), at g sin θ/(1+κ); else it
/// slides at g (sin θ - μ cos θ). Hollow sphere, cylinder and hoop, 2 % on either side of the
/// threshold; 1 %.
#[test]
fn hollow_bodies_roll_slower() {
    let tan = 0.5f64;
    for kappa in [2.0 / 3.0, 0.5, 1.0] {
        let threshold = tan * kappa / (1.0 + kappa);
        for share in [0.5, 0.98, 1.02, 2.0] {
            let mu = share * threshold;
            let (mut world, body) = ball(tan, &stuff(mu, 0.0));
            world.bodies.inertia[0].moments = DVec3::splat(kappa * world.bodies.inertia[0].mass * 1e-4);
            let mut simulation = simulation(world, Law::HERTZ, 20.0);
            (0..2).for_each(|_| advance(&mut simulation));
            let before = state(&simulation, body).1.velocity.x;
            (0..5).for_each(|_| advance(&mut simulation));
            let (sin, cos) = tan.atan().sin_cos();
            let expected = if share > 1.0 { G * sin / (1.0 + kappa) } else { G * (sin - mu * cos) };
            let got = (state(&simulation, body).1.velocity.x - before) / 0.25;
            close(&format!("κ = {kappa:.2}, μ = {share} of threshold: acceleration"), got, expected, 1e-2);
        }
    }
}

/// Friction that only opposes motion cannot hold: with contacts of viscosity k_t each, a body
/// creeps at v = m g sin θ/Σ k_t (Bell et al. eq. 16, 18; the cube stands on four spheres, the
/// tetrahedron on three). 1 %.
#[test]
fn viscous_friction_creeps() {
    let stuff = stuff(0.6, 0.0);
    for (name, (world, body), feet) in
        [("cube", cube(0.15, &stuff), 4.0), ("tetrahedron", tetrahedron(0.15, &stuff), 3.0)]
    {
        let weight = world.bodies.inertia[0].mass * G * 0.15f64.atan().sin();
        for shear in [Shear::Viscous { viscosity: 20.0 }, Shear::Combined { viscosity: 20.0 }] {
            let law = Law { shear, rolling: Rolling::Free, ..Law::HERTZ };
            let mut simulation = simulation(world.clone(), law, 2.0);
            advance(&mut simulation);
            let from = state(&simulation, body).0.x;
            (0..4).for_each(|_| advance(&mut simulation));
            let got = (state(&simulation, body).0.x - from) / 2.0;
            close(&format!("{name}, {shear:?}: creep"), got, weight / (feet * 20.0), 1e-2);
        }
    }
}

/// Friction with memory holds: a cube and a tetrahedron below tan θ = μ drift by less than 1e-6 of
/// themselves in ten seconds under every law with a spring. (They would tip at tan θ = 0.5 and
/// 0.41.)
#[test]
fn springs_with_memory_hold() {
    let stuff = stuff(0.35, 0.0);
    let spring = |damping: f64| Shear::Spring { stiffness: None, damping };
    for law in [
        Law::HERTZ,
        Law::LINEAR,
        Law { shear: spring(1.0), ..Law::HERTZ },
        Law { shear: Shear::Spring { stiffness: Some(2e3), damping: 1.0 }, ..Law::LINEAR },
        Law { shear: Shear::Saturating { damping_time: 1e-4 }, ..Law::HERTZ },
        Law::DAMPED,
        Law::STATIC,
    ] {
        for (name, body) in [("cube", cube(0.25, &stuff)), ("tetrahedron", tetrahedron(0.25, &stuff))] {
            let got = drift(body, law, 0.04);
            println!("{name}, {:?}: drift expected 0, got {got:.1e} of a body in 10 s, allowed 1e-6", law.shear);
            assert!(got < 1e-6, "{name}, {law:?}: drift {got:e}");
        }
    }
}

/// A block slides at tan θ = μ: 3 % below it stays, 3 % above it slides at g (sin θ - μ cos θ), to
/// 5 % of that small rest.
#[test]
fn a_block_slides_at_its_angle_of_friction() {
    let mu = 0.3;
    let stuff = stuff(mu, 0.0);
    for law in [Law::HERTZ, Law::LINEAR, Law { shear: Shear::Saturating { damping_time: 1e-4 }, ..Law::HERTZ }] {
        let got = drift(cube(0.97 * mu, &stuff), law, 0.04);
        assert!(got < 1e-6, "{law:?} at 0.97 μ: drift {got:e}");
        for share in [1.03, 1.3] {
            let (world, body) = cube(share * mu, &stuff);
            let angle = (share * mu).atan();
            let mut simulation = simulation(world, law, 10.0);
            (0..2).for_each(|_| advance(&mut simulation));
            let before = state(&simulation, body).1.velocity.x;
            (0..5).for_each(|_| advance(&mut simulation));
            let got = (state(&simulation, body).1.velocity.x - before) / 0.5;
            let expected = G * (angle.sin() - mu * angle.cos());
            close(&format!("{:?}: sliding at tan θ = {share} μ", law.shear), got, expected, 5e-2);
        }
    }
}

/// A block tips at tan θ = b/h: the feet of the cube are b = 2 r apart and its middle is 2 r high,
/// so it tips at 1/2; the tetrahedron has its edge r/√3 before its middle, which is r (1 + 1/√6)
/// high. 3 % below they stand, 3 % above they tip.
#[test]
fn blocks_tip_at_their_angle() {
    let stuff = Material { youngs_modulus: 1e8, ..stuff(0.9, 0.0) };
    type Place = fn(f64, &Material) -> (World, BodyId);
    for (name, place, limit) in [
        ("cube", cube as Place, 0.5),
        ("tetrahedron", tetrahedron as Place, 1.0 / 3f64.sqrt() / (1.0 + 1.0 / 6f64.sqrt())),
    ] {
        for (share, tips) in [(0.97, false), (1.03, true)] {
            let (world, body) = place(share * limit, &stuff);
            let start = world.bodies.pose[0].orientation;
            let mut simulation = simulation(world, Law::HERTZ, 10.0);
            (0..20).for_each(|_| advance(&mut simulation));
            let bodies = &simulation.world().bodies;
            let turned = bodies.pose[bodies.row(body).unwrap()].orientation.angle_between(start);
            println!("{name} at {share} of its angle: turned by {turned:.2e}");
            assert_eq!(turned > 0.3, tips, "{name} at {share} of its angle turned by {turned}");
            assert!(tips || turned < 0.02, "{name} at {share} of its angle turned by {turned}");
        }
    }
}

/// MercuryDPM's `OSMindlinSelfTest`: a steel ball of 1 mm under gravity (5, 0, -5) with μ = 0.2
/// slides for 5 ms; published v_x = 0.0200031, ω = 12.49832 (closed form 0.02 and 12.5). 0.5 %.
#[test]
fn self_test_of_mercury_dpm() {
    let steel = Material { restitution: 0.6, friction: 0.2, ..material(2.1e11, 0.2, 7200.0) };
    let mut world = world_over_floor(&steel, &[1e-3]);
    world.gravity = DVec3::new(5.0, 0.0, -5.0);
    let mass = 7200.0 * world.shapes[0].volume;
    let depth = (mass * 5.0 / (4.0 / 3.0 * 2.1e11 / (1.0 - 0.04) * 1e-3f64.sqrt())).powf(2.0 / 3.0);
    let body = crate::common::add(&mut world, 0, DVec3::new(0.0, 0.0, 1e-3 - depth), DVec3::ZERO, DVec3::ZERO);
    let mut simulation = simulation(world, Law::HERTZ, 200.0);
    advance(&mut simulation);
    let motion = state(&simulation, body).1;
    close("self test: v_x", motion.velocity.x, 0.0200031, 5e-3);
    close("self test: spin", motion.spin.y, 12.49832, 5e-3);
}

/// The default step is stable for viscous friction too: a grain of 1 mm on a slope of 0.1 creeps at
/// m g sin θ/k_t under the law `BASIC`. (Its surface answers with 2/7 of its mass, so the step must
/// stay below (4/7) m/k_t.) It rolls as well, so its surface creeps: v - R ω.
#[test]
fn viscous_friction_is_stable_at_the_default_step() {
    let stuff = Material { youngs_modulus: 1e6, ..stuff(0.6, 0.0) };
    let (world, body) = on_slope(Shape::ball("grain", 1e-3).unwrap(), DQuat::IDENTITY, 1e-3, 0.1, &stuff);
    let mass = world.bodies.inertia[0].mass;
    let mut simulation = simulation(world, Law::BASIC, 100.0);
    println!("step {:e} s, stable below {:e} s", simulation.step_length(), 4.0 / 7.0 * mass);
    (0..10).for_each(|_| advance(&mut simulation));
    let motion = state(&simulation, body).1;
    // It rolls at 5/7 g sin θ, for which friction gives 2/7 m g sin θ.
    let slip = motion.velocity.x - 1e-3 * motion.spin.y;
    close("slip of a rolling grain", slip, 2.0 / 7.0 * mass * G * 0.1f64.atan().sin(), 1e-2);
}
