//! Integrals of polynomials in the normal over the part of a unit sphere that no cap covers.
//!
//! On a latitude circle of the sphere, every cap covers one arc, whose ends are known exactly, and
//! the integrals over what is left are sines and cosines. Only the integral over the latitude θ is
//! numeric: Gauss–Legendre between the latitudes where an arc is born, dies or meets another. There
//! the integrand has square roots, which the substitution θ = a + (b - a)(1 - cos ψ)/2 makes
//! smooth; near misses of other such latitudes are found by halving until nothing changes.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

/// Number of monomials in the normal of degree up to three.
const MONOMIALS: usize = 20;

/// ∫ of 1, x, y, z, xx, yy, zz, xy, xz, yz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz over a
/// part of the unit sphere.
pub(super) type SphereIntegrals = [f64; MONOMIALS];

/// The cap of the unit sphere that another ball covers: n·direction > cosine.
pub(super) struct Cap {
    direction: DVec3,
    cosine: f64,
    /// The angle from the cap's middle to its rim.
    angle: f64,
    /// Angle of the direction from z.
    polar: f64,
    azimuth: f64,
}

impl Cap {
    /// The cap that a ball of radius s, `apart` from the middle of a sphere of radius r, covers of
    /// it. Needs 0 < |r - s| < |apart| < r + s.
    pub(super) fn new(apart: DVec3, r: f64, s: f64) -> Self {
        let d = apart.length();
        // Law of cosines, with 1 - cos and 1 + cos as products, which lose no digits for balls
        // that barely touch or nearly coincide.
        let one_minus = ((d + (s - r)) * (s + r - d) / (2.0 * r * d)).clamp(0.0, 2.0);
        let one_plus = ((d + (r - s)) * (r + s + d) / (2.0 * r * d)).clamp(0.0, 2.0);
        Self {
            direction: apart / d,
            cosine: 0.5 * (one_plus - one_minus),
            angle: 2.0 * one_minus.sqrt().atan2(one_plus.sqrt()),
            polar: apart.x.hypot(apart.y).atan2(apart.z),
            azimuth: apart.y.atan2(apart.x),
        }
    }

    /// Half the angle about z of the arc it covers of latitude circle θ, from 0 to π.
    ///
    /// The half-angle formula of the spherical triangle of z, the direction and a point of the rim,
    /// with s = (α + β + θ)/2: tan²(φ/2) = sin(s - β) sin(s - θ) / (sin s sin(s - α)); no digits
    /// are lost where the arc is born or closes.
    fn half_arc(&self, theta: f64) -> f64 {
        let s = 0.5 * (self.angle + self.polar + theta);
        let across = (s - self.polar).sin() * (s - theta).sin();
        let along = s.sin() * (s - self.angle).sin();
        if across <= 0.0 {
            return 0.0;
        }
        2.0 * across.sqrt().atan2(along.max(0.0).sqrt())
    }

    /// The points of the rim at its lowest and highest latitude.
    fn extremes(&self) -> [DVec3; 2] {
        [self.polar - self.angle, self.polar + self.angle].map(|theta| {
            let (s, c) = theta.sin_cos();
            DVec3::new(s * self.azimuth.cos(), s * self.azimuth.sin(), c)
        })
    }

    /// Where two rims cross: n·d = h and n·e = k.
    fn crossings(&self, other: &Self) -> Option<[DVec3; 2]> {
        let (d, e, h, k) = (self.direction, other.direction, self.cosine, other.cosine);
        let normal = d.cross(e);
        let (square, c) = (normal.length_squared(), d.dot(e));
        // Rims about one axis coincide or never cross.
        if square < 1e-24 {
            return None;
        }
        let middle = ((h - c * k) * d + (k - c * h) * e) / square;
        let rest = 1.0 - middle.length_squared();
        // Rims that touch up to rounding count as touching.
        if rest < -1e-12 {
            return None;
        }
        let aside = normal * (rest.max(0.0) / square).sqrt();
        Some([middle - aside, middle + aside])
    }
}

/// Integrals over the part of the unit sphere that no cap covers. `work` is how often a cap may be
/// looked at, and becomes how often is left; with 0 left the integrals are of no use.
pub(super) fn exposed(caps: &[Cap], rule: &[(f64, f64)], work: &mut u64) -> SphereIntegrals {
    let look = caps.len() as u64;
    *work = work.saturating_sub(look * look);
    if *work == 0 {
        return [0.0; MONOMIALS];
    }
    let mut breaks = vec![0.0, PI];
    // A break under another cap is none; one near a rim is kept.
    let is_seen = |n: DVec3| caps.iter().all(|cap| n.dot(cap.direction) < cap.cosine + 1e-9);
    let mut add = |points: [DVec3; 2]| {
        let seen = points.into_iter().filter(|&n| is_seen(n));
        breaks.extend(seen.map(|n| n.x.hypot(n.y).atan2(n.z)));
    };
    for (i, cap) in caps.iter().enumerate() {
        add(cap.extremes());
        for other in &caps[i + 1..] {
            if let Some(points) = cap.crossings(other) {
                add(points);
            }
        }
    }
    breaks.sort_unstable_by(f64::total_cmp);
    let mut sum = [0.0; MONOMIALS];
    let mut arcs = Vec::new();
    for pair in breaks.windows(2) {
        let (low, width) = (pair[0], pair[1] - pair[0]);
        if width < 1e-15 {
            continue;
        }
        let mut slice = |from: f64, to: f64| {
            let mut slice = [0.0; MONOMIALS];
            *work = work.saturating_sub(look * rule.len() as u64);
            if *work == 0 {
                return slice;
            }
            for &(node, weight) in rule {
                let psi = from + (to - from) * node;
                let theta = low + width * (0.5 * psi).sin().powi(2);
                // dA = sin θ dθ dφ and dθ = width/2 sin ψ dψ.
                let weight = weight * (to - from) * 0.5 * width * psi.sin() * theta.sin();
                add_latitude(caps, theta, weight, &mut arcs, &mut slice);
            }
            slice
        };
        let whole = slice(0.0, PI);
        add_halved(&mut slice, 0.0, PI, &whole, 0, &mut sum);
    }
    sum
}

/// Adds an integral to `sum`, halving its range until two halves say the same as the whole.
fn add_halved(
    slice: &mut impl FnMut(f64, f64) -> SphereIntegrals,
    from: f64,
    to: f64,
    whole: &SphereIntegrals,
    depth: u32,
    sum: &mut SphereIntegrals,
) {
    let middle = 0.5 * (from + to);
    let halves = [slice(from, middle), slice(middle, to)];
    let change = (0..MONOMIALS).map(|k| (halves[0][k] + halves[1][k] - whole[k]).abs()).fold(0.0, f64::max);
    // The change is the error of the whole; that of the halves is many digits smaller, because
    // Gauss's rule converges so fast. After 24 halvings of ψ, latitudes at the ends are apart by
    // rounding.
    if change < 1e-13 || depth == 24 {
        for half in halves {
            for (sum, half) in sum.iter_mut().zip(half) {
                *sum += half;
            }
        }
    } else {
        add_halved(slice, from, middle, &halves[0], depth + 1, sum);
        add_halved(slice, middle, to, &halves[1], depth + 1, sum);
    }
}

/// Adds the exposed arcs of a latitude circle, times a weight.
fn add_latitude(caps: &[Cap], theta: f64, weight: f64, arcs: &mut Vec<(f64, f64)>, sum: &mut SphereIntegrals) {
    arcs.clear();
    for cap in caps {
        let half = cap.half_arc(theta);
        if half >= PI {
            return;
        }
        if half > 0.0 {
            let start = (cap.azimuth - half).rem_euclid(TAU);
            arcs.push((start, start + 2.0 * half));
        }
    }
    arcs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (s, z) = theta.sin_cos();
    let mut add = |from: f64, to: f64| {
        let (low, high) = (antiderivatives(from), antiderivatives(to));
        let [o, x, y, xx, xy, yy, xxx, xxy, xyy, yyy] = std::array::from_fn(|k| weight * (high[k] - low[k]));
        let (s2, z2) = (s * s, z * z);
        let values = [
            o,
            s * x,
            s * y,
            z * o,
            s2 * xx,
            s2 * yy,
            z2 * o,
            s2 * xy,
            s * z * x,
            s * z * y,
            s2 * s * xxx,
            s2 * s * xxy,
            s2 * z * xx,
            s2 * s * xyy,
            s2 * z * xy,
            s * z2 * x,
            s2 * s * yyy,
            s2 * z * yy,
            s * z2 * y,
            z2 * z * o,
        ];
        for (sum, value) in sum.iter_mut().zip(values) {
            *sum += value;
        }
    };
    // The arc that reaches farthest past a full turn covers the beginning of the circle; without
    // arcs, all is one gap.
    let mut reached = arcs.iter().map(|arc| arc.1 - TAU).fold(f64::NEG_INFINITY, f64::max);
    if arcs.is_empty() {
        add(0.0, TAU);
    }
    for &(start, end) in arcs.iter() {
        if start > reached {
            add(reached, start);
        }
        reached = reached.max(end);
    }
}

/// Antiderivatives of 1, c, s, cc, cs, ss, ccc, ccs, css, sss over the angle, with c its cosine and
/// s its sine.
fn antiderivatives(angle: f64) -> [f64; 10] {
    let (s, c) = angle.sin_cos();
    let (s3, c3) = (s * s * s / 3.0, c * c * c / 3.0);
    [angle, s, -c, 0.5 * (angle + s * c), 0.5 * s * s, 0.5 * (angle - s * c), s - s3, -c3, s3, c3 - c]
}

/// Nodes and weights of the Gauss–Legendre rule with 16 points on \[0, 1\]: roots of the Legendre
/// polynomial by Newton's method.
pub(super) fn gauss_legendre() -> Vec<(f64, f64)> {
    const POINTS: usize = 16;
    let node = |k: usize| {
        let mut x = (PI * (k as f64 + 0.75) / (POINTS as f64 + 0.5)).cos();
        let mut slope = 0.0;
        for _ in 0..8 {
            let (mut before, mut value) = (1.0, x);
            for n in 2..=POINTS {
                let n = n as f64;
                (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
            }
            slope = POINTS as f64 * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        // Weights on [-1, 1] are 2/((1 - x²) P'²).
        (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..POINTS).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cap of angle α leaves 2π (1 + cos α) of the area, wherever it lies, and ∫ n = -π sin²α d.
    #[test]
    fn one_cap_leaves_the_rest_of_the_sphere() {
        let rule = gauss_legendre();
        for direction in [DVec3::Z, -DVec3::Z, DVec3::X, DVec3::new(1e-9, 0.0, 1.0), DVec3::new(0.3, -0.5, 0.2)] {
            // Balls of equal radius at distance d: cos α = d/2.
            for d in [1e-3, 0.5, 1.0, 1.99, 2.0 - 1e-8] {
                let d: f64 = d;
                let found = exposed(&[Cap::new(d * direction.normalize(), 1.0, 1.0)], &rule, &mut u64::MAX.clone());
                let cosine = 0.5 * d;
                assert!((found[0] - TAU * (1.0 + cosine)).abs() < 1e-13, "{direction} {d}: {}", found[0]);
                let first = DVec3::new(found[1], found[2], found[3]);
                let expected = -PI * (1.0 - cosine * cosine) * direction.normalize();
                assert!((first - expected).length() < 1e-13, "{direction} {d}: {first} {expected}");
            }
        }
    }

    /// Caps of 90° about the three axes leave an octant: ∫ 1 = π/2, ∫ x = π/4, ∫ x² = π/6, ∫ xyz =
    /// 1/8, with signs.
    #[test]
    fn three_caps_leave_an_octant() {
        // A ball of radius √2 at distance 1 from the middle of a unit sphere covers half of it.
        let caps = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| Cap::new(axis, 1.0, 2f64.sqrt()));
        let found = exposed(&caps, &gauss_legendre(), &mut u64::MAX.clone());
        for (k, expected) in [(0, PI / 2.0), (1, -PI / 4.0), (3, -PI / 4.0), (4, PI / 6.0), (6, PI / 6.0), (14, -0.125)]
        {
            assert!((found[k] - expected).abs() < 1e-14, "{k}: {} {expected}", found[k]);
        }
    }
}
