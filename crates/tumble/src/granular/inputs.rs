//! Inputs of the contact stage, for pairs of spheres and for walls.

use super::law::{Coefficients, Law};
use crate::contact::{Spheres, SurfaceId};
use crate::lanes::{LANES, Numbers};
use crate::world::Obstacle;

/// Inputs of the contact loop.
pub(crate) struct ContactInputs<'a> {
    pub(crate) law: &'a Law,
    pub(crate) spheres: &'a Spheres,
    pub(crate) obstacles: &'a [Obstacle],
    /// Coefficients of every pair of surfaces, row-major.
    pub(crate) pairs: &'a [Coefficients],
    /// Number of surfaces.
    pub(crate) surfaces: usize,
    /// Whether there is stiction, so that walls must report the reaction on each sphere.
    pub(crate) stiction: bool,
    /// Whether the contact history advances or stays frozen.
    pub(crate) memory: Remember,
    /// Age of the velocities relative to the positions \[s\].
    pub(crate) lag: f64,
    /// Contacts with a larger overlap over the smaller radius \[-\] are noted. Infinite for a trial
    /// evaluation, which may be rejected.
    pub(crate) deepest: f64,
}

/// Effect of a force evaluation on the contact history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Remember {
    /// The history advances by a step of this length \[s\].
    Advance(f64),
    /// The history stays as it is: the evaluation is one of several in a step, or its step may be
    /// rejected.
    Frozen,
}

impl Remember {
    /// The time to advance by, in all lanes.
    pub(super) fn step(self) -> Numbers {
        match self {
            Self::Advance(dt) => Numbers::splat(dt),
            Self::Frozen => Numbers::ZERO,
        }
    }
}

impl ContactInputs<'_> {
    /// The coefficients of two surfaces.
    #[inline(always)]
    pub(super) fn pair(&self, a: SurfaceId, b: SurfaceId) -> &Coefficients {
        &self.pairs[a.index() * self.surfaces + b.index()]
    }

    /// The coefficients of all contacts, where they are the same.
    pub(super) fn only_pair(&self) -> Option<Coefficients<Numbers>> {
        let [only] = self.pairs else { return None };
        Some(Coefficients::new([only; LANES]))
    }
}
