//! Scene files: text ▶ checked ▶ resolved ▶ [`tumble::Simulation`].
//!
//! [`load`] does all of it. A scene has a short text, every key has a default that works, and every problem of a file
//! is reported at once with its place. `docs/scene.md` documents the keys; a test keeps it complete.
//!
//! - [`text`]: TOML with places, problems, defaults, the resolved text;
//! - [`mesh`]: OBJ, STL, PLY and glTF;
//! - `materials`, `shapes`, `contact`, `placement`, `obstacles`, `models`, `emitters`, `bodies`,
//!   `joints`: one part of a scene each;
//! - `overlaps`: bodies that are in each other at the start;
//! - `splits`: meshes that were split into convex parts before;
//! - `detail`: particles that follow grains, also of a recording;
//! - `look`: the camera and colours;
//! - [`expect`]: what a scene promises, and whether a run kept it;
//! - [`gallery`]: the scenes that come with tumble.

mod bodies;
mod contact;
mod convex;
mod detail;
mod emitters;
pub mod expect;
pub mod gallery;
mod joints;
mod look;
mod materials;
pub mod memory;
pub mod mesh;
mod models;
mod obstacles;
mod overlaps;
mod piles;
mod placement;
mod scene;
mod shapes;
mod splits;
pub mod text;

pub use detail::{Detailing, Kind, detail_of};
pub use look::{Camera, Look, ObstacleLook};
pub use scene::{Note, Scene, SceneError, load, load_text, load_text_with, load_with, load_without};
pub use splits::Splits;
