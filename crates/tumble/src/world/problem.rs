//! Why a world cannot be as asked.

use std::fmt;

use super::{BodyId, MaterialId, ObstacleId, ShapeId};

/// Why something cannot be part of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldProblem {
    /// The shape does not exist.
    NoShape(ShapeId),
    /// The material does not exist.
    NoMaterial(MaterialId),
    /// The obstacle does not exist.
    NoObstacle(ObstacleId),
    /// The body does not exist, or no longer.
    NoBody(BodyId),
    /// A number or a list is not as it must be.
    Unusable {
        /// Its owner.
        of: String,
        /// The condition that must hold.
        what: &'static str,
    },
}

impl fmt::Display for WorldProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoShape(id) => write!(f, "there is no shape {}", id.0),
            Self::NoMaterial(id) => write!(f, "there is no material {}", id.0),
            Self::NoObstacle(id) => write!(f, "there is no obstacle {}", id.0),
            Self::NoBody(id) => write!(f, "there is no body {}", id.number()),
            Self::Unusable { of, what } => write!(f, "{of}: {what}"),
        }
    }
}

impl std::error::Error for WorldProblem {}
