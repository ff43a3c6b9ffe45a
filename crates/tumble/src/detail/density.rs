//! How evenly particles lie: their density beside that of their carriers, on a grid as wide as
//! carriers are; and particles for those that have run ahead of theirs.
//!
//! Particles are tracers in a field that is not free of divergence between carriers, and they come
//! to rest a bit sooner: on the side of a heap a particle has the mean velocity of grains that roll
//! and grains that lie. So where it is poured the middle of a heap gets crowded, and its foot thin.
//! A carrier that still moves and has few particles around it then gets some that nobody sees, from
//! inside the medium where there are too many.

use glam::{DVec3, IVec3, Vec3};

use super::carriers::Carrier;
use super::particles::Particles;
use crate::random::Draws;

/// A carrier's particles are taken to be at six places on its axes, which have the second moments
/// of a ball: at √(3/5) of its radius.
const AXES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
const OUT: f32 = 0.774_596_7;

/// Cells with at least this share of the usual number of particles around them are inside.
const INSIDE: f64 = 0.8;

/// Cells with less than this share are the edge of the medium: grains there may roll off alone.
const MEDIUM: f64 = 0.6;

/// A cell is evenly filled if its count is within 10 %, or within 2.5 standard deviations of
/// Poisson noise, of the expected count.
const EVEN: f64 = 0.1;
const CHANCE: f64 = 2.5;

/// Shares of what is missing or too much that change places at once: not so many that it would be
/// noticed.
const TAKEN: f64 = 0.5;
const GIVEN: f64 = 0.4;

/// The stream of draws that decides which particles move.
const STREAM: u64 = 0xDE7A_1101_0000_0000;

/// Counts in each cell and the 26 around it.
pub(super) struct Densities {
    cells: Cells,
    /// Particles.
    there: Vec<u32>,
    /// Particles that carriers bring along.
    brought: Vec<f32>,
    /// How many they bring to a cell among them, as a mean over particles.
    usual: f64,
}

/// A particle that goes to a carrier, by row and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refill {
    pub(super) row: usize,
    pub(super) carrier: usize,
}

impl Densities {
    /// None where carriers are too far apart to be a medium.
    pub(super) fn new(particles: &Particles, carriers: &[Carrier], count: u32) -> Option<Self> {
        let cells = Cells::around(carriers)?;
        let there = cells.count((0..particles.len()).map(|row| particles.place(row)));
        let place = |carrier: &Carrier| carrier.position.as_vec3();
        let sixths = carriers.iter().flat_map(|carrier| AXES.map(|axis| place(carrier) + OUT * carrier.reach * axis));
        let share = count as f32 / AXES.len() as f32;
        let brought: Vec<f32> = cells.count(sixths).into_iter().map(|sixths| share * sixths as f32).collect();
        let all = brought.iter().map(|&brought| f64::from(brought));
        let usual = all.clone().map(|brought| brought * brought).sum::<f64>() / all.sum::<f64>();
        Some(Self { cells, there, brought, usual })
    }

    /// How many more particles there are than carriers bring along, as a share of these.
    fn excess(&self, cell: usize) -> f64 {
        let brought = f64::from(self.brought[cell]);
        (f64::from(self.there[cell]) - brought) / brought.max(1.0)
    }

    /// An excess that does not count, or as much missing.
    fn even(&self, cell: usize) -> f64 {
        EVEN.max(CHANCE / f64::from(self.brought[cell]).max(1.0).sqrt())
    }

    /// Whether carriers bring at least a share of the usual number.
    fn has(&self, cell: usize, share: f64) -> bool {
        f64::from(self.brought[cell]) > share * self.usual
    }

    /// The root mean square over cells inside of how many particles more there are around than
    /// carriers bring along, over how many there usually are \[-\].
    pub(super) fn unevenness(&self) -> Option<f64> {
        let inside = (0..self.there.len()).filter(|&cell| self.has(cell, INSIDE));
        let excess = |cell: usize| (f64::from(self.there[cell]) - f64::from(self.brought[cell])) / self.usual;
        let (sum, count) = inside.fold((0.0, 0), |(sum, count), cell| (sum + excess(cell).powi(2), count + 1));
        (count > 0).then(|| (sum / f64::from(count)).sqrt())
    }

    /// Particles for carriers that move and have few around them, from below the surface where
    /// there are too many. `up` is against gravity.
    pub(super) fn refills(
        &self,
        particles: &Particles,
        (carriers, is_moving): (&[Carrier], &[bool]),
        count: u32,
        up: Vec3,
        seed: u64,
    ) -> Vec<Refill> {
        let mut wanted = Vec::new();
        for (number, carrier) in carriers.iter().enumerate().filter(|(number, _)| is_moving[*number]) {
            let Some(cell) = self.cells.cell(carrier.position.as_vec3()) else { continue };
            if self.has(cell, MEDIUM) && self.excess(cell) < -self.even(cell) {
                let some = (-self.excess(cell) * TAKEN * f64::from(count)).ceil();
                wanted.extend(std::iter::repeat_n(number, some as usize));
            }
        }
        if wanted.is_empty() {
            return Vec::new();
        }
        let is_full = |cell: usize| self.has(cell, INSIDE) && self.excess(cell) > -self.even(cell);
        let mut given = Vec::new();
        for row in 0..particles.len() {
            let place = particles.place(row);
            let Some(cell) = self.cells.cell(place).filter(|&cell| self.excess(cell) > self.even(cell)) else {
                continue;
            };
            let above = self.cells.cell(place + 2.0 * self.cells.width * up);
            let id = particles.ids[row];
            if above.is_some_and(is_full) && Draws::new(seed, STREAM, id.into()).unit() < GIVEN * self.excess(cell) {
                given.push((id, row));
            }
        }
        // The order of ids, which is not that of rows, decides.
        given.sort_unstable();
        // Evenly among both.
        let all = wanted.len().min(given.len());
        let refill = |k: usize| Refill { row: given[k * given.len() / all].1, carrier: wanted[k * wanted.len() / all] };
        (0..all).map(refill).collect()
    }
}

/// The direction against gravity; none without any.
pub(super) fn up(gravity: DVec3) -> Option<Vec3> {
    (-gravity).as_vec3().try_normalize()
}

/// Cells as wide as the radius of a carrier.
struct Cells {
    origin: Vec3,
    width: f32,
    dims: IVec3,
}

impl Cells {
    /// All around carriers; none if they are spread too far for a grid.
    fn around(carriers: &[Carrier]) -> Option<Self> {
        let width = carriers.iter().map(|carrier| carrier.reach).fold(0.0, f32::max);
        let places = || carriers.iter().map(|carrier| carrier.position.as_vec3());
        let origin = places().fold(Vec3::INFINITY, Vec3::min) - 3.0 * width;
        let high = places().fold(Vec3::NEG_INFINITY, Vec3::max) + 3.0 * width;
        let dims = ((high - origin) / width).ceil();
        let is_grid = dims.as_dvec3().element_product() < 64.0 * carriers.len() as f64 + 4e6;
        (is_grid && width > 0.0).then(|| Self { origin, width, dims: dims.as_ivec3() })
    }

    /// The cell of a place, if it is in the grid.
    fn cell(&self, place: Vec3) -> Option<usize> {
        let at = ((place - self.origin) / self.width).floor().as_ivec3();
        let is_in = at.cmpge(IVec3::ZERO).all() && at.cmplt(self.dims).all();
        is_in.then(|| ((at.z * self.dims.y + at.y) * self.dims.x + at.x) as usize)
    }

    /// How many places there are in each cell and the 26 around it.
    fn count(&self, places: impl Iterator<Item = Vec3>) -> Vec<u32> {
        let mut counts = vec![0; self.dims.element_product() as usize];
        for cell in places.filter_map(|place| self.cell(place)) {
            counts[cell] += 1;
        }
        let [x, y, z] = self.dims.to_array().map(|cells| cells as usize);
        for (step, length) in [(1, x), (x, y), (x * y, z)] {
            let before = counts.clone();
            for (cell, sum) in counts.iter_mut().enumerate() {
                let at = cell / step % length;
                if at > 0 {
                    *sum += before[cell - step];
                }
                if at + 1 < length {
                    *sum += before[cell + step];
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::BodyId;
    use crate::world::MaterialId;

    /// Carriers of a block at rest, each with twice its particles, and of a thin sheet beside it
    /// without any.
    fn crowded() -> (Particles, Vec<Carrier>) {
        let mut particles = Particles::default();
        let mut carriers = Vec::new();
        for (index, [x, y, z]) in (0..).zip((0..900).map(|k| [k % 10, k / 10 % 10, k / 100])) {
            let is_sheet = z == 8;
            let shift = if is_sheet { DVec3::new(30.0, 0.0, 0.0) } else { DVec3::ZERO };
            let position = 1.4 * (shift + DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
            let id = BodyId { index, generation: 0 };
            carriers.push(Carrier {
                id,
                material: MaterialId(0),
                reach: 1.0,
                fine: 0.1,
                position,
                velocity: DVec3::ZERO,
            });
            if !is_sheet {
                for k in 0..20 {
                    let place = position + Draws::new(1, 2, u64::from(index * 20 + k)).in_ball();
                    particles.push(index * 20 + k, place.as_vec3(), Vec3::ZERO);
                }
            }
        }
        (particles, carriers)
    }

    /// Only carriers that move and lack particles get some, only from below the surface, and all
    /// shares of what they lack if there are enough.
    #[test]
    fn carriers_that_ran_ahead_get_particles_that_nobody_sees() {
        let (particles, carriers) = crowded();
        let densities = Densities::new(&particles, &carriers, 10).unwrap();
        let refills = |is_moving: &[bool]| densities.refills(&particles, (&carriers, is_moving), 10, Vec3::Z, 7);
        assert_eq!(refills(&vec![false; 900]), []);
        let some = refills(&vec![true; 900]);
        assert!(some.len() > 100, "{}", some.len());
        for refill in &some {
            assert!(refill.carrier >= 800, "carrier {} has enough", refill.carrier);
            let place = particles.place(refill.row);
            assert!(place.z < 1.4 * 7.0 - 1.0, "{place} lies at the surface");
        }
        // Nobody gets more than it lacks, and nobody goes twice.
        let most = (800..900).map(|carrier| some.iter().filter(|refill| refill.carrier == carrier).count()).max();
        assert!(most <= Some(5), "{most:?}");
        let mut rows: Vec<usize> = some.iter().map(|refill| refill.row).collect();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), some.len());
    }

    /// Where particles stand in their columns decides nothing.
    #[test]
    fn the_order_of_rows_decides_nothing() {
        let (particles, carriers) = crowded();
        let mut turned = Particles::default();
        for row in (0..particles.len()).rev() {
            turned.push(particles.ids[row], particles.place(row), particles.velocity(row));
        }
        let who = |particles: &Particles| -> Vec<(u32, usize)> {
            let densities = Densities::new(particles, &carriers, 10).unwrap();
            let refills = densities.refills(particles, (&carriers, &vec![true; 900]), 10, Vec3::Z, 7);
            refills.into_iter().map(|refill| (particles.ids[refill.row], refill.carrier)).collect()
        };
        assert_eq!(who(&particles), who(&turned));
    }
}
