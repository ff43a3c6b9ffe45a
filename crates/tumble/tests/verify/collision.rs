//! Head-on collisions: Hertz's overlap and duration, restitution, bouncing, stacks, conservation.

use glam::DVec3;
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::{Material, World};
use tumble::{Setup, Simulation, measure};

use crate::common::{add, advance, close, material, state, stepping, world_over_floor, world_without_floor};

/// Quantities of a collision.
struct Collision {
    overlap: f64,
    force: f64,
    duration: f64,
    restitution: f64,
}

/// A sphere hits a rigid plane at `speed` with about `steps` steps in the contact, whose duration
/// is about `duration`.
fn against_plane(material: &Material, law: Law, radius: f64, speed: f64, duration: f64, steps: f64) -> Collision {
    let mut world = world_over_floor(material, &[radius]);
    let start = DVec3::new(0.0, 0.0, radius + 0.01 * duration * speed);
    let body = add(&mut world, 0, start, DVec3::new(0.0, 0.0, -speed), DVec3::ZERO);
    let mass = world.bodies.inertia[0].mass;
    follow(
        stepping(world, law, duration / steps),
        mass,
        speed,
        |simulation| radius - state(simulation, body).0.z,
        |s| state(s, body).1.velocity.z,
    )
}

/// Two equal spheres meet, each at half of `speed`.
fn against_each_other(material: &Material, law: Law, radius: f64, speed: f64, duration: f64, steps: f64) -> Collision {
    let mut world = world_without_floor(material, &[radius]);
    let gap = 0.01 * duration * speed;
    let half = DVec3::new(0.5 * speed, 0.0, 0.0);
    let left = add(&mut world, 0, DVec3::ZERO, half, DVec3::ZERO);
    let right = add(&mut world, 0, DVec3::new(2.0 * radius + gap, 0.0, 0.0), -half, DVec3::ZERO);
    let mass = 0.5 * world.bodies.inertia[0].mass;
    let overlap = move |s: &Simulation| 2.0 * radius - (state(s, right).0.x - state(s, left).0.x);
    let apart = move |s: &Simulation| state(s, right).1.velocity.x - state(s, left).1.velocity.x;
    follow(stepping(world, law, duration / steps), mass, speed, overlap, apart)
}

fn follow(
    mut simulation: Simulation,
    mass: f64,
    speed: f64,
    overlap: impl Fn(&Simulation) -> f64,
    apart: impl Fn(&Simulation) -> f64,
) -> Collision {
    let step = simulation.step_length();
    let (mut begin, mut deepest, mut hardest) = (None, 0.0f64, 0.0f64);
    loop {
        let (x, v) = (overlap(&simulation), apart(&simulation));
        advance(&mut simulation);
        let next = overlap(&simulation);
        // Beginning and end lie between two steps.
        if begin.is_none() && next > 0.0 {
            begin = Some(simulation.time() - step * next / (next - x));
        }
        deepest = deepest.max(next);
        hardest = hardest.max(mass * (apart(&simulation) - v) / step);
        if let Some(begin) = begin.filter(|_| next <= 0.0) {
            let end = simulation.time() - step * next / (next - x);
            let restitution = apart(&simulation) / speed;
            return Collision { overlap: deepest, force: hardest, duration: end - begin, restitution };
        }
    }
}

/// x_max = (5 m v²/(4 k))^{2/5}, t_c = 2.9432752 x_max/v, k = 4/3 E* √R*; restitution one.
fn hertz(material: &Material, radius: f64, mass: f64, softness: f64, speed: f64) -> (f64, f64, f64) {
    let modulus = material.youngs_modulus / (1.0 - material.poisson_ratio.powi(2)) / softness;
    let k = 4.0 / 3.0 * modulus * radius.sqrt();
    let overlap = (1.25 * mass * speed * speed / k).powf(0.4);
    (overlap, k * overlap.powf(1.5), 2.943_275_2 * overlap / speed)
}

/// Chung & Ooi 2011, test 1 (two spheres, 10 m/s each) and test 2 (sphere on a rigid plane),
/// elastic; the figures are those of the closed form for both materials of each test. Asked: 0.1 %
/// for overlap and duration, 0.5 % for the rest.
#[test]
fn elastic_hertz_collisions_have_hertz_overlap_and_duration() {
    for (name, e, nu, rho, expected) in [
        ("glass", 4.8e10, 0.20, 2800.0, [274.113e-6, 10.6969e3, 40.339e-6]),
        ("limestone", 2e10, 0.25, 2500.0, [368.304e-6, 7.1082e3, 54.201e-6]),
    ] {
        let got = against_each_other(&material(e, nu, rho), Law::HERTZ, 0.01, 20.0, expected[2], 400.0);
        check(&format!("test 1, {name}"), &got, expected);
    }
    for (name, e, nu, rho, expected) in [
        ("Al alloy", 7e10, 0.30, 2699.0, [49.717e-6, 11.3699e3, 731.66e-6]),
        ("Mg alloy", 4e10, 0.35, 1800.0, [52.123e-6, 7.2327e3, 767.07e-6]),
    ] {
        let got = against_plane(&material(e, nu, rho), Law::HERTZ, 0.1, 0.2, expected[2], 400.0);
        check(&format!("test 2, {name}"), &got, expected);
    }
}

fn check(what: &str, got: &Collision, [overlap, force, duration]: [f64; 3]) {
    close(&format!("{what}: overlap"), got.overlap, overlap, 1e-3);
    close(&format!("{what}: force"), got.force, force, 5e-3);
    close(&format!("{what}: duration"), got.duration, duration, 1e-3);
    close(&format!("{what}: restitution"), got.restitution, 1.0, 1e-3);
}

/// Chung & Ooi test 3: the restitution obtained is the one asked for, at every speed; overlap,
/// force, duration for e = 1.
#[test]
fn restitution_is_what_was_asked_for() {
    for (name, e, nu, rho, expected) in [
        ("Al oxide", 3.8e11, 0.23, 4000.0, [8.0888e-6, 615.35, 6.1045e-6]),
        ("cast iron", 1e11, 0.25, 7000.0, [17.189e-6, 506.76, 12.972e-6]),
    ] {
        let elastic = material(e, nu, rho);
        check(
            &format!("test 3, {name}"),
            &against_plane(&elastic, Law::HERTZ, 0.0025, 3.9, expected[2], 400.0),
            expected,
        );
        for restitution in [0.2, 0.4, 0.6, 0.8] {
            let damped = Material { restitution, ..elastic.clone() };
            for speed in [0.039, 3.9] {
                let duration = expected[2] * (3.9f64 / speed).powf(0.2);
                let got = against_plane(&damped, Law::HERTZ, 0.0025, speed, duration, 1000.0);
                close(&format!("test 3, {name}, {speed} m/s"), got.restitution, restitution, 5e-3);
            }
        }
    }
}

/// t_c of elastic spheres falls with v^{-1/5}: slope -0.200 ± 0.005 over two decades.
#[test]
fn hertz_duration_scales_with_speed() {
    let steel = material(2e11, 0.3, 7800.0);
    let mass = 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.01f64.powi(3);
    let duration = |speed: f64| {
        let (_, _, duration) = hertz(&steel, 0.01, mass, 1.0, speed);
        against_plane(&steel, Law::HERTZ, 0.01, speed, duration, 200.0).duration
    };
    let slope = (duration(10.0) / duration(0.1)).ln() / 100f64.ln();
    assert!((slope + 0.2).abs() < 0.005, "{slope}");
}

/// Linear law: t_c = π √(m/k) without damping, e as asked at any speed (with damping the contact
/// ends before x = 0).
#[test]
fn linear_collisions_last_half_a_period() {
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.01f64.powi(3);
    for stiffness in [1e4, 1e6] {
        // Against a rigid plane only one of the two springs in series is soft.
        let half_period = std::f64::consts::PI * (mass / (2.0 * stiffness)).sqrt();
        let elastic = Material { stiffness, ..material(1e7, 0.3, 1000.0) };
        let got = against_plane(&elastic, Law::LINEAR, 0.01, 1.0, half_period, 400.0);
        close("linear duration", got.duration, half_period, 1e-3);
        close("linear overlap", got.overlap, half_period / std::f64::consts::PI, 1e-3);
        for (restitution, speed) in [(0.3, 0.1), (0.3, 3.0), (0.7, 1.0), (0.95, 1.0)] {
            let damped = Material { restitution, ..elastic.clone() };
            let got = against_plane(&damped, Law::LINEAR, 0.01, speed, half_period, 1000.0);
            close("linear restitution", got.restitution, restitution, 5e-3);
        }
    }
}

/// A ball dropped from h above the ground with constant e: bounce n leaves at e^n √(2gh), so it
/// rises to e^{2n} h and touches down again after 2 e^n √(2h/g). With 200 steps in a contact, its
/// restitution is right to 2.5e-4, which adds up over the bounces; and the closed form leaves out
/// that a contact takes time and that the ball must climb out of its overlap.
#[test]
fn ten_bounces() {
    let (g, h, e, radius) = (9.81, 1.0, 0.8, 0.05);
    let hard = Material { restitution: e, ..material(2e10, 0.3, 1000.0) };
    let mut world = world_over_floor(&hard, &[radius]);
    world.gravity = DVec3::new(0.0, 0.0, -g);
    let ball = add(&mut world, 0, DVec3::new(0.0, 0.0, radius + h), DVec3::ZERO, DVec3::ZERO);
    let mass = world.bodies.inertia[0].mass;
    let impact = (2.0 * g * h).sqrt();
    let (_, _, contact) = hertz(&hard, radius, mass, 1.0, impact);
    let step = contact / 200.0;
    let setup = Setup { step: Some(step), fps: 0.1 / step, ..Setup::new(world, Law::HERTZ) };
    let mut simulation = Simulation::new(setup).unwrap();
    let (mut landings, mut tops) = (Vec::new(), vec![]);
    let (mut top, mut was_up) = (0.0f64, true);
    while landings.len() < 11 {
        advance(&mut simulation);
        let up = state(&simulation, ball).0.z - radius;
        top = top.max(up);
        if was_up && up <= 0.0 {
            landings.push(simulation.time());
            tops.push(top);
        }
        if !was_up && up > 0.0 {
            top = 0.0;
        }
        was_up = up > 0.0;
    }
    let fall = (2.0 * h / g).sqrt();
    for n in 0..=10 {
        let height = h * e.powi(2 * n as i32);
        let time = fall * (1.0 + 2.0 * (1..=n).map(|k| e.powi(k as i32)).sum::<f64>());
        let (depth, _, _) = hertz(&hard, radius, mass, 1.0, (2.0 * g * height).sqrt());
        // Contacts last longer at lower speed, v^{-1/5}, so all together not more than n times the
        // last.
        let late = 1.6 * contact * n as f64 + 10.0 * step;
        close(&format!("top before landing {n}"), tops[n], height, 5e-4 * (n + 1) as f64 + depth / height);
        println!("landing {n}: expected {time:.5} s, got {:.5} s, allowed + {late:.1e}", landings[n]);
        assert!((landings[n] - time).abs() < late, "landing {n} at {} instead of {time}", landings[n]);
    }
}

/// A collision that begins and ends within a frame is in its report: x_max = (5 m v²/(4 k))^{2/5}
/// against a plane, with half the mass and the stiffness of a pair between two balls, over the
/// radius.
#[test]
fn overlaps_between_frames_are_reported() {
    let (radius, speed, modulus) = (0.01f64, 1.0, 1e7);
    let soft = Material { restitution: 1.0, ..material(modulus, 0.3, 2500.0) };
    let control = Control { tolerance: 1e-6, smallest: None, largest: 0.1, sequential: false };
    for integrator in [Integrator::Verlet, Integrator::Rkf45(control)] {
        let k = 4.0 / 3.0 * modulus / (1.0 - 0.09) * radius.sqrt();
        for (what, share, k) in [("plane", 1.0, k), ("pair", 0.5, k / 8f64.sqrt())] {
            let mut world = world_over_floor(&soft, &[radius]);
            let down = DVec3::new(0.0, 0.0, -speed);
            add(&mut world, 0, DVec3::new(0.0, 0.0, 0.1), down, DVec3::ZERO);
            let mass = world.bodies.inertia[0].mass * share;
            if what == "pair" {
                world.obstacles.clear();
                add(&mut world, 0, DVec3::new(0.0, 0.0, 0.05), DVec3::ZERO, DVec3::ZERO);
            }
            let setup = Setup { fps: 4.0, ..Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) }) };
            let mut simulation = Simulation::new(setup).unwrap();
            let report = simulation.advance();
            assert!(simulation.measure().deepest_overlap == 0.0, "it is over when the frame ends");
            let expected = (1.25 * mass * speed * speed / k).powf(0.4) / radius;
            // Steps are a twentieth of the collision: the deepest of them is less deep by at most
            // (π/20)²/8.
            close(&format!("deepest overlap, {what}"), report.deepest_overlap, expected, 4e-3);
        }
    }
}

/// A column at rest under its weight: the i-th contact from the top has x_i = (i m g/k)^{2/3}
/// (physics references, 3.1; 0.5 %).
#[test]
fn a_stack_rests_on_hertz_overlaps() {
    let (radius, count, g) = (0.01, 5, 9.81);
    let soft = Material { restitution: 0.3, ..material(1e7, 0.3, 2500.0) };
    let mut world = world_over_floor(&soft, &[radius]);
    world.gravity = DVec3::new(0.0, 0.0, -g);
    let place = |k: usize| DVec3::new(0.0, 0.0, radius * (2 * k + 1) as f64);
    let balls: Vec<_> = (0..count).map(|k| add(&mut world, 0, place(k), DVec3::ZERO, DVec3::ZERO)).collect();
    let mass = world.bodies.inertia[0].mass;
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
    (0..48).for_each(|_| advance(&mut simulation));
    let modulus = 1e7 / (1.0 - 0.09);
    for i in 0..count {
        let weight = (count - i) as f64 * mass * g;
        let z = |k: usize| state(&simulation, balls[k]).0.z;
        let (overlap, k) = if i == 0 {
            (radius - z(0), 4.0 / 3.0 * modulus * radius.sqrt())
        } else {
            (2.0 * radius - (z(i) - z(i - 1)), 4.0 / 3.0 * 0.5 * modulus * (0.5 * radius).sqrt())
        };
        close(&format!("overlap {i} from the floor"), overlap, (weight / k).powf(2.0 / 3.0), 5e-3);
    }
}

/// A cloud of elastic, rough spheres: linear and angular momentum to rounding, energy when friction
/// is off.
#[test]
fn a_cloud_conserves_momentum_and_energy() {
    let cloud = |friction: f64| -> World {
        let elastic = Material { friction, ..material(1e8, 0.3, 1000.0) };
        let mut world = world_without_floor(&elastic, &[0.01, 0.016]);
        for k in 0..125u32 {
            let at = DVec3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64) * 0.034;
            // Any fixed scatter of velocities and spins will do.
            let scatter = |a: f64| (a * (k as f64 + 1.0)).sin();
            let velocity = 2.0 * DVec3::new(scatter(12.9), scatter(78.2), scatter(37.7)) - 20.0 * (at - 0.07);
            let spin = 50.0 * DVec3::new(scatter(3.1), scatter(5.7), scatter(9.2));
            add(&mut world, k % 2, at, velocity, spin);
        }
        world
    };
    let momenta = |world: &World| {
        let b = &world.bodies;
        (0..b.len()).fold((DVec3::ZERO, DVec3::ZERO), |(p, l), row| {
            let momentum = b.inertia[row].mass * b.motion[row].velocity;
            let own = b.inertia[row].moments.x * b.motion[row].spin;
            (p + momentum, l + b.pose[row].position.cross(momentum) + own)
        })
    };
    for friction in [0.0, 0.5] {
        let mut simulation = Simulation::new(Setup { fps: 100.0, ..Setup::new(cloud(friction), Law::HERTZ) }).unwrap();
        let (p0, l0) = momenta(simulation.world());
        let energy = measure::kinetic_energy(simulation.world());
        let mut collided = 0;
        (0..5).for_each(|_| collided += simulation.advance().contacts);
        assert!(collided > 15, "the cloud must collide: {collided}");
        let (p, l) = momenta(simulation.world());
        let scale = (2.0 * energy * 125.0 * simulation.world().bodies.inertia[0].mass).sqrt();
        assert!((p - p0).length() < 1e-12 * scale, "{p} {p0}");
        assert!((l - l0).length() < 1e-12 * scale, "{l} {l0}");
        // Let it fly apart, so that no energy is stored in contacts.
        (0..100).for_each(|_| advance(&mut simulation));
        let after = measure::kinetic_energy(simulation.world());
        if friction == 0.0 {
            // Order two in (step / contact) = 1/21, smaller for the many soft touches.
            close("energy", after, energy, 2e-3);
        } else {
            assert!(after < energy, "friction takes energy");
        }
    }
}
