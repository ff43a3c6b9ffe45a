//! Work on blocks in parallel, each with its own part of some columns.
//!
//! Blocks differ in length, so columns cannot be cut into equal chunks; they are halved along with the list of blocks, without
//! locks and without allocation. Which thread does what changes no result.

use std::ops::Range;

use super::Block;

/// Columns that can be cut in two.
pub(crate) trait Columns: Send + Sized {
    /// What comes before and after row `at`.
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T: Send> Columns for &mut [T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<A: Columns, B: Columns> Columns for (A, B) {
    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, more_a), (b, more_b)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (more_a, more_b))
    }
}

/// Calls `work` with each block and the part of the columns that is its `rows`. The columns begin with the first block.
pub(crate) fn for_each_block<C: Columns>(
    blocks: &[Block],
    columns: C,
    rows: &(impl Fn(&Block) -> Range<usize> + Sync),
    work: &(impl Fn(&Block, C) + Sync),
) {
    match blocks {
        [] => {}
        [only] => work(only, columns.cut(rows(only).len()).0),
        _ => {
            let (some, others) = blocks.split_at(blocks.len() / 2);
            let (first, second) = columns.cut(rows(&others[0]).start - rows(&some[0]).start);
            rayon::join(|| for_each_block(some, first, rows, work), || for_each_block(others, second, rows, work));
        }
    }
}
