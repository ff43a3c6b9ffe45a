//! A contact: two pieces, the points where they touch, and what it remembers from step to step.
//!
//! Points are kept in the axes of both bodies. As long as the bodies have hardly moved against each other the same points serve
//! again, with new gaps; that is most of the time in a pile, and far cheaper than finding them.

use glam::{DVec3, Mat3, Vec3};

use super::narrow::MOST_POINTS;
use crate::geometry::{Piece, Touches};
use crate::world::Pose;

/// How far two bodies may tilt against each other before the points no longer tell how deep they are \[rad\].
const FAR_TILT: f32 = 0.05;

/// A point of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    /// Where it is on each body, from its centre in its own axes \[m\].
    pub(crate) on_a: Vec3,
    pub(crate) on_b: Vec3,
    /// Which features of the pieces meet.
    pub(crate) feature: u32,
    /// Impulse along the normal in the last substep \[N·s\].
    pub(crate) push: f32,
}

/// Two pieces that touch or nearly do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contact {
    /// Row of the first body.
    pub(crate) a: u32,
    /// Row of the second, which is larger, or an obstacle: see [`Other`].
    pub(crate) b: Other,
    /// Numbers of the pieces.
    pub(crate) pieces: [u32; 2],
    /// From the first to the second, in the axes of both. Without points, a direction along which the pieces are apart.
    pub(crate) normal_a: Vec3,
    pub(crate) normal_b: Vec3,
    /// How many of the points there are.
    pub(crate) count: u32,
    pub(crate) points: [Point; MOST_POINTS],
    /// Impulse of friction on the second body in the last substep \[N·s\].
    pub(crate) rub: Vec3,
    /// Angular impulse on the second body in the last substep: of friction about the normal and of rolling resistance across it \[N·m·s\].
    pub(crate) turn: Vec3,
    /// Whether the two are so deep in each other that they are moved apart, not pushed.
    pub(crate) is_deep: bool,
    /// How far the second body comes from where it is now, against the first, until they meet where the points are \[m\]: zero for all but
    /// those that fly past each other in this step. Not part of the state: found anew when a step begins.
    pub(super) ahead: Vec3,
    /// Where it is solved: group and lane. Written by grouping.
    pub(crate) seat: u32,
}

/// What a body touches: the row of another one, or the number of an obstacle after all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Other(u32);

const OBSTACLE: u32 = 1 << 31;

impl Other {
    pub(crate) fn body(row: u32) -> Self {
        Self(row)
    }

    pub(crate) fn obstacle(number: u32) -> Self {
        Self(OBSTACLE | number)
    }

    /// The row, if it is a body.
    #[inline(always)]
    pub(crate) fn row(self) -> Option<u32> {
        (self.0 & OBSTACLE == 0).then_some(self.0)
    }

    /// The row of a body or else the number of an obstacle.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        (self.0 & !OBSTACLE) as usize
    }
}

/// Where something is, as contacts need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) centre: DVec3,
    pub(super) turn: Mat3,
}

/// A contact at the present places of its bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// From the first to the second.
    pub(super) normal: Vec3,
    /// From the centres of both bodies to the middle between their points.
    pub(super) levers: [[Vec3; 2]; MOST_POINTS],
    /// From point to point along the normal; negative where they overlap \[m\].
    pub(super) gaps: [f32; MOST_POINTS],
    /// From point to point along the surface, squared \[m²\].
    slips: [f32; MOST_POINTS],
}

impl Contact {
    /// A contact of which nothing is known yet.
    pub(super) fn new(a: u32, b: Other, pieces: [u32; 2]) -> Self {
        Self {
            a,
            b,
            pieces,
            normal_a: Vec3::ZERO,
            normal_b: Vec3::ZERO,
            count: 0,
            points: [Point::default(); MOST_POINTS],
            rub: Vec3::ZERO,
            turn: Vec3::ZERO,
            is_deep: false,
            ahead: Vec3::ZERO,
            seat: u32::MAX,
        }
    }

    /// The normal in the axes of the first piece.
    pub(super) fn hint(&self, piece: &Pose, a: &Pose) -> DVec3 {
        piece.orientation.conjugate() * (a.orientation * self.normal_a.as_dvec3())
    }

    /// Whether any of its points had a normal impulse in the last substep.
    pub(super) fn is_pushing(&self) -> bool {
        self.points[..self.count as usize].iter().any(|point| point.push > 0.0)
    }

    /// Whether there is anything to remember.
    pub(super) fn is_known(&self) -> bool {
        self.count > 0 || self.normal_a != Vec3::ZERO
    }

    /// What decides the order of the contacts of a body.
    pub(super) fn key(&self) -> (Other, [u32; 2]) {
        (self.b, self.pieces)
    }

    /// The same contact with its bodies in the other order.
    pub(super) fn swapped(mut self, a: u32, b: u32) -> Self {
        self.pieces.swap(0, 1);
        for point in &mut self.points {
            std::mem::swap(&mut point.on_a, &mut point.on_b);
        }
        (self.normal_a, self.normal_b) = (-self.normal_b, -self.normal_a);
        Self { a, b: Other::body(b), rub: -self.rub, turn: -self.turn, ..self }
    }

    /// The contact where its bodies are now.
    pub(super) fn see(&self, a: &Placed, b: &Placed) -> Seen {
        self.see_from(a, b, Vec3::ZERO)
    }

    /// The contact with the gaps of now and the levers of when its bodies meet.
    pub(super) fn foresee(&self, a: &Placed, b: &Placed) -> Seen {
        self.see_from(a, b, self.ahead)
    }

    #[inline(always)]
    fn see_from(&self, a: &Placed, b: &Placed, ahead: Vec3) -> Seen {
        let apart = (b.centre - a.centre).as_vec3();
        let normal = a.turn * self.normal_a;
        let (levers, none) = ([[Vec3::ZERO; 2]; MOST_POINTS], [0.0; MOST_POINTS]);
        let mut seen = Seen { normal, levers, gaps: none, slips: none };
        for (k, point) in self.points[..self.count as usize].iter().enumerate() {
            seen.levers[k] = [a.turn * point.on_a, b.turn * point.on_b];
            let between = apart + seen.levers[k][1] - seen.levers[k][0];
            seen.gaps[k] = between.dot(normal);
            seen.slips[k] = (between - seen.gaps[k] * normal).length_squared();
            // Impulses act at the same place for both bodies, half way between the two points: so
            // they keep angular momentum. An obstacle has none to keep, and the point of the body
            // is where the two will touch.
            let share = if self.b.row().is_some() { 0.5 } else { 0.0 };
            seen.levers[k][0] += share * (between + ahead);
            seen.levers[k][1] -= (1.0 - share) * (between + ahead);
        }
        seen
    }

    /// Whether the points still serve: they are less than `reach` \[m\] apart, slipped by less than
    /// `max_slip` \[m\], and the bodies tilted against each other by less than `max_tilt` \[rad\].
    pub(super) fn still_holds(&self, a: &Placed, b: &Placed, max_slip: f32, max_tilt: f32, reach: f32) -> bool {
        let tilt = (a.turn * self.normal_a).distance_squared(b.turn * self.normal_b);
        if self.count == 0 || tilt > max_tilt * max_tilt {
            return false;
        }
        let seen = self.see(a, b);
        (0..self.count as usize).all(|k| seen.slips[k] < max_slip * max_slip && seen.gaps[k] < reach)
    }

    /// Whether the boxes of both pieces are more than `reach` \[m\] apart along the direction that showed it before.
    pub(super) fn still_apart(&self, a: &Placed, b: &Placed, [piece_a, piece_b]: [&Piece; 2], reach: f32) -> bool {
        if self.count > 0 || self.normal_a == Vec3::ZERO {
            return false;
        }
        let normal = a.turn * self.normal_a;
        let from_b = b.turn.transpose() * -normal;
        let apart = (b.centre - a.centre).as_vec3().dot(normal);
        apart - piece_a.reach_along(self.normal_a) - piece_b.reach_along(from_b) > reach
    }

    /// How deep two bodies are in each other at points that have not slipped further than this \[m\]; zero if the bodies have turned so
    /// much since the points were found that these tell nothing.
    pub(super) fn depth(&self, a: &Placed, b: &Placed, slip: f32) -> f32 {
        if (a.turn * self.normal_a).distance_squared(b.turn * self.normal_b) > FAR_TILT * FAR_TILT {
            return 0.0;
        }
        let seen = self.see(a, b);
        let points = seen.gaps.iter().zip(&seen.slips).take(self.count as usize);
        points.filter(|(_, slipped)| **slipped < slip * slip).fold(0.0, |deepest, (gap, _)| deepest.max(-gap))
    }

    /// Takes over the points that were found in the axes of a piece that is at `piece`; both bodies are at `a` and `b`. Points that
    /// were there before keep their impulses.
    pub(super) fn take(&mut self, touches: &Touches, piece: &Pose, a: &Pose, b: &Pose) {
        let before = *self;
        let normal = piece.orientation * touches.normal;
        self.normal_a = (a.orientation.conjugate() * normal).as_vec3();
        self.normal_b = (b.orientation.conjugate() * normal).as_vec3();
        self.count = touches.points.len() as u32;
        if self.count == 0 {
            (self.rub, self.turn) = (Vec3::ZERO, Vec3::ZERO);
        }
        for (point, touch) in self.points.iter_mut().zip(&touches.points) {
            let old = before.points[..before.count as usize].iter().find(|old| old.feature == touch.feature);
            *point = Point {
                on_a: a.to_local(piece.to_world(touch.on_a)).as_vec3(),
                on_b: b.to_local(piece.to_world(touch.on_b)).as_vec3(),
                feature: touch.feature,
                push: old.map_or(0.0, |old| old.push),
            };
        }
    }
}
