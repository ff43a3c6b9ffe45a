//! Softness of contacts: how overlaps are pushed out in a substep.

use crate::rest::natural_speed;

/// Frequency at which an overlap is pushed out, over the frequency of substeps.
const CONTACT_FREQUENCY: f64 = 0.25;

/// Damping ratio ζ of a contact: far above 1, so that pushing out never bounces.
const CONTACT_DAMPING_RATIO: f64 = 10.0;

/// Restitution threshold: collisions slower than what gravity adds in so many steps do not bounce.
const RESTITUTION_THRESHOLD_STEPS: f64 = 0.5;

/// Largest speed at which overlaps are pushed out, over the natural speed of the smaller body.
const MAX_PUSH_SPEED: f64 = 1.5;

/// Largest speed \[m/s\] at which overlaps of a body of this radius \[m\] are pushed out in such
/// gravity \[m/s²\].
pub(in crate::rigid) fn max_push_speed(gravity: f64, radius: f64) -> f64 {
    MAX_PUSH_SPEED * natural_speed(gravity, radius)
}

/// Coefficients of soft contacts in a substep; derived at the top of this folder.
#[derive(Clone, Copy, Debug)]
pub(in crate::rigid) struct Softness {
    /// 1/h \[1/s\].
    pub(super) inverse_h: f32,
    /// Bias velocity over the overlap \[1/s\].
    pub(super) bias_rate: f32,
    /// Scale of the effective mass.
    pub(super) mass_scale: f32,
    /// Part of the accumulated impulse that leaks.
    pub(super) impulse_scale: f32,
    /// Speeds of approach below which nothing bounces \[m/s\].
    pub(super) restitution_threshold: f32,
    /// Speed that gravity gives in a substep, g h \[m/s\].
    pub(in crate::rigid) gravity_kick: f32,
}

impl Softness {
    /// Softness in substeps of `h` \[s\] of a step of `dt` \[s\], in such gravity \[m/s²\].
    pub(in crate::rigid) fn new(h: f64, dt: f64, gravity: f64) -> Self {
        let omega = std::f64::consts::TAU * (CONTACT_FREQUENCY / h);
        let a1 = 2.0 * CONTACT_DAMPING_RATIO + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self {
            inverse_h: (1.0 / h) as f32,
            bias_rate: (omega / a1) as f32,
            mass_scale: (a2 * a3) as f32,
            impulse_scale: a3 as f32,
            restitution_threshold: (RESTITUTION_THRESHOLD_STEPS * gravity * dt) as f32,
            gravity_kick: (gravity * h) as f32,
        }
    }
}
