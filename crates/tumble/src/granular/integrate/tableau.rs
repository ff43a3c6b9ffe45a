//! The coefficients of the two Runge–Kutta pairs. Every order condition of these fractions was
//! checked in exact arithmetic.

/// An embedded pair: one set of stages, two orders, and their difference as the error.
#[derive(Debug)]
pub(super) struct Tableau {
    /// Time of each stage, in steps.
    pub(super) c: &'static [f64],
    /// Weights of earlier stages in the state of each stage after the first.
    pub(super) a: &'static [&'static [f64]],
    /// Weights of the result, which is the one of lower order: the error that is controlled is that
    /// of the result.
    pub(super) b: &'static [f64],
    /// Weights of the error: higher minus lower order.
    pub(super) error: &'static [f64],
    /// The error per second grows with this power of the step.
    pub(super) power: f64,
    /// Largest turn in a step of a body whose moments of inertia differ \[rad\]. Turning freely it
    /// then loses or gains less than 10⁻⁶ of its energy per radian; from a radian or two on the
    /// stages no longer say how large the error is.
    pub(super) largest_turn: f64,
}

/// Runge–Kutta–Fehlberg 4(5).
pub(super) const RKF45: Tableau = Tableau {
    c: &[0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0],
    a: &[
        &[1.0 / 4.0],
        &[3.0 / 32.0, 9.0 / 32.0],
        &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ],
    b: &[25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0],
    error: &[1.0 / 360.0, 0.0, -128.0 / 4275.0, -2197.0 / 75240.0, 1.0 / 50.0, 2.0 / 55.0],
    power: 4.0,
    largest_turn: 0.2,
};

/// Bogacki–Shampine 2(3).
pub(super) const RK23: Tableau = Tableau {
    c: &[0.0, 1.0 / 2.0, 3.0 / 4.0, 1.0],
    a: &[&[1.0 / 2.0], &[0.0, 3.0 / 4.0], &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]],
    b: &[7.0 / 24.0, 1.0 / 4.0, 1.0 / 3.0, 1.0 / 8.0],
    error: &[-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0],
    power: 2.0,
    largest_turn: 0.04,
};
