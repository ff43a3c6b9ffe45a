//! The layout of a frame's particles for the page: twelve bytes each, which a graphics card reads
//! as they are.
//!
//! Read by `page/layout.js` and by the shader in `page/cloud.js`. There may be millions, so they
//! are not in a frame's block: a page that does not show them does not request them. All of a
//! frame's particles are one response, little-endian: a head and one row per particle.
//!
//! | head | | |
//! | --- | --- | --- |
//! | 0 | `u64` | hash of their exact state |
//! | 8 | `u32` | number of particles |
//! | 12 | `f32` | largest radius \[m\] |
//! | 16 | 3 `f32` | least x, y, z of centres \[m\] |
//! | 28 | 3 `f32` | from the least to the largest x, y, z \[m\] |
//! | 40 | `f32` | speed of the fastest \[m/s\] |
//! | 44 | `u32` | zero |
//!
//! A row is three words. The lower 20 bits of each are a coordinate, from 0 for the least to
//! 2²⁰ - 1 for the largest: even if a particle flew a hundred metres off, the resolution is a tenth
//! of a millimetre. The upper 12 bits are
//!
//! | word | |
//! | --- | --- |
//! | x | material; those after the 4095th are drawn like that one |
//! | y | bits 20–27 radius, 1 to 255 (largest); bits 28–31 shade, differs within a material |
//! | z | speed, from 0 to 4095 for the fastest |
//!
//! Particles come in the order of their ids, as they are recorded.

use tumble::{FrameDetail, FrameParticle};

/// Size of the head of a frame's particles \[byte\].
pub const PARTICLES_HEAD_BYTES: usize = 48;
/// Size of a particle's row \[byte\].
pub const PARTICLE_BYTES: usize = 12;

/// Largest values of a coordinate, of a radius, and of material and speed.
const MOST_PLACE: f32 = 1_048_575.0;
const MOST_RADIUS: f32 = 255.0;
const MOST: u32 = 4095;

/// Size of the response for so many particles \[byte\].
pub(crate) fn length(count: u32) -> u64 {
    PARTICLES_HEAD_BYTES as u64 + u64::from(count) * PARTICLE_BYTES as u64
}

/// The response for the particles of a frame.
pub(crate) fn encode(detail: &FrameDetail) -> Vec<u8> {
    let ranges = Ranges::of(&detail.particles);
    let mut bytes = Vec::with_capacity(PARTICLES_HEAD_BYTES + detail.particles.len() * PARTICLE_BYTES);
    bytes.extend(detail.state_hash.to_le_bytes());
    // The file's count is a `u32`, so the cast does not truncate.
    bytes.extend((detail.particles.len() as u32).to_le_bytes());
    let ([x, y, z], [wide, deep, high]) = (ranges.least, ranges.extent);
    for value in [ranges.radius, x, y, z, wide, deep, high, ranges.speed, 0.0] {
        bytes.extend(value.to_le_bytes());
    }
    for particle in &detail.particles {
        for word in ranges.row(particle) {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes
}

/// The ranges to which the numbers of the rows are scaled.
struct Ranges {
    least: [f32; 3],
    extent: [f32; 3],
    radius: f32,
    speed: f32,
}

impl Ranges {
    fn of(particles: &[FrameParticle]) -> Self {
        let (mut least, mut largest) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let (mut radius, mut speed) = (0f32, 0f32);
        // `min` and `max` ignore NaN, and particles at infinity are not visible.
        for particle in particles {
            for (axis, &place) in particle.position.iter().enumerate().filter(|(_, place)| place.is_finite()) {
                least[axis] = least[axis].min(place);
                largest[axis] = largest[axis].max(place);
            }
            radius = radius.max(particle.radius);
            speed = speed.max(speed_of(particle));
        }
        let is_there: [bool; 3] = std::array::from_fn(|axis| least[axis] <= largest[axis]);
        Self {
            least: std::array::from_fn(|axis| if is_there[axis] { least[axis] } else { 0.0 }),
            extent: std::array::from_fn(|axis| if is_there[axis] { largest[axis] - least[axis] } else { 0.0 }),
            radius,
            speed,
        }
    }

    fn row(&self, particle: &FrameParticle) -> [u32; 3] {
        let [x, y, z] = std::array::from_fn(|axis| {
            share(particle.position[axis] - self.least[axis], self.extent[axis], MOST_PLACE)
        });
        let radius = share(particle.radius, self.radius, MOST_RADIUS).max(1);
        let speed = share(speed_of(particle), self.speed, MOST as f32);
        [x | particle.material.0.min(MOST) << 20, y | radius << 20 | shade(particle.id) << 28, z | speed << 20]
    }
}

/// Scales a value to a whole number, `most` for the largest one. Casts saturate, and NaN becomes
/// zero.
fn share(value: f32, largest: f32, most: f32) -> u32 {
    (value / largest * most).round().min(most) as u32
}

fn speed_of(particle: &FrameParticle) -> f32 {
    particle.velocity.iter().map(|v| v * v).sum::<f32>().sqrt()
}

/// Shade of four bits: a multiplicative hash of the id, so that consecutive ids differ.
fn shade(id: u32) -> u32 {
    id.wrapping_mul(0x9e37_79b9) >> 28
}

#[cfg(test)]
mod tests {
    use tumble::world::MaterialId;

    use super::*;

    fn particle(id: u32, position: [f32; 3]) -> FrameParticle {
        FrameParticle { id, material: MaterialId(id), radius: 0.5, position, velocity: [0.0; 3] }
    }

    #[test]
    fn whatever_a_particle_holds_it_is_a_row() {
        let mut particles = vec![particle(1, [f32::NAN, f32::INFINITY, -1.0]), particle(9999, [1.0, 2.0, 3.0])];
        particles[0].radius = f32::NAN;
        particles[1].velocity = [f32::INFINITY, 0.0, 0.0];
        let bytes = encode(&FrameDetail { state_hash: 7, particles });
        assert_eq!(bytes.len() as u64, length(2));
        let word = |row: usize, k: usize| {
            let at = PARTICLES_HEAD_BYTES + row * PARTICLE_BYTES + 4 * k;
            u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
        };
        assert_eq!((word(0, 0) >> 20, word(1, 0) >> 20), (1, 4095));
        assert_eq!((word(0, 2) & 0xf_ffff, word(1, 2) & 0xf_ffff), (0, 0xf_ffff));
        assert_eq!(encode(&FrameDetail::default()).len() as u64, length(0));
    }
}
