//! Volume, centre and inertia of a union of overlapping balls: the moments of a clump, each point
//! of matter counted once.
//!
//! The divergence theorem turns volume integrals into integrals over the exposed part of each
//! sphere. For f homogeneous of degree k, div(x f) = (3 + k) f, so that ∫ f dV = 1/(3 + k) ∮ f x·n
//! dA: with f = 1, x, x xᵀ and x = c + r n these are polynomials in the normal n of degree up to
//! three, which `exposed_sphere` integrates. This is accurate to about 1e-14, where counting voxels
//! or random points gives three digits, and no formula for triple overlaps is needed.

use glam::{DMat3, DVec3};

use super::exposed_sphere::{Cap, exposed, gauss_legendre};
use super::moments::{Moments, outer};

/// Balls that overlap by less than this part of the smaller radius only touch: the lens they share
/// has less than 1e-17 of its volume.
const TOUCHING: f64 = 1e-9;

/// Moments of a union of balls (centre and radius), each point of matter counted once. Relative
/// error about 1e-14.
///
/// Balls that do not overlap give exactly their sum. Balls with no radius are nothing.
pub(crate) fn union_moments(balls: &[(DVec3, f64)]) -> Moments {
    union_moments_within(balls, &mut u64::MAX.clone())
}

/// The same with a budget: `work` is how often balls may be looked at, and becomes the rest. With 0
/// left the moments are of no use: so many balls overlap that all parts of their surfaces would
/// take too long to find.
pub(crate) fn union_moments_within(balls: &[(DVec3, f64)], work: &mut u64) -> Moments {
    let visible: Vec<_> = (0..balls.len()).filter(|&i| !is_inside_another(balls, i)).map(|i| balls[i]).collect();
    let rule = gauss_legendre();
    Moments::sum(groups(&visible).into_iter().map(|group| match group[..] {
        [(centre, radius)] => Moments::of_ball(centre, radius),
        _ => group_moments(&group, &rule, work),
    }))
}

/// Whether a ball has no radius or lies inside another; of equal balls, the first is not inside the
/// others.
fn is_inside_another(balls: &[(DVec3, f64)], i: usize) -> bool {
    let (centre, radius) = balls[i];
    let covered = |j: usize| {
        let (other, larger) = balls[j];
        let equal = other == centre && larger == radius;
        if equal { j < i } else { (other - centre).length() + radius <= larger }
    };
    radius.is_nan() || radius <= 0.0 || (0..balls.len()).any(|j| j != i && covered(j))
}

fn overlap((a, r): (DVec3, f64), (b, s): (DVec3, f64)) -> bool {
    r + s - (a - b).length() > TOUCHING * r.min(s)
}

/// Balls that hang together by overlaps, in the order of their first members.
fn groups(balls: &[(DVec3, f64)]) -> Vec<Vec<(DVec3, f64)>> {
    let mut taken = vec![false; balls.len()];
    let mut groups = Vec::new();
    for first in 0..balls.len() {
        if taken[first] {
            continue;
        }
        taken[first] = true;
        let mut group = vec![balls[first]];
        let mut next = 0;
        while next < group.len() {
            for j in 0..balls.len() {
                if !taken[j] && overlap(group[next], balls[j]) {
                    taken[j] = true;
                    group.push(balls[j]);
                }
            }
            next += 1;
        }
        groups.push(group);
    }
    groups
}

/// The moments of balls that hang together.
fn group_moments(balls: &[(DVec3, f64)], rule: &[(f64, f64)], work: &mut u64) -> Moments {
    // An origin amid the balls keeps x·n small and the cancellation between spheres harmless.
    let origin = balls.iter().map(|&(centre, _)| centre).sum::<DVec3>() / balls.len() as f64;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for (i, &(centre, r)) in balls.iter().enumerate() {
        let others = balls.iter().enumerate().filter(|&(j, &other)| j != i && overlap((centre, r), other));
        let caps: Vec<Cap> = others.map(|(_, &(other, s))| Cap::new(other - centre, r, s)).collect();
        let m = exposed(&caps, rule, work);
        let c = centre - origin;
        let (m0, m1) = (m[0], DVec3::new(m[1], m[2], m[3]));
        let m2 = symmetric(m[4], m[5], m[6], m[7], m[8], m[9]);
        // The third moments times c.
        let m3c = symmetric(
            m[10] * c.x + m[11] * c.y + m[12] * c.z,
            m[13] * c.x + m[16] * c.y + m[17] * c.z,
            m[15] * c.x + m[18] * c.y + m[19] * c.z,
            m[11] * c.x + m[13] * c.y + m[14] * c.z,
            m[12] * c.x + m[14] * c.y + m[15] * c.z,
            m[14] * c.x + m[17] * c.y + m[18] * c.z,
        );
        // x·n = c·n + r, dA = r² dn.
        let flux = c.dot(m1) + r * m0;
        let flux_n = m2 * c + r * m1;
        let mixed = DMat3::from_cols(c * flux_n.x, c * flux_n.y, c * flux_n.z);
        volume += r * r / 3.0 * flux;
        first += r * r / 4.0 * (flux * c + r * flux_n);
        second += r * r / 5.0 * (flux * outer(c) + r * (mixed + mixed.transpose()) + r * r * (m3c + r * m2));
    }
    Moments::of_integrals(origin, volume, first, second)
}

fn symmetric(xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64) -> DMat3 {
    DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use glam::DQuat;

    use super::*;
    use crate::random::Draws;

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().into_iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }

    /// The largest relative error of volume, centre (by the size of the union) and inertia.
    fn difference(found: &Moments, expected: &Moments) -> f64 {
        let volume = (found.volume / expected.volume - 1.0).abs();
        let centre = (found.centre - expected.centre).length() / expected.volume.cbrt();
        volume.max(centre).max(largest(found.inertia - expected.inertia) / largest(expected.inertia))
    }

    /// Exact moments of balls along an axis, from end to end of which each slice is a disc of the
    /// largest ball there: with ρ² a quadratic of z between the planes of intersection, V = ∫ πρ²,
    /// I_axis = ∫ π/2 ρ⁴, I_across = ∫ π/4 ρ⁴ + πρ² z².
    fn chain(balls: &[(f64, f64)], from: DVec3, turn: DQuat) -> Moments {
        let mut sums = [0.0; 4];
        for (k, &(at, r)) in balls.iter().enumerate() {
            // Neighbours meet where r² - (z - a)² = s² - (z - b)².
            let plane = |(b, s): (f64, f64)| 0.5 * ((r * r - s * s) / (b - at) + at + b);
            let low = if k == 0 { at - r } else { plane(balls[k - 1]) };
            let high = if k + 1 == balls.len() { at + r } else { plane(balls[k + 1]) };
            // Integrals of πρ² u^n, u = z - at, and of π ρ⁴.
            let power = |n: i32| ((high - at).powi(n + 1) - (low - at).powi(n + 1)) / (n + 1) as f64;
            let disc = |n: i32| PI * (r * r * power(n) - power(n + 2));
            sums[0] += disc(0);
            sums[1] += at * disc(0) + disc(1);
            sums[2] += at * at * disc(0) + 2.0 * at * disc(1) + disc(2);
            sums[3] += PI * (r.powi(4) * power(0) - 2.0 * r * r * power(2) + power(4));
        }
        let [volume, first, second, quartic] = sums;
        let centre = first / volume;
        let across = 0.25 * quartic + second - volume * centre * centre;
        let axes = DMat3::from_quat(turn);
        let inertia = axes * DMat3::from_diagonal(DVec3::new(across, across, 0.5 * quartic)) * axes.transpose();
        Moments { volume, centre: from + turn * (DVec3::Z * centre), inertia }
    }

    /// Two balls (a lens shared), and longer chains, along many directions.
    #[test]
    fn chains_have_their_closed_form() {
        let chains: [&[(f64, f64)]; 5] = [
            &[(0.0, 1.0), (1.0, 1.0)],
            &[(0.0, 1.0), (1.1, 0.2)],
            &[(0.0, 1.0), (1e-6, 1.0)],
            &[(0.0, 1.0), (1.0 - 1e-7, 0.3), (1.3, 0.4)],
            &[(0.0, 0.5), (0.7, 0.6), (1.4, 0.3), (1.8, 0.45), (2.6, 0.5)],
        ];
        for chain_balls in chains {
            for id in 0..20 {
                // The first three lie along the axes, where latitude circles and caps are
                // concentric.
                let turn = match id {
                    0 => DQuat::IDENTITY,
                    1 => DQuat::from_rotation_x(PI / 2.0),
                    2 => DQuat::from_rotation_y(PI / 2.0),
                    _ => Draws::new(2, 0, id).orientation(),
                };
                let from = Draws::new(2, 1, id).in_ball();
                let balls: Vec<_> = chain_balls.iter().map(|&(at, r)| (from + turn * (DVec3::Z * at), r)).collect();
                let error = difference(&union_moments(&balls), &chain(chain_balls, from, turn));
                assert!(error < 1e-13, "{chain_balls:?} {id}: {error:e}");
            }
        }
    }

    /// Against discs of lines along z whose covered parts are exact: second order in their spacing.
    #[test]
    fn triple_overlaps_match_a_fine_sum() {
        let balls = [
            (DVec3::new(0.0, 0.0, 0.0), 1.0),
            (DVec3::new(0.9, 0.1, -0.2), 0.8),
            (DVec3::new(0.3, 0.8, 0.3), 0.7),
            (DVec3::new(0.4, 0.3, 0.9), 0.6),
        ];
        let (n, low, high) = (1600, -1.1, 1.9);
        let step: f64 = (high - low) / n as f64;
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for i in 0..n {
            for j in 0..n {
                let (x, y) = (low + (i as f64 + 0.5) * step, low + (j as f64 + 0.5) * step);
                let mut parts: Vec<(f64, f64)> = Vec::new();
                for (c, r) in balls {
                    let square = r * r - (c.x - x).powi(2) - (c.y - y).powi(2);
                    if square > 0.0 {
                        parts.push((c.z - square.sqrt(), c.z + square.sqrt()));
                    }
                }
                parts.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut reached = f64::NEG_INFINITY;
                for (from, to) in parts {
                    let from = from.max(reached);
                    if to > from {
                        let [o, z, zz] = [1, 2, 3].map(|k| (to.powi(k) - from.powi(k)) / k as f64 * step * step);
                        volume += o;
                        first += DVec3::new(x * o, y * o, z);
                        second += symmetric(x * x * o, y * y * o, zz, x * y * o, x * z, y * z);
                        reached = to;
                    }
                }
            }
        }
        let expected = Moments::of_integrals(DVec3::ZERO, volume, first, second);
        let error = difference(&union_moments(&balls), &expected);
        assert!(error < 3e-6, "{error:e}");
    }

    /// Turning all balls turns the tensor: a test of every digit, because latitudes are other ones.
    #[test]
    fn moments_turn_with_the_balls() {
        let random = |count: u64| {
            let mut draws = Draws::new(4, 0, count);
            (0..count).map(|_| (draws.in_ball(), draws.between(0.1, 0.6))).collect()
        };
        // Lattices whose spheres meet by fours on the sides (√½) and by eights in the middle of the
        // cubes (√¾), or barely overlap.
        let lattice =
            |r: f64| (0..27).map(|k| (DVec3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64), r)).collect();
        let clumps: [Vec<(DVec3, f64)>; 10] = [
            random(3),
            random(5),
            random(8),
            random(12),
            random(30),
            random(60),
            lattice(0.5 + 1e-7),
            lattice(0.5f64.sqrt()),
            lattice(0.75f64.sqrt()),
            lattice(1.0),
        ];
        for (id, balls) in clumps.into_iter().enumerate() {
            let mut draws = Draws::new(4, 1, id as u64);
            let straight = union_moments(&balls);
            for _ in 0..3 {
                let (turn, shift) = (draws.orientation(), draws.in_ball());
                let turned = union_moments(&balls.iter().map(|&(c, r)| (shift + turn * c, r)).collect::<Vec<_>>());
                let axes = DMat3::from_quat(turn);
                let expected = Moments {
                    volume: straight.volume,
                    centre: shift + turn * straight.centre,
                    inertia: axes * straight.inertia * axes.transpose(),
                };
                let error = difference(&turned, &expected);
                assert!(error < 1e-13, "{id}: {error:e}");
            }
        }
    }

    /// Centres that nearly coincide, radii a million times smaller, rims that nearly touch poles
    /// and each other: digits stay, and so does the time.
    #[test]
    fn extreme_clumps_turn_too() {
        for id in 0..60 {
            let mut draws = Draws::new(5, 0, id);
            let size = [1.0, 1e-3, 1e-6][id as usize % 3];
            let near = [1e-9, 1e-6, 1e-3, 1.0][id as usize % 4];
            let mut balls = vec![(DVec3::ZERO, 1.0), (DVec3::Z * near, 1.0)];
            balls.extend((0..4).map(|_| (draws.in_ball().normalize(), size * draws.between(0.5, 1.0))));
            balls.push((DVec3::Z * (1.0 + near), 1.0));
            let (straight, turn) = (union_moments(&balls), draws.orientation());
            let turned = union_moments(&balls.iter().map(|&(c, r)| (turn * c, r)).collect::<Vec<_>>());
            let axes = DMat3::from_quat(turn);
            let inertia = axes * straight.inertia * axes.transpose();
            let error = difference(&turned, &Moments { centre: turn * straight.centre, inertia, ..straight });
            assert!(error < 1e-12, "{id}: {error:e}");
        }
    }

    #[test]
    fn hidden_touching_and_equal_balls() {
        let ball = (DVec3::new(0.1, 0.2, 0.3), 1.0);
        let alone = Moments::of_ball(ball.0, ball.1);
        let inside = (ball.0 + DVec3::new(0.3, 0.0, 0.0), 0.5);
        assert_eq!(union_moments(&[inside, ball, ball, inside, (DVec3::ONE, 0.0)]), alone);
        // Inside, touching the surface from within up to rounding.
        let tangent = (ball.0 + DVec3::new(0.48, 0.6, 0.64).normalize() * 0.7, 0.3);
        assert!(difference(&union_moments(&[ball, tangent]), &alone) < 1e-13);
        // Touching from outside, and far: the plain sum, bit by bit.
        let apart = [ball, (ball.0 + 1.4 * DVec3::Y, 0.4), (DVec3::splat(9.0), 2.0)];
        assert_eq!(union_moments(&apart), Moments::sum(apart.map(|(c, r)| Moments::of_ball(c, r))));
        // Symmetry of overlapping clumps survives: eight balls on a cube.
        let corner = |k: u32| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
        let cube = union_moments(&[0, 1, 2, 3, 4, 5, 6, 7].map(|k| (corner(k), 0.8)));
        assert_eq!(super::super::moments::principal(&cube.inertia).1, DQuat::IDENTITY);
        assert!((cube.centre - DVec3::splat(0.5)).length() < 1e-14);
    }
}
