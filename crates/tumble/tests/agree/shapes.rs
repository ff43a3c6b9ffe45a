//! A shape that carries spheres and convex parts moves in each solver as the one does that carries
//! only what this solver touches by.

use glam::DVec3;
use tumble::geometry::{Cover, Model, Split};
use tumble::granular::Law;
use tumble::rigid::Rigid;
use tumble::world::{MaterialId, NewBody, Shape, ShapeId, ShapeSphere, World};
use tumble::{Setup, Simulation, Solver, SolverKind};

use crate::hashes;

const COVER: Cover = Cover { radius: 0.02, density: 1.0, offset: -0.02, seed: 1 };

/// Three bodies of a shape that fall on each other.
fn fall(shape: &Shape, solver: Solver) -> Vec<u64> {
    let mut world = World::ground();
    world.add_shape(shape.clone());
    for k in 0..3 {
        let position = DVec3::new(0.03 * f64::from(k), 0.0, 0.15 + 0.25 * f64::from(k));
        world.add(NewBody::new(ShapeId(0), MaterialId(0), position)).unwrap();
    }
    hashes(&mut Simulation::new(Setup::new(world, solver)).unwrap(), 12)
}

#[test]
fn each_solver_takes_its_own() {
    // Its origin is not its centre of mass, nor are its axes the principal ones.
    let mesh = Model::LBlock { lengths: DVec3::new(0.2, 0.15, 0.07), arm: 0.07 }.mesh(0).unwrap();
    let mesh = mesh.map(|vertex| vertex + DVec3::new(0.3, 0.0, 0.1)).unwrap();
    let [covered, parted] = [Shape::covered("it", &mesh, &COVER).unwrap(), Shape::mesh("it", &mesh).unwrap()];
    assert!(parted.centre.length() > 0.01 && parted.axes.to_axis_angle().1 > 0.1, "{}", parted.centre);
    assert!(covered.parts.is_empty() && parted.spheres.is_empty(), "made without being asked for");
    let both = parted.clone().with_spheres(given(&covered)).unwrap();
    assert_eq!(both.parts, parted.parts);
    assert_eq!(both.spheres.len(), covered.spheres.len());
    for (one, other) in both.spheres.iter().zip(&covered.spheres) {
        assert!((one.offset - other.offset).length() < 1e-12, "{one:?} instead of {other:?}");
    }

    // To the bit: spheres that were never moved to another origin and back.
    let mut both = both;
    both.spheres.clone_from(&covered.spheres);
    assert_eq!(fall(&both, Law::LINEAR.into()), fall(&covered, Law::LINEAR.into()));
    assert_eq!(fall(&both, Rigid::DEFAULT.into()), fall(&parted, Rigid::DEFAULT.into()));
}

/// The spheres of a shape in the axes it was given in.
fn given(shape: &Shape) -> Vec<ShapeSphere> {
    let back = |s: &ShapeSphere| ShapeSphere { offset: shape.axes * s.offset + shape.centre, ..*s };
    shape.spheres.iter().map(back).collect()
}

/// The order in which they are made does not matter, and each solver asks for its own.
#[test]
fn both_in_any_order() {
    let block = || Shape::cuboid("block", DVec3::new(0.1, 0.12, 0.14)).unwrap();
    let granular = |shape: &Shape| {
        let mut world = World::ground();
        world.add_shape(shape.clone());
        world.add(NewBody::new(ShapeId(0), MaterialId(0), DVec3::Z)).unwrap();
        Simulation::new(Setup::new(world, Law::LINEAR)).map(|_| ())
    };
    assert!(granular(&block()).unwrap_err().to_string().contains("no spheres"));
    let covered = block().cover(&COVER).unwrap();
    granular(&covered).unwrap();
    assert_eq!(covered.parts, block().parts);
    assert_eq!(covered.diameter, block().diameter);

    let mesh = Model::LBlock { lengths: DVec3::new(0.2, 0.15, 0.07), arm: 0.07 }.mesh(0).unwrap();
    let split_first = Shape::mesh("it", &mesh).unwrap().cover(&COVER).unwrap();
    let covered_first = Shape::covered("it", &mesh, &COVER).unwrap().split(&Split::DEFAULT).unwrap();
    assert_eq!(split_first.parts.len(), covered_first.parts.len());
    assert_eq!(split_first.spheres.len(), covered_first.spheres.len());
    assert!((split_first.diameter - covered_first.diameter).abs() < 1e-12);
    let radii = [split_first.bounding_radius, covered_first.bounding_radius];
    assert!((radii[0] - radii[1]).abs() < 1e-12, "{radii:?}");

    let clump = Shape::ball("ball", 0.1).unwrap();
    assert!(clump.clone().cover(&COVER).unwrap_err().to_string().contains("no mesh"));
    assert!(clump.split(&Split::DEFAULT).is_err());
    for kind in [SolverKind::Granular, SolverKind::Rigid] {
        assert_eq!(kind.needs().spheres, kind == SolverKind::Granular);
        assert_eq!(kind.needs().parts, kind == SolverKind::Rigid);
    }
}
