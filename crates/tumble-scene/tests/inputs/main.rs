//! Everything that comes from outside: mesh files, models, clumps and scene texts, good, bad and
//! mutated.

mod bad_meshes;
mod cubes;
mod good_meshes;
mod granular;
mod joints;
mod models;
mod mutation;
mod scene_fuzz;
mod texts;
