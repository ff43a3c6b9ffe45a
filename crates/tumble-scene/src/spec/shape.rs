//! `[shape.*]`: spheres, clumps, meshes, models and convex solids, and how solvers see them.

use glam::DVec3;
use tumble::geometry::Split;
use tumble::world::Clump;

use super::model::ModelSpec;
use super::{ANYWHERE, LENGTHS};
use crate::text::{Fields, Range, Section, Word};

/// Radii of spheres \[m\].
const RADII: Range = Range::Within(1e-9, 1e6);

/// A kind of bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeSpec {
    /// Its geometry.
    pub form: FormSpec,
    /// How the granular solver covers a solid with spheres; by default with spheres of a twentieth
    /// of its size.
    pub cover: Option<CoverSpec>,
    /// How the rigid solver splits a mesh into convex parts.
    pub convex: Option<SplitSpec>,
}

/// The geometry of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum FormSpec {
    /// A sphere or a regular clump of equal spheres.
    Clump {
        /// Which one.
        clump: Clump,
        /// Radius of the spheres \[m\].
        radius: f64,
        /// How far they overlap, over their diameter \[-\].
        overlap: f64,
    },
    /// Spheres held together.
    Spheres(Vec<SphereSpec>),
    /// A mesh from a file.
    Mesh(MeshSpec),
    /// A model made by formula.
    Model(Box<ModelSpec>),
    /// One convex solid.
    Solid(SolidSpec),
    /// Several convex solids held together.
    Parts(Vec<PartSpec>),
}

impl Default for FormSpec {
    fn default() -> Self {
        Self::Clump { clump: Clump::Sphere, radius: 0.01, overlap: 0.0 }
    }
}

impl Word for Clump {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("sphere", Self::Sphere),
        ("tetrahedron", Self::Tetrahedron),
        ("octahedron", Self::Octahedron),
        ("cube", Self::Cube),
        ("centred_cube", Self::CentredCube),
    ];
}

impl FormSpec {
    const KEYS: [&'static str; 9] = ["clump", "sphere", "mesh", "model", "box", "capsule", "cylinder", "hull", "part"];

    /// The key that stands for it.
    fn key(&self) -> &'static str {
        match self {
            Self::Clump { .. } => "clump",
            Self::Spheres(_) => "sphere",
            Self::Mesh(_) => "mesh",
            Self::Model(_) => "model",
            Self::Solid(solid) => solid.key(),
            Self::Parts(_) => "part",
        }
    }

    fn with_key(key: &str) -> Self {
        match key {
            "sphere" => Self::Spheres(Vec::new()),
            "mesh" => Self::Mesh(MeshSpec::default()),
            "model" => Self::Model(Box::default()),
            "part" => Self::Parts(Vec::new()),
            _ => SolidSpec::with_key(key).map_or_else(Self::default, Self::Solid),
        }
    }
}

impl Section for ShapeSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        // Without anything it is a sphere; with keys of an object it has lost its mesh.
        let of_objects = ["cover", "convex", "scale", "mesh_hash"];
        let is_plain = fields.is_reading() && !FormSpec::KEYS.iter().chain(&of_objects).any(|key| fields.has(key));
        if !is_plain {
            let Some(key) = fields.one_of(&FormSpec::KEYS, self.form.key()) else { return fields.take_any_key() };
            if fields.is_reading() {
                self.form = FormSpec::with_key(key);
            }
        }
        match &mut self.form {
            FormSpec::Clump { clump, radius, overlap } => {
                fields.value("clump", clump);
                fields.within("radius", radius, RADII);
                if *clump != Clump::Sphere {
                    fields.within("overlap", overlap, Range::Within(0.0, 0.9));
                }
                return;
            }
            FormSpec::Spheres(spheres) => return fields.list("sphere", spheres),
            FormSpec::Mesh(mesh) => mesh.describe(fields),
            FormSpec::Model(model) => fields.table("model", &mut **model),
            FormSpec::Solid(solid) => solid.describe(fields),
            FormSpec::Parts(parts) => fields.list("part", parts),
        }
        fields.optional("cover", &mut self.cover);
        if matches!(self.form, FormSpec::Mesh(_) | FormSpec::Model(_)) {
            fields.optional("convex", &mut self.convex);
        }
    }
}

/// A sphere of a clump.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereSpec {
    /// Its centre \[m\].
    pub position: DVec3,
    /// Its radius \[m\].
    pub radius: f64,
}

impl Default for SphereSpec {
    fn default() -> Self {
        Self { position: DVec3::ZERO, radius: 0.01 }
    }
}

impl Section for SphereSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("position", &mut self.position, ANYWHERE);
        fields.within("radius", &mut self.radius, RADII);
    }
}

/// A mesh file.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSpec {
    /// Its path, from the folder of the scene.
    pub file: String,
    /// Everything in it is multiplied by this.
    pub scale: f64,
    /// Hash of its content when the scene was last read; by default whatever it is.
    pub hash: Option<String>,
}

impl Default for MeshSpec {
    fn default() -> Self {
        Self { file: String::new(), scale: 1.0, hash: None }
    }
}

impl MeshSpec {
    pub(super) fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("mesh", &mut self.file, Range::Any);
        fields.within("scale", &mut self.scale, Range::Within(1e-9, 1e9));
        fields.value("mesh_hash", &mut self.hash);
    }
}

/// A convex solid about its own origin.
#[derive(Clone, Debug, PartialEq)]
pub enum SolidSpec {
    /// A box with these lengths \[m\].
    Box([f64; 3]),
    /// A cylinder with round caps, along z.
    Capsule(RodSpec),
    /// A cylinder along z.
    Cylinder(DrumSpec),
    /// The convex hull of these points \[m\].
    Hull(Vec<DVec3>),
    /// A ball with this radius \[m\]; as a part only.
    Ball(f64),
}

/// Lengths of a capsule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RodSpec {
    /// Its radius \[m\].
    pub radius: f64,
    /// Its whole length, with both caps \[m\].
    pub length: f64,
}

impl Section for RodSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("radius", &mut self.radius, LENGTHS);
        fields.required("length", &mut self.length, LENGTHS);
    }
}

/// Lengths of a cylinder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrumSpec {
    /// Its radius \[m\].
    pub radius: f64,
    /// Its height \[m\].
    pub height: f64,
}

impl Section for DrumSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("radius", &mut self.radius, LENGTHS);
        fields.required("height", &mut self.height, LENGTHS);
    }
}

impl SolidSpec {
    const PART_KEYS: [&'static str; 5] = ["box", "capsule", "cylinder", "hull", "ball"];

    fn key(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Capsule(_) => "capsule",
            Self::Cylinder(_) => "cylinder",
            Self::Hull(_) => "hull",
            Self::Ball(_) => "ball",
        }
    }

    fn with_key(key: &str) -> Option<Self> {
        Some(match key {
            "box" => Self::Box([1.0; 3]),
            "capsule" => Self::Capsule(RodSpec::default()),
            "cylinder" => Self::Cylinder(DrumSpec::default()),
            "hull" => Self::Hull(Vec::new()),
            "ball" => Self::Ball(1.0),
            _ => return None,
        })
    }

    fn describe(&mut self, fields: &mut Fields<'_>) {
        match self {
            Self::Box(lengths) => fields.required("box", lengths, LENGTHS),
            Self::Capsule(rod) => fields.table("capsule", rod),
            Self::Cylinder(drum) => fields.table("cylinder", drum),
            Self::Hull(points) => fields.required("hull", points, ANYWHERE),
            Self::Ball(radius) => fields.required("ball", radius, LENGTHS),
        }
    }
}

/// A convex solid as part of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSpec {
    /// The solid.
    pub solid: SolidSpec,
    /// Where it is in the shape \[m\].
    pub position: DVec3,
    /// How it is turned: degrees about x, then y, then z.
    pub rotation: DVec3,
}

impl Default for PartSpec {
    fn default() -> Self {
        Self { solid: SolidSpec::Ball(1.0), position: DVec3::ZERO, rotation: DVec3::ZERO }
    }
}

impl Section for PartSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        let Some(key) = fields.one_of(&SolidSpec::PART_KEYS, self.solid.key()) else { return };
        if fields.is_reading() {
            self.solid = SolidSpec::with_key(key).unwrap_or(SolidSpec::Ball(1.0));
        }
        self.solid.describe(fields);
        fields.within("position", &mut self.position, ANYWHERE);
        fields.within("rotation", &mut self.rotation, ANYWHERE);
    }
}

/// How a surface is covered with spheres.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverSpec {
    /// Radius of the spheres \[m\]; by default a twentieth of the longest side.
    pub radius: Option<f64>,
    /// How dense they lie \[-\].
    pub density: f64,
    /// Distance of their centres from the surface \[m\]; by default one radius inside.
    pub offset: Option<f64>,
    /// Seed of their places.
    pub seed: u64,
}

impl Default for CoverSpec {
    fn default() -> Self {
        Self { radius: None, density: 1.0, offset: None, seed: 1 }
    }
}

impl Section for CoverSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("radius", &mut self.radius, RADII);
        fields.within("density", &mut self.density, Range::Within(0.01, 100.0));
        fields.within("offset", &mut self.offset, ANYWHERE);
        fields.within("seed", &mut self.seed, Range::AtLeast(0.0));
    }
}

/// How a mesh is split into convex parts.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitSpec {
    /// How far a part may be from convex, over the size of the whole \[-\].
    pub concavity: f64,
    /// The most parts.
    pub most_parts: u32,
    /// The most corners of a part.
    pub most_corners: u32,
}

/// As the engine has it.
impl Default for SplitSpec {
    fn default() -> Self {
        let Split { concavity, most_parts, most_corners } = Split::DEFAULT;
        Self { concavity, most_parts, most_corners }
    }
}

impl Section for SplitSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("concavity", &mut self.concavity, Range::Within(0.001, 1.0));
        fields.within("most_parts", &mut self.most_parts, Range::Within(1.0, 1000.0));
        fields.within("most_corners", &mut self.most_corners, Range::Within(4.0, 1000.0));
    }
}
