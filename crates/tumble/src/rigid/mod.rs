//! The rigid solver: impulses, large steps (Hsu 2013, chapter 2, as engines do it today).
//!
//! A step is in `step.rs`: drive ▶ broad ▶ dispatch ▶ narrow ▶ wake ▶ group ▶ solve ▶ sleep. Its
//! substeps are in `substep.rs`, and the impulses of contacts in `solve/`.
//!
//! ```
//! use tumble::prelude::*;
//!
//! // A stack of three blocks: the ground carries the weight of all.
//! let mut world = World::ground();
//! let block = world.add_shape(Shape::cuboid("block", DVec3::splat(0.1))?);
//! for k in 0..3 {
//!     let position = DVec3::new(0.0, 0.0, 0.05 + 0.1 * f64::from(k));
//!     world.add(NewBody::new(block, MaterialId(0), position))?;
//! }
//! let weight = 3.0 * 9.81 * world.bodies.inertia[0].mass;
//! let awake = Rigid { sleeping: false, ..Rigid::DEFAULT };
//! let mut simulation = Simulation::new(Setup::new(world, awake))?;
//! (0..48).for_each(|_| drop(simulation.advance()));
//! let contacts = simulation.contacts();
//! assert_eq!(contacts.len(), 3);
//! let mut below = contacts.iter().filter(|contact| matches!(contact.to, End::Obstacle(_)));
//! let below = below.next().ok_or("it flies")?;
//! assert!((below.normal_force() / weight - 1.0).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod broad;
mod contact;
mod contact_block;
mod contacts;
mod deep;
mod dispatch;
mod group;
mod islands;
mod joint_rows;
mod joints;
mod lanes;
mod link;
mod look;
mod narrow;
mod obstacles;
mod overlap;
mod pairs;
mod renew;
mod row_order;

mod saved;
mod settings;
mod sleep;
mod solids;
mod solve;
mod solver;
mod step;
mod substep;
mod travel;
mod tree;
mod wake;
mod walk;

pub use settings::Rigid;

pub(crate) use overlap::overlaps;
pub(crate) use saved::{RigidMemory, SavedRigid};
pub(crate) use solver::RigidSolver;
