//! Geometry: meshes as data, and the surfaces bodies collide with.

mod ball_union;
mod exposed_sphere;
mod mesh;
mod moments;
mod surface;

pub use ball_union::union_moments;
pub use mesh::{Mesh, MeshProblem};
pub use moments::{Moments, principal};
pub use surface::{MeshSurface, Surface};
