//! The ground and obstacles: planes, boxes, meshes and models, standing still or driven.

use glam::{DQuat, DVec3};
use tumble::geometry::{Mesh, MeshSurface, Model, Surface};
use tumble::world::{MaterialId, Obstacle, Path, Pose, ShapeSphere, World};

use super::solids::Solids;
use super::{material_of, paths, shapes};
use crate::spec::{FineSpec, ObstacleSpec, SceneSpec, SurfaceSpec};

/// Data of obstacles for emitters and pictures.
pub(super) struct Obstacles {
    /// Models that stand in the scene.
    pub(super) models: Vec<Standing>,
    /// A finer mesh of each obstacle, which is drawn and which particles touch.
    pub(super) fine: Vec<Option<Mesh>>,
}

/// A model that stands in the scene under the name of its obstacle.
pub(super) struct Standing {
    pub(super) name: String,
    pub(super) model: Model,
    pub(super) segments: u32,
    pub(super) path: Path,
}

/// Adds the ground and all obstacles to the world. One with a problem is left out.
pub(super) fn compile(spec: &mut SceneSpec, world: &mut World, solids: &mut Solids<'_>) -> Obstacles {
    let mut made = Obstacles { models: Vec::new(), fine: Vec::new() };
    if let Some(height) = spec.ground {
        let pose = Pose { position: DVec3::new(0.0, 0.0, height), ..Pose::IDENTITY };
        world.obstacles.push(Obstacle::new("ground", MaterialId(0), Surface::Plane, Path::Fixed(pose)));
        made.fine.push(None);
    }
    for (at, obstacle) in spec.obstacles.iter_mut().enumerate() {
        let path = format!("obstacle[{at}]");
        let name = obstacle.name.clone().unwrap_or_default();
        let material = material_of(&spec.materials, obstacle.material.as_ref());
        let motion = paths::of_obstacle(obstacle);
        if !solids.findings.is_clean(&path) {
            continue;
        }
        let Some(Geometry { surface, turn, model }) = geometry(&path, obstacle, solids) else { continue };
        made.fine.push(fine(&path, obstacle, model.as_ref(), solids));
        let parts = match &model {
            Some(model) if solids.needs.parts => model.parts().ok().flatten().unwrap_or_default(),
            _ => Vec::new(),
        };
        if let (Some(model), SurfaceSpec::Model(spec)) = (model, &obstacle.surface) {
            made.models.push(Standing { name: name.clone(), model, segments: spec.segments(), path: motion.clone() });
        }
        let needs_cover = solids.needs.spheres;
        let cover = if needs_cover { cover(&name, &path, obstacle, &surface, solids) } else { Vec::new() };
        let motion = turned(motion, turn);
        world.obstacles.push(Obstacle { cover, parts, ..Obstacle::new(&name, material, surface, motion) });
    }
    made
}

/// The geometry of an obstacle.
struct Geometry {
    surface: Surface,
    /// From its own axes to those of the file: a plane's normal is its own z.
    turn: DQuat,
    /// The model it comes from.
    model: Option<Model>,
}

fn geometry(path: &str, spec: &mut ObstacleSpec, solids: &mut Solids<'_>) -> Option<Geometry> {
    let of_mesh = |mesh: Mesh| Surface::Mesh(Box::new(MeshSurface::new(mesh)));
    let plain = |surface: Surface| Geometry { surface, turn: DQuat::IDENTITY, model: None };
    match &mut spec.surface {
        SurfaceSpec::Plane(normal) => {
            let turn = DQuat::from_rotation_arc(DVec3::Z, normal.try_normalize()?);
            Some(Geometry { turn, ..plain(Surface::Plane) })
        }
        SurfaceSpec::Box(lengths) => Some(plain(Surface::Box(0.5 * DVec3::from(*lengths)))),
        SurfaceSpec::Mesh(mesh) => solids.read(path, mesh).map(|mesh| plain(of_mesh(mesh))),
        SurfaceSpec::Model(spec) => {
            let (model, mesh) = shapes::model(&format!("{path}.model"), spec, solids.findings)?;
            Some(Geometry { model: Some(model), ..plain(of_mesh(mesh)) })
        }
    }
}

/// A path on which everything is turned first, before it is moved and turned along the path.
fn turned(mut path: Path, turn: DQuat) -> Path {
    match &mut path {
        Path::Fixed(pose) | Path::Constant(pose, _) => pose.orientation *= turn,
        Path::Keys(keys) => keys.iter_mut().for_each(|key| key.pose.orientation *= turn),
    }
    path
}

/// The spheres of `cover` on an obstacle's surface: none without the table.
fn cover(
    name: &str,
    path: &str,
    spec: &mut ObstacleSpec,
    surface: &Surface,
    solids: &mut Solids<'_>,
) -> Vec<ShapeSphere> {
    let Some(cover) = &mut spec.cover else { return Vec::new() };
    let mesh = match surface {
        Surface::Plane => return Vec::new(),
        Surface::Box(half) => match (Model::Block { lengths: 2.0 * *half }).mesh(0) {
            Ok(mesh) => mesh,
            Err(problem) => {
                let what = format!("the box cannot be covered: {problem}");
                solids.findings.at(format!("{path}.box"), what, problem.help);
                return Vec::new();
            }
        },
        Surface::Mesh(mesh) => mesh.mesh().clone(),
    };
    let (whose, path) = (format!("obstacle {name}"), format!("{path}.cover"));
    let solid = solids.closed(&whose, &path, mesh);
    solid.and_then(|mesh| solids.covered(&whose, &path, cover, &mesh)).unwrap_or_default()
}

/// The same thing with more triangles.
fn fine(path: &str, spec: &mut ObstacleSpec, model: Option<&Model>, solids: &mut Solids<'_>) -> Option<Mesh> {
    match spec.fine.as_mut()? {
        FineSpec::Mesh(mesh) => solids.read(&format!("{path}.fine"), mesh),
        FineSpec::Segments(segments) => match model?.mesh(*segments) {
            Ok(mesh) => Some(mesh),
            Err(problem) => {
                solids.findings.at(format!("{path}.fine.segments"), problem.to_string(), "");
                None
            }
        },
    }
}
