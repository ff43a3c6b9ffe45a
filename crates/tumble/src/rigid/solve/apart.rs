//! Deep overlaps: bodies that are far in each other are moved apart, not pushed.
//!
//! The spring that takes small overlaps out works with velocities, and what a relaxing pass leaves of
//! them in a crowd is motion. Of contacts as deep as bodies only are when they were put into each
//! other, it would throw the crowd apart. Those are projected (as in split impulses, Catto 2005):
//! bodies change their places in proportion to the masses that impulses meet, and keep their motion.

use super::{Bodies, Group, MOST_POINTS, Motions, Numbers, State, UNMOVED, Vectors};

/// The part of a deep overlap that is taken out in a substep.
const SHARE: f32 = 0.1;

/// How often the points of a contact take turns: they have to agree, or one moves its corner first.
const TURNS: usize = 8;

impl Group {
    /// Whether any of its contacts is deep.
    pub(in crate::rigid) fn is_deep(&self) -> bool {
        self.is_deep
    }

    /// Moves bodies apart where contacts are deep.
    #[inline(never)]
    pub(in crate::rigid) fn move_apart(&self, bodies: &mut Bodies<'_>, obstacles: &[State], h: f32) {
        let ((way_a, turn_a), (way_b, turn_b)) = self.ways(bodies.states, bodies.first, obstacles);
        let apart = (way_b - way_a).dot(self.normal) + self.rounded;
        let still = Motions { velocity: Vectors::default(), spin: Vectors::default() };
        let (mut a, mut b) = (still, still);
        let mut pushes = [Numbers::ZERO; MOST_POINTS];
        for _ in 0..TURNS {
            for (point, push) in self.points[..self.count].iter().zip(&mut pushes) {
                let turned = (turn_b.times(point.lever - self.between) - turn_a.times(point.lever)).dot(self.normal);
                let depth = -(point.gap + apart + turned);
                let wanted = (depth * Numbers::splat(SHARE)).fast_min(self.fastest_apart * Numbers::splat(h));
                let moved = self.leaving(&a, &b, point.lever).dot(self.normal);
                let more = (*push + point.mass * (wanted - moved)).fast_max(Numbers::ZERO) - *push;
                *push += more;
                self.apply(&mut a, &mut b, self.normal * more, point.lever);
            }
        }
        for (rows, moves) in [(&self.a, a), (&self.b, b)] {
            for (lane, &row) in rows.iter().enumerate().filter(|(_, row)| **row < UNMOVED) {
                bodies.shift(row, moves.velocity.get(lane), moves.spin.get(lane));
            }
        }
    }
}
