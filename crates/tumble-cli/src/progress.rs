//! The progress of a command: one line that is written over on a terminal, a few lines in a log, or
//! JSON.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use serde_json::json;
use tumble::FrameReport;
use tumble_run::{Run, RunError, Sink};

/// The progress line of a command. Failures to print it are ignored.
pub(crate) struct Line {
    terminal: bool,
    begin: Instant,
    last: Option<Instant>,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), begin: Instant::now(), last: None }
    }

    /// Prints what is being done and the time left, if the rest is as fast as before.
    pub(crate) fn tell(&mut self, done: u64, to_do: u64, what: impl Display) -> std::io::Result<()> {
        // A terminal can take ten lines per second; a log gets one every ten seconds.
        let pause = Duration::from_millis(if self.terminal { 100 } else { 10_000 });
        if to_do > 0 && self.last.is_some_and(|last| last.elapsed() < pause) {
            return Ok(());
        }
        self.last = Some(Instant::now());
        let left = self.left(done, to_do).as_secs();
        let line = format!("{what}  {:02}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
        let mut err = std::io::stderr();
        let told = if self.terminal { write!(err, "\r\x1b[K{line}") } else { writeln!(err, "{line}") };
        unless_gone(told.and_then(|()| err.flush()))
    }

    /// Time left, if the rest is as fast as before.
    fn left(&self, done: u64, to_do: u64) -> Duration {
        self.begin.elapsed().mul_f64(to_do as f64 / done.max(1) as f64)
    }

    /// Ends the line that was written over.
    pub(crate) fn end(&self) {
        if self.terminal && self.last.is_some() {
            crate::say("");
        }
    }
}

/// The progress of a run: a line, or a JSON object for each frame.
pub(crate) struct RunProgress {
    json: bool,
    line: Line,
    /// The frame at which the run begins or continues, and the scene's last.
    first: i64,
    end: i64,
}

impl RunProgress {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, line: Line::new(), first: 0, end: 0 }
    }

    /// Ends the line that was written over.
    pub(crate) fn finish(&self) {
        self.line.end();
    }
}

impl Sink for RunProgress {
    fn begin(&mut self, run: &Run) -> Result<(), RunError> {
        (self.first, self.end) = (run.frame().number, run.scene().frames[1]);
        self.line = Line::new();
        Ok(())
    }

    fn frame(&mut self, run: &Run) -> Result<(), RunError> {
        let (report, state_hash) = (run.frame_report(), run.frame().state_hash);
        // Nothing was done for the first frame.
        if report.frame == self.first {
            return Ok(());
        }
        let (done, to_do) = ((report.frame - self.first).max(1) as u64, (self.end - report.frame).max(0) as u64);
        if self.json {
            let line = json!({
                "frame": report.frame,
                "time": report.time,
                "steps": report.steps,
                "bodies": report.bodies,
                "awake": report.awake,
                "contacts": report.contacts,
                "joints": report.joints,
                "waiting": report.waiting,
                "kinetic_energy": report.kinetic_energy,
                "deepest_overlap": report.deepest_overlap,
                "eta_seconds": self.line.left(done, to_do).as_secs_f64(),
                "state_hash": format!("{state_hash:016x}"),
                "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            });
            return Ok(unless_gone(writeln!(std::io::stdout(), "{line}"))?);
        }
        let FrameReport { frame, time, awake, steps, .. } = report;
        let end = self.end;
        let what = format!("frame {frame} of {end}  t {time:.3} s  {awake} bodies awake  {steps} steps per frame");
        Ok(self.line.tell(done, to_do, what)?)
    }
}

/// Ignores a broken pipe: the command continues if the reader of its output has closed it.
pub(crate) fn unless_gone(told: std::io::Result<()>) -> std::io::Result<()> {
    told.or_else(|problem| if problem.kind() == std::io::ErrorKind::BrokenPipe { Ok(()) } else { Err(problem) })
}
