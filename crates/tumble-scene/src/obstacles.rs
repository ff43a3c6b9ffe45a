//! `ground` and `[[obstacle]]`: planes, boxes, meshes and models, standing still or driven.

use std::collections::BTreeSet;
use std::path::Path as FilePath;

use glam::{DQuat, DVec3};
use tumble::geometry::{Mesh, MeshSurface, Model, Surface};
use tumble::world::{MaterialId, Obstacle, Path, Pose, ShapeSphere};

use crate::look::{self, ObstacleLook};
use crate::materials::Named;
use crate::models::{self, Standing};
use crate::shapes::Solids;
use crate::text::{Range, TableReader};
use crate::{placement, shapes};

/// Reads all obstacles, how they are drawn and which are models; gives their names and where they stand in the file.
pub(crate) fn read<'a>(
    top: &TableReader<'a>,
    named: &Named,
    solids: &Solids<'_>,
    obstacles: &mut Vec<Obstacle>,
    looks: &mut Vec<ObstacleLook>,
    models: &mut Vec<Standing>,
) -> Vec<(String, TableReader<'a>)> {
    let (mut readers, mut taken) = (Vec::new(), BTreeSet::new());
    if let Some(height) = top.number("ground", Range::Within(-placement::REACH, placement::REACH)).optional() {
        let pose = Pose { position: DVec3::new(0.0, 0.0, height), ..Pose::IDENTITY };
        obstacles.push(Obstacle::new("ground", MaterialId(0), Surface::Plane, Path::Fixed(pose)));
        looks.push(ObstacleLook { how: "solid", colour: None, fine: None });
        taken.insert("ground".to_string());
        readers.push(("ground".to_string(), *top));
    }
    for (number, table) in top.array_of_tables("obstacle").iter().enumerate() {
        let name = placement::name(table, "obstacle", number + 1, &mut taken);
        let material = named.material(table);
        looks.push(look::obstacle(table));
        let (start, motion) = (placement::start(table), placement::motion(table));
        let path = placement::path(table, start, motion, placement::pose);
        if let Some(Geometry { surface, turn, model }) = geometry(table, solids.folder) {
            if let Some(look) = looks.last_mut() {
                look.fine = fine(table, solids.folder, model.as_ref().map(|model| &model.0));
            }
            let parts = match model {
                Some((model, _)) if solids.is_rigid => model.parts().ok().flatten().unwrap_or_default(),
                _ => Vec::new(),
            };
            if let Some((model, segments)) = model {
                models.push(Standing { name: name.clone(), model, segments, path: path.clone() });
            }
            let cover = if solids.is_rigid { Vec::new() } else { cover(&name, table, &surface, solids) };
            obstacles.push(Obstacle { cover, parts, ..Obstacle::new(&name, material, surface, turned(path, turn)) });
        }
        readers.push((name, *table));
    }
    readers
}

/// The spheres of `cover` on an obstacle's surface: none without the table.
fn cover(name: &str, table: &TableReader<'_>, surface: &Surface, solids: &Solids<'_>) -> Vec<ShapeSphere> {
    let Some(cover) = table.subtable("cover") else { return Vec::new() };
    let mesh = match surface {
        Surface::Plane => {
            let what = "an endless plane cannot be covered with spheres";
            table.problem_at("cover", what, "use a `box` instead of the plane");
            cover.leave_unread();
            return Vec::new();
        }
        Surface::Box(half) => match (Model::Block { lengths: 2.0 * *half }).mesh(0) {
            Ok(mesh) => mesh,
            Err(problem) => {
                table.problem_at("box", format!("the box cannot be covered: {problem}"), problem.help);
                cover.leave_unread();
                return Vec::new();
            }
        },
        Surface::Mesh(mesh) => mesh.mesh().clone(),
    };
    let whose = format!("obstacle {name}");
    let solid = shapes::solid(&whose, table, "cover", mesh, solids);
    solid.and_then(|mesh| shapes::covered(&whose, &cover, &mesh, solids)).unwrap_or_default()
}

/// Facets around what is round and only particles touch: no search tree is built over so many triangles.
const FINE_SEGMENTS: Range = Range::Within(6.0, 1024.0);

/// `[obstacle.fine]`: the same thing with more triangles, for particles and pictures.
fn fine(table: &TableReader<'_>, folder: &FilePath, model: Option<&Model>) -> Option<Mesh> {
    let fine = table.subtable("fine")?;
    if !placement::exactly_one(&fine, &["mesh", "segments"]) {
        return None;
    }
    if fine.has("mesh") {
        return placement::mesh(&fine, folder).map(|surface| surface.mesh().clone());
    }
    let segments = fine.integer("segments", FINE_SEGMENTS).required() as u32;
    let Some(model) = model else {
        let what = "only a `model` can be made with more facets";
        fine.problem_at("segments", what, "give a finer `mesh` instead");
        return None;
    };
    match model.mesh(segments) {
        Ok(mesh) => Some(mesh),
        Err(problem) => {
            fine.problem_at("segments", problem.to_string(), "");
            None
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

/// What an obstacle is in space.
struct Geometry {
    surface: Surface,
    /// From its own axes to those of the file: a plane's normal is its own z.
    turn: DQuat,
    /// The model it comes from, and its number of facets around.
    model: Option<(Model, u32)>,
}

impl From<Surface> for Geometry {
    fn from(surface: Surface) -> Self {
        Self { surface, turn: DQuat::IDENTITY, model: None }
    }
}

fn geometry(table: &TableReader<'_>, folder: &FilePath) -> Option<Geometry> {
    if !placement::exactly_one(table, &["plane", "box", "mesh", "model"]) {
        return None;
    }
    if let Some(normal) = placement::vector(table, "plane").optional() {
        let Some(normal) = normal.try_normalize() else {
            table.problem_at("plane", "the normal of a plane must not be zero", "write plane = [0, 0, 1] for a floor");
            return None;
        };
        return Some(Geometry { turn: DQuat::from_rotation_arc(DVec3::Z, normal), ..Surface::Plane.into() });
    }
    if let Some(size) = table.numbers::<3>("box", Range::Within(1e-9, placement::REACH)).optional() {
        return Some(Surface::Box(0.5 * DVec3::from(size)).into());
    }
    if table.has("model") {
        let (model, segments, mesh) = models::read(table)?;
        let surface = Surface::Mesh(Box::new(MeshSurface::new(mesh)));
        return Some(Geometry { model: Some((model, segments)), ..surface.into() });
    }
    placement::mesh(table, folder).map(|mesh| Surface::Mesh(Box::new(mesh)).into())
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::load_text;

    /// The normal of a plane is where the file says, turned along with the obstacle, whatever kind of path it has.
    #[test]
    fn a_plane_keeps_its_normal_on_every_path() {
        let head = "[[body]]\nposition = [3, 3, 0]\n[[obstacle]]\nplane = [1, 0, 0]\n";
        let paths = ["", "velocity = [0, 1, 0]\n", "[[obstacle.key]]\ntime = 1\nposition = [1, 0, 0]\n"];
        for path in paths {
            let scene = load_text("test", "test", &format!("{head}{path}"), ".".as_ref(), &[]).unwrap();
            let pose = scene.simulation.world().obstacles[0].pose;
            assert!((pose.orientation * DVec3::Z - DVec3::X).length() < 1e-12, "{path}");
        }
        let turned = format!("{head}rotation = [0, 0, 90]\n");
        let scene = load_text("test", "test", &turned, ".".as_ref(), &[]).unwrap();
        let pose = scene.simulation.world().obstacles[0].pose;
        assert!((pose.orientation * DVec3::Z - DVec3::Y).length() < 1e-12);
    }

    /// A place given outside the keys is where the obstacle is at time 0.
    #[test]
    fn a_path_begins_where_the_obstacle_is() {
        let text = "[[body]]\n[[obstacle]]\nbox = [1, 1, 1]\nposition = [9, 0, 0]\n[[obstacle.key]]\ntime = 2\nposition = [5, 0, 0]\n";
        let scene = load_text("test", "test", text, ".".as_ref(), &[]).unwrap();
        let obstacle = &scene.simulation.world().obstacles[0];
        assert_eq!(obstacle.pose.position.x, 9.0);
        assert_eq!(obstacle.path.at(1.0).0.position.x, 7.0);
    }
}
