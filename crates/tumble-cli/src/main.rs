//! The `tumble` program: reads the command line, calls the module of the command, prints an error
//! once and returns the exit code.
//!
//! Begin with [`Command`], the list of commands; each has a module of the same name. `run.rs` is
//! the longest path: arguments ▶ scene (`tumble-scene`) ▶ run and sinks (`tumble-run`) ▶ messages.
//! The commands that look at a run read its recording with `tumble-io`.

mod analyse;
mod bench;
mod check;
mod compare;
mod detail;
mod export;
mod gallery;
mod help;
mod info;
mod list;
mod look;
mod output;
mod pile;
mod processor;
mod progress;
mod render;
mod report;
mod run;
mod shell;
mod signals;
mod verify;
mod view;

use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulates and directs piles: sand, gravel, rubble, chairs, bananas.
///
/// Exit codes: 0 done, 1 an expectation of the scene failed, 2 bad input or a failed run, 130
/// stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP; a stopped run leaves a checkpoint.
#[derive(Parser)]
#[command(name = "tumble", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the scenes of the gallery
    List,
    /// Run a scene and record it
    Run(run::RunArguments),
    /// Pour objects into a pile with a chosen angle of repose, picture it and measure its angle
    Pile(pile::PileArguments),
    /// Add high-resolution particles to the grains of a recording, without simulating again
    Detail(detail::DetailArguments),
    /// Run the gallery, small or at full size, and say whether its scenes keep their promises
    Gallery(gallery::GalleryArguments),
    /// Check a scene and print it with every default filled in
    Check(check::CheckArguments),
    /// Summarise a run
    Info(info::InfoArguments),
    /// Read a whole run and check it against its checksums and hashes
    Verify(verify::VerifyArguments),
    /// Show a run in the browser, or two side by side
    View(view::ViewArguments),
    /// Make pictures and movies of a run, without a GPU
    Render(render::RenderArguments),
    /// Write a page about a run: pictures, plots, angle of repose, solid fraction, warnings
    Report(report::ReportArguments),
    /// Compare two runs: motion error and speed-up
    Compare(compare::CompareArguments),
    /// Export a run for other programs
    Export(export::ExportArguments),
    /// Measure the speed of a scene, by stage
    Bench(bench::BenchArguments),
    /// Study scenes as the papers do: steps, stiffness, friction, size, piles, particles, clumps
    Analyse(analyse::AnalyseArguments),
    /// Print a script that completes commands and options in a shell
    Completions(shell::CompletionArguments),
    /// Print the manual page of the program or of a command
    Man(shell::ManArguments),
}

/// Arguments that name a scene and change it.
#[derive(Clone, clap::Args)]
struct SceneArguments {
    /// A scene file, or a name from `tumble list`
    scene: PathBuf,
    #[command(flatten)]
    changes: ChangeArguments,
}

/// Arguments that change scenes.
#[derive(Clone, clap::Args)]
struct ChangeArguments {
    /// Change a key of the scene, such as `material.sand.friction=0.3` or `emitter.0.count=500`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// First and last frame instead of the scene's, such as 1-48
    #[arg(long, value_name = "A-B", value_parser = parse_frames, allow_hyphen_values = true)]
    frames: Option<[i64; 2]>,
    /// Repair meshes of objects that are not closed solids, where possible
    #[arg(long)]
    repair: bool,
}

impl SceneArguments {
    fn load(&self) -> Result<tumble_scene::Scene, tumble_scene::SceneError> {
        tumble_scene::load(&self.scene, &self.sets())
    }

    /// Loads the scene where some meshes were split into convex parts before.
    fn load_split(&self, splits: tumble_scene::Splits) -> Result<tumble_scene::Scene, tumble_scene::SceneError> {
        tumble_scene::load_with(&self.scene, &self.sets(), splits)
    }

    /// All changes of the command line.
    fn sets(&self) -> Vec<String> {
        let ChangeArguments { set, frames, repair } = &self.changes;
        let mut sets = set.clone();
        sets.extend(repair.then(|| "repair=true".to_string()));
        sets.extend(frames.map(|[first, last]| format!("frames=[{first}, {last}]")));
        sets
    }

    /// The name of the scene: that of the gallery, or of the file without folder and ending.
    fn name(&self) -> PathBuf {
        self.scene.file_stem().map_or("scene".into(), PathBuf::from)
    }
}

fn parse_frames(text: &str) -> Result<[i64; 2], String> {
    // The minus of a negative first frame is not the one in between.
    let between = text.get(1..).and_then(|rest| rest.find('-')).map(|at| at + 1);
    let frames = between.and_then(|at| Some([text[..at].parse().ok()?, text[at + 1..].parse().ok()?]));
    let [first, last] = frames.ok_or("write the first and last frame, such as 1-48")?;
    if first <= last {
        Ok([first, last])
    } else {
        Err(format!("the last frame, {last}, comes before the first, {first}"))
    }
}

/// The reason why a command ends without having done its work.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    // This check comes first, in a function that does nothing else: the code after it may contain
    // instructions that an older processor does not know.
    if !processor::is_new_enough() {
        let _ = std::io::stderr().write_all(processor::TOO_OLD.as_bytes());
        return ExitCode::from(2);
    }
    start()
}

/// Executes the command.
#[inline(never)]
fn start() -> ExitCode {
    let command = Arguments::parse().command;
    let can_be_resumed = matches!(command, Command::Run(_) | Command::Pile(_) | Command::Detail(_));
    let done = match command {
        Command::List => list::list(),
        Command::Run(arguments) => run::run(&arguments),
        Command::Pile(arguments) => pile::pile(&arguments),
        Command::Detail(arguments) => detail::detail(&arguments),
        Command::Gallery(arguments) => gallery::gallery(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Info(arguments) => info::info(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Render(arguments) => render::render(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Analyse(arguments) => analyse::analyse(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Man(arguments) => shell::man(&arguments),
    };
    match done {
        Ok(code) => code,
        // The reader of our output has seen enough and closed the pipe.
        Err(failure) if is_about(&*failure, &[ErrorKind::BrokenPipe]) => ExitCode::SUCCESS,
        Err(failure) => {
            say(format_args!("tumble: {failure}"));
            if let Some(help) = failure.downcast_ref().and_then(help::help) {
                say(format_args!("help: {help}"));
            }
            if can_be_resumed && is_about(&*failure, &[ErrorKind::StorageFull, ErrorKind::QuotaExceeded]) {
                say("help: free some space, then run the same command with --resume");
            }
            ExitCode::from(2)
        }
    }
}

/// Whether the system gave one of these reasons.
fn is_about(failure: &(dyn std::error::Error + 'static), kinds: &[ErrorKind]) -> bool {
    std::iter::successors(Some(failure), |cause| cause.source())
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|problem| kinds.contains(&problem.kind()))
}

/// Prints a message to standard error. Failures to print are ignored.
fn say(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", clean(&text.to_string()));
}

/// Text for a terminal. Titles and names come from files that others made, and must neither colour
/// it nor change its title nor turn its lines around: control characters and those that change the
/// direction of writing are replaced.
fn clean(text: &str) -> String {
    let is_plain = |c: char| match c {
        '\n' | '\t' => true,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        c => !c.is_control(),
    };
    text.chars().map(|c| if is_plain(c) { c } else { '\u{fffd}' }).collect()
}

/// The same for text that has to stay on its line.
fn clean_line(text: &str) -> String {
    clean(text).replace(['\n', '\t', '\u{2028}', '\u{2029}'], "\u{fffd}")
}

/// Starts the worker threads; by default one per core.
fn start_threads(threads: Option<usize>) -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build_global()?;
    Ok(())
}
