//! A pile seen from above: for each square of the plan, between which heights there is material.
//!
//! Reads upright balls, writes sorted columns. Columns are kept as a sorted list and not as a map
//! of the whole plan, so that one ball that rolled far away costs nothing.
//!
//! A column is the longest run of balls without a vertical gap of more than two edges. Balls in
//! flight above a heap, and stragglers on the ground below a table with a heap on it, are therefore
//! not part of a column.

use glam::DVec3;

use super::Ball;

/// The column of balls on one square of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Number of the square along x and y.
    pub(super) at: [i64; 2],
    /// Lowest point of its balls \[m\].
    pub(super) bottom: f64,
    /// Highest point of its balls \[m\].
    pub(super) top: f64,
    /// Centre of the ball that reaches highest \[m\].
    pub(super) highest: DVec3,
}

/// All columns of a pile, by their squares.
pub(super) struct PileColumns {
    columns: Vec<Column>,
}

impl PileColumns {
    /// Sorts upright balls into squares with this edge \[m\] by their centres.
    pub(super) fn new(upright: &[Ball], edge: f64) -> Self {
        let square = |ball: &Ball| [ball.centre.x, ball.centre.y].map(|x| (x / edge).floor() as i64);
        let mut sorted: Vec<([i64; 2], &Ball)> = upright.iter().map(|ball| (square(ball), ball)).collect();
        let bottom = |ball: &Ball| ball.centre.z - ball.radius;
        // The sort is stable, so balls of equal height keep their order, which does not depend on
        // that of the bodies.
        sorted.sort_by(|(a, ball_a), (b, ball_b)| a.cmp(b).then(bottom(ball_a).total_cmp(&bottom(ball_b))));
        let columns = sorted.chunk_by(|a, b| a.0 == b.0).filter_map(|column| longest_run(column, 2.0 * edge));
        Self { columns: columns.collect() }
    }

    /// All columns, in the order of their squares.
    pub(super) fn all(&self) -> &[Column] {
        &self.columns
    }

    /// The column on a square.
    pub(super) fn get(&self, at: [i64; 2]) -> Option<&Column> {
        self.columns.binary_search_by_key(&at, |column| column.at).ok().map(|found| &self.columns[found])
    }
}

/// The run with the most balls, the lowest of them if there are several.
fn longest_run(column: &[([i64; 2], &Ball)], gap: f64) -> Option<Column> {
    let mut best: Option<(usize, Column)> = None;
    let mut run: Option<(usize, Column)> = None;
    for &(at, ball) in column {
        let (low, high) = (ball.centre.z - ball.radius, ball.centre.z + ball.radius);
        let (count, grown) = match run {
            Some((count, column)) if low <= column.top + gap => {
                let (top, highest) = if high > column.top { (high, ball.centre) } else { (column.top, column.highest) };
                (count + 1, Column { top, highest, ..column })
            }
            _ => (1, Column { at, bottom: low, top: high, highest: ball.centre }),
        };
        run = Some((count, grown));
        // A run that grows replaces itself; another one has to be longer.
        if best.is_none_or(|(most, column)| count > most || (count == most && column.bottom == grown.bottom)) {
            best = run;
        }
    }
    best.map(|(_, column)| column)
}

#[cfg(test)]
mod tests {
    use super::super::ball::tests::single;
    use super::*;

    #[test]
    fn flying_balls_and_stragglers_below_are_no_part_of_a_column() {
        let heights = [0.5, 10.5, 11.4, 12.5, 19.5, 20.5];
        let balls = single(heights.map(|z| DVec3::new(-0.5, 3.5, z)), 0.5);
        let columns = PileColumns::new(&balls, 1.0);
        let column = columns.get([-1, 3]).unwrap();
        assert_eq!((column.bottom, column.top, column.highest.z), (10.0, 13.0, 12.5));
        assert!(columns.get([0, 3]).is_none());
        assert_eq!(columns.all().len(), 1);
    }
}
