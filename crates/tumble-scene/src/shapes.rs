//! `[shape.*]`: clumps with a name, clumps of given spheres, and solids, which the granular solver covers with spheres and the rigid
//! one touches as convex parts. And `[….cover]`, which obstacles have too.

use std::cell::RefCell;
use std::path::Path as FilePath;

use glam::DVec3;
use tumble::geometry::{self, ConvexPart, Cover, Mesh, Moments};
use tumble::world::{Clump, Shape, ShapeSphere};

use crate::splits::Splits;
use crate::text::{Range, TableReader};
use crate::{convex, models, placement};

/// How solids are read.
#[derive(Clone, Copy)]
pub(crate) struct Solids<'a> {
    /// Where mesh files are looked for.
    pub(crate) folder: &'a FilePath,
    /// Whether meshes with holes are mended.
    pub(crate) repair: bool,
    /// Whether the rigid solver needs them.
    pub(crate) is_rigid: bool,
    /// Meshes that are split already.
    pub(crate) splits: &'a RefCell<Splits>,
    /// What there is to say about them.
    pub(crate) notes: &'a RefCell<Vec<String>>,
}

/// Radii of spheres \[m\].
const RADII: Range = Range::Within(1e-9, 1e6);

/// Words of `clump`.
const CLUMPS: [&str; 5] = ["sphere", "tetrahedron", "octahedron", "cube", "centred_cube"];

/// Reads all shapes. A scene without any gets a sphere.
pub(crate) fn read(top: &TableReader<'_>, solids: &Solids<'_>) -> Vec<Shape> {
    let mut tables = top.subtables("shape");
    if tables.is_empty() {
        tables.push(("sphere".into(), top.table("shape").table("sphere")));
    }
    // A shape with a problem is replaced, so that what refers to others still finds them.
    let shape = |(name, table): &(String, TableReader<'_>)| {
        shape(name, table, solids).unwrap_or_else(|| Shape::sphere(name, 0.01))
    };
    tables.iter().map(shape).collect()
}

fn shape(name: &str, table: &TableReader<'_>, solids: &Solids<'_>) -> Option<Shape> {
    // Without anything it is a sphere; with keys of an object it has lost its mesh.
    let kinds = ["clump", "sphere", "mesh", "model", "box", "capsule", "cylinder", "hull", "part"];
    let is_plain = !kinds.iter().chain(&["cover", "convex", "scale", "mesh_hash"]).any(|key| table.has(key));
    if !is_plain && !placement::exactly_one(table, &kinds) {
        table.leave_unread();
        return None;
    }
    if table.has("sphere") {
        return given_clump(name, table);
    }
    if table.has("mesh") || table.has("model") {
        return object(name, table, solids);
    }
    if convex::KINDS.iter().chain(&["part"]).any(|key| table.has(key)) {
        let parts = convex::parts(table)?;
        return made_of(name, table, parts, solids);
    }
    let clump = match table.choice("clump", &CLUMPS).or("sphere") {
        "tetrahedron" => Clump::Tetrahedron,
        "octahedron" => Clump::Octahedron,
        "cube" => Clump::Cube,
        "centred_cube" => Clump::CentredCube,
        _ => Clump::Sphere,
    };
    let radius = table.number("radius", RADII).or(0.01);
    if clump == Clump::Sphere {
        return Some(Shape::sphere(name, radius));
    }
    let overlap = table.number("overlap", Range::Within(0.0, 0.9)).or(0.0);
    Some(Shape::named_clump(name, clump, radius, overlap))
}

/// `[[shape.NAME.sphere]]`: spheres held together.
fn given_clump(name: &str, table: &TableReader<'_>) -> Option<Shape> {
    let sphere = |table: &TableReader<'_>| ShapeSphere {
        offset: placement::vector(table, "position").or(DVec3::ZERO),
        radius: table.number("radius", RADII).or(0.01),
    };
    let spheres = table.array_of_tables("sphere").iter().map(sphere).collect();
    match Shape::clump(name, spheres) {
        Ok(shape) => Some(shape),
        Err(problem) => {
            table.problem_at("sphere", problem.to_string(), "write [[shape.NAME.sphere]] with a position and a radius");
            None
        }
    }
}

/// A mesh or a model as a body.
fn object(name: &str, table: &TableReader<'_>, solids: &Solids<'_>) -> Option<Shape> {
    let (key, model, mesh) = if table.has("model") {
        let (model, _, mesh) = models::read(table)?;
        ("model", Some(model), mesh)
    } else {
        ("mesh", None, placement::mesh(table, solids.folder)?.mesh().clone())
    };
    let mesh = solid(table, key, mesh, solids.repair)?;
    let moments = geometry::solid_moments(&mesh);
    if !solids.is_rigid {
        let spheres = covered(&table.table("cover"), &mesh)?;
        return Some(Shape::object(name, &mesh, &moments, spheres));
    }
    let parts = match model.and_then(|model| model.parts().ok().flatten()) {
        Some(parts) => parts,
        None => convex::split(name, table, &mesh, solids)?,
    };
    Some(Shape::solid(name, parts, &moments, &mesh))
}

/// Facets around round parts, where they are drawn.
const FACETS: u32 = 32;

/// Convex parts as a body: its mass is theirs, and where parts overlap it counts twice.
fn made_of(name: &str, table: &TableReader<'_>, parts: Vec<ConvexPart>, solids: &Solids<'_>) -> Option<Shape> {
    let meshes: Vec<Mesh> = parts.iter().map(|part| part.mesh(FACETS)).collect();
    let mesh = Mesh::joined(&meshes);
    let moments = Moments::sum(parts.iter().map(ConvexPart::moments));
    if solids.is_rigid {
        return Some(Shape::solid(name, parts, &moments, &mesh));
    }
    if parts.len() > 1 {
        let what = "the granular solver covers one solid with spheres, not several parts";
        table.problem_at("part", what, "write solver = \"rigid\", or make a clump or a mesh of it");
        return None;
    }
    let spheres = covered(&table.table("cover"), &mesh)?;
    Some(Shape::object(name, &mesh, &moments, spheres))
}

/// The mesh as a closed solid, mended if that is asked for and can be done.
pub(crate) fn solid(table: &TableReader<'_>, key: &str, mesh: Mesh, repair: bool) -> Option<Mesh> {
    let Err(problem) = geometry::check_solid(&mesh) else { return Some(mesh) };
    if !repair {
        let help = "mend the mesh, or let tumble try: write repair = true at the top, or run with --repair";
        table.problem_at(key, format!("the mesh is no solid: {problem}"), help);
        return None;
    }
    match geometry::repair(&mesh) {
        Ok((mended, _)) => Some(mended),
        Err(problem) => {
            table.problem_at(key, format!("the mesh cannot be mended: {problem}"), "mend it in a modelling program");
            None
        }
    }
}

/// The spheres of a `cover` table on a solid.
pub(crate) fn covered(table: &TableReader<'_>, mesh: &Mesh) -> Option<Vec<ShapeSphere>> {
    let (low, high) = mesh.bounds();
    let radius = table.number("radius", RADII).or(0.05 * (high - low).max_element());
    let density = table.number("density", Range::Within(0.01, 100.0)).or(1.0);
    let offset = table.number("offset", Range::Within(-placement::REACH, placement::REACH)).or(-radius);
    let seed = table.integer("seed", Range::AtLeast(0.0)).or(1) as u64;
    match geometry::cover(mesh, &Cover { radius, density, offset, seed }) {
        Ok(covered) => Some(covered.centres.into_iter().map(|offset| ShapeSphere { offset, radius }).collect()),
        Err(problem) => {
            table.problem_at("radius", problem.to_string(), "choose another `radius` or `offset` of the cover");
            None
        }
    }
}
