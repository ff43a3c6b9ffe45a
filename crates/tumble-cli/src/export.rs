//! `tumble export`: a recording in a form that other programs read.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tumble_io::{
    IoError, Recording, write_atomically, write_bodies_ply, write_csv, write_particles_csv, write_particles_ply,
    write_shape_obj,
};
use tumble_run::folder;

use crate::progress::Line;
use crate::render::numbered;
use crate::signals::{Interruption, Stoppable};
use crate::{Failure, output, say};

#[derive(clap::Args)]
pub(crate) struct ExportArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
    /// Format
    #[arg(long, value_enum)]
    to: ExportFormat,
    /// Export bodies or particles [default: bodies; for ply particles, if the recording has some]
    #[arg(long, value_enum)]
    of: Option<Things>,
    /// csv: file to write, or - for standard output. ply: a folder, or NAME.ply for NAME.0001.ply
    /// and so on. obj: a folder
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Only these frames, such as 10-20
    #[arg(long, value_name = "A-B", value_parser = crate::parse_frames, allow_hyphen_values = true)]
    frames: Option<[i64; 2]>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ExportFormat {
    /// A table: one row per body or particle and frame
    Csv,
    /// Point clouds for Blender, ParaView and others: one file per frame
    Ply,
    /// The meshes of the bodies, to which the poses of tables and clouds refer: one file per shape
    Obj,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Things {
    Bodies,
    Particles,
}

pub(crate) fn export(arguments: &ExportArguments) -> Result<ExitCode, Failure> {
    let mut recording = Recording::open(&folder::recording_in(&arguments.run))?;
    if let Some(damage) = recording.damage() {
        say(format_args!("warning: {damage}; frames before it are exported"));
    }
    let has_particles = recording.header().detail.is_some();
    if arguments.of == Some(Things::Particles) && !has_particles {
        let help = "--of bodies exports its bodies";
        return Err(format!("{} has no particles\nhelp: {help}", arguments.run.display()).into());
    }
    let frames = arguments.frames.map(|[first, last]| first..=last);
    // A table of all frames may be empty; one of frames that are not there is a slip.
    let is_there = |frames: &RangeInclusive<i64>| recording.frames().iter().any(|entry| frames.contains(&entry.number));
    let is_empty = matches!(arguments.to, ExportFormat::Ply) && recording.frames().is_empty();
    if is_empty || frames.as_ref().is_some_and(|frames| !is_there(frames)) {
        return Err(
            "there is no such frame in the recording\nhelp: `tumble info` shows its first and last frame".into()
        );
    }
    let interrupted = Interruption::listen()?;
    let written = match arguments.to {
        ExportFormat::Csv => table(&mut recording, frames, arguments, &interrupted),
        ExportFormat::Ply => {
            let usual = if has_particles { Things::Particles } else { Things::Bodies };
            clouds(&mut recording, frames, arguments.of.unwrap_or(usual), arguments, &interrupted)
        }
        ExportFormat::Obj => meshes(&mut recording, arguments),
    };
    if interrupted.is_raised() && written.is_err() {
        say("stopped");
        return Ok(interrupted.code());
    }
    written.map(|()| ExitCode::SUCCESS)
}

fn table(
    recording: &mut Recording,
    frames: Option<RangeInclusive<i64>>,
    arguments: &ExportArguments,
    interrupted: &Interruption,
) -> Result<(), Failure> {
    let mut write = |mut out: &mut dyn Write| match arguments.of {
        Some(Things::Particles) => write_particles_csv(recording, frames.clone(), &mut out),
        _ => write_csv(recording, frames.clone(), &mut out),
    };
    let path = &arguments.output;
    if path == Path::new("-") {
        let mut out = std::io::stdout().lock();
        write(&mut Stoppable { out: &mut out, interrupted })?;
        return Ok(out.flush()?);
    }
    output::check_free(path, arguments.force)?;
    output::refuse_source(path, &folder::recording_in(&arguments.run))?;
    let rows = write_whole(path, |out| write(&mut Stoppable { out, interrupted }))?;
    say(format_args!("{}: {rows} rows", path.display()));
    Ok(())
}

/// Writes frames as a table of bodies, whole or not at all, and says how long it is.
pub(crate) fn csv(recording: &mut Recording, frames: Option<RangeInclusive<i64>>, path: &Path) -> Result<(), Failure> {
    let rows = write_whole(path, |mut out| write_csv(recording, frames, &mut out))?;
    say(format_args!("{}: {rows} rows", path.display()));
    Ok(())
}

/// Writes a cloud of points per frame, each whole or not at all.
fn clouds(
    recording: &mut Recording,
    frames: Option<RangeInclusive<i64>>,
    of: Things,
    arguments: &ExportArguments,
    interrupted: &Interruption,
) -> Result<(), Failure> {
    let pattern = pattern(&arguments.output, of)?;
    let entries = recording.frames().iter().map(|entry| entry.number).enumerate();
    let wanted: Vec<(usize, PathBuf)> = entries
        .filter(|(_, number)| frames.as_ref().is_none_or(|range| range.contains(number)))
        .map(|(index, number)| (index, numbered(&pattern, number)))
        .collect();
    wanted.iter().try_for_each(|(_, path)| output::check_free(path, arguments.force))?;
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|problem| format!("cannot write to {}: {problem}", folder.display()))?;

    let mut line = Line::new();
    let mut points = 0;
    for (done, (index, path)) in (1..).zip(&wanted) {
        points += write_whole(path, |out| {
            let mut out = Stoppable { out, interrupted };
            match of {
                Things::Particles => write_particles_ply(recording, *index, &mut out),
                Things::Bodies => write_bodies_ply(recording, *index, &mut out),
            }
        })?;
        line.tell(done, wanted.len() as u64 - done, format_args!("file {done} of {}", wanted.len()))?;
    }
    line.end();
    let s = if wanted.len() == 1 { "" } else { "s" };
    say(format_args!("{}: {} file{s}, {points} points", pattern.display(), wanted.len()));
    Ok(())
}

/// Writes the mesh of every shape as SHAPE.obj into a folder.
fn meshes(recording: &mut Recording, arguments: &ExportArguments) -> Result<(), Failure> {
    let folder = &arguments.output;
    if arguments.of == Some(Things::Particles) || folder == Path::new("-") {
        return Err(
            "obj writes one file per shape of bodies\nhelp: give -o the name of a folder, without --of particles"
                .into(),
        );
    }
    let plain = |sign: char| if sign.is_alphanumeric() || "-_.".contains(sign) { sign } else { '_' };
    let mut paths: Vec<PathBuf> = Vec::new();
    for shape in &recording.header().shapes {
        let name: String = shape.name.chars().map(plain).collect();
        let path = folder.join(format!("{name}.obj"));
        if paths.contains(&path) {
            return Err(
                format!("two shapes would both be {}\nhelp: rename one of them in the scene", path.display()).into()
            );
        }
        output::check_free(&path, arguments.force)?;
        paths.push(path);
    }
    std::fs::create_dir_all(folder).map_err(|problem| format!("cannot write to {}: {problem}", folder.display()))?;
    for (shape, path) in paths.iter().enumerate() {
        let triangles = write_whole(path, |mut out| write_shape_obj(recording, shape, &mut out))?;
        say(format_args!("{}: {triangles} triangles", path.display()));
    }
    Ok(())
}

/// The names of the files of a sequence, with a row of `#` where the frame's number goes.
fn pattern(output: &Path, of: Things) -> Result<PathBuf, Failure> {
    let name = output.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        _ if output == Path::new("-") => {
            Err("ply writes one file per frame\nhelp: give -o the name of a folder, or one that ends in .ply".into())
        }
        Some("ply") if name.contains('#') => Ok(output.to_owned()),
        Some("ply") => Ok(output.with_extension("####.ply")),
        _ => Ok(output.join(if of == Things::Particles { "particles.####.ply" } else { "bodies.####.ply" })),
    }
}

/// Writes a file, whole or not at all, and returns what `fill` counts.
fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<u64, IoError>) -> Result<u64, IoError> {
    let mut count = Ok(0);
    write_atomically(path, |file| match fill(file) {
        Err(IoError::Output { source }) => Err(source),
        filled => {
            count = filled;
            // The reason is kept in `count`; the file only needs to know that it must not be put in
            // place.
            count.as_ref().map(|_| ()).map_err(|_| std::io::Error::other("the export was broken off"))
        }
    })
    .or_else(|problem| if count.is_err() { Ok(()) } else { Err(problem) })?;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_sequence_are_numbered() {
        let first = |output: &str, of| numbered(&pattern(Path::new(output), of).unwrap(), 1);
        assert_eq!(first("a/sand.ply", Things::Particles), Path::new("a/sand.0001.ply"));
        assert_eq!(first("sand_##.ply", Things::Bodies), Path::new("sand_01.ply"));
        assert_eq!(first("clouds", Things::Particles), Path::new("clouds/particles.0001.ply"));
        assert_eq!(first("run.1/", Things::Bodies), Path::new("run.1/bodies.0001.ply"));
        assert!(pattern(Path::new("-"), Things::Bodies).is_err());
    }
}
