//! The saved state of the rigid solver: the order of rows, bodies that lost a support or were just
//! born, and contacts with their impulses.

use super::contact::{AnchorPoint, Contact, Partner};
use super::narrow::MAX_POINTS;
use super::solver::RigidSolver;
use crate::state::{NotAState, StateIo, record};
use crate::world::{Bodies, BodyId, World};

record!(Contact: pieces, normal_a, normal_b, count, points, friction_impulse, angular_impulse, is_deep; else Contact::new(0, Partner::body(0), [0, 0]));
record!(AnchorPoint: on_a, on_b, feature, normal_impulse);
record!(NamedContact: a, on_obstacle, b, contact);

/// A contact by names instead of rows.
struct NamedContact {
    a: BodyId,
    on_obstacle: bool,
    /// The number of an id or of an obstacle.
    b: u64,
    contact: Contact,
}

/// A saved state by names: bodies in the order of rows, bodies that touched one that is gone,
/// bodies whose first step comes next, and contacts.
pub(crate) struct SavedRigid {
    order: Vec<BodyId>,
    unsupported: Vec<BodyId>,
    born: Vec<BodyId>,
    contacts: Vec<NamedContact>,
}

/// The same, checked and by rows; bodies whose first step comes next have no row yet.
pub(crate) struct RigidMemory {
    order: Vec<u32>,
    unsupported: Vec<u32>,
    born: Vec<BodyId>,
    contacts: Vec<Contact>,
}

impl SavedRigid {
    /// Finds the rows of a saved state, for bodies in the order of ids and so many obstacles.
    pub(crate) fn in_rows(self, bodies: &Bodies, obstacles: usize) -> Result<RigidMemory, NotAState> {
        let place =
            |id: BodyId| bodies.row(id).map(|row| row as u32).ok_or(NotAState("a contact's body does not exist"));
        let order: Vec<u32> = self.order.into_iter().map(place).collect::<Result<_, _>>()?;
        let mut new_row = vec![u32::MAX; bodies.len()];
        order.iter().enumerate().for_each(|(new, &old)| new_row[old as usize] = new as u32);
        if order.len() != bodies.len() || new_row.contains(&u32::MAX) {
            return Err(NotAState("its rows are not those of its bodies"));
        }
        let row = |id| place(id).map(|old| new_row[old as usize]);
        let in_rows = |named: NamedContact| {
            let b = if !named.on_obstacle {
                Partner::body(row(BodyId::from_number(named.b))?)
            } else if named.b < obstacles as u64 {
                Partner::obstacle(named.b as u32)
            } else {
                return Err(NotAState("a contact's obstacle does not exist"));
            };
            if named.contact.count as usize > MAX_POINTS {
                return Err(NotAState("a contact has too many points"));
            }
            Ok(Contact { a: row(named.a)?, b, ..named.contact })
        };
        let contacts: Vec<Contact> = self.contacts.into_iter().map(in_rows).collect::<Result<_, _>>()?;
        if !contacts.is_sorted_by_key(|contact| (contact.a, contact.key())) {
            return Err(NotAState("its contacts are out of order"));
        }
        let unsupported = self.unsupported.into_iter().map(row).collect::<Result<_, _>>()?;
        Ok(RigidMemory { order, unsupported, born: self.born, contacts })
    }
}

impl RigidSolver {
    /// The order of rows and all contacts between living bodies.
    pub(crate) fn state<Io: StateIo>(&self, world: &World, io: &mut Io) -> Result<SavedRigid, Io::Problem> {
        let names = |contact: &Contact| {
            let a = self.name(world, contact.a)?;
            match contact.b.row() {
                Some(row) => Some((a, self.name(world, row)?.number())),
                None => Some((a, contact.b.number() as u64)),
            }
        };
        let named = |contact: &Contact| {
            let (a, b) = names(contact)?;
            // Points beyond the count are not state.
            let mut contact = *contact;
            contact.points[contact.count as usize..].fill(AnchorPoint::default());
            Some(NamedContact { a, on_obstacle: contact.b.row().is_none(), b, contact })
        };
        let mut unsupported: Vec<BodyId> = (self.contacts.iter().filter(|contact| names(contact).is_none()))
            .flat_map(|contact| [Some(contact.a), contact.b.row()])
            .filter_map(|row| self.name(world, row?))
            .collect();
        unsupported.sort_unstable();
        unsupported.dedup();
        let mut born = self.unknown(world);
        born.extend(self.born.iter().filter(|id| world.bodies.row(**id).is_some()));
        born.sort_unstable();
        let living = self.contacts.iter().filter(|contact| names(contact).is_some()).count();
        Ok(SavedRigid {
            order: io.list(world.bodies.len(), world.bodies.traits.iter().map(|traits| traits.id))?,
            unsupported: io.value(&unsupported)?,
            born: io.value(&born)?,
            contacts: io.list(living, self.contacts.iter().filter_map(named))?,
        })
    }

    /// Takes over a saved state whose bodies are in the order of ids.
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
