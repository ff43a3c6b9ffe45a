//! Deep contacts: bodies that were put into each other are moved apart, not pushed.
//!
//! The spring that takes small overlaps out works with velocities, and relaxing leaves some of them
//! behind in a crowd. Of contacts as deep as bodies only are when they were put into each other, it
//! would throw the crowd apart. Those are projected (split impulses, Catto 2005): bodies change
//! their poses in proportion to their inverse masses, and keep their motion.

use super::group::{ContactGroup, STATIC};
use crate::rigid::lanes::{BodyState, FloatW, MotionW, Vec3W};
use crate::rigid::narrow::MAX_POINTS;
use crate::rigid::tree::BodySlice;

/// Part of a deep overlap that is taken out in a substep.
const DEPTH_SHARE: f32 = 0.1;

/// Iterations over the points of a contact: they have to agree, or one moves its corner first.
const ITERATIONS: usize = 8;

impl ContactGroup {
    /// Whether any of its contacts is deep.
    pub(in crate::rigid) fn is_deep(&self) -> bool {
        self.is_deep
    }

    /// Moves bodies apart where contacts are deep, in a substep of `h` \[s\].
    #[inline(never)]
    pub(in crate::rigid) fn move_apart(&self, bodies: &mut BodySlice<'_>, obstacles: &[BodyState], h: f32) {
        let (moved_a, moved_b) = self.displacements(bodies, obstacles);
        let moved = (moved_b.displacement - moved_a.displacement).dot(self.normal) + self.rolled_separation;
        // Displacements take the place of velocities in `apply`.
        let still = MotionW { velocity: Vec3W::default(), spin: Vec3W::default() };
        let (mut a, mut b) = (still, still);
        let mut impulses = [FloatW::ZERO; MAX_POINTS];
        for _ in 0..ITERATIONS {
            for (point, impulse) in self.points[..self.count].iter().zip(&mut impulses) {
                let anchor_b = point.anchor - self.centre_offset;
                let turned = (moved_b.rotation.times(anchor_b) - moved_a.rotation.times(point.anchor)).dot(self.normal);
                let depth = -(point.base_separation + moved + turned);
                let wanted = (depth * FloatW::splat(DEPTH_SHARE)).fast_min(self.max_deep_speed * FloatW::splat(h));
                let done = self.relative_velocity(&a, &b, point.anchor).dot(self.normal);
                let change = (*impulse + point.normal_mass * (wanted - done)).fast_max(FloatW::ZERO) - *impulse;
                *impulse += change;
                self.apply(&mut a, &mut b, self.normal * change, point.anchor);
            }
        }
        for (rows, shifts) in [(&self.a, a), (&self.b, b)] {
            for (lane, &row) in rows.iter().enumerate().filter(|(_, row)| **row < STATIC) {
                bodies.shift(row, shifts.velocity.get(lane), shifts.spin.get(lane));
            }
        }
    }
}
