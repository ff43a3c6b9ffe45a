//! Piles do not depend on the step: their height is physics, the overlaps of bodies are the method.

use glam::{DQuat, DVec3};
use tumble::geometry::Convex;
use tumble::world::{Material, Materials, Motion};

use super::{add, block, solid, stepping, world};
use crate::common::advance;

/// Drops 80 boxes, capsules and cylinders in a column. Returns the mean height of their centres
/// after three seconds \[m\], and how deep they are in each other at most, over the radius of the
/// smaller.
fn pile(seed: u32, step: f64) -> (f64, f64) {
    let shapes = vec![
        block(0.2, 0.15, 0.1),
        solid(Convex::Capsule { radius: 0.06, half: 0.06 }),
        solid(Convex::Cylinder { radius: 0.08, half: 0.06 }),
    ];
    let mut world = world(shapes, 0.8, 0.2);
    let material = Material { friction: 0.8, restitution: 0.1, rolling_friction: 0.1, ..Material::default() };
    world.materials = Materials::new(vec![material.clone(), material]);
    for k in 0..80u32 {
        let [x, y, z] = [k % 3, k / 3 % 3, k / 9].map(f64::from);
        let draw = |n: u32| (f64::from((80 * seed + k) * 7 + n) * 0.754877666).fract() - 0.5;
        let place = 0.26 * DVec3::new(x - 1.0, y - 1.0, z + 0.6) + 0.02 * DVec3::new(draw(0), draw(1), draw(2));
        let turn = DQuat::from_scaled_axis(6.0 * DVec3::new(draw(3), draw(4), draw(5)));
        add(&mut world, k % 3, place, turn, Motion::default());
    }
    let mut simulation = stepping(world, step);
    while simulation.time() < 3.0 {
        advance(&mut simulation);
    }
    let heights = simulation.world().bodies.pose.iter().map(|pose| pose.position.z);
    (heights.sum::<f64>() / 80.0, simulation.measure().deepest_overlap)
}

/// The mean height of piles has no trend over steps of 1/60 to 1/480 s: the slope of its
/// least-squares line over the logarithm of the step is within three standard errors of zero, which
/// follow from the scatter of the six piles of a step. Overlaps under a load fall with the square
/// of the step, those where something still moves with the step itself: by eight, of which chance
/// may take half.
#[test]
fn piles_do_not_depend_on_the_step() {
    const PILES: u32 = 6;
    let n = f64::from(PILES);
    let (mut slope, mut variance, mut depths) = (0.0, 0.0, Vec::new());
    for (rate, x) in [(60.0, -1.5), (120.0, -0.5), (240.0, 0.5), (480.0, 1.5)] {
        let piles: Vec<_> = (0..PILES).map(|seed| pile(seed, 1.0 / rate)).collect();
        let mean = piles.iter().map(|pile| pile.0).sum::<f64>() / n;
        let error = (piles.iter().map(|pile| (pile.0 - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt();
        let depth = piles.iter().map(|pile| pile.1).sum::<f64>() / n;
        println!("{rate} steps a second: {mean:.4} ± {error:.4} m high, {depth:.1e} of a radius deep");
        (slope, variance) = (slope + x * mean / 5.0, variance + (x * error / 5.0).powi(2));
        depths.push(depth);
    }
    println!("{slope:.5} m for half the step, with a standard error of {:.5}", variance.sqrt());
    assert!(slope.abs() < 3.0 * variance.sqrt(), "{slope} m for half the step, standard error {}", variance.sqrt());
    assert!(depths[3] < depths[0] / 4.0, "{depths:?} of a radius deep");
}
