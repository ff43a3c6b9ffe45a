//! Fields whose motion is known: a constant one, a resting one, shear, and free flight.

use glam::{DVec3, Vec3};
use tumble::detail::{DetailSettings, Kernel};

use crate::{RADIUS, TIME, advance, detail, frame, lattice, place, shown, velocity};

/// Eq. (4) of Alduán et al. with all vᵢ equal gives that v, and places follow, both to rounding.
#[test]
fn a_constant_field_is_reproduced_exactly() {
    for kernel in [Kernel::Printed, Kernel::Smooth] {
        let v = DVec3::new(0.75, -0.5, 0.25);
        let at = |k: i64| frame(k, lattice(5).into_iter().map(|p| (p + k as f64 * TIME * v, v)), &[]);
        // So far that those at the corners of the lattice see more than one carrier too.
        let settings = DetailSettings { kernel, count: 10, influence: 3.5, ..DetailSettings::default() };
        let mut detail = detail(settings, &[], &at(0));
        let before = shown(&detail);
        let mut after = before.clone();
        for k in 1..=10 {
            after = advance(&mut detail, &at(k));
        }
        for (a, b) in before.iter().zip(&after) {
            let drift = place(b) - place(a) - (10.0 * TIME * v).as_vec3();
            assert!(drift.length() < 1e-6, "{drift}");
            // The field is the displacement of carriers over the time; single-precision places
            // round it differently for each carrier.
            assert!((velocity(b) - v.as_vec3()).length() < 2e-5, "{:?}", b.velocity);
        }
    }
}

/// A heap at rest stays: no place changes by a bit, whatever gravity would do between two
/// interpolations.
#[test]
fn nothing_drifts_out_of_a_heap_at_rest() {
    let carriers = || lattice(5).into_iter().map(|p| (p, DVec3::ZERO));
    let plane = [tumble::detail::DetailSurface::Plane];
    let mut detail = detail(DetailSettings::default(), &plane, &frame(0, carriers(), &[DVec3::ZERO]));
    // Those on the outside may first fall a bit.
    for k in 1..=60 {
        advance(&mut detail, &frame(k, carriers(), &[DVec3::ZERO]));
    }
    let before = shown(&detail);
    for k in 61..=300 {
        advance(&mut detail, &frame(k, carriers(), &[DVec3::ZERO]));
    }
    let after = shown(&detail);
    let moved = before.iter().zip(&after).filter(|(a, b)| a.position != b.position).count();
    assert_eq!((before.len(), moved), (125 * 32, 0));
}

/// Where velocity grows with height, v = (γ z, 0, 0), inner particles have that of their height, up
/// to the asymmetry of the kernel sum: Σ w (z_i - z) over a lattice is not zero, but smaller than a
/// radius.
#[test]
fn shear_is_followed() {
    let gamma = 2.0;
    let speed = |p: DVec3| DVec3::new(gamma * p.z, 0.0, 0.0);
    let at = |k: i64| frame(k, lattice(9).into_iter().map(|p| (p + k as f64 * TIME * speed(p), speed(p))), &[]);
    let mut detail = detail(DetailSettings { count: 20, ..DetailSettings::default() }, &[], &at(0));
    let after = advance(&mut detail, &at(1));
    let inner =
        |p: &&tumble::FrameParticle| (0.06..0.12).contains(&p.position[2]) && (0.06..0.12).contains(&p.position[1]);
    let inner: Vec<_> = after.iter().filter(inner).filter(|p| (0.07..0.12).contains(&p.position[0])).collect();
    assert!(inner.len() > 200);
    let mut mean = 0.0;
    for particle in &inner {
        let expected = gamma as f32 * particle.position[2];
        assert!((particle.velocity[0] - expected).abs() < (gamma * RADIUS) as f32, "{particle:?} {expected}");
        mean += (particle.velocity[0] - expected) / inner.len() as f32;
    }
    assert!(mean.abs() < (0.03 * gamma * RADIUS) as f32, "{mean}");
}

/// A lone carrier does not carry its particles: they fly on parabolas of their own, x + v t + g
/// t²/2, and so does it.
#[test]
fn particles_of_a_lone_carrier_fly_freely() {
    let (v, g) = (DVec3::new(0.3, 0.0, 2.0), DVec3::new(0.0, 0.0, -9.81));
    // The carrier is stopped in flight, which its particles do not notice.
    let at = |k: i64| {
        let t = k.min(3) as f64 * TIME;
        let v = if k > 3 { DVec3::ZERO } else { v + t * g };
        frame(k, [(DVec3::Z + t * (DVec3::new(0.3, 0.0, 2.0)) + 0.5 * t * t * g, v)], &[])
    };
    let mut free = detail(DetailSettings::default(), &[], &at(0));
    let mut carried = detail(DetailSettings { least_carriers: 1, ..DetailSettings::default() }, &[], &at(0));
    let before = shown(&free);
    let (mut flown, mut clump) = (Vec::new(), Vec::new());
    for k in 1..=9 {
        flown = advance(&mut free, &at(k));
        clump = advance(&mut carried, &at(k));
    }
    let t = 9.0 * TIME;
    let (way, speed) = ((t * v + 0.5 * t * t * g).as_vec3(), (v + t * g).as_vec3());
    for (a, b) in before.iter().zip(&flown) {
        assert!((place(b) - place(a) - way).length() < 2e-6 && (velocity(b) - speed).length() < 1e-5);
    }
    // Without the rule for few carriers they are a clump that stands in the air (figure 6, top).
    let at_rest = clump.iter().filter(|p| velocity(p).length() < 1e-3).count();
    assert_eq!(at_rest, clump.len());
}

/// In air of velocity w with drag k a falling particle approaches u = w + g/k; on the way v(t) =
/// u - u exp(-k t) from rest, and x(t) = u (t - (1 - exp(-k t)) / k), which steps keep exactly,
/// however long they are.
#[test]
fn air_slows_and_carries() {
    for k in [3.0, 200.0] {
        let (wind, g) = (DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 0.0, -9.81));
        let settings = DetailSettings { drag: k, wind, count: 4, ..DetailSettings::default() };
        let still = |n: i64| frame(n, [(DVec3::ZERO, DVec3::ZERO)], &[]);
        let mut detail = detail(settings, &[], &still(0));
        let before = shown(&detail);
        let after = (1..=20).map(|n| advance(&mut detail, &still(n))).last().unwrap();
        let (limit, time) = (wind + g / k, 20.0 * TIME);
        let expected: Vec3 = (limit - limit * (-k * time).exp()).as_vec3();
        let way: Vec3 = (limit * (time - (1.0 - (-k * time).exp()) / k)).as_vec3();
        for (before, after) in before.iter().zip(&after) {
            assert!((velocity(after) - expected).length() < 1e-5, "{:?} {expected}", after.velocity);
            assert!((place(after) - place(before) - way).length() < 1e-5, "{:?} {way}", after.position);
        }
    }
}
