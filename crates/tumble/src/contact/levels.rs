//! Spheres of very different sizes: one grid for each range of radii.
//!
//! A single grid needs cells as wide as the largest sphere; with radii of 20 : 1 a cell then holds
//! thousands of small ones and every pair of them is tested. Here each level holds radii within a
//! factor of two, and a sphere looks for partners in its own level and in all coarser ones, whose
//! cells are wide enough for both. So a sphere is tested against few others whatever the ratio, and
//! each pair is found once: by the smaller one, or within a level by the earlier one.

use glam::DVec3;

use super::Sphere;
use crate::geometry::Grid;

/// Grids from the coarsest to the finest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    grids: Vec<Grid>,
    /// The level of each sphere that is sorted.
    level: Vec<u8>,
    /// The number of each sphere in its grid.
    number: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// The largest radius that each level holds \[m\].
    limits: [f64; MOST_LEVELS],
}

/// Ratio of the radii that a level spans.
const FACTOR: f64 = 2.0;

/// Number of levels; the finest also takes everything that is smaller still.
const MOST_LEVELS: usize = 16;

impl Levels {
    /// Sorts some of the spheres, whose surfaces may be `skin` apart and still be partners \[m\].
    pub(crate) fn build(&mut self, spheres: &[Sphere], which: impl Iterator<Item = usize> + Clone, skin: f64) {
        let largest = which.clone().map(|s| spheres[s].radius()).fold(0.0, f64::max);
        self.limits = std::array::from_fn(|k| largest / FACTOR.powi(k as i32));
        self.members.resize_with(MOST_LEVELS, Vec::new);
        self.members.iter_mut().for_each(Vec::clear);
        // Entries of spheres that are not sorted are never read and may be stale.
        self.level.resize(spheres.len(), 0);
        self.number.resize(spheres.len(), 0);
        for s in which {
            // The last level whose limit still holds the sphere.
            let level = self.limits.partition_point(|&limit| limit >= spheres[s].radius()).saturating_sub(1);
            self.level[s] = level as u8;
            self.number[s] = self.members[level].len() as u32;
            self.members[level].push(s as u32);
        }
        self.grids.resize_with(MOST_LEVELS, Grid::default);
        for ((grid, members), limit) in self.grids.iter_mut().zip(&self.members).zip(self.limits) {
            // Most scenes have few levels; an empty one is skipped.
            if !members.is_empty() {
                grid.build(members.iter().map(|&s| spheres[s as usize].center()), 2.0 * limit + skin);
                grid.rename(members);
            }
        }
    }

    /// Calls `visit` with runs of spheres that hold all those that touch a ball which is none of
    /// them.
    pub(crate) fn visit_near(&self, at: DVec3, radius: f64, mut visit: impl FnMut(&[u32])) {
        let levels = self.grids.iter().zip(&self.members).zip(self.limits);
        for ((grid, _), limit) in levels.filter(|((_, members), _)| !members.is_empty()) {
            grid.visit_within(at, radius + limit, &mut visit);
        }
    }

    /// Calls `visit` with runs of spheres that hold every partner of sphere `s`, which lies `at`;
    /// over all spheres each pair comes once.
    #[inline]
    pub(crate) fn visit_partners(&self, s: usize, at: DVec3, mut visit: impl FnMut(&[u32])) {
        let level = self.level[s] as usize;
        self.grids[level].visit_later(self.number[s] as usize, at, &mut visit);
        for (grid, _) in self.grids[..level].iter().zip(&self.members).filter(|(_, members)| !members.is_empty()) {
            grid.visit_around(at, &mut visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Draws;

    /// Every pair within reach is visited exactly once, for radii of up to 40 : 1.
    #[test]
    fn visits_what_brute_force_finds() {
        for ratio in [1.0f64, 3.0, 40.0] {
            let sphere = |id| {
                let mut draws = Draws::new(8, 1, id);
                Sphere::new(draws.in_ball(), 0.1 * ratio.powf(-draws.unit()))
            };
            let spheres: Vec<Sphere> = (0..600).map(sphere).collect();
            let skin = 0.01;
            let reach = |a: &Sphere, b: &Sphere| (a.center() - b.center()).length() < a.radius() + b.radius() + skin;
            let mut levels = Levels::default();
            levels.build(&spheres, 0..spheres.len(), skin);
            let mut found = Vec::new();
            for (i, a) in spheres.iter().enumerate() {
                levels.visit_partners(i, a.center(), |run| {
                    let near = run.iter().map(|&j| j as usize).filter(|&j| reach(a, &spheres[j]));
                    found.extend(near.map(|j| (i.min(j), i.max(j))));
                });
            }
            found.sort_unstable();
            let all = (0..600).flat_map(|i| (i + 1..600).map(move |j| (i, j)));
            let expected: Vec<_> = all.filter(|&(i, j)| reach(&spheres[i], &spheres[j])).collect();
            assert!(expected.len() > 50);
            assert_eq!(found, expected, "ratio {ratio}");
        }
    }

    /// Every sphere near a place is visited, also from far away and over distances much wider than
    /// a cell.
    #[test]
    fn visits_all_that_is_near() {
        let sphere = |id| {
            let mut draws = Draws::new(9, 1, id);
            Sphere::new(draws.in_ball(), 0.02 * 10f64.powf(-draws.unit()))
        };
        let spheres: Vec<Sphere> = (0..900).map(sphere).collect();
        let mut levels = Levels::default();
        levels.build(&spheres, (0..900).step_by(3), 0.0);
        for (at, distance) in [(DVec3::splat(0.1), 0.01), (DVec3::X, 0.3), (DVec3::splat(3.0), 4.3), (DVec3::Z, 9.0)] {
            let near = |s: &usize| (spheres[*s].center() - at).length() - spheres[*s].radius() < distance;
            let mut found = Vec::new();
            levels.visit_near(at, distance, |run| found.extend(run.iter().map(|&s| s as usize).filter(near)));
            found.sort_unstable();
            assert!(found.iter().eq((0..900).step_by(3).filter(near).collect::<Vec<_>>().iter()), "{at} {distance}");
        }
    }
}
