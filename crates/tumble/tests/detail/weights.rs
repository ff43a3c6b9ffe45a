//! Eqs. (3) and (4) of Alduán, Tena & Otaduy (2009), by hand.

use glam::DVec3;
use tumble::FrameParticle;
use tumble::detail::{DetailSettings, Kernel};

use crate::{RADIUS, TIME, advance, detail, frame, place, shown, velocity};

/// Carriers that pass through each other within a frame: only their places at its beginning and
/// their displacements count.
fn two(k: i64, apart: f64, speeds: [DVec3; 2]) -> tumble::Frame {
    let centres = [DVec3::X * -0.5 * apart, DVec3::X * 0.5 * apart];
    let at = |(c, v): (DVec3, DVec3)| (c + k as f64 * TIME * v, v);
    frame(k, centres.into_iter().zip(speeds).map(at), &[])
}

/// Velocities as printed for two carriers, and free fall where only one is near: by brute force
/// over all particles.
fn follow(kernel: Kernel, weight: impl Fn(f64, f64) -> f64) {
    let settings = DetailSettings {
        kernel,
        count: 400,
        interpolations: 1,
        steps: 1,
        influence: 2.2,
        touch: 2.2,
        ..DetailSettings::default()
    };
    let (apart, speeds) = (1.8 * RADIUS, [DVec3::new(0.0, 0.3, 0.0), DVec3::new(0.0, 0.0, -0.6)]);
    let mut detail = detail(settings, &[], &two(0, apart, speeds));
    let before = shown(&detail);
    let after = advance(&mut detail, &two(1, apart, speeds));
    let r = 2.2 * RADIUS;
    let (mut dense, mut free) = (0, 0);
    for (a, b) in before.iter().zip(&after) {
        let distances = [-0.5, 0.5].map(|side| (place(a).as_dvec3() - DVec3::X * side * apart).length());
        let near: Vec<_> = distances.iter().zip(speeds).filter(|(d, _)| **d < r).collect();
        let expected = if near.len() == 2 {
            dense += 1;
            let weights = [0, 1].map(|k| weight(distances[k], r));
            (weights[0] * speeds[0] + weights[1] * speeds[1]) / (weights[0] + weights[1])
        } else {
            free += 1;
            Vec::from(speeds)[a.id as usize / 400] + TIME * DVec3::new(0.0, 0.0, -9.81)
        };
        assert!((velocity(b).as_dvec3() - expected).length() < 1e-5, "{a:?} {b:?} {expected}");
    }
    assert!(dense > 500 && free > 50, "{dense} {free}");
}

#[test]
fn weights_are_as_printed() {
    follow(Kernel::Printed, |d, r| (3.0 * r - 2.0 * d) / (4.0 * r));
    follow(Kernel::Smooth, |d, r| (1.0 - d * d / r / r).powi(3));
}

/// Halfway between two carriers the velocity is their mean.
#[test]
fn two_carriers_at_equal_distance_give_the_mean() {
    let settings =
        DetailSettings { kernel: Kernel::Printed, count: 4000, interpolations: 1, ..DetailSettings::default() };
    let speeds = [DVec3::new(0.2, 0.4, 0.0), DVec3::new(-0.2, 0.0, 0.6)];
    let mut detail = detail(settings, &[], &two(0, 1.8 * RADIUS, speeds));
    let before = shown(&detail);
    let after = advance(&mut detail, &two(1, 1.8 * RADIUS, speeds));
    let mean = (0.5 * (speeds[0] + speeds[1])).as_vec3();
    let halfway = |(a, _): &(&FrameParticle, &FrameParticle)| a.position[0].abs() < 2e-5;
    let found: Vec<_> = before.iter().zip(&after).filter(halfway).collect();
    assert!(found.len() > 3, "{}", found.len());
    for (a, b) in found {
        // The ratio of weights differs from one by at most 2 δ/r / (3/4 - d/2r), with δ = 2e-5 of r
        // = 2.5e-2.
        assert!((velocity(b) - mean).length() < 2e-3, "{a:?} {b:?}");
    }
}
