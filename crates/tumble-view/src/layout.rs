//! The layout of a frame for the page: rows of fixed size that a graphics card reads as they are.
//!
//! Read by `page/layout.js`, which names the same offsets, and by the vertex shaders in
//! `page/shaders.js`. Everything is little-endian and starts at a multiple of four bytes. A frame
//! is a *block*: a head, one row per body and one row per obstacle of the header. Its length
//! follows from the frame's entry in the recording, without reading the frame, so that blocks can
//! be concatenated and requested by byte range.
//!
//! | head | | |
//! | --- | --- | --- |
//! | 0 | `i64` | number of the frame |
//! | 8 | `f64` | time \[s\] |
//! | 16 | `u64` | hash of the exact state |
//! | 24 | 4 `u32` | numbers of bodies, obstacles, layers, constraints |
//! | 40 | 3 `f32` | least x, y, z of centres \[m\], without a hundredth of the bodies at each end |
//! | 52 | 3 `f32` | largest x, y, z \[m\], likewise |
//! | 64 | `f32` | speed of the fastest body \[m/s\] |
//! | 68 | `u32` | most contacts of a body |
//! | 72 | `f32` | largest size of a body \[-\] |
//! | 76 | `u32` | layers that bodies name: one more than the highest |
//!
//! | body | | |
//! | --- | --- | --- |
//! | 0 | 3 `f32` | position \[m\], the bits of the recording |
//! | 12 | `f32` | size \[-\] |
//! | 16 | 4 `i16` | orientation w, x, y, z in units of 1/32767 |
//! | 24 | 3 `f32` | velocity \[m/s\] |
//! | 36 | `u64` | id |
//! | 44 | `u32` | shape |
//! | 48 | `u32` | material |
//! | 52 | `u32` | contacts |
//! | 56 | `u32` | state: bit 0 asleep, 1 held, 2 has a layer; bits 8–15 method, 16–31 layer |
//!
//! An obstacle is position (3 `f32`) and orientation w, x, y, z (4 `f32`); a frame with fewer
//! obstacles leaves the rest zero. The numbers of layers and constraints are known only after
//! reading the frame, so they are not in the block: [`overlays`] sends them, 28 bytes per layer
//! (pile `u32`, centre 3 `f32`, radius, height, density `f32`) and 24 bytes per constraint (from 3
//! `f32`, to 3 `f32`).

use tumble::{Frame, FrameBody, Method};

/// Size of the head of a block \[byte\].
pub const HEAD_BYTES: usize = 80;
/// Size of a body's row \[byte\].
pub const BODY_BYTES: usize = 60;
/// Size of an obstacle's row \[byte\].
pub const POSE_BYTES: usize = 28;

/// Most bodies sampled for the bounds of the pile; more would make no visible difference.
const BOUNDS_SAMPLE: usize = 8192;

/// Size of the block of a frame \[byte\].
pub(crate) fn block_length(bodies: u32, obstacles: usize) -> u64 {
    (HEAD_BYTES + obstacles * POSE_BYTES) as u64 + u64::from(bodies) * BODY_BYTES as u64
}

/// Writes the block of a frame over `bytes`, with room for so many obstacles.
pub(crate) fn write_block(frame: &Frame, obstacles: usize, bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.resize(HEAD_BYTES + frame.bodies.len() * BODY_BYTES + obstacles * POSE_BYTES, 0);
    let (head, rest) = bytes.split_at_mut(HEAD_BYTES);
    let (rows, poses) = rest.split_at_mut(frame.bodies.len() * BODY_BYTES);
    write_head(frame, &mut RowWriter(head));
    for (body, row) in frame.bodies.iter().zip(rows.chunks_exact_mut(BODY_BYTES)) {
        write_body(body, &mut RowWriter(row));
    }
    for (pose, row) in frame.obstacles.iter().zip(poses.chunks_exact_mut(POSE_BYTES)) {
        let mut row = RowWriter(row);
        row.floats(&pose.position);
        row.floats(&pose.orientation);
    }
}

/// The layers and then the constraints of a frame.
pub(crate) fn overlays(frame: &Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    for layer in &frame.layers {
        bytes.extend(layer.pile.to_le_bytes());
        let [x, y, z] = layer.centre;
        bytes.extend([x, y, z, layer.radius, layer.height, layer.density].iter().flat_map(|value| value.to_le_bytes()));
    }
    for constraint in &frame.constraints {
        bytes.extend(constraint.from.iter().chain(&constraint.to).flat_map(|value| value.to_le_bytes()));
    }
    bytes
}

/// The bytes of a row that are still to be written.
struct RowWriter<'a>(&'a mut [u8]);

impl RowWriter<'_> {
    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        let (here, rest) = std::mem::take(&mut self.0).split_at_mut(N);
        here.copy_from_slice(&bytes);
        self.0 = rest;
    }

    fn word(&mut self, word: u32) {
        self.bytes(word.to_le_bytes());
    }

    fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.bytes(value.to_le_bytes()));
    }
}

fn write_head(frame: &Frame, head: &mut RowWriter<'_>) {
    head.bytes(frame.number.to_le_bytes());
    head.bytes(frame.time.to_le_bytes());
    head.bytes(frame.state_hash.to_le_bytes());
    // The file's counts are `u32`, so no cast truncates.
    for count in [frame.bodies.len(), frame.obstacles.len(), frame.layers.len(), frame.constraints.len()] {
        head.word(count as u32);
    }
    let (least, largest) = bounds(&frame.bodies);
    head.floats(&least);
    head.floats(&largest);
    let speeds = frame.bodies.iter().map(|body| body.velocity.iter().map(|v| v * v).sum::<f32>());
    head.floats(&[speeds.fold(0.0, f32::max).sqrt()]);
    head.word(frame.bodies.iter().map(|body| body.contacts).max().unwrap_or(0));
    head.floats(&[frame.bodies.iter().map(|body| body.size).fold(0.0, f32::max)]);
    head.word(frame.bodies.iter().filter_map(|body| body.layer).max().map_or(0, |layer| u32::from(layer) + 1));
}

fn write_body(body: &FrameBody, row: &mut RowWriter<'_>) {
    row.floats(&body.position);
    row.floats(&[body.size]);
    for part in body.orientation {
        row.bytes(((part.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16).to_le_bytes());
    }
    row.floats(&body.velocity);
    row.bytes(body.id.number().to_le_bytes());
    row.word(body.shape.0);
    row.word(body.material.0);
    row.word(body.contacts);
    row.word(state(body));
}

fn state(body: &FrameBody) -> u32 {
    let method = Method::ALL.iter().position(|&method| method == body.method).unwrap_or(0) as u32;
    let bits = u32::from(body.asleep) | u32::from(body.held) << 1 | u32::from(body.layer.is_some()) << 2;
    bits | method << 8 | u32::from(body.layer.unwrap_or(0)) << 16
}

/// Bounds of the bodies' centres \[m\]: the first and the last percentile of each axis, so that a
/// grain that flew off does not make the pile tiny in the view.
fn bounds(bodies: &[FrameBody]) -> ([f32; 3], [f32; 3]) {
    let step = bodies.len().div_ceil(BOUNDS_SAMPLE).max(1);
    let (mut least, mut largest) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        let seen = bodies.iter().step_by(step).map(|body| body.position[axis]);
        let mut values: Vec<f32> = seen.filter(|value| value.is_finite()).collect();
        if values.is_empty() {
            continue;
        }
        let outside = values.len() / 100;
        let last = values.len() - 1 - outside;
        least[axis] = *values.select_nth_unstable_by(outside, f32::total_cmp).1;
        largest[axis] = *values.select_nth_unstable_by(last, f32::total_cmp).1;
    }
    (least, largest)
}

#[cfg(test)]
mod tests {
    use tumble::world::BodyId;

    use super::*;

    fn body(index: u32, x: f32) -> FrameBody {
        FrameBody {
            id: BodyId { index, generation: 0 },
            position: [x, 0.0, 0.0],
            asleep: true,
            method: Method::Particle,
            layer: Some(7),
            ..FrameBody::default()
        }
    }

    #[test]
    fn a_grain_that_flew_off_does_not_stretch_the_pile() {
        let mut bodies: Vec<FrameBody> = (0..1000).map(|index| body(index, index as f32 / 1000.0)).collect();
        bodies[500].position[0] = 1e6;
        bodies[501].position[0] = f32::NAN;
        let (least, largest) = bounds(&bodies);
        assert!(least[0] >= 0.0 && largest[0] <= 1.0, "{least:?} {largest:?}");
        assert_eq!(bounds(&[]), ([0.0; 3], [0.0; 3]));
    }

    #[test]
    fn a_block_is_as_long_as_was_promised() {
        let frame = Frame { bodies: vec![body(3, 1.0); 5], ..Frame::default() };
        let mut bytes = Vec::new();
        write_block(&frame, 2, &mut bytes);
        assert_eq!(bytes.len() as u64, block_length(5, 2));
        let word = u32::from_le_bytes(bytes[HEAD_BYTES + 56..HEAD_BYTES + 60].try_into().unwrap());
        assert_eq!(word, 1 | 4 | 3 << 8 | 7 << 16);
    }
}
