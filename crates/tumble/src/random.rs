//! Random numbers without a generator: a draw is a hash of (seed, stream, id, count).
//!
//! So a draw does not depend on threads, on row order, on other draws, or on where a run was
//! resumed.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

/// One independent sequence of draws: everything random about one thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    key: u64,
    count: u64,
}

impl Draws {
    /// The draws of thing `id` of `stream` in a run with this seed.
    pub(crate) fn new(seed: u64, stream: u64, id: u64) -> Self {
        Self { key: mix(mix(mix(seed) ^ stream) ^ id), count: 0 }
    }

    /// Uniform in \[0, 1), 53 bits.
    pub(crate) fn unit(&mut self) -> f64 {
        self.count += 1;
        (mix(self.key ^ mix(self.count)) >> 11) as f64 * (0.5f64).powi(53)
    }

    /// Uniform between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the ball of radius one.
    pub(crate) fn in_ball(&mut self) -> DVec3 {
        loop {
            let mut coordinate = || self.between(-1.0, 1.0);
            let point = DVec3::new(coordinate(), coordinate(), coordinate());
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
    }

    /// Uniform over all orientations (Shoemake 1992).
    pub(crate) fn orientation(&mut self) -> DQuat {
        let (u, a, b) = (self.unit(), TAU * self.unit(), TAU * self.unit());
        let (near, far) = ((1.0 - u).sqrt(), u.sqrt());
        DQuat::from_xyzw(near * a.sin(), near * a.cos(), far * b.sin(), far * b.cos())
    }
}

/// The finaliser of splitmix64 (Steele, Lea & Flood 2014): every output bit depends on every input
/// bit.
pub(crate) fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientations_are_uniform() {
        // Over SO(3) the mean of each matrix entry is 0 and of its square 1/3; uniform Euler angles
        // fail this.
        let n = 20_000;
        let (mut mean, mut square) = ([0.0; 9], [0.0; 9]);
        for id in 0..n {
            let q = Draws::new(1, 2, id).orientation();
            for (k, r) in glam::DMat3::from_quat(q).to_cols_array().into_iter().enumerate() {
                mean[k] += r / n as f64;
                square[k] += r * r / n as f64;
            }
        }
        // Four standard errors: sd of an entry is 0.577, of its square 0.298.
        let error = 4.0 / (n as f64).sqrt();
        assert!(mean.iter().all(|m| m.abs() < 0.577 * error), "{mean:?}");
        assert!(square.iter().all(|s| (s - 1.0 / 3.0).abs() < 0.298 * error), "{square:?}");
    }

    #[test]
    fn streams_and_ids_are_independent() {
        let correlation: f64 = (0..10_000)
            .map(|id| (Draws::new(7, 0, id).unit() - 0.5) * (Draws::new(7, 1, id).unit() - 0.5))
            .sum::<f64>()
            / 10_000.0;
        // The product of two independent centred uniforms has sd 1/12.
        assert!(correlation.abs() < 4.0 / 12.0 / 100.0, "{correlation}");
    }
}
