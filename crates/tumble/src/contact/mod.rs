//! Who touches whom: the sorted grid, the neighbour list with its skin, contact history, and the geometry of each kind of pair.

mod grid;
mod neighbours;
mod sphere_surface;

pub(crate) use grid::Grid;
pub(crate) use neighbours::{BLOCK, Block, Neighbours, Row, SavedContact, SavedWall, Wall};
pub(crate) use sphere_surface::{Feature, Gap, closest_on_triangle, sphere_box, sphere_plane};

use glam::DVec3;

/// A sphere in the world, as contacts see it: the one array the contact loop gathers from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sphere {
    /// Centre \[m\].
    pub(crate) center: DVec3,
    /// Radius \[m\].
    pub(crate) radius: f64,
    /// Velocity of the centre \[m/s\].
    pub(crate) velocity: DVec3,
    /// Mass of the body it belongs to \[kg\].
    pub(crate) mass: f64,
    /// Spin of the body it belongs to \[rad/s\].
    pub(crate) spin: DVec3,
    /// Index of its material.
    pub(crate) material: u32,
    /// Row of the body it belongs to.
    pub(crate) body: u32,
}
