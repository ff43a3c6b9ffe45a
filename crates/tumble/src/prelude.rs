//! The names most programs need: `use tumble::prelude::*;`
//!
//! ```
//! use tumble::prelude::*;
//!
//! let mut world = World::ground();
//! let block = world.add_shape(Shape::cuboid("block", DVec3::new(0.2, 0.1, 0.1))?);
//! world.add(NewBody::new(block, MaterialId(0), DVec3::new(0.0, 0.0, 0.05)))?;
//! let mut simulation = Simulation::new(Setup::new(world, Rigid::DEFAULT))?;
//! (0..48).for_each(|_| drop(simulation.advance()));
//! assert!(simulation.measure().settled);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use glam::{DQuat, DVec2, DVec3};

pub use crate::direct::pile::PileSettings;
pub use crate::direct::{SeenBody, Stagehand};
pub use crate::emit::{Emitter, Jitter, Pattern, Place, Region, When};
pub use crate::geometry::{Mesh, Surface};
pub use crate::granular::{Granular, Law};
pub use crate::rigid::Rigid;
pub use crate::world::{
    BodyId, Clump, End, FREE, JointId, JointKind, Material, MaterialId, Motion, NewBody, NewJoint, Obstacle,
    ObstacleId, Path, Pose, Shape, ShapeId, ShapeSphere, Strength, World, WorldProblem,
};
pub use crate::{BodyContact, ContactPoint, Frame, FrameReport, Setup, Simulation, Solver, SolverKind};
