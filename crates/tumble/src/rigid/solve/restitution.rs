//! Restitution: contacts that are hit in a substep bounce at its end, before the next one begins.
//!
//! Hits so bounce in the order of time: of a row of balls each is at its full speed when it meets
//! the next. Those of one substep bounce together, each with e times its own speed of approach
//! (Newton's law). Several at once, or with friction, that law can create energy (Kane's paradox).
//! So a contact gives back no more than the impulses of the substep took at it: the work of an
//! impulse p that changes the relative velocity from u to u' is p (u + u') / 2, and its sum is
//! never positive.
//!
//! Apart from the rest of solving, so that groups that nothing hits do not pay for it.

use glam::Mat3;

use super::{Bodies, Group, GroupPoint, LANES, Motions, Numbers, Resistance, State, UNMOVED, work};

/// How often the points of a contact and its friction take turns at most: they have to agree.
const TURNS: usize = 4;

/// They agree when impulses change by less than this part of what stops the hit.
const AGREED: f32 = 1e-3;

/// A hit takes more than so many times the impulse that the point remembers.
const LOAD: f32 = 2.0;

/// The inertia of a body that has turned by less than this since the step began serves as it is
/// \[rad\].
const TURNED: f32 = 2e-3;

impl GroupPoint {
    /// Where it came fast and was pushed in this substep: what only nearly touches does not bounce.
    #[inline(always)]
    fn was_hit(&self) -> Numbers {
        self.approach.simd_lt(Numbers::ZERO) & self.most.simd_gt(Numbers::ZERO)
    }
}

impl Group {
    /// Finds the points that come faster than `least` \[m/s\] (negative), by the motion before any
    /// impulse of the substep: the impulses that neighbours remember are answers to forces, not
    /// hits.
    #[inline(never)]
    pub(super) fn find_hits(
        &mut self,
        bodies: &Bodies<'_>,
        obstacles: &[State],
        resistance: &[Resistance],
        least: Numbers,
    ) {
        let before = |rows: &[u32; LANES]| {
            let states = rows.map(|row| {
                if row < UNMOVED {
                    let motion = &bodies.motions[row as usize - bodies.first];
                    State::new(motion.velocity.as_vec3(), motion.spin.as_vec3())
                } else {
                    obstacles[(row & !UNMOVED) as usize]
                }
            });
            Motions::of(states.each_ref())
        };
        let (a, b) = (before(&self.a), before(&self.b));
        (self.is_hit, self.work) = (false, Numbers::ZERO);
        for p in 0..self.count {
            let speed = self.leaving(&a, &b, self.points[p].lever).dot(self.normal);
            let point = &mut self.points[p];
            // A point under a sudden load sinks until its impulse has grown to bear it, over some
            // substeps. That is no hit: to stop it takes less than the impulse the point remembers,
            // or it was hit in the substep before.
            let is_new = (-point.mass * speed).simd_gt(Numbers::splat(LOAD) * point.push);
            let is_hit = speed.simd_lt(least) & is_new & !point.was_hit();
            self.is_hit |= is_hit.any();
            point.approach = is_hit.bitselect(speed, Numbers::ZERO);
            // The push of a hit is its own and not that of the substep before.
            point.push = is_hit.bitselect(Numbers::ZERO, point.push);
            (point.most, point.bounce) = (Numbers::ZERO, Numbers::ZERO);
        }
        if self.is_hit {
            self.turn_inertia(bodies, resistance);
        }
    }

    /// Turns the inertia of bodies as they have turned since the step began. The impulses of a hit
    /// are large: with the inertia of the beginning they would change energy and angular momentum.
    fn turn_inertia(&mut self, bodies: &Bodies<'_>, resistance: &[Resistance]) {
        let mut any_turned = false;
        for (rows, inertia) in [(&self.a, &mut self.inertia_a), (&self.b, &mut self.inertia_b)] {
            for (lane, &row) in rows.iter().enumerate().filter(|(_, row)| **row < UNMOVED) {
                let turn = bodies.states[row as usize - bodies.first].turn();
                if turn.xyz().length_squared() > 0.25 * TURNED * TURNED {
                    let turn = Mat3::from_quat(turn);
                    inertia.set(lane, &(turn * resistance[row as usize].inverse_inertia * turn.transpose()));
                    any_turned = true;
                }
            }
        }
        if any_turned {
            self.weigh();
        }
    }

    /// Lets points that were hit leave each other again, with friction that may grow with their
    /// impulses. Says whether that changed anything.
    #[inline(never)]
    pub(in crate::rigid) fn bounce(&mut self, states: &mut [State], first: usize, obstacles: &[State]) -> bool {
        let (mut a, mut b) = self.motions(states, first, obstacles);
        for turn in 0..TURNS {
            let mut is_agreed = true;
            for p in 0..self.count {
                let point = self.points[p];
                let was_hit = point.was_hit();
                let speed = self.leaving(&a, &b, point.lever).dot(self.normal);
                let wanted = -self.restitution * point.approach;
                let bounce = (point.bounce + point.mass * (wanted - speed)).fast_max(Numbers::ZERO);
                let change = (bounce - point.bounce).fast_min(self.affordable(speed, point.mass));
                let change = was_hit.bitselect(change, Numbers::ZERO);
                let small = Numbers::splat(-AGREED) * point.mass * point.approach;
                is_agreed &= !(was_hit & change.abs().simd_gt(small)).any();
                self.apply(&mut a, &mut b, self.normal * change, point.lever);
                self.points[p].bounce += change;
                self.work += work(change, speed, point.mass);
            }
            if is_agreed {
                if turn > 0 {
                    self.write(states, first, a, b);
                }
                return turn > 0;
            }
            let bounced = self.points[..self.count].iter().fold(self.pushed(), |sum, point| sum + point.bounce);
            self.rub_within(&mut a, &mut b, bounced);
        }
        self.write(states, first, a, b);
        true
    }

    /// The largest impulse at points with such relative velocities that does no more work than was
    /// taken: the larger root p of p u + p² / 2m = -W.
    #[inline(always)]
    fn affordable(&self, speed: Numbers, mass: Numbers) -> Numbers {
        let taken = (-self.work).fast_max(Numbers::ZERO);
        let root = (mass * (mass * speed * speed + Numbers::splat(2.0) * taken)).sqrt();
        root - mass * speed
    }

    /// Whether any of its contacts is hit in this substep.
    pub(in crate::rigid) fn is_hit(&self) -> bool {
        self.is_hit
    }

    /// Forgets the pushes of hits: they will not come again, and would add energy.
    #[inline(always)]
    pub(in crate::rigid) fn forget_hits(&mut self) {
        for point in &mut self.points[..self.count] {
            point.push = point.was_hit().bitselect(Numbers::ZERO, point.push);
        }
    }
}
