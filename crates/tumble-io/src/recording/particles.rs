//! The payload of a frame's particles: quantised and delta-coded, each particle as its difference
//! from the one before.
//!
//! Positions are whole multiples of a *quantum*, a sixteenth of the smallest radius or less, which
//! is too small to see. Velocities are whole multiples of half a quantum per frame, so that
//! rounding moves no particle by more than that between two frames. In the order of ids, particles
//! that were born around the same carrier follow each other and mostly still lie together. Their
//! differences are small numbers, and the columns, stored as byte planes like those of a frame,
//! compress well: to about 5 bytes per moving particle and 4 per resting one.
//!
//! A payload is: least x, y, z \[m\], the quantum of positions \[m\], that of velocities \[m/s\]
//! (f32 each), then the columns.

use tumble::FrameParticle;

use super::columns::{gather, scatter};
use tumble::world::MaterialId;

/// Words of a particle: id, material, radius, position (3), velocity (3), all as differences.
const PARTICLE: usize = 9;

/// Bytes before the columns.
const HEAD: usize = 20;

/// Least number of quanta per smallest radius.
const FINENESS: f32 = 16.0;

/// Size of the payload of so many particles \[byte\].
pub(super) fn payload_length(particles: u32) -> u64 {
    HEAD as u64 + u64::from(particles) * (4 * PARTICLE) as u64
}

/// Writes the payload over `raw`; `fps` is the number of frames per second \[1/s\].
pub(super) fn encode(particles: &[FrameParticle], fps: f64, raw: &mut Vec<u8>) {
    let quantiser = Quantiser::of(particles, fps);
    raw.clear();
    raw.resize(HEAD + particles.len() * 4 * PARTICLE, 0);
    let (head, columns) = raw.split_at_mut(HEAD);
    let [x, y, z] = quantiser.origin;
    for (bytes, value) in head.chunks_exact_mut(4).zip([x, y, z, quantiser.quantum, quantiser.speed]) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
    let mut last = [0; PARTICLE];
    scatter(particles, columns, |particle| {
        let here = quantiser.words_of(particle);
        let row: [u32; PARTICLE] = std::array::from_fn(|k| zigzag(here[k].wrapping_sub(last[k]) as i32));
        last = here;
        row
    });
}

/// Reads a payload of [`payload_length`] bytes. Any bytes give particles; nothing panics.
pub(super) fn decode(raw: &[u8], particles: &mut Vec<FrameParticle>) {
    let (head, columns) = raw.split_at(HEAD);
    let number = |k: usize| f32::from_le_bytes([head[4 * k], head[4 * k + 1], head[4 * k + 2], head[4 * k + 3]]);
    let quantiser = Quantiser { origin: [number(0), number(1), number(2)], quantum: number(3), speed: number(4) };
    let mut last = [0u32; PARTICLE];
    gather(columns, particles, |row: &[u32; PARTICLE]| {
        for (value, &difference) in last.iter_mut().zip(row) {
            *value = value.wrapping_add(unzigzag(difference) as u32);
        }
        quantiser.particle_of(&last)
    });
}

/// Zigzag code: maps small numbers of either sign to small unsigned numbers.
fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// Quantisation of positions and velocities: origin and quanta.
struct Quantiser {
    origin: [f32; 3],
    /// \[m\]
    quantum: f32,
    /// \[m/s\]
    speed: f32,
}

impl Quantiser {
    fn of(particles: &[FrameParticle], fps: f64) -> Self {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let (mut radius, mut fastest) = (f32::INFINITY, 0f32);
        for particle in particles {
            for axis in 0..3 {
                low[axis] = low[axis].min(particle.position[axis]);
                high[axis] = high[axis].max(particle.position[axis]);
                fastest = fastest.max(particle.velocity[axis].abs());
            }
            radius = radius.min(particle.radius);
        }
        if particles.is_empty() {
            return Self { origin: [0.0; 3], quantum: 1.0, speed: 1.0 };
        }
        // The quantum is a power of two, so that the same position is the same number in every
        // frame. If 31 bits do not cover the extent, the quantum of all positions grows.
        let extent = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f32::max);
        let wanted = (radius / FINENESS).clamp(f32::MIN_POSITIVE, f32::MAX).log2().floor().exp2();
        let reach = |wanted: f32, most: f32| {
            let least = most / (1u32 << 30) as f32;
            if least > wanted { least.log2().ceil().exp2() } else { wanted }
        };
        let quantum = reach(wanted, extent);
        let speed = reach((0.5 * f64::from(quantum) * fps) as f32, fastest);
        Self { origin: low.map(|low| (low / quantum).floor() * quantum), quantum, speed }
    }

    /// Quantises a particle. Casts saturate, and NaN becomes zero.
    fn words_of(&self, particle: &FrameParticle) -> [u32; PARTICLE] {
        let [x, y, z] =
            std::array::from_fn(|axis| ((particle.position[axis] - self.origin[axis]) / self.quantum).round() as u32);
        let [u, v, w] = particle.velocity.map(|speed| (speed / self.speed).round() as i32 as u32);
        [particle.id, particle.material.0, particle.radius.to_bits(), x, y, z, u, v, w]
    }

    fn particle_of(&self, words: &[u32; PARTICLE]) -> FrameParticle {
        FrameParticle {
            id: words[0],
            material: MaterialId(words[1]),
            radius: f32::from_bits(words[2]),
            position: std::array::from_fn(|axis| self.origin[axis] + words[3 + axis] as f32 * self.quantum),
            velocity: std::array::from_fn(|axis| words[6 + axis] as i32 as f32 * self.speed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particle(id: u32) -> FrameParticle {
        let t = id as f32;
        FrameParticle {
            id: 3 * id,
            material: MaterialId(id % 2),
            radius: 0.002 + 0.0005 * (id % 3) as f32,
            position: [t.sin(), -2.0 * (1.3 * t).cos(), 0.01 * t],
            velocity: [0.0, -3.0 * t.cos(), 1e-3 * t],
        }
    }

    #[test]
    fn particles_come_back_to_within_half_a_quantum() {
        let particles: Vec<_> = (0..1000).map(particle).collect();
        let (mut raw, mut back) = (Vec::new(), Vec::new());
        encode(&particles, 25.0, &mut raw);
        assert_eq!(raw.len() as u64, payload_length(1000));
        decode(&raw, &mut back);
        assert_eq!(back.len(), 1000);
        let quantum = 0.002 / FINENESS;
        for (a, b) in particles.iter().zip(&back) {
            assert_eq!((a.id, a.material, a.radius), (b.id, b.material, b.radius));
            for axis in 0..3 {
                assert!((a.position[axis] - b.position[axis]).abs() <= 0.501 * quantum, "{a:?} {b:?}");
                assert!((a.velocity[axis] - b.velocity[axis]).abs() <= 0.26 * quantum * 25.0, "{a:?} {b:?}");
            }
        }
        // Quantising twice changes nothing.
        encode(&back, 25.0, &mut raw);
        let mut again = Vec::new();
        decode(&raw, &mut again);
        assert_eq!(again, back);
    }

    #[test]
    fn far_and_fast_particles_make_all_coarser_and_nothing_overflows() {
        let mut particles = vec![particle(0), particle(1)];
        particles[1].position = [1e9, 0.0, 0.0];
        particles[1].velocity = [-1e12, 0.0, 0.0];
        let (mut raw, mut back) = (Vec::new(), Vec::new());
        encode(&particles, 25.0, &mut raw);
        decode(&raw, &mut back);
        assert!((back[1].position[0] - 1e9).abs() < 2.0 && (back[1].velocity[0] + 1e12).abs() < 2e3);
        particles[0].position = [f32::NAN; 3];
        encode(&particles, 25.0, &mut raw);
        decode(&raw, &mut back);
        encode(&[], 25.0, &mut raw);
        decode(&raw, &mut back);
        assert!(back.is_empty());
    }
}
