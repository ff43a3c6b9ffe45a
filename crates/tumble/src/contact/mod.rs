//! Contact detection: sorted grids (broad phase), the neighbour list with its skin, contact
//! history, and the geometry of a sphere against a surface.

mod block;
mod grid;
mod levels;
mod memory;
mod neighbours;
mod parallel;
mod sleepers;
mod sphere_surface;
mod spheres;

pub(crate) use block::{Block, Deepest, FOUR, Reaction, SpherePair, Sum, Wall};
pub(crate) use grid::Grid;
pub(crate) use levels::Levels;
pub(crate) use memory::{SavedContact, SavedWall, SphereName};
pub(crate) use neighbours::Neighbours;
pub(crate) use parallel::{OfBodies, for_each_block};
pub(crate) use sleepers::Sleepers;
pub(crate) use sphere_surface::{Feature, Gap, closest_on_triangle, sphere_box, sphere_plane};
pub(crate) use spheres::{Sphere, Spheres};
