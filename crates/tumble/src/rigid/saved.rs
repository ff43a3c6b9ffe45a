//! What the rigid solver remembers, to and from bytes: the order of rows, who lost a support, and contacts with their impulses.

use super::contact::{Contact, Other, Point};
use super::narrow::MOST_POINTS;
use super::solver::RigidSolver;
use crate::snapshot::{NotAState, Reader, Writer};
use crate::world::{Bodies, BodyId, World};

/// What was saved: which bodies are in which rows, those that touched one that is gone, those whose
/// first step comes next, and contacts by rows.
pub(crate) struct RigidMemory {
    order: Vec<u32>,
    unsupported: Vec<u32>,
    born: Vec<BodyId>,
    contacts: Vec<Contact>,
}

/// Bytes of a contact: two names, pieces, two normals, a count, points, friction, turning, whether it
/// is deep.
const SAVED_CONTACT: usize = 8 + 4 + 8 + 8 + 24 + 4 + 32 * MOST_POINTS + 24 + 4;

impl RigidMemory {
    /// Reads what was saved, for bodies in the order of ids and so many obstacles.
    pub(crate) fn read(from: &mut Reader<'_>, bodies: &Bodies, obstacles: usize) -> Result<Self, NotAState> {
        let place =
            |id: BodyId| bodies.row(id).map(|row| row as u32).ok_or(NotAState("a contact's body does not exist"));
        let order = from.list(8, |from| place(from.id()?))?;
        let mut new_row = vec![u32::MAX; bodies.len()];
        order.iter().enumerate().for_each(|(new, &old)| new_row[old as usize] = new as u32);
        if order.len() != bodies.len() || new_row.contains(&u32::MAX) {
            return Err(NotAState("its rows are not those of its bodies"));
        }
        let row = |id| place(id).map(|old| new_row[old as usize]);
        let unsupported = from.list(8, |from| row(from.id()?))?;
        let born = from.list(8, |from| from.id())?;
        let contacts = from.list(SAVED_CONTACT, |from| {
            let a = row(from.id()?)?;
            let (is_obstacle, number) = (from.u32()? != 0, from.u64()?);
            let b = if !is_obstacle {
                Other::body(row(BodyId::from_number(number))?)
            } else if number < obstacles as u64 {
                Other::obstacle(number as u32)
            } else {
                return Err(NotAState("a contact's obstacle does not exist"));
            };
            let mut contact = Contact::new(a, b, [from.u32()?, from.u32()?]);
            (contact.normal_a, contact.normal_b) = (from.small_vec()?, from.small_vec()?);
            contact.count = from.u32()?;
            if contact.count as usize > MOST_POINTS {
                return Err(NotAState("a contact has too many points"));
            }
            for point in &mut contact.points {
                let (on_a, on_b) = (from.small_vec()?, from.small_vec()?);
                *point = Point { on_a, on_b, feature: from.u32()?, push: from.f32()? };
            }
            (contact.rub, contact.turn) = (from.small_vec()?, from.small_vec()?);
            contact.is_deep = from.u32()? != 0;
            Ok(contact)
        })?;
        if !contacts.is_sorted_by_key(|contact| (contact.a, contact.key())) {
            return Err(NotAState("its contacts are out of order"));
        }
        Ok(Self { order, unsupported, born, contacts })
    }
}

impl RigidSolver {
    /// Writes the order of rows and all contacts between living bodies.
    pub(crate) fn save(&self, world: &World, to: &mut Writer<'_>) {
        let bodies = &world.bodies;
        to.u64(bodies.len() as u64);
        bodies.traits.iter().for_each(|traits| to.u64(traits.id.number()));
        let named = |contact: &'_ Contact| {
            let a = self.name(world, contact.a)?;
            let b = match contact.b.row() {
                Some(row) => Ok(self.name(world, row)?),
                None => Err(contact.b.number()),
            };
            Some((a, b))
        };
        let mut unsupported: Vec<BodyId> = (self.contacts.iter().filter(|contact| named(contact).is_none()))
            .flat_map(|contact| [Some(contact.a), contact.b.row()])
            .filter_map(|row| self.name(world, row?))
            .collect();
        unsupported.sort_unstable();
        unsupported.dedup();
        to.u64(unsupported.len() as u64);
        unsupported.iter().for_each(|id| to.u64(id.number()));
        let mut born = self.unknown(world);
        born.extend(self.born.iter().filter(|id| world.bodies.row(**id).is_some()));
        born.sort_unstable();
        to.u64(born.len() as u64);
        born.iter().for_each(|id| to.u64(id.number()));
        let contacts = || self.contacts.iter().filter_map(|contact| Some((named(contact)?, contact)));
        to.u64(contacts().count() as u64);
        for ((a, b), contact) in contacts() {
            to.u64(a.number());
            to.u32(u32::from(b.is_err()));
            to.u64(b.map_or_else(|obstacle| obstacle as u64, BodyId::number));
            contact.pieces.iter().for_each(|&piece| to.u32(piece));
            to.small_vec(contact.normal_a);
            to.small_vec(contact.normal_b);
            to.u32(contact.count);
            for (k, point) in contact.points.iter().enumerate() {
                // What is left of points that are gone is no state.
                let point = if k < contact.count as usize { *point } else { Point::default() };
                to.small_vec(point.on_a);
                to.small_vec(point.on_b);
                to.u32(point.feature);
                to.f32(point.push);
            }
            to.small_vec(contact.rub);
            to.small_vec(contact.turn);
            to.u32(u32::from(contact.is_deep));
        }
    }

    /// Takes over what was saved of a state whose bodies are in the order of ids.
    pub(crate) fn load(&mut self, world: &mut World, memory: RigidMemory) {
        world.bodies.take_rows(&memory.order);
        self.names.clear();
        self.names.extend(world.bodies.traits.iter().map(|traits| traits.id));
        (self.unsupported, self.born) = (memory.unsupported, memory.born);
        self.deep.any = memory.contacts.iter().any(|contact| contact.is_deep);
        self.contacts.set(memory.contacts, world.bodies.len());
        self.is_new = true;
    }
}
