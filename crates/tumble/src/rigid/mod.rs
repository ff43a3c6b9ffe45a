//! The rigid solver: impulses, large steps (Hsu 2013, chapter 2, as engines do it today).
//!
//! A step is in `step.rs`: drive ▶ broad ▶ dispatch ▶ narrow ▶ wake ▶ group ▶ solve ▶ sleep. Its
//! substeps are in `substep.rs`, and the impulses of contacts in `solve/`.

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
