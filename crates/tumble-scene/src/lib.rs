//! Scene files: text ▶ [`spec::SceneSpec`] ▶ checked ▶ [`tumble::Simulation`].
//!
//! [`load`] does all of it. A scene has a short text, every key has a default that works, and every
//! problem of a file is reported at once with its place. `docs/scene.md` documents the keys; a test
//! keeps it complete.
//!
//! Programs begin with a [`spec::SceneSpec`], change its values and make a [`Scene`] of it, with
//! the same checks and messages as a text:
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
//! - `complete`, `check`: names that lead somewhere, and what must hold between values;
//! - `compile`: the simulation, one part of the world each;
//! - [`mesh`]: OBJ, STL, PLY and glTF;
//! - `splits`: meshes that were split into convex parts before;
//! - `detail`: particles of a recording;
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
