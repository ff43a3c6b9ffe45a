//! Waking: which sleepers something happens to in this step.
//!
//! Sleepers of one island wake together: when something hits one of them, when a support goes, when
//! an obstacle that touches one of them moves, or on command. A hit never wakes a body that a
//! director holds asleep.
//!
//! Reads contacts of this step and of the last, joints and motions; writes sleep states.

use glam::{DVec3, Vec3};

use super::contact::{Contact, Partner};
use super::contact_block::ContactBlock;
use super::solver::RigidSolver;
use crate::rest::waking_speed;
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
                woken.extend(touching.filter_map(|contact| self.hit(world, contact.a, contact.b, true)));
            }
            let joined = self.dispatch.joined.iter();
            woken.extend(joined.filter_map(|joined| self.hit(world, joined.a, joined.b, false)));
            if !woken.is_empty() {
                self.wake_islands(world, &woken);
                self.contacts.blocks.iter_mut().for_each(|block| block.is_untouched = false);
            }
        }
        woken.clear();
        self.unsupported = woken;
    }

    /// The sleeper of a pair if the other side wakes it: an awake body that is faster than
    /// [`waking_speed`], or a moving obstacle. `spares_held` protects bodies that a director holds
    /// from awake bodies.
    fn hit(&self, world: &World, a: u32, b: Partner, spares_held: bool) -> Option<u32> {
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
        if spares_held && bodies.rest[sleeper as usize].held {
            return None;
        }
        let speed = (bodies.motion[b as usize].velocity - bodies.motion[a as usize].velocity).length();
        let radius = self.solids.radii[sleeper as usize];
        (speed > waking_speed(world.gravity.length(), radius)).then_some(sleeper)
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
            }
        }
    }
}

/// Finds sleepers that a contact of the last step bore which is no longer there.
fn lost_supports(block: &ContactBlock, world: &World, woken: &mut Vec<u32>) {
    let asleep = |row: u32| world.bodies.rest[row as usize].asleep;
    for old in block.before() {
        let still_there = || block.contacts_of(old.a).iter().any(|new| new.key() == old.key() && new.count > 0);
        if [Some(old.a), old.b.row()].into_iter().flatten().any(asleep) && !still_there() {
            woken.extend(borne(old, &world.bodies, world.gravity).filter(|&row| asleep(row)));
        }
    }
}

/// The rows that a contact bore: those that it pushed up, or without gravity those that it pushed.
fn borne(contact: &Contact, bodies: &Bodies, gravity: DVec3) -> impl Iterator<Item = u32> {
    let pushes = contact.is_pushing();
    let up = -gravity.normalize_or_zero();
    let push_on = |row: u32, normal: Vec3, sign: f64| {
        let pushed_up = sign * (bodies.pose[row as usize].orientation * normal.as_dvec3()).dot(up);
        (pushes && (up == DVec3::ZERO || pushed_up > BEARING_SLOPE)).then_some(row)
    };
    let (a, b) = (contact.a, contact.b.row());
    [push_on(a, contact.normal_a, -1.0), b.and_then(|b| push_on(b, contact.normal_b, 1.0))].into_iter().flatten()
}
