//! Contact detection: sorted grids (broad phase), the neighbour list with its skin, contact
//! history, and contacts as callers read them.

mod block;
mod levels;
mod look;
mod memory;
mod neighbours;
mod parallel;
mod sleepers;
mod spheres;

pub(crate) use block::{Block, Deepest, FOUR, Reaction, SpherePair, Sum, Wall};
pub(crate) use levels::Levels;
pub use look::{BodyContact, ContactPoint, Overlap};
pub(crate) use look::{Contacts, DeepestOfFrame};
pub(crate) use memory::{SavedContact, SavedWall, SphereName};
pub(crate) use neighbours::Neighbours;
pub(crate) use parallel::{OfBodies, for_each_block};
pub(crate) use sleepers::Sleepers;
pub(crate) use spheres::{Sphere, Spheres, SurfaceId};
