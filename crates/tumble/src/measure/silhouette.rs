//! How steep a heap looks from the side: the angle of its silhouette.
//!
//! Reads the balls of a heap at rest and the direction up. From each of several sides the outline
//! of all balls is measured by its width at several levels. The outline of a cone with the angle α
//! is a triangle, whose width falls by 2/tan α per metre of height, so a line through widths over
//! heights gives the angle.
//!
//! A ridge has its angle where it is seen along: a heap that is much longer than wide is viewed
//! only from there. Walls hide an outline: of a heap that rises over the rim of a box, only what is
//! above the rim is measured.
//!
//! Piles steer by the volumes of two bands of their heap, over squares of the plan and about an
//! axis. A silhouette uses none of these, and so can judge what a pile steered.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use super::ball::{diameters, typical_diameter, upright};
use super::cone::line;
use super::{Ball, NotAHeap};

/// Directions of view over half a circle: from behind, an outline is the same.
const VIEWS: usize = 12;
/// A heap that is so many times as long as it is wide is a ridge. It is seen along its length, and
/// to both sides of that by this angle \[rad\].
const RIDGE: f64 = 1.6;
const ASIDE: f64 = PI / 24.0;
/// Levels at which the width is measured.
const LEVELS: usize = 11;
/// Levels are between these parts of the height: the foot is flat and the top blunt.
const FOOT: f64 = 0.3;
const TOP: f64 = 0.8;
/// Bodies that rolled away lie around the foot up to this height, over the diameter of a body
/// \[-\]: two on top of each other.
const APRON: f64 = 2.0;
/// Between the lowest and the highest level there is at least this, over the diameter of a body
/// \[-\].
const LEAST_HEIGHT: f64 = 1.0;
/// Fewer bodies have no outline that one could speak of.
const LEAST_BODIES: usize = 60;
/// Samples of an outline for each radius of a ball, and the most in all: a body far away must not
/// take all memory.
const SAMPLES_PER_RADIUS: f64 = 2.0;
const MOST_SAMPLES: f64 = 1e5;

/// The silhouette of a heap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Silhouette {
    /// Mean slope of both sides, over all views \[rad\].
    pub angle: f64,
    /// Standard deviation over views \[rad\]; neighbouring views share bodies.
    pub spread: f64,
}

/// Measures the silhouette of a heap at rest, or says that it is too small or too low, or does not
/// get narrower upwards.
pub fn silhouette(balls: &[Ball], up: DVec3) -> Result<Silhouette, NotAHeap> {
    silhouette_above(balls, up, None)
}

/// The same of what rises above a rim at this height along up \[m\].
pub fn silhouette_above(balls: &[Ball], up: DVec3, rim: Option<f64>) -> Result<Silhouette, NotAHeap> {
    let diameters = diameters(balls);
    if diameters.len() < LEAST_BODIES {
        return Err(NotAHeap::TooFew { bodies: diameters.len(), needed: LEAST_BODIES });
    }
    let diameter = typical_diameter(&diameters);
    let balls = upright(balls, up);
    let lowest = balls.iter().map(|ball| ball.centre.z - ball.radius).fold(f64::INFINITY, f64::min);
    let base = rim.unwrap_or(lowest);
    let height = balls.iter().map(|ball| ball.centre.z + ball.radius - base).fold(0.0, f64::max);
    let apron = if rim.is_some() { 0.0 } else { APRON * diameter };
    let [low, high] = [(FOOT * height).max(apron), TOP * height].map(|level| base + level);
    let is_high = high - low > LEAST_HEIGHT * diameter;
    if !is_high {
        return Err(NotAHeap::Flat { height: height / diameter });
    }
    let seen: Vec<Ball> = balls.into_iter().filter(|ball| ball.centre.z + ball.radius > low).collect();
    let levels: Vec<f64> = (0..LEVELS).map(|k| low + (high - low) * k as f64 / (LEVELS - 1) as f64).collect();
    let angle = |across: DVec2| {
        let (outline, width) = outline(&seen, across);
        let wide = |level: f64| width * outline.iter().filter(|top| **top >= level).count() as f64;
        let widths: Vec<(f64, f64)> = levels.iter().map(|&level| (level, wide(level))).collect();
        let (fall, ..) = line(&widths);
        (fall < 0.0).then(|| (-2.0 / fall).atan())
    };
    let angles: Option<Vec<f64>> = views(&seen).into_iter().map(angle).collect();
    let angles = angles.ok_or(NotAHeap::NotNarrower)?;
    let mean = angles.iter().sum::<f64>() / angles.len() as f64;
    let square: f64 = angles.iter().map(|angle| (angle - mean).powi(2)).sum();
    Ok(Silhouette { angle: mean, spread: (square / angles.len() as f64).sqrt() })
}

/// Directions across the views of a heap: all around, or those across a ridge.
fn views(balls: &[Ball]) -> Vec<DVec2> {
    let middle = balls.iter().map(|ball| ball.centre.truncate()).sum::<DVec2>() / balls.len() as f64;
    let [xx, xy, yy] = balls.iter().fold([0.0; 3], |[xx, xy, yy], ball| {
        let away = ball.centre.truncate() - middle;
        [xx + away.x * away.x, xy + away.x * away.y, yy + away.y * away.y]
    });
    // Principal axes of the plan: variances along and across, and the direction along.
    let (mean, half) = (0.5 * (xx + yy), (0.25 * (xx - yy).powi(2) + xy * xy).sqrt());
    let along = 0.5 * (2.0 * xy).atan2(xx - yy);
    if mean + half > RIDGE * RIDGE * (mean - half) {
        return [-ASIDE, 0.0, ASIDE].map(|aside| DVec2::from_angle(along + 0.5 * PI + aside)).to_vec();
    }
    (0..VIEWS).map(|view| DVec2::from_angle(PI * view as f64 / VIEWS as f64)).collect()
}

/// Heights of the outline of all balls at even distances along a direction of the plan, and that
/// distance \[m\].
fn outline(balls: &[Ball], across: DVec2) -> (Vec<f64>, f64) {
    let at = |ball: &Ball| ball.centre.truncate().dot(across);
    let left = balls.iter().map(|ball| at(ball) - ball.radius).fold(f64::INFINITY, f64::min);
    let right = balls.iter().map(|ball| at(ball) + ball.radius).fold(f64::NEG_INFINITY, f64::max);
    let radius = balls.iter().map(|ball| ball.radius).sum::<f64>() / balls.len() as f64;
    let distance = (radius / SAMPLES_PER_RADIUS).max((right - left) / MOST_SAMPLES);
    let place = |sample: usize| left + (sample as f64 + 0.5) * distance;
    let mut outline = vec![f64::NEG_INFINITY; ((right - left) / distance).ceil() as usize];
    for ball in balls {
        let first = ((at(ball) - ball.radius - left) / distance).floor() as usize;
        let last = ((at(ball) + ball.radius - left) / distance).ceil() as usize;
        for (sample, top) in outline.iter_mut().enumerate().take(last).skip(first) {
            let square = ball.radius.powi(2) - (place(sample) - at(ball)).powi(2);
            if square >= 0.0 {
                *top = top.max(ball.centre.z + square.sqrt());
            }
        }
    }
    (outline, distance)
}

#[cfg(test)]
mod tests {
    use super::super::ball::tests::single;
    use super::super::coarse::tests::heap;
    use super::super::repose::tests::{cone, filled};
    use super::*;

    fn degrees_of(balls: &[Ball], up: DVec3) -> f64 {
        silhouette(balls, up).unwrap().angle.to_degrees()
    }

    #[test]
    fn cones_have_their_angles() {
        for (seed, degrees) in [15.0, 25.0, 35.0, 45.0, 60.0].into_iter().enumerate() {
            let found = degrees_of(&cone(seed as u64, 22.0, degrees, DVec2::new(3.0, -5.0)), DVec3::Z);
            println!("{degrees}°: {found:.2}°");
            assert!((found - degrees).abs() < 1.0, "{degrees}°: {found}°");
        }
    }

    /// Heaps of some hundred bodies with a fifth of them around the foot.
    #[test]
    fn small_heaps_have_their_angles() {
        for (count, allowed) in [(500, 3.5), (1000, 2.5)] {
            for degrees in [30.0, 40.0, 50.0, 60.0] {
                let found = (0..6).map(|seed| degrees_of(&heap(seed, degrees, count, 0.2), DVec3::Z) - degrees);
                let errors: Vec<f64> = found.collect();
                let mean = errors.iter().sum::<f64>() / errors.len() as f64;
                let worst = errors.iter().fold(0.0f64, |worst, error| worst.max(error.abs()));
                println!("{degrees}°, {count} bodies: {mean:+.2}° on average, {worst:.2}° at worst");
                assert!(mean.abs() < 0.6 * allowed && worst < allowed, "{degrees}°, {count} bodies: {errors:.1?}");
            }
        }
    }

    /// A ridge four times as long as it is wide, whose ends are half cones, along any direction.
    #[test]
    fn ridges_have_the_angle_of_their_sides() {
        for (seed, degrees) in [25.0f64, 40.0, 55.0].into_iter().enumerate() {
            let [reach, length] = [16.0, 48.0];
            let beside = |at: DVec2| DVec2::new((at.x.abs() - length).max(0.0), at.y).length();
            let height = |at: DVec2| degrees.to_radians().tan() * (reach - beside(at)).max(0.0);
            let ridge = filled(seed as u64, reach + length, reach * degrees.to_radians().tan(), height);
            let turn = DVec2::from_angle(0.7 * seed as f64);
            let turned =
                |ball: &Ball| Ball { centre: turn.rotate(ball.centre.truncate()).extend(ball.centre.z), ..*ball };
            let found = degrees_of(&ridge.iter().map(turned).collect::<Vec<_>>(), DVec3::Z);
            println!("{degrees}°: {found:.2}°");
            assert!((found - degrees).abs() < 1.5, "{degrees}°: {found}°");
        }
    }

    /// A cone over the rim of a box that is full below.
    #[test]
    fn a_heap_on_a_box_has_the_angle_of_what_is_above_its_rim() {
        for (seed, degrees) in [25.0f64, 40.0].into_iter().enumerate() {
            let slope = degrees.to_radians().tan();
            let height = |at: DVec2| if at.length() < 20.0 { 6.0 + slope * (20.0 - at.length()) } else { 0.0 };
            let heap = filled(seed as u64, 20.0, 6.0 + 20.0 * slope, height);
            let found = silhouette_above(&heap, DVec3::Z, Some(6.0)).unwrap().angle.to_degrees();
            let without = degrees_of(&heap, DVec3::Z);
            println!("{degrees}°: {found:.2}°, {without:.2}° without the rim");
            assert!((found - degrees).abs() < 1.5, "{degrees}°: {found}°");
        }
    }

    #[test]
    fn the_direction_of_up_does_not_matter() {
        let balls = cone(1, 20.0, 30.0, DVec2::new(1.0, 2.0));
        let turn = |ball: &Ball| Ball { centre: DVec3::new(ball.centre.x, ball.centre.z, -ball.centre.y), ..*ball };
        let lying: Vec<Ball> = balls.iter().map(turn).collect();
        let difference = degrees_of(&balls, DVec3::Z) - degrees_of(&lying, DVec3::Y);
        assert!(difference.abs() < 0.5, "{difference}");
    }

    #[test]
    fn what_has_no_sides_has_no_angle() {
        let too_few = |bodies| Err(NotAHeap::TooFew { bodies, needed: LEAST_BODIES });
        assert_eq!(silhouette(&[], DVec3::Z), too_few(0));
        assert_eq!(silhouette(&single([DVec3::ZERO; 20], 0.5), DVec3::Z), too_few(20));
        // A layer, a tower that is as wide at its top as at its foot or hardly less, and a cone
        // upside down.
        let layer = silhouette(&filled(1, 20.0, 0.2, |_| 1.0), DVec3::Z);
        assert!(matches!(layer, Err(NotAHeap::Flat { height }) if height < 3.0), "{layer:?}");
        let tower = silhouette(&filled(1, 4.0, 20.0, |_| 20.0), DVec3::Z);
        assert!(tower.is_ok_and(|tower| tower.angle.to_degrees() > 85.0) || tower == Err(NotAHeap::NotNarrower));
        let funnel = silhouette(&cone(1, 20.0, 30.0, DVec2::ZERO), -DVec3::Z);
        assert_eq!(funnel, Err(NotAHeap::NotNarrower));
    }

    #[test]
    fn a_body_far_away_takes_no_memory() {
        let mut balls = cone(2, 12.0, 30.0, DVec2::ZERO);
        balls.push(Ball { centre: DVec3::new(1e30, 0.0, 5.0), ..balls[0] });
        let _ = silhouette(&balls, DVec3::Z);
    }
}
