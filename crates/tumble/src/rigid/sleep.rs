//! Falling asleep: islands of bodies that have been still for a while.
//!
//! A body that something bears is still while it is slow and has got nowhere. When all bodies of an
//! island have been still long enough, they fall asleep: no bit of them changes any more, and they
//! cost nothing to solve.
//!
//! Reads contacts, joints and motions; writes sleep states, and stops bodies that fall asleep.

use super::link::Link;
use super::solver::RigidSolver;
use crate::rest::{natural_speed, still_speed};
use crate::world::{Motion, Rest, World};

/// Time for which bodies have to be still to fall asleep, over r/√(g r), the time in which they
/// fall half their radius: at any size the same acceleration shows in it.
const SLEEP_TIME: f64 = 5.0;

/// Distance that a still body may move in that time, over its radius: sliding and tipping bodies
/// move further, trembling ones do not.
const STILL_DISTANCE: f32 = 0.005;

impl RigidSolver {
    /// Counts how long bodies have been still, and lets islands fall asleep that are ready.
    pub(super) fn sleep(&mut self, world: &mut World, dt: f64) {
        self.find_borne(world.bodies.len());
        self.count_still_time(world, dt);
        let gravity = world.gravity.length();
        let rest = &world.bodies.rest;
        let is_ready = |row: usize| rest[row].still >= sleep_time(gravity, self.solids.radii[row]);
        let awake = || (0..rest.len()).filter(|&row| !rest[row].asleep);
        if !awake().any(is_ready) {
            return;
        }
        let is_awake = |row: u32| !rest[row as usize].asleep;
        let pairs = self.contacts.touching().chain(self.dispatch.joined_bodies());
        self.islands.build(rest.len(), pairs.filter(|&(a, b)| is_awake(a) && is_awake(b)));
        // A marked island stays awake.
        awake().filter(|&row| !is_ready(row)).for_each(|row| self.islands.mark(row as u32));
        for row in 0..world.bodies.len() {
            if !world.bodies.rest[row].asleep && !self.islands.is_marked(row as u32) {
                world.bodies.rest[row].asleep = true;
                world.bodies.motion[row] = Motion::default();
            }
        }
    }

    /// Adds the step to the time that bodies have been still; starts anew for those that are not.
    fn count_still_time(&self, world: &mut World, dt: f64) {
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
            let distance = rest.moved.length() + rest.turned.length() * radius as f32;
            let is_still =
                self.borne[row] && speed < still_speed(gravity, radius) && distance < STILL_DISTANCE * radius as f32;
            *rest = if is_still { Rest { still: rest.still + dt, ..*rest } } else { Rest::default() };
        }
    }

    /// Finds the rows that a contact or a joint bears: in free flight no body sleeps.
    fn find_borne(&mut self, rows: usize) {
        self.borne.clear();
        self.borne.resize(rows, false);
        for contact in self.contacts.iter().filter(|contact| contact.is_pushing()) {
            self.borne[contact.a as usize] = true;
            contact.b.row().into_iter().for_each(|row| self.borne[row as usize] = true);
        }
        for row in self.links.list.iter().flat_map(Link::rows) {
            self.borne[row] = true;
        }
    }
}

/// Time for which a body of this radius \[m\] has to be still \[s\].
fn sleep_time(gravity: f64, radius: f64) -> f64 {
    SLEEP_TIME * radius / natural_speed(gravity, radius)
}
