//! Joints against closed forms: pendulum, top, slider, and their breaking strength.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use tumble::Simulation;
use tumble::world::{
    BodyId, End, FREE, Inertia, JointKind, JointProblem, MaterialId, Motion, NewJoint, Obstacle, ObstacleId, Path,
    Pose, Strength, World,
};

use super::{G, add, block, by_default, motion, pose, put, stepping, world};
use crate::common::{advance, close};

const HINGE: JointKind = JointKind::Hinge { turn: FREE };
const BALL: JointKind = JointKind::Ball { swing: f64::INFINITY };
const NAIL: JointKind = JointKind::Slider { travel: [0.0; 2], turn: FREE };

fn joint(body: BodyId, to: End, kind: JointKind) -> NewJoint {
    NewJoint { body, to, kind, strength: Strength::ENDLESS, collide: false }
}

/// A world with nothing but this shape and gravity.
fn in_the_air(shape: tumble::world::Shape) -> World {
    let mut world = world(vec![shape], 0.5, 0.0);
    world.obstacles.clear();
    world
}

fn kinetic(simulation: &Simulation) -> f64 {
    tumble::measure::kinetic_energy(simulation.world())
}

/// Linear and angular momentum about the origin.
fn momentum(simulation: &Simulation) -> (DVec3, DVec3) {
    let bodies = &simulation.world().bodies;
    let mut sum = (DVec3::ZERO, DVec3::ZERO);
    for row in 0..bodies.len() {
        let (pose, motion, inertia) = (&bodies.pose[row], &bodies.motion[row], &bodies.inertia[row]);
        let linear = inertia.mass * motion.velocity;
        sum.0 += linear;
        sum.1 += pose.position.cross(linear) + inertia.momentum(pose.orientation, motion.spin);
    }
    sum
}

/// A rod on a hinge at its end swings with T = 2π √(2k²/gL) (1 + θ²/16), k² = L²/3 + w²/12 with its
/// width w.
#[test]
fn a_pendulum_swings() {
    let (length, width, amplitude) = (0.5f64, 0.02f64, 0.1f64);
    for (kind, step) in [HINGE, NAIL, BALL].into_iter().flat_map(|kind| [(kind, Some(1.0 / 240.0)), (kind, None)]) {
        let mut world = in_the_air(block(width, width, length));
        let turn = DQuat::from_rotation_y(amplitude);
        let rod = add(&mut world, 0, turn * (-0.5 * length * DVec3::Z), turn, Motion::default());
        world.join(joint(rod, End::World, kind), Pose::along(DVec3::ZERO, DVec3::Y)).unwrap();
        let mut simulation = stepping(world, step);
        let arm = length.powi(2) / 3.0 + width.powi(2) / 12.0;
        let expected = TAU * (2.0 * arm / (G * length)).sqrt() * (1.0 + amplitude * amplitude / 16.0);
        let (mut crossings, mut before) = (Vec::new(), -1.0);
        let mut farthest: f64 = 0.0;
        while crossings.len() < 21 {
            advance(&mut simulation);
            let x = pose(&simulation, rod).position.x;
            if before < 0.0 && x >= 0.0 {
                crossings.push(simulation.time() - simulation.step_length() * x / (x - before));
                farthest = 0.0;
            }
            farthest = farthest.max(x);
            before = x;
        }
        let period = (crossings[20] - crossings[0]) / 20.0;
        // Second order in the step.
        close("period", period, expected, 0.04 * simulation.step_length().powi(2));
        let end = pose(&simulation, rod).to_world(0.5 * length * DVec3::Z);
        assert!(end.length() < 1e-5 * length, "it hangs {end} off its hinge");
        println!("{kind:?}: period {period:.5} s ({expected:.5}), anchor off by {:.1e} m", end.length());
    }
}

/// Something that turns fast on a hinge away from its middle keeps its speed and its place.
#[test]
fn what_turns_on_a_hinge_goes_on_turning() {
    let mut world = in_the_air(block(0.5, 0.1, 0.05));
    world.gravity = DVec3::ZERO;
    let spin = 12.0;
    let arm = 0.2;
    let turning = Motion { velocity: spin * arm * DVec3::Y, spin: spin * DVec3::Z };
    let body = add(&mut world, 0, arm * DVec3::X, DQuat::IDENTITY, turning);
    world.join(joint(body, End::World, HINGE), Pose::IDENTITY).unwrap();
    let mut simulation = by_default(world);
    let before = kinetic(&simulation);
    (0..600).for_each(|_| advance(&mut simulation));
    let off = pose(&simulation, body).to_world(-arm * DVec3::X);
    println!("after ten seconds: energy {:.5}, {:.1e} m off", kinetic(&simulation) / before, off.length());
    assert!(off.length() < 0.01 * arm, "{off}");
    close("energy", kinetic(&simulation), before, 0.02);
}

/// Steady precession of a heavy top at 30°: I₁ cos θ Ω² - I₃ ω₃ Ω + M g l = 0, slow and fast. Its
/// error, and its nutation, are of first order in the step.
#[test]
fn a_top_precesses() {
    let (mass, length, moments) = (2.5, 0.02, DVec3::new(0.001, 0.001, 0.0008));
    let (tilt, spin) = (30f64.to_radians(), 150.0);
    for (precession, step) in [(4.36215, Some(2e-4)), (64.9199, Some(2e-4)), (4.36215, None), (64.9199, None)] {
        let mut world = in_the_air(block(0.02, 0.02, 0.02));
        let turn = DQuat::from_rotation_x(tilt);
        let axis = turn * DVec3::Z;
        let spin = precession * DVec3::Z + (spin - precession * tilt.cos()) * axis;
        let moving = Motion { velocity: spin.cross(length * axis), spin };
        let top = add(&mut world, 0, length * axis, turn, moving);
        world.bodies.inertia[0] = Inertia { mass, moments };
        world.join(joint(top, End::World, BALL), Pose::IDENTITY).unwrap();
        let mut simulation = stepping(world, step);
        let (mut turned, mut before) = (0.0, axis);
        let mut steepest: f64 = 0.0;
        while simulation.time() < 1.0 {
            advance(&mut simulation);
            let now = pose(&simulation, top).orientation * DVec3::Z;
            turned += before.truncate().angle_to(now.truncate());
            steepest = steepest.max((now.z.acos() - tilt).abs());
            before = now;
        }
        println!("precession {:.4} rad/s ({precession}), nods by {:.2e} rad", turned / simulation.time(), steepest);
        close("precession", turned / simulation.time(), precession, 0.3 * simulation.step_length());
        assert!(steepest < 0.4 * simulation.step_length(), "it nods by {steepest}");
    }
}

/// On a slider at 30° a block falls with g sin 30° and stops at the end of its travel, without
/// turning.
#[test]
fn a_slider_slides_to_its_end() {
    let angle = 30f64.to_radians();
    let axis = DVec3::new(angle.cos(), 0.0, -angle.sin());
    let mut world = in_the_air(block(0.1, 0.2, 0.05));
    let body = put(&mut world, 0, DVec3::ZERO);
    let kind = JointKind::Slider { travel: [0.0, 1.0], turn: [0.0; 2] };
    world.join(joint(body, End::World, kind), Pose::along(DVec3::new(0.03, 0.02, 0.01), axis)).unwrap();
    let mut simulation = by_default(world);
    (0..30).for_each(|_| advance(&mut simulation));
    close("acceleration", motion(&simulation, body).velocity.dot(axis) / 0.5, 0.5 * G, 1e-3);
    (0..120).for_each(|_| advance(&mut simulation));
    let end = pose(&simulation, body);
    println!("at {} along, {:.1e} m off", end.position.dot(axis), (end.position - axis).length());
    assert!((end.position - axis).length() < 2e-3, "{}", end.position);
    assert!(end.orientation.angle_between(DQuat::IDENTITY) < 1e-3);
    assert!(motion(&simulation, body).velocity.length() < 1e-3);
}

/// A door that is pushed open stops at its limit; a ball joint at the end of its swing.
#[test]
fn limits_stop() {
    let most = 0.5;
    for kind in [JointKind::Hinge { turn: [-most, most] }, JointKind::Ball { swing: most }] {
        let mut world = in_the_air(block(0.02, 0.5, 1.0));
        world.gravity = DVec3::ZERO;
        let turning = Motion { velocity: -2.0 * 0.25 * DVec3::X, spin: 2.0 * DVec3::Z };
        let door = add(&mut world, 0, 0.25 * DVec3::Y, DQuat::IDENTITY, turning);
        let axis = if matches!(kind, JointKind::Ball { .. }) { DVec3::Y } else { DVec3::Z };
        world.join(joint(door, End::World, kind), Pose::along(DVec3::ZERO, axis)).unwrap();
        let mut simulation = by_default(world);
        let mut most_seen: f64 = 0.0;
        for _ in 0..240 {
            advance(&mut simulation);
            most_seen = most_seen.max(pose(&simulation, door).orientation.angle_between(DQuat::IDENTITY));
        }
        println!("{kind:?}: opened by {most_seen}");
        assert!((most_seen - most).abs() < 0.01, "{most_seen}");
        assert!(motion(&simulation, door).spin.length() < 0.05, "{}", motion(&simulation, door).spin);
    }
}

/// Two bodies that are joined and turn in the air keep their momentum, linear and angular, whatever
/// joins them.
#[test]
fn joints_keep_momentum() {
    let along = JointKind::Slider { travel: FREE, turn: FREE };
    for kind in [JointKind::Fixed, HINGE, BALL, NAIL, along] {
        let mut world = in_the_air(block(0.1, 0.2, 0.3));
        world.gravity = DVec3::ZERO;
        let turning = Motion { velocity: DVec3::new(1.0, 0.0, 0.5), spin: DVec3::new(3.0, 1.0, 2.0) };
        let a = add(&mut world, 0, DVec3::ZERO, DQuat::IDENTITY, turning);
        let b = put(&mut world, 0, DVec3::new(0.15, 0.25, 0.0));
        let at = Pose::along(DVec3::new(0.1, 0.1, 0.05), DVec3::new(0.6, 0.0, 0.8));
        world.join(joint(a, End::Body(b), kind), at).unwrap();
        let mut simulation = by_default(world);
        let before = momentum(&simulation);
        (0..120).for_each(|_| advance(&mut simulation));
        let after = momentum(&simulation);
        let (linear, angular) = ((after.0 - before.0).length(), (after.1 - before.1).length());
        println!("{kind:?}: {:.1e} and {:.1e}", linear / before.0.length(), angular / before.1.length());
        assert!(linear < 1e-5 * before.0.length() && angular < 5e-4 * before.1.length(), "{kind:?}");
    }
}

/// A beam of eight blocks that are fixed to each other and to the wall hardly sags.
#[test]
fn a_beam_stands_out_of_a_wall() {
    let mut world = in_the_air(block(0.1, 0.1, 0.1));
    let bodies: Vec<_> = (0..8).map(|k| put(&mut world, 0, DVec3::new(0.05 + 0.1 * f64::from(k), 0.0, 0.0))).collect();
    for (k, &body) in bodies.iter().enumerate() {
        let to = if k == 0 { End::World } else { End::Body(bodies[k - 1]) };
        let at = Pose { position: DVec3::new(0.1 * k as f64, 0.0, 0.0), ..Pose::IDENTITY };
        world.join(joint(body, to, JointKind::Fixed), at).unwrap();
    }
    let mut simulation = by_default(world);
    // It falls a little before its joints know their load, and swings for a while.
    (0..900).for_each(|_| advance(&mut simulation));
    let tip = pose(&simulation, bodies[7]).position;
    println!("the tip sags by {:.1e} m", -tip.z);
    assert!(-tip.z < 1e-3 * 0.8 && motion(&simulation, bodies[7]).velocity.length() < 1e-3, "{tip}");
}

/// A block hangs by a joint that is a little stronger than its weight, and falls from one that is a
/// little weaker; so with torque.
#[test]
fn a_joint_breaks_under_its_load() {
    let weight = 1000.0 * 0.001 * G;
    for (share, holds) in [(1.02, true), (0.98, false)] {
        let by_force = Strength { force: share * weight, torque: f64::INFINITY };
        let by_torque = Strength { force: f64::INFINITY, torque: share * weight * 0.3 };
        for (strength, at) in [(by_force, DVec3::new(0.0, 0.0, 0.1)), (by_torque, DVec3::new(0.3, 0.0, 0.0))] {
            let mut world = in_the_air(block(0.1, 0.1, 0.1));
            let body = put(&mut world, 0, DVec3::ZERO);
            let what = NewJoint { strength, ..joint(body, End::World, JointKind::Fixed) };
            world.join(what, Pose { position: at, ..Pose::IDENTITY }).unwrap();
            let mut simulation = by_default(world);
            (0..60).for_each(|_| advance(&mut simulation));
            let fell = pose(&simulation, body).position.z < -1.0;
            assert_eq!((fell, simulation.world().joints.len()), (!holds, usize::from(holds)), "{share} {strength:?}");
        }
    }
}

/// A chain of ten links carries a weight a hundred times as heavy as a link.
#[test]
fn a_chain_carries_a_heavy_weight() {
    let mut world = in_the_air(block(0.1, 0.1, 0.1));
    world.shapes.push(block(0.02, 0.02, 0.1));
    let mut above = End::World;
    for k in 0..10 {
        let link = put(&mut world, 1, DVec3::new(0.0, 0.0, -0.05 - 0.1 * f64::from(k)));
        let at = Pose { position: DVec3::new(0.0, 0.0, -0.1 * f64::from(k)), ..Pose::IDENTITY };
        world.join(joint(link, above, BALL), at).unwrap();
        above = End::Body(link);
    }
    let weight = put(&mut world, 0, DVec3::new(0.0, 0.0, -1.05));
    let row = world.bodies.row(weight).unwrap();
    let ratio = 100.0 * world.bodies.inertia[0].mass / world.bodies.inertia[row].mass;
    world.bodies.inertia[row].mass *= ratio;
    world.bodies.inertia[row].moments *= ratio;
    world.join(joint(weight, above, BALL), Pose { position: -DVec3::Z, ..Pose::IDENTITY }).unwrap();
    let mut simulation = by_default(world);
    (0..600).for_each(|_| advance(&mut simulation));
    let sag = -1.05 - pose(&simulation, weight).position.z;
    println!("the weight hangs {sag:.1e} m lower than it should");
    assert!(sag.abs() < 0.01 && motion(&simulation, weight).velocity.length() < 1e-2, "{sag}");
}

/// A body that is hinged to a moving obstacle goes with it.
#[test]
fn joints_follow_obstacles() {
    let mut world = in_the_air(block(0.1, 0.1, 0.1));
    let moving = Motion { velocity: 0.5 * DVec3::X, spin: 2.0 * DVec3::Z };
    let surface = tumble::geometry::Surface::Box(DVec3::splat(0.05));
    world.obstacles.push(Obstacle::new("cart", MaterialId(0), surface, Path::Constant(Pose::IDENTITY, moving)));
    let body = put(&mut world, 0, 0.1 * DVec3::Z);
    let at = Pose { position: 0.05 * DVec3::Z, ..Pose::IDENTITY };
    world.join(joint(body, End::Obstacle(ObstacleId(0)), JointKind::Fixed), at).unwrap();
    let mut simulation = by_default(world);
    (0..120).for_each(|_| advance(&mut simulation));
    let (now, turned) = (pose(&simulation, body), DQuat::from_rotation_z(4.0));
    assert!((now.position - DVec3::new(1.0, 0.0, 0.1)).length() < 1e-3, "{}", now.position);
    assert!(now.orientation.angle_between(turned) < 1e-2 || now.orientation.angle_between(-turned) < 1e-2);
}

#[test]
fn joints_that_cannot_be_are_refused() {
    let mut world = in_the_air(block(0.1, 0.1, 0.1));
    let body = put(&mut world, 0, DVec3::ZERO);
    let gone = put(&mut world, 0, DVec3::X);
    world.bodies.remove_rows(|row| row == 1);
    let mut join = |what| world.join(what, Pose::IDENTITY);
    assert_eq!(join(joint(gone, End::World, HINGE)), Err(JointProblem::NoBody(gone)));
    assert_eq!(join(joint(body, End::Body(gone), HINGE)), Err(JointProblem::NoBody(gone)));
    assert_eq!(join(joint(body, End::Body(body), HINGE)), Err(JointProblem::ToItself(body)));
    assert_eq!(join(joint(body, End::Obstacle(ObstacleId(3)), HINGE)), Err(JointProblem::NoObstacle(ObstacleId(3))));
    for turn in [[1.0, -1.0], [-4.0, 4.0], [f64::NAN, 1.0]] {
        assert!(matches!(join(joint(body, End::World, JointKind::Hinge { turn })), Err(JointProblem::Limits(_))));
    }
    assert!(join(joint(body, End::World, HINGE)).is_ok());
}
