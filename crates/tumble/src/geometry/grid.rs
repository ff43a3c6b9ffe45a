//! A uniform grid over points, as a counting sort: all points of a cell are consecutive, and so are
//! cells along x.
//!
//! Sorting beats hashing here: two linear passes, no collisions, the same order every time, and the
//! three neighbour cells along x are one run of memory.

use std::ops::Range;

use glam::{DVec3, IVec3};

/// Points sorted by cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    origin: DVec3,
    inverse_cell: f64,
    dims: IVec3,
    /// Points of cell `c` are `entries[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    /// Point numbers, in the order of cells, ascending within a cell.
    entries: Vec<u32>,
    /// Places of all points along an axis, to find their middle.
    places: Vec<f64>,
    /// The cell of each point.
    cells: Vec<u32>,
    /// Index of each point among the entries.
    positions: Vec<u32>,
}

impl Grid {
    /// Sorts points into cells of at least this size.
    ///
    /// The number of cells stays below a few per point: if the points are spread too far for that,
    /// the grid covers the middle of the crowd and outliers fall into its border cells. Clamping
    /// never separates two points by more than it found between them, so neighbours still lie in
    /// neighbouring cells.
    pub(crate) fn build(&mut self, points: impl ExactSizeIterator<Item = DVec3> + Clone, cell: f64) {
        let count = points.len();
        let most_cells = 4 * count + 64;
        let (mut low, mut high) = bounds(points.clone());
        // A cell of size zero would give infinitely many cells.
        let mut cell = cell.max(f64::MIN_POSITIVE);
        if cells_between(low, high, cell) > most_cells as f64 {
            let (crowd_low, crowd_high) = crowd(points.clone(), &mut self.places);
            (low, high) = (low.max(crowd_low), high.min(crowd_high));
            while cells_between(low, high, cell) > most_cells as f64 {
                cell *= 1.25;
            }
        }
        self.origin = low;
        self.inverse_cell = 1.0 / cell;
        self.dims = ((high - low) * self.inverse_cell).floor().as_ivec3().max(IVec3::ZERO) + IVec3::ONE;

        let cell_count = self.dims.x as usize * self.dims.y as usize * self.dims.z as usize;
        self.starts.clear();
        self.starts.resize(cell_count + 1, 0);
        self.cells.clear();
        for point in points {
            let cell = self.linear(self.cell_at(point));
            self.cells.push(cell);
            self.starts[cell as usize + 1] += 1;
        }
        for c in 0..cell_count {
            self.starts[c + 1] += self.starts[c];
        }
        self.entries.clear();
        self.entries.resize(count, 0);
        // Shifted by one, `starts[c + 1]` is where the next point of cell `c` goes, and ends as
        // where cell `c + 1` begins.
        for c in (1..=cell_count).rev() {
            self.starts[c] = self.starts[c - 1];
        }
        self.positions.clear();
        for (point, &cell) in self.cells.iter().enumerate() {
            let slot = &mut self.starts[cell as usize + 1];
            self.entries[*slot as usize] = point as u32;
            self.positions.push(*slot);
            *slot += 1;
        }
    }

    /// Points in the order of cells.
    pub(crate) fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// The cell of each point, as a number that grows along x, then y, then z.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Calls `visit` with runs of points that hold every other point within a cell's size of point
    /// number `point`, which lies `at`. Over all points, each pair comes once: only cells after the
    /// point's own are visited, and in its own cell only the entries after it.
    pub(crate) fn visit_later(&self, point: usize, at: DVec3, mut visit: impl FnMut(&[u32])) {
        let cell = self.cell_at(at);
        let last_x = (cell.x + 1).min(self.dims.x - 1);
        let own_end = self.starts[self.linear(IVec3::new(last_x, cell.y, cell.z)) as usize + 1] as usize;
        visit(&self.entries[self.positions[point] as usize + 1..own_end]);
        let mut visit_row = |y: i32, z: i32| {
            if y >= 0 && y < self.dims.y && z < self.dims.z {
                let first = self.linear(IVec3::new((cell.x - 1).max(0), y, z)) as usize;
                let last = self.linear(IVec3::new(last_x, y, z)) as usize;
                visit(&self.entries[self.starts[first] as usize..self.starts[last + 1] as usize]);
            }
        };
        visit_row(cell.y + 1, cell.z);
        for y in cell.y - 1..=cell.y + 1 {
            visit_row(y, cell.z + 1);
        }
    }

    /// Calls `visit` with runs of points that hold every point within a cell's size of a place.
    pub(crate) fn visit_around(&self, at: DVec3, mut visit: impl FnMut(&[u32])) {
        let cell = self.cell_at(at);
        let (low, high) = ((cell - 1).max(IVec3::ZERO), (cell + 1).min(self.dims - 1));
        self.visit_cells(low, high, &mut |run| visit(&self.entries[run]));
    }

    #[inline]
    fn visit_cells(&self, low: IVec3, high: IVec3, visit: &mut impl FnMut(Range<usize>)) {
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                let first = self.linear(IVec3::new(low.x, y, z)) as usize;
                let last = self.linear(IVec3::new(high.x, y, z)) as usize;
                visit(self.starts[first] as usize..self.starts[last + 1] as usize);
            }
        }
    }

    /// Calls `visit` with runs of points that hold every point within `reach` of a place.
    pub(crate) fn visit_within(&self, at: DVec3, reach: f64, mut visit: impl FnMut(&[u32])) {
        self.visit_box(at - reach, at + reach, |run| visit(&self.entries[run]));
    }

    /// Calls `visit` with stretches of [`Grid::entries`] that hold every point of a box, in
    /// ascending order.
    pub(crate) fn visit_box(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(Range<usize>)) {
        self.visit_cells(self.cell_at(low), self.cell_at(high), &mut visit);
    }

    /// From now on visits report point `k` as `names[k]`.
    pub(crate) fn rename(&mut self, names: &[u32]) {
        self.entries.iter_mut().for_each(|entry| *entry = names[*entry as usize]);
    }

    fn cell_at(&self, point: DVec3) -> IVec3 {
        // The cast saturates, so that even a point at infinity lands in a border cell.
        ((point - self.origin) * self.inverse_cell).floor().as_ivec3().clamp(IVec3::ZERO, self.dims - IVec3::ONE)
    }

    fn linear(&self, cell: IVec3) -> u32 {
        (((cell.z as i64 * self.dims.y as i64) + cell.y as i64) * self.dims.x as i64 + cell.x as i64) as u32
    }
}

fn bounds(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    let (low, high) = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    if low.is_finite() && high.is_finite() { (low, high) } else { (DVec3::ZERO, DVec3::ZERO) }
}

/// The box that holds the crowd: along each axis nine tenths of the points, and as much room again
/// on both sides. A multiple of the standard deviation would not do: a few points thrown a million
/// metres away would make it too wide for all others.
fn crowd(points: impl ExactSizeIterator<Item = DVec3> + Clone, places: &mut Vec<f64>) -> (DVec3, DVec3) {
    let outside = points.len() / 20;
    let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        places.clear();
        places.extend(points.clone().map(|point| point[axis]));
        let last = places.len() - 1;
        let first = *places.select_nth_unstable_by(outside, f64::total_cmp).1;
        let end = *places.select_nth_unstable_by(last - outside, f64::total_cmp).1;
        (low[axis], high[axis]) = (first - (end - first), end + (end - first));
    }
    (low, high)
}

fn cells_between(low: DVec3, high: DVec3, cell: f64) -> f64 {
    let dims = ((high - low) / cell).floor().max(DVec3::ZERO) + DVec3::ONE;
    dims.x * dims.y * dims.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;

    /// Cells of no size at all are enlarged to something, however far points are apart.
    #[test]
    fn no_size_of_cells_takes_for_ever() {
        for cell in [0.0, f64::MIN_POSITIVE, 1e-200, f64::NAN, f64::INFINITY] {
            for far in [1e-300, 1.0, 1e300] {
                let points: Vec<DVec3> = (0..50).map(|id| far * Draws::new(3, 0, id).in_ball()).collect();
                let mut grid = Grid::default();
                grid.build(points.iter().copied(), cell);
                assert_eq!(grid.entries().len(), 50, "{cell} {far}");
            }
        }
    }

    /// Every pair within a cell's size is visited exactly once, also with outliers far away.
    #[test]
    fn visits_what_brute_force_finds() {
        let mut points: Vec<DVec3> = (0..400).map(|id| Draws::new(3, 0, id).in_ball() * 0.5).collect();
        points.push(DVec3::splat(1e9));
        points.push(DVec3::splat(1e9) + 0.01);
        points.push(DVec3::new(-1e12, 0.0, 0.1));
        let cell = 0.1;
        let mut grid = Grid::default();
        grid.build(points.iter().copied(), cell);
        assert!(grid.starts.len() <= 4 * points.len() + 65);
        // Points that were thrown far away leave the others their cells.
        let fullest = grid.starts.windows(2).map(|cell| cell[1] - cell[0]).max();
        assert!(fullest < Some(40), "{fullest:?} points in a cell");
        let mut found = Vec::new();
        for (i, &point) in points.iter().enumerate() {
            grid.visit_later(i, point, |run| {
                for &j in run {
                    if (point - points[j as usize]).length() < cell {
                        found.push(((i as u32).min(j), (i as u32).max(j)));
                    }
                }
            });
        }
        found.sort_unstable();
        let n = points.len() as u32;
        let expected: Vec<_> = (0..n)
            .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
            .filter(|&(i, j)| (points[i as usize] - points[j as usize]).length() < cell)
            .collect();
        assert!(expected.len() > 400);
        assert_eq!(found, expected);
    }
}
