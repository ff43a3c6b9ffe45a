//! `tumble verify`: reads everything that a run has written and says whether it is as it was
//! written.
//!
//! Every frame, mesh and particle is read, unpacked and checked against its checksum. The
//! checkpoint must hold the state whose hash the recording has for its frame, and know the rows of
//! `stats.csv`; `report.json` must be about these frames.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tumble::detail::Detail;
use tumble::{Frame, FrameDetail, Simulation};
use tumble_io::{Checkpoint, Recording, read_checkpoint};
use tumble_run::{SavedTally, Told, folder, stats};

use crate::{Failure, say};

#[derive(clap::Args)]
pub(crate) struct VerifyArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
}

/// Number of problems that are printed; the others are counted.
const TOLD: u64 = 20;

/// The problems of a run, printed as they are found.
#[derive(Default)]
struct RunProblems(u64);

impl RunProblems {
    fn add(&mut self, what: impl std::fmt::Display) {
        self.0 += 1;
        if self.0 <= TOLD {
            say(format_args!("problem: {what}"));
        }
    }
}

pub(crate) fn verify(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let mut recording = Recording::open(&folder::recording_in(&arguments.run))?;
    let mut problems = RunProblems::default();
    let mut lines = vec![frames(&mut recording, &mut problems)];
    // A recording alone has nothing beside it that must fit.
    let path = folder::checkpoint_in(&arguments.run);
    if path.exists() {
        match read_checkpoint(&path) {
            Ok(checkpoint) => lines.extend(beside(&arguments.run, &checkpoint, &recording, &mut problems)),
            Err(problem) => problems.add(problem),
        }
    }
    if problems.0 == 0 {
        let mut out = std::io::stdout().lock();
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let more = problems.0.saturating_sub(TOLD);
    let more = if more > 0 { format!(" ({more} of them not shown)") } else { String::new() };
    Err(format!(
        "{} is damaged: {} problems{more}\nhelp: copy it again, or run its scene again with --force",
        arguments.run.display(),
        problems.0
    )
    .into())
}

/// Reads all of a recording.
fn frames(recording: &mut Recording, problems: &mut RunProblems) -> String {
    for mesh in 0..recording.header().meshes {
        if let Err(problem) = recording.mesh(mesh) {
            problems.add(format_args!("mesh {mesh}: {problem}"));
        }
    }
    let (mut frame, mut detail) = (Frame::default(), FrameDetail::default());
    for index in 0..recording.frames().len() {
        let read = recording.read(index, &mut frame).and_then(|()| recording.read_particles(index, &mut detail));
        if let Err(problem) = read {
            problems.add(format_args!("frame {}: {problem}", recording.frames()[index].number));
        }
    }
    if let Some(damage) = recording.damage() {
        let help = if damage.is_torn { "; --resume cuts it off and continues" } else { "" };
        problems.add(format_args!("{damage}{help}"));
    }
    let frames = recording.frames();
    let ends = frames.first().zip(frames.last()).map(|(first, last)| format!("{} to {} ", first.number, last.number));
    let (count, meshes) = (frames.len(), recording.header().meshes);
    format!("frames      {}({count}) and {meshes} meshes: all checksums match", ends.unwrap_or_default())
}

/// Compares the files beside a recording with it.
fn beside(run: &Path, checkpoint: &Checkpoint, recording: &Recording, problems: &mut RunProblems) -> Vec<String> {
    let Checkpoint { frame, state_hash, .. } = checkpoint;
    let mut lines = vec![format!("checkpoint  frame {frame}: has the state {state_hash:016x} of the recording")];
    match recording.find(*frame).map(|index| recording.frames()[index]) {
        Err(problem) => problems.add(format_args!("checkpoint: {problem}")),
        Ok(entry) => {
            if entry.state_hash != *state_hash {
                problems.add(format_args!("checkpoint: it does not belong to frame {frame} of this recording"));
            }
            let particles = checkpoint.detail.as_deref().map(Detail::hash_of).transpose();
            match particles {
                Ok(hash) if hash == entry.detail_hash() => {}
                Ok(_) => problems.add(format_args!("checkpoint: its particles are not those of frame {frame}")),
                Err(problem) => problems.add(format_args!("checkpoint: {problem}")),
            }
        }
    }
    // Where only particles were made there is neither a state nor a table.
    if checkpoint.state.is_empty() {
        return lines;
    }
    if Simulation::hash_of(&checkpoint.state) != *state_hash {
        problems.add("checkpoint: its state does not have the hash that it names");
    }
    let table = run_folder(run).join("stats.csv");
    match SavedTally::from_json(&checkpoint.tally) {
        None => problems.add("checkpoint: it has no counts of its run"),
        Some(saved) if stats::hash_up_to(&table, *frame) == saved.stats_hash => {
            lines.push(format!("stats.csv   rows up to frame {frame}: as the checkpoint counts them"));
        }
        Some(_) => problems.add(format_args!("{}: rows up to frame {frame} are lost or changed", table.display())),
    }
    let report = run_folder(run).join("report.json");
    // A run that was killed has none, or that of the session before.
    let told = std::fs::read_to_string(&report).ok().map(|text| serde_json::from_str::<Told>(&text));
    match told {
        None => {}
        Some(Err(problem)) => problems.add(format_args!("{}: {problem}", report.display())),
        Some(Ok(told)) => {
            let last =
                told.last_frame.and_then(|last| recording.find(last).ok()).map(|index| recording.frames()[index]);
            match last {
                Some(entry) if told.state_hash == Some(format!("{:016x}", entry.state_hash)) => {
                    lines.push(format!("report.json frames up to {}: has the state of that frame", entry.number));
                }
                _ => problems.add(format_args!("{}: it does not belong to this recording", report.display())),
            }
        }
    }
    lines
}

fn run_folder(run: &Path) -> PathBuf {
    folder::recording_in(run).with_file_name("")
}
