//! Damping that gives the restitution asked for.
//!
//! In units of X = (m v²/k)^{1/(b+1)} and X/v every law of the family is x¨ = -(x^b + ε x^a ẋ) with
//! x(0) = 0, ẋ(0) = 1: one curve e(ε) for each (a, b) and each convention of when a contact ends
//! (Schwager & Pöschel 2007). The curves are inverted here once for every restitution of a scene.
//! The usual closed forms (Bell et al. 2005, eq. 9; Tsuji et al. 1992) end the contact at zero
//! overlap; under the other convention they would give too large a restitution (0.2 becomes 0.32).

use std::f64::consts::PI;

use super::{ContactEnd, Dashpot, Law, Normal};

/// One of the universal curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    dashpot: Dashpot,
    hertz: bool,
    end: ContactEnd,
}

impl Curve {
    /// The curve of a law; none where the damping is given.
    pub(super) fn of(law: &Law) -> Option<Self> {
        match law.normal {
            Normal::Linear => Some(Self { dashpot: Dashpot::Zero, hertz: false, end: law.end }),
            Normal::Hertz(dashpot) => Some(Self { dashpot, hertz: true, end: law.end }),
            Normal::Given { .. } => None,
        }
    }

    /// The restitution at this ε.
    fn restitution(self, epsilon: f64) -> f64 {
        if !self.hertz {
            return linear_restitution(0.5 * epsilon, self.end);
        }
        match (self.dashpot, self.end) {
            (Dashpot::Quarter, ContactEnd::ZeroOverlap) => {
                // Tsuji et al. 1992: exp(-π B/√(1-B²)), B = ε/√5; beyond B = 1 they never part.
                let b = epsilon / 5f64.sqrt();
                if b < 1.0 { (-PI * b / (1.0 - b * b).sqrt()).exp() } else { 0.0 }
            }
            _ => self.integrated(epsilon),
        }
    }

    /// Integrates a collision, in fourth order, until it ends.
    fn integrated(self, epsilon: f64) -> f64 {
        let force = |x: f64, v: f64| {
            let root = x.max(0.0).sqrt();
            let thickness = match self.dashpot {
                Dashpot::Zero => 1.0,
                Dashpot::Quarter => root.sqrt(),
                Dashpot::Half => root,
            };
            x.max(0.0) * root + epsilon * thickness * v
        };
        // The first step off x = 0, where roots are steep, decides the error: 1e-5 at this step.
        let h = 4e-3 / (1.0 + epsilon);
        let (mut x, mut v) = (0.0f64, 1.0f64);
        // A strongly damped contact that only ends at zero overlap may never end.
        for _ in 0..10_000_000 {
            let f1 = force(x, v);
            let f2 = force(x + 0.5 * h * v, v - 0.5 * h * f1);
            let f3 = force(x + 0.5 * h * (v - 0.5 * h * f1), v - 0.5 * h * f2);
            let f4 = force(x + h * (v - 0.5 * h * f2), v - h * f3);
            let x_next = x + h * v - h * h / 6.0 * (f1 + f2 + f3);
            let v_next = v - h / 6.0 * (f1 + 2.0 * f2 + 2.0 * f3 + f4);
            let f_next = force(x_next, v_next);
            if x_next <= 0.0 && v_next < 0.0 {
                // Where in the step the overlap ended.
                let share = if x > x_next { x / (x - x_next) } else { 0.0 };
                return -(v + share * (v_next - v));
            }
            if self.end == ContactEnd::NoPull && v_next < 0.0 && f_next <= 0.0 {
                // The force falls to zero linearly over the last step: the impulse still to come is
                // half of base times height.
                let share = if f1 > f_next { f1 / (f1 - f_next) } else { 0.0 };
                return -(v - 0.5 * h * share * f1);
            }
            if v.abs() < 1e-9 && x < 1e-9 {
                return 0.0;
            }
            (x, v) = (x_next, v_next);
        }
        0.0
    }
}

/// Bell et al. eq. 9–10 and Schwager & Pöschel 2007, with ζ the share of critical damping: ended at
/// zero overlap e = exp(-π ζ/√(1-ζ²)); ended by pull, with w = √(1-ζ²), e = exp\[-(ζ/w)(π -
/// atan2(2ζw, w²-ζ²))\] below critical damping and e = exp\[-(ζ/W) ln((ζ+W)/(ζ-W))\], W = √(ζ²-1),
/// above.
fn linear_restitution(zeta: f64, end: ContactEnd) -> f64 {
    if zeta < 1.0 {
        let w = (1.0 - zeta * zeta).sqrt();
        let early = if end == ContactEnd::NoPull { (2.0 * zeta * w).atan2(w * w - zeta * zeta) } else { 0.0 };
        (-(zeta / w) * (PI - early)).exp()
    } else if end == ContactEnd::ZeroOverlap {
        0.0
    } else if zeta == 1.0 {
        (-2.0f64).exp()
    } else {
        let w = (zeta * zeta - 1.0).sqrt();
        (-(zeta / w) * ((zeta + w) / (zeta - w)).ln()).exp()
    }
}

/// The damping ε for which the falling curve takes this value, by bisection.
pub(super) fn damping_for(restitution: f64, curve: Curve) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while curve.restitution(high) > restitution && high < 1e3 {
        high *= 2.0;
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if curve.restitution(middle) > restitution { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bell's eq. 9 for 0.444, 0.163, 0.0284 gives these under the convention without pull (physics
    /// references, 1.2).
    #[test]
    fn linear_curve_has_the_published_values() {
        for (unclamped, clamped) in [(0.444, 0.506), (0.163, 0.298), (0.0284, 0.194)] {
            let log = f64::ln(unclamped);
            let zeta = -log / (log * log + PI.powi(2)).sqrt();
            assert!((linear_restitution(zeta, ContactEnd::NoPull) - clamped).abs() < 1e-3);
            assert!((linear_restitution(zeta, ContactEnd::ZeroOverlap) - unclamped).abs() < 1e-12);
        }
        let curve = Curve { dashpot: Dashpot::Zero, hertz: false, end: ContactEnd::NoPull };
        for e in [0.01, 0.1, 0.1353352832366127, 0.5, 0.9, 0.999] {
            assert!((curve.restitution(damping_for(e, curve)) - e).abs() < 1e-9);
        }
    }

    /// Tsuji's alpha for 0.2 … 0.8 gives these under the convention without pull (LAMMPS
    /// `limit_damping`).
    #[test]
    fn hertz_curve_has_the_published_values() {
        let curve = |end| Curve { dashpot: Dashpot::Quarter, hertz: true, end };
        for (unclamped, clamped) in [(0.2, 0.3249), (0.4, 0.4720), (0.6, 0.6323), (0.8, 0.8081)] {
            let log = f64::ln(unclamped);
            let alpha = -(5f64.sqrt()) * log / (log * log + PI.powi(2)).sqrt();
            let got = curve(ContactEnd::NoPull).restitution(alpha);
            assert!((got - clamped).abs() < 1e-4, "{unclamped}: {got} instead of {clamped}");
            // The closed form and the integral are two roads to the same value.
            let got = curve(ContactEnd::ZeroOverlap).integrated(alpha);
            assert!((got - unclamped).abs() < 1e-4, "{unclamped}: {got}");
        }
        assert!((curve(ContactEnd::NoPull).restitution(0.0) - 1.0).abs() < 1e-6);
    }

    /// The viscoelastic curve begins 1 - e = C1 ε - (3/5) C1² ε² + …, C1 = 1.1534489 (Schwager &
    /// Pöschel 1998).
    #[test]
    fn viscoelastic_curve_has_the_published_series() {
        let curve = Curve { dashpot: Dashpot::Half, hertz: true, end: ContactEnd::ZeroOverlap };
        for epsilon in [0.01f64, 0.05, 0.1, 0.2] {
            let c1 = 1.1534489 * epsilon;
            let series = c1 - 0.6 * c1 * c1 + 0.48358 * epsilon.powi(3) - 0.28528 * epsilon.powi(4);
            let got = 1.0 - curve.restitution(epsilon);
            assert!((got - series).abs() < 3e-4, "{epsilon}: {got} instead of {series}");
        }
    }
}
