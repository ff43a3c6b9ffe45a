//! Work on blocks in parallel, each with its own part of some columns.
//!
//! Blocks differ in length, so columns cannot be cut into equal chunks; they are halved along with
//! the list of blocks, without locks and without allocation. Which thread does what changes no
//! result.

use super::Block;

/// A column with one row per body.
pub(crate) struct OfBodies<'a, T>(pub(crate) &'a mut [T]);

/// A column with one row per sphere.
pub(crate) struct OfSpheres<'a, T>(pub(crate) &'a mut [T]);

/// Columns that can be split at a block boundary.
pub(crate) trait Splittable: Send + Sized {
    /// Splits after this many bodies and this many spheres.
    fn cut(self, bodies: usize, spheres: usize) -> (Self, Self);
}

impl<T: Send> Splittable for OfBodies<'_, T> {
    fn cut(self, bodies: usize, _: usize) -> (Self, Self) {
        let (some, others) = self.0.split_at_mut(bodies);
        (Self(some), Self(others))
    }
}

impl<T: Send> Splittable for OfSpheres<'_, T> {
    fn cut(self, _: usize, spheres: usize) -> (Self, Self) {
        let (some, others) = self.0.split_at_mut(spheres);
        (Self(some), Self(others))
    }
}

impl<A: Splittable, B: Splittable> Splittable for (A, B) {
    fn cut(self, bodies: usize, spheres: usize) -> (Self, Self) {
        let ((a, more_a), (b, more_b)) = (self.0.cut(bodies, spheres), self.1.cut(bodies, spheres));
        ((a, b), (more_a, more_b))
    }
}

/// Calls `work` with each block and its part of whole columns. There may be rows between blocks
/// that belong to none.
pub(crate) fn for_each_block<C: Splittable>(blocks: &[Block], columns: C, work: &(impl Fn(&Block, C) + Sync)) {
    if let Some(first) = blocks.first() {
        let (_, columns) = columns.cut(first.bodies.start, first.spheres.start);
        halve(blocks, columns, work);
    }
}

/// The same with columns that begin with the first block.
fn halve<C: Splittable>(blocks: &[Block], columns: C, work: &(impl Fn(&Block, C) + Sync)) {
    match blocks {
        [] => {}
        [only] => work(only, columns.cut(only.bodies.len(), only.spheres.len()).0),
        [first, ..] => {
            let (some, others) = blocks.split_at(blocks.len() / 2);
            let bodies = others[0].bodies.start - first.bodies.start;
            let (left, right) = columns.cut(bodies, others[0].spheres.start - first.spheres.start);
            rayon::join(|| halve(some, left, work), || halve(others, right, work));
        }
    }
}
