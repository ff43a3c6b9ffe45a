//! Which places are taken: spheres in a hashed grid that grows as bodies are born.
//!
//! Used at births only, never in a step. Nothing iterates over the map, so its order cannot leak
//! into results.

use std::collections::HashMap;

use glam::{DVec3, I64Vec3};

use crate::world::World;

/// Spheres that take up room.
#[derive(Clone, Debug)]
pub(crate) struct Occupancy {
    cell: f64,
    /// Number of the last sphere put into a cell.
    last_in: HashMap<I64Vec3, usize>,
    /// Centre, radius, and the sphere that was put into the same cell before.
    spheres: Vec<(DVec3, f64, Option<usize>)>,
}

impl Occupancy {
    /// Room for spheres of at most this radius \[m\].
    pub(crate) fn new(widest: f64) -> Self {
        Self { cell: 2.0 * widest, last_in: HashMap::new(), spheres: Vec::new() }
    }

    fn cell_at(&self, point: DVec3) -> I64Vec3 {
        (point / self.cell).floor().as_i64vec3()
    }

    /// Takes up the room of a sphere.
    pub(crate) fn add(&mut self, center: DVec3, radius: f64) {
        let before = self.last_in.insert(self.cell_at(center), self.spheres.len());
        self.spheres.push((center, radius, before));
    }

    /// The spheres that overlap a sphere, as their number in the order of adding and the depth
    /// \[m\].
    pub(crate) fn overlaps(&self, center: DVec3, radius: f64) -> impl Iterator<Item = (usize, f64)> {
        let cell = self.cell_at(center);
        let around = (0..27).map(move |k| cell.wrapping_add(I64Vec3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)));
        let in_cell =
            |cell: I64Vec3| std::iter::successors(self.last_in.get(&cell).copied(), |&sphere| self.spheres[sphere].2);
        around.flat_map(in_cell).filter_map(move |sphere| {
            let (other, other_radius, _) = self.spheres[sphere];
            let depth = radius + other_radius - (other - center).length();
            (depth > 0.0).then_some((sphere, depth))
        })
    }

    /// Whether a sphere would overlap no body and no obstacle.
    pub(crate) fn is_free(&self, center: DVec3, radius: f64, world: &World) -> bool {
        self.overlaps(center, radius).next().is_none()
            && world.obstacles.iter().all(|obstacle| {
                let local = obstacle.pose.to_local(center);
                obstacle.surface.distance(local) >= radius
            })
    }
}
