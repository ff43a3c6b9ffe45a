//! The stages of a frame, and a stopwatch for them. The engine owns no clock: whoever runs it lends one.

/// A stage of a frame. The name is the module's name, the timer's name and the name of the statistics column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Births.
    Emit,
    /// Obstacles follow their paths.
    Drive,
    /// Who may touch.
    Neighbours,
    /// Who does touch, and how hard.
    Contacts,
    /// Sums for each body.
    Gather,
    /// Which bodies may touch, for the rigid solver.
    Broad,
    /// Where they touch.
    Narrow,
    /// Which contacts can be solved at once.
    Group,
    /// Impulses and motion.
    Solve,
    /// Who wakes and who falls asleep.
    Sleep,
    /// Motion.
    Integrate,
    /// Piles and other directors.
    Direct,
    /// What the frame's report says.
    Measure,
    /// High-resolution particles.
    Detail,
}

impl Stage {
    /// All stages, in the order of a frame.
    pub const ALL: [Self; 14] = [
        Self::Emit,
        Self::Drive,
        Self::Neighbours,
        Self::Contacts,
        Self::Gather,
        Self::Broad,
        Self::Narrow,
        Self::Group,
        Self::Solve,
        Self::Sleep,
        Self::Integrate,
        Self::Direct,
        Self::Measure,
        Self::Detail,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Emit => "emit",
            Self::Drive => "drive",
            Self::Neighbours => "neighbours",
            Self::Contacts => "contacts",
            Self::Gather => "gather",
            Self::Broad => "broad",
            Self::Narrow => "narrow",
            Self::Group => "group",
            Self::Solve => "solve",
            Self::Sleep => "sleep",
            Self::Integrate => "integrate",
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
