//! External forces at high resolution: gravity, air, and everything that stops particles.
//!
//! Alduán, Tena & Otaduy (2009, §4.3.2). A particle in the medium has the velocity of its guides, which weight, contacts and friction have
//! already made what it is; what is left to do is to keep it out of obstacles, whose surface guides know only coarsely. To
//! add gravity once more, between two interpolations, would let a heap at rest sink by g Δt² / 2 every time. A particle that is
//! alone flies freely, bounces and rubs.

use glam::Vec3;

use super::DetailSettings;
use super::obstacles::Meeting;
use super::particles::{Block, Born, PART};

/// What a step of free flight does to a velocity: v ↦ decay v + gain. Exact for a drag that is linear in the velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// Length of the step \[s\].
    pub(super) time: f32,
    decay: f32,
    pub(super) gain: Vec3,
}

impl Flight {
    pub(super) fn new(settings: &DetailSettings, time: f64) -> Self {
        let DetailSettings { gravity, drag, wind, .. } = *settings;
        let decay = (-drag * time).exp();
        let lasting = if drag > 0.0 { (1.0 - decay) / drag } else { time };
        let gain = lasting * gravity + (1.0 - decay) * wind;
        Self { time: time as f32, decay: decay as f32, gain: gain.as_vec3() }
    }
}

/// Moves a part of a block by a step; `dense` says which particles lie in the medium, `near` which obstacles they may meet.
pub(super) fn advance(
    block: &mut Block<'_>,
    dense: &[f32],
    flight: Flight,
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
        let gain = flight.gain[axis];
        for ((place, velocity), &dense) in place.iter_mut().zip(velocity.iter_mut()).zip(dense) {
            let after = if dense > 0.0 { *velocity } else { flight.decay * *velocity + gain };
            // Exact for constant forces.
            *place += 0.5 * flight.time * (*velocity + after);
            *velocity = after;
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
        flight: Flight,
        settings: &DetailSettings,
    ) -> Option<(Vec3, Vec3)> {
        let near = || near.iter().map(|&k| &meetings[k as usize]);
        let mut stops = 0;
        for meeting in near() {
            if let Some((place, normal, step)) = meeting.stop(self.from, self.to, self.radius) {
                stops += 1;
                self.to = place;
                self.velocity = self.bounced(normal, step / flight.time, flight, settings);
            }
        }
        // In a corner, what pushes out of one thing may push into another: again where it is now, and if that does not help, back.
        for _ in 0..3 {
            if stops < 2 {
                return (stops > 0).then_some((self.to, self.velocity));
            }
            stops = 0;
            for meeting in near() {
                if let Some(place) = meeting.push_out(self.to, self.radius) {
                    stops += usize::from(place.distance(self.to) > 1e-3 * self.radius) * 2;
                    self.to = place;
                }
            }
            stops = stops.max(1);
        }
        Some((self.from, Vec3::ZERO))
    }

    /// The velocity after something was hit whose surface moves: it bounces, and friction takes as much as μ times the push along the normal.
    fn bounced(&self, normal: Vec3, surface: Vec3, flight: Flight, settings: &DetailSettings) -> Vec3 {
        let relative = self.velocity - surface;
        let into = relative.dot(normal);
        if into >= 0.0 {
            return self.velocity;
        }
        let along = relative - into * normal;
        if self.is_dense {
            return surface + along;
        }
        // What a step of weight alone brings is no fall: it does not bounce.
        let is_resting = -into < 2.0 * flight.gain.length();
        let restitution = if is_resting { 0.0 } else { settings.restitution as f32 };
        let push = -(1.0 + restitution) * into;
        let kept = 1.0 - (settings.friction as f32 * push / along.length().max(f32::MIN_POSITIVE)).min(1.0);
        surface + kept * along - restitution * into * normal
    }
}
