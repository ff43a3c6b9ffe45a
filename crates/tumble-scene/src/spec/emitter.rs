//! `[[emitter]]`: bodies made over time, at a point or filling a region.

use glam::DVec3;
use tumble::geometry::CavityPart;

use super::shape::MeshSpec;
use super::{ANYWHERE, EXTENTS, SIZES};
use crate::text::{Fields, Range, Section, Word};

/// Something that makes bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct EmitterSpec {
    /// Its name.
    pub name: Option<String>,
    /// Name of the shape of its bodies; may be left out if there is only one.
    pub shape: Option<String>,
    /// Name of their material; may be left out if there is only one.
    pub material: Option<String>,
    /// How many it makes.
    pub count: u64,
    /// Smallest and largest size, relative to the shape \[-\].
    pub size: [f64; 2],
    /// When it begins \[s\].
    pub start: f64,
    /// Bodies per second \[1/s\]; without it all are born at once.
    pub rate: Option<f64>,
    /// How they are turned: degrees about x, then y, then z.
    pub rotation: DVec3,
    /// Their velocity \[m/s\].
    pub velocity: DVec3,
    /// Their spin \[degree/s\].
    pub spin: DVec3,
    /// Random spread, drawn for each body.
    pub jitter: JitterSpec,
    /// Where they are born.
    pub place: PlaceSpec,
}

impl Default for EmitterSpec {
    fn default() -> Self {
        Self {
            name: None,
            shape: None,
            material: None,
            count: 1,
            size: [1.0; 2],
            start: 0.0,
            rate: None,
            rotation: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            jitter: JitterSpec::default(),
            place: PlaceSpec::default(),
        }
    }
}

impl Section for EmitterSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("name", &mut self.name);
        fields.value("shape", &mut self.shape);
        fields.value("material", &mut self.material);
        fields.required("count", &mut self.count, Range::Within(1.0, 1e9));
        fields.within("size", &mut self.size, SIZES);
        fields.within("start", &mut self.start, Range::AtLeast(0.0));
        fields.within("rate", &mut self.rate, Range::Above(0.0));
        fields.within("rotation", &mut self.rotation, ANYWHERE);
        fields.within("velocity", &mut self.velocity, ANYWHERE);
        fields.within("spin", &mut self.spin, ANYWHERE);
        fields.table("jitter", &mut self.jitter);
        self.place.describe(fields);
    }
}

/// Random spread of an emitter, drawn for each body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JitterSpec {
    /// How far from its place \[m\].
    pub position: f64,
    /// How much faster or slower \[m/s\].
    pub velocity: f64,
    /// How much more or less spin \[degree/s\].
    pub spin: f64,
    /// Whether it is turned any way.
    pub orientation: bool,
}

impl Section for JitterSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("position", &mut self.position, EXTENTS);
        fields.within("velocity", &mut self.velocity, EXTENTS);
        fields.within("spin", &mut self.spin, EXTENTS);
        fields.value("orientation", &mut self.orientation);
    }
}

/// Where bodies are born.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceSpec {
    /// At a point, which may move.
    Point {
        /// Where it is at the start \[m\].
        point: DVec3,
        /// Radius of the disc around it \[m\].
        spread: f64,
        /// Its constant velocity \[m/s\].
        drift: DVec3,
        /// Places that it passes.
        keys: Vec<PointKeySpec>,
    },
    /// In a box.
    Box {
        /// Its corners.
        corners: RegionBoxSpec,
        /// How it is filled.
        pattern: PatternSpec,
    },
    /// In a mesh.
    Mesh {
        /// Its file.
        mesh: MeshSpec,
        /// How it is filled.
        pattern: PatternSpec,
    },
    /// In the cavity of a model.
    Inside {
        /// Name of the obstacle.
        obstacle: String,
        /// Which part of an hourglass.
        part: CavityPart,
        /// How it is filled.
        pattern: PatternSpec,
    },
}

impl Default for PlaceSpec {
    fn default() -> Self {
        Self::Point { point: DVec3::ZERO, spread: 0.0, drift: DVec3::ZERO, keys: Vec::new() }
    }
}

impl PlaceSpec {
    const KEYS: [&'static str; 4] = ["point", "box", "mesh", "inside"];

    fn key(&self) -> &'static str {
        match self {
            Self::Point { .. } => "point",
            Self::Box { .. } => "box",
            Self::Mesh { .. } => "mesh",
            Self::Inside { .. } => "inside",
        }
    }

    fn with_key(key: &str) -> Self {
        let pattern = PatternSpec::default();
        match key {
            "box" => Self::Box { corners: RegionBoxSpec::default(), pattern },
            "mesh" => Self::Mesh { mesh: MeshSpec::default(), pattern },
            "inside" => Self::Inside { obstacle: String::new(), part: CavityPart::Upper, pattern },
            _ => Self::default(),
        }
    }

    /// How a region is filled; none for a point.
    pub fn pattern(&self) -> Option<&PatternSpec> {
        match self {
            Self::Point { .. } => None,
            Self::Box { pattern, .. } | Self::Mesh { pattern, .. } | Self::Inside { pattern, .. } => Some(pattern),
        }
    }

    /// The same, to change it.
    pub fn pattern_mut(&mut self) -> Option<&mut PatternSpec> {
        match self {
            Self::Point { .. } => None,
            Self::Box { pattern, .. } | Self::Mesh { pattern, .. } | Self::Inside { pattern, .. } => Some(pattern),
        }
    }

    fn describe(&mut self, fields: &mut Fields<'_>) {
        let Some(key) = fields.one_of(&Self::KEYS, self.key()) else { return };
        if fields.is_reading() {
            *self = Self::with_key(key);
        }
        match self {
            Self::Point { point, spread, drift, keys } => {
                fields.required("point", point, ANYWHERE);
                fields.within("spread", spread, EXTENTS);
                fields.within("drift", drift, ANYWHERE);
                return fields.list("key", keys);
            }
            Self::Box { corners, .. } => fields.table("box", corners),
            Self::Mesh { mesh, .. } => mesh.describe(fields),
            Self::Inside { obstacle, part, .. } => {
                fields.required("inside", obstacle, Range::Any);
                fields.value("part", part);
            }
        }
        if let Some(pattern) = self.pattern_mut() {
            fields.within("spacing", &mut pattern.spacing, Range::Above(0.0));
            fields.value("pattern", &mut pattern.name);
        }
    }
}

impl Word for CavityPart {
    const WORDS: &'static [(&'static str, Self)] = &[("upper", Self::Upper), ("lower", Self::Lower)];
}

/// How a region is filled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatternSpec {
    /// In which way.
    pub name: PatternName,
    /// From one place of a lattice to the next \[m\]; by default as close as bodies fit.
    pub spacing: Option<f64>,
}

/// A way to fill a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PatternName {
    /// On a lattice.
    #[default]
    Lattice,
    /// At random places that are free.
    Random,
}

impl Word for PatternName {
    const WORDS: &'static [(&'static str, Self)] = &[("lattice", Self::Lattice), ("random", Self::Random)];
}

/// Corners of a box \[m\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionBoxSpec {
    /// The least coordinates.
    pub low: DVec3,
    /// The largest coordinates.
    pub high: DVec3,
}

impl Section for RegionBoxSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("low", &mut self.low, ANYWHERE);
        fields.required("high", &mut self.high, ANYWHERE);
    }
}

/// A place that a point passes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointKeySpec {
    /// When \[s\].
    pub time: f64,
    /// Where \[m\].
    pub position: DVec3,
}

impl Section for PointKeySpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("time", &mut self.time, Range::AtLeast(0.0));
        fields.within("position", &mut self.position, ANYWHERE);
    }
}
