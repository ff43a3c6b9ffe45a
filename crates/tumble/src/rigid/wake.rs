//! Waking: which sleepers something happens to in this step.
//!
//! Sleepers of one island wake together: when something hits one of them, when a support goes, when
//! an obstacle that touches one of them moves, or on command. A body that a director put to sleep
//! wakes by itself, when a hit will move it.
//!
//! Reads contacts of this step and of the last, joints and motions; writes sleep states.

use glam::{DVec3, Vec3};

use super::contact::{Contact, Partner};
use super::contact_block::ContactBlock;
use super::solver::RigidSolver;
use crate::rest::{speed_of_reach, waking_speed};
use crate::world::{Bodies, Motion, Rest, World};

/// A contact bears a body if at least this part of its normal points up.
const BEARING_SLOPE: f64 = 0.2;

impl RigidSolver {
    /// Wakes all sleepers that something happens to, with their islands.
    pub(super) fn wake(&mut self, world: &mut World) {
        let mut woken = std::mem::take(&mut self.unsupported);
        if world.bodies.rest.iter().any(|rest| rest.asleep) {
            for block in self.contacts.blocks.iter().filter(|block| !block.is_untouched) {
                lost_supports(block, world, &mut woken);
                let touching = block.contacts.iter().filter(|contact| contact.count > 0);
                for contact in touching {
                    woken.extend(self.hit(world, contact.a, contact.b));
                    self.wake_reached(world, contact.a, contact.b, &mut woken);
                }
            }
            let joined = self.dispatch.joined.iter();
            woken.extend(joined.filter_map(|joined| self.hit(world, joined.a, joined.b)));
            if !woken.is_empty() {
                self.wake_islands(world, &woken);
                self.contacts.blocks.iter_mut().for_each(ContactBlock::wake);
                self.broad.forget_sleepers();
            }
        }
        woken.clear();
        self.unsupported = woken;
    }

    /// The sleeper of a pair if the other side wakes it: an awake body that is faster than
    /// [`waking_speed`], or a moving obstacle. Bodies that a director put to sleep are left to
    /// [`RigidSolver::wake_reached`].
    fn hit(&self, world: &World, a: u32, b: Partner) -> Option<u32> {
        let bodies = &world.bodies;
        let asleep = |row: u32| bodies.rest[row as usize].asleep;
        let Some(b) = b.row() else {
            let moves = self.obstacles.motions[b.number()] != Motion::default();
            return (asleep(a) && moves).then_some(a);
        };
        if asleep(a) == asleep(b) {
            return None;
        }
        let sleeper = if asleep(a) { a } else { b };
        let radius = self.solids.radii[sleeper as usize];
        let is_fast = relative_speed(bodies, a, b) > waking_speed(world.gravity.length(), radius);
        (is_fast && !bodies.rest[sleeper as usize].held).then_some(sleeper)
    }

    /// Adds the sleepers, put to sleep by a director, that a hit will move. An inelastic hit with
    /// momentum p gives bodies of mass M together the speed p/M. So the one that is hit wakes, and
    /// ring by ring those that touch it, until their mass with that of the other makes this speed
    /// too small.
    fn wake_reached(&self, world: &World, a: u32, b: Partner, woken: &mut Vec<u32>) {
        let (bodies, Some(b)) = (&world.bodies, b.row()) else { return };
        let is_held = |row: u32| bodies.rest[row as usize].asleep && bodies.rest[row as usize].held;
        if bodies.rest[a as usize].asleep == bodies.rest[b as usize].asleep || !(is_held(a) || is_held(b)) {
            return;
        }
        let (sleeper, other) = if is_held(a) { (a, b) } else { (b, a) };
        let mass = |row: u32| bodies.inertia[row as usize].mass;
        let slowest = speed_of_reach(world.gravity.length(), self.solids.radii[sleeper as usize]);
        let reach = mass(other) * (relative_speed(bodies, a, b) / slowest - 1.0);
        let (first, mut reached) = (woken.len(), mass(sleeper));
        if reached > reach {
            return;
        }
        woken.push(sleeper);
        let mut ring = first;
        while ring < woken.len() {
            let end = woken.len();
            for (a, b) in self.contacts.touching() {
                for (from, to) in [(a, b), (b, a)] {
                    let is_next = is_held(to) && woken[ring..end].contains(&from) && !woken[first..].contains(&to);
                    if is_next && reached + mass(to) <= reach {
                        reached += mass(to);
                        woken.push(to);
                    }
                }
            }
            ring = end;
        }
    }

    /// Wakes these rows and the islands of sleepers that they belong to. A held body belongs to no
    /// island: it wakes only if it is one of these rows.
    fn wake_islands(&mut self, world: &mut World, woken: &[u32]) {
        let rest = &mut world.bodies.rest;
        let links = |row: u32| rest[row as usize].asleep && !rest[row as usize].held;
        let pairs = self.contacts.touching().chain(self.dispatch.joined_bodies());
        self.islands.build(rest.len(), pairs.filter(|&(a, b)| links(a) && links(b)));
        woken.iter().filter(|&&row| rest[row as usize].asleep).for_each(|&row| self.islands.mark(row));
        for (row, rest) in rest.iter_mut().enumerate().filter(|(_, rest)| rest.asleep) {
            if self.islands.is_marked(row as u32) {
                *rest = Rest::default();
                self.solids.wake(row);
            }
        }
    }
}

/// How fast two bodies move against each other \[m/s\].
fn relative_speed(bodies: &Bodies, a: u32, b: u32) -> f64 {
    (bodies.motion[b as usize].velocity - bodies.motion[a as usize].velocity).length()
}

/// Finds sleepers that a contact of the last step bore which is no longer there.
fn lost_supports(block: &ContactBlock, world: &World, woken: &mut Vec<u32>) {
    let asleep = |row: &u32| world.bodies.rest[*row as usize].asleep;
    for old in block.before() {
        let mut borne = borne(old, &world.bodies, world.gravity).filter(asleep).peekable();
        let is_there = || block.contacts_of(old.a).iter().any(|new| new.key() == old.key() && new.count > 0);
        if borne.peek().is_some() && !is_there() {
            woken.extend(borne);
        }
    }
}

/// The rows that a contact bore: those that it pushed up, or without gravity those that it pushed.
/// Bodies that a director put to sleep one by one also lean on what pushes them to the side.
fn borne(contact: &Contact, bodies: &Bodies, gravity: DVec3) -> impl Iterator<Item = u32> {
    let pushes = contact.is_pushing();
    let up = -gravity.normalize_or_zero();
    let push_on = |row: u32, normal: Vec3, sign: f64| {
        let pushed_up = sign * (bodies.pose[row as usize].orientation * normal.as_dvec3()).dot(up);
        let least = if bodies.rest[row as usize].held { -BEARING_SLOPE } else { BEARING_SLOPE };
        (pushes && (up == DVec3::ZERO || pushed_up > least)).then_some(row)
    };
    let (a, b) = (contact.a, contact.b.row());
    [push_on(a, contact.normal_a, -1.0), b.and_then(|b| push_on(b, contact.normal_b, 1.0))].into_iter().flatten()
}
