//! Lists of pairs by rows: the output of the broad phase, and of dispatch one for each method.

use super::contact::Partner;

/// For each row the larger rows and the obstacles that it is paired with, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct PairList {
    /// Partners of row `r` are `partners[ends[r - 1]..ends[r]]`.
    ends: Vec<u32>,
    partners: Vec<Partner>,
}

impl PairList {
    /// Empties the list; rows then follow one by one.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.partners.clear();
    }

    /// Appends the next row with its partners.
    pub(super) fn push_row(&mut self, partners: impl IntoIterator<Item = Partner>) {
        self.partners.extend(partners);
        self.ends.push(self.partners.len() as u32);
    }

    /// The partners of a row.
    pub(super) fn of(&self, row: usize) -> &[Partner] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.partners[start as usize..self.ends[row] as usize]
    }
}
