//! Errors about files: each message says what is wrong, where, and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a file could not be written or read.
#[derive(Debug)]
pub enum IoError {
    /// The file could not be opened.
    Open {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file could be opened but not read.
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file could not be written; earlier content is still whole.
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A stream without a path, such as the standard output, could not be written.
    Output {
        /// The system's error; a broken pipe is reported here.
        source: io::Error,
    },
    /// The file is of another kind.
    NotTumble {
        /// The file.
        path: PathBuf,
        /// The kind of file it should be.
        what: &'static str,
    },
    /// The file has another format than this program reads.
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Format of the file.
        found: u16,
        /// The format this program reads.
        supported: u16,
    },
    /// The file is inconsistent.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The inconsistency that was found.
        what: String,
        /// Where the damaged part starts \[byte\].
        offset: u64,
    },
    /// The recording does not have the frame that was asked for.
    NoFrame {
        /// The recording.
        path: PathBuf,
        /// The frame that was asked for.
        frame: i64,
        /// First and last frame it has.
        held: Option<(i64, i64)>,
    },
    /// The data of the caller could not be read back, so they are not written.
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason for the refusal.
        what: String,
    },
}

impl IoError {
    pub(crate) fn open(path: &Path, source: io::Error) -> Self {
        Self::Open { path: path.to_owned(), source }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    pub(crate) fn refused(path: &Path, what: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), what: what.into() }
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = |error| Reason { error, then: "try again" };
        match self {
            Self::Open { path, source } => write!(f, "cannot open {}: {}", path.display(), reason(source)),
            Self::Read { path, source } => write!(f, "cannot read {}: {}", path.display(), reason(source)),
            Self::Write { path, source } => write!(f, "cannot write {}: {}", path.display(), reason(source)),
            Self::Output { source } => write!(f, "cannot write the output: {}", reason(source)),
            Self::NotTumble { path, what } => write!(f, "{} is not {what}; check the path", path.display()),
            Self::OtherFormat { path, found, supported } => {
                let (age, help) =
                    if found > supported { ("a newer", "update tumble") } else { ("an older", "run the scene again") };
                let path = path.display();
                write!(
                    f,
                    "{path} was made by {age} version of tumble (format {found}, this program reads {supported}); {help}"
                )
            }
            Self::Damaged { path, what, offset } => {
                write!(f, "{} is damaged at byte {offset}: {what}; copy it again or make it anew", path.display())
            }
            Self::NoFrame { path, frame, held: Some((first, last)) } => {
                write!(f, "{} has no frame {frame}; it has frames {first} to {last}", path.display())
            }
            Self::NoFrame { path, frame, held: None } => {
                write!(f, "{} has no frame {frame}; it has no frames at all", path.display())
            }
            Self::Refused { path, what } => write!(f, "cannot store this in {}: {what}", path.display()),
        }
    }
}

impl std::error::Error for IoError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open { source, .. }
            | Self::Read { source, .. }
            | Self::Write { source, .. }
            | Self::Output { source } => Some(source),
            _ => None,
        }
    }
}

/// The system's reason in words, without the error number that tells users nothing, and what to do
/// about it.
pub struct Reason<'a> {
    /// The system's error.
    pub error: &'a io::Error,
    /// Advice for the user once there is space on the disk again.
    pub then: &'static str,
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.error.to_string();
        write!(f, "{}", text.split(" (os error").next().unwrap_or(&text))?;
        match self.error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => write!(f, "; free space and {}", self.then),
            io::ErrorKind::NotFound => write!(f, "; check the path"),
            io::ErrorKind::PermissionDenied => write!(f, "; check the permissions of the file and its folder"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_reads_naturally() {
        let full = io::Error::from_raw_os_error(28);
        assert_eq!(
            IoError::write(Path::new("run/frames.tumble"), full).to_string(),
            "cannot write run/frames.tumble: No space left on device; free space and try again"
        );
    }

    #[test]
    fn another_format_is_named_with_what_to_do() {
        let text = |found| IoError::OtherFormat { path: "a".into(), found, supported: 2 }.to_string();
        assert!(
            text(7).contains("newer") && text(7).contains("format 7") && text(7).contains("reads 2"),
            "{}",
            text(7)
        );
        assert!(text(1).contains("older") && text(1).contains("run the scene again"), "{}", text(1));
    }
}
