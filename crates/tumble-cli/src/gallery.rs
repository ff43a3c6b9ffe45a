//! `tumble gallery`: scenes of the gallery one after the other, and a table of what came of their
//! promises. The runs are `tumble-run`'s; this module has arguments, messages and the table.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tumble_io::write_atomically;
use tumble_run::{GalleryRun, GallerySize, RunError, ToldKept};
use tumble_scene::gallery::{SCENES, find, similar};

use crate::analyse::table::{StudyCell, StudyTable};
use crate::progress::{RunProgress, unless_gone};
use crate::report::html::number;
use crate::signals::Interruption;
use crate::{Failure, help, say};

#[derive(clap::Args)]
pub(crate) struct GalleryArguments {
    /// Names from `tumble list` [default: all]
    names: Vec<String>,
    /// Run scenes as they are, which takes a day or more for all; without it they are made small,
    /// a second each
    #[arg(long)]
    full: bool,
    /// Folder for a folder of each run and for the table, gallery.md [default: runs/gallery, with
    /// --full runs/gallery-full]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Number of threads [default: one per core]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run anew what is there
    #[arg(long)]
    force: bool,
}

/// A scene and what came of its run.
type Outcome = (&'static str, Result<GalleryRun, RunError>);

pub(crate) fn gallery(arguments: &GalleryArguments) -> Result<ExitCode, Failure> {
    let scenes = scenes(&arguments.names)?;
    crate::start_threads(arguments.threads.map(usize::from))?;
    let (size, folder) = match arguments.full {
        true => (GallerySize::Full, "runs/gallery-full"),
        false => (GallerySize::Reduced, "runs/gallery"),
    };
    let folder = arguments.output.clone().unwrap_or_else(|| folder.into());
    let interrupted = Interruption::listen()?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (at, (name, text)) in scenes.iter().copied().enumerate() {
        say(format_args!("{name} ({} of {})", at + 1, scenes.len()));
        let mut progress = RunProgress::new(false);
        let stop = || interrupted.is_raised();
        let run = size.run((name, text), &folder.join(name), arguments.force, &mut progress, stop);
        progress.finish();
        tell(name, &run);
        outcomes.push((name, run));
        // After every scene, so that it is there if the next one never ends.
        write_table(&folder, &outcomes)?;
        if interrupted.is_raised() {
            break;
        }
    }
    let mut out = std::io::stdout().lock();
    unless_gone(out.write_all(table(&outcomes).as_bytes()).and_then(|()| out.flush()))?;
    if interrupted.is_raised() {
        say("stopped; the same command goes on, without --force");
        return Ok(interrupted.code());
    }
    Ok(code(&outcomes))
}

/// The scenes that were asked for, in the order of the gallery.
fn scenes(asked: &[String]) -> Result<Vec<(&'static str, &'static str)>, Failure> {
    if let Some(unknown) = asked.iter().find(|name| find(name).is_none()) {
        let help = match similar(unknown) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "`tumble list` shows all names".to_owned(),
        };
        return Err(format!("the gallery has no scene `{unknown}`\nhelp: {help}").into());
    }
    let is_asked = |(name, _): &(&str, &str)| asked.is_empty() || asked.iter().any(|asked| asked == name);
    Ok(SCENES.into_iter().filter(is_asked).collect())
}

/// Says at once what came of a scene.
fn tell(name: &str, run: &Result<GalleryRun, RunError>) {
    match run {
        Err(problem) => {
            say(format_args!("{name} failed: {problem}"));
            if let Some(help) = help::help(problem) {
                say(format_args!("help: {help}"));
            }
        }
        Ok(run) if run.was_there => say(format_args!("{name}: was there, {}", verdict(run))),
        Ok(run) => say(format_args!("{name}: {}", verdict(run))),
    }
}

/// Which promises were kept, in a line.
fn verdict(run: &GalleryRun) -> String {
    let broken: Vec<&ToldKept> = run.promises.iter().filter(|kept| !kept.holds).collect();
    let all = run.promises.len();
    if !run.complete {
        return format!("stopped after {} frames", run.frames);
    }
    if broken.is_empty() {
        return format!("all {all} kept");
    }
    let list = broken.iter().map(|kept| {
        let ToldKept { quantity, condition, value, .. } = kept;
        format!("{quantity} is {}, promised {condition}", value.map_or_else(|| kept.got(), number))
    });
    format!("{} of {all} broken: {}", broken.len(), list.collect::<Vec<_>>().join("; "))
}

fn table(outcomes: &[Outcome]) -> String {
    let mut table = StudyTable::new(&["scene", "bodies", "frames", "seconds", "promises", "state"], &[]);
    for (name, run) in outcomes {
        let mut row = vec![StudyCell::Text((*name).to_owned())];
        row.extend(match run {
            Ok(run) => [
                StudyCell::Count(run.bodies),
                StudyCell::Count(run.frames),
                StudyCell::Number(run.seconds.unwrap_or(f64::NAN)),
                StudyCell::Text(verdict(run)),
                StudyCell::Text(run.state_hash.clone()),
            ],
            Err(problem) => {
                let text = format!("failed: {problem}").replace('\n', " ").replace('|', "/");
                let none = || StudyCell::Number(f64::NAN);
                [none(), none(), none(), StudyCell::Text(text), none()]
            }
        });
        table.rows.push(row);
    }
    table.to_markdown()
}

fn write_table(folder: &Path, outcomes: &[Outcome]) -> Result<(), Failure> {
    let text = table(outcomes);
    Ok(write_atomically(&folder.join("gallery.md"), |file| file.write_all(text.as_bytes()))?)
}

/// The exit code: 2 if a run failed, 1 if a promise was broken.
fn code(outcomes: &[Outcome]) -> ExitCode {
    let is_bad = |(_, run): &Outcome| run.as_ref().map_or(2, |run| u8::from(!run.holds()));
    ExitCode::from(outcomes.iter().map(is_bad).max().unwrap_or(0))
}
