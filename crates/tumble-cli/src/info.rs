//! `tumble info`: prints the contents of a run.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use tumble_io::{Recording, read_checkpoint};
use tumble_run::folder;

use crate::{Failure, clean_line};

#[derive(clap::Args)]
pub(crate) struct InfoArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn info(arguments: &InfoArguments) -> Result<ExitCode, Failure> {
    let path = folder::recording_in(&arguments.run);
    let recording = Recording::open(&path)?;
    let bytes = std::fs::metadata(&path)?.len();
    let header = recording.header();
    let (first, last) = (recording.frames().first(), recording.frames().last());
    let materials: Vec<&str> = header.materials.iter().map(|material| material.name.as_str()).collect();
    let obstacles: Vec<&str> = header.obstacles.iter().map(|obstacle| obstacle.name.as_str()).collect();
    let checkpoint = folder::checkpoint_in(&arguments.run);
    let resumable = checkpoint.exists().then(|| read_checkpoint(&checkpoint).map(|checkpoint| checkpoint.frame));
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let info = json!({
            "title": header.title,
            "fps": header.fps,
            "frames": recording.frames().len(),
            "first_frame": first.map(|frame| frame.number),
            "last_frame": last.map(|frame| frame.number),
            "bodies": last.map(|frame| frame.bodies()),
            "particles": last.filter(|_| header.detail.is_some()).map(|frame| frame.particles()),
            "detail_hash": last.and_then(|frame| frame.detail_hash()).map(|hash| format!("{hash:016x}")),
            "shapes": header.shapes.iter().map(|shape| &shape.name).collect::<Vec<_>>(),
            "materials": materials,
            "obstacles": obstacles,
            "bytes": bytes,
            "state_hash": last.map(|frame| format!("{:016x}", frame.state_hash)),
            "damage": recording.damage().map(ToString::to_string),
            "checkpoint_frame": resumable.and_then(Result::ok),
        });
        writeln!(out, "{info:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let title = if header.title.is_empty() { "(no title)" } else { &header.title };
    let names = |names: &[&str]| clean_line(&names.join(", "));
    writeln!(out, "{}", clean_line(title))?;
    if let (Some(first), Some(last)) = (first, last) {
        let frames = recording.frames().len();
        writeln!(
            out,
            "frames      {} to {} ({frames}), {} per second, {:.3} s",
            first.number, last.number, header.fps, last.time
        )?;
        writeln!(out, "bodies      {} in the last frame", last.bodies())?;
        if let Some(hash) = last.detail_hash() {
            writeln!(out, "particles   {} in the last frame, {hash:016x}", last.particles())?;
        }
        let body_frames: u64 = recording.frames().iter().map(|frame| u64::from(frame.bodies())).sum();
        let each = bytes as f64 / body_frames.max(1) as f64;
        writeln!(out, "size        {:.1} MB, {each:.1} bytes per body and frame", bytes as f64 / 1e6)?;
        writeln!(out, "state       {:016x}", last.state_hash)?;
    }
    let shapes: Vec<&str> = header.shapes.iter().map(|shape| shape.name.as_str()).collect();
    writeln!(out, "shapes      {}", names(&shapes))?;
    writeln!(out, "materials   {}", names(&materials))?;
    writeln!(out, "obstacles   {}", names(&obstacles))?;
    match resumable {
        Some(Ok(frame)) => writeln!(out, "checkpoint  frame {frame}")?,
        Some(Err(problem)) => writeln!(out, "checkpoint  unusable: {}", clean_line(&problem.to_string()))?,
        None => writeln!(out, "checkpoint  none")?,
    }
    if let Some(damage) = recording.damage() {
        writeln!(out, "damage      {damage}")?;
    }
    Ok(ExitCode::SUCCESS)
}
