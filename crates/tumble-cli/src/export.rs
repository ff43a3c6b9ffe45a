//! `tumble export`: a recording in a form that other programs read.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tumble_io::{IoError, Recording, write_atomically, write_csv};

use crate::{Failure, folder, say};

#[derive(clap::Args)]
pub(crate) struct ExportArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
    /// Format
    #[arg(long, value_enum)]
    to: Format,
    /// File to write, or - for standard output
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Only these frames, such as 10-20
    #[arg(long, value_name = "A-B", value_parser = crate::parse_frames, allow_hyphen_values = true)]
    frames: Option<[i64; 2]>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// A row a body and frame
    Csv,
}

pub(crate) fn export(arguments: &ExportArguments) -> Result<ExitCode, Failure> {
    let Format::Csv = arguments.to;
    let mut recording = Recording::open(&folder::recording_in(&arguments.run))?;
    if let Some(damage) = recording.damage() {
        say(format_args!("warning: {damage}; what is before it is exported"));
    }
    let frames = arguments.frames.map(|[first, last]| first..=last);
    if arguments.output == Path::new("-") {
        let mut out = std::io::stdout().lock();
        write_csv(&mut recording, frames, &mut out)?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    folder::check_free(&arguments.output, arguments.force)?;
    csv(&mut recording, frames, &arguments.output)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes frames as a table, whole or not at all, and says how long it is.
pub(crate) fn csv(recording: &mut Recording, frames: Option<RangeInclusive<i64>>, path: &Path) -> Result<(), Failure> {
    let mut rows = Ok(0);
    write_atomically(path, |mut file| match write_csv(recording, frames, &mut file) {
        Err(IoError::Output { source }) => Err(source),
        written => {
            rows = written;
            // The reason is kept in `rows`; the file only needs to know that it must not be put in place.
            rows.as_ref().map(|_| ()).map_err(|_| std::io::Error::other("the export was broken off"))
        }
    })
    .or_else(|problem| if rows.is_err() { Ok(()) } else { Err(problem) })?;
    say(format_args!("{}: {} rows", path.display(), rows?));
    Ok(())
}
