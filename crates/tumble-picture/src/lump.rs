//! Balls in lumps: those that lie in the same cell of a coarse grid, with the box around them.
//!
//! Most of the balls of a heap are inside of it, and nothing is seen of them from the camera or from any light. A lump is passed
//! over as one if its box is hidden. Lumps come from the highest to the lowest, because from above the first ones hide the others.

use std::cmp::Reverse;
use std::ops::Range;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use crate::drawing::Ball;

/// Side of a cell, in mean radii of the balls: some 30 of them in a heap. Smaller cells are as much work as their balls; up to 9, larger
/// ones are as good, but fewer of them are hidden as a whole.
const SIDE: f32 = 6.0;

/// Balls that lie together.
#[derive(Clone, Debug)]
pub(crate) struct Lump {
    /// Corners of the box that holds them \[m\].
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    /// Which balls.
    pub(crate) balls: Range<usize>,
}

/// Leaves out balls that are nowhere, puts the others into the order of their lumps, and tells which these are.
pub(crate) fn gather(balls: &mut Vec<Ball>) -> Vec<Lump> {
    balls.retain(|ball| ball.centre.is_finite() && ball.radius.is_finite());
    let mean = balls.iter().map(|ball| f64::from(ball.radius)).sum::<f64>() / balls.len() as f64;
    let side = (SIDE * mean as f32).max(f32::MIN_POSITIVE);
    // Casts saturate: what is very far away is all in one cell.
    let cell = |ball: &Ball| (ball.centre / side).floor().as_ivec3();
    let place = |ball: &Ball| {
        let IVec3 { x, y, z } = cell(ball);
        (Reverse(z), y, x)
    };
    balls.par_sort_by_key(place);
    let mut end = 0;
    let lump = |balls: &[Ball]| {
        let first = end;
        end += balls.len();
        let low = balls.iter().map(|ball| ball.centre - ball.radius).reduce(Vec3::min).unwrap_or_default();
        let high = balls.iter().map(|ball| ball.centre + ball.radius).reduce(Vec3::max).unwrap_or_default();
        Lump { low, high, balls: first..end }
    };
    balls.chunk_by(|a, b| cell(a) == cell(b)).map(lump).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ball_is_in_the_box_of_one_lump() {
        let place = |k: u32| Vec3::new((k % 17) as f32, (k * 7 % 31) as f32, (k * 3 % 23) as f32) - 8.0;
        let mut balls: Vec<Ball> =
            (0..5000).map(|k| Ball { centre: place(k), radius: 0.5 + 0.1 * (k % 5) as f32, colour: k }).collect();
        balls.push(Ball { centre: Vec3::splat(1e30), radius: 1.0, colour: 5000 });
        balls.push(Ball { centre: Vec3::NAN, radius: 1.0, colour: 5001 });
        balls.push(Ball { centre: Vec3::ZERO, radius: f32::INFINITY, colour: 5002 });
        let lumps = gather(&mut balls);
        let mut colours: Vec<u32> = balls.iter().map(|ball| ball.colour).collect();
        colours.sort_unstable();
        assert_eq!(colours, (0..=5000).collect::<Vec<_>>());
        assert!(lumps.len() > 100 && lumps[0].balls.start == 0 && lumps[lumps.len() - 1].balls.end == balls.len());
        assert!(lumps.windows(2).all(|pair| pair[0].balls.end == pair[1].balls.start));
        for lump in &lumps {
            for ball in &balls[lump.balls.clone()] {
                assert!((ball.centre - ball.radius).cmpge(lump.low).all(), "{ball:?} {lump:?}");
                assert!((ball.centre + ball.radius).cmple(lump.high).all(), "{ball:?} {lump:?}");
            }
        }
        assert!(gather(&mut Vec::new()).is_empty());
    }
}
