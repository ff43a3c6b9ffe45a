//! `stats.csv`: a row a frame with counts, energies and seconds per stage.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use tumble::{FrameReport, Stage};
use tumble_io::{IoError, write_atomically};

/// The table being written.
pub(crate) struct Stats {
    path: PathBuf,
    file: File,
}

const COLUMNS: &str = "frame,time,steps,list_builds,bodies,awake,contacts,waiting,kinetic_energy,potential_energy,\
                       deepest_overlap,settled,warnings";

impl Stats {
    /// A new table, or the old one up to and including `last_frame`.
    pub(crate) fn open(path: &Path, last_frame: Option<i64>) -> Result<Self, IoError> {
        let stages: Vec<&str> = Stage::ALL.iter().map(|stage| stage.name()).collect();
        let mut text = format!("{COLUMNS},{}\n", stages.join(","));
        if let Some(last) = last_frame {
            let old = std::fs::read_to_string(path).unwrap_or_default();
            for row in rows(&old).filter(|row| row.frame <= last) {
                text.push_str(row.line);
                text.push('\n');
            }
        }
        write_atomically(path, |out| out.write_all(text.as_bytes()))?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|source| IoError::Write { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Waits until the disk has all rows.
    pub(crate) fn sync(&mut self) -> Result<(), IoError> {
        self.file.sync_data().map_err(|source| IoError::Write { path: self.path.clone(), source })
    }

    /// Appends the row of a frame.
    pub(crate) fn append(&mut self, r: &FrameReport, seconds: &[f64]) -> Result<(), IoError> {
        let mut row = format!(
            "{},{},{},{},{},{},{},{},{:e},{:e},{:e},{},{}",
            r.frame,
            r.time,
            r.steps,
            r.list_builds,
            r.bodies,
            r.awake,
            r.contacts,
            r.waiting,
            r.kinetic_energy,
            r.potential_energy,
            r.deepest_overlap,
            u8::from(r.settled),
            r.warnings.len()
        );
        for second in seconds {
            row.push_str(&format!(",{second:.6}"));
        }
        row.push('\n');
        // One call a row, so that a crash leaves whole rows and at most one torn.
        self.file.write_all(row.as_bytes()).map_err(|source| IoError::Write { path: self.path.clone(), source })
    }
}

/// What the report needs of the whole table.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Summary {
    /// First frame of those, up to the end, in which everything rests.
    pub(crate) settled_frame: Option<i64>,
    /// Number of warnings in all frames.
    pub(crate) warnings: u64,
    /// Deepest overlap in all frames.
    pub(crate) deepest_overlap: f64,
}

impl Summary {
    pub(crate) fn of(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut summary = Self::default();
        for row in rows(&text) {
            summary.settled_frame = if row.settled { summary.settled_frame.or(Some(row.frame)) } else { None };
            summary.warnings += row.warnings;
            summary.deepest_overlap = summary.deepest_overlap.max(row.deepest_overlap);
        }
        summary
    }
}

struct Row<'a> {
    line: &'a str,
    frame: i64,
    deepest_overlap: f64,
    settled: bool,
    warnings: u64,
}

/// All whole rows of a table.
fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let width = COLUMNS.split(',').count() + Stage::ALL.len();
    // A torn last row has no line end.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).filter_map(move |line| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells.len() == width).then_some(())?;
        Some(Row {
            line,
            frame: cells[0].parse().ok()?,
            deepest_overlap: cells[10].parse().ok()?,
            settled: cells[11] == "1",
            warnings: cells[12].parse().ok()?,
        })
    })
}
