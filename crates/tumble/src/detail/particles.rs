//! Particles as columns, sorted in space.
//!
//! A particle is 28 bytes: place, velocity and id. Material and radius are stored once per carrier,
//! and a particle's id tells its carrier. Particles that lie together are kept together, so that a
//! block of them needs the carriers of a small box only; that is for speed alone, for nothing that
//! a particle does depends on where in the columns it is.

use glam::{IVec3, Vec3};
use rayon::prelude::*;
use wide::f32x8;

use super::near::{LANES, load};
use crate::world::MaterialId;

/// Particles that are advanced together. They fit the nearest cache with room to spare.
pub(super) const BLOCK: usize = 128;

/// Particles of a block that look for obstacles together: those are few, and nearly all particles
/// have none near.
pub(super) const PART: usize = 32;

/// Particles of a block that are compared with the same carriers: those that lie closest together.
pub(super) const GROUP: usize = 16;

/// Particles that are divided into blocks and groups which lie together.
const CROWD: usize = 512;

/// How much wider blocks may have grown, as a mean, before particles are sorted again.
const WORN: f32 = 1.3;

/// Data shared by the particles of a carrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Born {
    pub(super) material: MaterialId,
    /// \[m\]
    pub(super) radius: f32,
}

/// All particles.
#[derive(Clone, Debug, Default)]
pub(super) struct Particles {
    /// Place \[m\] and velocity \[m/s\]: x, y, z, x, y, z.
    pub(super) state: [Vec<f32>; 6],
    pub(super) ids: Vec<u32>,
    /// How wide blocks were when they were sorted \[m\]; none if they never were.
    width: Option<f32>,
    /// Room to sort in.
    keys: Vec<u32>,
    order: Vec<u32>,
    column: Vec<f32>,
}

/// A block of particles, all columns.
pub(super) struct ParticleBlock<'a> {
    pub(super) state: [&'a mut [f32]; 6],
    pub(super) ids: &'a [u32],
}

impl ParticleBlock<'_> {
    /// Its parts, as blocks.
    pub(super) fn parts(&mut self) -> impl Iterator<Item = ParticleBlock<'_>> {
        let [x, y, z, u, v, w] = self.state.each_mut().map(|column| column.chunks_mut(PART));
        let columns = x.zip(y).zip(z).zip(u).zip(v).zip(w);
        columns
            .zip(self.ids.chunks(PART))
            .map(|((((((x, y), z), u), v), w), ids)| ParticleBlock { state: [x, y, z, u, v, w], ids })
    }
}

impl Particles {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn push(&mut self, id: u32, place: Vec3, velocity: Vec3) {
        let [x, y, z] = place.to_array();
        let [u, v, w] = velocity.to_array();
        for (column, value) in self.state.iter_mut().zip([x, y, z, u, v, w]) {
            column.push(value);
        }
        self.ids.push(id);
        self.width = None;
    }

    pub(super) fn place(&self, row: usize) -> Vec3 {
        Vec3::new(self.state[0][row], self.state[1][row], self.state[2][row])
    }

    /// Puts a particle elsewhere.
    pub(super) fn set(&mut self, row: usize, place: Vec3, velocity: Vec3) {
        let [x, y, z] = place.to_array();
        let [u, v, w] = velocity.to_array();
        for (column, value) in self.state.iter_mut().zip([x, y, z, u, v, w]) {
            column[row] = value;
        }
        self.width = None;
    }

    pub(super) fn velocity(&self, row: usize) -> Vec3 {
        Vec3::new(self.state[3][row], self.state[4][row], self.state[5][row])
    }

    /// All blocks, for threads.
    pub(super) fn blocks(&mut self) -> impl IndexedParallelIterator<Item = ParticleBlock<'_>> {
        let [x, y, z, u, v, w] = self.state.each_mut().map(|column| column.par_chunks_mut(BLOCK));
        let places = x.zip(y).zip(z);
        let velocities = u.zip(v).zip(w);
        places
            .zip(velocities)
            .zip(self.ids.par_chunks(BLOCK))
            .map(|((((x, y), z), ((u, v), w)), ids)| ParticleBlock { state: [x, y, z, u, v, w], ids })
    }

    /// Removes particles for which `gone` holds; gives how many.
    pub(super) fn remove(&mut self, gone: impl Fn(Vec3) -> bool + Sync) -> usize {
        let leaves: Vec<bool> = (0..self.len()).into_par_iter().map(|row| gone(self.place(row))).collect();
        let count = leaves.iter().filter(|&&leaves| leaves).count();
        if count > 0 {
            for column in &mut self.state {
                let mut row = leaves.iter();
                column.retain(|_| row.next() == Some(&false));
            }
            let mut row = leaves.iter();
            self.ids.retain(|_| row.next() == Some(&false));
            self.width = None;
        }
        count
    }

    /// Sorts into cells of this size \[m\], unless blocks are still about as small as after the
    /// last time.
    pub(super) fn sort(&mut self, cell: f32) {
        if self.len() == 0 || self.width.is_some_and(|width| self.mean_width() < WORN * width) {
            return;
        }
        let (low, high) = self.bounds();
        // Beyond all numbers there are no cells.
        if !(high - low).is_finite() {
            return;
        }
        // Not many more cells than particles, or counting them would cost more than it saves.
        let cells = |cell: f32| ((high - low) / cell).floor() + Vec3::ONE;
        let mut cell = cell;
        while cells(cell).as_dvec3().element_product() > 2.0 * self.len() as f64 + 64.0 {
            cell *= 1.25;
        }
        let dims = cells(cell).as_ivec3();
        let mut keys = std::mem::take(&mut self.keys);
        let key = |row: usize| {
            let c = ((self.place(row) - low) / cell).as_ivec3().clamp(IVec3::ZERO, dims - IVec3::ONE);
            // Rows of cells run to and fro, so that the last cell of one is beside the first of the
            // next.
            let y = if c.z % 2 == 0 { c.y } else { dims.y - 1 - c.y };
            let along = (c.z * dims.y + y) as i64;
            let x = if along % 2 == 0 { c.x } else { dims.x - 1 - c.x };
            (along * dims.x as i64 + x as i64) as u32
        };
        (0..self.len()).into_par_iter().map(key).collect_into_vec(&mut keys);

        let mut starts = vec![0u32; (dims.x * dims.y * dims.z) as usize + 1];
        keys.iter().for_each(|&key| starts[key as usize + 1] += 1);
        for c in 1..starts.len() {
            starts[c] += starts[c - 1];
        }
        self.order.clear();
        self.order.resize(keys.len(), 0);
        for (row, &key) in keys.iter().enumerate() {
            let slot = &mut starts[key as usize];
            self.order[*slot as usize] = row as u32;
            *slot += 1;
        }
        let [x, y, z, ..] = &self.state;
        self.order.par_chunks_mut(CROWD).for_each(|rows| divide(rows, [x, y, z]));
        let order = &self.order;
        for column in &mut self.state {
            order.par_iter().map(|&row| column[row as usize]).collect_into_vec(&mut self.column);
            std::mem::swap(column, &mut self.column);
        }
        let ids = &self.ids;
        order.par_iter().map(|&row| ids[row as usize]).collect_into_vec(&mut keys);
        std::mem::swap(&mut self.ids, &mut keys);
        self.keys = keys;
        self.width = Some(self.mean_width());
    }

    /// The box of all particles.
    fn bounds(&self) -> (Vec3, Vec3) {
        let [x, y, z] = [0, 1, 2].map(|axis| self.state[axis].par_chunks(1 << 14));
        let parts: Vec<_> = x.zip(y).zip(z).map(|((x, y), z)| bounds(&[x, y, z])).collect();
        let low = parts.iter().map(|part| part.0).fold(Vec3::INFINITY, Vec3::min);
        (low, parts.iter().map(|part| part.1).fold(Vec3::NEG_INFINITY, Vec3::max))
    }

    /// The mean width of blocks \[m\]: the longest sides of their boxes.
    fn mean_width(&self) -> f32 {
        let width = |block: usize| {
            let rows = block * BLOCK..((block + 1) * BLOCK).min(self.len());
            let (low, high) = bounds(&[0, 1, 2].map(|axis| &self.state[axis][rows.clone()]));
            (high - low).max_element()
        };
        let blocks = self.len().div_ceil(BLOCK);
        // Some are as good as all. Where blocks end never decides what a particle does, so a sum in
        // any order will do.
        let every = blocks.div_ceil(1024);
        let widths: Vec<f32> = (0..blocks).step_by(every).map(width).collect();
        widths.iter().sum::<f32>() / widths.len() as f32
    }
}

/// Brings rows into an order in which every half of them lies on one side of the other half, and so
/// does every half of those, down to groups.
fn divide(rows: &mut [u32], places: [&[f32]; 3]) {
    if rows.len() <= GROUP {
        return;
    }
    let side = |column: &[f32]| {
        let values = || rows.iter().map(|&row| column[row as usize]);
        values().fold(f32::NEG_INFINITY, f32::max) - values().fold(f32::INFINITY, f32::min)
    };
    let [x, y, z] = places.map(side);
    let longest = places[if x >= y && x >= z { 0 } else { 1 + usize::from(z > y) }];
    // The first half is a whole number of groups and, of many, of blocks.
    let half = rows.len().next_power_of_two() / 2;
    rows.select_nth_unstable_by(half, |&a, &b| longest[a as usize].total_cmp(&longest[b as usize]));
    let (first, second) = rows.split_at_mut(half);
    divide(first, places);
    divide(second, places);
}

/// The box of some places.
pub(super) fn bounds(places: &[&[f32]; 3]) -> (Vec3, Vec3) {
    let ((low_x, high_x), (low_y, high_y), (low_z, high_z)) = (range(places[0]), range(places[1]), range(places[2]));
    (Vec3::new(low_x, low_y, low_z), Vec3::new(high_x, high_y, high_z))
}

/// The smallest and the largest of some numbers.
#[inline(always)]
fn range(column: &[f32]) -> (f32, f32) {
    let (mut low, mut high) = (f32x8::splat(f32::INFINITY), f32x8::splat(f32::NEG_INFINITY));
    for first in (0..column.len()).step_by(LANES) {
        let eight = load(&column[first..]);
        (low, high) = (low.fast_min(eight), high.fast_max(eight));
    }
    let [low, high] = [low.to_array(), high.to_array()];
    let smaller = |a: f32, b: f32| if b < a { b } else { a };
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    // In pairs, so that no number has to wait for all those before it.
    let in_pairs = |of: &dyn Fn(f32, f32) -> f32, n: [f32; 8]| {
        of(of(of(n[0], n[4]), of(n[1], n[5])), of(of(n[2], n[6]), of(n[3], n[7])))
    };
    (in_pairs(&smaller, low), in_pairs(&larger, high))
}
