//! Runs: a scene becomes frames, and sinks read them.
//!
//! Begin with [`Run`] (`run.rs`): [`Run::new`] takes a scene, [`Run::go`] is the loop over frames.
//! Code that reads frames is a [`Sink`]. Sinks only read: without any of them the state is the same
//! to the bit.
//!
//! - [`RunFiles`] writes the run folder: recording, statistics, checkpoints, report;
//! - [`Recorder`] and [`Statistics`] write only the first or the second, [`Preview`] the picture;
//! - [`Earlier`] resumes a run from its checkpoint;
//! - [`Following`] makes the particles of a run, and [`Refinement`] those of a recording;
//! - [`GallerySize`] runs scenes of the gallery;
//! - [`PileFigures`] and [`Forms`] measure the pile in a recording.
//!
//! ```
//! use std::path::Path;
//! use tumble_run::{Report, Run, RunError, Sink, Until};
//!
//! /// How high the highest body ever was.
//! struct Highest(f32);
//!
//! impl Sink for Highest {
//!     fn frame(&mut self, run: &Run) -> Result<(), RunError> {
//!         let heights = run.frame().bodies.iter().map(|body| body.position[2]);
//!         self.0 = heights.fold(self.0, f32::max);
//!         Ok(())
//!     }
//! }
//!
//! let text = "frames = [1, 5]\nground = 0\n[[body]]\nposition = [0, 0, 0.5]\n";
//! let scene = tumble_scene::load_text("ball", "ball.toml", text, Path::new("."), &[])?;
//! let mut highest = Highest(0.0);
//! let mut run = Run::new(scene)?;
//! let report: Report = run.go(Until::LastFrame, &mut [&mut highest], || false)?;
//! assert_eq!((report.frames, report.complete, highest.0), (5, true, 0.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod files;
pub mod folder;
mod follow;
mod forms;
mod gallery;
pub mod header;
mod measures;
pub mod memory;
mod outflow;
pub mod preview;
mod promises;
mod record;
mod refine;
mod report;
mod resume;
mod run;
mod sink;
pub mod standing;
pub mod stats;
mod tally;

pub use error::{RunError, RunWarning};
pub use files::RunFiles;
pub use folder::Folder;
pub use follow::Following;
pub use forms::Forms;
pub use gallery::{GalleryRun, GallerySize};
pub use measures::{
    DriftFigures, PackingFigures, PenetrationFigures, PileFigures, ReposeFigures, SectorFigures, SilhouetteFigures,
    up_in,
};
pub use preview::Preview;
pub use promises::{PromiseResult, ToldKept};
pub use record::Recorder;
pub use refine::{Previous, Refinement, RefinementCost};
pub use report::{Report, Told};
pub use resume::Earlier;
pub use run::{Run, StageSeconds, Until, fatal, seconds};
pub use sink::Sink;
pub use stats::{Statistics, StatsTable};
pub use tally::{SavedTally, Tally, WarningCount};
