//! High-resolution particles for a recording, without simulating again.
//!
//! Reads the frames of a recording one by one, writes a recording with the same frames and their
//! particles. Memory is that of a frame. It can be stopped and resumed as a run can.

use std::path::Path;
use std::time::{Duration, Instant};

use tumble::{Frame, Stopwatch};
use tumble_io::{
    Checkpoint, Header, MeshData, Recording, RecordingWriter, read_checkpoint, write_atomically, write_checkpoint,
};
use tumble_scene::text::{Change, changes};
use tumble_scene::{Detailing, detail_of};

use crate::folder::{recording_in, refuse_taken};
use crate::follow::{info, kinds};
use crate::resume::rotten_frames;
use crate::{Folder, Following, RunError, RunWarning, seconds};

/// Least time between two checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(10);

/// The fate of a run that is already in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Previous {
    /// It is left alone, and nothing new begins.
    Kept,
    /// It goes on; where there is none, a new one begins.
    Resumed,
    /// A new one takes its place.
    Overwritten,
}

/// A recording that gets particles.
#[derive(Debug)]
pub struct Refinement {
    source: Recording,
    following: Following,
    frame: Frame,
    folder: Folder,
    writer: RecordingWriter,
    scene: String,
    warnings: Vec<RunWarning>,
}

/// The work of one session of a refinement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RefinementCost {
    /// Particles times frames.
    pub particle_frames: u64,
    /// Time that particles took, without reading and writing \[s\].
    pub seconds: f64,
}

impl Refinement {
    /// Opens a folder for the particles of a recording. The recording's scene says how particles
    /// follow; `sets` change keys of its `[detail]`.
    pub fn open(source: &Path, path: &Path, sets: &[String], previous: Previous) -> Result<Self, RunError> {
        let from = recording_in(source);
        let mut source = Recording::open(&from)?;
        if source.frames().is_empty() {
            return Err(RunError::NoFrames { path: from });
        }
        if is_same(&from, &recording_in(path)) {
            return Err(RunError::SameRecording { path: from });
        }
        if previous == Previous::Kept {
            refuse_taken(path)?;
        }

        let meshes: Vec<MeshData> =
            (0..source.header().meshes).map(|number| source.mesh(number)).collect::<Result<_, _>>()?;
        let (detailing, scene) = detail_of(&source.header().scene, &kinds(source.header()), sets)?;
        let header = Header { scene, detail: Some(info(&detailing)), ..source.header().clone() };
        let mut frame = Frame::default();
        let grains = most_grains(&mut source, &detailing, &mut frame)?;
        source.read(0, &mut frame)?;
        let (mut following, mut warnings) = Following::new(&detailing, &header, &meshes, grains, &frame)?;

        let folder = Folder::open(path)?;
        let resumes = previous == Previous::Resumed && folder.checkpoint().exists();
        let writer = if resumes {
            let checkpoint = read_checkpoint(&folder.checkpoint())?;
            let other = |changes: Vec<String>| RunError::OtherSettings { path: path.to_owned(), changes };
            let changes = changes(&checkpoint.scene, &header.scene).map_err(|problem| other(vec![problem]))?;
            if !changes.is_empty() {
                return Err(other(changes.iter().map(Change::to_string).collect()));
            }
            source.read(source.find(checkpoint.frame)?, &mut frame)?;
            if frame.state_hash != checkpoint.state_hash {
                return Err(RunError::OtherRecording { path: from, frame: frame.number });
            }
            let mut written = Recording::open(&folder.recording())?;
            let index = written.find(checkpoint.frame)?;
            following.resume(&checkpoint, &folder.checkpoint(), &frame, written.frames()[index].detail_hash())?;
            warnings.extend(rotten_frames(&mut written, index));
            RecordingWriter::resume(&folder.recording(), checkpoint.frame)?
        } else {
            folder.clear()?;
            write_atomically(&folder.scene(), |file| file.write_all(header.scene.as_bytes()))?;
            let mut writer = RecordingWriter::create(&folder.recording(), &header, &meshes)?;
            writer.append_with(&frame, Some(following.shown()))?;
            writer
        };
        let mut refinement = Self { source, following, frame, folder, writer, scene: header.scene, warnings };
        if !resumes {
            refinement.save()?;
        }
        Ok(refinement)
    }

    /// Makes the particles of all frames that have none yet, or until `stop` says yes, which is
    /// asked after every frame; `see` is shown each of them.
    pub fn go(
        &mut self,
        mut see: impl FnMut(&Self) -> Result<(), RunError>,
        stop: impl Fn() -> bool,
    ) -> Result<RefinementCost, RunError> {
        let (mut watch, mut saved) = (Stopwatch::new(seconds), Instant::now());
        let mut particle_frames = 0;
        for index in self.source.find(self.frame.number)? + 1..self.source.frames().len() {
            self.source.read(index, &mut self.frame)?;
            particle_frames += self.following.advance(&self.frame, &mut watch).particles;
            self.writer.append_with(&self.frame, Some(self.following.shown()))?;
            see(self)?;
            if saved.elapsed() >= CHECKPOINT_EVERY {
                self.save()?;
                saved = Instant::now();
            }
            if stop() {
                break;
            }
        }
        self.save()?;
        Ok(RefinementCost { particle_frames, seconds: watch.seconds.iter().sum() })
    }

    /// Writes a checkpoint, after making sure that the frames have reached the disk.
    fn save(&mut self) -> Result<(), RunError> {
        self.writer.sync()?;
        let checkpoint = Checkpoint {
            frame: self.frame.number,
            state_hash: self.frame.state_hash,
            scene: self.scene.clone(),
            detail: Some(self.following.save()),
            ..Checkpoint::default()
        };
        Ok(write_checkpoint(&self.folder.checkpoint(), &checkpoint)?)
    }

    /// The recording that the particles are made from.
    pub fn source(&self) -> &Recording {
        &self.source
    }

    /// The present frame, without its particles.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The particles at the present frame.
    pub fn following(&self) -> &Following {
        &self.following
    }

    /// The folder that is written.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Warnings known before the first frame.
    pub fn warnings(&self) -> &[RunWarning] {
        &self.warnings
    }
}

/// The number of grains that particles follow in the fullest frame.
fn most_grains(source: &mut Recording, detailing: &Detailing, frame: &mut Frame) -> Result<u64, RunError> {
    let fullest = source.frames().iter().map(|frame| frame.bodies()).enumerate().max_by_key(|(_, bodies)| *bodies);
    source.read(fullest.map_or(0, |(index, _)| index), frame)?;
    Ok(frame.bodies.iter().filter(|body| detailing.carriers[body.shape.index()]).count() as u64)
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
