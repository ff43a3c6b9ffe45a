//! Geometry: poses, meshes as data, models made by formula, the surfaces bodies collide with, the
//! moments of solids, covers of surfaces with spheres, and the sorted grid.

mod ball_union;
mod convex;
mod corners;
mod cover;
mod cut;
mod distance;
mod exposed_sphere;
mod fine_distance;
mod floaters;
mod grid;
mod isosurface;
mod mesh;
mod model;
mod moments;
mod planes;
mod point_cells;
mod pose;
mod pseudo_normals;
mod repair;
mod solid;
mod sphere_surface;
mod split;
mod surface;
#[cfg(test)]
pub(crate) mod test_meshes;

pub(crate) use ball_union::{union_moments, union_moments_within};
pub use convex::{Convex, ConvexPart, Hull};
pub(crate) use convex::{Corner, Manifold, ManifoldPoint, Piece};
pub use cover::{Cover, CoverProblem, Covered, cover};
pub(crate) use distance::DistanceField;
pub(crate) use fine_distance::FineDistance;
pub(crate) use grid::Grid;
pub(crate) use isosurface::isosurface;
pub use mesh::{Mesh, MeshProblem};
pub use model::{CavityPart, HopperSection, Model, ModelProblem};
pub use moments::Moments;
pub(crate) use moments::principal;
pub use pose::Pose;
pub use repair::{Repair, repair};
pub use solid::{SolidProblem, check_solid, solid_moments};
pub(crate) use sphere_surface::{Feature, Gap, closest_on_triangle, sphere_box, sphere_plane};
pub use split::{Decomposition, Split, split};
pub use surface::{MeshSurface, Surface};
