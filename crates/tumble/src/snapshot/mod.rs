//! The exact state: written to bytes, read back, hashed.
//!
//! The state is everything that a frame depends on and that the setup does not say: counts, births,
//! poses, motions, last forces, friction springs, joints. Bodies are in the order of ids and
//! contacts in the order of their bodies' ids, so that equal states give equal bytes however they
//! were reached. Neighbour lists and row order are not state: every frame begins by making them
//! anew. For the rigid solver the row order is state, because impulses depend on the order in which
//! they are found.

mod bodies;
mod joints;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use bodies::SavedBody;

use crate::direct::DirectorState;
use crate::emit::{Emitter, Progress};
use crate::simulation::{Counts, Simulation};
use crate::solver::SavedMemory;
use crate::state::{NotAState, Reader, StateIo, Writer, record};
use crate::world::Joints;

/// The version of the layout; older states are refused, not guessed at.
const VERSION: u32 = 8;

/// No run counts so far: at a thousand million a second it takes thirty years.
const MOST_COUNT: u64 = 1 << 60;

impl Simulation {
    /// The exact state as bytes.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_state(&mut |part| bytes.extend_from_slice(part));
        bytes
    }

    /// Hash of the exact state: equal for equal states on every machine and for every number of
    /// threads.
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
        let saved = self.state(&mut from)?;
        from.end("there is more in it than a state")?;

        self.check_counts(&saved)?;
        let bodies = bodies::restore(saved.generations, saved.free, saved.bodies, &self.world)?;
        let obstacles = self.world.obstacles.len();
        saved.joints.check(&bodies, obstacles)?;
        self.directors.iter().zip(&saved.directors).try_for_each(|(director, saved)| director.check(saved))?;
        let memory = saved.memory.in_rows(&bodies, obstacles)?;

        self.world.bodies = bodies;
        self.world.joints = saved.joints;
        self.directors.iter_mut().zip(saved.directors).for_each(|(director, saved)| director.load(saved));
        self.directors.iter().for_each(|director| director.restore(&mut self.world.bodies));
        self.progress = saved.progress;
        self.counts = saved.counts;
        self.drive_obstacles();
        self.solver.load(&mut self.world, memory);
        Ok(())
    }

    fn write_state(&self, out: &mut dyn FnMut(&[u8])) {
        let Ok(_) = self.state(&mut Writer::new(out));
    }

    /// The state in the order of its bytes, for writing, hashing and reading.
    fn state<Io: StateIo>(&self, io: &mut Io) -> Result<Saved, Io::Problem> {
        io.version(VERSION, "it was written by another version of tumble")?;
        let bodies = &self.world.bodies;
        let (generations, free) = bodies.ids.parts();
        Ok(Saved {
            counts: io.value(&self.counts)?,
            progress: io.value(&self.progress)?,
            generations: io.list(generations.len(), generations.iter().copied())?,
            free: io.list(free.len(), free.iter().copied())?,
            bodies: io.list(bodies.len(), bodies.rows_by_id().map(|row| SavedBody::of(bodies, row)))?,
            joints: io.value(&self.world.joints)?,
            directors: self.directors.iter().map(|director| director.state(io)).collect::<Result<_, _>>()?,
            memory: self.solver.state(&self.world, io)?,
        })
    }

    /// Refuses counts that this simulation cannot have reached.
    fn check_counts(&self, saved: &Saved) -> Result<(), NotAState> {
        let Counts { frames, steps, removed } = saved.counts;
        if saved.progress.len() != self.emitters.len() {
            return Err(NotAState("it has another number of emitters"));
        }
        let beyond =
            |(progress, emitter): (&Progress, &Emitter)| progress.born > emitter.count || progress.tried > MOST_COUNT;
        let counted = [frames, steps, removed].iter().all(|&count| count < MOST_COUNT);
        if !counted || saved.progress.iter().zip(&self.emitters).any(beyond) {
            return Err(NotAState("it has counted more than there can be"));
        }
        Ok(())
    }
}

record!(Counts: frames, steps, removed);
record!(Progress: born, tried);

/// A state as it was saved. Nothing in it is checked yet.
struct Saved {
    counts: Counts,
    progress: Vec<Progress>,
    /// Generations of the slots of ids, and free slots.
    generations: Vec<u32>,
    free: Vec<u32>,
    /// In the order of ids.
    bodies: Vec<SavedBody>,
    joints: Joints,
    directors: Vec<DirectorState>,
    memory: SavedMemory,
}
