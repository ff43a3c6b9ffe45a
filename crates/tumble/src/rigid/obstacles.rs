//! Obstacles within a rigid step: each moves steadily from where it is to where its path leads.

use glam::{DQuat, Vec3};

use super::lanes::BodyState;
use crate::world::{Motion, Obstacle, Pose, World};

/// Motions of obstacles in a step, and their states in a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct ObstacleStates {
    /// Mean motion of each obstacle in the step.
    pub(super) motions: Vec<Motion>,
    /// States as contacts and joints see them; the last is a dummy that stands still, for empty
    /// lanes and sleepers.
    pub(super) states: Vec<BodyState>,
    pub(super) poses: Vec<Pose>,
}

impl ObstacleStates {
    /// Finds the mean motion of a step of `dt` \[s\] that ends at `time` \[s\].
    pub(super) fn drive(&mut self, world: &World, time: f64, dt: f64) {
        self.motions.clear();
        self.motions.extend(world.obstacles.iter().map(|o| mean_motion(&o.pose, &o.path.at(time).0, dt)));
    }

    /// Puts obstacles where they are when the step begins.
    pub(super) fn begin(&mut self, world: &World) {
        self.states.clear();
        self.states.extend(self.motions.iter().map(BodyState::of));
        self.states.push(BodyState::new(Vec3::ZERO, Vec3::ZERO));
        self.poses.clear();
        self.poses.extend(world.obstacles.iter().map(|obstacle| obstacle.pose));
    }

    /// Moves obstacles to where they are so long \[s\] after the step began.
    pub(super) fn advance(&mut self, obstacles: &[Obstacle], elapsed: f64) {
        let columns = self.states.iter_mut().zip(&mut self.poses).zip(&self.motions).zip(obstacles);
        for (((state, pose), motion), obstacle) in columns {
            let displacement = elapsed * motion.velocity;
            let rotation = DQuat::from_scaled_axis(elapsed * motion.spin);
            let start = &obstacle.pose;
            state.set_displacement(displacement.as_vec3(), rotation.as_quat());
            let position = start.position + displacement;
            *pose = Pose { position, orientation: rotation * start.orientation };
        }
    }
}

/// The steady motion that takes an obstacle from one pose to another in `dt` \[s\].
fn mean_motion(from: &Pose, to: &Pose, dt: f64) -> Motion {
    let rotation = to.orientation * from.orientation.conjugate();
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    Motion { velocity: (to.position - from.position) / dt, spin: rotation.to_scaled_axis() / dt }
}
