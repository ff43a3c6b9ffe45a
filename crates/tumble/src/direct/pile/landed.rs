//! Who has landed: touches something, or did so a moment ago.

use glam::DVec3;

use crate::world::World;

/// For how long a body that touched something counts as landed, though it may be hopping \[s\].
const HOP: f64 = 0.3;

/// What is remembered of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The number of its id: a slot can get another body.
    pub(crate) id: u64,
    /// For how long it has touched nothing \[s\].
    pub(crate) free: f64,
    /// For how long it has been slow \[s\].
    pub(crate) slow: f64,
    /// For how long it has been still \[s\].
    pub(crate) still: f64,
    /// How long ago it was pushed on without getting far since \[s\], and where that was \[m\].
    pub(crate) pushed: f64,
    pub(crate) from: DVec3,
}

impl Memory {
    fn new(id: u64) -> Self {
        Self { id, free: f64::INFINITY, slow: 0.0, still: 0.0, pushed: 0.0, from: DVec3::ZERO }
    }
}

/// Rows of those that have landed, by their ids: the order of rows is the solver's own affair.
pub(super) fn gather(memory: &mut Vec<Memory>, world: &World, touches: &[bool], dt: f64) -> Vec<usize> {
    memory.resize(memory.len().max(world.bodies.ids.slots()), Memory::new(u64::MAX));
    let has_landed = |row: &usize| {
        let id = world.bodies.traits[*row].id;
        let memory = &mut memory[id.index as usize];
        if memory.id != id.number() {
            *memory = Memory::new(id.number());
        }
        let touches = touches[*row] || world.bodies.rest[*row].asleep;
        memory.free = if touches { 0.0 } else { memory.free + dt };
        memory.free < HOP
    };
    world.bodies.rows_by_id().filter(has_landed).collect()
}
