//! What a frame shows to the outside: the one thing sinks, exporters and viewers read.
//!
//! Written by [`crate::Simulation::show`] from the exact state, in single precision and in the order of the ids,
//! so that neither the row order nor the precision of the solver leaks into files.

use crate::world::BodyId;

/// One body as a frame shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameBody {
    /// Stable name of the body, never used again after its removal.
    pub id: BodyId,
    /// Index into the scene's shapes.
    pub shape: u32,
    /// Index into the scene's materials.
    pub material: u32,
    /// Scale of the shape \[-\].
    pub size: f32,
    /// Centre of mass \[m\].
    pub position: [f32; 3],
    /// Orientation, unit quaternion w, x, y, z.
    pub orientation: [f32; 4],
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: [f32; 3],
    /// Angular velocity in world axes \[rad/s\].
    pub spin: [f32; 3],
    /// Whether the body is asleep.
    pub asleep: bool,
}

/// Where an obstacle stands in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePose {
    /// Position of the obstacle's origin \[m\].
    pub position: [f32; 3],
    /// Orientation, unit quaternion w, x, y, z.
    pub orientation: [f32; 4],
}

/// The state of the world at the end of a frame, as files and pictures need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Frame number as the user counts (the first frame may be 1 or 1001).
    pub number: i64,
    /// Simulated time since the first frame \[s\].
    pub time: f64,
    /// Hash of the exact state, see [`crate::Simulation::state_hash`].
    pub state_hash: u64,
    /// All bodies, in the order of their ids.
    pub bodies: Vec<FrameBody>,
    /// All obstacles, in the order of the scene.
    pub obstacles: Vec<FramePose>,
}
