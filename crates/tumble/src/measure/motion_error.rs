//! How different bodies move in two runs of the same scene, frame by frame: the error measure of
//! Hsu & Keyser 2010, section 4.2.4.
//!
//! Reads frames of both runs in pairs, keeps two frames of each. With x the place of body i in
//! frame j of the run that counts as right, x̃ in the other, m = x(j+1) − x(j) and m̃ likewise, the
//! absolute error is E = |m − m̃| and the relative one e = |m − m̃| / |m|; both are averaged over
//! bodies, and over frames for a table.
//!
//! Printed as "/m", the denominator is the length |m|, and the paper itself notes that e is no
//! measure near rest, where it divides by zero. Here it is max(|m|, floor · radius), see
//! [`MotionError::FLOOR`].

use glam::DVec3;

use super::drift::{matched, place, radius};
use crate::frame::{Frame, FrameBody};
use crate::world::BodyId;

/// The error between two runs, over pairs of frames.
#[derive(Clone, Debug)]
pub struct MotionError {
    floor: f64,
    radius_of: Vec<f64>,
    before: Option<Vec<Both>>,
    sum: ErrorMean,
}

/// A body that is in both runs.
#[derive(Clone, Copy, Debug)]
struct Both {
    body: BodyId,
    right: DVec3,
    other: DVec3,
}

/// The error of the motion from the frame before to this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameError {
    /// Number of the frame that the motion leads to, in the run that counts as right.
    pub frame: i64,
    /// Bodies that are in this frame and the one before, in both runs.
    pub bodies: usize,
    /// Bodies that are in some of the four frames only; they are left out.
    pub left_out: usize,
    /// Mean absolute error \[m\] per frame; zero without bodies.
    pub absolute: f64,
    /// Mean relative error \[-\]; zero without bodies.
    pub relative: f64,
}

/// The error of a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorMean {
    /// Frames with at least one body to compare.
    pub frames: usize,
    /// Mean of the frames' absolute errors \[m\].
    pub absolute: f64,
    /// Mean of the frames' relative errors \[-\], as in the paper's table 1.
    pub relative: f64,
}

impl MotionError {
    /// The usual floor, in radii per frame: a body drawn with a radius of 50 pixels moves half a
    /// pixel. Slower motion is not seen, and in single precision, for small bodies far from the
    /// origin, it is rounding.
    pub const FLOOR: f64 = 0.01;

    /// No frames yet. `floor` is the motion, in the body's own radii per frame, below which errors
    /// are compared with the floor and not with the motion; `radius_of` has one entry per shape:
    /// the radius of a body of size one \[m\].
    pub fn new(floor: f64, radius_of: &[f64]) -> Self {
        Self { floor, radius_of: radius_of.to_vec(), before: None, sum: ErrorMean::default() }
    }

    /// Takes the same frame of both runs; from the second pair on says how different the motion to
    /// it was.
    pub fn push(&mut self, right: &Frame, other: &Frame) -> Option<FrameError> {
        let mut left_out = 0;
        let mut absolute = 0.0;
        let mut relative = 0.0;
        let mut bodies = 0;
        let mut now = Vec::with_capacity(right.bodies.len());
        let before = self.before.take();
        let mut old = before.as_deref().unwrap_or(&[]).iter().peekable();
        for (a, b) in matched(&right.bodies, &other.bodies) {
            let Some(body) = a.or(b).map(|body| body.id) else { continue };
            // Bodies that were there before and are gone from both runs.
            while old.next_if(|before| before.body < body).is_some() {
                left_out += 1;
            }
            let before = old.next_if(|before| before.body == body);
            let Some(((a, b), least)) = a.zip(b).and_then(|(a, b)| Some(((a, b), self.least(a)?))) else {
                left_out += 1;
                continue;
            };
            let both = Both { body, right: place(a), other: place(b) };
            now.push(both);
            let Some(before) = before else {
                left_out += 1;
                continue;
            };
            let motion = both.right - before.right;
            let error = (motion - (both.other - before.other)).length();
            if !error.is_finite() {
                left_out += 1;
                continue;
            }
            bodies += 1;
            absolute += error;
            // No error is no error, also where the floor is zero and nothing moves.
            relative += if error > 0.0 { error / motion.length().max(least) } else { 0.0 };
        }
        left_out += old.count();
        self.before = Some(now);
        before?;
        let count = bodies.max(1) as f64;
        let error = FrameError {
            frame: right.number,
            bodies,
            left_out,
            absolute: absolute / count,
            relative: relative / count,
        };
        if bodies > 0 {
            self.sum.frames += 1;
            self.sum.absolute += error.absolute;
            self.sum.relative += error.relative;
        }
        Some(error)
    }

    /// The mean over all frames so far.
    pub fn mean(&self) -> ErrorMean {
        let count = self.sum.frames.max(1) as f64;
        ErrorMean { absolute: self.sum.absolute / count, relative: self.sum.relative / count, ..self.sum }
    }

    /// The least length that an error is compared with \[m\].
    fn least(&self, body: &FrameBody) -> Option<f64> {
        Some(self.floor * radius(body, &self.radius_of)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ball::tests::{body, frame};
    use super::*;
    use crate::world::ShapeId;

    /// Bodies on a line, each moving by `motion` per frame.
    fn run(count: u64, motion: DVec3, frames: usize) -> Vec<Frame> {
        let at = |j: usize| (0..count).map(|n| body(n, n as f64 * DVec3::Y + j as f64 * motion)).collect();
        (0..frames).map(|j| Frame { number: j as i64, ..frame(at(j)) }).collect()
    }

    #[test]
    fn identical_runs_have_no_error() {
        let mut error = MotionError::new(0.0, &[1.0]);
        for frame in run(5, DVec3::ZERO, 3).iter().chain(&run(5, DVec3::X, 3)) {
            error.push(frame, frame);
        }
        assert_eq!(error.mean(), ErrorMean { frames: 5, absolute: 0.0, relative: 0.0 });
    }

    #[test]
    fn known_motion_gives_the_closed_form() {
        // m = (0.5, 0, 0) and m̃ = (0.5, 0.25, 0): E = 0.25 and e = 0.25 / 0.5. All numbers are
        // exact in single precision.
        let (right, other) = (run(4, DVec3::new(0.5, 0.0, 0.0), 5), run(4, DVec3::new(0.5, 0.25, 0.0), 5));
        let mut error = MotionError::new(MotionError::FLOOR, &[1.0]);
        let errors: Vec<_> = right.iter().zip(&other).map(|(a, b)| error.push(a, b)).collect();
        assert_eq!(errors[0], None);
        let expected = FrameError { frame: 1, bodies: 4, left_out: 0, absolute: 0.25, relative: 0.5 };
        assert_eq!(errors[1], Some(expected));
        assert_eq!(error.mean(), ErrorMean { frames: 4, absolute: 0.25, relative: 0.5 });
    }

    #[test]
    fn at_rest_the_floor_is_the_measure() {
        // At rest in one run, 0.125 per frame in the other; floor 0.25 of a radius of 2: e = 0.125
        // / 0.5.
        let (right, other) = (run(3, DVec3::ZERO, 2), run(3, 0.125 * DVec3::X, 2));
        let mut error = MotionError::new(0.25, &[2.0]);
        error.push(&right[0], &other[0]);
        let found = error.push(&right[1], &other[1]).unwrap();
        assert_eq!((found.absolute, found.relative), (0.125, 0.25));
    }

    #[test]
    fn bodies_that_are_not_in_all_four_frames_are_left_out() {
        let (mut right, mut other) = (run(6, DVec3::X, 2), run(6, DVec3::ZERO, 2));
        right[0].bodies.remove(0); // Body 0 is born in between.
        other[1].bodies.remove(3); // Body 3 is gone from one run.
        right[1].bodies.remove(5); // Body 5 is gone from the other, and is the last.
        // The shape in the run that counts as right is the one that is used.
        other[1].bodies[1].shape = ShapeId(7);
        let mut error = MotionError::new(0.0, &[1.0]);
        error.push(&right[0], &other[0]);
        let found = error.push(&right[1], &other[1]).unwrap();
        assert_eq!((found.bodies, found.relative), (3, 1.0));
        assert_eq!(found.left_out, 3);
        let none = error.push(&Frame::default(), &Frame::default()).unwrap();
        assert_eq!((none.bodies, none.left_out, error.mean().frames), (0, 4, 1));
    }
}
