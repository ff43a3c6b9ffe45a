//! A friction cone: the forces and torques that a point of contact can exert.
//!
//! K = {f_n ≥ 0, |f_t| ≤ μ f_n, |τ_t| ≤ ρ f_n}, with the normal force f_n, friction f_t along the
//! surface and a torque τ_t about the tangents that resists rolling. The cone is round: no facets
//! and no tangent basis, so nothing depends on how the world is turned about the normal. Hsu (2013)
//! prints the box |f_t1|, |f_t2| ≤ μ f_n in his equation 2.28; against the cone it gives another
//! verdict for 40 of 243 random sets of contacts (erratum H13).

use glam::DVec3;

/// Part of a length below which a tangential part is rounding: its direction means nothing.
const ROUNDING: f64 = 1e-9;

/// A friction cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrictionCone {
    /// Normal, of length one.
    pub(super) normal: DVec3,
    /// Coefficient of friction μ \[-\].
    pub(super) friction: f64,
    /// Largest torque about the tangents over the normal force, ρ.
    pub(super) rolling: f64,
}

/// A force at a point of contact and a torque about its tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointForce {
    /// Force \[N\].
    pub force: DVec3,
    /// Torque against rolling \[N·m\].
    pub torque: DVec3,
}

impl FrictionCone {
    /// The element with a normal force of one that does most against the velocity `v` of the point
    /// and the spin `w`: the one where the support function max {v·f + w·τ} is attained.
    pub(super) fn extreme(&self, v: DVec3, w: DVec3) -> PointForce {
        let normal = self.normal;
        PointForce {
            force: normal + self.friction * direction(v - v.dot(normal) * normal, v),
            torque: self.rolling * direction(w - w.dot(normal) * normal, w),
        }
    }

    /// The nearest element of the cone. With t = |f_t| and q = |τ_t| the normal force is the least
    /// point of (n - f_n)² + max(t - μ n, 0)² + max(q - ρ n, 0)² over n ≥ 0, convex and quadratic
    /// in pieces.
    pub(super) fn project(&self, at: PointForce) -> PointForce {
        let (mu, rho) = (self.friction, self.rolling);
        let n = at.force.dot(self.normal);
        let along = at.force - n * self.normal;
        let about = at.torque - at.torque.dot(self.normal) * self.normal;
        let (t, q) = (along.length(), about.length());
        // With more normal force one term after the other is at rest: the one with the smaller
        // force where it begins to rest goes first.
        let rests = |length: f64, limit: f64| if length > 0.0 { length / limit } else { 0.0 };
        let slides_last = rests(t, mu) >= rests(q, rho);
        let (last, first) = if slides_last { ((mu, t), (rho, q)) } else { ((rho, q), (mu, t)) };
        let both = (n + mu * t + rho * q) / (1.0 + mu * mu + rho * rho);
        let one = (n + last.0 * last.1) / (1.0 + last.0 * last.0);
        let normal = if both < rests(first.1, first.0) {
            both
        } else if one < rests(last.1, last.0) {
            one
        } else {
            n
        };
        let normal = normal.max(0.0);
        let cut = |limit: f64, length: f64| if length > limit { limit / length } else { 1.0 };
        PointForce { force: normal * self.normal + cut(mu * normal, t) * along, torque: cut(rho * normal, q) * about }
    }
}

/// The direction of a part of a vector, zero if it is only rounding: normalised it would point
/// anywhere, and the search for the nearest point would stall on flat patches.
fn direction(part: DVec3, whole: DVec3) -> DVec3 {
    let length = part.length();
    if length > ROUNDING * whole.length() { part / length } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::{FrictionCone, PointForce};

    fn vector() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-3.0..3.0f64).prop_map(DVec3::from_array)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The projection is in the cone, is its own projection, and leaves a rest that no element
        /// of the cone has a positive product with, itself a product of zero (Moreau 1962).
        #[test]
        fn a_projection_is_the_nearest_element(
            normal in vector(), force in vector(), torque in vector(), friction in 0.0..1.5f64, rolling in 0.0..0.5f64,
        ) {
            prop_assume!(normal.length() > 0.1);
            let normal = normal.normalize();
            let cone = FrictionCone { normal, friction, rolling };
            let torque = torque - torque.dot(normal) * normal;
            let near = cone.project(PointForce { force, torque });
            let n = near.force.dot(normal);
            prop_assert!(n >= -1e-12 && (near.force - n * normal).length() <= friction * n + 1e-12);
            prop_assert!(near.torque.length() <= rolling * n + 1e-12);
            let again = cone.project(near);
            prop_assert!((again.force - near.force).length() < 1e-9 && (again.torque - near.torque).length() < 1e-9);
            let rest = [force - near.force, torque - near.torque];
            let most = cone.extreme(rest[0], rest[1]);
            prop_assert!(most.force.dot(rest[0]) + most.torque.dot(rest[1]) < 1e-9);
            prop_assert!((near.force.dot(rest[0]) + near.torque.dot(rest[1])).abs() < 1e-9);
        }
    }
}
