//! The engine of tumble: simulates and directs piles.
//!
//! No files, no clock, no terminal; a step cannot fail, it reports. The way through the code is the way of a frame:
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
//! - [`measure`]: what a frame looks like in numbers;
//! - `slopes`: the equations of motion, for looking at them;
//! - `snapshot`: the exact state as bytes and its hash.
//!
//! ```
//! use glam::DVec3;
//! use tumble::geometry::Surface;
//! use tumble::granular::Law;
//! use tumble::world::{Material, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, World};
//! use tumble::{Setup, Simulation, Stopwatch};
//!
//! // A rubber ball of 10 cm falls on the ground.
//! let rubber = Material {
//!     name: "rubber".into(),
//!     density: 1100.0,
//!     youngs_modulus: 1e7,
//!     poisson_ratio: 0.4,
//!     stiffness: 1e5,
//!     restitution: 0.8,
//!     friction: 0.9,
//!     ..Material::default()
//! };
//! let mut world = World {
//!     shapes: vec![Shape::ball("ball", 0.05)],
//!     materials: Materials::new(vec![rubber]),
//!     obstacles: vec![Obstacle::new("ground", 0, Surface::Plane, Path::Fixed(Pose::IDENTITY))],
//!     gravity: DVec3::new(0.0, 0.0, -9.81),
//!     ..World::default()
//! };
//! let pose = Pose { position: DVec3::new(0.0, 0.0, 1.0), ..Pose::IDENTITY };
//! let ball = world.add(NewBody { shape: 0, material: 0, size: 1.0, pose, motion: Motion::default() });
//!
//! let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ))?;
//! for _ in 0..10 {
//!     let report = simulation.advance();
//!     assert!(report.warnings.is_empty());
//! }
//! let bodies = &simulation.world().bodies;
//! let height = bodies.pose[bodies.row(ball).unwrap()].position.z;
//! assert!((height - (1.0 - 0.5 * 9.81 * (10.0f64 / 24.0).powi(2))).abs() < 1e-9);
//! # Ok::<(), tumble::SetupProblem>(())
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
pub mod world;

pub use frame::{Frame, FrameBody, FrameConstraint, FrameDetail, FrameLayer, FrameParticle, FramePose, Method};
pub use report::{FrameReport, NotFinite, SetupProblem, Warning};
pub use setup::Setup;
pub use simulation::{Counts, Simulation};
pub use snapshot::NotAState;
pub use solver::{BodyContact, ContactPoint, Solver};
pub use stage::{Stage, Stopwatch};
