//! `tumble run`: a scene becomes a recording that can be resumed.
//!
//! At any moment the folder holds a readable recording and, behind it or level with it, a checkpoint. A frame is
//! recorded before the checkpoint of that frame is written, so resuming never misses a frame: it drops what was recorded after
//! the checkpoint and computes it again, to the same bits.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tumble::{Frame, Simulation, Stopwatch};
use tumble_io::{
    Checkpoint, Header, MeshData, Recording, RecordingWriter, read_checkpoint, write_atomically, write_checkpoint,
};
use tumble_picture::{Renderer, write_png};
use tumble_scene::text::changed_keys;
use tumble_scene::{Scene, Splits};

use crate::detail::follow::Following;
use crate::folder::{Folder, checkpoint_in, refuse_taken};
use crate::look::{self, LookArguments};
use crate::progress::{Progress, unless_gone};
use crate::report::{Report, Session, fatal};
use crate::signals::Interruption;
use crate::stats::Stats;
use crate::tally::{Tally, WarningCount};
use crate::{ChangeArguments, Failure, SceneArguments, header, say};

#[derive(clap::Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Folder of the run [default: runs/SCENE]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    how: HowArguments,
    /// Print one JSON object a frame instead of a progress line
    #[arg(long)]
    json: bool,
    /// Make no picture of the last frame
    #[arg(long)]
    no_preview: bool,
    /// Least time between two checkpoints; 0 writes one every frame
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = parse_seconds, allow_negative_numbers = true)]
    checkpoint_every: f64,
}

/// How everything is run that leaves the folder of a run.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct HowArguments {
    /// Number of threads [default: one a core]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Go on from the checkpoint of an earlier run; begins anew if there is none
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
    run_to(arguments, End::Frame)
}

/// When a run is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End<'a> {
    /// With the scene's last frame.
    Frame,
    /// When everything was born and has been at rest for a second. The scene then ends with that
    /// frame. Its text was made here, and becomes its file once it is known that the folder of the
    /// run may be written.
    Rest { text: &'a str },
}

pub(crate) fn run_to(arguments: &RunArguments, end: End<'_>) -> Result<ExitCode, Failure> {
    crate::start_threads(arguments.how.threads.map(usize::from))?;
    let path = arguments.output.clone().unwrap_or_else(|| Path::new("runs").join(arguments.scene.name()));
    // Only what goes on takes the parts of meshes that were split before, and takes them from under
    // a checksum.
    let before = match arguments.how.resume && checkpoint_in(&path).exists() {
        true => Some((Folder::open(&path)?, read_checkpoint(&checkpoint_in(&path))?)),
        false => None,
    };
    let splits = before.as_ref().map_or_else(Splits::default, |(_, checkpoint)| Splits::read(&checkpoint.parts));
    let file = &arguments.scene.scene;
    let mut scene = match end {
        End::Frame => arguments.scene.load_split(splits)?,
        End::Rest { text } => {
            let name = arguments.scene.name().display().to_string();
            let folder = file.parent().unwrap_or(Path::new("."));
            tumble_scene::load_text_with(&name, &file.display().to_string(), text, folder, &[], splits)?
        }
    };
    let (mut out, mut following) = match before {
        Some((folder, checkpoint)) => resume(folder, &checkpoint, &mut scene, &path)?,
        None => begin(arguments, &mut scene, &path)?,
    };
    for note in &scene.notes {
        let kind = if note.is_warning { "warning: " } else { "" };
        say(format_args!("{kind}{}", note.text));
    }
    if let End::Rest { text } = end {
        write_atomically(file, |out| out.write_all(text.as_bytes()))?;
    }

    let interrupted = Interruption::listen()?;

    let Scene { frames, simulation, resolved, fps, .. } = &mut scene;
    let last = frames[1];
    // For how many frames everything has been at rest; a run that goes on has some behind it.
    let mut at_rest = out.tally.settled_frame.map_or(0, |first| simulation.frame_number() - first + 1);
    let has_ended = |at_rest: i64| end != End::Frame && at_rest >= fps.ceil() as i64;
    let mut session = Session { resumed_from: out.resumed_from, ..Session::default() };
    let mut progress = Progress::new(arguments.json, simulation.frame_number(), last);
    let mut watch = Stopwatch::new(seconds);
    let (begin, mut saved) = (Instant::now(), Instant::now());
    let mut frame = Frame::default();
    while simulation.frame_number() < last && !has_ended(at_rest) && !interrupted.is_raised() {
        let (before, started) = (watch.seconds, Instant::now());
        let report = simulation.advance_timed(&mut watch);
        session.simulation_seconds += started.elapsed().as_secs_f64();
        session.body_steps += report.steps * report.bodies;
        if let Some(warning) = fatal(&report) {
            progress.end();
            out.tally.count(&report);
            tell_warnings(&out.tally.warning_kinds);
            let frame = report.frame - 1;
            return Err(format!(
                "frame {}: {warning}\nhelp: frames up to {frame} are in {}",
                report.frame,
                path.display()
            )
            .into());
        }
        at_rest = if report.settled { at_rest + 1 } else { 0 };
        simulation.show(&mut frame);
        if let Some(following) = &mut following {
            following.advance(&frame, &mut watch);
        }
        out.recording.append_with(&frame, following.as_ref().map(Following::shown))?;
        let spent: Vec<f64> = watch.seconds.iter().zip(before).map(|(now, then)| now - then).collect();
        out.stats.append(&report, &spent)?;
        out.tally.count(&report);
        progress.frame(&report, frame.state_hash)?;
        if saved.elapsed() >= Duration::from_secs_f64(arguments.checkpoint_every) {
            out.save(simulation, following.as_ref(), resolved)?;
            saved = Instant::now();
        }
    }
    progress.end();
    if has_ended(at_rest) {
        let ends = |last: i64| format!("\nframes = [{}, {last}]\n", frames[0]);
        *resolved = resolved.replacen(&ends(last), &ends(simulation.frame_number()), 1);
        frames[1] = simulation.frame_number();
        write_atomically(&out.folder.scene(), |file| file.write_all(resolved.as_bytes()))?;
    }
    out.save(simulation, following.as_ref(), resolved)?;
    if let Some(following) = &following {
        following.finish();
    }

    session.wall_seconds = begin.elapsed().as_secs_f64();
    session.seconds = watch.seconds.to_vec();
    let shown = following.as_ref().map(Following::shown);
    session.detail = shown.map(|shown| (shown.particles.len() as u64, shown.state_hash));
    let report = Report::new(&scene.title, scene.frames, &scene.simulation, session, &out.tally, &scene.expectations);
    write_atomically(&out.folder.report(), |file| Ok(serde_json::to_writer_pretty(file, &report)?))?;
    for (emitter, made, due) in scene.simulation.starved() {
        say(format_args!(
            "warning: emitter `{emitter}` has made {made} of the {due} bodies that were due: there was no room for the others; move it, enlarge `spread` or its place, or lower `rate`"
        ));
    }
    finish(arguments, &report, &path, &out.folder, &interrupted)
}

/// Where a run writes.
struct Output {
    folder: Folder,
    recording: RecordingWriter,
    stats: Stats,
    tally: Tally,
    /// Convex parts of the scene's meshes, as text.
    parts: String,
    resumed_from: Option<i64>,
}

impl Output {
    /// Writes a checkpoint of the present state, after making sure that the frames and their rows have reached the disk.
    fn save(&mut self, simulation: &Simulation, following: Option<&Following>, scene: &str) -> Result<(), Failure> {
        self.recording.sync()?;
        self.stats.sync()?;
        self.tally.stats_hash = self.stats.hash();
        let checkpoint = Checkpoint {
            frame: simulation.frame_number(),
            state_hash: simulation.state_hash(),
            scene: scene.to_string(),
            parts: self.parts.clone(),
            tally: serde_json::to_string(&self.tally)?,
            state: simulation.save(),
            detail: following.map(Following::save),
        };
        Ok(write_checkpoint(&self.folder.checkpoint(), &checkpoint)?)
    }
}

/// Begins a run at its first frame.
fn begin(arguments: &RunArguments, scene: &mut Scene, path: &Path) -> Result<(Output, Option<Following>), Failure> {
    let folder = Folder::open(path)?;
    refuse_taken(path, arguments.how)?;
    let (header, meshes, frame, following) = first_frame(scene)?;
    folder.clear()?;
    write_atomically(&folder.scene(), |file| file.write_all(scene.resolved.as_bytes()))?;
    let mut recording = RecordingWriter::create(&folder.recording(), &header, &meshes)?;
    recording.append_with(&frame, following.as_ref().map(Following::shown))?;
    let (mut stats, mut tally) = (Stats::open(&folder.stats(), None)?, Tally::default());
    let report = scene.simulation.measure();
    stats.append(&report, &[0.0; tumble::Stage::ALL.len()])?;
    tally.count(&report);
    let mut output = Output { folder, recording, stats, tally, parts: scene.splits.text(), resumed_from: None };
    output.save(&scene.simulation, following.as_ref(), &scene.resolved)?;
    Ok((output, following))
}

/// Goes on from a checkpoint.
fn resume(
    folder: Folder,
    checkpoint: &Checkpoint,
    scene: &mut Scene,
    path: &Path,
) -> Result<(Output, Option<Following>), Failure> {
    let unfit = |what: &str| format!("{} {what}\nhelp: begin anew with --force", folder.checkpoint().display());
    check_same_scene(&checkpoint.scene, scene, path)?;
    if scene.splits.text() != checkpoint.parts {
        return Err(unfit("does not hold the convex parts of the meshes of this scene").into());
    }
    let tally: Tally = serde_json::from_str(&checkpoint.tally).map_err(|_| unfit("holds no counts of its run"))?;
    let (_, _, mut frame, mut following) = first_frame(scene)?;
    // Nothing is computed from a state that the recording does not vouch for.
    if Simulation::hash_of(&checkpoint.state) != checkpoint.state_hash {
        return Err(unfit("does not hold the state it says").into());
    }
    let recorded = check_same_run(checkpoint, &folder.recording())?;
    scene.simulation.load(&checkpoint.state)?;
    if scene.simulation.state_hash() != checkpoint.state_hash {
        return Err(unfit("holds a state that does not come back").into());
    }
    if let Some(following) = &mut following {
        scene.simulation.show(&mut frame);
        following.load(checkpoint.detail.as_deref(), &frame, recorded, &folder.checkpoint())?;
    }
    let recording = RecordingWriter::resume(&folder.recording(), checkpoint.frame)?;
    let stats = Stats::open(&folder.stats(), Some(checkpoint.frame))?;
    if stats.hash() != tally.stats_hash {
        say(format_args!(
            "warning: rows of {} up to frame {} are lost or changed, and plots will show that; promises are counted without them",
            folder.stats().display(),
            checkpoint.frame
        ));
    }
    write_atomically(&folder.scene(), |file| file.write_all(scene.resolved.as_bytes()))?;
    let (parts, resumed_from) = (checkpoint.parts.clone(), Some(checkpoint.frame));
    Ok((Output { folder, recording, stats, tally, parts, resumed_from }, following))
}

/// The header of a run's recording with its meshes, and its first frame with the particles that
/// follow it.
fn first_frame(scene: &Scene) -> Result<(Header, Vec<MeshData>, Frame, Option<Following>), Failure> {
    let (header, meshes) = header::of(scene);
    let mut frame = Frame::default();
    scene.simulation.show(&mut frame);
    let following = scene.detail.as_ref();
    let following = following
        .map(|(detailing, grains)| Following::new(detailing, &header, &meshes, *grains, &frame))
        .transpose()?;
    Ok((header, meshes, frame, following))
}

/// A resumed run must be of the same scene; only how long it runs, its title, its look and its promises may change.
fn check_same_scene(old: &str, scene: &Scene, path: &Path) -> Result<(), Failure> {
    let first_frame = |text: &str| {
        let frames = text.lines().find_map(|line| line.strip_prefix("frames = ["))?;
        frames.split(',').next().map(str::to_owned)
    };
    let longer = first_frame(old) == first_frame(&scene.resolved);
    let key = |change: &String| change.split(':').next().unwrap_or(change).to_owned();
    let only_seen = |change: &String| {
        let key = key(change);
        key == "title" || key.starts_with("camera.") || key.ends_with(".colour") || key.ends_with(".look")
    };
    let free = |change: &String| key(change).starts_with("expect.") || (longer && key(change) == "frames");
    let mut changes = changed_keys(old, &scene.resolved);
    if changes.iter().any(only_seen) {
        say("warning: title, camera and colours stay as the recording began; a new run shows the new ones");
    }
    changes.retain(|change| !free(change) && !only_seen(change));
    if changes.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the scene is not the one that {} was run with:\n  {}\nhelp: give the same scene and --set again, or choose another folder with -o",
        path.display(),
        changes.join("\n  ")
    )
    .into())
}

/// A recording is gone on with only from the state it shows. Gives the hash of the particles of
/// that frame.
fn check_same_run(checkpoint: &Checkpoint, path: &Path) -> Result<Option<u64>, Failure> {
    let mut recording = Recording::open(path)?;
    let index = recording.find(checkpoint.frame)?;
    let frame = recording.frames()[index];
    if frame.state_hash == checkpoint.state_hash {
        warn_of_rot(&mut recording, index);
        return Ok(frame.detail_hash());
    }
    Err(format!(
        "frame {} of {} is not the one that the checkpoint beside it was made of\nhelp: put back the recording of this run, or begin anew with --force",
        frame.number,
        path.display()
    )
    .into())
}

/// Says which of the frames before this one are no longer as they were written: a run goes on
/// without them, but not in silence.
pub(crate) fn warn_of_rot(recording: &mut Recording, end: usize) {
    let rotten: Vec<_> =
        (0..end).filter_map(|index| recording.check(index).err().map(|problem| (index, problem))).collect();
    if let Some((index, problem)) = rotten.first() {
        let number = recording.frames()[*index].number;
        say(format_args!(
            "warning: {} of the recorded frames cannot be read, frame {number} the first: {problem}; the run goes on, and --force begins it anew",
            rotten.len()
        ));
    }
}

/// Makes a picture of the last frame, so that one sees at once what came of the run.
pub(crate) fn preview(folder: &Folder) -> Result<(), Failure> {
    let mut recording = Recording::open(&folder.recording())?;
    let renderer = Renderer::new(&mut recording)?;
    let view = LookArguments::of_size(960, 540).view(&renderer)?;
    let last = recording.frames().len().checked_sub(1).ok_or("there is no frame")?;
    let (image, _) = look::picture(&mut recording, &renderer, &view, last)?;
    Ok(write_png(&folder.preview(), &image)?)
}

/// Says how often each kind of warning came, and the first of each.
fn tell_warnings(kinds: &BTreeMap<String, WarningCount>) {
    for (kind, warnings) in kinds {
        say(format_args!("warning: {kind}, {} times; first in {}", warnings.count, warnings.first));
    }
}

/// Says how it went.
fn finish(
    arguments: &RunArguments,
    report: &Report,
    path: &Path,
    folder: &Folder,
    interrupted: &Interruption,
) -> Result<ExitCode, Failure> {
    tell_warnings(&report.warning_kinds);
    if arguments.json {
        unless_gone(writeln!(std::io::stdout(), "{}", serde_json::to_string(report)?))?;
    } else {
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
    }
    // Whoever stops a run does not want to wait for its picture.
    if !arguments.no_preview && report.complete {
        // A run is whole without its picture.
        match preview(folder) {
            Ok(()) => say(format_args!("picture in {}", folder.preview().display())),
            Err(problem) => say(format_args!("warning: no picture: {problem}")),
        }
    }
    if !report.complete {
        return Ok(stopped(interrupted));
    }
    let broken: Vec<_> = report.expectations.iter().filter(|kept| !kept.holds).collect();
    for kept in &broken {
        let value = kept.value.map_or("nothing".to_string(), |value| value.to_string());
        say(format_args!("expectation failed: {} should be {}, got {value}", kept.quantity, kept.condition));
    }
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Says how to go on with what was stopped.
pub(crate) fn stopped(interrupted: &Interruption) -> ExitCode {
    let again = std::env::args_os().skip(1).filter(|word| word != "--resume" && word != "--force");
    let again: Vec<String> = again.map(|word| quoted(&word.to_string_lossy())).collect();
    say(format_args!("stopped; go on with: tumble {} --resume", again.join(" ")));
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

/// Seconds since the program asked for the first time.
pub(crate) fn seconds() -> f64 {
    use std::sync::OnceLock;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
