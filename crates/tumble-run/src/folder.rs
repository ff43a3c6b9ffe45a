//! The folder of a run: its files, and the lock that keeps two programs from writing to it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::RunError;

/// The files of a run, in the order in which they are removed: the checkpoint first, for without it
/// nothing claims to be resumable.
const FILES: [&str; 7] =
    ["checkpoint.tumble", "report.json", "preview.png", "report.html", "stats.csv", "frames.tumble", "scene.toml"];

/// A run's folder, locked for this process.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // Held open: the lock lasts as long as the file.
    _lock: File,
}

/// Refuses a folder that holds a run. A recording without a checkpoint was broken off in its first
/// frame: nothing is lost by beginning anew.
pub fn refuse_taken(path: &Path) -> Result<(), RunError> {
    if checkpoint_in(path).exists() { Err(RunError::Taken { path: path.to_owned() }) } else { Ok(()) }
}

impl Folder {
    /// Makes the folder if needed and locks it.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        // A run begins with its lock and leaves it there: without one, what has the names of our
        // files is not ours.
        let taken = FILES.map(|name| path.join(name)).into_iter().find(|file| file.exists());
        if let Some(file) = taken.filter(|_| !is_ours(path) && !checkpoint_in(path).exists()) {
            return Err(RunError::Foreign { path: path.to_owned(), file });
        }
        Ok(Self { path: path.to_owned(), _lock: lock(path)? })
    }

    /// The recording, `frames.tumble`.
    pub fn recording(&self) -> PathBuf {
        recording_in(&self.path)
    }

    /// The checkpoint, `checkpoint.tumble`.
    pub fn checkpoint(&self) -> PathBuf {
        checkpoint_in(&self.path)
    }

    /// The scene with every default, `scene.toml`.
    pub fn scene(&self) -> PathBuf {
        self.path.join("scene.toml")
    }

    /// The table of frames, `stats.csv`.
    pub fn stats(&self) -> PathBuf {
        stats_in(&self.path)
    }

    /// The run in numbers, `report.json`.
    pub fn report(&self) -> PathBuf {
        self.path.join("report.json")
    }

    /// The picture of the last frame, `preview.png`.
    pub fn preview(&self) -> PathBuf {
        self.path.join("preview.png")
    }

    /// Removes what an earlier run left.
    pub fn clear(&self) -> Result<(), RunError> {
        for file in FILES.map(|name| self.path.join(name)) {
            match std::fs::remove_file(&file) {
                Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => {
                    return Err(RunError::Folder { path: file, source: problem });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether a tumble has written to this folder.
pub fn is_ours(path: &Path) -> bool {
    path.join("lock").exists()
}

/// Makes a folder if needed and locks it for as long as the file is open, also through a crash.
pub fn lock(path: &Path) -> Result<File, RunError> {
    let cannot = |source: std::io::Error| RunError::Folder { path: path.to_owned(), source };
    std::fs::create_dir_all(path).map_err(cannot)?;
    let lock = File::options().write(true).create(true).truncate(false).open(path.join("lock")).map_err(cannot)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(RunError::Busy { path: path.to_owned() }),
        Err(TryLockError::Error(problem)) => Err(cannot(problem)),
    }
}

/// The recording of a run, given its folder or the file itself.
pub fn recording_in(run: &Path) -> PathBuf {
    if run.is_file() { run.to_owned() } else { run.join("frames.tumble") }
}

/// The table of frames in the folder of a run.
pub fn stats_in(run: &Path) -> PathBuf {
    run.join("stats.csv")
}

/// The checkpoint of a run, given its folder or its recording.
pub fn checkpoint_in(run: &Path) -> PathBuf {
    recording_in(run).with_file_name("checkpoint.tumble")
}
