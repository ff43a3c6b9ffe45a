//! Where an emitter makes its bodies: at a point that may move, or spread over a region.

use glam::DVec3;

use crate::geometry::MeshSurface;
use crate::random::Draws;
use crate::world::check::{self, FARTHEST, is_near, must};
use crate::world::{Path, WorldProblem};

/// A part of space to be filled.
#[derive(Clone, Debug)]
pub enum Region {
    /// Between two corners \[m\].
    Box {
        /// Smallest coordinates.
        low: DVec3,
        /// Largest coordinates.
        high: DVec3,
    },
    /// The inside of a closed mesh.
    Mesh(Box<MeshSurface>),
}

/// How bodies are spread over a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// On a cubic lattice, lowest layer first; without a spacing \[m\], as close as never
    /// overlapping allows.
    Lattice(Option<f64>),
    /// Anywhere there is room.
    Random,
}

/// Where bodies are born.
#[derive(Clone, Debug)]
pub enum Place {
    /// At a point on a path, spread over a ball of this radius \[m\].
    Point {
        /// Where the point is.
        path: Path,
        /// Radius of the ball.
        spread: f64,
    },
    /// Inside a region.
    Region {
        /// The region.
        region: Region,
        /// How they are spread.
        pattern: Pattern,
    },
}

/// Room between bodies on a lattice, relative to their size: they are born apart, not touching.
const CLEARANCE: f64 = 0.02;

impl Place {
    /// Reports a place that is nowhere, for an emitter `of` this name.
    pub(crate) fn check(&self, of: impl Fn() -> String) -> Result<(), WorldProblem> {
        match self {
            Self::Point { path, spread } => {
                must((0.0..FARTHEST).contains(spread), &of, "its spread cannot be negative")?;
                check::path(path, of)
            }
            Self::Region { region, pattern } => {
                let (low, high) = region.bounds();
                let is_region = is_near(low) && is_near(high) && low.cmple(high).all();
                must(is_region, &of, "its region must be finite and have an inside")?;
                let is_spacing = |spacing: f64| spacing > 0.0 && spacing.is_finite();
                let is_pattern = !matches!(pattern, Pattern::Lattice(Some(spacing)) if !is_spacing(*spacing));
                must(is_pattern, of, "its spacing must be above zero")
            }
        }
    }

    /// Centre and radius of a ball that holds the place \[m\]; of a path, its beginning and its
    /// keys.
    pub fn around(&self) -> (DVec3, f64) {
        let (low, high) = match self {
            Self::Region { region, .. } => region.bounds(),
            Self::Point { path, spread } => {
                let start = path.at(0.0).0.position;
                let keys = if let Path::Keys(keys) = path { keys.as_slice() } else { &[] };
                keys.iter().map(|key| key.pose.position).fold((start - *spread, start + *spread), |(low, high), p| {
                    (low.min(p - *spread), high.max(p + *spread))
                })
            }
        };
        (0.5 * (low + high), 0.5 * (high - low).length())
    }

    /// Number of places there are, or `None` if they are drawn.
    pub(crate) fn sites(&self, widest: f64, jitter: f64) -> Option<u64> {
        if matches!(self, Self::Point { spread: 0.0, .. }) && jitter == 0.0 {
            return Some(1);
        }
        let lattice = self.lattice(widest, jitter)?;
        Some(lattice.counts.into_iter().fold(1u64, |n, count| n.saturating_mul(count)))
    }

    /// Place number `k`; it need not be inside.
    pub(crate) fn site(&self, k: u64, widest: f64, jitter: f64, draws: &mut Draws, time: f64) -> DVec3 {
        match self {
            Self::Point { path, spread } => path.at(time).0.position + *spread * draws.in_ball(),
            Self::Region { region, .. } => match self.lattice(widest, jitter) {
                Some(lattice) => lattice.site(k),
                None => {
                    let (low, high) = region.bounds();
                    low + (high - low) * DVec3::new(draws.unit(), draws.unit(), draws.unit())
                }
            },
        }
    }

    /// Whether a sphere lies wholly inside; a point has no bounds.
    pub(crate) fn holds(&self, center: DVec3, radius: f64) -> bool {
        // A body that fills its region to the last bit still fits.
        let radius = radius * (1.0 - 1e-9);
        match self {
            Self::Point { .. } => true,
            Self::Region { region: Region::Box { low, high }, .. } => {
                (center - radius).cmpge(*low).all() && (center + radius).cmple(*high).all()
            }
            Self::Region { region: Region::Mesh(mesh), .. } => mesh.signed_distance(center) <= -radius,
        }
    }

    /// How many of the sites that follow site number `k` in its row hold no sphere of this radius
    /// either: as far as this one is from being inside. A fine lattice about a thin mesh is almost
    /// all outside.
    pub(crate) fn outside_after(&self, k: u64, radius: f64, widest: f64, jitter: f64) -> u64 {
        let Self::Region { region: Region::Mesh(mesh), .. } = self else { return 0 };
        let Some(lattice) = self.lattice(widest, jitter) else { return 0 };
        let missing = mesh.signed_distance(lattice.site(k)) + radius * (1.0 - 1e-6) - jitter;
        let row_end = lattice.counts[0] - 1 - k % lattice.counts[0];
        ((missing / lattice.pitch) as u64).min(row_end)
    }

    fn lattice(&self, widest: f64, jitter: f64) -> Option<Lattice> {
        let Self::Region { region, pattern: Pattern::Lattice(spacing) } = self else { return None };
        let (low, high) = region.bounds();
        let reach = widest + jitter;
        let pitch = spacing.unwrap_or(2.0 * reach * (1.0 + CLEARANCE));
        let room = high - low - 2.0 * reach;
        if room.min_element() < -1e-9 * reach {
            return Some(Lattice { first: low, pitch, counts: [0; 3] });
        }
        let counts = (room.max(DVec3::ZERO) / pitch + 1e-9).floor().to_array().map(|n| (n as u64).saturating_add(1));
        let used = pitch * (DVec3::from(counts.map(|n| n as f64)) - DVec3::ONE);
        // Centred sideways, standing on the ground.
        let margin = DVec3::new(0.5, 0.5, 0.0) * (room - used);
        Some(Lattice { first: low + reach + margin, pitch, counts })
    }
}

impl Region {
    fn bounds(&self) -> (DVec3, DVec3) {
        match self {
            Self::Box { low, high } => (*low, *high),
            Self::Mesh(mesh) => mesh.mesh().bounds(),
        }
    }
}

/// Points in rows along x, rows along y, layers along z.
struct Lattice {
    first: DVec3,
    pitch: f64,
    counts: [u64; 3],
}

impl Lattice {
    fn site(&self, k: u64) -> DVec3 {
        let [nx, ny, nz] = self.counts;
        let (x, y, z) = (k % nx, k / nx % ny, k / nx / ny % nz);
        self.first + self.pitch * DVec3::new(x as f64, y as f64, z as f64)
    }
}
