//! A contact: two pieces, the points where they touch, and its impulses from step to step.
//!
//! Points are kept in the frames of both bodies. As long as the bodies have hardly moved against
//! each other the same points serve again, with new separations; that is most of the time in a
//! pile, and far cheaper than finding them.

use glam::{DVec3, Mat3, Vec3};

use super::narrow::MAX_POINTS;
use crate::geometry::{Manifold, Piece};
use crate::world::Pose;

/// Angle by which two bodies may tilt against each other before the points no longer tell how deep
/// they are \[rad\].
const MAX_DEPTH_TILT: f32 = 0.05;

/// Slip along the surface beyond which points no longer tell how deep bodies are, over the radius
/// of the smaller: the bodies have passed each other.
pub(super) const MAX_DEPTH_SLIP: f32 = 0.05;

/// A point of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AnchorPoint {
    /// The point on A, from the centre of A in A's frame \[m\].
    pub(crate) on_a: Vec3,
    /// The point on B, from the centre of B in B's frame \[m\].
    pub(crate) on_b: Vec3,
    /// Identifies the features of the pieces that meet, so that points are matched between steps.
    pub(crate) feature: u32,
    /// Normal impulse of the last substep \[N·s\].
    pub(crate) normal_impulse: f32,
}

/// Two pieces that touch or nearly do (a contact manifold).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contact {
    /// Row of body A.
    pub(crate) a: u32,
    /// Body B, whose row is larger, or an obstacle.
    pub(crate) b: Partner,
    /// Numbers of the pieces.
    pub(crate) pieces: [u32; 2],
    /// Contact normal from A to B, once in A's frame and once in B's. If `count` is 0, a separating
    /// axis.
    pub(crate) normal_a: Vec3,
    pub(crate) normal_b: Vec3,
    /// Number of points.
    pub(crate) count: u32,
    pub(crate) points: [AnchorPoint; MAX_POINTS],
    /// Friction impulse on B in the last substep \[N·s\].
    pub(crate) friction_impulse: Vec3,
    /// Angular impulse on B in the last substep: of friction about the normal and of rolling
    /// resistance about the tangents \[N·m·s\].
    pub(crate) angular_impulse: Vec3,
    /// Whether the bodies are so deep in each other that they are moved apart, not pushed.
    pub(crate) is_deep: bool,
    /// Translation of B relative to A until the predicted time of impact \[m\]; zero unless the
    /// pair needed conservative advancement. Not state: found anew in every step.
    pub(super) impact_offset: Vec3,
    /// Group times lanes per group plus lane, or `u32::MAX` if nothing of it moves. Written by
    /// grouping.
    pub(crate) lane: u32,
}

/// The partner of a body: the row of another body, or the number of an obstacle. Obstacles
/// come after all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Partner(u32);

const OBSTACLE_BIT: u32 = 1 << 31;

impl Partner {
    /// The body in a row.
    pub(crate) fn body(row: u32) -> Self {
        Self(row)
    }

    /// An obstacle.
    pub(crate) fn obstacle(number: u32) -> Self {
        Self(OBSTACLE_BIT | number)
    }

    /// The row, if it is a body.
    #[inline(always)]
    pub(crate) fn row(self) -> Option<u32> {
        (self.0 & OBSTACLE_BIT == 0).then_some(self.0)
    }

    /// The row of a body or else the number of an obstacle.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        (self.0 & !OBSTACLE_BIT) as usize
    }
}

/// The frame of a body or obstacle: an exact centre, and a rotation in single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyFrame {
    pub(super) centre: DVec3,
    pub(super) rotation: Mat3,
}

impl BodyFrame {
    /// The frame of a pose.
    pub(super) fn of(pose: &Pose) -> Self {
        Self { centre: pose.position, rotation: Mat3::from_quat(pose.orientation.as_quat()) }
    }
}

/// A contact at the present poses of its bodies, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactGeometry {
    /// Normal from A to B.
    pub(super) normal: Vec3,
    /// Anchors: from the centres of A and B to where impulses act \[m\].
    pub(super) anchors: [[Vec3; 2]; MAX_POINTS],
    /// Distance of the points along the normal; negative where they overlap \[m\].
    pub(super) separations: [f32; MAX_POINTS],
    /// Distance of the points along the surface, squared \[m²\].
    slips: [f32; MAX_POINTS],
}

impl Contact {
    /// A contact of which nothing is known yet.
    pub(super) fn new(a: u32, b: Partner, pieces: [u32; 2]) -> Self {
        Self {
            a,
            b,
            pieces,
            normal_a: Vec3::ZERO,
            normal_b: Vec3::ZERO,
            count: 0,
            points: [AnchorPoint::default(); MAX_POINTS],
            friction_impulse: Vec3::ZERO,
            angular_impulse: Vec3::ZERO,
            is_deep: false,
            impact_offset: Vec3::ZERO,
            lane: u32::MAX,
        }
    }

    /// The last normal in the frame of piece A, where the search for points begins.
    pub(super) fn normal_hint(&self, piece: &Pose, a: &Pose) -> DVec3 {
        piece.orientation.conjugate() * (a.orientation * self.normal_a.as_dvec3())
    }

    /// Whether any of its points had a normal impulse in the last substep.
    pub(super) fn is_pushing(&self) -> bool {
        self.points[..self.count as usize].iter().any(|point| point.normal_impulse > 0.0)
    }

    /// Whether it has points or a separating axis to keep.
    pub(super) fn is_known(&self) -> bool {
        self.count > 0 || self.normal_a != Vec3::ZERO
    }

    /// The order of the contacts of a body.
    pub(super) fn key(&self) -> (Partner, [u32; 2]) {
        (self.b, self.pieces)
    }

    /// The same contact with A and B exchanged.
    pub(super) fn swapped(mut self, a: u32, b: u32) -> Self {
        self.pieces.swap(0, 1);
        for point in &mut self.points {
            std::mem::swap(&mut point.on_a, &mut point.on_b);
        }
        (self.normal_a, self.normal_b) = (-self.normal_b, -self.normal_a);
        let (friction_impulse, angular_impulse) = (-self.friction_impulse, -self.angular_impulse);
        Self { a, b: Partner::body(b), friction_impulse, angular_impulse, ..self }
    }

    /// The contact where its bodies are now.
    pub(super) fn geometry(&self, a: &BodyFrame, b: &BodyFrame) -> ContactGeometry {
        self.geometry_with(a, b, Vec3::ZERO)
    }

    /// The contact with the separations of now and the anchors of the predicted impact.
    pub(super) fn geometry_at_impact(&self, a: &BodyFrame, b: &BodyFrame) -> ContactGeometry {
        self.geometry_with(a, b, self.impact_offset)
    }

    #[inline(always)]
    fn geometry_with(&self, a: &BodyFrame, b: &BodyFrame, impact_offset: Vec3) -> ContactGeometry {
        let between_centres = (b.centre - a.centre).as_vec3();
        let normal = a.rotation * self.normal_a;
        let (anchors, zeros) = ([[Vec3::ZERO; 2]; MAX_POINTS], [0.0; MAX_POINTS]);
        let mut geometry = ContactGeometry { normal, anchors, separations: zeros, slips: zeros };
        for (k, point) in self.points[..self.count as usize].iter().enumerate() {
            let (on_a, on_b) = (a.rotation * point.on_a, b.rotation * point.on_b);
            let between = between_centres + on_b - on_a;
            let separation = between.dot(normal);
            geometry.separations[k] = separation;
            geometry.slips[k] = (between - separation * normal).length_squared();
            // Impulses act at the same place for both bodies, half way between the two points: so
            // they conserve angular momentum. An obstacle has none to conserve, and the point of
            // the body is where the two will touch.
            let share = if self.b.row().is_some() { 0.5 } else { 0.0 };
            let between = between + impact_offset;
            geometry.anchors[k] = [on_a + share * between, on_b - (1.0 - share) * between];
        }
        geometry
    }

    /// Whether the points still serve: they are less than `reach` \[m\] apart, slipped by less than
    /// `max_slip` \[m\], and the bodies tilted against each other by less than `max_tilt` \[rad\].
    pub(super) fn still_holds(&self, a: &BodyFrame, b: &BodyFrame, max_slip: f32, max_tilt: f32, reach: f32) -> bool {
        if self.count == 0 || self.tilt_squared(a, b) > max_tilt * max_tilt {
            return false;
        }
        let geometry = self.geometry(a, b);
        let points = geometry.separations.iter().zip(&geometry.slips).take(self.count as usize);
        points.into_iter().all(|(separation, slip)| *slip < max_slip * max_slip && *separation < reach)
    }

    /// Whether the boxes of both pieces are more than `reach` \[m\] apart along the separating
    /// axis.
    pub(super) fn still_apart(&self, a: &BodyFrame, b: &BodyFrame, pieces: [&Piece; 2], reach: f32) -> bool {
        if self.count > 0 || self.normal_a == Vec3::ZERO {
            return false;
        }
        let [piece_a, piece_b] = pieces;
        let axis = a.rotation * self.normal_a;
        let axis_in_b = b.rotation.transpose() * -axis;
        let centres = (b.centre - a.centre).as_vec3().dot(axis);
        centres - piece_a.reach_along(self.normal_a) - piece_b.reach_along(axis_in_b) > reach
    }

    /// Square of the angle by which the bodies have tilted against each other since the points were
    /// found \[rad²\].
    fn tilt_squared(&self, a: &BodyFrame, b: &BodyFrame) -> f32 {
        (a.rotation * self.normal_a).distance_squared(b.rotation * self.normal_b)
    }

    /// Depth of the overlap \[m\] at points that have slipped by less than `max_slip`
    /// \[m\]; zero if the bodies have turned so much since the points were found that these tell
    /// nothing.
    pub(super) fn depth(&self, a: &BodyFrame, b: &BodyFrame, max_slip: f32) -> f32 {
        if self.tilt_squared(a, b) > MAX_DEPTH_TILT * MAX_DEPTH_TILT {
            return 0.0;
        }
        let geometry = self.geometry(a, b);
        let points = geometry.separations.iter().zip(&geometry.slips).take(self.count as usize);
        let valid = points.filter(|(_, slip)| **slip < max_slip * max_slip);
        valid.fold(0.0, |deepest, (separation, _)| deepest.max(-separation))
    }

    /// Takes over points that were found in the frame of a piece at pose `piece`, with the bodies
    /// at `a` and `b`. Points with the feature of an old one keep its impulse (warm start).
    pub(super) fn set_points(&mut self, touches: &Manifold, piece: &Pose, a: &Pose, b: &Pose) {
        let before = *self;
        let normal = piece.orientation * touches.normal;
        self.normal_a = (a.orientation.conjugate() * normal).as_vec3();
        self.normal_b = (b.orientation.conjugate() * normal).as_vec3();
        self.count = touches.points.len() as u32;
        if self.count == 0 {
            (self.friction_impulse, self.angular_impulse) = (Vec3::ZERO, Vec3::ZERO);
        }
        for (point, touch) in self.points.iter_mut().zip(&touches.points) {
            let old = before.points[..before.count as usize].iter().find(|old| old.feature == touch.feature);
            *point = AnchorPoint {
                on_a: a.to_local(piece.to_world(touch.on_a)).as_vec3(),
                on_b: b.to_local(piece.to_world(touch.on_b)).as_vec3(),
                feature: touch.feature,
                normal_impulse: old.map_or(0.0, |old| old.normal_impulse),
            };
        }
    }
}
