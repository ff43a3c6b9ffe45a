//! Friction impulses: both tangents together within the cone, and twisting about the normal.

use super::group::{ContactGroup, clamp_length, work};
use crate::rigid::lanes::{FloatW, MotionW};

impl ContactGroup {
    /// Changes friction until contacts neither slip nor twist, or as far as these normal impulses
    /// allow.
    #[inline(always)]
    pub(super) fn solve_friction(&mut self, a: &mut MotionW, b: &mut MotionW, normal_impulse: FloatW) {
        // Slip along both tangents.
        let slip = self.relative_velocity(a, b, self.friction_anchor);
        let (u, v) = (slip.dot(self.tangent), slip.dot(self.normal.cross(self.tangent)));
        let ([xx, xy, yy], [x, y]) = (self.tangent_mass, self.friction_impulse);
        let stopped = [x - (xx * u + xy * v), y - (xy * u + yy * v)];
        let impulse = clamp_length(stopped, self.friction * normal_impulse);
        let change = self.tangential([impulse[0] - x, impulse[1] - y]);
        self.friction_impulse = impulse;
        self.apply(a, b, change, self.friction_anchor);
        if self.is_hit {
            let after = self.relative_velocity(a, b, self.friction_anchor);
            self.work += change.dot(slip + after) * FloatW::splat(0.5);
        }

        // Spin about the normal.
        let limit = self.twist_limit(normal_impulse);
        let spin = (b.spin - a.spin).dot(self.normal);
        let twist = (self.twist_impulse - self.twist_mass * spin).fast_max(-limit).fast_min(limit);
        let change = twist - self.twist_impulse;
        self.twist_impulse = twist;
        self.apply_angular(a, b, self.normal * change);
        if self.is_hit {
            self.work += work(change, spin, self.twist_mass);
        }
    }

    /// The largest angular impulse about the normal for these normal impulses: friction at the
    /// points around their middle, or what a round patch resists, whichever is more \[N·m·s\].
    #[inline(always)]
    pub(super) fn twist_limit(&self, normal_impulse: FloatW) -> FloatW {
        normal_impulse * (self.friction * self.twist_radius).fast_max(self.twist_resistance)
    }
}
