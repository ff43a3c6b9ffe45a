//! Errors of pictures and movies. Each message names the problem, the file and the remedy.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tumble_io::{IoError, Reason};

/// Reason why a picture or a movie could not be written or read.
#[derive(Debug)]
pub enum PictureError {
    /// The file could not be written; an earlier file of that name is unchanged.
    Write {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file could not be opened or read.
    Read {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file is not a picture that this program reads.
    NotAPicture {
        /// The file.
        path: PathBuf,
        /// Defect of the file.
        what: String,
    },
    /// The name of the file does not say which kind of movie it is to be.
    UnknownEnding {
        /// The file.
        path: PathBuf,
    },
    /// Pictures of this size do not fit into the file.
    BadSize {
        /// Pixels in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// The limit, and the remedy.
        what: &'static str,
    },
    /// No movie runs at this rate.
    BadRate {
        /// Pictures per second.
        fps: f64,
    },
    /// A picture has another size than the movie.
    OtherSize {
        /// Width and height of the movie.
        expected: (usize, usize),
        /// Width and height of the picture.
        found: (usize, usize),
    },
    /// The movie was finished before it had a picture.
    NoPictures {
        /// The file.
        path: PathBuf,
    },
    /// The encoder refused a picture.
    Encoder {
        /// Message of the encoder.
        what: String,
    },
}

impl PictureError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write { path: path.to_owned(), source }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    pub(crate) fn encoder(what: impl fmt::Display) -> Self {
        Self::Encoder { what: what.to_string() }
    }
}

impl From<IoError> for PictureError {
    fn from(error: IoError) -> Self {
        match error {
            IoError::Open { path, source } | IoError::Read { path, source } => Self::Read { path, source },
            IoError::Write { path, source } => Self::Write { path, source },
            other => Self::Encoder { what: other.to_string() },
        }
    }
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = |error| Reason { error, then: "draw it again" };
        match self {
            Self::Write { path, source } => write!(f, "cannot write {}: {}", path.display(), reason(source)),
            Self::Read { path, source } => write!(f, "cannot read {}: {}", path.display(), reason(source)),
            Self::NotAPicture { path, what } => write!(f, "{} is not a picture to read: {what}", path.display()),
            Self::UnknownEnding { path } => {
                write!(f, "cannot tell what {} is to be; let its name end in .mp4 or .gif", path.display())
            }
            Self::BadSize { width, height, what } => write!(f, "a size of {width} x {height} does not work: {what}"),
            Self::BadRate { fps } => {
                write!(f, "a movie cannot show {fps} pictures a second; choose a rate from 0.01 to 1000")
            }
            Self::OtherSize { expected: (width, height), found } => {
                let (other_width, other_height) = found;
                write!(f, "the movie is {width} x {height} pixels, but a picture is {other_width} x {other_height}; ")?;
                write!(f, "draw all pictures of a movie in one size")
            }
            Self::NoPictures { path } => {
                write!(f, "{} would have no pictures and was not written; choose frames that exist", path.display())
            }
            Self::Encoder { what } => write!(f, "cannot encode the picture: {what}"),
        }
    }
}

impl std::error::Error for PictureError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write { source, .. } | Self::Read { source, .. } => Some(source),
            _ => None,
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
            PictureError::write(Path::new("pile.mp4"), full).to_string(),
            "cannot write pile.mp4: No space left on device; free space and draw it again"
        );
    }

    #[test]
    fn messages_name_the_sizes() {
        let error = PictureError::OtherSize { expected: (640, 360), found: (320, 180) };
        let text = error.to_string();
        assert!(text.contains("640 x 360") && text.contains("320 x 180"), "{text}");
    }
}
