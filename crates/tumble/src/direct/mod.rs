//! Directors: what makes piles look as asked.
//!
//! A director acts once a frame, after the solver's steps, through a narrow door: it reads where bodies are, how they move and how many
//! contacts they have; it puts bodies to sleep and wakes them, and it changes how those that are awake move. It never moves a body itself.

pub mod pile;
mod stagehand;

pub use stagehand::{SeenBody, Stagehand};
