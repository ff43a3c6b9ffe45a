//! Reasons why a run cannot begin, go on or resume. The library says what is wrong; whoever calls
//! it knows what to do about it in their own words.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use tumble::detail::DetailProblem;
use tumble::geometry::MeshProblem;
use tumble::{NotAState, Warning};
use tumble_io::IoError;
use tumble_scene::SceneError;

/// The reason why a run has ended without having done its work, or has not begun.
#[derive(Debug)]
pub enum RunError {
    /// A file of the run cannot be written or read.
    Io(IoError),
    /// The folder of the run cannot be made, locked or emptied.
    Folder {
        /// The folder, or the file in it.
        path: PathBuf,
        /// The reason that the system gives.
        source: std::io::Error,
    },
    /// Another process writes to the folder.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds a run that was neither to be resumed nor overwritten.
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds files with the names of a run's, but no run has written there.
    Foreign {
        /// The folder.
        path: PathBuf,
        /// The file that would be overwritten.
        file: PathBuf,
    },
    /// The scene is not the one that the run began with.
    OtherScene {
        /// The folder.
        path: PathBuf,
        /// The keys that differ, a line each.
        changes: Vec<String>,
    },
    /// The settings of particles are not those that a recording got its particles with.
    OtherSettings {
        /// The folder.
        path: PathBuf,
        /// The keys that differ, a line each.
        changes: Vec<String>,
    },
    /// The text of a recording's scene says nothing sensible about particles.
    Scene(SceneError),
    /// The recording has no frames.
    NoFrames {
        /// The recording.
        path: PathBuf,
    },
    /// Particles would be written over the recording they are made from.
    SameRecording {
        /// The recording.
        path: PathBuf,
    },
    /// The checkpoint is of no use for this scene.
    Unfit {
        /// The checkpoint.
        path: PathBuf,
        /// The end of a sentence that begins with the checkpoint: a verb and its object.
        what: &'static str,
    },
    /// The state in the checkpoint is none of this simulation.
    State(NotAState),
    /// The recording is not the one that the checkpoint was made of.
    OtherRecording {
        /// The recording.
        path: PathBuf,
        /// The frame of the checkpoint.
        frame: i64,
    },
    /// The particles in the checkpoint are not those of the recording.
    OtherParticles {
        /// The checkpoint.
        path: PathBuf,
        /// The frame of the checkpoint.
        frame: i64,
    },
    /// There can be no particles.
    Detail(DetailProblem),
    /// A mesh that particles have to run off is none.
    Mesh(MeshProblem),
    /// There would be more particles than there are numbers for them.
    TooManyParticles {
        /// Number of particles.
        particles: u64,
    },
    /// The particles do not fit into memory.
    Memory {
        /// Number of particles.
        particles: u64,
        /// Memory they take \[byte\].
        needed: u64,
        /// Memory there is \[byte\].
        free: u64,
    },
    /// A body is nowhere any more, and the run cannot go on.
    NotFinite {
        /// The frame in which it happened; the frames before it have been seen by all sinks.
        frame: i64,
        /// The first warning about it.
        warning: Warning,
    },
    /// A sink has failed.
    Sink(Box<dyn Error + Send + Sync>),
}

/// Something that may be wrong with a run and does not keep it from going on.
#[derive(Clone, Debug, PartialEq)]
pub enum RunWarning {
    /// Particles run off something that they do not see as it is.
    Particles(String),
    /// The scene wants to be seen otherwise than the recording shows it.
    LookChanged,
    /// Frames that were recorded earlier cannot be read any more.
    RottenFrames {
        /// Number of such frames.
        count: usize,
        /// The first of them.
        first: i64,
        /// The problem with it.
        problem: String,
    },
    /// Rows of the table of frames are not as they were written.
    RowsLost {
        /// The table.
        path: PathBuf,
        /// The frame up to which rows should be there.
        frame: i64,
    },
}

impl fmt::Display for RunWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Particles(what) => write!(f, "{what}"),
            Self::LookChanged => {
                write!(f, "title, camera and colours stay as the recording began; a new run shows the new ones")
            }
            Self::RottenFrames { count, first, problem } => write!(
                f,
                "{count} of the recorded frames cannot be read, frame {first} the first: {problem}; the run goes on"
            ),
            Self::RowsLost { path, frame } => write!(
                f,
                "rows of {} up to frame {frame} are lost or changed, and plots will show that; promises are counted without them",
                path.display()
            ),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(problem) => write!(f, "{problem}"),
            Self::Folder { path, source } => write!(f, "cannot write to {}: {source}", path.display()),
            Self::Busy { path } => write!(f, "{} is being written by another tumble", path.display()),
            Self::Taken { path } => write!(f, "{} already holds a run", path.display()),
            Self::Foreign { path, file } => {
                let (file, path) = (file.display(), path.display());
                write!(f, "{file} would be overwritten, and {path} is not the folder of a run")
            }
            Self::OtherScene { path, changes } => {
                write!(f, "the scene is not the one that {} was run with:\n  {}", path.display(), changes.join("\n  "))
            }
            Self::OtherSettings { path, changes } => write!(
                f,
                "these are not the settings that {} was made with:\n  {}",
                path.display(),
                changes.join("\n  ")
            ),
            Self::Scene(problem) => write!(f, "{problem}"),
            Self::NoFrames { path } => write!(f, "{} has no frames", path.display()),
            Self::SameRecording { path } => {
                write!(f, "the particles would be written over the recording they are made from, {}", path.display())
            }
            Self::Unfit { path, what } => write!(f, "{} {what}", path.display()),
            Self::State(problem) => write!(f, "{problem}"),
            Self::OtherRecording { path, frame } => {
                write!(f, "frame {frame} of {} is not the one that the checkpoint was made of", path.display())
            }
            Self::OtherParticles { path, frame } => {
                write!(f, "the particles in {} are not those that frame {frame} of the recording has", path.display())
            }
            Self::Detail(problem) => write!(f, "{problem}"),
            Self::Mesh(problem) => write!(f, "{problem}"),
            Self::TooManyParticles { particles } => {
                write!(f, "{particles} particles are more than can be told apart")
            }
            Self::Memory { particles, needed, free } => {
                let gigabytes = |bytes: &u64| *bytes as f64 / 1e9;
                let (needed, free) = (gigabytes(needed), gigabytes(free));
                write!(f, "{particles} particles take about {needed:.1} GB, and {free:.1} GB are free")
            }
            Self::NotFinite { frame, warning } => write!(f, "frame {frame}: {warning}"),
            Self::Sink(problem) => write!(f, "{problem}"),
        }
    }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(problem) => Some(problem),
            Self::Folder { source, .. } => Some(source),
            Self::Scene(problem) => Some(problem),
            Self::State(problem) => Some(problem),
            Self::Detail(problem) => Some(problem),
            Self::Mesh(problem) => Some(problem),
            Self::Sink(problem) => Some(&**problem),
            _ => None,
        }
    }
}

impl From<IoError> for RunError {
    fn from(problem: IoError) -> Self {
        Self::Io(problem)
    }
}

impl From<SceneError> for RunError {
    fn from(problem: SceneError) -> Self {
        Self::Scene(problem)
    }
}

impl From<NotAState> for RunError {
    fn from(problem: NotAState) -> Self {
        Self::State(problem)
    }
}

impl From<DetailProblem> for RunError {
    fn from(problem: DetailProblem) -> Self {
        Self::Detail(problem)
    }
}

impl From<MeshProblem> for RunError {
    fn from(problem: MeshProblem) -> Self {
        Self::Mesh(problem)
    }
}

impl From<std::io::Error> for RunError {
    fn from(problem: std::io::Error) -> Self {
        Self::Sink(Box::new(problem))
    }
}
