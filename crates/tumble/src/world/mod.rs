//! The world: what there is. Bodies, shapes, materials, obstacles, joints, and the forces that act
//! everywhere.
//!
//! ```
//! use tumble::prelude::*;
//!
//! let mut world = World::ground();
//! let oak = world.materials.add(Material { density: 700.0, ..Material::default() });
//! let block = world.add_shape(Shape::cuboid("block", DVec3::new(0.2, 0.1, 0.1))?);
//! let id = world.add(NewBody::new(block, oak, DVec3::new(0.0, 0.0, 1.0)))?;
//! assert!((world.mass(id)? - 700.0 * 0.002).abs() < 1e-12);
//! // An impulse through the centre of mass changes the velocity by impulse over mass.
//! world.apply_impulse(id, DVec3::new(2.8, 0.0, 0.0), world.centre(id)?)?;
//! assert!((world.motion(id)?.velocity.x - 2.0).abs() < 1e-12);
//! // What does not exist is an error with a sentence.
//! let problem = world.add(NewBody::new(ShapeId(7), oak, DVec3::ZERO)).unwrap_err();
//! assert!(problem.to_string().contains("shape"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bodies;
mod by_id;
pub(crate) mod check;
mod grip;
mod ids;
mod joint;
mod material;
mod obstacle;
mod problem;
mod shape;
mod solids;

pub use bodies::{Bodies, Inertia, Motion, NewBody, Rest, Traits, Wrench};
pub use grip::Grip;
pub(crate) use ids::Ids;
pub use ids::{BodyId, MaterialId, ObstacleId, ShapeId};
pub(crate) use joint::MOST_ROWS;
pub use joint::{End, FREE, Joint, JointId, JointKind, JointProblem, Joints, NewJoint, Strength};
pub use material::{Material, Materials, Pair};
pub use obstacle::{Key, Obstacle, Path};
pub use problem::WorldProblem;
pub use shape::{Clump, Shape, ShapeProblem, ShapeSphere};

#[doc(inline)]
pub use crate::geometry::Pose;

use glam::DVec3;

use crate::geometry::Surface;

/// Everything that exists, without the knowledge of how it moves: that is the solver's.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Kinds of bodies.
    pub shapes: Vec<Shape>,
    /// Materials, and the table of their pairs.
    pub materials: Materials,
    /// Bodies, which move.
    pub bodies: Bodies,
    /// Obstacles: bodies collide with them and do not move them.
    pub obstacles: Vec<Obstacle>,
    /// Joints between bodies.
    pub joints: Joints,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Drag: a body loses this share of its velocity a second \[1/s\].
    pub drag: f64,
}

impl World {
    /// The ground at z = 0, made of [`Material::default`], which is `MaterialId(0)`, and the
    /// gravity of the Earth.
    pub fn ground() -> Self {
        let ground = Obstacle::new("ground", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY));
        Self {
            materials: Materials::new(vec![Material::default()]),
            obstacles: vec![ground],
            gravity: DVec3::new(0.0, 0.0, -9.81),
            ..Self::default()
        }
    }

    /// Adds a kind of bodies.
    pub fn add_shape(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        ShapeId(self.shapes.len() as u32 - 1)
    }

    /// Adds something that bodies collide with.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Result<ObstacleId, WorldProblem> {
        check::obstacle(&obstacle, &self.materials)?;
        self.obstacles.push(obstacle);
        Ok(ObstacleId(self.obstacles.len() as u32 - 1))
    }

    /// Adds a body. Its pose is that of what its shape was made from, such as a mesh: see
    /// [`Shape::placed`].
    pub fn add(&mut self, new: NewBody) -> Result<BodyId, WorldProblem> {
        let pose = self.shape(new.shape)?.placed(new.pose, new.size);
        self.add_centred(NewBody { pose, ..new })
    }

    /// Adds a body whose pose is that of its centre of mass and its principal axes, as in
    /// [`Bodies::pose`].
    pub fn add_centred(&mut self, new: NewBody) -> Result<BodyId, WorldProblem> {
        self.shape(new.shape)?;
        self.materials.check(new.material)?;
        check::body(&new)?;
        Ok(self.bodies.add(new, &self.shapes, &self.materials))
    }

    /// A shape, if it is there.
    pub fn shape(&self, id: ShapeId) -> Result<&Shape, WorldProblem> {
        self.shapes.get(id.index()).ok_or(WorldProblem::NoShape(id))
    }

    /// Radius of the sphere about its centre of mass that holds a body of this shape and size
    /// \[m\]; zero if there is no such shape.
    pub fn radius_of(&self, shape: ShapeId, size: f64) -> f64 {
        self.shapes.get(shape.index()).map_or(0.0, |shape| shape.bounding_radius * size)
    }

    /// About how far apart bodies like that in a row lie in a heap \[m\]; zero if the row has none.
    pub fn diameter(&self, row: usize) -> f64 {
        let of = |traits: &Traits| Some(traits.size * self.shapes.get(traits.shape.index())?.diameter);
        self.bodies.traits.get(row).and_then(of).unwrap_or(0.0)
    }

    /// Radius of the sphere that holds the body in a row \[m\]; zero if the row has none.
    pub fn radius(&self, row: usize) -> f64 {
        self.bodies.traits.get(row).map_or(0.0, |traits| self.radius_of(traits.shape, traits.size))
    }

    /// Centres and radii of the spheres of the body in a row \[m\]; none if the row has none.
    pub fn spheres(&self, row: usize) -> impl Iterator<Item = (DVec3, f64)> {
        let body = self.bodies.traits.get(row).zip(self.bodies.pose.get(row));
        body.into_iter().flat_map(|(traits, pose)| {
            let spheres = self.shapes.get(traits.shape.index()).map_or(&[][..], |shape| &shape.spheres);
            spheres.iter().map(|sphere| (pose.to_world(traits.size * sphere.offset), traits.size * sphere.radius))
        })
    }
}
