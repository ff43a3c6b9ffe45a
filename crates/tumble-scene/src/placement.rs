//! Positions, rotations, paths and meshes, as several parts of a scene write them.

use std::path::Path as FilePath;

use glam::{DQuat, DVec3, EulerRot};
use tumble::geometry::{Mesh, MeshSurface};
use tumble::world::{Key, Motion, Path, Pose};

use crate::mesh::read_mesh;
use crate::text::{Entry, Range, TableReader};

/// How far away, fast or turned anything may be, either way, in its unit: a million kilometres. Beyond it f64 no longer tells
/// grains apart, and sums of squares are on their way to infinity.
pub(crate) const REACH: f64 = 1e9;

/// A vector no longer than all of this makes sense for.
pub(crate) fn vector<'a>(table: &TableReader<'a>, key: &str) -> Entry<'a, DVec3> {
    table.vector_within(key, Range::Within(-REACH, REACH))
}

/// A length, speed or angle from nothing to [`REACH`].
pub(crate) fn extent<'a>(table: &TableReader<'a>, key: &str) -> Entry<'a, f64> {
    table.number(key, Range::Within(0.0, REACH))
}

/// Sizes of bodies, relative to their shape.
pub(crate) const SIZES: Range = Range::Within(1e-6, 1e6);

/// `position` and `rotation` of a table.
pub(crate) fn pose(table: &TableReader<'_>) -> Pose {
    Pose { position: vector(table, "position").or(DVec3::ZERO), orientation: rotation(table) }
}

/// `rotation`: degrees about x, then y, then z.
pub(crate) fn rotation(table: &TableReader<'_>) -> DQuat {
    let [x, y, z] = vector(table, "rotation").or(DVec3::ZERO).to_array().map(f64::to_radians);
    DQuat::from_euler(EulerRot::ZYX, z, y, x)
}

/// `velocity` and `spin` of a table; spin is in degrees a second.
pub(crate) fn motion(table: &TableReader<'_>) -> Motion {
    let spin = vector(table, "spin").or(DVec3::ZERO).to_array().map(f64::to_radians);
    Motion { velocity: vector(table, "velocity").or(DVec3::ZERO), spin: DVec3::from(spin) }
}

/// A path: `[[….key]]` through places at times, or constant `velocity` and `spin`, or standing still.
pub(crate) fn path(table: &TableReader<'_>, start: Pose, motion: Motion) -> Path {
    let tables = table.array_of_tables("key");
    if tables.is_empty() {
        return if motion == Motion::default() { Path::Fixed(start) } else { Path::Constant(start, motion) };
    }
    if motion != Motion::default() {
        table.problem_at("key", "a path has either keys or a constant velocity and spin", "remove one of the two");
    }
    let keys: Vec<Key> = tables
        .iter()
        .map(|key| Key { time: key.number("time", Range::AtLeast(0.0)).required(), pose: pose(key) })
        .collect();
    for (pair, table) in keys.windows(2).zip(&tables[1..]) {
        if pair[1].time <= pair[0].time {
            let what = format!(
                "the time of a key, {} s, must come after that of the key before, {} s",
                pair[1].time, pair[0].time
            );
            table.problem_at("time", what, "sort the keys by time");
        }
    }
    Path::Keys(keys)
}

/// The mesh file under `mesh`, scaled by `scale`. Its content is part of the resolved scene.
pub(crate) fn mesh(table: &TableReader<'_>, folder: &FilePath) -> Option<MeshSurface> {
    let file = table.string("mesh").optional()?;
    let scale = table.number("scale", Range::Within(1e-9, 1e9)).or(1.0);
    let read = match read_mesh(&folder.join(&file)) {
        Ok(read) => read,
        Err(problem) => {
            table.problem_at("mesh", problem.to_string(), "");
            return None;
        }
    };
    let content = format!("{:016x}", read.content_hash);
    if table.string("mesh_hash").or(content.clone()) != content {
        let what = format!("{file} is not the mesh this scene was resolved with");
        table.problem_at("mesh_hash", what, "restore the file, or remove `mesh_hash`");
    }
    let scaled = read.mesh.map(|vertex| scale * vertex).map_err(|problem| problem.to_string());
    let within = |mesh: &Mesh| mesh.vertices().iter().all(|vertex| vertex.abs().max_element() <= REACH);
    match scaled.and_then(|mesh| if within(&mesh) { Ok(mesh) } else { Err(format!("it reaches beyond {REACH:e} m")) }) {
        Ok(mesh) => Some(MeshSurface::new(mesh)),
        Err(problem) => {
            table.problem_at("scale", format!("{file} at this scale: {problem}"), "choose another scale");
            None
        }
    }
}

/// Reports keys of which exactly one must be there; true if that is so.
pub(crate) fn exactly_one(table: &TableReader<'_>, keys: &[&str]) -> bool {
    let given: Vec<&str> = keys.iter().copied().filter(|key| table.has(key)).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none of them".to_string() } else { given.join(" and ") };
        let what = format!("`{}` needs one of {}; it has {found}", table.name(), keys.join(", "));
        table.problem_at(given.last().unwrap_or(&""), what, "keep exactly one");
    }
    given.len() == 1
}

/// The table's `name`, by default `kind` and its number; reports a name that is taken.
pub(crate) fn name(table: &TableReader<'_>, kind: &str, number: usize, taken: &[(String, TableReader<'_>)]) -> String {
    let name = table.string("name").or(format!("{kind} {number}"));
    if taken.iter().any(|(other, _)| *other == name) {
        table.problem_at("name", format!("there are two things named `{name}`"), "give each its own name");
    }
    name
}
