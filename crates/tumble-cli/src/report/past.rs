//! A run as it lies on disk: recording, table, report and scene, as far as each is there.
//!
//! A run that was interrupted, is still being made or was damaged is read as far as it goes.
//! Missing parts are written down in words for the page, because a reader of a page cannot see what
//! is not there.

use std::path::Path;

use glam::DVec3;
use tumble::Frame;
use tumble_io::Recording;
use tumble_run::{StatsTable, Told, folder};

use crate::Failure;

/// A run on disk.
pub(crate) struct PastRun {
    pub(crate) recording: Recording,
    /// Index of the last frame that can be read.
    pub(crate) last: usize,
    /// The table of frames, if there is one.
    pub(crate) table: Option<StatsTable>,
    /// The report; none without a `report.json`, as long as the run has not ended.
    pub(crate) told: Option<Told>,
    /// Resolved text of the scene.
    pub(crate) scene: String,
    /// The direction against gravity.
    pub(crate) up: DVec3,
    /// Sentences about parts that are missing.
    pub(crate) notes: Vec<String>,
}

impl PastRun {
    /// Opens a run, given its folder or its recording.
    pub(crate) fn open(run: &Path) -> Result<Self, Failure> {
        let path = folder::recording_in(run);
        let mut recording = Recording::open(&path)?;
        let mut notes = Vec::new();
        if let Some(damage) = recording.damage() {
            let why = if damage.is_torn {
                "The run is still going on, or was interrupted while a frame was written"
            } else {
                "Frames after it are left out"
            };
            notes.push(format!("Damage: {damage}. {why}."));
        }
        let last = last_readable(&mut recording, &mut notes)
            .ok_or_else(|| format!("{} has no frame that can be read yet", path.display()))?;

        let beside = |name: &str| std::fs::read_to_string(path.with_file_name(name)).ok();
        let mut table = beside("stats.csv").and_then(|text| StatsTable::parse(&text));
        match &mut table {
            Some(table) => table.end_at(recording.frames()[last].number),
            None => notes
                .push("There is no stats.csv beside the recording: times, energies and warnings are not known.".into()),
        }
        let told = beside("report.json").and_then(|text| match serde_json::from_str::<Told>(&text) {
            Ok(told) => Some(told),
            Err(problem) => {
                notes.push(format!("report.json cannot be read: {problem}."));
                None
            }
        });
        // A run that was resumed for longer has its new scene in the folder only.
        let scene = beside("scene.toml").unwrap_or_else(|| recording.header().scene.clone());
        let gravity = numbers(&scene, "gravity").unwrap_or_default();
        let up = if let [x, y, z] = gravity[..] { -DVec3::new(x, y, z) } else { DVec3::Z };
        Ok(Self { recording, last, table, told, scene, up: up.normalize_or(DVec3::Z), notes })
    }

    /// The title, or what stands in its place.
    pub(crate) fn title(&self) -> &str {
        let title = &self.recording.header().title;
        if title.is_empty() { "A run without a title" } else { title }
    }

    /// The last frame that the scene asks for.
    pub(crate) fn planned(&self) -> Option<i64> {
        numbers(&self.scene, "frames")?.get(1).map(|frame| *frame as i64)
    }
}

/// The index of the last frame that can be read.
fn last_readable(recording: &mut Recording, notes: &mut Vec<String>) -> Option<usize> {
    let mut frame = Frame::default();
    let count = recording.frames().len();
    let mut why = None;
    for index in (0..count).rev() {
        match recording.read(index, &mut frame) {
            Ok(()) => {
                let unreadable = count - 1 - index;
                notes.extend(why.map(|why| format!("Frames left out at the end: {unreadable}; {why}.")));
                return Some(index);
            }
            Err(problem) => why = Some(problem),
        }
    }
    None
}

/// Numbers in brackets at the top level of a resolved scene, which has one key per line.
fn numbers(scene: &str, key: &str) -> Option<Vec<f64>> {
    let top = scene.lines().take_while(|line| !line.starts_with('['));
    let value = top.filter_map(|line| line.split_once(" = ")).find(|(name, _)| *name == key)?.1;
    value.trim().strip_prefix('[')?.strip_suffix(']')?.split(',').map(|number| number.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_are_those_of_the_top_level() {
        let scene = "title = \"frames = [7, 8]\"\nframes = [1, 120]\n[material.a]\ngravity = [1, 2, 3]\n";
        assert_eq!(numbers(scene, "frames"), Some(vec![1.0, 120.0]));
        assert_eq!(numbers(scene, "gravity"), None);
        assert_eq!(numbers(scene, "title"), None);
    }
}
