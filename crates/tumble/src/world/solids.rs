//! Shapes in one line: boxes, capsules, cylinders, hulls and meshes for the rigid solver, meshes
//! covered with spheres for the granular one. [`Shape::ball`] and [`Shape::clump`] are for both,
//! and so is any other shape once [`Shape::cover`] or [`Shape::split`] gave it what it lacks.

use glam::DVec3;

use super::{Pose, Shape, ShapeProblem, ShapeSphere};
use crate::geometry::{
    Convex, ConvexPart, Cover, Decomposition, Hull, Mesh, Moments, Split, check_solid, cover, solid_moments, split,
};

/// Facets around what is round, in its mesh.
const SEGMENTS: u32 = 32;

/// Lengths that solids can have \[m\], and the least over the largest: what is thinner has no
/// inertia about its long axis but rounding.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;
const THINNEST: f64 = 1e-6;

impl Shape {
    /// A box with these lengths \[m\], about its middle. For the rigid solver.
    pub fn cuboid(name: &str, lengths: DVec3) -> Result<Self, ShapeProblem> {
        check(&lengths.to_array())?;
        Self::convex(name, Convex::Box(0.5 * lengths))
    }

    /// A capsule along the z axis, with this radius and this length from end to end \[m\], about
    /// its middle. For the rigid solver.
    pub fn capsule(name: &str, radius: f64, length: f64) -> Result<Self, ShapeProblem> {
        check(&[2.0 * radius, length])?;
        if length < 2.0 * radius {
            return Err(ShapeProblem::Lengths);
        }
        Self::convex(name, Convex::Capsule { radius, half: 0.5 * length - radius })
    }

    /// A cylinder along the z axis, with this radius and height \[m\], about its middle. For the
    /// rigid solver.
    pub fn cylinder(name: &str, radius: f64, height: f64) -> Result<Self, ShapeProblem> {
        check(&[2.0 * radius, height])?;
        Self::convex(name, Convex::Cylinder { radius, half: 0.5 * height })
    }

    /// The convex hull of points \[m\]. For the rigid solver.
    pub fn hull(name: &str, points: &[DVec3]) -> Result<Self, ShapeProblem> {
        let is_near = |point: &DVec3| point.abs().cmple(DVec3::splat(*LENGTHS.end())).all();
        let hull = if points.iter().all(is_near) { Hull::new(points) } else { None };
        Self::convex(name, Convex::Hull(Box::new(hull.ok_or(ShapeProblem::FlatHull)?)))
    }

    /// A closed mesh, split into convex parts. For the rigid solver. A large mesh takes seconds.
    pub fn mesh(name: &str, mesh: &Mesh) -> Result<Self, ShapeProblem> {
        check_solid(mesh).map_err(ShapeProblem::NotSolid)?;
        check_size(mesh)?;
        let parts = Decomposition::new(mesh, &split(mesh, &Split::DEFAULT)).ok_or(ShapeProblem::NotSplit)?;
        Self::of_mass(name, mesh, &solid_moments(mesh))?.with_parts(parts.list)
    }

    /// A closed mesh whose surface is covered with spheres. For the granular solver.
    pub fn covered(name: &str, mesh: &Mesh, how: &Cover) -> Result<Self, ShapeProblem> {
        check_solid(mesh).map_err(ShapeProblem::NotSolid)?;
        check_size(mesh)?;
        Self::of_mass(name, mesh, &solid_moments(mesh))?.with_spheres(spheres_on(mesh, how)?)
    }

    /// The same for the granular solver too: its mesh, which must be closed, is covered with
    /// spheres.
    pub fn cover(self, how: &Cover) -> Result<Self, ShapeProblem> {
        let spheres = spheres_on(&self.given_mesh()?, how)?;
        self.with_spheres(spheres)
    }

    /// The same for the rigid solver too: its mesh, which must be closed, is split into convex
    /// parts. A large mesh takes seconds.
    pub fn split(self, how: &Split) -> Result<Self, ShapeProblem> {
        let mesh = self.given_mesh()?;
        let parts = Decomposition::new(&mesh, &split(&mesh, how)).ok_or(ShapeProblem::NotSplit)?;
        self.with_parts(parts.list)
    }

    /// Its mesh in the axes it was given in, if it is one closed surface.
    fn given_mesh(&self) -> Result<Mesh, ShapeProblem> {
        let mesh = self.mesh.as_ref().ok_or(ShapeProblem::NoMesh)?;
        let mesh = mesh.map(|vertex| self.axes * vertex + self.centre).map_err(|_| ShapeProblem::Lengths)?;
        check_solid(&mesh).map_err(ShapeProblem::NotSolid)?;
        Ok(mesh)
    }

    /// Several convex parts held rigidly together, with the mass of all of them: what overlaps
    /// counts twice. For the rigid solver.
    pub fn of_parts(name: &str, parts: Vec<ConvexPart>) -> Result<Self, ShapeProblem> {
        if parts.is_empty() || !parts.iter().all(super::check::is_part) {
            return Err(ShapeProblem::Lengths);
        }
        let moments = Moments::sum(parts.iter().map(ConvexPart::moments));
        let meshes: Vec<Mesh> = parts.iter().map(|part| part.mesh(SEGMENTS)).collect();
        Self::of_mass(name, &Mesh::joined(&meshes), &moments)?.with_parts(parts)
    }

    fn convex(name: &str, convex: Convex) -> Result<Self, ShapeProblem> {
        Self::of_parts(name, vec![ConvexPart { convex, pose: Pose::IDENTITY }])
    }
}

/// Spheres that cover a solid.
fn spheres_on(mesh: &Mesh, how: &Cover) -> Result<Vec<ShapeSphere>, ShapeProblem> {
    let found = cover(mesh, how).map_err(ShapeProblem::NotCovered)?;
    Ok(found.centres.into_iter().map(|offset| ShapeSphere { offset, radius: how.radius }).collect())
}

/// Reports lengths of a solid that cannot be.
fn check(lengths: &[f64]) -> Result<(), ShapeProblem> {
    let [least, most] = lengths.iter().fold([f64::INFINITY, 0.0], |[a, b], &length| [length.min(a), length.max(b)]);
    let are_lengths = lengths.iter().all(|length| LENGTHS.contains(length));
    if are_lengths && least >= THINNEST * most { Ok(()) } else { Err(ShapeProblem::Lengths) }
}

fn check_size(mesh: &Mesh) -> Result<(), ShapeProblem> {
    let (low, high) = mesh.bounds();
    let is_near = [low, high].iter().all(|corner| corner.abs().cmple(DVec3::splat(*LENGTHS.end())).all());
    if is_near && LENGTHS.contains(&(high - low).max_element()) { Ok(()) } else { Err(ShapeProblem::Lengths) }
}
