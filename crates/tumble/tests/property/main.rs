//! Random input, invariants that always hold.

#[path = "../common/mod.rs"]
mod common;
mod misuse;
mod wild;

use std::collections::HashSet;
use std::ops::Range;

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use tumble::granular::Law;
use tumble::rigid::Rigid;
use tumble::world::{Material, MaterialId, Materials, Motion, NewBody, Pose, Shape, ShapeId, ShapeSphere, World};
use tumble::{Frame, Setup, Simulation, measure};

use common::{add, material, world_over_floor, world_without_floor};

fn vector(reach: f64) -> impl Strategy<Value = DVec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(DVec3::from_array)
}

/// Position, velocity, spin and kind of up to forty spheres of two sizes, thrown together.
fn crowd() -> impl Strategy<Value = Vec<(DVec3, DVec3, DVec3, u32)>> {
    prop::collection::vec((vector(0.06), vector(2.0), vector(100.0), 0u32..2), 2..40)
}

fn law() -> impl Strategy<Value = Law> {
    prop_oneof![Just(Law::LINEAR), Just(Law::HERTZ)]
}

fn stuff(restitution: f64, friction: f64) -> Material {
    Material { restitution, friction, stiffness: 1e4, ..material(1e7, 0.3, 2000.0) }
}

fn fill(world: &mut World, crowd: &[(DVec3, DVec3, DVec3, u32)]) {
    for &(position, velocity, spin, shape) in crowd {
        add(world, shape, position, velocity, spin);
    }
}

/// A step in which bodies hardly turn, and the default one for bodies of this size \[s\].
const SHORT: f64 = 1e-3;
const LONG: f64 = 1.0 / 60.0;

/// A box or a capsule: place, orientation, velocity, spin, kind.
type Solid = (DVec3, DVec3, DVec3, DVec3, u32);

fn solids(count: Range<usize>) -> impl Strategy<Value = Vec<Solid>> {
    prop::collection::vec((vector(0.3), vector(3.0), vector(3.0), vector(10.0), 0u32..2), count)
}

/// Watches kinetic energy for 0.25 s. Impulses act where bodies touched at the beginning of a step:
/// `slack` of the energy is for that.
fn energy_never_rises(mut simulation: Simulation, slack: f64) -> Result<(), TestCaseError> {
    let mut before = measure::kinetic_energy(simulation.world());
    while simulation.time() < 0.25 {
        simulation.advance();
        let now = measure::kinetic_energy(simulation.world());
        prop_assert!(now <= before * (1.0 + slack), "{before} J became {now} J in frame {}", simulation.frame_number());
        before = now;
    }
    Ok(())
}

/// These solids without gravity, on a lattice with this distance \[m\]; from 0.21 m on they do not
/// begin in each other.
fn thrown(solids: &[Solid], apart: f64, restitution: f64, friction: f64, step: f64) -> Simulation {
    let shapes = vec![
        Shape::cuboid("box", 2.0 * DVec3::new(0.06, 0.03, 0.05)).unwrap(),
        Shape::capsule("capsule", 0.03, 0.14).unwrap(),
    ];
    let materials =
        Materials::new(vec![Material { restitution, friction, rolling_friction: 0.0, ..Material::default() }]);
    let mut world = World { shapes, materials, ..World::default() };
    for (k, &(jitter, turn, velocity, spin, shape)) in solids.iter().enumerate() {
        let place = DVec3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64);
        let position = apart * place + 0.05 * jitter;
        let pose = Pose { position, orientation: DQuat::from_scaled_axis(turn) };
        world
            .add_centred(NewBody {
                shape: ShapeId(shape),
                material: MaterialId(0),
                size: 1.0,
                pose,
                motion: Motion { velocity, spin },
            })
            .unwrap();
    }
    Simulation::new(Setup { step: Some(step), fps: 1.0 / step, ..Setup::new(world, Rigid::DEFAULT) }).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nor in crowds, also where several nearly elastic bodies hit each other at once. Of 3,000
    /// draws none gained more than 3 · 10⁻⁵ in a short step; one 1.8 · 10⁻³ in 1/60 s.
    #[test]
    fn impulses_in_crowds_add_no_energy(solids in solids(2..20), restitution in 0.0..1.0f64, friction in 0.0..2.0f64) {
        energy_never_rises(thrown(&solids, 0.21, restitution, friction, SHORT), 1e-3)?;
        energy_never_rises(thrown(&solids, 0.21, restitution, friction, LONG), 1e-2)?;
    }

    /// Bodies that begin in each other come apart without being thrown: none gets faster than four
    /// times the speed that pushes two of them apart.
    #[test]
    fn bodies_in_each_other_come_apart(solids in solids(2..20), friction in 0.0..2.0f64) {
        let still: Vec<Solid> = solids.into_iter().map(|(p, q, _, _, kind)| (p, q, DVec3::ZERO, DVec3::ZERO, kind)).collect();
        let mut simulation = thrown(&still, 0.1, 0.0, friction, SHORT);
        for _ in 0..500 {
            simulation.advance();
            let fastest = simulation.world().bodies.motion.iter().map(|m| m.velocity.length()).fold(0.0, f64::max);
            prop_assert!(fastest < 5.0, "{fastest} m/s in frame {}", simulation.frame_number());
        }
        prop_assert!(simulation.measure().deepest_overlap < 0.02);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Impulses between two solids take energy or leave it, whatever restitution, friction and
    /// shapes. The printed formula for kinetic friction (Hsu 2013, 2.24) does not: it can add a
    /// third. Of 3,000 draws none gained more than 6 · 10⁻⁵ in a short step; four gained more than
    /// 10⁻³ in 1/60 s, 4.1 · 10⁻³ at most.
    #[test]
    fn impulses_add_no_energy(solids in solids(2..3), restitution in 0.0..1.0f64, friction in 0.0..2.0f64) {
        let mut towards = solids;
        towards[1].2 -= 3.0 * DVec3::X;
        energy_never_rises(thrown(&towards, 0.21, restitution, friction, SHORT), 1e-3)?;
        energy_never_rises(thrown(&towards, 0.21, restitution, friction, LONG), 1e-2)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Momentum and angular momentum are conserved for any overlap at the start and any collision.
    #[test]
    fn momentum_is_conserved(crowd in crowd(), law in law(), restitution in 0.05..1.0, friction in 0.0..2.0) {
        let mut world = world_without_floor(&stuff(restitution, friction), &[0.01, 0.02]);
        fill(&mut world, &crowd);
        let momenta = |world: &World| {
            let bodies = &world.bodies;
            bodies.rows_by_id().fold((DVec3::ZERO, DVec3::ZERO), |(p, l), row| {
                let momentum = bodies.inertia[row].mass * bodies.motion[row].velocity;
                let own = bodies.inertia[row].moments.x * bodies.motion[row].spin;
                (p + momentum, l + bodies.pose[row].position.cross(momentum) + own)
            })
        };
        let mut simulation = Simulation::new(Setup { fps: 500.0, ..Setup::new(world, law) }).unwrap();
        let (p0, l0) = momenta(simulation.world());
        let mut scale = 0.0;
        for _ in 0..5 {
            simulation.advance();
            // The largest single momentum there was: spheres born inside each other fly apart fast.
            let bodies = &simulation.world().bodies;
            let largest = (0..bodies.len()).map(|r| bodies.inertia[r].mass * bodies.motion[r].velocity.length());
            scale = largest.fold(scale, f64::max);
        }
        let (p, l) = momenta(simulation.world());
        let steps = simulation.counts().steps as f64;
        prop_assert!((p - p0).length() <= 1e-15 * steps * crowd.len() as f64 * scale, "{} {}", p, p0);
        prop_assert!((l - l0).length() <= 1e-15 * steps * crowd.len() as f64 * scale, "{} {}", l, l0);
    }

    /// Contacts only take energy: after everything has flown apart there is less of it than at the
    /// start, if nothing overlapped then.
    #[test]
    fn energy_never_grows(crowd in crowd(), law in law(), restitution in 0.05..1.0, friction in 0.0..2.0) {
        let mut world = world_without_floor(&stuff(restitution, friction), &[0.01, 0.02]);
        // Spread out, then thrown at the middle.
        let apart: Vec<_> = crowd.iter().enumerate().map(|(k, &(at, _, spin, shape))| {
            let site = DVec3::new((k % 4) as f64, (k / 4 % 4) as f64, (k / 16) as f64) * 0.05 + 0.1 * at;
            (site, 20.0 * (DVec3::splat(0.075) - site), spin, shape)
        }).collect();
        fill(&mut world, &apart);
        prop_assume!(measure::overlaps(&world).is_empty());
        let before = measure::kinetic_energy(&world);
        let mut simulation = Simulation::new(Setup { fps: 20.0, ..Setup::new(world, law) }).unwrap();
        (0..20).for_each(|_| drop(simulation.advance()));
        let after = measure::kinetic_energy(simulation.world());
        // The un-rescaled Mindlin spring can give back a little at grazing touch (Elata & Berryman
        // 1996).
        prop_assert!(after <= 1.01 * before, "{} -> {}", before, after);
    }

    /// A body that nothing touches turns by spin times time, however far it turns in a step: about
    /// any axis if its moments are equal, about its own axes if they are not. Orientations keep
    /// their length whatever the spin. The tolerance is rounding: a few units in the last place of
    /// the angle turned, and of each step.
    #[test]
    fn orientations_stay_right_at_any_spin(axis in vector(1.0), power in -1.0..9.0f64, fps in 20.0..2000.0f64, rigid in any::<bool>()) {
        let box_of = |half: DVec3| Shape::cuboid("box", 2.0 * half).unwrap();
        let rod = |x: f64| ShapeSphere { offset: DVec3::new(x, 0.0, 0.0), radius: 0.01 };
        let (round, long) = match rigid {
            true => (box_of(DVec3::splat(0.01)), box_of(DVec3::new(0.01, 0.02, 0.03))),
            false => (Shape::ball("ball", 0.01).unwrap(), Shape::clump("rod", vec![rod(-0.01), rod(0.01)]).unwrap()),
        };
        let mut world = world_without_floor(&stuff(0.5, 0.5), &[0.01]);
        world.shapes = vec![round, long];
        let speed = 10f64.powf(power);
        let spins = [speed * axis.normalize_or(DVec3::X), speed * DVec3::Z, speed * axis.normalize_or(DVec3::X)];
        for (k, &spin) in spins.iter().enumerate() {
            // So far apart that the rigid solver does not look for contacts of bodies that spin so
            // fast.
            let pose = Pose { position: 1e6 * k as f64 * DVec3::X, ..Pose::IDENTITY };
            world.add_centred(NewBody { shape: ShapeId(u32::from(k > 0)), material: MaterialId(0), size: 1.0, pose, motion: Motion { velocity: DVec3::ZERO, spin } }).unwrap();
        }
        let setup = if rigid { Setup::new(world, Rigid { sleeping: false, ..Rigid::DEFAULT }) } else { Setup::new(world, Law::HERTZ) };
        let mut simulation = Simulation::new(Setup { fps, ..setup }).unwrap();
        for _ in 0..10 {
            let report = simulation.advance();
            prop_assert!(report.warnings.is_empty(), "{:?} at {} rad/s", report.warnings, speed);
        }
        let bodies = &simulation.world().bodies;
        let angle = speed * simulation.time();
        let steps = simulation.counts().steps as f64 * if rigid { f64::from(Rigid::DEFAULT.substeps) } else { 1.0 };
        for row in bodies.rows_by_id() {
            let length = bodies.pose[row].orientation.length();
            prop_assert!((length - 1.0).abs() < 1e-14, "length {} at {} rad/s", length, speed);
        }
        for (row, spin) in bodies.rows_by_id().zip(&spins[..2]) {
            let expected = DQuat::from_scaled_axis(*spin * simulation.time());
            let off = (expected.conjugate() * bodies.pose[row].orientation).xyz().length();
            prop_assert!(off < 1e-15 * (10.0 + steps + 0.5 * steps * angle), "off by {:e} after {:e} rad in {} steps", off, angle, steps);
        }
    }

    /// A saved state is the state, whatever it is; frames list every body once, in order.
    #[test]
    fn states_survive_saving(crowd in crowd(), law in law(), frames in 0usize..4) {
        let setup = || {
            let mut world = world_over_floor(&stuff(0.5, 0.5), &[0.01, 0.02]);
            world.gravity = DVec3::new(0.0, 0.0, -9.81);
            fill(&mut world, &crowd);
            let bounds = Some((DVec3::splat(-0.07), DVec3::splat(0.07)));
            Setup { fps: 200.0, bounds, ..Setup::new(world, law) }
        };
        let mut simulation = Simulation::new(setup()).unwrap();
        (0..frames).for_each(|_| drop(simulation.advance()));
        let mut copy = Simulation::new(setup()).unwrap();
        copy.load(&simulation.save()).unwrap();
        prop_assert_eq!(copy.state_hash(), simulation.state_hash());
        simulation.advance();
        copy.advance();
        prop_assert_eq!(copy.save(), simulation.save());

        let mut frame = Frame::default();
        simulation.show(&mut frame);
        let ids: Vec<u64> = frame.bodies.iter().map(|body| body.id.number()).collect();
        prop_assert_eq!(ids.len(), simulation.world().bodies.len());
        prop_assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        prop_assert!(frame.bodies.is_sorted_by_key(|body| body.id));
        let removed = simulation.counts().removed as usize;
        prop_assert_eq!(ids.len() + removed, crowd.len());
    }
}
