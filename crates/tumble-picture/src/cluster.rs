//! Clusters of balls: the balls in one cell of a coarse grid, with their bounding box.
//!
//! Most of the balls of a heap are inside of it, and neither the camera nor any light sees them. A
//! cluster is skipped as a whole if its box is hidden. Clusters are sorted from the highest to the
//! lowest, because from above the first ones hide the others.

use std::cmp::Reverse;
use std::ops::Range;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use crate::drawing::DrawnBall;

/// Side of a cell, in mean radii of the balls: a cell of a heap holds some 30 balls. Testing
/// smaller cells is as much work as drawing their balls. Larger cells, up to 9, are as good, but
/// fewer of them are hidden as a whole.
const SIDE: f32 = 6.0;

/// Balls that lie in one cell of the grid.
#[derive(Clone, Debug)]
pub(crate) struct BallCluster {
    /// Corners of the box that holds them \[m\].
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    /// Their range in the list of balls.
    pub(crate) balls: Range<usize>,
}

/// Removes balls that are not finite, sorts the others by cluster, and returns the clusters.
pub(crate) fn gather(balls: &mut Vec<DrawnBall>) -> Vec<BallCluster> {
    balls.retain(|ball| ball.centre.is_finite() && ball.radius.is_finite());
    let mean = balls.iter().map(|ball| f64::from(ball.radius)).sum::<f64>() / balls.len() as f64;
    let side = (SIDE * mean as f32).max(f32::MIN_POSITIVE);
    // Casts saturate: all balls that are very far away share one cell.
    let cell = |ball: &DrawnBall| (ball.centre / side).floor().as_ivec3();
    let place = |ball: &DrawnBall| {
        let IVec3 { x, y, z } = cell(ball);
        (Reverse(z), y, x)
    };
    balls.par_sort_by_key(place);
    let mut end = 0;
    let cluster = |balls: &[DrawnBall]| {
        let first = end;
        end += balls.len();
        let low = balls.iter().map(|ball| ball.centre - ball.radius).reduce(Vec3::min).unwrap_or_default();
        let high = balls.iter().map(|ball| ball.centre + ball.radius).reduce(Vec3::max).unwrap_or_default();
        BallCluster { low, high, balls: first..end }
    };
    balls.chunk_by(|a, b| cell(a) == cell(b)).map(cluster).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ball_is_in_the_box_of_one_cluster() {
        let place = |k: u32| Vec3::new((k % 17) as f32, (k * 7 % 31) as f32, (k * 3 % 23) as f32) - 8.0;
        let mut balls: Vec<DrawnBall> =
            (0..5000).map(|k| DrawnBall { centre: place(k), radius: 0.5 + 0.1 * (k % 5) as f32, colour: k }).collect();
        balls.push(DrawnBall { centre: Vec3::splat(1e30), radius: 1.0, colour: 5000 });
        balls.push(DrawnBall { centre: Vec3::NAN, radius: 1.0, colour: 5001 });
        balls.push(DrawnBall { centre: Vec3::ZERO, radius: f32::INFINITY, colour: 5002 });
        let clusters = gather(&mut balls);
        let mut colours: Vec<u32> = balls.iter().map(|ball| ball.colour).collect();
        colours.sort_unstable();
        assert_eq!(colours, (0..=5000).collect::<Vec<_>>());
        assert!(
            clusters.len() > 100
                && clusters[0].balls.start == 0
                && clusters[clusters.len() - 1].balls.end == balls.len()
        );
        assert!(clusters.windows(2).all(|pair| pair[0].balls.end == pair[1].balls.start));
        for cluster in &clusters {
            for ball in &balls[cluster.balls.clone()] {
                assert!((ball.centre - ball.radius).cmpge(cluster.low).all(), "{ball:?} {cluster:?}");
                assert!((ball.centre + ball.radius).cmple(cluster.high).all(), "{ball:?} {cluster:?}");
            }
        }
        assert!(gather(&mut Vec::new()).is_empty());
    }
}
