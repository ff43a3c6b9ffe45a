//! The payload of a frame: a table of bodies, then a table of obstacle poses, each turned on its side.
//!
//! A row of a table is a few words of 32 bits. What is stored is the lowest byte of all words, column after column, then
//! the next byte of all words, and so on. Signs and exponents are alike and mantissas are noise; kept apart, each kind
//! gets a code of its own from zstd. A settled heap of 20 000 bodies takes 28 bytes a body this way, 31 row by row and
//! also 31 with the four bytes of each column side by side.

use std::array;

use tumble::world::BodyId;
use tumble::{Frame, FrameBody, FramePose};

/// Words of a body: id (2), shape, material, size, position (3), orientation (4), velocity (3), spin (3), asleep.
const BODY: usize = 19;

/// Words of an obstacle: position (3), orientation (4).
const POSE: usize = 7;

/// Bytes of a word.
const WORD: usize = 4;

/// Rows that are turned at once: they fit the fastest cache whatever the number of rows is.
const BLOCK: usize = 64;

/// Size of the payload of a frame with so many bodies and obstacles \[byte\]. Cannot overflow for any two counts.
pub(crate) fn payload_length(bodies: u32, obstacles: u32) -> u64 {
    (u64::from(bodies) * BODY as u64 + u64::from(obstacles) * POSE as u64) * WORD as u64
}

/// Writes the payload of a frame over `raw`.
pub(crate) fn encode(frame: &Frame, raw: &mut Vec<u8>) {
    let split = frame.bodies.len() * BODY * WORD;
    raw.clear();
    raw.resize(split + frame.obstacles.len() * POSE * WORD, 0);
    let (bodies, obstacles) = raw.split_at_mut(split);
    scatter(&frame.bodies, bodies, body_to_row);
    scatter(&frame.obstacles, obstacles, pose_to_row);
}

/// Reads bodies and obstacles from a payload of [`payload_length`] bytes. Exact to the bit, whatever the bits are.
pub(crate) fn decode(raw: &[u8], bodies: u32, frame: &mut Frame) {
    let (bodies, obstacles) = raw.split_at(raw.len().min(bodies as usize * BODY * WORD));
    gather(bodies, &mut frame.bodies, body_from_row);
    gather(obstacles, &mut frame.obstacles, pose_from_row);
}

/// Turns items into rows of `N` words and stores byte after byte of all of them.
fn scatter<T, const N: usize>(items: &[T], planes: &mut [u8], to_row: impl Fn(&T) -> [u32; N]) {
    let mut rows = [[0; N]; BLOCK];
    for (block, items_here) in items.chunks(BLOCK).enumerate() {
        for (row, item) in rows.iter_mut().zip(items_here) {
            *row = to_row(item);
        }
        for (index, plane) in planes.chunks_exact_mut(items.len()).enumerate() {
            let (byte, word) = (index / N, index % N);
            for (cell, row) in plane[block * BLOCK..].iter_mut().zip(&rows) {
                *cell = row[word].to_le_bytes()[byte];
            }
        }
    }
}

/// The way back of [`scatter`].
fn gather<T, const N: usize>(planes: &[u8], items: &mut Vec<T>, from_row: impl Fn(&[u32; N]) -> T) {
    let count = planes.len() / (N * WORD);
    items.clear();
    items.reserve_exact(count);
    for start in (0..count).step_by(BLOCK) {
        let mut rows = [[0; N]; BLOCK];
        for (index, plane) in planes.chunks_exact(count).enumerate() {
            let (byte, word) = (index / N, index % N);
            for (row, cell) in rows.iter_mut().zip(&plane[start..]) {
                row[word] |= u32::from(*cell) << (8 * byte);
            }
        }
        items.extend(rows[..BLOCK.min(count - start)].iter().map(&from_row));
    }
}

fn body_to_row(body: &FrameBody) -> [u32; BODY] {
    let [[px, py, pz], [vx, vy, vz], [wx, wy, wz]] =
        [body.position, body.velocity, body.spin].map(|vector| vector.map(f32::to_bits));
    let [qw, qx, qy, qz] = body.orientation.map(f32::to_bits);
    let BodyId { index, generation } = body.id;
    let asleep = u32::from(body.asleep);
    #[rustfmt::skip]
    let row = [
        index, generation, body.shape, body.material, body.size.to_bits(),
        px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, asleep,
    ];
    row
}

fn body_from_row(row: &[u32; BODY]) -> FrameBody {
    FrameBody {
        id: BodyId { index: row[0], generation: row[1] },
        shape: row[2],
        material: row[3],
        size: f32::from_bits(row[4]),
        position: floats(row, 5),
        orientation: floats(row, 8),
        velocity: floats(row, 12),
        spin: floats(row, 15),
        asleep: row[18] != 0,
    }
}

fn pose_to_row(pose: &FramePose) -> [u32; POSE] {
    let ([x, y, z], [qw, qx, qy, qz]) = (pose.position, pose.orientation);
    [x, y, z, qw, qx, qy, qz].map(f32::to_bits)
}

fn pose_from_row(row: &[u32; POSE]) -> FramePose {
    FramePose { position: floats(row, 0), orientation: floats(row, 3) }
}

/// The floats that start at a word of a row.
fn floats<const N: usize>(row: &[u32], start: usize) -> [f32; N] {
    array::from_fn(|i| f32::from_bits(row[start + i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_bytes_of_all_words_come_first() {
        let mut planes = [0; 16];
        scatter(&[[0x0D09_0501, 0x0F0B_0703], [0x0E0A_0602, 0x100C_0804]], &mut planes, |row| *row);
        assert_eq!(planes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    }

    #[test]
    fn tables_of_any_number_of_rows_come_back() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
            let items: Vec<[u32; 3]> = (0..count as u32).map(|i| [i, i.wrapping_mul(0x9E37_79B9), !i]).collect();
            let mut planes = vec![0; count * 3 * WORD];
            scatter(&items, &mut planes, |row| *row);
            let mut back = Vec::new();
            gather(&planes, &mut back, |row: &[u32; 3]| *row);
            assert_eq!(back, items);
        }
    }

    #[test]
    fn a_row_holds_every_field() {
        let body = FrameBody {
            id: BodyId { index: 1, generation: 2 },
            shape: 3,
            material: 4,
            size: 5.0,
            position: [6.0, 7.0, 8.0],
            orientation: [9.0, 10.0, 11.0, 12.0],
            velocity: [13.0, 14.0, 15.0],
            spin: [16.0, 17.0, 18.0],
            asleep: true,
        };
        assert_eq!(body_from_row(&body_to_row(&body)), body);
    }
}
