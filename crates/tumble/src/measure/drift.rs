//! How far bodies moved between two frames.
//!
//! Reads two frames, matches bodies by id. Used to ask whether a pile that rests really rests, and
//! how far two runs of the same scene are apart at the same time. Distances are also given relative
//! to the body's own radius, because a millimetre is nothing to a boulder and much to a grain of
//! sand.

use glam::DVec3;

use crate::frame::{Frame, FrameBody};
use crate::world::BodyId;

/// How far the bodies of one frame are from where they are in another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drift {
    /// Bodies that are in both frames.
    pub bodies: usize,
    /// Bodies that are in one of the frames only.
    pub unmatched: usize,
    /// Mean distance \[m\].
    pub mean: f64,
    /// Mean distance over the body's own radius \[-\].
    pub mean_relative: f64,
    /// The body that moved most, compared with its radius.
    pub worst: Option<Moved>,
}

/// How far one body moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The body.
    pub body: BodyId,
    /// How far its centre of mass moved \[m\].
    pub distance: f64,
    /// The same over its radius \[-\].
    pub relative: f64,
}

/// Compares two frames. `radius_of` has one entry per shape: the radius of a body of size one
/// \[m\]. Bodies without a finite place or a known positive radius count as unmatched.
pub fn drift(from: &Frame, to: &Frame, radius_of: &[f64]) -> Drift {
    let mut drift = Drift::default();
    for (a, b) in matched(&from.bodies, &to.bodies) {
        let moved = a.zip(b).and_then(|(a, b)| {
            let distance = (place(b) - place(a)).length();
            let relative = distance / radius(a, radius_of)?;
            relative.is_finite().then_some(Moved { body: a.id, distance, relative })
        });
        let Some(moved) = moved else {
            drift.unmatched += 1;
            continue;
        };
        drift.bodies += 1;
        drift.mean += moved.distance;
        drift.mean_relative += moved.relative;
        if drift.worst.is_none_or(|worst| moved.relative > worst.relative) {
            drift.worst = Some(moved);
        }
    }
    let count = drift.bodies.max(1) as f64;
    (drift.mean, drift.mean_relative) = (drift.mean / count, drift.mean_relative / count);
    drift
}

/// Centre of mass \[m\].
pub(super) fn place(body: &FrameBody) -> DVec3 {
    DVec3::from_array(body.position.map(f64::from))
}

/// Radius of a body \[m\], if its shape is known and the radius positive.
pub(super) fn radius(body: &FrameBody, radius_of: &[f64]) -> Option<f64> {
    let radius = f64::from(body.size) * radius_of.get(body.shape.index())?;
    (radius > 0.0).then_some(radius)
}

/// Bodies of two frames side by side, by id; frames list their bodies in the order of ids.
pub(super) fn matched<'a>(
    a: &'a [FrameBody],
    b: &'a [FrameBody],
) -> impl Iterator<Item = (Option<&'a FrameBody>, Option<&'a FrameBody>)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (None, None) => None,
        (Some(x), Some(y)) if x.id == y.id => Some((a.next(), b.next())),
        (Some(x), Some(y)) if x.id > y.id => Some((None, b.next())),
        (None, Some(_)) => Some((None, b.next())),
        (Some(_), _) => Some((a.next(), None)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::ball::tests::{body, frame};
    use super::*;

    #[test]
    fn distances_are_matched_by_id() {
        let mut large = body(2, DVec3::ZERO);
        large.size = 10.0;
        let from = frame(vec![body(0, DVec3::ZERO), body(1, DVec3::X), large]);
        let mut moved = large;
        moved.position = [0.0, 4.0, 0.0];
        let to = frame(vec![body(1, DVec3::X + 2.0 * DVec3::Z), moved, body(3, DVec3::ONE)]);
        let found = drift(&from, &to, &[0.5]);
        assert_eq!((found.bodies, found.unmatched), (2, 2));
        // Body 1 moved 2 m, four of its radii; body 2 moved 4 m, 0.8 of its own.
        assert_eq!((found.mean, found.mean_relative), (3.0, 2.4));
        assert_eq!(found.worst, Some(Moved { body: BodyId::from_number(1), distance: 2.0, relative: 4.0 }));
        assert_eq!(drift(&from, &from, &[0.5]).mean, 0.0);
    }

    #[test]
    fn nothing_in_common_is_no_motion() {
        let from = frame(vec![body(0, DVec3::ZERO), body(1, DVec3::NAN)]);
        let found = drift(&from, &frame(vec![body(1, DVec3::ZERO)]), &[0.5]);
        assert_eq!(found, Drift { unmatched: 2, ..Drift::default() });
        assert_eq!(drift(&from, &from, &[]).unmatched, 2);
    }
}
