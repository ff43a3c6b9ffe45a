//! The exact state: written to bytes, read back, hashed.
//!
//! The state is everything that a frame depends on and that the setup does not say: counts, births, poses, motions, last
//! forces, friction springs, joints. Bodies are in the order of ids and contacts in the order of their bodies' ids, so that equal
//! states give equal bytes however they were reached. Neighbour lists and row order are not state: every frame begins
//! by making them anew. For the rigid solver the row order is state, because impulses depend on the order in which they are found.

mod bytes;
mod joints;
mod piles;

use glam::{DQuat, DVec3};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

pub(crate) use bytes::{Reader, Writer};

use crate::emit::{Emitter, Progress};
use crate::granular::GranularMemory;
use crate::rigid::RigidMemory;
use crate::simulation::{Counts, Simulation};
use crate::solver::Engine;
use crate::world::{Bodies, BodyId, Ids, MaterialId, Motion, NewBody, Pose, Rest, ShapeId, Traits, Wrench};

/// The version of the layout; older states are refused, not guessed at.
const VERSION: u32 = 8;

/// No run counts so far: at a thousand million a second it takes thirty years.
const MOST_COUNT: u64 = 1 << 60;

/// Why bytes are not a state of this simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAState(pub(crate) &'static str);

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

    /// The hash of a state that was saved, without loading it.
    pub fn hash_of(state: &[u8]) -> u64 {
        xxh3_64(state)
    }

    /// Replaces the state; on an error nothing is changed.
    pub fn load(&mut self, state: &[u8]) -> Result<(), NotAState> {
        let mut from = Reader::new(state);
        if from.u32()? != VERSION {
            return Err(NotAState("it was written by another version of tumble"));
        }
        let counts = Counts { frames: from.u64()?, steps: from.u64()?, removed: from.u64()? };
        let progress = from.list(16, |from| Ok(Progress { born: from.u64()?, tried: from.u64()? }))?;
        if progress.len() != self.emitters.len() {
            return Err(NotAState("it has another number of emitters"));
        }
        let beyond =
            |(progress, emitter): (&Progress, &Emitter)| progress.born > emitter.count || progress.tried > MOST_COUNT;
        let counted = [counts.frames, counts.steps, counts.removed].iter().all(|&count| count < MOST_COUNT);
        if !counted || progress.iter().zip(&self.emitters).any(beyond) {
            return Err(NotAState("it has counted more than there can be"));
        }
        let generations = from.list(4, Reader::u32)?;
        let free = from.list(4, Reader::u32)?;

        let mut bodies = Bodies { ids: Ids::from_parts(generations, free), ..Bodies::default() };
        let rows = from.list(SAVED_BODY, read_body)?;
        for (row, (id, new, wrench, rest)) in rows.into_iter().enumerate() {
            let known = (new.shape.index()) < self.world.shapes.len()
                && (new.material.index()) < self.world.materials.list().len();
            let ascending = bodies.traits.last().is_none_or(|last| last.id < id);
            if !known || !ascending || id.index as usize >= bodies.ids.slots() {
                return Err(NotAState("a body is of no known kind or out of order"));
            }
            if !is_sound(&new, &wrench) {
                return Err(NotAState("a body has no size, place, orientation or velocity"));
            }
            bodies.push(id, new, &self.world.shapes, &self.world.materials);
            (bodies.wrench[row], bodies.rest[row]) = (wrench, rest);
            bodies.ids.moved(id, row);
        }
        let is_named = |(row, traits): (usize, &Traits)| bodies.ids.row(traits.id) == Some(row);
        if !bodies.ids.is_sound() || !bodies.traits.iter().enumerate().all(is_named) {
            return Err(NotAState("its ids are not those of its bodies"));
        }
        let joints = joints::read(&mut from, &bodies, self.world.obstacles.len())?;
        let piles = piles::read(&mut from, self.piles.kinds().len())?;
        let memory = match &self.solver {
            Engine::Granular(_) => Memory::Granular(GranularMemory::read(&mut from)?),
            Engine::Rigid(_) => Memory::Rigid(RigidMemory::read(&mut from, &bodies, self.world.obstacles.len())?),
        };
        if !from.is_empty() {
            return Err(NotAState("there is more in it than a state"));
        }

        self.world.bodies = bodies;
        self.world.joints = joints;
        self.piles.state = piles;
        self.progress = progress;
        self.counts = counts;
        self.drive_obstacles();
        match (&mut self.solver, memory) {
            (Engine::Granular(solver), Memory::Granular(memory)) => solver.load(&mut self.world, &memory),
            (Engine::Rigid(solver), Memory::Rigid(memory)) => solver.load(&mut self.world, memory),
            _ => unreachable!("the memory was read for this solver"),
        }
        Ok(())
    }

    fn write_state(&self, out: &mut dyn FnMut(&[u8])) {
        let mut to = Writer::new(out);
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
            to.u32(traits.shape.0);
            to.u32(traits.material.0);
            to.f64(traits.size);
            to.vec(pose.position);
            pose.orientation.to_array().into_iter().for_each(|c| to.f64(c));
            for vector in [motion.velocity, motion.spin, wrench.force, wrench.torque] {
                to.vec(vector);
            }
            let rest = &bodies.rest[row];
            to.u32(u32::from(rest.asleep) + 2 * u32::from(rest.held));
            to.f64(rest.still);
            to.small_vec(rest.moved);
            to.small_vec(rest.turned);
        }
        joints::write(&self.world.joints, &mut to);
        piles::write(&self.piles.state, &mut to);
        match &self.solver {
            Engine::Granular(solver) => solver.save(&self.world, &mut to),
            Engine::Rigid(solver) => solver.save(&self.world, &mut to),
        }
    }
}

/// What a solver remembers, as it was saved.
enum Memory {
    Granular(GranularMemory),
    Rigid(RigidMemory),
}

/// Bytes of a saved body: id, shape, material, size, 3 + 4 + 4·3 numbers, rest.
const SAVED_BODY: usize = 8 + 4 + 4 + 8 * 20 + 4 + 8 + 24;

fn read_body(from: &mut Reader<'_>) -> Result<(BodyId, NewBody, Wrench, Rest), NotAState> {
    let id = from.id()?;
    let (shape, material, size) = (ShapeId(from.u32()?), MaterialId(from.u32()?), from.f64()?);
    let position = from.vec()?;
    let orientation = DQuat::from_array([from.f64()?, from.f64()?, from.f64()?, from.f64()?]);
    let motion = Motion { velocity: from.vec()?, spin: from.vec()? };
    let wrench = Wrench { force: from.vec()?, torque: from.vec()? };
    let flags = from.u32()?;
    let (still, moved, turned) = (from.f64()?, from.small_vec()?, from.small_vec()?);
    let rest = Rest { asleep: flags & 1 != 0, held: flags & 2 != 0, still, moved, turned };
    Ok((id, NewBody { shape, material, size, pose: Pose { position, orientation }, motion }, wrench, rest))
}

/// No place, velocity or spin of a body is larger, in metres and seconds: farther away nothing can
/// be told apart.
const FARTHEST: f64 = 1e15;

/// Whether a step can begin with this body.
fn is_sound(body: &NewBody, wrench: &Wrench) -> bool {
    let Pose { position, orientation } = body.pose;
    let is_near = |v: &DVec3| v.abs().max_element() < FARTHEST;
    (1e-9..1e9).contains(&body.size)
        && (0.25..4.0).contains(&orientation.length_squared())
        && [position, body.motion.velocity, body.motion.spin].iter().all(is_near)
        && wrench.force.is_finite()
        && wrench.torque.is_finite()
}
