//! Geometry: meshes as data, models made by formula, and the surfaces bodies collide with.

mod ball_union;
mod exposed_sphere;
mod mesh;
mod model;
mod moments;
mod surface;

pub use ball_union::union_moments;
pub use mesh::{Mesh, MeshProblem};
pub use model::{Model, ModelProblem, Part, Section};
pub use moments::{Moments, principal};
pub use surface::{MeshSurface, Surface};
