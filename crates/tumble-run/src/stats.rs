//! `stats.csv`: a row for each frame with counts, energies and seconds per stage, as a sink; and
//! how it is read back.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use tumble::{FrameReport, Stage};
use tumble_io::{IoError, write_atomically};
use xxhash_rust::xxh3::Xxh3;

use crate::{Report, Run, RunError, Sink, StageSeconds};

/// Writes `stats.csv`.
pub struct Statistics {
    path: PathBuf,
    table: Option<OpenTable>,
}

/// The table being written.
struct OpenTable {
    file: File,
    /// Hash of all rows.
    hash: Xxh3,
}

const COLUMNS: &str = "frame,time,steps,rejected_steps,smallest_step,largest_step,list_builds,bodies,awake,contacts,joints,waiting,\
                       kinetic_energy,potential_energy,deepest_overlap,settled,warnings";

impl Statistics {
    /// A sink that writes to this file. A run that goes on goes on with the table that is there;
    /// any other replaces it.
    pub fn new(path: PathBuf) -> Self {
        Self { path, table: None }
    }

    /// Hash of all rows, by which a checkpoint knows them again.
    pub fn hash(&self) -> u64 {
        self.table.as_ref().map_or_else(Xxh3::new, |table| table.hash.clone()).digest()
    }

    /// Waits until the disk has all rows.
    pub fn sync(&mut self) -> Result<(), RunError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        table.file.sync_data().map_err(|source| self.unwritten(source))
    }

    fn unwritten(&self, source: std::io::Error) -> RunError {
        RunError::Io(IoError::Write { path: self.path.clone(), source })
    }

    fn table(&mut self, run: &Run) -> Result<&mut OpenTable, RunError> {
        let table = match self.table.take() {
            Some(open) => open,
            None => self.open(run.resumed_from())?,
        };
        Ok(self.table.insert(table))
    }

    /// A new table, or the old one up to and including `last_frame`.
    fn open(&self, last_frame: Option<i64>) -> Result<OpenTable, RunError> {
        let stages: Vec<&str> = Stage::ALL.iter().map(|stage| stage.name()).collect();
        let mut text = format!("{COLUMNS},{}\n", stages.join(","));
        let mut hash = Xxh3::new();
        let head = text.len();
        if let Some(last) = last_frame {
            let old = std::fs::read_to_string(&self.path).unwrap_or_default();
            for row in rows(&old).filter(|row| row.frame <= last) {
                text.push_str(row.line);
                text.push('\n');
            }
        }
        hash.update(&text.as_bytes()[head..]);
        write_atomically(&self.path, |out| out.write_all(text.as_bytes()))?;
        let file = OpenOptions::new().append(true).open(&self.path);
        Ok(OpenTable { file: file.map_err(|source| self.unwritten(source))?, hash })
    }
}

impl Sink for Statistics {
    fn begin(&mut self, run: &Run) -> Result<(), RunError> {
        self.table(run).map(|_| ())
    }

    fn frame(&mut self, run: &Run) -> Result<(), RunError> {
        let row = row(run.frame_report(), run.frame_seconds());
        let table = self.table(run)?;
        table.hash.update(row.as_bytes());
        // One call for a row, so that a crash leaves whole rows and at most one torn.
        table.file.write_all(row.as_bytes()).map_err(|source| self.unwritten(source))
    }

    fn end(&mut self, _: &Run, _: &Report) -> Result<(), RunError> {
        self.sync()
    }
}

/// The row of a frame.
fn row(r: &FrameReport, seconds: &StageSeconds) -> String {
    let mut row = format!(
        "{},{},{},{},{:e},{:e},{},{},{},{},{},{},{:e},{:e},{:e},{},{}",
        r.frame,
        r.time,
        r.steps,
        r.rejected_steps,
        r.smallest_step,
        r.largest_step,
        r.list_builds,
        r.bodies,
        r.awake,
        r.contacts,
        r.joints,
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
    row
}

/// Hash of the rows of a table up to a frame, as [`Statistics::hash`] was when they were written.
pub fn hash_up_to(path: &Path, last: i64) -> u64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut hash = Xxh3::new();
    for row in rows(&text).filter(|row| row.frame <= last) {
        hash.update(row.line.as_bytes());
        hash.update(b"\n");
    }
    hash.digest()
}

/// A whole table as a report reads it back, column by column. It may be that of another version of
/// tumble, with other columns.
#[derive(Debug)]
pub struct StatsTable {
    /// Name and values of every column; the name of a stage may also be that of a count.
    columns: Vec<(String, Vec<f64>)>,
    /// Number of columns that are not seconds of a stage.
    counts: usize,
}

impl StatsTable {
    /// Reads a table, without rows that are torn or hold something else than numbers; none if the
    /// text is no such table.
    pub fn parse(text: &str) -> Option<Self> {
        // A torn last row has no line end.
        let whole = &text[..text.rfind('\n')?];
        let mut lines = whole.lines();
        let names: Vec<&str> = lines.next()?.split(',').collect();
        let counts = names.iter().position(|name| *name == "warnings")? + 1;
        if names[0] != "frame" {
            return None;
        }
        let mut columns: Vec<(String, Vec<f64>)> = names.iter().map(|name| (name.to_string(), Vec::new())).collect();
        for line in lines {
            let cells: Option<Vec<f64>> = line.split(',').map(|cell| cell.parse().ok()).collect();
            if let Some(cells) = cells.filter(|cells| cells.len() == columns.len()) {
                columns.iter_mut().zip(cells).for_each(|(column, cell)| column.1.push(cell));
            }
        }
        Some(Self { columns, counts })
    }

    /// Leaves out rows after this frame: the table may be ahead of what can be read of the
    /// recording.
    pub fn end_at(&mut self, frame: i64) {
        let rows = self.columns[0].1.partition_point(|number| *number <= frame as f64);
        self.columns.iter_mut().for_each(|column| column.1.truncate(rows));
    }

    /// Everything but the seconds of stages: names and values.
    pub fn counts(&self) -> &[(String, Vec<f64>)] {
        &self.columns[..self.counts]
    }

    /// Names of the stages and their seconds.
    pub fn stages(&self) -> &[(String, Vec<f64>)] {
        &self.columns[self.counts..]
    }

    /// A column that is not the seconds of a stage; nothing if there is none of this name.
    pub fn column(&self, name: &str) -> &[f64] {
        self.counts().iter().find(|column| column.0 == name).map_or(&[], |column| &column.1)
    }

    /// Seconds that each frame took, all stages together.
    pub fn seconds(&self) -> Vec<f64> {
        let frame = |row: usize| self.stages().iter().map(|stage| stage.1[row]).sum();
        (0..self.columns[0].1.len()).map(frame).collect()
    }
}

struct StatsRow<'a> {
    line: &'a str,
    frame: i64,
}

/// All whole rows of a table.
fn rows(text: &str) -> impl Iterator<Item = StatsRow<'_>> {
    let width = COLUMNS.split(',').count() + Stage::ALL.len();
    // A torn last row has no line end.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).filter_map(move |line| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells.len() == width).then_some(())?;
        Some(StatsRow { line, frame: cells[0].parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::StatsTable;

    #[test]
    fn a_table_comes_back_without_what_is_torn() {
        let text =
            "frame,contacts,warnings,emit,contacts\n1,5,0,0.5,1\n2,6,1,0.25,2\nx,6,1,0.25,2\n3,7,0\n4,8,0,1,1\n5,9";
        let mut table = StatsTable::parse(text).unwrap();
        assert_eq!(table.column("frame"), [1.0, 2.0, 4.0]);
        assert_eq!(table.column("contacts"), [5.0, 6.0, 8.0]);
        assert_eq!(table.stages()[1], ("contacts".to_string(), vec![1.0, 2.0, 1.0]));
        table.end_at(3);
        assert_eq!(table.seconds(), [1.5, 2.25]);
        assert!(table.column("no such").is_empty());
        for text in ["", "frame,warnings", "a,b\n1,2\n", "time,warnings\n1,2\n"] {
            assert!(StatsTable::parse(text).is_none(), "{text}");
        }
    }
}
