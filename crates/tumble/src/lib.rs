//! The engine of tumble: simulates and directs piles.
//!
//! No files, no clock, no terminal; a step cannot fail, it reports. The way through the code is the
//! way of a frame:
//!
//! - [`Simulation`]: a frame on one page, births ▶ steps ▶ directors ▶ measures;
//! - [`world`]: what there is, bodies as dense rows with stable ids, shapes, materials, obstacles;
//! - [`emit`]: what makes more bodies;
//! - [`direct`]: what makes piles look as asked;
//! - [`detail`]: high-resolution particles that follow grains, beside the simulation;
//! - `contact`: who touches whom;
//! - [`granular`]: the solver with soft contacts, its step on one page in `granular/step.rs`;
//! - [`rigid`]: the solver with impulses, its step on one page in `rigid/step.rs`;
//! - [`geometry`]: meshes and surfaces;
//! - [`statics`]: which bodies can rest on what they touch;
//! - [`measure`]: what a frame looks like in numbers;
//! - `slopes`: the equations of motion, for looking at them;
//! - `snapshot`: the exact state as bytes and its hash.
//!
//! Begin with [`prelude`], the example below and those in `examples/`. Numbers are SI, z is up. A
//! caller gives and gets poses of the meshes that shapes were made from, with their own origins and
//! axes; inside, bodies are at their centres of mass and turned to their principal axes.
//! [`world::Shape::placed`] leads from the one to the other, [`world::Shape::standing`] back.
//!
//! ```
//! use tumble::prelude::*;
//!
//! // A rubber ball of 10 cm falls on the ground and comes to rest there.
//! let mut world = World::ground();
//! let rubber = world.materials.add(Material { density: 1100.0, ..Material::default() });
//! let ball = world.add_shape(Shape::ball("ball", 0.05)?);
//! let ball = world.add(NewBody::new(ball, rubber, DVec3::new(0.0, 0.0, 0.2)))?;
//!
//! let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ))?;
//! for _ in 0..24 * 5 {
//!     let report = simulation.advance();
//!     assert!(report.warnings.is_empty(), "{:?}", report.warnings);
//! }
//! assert!((simulation.pose(ball)?.position.z - 0.05).abs() < 1e-3);
//! assert_eq!(simulation.contacts().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod between;
mod contact;
pub mod detail;
pub mod direct;
mod drift;
pub mod emit;
mod frame;
pub mod geometry;
pub mod granular;
mod lanes;
pub mod measure;
pub mod prelude;
mod random;
mod report;
mod rest;
pub mod rigid;
mod setup;
mod show;
mod simulation;
mod slopes;
mod snapshot;
mod solver;
mod stage;
pub mod statics;
pub mod world;

pub use glam;

pub use frame::{Frame, FrameBody, FrameConstraint, FrameDetail, FrameLayer, FrameParticle, FramePose, Method};
pub use report::{FrameReport, NotFinite, SetupProblem, Warning};
pub use setup::Setup;
pub use simulation::{Counts, Simulation};
pub use snapshot::NotAState;
pub use solver::{BodyContact, ContactPoint, Solver};
pub use stage::{Stage, Stopwatch};
