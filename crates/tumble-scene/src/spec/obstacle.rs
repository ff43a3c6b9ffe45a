//! `[[obstacle]]`: planes, boxes, meshes and models, standing still or driven.

use glam::DVec3;

use super::look::{Colour, LookName};
use super::model::ModelSpec;
use super::shape::{CoverSpec, MeshSpec};
use super::{ANYWHERE, LENGTHS};
use crate::text::{Fields, Range, Section};

/// Something that bodies collide with and that they do not move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObstacleSpec {
    /// Its name.
    pub name: Option<String>,
    /// Name of its material; may be left out if there is only one.
    pub material: Option<String>,
    /// How it is drawn.
    pub look: LookName,
    /// Its colour in pictures; by default that of its material.
    pub colour: Option<Colour>,
    /// Where it is at the start \[m\]; by default at the origin, or where its first key is.
    pub position: Option<DVec3>,
    /// How it is turned then: degrees about x, then y, then z.
    pub rotation: Option<DVec3>,
    /// Its constant velocity \[m/s\].
    pub velocity: DVec3,
    /// Its constant spin \[degree/s\].
    pub spin: DVec3,
    /// Poses that it passes.
    pub keys: Vec<PoseKeySpec>,
    /// Its geometry.
    pub surface: SurfaceSpec,
    /// The same thing with more triangles, for particles and pictures.
    pub fine: Option<FineSpec>,
    /// Spheres on its surface, which grains touch in its place.
    pub cover: Option<CoverSpec>,
}

impl Section for ObstacleSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("name", &mut self.name);
        fields.value("material", &mut self.material);
        fields.value("look", &mut self.look);
        fields.value("colour", &mut self.colour);
        fields.within("position", &mut self.position, ANYWHERE);
        fields.within("rotation", &mut self.rotation, ANYWHERE);
        fields.within("velocity", &mut self.velocity, ANYWHERE);
        fields.within("spin", &mut self.spin, ANYWHERE);
        fields.list("key", &mut self.keys);
        let Some(key) = fields.one_of(&SurfaceSpec::KEYS, self.surface.key()) else { return };
        if fields.is_reading() {
            self.surface = SurfaceSpec::with_key(key);
        }
        match &mut self.surface {
            SurfaceSpec::Plane(normal) => fields.required("plane", normal, ANYWHERE),
            SurfaceSpec::Box(lengths) => fields.required("box", lengths, LENGTHS),
            SurfaceSpec::Mesh(mesh) => mesh.describe(fields),
            SurfaceSpec::Model(model) => fields.table("model", &mut **model),
        }
        fields.optional("fine", &mut self.fine);
        fields.optional("cover", &mut self.cover);
    }
}

/// The geometry of an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceSpec {
    /// Everything below a plane with this normal.
    Plane(DVec3),
    /// A box with these lengths \[m\].
    Box([f64; 3]),
    /// A mesh from a file.
    Mesh(MeshSpec),
    /// A model made by formula.
    Model(Box<ModelSpec>),
}

impl Default for SurfaceSpec {
    fn default() -> Self {
        Self::Plane(DVec3::Z)
    }
}

impl SurfaceSpec {
    const KEYS: [&'static str; 4] = ["plane", "box", "mesh", "model"];

    fn key(&self) -> &'static str {
        match self {
            Self::Plane(_) => "plane",
            Self::Box(_) => "box",
            Self::Mesh(_) => "mesh",
            Self::Model(_) => "model",
        }
    }

    fn with_key(key: &str) -> Self {
        match key {
            "box" => Self::Box([1.0; 3]),
            "mesh" => Self::Mesh(MeshSpec::default()),
            "model" => Self::Model(Box::default()),
            _ => Self::default(),
        }
    }
}

/// `[obstacle.fine]`: an obstacle with more triangles.
#[derive(Clone, Debug, PartialEq)]
pub enum FineSpec {
    /// From a file.
    Mesh(MeshSpec),
    /// The model with so many facets around.
    Segments(u32),
}

impl Default for FineSpec {
    fn default() -> Self {
        Self::Segments(48)
    }
}

/// Facets around what is round and only particles touch: no search tree is built over so many
/// triangles.
const FINE_SEGMENTS: Range = Range::Within(6.0, 1024.0);

impl Section for FineSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        let now = if matches!(self, Self::Mesh(_)) { "mesh" } else { "segments" };
        let Some(key) = fields.one_of(&["mesh", "segments"], now) else { return };
        if fields.is_reading() && key == "mesh" {
            *self = Self::Mesh(MeshSpec::default());
        }
        match self {
            Self::Mesh(mesh) => mesh.describe(fields),
            Self::Segments(segments) => fields.required("segments", segments, FINE_SEGMENTS),
        }
    }
}

/// A pose that an obstacle passes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseKeySpec {
    /// When \[s\].
    pub time: f64,
    /// Where \[m\].
    pub position: DVec3,
    /// Turned how: degrees about x, then y, then z.
    pub rotation: DVec3,
}

impl Section for PoseKeySpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("time", &mut self.time, Range::AtLeast(0.0));
        fields.within("position", &mut self.position, ANYWHERE);
        fields.within("rotation", &mut self.rotation, ANYWHERE);
    }
}
