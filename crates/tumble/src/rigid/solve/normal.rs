//! Normal impulses: warm start, solve with bias, relax.

use super::group::{ContactGroup, GroupPoint, clamp_length, inverse, work};
use super::inverse_mass::InverseMass;
use super::softness::Softness;
use crate::rigid::lanes::{BodyState, FloatW};
use crate::rigid::tree::BodySlice;

/// The largest growth of the warm-start impulse from one substep to the next, beyond
/// [`MAX_WARM_KICKS`].
const MAX_WARM_GROWTH: f32 = 4.0;

/// A warm-start impulse may always stop the reduced mass of its bodies after they have fallen for
/// so many substeps.
const MAX_WARM_KICKS: f32 = 4.0;

impl ContactGroup {
    /// Applies the impulses of the substep before, and finds the contacts that are hit in this one.
    /// Says whether any is.
    #[inline(always)]
    pub(in crate::rigid) fn warm_start(
        &mut self,
        bodies: &mut BodySlice<'_>,
        obstacles: &[BodyState],
        inverse_masses: &[InverseMass],
        softness: &Softness,
    ) -> bool {
        // Hits first, by the velocities before any impulse.
        let (mut a, mut b) = self.motions(bodies, obstacles);
        let threshold = FloatW::splat(-softness.restitution_threshold);
        let is_fast =
            |point: &GroupPoint| self.relative_velocity(&a, &b, point.anchor).dot(self.normal).simd_lt(threshold).any();
        if self.is_hit || self.points[..self.count].iter().any(is_fast) {
            self.find_hits(bodies, obstacles, inverse_masses, threshold);
        }

        // Normal impulses, limited to loads.
        self.limit_warm_start(softness.gravity_kick);
        let total = self.total_normal_impulse();
        for point in &self.points[..self.count] {
            self.apply(&mut a, &mut b, self.normal * point.normal_impulse, point.anchor);
        }
        self.warm_impulse = total;

        // Friction within the cone of the normal impulses that are left.
        self.friction_impulse = clamp_length(self.friction_impulse, self.friction * total);
        let limit = self.twist_limit(total);
        self.twist_impulse = self.twist_impulse.fast_max(-limit).fast_min(limit);
        self.apply(&mut a, &mut b, self.tangential(self.friction_impulse), self.friction_anchor);
        self.apply_angular(&mut a, &mut b, self.normal * self.twist_impulse);
        self.write(bodies, a, b);
        if self.is_round {
            self.warm_start_rolling(bodies, obstacles);
        }
        self.is_hit
    }

    /// Changes impulses until points neither approach nor slip. With `use_bias` overlap is pushed
    /// out; without it velocities are relaxed, and friction acts.
    #[inline(always)]
    pub(in crate::rigid) fn solve(
        &mut self,
        bodies: &mut BodySlice<'_>,
        obstacles: &[BodyState],
        softness: &Softness,
        use_bias: bool,
    ) {
        if self.is_round {
            self.update_rolled_separation(bodies, obstacles);
        }
        let (mut a, mut b) = self.motions(bodies, obstacles);
        let (moved_a, moved_b) = self.displacements(bodies, obstacles);
        let moved = (moved_b.displacement - moved_a.displacement).dot(self.normal) + self.rolled_separation;

        for p in 0..self.count {
            // Current separation.
            let point = self.points[p];
            let anchor_b = point.anchor - self.centre_offset;
            let turned = (moved_b.rotation.times(anchor_b) - moved_a.rotation.times(point.anchor)).dot(self.normal);
            let separation = point.base_separation + moved + turned;

            // Speculative where separated, soft where overlapping.
            let is_apart = separation.simd_gt(FloatW::ZERO);
            let push = (separation * FloatW::splat(softness.bias_rate)).fast_max(-self.max_push_speed);
            let push = if use_bias { push } else { FloatW::ZERO };
            let (mass_scale, impulse_scale) =
                if use_bias { (softness.mass_scale, softness.impulse_scale) } else { (1.0, 0.0) };
            let bias = is_apart.bitselect(separation * FloatW::splat(softness.inverse_h), push);
            let mass = is_apart.bitselect(FloatW::ONE, FloatW::splat(mass_scale)) * point.normal_mass;
            let leak = is_apart.bitselect(FloatW::ZERO, FloatW::splat(impulse_scale));

            // Accumulated impulse, never negative.
            let velocity = self.relative_velocity(&a, &b, point.anchor).dot(self.normal);
            let impulse = point.normal_impulse - mass * (velocity + bias) - leak * point.normal_impulse;
            let impulse = impulse.fast_max(FloatW::ZERO);
            let change = impulse - point.normal_impulse;
            self.points[p].normal_impulse = impulse;
            self.apply(&mut a, &mut b, self.normal * change, point.anchor);
            if self.is_hit {
                self.points[p].max_normal_impulse = point.max_normal_impulse.fast_max(impulse);
                self.work += work(change, velocity, point.normal_mass);
            }
        }
        // Friction acts when velocities are relaxed: it then knows the normal impulse. Where
        // overlap is pushed out it would answer motion that is taken back, which lets stacks sway.
        if !use_bias {
            let total = self.total_normal_impulse();
            self.solve_friction(&mut a, &mut b, total);
        }
        self.write(bodies, a, b);
        if self.is_round {
            self.solve_rolling(bodies, obstacles);
        }
    }

    /// Limits normal impulses to loads, which will come again in the next substep; gravity adds
    /// `gravity_kick` \[m/s\] in one. A load grows from substep to substep by the weights of
    /// bodies. An impulse that grows faster is the shock of a hit somewhere near, and to repeat it
    /// would add energy.
    #[inline(always)]
    pub(in crate::rigid) fn limit_warm_start(&mut self, gravity_kick: f32) {
        let mass = inverse(self.inverse_mass_a + self.inverse_mass_b);
        let kicks = FloatW::splat(MAX_WARM_KICKS * gravity_kick) * mass;
        let limit = FloatW::splat(MAX_WARM_GROWTH) * self.warm_impulse + kicks;
        let total = self.total_normal_impulse();
        let scale = total.simd_gt(limit).bitselect(limit / total, FloatW::ONE);
        self.points[..self.count].iter_mut().for_each(|point| point.normal_impulse *= scale);
    }
}
