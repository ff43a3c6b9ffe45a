//! `report.json`: a run in numbers, and whether it kept what its scene promises.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tumble_scene::Scene;

use crate::promises::{EndMeasures, judge};
use crate::{PromiseResult, Run, ToldKept, WarningCount, memory, standing};

/// A run in numbers.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Version of tumble.
    pub version: &'static str,
    /// Title of the scene.
    pub title: String,
    /// First frame recorded.
    pub first_frame: i64,
    /// Last frame recorded.
    pub last_frame: i64,
    /// Number of frames recorded.
    pub frames: i64,
    /// Whether the last frame of the scene was reached.
    pub complete: bool,
    /// The frame this session went on from.
    pub resumed_from: Option<i64>,
    /// Threads of this session.
    pub threads: usize,
    /// Step \[s\].
    pub step: f64,
    /// Number of steps in a frame.
    pub steps_per_frame: usize,
    /// The step that the stiffness asks for \[s\].
    pub default_step: Option<f64>,
    /// The largest step that is stable \[s\].
    pub largest_step: Option<f64>,
    /// The materials whose contact decides these two.
    pub step_between: Option<[String; 2]>,
    /// Steps since the first frame.
    pub steps: u64,
    /// Bodies in the last frame.
    pub bodies: u64,
    /// High-resolution particles in the last frame, if there are any.
    pub particles: Option<u64>,
    /// Hash of their state.
    pub detail_hash: Option<String>,
    /// Bodies that left the world and were removed, since the first frame.
    pub removed: u64,
    /// Contacts in the last frame.
    pub contacts: u64,
    /// Kinetic energy in the last frame \[J\].
    pub kinetic_energy: f64,
    /// Energy in the field of gravity in the last frame \[J\].
    pub potential_energy: f64,
    /// Deepest overlap over the smaller radius, over the whole run \[-\].
    pub deepest_overlap: f64,
    /// Highest point of a body \[m\].
    pub highest: Option<f64>,
    /// Mean height of bodies \[m\].
    pub mean_height: Option<f64>,
    /// Contacts that push on a body on average, with obstacles \[-\].
    pub contacts_per_body: Option<f64>,
    /// Angle of the heap, by its silhouette \[°\].
    pub repose_angle: Option<f64>,
    /// Solid part of the space inside the heap \[-\].
    pub packing: Option<f64>,
    /// Ids of the bodies that a director holds by a firm grip in the last frame.
    pub held: Vec<u32>,
    /// Bodies that nothing touches from below in the last frame, if there are piles.
    pub unsupported: Option<u64>,
    /// Part of its potential energy that the pile loses when it is let go, with what is held still
    /// held, if the scene promises it \[-\].
    pub release_loss: Option<f64>,
    /// Spread of the rate at which bodies run through an outlet, over its mean \[-\].
    pub rate_spread: Option<f64>,
    /// First frame of those, up to the last, in which everything rests.
    pub settled_frame: Option<i64>,
    /// Time that this session took \[s\].
    pub wall_seconds: f64,
    /// Speed of the simulation in this session \[1/s\].
    pub body_steps_per_second: f64,
    /// Time that each stage took in this session \[s\].
    pub seconds_per_stage: BTreeMap<&'static str, f64>,
    /// Memory that the process took at most, where the system tells \[byte\].
    pub peak_memory_bytes: Option<u64>,
    /// Hash of the last state.
    pub state_hash: String,
    /// Warnings over the whole run.
    pub warnings: u64,
    /// How many warnings of each kind, and the first of each.
    pub warning_kinds: BTreeMap<String, WarningCount>,
    /// The promises of the scene.
    pub expectations: Vec<PromiseResult>,
}

/// The part of a `report.json` that is read back, also of one that another version of tumble wrote.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Told {
    /// Last frame recorded.
    pub last_frame: Option<i64>,
    /// Hash of the last state.
    pub state_hash: Option<String>,
    /// Number of frames recorded.
    pub frames: Option<u64>,
    /// Bodies in the last frame.
    pub bodies: Option<u64>,
    /// Threads of the session.
    pub threads: Option<u64>,
    /// Memory that the process took at most \[byte\].
    pub peak_memory_bytes: Option<u64>,
    /// How many warnings of each kind, and the first of each.
    pub warning_kinds: BTreeMap<String, WarningCount>,
    /// The promises of the scene.
    pub expectations: Vec<ToldKept>,
}

impl Report {
    /// A run as it is now.
    pub(crate) fn of(run: &Run) -> Self {
        let Scene { title, frames, simulation, expectations, .. } = run.scene();
        let (session, tally, particles) = (run.session(), run.tally(), run.particles());
        let now = simulation.measure();
        let limit = simulation.step_limit();
        let world = simulation.world();
        let heights = || world.bodies.rows_by_id().map(|row| world.bodies.pose[row].position.z);
        let top = |row: usize| world.bodies.pose[row].position.z + world.radius(row);
        let some = |value: f64| (!world.bodies.is_empty()).then_some(value);
        let end = EndMeasures::of(run);
        let pushing: u64 = run.frame().bodies.iter().map(|body| u64::from(body.contacts)).sum();
        let mut report = Self {
            version: env!("CARGO_PKG_VERSION"),
            title: title.clone(),
            first_frame: frames[0],
            last_frame: now.frame,
            frames: now.frame - frames[0] + 1,
            complete: now.frame >= frames[1],
            resumed_from: run.resumed_from(),
            threads: rayon::current_num_threads(),
            step: simulation.step_length(),
            steps_per_frame: simulation.steps_per_frame(),
            default_step: limit.map(|limit| limit.default),
            largest_step: limit.map(|limit| limit.largest),
            step_between: limit.map(|limit| limit.between.clone()),
            steps: simulation.counts().steps,
            bodies: now.bodies,
            particles: particles.map(|shown| shown.particles.len() as u64),
            detail_hash: particles.map(|shown| format!("{:016x}", shown.state_hash)),
            removed: simulation.counts().removed,
            contacts: now.contacts,
            kinetic_energy: now.kinetic_energy,
            potential_energy: now.potential_energy,
            deepest_overlap: tally.deepest_overlap(),
            highest: some(world.bodies.rows_by_id().map(top).fold(f64::NEG_INFINITY, f64::max)),
            mean_height: some(heights().sum::<f64>() / world.bodies.len() as f64),
            contacts_per_body: some(pushing as f64 / run.frame().bodies.len() as f64),
            repose_angle: end.repose_angle.as_ref().ok().copied(),
            packing: end.packing.as_ref().ok().copied(),
            held: standing::held(simulation).iter().map(|id| id.index).collect(),
            unsupported: end.unsupported.as_ref().ok().map(|count| *count as u64),
            release_loss: end.release_loss.as_ref().ok().copied(),
            rate_spread: end.rate_spread.as_ref().ok().copied(),
            settled_frame: tally.settled_frame,
            wall_seconds: session.wall_seconds,
            body_steps_per_second: session.body_steps as f64 / session.simulation_seconds.max(1e-9),
            seconds_per_stage: tumble::Stage::ALL.iter().map(|s| s.name()).zip(session.stage_seconds).collect(),
            peak_memory_bytes: memory::peak(),
            state_hash: format!("{:016x}", simulation.state_hash()),
            warnings: tally.warnings,
            warning_kinds: tally.warning_kinds.clone(),
            expectations: Vec::new(),
        };
        report.expectations = judge(expectations, &report, &end);
        report
    }
}
