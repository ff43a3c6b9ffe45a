//! Runs of the gallery, each in a folder of its own: what is finished stays, what was broken off
//! goes on, what is missing is run.

use std::path::Path;

use tumble_scene::{Scene, Splits, gallery, parse};

use crate::{Earlier, Report, Run, RunError, RunFiles, Sink, StatsTable, Told, ToldKept, Until, folder};

/// The size at which scenes of the gallery run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GallerySize {
    /// As the scene is, with its own promises: from seconds to hours.
    Full,
    /// Made small, with promises of the small scene: about a second each.
    Reduced,
}

/// A run of the gallery in numbers.
#[derive(Clone, Debug)]
pub struct GalleryRun {
    /// Bodies in the last frame.
    pub bodies: u64,
    /// Frames recorded.
    pub frames: u64,
    /// Whether the last frame of the scene was reached.
    pub complete: bool,
    /// Seconds that all frames took, those of earlier sessions too; none if the table of frames is
    /// lost.
    pub seconds: Option<f64>,
    /// The promises and what came of them.
    pub promises: Vec<ToldKept>,
    /// Hash of the last state.
    pub state_hash: String,
    /// Whether it was finished before and nothing had to be done.
    pub was_there: bool,
}

impl GallerySize {
    /// A scene of the gallery at this size.
    fn load(self, (name, text): (&str, &str), splits: Splits) -> Result<Scene, RunError> {
        let reduced = if self == Self::Reduced { gallery::reduced(name) } else { None };
        let sets = reduced.as_ref().map_or(&[][..], |reduced| &reduced.set);
        let mut parsed = parse(&format!("{name}.toml"), text, sets)?;
        if let Some(reduced) = &reduced {
            parsed.spec.expect = Some(reduced.expect.clone());
        }
        Ok(parsed.compile(name, Path::new("."), splits)?)
    }

    /// Runs a scene of the gallery, given by name and text, in a folder until it is over or `stop`
    /// says yes. A run of the same scene that is there goes on, and stays as it is if it is
    /// finished; `overwrite` begins anew.
    pub fn run(
        self,
        scene: (&str, &str),
        path: &Path,
        overwrite: bool,
        watch: &mut dyn Sink,
        stop: impl Fn() -> bool,
    ) -> Result<GalleryRun, RunError> {
        let earlier = if overwrite { None } else { Earlier::open(path)? };
        let splits = earlier.as_ref().map_or_else(Splits::default, Earlier::splits);
        let scene = self.load(scene, splits)?;
        if let Some(told) = earlier.as_ref().and_then(|earlier| earlier.finished(&scene)) {
            return Ok(GalleryRun::of_told(told, path));
        }
        let (mut run, mut files) = match earlier {
            Some(earlier) => earlier.resume(scene)?,
            None => {
                let files = RunFiles::create(path, overwrite)?;
                (Run::new(scene)?, files)
            }
        };
        let report = run.go(Until::LastFrame, &mut [&mut files, watch], stop)?;
        Ok(GalleryRun::of_report(&report, path))
    }
}

impl GalleryRun {
    fn of_report(report: &Report, path: &Path) -> Self {
        Self {
            bodies: report.bodies,
            frames: report.frames.unsigned_abs(),
            complete: report.complete,
            seconds: seconds(path),
            promises: report.expectations.iter().map(ToldKept::from).collect(),
            state_hash: report.state_hash.clone(),
            was_there: false,
        }
    }

    fn of_told(told: Told, path: &Path) -> Self {
        Self {
            bodies: told.bodies.unwrap_or(0),
            frames: told.frames.unwrap_or(0),
            complete: true,
            seconds: seconds(path),
            promises: told.expectations,
            state_hash: told.state_hash.unwrap_or_default(),
            was_there: true,
        }
    }

    /// Whether it ran to its end and kept all promises.
    pub fn holds(&self) -> bool {
        self.complete && self.promises.iter().all(|promise| promise.holds)
    }
}

/// Seconds of all rows of the table of frames, whichever session wrote them.
fn seconds(path: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(folder::stats_in(path)).ok()?;
    StatsTable::parse(&text).map(|table| table.seconds().iter().sum())
}
