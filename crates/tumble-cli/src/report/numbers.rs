//! All numbers of a report, which the page shows and `--json` prints.
//!
//! They are read from a run on disk. Names are those of `report.json` and `stats.csv` where they
//! mean the same.

use std::collections::BTreeMap;

use serde::Serialize;
use tumble_run::{PileFigures, StatsTable, ToldKept, WarningCount};

use super::past::PastRun;
use crate::Failure;

/// A run in numbers.
#[derive(Debug, Serialize)]
pub(crate) struct RunNumbers {
    pub(crate) version: &'static str,
    pub(crate) title: String,
    pub(crate) fps: f64,
    pub(crate) first_frame: i64,
    pub(crate) last_frame: i64,
    pub(crate) frames: usize,
    /// The last frame that the scene asks for, and whether it is there.
    pub(crate) planned_last_frame: Option<i64>,
    pub(crate) complete: Option<bool>,
    /// Simulated time \[s\].
    pub(crate) time: f64,
    pub(crate) state_hash: String,
    pub(crate) notes: Vec<String>,
    /// Threads of the last session.
    pub(crate) threads: Option<u64>,
    pub(crate) peak_memory_bytes: Option<u64>,
    pub(crate) bodies: u32,
    /// Totals of the table; none without a table.
    pub(crate) totals: Option<Totals>,
    /// Number of warnings of each kind, and the first; of the last session.
    pub(crate) warning_kinds: BTreeMap<String, WarningCount>,
    pub(crate) expectations: Vec<ToldKept>,
    pub(crate) pile: PileFigures,
    /// Columns of the table, with the seconds of all stages together.
    pub(crate) per_frame: Option<BTreeMap<String, Vec<f64>>>,
    pub(crate) stage_seconds_per_frame: Option<BTreeMap<String, Vec<f64>>>,
}

/// Totals of the table of frames.
#[derive(Debug, Serialize)]
pub(crate) struct Totals {
    pub(crate) steps: u64,
    /// Mean step: simulated time over steps \[s\].
    pub(crate) mean_step: f64,
    /// Computing time of all stages and frames together \[s\].
    pub(crate) seconds: f64,
    pub(crate) seconds_per_stage: BTreeMap<String, f64>,
    pub(crate) slowest_frame: Option<i64>,
    pub(crate) slowest_frame_seconds: f64,
    pub(crate) body_steps_per_second: f64,
    /// In the last frame.
    pub(crate) contacts: u64,
    pub(crate) kinetic_energy: f64,
    pub(crate) potential_energy: f64,
    /// Over the whole run.
    pub(crate) deepest_overlap: f64,
    pub(crate) deepest_overlap_frame: Option<i64>,
    /// First frame of those, up to the end, in which everything rests.
    pub(crate) settled_frame: Option<i64>,
    pub(crate) warnings: u64,
    pub(crate) first_warning_frame: Option<i64>,
}

impl RunNumbers {
    /// Measures a run. The notes of the run become those of the numbers.
    pub(crate) fn of(run: &mut PastRun) -> Result<Self, Failure> {
        let pile = PileFigures::of(&mut run.recording, run.last, run.up)?;
        let frames = &run.recording.frames()[..=run.last];
        let (first, last) = (frames[0], frames[run.last]);
        let planned = run.planned();
        let told = run.told.take().unwrap_or_default();
        let mut notes = std::mem::take(&mut run.notes);
        // A session that was killed leaves the report of the one before it.
        if let Some(frame) = told.last_frame.filter(|frame| *frame != last.number) {
            notes.push(format!("report.json covers the run up to frame {frame}: expectations and kinds of warnings are as of that frame."));
        }
        let columns = |columns: &[(String, Vec<f64>)]| columns.iter().cloned().collect::<BTreeMap<_, _>>();
        let per_frame = run.table.as_ref().map(|table| {
            let mut all = columns(table.counts());
            all.insert("seconds".into(), table.seconds());
            all
        });
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            title: run.recording.header().title.clone(),
            fps: run.recording.header().fps,
            first_frame: first.number,
            last_frame: last.number,
            frames: frames.len(),
            planned_last_frame: planned,
            complete: planned.map(|planned| last.number >= planned),
            time: last.time,
            state_hash: format!("{:016x}", last.state_hash),
            notes,
            threads: told.threads,
            peak_memory_bytes: told.peak_memory_bytes,
            bodies: last.bodies(),
            totals: run.table.as_ref().map(Totals::of),
            warning_kinds: told.warning_kinds,
            expectations: told.expectations,
            pile,
            per_frame,
            stage_seconds_per_frame: run.table.as_ref().map(|table| columns(table.stages())),
        })
    }
}

impl Totals {
    fn of(table: &StatsTable) -> Self {
        let column = |name: &str| table.column(name);
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        let last = |name: &str| column(name).last().copied().unwrap_or(0.0);
        let frame = |row: usize| column("frame").get(row).map(|frame| *frame as i64);
        let seconds = table.seconds();
        let slowest = largest(&seconds);
        let deepest = largest(column("deepest_overlap"));
        let steps = sum(column("steps"));
        let body_steps: f64 = column("steps").iter().zip(column("bodies")).map(|(steps, bodies)| steps * bodies).sum();
        let time = last("time") - column("time").first().copied().unwrap_or(0.0);
        let moving = column("settled").iter().rposition(|settled| *settled != 1.0);
        let settled = moving.map_or(0, |row| row + 1);
        Self {
            steps: steps as u64,
            mean_step: time / steps.max(1.0),
            seconds: sum(&seconds),
            seconds_per_stage: table.stages().iter().map(|(name, seconds)| (name.clone(), sum(seconds))).collect(),
            slowest_frame: slowest.and_then(frame),
            slowest_frame_seconds: slowest.map_or(0.0, |row| seconds[row]),
            body_steps_per_second: body_steps / sum(&seconds).max(1e-9),
            contacts: last("contacts") as u64,
            kinetic_energy: last("kinetic_energy"),
            potential_energy: last("potential_energy"),
            deepest_overlap: deepest.map_or(0.0, |row| column("deepest_overlap")[row]),
            deepest_overlap_frame: deepest.and_then(frame),
            settled_frame: frame(settled),
            warnings: sum(column("warnings")) as u64,
            first_warning_frame: column("warnings").iter().position(|count| *count > 0.0).and_then(frame),
        }
    }
}

/// The row with the largest value above zero.
fn largest(values: &[f64]) -> Option<usize> {
    let rows = (0..values.len()).filter(|row| values[*row] > 0.0);
    rows.max_by(|a, b| values[*a].total_cmp(&values[*b]))
}
