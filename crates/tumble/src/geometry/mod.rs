//! Geometry: poses, meshes as data, models made by formula, the surfaces bodies collide with, the
//! moments of solids, covers of surfaces with spheres, and the sorted grid.
//!
//! ```
//! use tumble::geometry::{Cover, Decomposition, Model, Split, cover, solid_moments, split};
//! use tumble::glam::DVec3;
//!
//! // An L of two blocks: its volume is exact, and it splits into the two.
//! let mesh = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.1), arm: 0.1 }.mesh(0)?;
//! assert!((solid_moments(&mesh).volume - 0.003).abs() < 1e-15);
//! let parts = Decomposition::new(&mesh, &split(&mesh, &Split::DEFAULT)).ok_or("it is flat")?;
//! assert_eq!(parts.list.len(), 2);
//! assert!(parts.excess.abs() < 1e-12, "the volume of the parts is that of the whole");
//!
//! // The same covered with spheres that touch its surface from inside.
//! let how = Cover { radius: 0.02, density: 1.0, offset: -0.02, seed: 1 };
//! let covered = cover(&mesh, &how)?;
//! assert!(covered.farthest < how.radius, "no point is farther from a sphere than its radius");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
