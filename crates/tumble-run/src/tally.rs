//! The tally: counts of a run since its first frame, for its report and its promises.
//!
//! The checkpoint holds it, under its checksum: a run that goes on must count on from where it was,
//! whatever became of `stats.csv` meanwhile.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tumble::FrameReport;

/// Counts of all frames up to the present one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// First frame of those, up to the present one, in which everything rests.
    pub settled_frame: Option<i64>,
    /// Number of warnings.
    pub warnings: u64,
    /// How many warnings of each kind, and the first.
    pub warning_kinds: BTreeMap<String, WarningCount>,
    /// Deepest overlap \[m\], as bits: JSON has no infinity.
    overlap_bits: u64,
    /// Number of bodies that have passed the outlet after each frame, if the scene has one.
    #[serde(default)]
    passed: Vec<u64>,
}

/// Warnings of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarningCount {
    /// How many.
    pub count: u64,
    /// The first, with its frame.
    pub first: String,
}

impl Tally {
    /// Adds a frame, with the number of bodies that have passed the outlet if the scene has one.
    pub fn count(&mut self, report: &FrameReport, passed: Option<u64>) {
        self.settled_frame = if report.settled { self.settled_frame.or(Some(report.frame)) } else { None };
        self.warnings += report.warnings.len() as u64;
        self.overlap_bits = self.deepest_overlap().max(report.deepest_overlap).to_bits();
        self.passed.extend(passed);
        for warning in &report.warnings {
            let first = || WarningCount { count: 0, first: format!("frame {}: {warning}", report.frame) };
            self.warning_kinds.entry(warning.kind().into()).or_insert_with(first).count += 1;
        }
    }

    /// Number of bodies that have passed the outlet after each frame; empty if the scene has none.
    pub fn passed(&self) -> &[u64] {
        &self.passed
    }

    /// Deepest overlap of all frames \[m\].
    pub fn deepest_overlap(&self) -> f64 {
        f64::from_bits(self.overlap_bits)
    }
}

/// A tally as a checkpoint holds it, with the hash by which the rows of `stats.csv` are known
/// again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedTally {
    /// The tally.
    #[serde(flatten)]
    pub tally: Tally,
    /// Hash of the rows of `stats.csv`.
    pub stats_hash: u64,
}

impl SavedTally {
    pub(crate) fn to_json(&self) -> String {
        // Whole numbers and texts under names that are texts can all be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what a checkpoint holds; none if that is something else.
    pub fn from_json(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_comes_back_to_the_bit() {
        let mut tally = Tally::default();
        for (frame, deepest_overlap, settled) in [(-2, 0.1 + 0.2, true), (-1, 1e-300, true), (0, f64::INFINITY, false)]
        {
            tally.count(&FrameReport { frame, deepest_overlap, settled, ..FrameReport::default() }, Some(3));
            let saved = SavedTally { tally: tally.clone(), stats_hash: u64::MAX };
            assert_eq!(SavedTally::from_json(&saved.to_json()), Some(saved.clone()), "{}", saved.to_json());
        }
        assert_eq!((tally.settled_frame, tally.deepest_overlap()), (None, f64::INFINITY));
        assert_eq!(tally.passed(), [3, 3, 3]);
    }
}
