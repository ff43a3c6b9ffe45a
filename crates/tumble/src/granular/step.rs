//! One granular step on one page, in the order it runs; once with a fixed step, once with a step
//! that the error decides.

use super::GranularSolver;
use super::contacts::contacts;
use super::gather::gather;
use super::inputs::{ContactInputs, Remember};
use super::integrate::{ExternalForces, Integrator, StepCount, TriedStep, Verdict, kick};
use crate::drift::drift;
use crate::stage::{Stage, Stopwatch};
use crate::world::{Bodies, World};

impl GranularSolver {
    /// Advances the world by a step of `dt` \[s\], to `time`.
    pub(crate) fn step(&mut self, world: &mut World, time: f64, dt: f64, watch: &mut Stopwatch) {
        // Verlet kicks half before the drift and half after, symplectic Euler all before.
        let before = if self.integrator == Integrator::Verlet { 0.5 * dt } else { dt };
        // Contacts see the places of the end of the step and the velocities of its middle.
        let lag = 0.5 * dt;

        // Bodies that were born since the last step are not in the list.
        if !self.neighbours.lists(&world.bodies) {
            watch.start(Stage::Neighbours);
            self.find_neighbours(world, 0.0);
        }

        // Obstacles follow their paths.
        watch.start(Stage::Drive);
        drive(world, time);

        // A kick with the forces of the last step, then a whole drift; spheres follow.
        watch.start(Stage::Integrate);
        let field = ExternalForces::of(world);
        let Bodies { pose, motion, wrench, inertia, .. } = &mut world.bodies;
        let blocks = self.neighbours.blocks_of_bodies();
        let reach = (lag, self.neighbours.reach());
        let near = self.spheres.follow((pose, motion), &world.obstacles, blocks, reach, |row, pose, motion| {
            kick(motion, pose, &wrench[row], &inertia[row], field, before);
            drift(pose, motion, &inertia[row], dt);
        });

        // Broad phase: the neighbour list is kept until something has moved half the skin.
        watch.start(Stage::Neighbours);
        if !near || !self.neighbours.holds(&world.obstacles, false) {
            self.find_neighbours(world, lag);
        }

        // Wakes sleeping bodies that are disturbed.
        if !self.neighbours.sleepers.is_empty() {
            watch.start(Stage::Sleep);
            self.wake(world, dt, lag);
        }

        // Narrow phase and contact forces.
        watch.start(Stage::Contacts);
        self.touch(world, Remember::Advance(dt), lag);

        // Sums forces per body, applies stiction, and finishes the kick.
        watch.start(Stage::Gather);
        gather(&self.neighbours, &self.spheres, world, self.stiction, (dt, dt - before));
        watch.stop();
    }

    /// Advances the world from one time to another, by steps as long as their error allows. A whole
    /// number of them fills the time (Yee et al. 2009), and the contact history changes only when a
    /// step is accepted.
    pub(crate) fn steps(&mut self, world: &mut World, from: f64, to: f64, watch: &mut Stopwatch) -> StepCount {
        let mut count = StepCount::NONE;
        let Some(mut method) = self.adaptive.take() else {
            unreachable!("only an adaptive integrator takes such steps")
        };
        let mut time = from;
        let mut again = false;
        while time < to {
            let left = ((to - time) / method.next - 1e-9).ceil().max(1.0);
            let dt = (to - time) / left;

            // The first stage: the forces at the beginning are those of the end of the last step.
            watch.start(Stage::Integrate);
            if !again {
                method.begin(world, self.neighbours.sleepers.rows());
                method.note(0, world);
            }

            // The other stages: to a state between, and the forces there.
            for stage in 1..method.stages() {
                watch.start(Stage::Integrate);
                method.enter(stage, world, dt);
                let state = method.control.sequential.then(|| (world.bodies.pose.clone(), world.bodies.motion.clone()));
                if state.is_some() {
                    method.advance_one_by_one(world, dt);
                }
                watch.start(Stage::Drive);
                drive(world, time + method.time(stage) * dt);
                self.forces(world, Remember::Frozen, dt, watch);
                watch.start(Stage::Integrate);
                if let Some((pose, motion)) = state {
                    (world.bodies.pose, world.bodies.motion) = (pose, motion);
                }
                method.note(stage, world);
            }

            // Accept the step, or reject it and try a shorter one.
            let (next, verdict) = method.judge(world, dt);
            method.next = next;
            again = verdict == Verdict::TooLong;
            if let Some(tried) = &mut method.tried {
                tried.push(TriedStep { time, length: dt, kept: !again });
            }
            if again {
                method.restore(world);
                count.rejected += 1;
                continue;
            }
            method.finish(world, dt);
            time = if left == 1.0 { to } else { time + dt };
            count.take(dt);
            count.at_smallest += u64::from(verdict == Verdict::Smallest);
            watch.start(Stage::Drive);
            drive(world, time);
            self.forces(world, Remember::Advance(dt), dt, watch);
        }
        self.adaptive = Some(method);
        watch.stop();
        count
    }

    /// Writes the forces at the present poses into the world without changing the contact history.
    /// `dt` is the step length used by stiction \[s\].
    pub(crate) fn look_at_forces(&self, world: &mut World, dt: f64) {
        // Done in a copy, because the list is rebuilt if bodies are out of its reach.
        self.clone().forces(world, Remember::Frozen, dt, &mut Stopwatch::stopped());
    }

    /// Computes the forces at the present poses, in a step of `dt` \[s\] of an adaptive integrator.
    fn forces(&mut self, world: &mut World, memory: Remember, dt: f64, watch: &mut Stopwatch) {
        watch.start(Stage::Neighbours);
        let trial = memory == Remember::Frozen;
        let (blocks, reach) = (self.neighbours.blocks_of_bodies(), (0.0, self.neighbours.reach()));
        let near = self.neighbours.lists(&world.bodies) && {
            let columns = (world.bodies.pose.as_mut_slice(), world.bodies.motion.as_mut_slice());
            self.spheres.follow(columns, &world.obstacles, blocks, reach, |_, _, _| {})
        };
        if !near || !self.neighbours.holds(&world.obstacles, trial) {
            // Rows must not move: the states to which a rejected step returns are stored by row.
            if trial {
                self.neighbours.build(world, &mut self.spheres, 0.0, true);
            } else {
                self.find_neighbours(world, 0.0);
            }
        }
        if !trial && !self.neighbours.sleepers.is_empty() {
            watch.start(Stage::Sleep);
            self.wake(world, dt, 0.0);
        }
        watch.start(Stage::Contacts);
        self.touch(world, memory, 0.0);
        watch.start(Stage::Gather);
        gather(&self.neighbours, &self.spheres, world, self.stiction, (dt, 0.0));
    }

    /// Computes all contacts of the list; velocities are `lag` \[s\] older than positions.
    fn touch(&mut self, world: &World, memory: Remember, lag: f64) {
        let inputs = ContactInputs {
            law: &self.law,
            spheres: &self.spheres,
            obstacles: &world.obstacles,
            pairs: &self.pairs,
            surfaces: self.surfaces,
            stiction: self.stiction.is_some(),
            memory,
            lag,
            deepest: if memory == Remember::Frozen { f64::INFINITY } else { self.deepest.depth },
        };
        contacts(&inputs, &mut self.neighbours);
        // Ids are stored now, because the next list may have other rows.
        let name = |sphere: u32| self.neighbours.body_of(sphere as usize);
        for deepest in self.neighbours.blocks.iter().filter_map(|block| block.deepest) {
            let (a, b) = (name(deepest.sphere), deepest.other.and_then(name));
            self.deepest.see(deepest.depth, a.map(|a| (a, b)).or(b.map(|b| (b, None))));
        }
    }
}

/// Puts driven obstacles where they are at this time.
fn drive(world: &mut World, time: f64) {
    for obstacle in world.obstacles.iter_mut().filter(|o| o.is_driven()) {
        obstacle.drive(time);
    }
}
