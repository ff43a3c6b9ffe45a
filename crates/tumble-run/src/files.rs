//! The files of a run, as a sink: recording, statistics, checkpoints, report and scene in one
//! folder.
//!
//! At any moment the folder holds a readable recording and, behind it or level with it, a
//! checkpoint. A frame is recorded before the checkpoint of that frame is written, so resuming
//! never misses a frame: it drops what was recorded after the checkpoint and computes it again, to
//! the same bits.

use std::path::Path;
use std::time::{Duration, Instant};

use tumble_io::{Checkpoint, IoError, write_atomically, write_checkpoint};

use crate::folder::refuse_taken;
use crate::{Folder, Following, Recorder, Report, Run, RunError, SavedTally, Sink, Statistics};

/// Writes everything that a run leaves on disk.
pub struct RunFiles {
    folder: Folder,
    recorder: Recorder,
    statistics: Statistics,
    /// Least time between two checkpoints. The first frame and the last always have one.
    pub checkpoint_every: Duration,
    saved: Option<Instant>,
    /// The scene as its file in the folder has it.
    scene: String,
    /// Convex parts of the scene's meshes, as text.
    parts: String,
}

impl RunFiles {
    /// The files of a new run. Files that an earlier run left in the folder are overwritten only if
    /// that is wanted, and not before the run begins.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self, RunError> {
        let folder = Folder::open(path)?;
        if !overwrite {
            refuse_taken(path)?;
        }
        Ok(Self::of(folder))
    }

    pub(crate) fn of(folder: Folder) -> Self {
        Self {
            recorder: Recorder::new(folder.recording()),
            statistics: Statistics::new(folder.stats()),
            folder,
            checkpoint_every: Duration::from_secs(10),
            saved: None,
            scene: String::new(),
            parts: String::new(),
        }
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    fn write_scene(&mut self, run: &Run) -> Result<(), RunError> {
        let resolved = &run.scene().resolved;
        if self.scene != *resolved {
            write_atomically(&self.folder.scene(), |file| file.write_all(resolved.as_bytes()))?;
            self.scene.clone_from(resolved);
        }
        Ok(())
    }

    /// Writes a checkpoint of the present state, after making sure that the frames and their rows
    /// have reached the disk.
    fn save(&mut self, run: &Run) -> Result<(), RunError> {
        self.recorder.sync()?;
        self.statistics.sync()?;
        let tally = SavedTally { tally: run.tally().clone(), stats_hash: self.statistics.hash() };
        let checkpoint = Checkpoint {
            frame: run.frame().number,
            state_hash: run.frame().state_hash,
            scene: self.scene.clone(),
            parts: self.parts.clone(),
            tally: tally.to_json(),
            state: run.simulation().save(),
            detail: run.following().map(Following::save),
        };
        write_checkpoint(&self.folder.checkpoint(), &checkpoint)?;
        self.saved = Some(Instant::now());
        Ok(())
    }
}

impl Sink for RunFiles {
    fn begin(&mut self, run: &Run) -> Result<(), RunError> {
        match run.resumed_from() {
            None => self.folder.clear()?,
            Some(_) => self.saved = Some(Instant::now()),
        }
        self.parts = run.scene().splits.text();
        // A recording that cannot be gone on with is found before anything else is touched.
        self.recorder.begin(run)?;
        self.statistics.begin(run)?;
        self.write_scene(run)
    }

    fn frame(&mut self, run: &Run) -> Result<(), RunError> {
        self.recorder.frame(run)?;
        self.statistics.frame(run)?;
        if self.saved.is_none_or(|saved| saved.elapsed() >= self.checkpoint_every) {
            self.save(run)?;
        }
        Ok(())
    }

    fn end(&mut self, run: &Run, report: &Report) -> Result<(), RunError> {
        self.write_scene(run)?;
        self.save(run)?;
        let written = write_atomically(&self.folder.report(), |file| Ok(serde_json::to_writer_pretty(file, report)?));
        written.map_err(IoError::into)
    }
}
