//! How evenly particles lie: their density beside that of their guides, on a grid as wide as guides are.
//!
//! Particles are tracers in a field that is not free of divergence between guides, so that over a long flow some places could get crowded and
//! others thin. Reads places, and changes nothing.

use glam::{IVec3, Vec3};

use super::guides::Guide;
use super::particles::Particles;

/// A guide's particles are taken to be at six places on its axes, which have the second moments of a ball: at √(3/5) of its radius.
const AXES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
const OUT: f32 = 0.774_596_7;

/// Cells with at least this share of the usual number of particles around them are inside.
const INSIDE: f64 = 0.8;

/// The root mean square over cells inside of how many particles more there are around than guides bring along, over how many there usually
/// are \[-\]. None where guides are too far apart to be a medium.
pub(super) fn unevenness(particles: &Particles, guides: &[Guide], count: u32) -> Option<f64> {
    let cells = Cells::around(guides)?;
    let place = |guide: &Guide| guide.position.as_vec3();
    let there = cells.count((0..particles.len()).map(|row| particles.place(row)), 1);
    let brought = guides.iter().flat_map(|guide| AXES.map(|axis| place(guide) + OUT * guide.reach * axis));
    let brought = cells.count(brought, count);

    let brought = |cell: usize| f64::from(brought[cell]) / AXES.len() as f64;
    let squares: f64 = (0..there.len()).map(|cell| brought(cell).powi(2)).sum();
    let usual = squares / (0..there.len()).map(brought).sum::<f64>();
    let inside = (0..there.len()).filter(|&cell| brought(cell) > INSIDE * usual);
    let excess = |cell: usize| (f64::from(there[cell]) - brought(cell)) / usual;
    let (sum, count) = inside.fold((0.0, 0), |(sum, count), cell| (sum + excess(cell).powi(2), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).sqrt())
}

/// Cells as wide as the radius of a guide.
struct Cells {
    origin: Vec3,
    width: f32,
    dims: IVec3,
}

impl Cells {
    /// All around guides; none if they are spread too far for a grid.
    fn around(guides: &[Guide]) -> Option<Self> {
        let width = guides.iter().map(|guide| guide.reach).fold(0.0, f32::max);
        let places = || guides.iter().map(|guide| guide.position.as_vec3());
        let origin = places().fold(Vec3::INFINITY, Vec3::min) - 3.0 * width;
        let high = places().fold(Vec3::NEG_INFINITY, Vec3::max) + 3.0 * width;
        let dims = ((high - origin) / width).ceil();
        let is_grid = dims.as_dvec3().element_product() < 64.0 * guides.len() as f64 + 4e6;
        (is_grid && width > 0.0).then(|| Self { origin, width, dims: dims.as_ivec3() })
    }

    /// How many places there are in each cell and the 26 around it, times a weight.
    fn count(&self, places: impl Iterator<Item = Vec3>, weight: u32) -> Vec<u32> {
        let mut counts = vec![0; self.dims.element_product() as usize];
        for place in places {
            let at = ((place - self.origin) / self.width).floor().as_ivec3();
            if at.cmpge(IVec3::ZERO).all() && at.cmplt(self.dims).all() {
                counts[((at.z * self.dims.y + at.y) * self.dims.x + at.x) as usize] += weight;
            }
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
