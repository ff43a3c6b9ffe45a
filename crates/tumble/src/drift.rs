//! Drift: integrates poses from velocities and spins, for both solvers.

use glam::{DQuat, DVec3};

use crate::world::{Inertia, Motion, Pose};

/// Moves and turns a body by its motion for `dt` \[s\].
#[inline(always)]
pub(crate) fn drift(pose: &mut Pose, motion: &mut Motion, inertia: &Inertia, dt: f64) {
    pose.position += dt * motion.velocity;
    if inertia.is_round() {
        turn_round(pose, motion, dt);
    } else {
        turn(pose, motion, inertia, dt);
    }
}

/// Turns a body with equal moments of inertia, whose spin ω is constant, by the angle |ω| dt about
/// ω.
#[inline(always)]
fn turn_round(pose: &mut Pose, motion: &Motion, dt: f64) {
    let half = 0.5 * dt * motion.spin;
    let (sinc, cos) = sinc_cos(half.length_squared());
    let turn = DQuat::from_xyzw(sinc * half.x, sinc * half.y, sinc * half.z, cos);
    let turned = turn * pose.orientation;
    // One Newton step towards length one instead of a square root: the length is off by rounding
    // only.
    pose.orientation = turned * (1.5 - 0.5 * turned.length_squared());
}

/// Turns a body with different moments of inertia about its own axes x, y, z, y, x in turn, each
/// time with the angular momentum that it then has about that axis (Dullweber, Leimkuhler &
/// McLachlan 1997). Second order, symplectic, and angular momentum is conserved to rounding.
fn turn(pose: &mut Pose, motion: &mut Motion, inertia: &Inertia, dt: f64) {
    let mut momentum = (inertia.moments * (pose.orientation.conjugate() * motion.spin)).to_array();
    let mut q = pose.orientation.to_array();
    let angles = (dt / inertia.moments).to_array();
    turn_about::<0>(&mut q, &mut momentum, 0.5 * angles[0]);
    turn_about::<1>(&mut q, &mut momentum, 0.5 * angles[1]);
    turn_about::<2>(&mut q, &mut momentum, angles[2]);
    turn_about::<1>(&mut q, &mut momentum, 0.5 * angles[1]);
    turn_about::<0>(&mut q, &mut momentum, 0.5 * angles[0]);
    pose.orientation = DQuat::from_array(q).normalize();
    motion.spin = pose.orientation * (DVec3::from(momentum) / inertia.moments);
}

/// Turns about one axis of the body; `angle` is over the angular momentum about it. The quaternion
/// is not yet of length one.
#[inline(always)]
fn turn_about<const AXIS: usize>(q: &mut [f64; 4], momentum: &mut [f64; 3], angle: f64) {
    let half = 0.5 * angle * momentum[AXIS];
    // Any value keeps the momentum's length.
    let t = half * tan_over(half * half);
    let scale = 1.0 / (1.0 + t * t);
    let (cos, sin) = ((1.0 - t * t) * scale, 2.0 * t * scale);
    // In axes that turn with the body the momentum turns back.
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    (momentum[j], momentum[k]) = (cos * momentum[j] + sin * momentum[k], cos * momentum[k] - sin * momentum[j]);
    let (i, w) = (q[AXIS], q[3]);
    (q[AXIS], q[3]) = (i + w * t, w - i * t);
    (q[j], q[k]) = (q[j] + q[k] * t, q[k] - q[j] * t);
}

/// sin(x)/x and cos(x) from x², to rounding.
#[inline(always)]
fn sinc_cos(xx: f64) -> (f64, f64) {
    // Up to here the next terms of the series, x¹⁰/11! and x¹⁰/10!, are below rounding.
    const SMALL: f64 = 0.01;
    if xx < SMALL {
        let sinc = 1.0 + xx * (-1.0 / 6.0 + xx * (1.0 / 120.0 + xx * (-1.0 / 5040.0 + xx * (1.0 / 362_880.0))));
        let cos = 1.0 + xx * (-1.0 / 2.0 + xx * (1.0 / 24.0 + xx * (-1.0 / 720.0 + xx * (1.0 / 40_320.0))));
        return (sinc, cos);
    }
    let x = xx.sqrt();
    let (sin, cos) = x.sin_cos();
    (sin / x, cos)
}

/// tan(x)/x from x², to rounding.
#[inline(always)]
fn tan_over(xx: f64) -> f64 {
    // Up to here the next term of the series, 0.009 x¹⁰, is below rounding.
    const SMALL: f64 = 4e-4;
    if xx < SMALL {
        return 1.0 + xx * (1.0 / 3.0 + xx * (2.0 / 15.0 + xx * (17.0 / 315.0 + xx * (62.0 / 2835.0))));
    }
    let (sinc, cos) = sinc_cos(xx);
    sinc / cos
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The series and the functions agree to rounding on both sides of where one takes over from
    /// the other.
    #[test]
    fn sine_and_cosine_are_right_to_rounding() {
        for k in 0..2000 {
            let x = 1e-4 * f64::from(k);
            let (sinc, cos) = sinc_cos(x * x);
            let expected = if k == 0 { 1.0 } else { x.sin() / x };
            assert!((sinc - expected).abs() < 3e-16 && (cos - x.cos()).abs() < 3e-16, "at {x}: {sinc}, {cos}");
            let (tan, expected) = (tan_over(x * x), if k == 0 { 1.0 } else { x.tan() / x });
            assert!((tan - expected).abs() < 5e-16, "at {x}: {tan}");
        }
    }
}
