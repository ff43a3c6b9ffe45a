//! How bodies move under given forces: kicks for steps of fixed length, and Runge–Kutta methods
//! that choose their steps.

mod motion;
mod runge_kutta;
mod tableau;

pub(crate) use motion::{ExternalForces, kick};
pub(crate) use runge_kutta::{RungeKutta, Slope, Verdict};

/// How a scene is integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// Velocity-Verlet with steps of fixed length: half a kick, a drift, and after the new forces
    /// the other half kick. Second order, and symplectic where the forces are conservative; one
    /// force evaluation per step.
    Verlet,
    /// Symplectic Euler with steps of fixed length: a whole kick, then a drift. First order.
    SymplecticEuler,
    /// Runge–Kutta–Fehlberg 4(5) with error control (Bell, Yu & Mucha 2005; Yee, Christara & Lait
    /// 2009): six force evaluations per step.
    Rkf45(Control),
    /// Bogacki–Shampine 2(3) with error control (Yee, Christara & Lait 2009): four force
    /// evaluations per step.
    Rk23(Control),
}

/// How an adaptive integrator chooses its steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Largest position error per second \[m/s\].
    pub tolerance: f64,
    /// Steps are never shorter \[s\]; one of this length is accepted whatever its error, and
    /// counted. By default a twentieth of the fixed step: shorter ones resolve nothing but jumps of
    /// the forces.
    pub smallest: Option<f64>,
    /// Steps are never longer \[s\].
    pub largest: f64,
    /// Whether forces are applied one after another within a stage, as Yee et al. do: stable, but
    /// of first order (erratum Y12).
    pub sequential: bool,
}

/// A step that an adaptive integrator tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriedStep {
    /// When it begins \[s\].
    pub time: f64,
    /// How long it is \[s\].
    pub length: f64,
    /// Whether it was accepted; else its error was too large, and it was rejected.
    pub kept: bool,
}

/// Counts of steps taken and rejected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepCount {
    /// Steps taken.
    pub(crate) taken: u64,
    /// Steps rejected because their error was too large.
    pub(crate) rejected: u64,
    /// Steps of the smallest length whose error was too large.
    pub(crate) at_smallest: u64,
    /// Shortest step taken \[s\].
    pub(crate) shortest: f64,
    /// Longest step taken \[s\].
    pub(crate) longest: f64,
}

impl StepCount {
    pub(crate) const NONE: Self = Self { taken: 0, rejected: 0, at_smallest: 0, shortest: f64::INFINITY, longest: 0.0 };

    /// Adds the steps of another stretch of time.
    pub(crate) fn add(&mut self, other: &Self) {
        self.taken += other.taken;
        self.rejected += other.rejected;
        self.at_smallest += other.at_smallest;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
    }

    /// Counts a step that was taken.
    pub(crate) fn take(&mut self, dt: f64) {
        self.taken += 1;
        self.shortest = self.shortest.min(dt);
        self.longest = self.longest.max(dt);
    }
}
