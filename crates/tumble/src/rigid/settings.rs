//! Settings of the rigid solver.

use crate::world::WorldProblem;
use crate::world::check::must;

/// Settings of the rigid solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// Substeps per step; contacts are solved once in each.
    pub substeps: u32,
    /// Whether bodies at rest fall asleep.
    pub sleeping: bool,
}

impl Rigid {
    /// The settings that were measured to be best: see `docs/performance.md`.
    pub const DEFAULT: Self = Self { substeps: 8, sleeping: true };

    /// Reports settings with which no step could be computed.
    pub(crate) fn check(&self) -> Result<(), WorldProblem> {
        must((1..=1000).contains(&self.substeps), || "the solver".into(), "it needs 1 to 1000 substeps")
    }

    /// The longest step \[s\] for bodies of this smallest radius \[m\] in such gravity \[m/s²\]:
    /// 1/60 s, or about an eighth of the time in which the smallest body falls half its radius.
    /// Froude scaling: the step shrinks with √(r/g), so a small scene behaves like a large one.
    pub(crate) fn default_step(radius: f64, gravity: f64) -> f64 {
        (0.13 * (radius / gravity).sqrt()).min(1.0 / 60.0)
    }
}
