//! Going on with a run from its checkpoint, to the same bits as if it had never ended.
//!
//! Nothing is computed from a state that the recording does not vouch for: the checkpoint must fit
//! the scene, and its state must be the one that the recording shows for its frame.

use std::path::{Path, PathBuf};

use tumble::Simulation;
use tumble_io::{Checkpoint, Recording, read_checkpoint};
use tumble_scene::text::{Change, changes};
use tumble_scene::{Scene, Splits, parse};

use crate::folder::checkpoint_in;
use crate::{Folder, Run, RunError, RunFiles, RunWarning, SavedTally, Told, stats};

/// A run that was begun earlier and can go on.
#[derive(Debug)]
pub struct Earlier {
    path: PathBuf,
    folder: Folder,
    checkpoint: Checkpoint,
}

impl Earlier {
    /// The run in a folder, which is locked; none if there is no checkpoint.
    pub fn open(path: &Path) -> Result<Option<Self>, RunError> {
        if !checkpoint_in(path).exists() {
            return Ok(None);
        }
        let folder = Folder::open(path)?;
        let checkpoint = read_checkpoint(&folder.checkpoint())?;
        Ok(Some(Self { path: path.to_owned(), folder, checkpoint }))
    }

    /// Meshes that were split into convex parts when the run began. The scene must be loaded with
    /// them: another version of tumble may split meshes otherwise.
    pub fn splits(&self) -> Splits {
        Splits::read(&self.checkpoint.parts)
    }

    /// The report of the run if all of it is there: the last frame of exactly this scene, its
    /// recording, and a report that is about them.
    pub fn finished(&self, scene: &Scene) -> Option<Told> {
        let Checkpoint { frame, state_hash, scene: ran, .. } = &self.checkpoint;
        let text = std::fs::read_to_string(self.folder.report()).ok()?;
        let told: Told = serde_json::from_str(&text).ok()?;
        let is_over = *frame >= scene.frames[1] && *ran == scene.resolved && self.folder.recording().exists();
        let is_about = told.last_frame == Some(*frame) && told.state_hash == Some(format!("{state_hash:016x}"));
        (is_over && is_about).then_some(told)
    }

    /// Goes on with this scene, which must be the one the run began with; only how long it runs,
    /// its title, its look and its promises may have changed.
    pub fn resume(self, scene: Scene) -> Result<(Run, RunFiles), RunError> {
        let Self { path, folder, checkpoint } = self;
        let unfit = |what| RunError::Unfit { path: folder.checkpoint(), what };
        let mut warnings = check_same_scene(&checkpoint.scene, &scene, &path)?;
        if scene.splits.text() != checkpoint.parts {
            return Err(unfit("does not hold the convex parts of the meshes of this scene"));
        }
        let saved = SavedTally::from_json(&checkpoint.tally).ok_or_else(|| unfit("holds no counts of its run"))?;
        let mut run = Run::new(scene)?;
        if Simulation::hash_of(&checkpoint.state) != checkpoint.state_hash {
            return Err(unfit("does not hold the state it says"));
        }
        let (particles_hash, rot) = check_same_recording(&checkpoint, &folder.recording())?;
        warnings.extend(rot);
        if stats::hash_up_to(&folder.stats(), checkpoint.frame) != saved.stats_hash {
            warnings.push(RunWarning::RowsLost { path: folder.stats(), frame: checkpoint.frame });
        }
        run.load(&checkpoint, saved.tally, particles_hash, &folder.checkpoint())?;
        run.warn(warnings);
        Ok((run, RunFiles::of(folder)))
    }
}

/// Refuses another scene; gives a warning if only its look has changed.
fn check_same_scene(old: &str, scene: &Scene, path: &Path) -> Result<Vec<RunWarning>, RunError> {
    let other = |changes: Vec<String>| RunError::OtherScene { path: path.to_owned(), changes };
    let began = parse("the checkpoint's scene", old, &[]).map_err(|problem| other(vec![problem.to_string()]))?;
    let is_longer = began.spec.frames[0] == scene.spec.frames[0];
    let only_seen = |Change { path, .. }: &Change| {
        path == "title" || path.starts_with("camera.") || path.ends_with(".colour") || path.ends_with(".look")
    };
    let free = |Change { path, .. }: &Change| path.starts_with("expect.") || (is_longer && path == "frames");
    let mut changes = changes(old, &scene.resolved).map_err(|problem| other(vec![problem]))?;
    let mut warnings = Vec::new();
    if changes.iter().any(only_seen) {
        warnings.push(RunWarning::LookChanged);
    }
    changes.retain(|change| !free(change) && !only_seen(change));
    if changes.is_empty() { Ok(warnings) } else { Err(other(changes.iter().map(Change::to_string).collect())) }
}

/// Refuses a recording that does not show the checkpoint's state. Gives the hash of the particles
/// of that frame, and a warning if frames before it cannot be read any more.
fn check_same_recording(checkpoint: &Checkpoint, path: &Path) -> Result<(Option<u64>, Option<RunWarning>), RunError> {
    let mut recording = Recording::open(path)?;
    let index = recording.find(checkpoint.frame)?;
    let entry = recording.frames()[index];
    if entry.state_hash != checkpoint.state_hash {
        return Err(RunError::OtherRecording { path: path.to_owned(), frame: entry.number });
    }
    Ok((entry.detail_hash(), rotten_frames(&mut recording, index)))
}

/// A warning if some of the frames before this index are no longer as they were written: a run goes
/// on without them, but not in silence.
pub(crate) fn rotten_frames(recording: &mut Recording, end: usize) -> Option<RunWarning> {
    let rotten: Vec<_> =
        (0..end).filter_map(|index| recording.check(index).err().map(|problem| (index, problem))).collect();
    let (index, problem) = rotten.first()?;
    let first = recording.frames()[*index].number;
    Some(RunWarning::RottenFrames { count: rotten.len(), first, problem: problem.to_string() })
}
