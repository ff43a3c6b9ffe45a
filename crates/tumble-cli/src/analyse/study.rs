//! Parts shared by all analyses: their folder, the runs of the scene's variants, progress, Ctrl-C,
//! and the end.
//!
//! Before any work is done every variant is loaded once, so that problems of any of them are known
//! at once. Files are written whole or not at all; those of an earlier analysis are replaced only
//! when asked, and those of others never.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use tumble::{FrameReport, Simulation};
use tumble_io::write_atomically;
use tumble_run::{fatal, folder};
use tumble_scene::Scene;

use super::table::StudyTable;
use super::vary::Variant;
use crate::progress::{Line, unless_gone};
use crate::signals::Interruption;
use crate::{Failure, SceneArguments, say};

/// Arguments of a study of one scene.
#[derive(clap::Args)]
pub(super) struct StudyArguments {
    #[command(flatten)]
    pub(super) scene: SceneArguments,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Folder in which a study leaves its results.
#[derive(clap::Args)]
pub(super) struct PlaceArguments {
    /// Folder for tables and plots [default: runs/SCENE-ANALYSIS]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Overwrite an earlier analysis of the same kind
    #[arg(long)]
    force: bool,
}

/// How the run of a variant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariantEnd {
    /// At the last frame.
    Whole,
    /// Before the last frame, because something is not a number any more.
    Broken,
    /// By Ctrl-C.
    Stopped,
}

/// An analysis under way.
pub(super) struct Study {
    subject: &'static str,
    path: PathBuf,
    _lock: File,
    interrupted: Interruption,
    line: Line,
    done: u64,
    to_do: u64,
    notes: Vec<String>,
}

impl Study {
    /// Checks all variants of one scene, then opens the folder.
    pub(super) fn begin(
        arguments: &StudyArguments,
        subject: &'static str,
        base: &Scene,
        variants: &[Variant],
    ) -> Result<Self, Failure> {
        let study = Self::of_several(&arguments.place, arguments.threads, subject, &base.name, variants)?;
        study.write(".toml", &base.resolved)?;
        Ok(study)
    }

    /// Checks all variants of several scenes, then opens the folder, which is by default called
    /// after `name`.
    pub(super) fn of_several<'a>(
        place: &PlaceArguments,
        threads: Option<u16>,
        subject: &'static str,
        name: &str,
        variants: impl IntoIterator<Item = &'a Variant>,
    ) -> Result<Self, Failure> {
        crate::start_threads(threads.map(usize::from))?;
        let mut to_do = 0;
        for variant in variants {
            let [first, last] = variant.load()?.frames;
            to_do += last.abs_diff(first);
        }
        let default = || Path::new("runs").join(format!("{name}-{subject}"));
        let path = place.output.clone().unwrap_or_else(default);
        let lock = open(&path, subject, place.force)?;
        Ok(Self {
            subject,
            path,
            _lock: lock,
            interrupted: Interruption::listen()?,
            line: Line::new(),
            done: 0,
            to_do,
            notes: Vec::new(),
        })
    }

    /// Runs a variant to its end. `see` gets the simulation after every frame, with the report and
    /// the seconds it took.
    pub(super) fn run(
        &mut self,
        name: &str,
        scene: &mut Scene,
        mut see: impl FnMut(&mut Simulation, &FrameReport, f64) -> Result<(), Failure>,
    ) -> Result<VariantEnd, Failure> {
        let (simulation, last) = (&mut scene.simulation, scene.frames[1]);
        while simulation.frame_number() < last {
            if self.is_stopped() {
                return Ok(VariantEnd::Stopped);
            }
            let begin = Instant::now();
            let report = simulation.advance();
            let seconds = begin.elapsed().as_secs_f64();
            self.done += 1;
            if let Some(warning) = fatal(&report) {
                self.note(format!("{name} failed in frame {}: {warning}", report.frame));
                self.done += last.abs_diff(report.frame);
                return Ok(VariantEnd::Broken);
            }
            see(simulation, &report, seconds)?;
            let left = self.to_do.saturating_sub(self.done);
            self.line.tell(self.done, left, format_args!("{name}  frame {} of {last}", report.frame))?;
        }
        Ok(VariantEnd::Whole)
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn is_stopped(&self) -> bool {
        self.interrupted.is_raised()
    }

    /// Notes something that a reader of the table must know: says it at once, and again below the
    /// table.
    pub(super) fn note(&mut self, note: String) {
        self.line.end();
        say(format_args!("warning: {note}"));
        self.notes.push(note);
    }

    /// Writes a file of the analysis; `ending` comes after its name, such as `.csv`.
    pub(super) fn write(&self, ending: &str, text: &str) -> Result<(), Failure> {
        Ok(write_atomically(&self.file(ending), |file| file.write_all(text.as_bytes()))?)
    }

    /// Path of a file of the analysis.
    pub(super) fn file(&self, ending: &str) -> PathBuf {
        self.path.join(format!("{}{ending}", self.subject))
    }

    /// Path of something of the analysis that has a name of its own.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes the table as it is now: after every run, so that it is there if the next one never
    /// ends.
    pub(super) fn write_table(&self, table: &StudyTable) -> Result<(), Failure> {
        self.write(".csv", &table.to_csv())
    }

    /// Prints tables and their notes, writes the same as Markdown, and gives the exit code.
    pub(super) fn finish(
        self,
        title: &str,
        tables: &[(&str, &StudyTable)],
        remarks: &[String],
    ) -> Result<ExitCode, Failure> {
        self.line.end();
        let mut text = String::new();
        for (caption, table) in tables {
            if !caption.is_empty() {
                text.push_str(&format!("{caption}\n\n"));
            }
            text.push_str(&format!("{}\n", table.to_markdown()));
        }
        remarks.iter().chain(&self.notes).for_each(|remark| text.push_str(&format!("{remark}\n")));
        let stopped = self.is_stopped();
        let rest = if stopped { "Stopped before all runs were done.\n" } else { "" };
        self.write(".md", &format!("# {title}\n\n{text}{rest}"))?;
        let mut out = std::io::stdout().lock();
        unless_gone(out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
        say(format_args!("tables and plots in {}", self.path.display()));
        if stopped {
            say("stopped; finished runs are in the tables");
            return Ok(ExitCode::from(130));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Makes and locks the folder. An earlier analysis of this subject is removed if that is wanted;
/// files of others never are.
fn open(path: &Path, subject: &str, force: bool) -> Result<File, Failure> {
    let is_of_subject = |name: &str| {
        let rest = name.strip_prefix(subject);
        rest.is_some_and(|rest| {
            [".csv", ".md", ".svg", ".toml"].contains(&rest)
                || (rest.starts_with('-')
                    && [".svg", ".csv", ".toml", ".tumble"].iter().any(|ending| rest.ends_with(ending)))
        })
    };
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut old: Vec<PathBuf> =
        entries.filter(|entry| is_of_subject(&entry.file_name().to_string_lossy())).map(|entry| entry.path()).collect();
    old.sort();
    if let Some(file) = old.first() {
        if !folder::is_ours(path) {
            let (file, path) = (file.display(), path.display());
            return Err(format!(
                "{file} would be overwritten, and {path} is not the folder of an analysis\nhelp: -o chooses another folder"
            )
            .into());
        }
        if !force {
            let path = path.display();
            return Err(format!(
                "{path} already holds an analysis of {subject}\nhelp: --force overwrites it, -o chooses another folder"
            )
            .into());
        }
    }
    let lock = folder::lock(path)?;
    for file in old {
        std::fs::remove_file(&file).map_err(|problem| format!("cannot remove {}: {problem}", file.display()))?;
    }
    Ok(lock)
}
