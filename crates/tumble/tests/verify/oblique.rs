//! Chung & Ooi 2011, tests 4–8: oblique and spinning impacts. Most slide from beginning to end.
//!
//! Then every law with F_t = μ F_n gives v_t' = v_t - μ (1+e) v_n and R ω' = R ω + (5/2) μ (1+e)
//! v_n.

use glam::DVec3;
use tumble::granular::Law;
use tumble::world::{Material, MaterialId, Materials, Motion, NewBody, Pose, ShapeId};

use crate::common::{add, advance, close, material, state, stepping, world_over_floor};

/// A sphere hits the plane; x is along it. Spin about y is positive when it rolls towards +x.
fn impact(material: &Material, radius: f64, normal: f64, tangential: f64, spin: f64) -> Motion {
    let mut world = world_over_floor(material, &[radius]);
    let mass = world.materials.list()[0].density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let modulus = material.youngs_modulus / (1.0 - material.poisson_ratio.powi(2));
    let k = 4.0 / 3.0 * modulus * radius.sqrt();
    let duration = 3.218_065_5 * (mass * mass / (k * k * normal)).powf(0.2);
    let start = DVec3::new(0.0, 0.0, radius + 0.01 * duration * normal);
    let body = add(&mut world, 0, start, DVec3::new(tangential, 0.0, -normal), DVec3::new(0.0, spin, 0.0));
    let mut simulation = stepping(world, Law::HERTZ, duration / 2000.0);
    // Well past the end, which damping delays.
    (0..6000).for_each(|_| advance(&mut simulation));
    let motion = state(&simulation, body).1;
    assert!(motion.velocity.z > 0.0, "it left the plane");
    motion
}

/// Test 4: |v| = 3.9 m/s, e = 0.98, μ = 0.092; slides from 30° of incidence on.
#[test]
fn test_4_oblique_at_constant_speed() {
    let (radius, e, mu) = (0.0025, 0.98, 0.092);
    for (name, modulus, nu, rho) in [("Al oxide", 3.8e11, 0.23, 4000.0), ("Al alloy", 7e10, 0.33, 2700.0)] {
        let alloy = Material { restitution: e, friction: mu, ..material(modulus, nu, rho) };
        for degrees in [30.0f64, 45.0, 60.0, 80.0] {
            let (normal, tangential) = (3.9 * degrees.to_radians().cos(), 3.9 * degrees.to_radians().sin());
            let got = impact(&alloy, radius, normal, tangential, 0.0);
            let expected = tangential - mu * (1.0 + e) * normal;
            close(
                &format!("test 4, {name}, {degrees}°: e_t"),
                got.velocity.x / tangential,
                expected / tangential,
                5e-3,
            );
            let spin = 2.5 * mu * (1.0 + e) * normal / radius;
            close(&format!("test 4, {name}, {degrees}°: spin"), got.spin.y, spin, 5e-3);
            let rebound = (got.velocity.x - radius * got.spin.y) / got.velocity.z;
            let expected = (expected - radius * spin) / (e * normal);
            // At 30° the contact point all but stops, so the angle is compared against a right
            // angle's tangent.
            assert!((rebound.atan() - expected.atan()).abs() < 5e-3, "{name} {degrees}: {rebound} {expected}");
        }
    }
}

/// Test 4 where it sticks: the rule F_t = k_t(x) s with the spring cut on slip, as LAMMPS
/// `mindlin`; 1 %.
#[test]
fn test_4_sticking_follows_the_displacement_rule() {
    let oxide = Material { restitution: 0.98, friction: 0.092, ..material(3.8e11, 0.23, 4000.0) };
    for (degrees, e_t, spin) in [(20.0f64, 0.62010, 506.7), (5.0, 0.95284, 16.03)] {
        let (normal, tangential) = (3.9 * degrees.to_radians().cos(), 3.9 * degrees.to_radians().sin());
        let got = impact(&oxide, 0.0025, normal, tangential, 0.0);
        // Our friction spring is damped like the normal one (e = 0.98), the reference's is not
        // damped at all.
        close(&format!("test 4, {degrees}°: e_t"), got.velocity.x / tangential, e_t, 1e-2);
        println!("test 4, {degrees}°: spin {} instead of {spin}", got.spin.y);
        assert!((got.spin.y - spin).abs() < 0.01 * 506.7, "{degrees}: spin {} instead of {spin}", got.spin.y);
    }
}

/// Test 5: v_n = 5 m/s, e = 1, μ = 0.3; with ψ1 = v_t/(μ v_n) ≥ 6.67: R ω'/(μ v_n) = 5 and ψ2 =
/// ψ1 - 7.
#[test]
fn test_5_oblique_at_constant_normal_speed() {
    let (radius, normal, mu) = (1e-5, 5.0, 0.3);
    for (name, modulus, nu, rho) in [("steel", 2.08e11, 0.30, 7850.0), ("polyethylene", 1e9, 0.40, 1400.0)] {
        let stuff = Material { friction: mu, ..material(modulus, nu, rho) };
        for tangential in [12.0, 15.0, 30.0, 70.0] {
            let got = impact(&stuff, radius, normal, tangential, 0.0);
            close(&format!("test 5, {name}, {tangential} m/s: spin"), radius * got.spin.y / (mu * normal), 5.0, 5e-3);
            let after = (got.velocity.x - radius * got.spin.y) / (mu * normal);
            close(&format!("test 5, {name}, {tangential} m/s: psi2"), after, tangential / (mu * normal) - 7.0, 5e-3);
        }
    }
}

/// Test 6: v_n = 0.2 m/s with spin, e = 0.5, μ = 0.4; from ω = 6 on: v_t' = 0.12 m/s, ω' = ω - 3.
/// Tolerance 1 %: it sticks for a moment at first touch.
#[test]
fn test_6_spinning_impact() {
    let (radius, normal, e, mu) = (0.1, 0.2, 0.5, 0.4);
    for (name, modulus, nu, rho) in [("Al alloy", 7e10, 0.33, 2700.0), ("copper", 1.2e11, 0.35, 8900.0)] {
        let metal = Material { restitution: e, friction: mu, ..material(modulus, nu, rho) };
        for spin in [6.0, 8.0, 10.0, 15.0, 21.0] {
            let got = impact(&metal, radius, normal, 0.0, spin);
            // Spinning towards +x, the plane pushes the ball to +x.
            close(&format!("test 6, {name}, {spin} rad/s: v_t"), got.velocity.x, 0.12, 1e-2);
            close(&format!("test 6, {name}, {spin} rad/s: spin"), got.spin.y, spin - 3.0, 1e-2);
        }
    }
}

/// Test 5 in full, e = 1, so that nothing is damped: the rule F_t = k_t(x) s, integrated by the
/// physics references (section 2). Rows are v_t, then ψ2 and R ω'/(μ v_n) for steel and for
/// polyethylene; both to 3e-4: the table has four digits.
#[test]
fn test_5_sticking_follows_the_displacement_rule() {
    let (radius, normal, mu) = (1e-5, 5.0, 0.3);
    let rows = [
        (0.05, [0.0318, 0.0011], [0.0268, 0.0046]),
        (0.3, [0.1909, 0.0065], [0.1598, 0.0287]),
        (1.0, [0.6255, 0.0294], [0.4734, 0.1381]),
        (2.0, [0.3666, 0.6906], [0.1751, 0.8273]),
        (3.0, [-0.2763, 1.6259], [-0.4649, 1.7607]),
        (5.0, [-1.1705, 3.2170], [-1.3292, 3.3304]),
        (7.0, [-1.4677, 4.3817], [-1.5693, 4.4543]),
        (10.0, [-0.3333, 5.0], [-0.3333, 5.0]),
    ];
    let steel = Material { friction: mu, ..material(2.08e11, 0.30, 7850.0) };
    let plastic = Material { friction: mu, ..material(1e9, 0.40, 1400.0) };
    for (tangential, of_steel, of_plastic) in rows {
        for (name, stuff, [psi, spin]) in [("steel", &steel, of_steel), ("polyethylene", &plastic, of_plastic)] {
            let motion = impact(stuff, radius, normal, tangential, 0.0);
            let got_spin = radius * motion.spin.y / (mu * normal);
            let got_psi = motion.velocity.x / (mu * normal) - got_spin;
            println!("test 5, {name}, {tangential} m/s: psi2 {psi} got {got_psi:.4}, spin {spin} got {got_spin:.4}");
            assert!((got_psi - psi).abs() < 3e-4, "{name} {tangential}: psi2 {got_psi} instead of {psi}");
            assert!((got_spin - spin).abs() < 3e-4, "{name} {tangential}: spin {got_spin} instead of {spin}");
        }
    }
}

/// Two spheres meet along z, the first from above at `speed`, the second from below at
/// `other_speed`; gives the motions of both afterwards.
fn meeting(stuff: [&Material; 2], radii: [f64; 2], speeds: [f64; 2], spins: [f64; 2]) -> [Motion; 2] {
    let mut world = crate::common::world_without_floor(stuff[0], &radii);
    world.materials = Materials::new(stuff.map(Clone::clone).to_vec());
    let modulus = stuff[0].youngs_modulus / (1.0 - stuff[0].poisson_ratio.powi(2)) / 2.0;
    let k = 4.0 / 3.0 * modulus * (radii[0] * radii[1] / (radii[0] + radii[1])).sqrt();
    let masses = [0, 1].map(|b| stuff[b].density * world.shapes[b].volume);
    let mass = masses[0] * masses[1] / (masses[0] + masses[1]);
    let normal = speeds[0] + speeds[1];
    let duration = 3.218_065_5 * (mass * mass / (k * k * normal)).powf(0.2);
    let heights = [radii[0] + 0.01 * duration * normal, -radii[1]];
    let ids = [0, 1].map(|b| {
        let velocity = DVec3::new(0.0, 0.0, if b == 0 { -speeds[0] } else { speeds[1] });
        let motion = Motion { velocity, spin: DVec3::new(0.0, spins[b], 0.0) };
        let pose = Pose { position: DVec3::new(0.0, 0.0, heights[b]), ..Pose::IDENTITY };
        world
            .add_centred(NewBody { shape: ShapeId(b as u32), material: MaterialId(b as u32), size: 1.0, pose, motion })
            .unwrap()
    });
    let mut simulation = stepping(world, Law::HERTZ, duration / 2000.0);
    (0..6000).for_each(|_| advance(&mut simulation));
    ids.map(|id| state(&simulation, id).1)
}

/// Test 7: two equal spheres, each at 0.2 m/s and turning against each other's surface. By symmetry
/// each meets a plane that stands still, so while it slides v_t' = ± 0.12 m/s and ω' = ω - 3, as in
/// test 6; 1 %.
#[test]
fn test_7_equal_spheres_with_spin() {
    for (name, modulus, nu, rho) in [("Al alloy", 7e10, 0.33, 2700.0), ("copper", 1.2e11, 0.35, 8900.0)] {
        let metal = Material { restitution: 0.5, friction: 0.4, ..material(modulus, nu, rho) };
        for spin in [10.0, 15.0, 21.0] {
            let [upper, lower] = meeting([&metal, &metal], [0.1, 0.1], [0.2, 0.2], [spin, spin]);
            close(&format!("test 7, {name}, {spin} rad/s: v_t of the upper"), upper.velocity.x, 0.12, 1e-2);
            close(&format!("test 7, {name}, {spin} rad/s: v_t of the lower"), lower.velocity.x, -0.12, 1e-2);
            close(&format!("test 7, {name}, {spin} rad/s: spin"), upper.spin.y, spin - 3.0, 1e-2);
            close(&format!("test 7, {name}, {spin} rad/s: spin"), lower.spin.y, spin - 3.0, 1e-2);
            close(&format!("test 7, {name}, {spin} rad/s: rebound"), upper.velocity.z, 0.1, 5e-3);
        }
    }
}

/// Test 8: a sphere of 0.1 m with spin hits one of 0.5 m that is a thousand times denser and hardly
/// moves; the same again, 1 %.
#[test]
fn test_8_a_small_sphere_on_a_large_one() {
    for (name, modulus, nu, rho) in [("Al alloy", 7e10, 0.33, 2700.0), ("nylon", 2.5e9, 0.40, 1000.0)] {
        let light = Material { restitution: 0.5, friction: 0.4, ..material(modulus, nu, rho) };
        let heavy = Material { density: 1000.0 * rho, ..light.clone() };
        for spin in [10.0, 15.0, 21.0] {
            let [small, large] = meeting([&light, &heavy], [0.1, 0.5], [0.2, 0.0], [spin, 0.0]);
            close(&format!("test 8, {name}, {spin} rad/s: v_t"), small.velocity.x, 0.12, 1e-2);
            close(&format!("test 8, {name}, {spin} rad/s: spin"), small.spin.y, spin - 3.0, 1e-2);
            close(&format!("test 8, {name}, {spin} rad/s: rebound"), small.velocity.z, 0.1, 5e-3);
            assert!(large.velocity.length() < 1e-5, "{}", large.velocity);
        }
    }
}
