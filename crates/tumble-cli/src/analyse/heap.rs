//! The heap at the end of a run in numbers, for the studies that look at it.

use std::convert::Infallible;

use glam::DVec3;
use tumble::Frame;
use tumble::measure::{Ball, packing, repose};
use tumble_run::{Forms, header, up_in};
use tumble_scene::Scene;

use super::study::{Study, VariantEnd};
use super::vary::Variant;
use crate::Failure;

/// Part of the volume that lies within the width of a heap: a few grains that rolled away do not
/// make it wide.
const WITHIN: f64 = 0.9;

/// A heap in numbers.
pub(super) struct HeapFigures {
    /// Bodies of the heap: those that touch something.
    pub(super) bodies: usize,
    /// Height from their lowest to their highest point \[m\].
    pub(super) height: f64,
    /// Twice the distance from the middle within which most of the volume lies \[m\].
    pub(super) width: f64,
    /// Angle of repose \[°\]; NaN if it has none.
    pub(super) angle: f64,
    /// Packing fraction inside \[-\]; NaN if the heap is too small or its bodies are solids.
    pub(super) packing: f64,
}

impl HeapFigures {
    /// Runs a variant of a study to its end. Gives the scene at the end, its heap without bodies
    /// above a height \[m\], and whether all of it has settled. None if there is no heap, which is
    /// noted, or the study was stopped, which ends all further runs at once.
    pub(super) fn of_run(
        study: &mut Study,
        variant: &Variant,
        below: Option<f64>,
    ) -> Result<Option<(Scene, Self, bool)>, Failure> {
        let mut scene = variant.load()?;
        let mut settled = false;
        let end = study.run(&variant.name, &mut scene, |_, report, _| {
            settled = report.settled;
            Ok(())
        })?;
        if end != VariantEnd::Whole {
            return Ok(None);
        }
        let heap = Self::of(&scene, below);
        if heap.is_none() {
            study.note(format!("{} has no pile at its end", variant.name));
        }
        Ok(heap.map(|heap| (scene, heap, settled)))
    }

    /// Measures the heap of a scene as it is now, without bodies above a height \[m\]; none if
    /// there is nothing.
    fn of(scene: &Scene, below: Option<f64>) -> Option<Self> {
        let up = up_in(&scene.simulation);
        let (header, meshes) = header::of(scene);
        let Ok(forms) = Forms::new(&header, |mesh| Ok::<_, Infallible>(meshes[mesh as usize].clone()));
        let mut frame = Frame::default();
        scene.simulation.show(&mut frame);
        let place = |position: [f32; 3]| DVec3::from_array(position.map(f64::from));
        frame.bodies.retain(|body| below.is_none_or(|below| place(body.position).dot(up) < below));
        let angle = repose(&forms.of_heap(&frame), up).map_or(f64::NAN, |found| found.angle.to_degrees());
        // A body that touches nothing is still on its way.
        if frame.bodies.iter().any(|body| body.contacts > 0) {
            frame.bodies.retain(|body| body.contacts > 0);
        }
        let [height, width] = extent(&forms.balls(&frame), up)?;
        let packing = packing(&forms.true_balls(&frame), up).map_or(f64::NAN, |found| found.fraction);
        Some(Self { bodies: frame.bodies.len(), height, width, angle, packing })
    }
}

/// Height and width of a pile \[m\].
fn extent(balls: &[Ball], up: DVec3) -> Option<[f64; 2]> {
    let volume = |ball: &Ball| ball.radius.powi(3);
    let whole: f64 = balls.iter().map(volume).sum();
    let middle = balls.iter().fold(DVec3::ZERO, |sum, ball| sum + volume(ball) * ball.centre) / whole;
    let top = balls.iter().map(|ball| ball.centre.dot(up) + ball.radius).reduce(f64::max)?;
    let bottom = balls.iter().map(|ball| ball.centre.dot(up) - ball.radius).reduce(f64::min)?;
    let mut places: Vec<(f64, f64)> =
        balls.iter().map(|ball| ((ball.centre - middle).reject_from(up).length(), volume(ball))).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut within = 0.0;
    let edge = places.iter().find(|(_, volume)| {
        within += volume;
        within >= WITHIN * whole
    });
    Some([top - bottom, 2.0 * edge.map_or(0.0, |(distance, _)| *distance)])
}

/// Mean and standard deviation of the values that are numbers; NaN if there are too few.
pub(super) fn mean_and_deviation(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    [mean, if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { f64::NAN }]
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use tumble::measure::Ball;
    use tumble::world::BodyId;

    use super::extent;

    #[test]
    fn a_pile_is_as_wide_as_most_of_it() {
        let ball =
            |n: u64, x: f64, z: f64| Ball { centre: DVec3::new(x, 0.0, z), radius: 0.5, body: BodyId::from_number(n) };
        // Eleven in a row, and one on the middle; nine tenths of the volume are those from -4 to 4
        // and the one on top.
        let mut balls: Vec<Ball> = (0..11).map(|n| ball(n, n as f64 - 5.0, 0.5)).collect();
        balls.push(ball(11, 0.0, 1.5));
        let [height, width] = extent(&balls, DVec3::Z).unwrap();
        assert!((height - 2.0).abs() < 1e-12 && (width - 10.0).abs() < 1e-12, "{height} {width}");
        balls.push(ball(12, 0.0, 2.5));
        balls.extend((13..22).map(|n| ball(n, 0.0, 0.5)));
        assert_eq!(extent(&balls, DVec3::Z).unwrap(), [3.0, 8.0]);
        assert!(extent(&[], DVec3::Z).is_none());
    }
}
