//! Shapes of bodies: the mass of a clump or of a mesh, and the geometries that touch for it.
//!
//! A shape carries spheres, convex parts, or both. Each costs time to make (a mesh is covered or
//! split), so a shape has those that were asked for: a solver says which it needs
//! ([`SolverKind::needs`](crate::SolverKind::needs)) and takes its own from a shape that has both.
//!
//! A shape is kept in the body's own axes: the origin is the centre of mass and the axes are the
//! principal ones, in which the inertia is three numbers. What it was made from, such as a mesh,
//! has an origin and axes of its own: [`Shape::centre`] and [`Shape::axes`] lead back to them.
//! Scenes and files know those only; [`Shape::placed`] and [`Shape::turned`] are where the two
//! meet.

use glam::{DQuat, DVec3};

use super::Pose;
use super::check::{LENGTHS, is_near, is_part, is_turn};
use crate::geometry::{
    ConvexPart, CoverProblem, Mesh, Moments, SolidProblem, principal, union_moments, union_moments_within,
};

/// One sphere of a shape, in the body's own axes, for a body of size one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeSphere {
    /// Centre, relative to the centre of mass \[m\].
    pub offset: DVec3,
    /// Radius \[m\].
    pub radius: f64,
}

impl ShapeSphere {
    /// How far it reaches from the centre of mass \[m\].
    fn reach(&self) -> f64 {
        self.offset.length() + self.radius
    }
}

/// A shape of bodies: its geometry and the distribution of its mass, for size one and density one.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Name in the scene.
    pub name: String,
    /// The spheres that touch other things in the granular solver, and in the rigid one where there
    /// are no parts; none where nobody asked for them.
    pub spheres: Vec<ShapeSphere>,
    /// The convex parts that touch other things in the rigid solver, in the body's own axes; none
    /// for a clump, whose spheres do, and where nobody asked for them.
    pub parts: Vec<ConvexPart>,
    /// Volume \[m³\].
    pub volume: f64,
    /// About how far apart such bodies lie in a heap \[m\]: the diameter of a ball of their volume,
    /// for solids of that of the box around them.
    pub diameter: f64,
    /// Principal moments of inertia, for density one \[m⁵\].
    pub moments: DVec3,
    /// From the body's own axes to those it was given in.
    pub axes: DQuat,
    /// The centre of mass in the axes and from the origin it was given in \[m\].
    pub centre: DVec3,
    /// The same as it was computed; `centre` is free of rounding about zero. Geometries that touch
    /// are moved by this one.
    computed_centre: DVec3,
    /// Radius of the smallest sphere about the centre of mass that holds the shape \[m\].
    pub bounding_radius: f64,
    /// Its mesh in pictures, in the body's own axes; none for a clump, which is drawn as its
    /// spheres.
    pub mesh: Option<Mesh>,
}

/// Why spheres do not make a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeProblem {
    /// There is no sphere.
    NoSpheres,
    /// A radius is zero, negative or not a number.
    NoVolume {
        /// The sphere.
        sphere: usize,
    },
    /// There are more spheres than a clump may have.
    TooMany {
        /// How many.
        spheres: usize,
    },
    /// So many spheres overlap that what they fill together takes too long to find.
    TooDense {
        /// How many there are.
        spheres: usize,
    },
    /// A length is zero, negative, not a number, or too small for the others.
    Lengths,
    /// The points of a hull lie in a plane, or there are too few.
    FlatHull,
    /// The mass that it is given is not that of a body.
    NoMass,
    /// The mesh does not enclose a volume.
    NotSolid(SolidProblem),
    /// There is no mesh that could be covered or split: a clump is its spheres.
    NoMesh,
    /// The mesh could not be split into convex parts.
    NotSplit,
    /// The mesh could not be covered with spheres.
    NotCovered(CoverProblem),
}

impl ShapeProblem {
    /// The largest number of spheres of a clump.
    pub const MOST_SPHERES: usize = 20_000;
    /// How often spheres may be looked at to find the solid that they fill together: one or two
    /// seconds.
    const MOST_WORK: u64 = 50_000_000;
}

impl std::fmt::Display for ShapeProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSpheres => write!(f, "a clump needs at least one sphere"),
            Self::NoVolume { sphere } => write!(f, "sphere {} of the clump has no volume", sphere + 1),
            Self::TooMany { spheres } => {
                write!(f, "a clump of {spheres} spheres has more than {}", Self::MOST_SPHERES)
            }
            Self::TooDense { spheres } => {
                write!(f, "{spheres} spheres overlap too much to find the solid that they fill together")
            }
            Self::Lengths => write!(
                f,
                "a shape needs lengths from 1e-9 m to 1e9 m, none below a millionth of another, and a capsule is at \
                 least two radii long"
            ),
            Self::FlatHull => {
                write!(f, "a hull needs at least four points that do not lie in a plane, or nearly so")
            }
            Self::NoMass => write!(f, "a shape needs a volume, a centre and moments of inertia above zero"),
            Self::NotSolid(problem) => write!(f, "{problem}"),
            Self::NoMesh => write!(f, "a clump has no mesh that could be covered with spheres or split into parts"),
            Self::NotSplit => write!(f, "the mesh could not be split into convex parts"),
            Self::NotCovered(problem) => write!(f, "{problem}"),
        }
    }
}

impl std::error::Error for ShapeProblem {}

fn balls(spheres: &[ShapeSphere]) -> Vec<(DVec3, f64)> {
    spheres.iter().map(|sphere| (sphere.offset, sphere.radius)).collect()
}

/// Clumps with a name. Neighbouring spheres have the same radius and touch, or overlap as far as
/// asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clump {
    /// One sphere.
    Sphere,
    /// Four, on the corners of a tetrahedron (Bell et al. 2005, figure 4).
    Tetrahedron,
    /// Six, on the corners of an octahedron.
    Octahedron,
    /// Eight, on the corners of a cube (Bell et al. 2005, figure 4).
    Cube,
    /// Nine: a cube and one more in its middle.
    CentredCube,
}

impl Clump {
    /// Centres, with a distance of one between neighbouring corners.
    fn corners(self) -> Vec<DVec3> {
        let v = DVec3::new;
        // Every other corner of a cube of edge √½ has distance one.
        let a = 0.125f64.sqrt();
        let cube = (0..8).map(|k| 0.5 * v(sign(k), sign(k >> 1), sign(k >> 2)));
        match self {
            Self::Sphere => vec![DVec3::ZERO],
            Self::Tetrahedron => vec![v(a, a, a), v(a, -a, -a), v(-a, a, -a), v(-a, -a, a)],
            Self::Octahedron => {
                [DVec3::X, DVec3::Y, DVec3::Z].iter().flat_map(|&axis| [2.0 * a * axis, -2.0 * a * axis]).collect()
            }
            Self::Cube => cube.collect(),
            Self::CentredCube => cube.chain([DVec3::ZERO]).collect(),
        }
    }
}

/// Volume of the box around a mesh, along its axes \[m³\].
fn box_volume(mesh: &Mesh) -> f64 {
    let all = |pick: fn(DVec3, DVec3) -> DVec3| mesh.vertices().iter().copied().reduce(pick).unwrap_or_default();
    (all(DVec3::max) - all(DVec3::min)).element_product()
}

/// Diameter of a ball of this volume \[m\].
fn ball_diameter(volume: f64) -> f64 {
    (6.0 / std::f64::consts::PI * volume).cbrt()
}

/// An offset of the centre of mass below this part of the shape's reach is rounding.
const CENTRED: f64 = 1e-12;

/// -1 or 1, by the lowest bit.
fn sign(k: i32) -> f64 {
    f64::from(2 * (k & 1) - 1)
}

impl Shape {
    /// A ball with this radius \[m\].
    pub fn ball(name: &str, radius: f64) -> Result<Self, ShapeProblem> {
        if !LENGTHS.contains(&radius) {
            return Err(ShapeProblem::NoVolume { sphere: 0 });
        }
        let ball = Moments::of_ball(DVec3::ZERO, radius);
        Self::from_moments(name, vec![ShapeSphere { offset: DVec3::ZERO, radius }], &ball, None)
    }

    /// A clump with a name: spheres of one radius, each pair of neighbours `overlap` of a diameter
    /// in each other (0: touching).
    pub fn named_clump(name: &str, clump: Clump, radius: f64, overlap: f64) -> Result<Self, ShapeProblem> {
        if !LENGTHS.contains(&radius) || !(0.0..1.0).contains(&overlap) {
            return Err(ShapeProblem::NoVolume { sphere: 0 });
        }
        let apart = 2.0 * radius * (1.0 - overlap);
        let spheres: Vec<_> =
            clump.corners().into_iter().map(|corner| ShapeSphere { offset: apart * corner, radius }).collect();
        let moments = union_moments(&balls(&spheres));
        Self::from_moments(name, spheres, &moments, None)
    }

    /// A clump of given spheres. Its mass is that of the solid they fill together: where spheres
    /// overlap, mass is not counted twice.
    pub fn clump(name: &str, spheres: Vec<ShapeSphere>) -> Result<Self, ShapeProblem> {
        if spheres.is_empty() {
            return Err(ShapeProblem::NoSpheres);
        }
        let has_volume = |s: &ShapeSphere| LENGTHS.contains(&s.radius) && is_near(s.offset);
        if let Some(sphere) = spheres.iter().position(|s| !has_volume(s)) {
            return Err(ShapeProblem::NoVolume { sphere });
        }
        if spheres.len() > ShapeProblem::MOST_SPHERES {
            return Err(ShapeProblem::TooMany { spheres: spheres.len() });
        }
        let mut work = ShapeProblem::MOST_WORK;
        let moments = union_moments_within(&balls(&spheres), &mut work);
        if work == 0 {
            return Err(ShapeProblem::TooDense { spheres: spheres.len() });
        }
        Self::from_moments(name, spheres, &moments, None)
    }

    /// A body that is drawn as a mesh and has this mass, in the axes of the mesh. Nothing touches
    /// it yet: [`Shape::with_spheres`] and [`Shape::with_parts`] give it what does, each if it is
    /// needed.
    pub fn of_mass(name: &str, mesh: &Mesh, moments: &Moments) -> Result<Self, ShapeProblem> {
        Self::from_moments(name, Vec::new(), moments, Some(mesh))
    }

    /// The same with spheres that touch for it in the granular solver, in the axes it was given
    /// in.
    pub fn with_spheres(mut self, spheres: Vec<ShapeSphere>) -> Result<Self, ShapeProblem> {
        if let Some(sphere) = spheres.iter().position(|s| !(LENGTHS.contains(&s.radius) && is_near(s.offset))) {
            return Err(ShapeProblem::NoVolume { sphere });
        }
        let back = self.axes.conjugate();
        let own = |s: ShapeSphere| ShapeSphere { offset: back * (s.offset - self.computed_centre), ..s };
        self.spheres = spheres.into_iter().map(own).collect();
        self.bounding_radius = self.spheres.iter().map(ShapeSphere::reach).fold(self.bounding_radius, f64::max);
        Ok(self)
    }

    /// The same with convex parts that touch for it in the rigid solver, in the axes it was given
    /// in.
    pub fn with_parts(mut self, parts: Vec<ConvexPart>) -> Result<Self, ShapeProblem> {
        if !parts.iter().all(is_part) {
            return Err(ShapeProblem::Lengths);
        }
        let back = self.axes.conjugate();
        let own = |pose: Pose| Pose {
            position: back * (pose.position - self.computed_centre),
            orientation: back * pose.orientation,
        };
        self.parts = parts.into_iter().map(|part| ConvexPart { pose: own(part.pose), ..part }).collect();
        self.bounding_radius = self.parts.iter().map(ConvexPart::reach).fold(self.bounding_radius, f64::max);
        // Branched and hollow solids keep each other about as far apart as the boxes around them
        // would.
        if let Some(mesh) = &self.mesh {
            self.diameter = ball_diameter(box_volume(mesh));
        }
        Ok(self)
    }

    /// The pose of a body whose mesh, or whatever it was made from, stands with its origin and axes
    /// in a given pose.
    pub fn placed(&self, given: Pose, size: f64) -> Pose {
        Pose { position: given.to_world(size * self.centre), orientation: given.orientation * self.axes }
    }

    /// Where what the shape was made from stands when the body's centre of mass and principal axes
    /// are in a pose: the other way round than [`Shape::placed`].
    pub fn standing(&self, own: Pose, size: f64) -> Pose {
        let orientation = self.turned(own.orientation);
        Pose { position: own.position - orientation * (size * self.centre), orientation }
    }

    /// How what the shape was made from is turned when the body is: the other way round than
    /// [`Shape::placed`].
    pub fn turned(&self, orientation: DQuat) -> DQuat {
        orientation * self.axes.conjugate()
    }

    /// Moves everything to the centre of mass and turns it to principal axes.
    fn from_moments(
        name: &str,
        mut spheres: Vec<ShapeSphere>,
        whole: &Moments,
        mesh: Option<&Mesh>,
    ) -> Result<Self, ShapeProblem> {
        let (mut moments, axes) = principal(&whole.inertia);
        let masses = [whole.volume, moments.x, moments.y, moments.z];
        if !masses.iter().all(|mass| *mass > 0.0 && mass.is_finite()) || !is_near(whole.centre) || !is_turn(axes) {
            return Err(ShapeProblem::NoMass);
        }
        // A body that is round but for rounding counts as round: it turns without wobbling.
        if moments.max_element() - moments.min_element() < 1e-12 * moments.max_element() {
            moments = DVec3::splat(moments.element_sum() / 3.0);
        }
        let own = |point: DVec3| axes.conjugate() * (point - whole.centre);
        for sphere in &mut spheres {
            sphere.offset = own(sphere.offset);
        }
        let of_spheres = spheres.iter().map(ShapeSphere::reach).fold(0.0, f64::max);
        let mesh = mesh.map(|mesh| mesh.map(own)).transpose().map_err(|_| ShapeProblem::Lengths)?;
        let of_mesh = mesh.iter().flat_map(|mesh| mesh.vertices()).map(|v| v.length()).fold(0.0, f64::max);
        let reach = f64::max(of_spheres, of_mesh);
        Ok(Self {
            name: name.to_string(),
            spheres,
            parts: Vec::new(),
            volume: whole.volume,
            diameter: ball_diameter(whole.volume),
            moments,
            axes,
            centre: DVec3::from(
                whole.centre.to_array().map(|part| if part.abs() < CENTRED * reach { 0.0 } else { part }),
            ),
            computed_centre: whole.centre,
            bounding_radius: reach,
            mesh,
        })
    }
}
