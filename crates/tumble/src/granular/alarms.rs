//! Sleeping grains that moving obstacles may wake.

/// Spheres asleep that are near moving obstacles.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarms {
    /// Whether the lists below belong to the present neighbour list.
    pub(super) known: bool,
    /// A sleeping sphere and the index of an obstacle without cover spheres.
    pub(super) bare: Vec<(u32, u32)>,
    /// A sleeping sphere and a cover sphere of an obstacle.
    pub(super) covered: Vec<(u32, u32)>,
}

impl Alarms {
    /// Marks the entries as those of an old list.
    pub(super) fn clear(&mut self) {
        self.known = false;
    }
}
