//! Fewer points for the same picture: a recording has a row per step, a plot some hundred pixels.
//!
//! In each pixel column of a line the first, lowest, highest and last point stay, so that its
//! picture stays and no peak is lost. Points that would cover each other are drawn once.

/// A series on the page \[px\]; none where it has a gap.
pub(super) type PagePoints = Vec<Option<(f64, f64)>>;

/// A line with at most four points per pixel column and run of points; gaps stay gaps.
pub(super) fn thin_line(points: &[Option<(f64, f64)>]) -> PagePoints {
    let mut thin = PagePoints::new();
    let column = |point: &Option<(f64, f64)>| point.map(|(x, _)| x.floor());
    for run in points.chunk_by(|a, b| column(a) == column(b)) {
        thin.extend(extremes(run, |point| point.map_or(0.0, |(_, y)| y)).into_iter().map(|kept| run[kept]));
    }
    thin
}

/// Numbers of the first, lowest, highest and last of a run, in order.
pub(super) fn extremes<T>(run: &[T], value: impl Fn(&T) -> f64) -> Vec<usize> {
    let mut kept = vec![0, 0, 0, run.len().saturating_sub(1)];
    for (number, point) in run.iter().enumerate() {
        if value(point) < value(&run[kept[1]]) {
            kept[1] = number;
        }
        if value(point) > value(&run[kept[2]]) {
            kept[2] = number;
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept.truncate(run.len());
    kept
}

/// Removes points that others cover: marks are five pixels wide, so one per square of two by two
/// pixels fills an area.
pub(super) fn thin_points(points: &[Option<(f64, f64)>]) -> Vec<(f64, f64)> {
    let cell = |(x, y): (f64, f64)| ((0.5 * x).floor() as i64, (0.5 * y).floor() as i64);
    let mut points: Vec<(f64, f64)> = points.iter().copied().flatten().collect();
    points.sort_by_key(|&point| cell(point));
    points.dedup_by_key(|point| cell(*point));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_gaps_survive() {
        let mut points: PagePoints = (0..100_000).map(|n| Some((f64::from(n) * 0.005, f64::from(n % 7)))).collect();
        points[33_333] = Some((166.665, 1e3));
        points[66_666] = Some((333.33, -1e3));
        points[50_000] = None;
        let thin = thin_line(&points);
        assert!(thin.len() < 4 * 502, "{}", thin.len());
        assert_eq!(thin.iter().filter(|point| point.is_none()).count(), 1);
        assert!(thin.contains(&Some((166.665, 1e3))) && thin.contains(&Some((333.33, -1e3))));
        assert_eq!((thin[0], thin[thin.len() - 1]), (points[0], points[99_999]));
        let in_order = thin.iter().flatten().zip(thin.iter().flatten().skip(1)).all(|(a, b)| a.0 <= b.0);
        assert!(in_order);
    }

    #[test]
    fn short_lines_stay_as_they_are() {
        let points: PagePoints = vec![Some((0.0, 1.0)), Some((10.0, 2.0)), None, None, Some((20.0, 0.0))];
        assert_eq!(thin_line(&points).iter().flatten().count(), 3);
        assert_eq!(thin_line(&[]), vec![]);
        assert_eq!(extremes(&[3.0, 1.0, 4.0, 1.0, 5.0, 2.0], |v| *v), [0, 1, 4, 5]);
    }

    #[test]
    fn covered_points_are_drawn_once() {
        let points: PagePoints =
            (0..10_000).map(|n| Some((f64::from(n % 10) * 3.0, 1.0 + 1e-3 * f64::from(n % 3)))).collect();
        assert_eq!(thin_points(&points).len(), 10);
    }
}
