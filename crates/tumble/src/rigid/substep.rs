//! The substeps of a rigid step: kick and warm start ▶ solve ▶ move and relax ▶ bounce.
//!
//! Reads groups of contacts, joints and inverse masses; writes impulses, motions and poses. Each
//! call is one walk over the tree of rows, in which threads take different branches.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;

use super::lanes::BodyState;
use super::obstacles::ObstacleStates;
use super::solve::{ContactGroup, InverseMass, Softness};
use super::solver::RigidSolver;
use super::tree::{BodySlice, Tree};
use super::walk::NodeWork;
use crate::drift::drift;
use crate::world::{Inertia, Motion, Obstacle, Pose, Rest, World};

/// The most rounds in which the contacts that are hit in a substep bounce: those of one body have
/// to agree.
const MAX_BOUNCE_ROUNDS: usize = 4;

impl RigidSolver {
    /// Solves contacts and joints and moves bodies, in substeps of a step of `dt` \[s\].
    pub(super) fn solve(&mut self, world: &mut World, dt: f64) {
        let h = dt / f64::from(self.settings.substeps);
        let softness = Softness::new(h, dt, world.gravity.length());
        let (poses, motions) = (&mut world.bodies.pose, &mut world.bodies.motion);
        let bodies = BodySlice { first: 0, states: &mut self.states, poses, motions };
        let mut substeps = Substeps {
            tree: &self.tree,
            input: SubstepInput {
                rest: &world.bodies.rest,
                inertia: &world.bodies.inertia,
                starts: &self.starts,
                inverse_masses: &self.inverse_masses,
                flies: &self.flies,
                gravity: world.gravity,
                drag: world.drag,
                h,
                softness,
            },
            obstacles: &mut self.obstacles,
            paths: &world.obstacles,
            work: NodeWork { bodies, groups: &mut self.groups.list, links: &mut self.links.list },
        };
        for substep in 1..=self.settings.substeps {
            let any_hit = substeps.begin();
            substeps.solve();
            substeps.advance(substep);
            if any_hit {
                substeps.bounce();
            }
        }
        for (row, state) in self.states.iter().enumerate().filter(|(row, _)| !world.bodies.rest[*row].asleep) {
            absorb(state, &mut world.bodies.motion[row]);
        }
        self.groups.store_impulses(&mut self.contacts, softness.gravity_kick);
        self.links.store_impulses(world);
    }
}

/// The substeps of a step: input, obstacles and everything that is solved.
struct Substeps<'a> {
    tree: &'a Tree,
    input: SubstepInput<'a>,
    obstacles: &'a mut ObstacleStates,
    paths: &'a [Obstacle],
    work: NodeWork<'a>,
}

/// Input of substeps, which they only read. Columns are by rows.
struct SubstepInput<'a> {
    rest: &'a [Rest],
    inertia: &'a [Inertia],
    /// Poses when the step began.
    starts: &'a [Pose],
    inverse_masses: &'a [InverseMass],
    /// Whether neither contacts nor joints act on a body.
    flies: &'a [bool],
    /// Acceleration of gravity \[m/s²\].
    gravity: DVec3,
    /// Drag over mass \[1/s\].
    drag: f64,
    /// Length of a substep \[s\].
    h: f64,
    softness: Softness,
}

impl Substeps<'_> {
    /// Kicks bodies by gravity, and applies the impulses of the substep before (warm start). Says
    /// whether any contact is hit.
    fn begin(&mut self) -> bool {
        let Self { tree, input, obstacles, work, .. } = self;
        let any_hit = AtomicBool::new(false);
        tree.walk(work.reborrow(), &|rows, bodies| input.kick(rows, bodies), &|NodeWork { bodies, groups, links }| {
            links.iter_mut().for_each(|link| link.warm_start(bodies, obstacles));
            let mut is_hit = false;
            for group in groups.iter_mut() {
                is_hit |= group.warm_start(bodies, &obstacles.states, input.inverse_masses, &input.softness);
            }
            if is_hit {
                any_hit.store(true, Ordering::Relaxed);
            }
        });
        any_hit.into_inner()
    }

    /// Finds impulses that hold joints together, stop approaching bodies and push out overlaps.
    fn solve(&mut self) {
        let Self { tree, input, obstacles, work, .. } = self;
        let states = &obstacles.states;
        tree.walk(work.reborrow(), &|_, _| {}, &|NodeWork { bodies, groups, links }| {
            links.iter_mut().for_each(|link| link.solve(bodies, obstacles, input.h as f32));
            groups.iter_mut().for_each(|group| group.solve(bodies, states, &input.softness, true));
        });
    }

    /// Moves obstacles and bodies; then relaxes velocities, which so lose what pushed out overlaps.
    fn advance(&mut self, substep: u32) {
        let Self { tree, input, obstacles, paths, work } = self;
        obstacles.advance(paths, input.h * f64::from(substep));
        let states = &obstacles.states;
        tree.walk(work.reborrow(), &|rows, bodies| input.drift(rows, bodies), &|NodeWork { bodies, groups, links }| {
            links.iter_mut().for_each(|link| link.relax(bodies, obstacles, input.h as f32));
            let deep = groups.iter().filter(|group| group.is_deep());
            deep.for_each(|group| group.move_apart(bodies, states, input.h as f32));
            groups.iter_mut().for_each(|group| group.solve(bodies, states, &input.softness, false));
        });
    }

    /// Applies restitution to contacts that were hit in this substep, until they agree.
    fn bounce(&mut self) {
        let Self { tree, obstacles, work, .. } = self;
        for _ in 0..MAX_BOUNCE_ROUNDS {
            let any_bounced = AtomicBool::new(false);
            tree.walk(work.reborrow(), &|_, _| {}, &|NodeWork { bodies, groups, .. }| {
                for group in groups.iter_mut().filter(|group| group.is_hit()) {
                    if group.bounce(bodies, &obstacles.states) {
                        any_bounced.store(true, Ordering::Relaxed);
                    }
                }
            });
            if !any_bounced.into_inner() {
                break;
            }
        }
        work.groups.iter_mut().filter(|group| group.is_hit()).for_each(ContactGroup::forget_hits);
    }
}

impl SubstepInput<'_> {
    /// Adds gravity and drag to the velocities of awake rows.
    fn kick(&self, rows: Range<usize>, bodies: &mut BodySlice<'_>) {
        let columns = bodies.states.iter_mut().zip(bodies.motions.iter_mut());
        for (_, (state, motion)) in rows.zip(columns).filter(|(row, _)| !self.rest[*row].asleep) {
            absorb(state, motion);
            motion.velocity += self.h * (self.gravity - self.drag * motion.velocity);
            state.set_motion(motion.velocity.as_vec3(), motion.spin.as_vec3());
        }
    }

    /// Moves awake rows by their velocities, those in free flight exactly on their parabola.
    fn drift(&self, rows: Range<usize>, bodies: &mut BodySlice<'_>) {
        let h = self.h;
        let columns = bodies.states.iter_mut().zip(bodies.poses.iter_mut()).zip(bodies.motions.iter_mut());
        for (row, ((state, pose), motion)) in rows.zip(columns).filter(|(row, _)| !self.rest[*row].asleep) {
            absorb(state, motion);
            drift(pose, motion, &self.inertia[row], h);
            if self.flies[row] {
                pose.position -= 0.5 * h * h * (self.gravity - self.drag * motion.velocity);
            }
            state.set_motion(motion.velocity.as_vec3(), motion.spin.as_vec3());
            let start = &self.starts[row];
            let rotation = pose.orientation * start.orientation.conjugate();
            state.set_displacement((pose.position - start.position).as_vec3(), rotation.as_quat());
        }
    }
}

/// Adds the change by impulses to the exact motion, from which the state was made by rounding.
#[inline(always)]
fn absorb(state: &BodyState, motion: &mut Motion) {
    let (velocity, spin) = state.motion();
    motion.velocity += (velocity - motion.velocity.as_vec3()).as_dvec3();
    motion.spin += (spin - motion.spin.as_vec3()).as_dvec3();
}
