//! The folder of a run: its files, and the lock that keeps two programs from writing to it.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::Failure;

/// A run's folder, locked for this process.
pub(crate) struct Folder {
    path: PathBuf,
    // Held open: the lock lasts as long as the file, also through a crash.
    _lock: File,
}

impl Folder {
    /// Makes the folder if needed and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let cannot = |problem: std::io::Error| format!("cannot write to {}: {problem}", path.display());
        std::fs::create_dir_all(path).map_err(cannot)?;
        let lock = File::create(path.join("lock")).map_err(cannot)?;
        if lock.try_lock().is_err() {
            return Err(format!(
                "{} is being written by another tumble; wait for it or choose another folder with -o",
                path.display()
            )
            .into());
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub(crate) fn recording(&self) -> PathBuf {
        recording_in(&self.path)
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        checkpoint_in(&self.path)
    }

    pub(crate) fn scene(&self) -> PathBuf {
        self.path.join("scene.toml")
    }

    pub(crate) fn stats(&self) -> PathBuf {
        self.path.join("stats.csv")
    }

    pub(crate) fn report(&self) -> PathBuf {
        self.path.join("report.json")
    }

    /// Removes what an earlier run left, the checkpoint first: without it nothing claims to be resumable.
    pub(crate) fn clear(&self) -> Result<(), Failure> {
        for file in [self.checkpoint(), self.report(), self.stats(), self.recording(), self.scene()] {
            match std::fs::remove_file(&file) {
                Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => {
                    return Err(format!("cannot remove {}: {problem}", file.display()).into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The recording of a run, given its folder or the file itself.
pub(crate) fn recording_in(run: &Path) -> PathBuf {
    if run.is_file() { run.to_owned() } else { run.join("frames.tumble") }
}

/// The checkpoint of a run.
pub(crate) fn checkpoint_in(run: &Path) -> PathBuf {
    run.join("checkpoint.tumble")
}
