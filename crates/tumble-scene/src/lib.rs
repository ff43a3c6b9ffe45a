//! Scene files: text ▶ [`spec::SceneSpec`] ▶ checked ▶ [`tumble::Simulation`].
//!
//! Begin with [`load`], which does all of it, and with `scene.rs`, which shows the whole process on
//! one page. Almost every key has a default, and all problems of a file are reported together, each
//! with line and column. `docs/scene.md` documents the keys; a test keeps it complete.
//!
//! Programs build a [`spec::SceneSpec`], change its values and make a [`Scene`] of it, with the
//! same checks and messages as a text:
//!
//! ```
//! use tumble_scene::spec::{BodySpec, SceneSpec};
//! use tumble_scene::{Scene, Splits, text};
//!
//! let mut spec = SceneSpec { ground: Some(0.0), fps: 60.0, ..SceneSpec::default() };
//! for height in [0.1, 0.2, 0.3] {
//!     spec.bodies.push(BodySpec { position: [0.0, 0.0, height].into(), ..BodySpec::default() });
//! }
//! let scene = Scene::new("three", spec.clone(), ".".as_ref(), Splits::default())?;
//! assert_eq!(scene.simulation.world().bodies.len(), 3);
//!
//! // The text of a scene reads as the scene itself.
//! let parsed = tumble_scene::parse("three.toml", &text::print_short(&spec), &[])?;
//! assert_eq!(parsed.spec, spec);
//!
//! spec.frames = [10, 1];
//! assert!(tumble_scene::check(&spec)[0].what.contains("comes before the first"));
//! # Ok::<(), tumble_scene::SceneError>(())
//! ```
//!
//! - [`spec`]: a scene as values, one type for each table;
//! - [`text`]: TOML with places, read into values and printed again;
//! - `complete`, `check`: names are resolved, and rules between values are checked;
//! - `compile`: the simulation, one file for each part of the world;
//! - [`mesh`]: OBJ, STL, PLY and glTF;
//! - `splits`: convex parts of meshes that an earlier run split;
//! - `detail`: settings for the particles of a recording;
//! - [`gallery`]: the scenes that come with tumble.

mod check;
mod compile;
mod complete;
mod detail;
mod findings;
pub mod gallery;
pub mod mesh;
mod scene;
pub mod spec;
mod splits;
pub mod text;

pub use check::check;
pub use compile::{Detailing, ShapeKind, available_memory};
pub use detail::detail_of;
pub use scene::{Note, Parsed, Scene, SceneError, SceneText, find, load, load_text, load_with, parse};
pub use splits::Splits;
