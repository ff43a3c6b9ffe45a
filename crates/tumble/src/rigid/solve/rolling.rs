//! Rolling: balls, capsules and cylinders turn without their separation changing, and resist
//! rolling.
//!
//! Apart from the rest of solving, so that groups without anything round do not pay for it.

use super::group::{ContactGroup, clamp_length, inverse_of};
use crate::rigid::lanes::{BodyState, Vec3W};
use crate::rigid::tree::BodySlice;

impl ContactGroup {
    /// Corrects the separation for rolling. The rotation of an anchor at radius R moves it by R (q
    /// n − n) along the normal, while the surface of a round piece stays where it is.
    #[inline(never)]
    pub(super) fn update_rolled_separation(&mut self, bodies: &BodySlice<'_>, obstacles: &[BodyState]) {
        let (moved_a, moved_b) = self.displacements(bodies, obstacles);
        let [radius_a, radius_b] = self.round_radii;
        let turned = moved_a.rotation.times(self.normal) * radius_a + moved_b.rotation.times(self.normal) * radius_b;
        self.rolled_separation = turned.dot(self.normal) - (radius_a + radius_b);
    }

    /// Applies the rolling resistance of the substep before (warm start).
    #[inline(never)]
    pub(super) fn warm_start_rolling(&mut self, bodies: &mut BodySlice<'_>, obstacles: &[BodyState]) {
        let (mut a, mut b) = self.motions(bodies, obstacles);
        let limit = self.rolling_resistance * self.total_normal_impulse();
        self.rolling_impulse = clamp_length(self.rolling_impulse, limit);
        self.apply_angular(&mut a, &mut b, self.tangential(self.rolling_impulse));
        self.write(bodies, a, b);
    }

    /// Changes rolling resistance until bodies do not turn against each other about the tangents,
    /// or as far as the normal impulse allows.
    #[inline(never)]
    pub(super) fn solve_rolling(&mut self, bodies: &mut BodySlice<'_>, obstacles: &[BodyState]) {
        let (mut a, mut b) = self.motions(bodies, obstacles);
        // Effective inertia about both tangents.
        let (t1, t2) = (self.tangent, self.normal.cross(self.tangent));
        let turned = |t: Vec3W| self.inverse_inertia_a.times(t) + self.inverse_inertia_b.times(t);
        let (k1, k2) = (turned(t1), turned(t2));
        let [xx, xy, yy] = inverse_of([t1.dot(k1), t1.dot(k2), t2.dot(k2)]);
        // Impulse that stops the relative spin, within its limit.
        let spin = b.spin - a.spin;
        let (u, v) = (spin.dot(t1), spin.dot(t2));
        let limit = self.rolling_resistance * self.total_normal_impulse();
        let [x, y] = self.rolling_impulse;
        let impulse = clamp_length([x - (xx * u + xy * v), y - (xy * u + yy * v)], limit);
        let change = self.tangential([impulse[0] - x, impulse[1] - y]);
        self.rolling_impulse = impulse;
        self.apply_angular(&mut a, &mut b, change);
        self.write(bodies, a, b);
    }
}
