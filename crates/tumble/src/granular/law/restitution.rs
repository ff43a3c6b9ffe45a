//! Damping that gives the restitution asked for, when a contact ends as soon as the force would pull.
//!
//! The usual closed forms (Bell et al. 2005, eq. 9; Tsuji et al. 1992) end the contact at zero overlap instead and give
//! too large a restitution under our convention (0.2 becomes 0.32), so both are inverted here for the one we use.

/// Share of critical damping of the linear law.
///
/// Schwager & Pöschel 2007: with ζ the damping ratio and w = √(1-ζ²),
/// e = exp\[-(ζ/w)(π - atan2(2ζw, w²-ζ²))\] below critical damping, e = exp\[-(ζ/W) ln((ζ+W)/(ζ-W))\] with W = √(ζ²-1) above.
pub(crate) fn linear_damping_ratio(restitution: f64) -> f64 {
    invert(restitution, linear_restitution)
}

fn linear_restitution(zeta: f64) -> f64 {
    if zeta < 1.0 {
        let w = (1.0 - zeta * zeta).sqrt();
        (-(zeta / w) * (std::f64::consts::PI - (2.0 * zeta * w).atan2(w * w - zeta * zeta))).exp()
    } else if zeta == 1.0 {
        (-2.0f64).exp()
    } else {
        let w = (zeta * zeta - 1.0).sqrt();
        (-(zeta / w) * ((zeta + w) / (zeta - w)).ln()).exp()
    }
}

/// The factor α in the Hertz dashpot c = α √(m k) x^{1/4}; one curve for all speeds, masses and stiffnesses.
pub(crate) fn hertz_damping(restitution: f64) -> f64 {
    invert(restitution, hertz_restitution)
}

/// Integrates x¨ = -(x^{3/2} + α x^{1/4} ẋ), x(0) = 0, ẋ(0) = 1 until the force vanishes.
fn hertz_restitution(alpha: f64) -> f64 {
    let force = |x: f64, v: f64| {
        let root = x.max(0.0).sqrt();
        x * root + alpha * root.sqrt() * v
    };
    // Fourth order in the smooth part; the first step off x = 0, where x^{1/4} is steep, decides: 1e-5 at this step.
    let h = 4e-3 / (1.0 + alpha);
    let (mut x, mut v) = (0.0f64, 1.0f64);
    loop {
        let f1 = force(x, v);
        let f2 = force(x + 0.5 * h * v, v - 0.5 * h * f1);
        let f3 = force(x + 0.5 * h * (v - 0.5 * h * f1), v - 0.5 * h * f2);
        let f4 = force(x + h * (v - 0.5 * h * f2), v - h * f3);
        let x_next = x + h * v - h * h / 6.0 * (f1 + f2 + f3);
        let v_next = v - h / 6.0 * (f1 + 2.0 * f2 + 2.0 * f3 + f4);
        let f_next = force(x_next, v_next);
        if v_next < 0.0 && (f_next <= 0.0 || x_next <= 0.0) {
            // The force falls to zero linearly over the last step: the impulse still to come is half of base times height.
            let share = if f1 > f_next { f1 / (f1 - f_next) } else { 0.0 };
            return -(v - 0.5 * h * share * f1);
        }
        (x, v) = (x_next, v_next);
    }
}

/// The damping for which a falling curve `restitution_of(damping)` takes this value, by bisection.
fn invert(restitution: f64, restitution_of: impl Fn(f64) -> f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while restitution_of(high) > restitution && high < 1e3 {
        high *= 2.0;
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if restitution_of(middle) > restitution { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_curve_has_the_published_values() {
        // Bell's eq. 9 for 0.444, 0.163, 0.0284 gives these under the clamped convention (physics references, 1.2).
        for (unclamped, clamped) in [(0.444, 0.506), (0.163, 0.298), (0.0284, 0.194)] {
            let log = f64::ln(unclamped);
            let zeta = -log / (log * log + std::f64::consts::PI.powi(2)).sqrt();
            assert!((linear_restitution(zeta) - clamped).abs() < 1e-3);
        }
        for e in [0.01, 0.1, 0.1353352832366127, 0.5, 0.9, 0.999] {
            assert!((linear_restitution(linear_damping_ratio(e)) - e).abs() < 1e-9);
        }
    }

    #[test]
    fn hertz_curve_has_the_published_values() {
        // Tsuji's alpha for 0.2 … 0.8 gives these under the clamped convention (LAMMPS `limit_damping`).
        for (unclamped, clamped) in [(0.2, 0.3249), (0.4, 0.4720), (0.6, 0.6323), (0.8, 0.8081)] {
            let log = f64::ln(unclamped);
            let alpha = -(5f64.sqrt()) * log / (log * log + std::f64::consts::PI.powi(2)).sqrt();
            let got = hertz_restitution(alpha);
            assert!((got - clamped).abs() < 1e-4, "{unclamped}: {got} instead of {clamped}");
        }
        assert!((hertz_restitution(0.0) - 1.0).abs() < 1e-6);
    }
}
