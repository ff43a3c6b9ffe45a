//! `tumble run`: a scene becomes a recording that can be resumed. The run itself is `tumble-run`'s;
//! this module has its arguments and its messages.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use tumble_io::write_atomically;
use tumble_run::{Earlier, Following, Preview, Report, Run, RunError, RunFiles, Sink, ToldKept, Until, WarningCount};
use tumble_scene::{Scene, Splits};

use crate::progress::{RunProgress, unless_gone};
use crate::signals::Interruption;
use crate::{ChangeArguments, Failure, SceneArguments, help, say};

#[derive(clap::Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Folder of the run [default: runs/SCENE]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    how: HowArguments,
    /// Print one JSON object per frame instead of a progress line
    #[arg(long)]
    json: bool,
    /// Skip the picture of the last frame
    #[arg(long)]
    no_preview: bool,
    /// Shortest time between two checkpoints; 0 writes one every frame
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds, allow_negative_numbers = true)]
    checkpoint_every: f64,
}

/// Arguments of everything that leaves the folder of a run.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct HowArguments {
    /// Number of threads [default: one per core]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Continue from the checkpoint of an earlier run; start anew if there is none
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,
    /// Overwrite an earlier run
    #[arg(long)]
    pub(crate) force: bool,
}

impl RunArguments {
    /// A run of a scene file with everything else as usual.
    pub(crate) fn of_scene(scene: &Path, output: &Path, how: HowArguments) -> Self {
        let changes = ChangeArguments { set: Vec::new(), frames: None, repair: false };
        let scene = SceneArguments { scene: scene.to_owned(), changes };
        let output = Some(output.to_owned());
        Self { scene, output, how, json: false, no_preview: false, checkpoint_every: 10.0 }
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..1e9).contains(seconds));
    seconds.ok_or_else(|| "write a number of seconds, 0 or more".into())
}

pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, Failure> {
    run_to_end(arguments, None)
}

/// Runs a scene whose text was made here, until everything rests. The text becomes the scene's file
/// once it is known that the folder of the run may be written.
pub(crate) fn run_to_rest(arguments: &RunArguments, text: &str) -> Result<ExitCode, Failure> {
    run_to_end(arguments, Some(text))
}

fn run_to_end(arguments: &RunArguments, text: Option<&str>) -> Result<ExitCode, Failure> {
    let how = arguments.how;
    crate::start_threads(how.threads.map(usize::from))?;
    let path = arguments.output.clone().unwrap_or_else(|| Path::new("runs").join(arguments.scene.name()));
    let earlier = if how.resume { Earlier::open(&path)? } else { None };
    // Only a resumed run reuses the convex parts of meshes, which its checkpoint has under a
    // checksum.
    let splits = earlier.as_ref().map_or_else(Splits::default, Earlier::splits);
    let scene = load(&arguments.scene, text, splits)?;
    let notes = scene.notes.clone();
    let (mut run, mut files) = match earlier {
        Some(earlier) => earlier.resume(scene)?,
        None => {
            let files = RunFiles::create(&path, how.force)?;
            (Run::new(scene)?, files)
        }
    };
    files.checkpoint_every = Duration::from_secs_f64(arguments.checkpoint_every);
    help::warn(run.warnings());
    for note in &notes {
        let kind = if note.is_warning { "warning: " } else { "" };
        say(format_args!("{kind}{}", note.text));
    }
    if let Some(text) = text {
        write_atomically(&arguments.scene.scene, |out| out.write_all(text.as_bytes()))?;
    }

    let until = if text.is_some() { Until::Rest } else { Until::LastFrame };
    let interrupted = Interruption::listen()?;
    let (mut progress, mut preview) = (RunProgress::new(arguments.json), Preview::of(files.folder()));
    let mut sinks: Vec<&mut dyn Sink> = vec![&mut files, &mut progress];
    if !arguments.no_preview {
        sinks.push(&mut preview);
    }
    let went = run.go(until, &mut sinks, || interrupted.is_raised());
    progress.finish();
    let report = match went {
        Err(problem @ RunError::NotFinite { frame, .. }) => {
            tell_warnings(&run.tally().warning_kinds);
            let help = format!("help: frames up to {} are in {}", frame - 1, path.display());
            return Err(format!("{problem}\n{help}").into());
        }
        went => went?,
    };
    tell(arguments, &run, &report, &path)?;
    tell_preview(&preview);
    Ok(if report.complete { tell_promises(&report) } else { stopped(&interrupted) })
}

/// Loads the scene of the arguments, or the one whose text is given.
fn load(arguments: &SceneArguments, text: Option<&str>, splits: Splits) -> Result<Scene, Failure> {
    let Some(text) = text else { return Ok(arguments.load_split(splits)?) };
    let file = &arguments.scene;
    let name = arguments.name().display().to_string();
    let folder = file.parent().unwrap_or(Path::new("."));
    Ok(tumble_scene::parse(&file.display().to_string(), text, &[])?.compile(&name, folder, splits)?)
}

/// Says how often each kind of warning came, and the first of each.
fn tell_warnings(kinds: &BTreeMap<String, WarningCount>) {
    for (kind, warnings) in kinds {
        say(format_args!("warning: {kind}, {} times; first in {}", warnings.count, warnings.first));
    }
}

/// Prints the outcome.
fn tell(arguments: &RunArguments, run: &Run, report: &Report, path: &Path) -> Result<(), Failure> {
    let odd = run.following().map(Following::oddities).unwrap_or_default();
    odd.iter().for_each(|what| say(format_args!("warning: {what}")));
    for (emitter, made, due) in run.simulation().starved() {
        say(format_args!(
            "warning: emitter `{emitter}` has made {made} of the {due} bodies that were due: there was no room for the others; move it, enlarge `spread` or its region, or lower `rate`"
        ));
    }
    tell_warnings(&report.warning_kinds);
    if arguments.json {
        return Ok(unless_gone(writeln!(std::io::stdout(), "{}", serde_json::to_string(report)?))?);
    }
    say(format_args!(
        "frames {} to {} in {}: {} bodies, {} steps of {:.3e} s, {:.1} s, {:.2} M body-steps/s, state {}",
        report.first_frame,
        report.last_frame,
        path.display(),
        report.bodies,
        report.steps,
        report.step,
        report.wall_seconds,
        report.body_steps_per_second / 1e6,
        report.state_hash,
    ));
    Ok(())
}

fn tell_preview(preview: &Preview) {
    match preview.made() {
        None => {}
        Some(Ok(picture)) => say(format_args!("picture in {}", picture.display())),
        Some(Err(problem)) => say(format_args!("warning: no picture: {problem}")),
    }
}

/// Says which promises of the scene were broken; gives the exit code.
fn tell_promises(report: &Report) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for kept in report.expectations.iter().filter(|kept| !kept.holds).map(ToldKept::from) {
        let ToldKept { quantity, condition, .. } = &kept;
        say(format_args!("expectation failed: {quantity} should be {condition}, got {}", kept.got()));
        code = ExitCode::from(1);
    }
    code
}

/// Says how to go on with a run that was stopped.
pub(crate) fn stopped(interrupted: &Interruption) -> ExitCode {
    let again = std::env::args_os().skip(1).filter(|word| word != "--resume" && word != "--force");
    let again: Vec<String> = again.map(|word| quoted(&word.to_string_lossy())).collect();
    say(format_args!("stopped; resume with: tumble {} --resume", again.join(" ")));
    interrupted.code()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=.,:/+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
