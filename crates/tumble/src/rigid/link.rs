//! A joint within a step: the impulses that keep from happening what must not.
//!
//! Reads joints and where bodies are; writes velocities, places, and into each joint the impulses it remembers. What is locked is solved
//! together and exactly, so that one joint alone needs no iteration; limits come after it, one by one, like contacts. Impulses before
//! and after bodies move, and what is still wrong put right by moving them: RATTLE (Andersen 1983) with one Newton step.

use glam::Vec3;

use super::obstacles::ObstacleStates;
use super::rows::{Ends, Row, Rows, Speeds};
use super::solve::{UNMOVED, fastest_out};
use super::tree::{Bodies, Tree};
use crate::world::{End, JointKind, MOST_ROWS, Pose, World};

/// A joint within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Where the joint is in the list of the world.
    pub(super) joint: u32,
    /// The node of the tree that it belongs to.
    pub(super) node: u32,
    /// What it joins: rows of bodies, or what nothing moves as in groups of contacts.
    pub(super) sides: [u32; 2],
    kind: JointKind,
    frames: [Pose; 2],
    ends: Ends,
    rows: Rows,
    /// Largest speeds at which errors are taken out \[m/s\] and \[rad/s\].
    fastest: [f32; 2],
    pub(super) impulses: [f32; MOST_ROWS],
    /// Sums of impulses and of angular impulses over the step, and the most that they may be \[N·s\] and \[N·m·s\].
    sum: [Vec3; 2],
    most: [f32; 2],
    pub(super) is_broken: bool,
}

impl Link {
    /// The joint with this number in a step of `dt` \[s\], if it moves anything.
    pub(super) fn new(world: &World, tree: &Tree, joint: usize, radii: &[f64], dt: f64) -> Option<Self> {
        let what = &world.joints.list[joint];
        let still = UNMOVED | world.obstacles.len() as u32;
        let body = |row: usize| {
            let pose = world.bodies.pose[row];
            if world.bodies.rest[row].asleep {
                (still, pose, None)
            } else {
                (row as u32, pose, Some(world.bodies.inertia[row]))
            }
        };
        // The axis is that of what the body is held to.
        let (side_b, pose_b, inertia_b) = body(world.bodies.row(what.what.body)?);
        let (side_a, pose_a, inertia_a) = match what.what.to {
            End::Body(id) => body(world.bodies.row(id)?),
            End::Obstacle(id) => (UNMOVED | id.0, world.obstacles[id.index()].pose, None),
            End::World => (still, Pose::IDENTITY, None),
        };
        if inertia_a.is_none() && inertia_b.is_none() {
            return None;
        }
        let radius =
            [side_a, side_b].iter().filter_map(|&side| radii.get(side as usize)).fold(f64::INFINITY, |a, b| a.min(*b));
        let speed = fastest_out(world.gravity.length(), radius);
        let sides = [side_a, side_b];
        let [row_a, row_b] = rows_of(sides);
        Some(Self {
            joint: joint as u32,
            node: tree.node_of(row_a, row_b) as u32,
            sides,
            kind: what.what.kind,
            frames: [what.on_other, what.on_body],
            ends: Ends { poses: [pose_a, pose_b], inertia: [inertia_a, inertia_b] },
            rows: Rows::default(),
            fastest: [speed as f32, (speed / radius) as f32],
            impulses: what.impulses,
            sum: [Vec3::ZERO; 2],
            most: [what.what.strength.force, what.what.strength.torque].map(|load| (load * dt) as f32),
            is_broken: false,
        })
    }

    /// Sees where the two are at the beginning of a substep, and gives them what the joint remembers.
    pub(super) fn warm_start(&mut self, bodies: &mut Bodies<'_>, unmoved: &ObstacleStates) {
        self.see(bodies, unmoved);
        let mut speeds = self.speeds(bodies, unmoved);
        for k in 0..self.rows.count {
            self.rows.push(&mut speeds, k, self.impulses[k]);
        }
        self.write(bodies, &speeds);
    }

    /// Makes rows for where the two are now.
    fn see(&mut self, bodies: &Bodies<'_>, unmoved: &ObstacleStates) {
        if self.is_broken {
            return;
        }
        for side in 0..2 {
            let number = self.sides[side];
            if number < UNMOVED {
                self.ends.poses[side] = bodies.poses[number as usize - bodies.first];
            } else if let Some(pose) = unmoved.poses.get((number & !UNMOVED) as usize) {
                self.ends.poses[side] = *pose;
            }
        }
        self.rows.see(&self.kind, &self.frames, &self.ends);
        self.impulses[self.rows.count..].fill(0.0);
    }

    /// Impulses before bodies move, such that afterwards nothing has moved that must not.
    pub(super) fn solve(&mut self, bodies: &mut Bodies<'_>, unmoved: &ObstacleStates, h: f32) {
        let speeds = self.speeds(bodies, unmoved);
        let bend = self.rows.bend(&self.ends, &speeds, 0.5 * h);
        self.change(bodies, speeds, h, &bend);
    }

    /// After bodies have moved, puts them where they belong; then impulses such that nothing moves that must not.
    pub(super) fn relax(&mut self, bodies: &mut Bodies<'_>, unmoved: &ObstacleStates, h: f32) {
        self.see(bodies, unmoved);
        self.put_right(bodies, h);
        let speeds = self.speeds(bodies, unmoved);
        self.change(bodies, speeds, h, &[0.0; MOST_ROWS]);
        self.add_up(bodies, unmoved);
    }

    /// Adds up what the joint has held in this step. When that is more than it can, it breaks, and gives back what was too much.
    fn add_up(&mut self, bodies: &mut Bodies<'_>, unmoved: &ObstacleStates) {
        let mut now = [Vec3::ZERO; 2];
        for (row, &impulse) in self.rows.list[..self.rows.count].iter().zip(&self.impulses) {
            now[0] += impulse * row.along;
            if row.along == Vec3::ZERO {
                now[1] += impulse * row.about_b;
            }
        }
        let too_much = [0, 1].map(|k| ((self.sum[k] + now[k]).length() - self.most[k]) / now[k].length());
        self.sum = [self.sum[0] + now[0], self.sum[1] + now[1]];
        let share = too_much[0].max(too_much[1]).min(1.0);
        if share > 0.0 {
            let mut speeds = self.speeds(bodies, unmoved);
            (0..self.rows.count).for_each(|k| self.rows.push(&mut speeds, k, -share * self.impulses[k]));
            self.write(bodies, &speeds);
            (self.rows, self.is_broken) = (Rows::default(), true);
        }
    }

    /// Moves both bodies so that the joint fits, in proportion to what they resist with, but not faster than what overlaps. Not by
    /// their velocities: with those, a chain of joints remembers corrections as if they were loads, and swings up.
    fn put_right(&mut self, bodies: &mut Bodies<'_>, h: f32) {
        let within = |row: &Row| {
            let most = h * if row.along == Vec3::ZERO { self.fastest[1] } else { self.fastest[0] };
            row.error.clamp(-most, most)
        };
        let mut moves = Speeds::default();
        let wrong = std::array::from_fn(|k| if k < self.rows.locked { within(&self.rows.list[k]) } else { 0.0 });
        for (k, change) in self.rows.divide(wrong).into_iter().enumerate().take(self.rows.locked) {
            self.rows.push(&mut moves, k, -change);
        }
        for k in self.rows.locked..self.rows.count {
            let error = within(&self.rows.list[k]) + self.rows.list[k].speed(&moves);
            if let Some((gives, holds)) = self.rows.yields(k).filter(|_| error < 0.0) {
                self.rows.push_with(&mut moves, k, -error / gives, &holds);
            }
        }
        for (side, &row) in self.sides.iter().enumerate().filter(|(_, row)| **row < UNMOVED) {
            bodies.shift(row, moves.velocity[side], moves.spin[side]);
        }
    }

    /// Changes impulses until the speed along every locked row is minus `bias`, and limits are kept.
    fn change(&mut self, bodies: &mut Bodies<'_>, mut speeds: Speeds, h: f32, bias: &[f32; MOST_ROWS]) {
        let wanted =
            std::array::from_fn(
                |k| if k < self.rows.locked { self.rows.list[k].speed(&speeds) + bias[k] } else { 0.0 },
            );
        for (k, change) in self.rows.divide(wanted).into_iter().enumerate().take(self.rows.locked) {
            self.impulses[k] -= change;
            self.rows.push(&mut speeds, k, -change);
        }
        for (k, bias) in bias.iter().enumerate().take(self.rows.count).skip(self.rows.locked) {
            let Some((gives, holds)) = self.rows.yields(k) else { continue };
            // Before a limit the two may come just so far as to reach it.
            let allowed = bias + self.rows.list[k].error.max(0.0) / h;
            let push = (self.impulses[k] - (self.rows.list[k].speed(&speeds) + allowed) / gives).max(0.0);
            let change = push - self.impulses[k];
            self.impulses[k] = push;
            for (impulse, hold) in self.impulses.iter_mut().zip(&holds).take(self.rows.locked) {
                *impulse -= hold * change;
            }
            self.rows.push_with(&mut speeds, k, change, &holds);
        }
        self.write(bodies, &speeds);
    }

    /// The rows of what it moves, twice the same if that is one.
    pub(super) fn rows(&self) -> [usize; 2] {
        rows_of(self.sides)
    }

    fn speeds(&self, bodies: &Bodies<'_>, unmoved: &ObstacleStates) -> Speeds {
        let [a, b] = self.sides.map(|side| {
            if side < UNMOVED {
                bodies.states[side as usize - bodies.first].motion()
            } else {
                unmoved.states[(side & !UNMOVED) as usize].motion()
            }
        });
        Speeds { velocity: [a.0, b.0], spin: [a.1, b.1] }
    }

    fn write(&self, bodies: &mut Bodies<'_>, speeds: &Speeds) {
        for (side, &row) in self.sides.iter().enumerate().filter(|(_, row)| **row < UNMOVED) {
            bodies.states[row as usize - bodies.first].set_motion(speeds.velocity[side], speeds.spin[side]);
        }
    }
}

/// The rows of both sides; that of a body stands for a side that nothing moves.
fn rows_of([a, b]: [u32; 2]) -> [usize; 2] {
    [if a < UNMOVED { a } else { b }, if b < UNMOVED { b } else { a }].map(|row| row as usize)
}
