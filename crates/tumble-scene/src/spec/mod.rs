//! A scene as values: what its text says, with names instead of rows and with every default.
//!
//! [`SceneSpec`] is what a text is read into, what programs build and vary, and what is printed
//! again. Each type describes its table once ([`Section::describe`]); reading, printing, ranges and
//! the list of known keys follow from that. An `Option` is a value that follows from the rest of
//! the scene unless it is given; `compile` fills it in.

mod body;
mod contact;
mod detail;
mod emitter;
mod expect;
mod joint;
mod look;
mod material;
mod model;
mod obstacle;
mod pile;
mod shape;

pub use body::BodySpec;
pub(crate) use body::MOST_IN_A_GRID;
pub use contact::{
    CoefficientsName, ContactSpec, GranularSpec, IntegratorName, LawName, NormalName, RigidSpec, ShearName, SolverSpec,
    StictionSpec,
};
pub use detail::DetailSpec;
pub use emitter::{EmitterSpec, JitterSpec, PatternName, PatternSpec, PlaceSpec, PointKeySpec, RegionBoxSpec};
pub use expect::{Condition, ExpectSpec, Expectation, Quantity};
pub use joint::{JointKindSpec, JointSpec};
pub use look::{CameraSpec, Colour, LookName};
pub use material::{MaterialSpec, PairSpec};
pub use model::{ModelKind, ModelSpec};
pub use obstacle::{FineSpec, ObstacleSpec, PoseKeySpec, SurfaceSpec};
pub use pile::PileSpec;
pub use shape::{
    CoverSpec, DrumSpec, FormSpec, MeshSpec, PartSpec, RodSpec, ShapeSpec, SolidSpec, SphereSpec, SplitSpec,
};

use glam::DVec3;

use crate::text::{Fields, Range, Section};

/// How far away, fast or turned anything may be, either way, in its unit: a million kilometres.
/// Beyond it f64 no longer tells grains apart, and sums of squares are on their way to infinity.
pub(crate) const REACH: f64 = 1e9;

/// Coordinates, velocities and angles.
const ANYWHERE: Range = Range::Within(-REACH, REACH);

/// A length, speed or angle from nothing on.
const EXTENTS: Range = Range::Within(0.0, REACH);

/// Sizes of bodies, relative to their shape.
const SIZES: Range = Range::Within(1e-6, 1e6);

/// Lengths of solids and models \[m\].
const LENGTHS: Range = Range::Within(1e-9, REACH);

/// Air that bodies can fly through \[1/s\].
const DRAGS: Range = Range::Within(0.0, 1e9);

/// A whole scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneSpec {
    /// Title: its content in a line.
    pub title: String,
    /// How bodies move.
    pub solver: SolverSpec,
    /// First and last frame.
    pub frames: [i64; 2],
    /// Frames per second \[1/s\].
    pub fps: f64,
    /// Seed of all draws.
    pub seed: u64,
    /// Length of fixed steps \[s\]; by default from the stiffness or the size of bodies.
    pub step: Option<f64>,
    /// Whether meshes with holes are mended.
    pub repair: bool,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Share of its velocity that a body loses per second \[1/s\].
    pub drag: f64,
    /// Height of a ground plane \[m\], if there is one.
    pub ground: Option<f64>,
    /// More bodies than this have to be asked for.
    pub most_bodies: u64,
    /// Materials by name. A scene without any gets one.
    pub materials: Vec<(String, MaterialSpec)>,
    /// Contacts of two materials.
    pub pairs: Vec<PairSpec>,
    /// Shapes by name. A scene without any gets a sphere.
    pub shapes: Vec<(String, ShapeSpec)>,
    /// Obstacles: bodies collide with them and do not move them.
    pub obstacles: Vec<ObstacleSpec>,
    /// Bodies one by one or in grids.
    pub bodies: Vec<BodySpec>,
    /// Joints between bodies.
    pub joints: Vec<JointSpec>,
    /// Piles with a chosen angle of repose.
    pub piles: Vec<PileSpec>,
    /// Emitters: they make bodies over time.
    pub emitters: Vec<EmitterSpec>,
    /// The box that bodies must not leave.
    pub bounds: BoundsSpec,
    /// Promises of the scene about its run.
    pub expect: Option<ExpectSpec>,
    /// Particles that follow grains.
    pub detail: Option<DetailSpec>,
    /// The point of view.
    pub camera: Option<CameraSpec>,
}

impl Default for SceneSpec {
    fn default() -> Self {
        Self {
            title: String::new(),
            solver: SolverSpec::default(),
            frames: [1, 120],
            fps: 24.0,
            seed: 1,
            step: None,
            repair: false,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            drag: 0.0,
            ground: None,
            most_bodies: 2_000_000,
            materials: Vec::new(),
            pairs: Vec::new(),
            shapes: Vec::new(),
            obstacles: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            piles: Vec::new(),
            emitters: Vec::new(),
            bounds: BoundsSpec::default(),
            expect: None,
            detail: None,
            camera: None,
        }
    }
}

impl SceneSpec {
    /// The place in the list of the first obstacle that bodies run through, a hopper or an
    /// hourglass. The middle of its outlet or neck is its origin.
    pub fn outlet(&self) -> Option<usize> {
        self.obstacles.iter().position(|obstacle| match &obstacle.surface {
            SurfaceSpec::Model(model) => matches!(model.kind, ModelKind::Hopper | ModelKind::Hourglass),
            _ => false,
        })
    }
}

impl Section for SceneSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("title", &mut self.title);
        self.solver.describe_name(fields);
        fields.within("frames", &mut self.frames, Range::Within(-1e9, 1e9));
        fields.within("fps", &mut self.fps, Range::Within(1e-3, 1e12));
        fields.within("seed", &mut self.seed, Range::AtLeast(0.0));
        fields.within("step", &mut self.step, Range::Above(0.0));
        fields.value("repair", &mut self.repair);
        fields.named("material", &mut self.materials);
        fields.list("pair", &mut self.pairs);
        fields.named("shape", &mut self.shapes);
        self.solver.describe_settings(fields);
        fields.within("gravity", &mut self.gravity, ANYWHERE);
        fields.within("drag", &mut self.drag, DRAGS);
        fields.within("ground", &mut self.ground, ANYWHERE);
        fields.list("obstacle", &mut self.obstacles);
        fields.list("body", &mut self.bodies);
        fields.list("joint", &mut self.joints);
        fields.list("pile", &mut self.piles);
        fields.list("emitter", &mut self.emitters);
        fields.within("most_bodies", &mut self.most_bodies, Range::Within(1.0, 1e9));
        fields.table("bounds", &mut self.bounds);
        fields.optional("expect", &mut self.expect);
        fields.optional("detail", &mut self.detail);
        fields.optional("camera", &mut self.camera);
    }
}

/// `[bounds]`: the box that bodies must not leave, by default ten times as wide as everything
/// finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundsSpec {
    /// The corner with the least coordinates \[m\].
    pub low: Option<DVec3>,
    /// The corner with the largest coordinates \[m\].
    pub high: Option<DVec3>,
}

impl Section for BoundsSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("low", &mut self.low, ANYWHERE);
        fields.within("high", &mut self.high, ANYWHERE);
    }
}
