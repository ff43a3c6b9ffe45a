//! Contacts as others read them: how many, how deep, on whom.

use super::RigidSolver;
use super::contact::Contact;
use super::solids::place;
use crate::solver::Contacts;
use crate::world::{BodyId, World};

/// Points that have slipped further than this along the surface, over the radius of the smaller body, no longer tell how deep it is:
/// the bodies have passed each other.
const SLIP: f32 = 0.05;

impl RigidSolver {
    /// Looks at all contacts where bodies are now.
    pub(crate) fn look(&self, world: &World) -> Contacts {
        let mut all = Contacts::default();
        let body = |row: u32| {
            let id = self.name(world, row)?;
            let row = world.bodies.row(id)?;
            Some((id, place(&world.bodies.pose[row]), world.radius(row)))
        };
        for contact in self.contacts.iter().filter(|contact| contact.count > 0) {
            let Some((a, placed_a, radius)) = body(contact.a) else { continue };
            let (b, placed_b, radius) = match contact.b.row() {
                None => (None, place(&world.obstacles[contact.b.number()].pose), radius),
                Some(row) => match body(row) {
                    Some((b, placed, other)) => (Some(b), placed, radius.min(other)),
                    None => continue,
                },
            };
            all.count += u64::from(pushing(contact));
            let depth = contact.depth(&placed_a, &placed_b, SLIP * radius as f32);
            if f64::from(depth) / radius > all.deepest {
                (all.deepest, all.deepest_between) = (f64::from(depth) / radius, Some((a, b)));
            }
        }
        all
    }

    /// How many points push on bodies; a body comes once for each of its contacts.
    pub(crate) fn contacts_of_bodies(&self, world: &World) -> impl Iterator<Item = (BodyId, u32)> {
        self.contacts.iter().flat_map(move |contact| {
            let rows = [Some(contact.a), contact.b.row()].into_iter().flatten();
            rows.filter_map(move |row| Some((self.name(world, row)?, pushing(contact))))
        })
    }
}

/// How many of its points push.
fn pushing(contact: &Contact) -> u32 {
    contact.points[..contact.count as usize].iter().filter(|point| point.push > 0.0).count() as u32
}
