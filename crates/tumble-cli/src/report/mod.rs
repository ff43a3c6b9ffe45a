//! `tumble report`: one page about a run, with pictures, plots and key figures, or the same numbers
//! as JSON.
//!
//! A run writes `report.json` when it ends. The page reads that, the recording and the table again,
//! so it also works for a run that was interrupted or is still going on.

pub(crate) mod html;
mod numbers;
pub(crate) mod page;
pub(crate) mod past;
pub(crate) mod pictures;
pub(crate) mod plots;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use tumble_io::write_atomically;
use tumble_run::folder;

use crate::{Failure, output, say};
use numbers::RunNumbers;
use past::PastRun;

#[derive(clap::Args)]
pub(crate) struct ReportArguments {
    /// Folder of a run, or its recording; the run may still be going on
    run: PathBuf,
    /// Page to write [default: report.html in the folder of the run]
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    /// Print the numbers as JSON, or write them to a file, instead of the page; with -o both
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Pictures on the contact sheet
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=200))]
    pictures: u16,
}

pub(crate) fn report(arguments: &ReportArguments) -> Result<ExitCode, Failure> {
    let beside = || folder::recording_in(&arguments.run).with_file_name("report.html");
    let output = page_path(arguments.output.as_ref(), arguments.json.as_deref(), beside);
    // The page beside the recording belongs to the run and is overwritten.
    for path in [&arguments.output, &arguments.json].into_iter().flatten() {
        output::check_free(path, arguments.force)?;
    }
    let mut run = PastRun::open(&arguments.run)?;
    let numbers = RunNumbers::of(&mut run)?;
    for note in &numbers.notes {
        say(format_args!("warning: {note}"));
    }
    if let Some(path) = output {
        let count = usize::from(arguments.pictures);
        let sheet = (count > 0).then(|| {
            // A page without pictures is better than none.
            pictures::contact_sheet(&mut run.recording, run.last, count).map_err(|problem| problem.to_string())
        });
        write_page(&path, &page::write(&run, &numbers, sheet))?;
    }
    if let Some(path) = &arguments.json {
        write_json(path, &numbers)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Path of the page, if one is wanted: `--json` alone gives no page unless it is named.
pub(crate) fn page_path(
    output: Option<&PathBuf>,
    json: Option<&Path>,
    default: impl FnOnce() -> PathBuf,
) -> Option<PathBuf> {
    output.cloned().or_else(|| json.is_none().then(default))
}

/// Writes a page, whole or not at all, and says where it is.
pub(crate) fn write_page(path: &Path, page: &str) -> Result<(), Failure> {
    write_atomically(path, |file| file.write_all(page.as_bytes()))?;
    say(format_args!("{}: {:.1} MB", path.display(), page.len() as f64 / 1e6));
    Ok(())
}

/// Writes numbers to a file, or to standard output if its name is `-`.
pub(crate) fn write_json(path: &Path, numbers: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(numbers)?;
    text.push('\n');
    if path == Path::new("-") {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    } else {
        write_atomically(path, |file| file.write_all(text.as_bytes()))?;
    }
    Ok(())
}
