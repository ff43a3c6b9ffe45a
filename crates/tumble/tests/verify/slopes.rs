//! The equations of motion, read from outside.

use glam::DVec3;
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::{Clump, MaterialId, Motion, NewBody, Pose, Shape, ShapeId, World};
use tumble::{Setup, Simulation};

use crate::common::{add, close, material, world_over_floor};

/// A body that falls and spins: x' = v, r' = w, v' = g, and Euler's equations w' = I⁻¹(-w × I w);
/// were it turned by a small r first, r' = w - r × w/2.
#[test]
fn a_free_body_obeys_euler() {
    let material = material(1e7, 0.3, 1000.0);
    let mut world = World { gravity: DVec3::new(0.0, 0.0, -9.81), ..world_over_floor(&material, &[0.01]) };
    let mut long = Shape::named_clump("long", Clump::Tetrahedron, 0.01, 0.0).unwrap();
    long.moments = DVec3::new(1.0, 2.0, 3.0) * long.moments.x;
    world.shapes.push(long);
    let spin = DVec3::new(1.0, -2.0, 0.5);
    let motion = Motion { velocity: DVec3::new(0.1, 0.2, 0.3), spin };
    let pose = Pose { position: DVec3::Z, ..Pose::IDENTITY };
    world.add_centred(NewBody { shape: ShapeId(1), material: MaterialId(0), size: 1.0, pose, motion }).unwrap();
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
    let slopes = simulation.slopes(&[]).unwrap();
    let moments = DVec3::new(1.0, 2.0, 3.0);
    let expected = [motion.velocity, spin, DVec3::new(0.0, 0.0, -9.81), -spin.cross(moments * spin) / moments];
    for (got, expected) in slopes.chunks(3).zip(expected) {
        assert!((DVec3::from_slice(got) - expected).length() < 1e-12, "{got:?} {expected}");
    }
    let small = DVec3::new(1e-6, 2e-6, -1e-6);
    let mut change = [0.0; 12];
    change[3..6].copy_from_slice(&small.to_array());
    let turning = DVec3::from_slice(&simulation.slopes(&change).unwrap()[3..6]) - spin;
    assert!((turning + 0.5 * small.cross(spin)).length() < 1e-14, "{turning}");
}

/// A linear spring k under a mass m: pressing it by x more changes the acceleration by -k x/m.
#[test]
fn a_contact_pushes_back_by_its_stiffness() {
    let material = material(1e7, 0.3, 1000.0);
    let mut world = world_over_floor(&material, &[0.01]);
    add(&mut world, 0, DVec3::new(0.0, 0.0, 0.0099), DVec3::ZERO, DVec3::ZERO);
    let mass = world.bodies.inertia[0].mass;
    let mut simulation = Simulation::new(Setup::new(world, Law::LINEAR)).unwrap();
    let mut pressed = [0.0; 12];
    pressed[2] = -1e-6;
    let change = simulation.slopes(&pressed).unwrap()[8] - simulation.slopes(&[]).unwrap()[8];
    // A rigid floor gives twice the stiffness of two equals.
    close("acceleration", change, 2.0 * 1e6 * 1e-6 / mass, 1e-9);
}

/// Looking and noting leave no trace: the same bits afterwards, whatever was looked at.
#[test]
fn looking_changes_nothing() {
    let control = Control { tolerance: 1e-3, smallest: Some(1e-9), largest: 0.04, sequential: false };
    for integrator in [Integrator::Verlet, Integrator::Rk23(control)] {
        let mut sand = material(1e6, 0.3, 1000.0);
        (sand.friction, sand.restitution) = (0.5, 0.5);
        let mut world = World { gravity: DVec3::new(0.0, 0.0, -9.81), ..world_over_floor(&sand, &[0.01]) };
        for n in 0..20 {
            let place = DVec3::new(0.003 * f64::from(n % 3), 0.002 * f64::from(n % 2), 0.011 + 0.021 * f64::from(n));
            add(&mut world, 0, place, DVec3::ZERO, DVec3::X);
        }
        let setup = Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) });
        let mut plain = Simulation::new(setup).unwrap();
        let mut seen = plain.clone();
        assert!(seen.take_tried_steps().is_empty());
        for _ in 0..8 {
            let count = plain.advance();
            let same = seen.advance();
            let tried = seen.take_tried_steps();
            if integrator != Integrator::Verlet {
                let kept = tried.iter().filter(|step| step.kept);
                assert_eq!(kept.clone().count() as u64, same.steps);
                assert_eq!(tried.len() as u64, same.steps + same.rejected_steps);
                close("time", kept.map(|step| step.length).sum(), 1.0 / 24.0, 1e-9);
            }
            seen.slopes(&[0.003; 240]);
            assert_eq!((count.steps, plain.state_hash()), (same.steps, seen.state_hash()));
        }
    }
}
