//! Particles that follow the grains of a run or of a recording: made from what the recording's
//! header says, so that both give the same.

use std::path::Path;

use glam::DVec3;
use tumble::detail::{Detail, DetailReport, DetailSettings, DetailShape, DetailSurface, DetailWarning, Which};
use tumble::geometry::Mesh;
use tumble::world::ShapeSphere;
use tumble::{Frame, FrameDetail, Stopwatch};
use tumble_io::{Checkpoint, DetailInfo, Header, MeshData, ShapeInfo, SurfaceInfo};
use tumble_scene::{Detailing, ShapeKind};

use crate::{RunError, RunWarning};

/// Memory that a particle takes while it is moved, shown and written \[byte\].
const BYTES: u64 = 160;

/// Memory that a grain takes for each interpolation of a frame \[byte\].
const BYTES_OF_GRAIN: u64 = 100;

/// Where fewer than this share of particles ever follow grains, something is wrong with the
/// influence radius.
const FEW: f64 = 0.01;

/// Particles at work.
#[derive(Debug)]
pub struct Following {
    detail: Detail,
    shown: FrameDetail,
    /// The largest share of particles that lay among grains in any frame, and whether grains ever
    /// lay on each other.
    most_dense: f64,
    have_touched: bool,
    /// Particles that left the world, grains for which there were none, and the most bodies of a
    /// frame that cannot be.
    removed: u64,
    bare: u64,
    unsound: u64,
}

/// The entry about such particles in the header of a recording.
pub(crate) fn info(detailing: &Detailing) -> DetailInfo {
    let carriers = (0..).zip(&detailing.carriers).filter(|(_, is_carrier)| **is_carrier).map(|(shape, _)| shape);
    DetailInfo { carriers: carriers.collect() }
}

/// The shapes of a recording, as `[detail]` needs them.
pub(crate) fn kinds(header: &Header) -> Vec<ShapeKind<'_>> {
    header.shapes.iter().map(|shape| (shape.name.as_str(), shape.mesh.is_none() && !shape.spheres.is_empty())).collect()
}

impl Following {
    /// The particles of a first frame, and what may be wrong with what they run off;
    /// `grains` is how many carriers there will be.
    pub fn new(
        detailing: &Detailing,
        header: &Header,
        meshes: &[MeshData],
        grains: u64,
        first: &Frame,
    ) -> Result<(Self, Vec<RunWarning>), RunError> {
        check_memory(grains, &detailing.settings)?;
        let mesh = |number: u32| -> Result<Mesh, RunError> {
            let MeshData { vertices, triangles } = &meshes[number as usize];
            let vertices = vertices.iter().map(|vertex| DVec3::from(vertex.map(f64::from))).collect();
            Ok(Mesh::new(vertices, triangles.clone())?)
        };
        let shape = |(shape, &is_carrier): (&ShapeInfo, &bool)| -> Result<DetailShape, RunError> {
            let sphere = |&[x, y, z, radius]: &[f64; 4]| ShapeSphere { offset: DVec3::new(x, y, z), radius };
            Ok(DetailShape {
                spheres: shape.spheres.iter().map(sphere).collect(),
                mesh: shape.mesh.map(mesh).transpose()?,
                is_carrier,
            })
        };
        let shapes: Vec<_> = header.shapes.iter().zip(&detailing.carriers).map(shape).collect::<Result<_, _>>()?;
        let surface = |info: &tumble_io::ObstacleInfo| -> Result<DetailSurface, RunError> {
            Ok(match info.surface {
                SurfaceInfo::Plane => DetailSurface::Plane,
                SurfaceInfo::Box(half) => DetailSurface::Box(DVec3::from(half)),
                SurfaceInfo::Mesh(number) => DetailSurface::Mesh(mesh(number)?),
            })
        };
        let surfaces: Vec<_> = header.obstacles.iter().map(surface).collect::<Result<_, _>>()?;
        let (detail, warnings) = Detail::new(detailing.settings, &shapes, &surfaces, first)?;
        let in_words = |warning: &DetailWarning| {
            let what = match warning.which() {
                Which::Obstacle(number) => format!("obstacle `{}`", header.obstacles[number].name),
                Which::Shape(number) => format!("shape `{}`", header.shapes[number].name),
            };
            RunWarning::Particles(format!("{what}: {warning}"))
        };
        let warnings = warnings.iter().map(in_words).collect();
        let shown = FrameDetail::default();
        let mut following =
            Self { detail, shown, most_dense: 0.0, have_touched: false, removed: 0, bare: 0, unsound: 0 };
        following.detail.show(&mut following.shown);
        Ok((following, warnings))
    }

    /// Goes on to a frame.
    pub fn advance(&mut self, frame: &Frame, watch: &mut Stopwatch) -> DetailReport {
        let report = self.detail.advance_timed(frame, watch);
        self.detail.show(&mut self.shown);
        self.removed += report.removed;
        self.bare += report.bare;
        self.unsound = self.unsound.max(report.unsound);
        self.most_dense = self.most_dense.max(report.dense as f64 / report.particles.max(1) as f64);
        self.have_touched |= frame.bodies.iter().filter(|body| body.contacts > 2).count() > frame.bodies.len() / 2;
        report
    }

    /// The particles of the present frame.
    pub fn shown(&self) -> &FrameDetail {
        &self.shown
    }

    /// How unevenly they lie among grains, if grains are a medium.
    pub fn unevenness(&self) -> Option<f64> {
        self.detail.unevenness()
    }

    /// Their exact state as bytes.
    pub fn save(&self) -> Vec<u8> {
        self.detail.save()
    }

    /// Goes on from a checkpoint made of this frame; the recording has the hash of its particles.
    pub(crate) fn resume(
        &mut self,
        checkpoint: &Checkpoint,
        path: &Path,
        frame: &Frame,
        recorded: Option<u64>,
    ) -> Result<(), RunError> {
        let unfit = || RunError::Unfit { path: path.to_owned(), what: "holds no particles" };
        self.detail.load(checkpoint.detail.as_deref().ok_or_else(unfit)?, frame)?;
        self.detail.show(&mut self.shown);
        if recorded == Some(self.shown.state_hash) {
            return Ok(());
        }
        Err(RunError::OtherParticles { path: path.to_owned(), frame: frame.number })
    }

    /// Oddities of the particles so far, in sentences.
    pub fn oddities(&self) -> Vec<String> {
        let mut odd = Vec::new();
        if self.removed > 0 {
            odd.push(format!("{} particles left the world and were removed", self.removed));
        }
        if self.bare > 0 {
            odd.push(format!("{} grains have no particles: there were more than can be told apart", self.bare));
        }
        if self.unsound > 0 {
            let bodies = self.unsound;
            odd.push(format!("{bodies} bodies of the recording have no place, velocity or size, and no particles"));
        }
        if self.have_touched && self.most_dense < FEW {
            odd.push(format!(
                "grains lay on each other, but no more than {:.1} % of the particles ever followed them: is `detail.influence` or `detail.touch` too small?",
                100.0 * self.most_dense
            ));
        }
        odd
    }
}

/// Refuses particles that do not fit into memory, before they are made.
fn check_memory(grains: u64, settings: &DetailSettings) -> Result<(), RunError> {
    let particles = grains.saturating_mul(settings.count.into());
    let fields = grains.saturating_mul(settings.interpolations.into()).saturating_mul(BYTES_OF_GRAIN);
    let needed = particles.saturating_mul(BYTES).saturating_add(fields);
    if particles > u32::MAX.into() {
        return Err(RunError::TooManyParticles { particles });
    }
    match tumble_scene::available_memory() {
        Some(free) if needed > free => Err(RunError::Memory { particles, needed, free }),
        _ => Ok(()),
    }
}
