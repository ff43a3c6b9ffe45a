//! Names of what a world has. Rows of bodies move (sorting, removal), ids do not.

/// Name of a shape: its place in [`World::shapes`](super::World::shapes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// Name of a material: its place in [`Materials::list`](super::Materials::list).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub u32);

/// Name of an obstacle: its place in [`World::obstacles`](super::World::obstacles).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub u32);

impl ShapeId {
    /// Its place in a list with an entry per shape.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl MaterialId {
    /// Its place in a list with an entry per material.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ObstacleId {
    /// Its place in a list with an entry per obstacle.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Name of a body: a slot and how often the slot was given away before.
///
/// Ordered by slot first, so that bodies that were never removed sort by birth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    /// Slot in the id table.
    pub index: u32,
    /// How many bodies had this slot before.
    pub generation: u32,
}

impl BodyId {
    /// The id as one number for files; never used twice in a run.
    pub fn number(self) -> u64 {
        (u64::from(self.generation) << 32) | u64::from(self.index)
    }

    /// The id with this number.
    pub fn from_number(number: u64) -> Self {
        Self { index: number as u32, generation: (number >> 32) as u32 }
    }
}

/// The id table: which row a body is in, and which slots are free.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ids {
    /// Row of the living body in each slot, or [`Ids::FREE`].
    row: Vec<u32>,
    generation: Vec<u32>,
    /// Free slots, last freed first.
    free: Vec<u32>,
}

impl Ids {
    /// Marks a slot without a body.
    const FREE: u32 = u32::MAX;

    /// Gives out an id for the body in `row`.
    pub(crate) fn add(&mut self, row: usize) -> BodyId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.row.push(Self::FREE);
            self.generation.push(0);
            (self.row.len() - 1) as u32
        });
        self.row[index as usize] = row as u32;
        BodyId { index, generation: self.generation[index as usize] }
    }

    /// Takes the id back; it will never be given out again.
    pub(crate) fn remove(&mut self, id: BodyId) {
        debug_assert!(self.row(id).is_some(), "removing a body that is not there");
        self.row[id.index as usize] = Self::FREE;
        self.generation[id.index as usize] += 1;
        self.free.push(id.index);
    }

    /// Records that the body moved to another row.
    pub(crate) fn moved(&mut self, id: BodyId, row: usize) {
        self.row[id.index as usize] = row as u32;
    }

    /// The row of a living body.
    pub(crate) fn row(&self, id: BodyId) -> Option<usize> {
        let slot = id.index as usize;
        let row = *self.row.get(slot)?;
        (self.generation[slot] == id.generation && row != Self::FREE).then_some(row as usize)
    }

    /// Rows of all living bodies, in the order of their ids.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        self.row.iter().filter(|&&row| row != Self::FREE).map(|&row| row as usize)
    }

    /// Number of slots ever used.
    pub(crate) fn slots(&self) -> usize {
        self.row.len()
    }

    /// Generations of all slots and the free list, for the snapshot.
    pub(crate) fn parts(&self) -> (&[u32], &[u32]) {
        (&self.generation, &self.free)
    }

    /// Whether each slot either has a body or is free, once, and can be given away again.
    pub(crate) fn is_sound(&self) -> bool {
        let mut empty: Vec<bool> = self.row.iter().map(|&row| row == Self::FREE).collect();
        let is_empty = |slot: &u32| empty.get_mut(*slot as usize).is_some_and(std::mem::take);
        self.free.iter().all(is_empty)
            && !empty.contains(&true)
            && self.generation.iter().all(|&generation| generation < u32::MAX)
    }

    /// The table with these generations and free slots and no rows yet; `moved` fills the rows in.
    pub(crate) fn from_parts(generation: Vec<u32>, free: Vec<u32>) -> Self {
        Self { row: vec![Self::FREE; generation.len()], generation, free }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_id_is_never_given_out_again() {
        let mut ids = Ids::default();
        let first = ids.add(0);
        ids.remove(first);
        let second = ids.add(0);
        assert_eq!(first.index, second.index);
        assert_ne!(first, second);
        assert_eq!(ids.row(first), None);
        assert_eq!(ids.row(second), Some(0));
        assert_eq!(BodyId::from_number(second.number()), second);
    }
}
