//! The world: what there is. Bodies, shapes, materials, obstacles, joints, and the forces that act everywhere.

mod bodies;
mod ids;
mod joint;
mod material;
mod obstacle;
mod problem;
mod shape;

pub use bodies::{Bodies, Inertia, Motion, NewBody, Pose, Rest, Traits, Wrench};
pub(crate) use ids::Ids;
pub use ids::{BodyId, MaterialId, ObstacleId, ShapeId};
pub(crate) use joint::MOST_ROWS;
pub use joint::{End, FREE, Joint, JointId, JointKind, JointProblem, Joints, NewJoint, Strength};
pub use material::{Material, Materials, Pair};
pub use obstacle::{Key, Obstacle, Path};
pub use problem::WorldProblem;
pub use shape::{Clump, Shape, ShapeProblem, ShapeSphere};

use glam::DVec3;

/// Everything that exists, without the knowledge of how it moves: that is the solver's.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Kinds of bodies.
    pub shapes: Vec<Shape>,
    /// What things are made of, and the pair table.
    pub materials: Materials,
    /// What moves.
    pub bodies: Bodies,
    /// What bodies collide with and do not move.
    pub obstacles: Vec<Obstacle>,
    /// What holds bodies together.
    pub joints: Joints,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Drag: a body loses this share of its velocity a second \[1/s\].
    pub drag: f64,
}

impl World {
    /// Radius of the sphere about its centre of mass that holds a body of this shape and size \[m\].
    pub fn radius_of(&self, shape: ShapeId, size: f64) -> f64 {
        self.shapes[shape.index()].bounding_radius * size
    }

    /// About how far apart bodies like that in a row lie in a heap \[m\].
    pub fn diameter(&self, row: usize) -> f64 {
        let traits = &self.bodies.traits[row];
        traits.size * self.shapes[traits.shape.index()].diameter
    }

    /// Radius of the sphere that holds the body in a row \[m\].
    pub fn radius(&self, row: usize) -> f64 {
        let traits = &self.bodies.traits[row];
        self.radius_of(traits.shape, traits.size)
    }

    /// Centres and radii of the spheres of the body in a row \[m\].
    pub fn spheres(&self, row: usize) -> impl Iterator<Item = (DVec3, f64)> {
        let (traits, pose) = (&self.bodies.traits[row], &self.bodies.pose[row]);
        let spheres = &self.shapes[traits.shape.index()].spheres;
        spheres.iter().map(|sphere| (pose.to_world(traits.size * sphere.offset), traits.size * sphere.radius))
    }

    /// Adds a body.
    pub fn add(&mut self, new: NewBody) -> BodyId {
        self.bodies.add(new, &self.shapes, &self.materials)
    }
}
