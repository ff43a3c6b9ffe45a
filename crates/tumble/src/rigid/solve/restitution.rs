//! Restitution: contacts that are hit in a substep bounce at its end, before the next one begins.
//!
//! Hits so bounce in the order of time: in a row of balls each has its full speed when it meets the
//! next. Those of one substep bounce together, each with e times its own speed of approach
//! (Newton's law). Several at once, or with friction, that law can create energy (Kane's paradox).
//! So a contact gives back no more than the impulses of the substep took at it: the work of an
//! impulse p that changes the relative velocity from u to u' is p (u + u') / 2, and its sum is
//! never positive.
//!
//! Apart from the rest of solving, so that groups that nothing hits do not pay for it.

use glam::Mat3;

use super::group::{ContactGroup, GroupPoint, STATIC, work};
use super::inverse_mass::InverseMass;
use crate::rigid::lanes::{BodyState, FloatW, LANES, MotionW};
use crate::rigid::tree::BodySlice;

/// The most iterations over the points of a contact and its friction: they have to agree.
const MAX_ITERATIONS: usize = 4;

/// Points agree when impulses change by less than this part of the impulse that stops the hit.
const AGREEMENT: f32 = 1e-3;

/// A hit takes more than so many times the warm-start impulse of its point.
const MIN_HIT_OVER_LOAD: f32 = 2.0;

/// Rotation since the step began below which the inertia of a body is not updated \[rad\].
const MIN_ROTATION: f32 = 2e-3;

impl GroupPoint {
    /// Lanes in which it approached fast and had a normal impulse in this substep: points that only
    /// nearly touch do not bounce.
    #[inline(always)]
    fn was_hit(&self) -> FloatW {
        self.approach_velocity.simd_lt(FloatW::ZERO) & self.max_normal_impulse.simd_gt(FloatW::ZERO)
    }
}

impl ContactGroup {
    /// Whether any of its contacts is hit in this substep.
    pub(in crate::rigid) fn is_hit(&self) -> bool {
        self.is_hit
    }

    /// Finds the points whose normal velocity is below `threshold` \[m/s\] (negative) before any
    /// impulse of the substep: the warm-start impulses of neighbours answer forces, not hits.
    #[inline(never)]
    pub(super) fn find_hits(
        &mut self,
        bodies: &BodySlice<'_>,
        obstacles: &[BodyState],
        inverse_masses: &[InverseMass],
        threshold: FloatW,
    ) {
        let before = |rows: &[u32; LANES]| {
            let states = rows.map(|row| {
                if row < STATIC {
                    BodyState::of(&bodies.motions[row as usize - bodies.first])
                } else {
                    obstacles[(row & !STATIC) as usize]
                }
            });
            MotionW::of(states.each_ref())
        };
        let (a, b) = (before(&self.a), before(&self.b));
        (self.is_hit, self.work) = (false, FloatW::ZERO);
        for p in 0..self.count {
            let velocity = self.relative_velocity(&a, &b, self.points[p].anchor).dot(self.normal);
            let point = &mut self.points[p];
            // A point under a sudden load sinks until its impulse has grown to bear it, over some
            // substeps. That is no hit: to stop it takes less than its warm-start impulse, or it
            // was hit in the substep before.
            let load = FloatW::splat(MIN_HIT_OVER_LOAD) * point.normal_impulse;
            let is_new = (-point.normal_mass * velocity).simd_gt(load);
            let is_hit = velocity.simd_lt(threshold) & is_new & !point.was_hit();
            self.is_hit |= is_hit.any();
            point.approach_velocity = is_hit.bitselect(velocity, FloatW::ZERO);
            // A hit does not warm start.
            point.normal_impulse = is_hit.bitselect(FloatW::ZERO, point.normal_impulse);
            (point.max_normal_impulse, point.restitution_impulse) = (FloatW::ZERO, FloatW::ZERO);
        }
        if self.is_hit {
            self.update_inertia(bodies, inverse_masses);
        }
    }

    /// Rotates inverse inertias as bodies have turned since the step began. The impulses of a hit
    /// are large: with the inertia of the beginning they would change energy and angular momentum.
    fn update_inertia(&mut self, bodies: &BodySlice<'_>, inverse_masses: &[InverseMass]) {
        let mut any_turned = false;
        for (rows, inertia) in [(&self.a, &mut self.inverse_inertia_a), (&self.b, &mut self.inverse_inertia_b)] {
            for (lane, &row) in rows.iter().enumerate().filter(|(_, row)| **row < STATIC) {
                let rotation = bodies.states[row as usize - bodies.first].rotation();
                if rotation.xyz().length_squared() > 0.25 * MIN_ROTATION * MIN_ROTATION {
                    let rotation = Mat3::from_quat(rotation);
                    inertia.set(lane, &(rotation * inverse_masses[row as usize].inertia * rotation.transpose()));
                    any_turned = true;
                }
            }
        }
        if any_turned {
            self.update_masses();
        }
    }

    /// Applies restitution impulses to points that were hit, then friction against them, limited to
    /// μ times their sum with the normal impulses. Says whether that changed anything.
    #[inline(never)]
    pub(in crate::rigid) fn bounce(&mut self, bodies: &mut BodySlice<'_>, obstacles: &[BodyState]) -> bool {
        let (mut a, mut b) = self.motions(bodies, obstacles);
        for iteration in 0..MAX_ITERATIONS {
            let mut is_agreed = true;
            for p in 0..self.count {
                let point = self.points[p];
                let was_hit = point.was_hit();
                let velocity = self.relative_velocity(&a, &b, point.anchor).dot(self.normal);
                let wanted = -self.restitution * point.approach_velocity;
                let impulse = point.restitution_impulse + point.normal_mass * (wanted - velocity);
                let change = impulse.fast_max(FloatW::ZERO) - point.restitution_impulse;
                let change = change.fast_min(self.affordable_impulse(velocity, point.normal_mass));
                let change = was_hit.bitselect(change, FloatW::ZERO);
                let small = FloatW::splat(-AGREEMENT) * point.normal_mass * point.approach_velocity;
                is_agreed &= !(was_hit & change.abs().simd_gt(small)).any();
                self.apply(&mut a, &mut b, self.normal * change, point.anchor);
                self.points[p].restitution_impulse += change;
                self.work += work(change, velocity, point.normal_mass);
            }
            if is_agreed {
                if iteration > 0 {
                    self.write(bodies, a, b);
                }
                return iteration > 0;
            }
            let points = self.points[..self.count].iter();
            let total = points.fold(self.total_normal_impulse(), |sum, point| sum + point.restitution_impulse);
            self.solve_friction(&mut a, &mut b, total);
        }
        self.write(bodies, a, b);
        true
    }

    /// The largest impulse at points with these relative velocities that does no more work W than
    /// was taken: the larger root p of p u + p² / 2m = −W.
    #[inline(always)]
    fn affordable_impulse(&self, velocity: FloatW, mass: FloatW) -> FloatW {
        let taken = (-self.work).fast_max(FloatW::ZERO);
        let root = (mass * (mass * velocity * velocity + FloatW::splat(2.0) * taken)).sqrt();
        root - mass * velocity
    }

    /// Drops the normal impulses of hits from the warm start: they will not come again, and would
    /// add energy.
    #[inline(always)]
    pub(in crate::rigid) fn forget_hits(&mut self) {
        for point in &mut self.points[..self.count] {
            point.normal_impulse = point.was_hit().bitselect(FloatW::ZERO, point.normal_impulse);
        }
    }
}
