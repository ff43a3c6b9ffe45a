//! The exact state of particles: shown to frames, described for bytes, hashed.
//!
//! The state holds what the last frame does not: places and velocities, and material and radius of
//! particles whose carriers are gone. Particles are in the order of ids, so that equal states give
//! equal bytes; their hash is a sum over particles, which needs no order.

use glam::Vec3;
use rayon::prelude::*;

use super::Detail;
use super::particles::{Born, Particles};
use crate::frame::{Frame, FrameDetail, FrameParticle};
use crate::random::mix;
use crate::state::{NotAState, Reader, StateIo, Writer, record};

/// The version of the layout; older states are refused, not guessed at.
const VERSION: u32 = 1;

/// Particles that are hashed at once.
const PART: usize = 1 << 14;

impl Detail {
    /// Writes what the outside sees of the particles.
    pub fn show(&self, detail: &mut FrameDetail) {
        detail.state_hash = self.state_hash();
        let rows = self.rows_by_id();
        let show = |&row: &u32| {
            let row = row as usize;
            let id = self.particles.ids[row];
            let born = &self.born[(id / self.settings.count) as usize];
            FrameParticle {
                id,
                material: born.material,
                radius: born.radius,
                position: self.particles.place(row).to_array(),
                velocity: self.particles.velocity(row).to_array(),
            }
        };
        rows.par_iter().map(show).collect_into_vec(&mut detail.particles);
    }

    /// Hash of the exact state: equal for equal states on every machine and for every number of
    /// threads.
    pub fn state_hash(&self) -> u64 {
        let hash = |row: usize| {
            hash_of_one(self.particles.ids[row], self.particles.state.each_ref().map(|column| column[row]))
        };
        let rows = self.particles.len();
        let sum = |hashes: &mut dyn Iterator<Item = u64>| hashes.fold(0, u64::wrapping_add);
        let mut parts = vec![0; rows.div_ceil(PART)];
        parts.par_iter_mut().enumerate().for_each(|(part, hashes)| {
            *hashes = sum(&mut (part * PART..rows.min((part + 1) * PART)).map(hash));
        });
        sum(&mut parts.into_iter())
    }

    /// The hash of a state that was saved, without loading it.
    pub fn hash_of(state: &[u8]) -> Result<u64, NotAState> {
        let hash = |particle: &SavedParticle| {
            let ([x, y, z], [u, v, w]) = (particle.place.to_array(), particle.velocity.to_array());
            hash_of_one(particle.id, [x, y, z, u, v, w])
        };
        Ok(SavedDetail::from_bytes(state)?.particles.iter().map(hash).fold(0, u64::wrapping_add))
    }

    /// Rows in the order of ids.
    fn rows_by_id(&self) -> Vec<u32> {
        let most = self.born.len() * self.settings.count as usize;
        if most / 4 > self.particles.len() {
            let mut rows: Vec<u32> = (0..self.particles.len() as u32).collect();
            rows.par_sort_unstable_by_key(|&row| self.particles.ids[row as usize]);
            return rows;
        }
        // Ids are few gaps away from 0, 1, 2 and so on, so that counting is the quickest way to
        // sort them.
        let mut row_of = vec![u32::MAX; most];
        for (&id, row) in self.particles.ids.iter().zip(0..) {
            row_of[id as usize] = row;
        }
        row_of.retain(|&row| row != u32::MAX);
        row_of
    }

    /// The exact state as bytes.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = |part: &[u8]| bytes.extend_from_slice(part);
        let particle = |row: u32| {
            let row = row as usize;
            let (place, velocity) = (self.particles.place(row), self.particles.velocity(row));
            SavedParticle { id: self.particles.ids[row], place, velocity }
        };
        let particles = self.rows_by_id().into_iter().map(particle).collect();
        let saved = SavedDetail { count: self.settings.count, born: self.born.clone(), particles };
        let Ok(_) = saved.state(&mut Writer::new(&mut out));
        bytes
    }

    /// Replaces the state by one that was saved after `frame`; on an error nothing is changed.
    pub fn load(&mut self, state: &[u8], frame: &Frame) -> Result<(), NotAState> {
        let SavedDetail { count, born, particles: saved } = SavedDetail::from_bytes(state)?;
        if count != self.settings.count {
            return Err(NotAState("it has another number of particles a grain"));
        }
        let mut particles = Particles::default();
        let mut last = None;
        for SavedParticle { id, place, velocity } in saved {
            if (id / self.settings.count) as usize >= born.len() || last.is_some_and(|last| id <= last) {
                return Err(NotAState("a particle belongs to no grain or is out of order"));
            }
            if !(place.is_finite() && velocity.is_finite()) {
                return Err(NotAState("a particle has no place or no velocity"));
            }
            last = Some(id);
            particles.push(id, place, velocity);
        }
        self.particles = particles;
        self.born = born;
        self.time = frame.time;
        self.carriers = super::carriers_of(frame, &self.carrier_shapes);
        self.stands = super::Stands::of(frame, &self.body_surfaces);
        Ok(())
    }
}

/// A particle as it is saved.
struct SavedParticle {
    id: u32,
    place: Vec3,
    velocity: Vec3,
}

record!(SavedParticle: id, place, velocity);
record!(Born: material, radius);

/// The state: particles per grain, what is known of each grain, and the particles in the order of
/// ids.
#[derive(Default)]
struct SavedDetail {
    count: u32,
    born: Vec<Born>,
    particles: Vec<SavedParticle>,
}

record!(SavedDetail: count, born, particles);

impl SavedDetail {
    /// The state after its version, for writing and reading.
    fn state<Io: StateIo>(&self, io: &mut Io) -> Result<Self, Io::Problem> {
        io.version(VERSION, "its particles were written by another version of tumble")?;
        io.value(self)
    }

    fn from_bytes(state: &[u8]) -> Result<Self, NotAState> {
        let mut from = Reader::new(state);
        let saved = Self::default().state(&mut from)?;
        from.end("there is more in it than particles")?;
        Ok(saved)
    }
}

/// The hash of a particle, of which the hash of all is a sum.
fn hash_of_one(id: u32, state: [f32; 6]) -> u64 {
    let [x, y, z, u, v, w] = state.map(|number| u64::from(number.to_bits()));
    mix(mix(mix(mix(u64::from(id)) ^ (x << 32 | y)) ^ (z << 32 | u)) ^ (v << 32 | w))
}
