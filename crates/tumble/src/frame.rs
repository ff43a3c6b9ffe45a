//! The frame: the only data that sinks, exporters and viewers read.
//!
//! Written by [`crate::Simulation::show`] from the exact state, in single precision and in the
//! order of the ids, so that neither the row order nor the precision of the solver leaks into
//! files. Layers and constraints of directors are here too, so that pictures can lay them over the
//! bodies.

use crate::world::{BodyId, MaterialId, ShapeId};

/// One body as a frame shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameBody {
    /// Stable name of the body, never used again after its removal.
    pub id: BodyId,
    /// Its shape.
    pub shape: ShapeId,
    /// Its material.
    pub material: MaterialId,
    /// Scale of the shape \[-\].
    pub size: f32,
    /// Centre of mass \[m\]. Where the origin of the body's mesh is then follows from the shape,
    /// see [`crate::world::Shape::centre`].
    pub position: [f32; 3],
    /// Orientation, unit quaternion w, x, y, z: from the axes in which the shape was given, those
    /// of its mesh, to the world's.
    pub orientation: [f32; 4],
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: [f32; 3],
    /// Angular velocity in world axes \[rad/s\].
    pub spin: [f32; 3],
    /// Contacts that push on it.
    pub contacts: u32,
    /// Whether the body is asleep.
    pub asleep: bool,
    /// Whether a constraint holds it, or the firm grip that a director gave it.
    pub held: bool,
    /// How the solver moves it.
    pub method: Method,
    /// Layer of the pile it belongs to, counted from the bottom.
    pub layer: Option<u16>,
}

impl Default for FrameBody {
    /// A body of size one at rest at the origin, unrotated, of the first shape and material.
    fn default() -> Self {
        Self {
            id: BodyId { index: 0, generation: 0 },
            shape: ShapeId(0),
            material: MaterialId(0),
            size: 1.0,
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
            velocity: [0.0; 3],
            spin: [0.0; 3],
            contacts: 0,
            asleep: false,
            held: false,
            method: Method::default(),
            layer: None,
        }
    }
}

/// How the solver moves a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By soft contacts.
    #[default]
    Granular,
    /// By impulses from its full geometry.
    Impulse,
    /// By the statistics of its signature.
    Statistical,
    /// As a single particle.
    Particle,
}

impl Method {
    /// All methods; the index is the number of a method in files.
    pub const ALL: [Self; 4] = [Self::Granular, Self::Impulse, Self::Statistical, Self::Particle];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Granular => "granular",
            Self::Impulse => "impulse",
            Self::Statistical => "statistical",
            Self::Particle => "particle",
        }
    }
}

/// Where an obstacle stands in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePose {
    /// Position of the obstacle's origin \[m\].
    pub position: [f32; 3],
    /// Orientation, unit quaternion w, x, y, z.
    pub orientation: [f32; 4],
}

/// A layer of a pile's stacking structure: an upright cylinder (Hsu & Keyser 2010, figure 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameLayer {
    /// Which pile.
    pub pile: u32,
    /// Centre of its bottom \[m\].
    pub centre: [f32; 3],
    /// Radius \[m\].
    pub radius: f32,
    /// Height \[m\].
    pub height: f32,
    /// How full it is: 0 empty, 1 full \[-\].
    pub density: f32,
}

/// A constraint that holds bodies in place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameConstraint {
    /// Where it holds the body \[m\].
    pub from: [f32; 3],
    /// The point to which it holds the body \[m\].
    pub to: [f32; 3],
}

/// One high-resolution particle as a frame shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameParticle {
    /// Stable number of the particle, never used again.
    pub id: u32,
    /// Its material.
    pub material: MaterialId,
    /// Radius \[m\].
    pub radius: f32,
    /// Centre \[m\].
    pub position: [f32; 3],
    /// Velocity \[m/s\].
    pub velocity: [f32; 3],
}

/// The particles of a frame: see [`crate::detail`]. Beside the [`Frame`] and not in it, because
/// there are millions of them and few readers need them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameDetail {
    /// Hash of their exact state.
    pub state_hash: u64,
    /// All of them, in the order of their ids.
    pub particles: Vec<FrameParticle>,
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
    /// Layers of all piles, from the bottom up.
    pub layers: Vec<FrameLayer>,
    /// Constraints that hold bodies.
    pub constraints: Vec<FrameConstraint>,
}
