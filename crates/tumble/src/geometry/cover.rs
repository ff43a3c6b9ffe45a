//! Covers the surface of a solid evenly with spheres: reads a closed mesh, gives sphere centres and
//! how good they are.
//!
//! The method of Bell, Yu & Mucha (2005, §3.3.1), who make rough bodies of any shape from particles
//! on their surface: signed distance on voxels, the surface at an offset from it, random seeds on
//! its triangles by their area, and floaters that spread until they are even. Distances from the
//! mesh alone decide, so that the mesh's own triangles, long or tiny, leave no trace.

use std::f64::consts::PI;

use glam::DVec3;
use rayon::prelude::*;

use super::distance::EDGE;
use super::floaters::float;
use super::point_cells::PointCells;
use super::{DistanceField, Mesh, SolidProblem, isosurface};
use crate::random::Draws;

/// Voxels for each radius, the first that is affordable. Interpolated distances are wrong by about
/// a quarter of voxel²/(the surface's own radius): at two voxels and a body ten times a sphere, by
/// half a percent of the radius. Small bodies bend more and get finer voxels, which cost them
/// little.
const VOXELS: [f64; 3] = [8.0, 4.0, 2.0];
/// How many voxels and how many pairs of triangles and voxels are affordable: a few tenths of a
/// second at most.
const AFFORDABLE: (f64, f64) = (3e5, 5e7);
/// The band reaches this many voxels beyond the offset: the diagonal of a voxel and some room for
/// floaters that stray.
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
    /// Spheres for each disc of their size, πr², of the surface their centres lie on. At 1, spheres
    /// overlap little and leave small gaps.
    pub density: f64,
    /// Distance of the centres from the body's surface \[m\]: minus the radius for spheres that
    /// touch it from inside.
    pub offset: f64,
    /// Seed of the first places.
    pub seed: u64,
}

impl Cover {
    /// The largest number of spheres: they take seconds to spread.
    pub const MOST_SPHERES: f64 = 3e4;
    /// The largest number of voxels.
    pub const MOST_VOXELS: f64 = 3e7;
    /// The largest number of pairs of a triangle and a voxel that lies near it, by how far the
    /// centres are from the surface: some seconds for far ones, which are typing errors in a scene,
    /// more for fine meshes.
    pub const MOST_PAIRS: [f64; 2] = [5e8, 5e9];
}

/// Spheres on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Covered {
    /// Centres of the spheres \[m\].
    pub centres: Vec<DVec3>,
    /// Area of the surface that the centres lie on \[m²\].
    pub area: f64,
    /// The largest distance of a sampled point of the surface that the centres lie on from the
    /// nearest centre \[m\].
    pub largest_gap: f64,
    /// The largest distance of a sampled point of the body's surface from the nearest sphere \[m\]:
    /// large where parts are too thin for spheres inside.
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
    /// More pairs of triangles and voxels than one of `Cover::MOST_PAIRS`.
    TooFar {
        /// Distance of the centres from the surface \[m\].
        offset: f64,
        /// About how many pairs \[-\].
        pairs: f64,
        /// How many there may be \[-\].
        most: f64,
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
            Self::TooFar { offset, pairs, most } => write!(
                f,
                "spheres with this radius cannot be placed {offset:.4} m from the surface of a mesh of this size: that \
                 takes about {pairs:.1e} distances (at most {most:.0e})"
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

/// Covers the surface of a solid evenly with spheres. Every connected part of the surface at the
/// offset gets at least one.
pub fn cover(mesh: &Mesh, cover: &Cover) -> Result<Covered, CoverProblem> {
    let &Cover { radius, density, offset, seed } = cover;
    if !(radius > 0.0 && radius.is_finite() && density > 0.0 && density.is_finite() && offset.is_finite()) {
        return Err(CoverProblem::NotPositive);
    }
    let disc = PI * radius * radius;
    let body_area = area(mesh);
    let band_of = |cell: f64| offset.abs() + ROOM * cell;
    let voxels_of = |cell: f64| body_area * 2.0 * band_of(cell) / cell.powi(3);
    let is_affordable = |cell: f64| {
        let pairs = mesh.triangles().len() as f64 * (2.0 * band_of(cell) / cell).powi(3);
        voxels_of(cell) <= AFFORDABLE.0 && pairs <= AFFORDABLE.1
    };
    let [.., coarsest] = VOXELS.map(|voxels| radius / voxels);
    let cell = VOXELS.map(|voxels| radius / voxels).into_iter().find(|&cell| is_affordable(cell)).unwrap_or(coarsest);
    let (spheres, voxels) = (density * body_area / disc, volume_within(mesh, body_area, band_of(cell)) / cell.powi(3));
    if spheres > Cover::MOST_SPHERES || voxels > Cover::MOST_VOXELS {
        return Err(CoverProblem::TooFine { spheres, voxels });
    }
    let pairs = triangle_voxels(mesh, cell, band_of(cell));
    let [far, near] = Cover::MOST_PAIRS;
    let most = if offset.abs() > 2.0 * radius { far } else { near };
    if pairs > most {
        return Err(CoverProblem::TooFar { offset, pairs, most });
    }
    let field = DistanceField::new(mesh, cell, band_of(cell))?;
    let surface = isosurface(&field, offset).ok_or(CoverProblem::TooThin { depth: -offset })?;
    let area = area(&surface);
    // Far outside a body there is more room than on it.
    let spheres = density * area / disc;
    if spheres > Cover::MOST_SPHERES {
        return Err(CoverProblem::TooFine { spheres, voxels });
    }
    let seeds = seed_every_part(&surface, scatter(&surface, density / disc, seed, SEEDING));
    // An even cover is a hexagonal lattice: √3/2 s² for each sphere.
    let spacing = (area / seeds.len() as f64 * 2.0 / 3f64.sqrt()).sqrt();
    let floated = float(&field, offset, spacing, seeds);

    let cells = PointCells::new(&floated.places, 1.5 * radius.max(spacing));
    let farthest_sample = |mesh: &Mesh, per_disc: f64| {
        let samples = scatter(mesh, per_disc / disc, seed, JUDGING);
        samples.into_par_iter().map(|(place, _)| cells.nearest(place)).max_by(f64::total_cmp).unwrap_or(0.0)
    };
    let largest_gap = farthest_sample(&surface, SAMPLES);
    // Fewer here: where there are no spheres at all, the search looks at every one.
    let farthest = (farthest_sample(mesh, 0.25 * SAMPLES) - radius).max(0.0);
    let centres = floated.places;
    Ok(Covered { centres, area, largest_gap, farthest, rounds: floated.rounds, still: floated.still })
}

/// About how much room there is within `band` of a surface with this area \[m³\]: never more than
/// in the box around it, and for a thin band twice its volume. In between the band of a convex body
/// is A b + 2π w b² + 4π/3 b³ outside (Steiner), w its mean width, for which the diagonal stands,
/// and at most A b inside.
fn volume_within(mesh: &Mesh, area: f64, band: f64) -> f64 {
    let (low, high) = mesh.bounds();
    let around = 2.0 * area * band + 2.0 * PI * (high - low).length() * band * band + 4.0 / 3.0 * PI * band.powi(3);
    around.min((high - low + 2.0 * band).element_product())
}

/// How many pairs of a triangle and a voxel are looked at: bricks of voxels are taken from the box
/// around each triangle, and of these the ones near the triangle are filled.
fn triangle_voxels(mesh: &Mesh, cell: f64, band: f64) -> f64 {
    let brick = EDGE as f64 * cell;
    let pairs = |triangle: usize| {
        let [a, b, c] = corners(mesh, triangle);
        let lengths = a.max(b).max(c) - a.min(b).min(c) + 2.0 * band;
        let sides = (b - a).length() + (c - b).length() + (a - c).length();
        let reach = band + 0.5 * 3f64.sqrt() * brick;
        // Steiner's formula for a triangle, whose two sides are its surface.
        let near = 2.0 * area_of([a, b, c]) * reach + 0.5 * PI * sides * reach * reach + 4.0 / 3.0 * PI * reach.powi(3);
        let boxed = (lengths / brick + 1.0).element_product();
        boxed + near.min(boxed * brick.powi(3)) / cell.powi(3)
    };
    (0..mesh.triangles().len()).map(pairs).sum()
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

/// Random points on a mesh, `density` per square metre, with their triangles.
///
/// A triangle gets the whole part of its share and one more with the probability of the rest.
/// Whether it does is decided by where the running sum of shares passes whole numbers, from a
/// random beginning (systematic sampling): each triangle has the right chance, while neighbours do
/// not all win or all lose, and the total is right to one.
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

    /// The largest distance of 20,000 even points of a surface, given by two numbers from 0 to 1,
    /// from the nearest centre.
    fn gap(centres: &[DVec3], surface: impl Fn(f64, f64) -> DVec3) -> f64 {
        let place = |k: u32| surface((k as f64 + 0.5) / 20_000.0, (k as f64 * 0.618_033_988_749_895).fract());
        let nearest = |p: DVec3| centres.iter().map(|&c| (c - p).length()).fold(f64::INFINITY, f64::min);
        (0..20_000).map(|k| nearest(place(k))).fold(0.0, f64::max)
    }

    /// An even cover of density one is a hexagonal lattice of spacing 1.905 r with gaps of 1.1 r; a
    /// relaxed one has a few faults.
    #[test]
    fn a_sphere_is_covered_evenly() {
        let radius = 0.1;
        for seed in 0..3 {
            let covered = cover(&sphere(5), &Cover { radius, density: 1.0, offset: -radius, seed }).unwrap();
            assert!(covered.still);
            // 4π 0.9² / (π 0.1²) = 324.
            assert!((321..=327).contains(&covered.centres.len()), "{}", covered.centres.len());
            for centre in &covered.centres {
                assert!((centre.length() - 0.9).abs() < 0.02 * radius, "{centre}");
            }
            let (least, mean) = neighbour_distances(&covered.centres);
            assert!(least > 0.8 * mean, "{least} {mean}");
            let gap = gap(&covered.centres, |u, v| {
                let (z, a) = (2.0 * u - 1.0, 2.0 * PI * v);
                0.9 * DVec3::new((1.0 - z * z).sqrt() * a.cos(), (1.0 - z * z).sqrt() * a.sin(), z)
            });
            assert!(gap < 1.3 * radius, "{gap}");
            assert!((covered.largest_gap - gap).abs() < 0.1 * radius, "{gap} {}", covered.largest_gap);
            // The middle of a gap of 1.3 r lies √(r² + (1.3 r)²) - r = 0.64 r from the nearest
            // sphere, more for the outer sphere's width.
            assert!(covered.farthest < 0.8 * radius, "{}", covered.farthest);
        }
    }

    #[test]
    fn a_torus_is_covered_evenly() {
        // 4π² R (a - r) / (π r²) = 110 spheres.
        let (large, small, radius) = (1.0, 0.4, 0.164);
        let mesh = torus(large, small, 128, 64);
        let covered = cover(&mesh, &Cover { radius, density: 1.0, offset: -radius, seed: 3 }).unwrap();
        assert!((108..=112).contains(&covered.centres.len()), "{}", covered.centres.len());
        for c in &covered.centres {
            let tube = (c.x.hypot(c.y) - large).hypot(c.z);
            assert!((tube - small + radius).abs() < 0.02 * radius, "{c} {tube}");
        }
        let (least, mean) = neighbour_distances(&covered.centres);
        assert!(least > 0.7 * mean, "{least} {mean}");
        let gap = gap(&covered.centres, |u, v| {
            let (a, b, tube) = (2.0 * PI * u, 2.0 * PI * v, small - radius);
            let out = large + tube * b.cos();
            DVec3::new(out * a.cos(), out * a.sin(), tube * b.sin())
        });
        assert!(covered.still && gap < 1.35 * radius, "{gap}");
    }

    #[test]
    fn the_same_seed_gives_the_same_bits() {
        let covered = |seed| cover(&cube(), &Cover { radius: 0.2, density: 1.0, offset: -0.2, seed }).unwrap();
        assert_eq!(covered(1), covered(1));
        assert_ne!(covered(1).centres, covered(2).centres);
    }

    /// Spheres inside a body thinner than they are wide have no place; a part with room for a
    /// fraction of a sphere gets one.
    #[test]
    fn thin_bodies_are_refused_and_small_parts_are_not_forgotten() {
        let inside = |radius: f64, density: f64| Cover { radius, density, offset: -radius, seed: 0 };
        let plate = cube().map(|v| v * DVec3::new(1.0, 1.0, 0.05)).unwrap();
        let problem = cover(&plate, &inside(0.1, 1.0)).unwrap_err();
        assert_eq!(problem, CoverProblem::TooThin { depth: 0.1 });
        assert!(problem.to_string().starts_with("the body is too thin: no point inside is 0.1000 m"), "{problem}");
        // Spheres outside of the plate have room.
        assert!(cover(&plate, &Cover { radius: 0.1, density: 1.0, offset: 0.1, seed: 0 }).unwrap().largest_gap < 0.14);
        let small = cube().map(|v| 0.15 * v + 3.0 * DVec3::X).unwrap();
        let covered = cover(&together(&[cube(), small]), &inside(0.1, 0.1)).unwrap();
        assert_eq!(covered.centres.iter().filter(|c| c.x > 2.0).count(), 1);
        // A thin wing on a thick body: covered where there is room, and `farthest` tells. It ends 1
        // m from the body's last spheres.
        let wing = cube().map(|v| v * DVec3::new(0.5, 0.5, 0.05) + 1.5 * DVec3::X).unwrap();
        let covered = cover(&together(&[cube(), wing]), &inside(0.1, 1.0)).unwrap();
        assert!(covered.farthest > 0.9, "{}", covered.farthest);
    }

    #[test]
    fn impossible_wishes_are_named() {
        let wish = Cover { radius: 0.1, density: 1.0, offset: -0.1, seed: 0 };
        assert_eq!(cover(&cube(), &Cover { radius: 0.0, ..wish }), Err(CoverProblem::NotPositive));
        assert_eq!(cover(&cube(), &Cover { density: f64::NAN, ..wish }), Err(CoverProblem::NotPositive));
        assert!(matches!(cover(&cube(), &Cover { radius: 1e-6, ..wish }), Err(CoverProblem::TooFine { .. })));
        // Far from the body there is more room than on it, and more to compute: offsets count.
        let far = |offset: f64| cover(&torus(0.1, 0.02, 64, 32), &Cover { radius: 0.015, offset, ..wish });
        assert!(matches!(far(0.6), Err(CoverProblem::TooFar { .. })), "{:?}", far(0.6).map(|_| ()));
        assert!(matches!(far(5.0), Err(CoverProblem::TooFine { .. })));
        assert!(far(0.05).is_ok());
        let open = Mesh::new(cube().vertices().to_vec(), cube().triangles()[1..].to_vec()).unwrap();
        assert!(matches!(cover(&open, &wish), Err(CoverProblem::Solid(SolidProblem::Holes { edges: 3, .. }))));
    }

    /// Shares of 0.3 and 0.7 of a point: exactly one in all, on each triangle as often as its
    /// share.
    #[test]
    fn points_are_scattered_by_area() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, 7.0 / 3.0 * DVec3::X + DVec3::Y];
        let mesh = Mesh::new(corners, vec![[0, 1, 2], [2, 1, 3]]).unwrap();
        let share = 0.3 / 0.5;
        let mut counts = [0; 2];
        for seed in 0..4000 {
            let points = scatter(&mesh, share, seed, 0);
            assert_eq!(points.len(), 1);
            counts[points[0].1 as usize] += 1;
        }
        // Four standard deviations of a binomial are 0.029 of the total.
        assert!((counts[0] as f64 / 4000.0 - 0.3).abs() < 0.029, "{counts:?}");
        assert!((120..=121).contains(&scatter(&mesh, 100.0 * share * 1.206, 0, 0).len()));
    }
}
