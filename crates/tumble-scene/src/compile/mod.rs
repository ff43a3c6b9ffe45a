//! From a scene as values to a simulation that is ready to run.
//!
//! [`compile`] builds the parts of the world in the order in which they need each other. A part
//! with a problem is left out and the others go on, so that all problems are found. On the way it
//! fills in what follows from the rest of the scene, so that the scene which comes out has nothing
//! left to default.

mod bodies;
mod contact;
mod detail;
mod emitters;
mod joints;
mod materials;
mod memory;
mod obstacles;
mod overlaps;
mod paths;
mod setup;
mod shapes;
mod solids;

use std::path::Path;

use glam::{DQuat, DVec3, EulerRot};
use tumble::world::{MaterialId, ShapeId, World};

use crate::findings::Findings;
use crate::scene::Scene;
use crate::spec::{MaterialSpec, SceneSpec, ShapeSpec};
use crate::splits::Splits;
use crate::text::{Problem, print};

pub(crate) use detail::detailing;
pub use detail::{Detailing, ShapeKind};
pub use memory::available as available_memory;
use solids::Solids;

/// Builds a scene from values that were checked; `findings` are the problems so far.
pub(crate) fn compile(
    name: &str,
    mut spec: SceneSpec,
    folder: &Path,
    splits: Splits,
    mut findings: Findings,
) -> Result<Scene, Vec<Problem>> {
    let needs = spec.solver.kind().needs();
    let mut solids = Solids { folder, repair: spec.repair, needs, splits, notes: Vec::new(), findings: &mut findings };
    let materials = materials::compile(&spec.materials, &mut spec.pairs);
    let shapes = shapes::compile(&mut spec.shapes, &mut solids);
    let mut world = World { shapes, materials, gravity: spec.gravity, drag: spec.drag, ..World::default() };
    let obstacles = obstacles::compile(&mut spec, &mut world, &mut solids);
    let emitters = emitters::compile(&mut spec, &world, &obstacles.models, &mut solids);
    let Solids { splits, mut notes, .. } = solids;
    bodies::compile(&spec, &mut world, &mut findings);
    joints::compile(&spec, &mut world, &mut findings);
    let solver = contact::compile(&mut spec, &world.shapes);
    let bounds = setup::bounds(&mut spec, &world, &emitters, &mut findings);
    let detail = detail::compile(&mut spec, &world, &emitters, bounds, &mut findings);
    let piles = setup::piles(&mut spec, &world);
    setup::check_count(&spec, &world, &emitters, &mut findings);
    if !findings.is_empty() {
        return Err(findings.into_list());
    }

    let memory = memory::of_bodies(&world, &emitters);
    setup::check_memory(&world, &emitters, memory, &mut findings);
    overlaps::check(&spec, &world, &mut findings, &mut notes);
    setup::warn_of_distance(&world, &emitters, &mut notes);
    if !findings.is_empty() {
        return Err(findings.into_list());
    }
    let parts = setup::SimulationParts { world, emitters, solver, piles, bounds };
    let Some(simulation) = setup::simulation(&spec, parts, &mut findings) else { return Err(findings.into_list()) };
    Ok(Scene {
        name: name.to_owned(),
        title: spec.title.clone(),
        frames: spec.frames,
        fps: spec.fps,
        resolved: print(&spec),
        expectations: spec.expect.clone().unwrap_or_default().promises,
        detail,
        fine_meshes: obstacles.fine,
        splits,
        notes,
        memory,
        simulation,
        spec,
    })
}

/// The material with a name that was checked; the first if there is no such name.
fn material_of(spec: &[(String, MaterialSpec)], name: Option<&String>) -> MaterialId {
    MaterialId(row_of(spec, name))
}

/// The shape with a name that was checked; the first if there is no such name.
fn shape_of(spec: &[(String, ShapeSpec)], name: Option<&String>) -> ShapeId {
    ShapeId(row_of(spec, name))
}

fn row_of<T>(named: &[(String, T)], name: Option<&String>) -> u32 {
    named.iter().position(|(known, _)| Some(known) == name).unwrap_or(0) as u32
}

/// A rotation in degrees about x, then y, then z.
fn rotation(degrees: DVec3) -> DQuat {
    let [x, y, z] = degrees.to_array().map(f64::to_radians);
    DQuat::from_euler(EulerRot::ZYX, z, y, x)
}

/// A spin in degrees per second \[rad/s\].
fn spin(degrees: DVec3) -> DVec3 {
    DVec3::from(degrees.to_array().map(f64::to_radians))
}
