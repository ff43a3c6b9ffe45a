//! Fills the lanes of a group with contacts, computes effective masses, and reads impulses back.

use glam::Vec3;

use super::group::{ContactGroup, GroupPoint, STATIC, inverse, inverse_of};
use super::inverse_mass::InverseMass;
use crate::rigid::contact::ContactGeometry;
use crate::rigid::lanes::{FloatW, LANES, SymMat3W, Vec3W};
use crate::rigid::narrow::MAX_POINTS;

/// A point whose separation is larger than the smallest of its contact by this, over its distance
/// from the centre of A, does not bear yet: friction does not act there.
const BEARING_SLACK: f32 = 0.005;

/// A contact as it goes into a lane.
pub(in crate::rigid) struct LaneInput<'a> {
    /// Rows of bodies A and B, or [`STATIC`] indices.
    pub(in crate::rigid) a: u32,
    pub(in crate::rigid) b: u32,
    pub(in crate::rigid) geometry: &'a ContactGeometry,
    pub(in crate::rigid) count: usize,
    /// Impulses of the last substep (warm start) \[N·s, N·m·s\].
    pub(in crate::rigid) impulses: LaneImpulses,
    pub(in crate::rigid) inverse_masses: [&'a InverseMass; 2],
    pub(in crate::rigid) surfaces: SurfacePair,
}

/// Impulses of a contact on B, which it keeps from step to step.
#[derive(Clone, Copy, Debug)]
pub(in crate::rigid) struct LaneImpulses {
    /// Normal impulse of each point \[N·s\].
    pub(in crate::rigid) normal: [f32; MAX_POINTS],
    /// Friction impulse \[N·s\].
    pub(in crate::rigid) friction: Vec3,
    /// Angular impulse of twisting and rolling resistance \[N·m·s\].
    pub(in crate::rigid) angular: Vec3,
}

/// Coefficients of a contact of two surfaces.
#[derive(Clone, Copy, Debug)]
pub(in crate::rigid) struct SurfacePair {
    pub(in crate::rigid) friction: f32,
    /// Coefficient of rolling resistance.
    pub(in crate::rigid) rolling: f32,
    /// Coefficient of rolling resistance of a firm grip, over the bounding radius.
    pub(in crate::rigid) grip_rolling: f32,
    pub(in crate::rigid) restitution: f32,
    /// Radii of both pieces where they are round at the contact, zero where they are not \[m\].
    pub(in crate::rigid) round_radii: [f32; 2],
    /// Bounding radius of the smaller body \[m\].
    pub(in crate::rigid) patch_radius: f32,
    /// Largest speed at which overlap is pushed out \[m/s\].
    pub(in crate::rigid) max_push_speed: f32,
    /// Whether one of the bodies is deep in something, and so moved apart instead of pushed.
    pub(in crate::rigid) is_deep: bool,
}

impl SurfacePair {
    /// Largest torque about the normal over the normal force, where the points of a contact give it
    /// no arm: that of a round patch \[m\].
    fn twist_resistance(&self) -> f32 {
        self.rolling.max(self.grip_rolling) * self.patch_radius
    }

    /// Largest torque of rolling resistance over the normal force: coefficient times effective
    /// radius, or that of a firm grip, which pieces need not be round for \[m\].
    fn rolling_resistance(&self) -> f32 {
        let [a, b] = self.round_radii;
        let radius = if a > 0.0 && b > 0.0 { a * b / (a + b) } else { a.max(b) };
        (self.rolling * radius).max(self.grip_rolling * self.patch_radius)
    }
}

impl ContactGroup {
    /// A group without contacts: all lanes name the dummy state after so many obstacles.
    pub(in crate::rigid) fn empty(obstacles: usize) -> Self {
        let dummy = STATIC | obstacles as u32;
        Self {
            a: [dummy; LANES],
            b: [dummy; LANES],
            inverse_mass_a: FloatW::ZERO,
            inverse_mass_b: FloatW::ZERO,
            inverse_inertia_a: SymMat3W::default(),
            inverse_inertia_b: SymMat3W::default(),
            normal: Vec3W::default(),
            tangent: Vec3W::default(),
            centre_offset: Vec3W::default(),
            points: [GroupPoint::default(); MAX_POINTS],
            count: 0,
            warm_impulse: FloatW::ZERO,
            is_hit: false,
            work: FloatW::ZERO,
            friction_anchor: Vec3W::default(),
            tangent_mass: [FloatW::ZERO; 3],
            friction_impulse: [FloatW::ZERO; 2],
            twist_mass: FloatW::ZERO,
            twist_impulse: FloatW::ZERO,
            twist_radius: FloatW::ZERO,
            twist_resistance: FloatW::ZERO,
            round_radii: [FloatW::ZERO; 2],
            is_round: false,
            rolled_separation: FloatW::ZERO,
            rolling_resistance: FloatW::ZERO,
            rolling_impulse: [FloatW::ZERO; 2],
            friction: FloatW::ZERO,
            restitution: FloatW::ZERO,
            max_push_speed: FloatW::ZERO,
            max_deep_speed: FloatW::ZERO,
            is_deep: false,
        }
    }

    /// Puts a contact into one lane. When all are filled, [`ContactGroup::update_masses`] must
    /// follow.
    pub(in crate::rigid) fn fill(&mut self, lane: usize, contact: &LaneInput<'_>) {
        let ([of_a, of_b], geometry, count) = (contact.inverse_masses, contact.geometry, contact.count);
        let normal = geometry.normal;
        let t1 = normal.any_orthonormal_vector();
        let t2 = normal.cross(t1);
        // Bodies and frame.
        self.a[lane] = contact.a;
        self.b[lane] = contact.b;
        self.inverse_mass_a.as_mut_array()[lane] = of_a.mass;
        self.inverse_mass_b.as_mut_array()[lane] = of_b.mass;
        self.inverse_inertia_a.set(lane, &of_a.inertia);
        self.inverse_inertia_b.set(lane, &of_b.inertia);
        self.normal.set(lane, normal);
        self.tangent.set(lane, t1);
        self.centre_offset.set(lane, geometry.anchors[0][0] - geometry.anchors[0][1]);
        self.count = self.count.max(count);

        // Points. One that is not there has no mass, so it never gets an impulse; masses of others
        // come when all lanes are filled.
        let LaneImpulses { normal: normal_impulses, friction, angular } = contact.impulses;
        for (p, point) in self.points.iter_mut().enumerate() {
            let there = p < count;
            let [anchor_a, anchor_b] = if there { geometry.anchors[p] } else { [Vec3::ZERO; 2] };
            point.anchor.set(lane, anchor_a);
            let base = if there { geometry.separations[p] - (anchor_b - anchor_a).dot(normal) } else { 0.0 };
            point.base_separation.as_mut_array()[lane] = base;
            point.normal_mass.as_mut_array()[lane] = if there { 1.0 } else { 0.0 };
            point.normal_impulse.as_mut_array()[lane] = if there { normal_impulses[p] } else { 0.0 };
        }
        self.warm_impulse.as_mut_array()[lane] = normal_impulses[..count].iter().sum();

        // Friction, twisting and rolling.
        let surfaces = &contact.surfaces;
        let (friction_anchor, twist_radius) = bearing_middle(geometry, count);
        self.friction_anchor.set(lane, friction_anchor);
        self.twist_radius.as_mut_array()[lane] = twist_radius;
        self.twist_resistance.as_mut_array()[lane] = surfaces.twist_resistance();
        self.friction_impulse[0].as_mut_array()[lane] = friction.dot(t1);
        self.friction_impulse[1].as_mut_array()[lane] = friction.dot(t2);
        self.twist_impulse.as_mut_array()[lane] = angular.dot(normal);
        let [round_a, round_b] = surfaces.round_radii;
        self.round_radii[0].as_mut_array()[lane] = round_a;
        self.round_radii[1].as_mut_array()[lane] = round_b;
        self.is_round |= round_a + round_b > 0.0 || surfaces.grip_rolling > 0.0;
        self.rolling_resistance.as_mut_array()[lane] = surfaces.rolling_resistance();
        self.rolling_impulse[0].as_mut_array()[lane] = angular.dot(t1);
        self.rolling_impulse[1].as_mut_array()[lane] = angular.dot(t2);
        self.friction.as_mut_array()[lane] = surfaces.friction;
        self.restitution.as_mut_array()[lane] = surfaces.restitution;
        let speed = surfaces.max_push_speed;
        let [push, deep] = if surfaces.is_deep { [0.0, speed] } else { [speed, 0.0] };
        self.max_push_speed.as_mut_array()[lane] = push;
        self.max_deep_speed.as_mut_array()[lane] = deep;
        self.is_deep |= surfaces.is_deep;
    }

    /// Computes the effective masses of all points, of friction and of twisting.
    pub(in crate::rigid) fn update_masses(&mut self) {
        let (normal, t1) = (self.normal, self.tangent);
        let t2 = normal.cross(t1);
        // K w at an anchor.
        let k = |anchor: Vec3W, w: Vec3W| {
            let turned = |inertia: &SymMat3W, r: Vec3W| inertia.times(r.cross(w)).cross(r);
            w * (self.inverse_mass_a + self.inverse_mass_b)
                + turned(&self.inverse_inertia_a, anchor)
                + turned(&self.inverse_inertia_b, anchor - self.centre_offset)
        };
        for p in 0..self.count {
            let point = &self.points[p];
            let there = point.normal_mass.simd_gt(FloatW::ZERO);
            let mass = inverse(normal.dot(k(point.anchor, normal)));
            self.points[p].normal_mass = there.bitselect(mass, FloatW::ZERO);
        }
        let (k1, k2) = (k(self.friction_anchor, t1), k(self.friction_anchor, t2));
        self.tangent_mass = inverse_of([t1.dot(k1), t1.dot(k2), t2.dot(k2)]);
        let (twist_a, twist_b) = (self.inverse_inertia_a.times(normal), self.inverse_inertia_b.times(normal));
        self.twist_mass = inverse(normal.dot(twist_a + twist_b));
    }

    /// The impulses of one lane's contact.
    pub(in crate::rigid) fn impulses(&self, lane: usize) -> LaneImpulses {
        let (normal, tangent) = (self.normal.get(lane), self.tangent.get(lane));
        let along = |[x, y]: [FloatW; 2]| x.as_array()[lane] * tangent + y.as_array()[lane] * normal.cross(tangent);
        LaneImpulses {
            normal: self.points.map(|point| point.normal_impulse.as_array()[lane]),
            friction: along(self.friction_impulse),
            angular: self.twist_impulse.as_array()[lane] * normal + along(self.rolling_impulse),
        }
    }
}

/// The middle of the bearing points of a contact, from the centre of A, and their mean distance
/// from it \[m\]. A point counts the less the larger its separation is.
pub(in crate::rigid) fn bearing_middle(geometry: &ContactGeometry, count: usize) -> (Vec3, f32) {
    let smallest = geometry.separations[..count].iter().copied().fold(f32::INFINITY, f32::min);
    let slack = BEARING_SLACK * geometry.anchors[..count].iter().map(|anchor| anchor[0].length()).fold(0.0, f32::max);
    let weights: [f32; MAX_POINTS] = std::array::from_fn(|k| {
        let higher = geometry.separations[k] - smallest;
        if k < count { (1.0 - higher / slack.max(f32::MIN_POSITIVE)).max(0.0) } else { 0.0 }
    });
    let share = 1.0 / weights.iter().sum::<f32>();
    let points = || weights.iter().zip(&geometry.anchors);
    let middle = share * points().map(|(weight, anchor)| *weight * anchor[0]).sum::<Vec3>();
    (middle, share * points().map(|(weight, anchor)| weight * anchor[0].distance(middle)).sum::<f32>())
}
