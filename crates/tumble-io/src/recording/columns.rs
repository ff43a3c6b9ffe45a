//! The payload of a frame: tables of bodies, obstacle poses, pile layers and constraints, each
//! stored by column (structure of arrays, one plane per byte).
//!
//! A row of a table is a few words of 32 bits. The payload holds the lowest byte of all words,
//! column after column, then the next byte of all words, and so on. Signs and exponents are alike
//! and mantissas are noise; kept apart, each kind gets its own entropy code from zstd. A settled
//! heap of 20 000 bodies takes 28 bytes per body this way, 31 row by row and also 31 with the four
//! bytes of each column side by side.

use std::array;

use tumble::world::{BodyId, MaterialId, ShapeId};
use tumble::{Frame, FrameBody, FrameConstraint, FrameLayer, FramePose, Method};

/// Words of a body: id (2), shape, material, size, position (3), orientation (4), velocity (3),
/// spin (3), contacts, state.
const BODY: usize = 20;

/// Words of an obstacle: position (3), orientation (4).
const POSE: usize = 7;

/// Words of a layer: pile, centre (3), radius, height, density.
const LAYER: usize = 7;

/// Words of a constraint: from (3), to (3).
const CONSTRAINT: usize = 6;

/// Bits of a body's state. The method is in bits 8 to 15, the layer in bits 16 to 31.
const ASLEEP: u32 = 1;
const HELD: u32 = 2;
const IN_LAYER: u32 = 4;

/// Bytes of a word.
const WORD: usize = 4;

/// Rows transposed at once: they fit the first-level cache whatever the number of rows is.
const BLOCK: usize = 64;

/// Number of rows of each table of a frame: bodies, obstacles, layers, constraints. `None` if a
/// table has more than `u32::MAX`.
pub(crate) fn counts(frame: &Frame) -> Option<[u32; 4]> {
    let Frame { bodies, obstacles, layers, constraints, .. } = frame;
    let [a, b, c, d] = [bodies.len(), obstacles.len(), layers.len(), constraints.len()].map(u32::try_from);
    Some([a.ok()?, b.ok()?, c.ok()?, d.ok()?])
}

/// Size of the payload of a frame with these counts \[byte\]. Cannot overflow.
pub(crate) fn payload_length(counts: [u32; 4]) -> u64 {
    table_lengths(counts).iter().sum()
}

/// Size of each table \[byte\].
fn table_lengths(counts: [u32; 4]) -> [u64; 4] {
    let words = [BODY, POSE, LAYER, CONSTRAINT];
    array::from_fn(|table| u64::from(counts[table]) * (words[table] * WORD) as u64)
}

/// Writes the payload of a frame with these counts over `raw`.
pub(crate) fn encode(frame: &Frame, counts: [u32; 4], raw: &mut Vec<u8>) {
    raw.clear();
    raw.resize(payload_length(counts) as usize, 0);
    let [bodies, obstacles, layers, _] = table_lengths(counts).map(|length| length as usize);
    let (table, rest) = raw.split_at_mut(bodies);
    scatter(&frame.bodies, table, body_to_row);
    let (table, rest) = rest.split_at_mut(obstacles);
    scatter(&frame.obstacles, table, pose_to_row);
    let (table, rest) = rest.split_at_mut(layers);
    scatter(&frame.layers, table, layer_to_row);
    scatter(&frame.constraints, rest, constraint_to_row);
}

/// Reads the tables of a payload of [`payload_length`] bytes. Exact to the bit, whatever the bits
/// are.
pub(crate) fn decode(raw: &[u8], counts: [u32; 4], frame: &mut Frame) {
    let [bodies, obstacles, layers, _] = table_lengths(counts).map(|length| length as usize);
    let (table, rest) = raw.split_at(bodies);
    gather(table, &mut frame.bodies, body_from_row);
    let (table, rest) = rest.split_at(obstacles);
    gather(table, &mut frame.obstacles, pose_from_row);
    let (table, rest) = rest.split_at(layers);
    gather(table, &mut frame.layers, layer_from_row);
    gather(rest, &mut frame.constraints, constraint_from_row);
}

/// Converts items into rows of `N` words and stores them as byte planes: the lowest byte of every
/// word first.
pub(super) fn scatter<T, const N: usize>(items: &[T], planes: &mut [u8], mut to_row: impl FnMut(&T) -> [u32; N]) {
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

/// Inverse of [`scatter`].
pub(super) fn gather<T, const N: usize>(planes: &[u8], items: &mut Vec<T>, mut from_row: impl FnMut(&[u32; N]) -> T) {
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
        items.extend(rows[..BLOCK.min(count - start)].iter().map(&mut from_row));
    }
}

fn body_to_row(body: &FrameBody) -> [u32; BODY] {
    let [[px, py, pz], [vx, vy, vz], [wx, wy, wz]] =
        [body.position, body.velocity, body.spin].map(|vector| vector.map(f32::to_bits));
    let [qw, qx, qy, qz] = body.orientation.map(f32::to_bits);
    let BodyId { index, generation } = body.id;
    let flag = |is: bool, bit: u32| if is { bit } else { 0 };
    let state = flag(body.asleep, ASLEEP)
        | flag(body.held, HELD)
        | flag(body.layer.is_some(), IN_LAYER)
        | (body.method as u32) << 8
        | u32::from(body.layer.unwrap_or(0)) << 16;
    #[rustfmt::skip]
    let row = [
        index, generation, body.shape.0, body.material.0, body.size.to_bits(),
        px, py, pz, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, body.contacts, state,
    ];
    row
}

fn body_from_row(row: &[u32; BODY]) -> FrameBody {
    FrameBody {
        id: BodyId { index: row[0], generation: row[1] },
        shape: ShapeId(row[2]),
        material: MaterialId(row[3]),
        size: f32::from_bits(row[4]),
        position: floats(row, 5),
        orientation: floats(row, 8),
        velocity: floats(row, 12),
        spin: floats(row, 15),
        contacts: row[18],
        asleep: row[19] & ASLEEP != 0,
        held: row[19] & HELD != 0,
        // An unknown method can only come from a file that was tampered with.
        method: Method::ALL.get((row[19] >> 8 & 0xFF) as usize).copied().unwrap_or_default(),
        layer: (row[19] & IN_LAYER != 0).then_some((row[19] >> 16) as u16),
    }
}

fn pose_to_row(pose: &FramePose) -> [u32; POSE] {
    let ([x, y, z], [qw, qx, qy, qz]) = (pose.position, pose.orientation);
    [x, y, z, qw, qx, qy, qz].map(f32::to_bits)
}

fn pose_from_row(row: &[u32; POSE]) -> FramePose {
    FramePose { position: floats(row, 0), orientation: floats(row, 3) }
}

fn layer_to_row(layer: &FrameLayer) -> [u32; LAYER] {
    let [x, y, z] = layer.centre.map(f32::to_bits);
    [layer.pile, x, y, z, layer.radius.to_bits(), layer.height.to_bits(), layer.density.to_bits()]
}

fn layer_from_row(row: &[u32; LAYER]) -> FrameLayer {
    let [radius, height, density] = floats(row, 4);
    FrameLayer { pile: row[0], centre: floats(row, 1), radius, height, density }
}

fn constraint_to_row(constraint: &FrameConstraint) -> [u32; CONSTRAINT] {
    let ([ax, ay, az], [bx, by, bz]) = (constraint.from, constraint.to);
    [ax, ay, az, bx, by, bz].map(f32::to_bits)
}

fn constraint_from_row(row: &[u32; CONSTRAINT]) -> FrameConstraint {
    FrameConstraint { from: floats(row, 0), to: floats(row, 3) }
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
            shape: ShapeId(3),
            material: MaterialId(4),
            size: 5.0,
            position: [6.0, 7.0, 8.0],
            orientation: [9.0, 10.0, 11.0, 12.0],
            velocity: [13.0, 14.0, 15.0],
            spin: [16.0, 17.0, 18.0],
            contacts: 19,
            asleep: true,
            held: false,
            method: Method::Statistical,
            layer: Some(u16::MAX),
        };
        assert_eq!(body_from_row(&body_to_row(&body)), body);
        let other = FrameBody { asleep: false, held: true, method: Method::Granular, layer: None, ..body };
        assert_eq!(body_from_row(&body_to_row(&other)), other);
        let layer = FrameLayer { pile: 1, centre: [2.0, 3.0, 4.0], radius: 5.0, height: 6.0, density: 7.0 };
        assert_eq!(layer_from_row(&layer_to_row(&layer)), layer);
        let constraint = FrameConstraint { from: [1.0, 2.0, 3.0], to: [4.0, 5.0, 6.0] };
        assert_eq!(constraint_from_row(&constraint_to_row(&constraint)), constraint);
    }
}
