//! The folder of a run: its files, and the lock that keeps two programs from writing to it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::run::HowArguments;

/// The files of a run, in the order in which they are removed: the checkpoint first, for without it nothing claims to be
/// resumable.
const FILES: [&str; 7] =
    ["checkpoint.tumble", "report.json", "preview.png", "report.html", "stats.csv", "frames.tumble", "scene.toml"];

/// A run's folder, locked for this process.
pub(crate) struct Folder {
    path: PathBuf,
    // Held open: the lock lasts as long as the file.
    _lock: File,
}

/// Refuses a folder that holds a run which is neither to be resumed nor overwritten. A recording without a checkpoint was broken off in its first
/// frame: nothing is lost by beginning anew.
pub(crate) fn refuse_taken(path: &Path, how: HowArguments) -> Result<(), Failure> {
    if checkpoint_in(path).exists() && !how.force && !how.resume {
        let path = path.display();
        return Err(format!(
            "{path} already holds a run\nhelp: --resume goes on with it, --force overwrites it, -o chooses another folder"
        )
        .into());
    }
    Ok(())
}

impl Folder {
    /// Makes the folder if needed and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        // A run begins with its lock and leaves it there: without one, what has the names of our files is not ours.
        let taken = FILES.map(|name| path.join(name)).into_iter().find(|file| file.exists());
        if let Some(file) = taken.filter(|_| !is_ours(path) && !checkpoint_in(path).exists()) {
            let (file, path) = (file.display(), path.display());
            return Err(format!(
                "{file} would be overwritten, and {path} is not the folder of a run\nhelp: -o chooses another folder"
            )
            .into());
        }
        Ok(Self { path: path.to_owned(), _lock: lock(path)? })
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

    pub(crate) fn preview(&self) -> PathBuf {
        self.path.join("preview.png")
    }

    /// Removes what an earlier run left.
    pub(crate) fn clear(&self) -> Result<(), Failure> {
        for file in FILES.map(|name| self.path.join(name)) {
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

/// Whether a tumble has written to this folder.
pub(crate) fn is_ours(path: &Path) -> bool {
    path.join("lock").exists()
}

/// Makes a folder if needed and locks it for as long as the file is open, also through a crash.
pub(crate) fn lock(path: &Path) -> Result<File, Failure> {
    let cannot = |problem: std::io::Error| format!("cannot write to {}: {problem}", path.display());
    std::fs::create_dir_all(path).map_err(cannot)?;
    let lock = File::options().write(true).create(true).truncate(false).open(path.join("lock")).map_err(cannot)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{} is being written by another tumble; wait for it or choose another folder with -o",
            path.display()
        )
        .into()),
        Err(TryLockError::Error(problem)) => Err(cannot(problem).into()),
    }
}

/// Refuses to overwrite a file, before any work is done; `-` is standard output.
pub(crate) fn check_free(path: &Path, force: bool) -> Result<(), Failure> {
    if path != Path::new("-") && path.exists() && !force {
        return Err(format!("{} exists\nhelp: --force overwrites it, -o chooses another file", path.display()).into());
    }
    Ok(())
}

/// Refuses to write over the recording that is being read.
pub(crate) fn refuse_source(output: &Path, recording: &Path) -> Result<(), Failure> {
    let is_same = matches!((output.canonicalize(), recording.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_same {
        return Err(format!("{} is the recording that is read\nhelp: -o chooses another file", output.display()).into());
    }
    Ok(())
}

/// The recording of a run, given its folder or the file itself.
pub(crate) fn recording_in(run: &Path) -> PathBuf {
    if run.is_file() { run.to_owned() } else { run.join("frames.tumble") }
}

/// The checkpoint of a run, given its folder or its recording.
pub(crate) fn checkpoint_in(run: &Path) -> PathBuf {
    recording_in(run).with_file_name("checkpoint.tumble")
}
