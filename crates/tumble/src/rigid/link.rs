//! Solves one joint in a step: locked degrees of freedom as one exact block, limits one by one.
//!
//! Reads joints and poses; writes velocities, poses, and into each joint its impulses. The exact
//! block makes iteration needless for a joint alone; limits come after it, like contacts. Impulses
//! act before and after bodies move, and the position error that is left is corrected by moving
//! them: RATTLE (Andersen 1983) with one Newton step.

use glam::Vec3;

use super::joint_rows::{ConstraintRow, JointRows, JointSides, JointVelocities};
use super::obstacles::ObstacleStates;
use super::solve::{STATIC, max_push_speed};
use super::tree::{BodySlice, Tree};
use crate::world::{End, JointKind, MOST_ROWS, Pose, World};

/// A joint within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Index of the joint in the world's list.
    pub(super) joint: u32,
    /// The node of the tree that it belongs to.
    pub(super) node: u32,
    /// Rows of bodies A and B, or [`STATIC`] indices.
    pub(super) sides: [u32; 2],
    kind: JointKind,
    frames: [Pose; 2],
    both: JointSides,
    rows: JointRows,
    /// Largest velocities at which position errors are corrected \[m/s\] and \[rad/s\].
    max_correction_speed: [f32; 2],
    pub(super) impulses: [f32; MOST_ROWS],
    /// Sums of impulses and angular impulses over the step, and the largest that the joint bears
    /// \[N·s\] and \[N·m·s\].
    sum: [Vec3; 2],
    max_sum: [f32; 2],
    pub(super) is_broken: bool,
}

impl Link {
    /// The joint with this number in a step of `dt` \[s\], if it moves anything.
    pub(super) fn new(world: &World, tree: &Tree, joint: usize, radii: &[f64], dt: f64) -> Option<Self> {
        let what = &world.joints.list[joint];
        let still = STATIC | world.obstacles.len() as u32;
        let body = |row: usize| {
            let pose = world.bodies.pose[row];
            if world.bodies.rest[row].asleep {
                (still, pose, None)
            } else {
                (row as u32, pose, Some(world.bodies.inertia[row]))
            }
        };
        // B is the body of the joint; the axis is fixed to A.
        let (side_b, pose_b, inertia_b) = body(world.bodies.row(what.what.body)?);
        let (side_a, pose_a, inertia_a) = match what.what.to {
            End::Body(id) => body(world.bodies.row(id)?),
            End::Obstacle(id) => (STATIC | id.0, world.obstacles[id.index()].pose, None),
            End::World => (still, Pose::IDENTITY, None),
        };
        if inertia_a.is_none() && inertia_b.is_none() {
            return None;
        }
        let radius =
            [side_a, side_b].iter().filter_map(|&side| radii.get(side as usize)).fold(f64::INFINITY, |a, b| a.min(*b));
        let speed = max_push_speed(world.gravity.length(), radius);
        let sides = [side_a, side_b];
        let [row_a, row_b] = rows_of(sides);
        Some(Self {
            joint: joint as u32,
            node: tree.node_of(row_a, row_b) as u32,
            sides,
            kind: what.what.kind,
            frames: [what.on_other, what.on_body],
            both: JointSides { poses: [pose_a, pose_b], inertia: [inertia_a, inertia_b] },
            rows: JointRows::default(),
            max_correction_speed: [speed as f32, (speed / radius) as f32],
            impulses: what.impulses,
            sum: [Vec3::ZERO; 2],
            max_sum: [what.what.strength.force, what.what.strength.torque].map(|load| (load * dt) as f32),
            is_broken: false,
        })
    }

    /// Updates the rows, and applies the impulses of the substep before.
    pub(super) fn warm_start(&mut self, bodies: &mut BodySlice<'_>, obstacles: &ObstacleStates) {
        self.update_rows(bodies, obstacles);
        let mut velocities = self.velocities(bodies, obstacles);
        for k in 0..self.rows.count {
            self.rows.apply(&mut velocities, k, self.impulses[k]);
        }
        self.write(bodies, &velocities);
    }

    /// Makes the rows for the present poses.
    fn update_rows(&mut self, bodies: &BodySlice<'_>, obstacles: &ObstacleStates) {
        if self.is_broken {
            return;
        }
        for side in 0..2 {
            let number = self.sides[side];
            if number < STATIC {
                self.both.poses[side] = bodies.poses[number as usize - bodies.first];
            } else if let Some(pose) = obstacles.poses.get((number & !STATIC) as usize) {
                self.both.poses[side] = *pose;
            }
        }
        self.rows.update(&self.kind, &self.frames, &self.both);
        self.impulses[self.rows.count..].fill(0.0);
    }

    /// Solves for velocities after which bodies move without violating the joint.
    pub(super) fn solve(&mut self, bodies: &mut BodySlice<'_>, obstacles: &ObstacleStates, h: f32) {
        let velocities = self.velocities(bodies, obstacles);
        let bias = self.rows.curvature_bias(&self.both, &velocities, 0.5 * h);
        self.solve_rows(bodies, velocities, h, &bias);
    }

    /// After bodies have moved: corrects their poses, then solves for velocities that keep the
    /// joint.
    pub(super) fn relax(&mut self, bodies: &mut BodySlice<'_>, obstacles: &ObstacleStates, h: f32) {
        self.update_rows(bodies, obstacles);
        self.correct_positions(bodies, h);
        let velocities = self.velocities(bodies, obstacles);
        self.solve_rows(bodies, velocities, h, &[0.0; MOST_ROWS]);
        self.check_strength(bodies, obstacles);
    }

    /// Adds the impulses of a substep to those of the step. When the sum exceeds the joint's
    /// strength, it breaks and gives back the excess.
    fn check_strength(&mut self, bodies: &mut BodySlice<'_>, obstacles: &ObstacleStates) {
        let mut now = [Vec3::ZERO; 2];
        for (row, &impulse) in self.rows.list[..self.rows.count].iter().zip(&self.impulses) {
            now[0] += impulse * row.along;
            if row.along == Vec3::ZERO {
                now[1] += impulse * row.about_b;
            }
        }
        let excess = [0, 1].map(|k| ((self.sum[k] + now[k]).length() - self.max_sum[k]) / now[k].length());
        self.sum = [self.sum[0] + now[0], self.sum[1] + now[1]];
        let share = excess[0].max(excess[1]).min(1.0);
        if share > 0.0 {
            let mut velocities = self.velocities(bodies, obstacles);
            (0..self.rows.count).for_each(|k| self.rows.apply(&mut velocities, k, -share * self.impulses[k]));
            self.write(bodies, &velocities);
            (self.rows, self.is_broken) = (JointRows::default(), true);
        }
    }

    /// Corrects position errors by moving both bodies in proportion to their inverse masses, but
    /// not faster than overlaps are pushed out. Velocities are left alone: a chain of joints would
    /// warm start with corrections as if they were loads, and swing up.
    fn correct_positions(&mut self, bodies: &mut BodySlice<'_>, h: f32) {
        let clamped_error = |row: &ConstraintRow| {
            let limit =
                h * if row.along == Vec3::ZERO { self.max_correction_speed[1] } else { self.max_correction_speed[0] };
            row.error.clamp(-limit, limit)
        };
        let mut shifts = JointVelocities::default();
        let errors =
            std::array::from_fn(|k| if k < self.rows.locked { clamped_error(&self.rows.list[k]) } else { 0.0 });
        for (k, change) in self.rows.solve_locked(errors).into_iter().enumerate().take(self.rows.locked) {
            self.rows.apply(&mut shifts, k, -change);
        }
        for k in self.rows.locked..self.rows.count {
            let error = clamped_error(&self.rows.list[k]) + self.rows.list[k].velocity(&shifts);
            if let Some((inverse_mass, holds)) = self.rows.limit_mass(k).filter(|_| error < 0.0) {
                self.rows.apply_limit(&mut shifts, k, -error / inverse_mass, &holds);
            }
        }
        for (side, &row) in self.sides.iter().enumerate().filter(|(_, row)| **row < STATIC) {
            bodies.shift(row, shifts.velocity[side], shifts.spin[side]);
        }
    }

    /// Changes impulses until the velocity along every locked row is minus `bias`, and limits hold.
    fn solve_rows(
        &mut self,
        bodies: &mut BodySlice<'_>,
        mut velocities: JointVelocities,
        h: f32,
        bias: &[f32; MOST_ROWS],
    ) {
        let wanted = std::array::from_fn(|k| {
            if k < self.rows.locked { self.rows.list[k].velocity(&velocities) + bias[k] } else { 0.0 }
        });
        for (k, change) in self.rows.solve_locked(wanted).into_iter().enumerate().take(self.rows.locked) {
            self.impulses[k] -= change;
            self.rows.apply(&mut velocities, k, -change);
        }
        for (k, bias) in bias.iter().enumerate().take(self.rows.count).skip(self.rows.locked) {
            let Some((inverse_mass, holds)) = self.rows.limit_mass(k) else { continue };
            // Before a limit the two may move just far enough to reach it.
            let allowed = bias + self.rows.list[k].error.max(0.0) / h;
            let impulse =
                (self.impulses[k] - (self.rows.list[k].velocity(&velocities) + allowed) / inverse_mass).max(0.0);
            let change = impulse - self.impulses[k];
            self.impulses[k] = impulse;
            for (impulse, hold) in self.impulses.iter_mut().zip(&holds).take(self.rows.locked) {
                *impulse -= hold * change;
            }
            self.rows.apply_limit(&mut velocities, k, change, &holds);
        }
        self.write(bodies, &velocities);
    }

    /// The rows of the bodies that it moves, twice the same if that is one.
    pub(super) fn rows(&self) -> [usize; 2] {
        rows_of(self.sides)
    }

    /// Velocities and spins of both sides.
    fn velocities(&self, bodies: &BodySlice<'_>, obstacles: &ObstacleStates) -> JointVelocities {
        let [a, b] = self.sides.map(|side| {
            if side < STATIC {
                bodies.states[side as usize - bodies.first].motion()
            } else {
                obstacles.states[(side & !STATIC) as usize].motion()
            }
        });
        JointVelocities { velocity: [a.0, b.0], spin: [a.1, b.1] }
    }

    /// Writes velocities and spins of the sides that are bodies.
    fn write(&self, bodies: &mut BodySlice<'_>, velocities: &JointVelocities) {
        for (side, &row) in self.sides.iter().enumerate().filter(|(_, row)| **row < STATIC) {
            bodies.states[row as usize - bodies.first].set_motion(velocities.velocity[side], velocities.spin[side]);
        }
    }
}

/// The rows of both sides; the other row stands for a side that is static.
fn rows_of([a, b]: [u32; 2]) -> [usize; 2] {
    [if a < STATIC { a } else { b }, if b < STATIC { b } else { a }].map(|row| row as usize)
}
