//! How densely a pile is packed inside: the part of space that is solid, away from surface, floor
//! and walls.
//!
//! Reads balls and the direction up. The inside is found from the balls alone, for a frame has no
//! surfaces: where the columns of the plan (squares of 1.25 diameters) within two squares all have
//! material, it reaches from two diameters above their highest bottom to two below their lowest
//! top. Walls, posts and the rim of a heap are thereby avoided like the surface. The measure takes
//! the Voronoi cells of the bodies in there, all points nearer to them than to others: a region
//! with straight sides would cut through bodies, and in a regular packing hold too many or too few
//! of them.
//!
//! The solid part is counted, not computed: one point at random in each small cube (stratified
//! sampling), which ball is nearest, and whether the point is in it. Formulas for volumes of cells
//! exist, but not for balls that overlap, and in a clump they do; a point counts them once. Points
//! and balls are sorted into one grid, so that "a ball near this point" is a pair like any other.
//! The error is the scatter between columns, which contains that of the counting; as neighbouring
//! columns share balls, it is rather too large than too small.

use glam::DVec3;

use super::Ball;
use super::ball::{diameters, typical_diameter, upright};
use super::columns::{Column, PileColumns};
use crate::geometry::Grid;
use crate::random::Draws;
use crate::world::BodyId;

/// How many points are drawn, about.
const POINTS: f64 = 200_000.0;

/// Edge of the squares of the plan, in diameters: wide enough that in a packing none is without a
/// centre.
const EDGE: f64 = 1.25;

/// Squares on each side that must have material, and diameters to surface and floor.
const MARGIN: i64 = 2;

/// The fewest bodies inside to judge by.
const LEAST_BODIES: usize = 20;

/// How densely a pile is packed inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packing {
    /// Solid volume over all volume \[-\].
    pub fraction: f64,
    /// Standard error of the fraction \[-\].
    pub standard_error: f64,
    /// Bodies that were judged.
    pub bodies: usize,
    /// Volume that was judged \[m³\].
    pub volume: f64,
    /// Points that were counted.
    pub points: usize,
}

/// A range of heights on one square of the plan.
#[derive(Clone, Copy, Debug)]
struct HeightRange {
    at: [i64; 2],
    low: f64,
    high: f64,
}

/// Measures the fraction; none if the pile is so small or flat that it has no inside.
pub fn packing(balls: &[Ball], up: DVec3) -> Option<Packing> {
    let diameter = typical_diameter(&diameters(balls));
    let edge = EDGE * diameter;
    let balls = upright(balls, up);
    let inside = inside(&PileColumns::new(&balls, edge), MARGIN as f64 * diameter);
    let is_inside = |place: DVec3| {
        let square = [place.x, place.y].map(|x| (x / edge).floor() as i64);
        find(&inside, square).is_some_and(|part| part.low <= place.z && place.z <= part.high)
    };
    // A body is inside with all of its balls.
    let distinct = |which: &dyn Fn(&&Ball) -> bool| {
        let mut bodies: Vec<BodyId> = balls.iter().filter(which).map(|ball| ball.body).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    };
    let outside = distinct(&|ball| !is_inside(ball.centre));
    let is_judged = |ball: &Ball| outside.binary_search(&ball.body).is_err();
    let bodies = distinct(&|ball| is_judged(ball)).len();
    if bodies < LEAST_BODIES {
        return None;
    }

    // Cells reach about a radius out of the inside.
    let parts = grown(&inside, diameter);
    let height: f64 = parts.iter().map(|part| part.high - part.low).sum();
    let along = ((POINTS * edge / height).cbrt().round() as usize).clamp(1, 32);
    // For each part, the volume that is judged and its solid share.
    let mut counts: Vec<(f64, f64)> = vec![(0.0, 0.0); parts.len()];
    let mut points = 0;
    let mut drawn: Vec<(usize, DVec3, f64)> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let (places, volume) = draw(part, number, edge, along);
        drawn.extend(places.into_iter().map(|place| (number, place, volume)));
    }
    // In turns of about as many points as balls, from all over the inside, for points in the grid
    // meet each other too.
    let turns = drawn.len().div_ceil(balls.len());
    for turn in 0..turns {
        let turn: Vec<_> = drawn.iter().skip(turn).step_by(turns).copied().collect();
        let places: Vec<DVec3> = turn.iter().map(|point| point.1).collect();
        let nearest = nearest(&places, &balls, 0.75 * diameter);
        for (nearest, (number, place, volume)) in nearest.into_iter().zip(turn) {
            // A point far from all balls is in a cavity, which belongs to the inside if it lies
            // there.
            let (judged, solid) =
                nearest.map_or_else(|| (is_inside(place), false), |(ball, gap)| (is_judged(&balls[ball]), gap < 0.0));
            if judged {
                points += 1;
                counts[number].0 += volume;
                counts[number].1 += if solid { volume } else { 0.0 };
            }
        }
    }
    let (volume, solid) = counts.iter().fold((0.0, 0.0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    let fraction = solid / volume;
    let scatter: f64 = counts.iter().map(|(volume, solid)| (solid - fraction * volume).powi(2)).sum();
    let used = counts.iter().filter(|count| count.0 > 0.0).count() as f64;
    let standard_error = (scatter * used / (used - 1.0)).sqrt() / volume;
    Some(Packing { fraction, standard_error, bodies, volume, points })
}

/// The region two diameters away from everything that is not material, by squares.
fn inside(columns: &PileColumns, margin: f64) -> Vec<HeightRange> {
    let part = |column: &Column| {
        let range = around(column.at, MARGIN).try_fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), at| {
            let near = columns.get(at)?;
            Some((low.max(near.bottom + margin), high.min(near.top - margin)))
        });
        range.filter(|(low, high)| high > low).map(|(low, high)| HeightRange { at: column.at, low, high })
    };
    columns.all().iter().filter_map(part).collect()
}

/// The inside and what is within a square beside it and `more` above and below.
fn grown(inside: &[HeightRange], more: f64) -> Vec<HeightRange> {
    let mut squares: Vec<[i64; 2]> = inside.iter().flat_map(|part| around(part.at, 1)).collect();
    squares.sort_unstable();
    squares.dedup();
    let part = |at: [i64; 2]| {
        let near = around(at, 1).filter_map(|near| find(inside, near));
        let (low, high) =
            near.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), near| (low.min(near.low), high.max(near.high)));
        HeightRange { at, low: low - more, high: high + more }
    };
    squares.into_iter().map(part).collect()
}

/// Squares up to this far from one, and itself.
fn around(at: [i64; 2], far: i64) -> impl Iterator<Item = [i64; 2]> {
    (-far..=far).flat_map(move |x| (-far..=far).map(move |y| [at[0].saturating_add(x), at[1].saturating_add(y)]))
}

fn find(parts: &[HeightRange], at: [i64; 2]) -> Option<&HeightRange> {
    parts.binary_search_by_key(&at, |part| part.at).ok().map(|found| &parts[found])
}

/// A point in each small cube of a part, `along` cubes along its edge, and the volume that each
/// stands for.
fn draw(part: &HeightRange, number: usize, edge: f64, along: usize) -> (Vec<DVec3>, f64) {
    let height = part.high - part.low;
    let layers = ((height / edge * along as f64).round() as usize).max(1);
    let mut draws = Draws::new(0, 0, number as u64);
    let place = |cube: usize| {
        let cube = [cube % along, cube / along % along, cube / (along * along)].map(|n| n as f64 + draws.unit());
        let plan = |axis: usize| (part.at[axis] as f64 + cube[axis] / along as f64) * edge;
        DVec3::new(plan(0), plan(1), part.low + height * cube[2] / layers as f64)
    };
    let places: Vec<DVec3> = (0..layers * along * along).map(place).collect();
    let volume = edge * edge * height / places.len() as f64;
    (places, volume)
}

/// For each point, the ball whose surface is nearest and how far it is, negative inside; none if it
/// is farther than `reach`.
fn nearest(points: &[DVec3], balls: &[Ball], reach: f64) -> Vec<Option<(usize, f64)>> {
    let cell = balls.iter().map(|ball| ball.radius).fold(0.0, f64::max) + reach;
    // Balls that reach no point stay out: one that rolled away would make the cells of the grid
    // large.
    let low = points.iter().fold(DVec3::INFINITY, |low, &point| low.min(point)) - cell;
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, &point| high.max(point)) + cell;
    let is_near = |ball: &Ball| ball.centre.cmpge(low).all() && ball.centre.cmple(high).all();
    let near: Vec<usize> = (0..balls.len()).filter(|&ball| is_near(&balls[ball])).collect();
    let place =
        |number: usize| near.get(number).map_or_else(|| points[number - near.len()], |&ball| balls[ball].centre);
    let count = near.len() + points.len();
    let mut grid = Grid::default();
    grid.build((0..count).map(place), cell);
    let mut nearest: Vec<Option<(usize, f64)>> = vec![None; points.len()];
    for number in 0..count {
        grid.visit_later(number, place(number), |run| {
            for &other in run {
                let (ball, point) = (number.min(other as usize), number.max(other as usize));
                // Lower numbers are balls, higher ones points; pairs of one kind are passed over.
                let (Some(&ball), Some(point)) = (near.get(ball), point.checked_sub(near.len())) else { continue };
                let gap = (balls[ball].centre - points[point]).length() - balls[ball].radius;
                if gap <= reach
                    && nearest[point].is_none_or(|(best, least)| gap < least || (gap == least && ball < best))
                {
                    nearest[point] = Some((ball, gap));
                }
            }
        });
    }
    nearest
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::super::ball::tests::single;
    use super::*;

    /// A block of cubes of this edge, with balls of diameter one at these places of each.
    fn lattice(places: &[[f64; 3]], edge: f64, cubes: usize) -> Vec<Ball> {
        let corner =
            move |n: usize| DVec3::new((n % cubes) as f64, (n / cubes % cubes) as f64, (n / cubes / cubes) as f64);
        let centres = (0..cubes.pow(3)).flat_map(|n| places.iter().map(move |&p| edge * (corner(n) + DVec3::from(p))));
        single(centres, 0.5)
    }

    const FACE_CENTRED: [[f64; 3]; 4] = [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];

    #[test]
    fn lattices_have_their_fractions() {
        let root = 2.0f64.sqrt();
        let cases = [
            ("simple cubic", lattice(&[[0.3; 3]], 1.0, 22), PI / 6.0),
            ("body-centred", lattice(&[[0.1; 3], [0.6; 3]], 2.0 / 3.0f64.sqrt(), 17), PI * 3.0f64.sqrt() / 8.0),
            ("face-centred", lattice(&FACE_CENTRED, root, 14), PI / (3.0 * root)),
        ];
        for (name, balls, expected) in cases {
            let found = packing(&balls, DVec3::Z).unwrap();
            println!("{name}: {found:?}, expected {expected}");
            assert!((found.fraction - expected).abs() < 0.005, "{name}: {found:?}, expected {expected}");
            assert!(found.standard_error < 0.01 && found.points > 50_000, "{name}: {found:?}");
        }
    }

    #[test]
    fn overlapping_balls_of_a_clump_count_once() {
        // Two unit spheres at the distance of a radius: the union is 27/16 of one sphere (a lens
        // has 5/16).
        let clump = |(number, ball): (usize, &Ball)| {
            let body = BodyId::from_number(number as u64);
            [-0.125, 0.125].map(|x| Ball { centre: 0.75 * ball.centre + x * DVec3::X, radius: 0.25, body })
        };
        let balls: Vec<Ball> = lattice(&[[0.5; 3]], 1.0, 22).iter().enumerate().flat_map(clump).collect();
        let found = packing(&balls, DVec3::Z).unwrap();
        let expected = 27.0 / 16.0 * 4.0 / 3.0 * PI * (0.25f64 / 0.75).powi(3);
        println!("clumps: {found:?}, expected {expected}");
        assert!((found.fraction - expected).abs() < 0.003, "{found:?}, expected {expected}");
    }

    #[test]
    fn a_cone_has_the_fraction_of_its_inside() {
        // A cone cut out of a lattice, lying on its side, with a ball in flight above and one far
        // away.
        let mut balls = lattice(&FACE_CENTRED, 2.0f64.sqrt(), 24);
        let middle = balls.iter().fold(DVec3::ZERO, |sum, ball| sum + ball.centre) / balls.len() as f64;
        balls.retain(|ball| {
            let from_axis = ball.centre - middle;
            DVec3::new(0.0, from_axis.y, from_axis.z).length() < 17.0 - ball.centre.x
        });
        let strays = [DVec3::new(40.0, middle.y, middle.z), DVec3::splat(1e7)];
        let mut balls = single(balls.iter().map(|ball| ball.centre).chain(strays), 0.5);
        let found = packing(&balls, DVec3::X).unwrap();
        println!("cone: {found:?}");
        assert!((found.fraction - 0.7405).abs() < 0.01, "{found:?}");
        balls.reverse();
        assert_eq!(packing(&balls, DVec3::X), Some(found), "the order of bodies decides");
    }

    #[test]
    fn what_has_no_inside_has_no_fraction() {
        assert_eq!(packing(&[], DVec3::Z), None);
        assert_eq!(packing(&lattice(&[[0.0; 3]], 1.0, 5), DVec3::Z), None);
        let mut layer = lattice(&[[0.0; 3]], 1.0, 20);
        layer.retain(|ball| ball.centre.z < 3.0);
        assert_eq!(packing(&layer, DVec3::Z), None);
    }
}
