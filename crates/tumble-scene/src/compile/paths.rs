//! How obstacles and the points of emitters move.

use glam::DVec3;
use tumble::world::{Key, Motion, Path, Pose};

use super::{rotation, spin};
use crate::spec::{ObstacleSpec, PointKeySpec};

/// A path through keys, or with a constant motion, or standing still.
fn path(start: Option<Pose>, motion: Motion, keys: impl Iterator<Item = Key>) -> Path {
    let keys: Vec<Key> = keys.collect();
    if !keys.is_empty() {
        let start = start.map(|pose| Key { time: 0.0, pose });
        return Path::Keys(start.into_iter().chain(keys).collect());
    }
    let start = start.unwrap_or(Pose::IDENTITY);
    if motion == Motion::default() { Path::Fixed(start) } else { Path::Constant(start, motion) }
}

/// The path of an obstacle. Fills in where it starts: with keys only if a part of that is given.
pub(super) fn of_obstacle(spec: &mut ObstacleSpec) -> Path {
    let has_start = spec.keys.is_empty() || spec.position.is_some() || spec.rotation.is_some();
    let start = has_start.then(|| Pose {
        position: *spec.position.get_or_insert(DVec3::ZERO),
        orientation: rotation(*spec.rotation.get_or_insert(DVec3::ZERO)),
    });
    let motion = Motion { velocity: spec.velocity, spin: spin(spec.spin) };
    let keys = spec
        .keys
        .iter()
        .map(|key| Key { time: key.time, pose: Pose { position: key.position, orientation: rotation(key.rotation) } });
    path(start, motion, keys)
}

/// The path of a point.
pub(super) fn of_point(point: DVec3, drift: DVec3, keys: &[PointKeySpec]) -> Path {
    let at = |position: DVec3| Pose { position, ..Pose::IDENTITY };
    let keys = keys.iter().map(|key| Key { time: key.time, pose: at(key.position) });
    path(Some(at(point)), Motion { velocity: drift, spin: DVec3::ZERO }, keys)
}
