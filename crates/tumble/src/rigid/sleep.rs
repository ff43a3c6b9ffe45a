//! Who sleeps and who wakes.
//!
//! A body that something bears and that has hardly moved for a while is still: it is slow, and has
//! got nowhere. When all bodies that touch each other are still, all of them fall asleep: they do
//! not move by a single bit, and cost nothing to solve. They wake together: when something hits one
//! of them, when what supported one of them goes, when an obstacle that touches one of them moves,
//! or on command.
//!
//! Reads contacts and motions; writes who is asleep, and takes the motion of those who fall asleep.

use glam::{DVec3, Vec3};

use super::RigidSolver;
use super::contact::Contact;
use super::link::Link;
use crate::rest::{natural_speed, still_speed, waking_speed};
use crate::world::{Bodies, Motion, Rest, World};

/// For how long bodies have to be still to fall asleep, over the time r/√(g r) in which they fall
/// half their radius: at any size the same acceleration shows in it.
const SLEEP_AFTER: f64 = 5.0;

/// How far a still body may get in that time, over its radius: what slides or tips goes further,
/// what only trembles does not.
const DRIFT: f32 = 0.005;

/// A contact bears a body if it pushes it up by at least this part of its push.
const BEARS: f64 = 0.2;

impl RigidSolver {
    /// Wakes all that something happens to in this step, with everything asleep that touches it; says whether there was any.
    pub(super) fn wake(&mut self, world: &mut World, of_obstacles: &[Motion]) -> bool {
        if !world.bodies.rest.iter().any(|rest| rest.asleep) {
            self.unsupported.clear();
            return false;
        }
        let (bodies, gravity) = (&world.bodies, world.gravity.length());
        let mut woken: Vec<u32> = self.unsupported.drain(..).collect();
        let asleep = |row: u32| bodies.rest[row as usize].asleep;
        for block in self.contacts.blocks.iter().filter(|block| !block.is_untouched) {
            // What bore a body and is no longer there.
            for old in block.before() {
                let still_there = || block.contacts_of(old.a).iter().any(|new| new.key() == old.key() && new.count > 0);
                if [Some(old.a), old.b.row()].into_iter().flatten().any(asleep) && !still_there() {
                    woken.extend(borne(old, bodies, world.gravity).filter(|&row| asleep(row)));
                }
            }
            for contact in block.contacts.iter().filter(|contact| contact.count > 0) {
                let (a, other) = (contact.a, contact.b.row());
                let motion = |row: u32| &bodies.motion[row as usize];
                let approach = match other {
                    Some(b) if asleep(a) != asleep(b) => (motion(b).velocity - motion(a).velocity).length(),
                    None if asleep(a) => {
                        let motion = &of_obstacles[contact.b.number()];
                        if *motion == Motion::default() { 0.0 } else { f64::INFINITY }
                    }
                    _ => continue,
                };
                let sleeper = if asleep(a) { a } else { other.unwrap_or(a) };
                let approach = if bodies.rest[sleeper as usize].held && approach.is_finite() { 0.0 } else { approach };
                if approach > waking_speed(gravity, self.solids.radii[sleeper as usize]) {
                    woken.push(sleeper);
                }
            }
        }
        for joined in &self.dispatch.joined {
            let motion = |row: u32| &bodies.motion[row as usize];
            let (sleeper, approach) = match joined.b.row() {
                Some(b) if asleep(joined.a) != asleep(b) => {
                    let sleeper = if asleep(joined.a) { joined.a } else { b };
                    (sleeper, (motion(b).velocity - motion(joined.a).velocity).length())
                }
                None if asleep(joined.a) && of_obstacles[joined.b.number()] != Motion::default() => {
                    (joined.a, f64::INFINITY)
                }
                _ => continue,
            };
            if approach > waking_speed(gravity, self.solids.radii[sleeper as usize]) {
                woken.push(sleeper);
            }
        }
        let any = !woken.is_empty();
        self.wake_all(world, woken);
        any
    }

    /// Pairs of bodies that touch or are joined, by rows.
    fn neighbours(&self) -> impl Iterator<Item = (u32, u32)> {
        let touch = self.contacts.iter().filter(|contact| contact.count > 0).map(|contact| (contact.a, contact.b));
        touch
            .chain(self.dispatch.joined.iter().map(|joined| (joined.a, joined.b)))
            .filter_map(|(a, b)| Some((a, b.row()?)))
    }

    /// Wakes these rows and everything asleep that they touch, directly or through others asleep; what is held, only if it is one of them.
    fn wake_all(&self, world: &mut World, mut woken: Vec<u32>) {
        if woken.is_empty() {
            return;
        }
        let mut touching: Vec<Vec<u32>> = vec![Vec::new(); world.bodies.len()];
        let rest = &mut world.bodies.rest;
        let goes_on = |rest: &Rest| rest.asleep && !rest.held;
        for (a, b) in self.neighbours().filter(|&(a, b)| goes_on(&rest[a as usize]) && goes_on(&rest[b as usize])) {
            touching[a as usize].push(b);
            touching[b as usize].push(a);
        }
        while let Some(row) = woken.pop() {
            let state = &mut rest[row as usize];
            if std::mem::take(&mut state.asleep) {
                *state = Rest::default();
                woken.append(&mut touching[row as usize]);
            }
        }
    }

    /// Counts for how long bodies have been still, and lets those fall asleep that touch none that are not.
    pub(super) fn sleep(&mut self, world: &mut World, dt: f64) {
        self.find_borne(world.bodies.len());
        let gravity = world.gravity.length();
        for row in 0..world.bodies.len() {
            let (motion, radius) = (&world.bodies.motion[row], self.solids.radii[row]);
            let speed = motion.velocity.length() + motion.spin.length() * radius;
            let rest = &mut world.bodies.rest[row];
            if rest.asleep {
                continue;
            }
            rest.moved += (dt * motion.velocity).as_vec3();
            rest.turned += (dt * motion.spin).as_vec3();
            let way = rest.moved.length() + rest.turned.length() * radius as f32;
            let is_still = self.borne[row] && speed < still_speed(gravity, radius) && way < DRIFT * radius as f32;
            *rest = if is_still { Rest { still: rest.still + dt, ..*rest } } else { Rest::default() };
        }
        let is_ready = |row: usize, rest: &Rest| rest.still >= sleep_after(gravity, self.solids.radii[row]);
        if !world.bodies.rest.iter().enumerate().any(|(row, rest)| !rest.asleep && is_ready(row, rest)) {
            return;
        }
        // Groups of bodies that touch, by the smallest row of each.
        let rest = &world.bodies.rest;
        let mut first: Vec<u32> = (0..rest.len() as u32).collect();
        fn root(first: &mut [u32], mut row: u32) -> u32 {
            while first[row as usize] != row {
                first[row as usize] = first[first[row as usize] as usize];
                row = first[row as usize];
            }
            row
        }
        for (a, b) in self.neighbours().filter(|&(a, b)| !rest[a as usize].asleep && !rest[b as usize].asleep) {
            let (a, b) = (root(&mut first, a), root(&mut first, b));
            first[a.max(b) as usize] = a.min(b);
        }
        let mut ready = vec![true; rest.len()];
        for row in 0..rest.len() as u32 {
            if !rest[row as usize].asleep && !is_ready(row as usize, &rest[row as usize]) {
                ready[root(&mut first, row) as usize] = false;
            }
        }
        for row in 0..first.len() as u32 {
            if ready[root(&mut first, row) as usize] && !world.bodies.rest[row as usize].asleep {
                world.bodies.rest[row as usize].asleep = true;
                world.bodies.motion[row as usize] = Motion::default();
            }
        }
    }

    /// Finds the rows that a contact or a joint bears: in free flight nobody sleeps.
    fn find_borne(&mut self, rows: usize) {
        self.borne.clear();
        self.borne.resize(rows, false);
        for contact in self.contacts.iter().filter(|contact| contact.is_pushing()) {
            self.borne[contact.a as usize] = true;
            contact.b.row().into_iter().for_each(|row| self.borne[row as usize] = true);
        }
        for row in self.links.iter().flat_map(Link::rows) {
            self.borne[row] = true;
        }
    }
}

/// For how long a body of this radius \[m\] has to be still \[s\].
fn sleep_after(gravity: f64, radius: f64) -> f64 {
    SLEEP_AFTER * radius / natural_speed(gravity, radius)
}

/// The rows that a contact bore: those that it pushed up, or without gravity those that it pushed.
fn borne(contact: &Contact, bodies: &Bodies, gravity: DVec3) -> impl Iterator<Item = u32> {
    let pushes = contact.is_pushing();
    let up = -gravity.normalize_or_zero();
    let push_on = |row: u32, normal: Vec3, sign: f64| {
        let pushed_up = sign * (bodies.pose[row as usize].orientation * normal.as_dvec3()).dot(up);
        (pushes && (up == DVec3::ZERO || pushed_up > BEARS)).then_some(row)
    };
    let (a, b) = (contact.a, contact.b.row());
    [push_on(a, contact.normal_a, -1.0), b.and_then(|b| push_on(b, contact.normal_b, 1.0))].into_iter().flatten()
}
