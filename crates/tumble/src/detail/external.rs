//! External forces at high resolution: gravity, air, and everything that stops particles.
//!
//! Alduán, Tena & Otaduy (2009, §4.3.2). A particle in the medium has the velocity of its carriers,
//! which weight, contacts and friction have already made what it is; what is left to do is to keep
//! it out of obstacles, whose surface carriers know only coarsely. To add gravity once more,
//! between two interpolations, would let a heap at rest sink by g Δt² / 2 every time. A particle
//! that is alone flies freely, bounces and rubs.

use glam::Vec3;

use super::DetailSettings;
use super::obstacles::Meeting;
use super::particles::{Born, PART, ParticleBlock};

/// Update of a step of free flight: v ↦ decay v + gain, x ↦ x + lasting v + drift. Exact for a drag
/// that is linear in the velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeFlight {
    /// Length of the step \[s\].
    pub(super) time: f32,
    decay: f32,
    /// \[m/s\]
    pub(super) gain: Vec3,
    /// How long the velocity at the beginning would last undiminished \[s\].
    lasting: f32,
    /// \[m\]
    drift: Vec3,
}

impl FreeFlight {
    pub(super) fn new(settings: &DetailSettings, time: f64) -> Self {
        let DetailSettings { gravity, drag, wind, .. } = *settings;
        let lost = -(-drag * time).exp_m1();
        // Drag too small to change a step counts as none.
        let is_air = lost > 1e-9;
        let lasting = if is_air { lost / drag } else { time };
        let gain = lasting * gravity + lost * wind;
        let drift = if is_air { (time - lasting) * (wind + gravity / drag) } else { 0.5 * time * time * gravity };
        Self {
            time: time as f32,
            decay: (1.0 - lost) as f32,
            gain: gain.as_vec3(),
            lasting: lasting as f32,
            drift: drift.as_vec3(),
        }
    }
}

/// Rounds of pushes out of all that is near, in the wedge between two things, before a particle
/// goes back to where it was.
const MOST_PUSHES: usize = 8;

/// Moves a part of a block by a step; `dense` says which particles lie in the medium, `near` which
/// obstacles they may meet.
pub(super) fn advance(
    block: &mut ParticleBlock<'_>,
    dense: &[f32],
    flight: FreeFlight,
    meetings: &[Meeting<'_>],
    near: &[u32],
    settings: &DetailSettings,
    born: &[Born],
) {
    let rows = block.ids.len();
    let mut from = [[0.0; PART]; 3];
    let [x, y, z, u, v, w] = &mut block.state;
    for ((place, velocity), axis) in [x, y, z].into_iter().zip([u, v, w]).zip(0..3) {
        if !near.is_empty() {
            from[axis][..rows].copy_from_slice(place);
        }
        let (gain, drift) = (flight.gain[axis], flight.drift[axis]);
        for ((place, velocity), &dense) in place.iter_mut().zip(velocity.iter_mut()).zip(dense) {
            // Factors are chosen and not results: a store that depends on a condition is slow.
            let is_dense = dense > 0.0;
            let (lasting, drift) = if is_dense { (flight.time, 0.0) } else { (flight.lasting, drift) };
            let (decay, gain) = if is_dense { (1.0, 0.0) } else { (flight.decay, gain) };
            *place += lasting * *velocity + drift;
            *velocity = decay * *velocity + gain;
        }
    }
    if near.is_empty() {
        return;
    }
    for row in 0..rows {
        let [x, y, z] = from.map(|column| column[row]);
        let [to, velocity] = [[0, 1, 2], [3, 4, 5]].map(|axes| Vec3::from(axes.map(|axis| block.state[axis][row])));
        let radius = born[(block.ids[row] / settings.count) as usize].radius;
        let moves = Moves { from: Vec3::new(x, y, z), to, velocity, radius, is_dense: dense[row] > 0.0 };
        if let Some((place, velocity)) = moves.stopped(meetings, near, flight, settings) {
            for axis in 0..3 {
                block.state[axis][row] = place[axis];
                block.state[3 + axis][row] = velocity[axis];
            }
        }
    }
}

/// A particle that wants to move.
struct Moves {
    from: Vec3,
    to: Vec3,
    velocity: Vec3,
    radius: f32,
    is_dense: bool,
}

impl Moves {
    /// Where it ends and with which velocity, if anything stops it.
    fn stopped(
        mut self,
        meetings: &[Meeting<'_>],
        near: &[u32],
        flight: FreeFlight,
        settings: &DetailSettings,
    ) -> Option<(Vec3, Vec3)> {
        let near = || near.iter().map(|&k| (k, &meetings[k as usize]));
        let mut last = None;
        for (k, meeting) in near() {
            if let Some((place, normal, step)) = meeting.stop(self.from, self.to, self.radius) {
                last = Some(k);
                self.to = place;
                self.velocity = self.bounced(normal, step / flight.time, flight, settings);
            }
        }
        // Resolving one overlap can cause another: repeat until none is left; after `MOST_PUSHES`
        // rounds return to the start of the step.
        for _ in 0..MOST_PUSHES {
            let before = last?;
            for (k, meeting) in near().filter(|&(k, _)| k != before) {
                let pushed = meeting.push_out(self.to, self.radius);
                if let Some(place) = pushed.filter(|place| place.distance(self.to) > 1e-3 * self.radius) {
                    last = Some(k);
                    self.to = place;
                }
            }
            if last == Some(before) {
                return Some((self.to, self.velocity));
            }
        }
        Some((self.from, Vec3::ZERO))
    }

    /// The velocity after something was hit whose surface moves: it bounces, and friction takes as
    /// much as μ times the push along the normal.
    fn bounced(&self, normal: Vec3, surface: Vec3, flight: FreeFlight, settings: &DetailSettings) -> Vec3 {
        let relative = self.velocity - surface;
        let into = relative.dot(normal);
        if into >= 0.0 {
            return self.velocity;
        }
        let along = relative - into * normal;
        if self.is_dense {
            return surface + along;
        }
        // A normal velocity that gravity alone gives in a step is resting contact: no restitution.
        let is_resting = -into < 2.0 * flight.gain.length();
        let restitution = if is_resting { 0.0 } else { settings.restitution as f32 };
        let push = -(1.0 + restitution) * into;
        let kept = 1.0 - (settings.friction as f32 * push / along.length().max(f32::MIN_POSITIVE)).min(1.0);
        surface + kept * along - restitution * into * normal
    }
}
