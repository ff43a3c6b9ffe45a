//! Islands: bodies that touch each other or are joined, directly or through others (union-find).

/// Islands of rows, some of them marked.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// A smaller row of the same island, or the row itself if it is the smallest.
    parents: Vec<u32>,
    marked: Vec<bool>,
}

impl Islands {
    /// Makes the islands of so many rows from pairs of neighbours; none is marked.
    pub(super) fn build(&mut self, rows: usize, pairs: impl Iterator<Item = (u32, u32)>) {
        self.parents.clear();
        self.parents.extend(0..rows as u32);
        self.marked.clear();
        self.marked.resize(rows, false);
        for (a, b) in pairs {
            let (a, b) = (self.root(a), self.root(b));
            self.parents[a.max(b) as usize] = a.min(b);
        }
    }

    /// The smallest row of an island; halves the path to it.
    fn root(&mut self, mut row: u32) -> u32 {
        while self.parents[row as usize] != row {
            let parent = self.parents[row as usize];
            self.parents[row as usize] = self.parents[parent as usize];
            row = self.parents[row as usize];
        }
        row
    }

    /// Marks the island of a row.
    pub(super) fn mark(&mut self, row: u32) {
        let root = self.root(row);
        self.marked[root as usize] = true;
    }

    /// Whether the island of a row is marked.
    pub(super) fn is_marked(&mut self, row: u32) -> bool {
        let root = self.root(row);
        self.marked[root as usize]
    }
}
