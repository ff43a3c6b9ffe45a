//! `[shape.*]`: clumps with a name, clumps of given spheres, and solids, which the granular solver covers with spheres and the rigid
//! one touches as convex parts. And `[….cover]`, which obstacles have too.

use std::cell::RefCell;
use std::path::Path as FilePath;

use glam::DVec3;
use tumble::geometry::{self, ConvexPart, Cover, Mesh, Moments};
use tumble::world::{Clump, Shape, ShapeProblem, ShapeSphere};

use crate::scene::Note;
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
    pub(crate) notes: &'a RefCell<Vec<Note>>,
}

impl Solids<'_> {
    /// Remembers what is worth knowing.
    pub(crate) fn note(&self, is_warning: bool, text: String) {
        self.notes.borrow_mut().push(Note { text, is_warning });
    }
}

/// From this share of a thing on that was mended or left out, people are warned.
pub(crate) const NOTABLE: f64 = 0.02;

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
            let help = match problem {
                ShapeProblem::TooMany { .. } | ShapeProblem::TooDense { .. } => {
                    "use fewer spheres, or a `mesh` with a `cover`"
                }
                _ => "write [[shape.NAME.sphere]] with a position and a radius",
            };
            table.problem_at("sphere", problem.to_string(), help);
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
    let mesh = solid(&format!("shape {name}"), table, key, mesh, solids)?;
    let moments = geometry::solid_moments(&mesh);
    if !solids.is_rigid {
        let spheres = covered(&format!("shape {name}"), &table.table("cover"), &mesh, solids)?;
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
    let spheres = covered(&format!("shape {name}"), &table.table("cover"), &mesh, solids)?;
    Some(Shape::object(name, &mesh, &moments, spheres))
}

/// The mesh as a closed solid, mended if that is asked for and can be done.
pub(crate) fn solid(whose: &str, table: &TableReader<'_>, key: &str, mesh: Mesh, solids: &Solids<'_>) -> Option<Mesh> {
    let Err(problem) = geometry::check_solid(&mesh) else { return Some(mesh) };
    if !solids.repair {
        let help = "mend the mesh, or let tumble try: write repair = true at the top, or run with --repair";
        table.problem_at(key, format!("the mesh is no solid: {problem}"), help);
        return None;
    }
    match geometry::repair(&mesh) {
        Ok((mended, repair)) => {
            let lids = (1.0 - area(&mesh) / area(&mended)).max(0.0);
            let closed = if repair.closed == 0 {
                String::new()
            } else {
                format!("; what closes holes is {:.1} % of its surface, and behind it the mesh is solid", 100.0 * lids)
            };
            solids.note(lids >= NOTABLE, format!("{whose}: the mesh was mended: {repair}{closed}"));
            Some(mended)
        }
        Err(problem) => {
            table.problem_at(key, format!("the mesh cannot be mended: {problem}"), "mend it in a modelling program");
            None
        }
    }
}

/// Area of a mesh \[m²\].
fn area(mesh: &Mesh) -> f64 {
    let triangle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| mesh.vertices()[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    mesh.triangles().iter().map(triangle).sum()
}

/// Where the surface is farther than this from every sphere of its cover, there is a warning;
/// farther than the second, there are no spheres to speak of \[radii of the spheres\]. The corner
/// of a cube is 0.73 away, that of a tetrahedron 2.
const FAR: f64 = 1.5;
const BARE: f64 = 4.0;

/// An even cover of density one has gaps of 1.1 radii, from a point to the next centre; a warning
/// from so many times that on.
const EVEN_GAP: f64 = 1.1;
const UNEVEN: f64 = 1.8;

/// The spheres of a `cover` table on a solid.
pub(crate) fn covered(
    whose: &str,
    table: &TableReader<'_>,
    mesh: &Mesh,
    solids: &Solids<'_>,
) -> Option<Vec<ShapeSphere>> {
    let (low, high) = mesh.bounds();
    let radius = table.number("radius", RADII).or(0.05 * (high - low).max_element());
    let density = table.number("density", Range::Within(0.01, 100.0)).or(1.0);
    let offset = table.number("offset", Range::Within(-placement::REACH, placement::REACH)).or(-radius);
    let seed = table.integer("seed", Range::AtLeast(0.0)).or(1) as u64;
    match geometry::cover(mesh, &Cover { radius, density, offset, seed }) {
        Ok(covered) if covered.farthest > BARE * radius => {
            let what = format!(
                "the cover of {whose} has no spheres at some part: the surface there is up to {:.4} m from the nearest one, and would fall through everything",
                covered.farthest
            );
            let help = "lower `radius`: spheres must fit into its thinnest part, or raise `offset` towards zero";
            table.problem_at("radius", what, help);
            None
        }
        Ok(covered) => {
            let far = covered.farthest / radius;
            if far > FAR {
                solids.note(
                    true,
                    format!(
                        "{whose}: its cover of spheres is up to {:.4} m ({far:.1} of their radii) away from the surface; lower `cover.radius` where that is too much",
                        covered.farthest
                    ),
                );
            }
            let gap = covered.largest_gap / (radius * EVEN_GAP / density.sqrt());
            if gap > UNEVEN {
                let still = if covered.still { "" } else { "; the spheres had not come to rest" };
                solids.note(
                    true,
                    format!(
                        "{whose}: its cover has a hole: a point of it is {:.4} m from the next sphere's centre, {gap:.1} times as far as usual{still}",
                        covered.largest_gap
                    ),
                );
            }
            Some(covered.centres.into_iter().map(|offset| ShapeSphere { offset, radius }).collect())
        }
        Err(problem) => {
            table.problem_at("radius", problem.to_string(), "choose another `radius` or `offset` of the cover");
            None
        }
    }
}
