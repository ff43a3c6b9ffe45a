//! The stages of a frame, and a stopwatch for them. The engine owns no clock: whoever runs it lends
//! one.

/// More steps than this in a frame are a mistake in the units: a day for a single ball.
pub(crate) const MOST_STEPS_PER_FRAME: f64 = 1e10;

/// A stage of a frame. The name is the module's name, the timer's name and the name of the
/// statistics column.
///
/// Stages stand in the order in which a frame runs them, those of both solvers in one list. The
/// rigid solver visits [`Stage::Sleep`] a second time at the end of a step, to let bodies fall
/// asleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Births of bodies.
    Emit,
    /// Obstacles follow their paths.
    Drive,
    /// Granular: bodies move.
    Integrate,
    /// Granular: the neighbour list is checked, and rebuilt when it must be.
    Neighbours,
    /// Rigid: the broad phase finds bodies that may touch.
    Broad,
    /// Rigid: pairs are parted into one list for each method.
    Dispatch,
    /// Rigid: the narrow phase finds contact points.
    Narrow,
    /// Bodies wake and fall asleep.
    Sleep,
    /// Granular: contact forces.
    Contacts,
    /// Granular: forces are summed for each body.
    Gather,
    /// Rigid: contacts are coloured into groups that are solved at once.
    Group,
    /// Rigid: impulses and motion, in substeps.
    Solve,
    /// Piles and other directors.
    Direct,
    /// The frame's report.
    Measure,
    /// High-resolution particles.
    Detail,
}

impl Stage {
    /// All stages, in the order of a frame.
    pub const ALL: [Self; 15] = [
        Self::Emit,
        Self::Drive,
        Self::Integrate,
        Self::Neighbours,
        Self::Broad,
        Self::Dispatch,
        Self::Narrow,
        Self::Sleep,
        Self::Contacts,
        Self::Gather,
        Self::Group,
        Self::Solve,
        Self::Direct,
        Self::Measure,
        Self::Detail,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Emit => "emit",
            Self::Drive => "drive",
            Self::Integrate => "integrate",
            Self::Neighbours => "neighbours",
            Self::Broad => "broad",
            Self::Dispatch => "dispatch",
            Self::Narrow => "narrow",
            Self::Sleep => "sleep",
            Self::Contacts => "contacts",
            Self::Gather => "gather",
            Self::Group => "group",
            Self::Solve => "solve",
            Self::Direct => "direct",
            Self::Measure => "measure",
            Self::Detail => "detail",
        }
    }
}

/// Measures how long stages take.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    now: fn() -> f64,
    running: Option<(Stage, f64)>,
    /// Time spent in each stage so far \[s\], in the order of [`Stage::ALL`].
    pub seconds: [f64; Stage::ALL.len()],
}

impl Stopwatch {
    /// A stopwatch with this clock, which gives seconds since any moment.
    pub fn new(now: fn() -> f64) -> Self {
        Self { now, running: None, seconds: [0.0; Stage::ALL.len()] }
    }

    /// A stopwatch that always reads zero.
    pub fn stopped() -> Self {
        Self::new(|| 0.0)
    }

    pub(crate) fn start(&mut self, stage: Stage) {
        self.stop();
        self.running = Some((stage, (self.now)()));
    }

    pub(crate) fn stop(&mut self) {
        if let Some((stage, since)) = self.running.take() {
            self.seconds[stage as usize] += (self.now)() - since;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stage's time stands where `ALL` has its name.
    #[test]
    fn seconds_are_in_the_order_of_all_stages() {
        for (place, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!(stage as usize, place, "{}", stage.name());
        }
    }
}
