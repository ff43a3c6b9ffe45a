//! Scene text: reads TOML, gives checked values with their defaults, and every problem at once with its place.
//!
//! A scene goes through four steps. [`Source::parse`] makes a tree in which every node knows where it stands. [`set`]
//! changes it for `--set`. [`TableReader`] takes the values out: it checks types and ranges, fills in defaults and
//! writes down what it gave. [`Reading::finish`] then either gives the [`Resolved`] scene or all [`Problems`].
//!
//! serde is not used: it stops at the first problem, and it forgets where a value stood as soon as it is read.
//!
//! ```
//! use tumble_scene::text::{Range, Reading, Source};
//!
//! let source = Source::new("scene.toml", "[material.sand]\ndensity = -5\nfricton = 0.3\n");
//! let root = source.parse().unwrap();
//! let reading = Reading::new(&source, &root);
//! for (_name, material) in reading.root().subtables("material") {
//!     let density = material.number("density", Range::Above(0.0)).or(2650.0);
//!     let friction = material.number("friction", Range::AtLeast(0.0)).or(0.5);
//!     assert_eq!((density, friction), (2650.0, 0.5));
//! }
//! let problems = reading.finish().unwrap_err().to_string();
//! assert!(problems.contains("scene.toml:2:11: `density` must be > 0, got -5"));
//! assert!(problems.contains("did you mean `friction`?"));
//! ```

mod changes;
mod place;
mod problem;
mod range;
mod reader;
mod resolved;
mod set;
mod suggest;
mod tree;

pub use changes::changed_keys;
pub use place::{Place, Source};
pub use problem::{Problem, Problems};
pub use range::Range;
pub use reader::{Entry, Reading, TableReader};
pub use resolved::Resolved;
pub use set::{set, unset};
pub use suggest::nearest;
pub use tree::{Item, Node, Value};
