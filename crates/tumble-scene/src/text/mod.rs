//! Scene text: TOML with the place of every value, read into typed sections and printed again.
//!
//! [`Source::parse`] makes a tree in which every node knows where it stands. [`set()`] changes it
//! for `--set`. [`read`] fills a [`Section`] from it, checks types and ranges and keeps defaults
//! where the text is silent. [`print()`] gives a section back as text. [`Places::locate`] gives
//! problems their places.
//!
//! serde is not used: it stops at the first problem, and it forgets where a value stood as soon as
//! it is read.
//!
//! ```
//! use tumble_scene::text::{Fields, Places, Range, Section, Source, print, read};
//!
//! #[derive(Clone)]
//! struct Sand {
//!     density: f64,
//!     friction: f64,
//! }
//!
//! impl Default for Sand {
//!     fn default() -> Self {
//!         Self { density: 2650.0, friction: 0.5 }
//!     }
//! }
//!
//! impl Section for Sand {
//!     fn describe(&mut self, fields: &mut Fields<'_>) {
//!         fields.within("density", &mut self.density, Range::Above(0.0));
//!         fields.within("friction", &mut self.friction, Range::AtLeast(0.0));
//!     }
//! }
//!
//! let source = Source::new("scene.toml", "density = -5\nfricton = 0.3\n");
//! let root = source.parse()?;
//! let sand = read::<Sand>(&root);
//! assert_eq!(print(&sand.value), "density = 2650\nfriction = 0.5\n");
//! let problems = Places::new(source, root).locate(sand.problems).to_string();
//! assert!(problems.contains("scene.toml:1:11: `density` must be > 0, got -5"));
//! assert!(problems.contains("did you mean `friction`?"));
//! # Ok::<(), tumble_scene::text::Problems>(())
//! ```

mod changes;
mod field;
mod fields;
mod location;
mod places;
mod problem;
mod range;
mod sections;
mod set;
mod suggest;
mod tree;

pub use changes::{Change, changes};
pub use field::{Field, Word};
pub(crate) use fields::describe_alone;
pub use fields::{Fields, Read, Section, read};
pub use location::{Location, Source};
pub use places::Places;
pub use problem::{Problem, Problems};
pub use range::Range;
pub use sections::{check_ranges, print, print_short};
pub use set::set;
pub use suggest::nearest;
pub(crate) use tree::key_text;
pub use tree::{Item, Node, Value};
