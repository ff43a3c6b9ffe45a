//! Least squares for heaps: a line through a side, and the axis of the cone that fits the sides
//! best. And percentiles.

use glam::DVec2;

use super::repose::Spot;

/// A cone moves the axis only if it leaves at most this share of the squared residuals of the
/// centroid.
const BETTER: f64 = 0.8;

/// The line of least squares: slope, value at zero, and r².
pub(super) fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - x, p.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|dx, _| dx * dx), sum(&|dx, dy| dx * dy), sum(&|_, dy| dy * dy));
    let slope = xy / xx;
    (slope, y - slope * x, xy * xy / (xx * yy))
}

/// Where a heap's axis is in the plan.
///
/// It begins at the centroid of the surface above half the height. Then a cone h = top − slope ·
/// |place − axis| is fitted to the places of the surface between a quarter and three quarters of
/// the height by Gauss-Newton: linear in top and slope, and in small moves of the axis. A fit that
/// runs away or is hardly better than the centroid is not used: a ridge has no axis.
pub(super) fn axis_of_cone(surface: &[Spot], low: f64, high: f64) -> DVec2 {
    let at = |part: f64| low + part * (high - low);
    let (mut weight, mut sum) = (0.0, DVec2::ZERO);
    for &(place, height) in surface {
        let above = (height.min(high) - at(0.5)).max(0.0);
        weight += above;
        sum += above * place;
    }
    let centroid = sum / weight;
    let flanks: Vec<Spot> = surface.iter().copied().filter(|spot| spot.1 > at(0.25) && spot.1 < at(0.75)).collect();
    let reach = flanks.iter().map(|spot| spot.0.distance(centroid)).sum::<f64>() / flanks.len().max(1) as f64;
    let r2 = |axis: DVec2| line(&flanks.iter().map(|spot| (spot.0.distance(axis), spot.1)).collect::<Vec<_>>()).2;
    let mut axis = centroid;
    for _ in 0..20 {
        let Some(step) = step_to_axis(&flanks, axis) else { return centroid };
        // A step is at most a quarter of the way to the flanks, where the direction to the axis
        // would turn around.
        axis += step.clamp_length_max(0.25 * reach);
        if !axis.is_finite() || axis.distance(centroid) > reach {
            return centroid;
        }
        if step.length() < 1e-9 * reach {
            break;
        }
    }
    if 1.0 - r2(axis) < BETTER * (1.0 - r2(centroid)) { axis } else { centroid }
}

/// One step of Gauss-Newton: the move of the axis, from the least squares of top, slope and slope ·
/// move.
fn step_to_axis(flanks: &[Spot], axis: DVec2) -> Option<DVec2> {
    let mut system = [[0.0; 5]; 4];
    for &(place, height) in flanks {
        let away = place - axis;
        let distance = away.length();
        let direction = away / distance.max(f64::MIN_POSITIVE);
        let row = [1.0, -distance, direction.x, direction.y, height];
        for i in 0..4 {
            for j in 0..5 {
                system[i][j] += row[i] * row[j];
            }
        }
    }
    let [_, slope, x, y] = solve(system)?;
    (slope > 0.0).then(|| DVec2::new(x, y) / slope)
}

/// Solves four linear equations (right side last) by elimination with pivots; none if they do not
/// decide.
fn solve(mut system: [[f64; 5]; 4]) -> Option<[f64; 4]> {
    let scale = system.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    for column in 0..4 {
        let pivot = (column..4).max_by(|&a, &b| system[a][column].abs().total_cmp(&system[b][column].abs()))?;
        system.swap(column, pivot);
        let above = system[column];
        if above[column].is_nan() || above[column].abs() <= 1e-12 * scale {
            return None;
        }
        for row in &mut system[column + 1..] {
            let factor = row[column] / above[column];
            row.iter_mut().zip(above).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut solution = [0.0; 4];
    for row in (0..4).rev() {
        let known: f64 = (row + 1..4).map(|k| system[row][k] * solution[k]).sum();
        solution[row] = (system[row][4] - known) / system[row][row];
    }
    Some(solution)
}

/// The value that this part of the values lies below, between two values by proportion.
pub(super) fn percentile(values: impl Iterator<Item = f64>, part: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let place = part * values.len().saturating_sub(1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(values.len().saturating_sub(1));
    values.get(below).map_or(0.0, |low| low + (values[above] - low) * (place - below as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found() {
        let (slope, at_zero, r2) = line(&[(1.0, 1.0), (2.0, -1.0), (4.0, -5.0)]);
        assert!((slope + 2.0).abs() < 1e-12 && (at_zero - 3.0).abs() < 1e-12 && (r2 - 1.0).abs() < 1e-12);
        // y = x² at 0, 1, 2, 3: slope 3, r² = 45 / 49.
        let (slope, _, r2) = line(&[(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (3.0, 9.0)]);
        assert!((slope - 3.0).abs() < 1e-12 && (r2 - 45.0 / 49.0).abs() < 1e-12);
    }

    #[test]
    fn the_axis_of_part_of_a_cone_is_found() {
        // A cone that leans on a wall: only what is on one side of its axis is there.
        let axis = DVec2::new(3.0, -2.0);
        let places = (0..4000).map(|n| DVec2::new((n % 80) as f64 * 0.25 - 7.0, (n / 80) as f64 * 0.4 - 12.0));
        let surface: Vec<Spot> = places
            .filter(|place| place.x > axis.x && place.distance(axis) < 10.0)
            .map(|place| (place, 0.6 * (10.0 - place.distance(axis))))
            .collect();
        let found = axis_of_cone(&surface, 0.0, 6.0);
        assert!(found.distance(axis) < 1e-6, "{found}");
    }

    #[test]
    fn a_ridge_keeps_its_centroid() {
        let places = (0..2000).map(|n| DVec2::new((n % 50) as f64 - 24.5, (n / 50) as f64 - 19.5));
        let surface: Vec<Spot> = places.map(|place| (place, 24.5 - place.x.abs())).collect();
        let found = axis_of_cone(&surface, 0.0, 24.5);
        assert!(found.length() < 1e-6, "{found}");
    }
}
