//! Scene files: text and meshes.

pub mod mesh;
pub mod text;
