//! `report.json`: a run in numbers, and whether it kept what its scene promises.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tumble::{FrameReport, Simulation, Warning};
use tumble_scene::expect::Expectation;

use crate::memory;
use crate::tally::{Tally, WarningCount};

/// A run in numbers.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) version: &'static str,
    pub(crate) title: String,
    /// First and last frame recorded.
    pub(crate) first_frame: i64,
    pub(crate) last_frame: i64,
    pub(crate) frames: i64,
    /// Whether the last frame of the scene was reached.
    pub(crate) complete: bool,
    /// The frame this session went on from.
    pub(crate) resumed_from: Option<i64>,
    pub(crate) threads: usize,
    /// Step \[s\], how many fill a frame, and what the stiffness allows.
    pub(crate) step: f64,
    pub(crate) steps_per_frame: usize,
    pub(crate) default_step: Option<f64>,
    pub(crate) largest_step: Option<f64>,
    pub(crate) step_between: Option<[String; 2]>,
    /// Since the first frame.
    pub(crate) steps: u64,
    pub(crate) bodies: u64,
    /// High-resolution particles and the hash of their state, if there are any.
    pub(crate) particles: Option<u64>,
    pub(crate) detail_hash: Option<String>,
    pub(crate) removed: u64,
    pub(crate) contacts: u64,
    pub(crate) kinetic_energy: f64,
    pub(crate) potential_energy: f64,
    /// Over the whole run.
    pub(crate) deepest_overlap: f64,
    pub(crate) highest: Option<f64>,
    pub(crate) mean_height: Option<f64>,
    pub(crate) settled_frame: Option<i64>,
    /// Of this session.
    pub(crate) wall_seconds: f64,
    pub(crate) body_steps_per_second: f64,
    pub(crate) seconds_per_stage: BTreeMap<&'static str, f64>,
    pub(crate) peak_memory_bytes: Option<u64>,
    pub(crate) state_hash: String,
    /// Over the whole run: all of them, how many of each kind, and the first.
    pub(crate) warnings: u64,
    pub(crate) warning_kinds: BTreeMap<String, WarningCount>,
    pub(crate) expectations: Vec<Kept>,
}

/// A promise and what came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Kept {
    pub(crate) quantity: &'static str,
    pub(crate) condition: String,
    pub(crate) value: Option<f64>,
    pub(crate) holds: bool,
}

/// What is read back of a `report.json`, also of one that another version of tumble wrote.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Told {
    pub(crate) last_frame: Option<i64>,
    pub(crate) state_hash: Option<String>,
    pub(crate) threads: Option<u64>,
    pub(crate) peak_memory_bytes: Option<u64>,
    pub(crate) warning_kinds: BTreeMap<String, WarningCount>,
    pub(crate) expectations: Vec<ToldKept>,
}

/// A promise and what came of it, read back.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ToldKept {
    pub(crate) quantity: String,
    pub(crate) condition: String,
    pub(crate) value: Option<f64>,
    pub(crate) holds: bool,
}

/// What a session knows beside the state.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) resumed_from: Option<i64>,
    pub(crate) wall_seconds: f64,
    pub(crate) simulation_seconds: f64,
    pub(crate) body_steps: u64,
    pub(crate) seconds: Vec<f64>,
    /// Number of particles and hash of their state.
    pub(crate) detail: Option<(u64, u64)>,
}

/// The warning after which a run cannot go on.
pub(crate) fn fatal(report: &FrameReport) -> Option<&Warning> {
    report.warnings.iter().find(|warning| matches!(warning, Warning::NotFinite { .. }))
}

impl Report {
    pub(crate) fn new(
        title: &str,
        frames: [i64; 2],
        simulation: &Simulation,
        session: Session,
        tally: &Tally,
        expectations: &[Expectation],
    ) -> Self {
        let now = simulation.measure();
        let limit = simulation.step_limit();
        let world = simulation.world();
        let heights = || world.bodies.rows_by_id().map(|row| world.bodies.pose[row].position.z);
        let top = |row: usize| world.bodies.pose[row].position.z + world.radius(row);
        let some = |value: f64| (!world.bodies.is_empty()).then_some(value);
        let mut report = Self {
            version: env!("CARGO_PKG_VERSION"),
            title: title.to_string(),
            first_frame: frames[0],
            last_frame: now.frame,
            frames: now.frame - frames[0] + 1,
            complete: now.frame >= frames[1],
            resumed_from: session.resumed_from,
            threads: rayon::current_num_threads(),
            step: simulation.step_length(),
            steps_per_frame: simulation.steps_per_frame(),
            default_step: limit.map(|limit| limit.default),
            largest_step: limit.map(|limit| limit.largest),
            step_between: limit.map(|limit| limit.between.clone()),
            steps: simulation.counts().steps,
            bodies: now.bodies,
            particles: session.detail.map(|(particles, _)| particles),
            detail_hash: session.detail.map(|(_, hash)| format!("{hash:016x}")),
            removed: simulation.counts().removed,
            contacts: now.contacts,
            kinetic_energy: now.kinetic_energy,
            potential_energy: now.potential_energy,
            deepest_overlap: tally.deepest_overlap(),
            highest: some(world.bodies.rows_by_id().map(top).fold(f64::NEG_INFINITY, f64::max)),
            mean_height: some(heights().sum::<f64>() / world.bodies.len() as f64),
            settled_frame: tally.settled_frame,
            wall_seconds: session.wall_seconds,
            body_steps_per_second: session.body_steps as f64 / session.simulation_seconds.max(1e-9),
            seconds_per_stage: tumble::Stage::ALL.iter().map(|s| s.name()).zip(session.seconds).collect(),
            peak_memory_bytes: memory::peak(),
            state_hash: format!("{:016x}", simulation.state_hash()),
            warnings: tally.warnings,
            warning_kinds: tally.warning_kinds.clone(),
            expectations: Vec::new(),
        };
        report.expectations = expectations.iter().map(|expectation| report.keep(expectation)).collect();
        report
    }

    fn keep(&self, expectation: &Expectation) -> Kept {
        let value = match expectation.quantity {
            "bodies" => Some(self.bodies as f64),
            "contacts" => Some(self.contacts as f64),
            "kinetic_energy" => Some(self.kinetic_energy),
            "potential_energy" => Some(self.potential_energy),
            "deepest_overlap" => Some(self.deepest_overlap),
            "highest" => self.highest,
            "mean_height" => self.mean_height,
            "settled_frame" => self.settled_frame.map(|frame| frame as f64),
            "removed" => Some(self.removed as f64),
            "warnings" => Some(self.warnings as f64),
            other => unreachable!("{other} is not among the quantities of a scene"),
        };
        let holds = expectation.holds(value);
        Kept { quantity: expectation.quantity, condition: expectation.condition.clone(), value, holds }
    }
}
