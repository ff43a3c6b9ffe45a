//! Positions, rotations, paths and meshes, as several parts of a scene write them.

use std::collections::BTreeSet;
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

/// The pose at the start of a path: if there are keys, only if it is given.
pub(crate) fn start(table: &TableReader<'_>) -> Option<Pose> {
    let given = !table.has("key") || table.has("position") || table.has("rotation");
    given.then(|| pose(table))
}

/// A path: through `[[….key]]`s from the start if it is given, or with constant `velocity` and `spin`, or standing still.
pub(crate) fn path(
    table: &TableReader<'_>,
    start: Option<Pose>,
    motion: Motion,
    key_pose: fn(&TableReader<'_>) -> Pose,
) -> Path {
    let tables = table.array_of_tables("key");
    if tables.is_empty() {
        let start = start.unwrap_or(Pose::IDENTITY);
        return if motion == Motion::default() { Path::Fixed(start) } else { Path::Constant(start, motion) };
    }
    if motion != Motion::default() {
        table.problem_at("key", "a path has either keys or a constant velocity and spin", "remove one of the two");
    }
    let mut keys: Vec<Key> = start.map(|pose| Key { time: 0.0, pose }).into_iter().collect();
    for table in &tables {
        let key = Key { time: table.number("time", Range::AtLeast(0.0)).required(), pose: key_pose(table) };
        if let Some(before) = keys.last().filter(|before| key.time <= before.time) {
            let what =
                format!("the time of a key, {} s, must come after {} s, where it already is", key.time, before.time);
            table.problem_at("time", what, "sort the keys by time; a place given outside the keys is that at time 0");
        }
        keys.push(key);
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
        // Which other keys belong here depends on which of them is meant.
        if !given.is_empty() {
            table.leave_unread();
        }
    }
    given.len() == 1
}

/// The table's `name`, by default `kind` and its number; reports a name that is taken.
pub(crate) fn name(table: &TableReader<'_>, kind: &str, number: usize, taken: &mut BTreeSet<String>) -> String {
    let name = table.string("name").or(format!("{kind} {number}"));
    if !taken.insert(name.clone()) {
        table.problem_at("name", format!("there are two things named `{name}`"), "give each its own name");
    }
    name
}
