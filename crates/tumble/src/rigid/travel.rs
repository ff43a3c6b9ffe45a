//! Travel: how far bodies and obstacles may move in a step, and how near two must be to have a
//! contact.

use glam::DVec3;

use super::contact::Partner;
use crate::world::{Motion, World};

/// Speculative margin over the radius of the smaller body: contacts are kept while the separation
/// is below it, so that resting contacts do not flicker.
const SPECULATIVE_MARGIN: f64 = 0.02;

/// The motion of a step, seen from its beginning.
pub(super) struct Travel<'a> {
    pub(super) world: &'a World,
    /// Bounding radii of bodies \[m\].
    radii: &'a [f64],
    obstacle_motions: &'a [Motion],
    dt: f64,
    /// Gravity g dt², which adds to the motion in a step \[m\].
    fall: f64,
}

/// Largest separation at which two things may touch in this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// In any direction \[m\].
    pub(super) around: f64,
    /// Displacement of the first against the second in this step, along which they reach further
    /// \[m\].
    pub(super) displacement: DVec3,
}

impl Reach {
    /// The reach where it is largest \[m\].
    pub(super) fn largest(&self) -> f64 {
        self.around + self.displacement.length()
    }

    /// The reach along a normal from the first to the second \[m\].
    pub(super) fn along(&self, normal: DVec3) -> f64 {
        self.around + self.displacement.dot(normal).max(0.0)
    }
}

impl<'a> Travel<'a> {
    /// The motion of a step of `dt` \[s\].
    pub(super) fn new(world: &'a World, radii: &'a [f64], obstacle_motions: &'a [Motion], dt: f64) -> Self {
        Self { world, radii, obstacle_motions, dt, fall: world.gravity.length() * dt * dt }
    }

    /// Radius of the ball that no point of a body leaves in this step, with its margin \[m\].
    pub(super) fn ball(&self, row: usize) -> f64 {
        let (motion, radius) = (&self.world.bodies.motion[row], self.radii[row]);
        let distance = self.dt * (motion.velocity.length() + radius * motion.spin.length());
        radius + (SPECULATIVE_MARGIN * radius + self.fall + distance)
    }

    /// Velocity of a point of an obstacle \[m/s\].
    fn obstacle_velocity(&self, number: usize, point: DVec3) -> DVec3 {
        let Motion { velocity, spin } = self.obstacle_motions[number];
        velocity + spin.cross(point - self.world.obstacles[number].pose.position)
    }

    /// Distance that a point of an obstacle moves in this step \[m\].
    pub(super) fn of_obstacle(&self, number: usize, point: DVec3) -> f64 {
        self.dt * self.obstacle_velocity(number, point).length()
    }

    /// The reach of a body and its partner.
    pub(super) fn reach(&self, row: usize, other: Partner) -> Reach {
        let motions = &self.world.bodies.motion;
        let (motion, radius) = (&motions[row], self.radii[row]);
        let (velocity, turning, smaller) = match other.row() {
            Some(partner) => {
                let (partner, other_radius) = (&motions[partner as usize], self.radii[partner as usize]);
                (partner.velocity, other_radius * partner.spin.length(), radius.min(other_radius))
            }
            None => {
                let centre = self.world.bodies.pose[row].position;
                let spin = self.obstacle_motions[other.number()].spin.length();
                (self.obstacle_velocity(other.number(), centre), radius * spin, radius)
            }
        };
        Reach {
            around: SPECULATIVE_MARGIN * smaller + self.fall + self.dt * (turning + radius * motion.spin.length()),
            displacement: self.dt * (motion.velocity - velocity),
        }
    }
}
