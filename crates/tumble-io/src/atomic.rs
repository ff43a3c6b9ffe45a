//! Replaces a file whole or not at all.
//!
//! Writes `<name>.tmp` beside the file and renames it over the file only once all of it is synced
//! to the disk, so that a crash at any moment leaves the old file or the new one, never half of
//! one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::IoError;

/// Writes a file so that a reader sees the old content or all of the new one.
///
/// If `fill` fails, its error comes back, the old file is untouched and nothing is left beside it.
pub fn write_atomically(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), IoError> {
    let replace = || {
        // A rename would put a file in the place of a device or a pipe, for everyone.
        if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is there and is not a regular file"));
        }
        let temporary = temporary_name(path)?;
        let result = write_synced(&temporary, fill).and_then(|()| fs::rename(&temporary, path));
        if result.is_err() {
            // The first error is the one to tell; a leftover that cannot be removed is overwritten
            // next time.
            let _ = fs::remove_file(&temporary);
        }
        result?;
        sync_folder(path)
    };
    replace().map_err(|source| IoError::write(path, source))
}

/// Writes the file and waits until the disk has it: a rename must not arrive before the content
/// does.
fn write_synced(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    fill(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// `<name>.tmp` in the same folder, because a rename is only atomic within a file system.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    let mut name: OsString = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path does not end in a file name"))?
        .to_owned();
    name.push(".tmp");
    Ok(path.with_file_name(name))
}

/// Makes a new or renamed entry of the file's folder survive a power cut.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not every system opens folders as files; where it does not, the rename itself has to do.
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temporary_file_stands_in_the_same_folder() {
        assert_eq!(temporary_name(Path::new("a/b.tumble")).unwrap(), Path::new("a/b.tumble.tmp"));
        assert_eq!(temporary_name(Path::new("b")).unwrap(), Path::new("b.tmp"));
        assert!(temporary_name(Path::new("a/..")).is_err());
    }
}
