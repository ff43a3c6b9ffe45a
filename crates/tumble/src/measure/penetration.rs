//! How deep bodies are in each other, and how many others each touches, from a frame alone.
//!
//! Reads balls, so it also judges recordings of other solvers. Contacts with obstacles are not
//! seen: a frame has no surfaces. Pairs come from the same sorted grid that the solver uses.

use super::Ball;
use super::ball::upright;
use crate::geometry::Grid;
use crate::world::BodyId;
use glam::DVec3;

/// Overlaps between the bodies of a frame. Two bodies make one contact, with the depth where their
/// balls overlap most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Penetration {
    /// Bodies that were looked at.
    pub bodies: usize,
    /// Pairs of bodies that touch.
    pub contacts: usize,
    /// Mean overlap of those pairs over the radius of the smaller ball \[-\].
    pub mean: f64,
    /// The deepest overlap over the radius of the smaller ball \[-\].
    pub worst: f64,
    /// The two bodies of the deepest overlap, if any two overlap.
    pub worst_pair: Option<[BodyId; 2]>,
    /// Mean number of contacts per body with other bodies \[-\]: twice the pairs over the bodies,
    /// surface bodies included.
    pub coordination: f64,
}

/// Looks at all balls of different bodies. Two touch when the gap between them is at most `slack`
/// radii of the smaller one: zero for soft contacts, which overlap; more for solvers that keep a
/// distance. A gap counts as an overlap of zero.
pub fn penetration(balls: &[Ball], slack: f64) -> Penetration {
    let mut bodies: Vec<BodyId> = balls.iter().map(|ball| ball.body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let mut touching = touching(balls, slack);
    // The deepest of each pair of bodies comes first, and stays.
    touching.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    touching.dedup_by_key(|touch| touch.0);

    let mut found = Penetration { bodies: bodies.len(), contacts: touching.len(), ..Penetration::default() };
    for &(pair, depth) in &touching {
        found.mean += depth;
        if depth > found.worst {
            (found.worst, found.worst_pair) = (depth, Some(pair));
        }
    }
    found.mean /= touching.len().max(1) as f64;
    found.coordination = 2.0 * touching.len() as f64 / bodies.len().max(1) as f64;
    found
}

/// All pairs of balls of different bodies that touch: the bodies, lower id first, and the relative
/// overlap.
fn touching(balls: &[Ball], slack: f64) -> Vec<([BodyId; 2], f64)> {
    let balls = upright(balls, DVec3::Z);
    let largest = balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
    let mut grid = Grid::default();
    grid.build(balls.iter().map(|ball| ball.centre), (2.0 + slack) * largest);
    let mut touching = Vec::new();
    for (number, a) in balls.iter().enumerate() {
        grid.visit_later(number, a.centre, |run| {
            for b in run.iter().map(|&other| &balls[other as usize]) {
                let smaller = a.radius.min(b.radius);
                let reach = a.radius + b.radius + slack * smaller;
                // Most pairs are not near, so that the square root comes last.
                if a.body != b.body && (a.centre - b.centre).length_squared() <= reach * reach {
                    let depth = a.radius + b.radius - (a.centre - b.centre).length();
                    touching.push(([a.body.min(b.body), a.body.max(b.body)], depth.max(0.0) / smaller));
                }
            }
        });
    }
    touching
}

#[cfg(test)]
mod tests {
    use super::super::ball::tests::single;
    use super::*;
    use crate::random::Draws;

    #[test]
    fn brute_force_finds_the_same() {
        // Clumps of two balls of different sizes, one far away from all others.
        let mut balls = Vec::new();
        for number in 0..300 {
            let mut draws = Draws::new(5, 0, number);
            let (centre, body) = (draws.in_ball(), BodyId::from_number(number));
            let centre = if number == 17 { centre * 1e9 } else { centre };
            for offset in [draws.in_ball() * 0.1, draws.in_ball() * 0.1] {
                balls.push(Ball { centre: centre + offset, radius: draws.between(0.03, 0.12), body });
            }
        }
        for slack in [0.0, 0.5] {
            let depth = |a: &Ball, b: &Ball| {
                let (gap, smaller) = ((a.centre - b.centre).length() - a.radius - b.radius, a.radius.min(b.radius));
                (gap <= slack * smaller).then_some((-gap).max(0.0) / smaller)
            };
            let mut depths = Vec::new();
            for (i, a) in balls.chunks(2).enumerate() {
                for b in balls.chunks(2).skip(i + 1) {
                    let deepest = a.iter().flat_map(|a| b.iter().filter_map(|b| depth(a, b))).reduce(f64::max);
                    depths.extend(deepest.map(|depth| (depth, [a[0].body, b[0].body])));
                }
            }
            let worst = *depths.iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            let mean = depths.iter().map(|(depth, _)| depth).sum::<f64>() / depths.len() as f64;
            let found = penetration(&balls, slack);
            assert!(depths.len() > 300, "{}", depths.len());
            assert_eq!((found.bodies, found.contacts), (300, depths.len()));
            assert_eq!((found.worst, found.worst_pair), (worst.0, Some(worst.1)));
            assert!((found.mean - mean).abs() < 1e-12);
            assert_eq!(found.coordination, depths.len() as f64 / 150.0);
            let backwards: Vec<Ball> = balls.iter().rev().copied().collect();
            assert_eq!(penetration(&backwards, slack), found, "the order of balls decides");
        }
    }

    #[test]
    fn apart_is_no_overlap() {
        let apart = single([DVec3::ZERO, DVec3::X * 2.1], 1.0);
        assert_eq!(penetration(&apart, 0.0), Penetration { bodies: 2, ..Penetration::default() });
        let near = penetration(&apart, 0.2);
        assert_eq!((near.contacts, near.worst, near.worst_pair, near.coordination), (1, 0.0, None, 1.0));
        assert_eq!(penetration(&[], 0.0), Penetration::default());
    }
}
