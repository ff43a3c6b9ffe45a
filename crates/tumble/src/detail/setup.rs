//! Setup of particles: settings, shapes, obstacles, the first frame; and the problems of these.

use std::sync::Arc;

use glam::DVec3;

use super::Detail;
use super::carriers::CarrierShape;
use super::obstacles::Stands;
use super::particles::Particles;
use super::surface::Stopper;
use crate::frame::Frame;
use crate::geometry::{FineDistance, Mesh, SolidProblem};
use crate::world::{Shape, ShapeSphere};

/// How the velocities of carriers are weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernel {
    /// (3r - 2d) / 4r as in eq. (3) of the paper: velocities jump when a carrier comes within r.
    Printed,
    /// (1 - d²/r²)³: they do not.
    #[default]
    Smooth,
}

/// How particles follow their carriers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetailSettings {
    /// Particles per carrier.
    pub count: u32,
    /// Seed of their places.
    pub seed: u64,
    /// The influence radius, in radii of the sphere around a carrier \[-\].
    pub influence: f64,
    /// Particles are born with a velocity of their own up to this, so that those of a grain that
    /// flies alone part \[m/s\].
    pub jitter: f64,
    /// How carriers are weighed.
    pub kernel: Kernel,
    /// With fewer carriers within the influence radius a particle flies freely.
    pub least_carriers: u32,
    /// A particle that is farther than this from every carrier lies above the medium and falls; in
    /// radii as above \[-\].
    pub touch: f64,
    /// Whether grains that run ahead of their particles get others, from inside the medium where
    /// there are too many.
    pub refill: bool,
    /// Interpolations per frame.
    pub interpolations: u32,
    /// Steps with external forces from one interpolation to the next.
    pub steps: u32,
    /// Gravity \[m/s²\].
    pub gravity: DVec3,
    /// Share of its velocity that a free particle loses to the air per second \[1/s\].
    pub drag: f64,
    /// Velocity of the air \[m/s\].
    pub wind: DVec3,
    /// Friction of particles on obstacles \[-\].
    pub friction: f64,
    /// Restitution of particles on obstacles \[-\].
    pub restitution: f64,
    /// Cells on which distances from meshes are known \[m\]; by default as large as the radius of a
    /// particle of the smallest shape at size one.
    pub cell: Option<f64>,
    /// Particles outside of this box are removed \[m\].
    pub bounds: Option<(DVec3, DVec3)>,
}

impl Default for DetailSettings {
    fn default() -> Self {
        Self {
            count: 32,
            seed: 1,
            influence: 2.0,
            jitter: 0.0,
            kernel: Kernel::default(),
            least_carriers: 2,
            touch: 1.25,
            refill: true,
            interpolations: 4,
            steps: 2,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            drag: 0.0,
            wind: DVec3::ZERO,
            friction: 0.4,
            restitution: 0.2,
            cell: None,
            bounds: None,
        }
    }
}

/// A shape of bodies, as particles see it.
#[derive(Clone, Debug, Default)]
pub struct DetailShape {
    /// Its spheres, at size one, in the body's own axes.
    pub spheres: Vec<ShapeSphere>,
    /// Its mesh, if it is drawn as one.
    pub mesh: Option<Mesh>,
    /// Whether bodies of this shape are carriers. Others are obstacles.
    pub is_carrier: bool,
}

/// The surface of an obstacle, as particles see it.
#[derive(Clone, Debug)]
pub enum DetailSurface {
    /// Everything below z = 0.
    Plane,
    /// A box about the origin with these half lengths \[m\].
    Box(DVec3),
    /// A mesh.
    Mesh(Mesh),
}

/// Why there can be no particles.
#[derive(Clone, Debug, PartialEq)]
pub enum DetailProblem {
    /// No shape is a carrier.
    NoCarriers,
    /// The influence radius is not larger than carriers are.
    InfluenceTooSmall {
        /// It, in radii of carriers.
        influence: f64,
    },
    /// A setting is not what it can be.
    Setting(&'static str),
}

impl std::fmt::Display for DetailProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoCarriers => {
                write!(f, "there are no grains that particles could follow: no shape is a sphere or a clump")
            }
            Self::Setting(what) => write!(f, "{what}"),
            Self::InfluenceTooSmall { influence } => write!(
                f,
                "with an influence radius of {influence} radii of a grain, no particle sees a second grain and all would fall freely"
            ),
        }
    }
}

impl std::error::Error for DetailProblem {}

/// Problem of an obstacle that does not stop the run.
#[derive(Clone, Debug, PartialEq)]
pub enum DetailWarning {
    /// A mesh is no solid.
    Sheet {
        /// Number of the obstacle, or of the shape.
        which: Which,
        /// The problem of the mesh.
        problem: SolidProblem,
    },
    /// A mesh is so large that particles see it more coarsely than they are.
    Coarse {
        /// Number of the obstacle, or of the shape.
        which: Which,
        /// Size of its cells \[m\].
        cell: f64,
    },
}

/// An obstacle or a shape of bodies, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// An obstacle.
    Obstacle(usize),
    /// A shape.
    Shape(usize),
}

impl DetailSettings {
    /// The largest numbers of particles of a carrier, and of interpolations and steps.
    const MOST_PARTICLES: u32 = 1_000_000;
    const MOST_STEPS: u32 = 1000;

    /// Reports the first setting with which no particle could move.
    fn check(&self) -> Result<(), DetailProblem> {
        let must = |holds: bool, what: &'static str| if holds { Ok(()) } else { Err(DetailProblem::Setting(what)) };
        let is_count = |count: u32, most: u32| (1..=most).contains(&count);
        let is_share = |number: f64| number >= 0.0 && number.is_finite();
        must(is_count(self.count, Self::MOST_PARTICLES), "a grain has 1 to 1000000 particles")?;
        must(is_count(self.interpolations, Self::MOST_STEPS), "a frame has 1 to 1000 interpolations")?;
        must(is_count(self.steps, Self::MOST_STEPS), "an interpolation has 1 to 1000 steps")?;
        must(self.influence.is_finite(), "the influence radius must be finite")?;
        must(is_share(self.touch), "the distance of particles above the medium cannot be negative")?;
        must(is_share(self.jitter), "the velocity of their own that particles have cannot be negative")?;
        must(self.gravity.is_finite() && self.wind.is_finite(), "gravity and wind must be finite")?;
        must(is_share(self.drag), "drag cannot be negative")?;
        must(is_share(self.friction), "friction of particles cannot be negative")?;
        must((0.0..=1.0).contains(&self.restitution), "restitution of particles is from 0 to 1")?;
        let is_length = |cell: f64| (1e-9..=1e9).contains(&cell);
        must(self.cell.is_none_or(is_length), "cells of meshes are from 1e-9 to 1e9 m")?;
        must(self.bounds.is_none_or(|(low, high)| low.cmple(high).all()), "bounds must have an inside")
    }
}

impl std::fmt::Display for DetailWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sheet { problem, .. } => write!(
                f,
                "its mesh is no solid, {problem}: particles are pushed to the front of its triangles, and what comes from behind passes"
            ),
            Self::Coarse { cell, .. } => {
                write!(
                    f,
                    "its mesh is so large that particles see it on cells of {cell:.2e} m, larger than they are themselves"
                )
            }
        }
    }
}

impl DetailWarning {
    /// The obstacle or shape concerned.
    pub fn which(&self) -> Which {
        match *self {
            Self::Sheet { which, .. } | Self::Coarse { which, .. } => which,
        }
    }
}

impl Detail {
    /// The particles of the carriers in the first frame. Shapes and obstacles are in the order in
    /// which frames count them.
    pub fn new(
        settings: DetailSettings,
        shapes: &[DetailShape],
        surfaces: &[DetailSurface],
        first: &Frame,
    ) -> Result<(Self, Vec<DetailWarning>), DetailProblem> {
        if !shapes.iter().any(|shape| shape.is_carrier) {
            return Err(DetailProblem::NoCarriers);
        }
        if settings.influence <= 1.0 {
            return Err(DetailProblem::InfluenceTooSmall { influence: settings.influence });
        }
        settings.check()?;
        let carrier_shapes: Vec<_> = shapes.iter().map(|shape| carrier_shape(shape, settings.count)).collect();
        if carrier_shapes.iter().all(Option::is_none) {
            return Err(DetailProblem::NoCarriers);
        }
        let radii = || carrier_shapes.iter().flatten().map(|shape| f64::from(shape.fine));
        let (smallest, largest) = (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max));
        let cell = settings.cell.unwrap_or(smallest);
        let mut warnings = Vec::new();
        let mut mesh = |which: Which, mesh: &Mesh| {
            let (field, problem) = FineDistance::new(mesh, cell, LARGER * largest);
            warnings.extend(problem.map(|problem| DetailWarning::Sheet { which, problem }));
            if field.cell() > 1.5 * cell {
                warnings.push(DetailWarning::Coarse { which, cell: field.cell() });
            }
            let reach = mesh.vertices().iter().map(|vertex| vertex.length()).fold(0.0, f64::max) as f32;
            Stopper::Mesh(Arc::new(field), reach)
        };
        let surface = |(k, surface): (usize, &DetailSurface)| match surface {
            DetailSurface::Plane => Stopper::Plane,
            DetailSurface::Box(half) => Stopper::Box(half.as_vec3()),
            DetailSurface::Mesh(of) => mesh(Which::Obstacle(k), of),
        };
        let surfaces = surfaces.iter().enumerate().map(surface).collect();
        let body = |(k, shape): (usize, &DetailShape)| match &shape.mesh {
            _ if shape.is_carrier => None,
            Some(of) => Some(mesh(Which::Shape(k), of)),
            None => Some(Stopper::Balls(shape.spheres.iter().map(|s| (s.offset.as_vec3(), s.radius as f32)).collect())),
        };
        let body_surfaces: Vec<_> = shapes.iter().enumerate().map(body).collect();
        let mut detail = Self {
            settings,
            carrier_shapes,
            surfaces,
            time: first.time,
            carriers: Vec::new(),
            stands: Stands::of(first, &body_surfaces),
            body_surfaces,
            particles: Particles::default(),
            born: Vec::new(),
        };
        let carriers = super::carriers_of(first, &detail.carrier_shapes);
        let stands = detail.stands.clone();
        detail.bear(&carriers, &stands);
        detail.carriers = carriers;
        Ok((detail, warnings))
    }

    /// How particles follow their carriers.
    pub fn settings(&self) -> &DetailSettings {
        &self.settings
    }
}

/// So much larger than its shape says a body may be, and its particles with it, until they come
/// nearer to meshes than their radius.
const LARGER: f64 = 2.0;

/// Particles have together the volume of their grain: what is filled of the medium stays the same.
fn carrier_shape(shape: &DetailShape, count: u32) -> Option<CarrierShape> {
    if !shape.is_carrier {
        return None;
    }
    let whole = Shape::clump("carrier", shape.spheres.clone()).ok()?;
    let fine = (0.75 / std::f64::consts::PI * whole.volume / f64::from(count)).cbrt();
    Some(CarrierShape { reach: whole.bounding_radius as f32, fine: fine as f32 })
}
