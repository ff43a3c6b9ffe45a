//! Puts contacts into the lanes of a group, and takes out what they are to remember.

use glam::Vec3;

use super::{Group, GroupPoint, LANES, Numbers, Resistance, Tensors, UNMOVED, Vectors};
use crate::rigid::contact::Seen;
use crate::rigid::narrow::MOST_POINTS;

/// Points that are higher than the lowest of their contact by this, over their distance from the
/// centre of the first body, do not bear yet: friction does not act there.
const BEARING: f32 = 0.005;

/// What a lane is filled with.
pub(in crate::rigid) struct Lane<'a> {
    pub(in crate::rigid) a: u32,
    pub(in crate::rigid) b: u32,
    pub(in crate::rigid) seen: &'a Seen,
    pub(in crate::rigid) pushes: [f32; MOST_POINTS],
    pub(in crate::rigid) count: usize,
    pub(in crate::rigid) rub: Vec3,
    pub(in crate::rigid) turn: Vec3,
    pub(in crate::rigid) resistance: [&'a Resistance; 2],
    pub(in crate::rigid) surfaces: Surfaces,
}

/// How two surfaces answer each other.
#[derive(Clone, Copy, Debug)]
pub(in crate::rigid) struct Surfaces {
    pub(in crate::rigid) friction: f32,
    /// Coefficient of rolling resistance.
    pub(in crate::rigid) rolling: f32,
    pub(in crate::rigid) restitution: f32,
    /// Radii with which they are round where they touch, zero if they are not \[m\].
    pub(in crate::rigid) round: [f32; 2],
    /// Radius that the smaller of both pieces has where it touches \[m\].
    pub(in crate::rigid) patch: f32,
    /// Largest speed out of an overlap \[m/s\].
    pub(in crate::rigid) fastest_out: f32,
    /// Whether one of the bodies is so deep in something that it is moved apart, not pushed.
    pub(in crate::rigid) is_deep: bool,
}

impl Surfaces {
    /// Largest torque about the normal over the push, where the points of a contact give it no arm:
    /// that of a round patch \[m\].
    fn twisting_arm(&self) -> f32 {
        self.rolling * self.patch
    }

    /// Largest torque of rolling resistance over the push: coefficient times effective radius \[m\].
    fn rolling_arm(&self) -> f32 {
        let [a, b] = self.round;
        let radius = if a > 0.0 && b > 0.0 { a * b / (a + b) } else { a.max(b) };
        self.rolling * radius
    }
}

impl Group {
    /// Without any contact; all lanes are of what stands still, which is after so many obstacles.
    pub(in crate::rigid) fn empty(obstacles: usize) -> Self {
        let still = UNMOVED | obstacles as u32;
        Self {
            a: [still; LANES],
            b: [still; LANES],
            inverse_mass_a: Numbers::ZERO,
            inverse_mass_b: Numbers::ZERO,
            inertia_a: Tensors::default(),
            inertia_b: Tensors::default(),
            normal: Vectors::default(),
            tangent: Vectors::default(),
            between: Vectors::default(),
            points: [GroupPoint::default(); MOST_POINTS],
            count: 0,
            warm: Numbers::ZERO,
            is_hit: false,
            work: Numbers::ZERO,
            middle: Vectors::default(),
            rub_mass: [Numbers::ZERO; 3],
            rub: [Numbers::ZERO; 2],
            twist_mass: Numbers::ZERO,
            twist: Numbers::ZERO,
            arm: Numbers::ZERO,
            twisting: Numbers::ZERO,
            round: [Numbers::ZERO; 2],
            is_round: false,
            rounded: Numbers::ZERO,
            rolling: Numbers::ZERO,
            roll: [Numbers::ZERO; 2],
            friction: Numbers::ZERO,
            restitution: Numbers::ZERO,
            fastest_out: Numbers::ZERO,
            fastest_apart: Numbers::ZERO,
            is_deep: false,
        }
    }

    /// Puts a contact into one lane. When all are full, [`Group::weigh`] must follow.
    pub(in crate::rigid) fn fill(&mut self, lane: usize, contact: &Lane<'_>) {
        let [of_a, of_b] = contact.resistance;
        let normal = contact.seen.normal;
        let t1 = normal.any_orthonormal_vector();
        let t2 = normal.cross(t1);
        self.a[lane] = contact.a;
        self.b[lane] = contact.b;
        self.inverse_mass_a.as_mut_array()[lane] = of_a.inverse_mass;
        self.inverse_mass_b.as_mut_array()[lane] = of_b.inverse_mass;
        self.inertia_a.set(lane, &of_a.inverse_inertia);
        self.inertia_b.set(lane, &of_b.inverse_inertia);
        self.normal.set(lane, normal);
        self.tangent.set(lane, t1);
        self.between.set(lane, contact.seen.levers[0][0] - contact.seen.levers[0][1]);
        self.count = self.count.max(contact.count);

        let count = contact.count;
        let surfaces = &contact.surfaces;
        let [round_a, round_b] = surfaces.round;
        for (p, point) in self.points.iter_mut().enumerate() {
            // A point that is not there has no mass, so it never gets an impulse; the mass of others comes when all lanes are full.
            let there = p < count;
            let levers = if there { contact.seen.levers[p] } else { [Vec3::ZERO; 2] };
            point.lever.set(lane, levers[0]);
            let gap = if there { contact.seen.gaps[p] - (levers[1] - levers[0]).dot(normal) } else { 0.0 };
            point.gap.as_mut_array()[lane] = gap;
            point.mass.as_mut_array()[lane] = if there { 1.0 } else { 0.0 };
            point.push.as_mut_array()[lane] = if there { contact.pushes[p] } else { 0.0 };
        }
        self.warm.as_mut_array()[lane] = contact.pushes[..count].iter().sum();
        let (middle, arm) = bearing(contact.seen, count);
        self.middle.set(lane, middle);
        self.arm.as_mut_array()[lane] = arm;
        self.twisting.as_mut_array()[lane] = surfaces.twisting_arm();
        self.rub[0].as_mut_array()[lane] = contact.rub.dot(t1);
        self.rub[1].as_mut_array()[lane] = contact.rub.dot(t2);
        self.twist.as_mut_array()[lane] = contact.turn.dot(normal);
        self.round[0].as_mut_array()[lane] = round_a;
        self.round[1].as_mut_array()[lane] = round_b;
        self.is_round |= round_a + round_b > 0.0;
        self.rolling.as_mut_array()[lane] = surfaces.rolling_arm();
        self.roll[0].as_mut_array()[lane] = contact.turn.dot(t1);
        self.roll[1].as_mut_array()[lane] = contact.turn.dot(t2);
        self.friction.as_mut_array()[lane] = surfaces.friction;
        self.restitution.as_mut_array()[lane] = surfaces.restitution;
        let [out, apart] = if surfaces.is_deep { [0.0, surfaces.fastest_out] } else { [surfaces.fastest_out, 0.0] };
        self.fastest_out.as_mut_array()[lane] = out;
        self.fastest_apart.as_mut_array()[lane] = apart;
        self.is_deep |= surfaces.is_deep;
    }

    /// Computes the effective masses of points that are there, of friction and of twisting, all
    /// lanes at once.
    pub(in crate::rigid) fn weigh(&mut self) {
        let (normal, t1) = (self.normal, self.tangent);
        let t2 = normal.cross(t1);
        // Kw for a lever r from the first body.
        let k = |lever: Vectors, w: Vectors| {
            let turn = |inertia: &Tensors, r: Vectors| inertia.times(r.cross(w)).cross(r);
            w * (self.inverse_mass_a + self.inverse_mass_b)
                + turn(&self.inertia_a, lever)
                + turn(&self.inertia_b, lever - self.between)
        };
        for p in 0..self.count {
            let point = &self.points[p];
            let there = point.mass.simd_gt(Numbers::ZERO);
            self.points[p].mass = there.bitselect(inverse(normal.dot(k(point.lever, normal))), Numbers::ZERO);
        }
        let (k1, k2) = (k(self.middle, t1), k(self.middle, t2));
        let (xx, xy, yy) = (t1.dot(k1), t1.dot(k2), t2.dot(k2));
        self.rub_mass = inverse_of([xx, xy, yy]);
        self.twist_mass = inverse(normal.dot(self.inertia_a.times(normal) + self.inertia_b.times(normal)));
    }

    /// What one lane's contact is to remember: pushes, friction, turning.
    pub(in crate::rigid) fn result(&self, lane: usize) -> ([f32; MOST_POINTS], Vec3, Vec3) {
        let pushes = self.points.map(|point| point.push.as_array()[lane]);
        let (normal, tangent) = (self.normal.get(lane), self.tangent.get(lane));
        let along = |[x, y]: [Numbers; 2]| x.as_array()[lane] * tangent + y.as_array()[lane] * normal.cross(tangent);
        (pushes, along(self.rub), self.twist.as_array()[lane] * normal + along(self.roll))
    }
}

/// The middle of the points of a contact that bear, and their mean distance from it \[m\]: each
/// counts the less the higher it is.
fn bearing(seen: &Seen, count: usize) -> (Vec3, f32) {
    let lowest = seen.gaps[..count].iter().copied().fold(f32::INFINITY, f32::min);
    let slack = BEARING * seen.levers[..count].iter().map(|lever| lever[0].length()).fold(0.0, f32::max);
    let weights: [f32; MOST_POINTS] = std::array::from_fn(|k| {
        if k < count { (1.0 - (seen.gaps[k] - lowest) / slack.max(f32::MIN_POSITIVE)).max(0.0) } else { 0.0 }
    });
    let share = 1.0 / weights.iter().sum::<f32>();
    let points = || weights.iter().zip(&seen.levers);
    let middle = share * points().map(|(weight, lever)| *weight * lever[0]).sum::<Vec3>();
    (middle, share * points().map(|(weight, lever)| weight * lever[0].distance(middle)).sum::<f32>())
}

/// The inverses of symmetric matrices [xx, xy, yy], or zero where they have none. Each is scaled
/// first: products of what small bodies have would leave the range of single precision.
pub(super) fn inverse_of([xx, xy, yy]: [Numbers; 3]) -> [Numbers; 3] {
    let size = inverse(xx + yy);
    let (xx, xy, yy) = (xx * size, xy * size, yy * size);
    let scale = size * inverse(xx * yy - xy * xy);
    [yy * scale, -xy * scale, xx * scale]
}

/// One over numbers, or zero where they are.
pub(super) fn inverse(numbers: Numbers) -> Numbers {
    let there = numbers.simd_gt(Numbers::ZERO);
    there.bitselect(Numbers::ONE / numbers.fast_max(Numbers::splat(f32::MIN_POSITIVE)), Numbers::ZERO)
}
