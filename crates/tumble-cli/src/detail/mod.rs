//! `tumble detail`: high-resolution particles for a recording, without simulating again.
//!
//! Reads the frames of a recording one by one, writes a recording with the same frames and their particles. Memory is that of a frame. It can
//! be stopped and resumed as a run can.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tumble::{Frame, Stopwatch};
use tumble_io::{
    Checkpoint, Header, MeshData, Recording, RecordingWriter, read_checkpoint, write_atomically, write_checkpoint,
};
use tumble_run::{Folder, Following, RunError, folder, preview, rotten_frames, seconds};
use tumble_scene::detail_of;
use tumble_scene::text::changed_keys;

use crate::progress::Line;
use crate::run::{self, HowArguments};
use crate::signals::Interruption;
use crate::{Failure, help, say};

#[derive(clap::Args)]
pub(crate) struct DetailArguments {
    /// Folder of a run, or its recording
    run: PathBuf,
    /// Particles a grain [default: the scene's `detail.count`, or 32]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Folder to write [default: that of the run with `_detail` behind it]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Change a key of `[detail]`, such as `detail.influence=3`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    how: HowArguments,
    /// Make no picture of the last frame
    #[arg(long)]
    no_preview: bool,
}

pub(crate) fn detail(arguments: &DetailArguments) -> Result<ExitCode, Failure> {
    crate::start_threads(arguments.how.threads.map(usize::from))?;
    let mut source = Recording::open(&folder::recording_in(&arguments.run))?;
    if let Some(damage) = source.damage() {
        say(format_args!("warning: {damage}; what is before it gets particles"));
    }
    let (&first, &last) = source.frames().first().zip(source.frames().last()).ok_or("the recording has no frames")?;
    let path = arguments.output.clone().unwrap_or_else(|| beside(&arguments.run));
    if same_place(&folder::recording_in(&path), &folder::recording_in(&arguments.run)) {
        return Err(
            "the particles would be written over the recording they are made from\nhelp: -o chooses another folder"
                .into(),
        );
    }
    if !arguments.how.force && !arguments.how.resume {
        folder::refuse_taken(&path)?;
    }

    let meshes: Vec<MeshData> =
        (0..source.header().meshes).map(|number| source.mesh(number)).collect::<Result<_, _>>()?;
    let mut sets = arguments.set.clone();
    sets.extend(arguments.count.map(|count| format!("detail.count={count}")));
    let (detailing, scene) = detail_of(&source.header().scene, &tumble_run::kinds(source.header()), &sets)?;
    let header = Header { scene, detail: Some(tumble_run::info(&detailing)), ..source.header().clone() };
    let mut frame = Frame::default();
    let fullest = source.frames().iter().map(|frame| frame.bodies()).enumerate().max_by_key(|(_, bodies)| *bodies);
    source.read(fullest.map_or(0, |(index, _)| index), &mut frame)?;
    let grains = frame.bodies.iter().filter(|body| detailing.guides[body.shape.index()]).count();
    source.read(0, &mut frame)?;
    let (mut following, warnings) = Following::new(&detailing, &header, &meshes, grains as u64, &frame)?;
    help::warn(&warnings);
    let mut out = Output::begin(&path, arguments.how, &header, &meshes, &mut following, &mut source, &mut frame)?;

    let interrupted = Interruption::listen()?;
    let (mut line, mut watch) = (Line::new(), Stopwatch::new(seconds));
    let (begin, mut saved) = (Instant::now(), Instant::now());
    let start = source.find(frame.number)? + 1;
    let mut particle_frames = 0;
    for index in start..source.frames().len() {
        source.read(index, &mut frame)?;
        let report = following.advance(&frame, &mut watch);
        out.recording.append_with(&frame, Some(following.shown()))?;
        particle_frames += report.particles;
        let (done, to_do) = ((index + 1 - start) as u64, (source.frames().len() - 1 - index) as u64);
        let (number, end) = (frame.number, last.number);
        line.tell(done, to_do, format_args!("frame {number} of {end}  {} particles", report.particles))?;
        if saved.elapsed() >= Duration::from_secs(10) {
            out.save(&following, &frame)?;
            saved = Instant::now();
        }
        if interrupted.is_raised() {
            break;
        }
    }
    line.end();
    out.save(&following, &frame)?;
    following.oddities().iter().for_each(|what| say(format_args!("warning: {what}")));
    let spent = watch.seconds.iter().sum::<f64>();
    say(format_args!(
        "frames {} to {} in {}: {} particles, {:.1} s, {:.2} M particle-frames/s, particles {:016x}",
        first.number,
        frame.number,
        path.display(),
        following.shown().particles.len(),
        begin.elapsed().as_secs_f64(),
        particle_frames as f64 / spent.max(1e-9) / 1e6,
        following.shown().state_hash
    ));
    if let Some(unevenness) = following.unevenness() {
        say(format_args!("their density differs from that of grains by {:.0} %, root mean square", 100.0 * unevenness));
    }
    if frame.number < last.number {
        return Ok(run::stopped(&interrupted));
    }
    if !arguments.no_preview {
        match preview::write(&out.folder.recording(), &out.folder.preview()) {
            Ok(()) => say(format_args!("picture in {}", out.folder.preview().display())),
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

fn same_place(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Where particles are written.
struct Output {
    folder: Folder,
    recording: RecordingWriter,
    scene: String,
}

impl Output {
    /// Opens the folder: at the checkpoint if there is one and it is wanted, else at the first frame. `frame` becomes the one to go on from.
    fn begin(
        path: &Path,
        how: HowArguments,
        header: &Header,
        meshes: &[MeshData],
        following: &mut Following,
        source: &mut Recording,
        frame: &mut Frame,
    ) -> Result<Self, Failure> {
        let folder = Folder::open(path)?;
        let scene = header.scene.clone();
        if how.resume && folder.checkpoint().exists() {
            let checkpoint = read_checkpoint(&folder.checkpoint())?;
            let changes = changed_keys(&checkpoint.scene, &scene);
            if !changes.is_empty() {
                let changes = changes.join("\n  ");
                let path = path.display();
                return Err(format!(
                    "these are not the settings that {path} was made with:\n  {changes}\nhelp: give the same again, or choose another folder with -o"
                )
                .into());
            }
            source.read(source.find(checkpoint.frame)?, frame)?;
            if frame.state_hash != checkpoint.state_hash {
                return Err(
                    "the recording is not the one that the particles were made from\nhelp: --force begins anew".into(),
                );
            }
            let mut written = Recording::open(&folder.recording())?;
            let index = written.find(checkpoint.frame)?;
            let entry = written.frames()[index];
            help::warn(&rotten_frames(&mut written, index));
            let path = folder.checkpoint();
            let unfit = || RunError::Unfit { path: path.clone(), what: "holds no particles" };
            following.load(checkpoint.detail.as_deref().ok_or_else(unfit)?, frame)?;
            if entry.detail_hash() != Some(following.shown().state_hash) {
                return Err(RunError::OtherParticles { path, frame: frame.number }.into());
            }
            let recording = RecordingWriter::resume(&folder.recording(), checkpoint.frame)?;
            return Ok(Self { folder, recording, scene });
        }
        folder.clear()?;
        write_atomically(&folder.scene(), |file| file.write_all(scene.as_bytes()))?;
        let mut recording = RecordingWriter::create(&folder.recording(), header, meshes)?;
        recording.append_with(frame, Some(following.shown()))?;
        let mut output = Self { folder, recording, scene };
        output.save(following, frame)?;
        Ok(output)
    }

    /// Writes a checkpoint, after making sure that the frames have reached the disk.
    fn save(&mut self, following: &Following, frame: &Frame) -> Result<(), Failure> {
        self.recording.sync()?;
        let checkpoint = Checkpoint {
            frame: frame.number,
            state_hash: frame.state_hash,
            scene: self.scene.clone(),
            detail: Some(following.save()),
            ..Checkpoint::default()
        };
        Ok(write_checkpoint(&self.folder.checkpoint(), &checkpoint)?)
    }
}
