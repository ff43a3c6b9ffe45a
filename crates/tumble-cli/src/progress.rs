//! What a run says while it runs: one line that is written over on a terminal, a few lines in a log, or JSON.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use serde_json::json;
use tumble::FrameReport;

/// How a run reports its progress.
pub(crate) struct Progress {
    json: bool,
    terminal: bool,
    begin: Instant,
    last: Option<Instant>,
    first: i64,
    end: i64,
}

impl Progress {
    /// Progress from frame `first` to frame `end`.
    pub(crate) fn new(json: bool, first: i64, end: i64) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self { json, terminal, begin: Instant::now(), last: None, first, end }
    }

    /// Reports one frame.
    pub(crate) fn frame(&mut self, report: &FrameReport, state_hash: u64) -> std::io::Result<()> {
        unless_gone(self.tell(report, state_hash))
    }

    fn tell(&mut self, report: &FrameReport, state_hash: u64) -> std::io::Result<()> {
        if self.json {
            let line = json!({
                "frame": report.frame,
                "time": report.time,
                "steps": report.steps,
                "bodies": report.bodies,
                "awake": report.awake,
                "contacts": report.contacts,
                "waiting": report.waiting,
                "kinetic_energy": report.kinetic_energy,
                "deepest_overlap": report.deepest_overlap,
                "eta_seconds": self.left(report.frame).as_secs_f64(),
                "state_hash": format!("{state_hash:016x}"),
                "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            });
            writeln!(std::io::stdout(), "{line}")?;
            return Ok(());
        }
        // A terminal can take ten lines a second; a log gets one every ten seconds.
        let pause = Duration::from_millis(if self.terminal { 100 } else { 10_000 });
        if report.frame < self.end && self.last.is_some_and(|last| last.elapsed() < pause) {
            return Ok(());
        }
        self.last = Some(Instant::now());
        let left = self.left(report.frame).as_secs();
        let line = format!(
            "frame {} of {}  t {:.3} s  {} bodies awake  {} steps a frame  {:02}:{:02}:{:02} left",
            report.frame,
            self.end,
            report.time,
            report.awake,
            report.steps,
            left / 3600,
            left / 60 % 60,
            left % 60
        );
        let mut err = std::io::stderr();
        if self.terminal {
            write!(err, "\r\x1b[K{line}")?
        } else {
            writeln!(err, "{line}")?
        }
        err.flush()
    }

    /// Ends the line that was written over.
    pub(crate) fn end(&self) {
        if self.terminal && !self.json && self.last.is_some() {
            crate::say("");
        }
    }

    /// Time still needed if frames go on as they did.
    fn left(&self, frame: i64) -> Duration {
        let (done, to_do) = ((frame - self.first).max(1) as f64, (self.end - frame).max(0) as f64);
        self.begin.elapsed().mul_f64(to_do / done)
    }
}

/// What came of telling, unless whoever listened has seen enough: the run goes on without them.
pub(crate) fn unless_gone(told: std::io::Result<()>) -> std::io::Result<()> {
    told.or_else(|problem| if problem.kind() == std::io::ErrorKind::BrokenPipe { Ok(()) } else { Err(problem) })
}
