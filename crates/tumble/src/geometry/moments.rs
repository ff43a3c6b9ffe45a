//! Volume, centre and inertia of solids, and how they add up.
//!
//! Everything is for density one: a body's mass is its density times the volume, and its inertia
//! scales the same way. Principal axes come from Jacobi rotations: for a three by three tensor they
//! are as fast as anything, accurate to rounding, and they turn the given axes no further than
//! needed, so that a symmetric body keeps the axes it was described in.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};

/// Off-diagonal elements below this part of the largest element are rounding, not a tilt of the
/// axes.
const ROUNDING: f64 = 1e-12;

/// Volume, centre and inertia of a solid of density one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Volume \[m³\].
    pub volume: f64,
    /// Centre of mass \[m\].
    pub centre: DVec3,
    /// Inertia tensor about the centre, for density one \[m⁵\].
    pub inertia: DMat3,
}

impl Moments {
    /// A ball: V = 4π/3 r³, I = 2/5 V r².
    pub fn of_ball(centre: DVec3, radius: f64) -> Self {
        let volume = 4.0 / 3.0 * PI * radius.powi(3);
        Self { volume, centre, inertia: DMat3::from_diagonal(DVec3::splat(0.4 * volume * radius * radius)) }
    }

    /// Several solids as one. Where they overlap, matter counts as often as it is there.
    ///
    /// The parallel axis theorem moves each part's inertia to the common centre: I + V (d² 1 - d
    /// dᵀ). Without volume the centre is the origin.
    pub fn sum(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<Self> = parts.into_iter().collect();
        if let [single] = parts[..] {
            return single;
        }
        let volume: f64 = parts.iter().map(|part| part.volume).sum();
        // Distances from the first part rather than from the origin: bodies far from the origin
        // lose no digits.
        let from = parts.first().map_or(DVec3::ZERO, |first| first.centre);
        let first_moment: DVec3 = parts.iter().map(|part| part.volume * (part.centre - from)).sum();
        let centre = if volume == 0.0 { DVec3::ZERO } else { from + first_moment / volume };
        let inertia = parts.iter().fold(DMat3::ZERO, |sum, part| {
            sum + part.inertia + part.volume * inertia_of_second(outer(part.centre - centre))
        });
        Self { volume, centre, inertia }
    }

    /// From the integrals of 1, x and x xᵀ over the solid, with x from `origin`.
    pub(super) fn of_integrals(origin: DVec3, volume: f64, first: DVec3, second: DMat3) -> Self {
        let offset = if volume == 0.0 { DVec3::ZERO } else { first / volume };
        let inertia = inertia_of_second(second - volume * outer(offset));
        Self { volume, centre: origin + offset, inertia }
    }
}

/// The inertia tensor tr(S) 1 - S of the second moments S = ∫ x xᵀ dV.
fn inertia_of_second(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}

/// v vᵀ.
pub(super) fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Principal moments of a symmetric tensor, and the rotation R from principal axes to the given
/// axes: I = R diag(moments) Rᵀ.
///
/// Moments are not sorted: each belongs to the principal axis near the given axis of the same
/// number. A tensor that is diagonal up to rounding gives the identity. Jacobi's method (Golub &
/// Van Loan, Matrix Computations, §8.5).
pub(crate) fn principal(tensor: &DMat3) -> (DVec3, DQuat) {
    let mut a = tensor.to_cols_array_2d();
    let scale = a.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let mut axes = DMat3::IDENTITY.to_cols_array_2d();
    const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];
    for (p, q) in PAIRS {
        let mean = 0.5 * (a[p][q] + a[q][p]);
        let cleaned = if mean.abs() <= ROUNDING * scale { 0.0 } else { mean };
        (a[p][q], a[q][p]) = (cleaned, cleaned);
    }
    // Convergence is quadratic: about five sweeps. The bound is for tensors with infinities or nan.
    for _ in 0..32 {
        if PAIRS.iter().all(|&(p, q)| a[p][q].abs() <= 1e-18 * scale) {
            break;
        }
        for (p, q) in PAIRS {
            if a[p][q] == 0.0 {
                continue;
            }
            // The smaller root of t² + 2 θ t - 1 = 0 turns by at most 45°.
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            let r = 3 - p - q;
            a[p][p] -= t * a[p][q];
            a[q][q] += t * a[p][q];
            (a[p][q], a[q][p]) = (0.0, 0.0);
            let (rp, rq) = (c * a[r][p] - s * a[r][q], s * a[r][p] + c * a[r][q]);
            (a[r][p], a[p][r], a[r][q], a[q][r]) = (rp, rp, rq, rq);
            // Columns p and q of the axes turn alike.
            let (old_p, old_q) = (axes[p], axes[q]);
            for k in 0..3 {
                axes[p][k] = c * old_p[k] - s * old_q[k];
                axes[q][k] = s * old_p[k] + c * old_q[k];
            }
        }
    }
    let rotation = DQuat::from_mat3(&DMat3::from_cols_array_2d(&axes)).normalize();
    (DVec3::new(a[0][0], a[1][1], a[2][2]), rotation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().into_iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }

    #[test]
    fn principal_moments_reproduce_the_tensor() {
        for id in 0..2000 {
            let mut draws = Draws::new(11, 0, id);
            let axes = DMat3::from_quat(draws.orientation());
            // Some tensors have equal moments, some moments of very different size.
            let mut moments = DVec3::new(draws.unit(), draws.unit(), draws.unit());
            if id % 3 == 0 {
                moments.y = moments.x;
            }
            if id % 5 == 0 {
                moments.z *= 1e-9;
            }
            let tensor = axes * DMat3::from_diagonal(moments) * axes.transpose();
            let (found, rotation) = principal(&tensor);
            let turned = DMat3::from_quat(rotation);
            let again = turned * DMat3::from_diagonal(found) * turned.transpose();
            assert!(largest(again - tensor) <= 1e-12 * largest(tensor), "{id}: {tensor} {again}");
            assert!((turned.determinant() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_diagonal_tensor_keeps_its_axes() {
        let mut tensor = DMat3::from_diagonal(DVec3::new(2.0, 2.0, 1.0));
        tensor.x_axis.y = 1.5e-12;
        tensor.y_axis.x = 1.5e-12;
        assert_eq!(principal(&tensor), (DVec3::new(2.0, 2.0, 1.0), DQuat::IDENTITY));
        // A real tilt between equal moments turns by 45°.
        tensor.x_axis.y = 1e-3;
        tensor.y_axis.x = 1e-3;
        let (moments, rotation) = principal(&tensor);
        assert!((moments - DVec3::new(1.999, 2.001, 1.0)).abs().max_element() < 1e-15, "{moments}");
        assert!((rotation.to_axis_angle().1 - PI / 4.0).abs() < 1e-12);
    }

    /// Parallel axis theorem, and sums of sums.
    #[test]
    fn inertia_moves_with_the_square_of_the_distance() {
        // Two balls of volume V, 2 d apart along x, far from the origin: I = 2 (2/5 V r²) + (0, 2 V
        // d², 2 V d²).
        let (r, d, far) = (0.3, 0.7, DVec3::new(1e3, -2e3, 5e2));
        let pair = Moments::sum([-1.0, 1.0].map(|side| Moments::of_ball(far + DVec3::X * d * side, r)));
        let volume = 4.0 / 3.0 * PI * r * r * r;
        let own = 0.8 * volume * r * r;
        let expected = DVec3::new(own, own + 2.0 * volume * d * d, own + 2.0 * volume * d * d);
        assert!((pair.volume - 2.0 * volume).abs() < 1e-15);
        assert!((pair.centre - far).length() < 1e-12);
        assert!(largest(pair.inertia - DMat3::from_diagonal(expected)) < 1e-12);
        let balls: Vec<_> = (0..7).map(|id| Moments::of_ball(Draws::new(1, 1, id).in_ball(), 0.2)).collect();
        let (once, nested) = (
            Moments::sum(balls.iter().copied()),
            Moments::sum([Moments::sum(balls[..3].iter().copied()), Moments::sum(balls[3..].iter().copied())]),
        );
        assert!(largest(once.inertia - nested.inertia) < 1e-14);
        assert!((once.centre - nested.centre).length() < 1e-15);
    }

    /// Σ m d² over the corners, of which two thirds go to each axis, and 2/5 m r² per ball.
    #[test]
    fn regular_clumps_have_one_moment() {
        let (r, a) = (0.4, 1.3);
        let m = 4.0 / 3.0 * PI * r * r * r;
        let corner =
            |k: u32| 0.5 * a * (DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) * 2.0 - DVec3::ONE);
        // 8 balls on a cube of edge a: (4 m a² + 3.2 m r²) 1.
        let cube = Moments::sum((0..8).map(|k| Moments::of_ball(corner(k), r)));
        let expected = DMat3::IDENTITY * (4.0 * m * a * a + 3.2 * m * r * r);
        assert!(largest(cube.inertia - expected) < 1e-12 * largest(expected));
        // 4 balls on every second corner, a tetrahedron whose edge is the diagonal of a side, e =
        // √2 a: (m e² + 1.6 m r²) 1.
        let tetrahedron = Moments::sum([0, 3, 5, 6].map(|k| Moments::of_ball(corner(k), r)));
        let expected = DMat3::IDENTITY * (m * 2.0 * a * a + 1.6 * m * r * r);
        assert!(largest(tetrahedron.inertia - expected) < 1e-12 * largest(expected));
        assert_eq!(principal(&tetrahedron.inertia).1, DQuat::IDENTITY);
    }
}
