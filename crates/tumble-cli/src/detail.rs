//! `tumble detail`: high-resolution particles for a recording, without simulating again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use tumble_run::{Previous, Refinement, preview};

use crate::progress::Line;
use crate::run::{HowArguments, stopped};
use crate::signals::Interruption;
use crate::{Failure, help, say};

#[derive(clap::Args)]
pub(crate) struct DetailArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
    /// Particles per grain [default: the scene's `detail.count`, or 32]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Folder to write [default: that of the run with `_detail` appended]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Change a key of `[detail]`, such as `detail.influence=3`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    how: HowArguments,
    /// Skip the picture of the last frame
    #[arg(long)]
    no_preview: bool,
}

pub(crate) fn detail(arguments: &DetailArguments) -> Result<ExitCode, Failure> {
    let how = arguments.how;
    crate::start_threads(how.threads.map(usize::from))?;
    let path = arguments.output.clone().unwrap_or_else(|| beside(&arguments.run));
    let mut sets = arguments.set.clone();
    sets.extend(arguments.count.map(|count| format!("detail.count={count}")));
    let previous = match how {
        HowArguments { force: true, .. } => Previous::Overwritten,
        HowArguments { resume: true, .. } => Previous::Resumed,
        _ => Previous::Kept,
    };
    let mut refinement = Refinement::open(&arguments.run, &path, &sets, previous)?;
    if let Some(damage) = refinement.source().damage() {
        say(format_args!("warning: {damage}; frames before it get particles"));
    }
    help::warn(refinement.warnings());

    let interrupted = Interruption::listen()?;
    let (mut line, begin) = (Line::new(), Instant::now());
    let frames = refinement.source().frames();
    let (first, last) = (frames[0].number, frames[frames.len() - 1].number);
    let start = refinement.frame().number;
    let went = refinement.go(
        |now| {
            let (number, particles) = (now.frame().number, now.following().shown().particles.len());
            let (done, to_do) = (number.abs_diff(start), last.abs_diff(number));
            Ok(line.tell(done, to_do, format_args!("frame {number} of {last}  {particles} particles"))?)
        },
        || interrupted.is_raised(),
    );
    line.end();
    let cost = went?;
    let (following, folder) = (refinement.following(), refinement.folder());
    following.oddities().iter().for_each(|what| say(format_args!("warning: {what}")));
    say(format_args!(
        "frames {first} to {} in {}: {} particles, {:.1} s, {:.2} M particle-frames/s, particles {:016x}",
        refinement.frame().number,
        path.display(),
        following.shown().particles.len(),
        begin.elapsed().as_secs_f64(),
        cost.particle_frames as f64 / cost.seconds.max(1e-9) / 1e6,
        following.shown().state_hash
    ));
    if let Some(unevenness) = following.unevenness() {
        say(format_args!(
            "the density of particles differs from that of their carriers by {:.0} %, root mean square",
            100.0 * unevenness
        ));
    }
    if refinement.frame().number < last {
        return Ok(stopped(&interrupted));
    }
    if !arguments.no_preview {
        match preview::write(&folder.recording(), &folder.preview()) {
            Ok(()) => say(format_args!("picture in {}", folder.preview().display())),
            Err(problem) => say(format_args!("warning: no picture: {problem}")),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The default folder: beside the run.
fn beside(run: &Path) -> PathBuf {
    // `.` and a bare file name have no folder in their words.
    let run = run.canonicalize().unwrap_or_else(|_| run.to_owned());
    let folder = if run.is_file() { run.parent().unwrap_or(&run) } else { &run };
    let mut name = folder.file_name().unwrap_or("run".as_ref()).to_owned();
    name.push("_detail");
    folder.with_file_name(name)
}
