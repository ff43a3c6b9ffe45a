//! A small world for tests: materials by name, a floor, single steps.
#![allow(dead_code)] // Each test binary uses its part.

use glam::{DQuat, DVec3};
use tumble::emit::{Emitter, Jitter, Place, When};
use tumble::geometry::Surface;
use tumble::granular::Law;
use tumble::world::{
    BodyId, Material, MaterialId, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, World,
};
use tumble::{Setup, Simulation};

/// A material with these elastic constants; the rest is set by `with`.
pub(crate) fn material(youngs_modulus: f64, poisson_ratio: f64, density: f64) -> Material {
    Material {
        name: "material".into(),
        density,
        youngs_modulus,
        poisson_ratio,
        stiffness: 1e6,
        restitution: 1.0,
        friction: 0.0,
        rolling_friction: 0.0,
        ..Material::default()
    }
}

/// A material that does not deform.
pub(crate) fn rigid(like: &Material) -> Material {
    Material { name: "rigid".into(), youngs_modulus: f64::INFINITY, stiffness: f64::INFINITY, ..like.clone() }
}

/// Spheres of these radii over a rigid floor at z = 0, all of one material; no gravity.
pub(crate) fn world_over_floor(material: &Material, radii: &[f64]) -> World {
    World {
        obstacles: vec![Obstacle::new("floor", MaterialId(1), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        ..world_without_floor(material, radii)
    }
}

/// Spheres of these radii, all of one material; no gravity.
pub(crate) fn world_without_floor(material: &Material, radii: &[f64]) -> World {
    World {
        shapes: radii.iter().map(|&r| Shape::ball("sphere", r).unwrap()).collect(),
        materials: Materials::new(vec![material.clone(), rigid(material)]),
        ..World::default()
    }
}

/// Adds a sphere.
pub(crate) fn add(world: &mut World, shape: u32, position: DVec3, velocity: DVec3, spin: DVec3) -> BodyId {
    let pose = Pose { position, ..Pose::IDENTITY };
    world
        .add_centred(NewBody {
            shape: ShapeId(shape),
            material: MaterialId(0),
            size: 1.0,
            pose,
            motion: Motion { velocity, spin },
        })
        .unwrap()
}

/// An emitter of bodies of size one, at rest and all alike.
pub(crate) fn emitter(shape: u32, count: u64, when: When, place: Place) -> Emitter {
    Emitter {
        name: format!("emitter of {count}"),
        shape: ShapeId(shape),
        material: MaterialId(0),
        count,
        size: [1.0, 1.0],
        when,
        place,
        orientation: DQuat::IDENTITY,
        motion: Motion::default(),
        jitter: Jitter::default(),
    }
}

/// A simulation whose frames are single steps of this length \[s\].
pub(crate) fn stepping(world: World, law: Law, step: f64) -> Simulation {
    Simulation::new(Setup { step: Some(step), fps: 1.0 / step, ..Setup::new(world, law) }).unwrap()
}

/// Advances by one frame.
pub(crate) fn advance(simulation: &mut Simulation) {
    let report = simulation.advance();
    assert!(!report.warnings.iter().any(|w| w.kind() == "not_finite"), "{:?}", report.warnings);
}

/// Position and motion of a body.
pub(crate) fn state(simulation: &Simulation, body: BodyId) -> (DVec3, Motion) {
    let bodies = &simulation.world().bodies;
    let row = bodies.row(body).unwrap();
    (bodies.pose[row].position, bodies.motion[row])
}

/// Fails unless `got` is within `tolerance` (relative) of `expected`.
#[track_caller]
pub(crate) fn close(what: &str, got: f64, expected: f64, tolerance: f64) {
    let error = (got - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    println!("{what}: expected {expected:.6e}, got {got:.6e}, off by {error:.1e}, allowed {tolerance:.0e}");
    assert!(error <= tolerance, "{what}: expected {expected:.6e}, got {got:.6e}, off by {error:.1e} > {tolerance:.0e}");
}
