//! The engine of tumble: simulates and directs piles.
//!
//! To use the engine, begin with [`prelude`], the example below and the programs in `examples/`.
//! Build a [`World`](world::World), make a [`Setup`] of it, and call [`Simulation::advance`] once
//! per frame. To read the code, begin with `simulation.rs` (a frame on one page), then
//! `granular/step.rs` or `rigid/step.rs` (a step on one page). `ARCHITECTURE.md` names every file.
//!
//! The engine reads no files and no clock, and prints nothing. A step cannot fail: problems are
//! warnings in the [`FrameReport`]. Numbers are SI, z is up.
//!
//! - [`Simulation`]: births ▶ steps ▶ directors ▶ measures;
//! - [`world`]: bodies as dense rows with stable ids; shapes, materials, obstacles, joints;
//! - [`emit`]: emitters, which make bodies over time;
//! - [`direct`]: directors, which shape piles;
//! - [`detail`]: high-resolution particles that follow grains, beside the simulation;
//! - `contact`: neighbour lists and contact history of the granular solver;
//! - [`granular`]: the solver with soft contacts and small steps;
//! - [`rigid`]: the solver with impulses and large steps;
//! - [`geometry`]: meshes, surfaces, convex parts, models;
//! - [`statics`]: which bodies can rest on what they touch, and how safely;
//! - [`measure`]: energies, angle of repose, solid fraction, penetration, drift;
//! - `slopes`: time derivatives of the state, for analysis;
//! - `snapshot`: the exact state as bytes and its hash.
//!
//! Callers give and get the poses of meshes, with their own origins and axes. The engine keeps the
//! centre of mass and the principal axes instead; [`world::Shape::placed`] and
//! [`world::Shape::standing`] convert between the two.
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
mod state;
pub mod statics;
pub mod world;

pub use glam;

pub use contact::{BodyContact, ContactPoint};
pub use frame::{Frame, FrameBody, FrameConstraint, FrameDetail, FrameLayer, FrameParticle, FramePose, Method};
pub use measure::NotFinite;
pub use report::{FrameReport, SetupProblem, Warning};
pub use setup::Setup;
pub use simulation::{Counts, Simulation};
pub use solver::{ShapeNeeds, Solver, SolverKind};
pub use stage::{Stage, Stopwatch};
pub use state::NotAState;
