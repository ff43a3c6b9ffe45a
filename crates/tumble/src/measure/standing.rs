//! How bodies stand: who touches whom, and whether bodies in the air fall freely.
//!
//! Reads a world and its contacts. No director reads any of this, so it can judge what they left.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use crate::contact::BodyContact;
use crate::world::{BodyId, End, World};

/// Surfaces that are nearer than this touch, over the diameter of a body.
const TOUCHING: f64 = 0.015;

/// A contact bears a body if more than this part of its normal points up.
const BEARS: f64 = 0.1;

/// A body that has nothing nearer than this to it flies freely for a frame, over its diameter.
const FREE: f64 = 0.25;

/// How far a body that flies freely may be from its parabola after a frame, over its diameter.
const ASTRAY: f64 = 0.01;

/// Contacts of all bodies of a pile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Bodies and obstacles that a body touches, on average.
    pub contacts_per_body: f64,
    /// Bodies that nothing touches from below.
    pub unsupported: usize,
    /// Bodies that touch nothing at all.
    pub floating: usize,
}

/// Contacts with surfaces nearer than this, over the diameter of the first body.
fn nearer<'a>(world: &World, contacts: &'a [BodyContact], than: f64) -> impl Iterator<Item = &'a BodyContact> {
    contacts.iter().filter(move |contact| {
        let diameter = world.bodies.row(contact.body).map_or(0.0, |row| world.diameter(row));
        contact.points.iter().any(|point| point.separation < than * diameter)
    })
}

impl Support {
    /// Counts the contacts of all bodies as they are now.
    pub fn of(world: &World, contacts: &[BodyContact], up: DVec3) -> Self {
        let (mut pairs, mut touching, mut borne) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for contact in nearer(world, contacts, TOUCHING) {
            let (body, rise) = (contact.body, contact.normal.dot(up));
            pairs.insert((body, contact.to));
            touching.insert(body);
            // The normal points from the body to the other: down where that is below it.
            if rise < -BEARS {
                borne.insert(body);
            }
            if let End::Body(other) = contact.to {
                pairs.insert((other, End::Body(body)));
                touching.insert(other);
                if rise > BEARS {
                    borne.insert(other);
                }
            }
        }
        let bodies = world.bodies.len();
        Self {
            contacts_per_body: pairs.len() as f64 / bodies.max(1) as f64,
            unsupported: bodies - borne.len(),
            floating: bodies - touching.len(),
        }
    }
}

/// Flights of bodies that had nothing near them in two frames one after another.
#[derive(Clone, Debug, Default)]
pub struct Flights {
    /// Places and velocities of the bodies that had nothing near them in the last frame.
    free: BTreeMap<BodyId, (DVec3, DVec3)>,
    /// All flights from frame to frame.
    pub all: u64,
    /// Those of them that left the parabola of free fall.
    pub astray: u64,
}

impl Flights {
    /// Looks at the world after another frame of this length \[s\].
    pub fn see(&mut self, world: &World, contacts: &[BodyContact], dt: f64) {
        let mut near: Vec<BodyId> = Vec::new();
        for contact in nearer(world, contacts, FREE) {
            near.push(contact.body);
            near.extend(if let End::Body(other) = contact.to { Some(other) } else { None });
        }
        near.sort_unstable();
        let mut free = BTreeMap::new();
        for row in 0..world.bodies.len() {
            let (id, motion) = (world.bodies.traits[row].id, &world.bodies.motion[row]);
            if near.binary_search(&id).is_ok() {
                continue;
            }
            let place = world.bodies.pose[row].position;
            free.insert(id, (place, motion.velocity));
            if let Some((from, velocity)) = self.free.get(&id) {
                let fallen = *from + dt * *velocity + 0.5 * dt * dt * world.gravity;
                self.all += 1;
                self.astray += u64::from(fallen.distance(place) > ASTRAY * world.diameter(row));
            }
        }
        self.free = free;
    }
}
