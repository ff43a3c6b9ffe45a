//! The exact state: written to bytes, read back, hashed.
//!
//! The state is everything that a frame depends on and that the setup does not say: counts, births, poses, motions, last
//! forces, friction springs. Bodies are in the order of ids and contacts in the order of their bodies' ids, so that equal
//! states give equal bytes however they were reached. Neighbour lists and row order are not state: every frame begins
//! by making them anew.

use glam::{DQuat, DVec3};
use xxhash_rust::xxh3::Xxh3;

use crate::contact::{SavedContact, SavedWall, SphereName};
use crate::emit::Progress;
use crate::simulation::{Counts, Simulation};
use crate::world::{Bodies, BodyId, Ids, Motion, NewBody, Pose, Wrench};

/// The version of the layout; older states are refused, not guessed at.
const VERSION: u32 = 2;

/// Why bytes are not a state of this simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAState(&'static str);

impl std::fmt::Display for NotAState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the saved state does not belong to this simulation: {}", self.0)
    }
}

impl std::error::Error for NotAState {}

impl Simulation {
    /// The exact state as bytes.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_state(&mut |part| bytes.extend_from_slice(part));
        bytes
    }

    /// Hash of the exact state: equal for equal states on every machine and for every number of threads.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        self.write_state(&mut |part| hash.update(part));
        hash.digest()
    }

    /// Replaces the state; on an error nothing is changed.
    pub fn load(&mut self, state: &[u8]) -> Result<(), NotAState> {
        let mut from = Reader { rest: state };
        if from.u32()? != VERSION {
            return Err(NotAState("it was written by another version of tumble"));
        }
        let counts = Counts { frames: from.u64()?, steps: from.u64()?, removed: from.u64()? };
        let progress = from.list(16, |from| Ok(Progress { born: from.u64()?, tried: from.u64()? }))?;
        if progress.len() != self.emitters.len() {
            return Err(NotAState("it has another number of emitters"));
        }
        let generations = from.list(4, Reader::u32)?;
        let free = from.list(4, Reader::u32)?;
        if free.iter().any(|&slot| slot as usize >= generations.len()) {
            return Err(NotAState("a free id does not exist"));
        }

        let mut bodies = Bodies { ids: Ids::from_parts(generations, free), ..Bodies::default() };
        let rows = from.list(SAVED_BODY, read_body)?;
        for (row, (id, new, wrench)) in rows.into_iter().enumerate() {
            let known = (new.shape as usize) < self.world.shapes.len()
                && (new.material as usize) < self.world.materials.list().len();
            let ascending = bodies.traits.last().is_none_or(|last| last.id < id);
            if !known || !ascending || id.index as usize >= bodies.ids.slots() {
                return Err(NotAState("a body is of no known kind or out of order"));
            }
            bodies.push(id, new, &self.world.shapes, &self.world.materials);
            bodies.wrench[row] = wrench;
            bodies.ids.moved(id, row);
        }
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
        let next_step = from.f64()?;
        if !from.rest.is_empty() {
            return Err(NotAState("there is more in it than a state"));
        }

        self.world.bodies = bodies;
        self.progress = progress;
        self.counts = counts;
        self.drive_obstacles();
        self.solver.load(&mut self.world, &contacts, &walls);
        self.solver.set_next_step(next_step);
        Ok(())
    }

    fn write_state(&self, out: &mut dyn FnMut(&[u8])) {
        let mut to = Writer { out };
        to.u32(VERSION);
        for count in [self.counts.frames, self.counts.steps, self.counts.removed] {
            to.u64(count);
        }
        to.u64(self.progress.len() as u64);
        for progress in &self.progress {
            to.u64(progress.born);
            to.u64(progress.tried);
        }
        let bodies = &self.world.bodies;
        let (generations, free) = bodies.ids.parts();
        for list in [generations, free] {
            to.u64(list.len() as u64);
            list.iter().for_each(|&value| to.u32(value));
        }

        to.u64(bodies.len() as u64);
        for row in bodies.rows_by_id() {
            let (traits, pose) = (&bodies.traits[row], &bodies.pose[row]);
            let (motion, wrench) = (&bodies.motion[row], &bodies.wrench[row]);
            to.u64(traits.id.number());
            to.u32(traits.shape);
            to.u32(traits.material);
            to.f64(traits.size);
            to.vec(pose.position);
            pose.orientation.to_array().into_iter().for_each(|c| to.f64(c));
            for vector in [motion.velocity, motion.spin, wrench.force, wrench.torque] {
                to.vec(vector);
            }
        }
        let (contacts, walls) = self.solver.save(&self.world);
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
        to.f64(self.solver.next_step());
    }
}

/// Bytes of a saved body: id, shape, material, size, 3 + 4 + 4·3 numbers.
const SAVED_BODY: usize = 8 + 4 + 4 + 8 * 20;

fn read_body(from: &mut Reader<'_>) -> Result<(BodyId, NewBody, Wrench), NotAState> {
    let id = from.id()?;
    let (shape, material, size) = (from.u32()?, from.u32()?, from.f64()?);
    let position = from.vec()?;
    let orientation = DQuat::from_array([from.f64()?, from.f64()?, from.f64()?, from.f64()?]);
    let motion = Motion { velocity: from.vec()?, spin: from.vec()? };
    let wrench = Wrench { force: from.vec()?, torque: from.vec()? };
    Ok((id, NewBody { shape, material, size, pose: Pose { position, orientation }, motion }, wrench))
}

/// Writes numbers, little end first.
struct Writer<'a> {
    out: &'a mut dyn FnMut(&[u8]),
}

impl Writer<'_> {
    fn u32(&mut self, value: u32) {
        (self.out)(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        (self.out)(&value.to_le_bytes());
    }

    fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    fn name(&mut self, name: SphereName) {
        self.u64(name.body.number());
        self.u32(name.sphere);
    }

    fn vec(&mut self, value: DVec3) {
        value.to_array().into_iter().for_each(|c| self.f64(c));
    }
}

/// Reads what [`Writer`] wrote; never past the end.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], NotAState> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(NotAState("it is cut off"))?;
        self.rest = rest;
        Ok(*first)
    }

    fn u32(&mut self) -> Result<u32, NotAState> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, NotAState> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, NotAState> {
        self.u64().map(f64::from_bits)
    }

    fn vec(&mut self) -> Result<DVec3, NotAState> {
        Ok(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    fn id(&mut self) -> Result<BodyId, NotAState> {
        self.u64().map(BodyId::from_number)
    }

    fn name(&mut self) -> Result<SphereName, NotAState> {
        Ok(SphereName { body: self.id()?, sphere: self.u32()? })
    }

    /// A counted list of items of `size` bytes each.
    fn list<T>(
        &mut self,
        size: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, NotAState>,
    ) -> Result<Vec<T>, NotAState> {
        let count = self.u64()? as usize;
        // A count that the rest cannot hold must not reserve memory for it.
        if count > self.rest.len() / size {
            return Err(NotAState("it is cut off"));
        }
        (0..count).map(|_| item(self)).collect()
    }
}
