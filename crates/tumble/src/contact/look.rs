//! Contacts and overlaps as callers read them, of both solvers.

use glam::DVec3;

use crate::world::{BodyId, End};

/// A body that touches something: what statics needs of a contact, for both solvers.
///
/// The granular solver gives a contact of two spheres each, the rigid one all points between two
/// convex pieces together.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyContact {
    /// The body.
    pub body: BodyId,
    /// The other side of the contact.
    pub to: End,
    /// From the body to the other, of length one.
    pub normal: DVec3,
    /// Where they touch.
    pub points: Vec<ContactPoint>,
    /// Friction that acts on the body, at the middle of the points \[N\].
    pub friction: DVec3,
    /// Torque on the body, of friction about the normal and of rolling resistance across it
    /// \[N·m\].
    pub torque: DVec3,
}

impl BodyContact {
    /// Force with which the other presses on the body along the normal, over all points \[N\].
    pub fn normal_force(&self) -> f64 {
        self.points.iter().map(|point| point.normal_force).sum()
    }

    /// All of the force on the body \[N\].
    pub fn force(&self) -> DVec3 {
        self.friction - self.normal_force() * self.normal
    }
}

/// A point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Where it is, half way between the two surfaces \[m\].
    pub position: DVec3,
    /// From surface to surface; negative where they overlap \[m\].
    pub separation: f64,
    /// Force with which the two push each other apart \[N\].
    pub normal_force: f64,
}

/// Summary of all contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Contacts {
    /// How many push.
    pub(crate) count: u64,
    /// Deepest overlap over the smaller radius \[-\].
    pub(crate) deepest: f64,
    /// The two bodies of the deepest contact; the second is none for an obstacle.
    pub(crate) deepest_between: Option<(BodyId, Option<BodyId>)>,
}

/// The deepest contact since a frame began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DeepestOfFrame {
    /// Overlap over the smaller radius \[-\].
    pub(crate) depth: f64,
    /// The two bodies; the second is none for an obstacle.
    pub(crate) between: Option<(BodyId, Option<BodyId>)>,
}

impl DeepestOfFrame {
    /// Keeps a contact if it is deeper than those before.
    pub(crate) fn see(&mut self, depth: f64, between: Option<(BodyId, Option<BodyId>)>) {
        if depth > self.depth {
            *self = Self { depth, between };
        }
    }
}

/// Two bodies, or a body and an obstacle, that overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// The body.
    pub body: BodyId,
    /// The other body, or the number of an obstacle.
    pub other: Result<BodyId, usize>,
    /// How deep \[m\].
    pub depth: f64,
}
