//! Bodies as they are saved, in the order of ids.

use crate::state::{NotAState, Reader, State, Writer, record};
use crate::world::{Bodies, BodyId, Ids, Motion, NewBody, Pose, Rest, Traits, World, Wrench, check};

/// A body as it is saved.
pub(super) struct SavedBody {
    id: BodyId,
    what: NewBody,
    wrench: Wrench,
    rest: Rest,
}

record!(SavedBody: id, what, wrench, rest);
record!(NewBody: shape, material, size, pose, motion);
record!(Pose: position, orientation);
record!(Motion: velocity, spin);
record!(Wrench: force, torque);

/// Both flags are one number.
impl State for Rest {
    fn write(&self, to: &mut Writer<'_>) {
        let Self { asleep, held, still, moved, turned } = *self;
        (u32::from(asleep) + 2 * u32::from(held)).write(to);
        still.write(to);
        moved.write(to);
        turned.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        let flags = u32::read(from)?;
        let (still, moved, turned) = (State::read(from)?, State::read(from)?, State::read(from)?);
        Ok(Self { asleep: flags & 1 != 0, held: flags & 2 != 0, still, moved, turned })
    }
}

impl SavedBody {
    /// The body in a row.
    pub(super) fn of(bodies: &Bodies, row: usize) -> Self {
        let &Traits { id, shape, material, size, .. } = &bodies.traits[row];
        let what = NewBody { shape, material, size, pose: bodies.pose[row], motion: bodies.motion[row] };
        Self { id, what, wrench: bodies.wrench[row], rest: bodies.rest[row] }
    }

    /// Whether a step can begin with this body.
    fn is_sound(&self) -> bool {
        let Wrench { force, torque } = self.wrench;
        check::body(&self.what).is_ok() && force.is_finite() && torque.is_finite()
    }
}

/// Bodies with these ids and of the kinds of this world, in the order in which they were saved.
pub(super) fn restore(
    generations: Vec<u32>,
    free: Vec<u32>,
    saved: Vec<SavedBody>,
    world: &World,
) -> Result<Bodies, NotAState> {
    let mut bodies = Bodies { ids: Ids::from_parts(generations, free), ..Bodies::default() };
    for (row, body) in saved.into_iter().enumerate() {
        let SavedBody { id, what, wrench, rest } = body;
        let known = what.shape.index() < world.shapes.len() && what.material.index() < world.materials.list().len();
        let ascending = bodies.traits.last().is_none_or(|last| last.id < id);
        if !known || !ascending || id.index as usize >= bodies.ids.slots() {
            return Err(NotAState("a body is of no known kind or out of order"));
        }
        if !body.is_sound() {
            return Err(NotAState("a body has no size, place, orientation or velocity"));
        }
        bodies.push(id, what, &world.shapes, &world.materials);
        (bodies.wrench[row], bodies.rest[row]) = (wrench, rest);
        bodies.ids.moved(id, row);
    }
    let is_named = |(row, traits): (usize, &Traits)| bodies.ids.row(traits.id) == Some(row);
    if !bodies.ids.is_sound() || !bodies.traits.iter().enumerate().all(is_named) {
        return Err(NotAState("its ids are not those of its bodies"));
    }
    Ok(bodies)
}
