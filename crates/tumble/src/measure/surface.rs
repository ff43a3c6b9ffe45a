//! The surface of a pile seen from above, and the difference between two: of coarse grains, of fine
//! ones, of particles.
//!
//! Reads balls and the direction up. A surface is a map of heights: over each of a grid of points,
//! how high the highest ball is there. Unlike the columns of `columns.rs` it does not ask how large
//! bodies are, so that piles of different grains are measured alike: the highest grain of a square
//! is the higher on a slope the more grains are in it. Where there is nothing, a surface has the
//! height of its base.
//!
//! Two piles of different grains differ by their grains, wherever they lie. So means are compared:
//! over squares of one diameter, and over rings of that width about the axis, the profile of a pile
//! that is round.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::Ball;
use super::ball::upright;

/// Grid points per diameter.
const FINE: i64 = 8;

/// The surface of a pile: a map of heights.
#[derive(Clone, Debug)]
pub struct PileSurface {
    /// The diameter that it is measured with \[m\].
    diameter: f64,
    /// Points of the grid that something is over, and how high above the base it is \[m\], by their
    /// places.
    points: Vec<([i64; 2], f64)>,
}

/// How different a surface is from another, in diameters \[-\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDifference {
    /// Root mean square over rings about the axis, as many as the wider pile has.
    pub profile: f64,
    /// The largest difference of a ring.
    pub profile_worst: f64,
    /// Root mean square over squares, where either has anything.
    pub squares: f64,
}

/// Squares of all balls, and rings of a profile, that are looked at: far more than any pile has.
const MOST_SQUARES: f64 = 1e9;
const MOST_RINGS: u64 = 1 << 20;

impl PileSurface {
    /// The surface of these balls, measured with this diameter \[m\], from this height along up on
    /// \[m\]; none if there is nothing, or if balls have more squares than anybody can wait for.
    pub fn new(balls: &[Ball], up: DVec3, diameter: f64, base: f64) -> Option<Self> {
        let edge = diameter / FINE as f64;
        let balls = upright(balls, up);
        let squares: f64 = balls.iter().map(|ball| (2.0 * ball.radius / edge + 1.0).powi(2)).sum();
        if !(edge > 0.0 && squares < MOST_SQUARES) {
            return None;
        }
        let mut points: Vec<([i64; 2], f64)> = Vec::new();
        for ball in balls {
            let (middle, radius) = (ball.centre.truncate(), ball.radius);
            let [low, high] = [-radius, radius].map(|r| ((middle + r) / edge).round());
            for x in low.x as i64..=high.x as i64 {
                for y in low.y as i64..=high.y as i64 {
                    let rest = radius * radius - (DVec2::new(x as f64, y as f64) * edge).distance_squared(middle);
                    if rest > 0.0 {
                        points.push(([x, y], ball.centre.z + rest.sqrt() - base));
                    }
                }
            }
        }
        points.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        points.dedup_by_key(|point| point.0);
        (!points.is_empty()).then_some(Self { diameter, points })
    }

    fn edge(&self) -> f64 {
        self.diameter / FINE as f64
    }

    /// Where the middle of the volume below the surface is in the plan \[m\].
    pub fn axis(&self) -> DVec2 {
        let volume: f64 = self.points.iter().map(|point| point.1).sum();
        let moment = |&([x, y], height): &([i64; 2], f64)| height * DVec2::new(x as f64, y as f64);
        self.points.iter().map(moment).sum::<DVec2>() * self.edge() / volume
    }

    /// The highest point, above the base \[m\].
    pub fn top(&self) -> f64 {
        self.points.iter().map(|point| point.1).fold(0.0, f64::max)
    }

    /// Mean height above the base \[m\] of rings about an axis, each a diameter wide, from the
    /// innermost to the last that more than stragglers are in: those with less than a twentieth of
    /// a layer are not part of a pile.
    pub fn profile(&self, axis: DVec2) -> Vec<f64> {
        let ring = |&([x, y], height): &([i64; 2], f64)| {
            let distance = (DVec2::new(x as f64, y as f64) * self.edge()).distance(axis);
            ((distance / self.diameter) as u64, height)
        };
        let mut rings: Vec<(u64, f64)> = self.points.iter().map(ring).collect();
        rings.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut profile: Vec<f64> = Vec::new();
        for ring in rings.chunk_by(|a, b| a.0 == b.0) {
            let inner = ring[0].0 as f64;
            let area = PI * (2.0 * inner + 1.0) * self.diameter.powi(2);
            let height = ring.iter().map(|point| point.1).sum::<f64>() * self.edge().powi(2) / area;
            if ring[0].0 > MOST_RINGS || ring[0].0 != profile.len() as u64 && height < 0.05 * self.diameter {
                break;
            }
            profile.resize(ring[0].0 as usize, 0.0);
            profile.push(height);
        }
        while profile.last().is_some_and(|height| *height < 0.05 * self.diameter) {
            profile.pop();
        }
        profile
    }

    /// How far from an axis the pile reaches \[m\]: to where the profile falls below half a
    /// diameter.
    pub fn radius(&self, axis: DVec2) -> f64 {
        let (profile, half) = (self.profile(axis), 0.5 * self.diameter);
        let Some(last) = profile.iter().rposition(|height| *height >= half) else { return 0.0 };
        let beyond = profile.get(last + 1).copied().unwrap_or(0.0);
        let part = (profile[last] - half) / (profile[last] - beyond);
        (last as f64 + 0.5 + part) * self.diameter
    }

    /// Mean height above the base \[m\] of all squares, each a diameter wide, that have anything.
    fn squares(&self) -> Vec<([i64; 2], f64)> {
        let square = |&(at, height): &([i64; 2], f64)| (at.map(|x| x.div_euclid(FINE)), height);
        let mut squares: Vec<([i64; 2], f64)> = self.points.iter().map(square).collect();
        squares.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mean = |square: &[([i64; 2], f64)]| {
            (square[0].0, square.iter().map(|point| point.1).sum::<f64>() / (FINE * FINE) as f64)
        };
        squares.chunk_by(|a, b| a.0 == b.0).map(mean).collect()
    }

    /// How different this surface is from one that counts as right, about whose axis both are
    /// looked at. Both must be measured with the same diameter and from the same base.
    pub fn difference(&self, right: &Self) -> SurfaceDifference {
        let axis = right.axis();
        let (profile, other) = (self.profile(axis), right.profile(axis));
        let height = |profile: &[f64], ring: usize| profile.get(ring).copied().unwrap_or(0.0);
        let rings: Vec<f64> = (0..profile.len().max(other.len()))
            .map(|ring| (height(&profile, ring) - height(&other, ring)) / self.diameter)
            .collect();
        // Both in one list: a square of one pile alone stands for its whole height.
        let turned = right.squares().into_iter().map(|(at, height)| (at, -height));
        let mut squares: Vec<([i64; 2], f64)> = self.squares().into_iter().chain(turned).collect();
        squares.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let squares: Vec<f64> = squares
            .chunk_by(|a, b| a.0 == b.0)
            .map(|square| square.iter().map(|point| point.1).sum::<f64>() / self.diameter)
            .collect();
        SurfaceDifference {
            profile: root_mean_square(&rings),
            profile_worst: rings.iter().fold(0.0, |worst, ring| ring.abs().max(worst)),
            squares: root_mean_square(&squares),
        }
    }
}

fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::ball::tests::single;
    use super::*;
    use crate::random::Draws;

    /// Balls at random in a cone with a slope of one half, 10 high and 20 wide at its foot.
    fn cone(count: u64, radius: f64, up_by: f64) -> Vec<Ball> {
        let place = |id: u64| {
            let place = 20.0 * Draws::new(3, 0, id).in_ball();
            place.with_z(place.z.abs())
        };
        let inside = |place: &DVec3| place.z + radius < 0.5 * (20.0 - place.truncate().length());
        let places = (0..count).map(place).filter(inside);
        single(places.map(|place| place + DVec3::new(0.0, 0.0, radius + up_by)), radius)
    }

    /// One ball of radius 1 over the origin, measured with a diameter of 2: the mean of √(1 - r²)
    /// over the disc is two thirds, so the volume below it is π (h + 2/3) for a centre h above the
    /// base; the first ring has an area of 4π.
    #[test]
    fn one_ball_has_the_surface_of_a_ball() {
        let ball = single([DVec3::new(0.0, 0.0, 3.0)], 1.0);
        let surface = PileSurface::new(&ball, DVec3::Z, 2.0, 0.0).unwrap();
        assert!((surface.top() - 4.0).abs() < 1e-9 && surface.axis().length() < 1e-9);
        let [mean] = surface.profile(DVec2::ZERO)[..] else { panic!() };
        // The disc is sampled by some fifty points.
        assert!((mean / ((3.0 + 2.0 / 3.0) / 4.0) - 1.0).abs() < 0.1, "{mean}");
        assert!(PileSurface::new(&[], DVec3::Z, 2.0, 0.0).is_none());
    }

    #[test]
    fn piles_of_different_grains_are_alike_and_a_raised_one_is_not() {
        let coarse = PileSurface::new(&cone(40_000, 0.5, 0.0), DVec3::Z, 1.0, 0.0).unwrap();
        let fine = PileSurface::new(&cone(800_000, 0.2, 0.0), DVec3::Z, 1.0, 0.0).unwrap();
        assert_eq!(coarse.difference(&coarse), SurfaceDifference { profile: 0.0, profile_worst: 0.0, squares: 0.0 });
        let found = coarse.difference(&fine);
        assert!(found.profile < 0.4 && found.profile_worst < 0.6 && found.squares < 0.6, "{found:?}");
        assert!((fine.radius(DVec2::ZERO) - 19.0).abs() < 0.7, "{}", fine.radius(DVec2::ZERO));
        assert!((fine.top() - 10.0).abs() < 0.5, "{}", fine.top());
        // Raised by two diameters, whichever way up is.
        let raised = cone(800_000, 0.2, 2.0);
        let found = PileSurface::new(&raised, DVec3::Z, 1.0, 0.0).unwrap().difference(&fine);
        assert!((found.profile - 2.0).abs() < 0.3 && (found.squares - 2.0).abs() < 0.3, "{found:?}");
        let turned: Vec<Ball> = raised
            .iter()
            .map(|ball| Ball { centre: DVec3::new(ball.centre.z, ball.centre.x, ball.centre.y), ..*ball })
            .collect();
        let turned = PileSurface::new(&turned, DVec3::X, 1.0, 0.0).unwrap();
        assert!((turned.top() - 12.0).abs() < 0.5, "{}", turned.top());
    }

    #[test]
    fn what_rolled_away_is_not_part_of_the_profile() {
        let mut balls = cone(40_000, 0.5, 0.0);
        let rings = PileSurface::new(&balls, DVec3::Z, 1.0, 0.0).unwrap().profile(DVec2::ZERO).len();
        balls.extend(single([DVec3::new(5e3, 0.0, 0.5)], 0.5));
        let strayed = PileSurface::new(&balls, DVec3::Z, 1.0, 0.0).unwrap();
        assert_eq!(strayed.profile(DVec2::ZERO).len(), rings);
    }
}
