//! Obstacles within a rigid step: each moves steadily from where it is to where its path leads.

use glam::{DQuat, Vec3};

use super::lanes::State;
use crate::world::{Motion, Obstacle, Pose, World};

/// How obstacles move in a step, and where they are in a substep.
#[derive(Clone, Debug, Default)]
pub(super) struct ObstacleStates {
    /// Mean motion of each obstacle in the step.
    pub(super) motions: Vec<Motion>,
    /// States as contacts and joints see them; the last is a dummy that stands still, for empty lanes
    /// and sleepers.
    pub(super) states: Vec<State>,
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
        self.states.extend(self.motions.iter().map(State::of));
        self.states.push(State::new(Vec3::ZERO, Vec3::ZERO));
        self.poses.clear();
        self.poses.extend(world.obstacles.iter().map(|obstacle| obstacle.pose));
    }

    /// Moves obstacles to where they are so long \[s\] after the step began.
    pub(super) fn advance(&mut self, obstacles: &[Obstacle], elapsed: f64) {
        let columns = self.states.iter_mut().zip(&mut self.poses).zip(&self.motions).zip(obstacles);
        for (((state, pose), motion), obstacle) in columns {
            let way = elapsed * motion.velocity;
            let turn = DQuat::from_scaled_axis(elapsed * motion.spin);
            let start = &obstacle.pose;
            state.set_way(way.as_vec3(), turn.as_quat());
            *pose = Pose { position: start.position + way, orientation: turn * start.orientation };
        }
    }
}

/// The steady motion that takes an obstacle from one pose to another in `dt` \[s\].
fn mean_motion(from: &Pose, to: &Pose, dt: f64) -> Motion {
    let turn = to.orientation * from.orientation.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    Motion { velocity: (to.position - from.position) / dt, spin: turn.to_scaled_axis() / dt }
}
