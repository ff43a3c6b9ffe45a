//! The equations of motion, for looking at them: how the state of all bodies changes, where it is
//! and near it.
//!
//! Reads the whole state and leaves it as it was. The state of a body is 12 numbers, as Yee,
//! Christara & Lait (2009, section 4.2) count: position, rotation, velocity, spin. The contact
//! history (friction and rolling springs) is no part of them and is held fixed, as between the
//! stages of an adaptive step.

use glam::{DQuat, DVec3};

use crate::granular::Slope;
use crate::simulation::Simulation;

impl Simulation {
    /// Rate of change of the state per second, after it was displaced by `change`.
    ///
    /// Both are 12 numbers per body, bodies in the order of their ids: position \[m\], rotation
    /// vector from the present orientation \[rad\], velocity \[m/s\], spin \[rad/s\], all in world
    /// axes. Missing entries of `change` count as zero. Bodies asleep do not move, nor are they
    /// moved. None for the rigid solver, whose velocities jump.
    pub fn slopes(&mut self, change: &[f64]) -> Option<Vec<f64>> {
        let rows: Vec<usize> = self.world.bodies.rows_by_id().collect();
        let bodies = &mut self.world.bodies;
        let before = (bodies.pose.clone(), bodies.motion.clone(), bodies.wrench.clone());
        let mut turned = vec![DVec3::ZERO; rows.len()];
        let changes = rows.iter().zip(change.chunks_exact(12));
        for (&row, change) in changes.filter(|(row, _)| !bodies.rest[**row].asleep) {
            let [place, turn, velocity, spin] = [0, 3, 6, 9].map(|at| DVec3::from_slice(&change[at..]));
            turned[row] = turn;
            let (pose, motion) = (&mut bodies.pose[row], &mut bodies.motion[row]);
            pose.position += place;
            // A body that is not turned keeps its bits.
            if turn != DVec3::ZERO {
                pose.orientation = DQuat::from_scaled_axis(turn) * pose.orientation;
            }
            motion.velocity += velocity;
            motion.spin += spin;
        }
        let step = self.step_length();
        let has_forces = self.solver.look_at_forces(&mut self.world, step);
        let slope = |&row: &usize| {
            if self.world.bodies.rest[row].asleep {
                return [[0.0; 3]; 4];
            }
            let (motion, slope) = (&self.world.bodies.motion[row], Slope::of(&self.world, row));
            // A rotation vector r has r' = w - r × w/2 + …: exact to second order, and r is small.
            let turning = motion.spin - 0.5 * turned[row].cross(motion.spin);
            [motion.velocity, turning, slope.acceleration, slope.spinning].map(|v| v.to_array())
        };
        let slopes = rows.iter().flat_map(slope).flatten().collect();
        let bodies = &mut self.world.bodies;
        (bodies.pose, bodies.motion, bodies.wrench) = before;
        has_forces.then_some(slopes)
    }
}
