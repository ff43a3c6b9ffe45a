//! How evenly bodies run through an outlet.
//!
//! Reads, for every frame, how many bodies have passed the outlet of the scene's hopper or the neck
//! of its hourglass. What is above falls in at first and trickles at last; the flow itself is in
//! between, so the measure takes the time in which the middle three fifths of the bodies pass, and
//! looks at the rate in parts of it.

use tumble_scene::Scene;

use crate::measures::up_in;

/// Parts of all bodies that have passed when the middle of the flow begins and ends.
const BEGIN: f64 = 0.2;
const END: f64 = 0.8;
/// Windows into which this time is divided: at most so many, none shorter than a frame, and at
/// least so many.
const MOST_WINDOWS: usize = 10;
const LEAST_WINDOWS: usize = 3;
/// Fewer bodies make no flow that one could speak of.
const LEAST_BODIES: u64 = 60;

/// Number of bodies that have passed the scene's outlet: those whose centre is lower than its
/// middle, and those that have left the world. None if the scene has no outlet.
pub(crate) fn passed(scene: &Scene) -> Option<u64> {
    let Scene { spec, simulation, .. } = scene;
    // The ground comes before all other obstacles.
    let number = spec.outlet()? + usize::from(spec.ground.is_some());
    let world = simulation.world();
    let outlet = world.obstacles.get(number)?.pose.position;
    let up = up_in(simulation);
    let is_below = |row: &usize| (world.bodies.pose[*row].position - outlet).dot(up) < 0.0;
    let below = (0..world.bodies.len()).filter(is_below).count() as u64;
    Some(below + simulation.counts().removed)
}

/// The spread of the rate: the standard deviation of the rate over windows of equal length, over
/// its mean \[-\]. `passed` is the number of bodies after each frame, `frames` how many frames
/// there are.
pub(crate) fn rate_spread(passed: &[u64], frames: usize) -> Result<f64, String> {
    if passed.len() != frames {
        return Err("the run was begun by a tumble that did not count what runs through".into());
    }
    let since = |frame: usize| passed[frame] as f64 - passed[0] as f64;
    let all = since(passed.len() - 1);
    if all < LEAST_BODIES as f64 {
        return Err(format!("{all} bodies ran through the outlet, {LEAST_BODIES} are needed"));
    }
    // The moment, in frames since the first, when a number of bodies have passed. It is there: the
    // last frame has all of them.
    let moment = |part: f64| {
        let after = (1..passed.len()).find(|frame| since(*frame) >= part * all).unwrap_or(passed.len() - 1);
        let before = since(after - 1);
        (after - 1) as f64 + (part * all - before) / (since(after) - before)
    };
    let [begin, end] = [BEGIN, END].map(moment);
    let windows = ((end - begin) as usize).min(MOST_WINDOWS);
    if windows < LEAST_WINDOWS {
        let took = end - begin;
        return Err(format!("the middle of the flow took {took:.1} frames, {LEAST_WINDOWS} are needed"));
    }
    let at = |time: f64| {
        let frame = (time as usize).min(passed.len() - 2);
        since(frame) + (time - frame as f64) * (since(frame + 1) - since(frame))
    };
    let edge = |window: usize| at(begin + (end - begin) * window as f64 / windows as f64);
    let rates: Vec<f64> = (0..windows).map(|window| edge(window + 1) - edge(window)).collect();
    let mean = rates.iter().sum::<f64>() / windows as f64;
    let square: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
    Ok((square / windows as f64).sqrt() / mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_flow_has_no_spread() {
        // It begins and ends slowly, which does not count.
        let rates = [[0, 5, 10].as_slice(), &[25; 40], &[10, 5, 0]].concat();
        let passed: Vec<u64> = rates
            .iter()
            .scan(7, |sum, rate| {
                *sum += rate;
                Some(*sum)
            })
            .collect();
        assert!(rate_spread(&passed, passed.len()).unwrap() < 1e-12);
    }

    #[test]
    fn a_rate_that_falls_has_the_spread_of_its_windows() {
        // The rate falls from 300 to 100 per frame in steps of two frames, ten for 20 to 80 %; the
        // standard deviation of ten even steps is 2.8723 steps.
        let rate = |frame: u64| 300 - frame / 2 * 20;
        let middle: u64 = (0..20).map(rate).sum();
        let ends = middle / 3;
        let mut passed = vec![0, ends];
        (0..20).for_each(|frame| passed.push(passed[frame as usize + 1] + rate(frame)));
        passed.push(passed[21] + ends);
        let spread = rate_spread(&passed, passed.len()).unwrap();
        let expected = 20.0 * 8.25f64.sqrt() / (middle as f64 / 20.0);
        assert!((spread - expected).abs() < 0.01 * expected, "{spread}, expected {expected}");
    }

    #[test]
    fn a_flow_that_stops_in_between_has_a_large_spread() {
        let passed: Vec<u64> = [0, 20, 40, 60, 60, 60, 60, 60, 60, 80, 100, 120].to_vec();
        assert!(rate_spread(&passed, passed.len()).unwrap() > 0.5);
    }

    #[test]
    fn it_says_why_there_is_no_rate() {
        let why = |passed: &[u64], frames: usize| rate_spread(passed, frames).unwrap_err();
        assert!(why(&[], 3).contains("did not count"));
        assert!(why(&[0, 100, 200], 9).contains("did not count"));
        assert_eq!(why(&[5, 10, 20], 3), "15 bodies ran through the outlet, 60 are needed");
        assert_eq!(why(&[0, 100, 200], 3), "the middle of the flow took 1.2 frames, 3 are needed");
        assert_eq!(why(&[0], 1), "0 bodies ran through the outlet, 60 are needed");
    }
}
