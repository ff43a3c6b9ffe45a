//! Particles as columns, sorted in space.
//!
//! A particle is 28 bytes: place, velocity and id. What particles of one guide have in common (material, radius) is kept once, and
//! a particle's id says whose it is. Particles that lie together are kept together, so that a block of them needs the guides
//! of a small box only; that is for speed alone, for nothing that a particle does depends on where in the columns it is.

use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// Particles that are advanced together. They fit the nearest cache with room to spare.
pub(super) const BLOCK: usize = 64;

/// How much wider blocks may have grown, as a mean, before particles are sorted again.
const WORN: f32 = 1.3;

/// What the particles of a guide have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Born {
    pub(super) material: u32,
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
pub(super) struct Block<'a> {
    pub(super) state: [&'a mut [f32]; 6],
    pub(super) ids: &'a [u32],
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

    pub(super) fn velocity(&self, row: usize) -> Vec3 {
        Vec3::new(self.state[3][row], self.state[4][row], self.state[5][row])
    }

    /// All blocks, for threads.
    pub(super) fn blocks(&mut self) -> impl IndexedParallelIterator<Item = Block<'_>> {
        let [x, y, z, u, v, w] = self.state.each_mut().map(|column| column.par_chunks_mut(BLOCK));
        let places = x.zip(y).zip(z);
        let velocities = u.zip(v).zip(w);
        places
            .zip(velocities)
            .zip(self.ids.par_chunks(BLOCK))
            .map(|((((x, y), z), ((u, v), w)), ids)| Block { state: [x, y, z, u, v, w], ids })
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

    /// Sorts into cells of this size \[m\], unless blocks are still about as small as after the last time.
    pub(super) fn sort(&mut self, cell: f32) {
        if self.len() == 0 || self.width.is_some_and(|width| self.mean_width() < WORN * width) {
            return;
        }
        let (low, high) = self.bounds();
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
            // Rows of cells run to and fro, so that the last cell of one is beside the first of the next.
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
        // Some are as good as all. Where blocks end never decides what a particle does, so a sum in any order will do.
        let every = blocks.div_ceil(1024);
        let widths: Vec<f32> = (0..blocks).step_by(every).map(width).collect();
        widths.iter().sum::<f32>() / widths.len() as f32
    }
}

/// The box of some places.
pub(super) fn bounds(places: &[&[f32]; 3]) -> (Vec3, Vec3) {
    let low = places.map(|column| column.iter().copied().fold(f32::INFINITY, f32::min));
    let high = places.map(|column| column.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    (Vec3::from(low), Vec3::from(high))
}
