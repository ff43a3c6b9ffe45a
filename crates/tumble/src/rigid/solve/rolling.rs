//! What balls, capsules and cylinders add to a group: they turn without their gap changing, and resist rolling.
//!
//! Apart from the rest of solving, so that groups without anything round do not pay for it.

use super::fill::inverse_of;
use super::{Group, State, Vectors, cut};

impl Group {
    /// Sees how much of the turning is rolling, which leaves gaps as they are.
    #[inline(never)]
    pub(super) fn roll_on(&mut self, states: &[State], first: usize, obstacles: &[State]) {
        let ((_, turn_a), (_, turn_b)) = self.ways(states, first, obstacles);
        let [round_a, round_b] = self.round;
        let turned = turn_a.times(self.normal) * round_a + turn_b.times(self.normal) * round_b;
        self.rounded = turned.dot(self.normal) - (round_a + round_b);
    }

    /// Gives the bodies the rolling resistance that the contacts remember.
    #[inline(never)]
    pub(super) fn warm_start_rolling(&mut self, states: &mut [State], first: usize, obstacles: &[State]) {
        let (mut a, mut b) = self.motions(states, first, obstacles);
        self.roll = cut(self.roll, self.rolling * self.pushed());
        self.turn(&mut a, &mut b, self.along(self.roll));
        self.write(states, first, a, b);
    }

    /// Changes rolling resistance until the bodies do not turn against each other across the normal, or as far as the push allows. By itself,
    /// so that what is not round does not pay for it.
    #[inline(never)]
    pub(super) fn resist_rolling(&mut self, states: &mut [State], first: usize, obstacles: &[State]) {
        let (mut a, mut b) = self.motions(states, first, obstacles);
        let (t1, t2) = (self.tangent, self.normal.cross(self.tangent));
        let turned = |t: Vectors| self.inertia_a.times(t) + self.inertia_b.times(t);
        let (k1, k2) = (turned(t1), turned(t2));
        let (xx, xy, yy) = (t1.dot(k1), t1.dot(k2), t2.dot(k2));
        let [xx, xy, yy] = inverse_of([xx, xy, yy]);
        let spin = b.spin - a.spin;
        let (u, v) = (spin.dot(t1), spin.dot(t2));
        let limit = self.rolling * self.pushed();
        let roll = cut([self.roll[0] - (xx * u + xy * v), self.roll[1] - (xy * u + yy * v)], limit);
        let change = self.along([roll[0] - self.roll[0], roll[1] - self.roll[1]]);
        self.roll = roll;
        self.turn(&mut a, &mut b, change);
        self.write(states, first, a, b);
    }
}
