//! What the granular solver remembers, to and from bytes: friction springs by names, and the next step of an adaptive integrator.

use super::GranularSolver;
use crate::contact::{SavedContact, SavedWall, SphereName};
use crate::snapshot::{NotAState, Reader, Writer};
use crate::world::World;

/// What was saved.
pub(crate) struct GranularMemory {
    contacts: Vec<SavedContact>,
    walls: Vec<SavedWall>,
    next_step: f64,
}

impl GranularMemory {
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        let contacts = from.list(72, |from| {
            Ok(SavedContact { a: from.name()?, b: from.name()?, stretch: from.vec()?, roll: from.vec()? })
        })?;
        let walls = from.list(92, |from| {
            Ok(SavedWall {
                sphere: from.name()?,
                obstacle: from.u32()?,
                triangle: from.u32()?,
                stretch: from.vec()?,
                roll: from.vec()?,
                normal: from.vec()?,
            })
        })?;
        Ok(Self { contacts, walls, next_step: from.f64()? })
    }
}

impl GranularSolver {
    /// Writes the memory of all contacts between living bodies.
    pub(crate) fn save(&self, world: &World, to: &mut Writer<'_>) {
        let (mut contacts, mut walls) = self.neighbours.save(&self.spheres);
        let lives = |name: SphereName| name.is_of_obstacle() || world.bodies.row(name.body).is_some();
        contacts.retain(|contact| lives(contact.a) && lives(contact.b));
        walls.retain(|wall| lives(wall.sphere));
        to.u64(contacts.len() as u64);
        for contact in contacts {
            to.name(contact.a);
            to.name(contact.b);
            to.vec(contact.stretch);
            to.vec(contact.roll);
        }
        to.u64(walls.len() as u64);
        for wall in walls {
            to.name(wall.sphere);
            to.u32(wall.obstacle);
            to.u32(wall.triangle);
            to.vec(wall.stretch);
            to.vec(wall.roll);
            to.vec(wall.normal);
        }
        to.f64(self.next_step());
    }

    /// Takes over what was saved of a state whose bodies are in the order of ids.
    pub(crate) fn load(&mut self, world: &mut World, memory: &GranularMemory) {
        self.neighbours.load(world, &mut self.spheres, &memory.contacts, &memory.walls);
        self.begin_frame(world);
        self.set_next_step(memory.next_step);
    }
}
