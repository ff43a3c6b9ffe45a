//! Who touches whom: the sorted grid, the neighbour list with its skin, contact history, and the geometry of each kind of pair.

mod block;
mod grid;
mod neighbours;
mod sphere_surface;
mod spheres;

pub(crate) use block::{BLOCK, Block, Row, Wall};
pub(crate) use grid::Grid;
pub(crate) use neighbours::{Neighbours, SavedContact, SavedWall};
pub(crate) use sphere_surface::{Feature, Gap, closest_on_triangle, sphere_box, sphere_plane};
pub(crate) use spheres::{Sphere, Spheres};
