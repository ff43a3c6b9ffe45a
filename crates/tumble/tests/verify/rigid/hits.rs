//! Hits, at default settings and at random: restitution, and no gain of energy.

use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;
use tumble::geometry::Convex;
use tumble::world::{BodyId, Inertia, Motion, World};
use tumble::{Simulation, measure};

use super::{G, add, block, by_default, hitting, motion, pose, put, solid, stepping, world};
use crate::common::{advance, close};

fn vector(reach: f64) -> impl Strategy<Value = DVec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(DVec3::from_array)
}

fn moving(velocity: DVec3) -> Motion {
    Motion { velocity, spin: DVec3::ZERO }
}

/// Kinetic energy and that of height \[J\].
fn energy(simulation: &Simulation) -> f64 {
    let bodies = &simulation.world().bodies;
    let weight = |row: usize| bodies.inertia[row].mass * simulation.world().gravity.length();
    let height = (0..bodies.len()).map(|row| weight(row) * bodies.pose[row].position.z).sum::<f64>();
    measure::kinetic_energy(simulation.world()) + height
}

/// Advances by so many frames. No step may end with more energy than it began with: `slack` is the
/// allowed gain over the energy at the start, for warm-start impulses of the substep before that no
/// longer fit, and for rounding.
fn never_gains(mut simulation: Simulation, frames: usize, slack: f64) -> Result<Simulation, TestCaseError> {
    let start = energy(&simulation);
    let mut before = start;
    for _ in 0..frames {
        advance(&mut simulation);
        let now = energy(&simulation);
        prop_assert!(
            now <= before + slack * start,
            "{before} J became {now} J in frame {} ({:.2} %)",
            simulation.frame_number(),
            100.0 * (now / before - 1.0)
        );
        before = now;
    }
    Ok(simulation)
}

/// Balls or cubes of this half height in a row along x, the first with this velocity; gaps between
/// surfaces \[m\].
fn row(convex: Convex, radius: f64, gaps: &[f64], velocity: f64, restitution: f64, friction: f64) -> World {
    let mut world = world(vec![solid(convex)], friction, restitution);
    let mut x = 0.0;
    add(&mut world, 0, DVec3::new(0.0, 0.0, radius), DQuat::IDENTITY, moving(velocity * DVec3::X));
    for gap in gaps {
        x += 2.0 * radius + gap;
        put(&mut world, 0, DVec3::new(x, 0.0, radius));
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A ball that hits a row of others at default settings.
    #[test]
    fn rows_of_balls_gain_no_energy(
        gaps in prop::collection::vec(1e-4..1e-2f64, 2..10),
        velocity in 0.5..5.0f64,
        restitution in 0.8..1.0f64,
        friction in 0.0..0.5f64,
    ) {
        let world = row(Convex::Ball(0.05), 0.05, &gaps, velocity, restitution, friction);
        never_gains(by_default(world), 60, 1e-4)?;
    }

    /// A cube that slides against a row of others at default settings.
    #[test]
    fn rows_of_cubes_gain_no_energy(
        gaps in prop::collection::vec(1e-4..5e-3f64, 2..10),
        velocity in 0.5..5.0f64,
        restitution in 0.8..1.0f64,
        friction in 0.0..0.3f64,
    ) {
        let world = row(Convex::Box(DVec3::splat(0.05)), 0.05, &gaps, velocity, restitution, friction);
        never_gains(by_default(world), 60, 1e-3)?;
    }

    /// A ball that hits fifteen others in a triangle, which just do not touch.
    #[test]
    fn racks_of_balls_gain_no_energy(aim in -0.03..0.03f64, apart in 1e-5..2e-3f64, restitution in 0.5..1.0f64) {
        let radius = 0.05;
        let mut world = world(vec![solid(Convex::Ball(radius))], 0.1, restitution);
        add(&mut world, 0, DVec3::new(-0.3, aim, radius), DQuat::IDENTITY, moving(3.0 * DVec3::X));
        for line in 0..5 {
            for k in 0..=line {
                let (x, y) = (f64::from(line) * 0.75f64.sqrt(), f64::from(k) - 0.5 * f64::from(line));
                let place = (2.0 * radius + apart) * DVec3::new(x, y, 0.0);
                put(&mut world, 0, place + radius * DVec3::Z);
            }
        }
        never_gains(by_default(world), 30, 1e-4)?;
    }

    /// Crates that fall on each other and on the floor.
    #[test]
    fn crowds_of_crates_gain_no_energy(
        crates in prop::collection::vec((vector(0.02), vector(3.0), vector(2.0)), 2..18),
        restitution in 0.0..1.0f64,
        friction in 0.0..1.0f64,
    ) {
        let mut world = world(vec![block(0.2, 0.15, 0.1)], friction, restitution);
        for (k, &(off, turn, velocity)) in crates.iter().enumerate() {
            let place = 0.3 * DVec3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64 + 0.7);
            add(&mut world, 0, place + off, DQuat::from_scaled_axis(turn), moving(velocity));
        }
        // Of 2,000 draws the worst gained 0.08 % in a step of 1/600 s and 0.14 % in a default one.
        never_gains(stepping(world.clone(), 1.0 / 600.0), 600, 5e-3)?;
        never_gains(stepping(world, None), 120, 1e-2)?;
    }

    /// One corner of a box hits a floor, on which it sticks or slides: it leaves with e times its
    /// speed along the normal, and without slip or without any impulse along the floor. Velocity
    /// and angular momentum stay in free flight, so they tell of the impulse at any time. Normal
    /// and friction impulses of its points have to agree to 10⁻³. Where sticking creates energy by
    /// that law (Kane's paradox) energy is kept.
    #[test]
    fn corners_leave_with_the_restitution_asked_for(
        turn in vector(3.0),
        along in vector(1.0),
        restitution in 0.0..1.0f64,
        part in 0.05..0.95f64,
        sticks in any::<bool>(),
    ) {
        let half = DVec3::new(0.1, 0.07, 0.05);
        let turn = DQuat::from_scaled_axis(turn);
        let down = turn.conjugate() * -DVec3::Z;
        // Two corners at once are another case.
        prop_assume!(down.abs().min_element() > 0.05);
        let lowest = turn * (half * down.signum());
        let next = 2.0 * (half * down.abs()).min_element();
        let velocity = DVec3::new(along.x, along.y, -2.0);
        for step in [Some(1e-4), None] {
            let mut world = world(vec![solid(Convex::Box(half))], if sticks { 1000.0 } else { 0.0 }, restitution);
            world.gravity = DVec3::ZERO;
            let thrown = add(&mut world, 0, -lowest.z * DVec3::Z, turn, moving(velocity));
            let (inertia, before) = (world.bodies.inertia[0], measure::kinetic_energy(&world));
            let push = impulse(&inertia, turn, lowest, velocity, restitution, sticks);
            let twist = lowest.cross(push);
            let known = before + push.dot(velocity + 0.5 * push / inertia.mass) + 0.5 * twist.dot(inertia.spin(turn, twist));
            let mut simulation = hitting(world, step, part);
            let fastest = (velocity + push / inertia.mass).length() + inertia.spin(turn, twist).length() * half.length();
            if next < fastest * (1.0 - part) * simulation.step_length() {
                // The next corner may come down in the rest of the step.
                continue;
            }
            advance(&mut simulation);
            let after = motion(&simulation, thrown);
            let energy = measure::kinetic_energy(simulation.world());
            prop_assert!(energy <= before * (1.0 + 2e-5), "{} of the energy", energy / before);
            if known < before {
                let pushed = inertia.mass * (after.velocity - velocity) - push;
                let twisted = inertia.momentum(pose(&simulation, thrown).orientation, after.spin) - twist;
                let off = [pushed.length() / push.length(), twisted.length() / (lowest.length() * push.length())];
                println!("sticks {sticks}: impulse off by {:.1e}, angular {:.1e}", off[0], off[1]);
                prop_assert!(off[0] < 3e-3 && off[1] < 3e-3, "{off:?}");
            }
        }
    }
}

/// The impulse with which a corner at `lever` of a body that does not turn leaves the floor with e
/// times its speed, without slip or without friction. It changes the velocity there by
/// K j = j/m + I⁻¹ (r × j) × r.
fn impulse(inertia: &Inertia, turn: DQuat, lever: DVec3, velocity: DVec3, restitution: f64, sticks: bool) -> DVec3 {
    let k = |j: DVec3| j / inertia.mass + inertia.spin(turn, lever.cross(j)).cross(lever);
    let change = -velocity - restitution * velocity.z * DVec3::Z;
    match sticks {
        true => DMat3::from_cols(k(DVec3::X), k(DVec3::Y), k(DVec3::Z)).inverse() * change,
        false => change.z / k(DVec3::Z).z * DVec3::Z,
    }
}

/// The scene in which eight billiard balls doubled their energy: 2.62 J became 5.05 J in one frame.
#[test]
fn billiard_balls_gain_no_energy() {
    let world = row(Convex::Ball(0.05), 0.05, &[0.00153674124621927; 7], 2.0, 0.9, 0.2);
    let simulation = never_gains(by_default(world), 60, 1e-4).unwrap();
    // Each gives (1 + e)/2 of its speed to the next; friction with the floor takes at most μ g t of
    // it.
    let fastest = simulation.world().bodies.motion.iter().map(|motion| motion.velocity.x).fold(0.0, f64::max);
    let known = 2.0 * 0.95f64.powi(7);
    assert!((known - 0.2 * G - 0.1..known + 0.01).contains(&fastest), "{fastest} m/s, {known} without friction");
}

/// A ball with e = 0.8 at the default step: the time to rest, √(2h/g) (1 + e)/(1 - e), and the
/// heights of its first six tops, e²ⁿ h.
#[test]
fn a_ball_bounces_at_the_default_step() {
    let radius = 0.05;
    let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 0.8);
    let body = put(&mut world, 0, DVec3::new(0.0, 0.0, 1.0 + radius));
    let mut simulation = by_default(world);
    let (mut tops, mut last_moving, mut rising) = (Vec::new(), 0.0, false);
    let mut top = 0f64;
    while simulation.time() < 5.0 {
        advance(&mut simulation);
        let (height, speed) = (pose(&simulation, body).position.z - radius, motion(&simulation, body).velocity.z);
        if speed > 0.0 {
            (rising, top) = (true, top.max(height + 0.5 * speed * speed / G));
        } else if rising {
            tops.push(top);
            (rising, top) = (false, 0.0);
        }
        if speed.abs() > 6e-3 {
            last_moving = simulation.time();
        }
    }
    let known: f64 = (2.0 / G).sqrt() * 1.8 / 0.2;
    println!("rest after {last_moving} s, known {known}");
    for (n, top) in tops.iter().enumerate().take(8) {
        println!("top {}: {:.4} of {:.4}", n + 1, top, 0.64f64.powi(n as i32 + 1));
    }
    close("time to rest", last_moving, known, 0.03);
    (0..6).for_each(|n| close("top", tops[n], 0.64f64.powi(n as i32 + 1), 0.02));
}

/// Sixty bounces with e = 1 keep the height.
#[test]
fn an_elastic_ball_keeps_its_height() {
    let radius = 0.05;
    let mut world = world(vec![solid(Convex::Ball(radius))], 0.5, 1.0);
    let body = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.5 + radius));
    let mut simulation = by_default(world);
    let start = energy(&simulation);
    while simulation.time() < 60.0 * 2.0 * (2.0 * 0.5 / G).sqrt() {
        advance(&mut simulation);
    }
    let (height, speed) = (pose(&simulation, body).position.z - radius, motion(&simulation, body).velocity.z);
    let left = height + 0.5 * speed * speed / G;
    println!("{left} m of 0.5, energy {} of {start}", energy(&simulation));
    close("height after sixty bounces", left, 0.5, 0.05);
}

/// A contact that bears fifty times the weight of the body below comes to rest: a load is no hit.
#[test]
fn what_bears_a_load_is_not_hit() {
    let mut world = world(vec![block(0.2, 0.2, 0.2), block(0.2, 0.2, 0.2)], 0.5, 0.5);
    world.shapes[1].volume *= 50.0;
    world.shapes[1].moments *= 50.0;
    let light = put(&mut world, 0, DVec3::new(0.0, 0.0, 0.1));
    let heavy = put(&mut world, 1, DVec3::new(0.0, 0.0, 0.3));
    let mut simulation = by_default(world);
    (0..300).for_each(|_| advance(&mut simulation));
    let depth = |simulation: &Simulation, body: BodyId, height: f64| height - pose(simulation, body).position.z;
    let (low, high) = (depth(&simulation, light, 0.1), depth(&simulation, heavy, 0.3));
    println!("sunk by {low:e} and {high:e} m; fastest {:e} m/s", motion(&simulation, heavy).velocity.length());
    assert!(low < 1.5e-3 && high < 3e-3, "sunk by {low} and {high} m");
    assert!(motion(&simulation, light).velocity.length() < 1e-3);
}
