//! Shapes: clumps, and solids, which are covered with spheres or split into convex parts as far as
//! the solver needs them.

use glam::DVec3;
use tumble::geometry::{self, Convex, ConvexPart, Hull, Mesh, Model, Moments};
use tumble::world::{Clump, Pose, Shape, ShapeProblem, ShapeSphere};

use super::rotation;
use super::solids::Solids;
use crate::findings::Findings;
use crate::spec::{CoverSpec, FormSpec, ModelSpec, PartSpec, ShapeSpec, SolidSpec, SphereSpec, SplitSpec};
use crate::text::key_text;

/// Makes all shapes. One with a problem is replaced by a sphere, so that what refers to others
/// still finds them.
pub(super) fn compile(specs: &mut [(String, ShapeSpec)], solids: &mut Solids<'_>) -> Vec<Shape> {
    let shape = |(name, spec): &mut (String, ShapeSpec)| {
        let path = format!("shape.{}", key_text(name));
        let shape = solids.findings.is_clean(&path).then(|| shape(name, &path, spec, solids)).flatten();
        shape.or_else(|| Shape::ball(name, 0.01).ok())
    };
    specs.iter_mut().filter_map(shape).collect()
}

/// A shape, or the reason why it is none.
fn made(path: String, shape: Result<Shape, ShapeProblem>, findings: &mut Findings) -> Option<Shape> {
    let report = |problem: ShapeProblem| findings.at(path, problem.to_string(), "give it other lengths");
    shape.map_err(report).ok()
}

fn shape(name: &str, path: &str, spec: &mut ShapeSpec, solids: &mut Solids<'_>) -> Option<Shape> {
    let whose = format!("shape {name}");
    let solid = match &mut spec.form {
        &mut FormSpec::Clump { clump: Clump::Sphere, radius, .. } => {
            return made(format!("{path}.radius"), Shape::ball(name, radius), solids.findings);
        }
        &mut FormSpec::Clump { clump, radius, overlap } => {
            let clump = Shape::named_clump(name, clump, radius, overlap);
            return made(format!("{path}.radius"), clump, solids.findings);
        }
        FormSpec::Spheres(spheres) => return given_clump(name, path, spheres, solids.findings),
        FormSpec::Solid(solid) => {
            of_parts(vec![ConvexPart { convex: convex(path, solid, solids.findings)?, pose: Pose::IDENTITY }])
        }
        FormSpec::Parts(parts) => of_parts(parts_of(path, parts, solids.findings)?),
        FormSpec::Mesh(mesh) => {
            let mesh = solids.read(path, mesh)?;
            of_mesh(solids.closed(&whose, &format!("{path}.mesh"), mesh)?, None)
        }
        FormSpec::Model(spec) => {
            let (model, mesh) = model(&format!("{path}.model"), spec, solids.findings)?;
            of_mesh(solids.closed(&whose, &format!("{path}.model"), mesh)?, Some(model))
        }
    };

    let mut shape = Shape::of_mass(name, &solid.mesh, &solid.moments);
    if solids.needs.spheres {
        if !solid.is_one {
            let what = "the granular solver covers one solid with spheres, not several parts";
            let help = "write solver = \"rigid\", or make a clump or a mesh of it";
            solids.findings.at(format!("{path}.part"), what, help);
            return None;
        }
        let cover = spec.cover.get_or_insert_with(CoverSpec::default);
        let spheres = solids.covered(&whose, &format!("{path}.cover"), cover, &solid.mesh)?;
        shape = shape.and_then(|shape| shape.with_spheres(spheres));
    }
    if solids.needs.parts {
        let of_model = || solid.model?.parts().ok().flatten();
        let parts = match solid.parts.or_else(of_model) {
            Some(parts) => parts,
            None => {
                let split = spec.convex.get_or_insert_with(SplitSpec::default);
                solids.split(&whose, &format!("{path}.convex"), split, &solid.mesh)?
            }
        };
        shape = shape.and_then(|shape| shape.with_parts(parts));
    }
    made(path.into(), shape, solids.findings)
}

/// A solid body before it is covered or split.
struct SolidBody {
    mesh: Mesh,
    moments: Moments,
    /// Its convex parts, or the model that may have some, if they are known without splitting the
    /// mesh.
    parts: Option<Vec<ConvexPart>>,
    model: Option<Model>,
    /// Whether its mesh is one closed surface, which can be covered.
    is_one: bool,
}

/// Facets around round parts, where they are drawn.
const FACETS: u32 = 32;

/// Convex parts as a body: its mass is theirs, and where parts overlap it counts twice.
fn of_parts(parts: Vec<ConvexPart>) -> SolidBody {
    let meshes: Vec<Mesh> = parts.iter().map(|part| part.mesh(FACETS)).collect();
    let moments = Moments::sum(parts.iter().map(ConvexPart::moments));
    SolidBody { mesh: Mesh::joined(&meshes), moments, is_one: parts.len() == 1, parts: Some(parts), model: None }
}

/// A closed mesh as a body.
fn of_mesh(mesh: Mesh, model: Option<Model>) -> SolidBody {
    SolidBody { moments: geometry::solid_moments(&mesh), mesh, parts: None, model, is_one: true }
}

/// The model of a table and its mesh; `path` is that of the model.
pub(super) fn model(path: &str, spec: &ModelSpec, findings: &mut Findings) -> Option<(Model, Mesh)> {
    let model = spec.model();
    match model.mesh(spec.segments()) {
        Ok(mesh) => Some((model, mesh)),
        Err(problem) => {
            findings.at(format!("{path}.{}", problem.length), problem.to_string(), problem.help);
            None
        }
    }
}

/// Spheres held together.
fn given_clump(name: &str, path: &str, spheres: &[SphereSpec], findings: &mut Findings) -> Option<Shape> {
    let sphere = |sphere: &SphereSpec| ShapeSphere { offset: sphere.position, radius: sphere.radius };
    match Shape::clump(name, spheres.iter().map(sphere).collect()) {
        Ok(shape) => Some(shape),
        Err(problem) => {
            let help = match problem {
                ShapeProblem::TooMany { .. } | ShapeProblem::TooDense { .. } => {
                    "use fewer spheres, or a `mesh` with a `cover`"
                }
                _ => "write [[shape.NAME.sphere]] with a position and a radius",
            };
            findings.at(format!("{path}.sphere"), problem.to_string(), help);
            None
        }
    }
}

fn parts_of(path: &str, specs: &[PartSpec], findings: &mut Findings) -> Option<Vec<ConvexPart>> {
    if specs.is_empty() {
        let help = "write [[shape.NAME.part]] with a solid in it";
        findings.at(format!("{path}.part"), "a solid of parts has at least one", help);
        return None;
    }
    let mut part = |(at, spec): (usize, &PartSpec)| {
        let convex = convex(&format!("{path}.part[{at}]"), &spec.solid, findings)?;
        let pose = Pose { position: spec.position, orientation: rotation(spec.rotation) };
        Some(ConvexPart { convex, pose })
    };
    // All parts are looked at, so that all problems are found.
    let parts: Vec<Option<ConvexPart>> = specs.iter().enumerate().map(&mut part).collect();
    parts.into_iter().collect()
}

/// The smallest length of a solid, relative to its largest. What is thinner has no inertia about
/// its long axis but rounding.
const THINNEST: f64 = 1e-6;

fn convex(path: &str, solid: &SolidSpec, findings: &mut Findings) -> Option<Convex> {
    let mut is_thick = |key: &str, lengths: &[f64]| {
        let [least, most] = lengths.iter().fold([f64::INFINITY, 0.0], |[a, b], &length| [length.min(a), length.max(b)]);
        let is_thick = least >= THINNEST * most;
        if !is_thick {
            let what = format!("a solid that is {most} m long cannot be only {least:e} m thick");
            findings.at(format!("{path}.{key}"), what, "make it at least a millionth as thick as it is long");
        }
        is_thick
    };
    match solid {
        SolidSpec::Ball(radius) => Some(Convex::Ball(*radius)),
        SolidSpec::Box(lengths) => is_thick("box", lengths).then(|| Convex::Box(0.5 * DVec3::from(*lengths))),
        SolidSpec::Cylinder(drum) => is_thick("cylinder.radius", &[2.0 * drum.radius, drum.height])
            .then_some(Convex::Cylinder { radius: drum.radius, half: 0.5 * drum.height }),
        SolidSpec::Capsule(rod) if rod.length < 2.0 * rod.radius => {
            let what = format!("a capsule that is {} m long cannot have a radius of {} m", rod.length, rod.radius);
            let help = "it is as long as two radii at least: then it is a ball";
            findings.at(format!("{path}.capsule.length"), what, help);
            None
        }
        // The length is that of the whole, with both caps.
        SolidSpec::Capsule(rod) => is_thick("capsule.radius", &[2.0 * rod.radius, rod.length])
            .then_some(Convex::Capsule { radius: rod.radius, half: 0.5 * rod.length - rod.radius }),
        SolidSpec::Hull(points) => match Hull::new(points) {
            Some(hull) => Some(Convex::Hull(Box::new(hull))),
            None => {
                let what = "a hull needs at least four points that do not lie in a plane, or nearly so";
                let help = "write hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]";
                findings.at(format!("{path}.hull"), what, help);
                None
            }
        },
    }
}
