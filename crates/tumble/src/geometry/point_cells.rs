//! Points sorted by cell, to find those near a place: sorted cells with binary search.
//!
//! The contact grid is a table with one entry per cell, for pairs among points that fill a volume.
//! Here queries come from outside the set, and cells may be a millionth of the extent, so that a
//! table is out of the question.

use glam::DVec3;

/// Points sorted by cell.
pub(super) struct PointCells<'a> {
    points: &'a [DVec3],
    low: DVec3,
    cell: f64,
    /// Cell, as z, y, x, and number of every point, ascending.
    sorted: Vec<([i64; 3], u32)>,
}

impl<'a> PointCells<'a> {
    /// Sorts points into cells of this size.
    pub(super) fn new(points: &'a [DVec3], cell: f64) -> Self {
        let low = points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        let mut cells = Self { points, low, cell, sorted: Vec::new() };
        let mut sorted: Vec<_> = points.iter().enumerate().map(|(k, &p)| (cells.cell_of(p), k as u32)).collect();
        sorted.sort_unstable();
        cells.sorted = sorted;
        cells
    }

    fn cell_of(&self, point: DVec3) -> [i64; 3] {
        let cell = ((point - self.low) / self.cell).floor();
        [cell.z as i64, cell.y as i64, cell.x as i64]
    }

    /// Calls `visit` with the number of every point in the cells at a place and around it, which
    /// hold all points within a cell's size.
    pub(super) fn visit_near(&self, place: DVec3, mut visit: impl FnMut(u32)) {
        let [z, y, x] = self.cell_of(place);
        for z in z - 1..=z + 1 {
            for y in y - 1..=y + 1 {
                let first = self.sorted.partition_point(|&(cell, _)| cell < [z, y, x - 1]);
                let row = self.sorted[first..].iter().take_while(|&&(cell, _)| cell <= [z, y, x + 1]);
                row.for_each(|&(_, point)| visit(point));
            }
        }
    }

    /// Distance of a place from the nearest point.
    pub(super) fn nearest(&self, place: DVec3) -> f64 {
        let mut square = f64::INFINITY;
        self.visit_near(place, |k| square = square.min((self.points[k as usize] - place).length_squared()));
        if square <= self.cell * self.cell {
            return square.sqrt();
        }
        // Nothing within a cell's size: rare, so that looking at all is good enough.
        self.points.iter().fold(square, |least, &p| least.min((p - place).length_squared())).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;

    #[test]
    fn nearest_is_what_brute_force_finds() {
        let points: Vec<_> = (0..300).map(|id| Draws::new(6, 0, id).in_ball()).collect();
        let cells = PointCells::new(&points, 0.15);
        for id in 0..300 {
            let place = 1.5 * Draws::new(6, 1, id).in_ball();
            let expected = points.iter().map(|&p| (p - place).length()).fold(f64::INFINITY, f64::min);
            assert!((cells.nearest(place) - expected).abs() < 1e-15);
            let mut near = 0;
            cells.visit_near(place, |k| near += ((points[k as usize] - place).length() < 0.15) as u32);
            assert_eq!(near, points.iter().filter(|&&p| (p - place).length() < 0.15).count() as u32);
        }
    }
}
