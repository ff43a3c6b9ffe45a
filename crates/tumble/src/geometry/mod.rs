//! Geometry: meshes as data, and the surfaces bodies collide with.

mod mesh;
mod surface;

pub use mesh::{Mesh, MeshProblem};
pub use surface::{MeshSurface, Surface};
