//! Many bodies at once: their sums of momenta and energy, and where they end up.

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, Model, Surface};
use tumble::measure;
use tumble::world::{MaterialId, Motion, Obstacle, Path, Pose, Shape, World};

use super::{add, block, by_default, pose, put, solid, stepping, world};
use crate::common::advance;

/// Momentum of all bodies, and angular momentum about the origin.
fn momenta(world: &World) -> (DVec3, DVec3) {
    let bodies = &world.bodies;
    (0..bodies.len()).fold((DVec3::ZERO, DVec3::ZERO), |(p, l), row| {
        let (pose, motion, inertia) = (&bodies.pose[row], &bodies.motion[row], &bodies.inertia[row]);
        let own = inertia.mass * motion.velocity;
        let spin = pose.orientation * (inertia.moments * (pose.orientation.conjugate() * motion.spin));
        (p + own, l + pose.position.cross(own) + spin)
    })
}

/// Two clusters of 216 boxes, balls and cylinders that fly into each other in free space keep their
/// momenta and gain no energy. Angular momentum is that of impulses at the places of the beginning
/// of a step: first order in it.
#[test]
fn clusters_that_collide_keep_their_momenta() {
    let steps = [(Some(1.0 / 480.0), 5e-4), (None, 2e-3)];
    for (restitution, (step, allowed)) in [0.0, 0.5, 0.9].into_iter().flat_map(|e| steps.map(|step| (e, step))) {
        let shapes = vec![
            block(0.1, 0.08, 0.06),
            solid(Convex::Ball(0.05)),
            solid(Convex::Cylinder { radius: 0.04, half: 0.05 }),
        ];
        let mut world = world(shapes, 0.5, restitution);
        world.gravity = DVec3::ZERO;
        world.obstacles.clear();
        for k in 0..432u32 {
            let side = if k < 216 { -1.0 } else { 1.0 };
            let [x, y, z] = [k % 6, k / 6 % 6, k / 36 % 6].map(|n| 0.16 * (f64::from(n) - 2.5));
            let turn = DQuat::from_scaled_axis(0.01 * f64::from(k) * DVec3::new(1.0, 2.0, 3.0));
            let velocity = DVec3::new(-2.0 * side, 0.1 * side, 0.0);
            let motion = Motion { velocity, spin: DVec3::new(0.0, 0.3, 0.2) };
            add(&mut world, k % 3, DVec3::new(x + 0.7 * side, y + 0.1 * side, z), turn, motion);
        }
        let (p, l) = momenta(&world);
        let (mass, start) = (world.bodies.inertia.iter().map(|i| i.mass).sum::<f64>(), measure::kinetic_energy(&world));
        let (mut simulation, mut before) = (stepping(world, step), start);
        let mut most = 0f64;
        while simulation.time() < 1.0 {
            advance(&mut simulation);
            let now = measure::kinetic_energy(simulation.world());
            most = most.max((now - before) / start);
            before = now;
        }
        let after = momenta(simulation.world());
        let (off, turned) = ((after.0 - p).length() / (2.0 * mass), (after.1 - l).length() / (2.0 * mass));
        println!(
            "e {restitution}: momentum {off:.1e}, angular {turned:.1e}, gained {most:.1e}, left {:.2}",
            before / start
        );
        assert!(before < 0.9 * start, "they have not met");
        assert!(off < 1e-7 && turned < allowed && most < 1e-6, "e {restitution}: {off:e}, {turned:e}, {most:e}");
    }
}

/// Rings that fall over a pole lie on it, one on the other.
#[test]
fn rings_fall_over_a_pole() {
    let parts = Model::Ring { radius: 0.1, tube: 0.02 }.parts().unwrap().unwrap();
    let mut world = world(vec![Shape::of_parts("ring", parts).unwrap()], 0.5, 0.2);
    let place = Pose { position: 0.25 * DVec3::Z, ..Pose::IDENTITY };
    world.obstacles.push(Obstacle::new(
        "pole",
        MaterialId(1),
        Surface::Box(DVec3::new(0.03, 0.03, 0.25)),
        Path::Fixed(place),
    ));
    let rings: Vec<_> = (0..4).map(|k| put(&mut world, 0, DVec3::new(0.01, 0.005, 0.6 + 0.1 * f64::from(k)))).collect();
    let mut simulation = by_default(world);
    (0..360).for_each(|_| advance(&mut simulation));
    for (k, ring) in rings.into_iter().enumerate() {
        let at = pose(&simulation, ring).position;
        let height = 0.02 + 0.04 * k as f64;
        println!("ring {k} at {at}");
        assert!(at.truncate().length() < 0.07 && (at.z - height).abs() < 0.01, "ring {k} at {at}, {height} m known");
    }
}
