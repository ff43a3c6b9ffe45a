//! A group: eight contacts that share no body, one per lane, and how their impulses reach bodies.

use crate::rigid::lanes::{BodyState, DisplacementW, FloatW, LANES, MotionW, SymMat3W, Vec3W, write_motion};
use crate::rigid::narrow::MAX_POINTS;
use crate::rigid::tree::BodySlice;

/// Set in a row index that does not name a body: the low bits index obstacle states, of which the
/// last is a dummy for empty lanes and sleepers.
pub(in crate::rigid) const STATIC: u32 = 1 << 31;

/// One point of eight contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupPoint {
    /// Anchor rA from the centre of A \[m\].
    pub(super) anchor: Vec3W,
    /// Base separation s0 \[m\].
    pub(super) base_separation: FloatW,
    /// Effective mass 1 / nᵀKn \[kg\]; zero in lanes that do not have the point.
    pub(super) normal_mass: FloatW,
    /// Accumulated normal impulse of this substep \[N·s\].
    pub(super) normal_impulse: FloatW,
    /// Of a hit: normal relative velocity before any impulse of the substep, which is negative;
    /// else zero \[m/s\].
    pub(super) approach_velocity: FloatW,
    /// Of a hit: the largest normal impulse of the substep; points that only nearly touch do not
    /// bounce \[N·s\].
    pub(super) max_normal_impulse: FloatW,
    /// Of a hit: restitution impulse \[N·s\].
    pub(super) restitution_impulse: FloatW,
}

/// Eight contacts that share no body.
#[derive(Clone, Debug)]
pub(in crate::rigid) struct ContactGroup {
    /// Rows of bodies A and B, or [`STATIC`] indices.
    pub(super) a: [u32; LANES],
    pub(super) b: [u32; LANES],
    pub(super) inverse_mass_a: FloatW,
    pub(super) inverse_mass_b: FloatW,
    pub(super) inverse_inertia_a: SymMat3W,
    pub(super) inverse_inertia_b: SymMat3W,
    /// Normal n from A to B.
    pub(super) normal: Vec3W,
    /// First tangent; the second is n × tangent.
    pub(super) tangent: Vec3W,
    /// From the centre of A to the centre of B, so that rB = rA − offset \[m\].
    pub(super) centre_offset: Vec3W,
    pub(super) points: [GroupPoint; MAX_POINTS],
    /// The most points that any of the eight has.
    pub(super) count: usize,
    /// Sum of the normal impulses that the substep began with \[N·s\].
    pub(super) warm_impulse: FloatW,
    /// Whether any point approached fast enough in this substep to bounce.
    pub(super) is_hit: bool,
    /// Of a hit: work of the impulses of this substep at the contact, negative where they took
    /// energy \[J\].
    pub(super) work: FloatW,
    /// Anchor of friction from the centre of A: the middle of the bearing points \[m\].
    pub(super) friction_anchor: Vec3W,
    /// Effective mass of friction, the inverse of K for both tangents: xx, xy, yy \[kg\].
    pub(super) tangent_mass: [FloatW; 3],
    /// Friction impulse along both tangents \[N·s\].
    pub(super) friction_impulse: [FloatW; 2],
    /// Effective inertia about the normal \[kg·m²\].
    pub(super) twist_mass: FloatW,
    /// Angular impulse of friction about the normal \[N·m·s\].
    pub(super) twist_impulse: FloatW,
    /// Mean distance of the bearing points from their middle \[m\].
    pub(super) twist_radius: FloatW,
    /// Largest torque about the normal over the normal force, where points have no such distance
    /// \[m\].
    pub(super) twist_resistance: FloatW,
    /// Radii of both pieces where they are round at the contact: round pieces turn without their
    /// separation changing \[m\].
    pub(super) round_radii: [FloatW; 2],
    pub(super) is_round: bool,
    /// Correction of the separation for that \[m\].
    pub(super) rolled_separation: FloatW,
    /// Largest torque of rolling resistance over the normal force: coefficient times effective
    /// radius \[m\].
    pub(super) rolling_resistance: FloatW,
    /// Angular impulse of rolling resistance along both tangents \[N·m·s\].
    pub(super) rolling_impulse: [FloatW; 2],
    /// Coefficients.
    pub(super) friction: FloatW,
    pub(super) restitution: FloatW,
    /// Largest speed at which overlap is pushed out \[m/s\]; zero where it is deep.
    pub(super) max_push_speed: FloatW,
    /// The same where it is deep and bodies are moved apart; zero elsewhere \[m/s\].
    pub(super) max_deep_speed: FloatW,
    pub(super) is_deep: bool,
}

impl ContactGroup {
    /// The normal impulses of all points together \[N·s\].
    #[inline(always)]
    pub(super) fn total_normal_impulse(&self) -> FloatW {
        self.points[..self.count].iter().fold(FloatW::ZERO, |sum, point| sum + point.normal_impulse)
    }

    /// Relative velocity of B against A at an anchor \[m/s\].
    #[inline(always)]
    pub(super) fn relative_velocity(&self, a: &MotionW, b: &MotionW, anchor: Vec3W) -> Vec3W {
        b.at(anchor - self.centre_offset) - a.at(anchor)
    }

    /// The tangential vector with these parts along both tangents.
    #[inline(always)]
    pub(super) fn tangential(&self, [x, y]: [FloatW; 2]) -> Vec3W {
        self.tangent * x + self.normal.cross(self.tangent) * y
    }

    /// Applies an impulse to B at an anchor, and the opposite to A.
    #[inline(always)]
    pub(super) fn apply(&self, a: &mut MotionW, b: &mut MotionW, impulse: Vec3W, anchor: Vec3W) {
        a.velocity = a.velocity - impulse * self.inverse_mass_a;
        a.spin = a.spin - self.inverse_inertia_a.times(anchor.cross(impulse));
        b.velocity = b.velocity + impulse * self.inverse_mass_b;
        b.spin = b.spin + self.inverse_inertia_b.times((anchor - self.centre_offset).cross(impulse));
    }

    /// Applies an angular impulse to B, and the opposite to A.
    #[inline(always)]
    pub(super) fn apply_angular(&self, a: &mut MotionW, b: &mut MotionW, impulse: Vec3W) {
        a.spin = a.spin - self.inverse_inertia_a.times(impulse);
        b.spin = b.spin + self.inverse_inertia_b.times(impulse);
    }

    /// The states of eight rows.
    #[inline(always)]
    fn states<'a>(
        rows: &[u32; LANES],
        bodies: &'a BodySlice<'_>,
        obstacles: &'a [BodyState],
    ) -> [&'a BodyState; LANES] {
        let of = |row: u32| {
            if row < STATIC {
                &bodies.states[row as usize - bodies.first]
            } else {
                &obstacles[(row & !STATIC) as usize]
            }
        };
        // Written out: `map` is a call, which costs more than all the rest.
        let [a, b, c, d, e, f, g, h] = *rows;
        [of(a), of(b), of(c), of(d), of(e), of(f), of(g), of(h)]
    }

    /// Gathers the motions of bodies A and B.
    #[inline(always)]
    pub(super) fn motions(&self, bodies: &BodySlice<'_>, obstacles: &[BodyState]) -> (MotionW, MotionW) {
        let of = |rows| MotionW::of(Self::states(rows, bodies, obstacles));
        (of(&self.a), of(&self.b))
    }

    /// Gathers the displacements of bodies A and B.
    #[inline(always)]
    pub(super) fn displacements(
        &self,
        bodies: &BodySlice<'_>,
        obstacles: &[BodyState],
    ) -> (DisplacementW, DisplacementW) {
        let of = |rows| DisplacementW::of(Self::states(rows, bodies, obstacles));
        (of(&self.a), of(&self.b))
    }

    /// Scatters the motions of bodies A and B.
    #[inline(always)]
    pub(super) fn write(&self, bodies: &mut BodySlice<'_>, a: MotionW, b: MotionW) {
        for (rows, motions) in [(&self.a, a), (&self.b, b)] {
            for (&row, register) in rows.iter().zip(motions.registers()) {
                if row < STATIC {
                    write_motion(&mut bodies.states[row as usize - bodies.first], register);
                }
            }
        }
    }
}

/// Work of impulses at points with these relative velocities before them and these effective masses
/// \[J\].
#[inline(always)]
pub(super) fn work(impulse: FloatW, velocity: FloatW, mass: FloatW) -> FloatW {
    let there = mass.simd_gt(FloatW::ZERO);
    let gained = impulse / mass.fast_max(FloatW::splat(f32::MIN_POSITIVE));
    there.bitselect(impulse * (velocity + FloatW::splat(0.5) * gained), FloatW::ZERO)
}

/// Two-dimensional vectors, shortened to `limit`.
#[inline(always)]
pub(super) fn clamp_length([x, y]: [FloatW; 2], limit: FloatW) -> [FloatW; 2] {
    let squares = x * x + y * y;
    let beyond = squares.simd_gt(limit * limit);
    let scale = beyond.bitselect(limit / (squares.sqrt() + FloatW::splat(f32::MIN_POSITIVE)), FloatW::ONE);
    [x * scale, y * scale]
}

/// 1/x, or zero where x is not positive.
pub(super) fn inverse(numbers: FloatW) -> FloatW {
    let there = numbers.simd_gt(FloatW::ZERO);
    there.bitselect(FloatW::ONE / numbers.fast_max(FloatW::splat(f32::MIN_POSITIVE)), FloatW::ZERO)
}

/// Inverses of symmetric matrices [xx, xy, yy], or zero where they are singular. Each is scaled
/// first: products of the entries of small bodies would leave the range of single precision.
pub(super) fn inverse_of([xx, xy, yy]: [FloatW; 3]) -> [FloatW; 3] {
    let size = inverse(xx + yy);
    let (xx, xy, yy) = (xx * size, xy * size, yy * size);
    let scale = size * inverse(xx * yy - xy * xy);
    [yy * scale, -xy * scale, xx * scale]
}
