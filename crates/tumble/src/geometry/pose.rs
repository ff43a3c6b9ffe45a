//! Places and axes of things, and the way between their coordinates and those of the world.

use glam::{DQuat, DVec3};

/// Where something is: its origin and its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where its origin is \[m\].
    pub position: DVec3,
    /// From its axes to those of the world, unit length.
    pub orientation: DQuat,
}

impl Pose {
    /// The origin, unrotated.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, orientation: DQuat::IDENTITY };

    /// A point of the body in world coordinates.
    pub fn to_world(&self, local: DVec3) -> DVec3 {
        self.position + self.orientation * local
    }

    /// A world point in the body's coordinates.
    pub fn to_local(&self, world: DVec3) -> DVec3 {
        self.orientation.conjugate() * (world - self.position)
    }

    /// A place whose z axis is along a direction of length one.
    pub fn along(position: DVec3, axis: DVec3) -> Self {
        Self { position, orientation: DQuat::from_rotation_arc(DVec3::Z, axis) }
    }

    /// In the world, what has the pose `local` in the body's coordinates.
    pub fn of(&self, local: &Self) -> Self {
        Self { position: self.to_world(local.position), orientation: self.orientation * local.orientation }
    }

    /// The same, moved.
    pub fn moved(&self, by: DVec3) -> Self {
        Self { position: self.position + by, ..*self }
    }

    /// The pose in the coordinates of a body that is at `from`.
    pub fn seen_from(&self, from: &Self) -> Self {
        Self { position: from.to_local(self.position), orientation: from.orientation.conjugate() * self.orientation }
    }
}
