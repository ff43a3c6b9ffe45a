//! Saved state of the granular solver: friction springs by sphere names, and the next step of an
//! adaptive integrator.

use super::GranularSolver;
use crate::contact::{SavedContact, SavedWall, SphereName};
use crate::state::{StateIo, record};
use crate::world::World;

record!(SavedContact: a, b, stretch, roll);
record!(SavedWall: sphere, obstacle, triangle, stretch, roll, normal);
record!(SphereName: body, sphere);

/// Contact history and next step, as saved.
pub(crate) struct SavedGranular {
    contacts: Vec<SavedContact>,
    walls: Vec<SavedWall>,
    next_step: f64,
}

impl GranularSolver {
    /// Saves the history of all contacts between living bodies.
    pub(crate) fn state<Io: StateIo>(&self, world: &World, io: &mut Io) -> Result<SavedGranular, Io::Problem> {
        let (mut contacts, mut walls) = self.neighbours.save(&self.spheres);
        let lives = |name: SphereName| name.is_of_obstacle() || world.bodies.row(name.body).is_some();
        contacts.retain(|contact| lives(contact.a) && lives(contact.b));
        walls.retain(|wall| lives(wall.sphere));
        Ok(SavedGranular {
            contacts: io.value(&contacts)?,
            walls: io.value(&walls)?,
            next_step: io.value(&self.next_step())?,
        })
    }

    /// Restores a saved state whose bodies are in the order of ids.
    pub(crate) fn load(&mut self, world: &mut World, saved: &SavedGranular) {
        self.neighbours.load(world, &mut self.spheres, &saved.contacts, &saved.walls);
        self.begin_frame(world);
        self.set_next_step(saved.next_step);
    }
}
