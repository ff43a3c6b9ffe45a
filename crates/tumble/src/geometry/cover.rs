//! Covers the surface of a solid evenly with spheres: reads a closed mesh, gives sphere centres and how good they are.
//!
//! The way of Bell, Yu & Mucha (2005, §3.3.1), who make rough bodies of any shape from particles on their surface: signed distance on voxels,
//! the surface at an offset from it, random seeds on its triangles by their area, and floaters that spread until they are even. Distances from
//! the mesh alone decide, so that the mesh's own triangles, long or tiny, leave no trace.

use std::f64::consts::PI;

use glam::DVec3;
use rayon::prelude::*;

use super::floaters::float;
use super::point_cells::PointCells;
use super::{DistanceField, Mesh, SolidProblem, isosurface};
use crate::random::Draws;

/// Voxels for each radius: at two, interpolated distances are wrong by half a percent of the radius where the surface's own radius is ten times it.
const VOXELS: f64 = 2.0;
/// The band reaches this many voxels beyond the offset: the diagonal of a voxel and some room for floaters that stray.
const ROOM: f64 = 2.5;
/// Samples of a surface for each disc of a sphere's size, when the cover is judged.
const SAMPLES: f64 = 12.0;
/// Streams of random numbers.
const SEEDING: u64 = 0;
const JUDGING: u64 = 1;

/// How to cover a surface with spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cover {
    /// Radius of the spheres \[m\].
    pub radius: f64,
    /// Spheres for each disc of their size, πr², of the surface their centres lie on. At 1, spheres overlap little and leave small gaps.
    pub density: f64,
    /// Distance of the centres from the body's surface \[m\]: minus the radius for spheres that touch it from inside.
    pub offset: f64,
    /// Seed of the first places.
    pub seed: u64,
}

impl Cover {
    /// The largest number of spheres.
    pub const MOST_SPHERES: f64 = 1e6;
    /// The largest number of voxels.
    pub const MOST_VOXELS: f64 = 1e8;
}

/// Spheres on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Covered {
    /// Centres of the spheres \[m\].
    pub centres: Vec<DVec3>,
    /// Area of the surface that the centres lie on \[m²\].
    pub area: f64,
    /// The largest distance of a sampled point of the surface that the centres lie on from the nearest centre \[m\].
    pub largest_gap: f64,
    /// The largest distance of a sampled point of the body's surface from the nearest sphere \[m\]: large where parts are too thin for spheres inside.
    pub farthest: f64,
    /// Rounds of spreading.
    pub rounds: u32,
    /// Whether the spheres came to rest; if not, they are less even than they could be.
    pub still: bool,
}

/// Why a surface cannot be covered.
#[derive(Clone, Debug, PartialEq)]
pub enum CoverProblem {
    /// The mesh is no solid.
    Solid(SolidProblem),
    /// Radius or density is not above zero, or the offset is not a number.
    NotPositive,
    /// There is no surface at the offset: the body is too thin.
    TooThin {
        /// How far inside the body the centres should be \[m\].
        depth: f64,
    },
    /// More spheres or voxels than `Cover::MOST_SPHERES` and `Cover::MOST_VOXELS`.
    TooFine {
        /// About how many spheres \[-\].
        spheres: f64,
        /// About how many voxels \[-\].
        voxels: f64,
    },
}

impl std::fmt::Display for CoverProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Solid(problem) => write!(f, "{problem}"),
            Self::NotPositive => write!(f, "radius and density of a cover must be above zero, and its offset a number"),
            Self::TooThin { depth } => write!(
                f,
                "the body is too thin: no point inside is {depth:.4} m from its surface; spheres must be smaller or \
                 their centres nearer to the surface"
            ),
            Self::TooFine { spheres, voxels } => write!(
                f,
                "the radius is too small for the size of the body: it would take about {spheres:.0} spheres (at most \
                 {:.0}) and {voxels:.1e} voxels (at most {:.0e})",
                Cover::MOST_SPHERES,
                Cover::MOST_VOXELS
            ),
        }
    }
}

impl std::error::Error for CoverProblem {}

impl From<SolidProblem> for CoverProblem {
    fn from(problem: SolidProblem) -> Self {
        Self::Solid(problem)
    }
}

/// Covers the surface of a solid evenly with spheres. Every connected part of the surface at the offset gets at least one.
pub fn cover(mesh: &Mesh, cover: &Cover) -> Result<Covered, CoverProblem> {
    let &Cover { radius, density, offset, seed } = cover;
    if !(radius > 0.0 && radius.is_finite() && density > 0.0 && density.is_finite() && offset.is_finite()) {
        return Err(CoverProblem::NotPositive);
    }
    let cell = radius / VOXELS;
    let band = offset.abs() + ROOM * cell;
    let disc = PI * radius * radius;
    let body_area = area(mesh);
    let (spheres, voxels) = (density * body_area / disc, body_area * 2.0 * band / cell.powi(3));
    if spheres > Cover::MOST_SPHERES || voxels > Cover::MOST_VOXELS {
        return Err(CoverProblem::TooFine { spheres, voxels });
    }
    let t0 = std::time::Instant::now();
    let field = DistanceField::new(mesh, cell, band)?;
    println!("T {:?}", t0.elapsed());
    let surface = isosurface(&field, offset).ok_or(CoverProblem::TooThin { depth: -offset })?;
    println!("T {:?}", t0.elapsed());
    let seeds = seed_every_part(&surface, scatter(&surface, density / disc, seed, SEEDING));
    let area = area(&surface);
    // An even cover is a hexagonal lattice: √3/2 s² for each sphere.
    let spacing = (area / seeds.len() as f64 * 2.0 / 3f64.sqrt()).sqrt();
    println!("T {:?}", t0.elapsed());
    let floated = float(&field, offset, spacing, seeds);

    println!("T {:?}", t0.elapsed());
    let cells = PointCells::new(&floated.places, 1.5 * radius.max(spacing));
    let farthest_sample = |mesh: &Mesh, per_disc: f64| {
        let samples = scatter(mesh, per_disc / disc, seed, JUDGING);
        samples.into_par_iter().map(|(place, _)| cells.nearest(place)).reduce(|| 0.0, f64::max)
    };
    println!("T {:?}", t0.elapsed());
    let largest_gap = farthest_sample(&surface, SAMPLES);
    // Fewer here: where there are no spheres at all, the search looks at every one.
    let farthest = (farthest_sample(mesh, 0.25 * SAMPLES) - radius).max(0.0);
    println!("T {:?}", t0.elapsed());
    let centres = floated.places;
    Ok(Covered { centres, area, largest_gap, farthest, rounds: floated.rounds, still: floated.still })
}

fn corners(mesh: &Mesh, triangle: usize) -> [DVec3; 3] {
    mesh.triangles()[triangle].map(|v| mesh.vertices()[v as usize])
}

fn area_of([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

fn area(mesh: &Mesh) -> f64 {
    (0..mesh.triangles().len()).map(|k| area_of(corners(mesh, k))).sum()
}

/// Random points on a mesh, so many to the square metre, with their triangles.
///
/// A triangle gets the whole part of its share and one more with the probability of the rest. Whether it does is decided by where the
/// running sum of shares passes whole numbers, from a random beginning (systematic sampling): each triangle has the right chance, while
/// neighbours do not all win or all lose, and the total is right to one.
fn scatter(mesh: &Mesh, density: f64, seed: u64, stream: u64) -> Vec<(DVec3, u32)> {
    let mut points = Vec::new();
    let mut sum = Draws::new(seed, stream, u64::MAX).unit();
    for triangle in 0..mesh.triangles().len() {
        let [a, b, c] = corners(mesh, triangle);
        let before = sum.floor();
        sum += density * area_of([a, b, c]);
        let mut draws = Draws::new(seed, stream, triangle as u64);
        for _ in 0..(sum.floor() - before) as u64 {
            // Uniform over the triangle: the square root makes up for its narrowing towards a.
            let (across, along) = (draws.unit().sqrt(), draws.unit());
            points.push((a + across * ((b - a) + along * (c - b)), triangle as u32));
        }
    }
    points
}

/// Adds a point to each connected part of a mesh that has none.
fn seed_every_part(mesh: &Mesh, seeds: Vec<(DVec3, u32)>) -> Vec<DVec3> {
    // Parts by their lowest vertex: trees of vertices whose roots are the lowest.
    let mut parent: Vec<u32> = (0..mesh.vertices().len() as u32).collect();
    fn root(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            // Halving the way makes the next search shorter.
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    for t in mesh.triangles() {
        for side in [[t[0], t[1]], [t[1], t[2]]] {
            let [a, b] = side.map(|v| root(&mut parent, v));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let mut has_seed = vec![false; mesh.vertices().len()];
    for &(_, triangle) in &seeds {
        has_seed[root(&mut parent, mesh.triangles()[triangle as usize][0]) as usize] = true;
    }
    let mut places: Vec<DVec3> = seeds.into_iter().map(|(place, _)| place).collect();
    for (k, t) in mesh.triangles().iter().enumerate() {
        let part = root(&mut parent, t[0]) as usize;
        if !has_seed[part] {
            has_seed[part] = true;
            let [a, b, c] = corners(mesh, k);
            places.push((a + b + c) / 3.0);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::test_meshes::{cube, sphere, together, torus};
    use super::*;

    /// The least and the mean distance from a centre to its nearest neighbour.
    fn neighbour_distances(centres: &[DVec3]) -> (f64, f64) {
        let nearest = |i: usize| {
            let others = (0..centres.len()).filter(|&j| j != i);
            others.map(|j| (centres[i] - centres[j]).length()).fold(f64::INFINITY, f64::min)
        };
        let all: Vec<f64> = (0..centres.len()).map(nearest).collect();
        (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().sum::<f64>() / all.len() as f64)
    }

    #[test]
    fn explore() {
        for (radius, density) in [(0.2, 1.0)] {
            for seed in 0..3 {
                let start = std::time::Instant::now();
                let covered = cover(&sphere(5), &Cover { radius, density, offset: -radius, seed }).unwrap();
                let time = start.elapsed();
                let (least, mean) = neighbour_distances(&covered.centres);
                let off =
                    covered.centres.iter().map(|c| (c.length() - 1.0 + radius).abs() / radius).fold(0.0, f64::max);
                println!(
                    "r {radius} D {density}: {} spheres, off {off:.4}, min/mean {:.3}, gap {:.3} r, farthest {:.3} r, rounds {} {} {time:?}",
                    covered.centres.len(),
                    least / mean,
                    covered.largest_gap / radius,
                    covered.farthest / radius,
                    covered.rounds,
                    covered.still
                );
            }
        }
    }
}
