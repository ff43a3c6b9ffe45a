//! The thing to pile: a model by its name or a mesh file, as a scene has it, and how large it is.
//!
//! A model is given by its longest side alone; its other lengths are in proportion. Volume and
//! extent come from the mesh that the scene will use.

use std::path::Path;

use glam::DVec3;
use tumble::geometry::{Mesh, solid_moments};
use tumble_scene::mesh::read_mesh;
use tumble_scene::spec::{FormSpec, MeshSpec, ModelKind, ModelSpec, ShapeSpec};
use tumble_scene::text::{Word, nearest};

use super::scene::short;
use crate::Failure;

/// Models that can be piled, and how long their longest side usually is \[m\].
const MODELS: [(ModelKind, f64); 18] = [
    (ModelKind::Ball, 0.1),
    (ModelKind::Banana, 0.2),
    (ModelKind::Block, 0.2),
    (ModelKind::Book, 0.22),
    (ModelKind::Brick, 0.24),
    (ModelKind::Card, 0.088),
    (ModelKind::Cart, 1.45),
    (ModelKind::Chair, 0.9),
    (ModelKind::Cross, 0.2),
    (ModelKind::Cylinder, 0.2),
    (ModelKind::Figure, 1.8),
    (ModelKind::LBlock, 0.2),
    (ModelKind::OBlock, 0.2),
    (ModelKind::Rabbit, 0.3),
    (ModelKind::Ring, 0.2),
    (ModelKind::Stick, 0.3),
    (ModelKind::Tetrahedron, 0.2),
    (ModelKind::Tyre, 0.64),
];

/// Other words for these models.
const ALSO: [(&str, &str); 7] = [
    ("sphere", "ball"),
    ("grain", "ball"),
    ("box", "block"),
    ("cube", "block"),
    ("lblock", "l_block"),
    ("oblock", "o_block"),
    ("tire", "tyre"),
];

/// Longest side of a mesh, if nobody says \[m\].
const MESH_LENGTH: f64 = 0.2;

/// A thing of which many are piled.
#[derive(Debug)]
pub(crate) struct Thing {
    /// Its name in the scene.
    pub(crate) name: String,
    /// Its shape there.
    pub(crate) shape: ShapeSpec,
    /// Volume \[m³\], and that of the box around it.
    pub(crate) volume: f64,
    pub(crate) room: f64,
    /// Radius of the ball about its centre of mass that holds it \[m\].
    pub(crate) reach: f64,
}

impl Thing {
    /// Finds a thing by the name of a model or of a mesh file. Its mesh will be looked for from
    /// `folder`.
    pub(crate) fn find(what: &str, length: Option<f64>, folder: &Path) -> Result<Self, Failure> {
        let name = ALSO.iter().find(|(also, _)| *also == what).map_or(what, |(_, name)| name);
        match MODELS.iter().find(|(kind, _)| kind.word() == name) {
            Some((kind, usual)) => Self::model(*kind, length.unwrap_or(*usual)),
            None if Path::new(what).extension().is_some() => Self::mesh(Path::new(what), length, folder),
            None => {
                let names = MODELS.map(|(kind, _)| kind.word());
                let help = match nearest(what, &names) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("a mesh file (.obj, .stl, .ply, .glb, .gltf), or one of {}", names.join(", ")),
                };
                Err(format!("there is no model `{what}`\nhelp: {help}").into())
            }
        }
    }

    fn model(kind: ModelKind, length: f64) -> Result<Self, Failure> {
        let model = model(kind, length);
        let mesh = model.model().mesh(model.segments()).map_err(|problem| problem.to_string())?;
        Ok(Self::new(kind.word(), FormSpec::Model(Box::new(model)), &mesh, 1.0))
    }

    fn mesh(file: &Path, length: Option<f64>, folder: &Path) -> Result<Self, Failure> {
        let mesh = read_mesh(file)?.mesh;
        let (low, high) = mesh.bounds();
        let scale = short(length.unwrap_or(MESH_LENGTH) / (high - low).max_element());
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let file = absolute(file);
        let file = file.strip_prefix(absolute(folder)).unwrap_or(&file);
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let name: String = file.file_stem().unwrap_or_default().to_string_lossy().chars().map(plain).collect();
        let spec = MeshSpec { file: file.to_string_lossy().into_owned(), scale, hash: None };
        Ok(Self::new(&name, FormSpec::Mesh(spec), &mesh, scale))
    }

    fn new(name: &str, form: FormSpec, mesh: &Mesh, scale: f64) -> Self {
        let (low, high) = mesh.bounds();
        let moments = solid_moments(mesh);
        let reach = mesh.vertices().iter().map(|vertex| vertex.distance(moments.centre)).fold(0.0, f64::max);
        let cube = |lengths: DVec3| lengths.element_product();
        Self {
            name: name.to_string(),
            shape: ShapeSpec { form, ..ShapeSpec::default() },
            volume: moments.volume.abs() * scale.powi(3),
            room: cube(scale * (high - low)),
            reach: reach * scale,
        }
    }
}

/// The model whose longest side is this long.
fn model(kind: ModelKind, length: f64) -> ModelSpec {
    let of = |part: f64| Some(short(part * length));
    let three = |x: f64, y: f64, z: f64| Some([x, y, z].map(|part| short(part * length)));
    let model = ModelSpec { kind, ..ModelSpec::default() };
    match kind {
        ModelKind::Ball | ModelKind::Tyre => ModelSpec { radius: of(0.5), ..model },
        ModelKind::Block => ModelSpec { lengths: three(1.0, 1.0, 1.0), ..model },
        ModelKind::Book => ModelSpec { lengths: three(0.68, 1.0, 0.16), ..model },
        ModelKind::Brick => ModelSpec { lengths: three(1.0, 0.48, 0.3), ..model },
        ModelKind::Card => ModelSpec { lengths: three(1.0, 0.716, 0.0035), ..model },
        ModelKind::Cart => ModelSpec { length: of(1.0 / 1.45), ..model },
        ModelKind::Cross => ModelSpec { lengths: three(1.0, 1.0, 0.3), arm: of(0.3), ..model },
        ModelKind::Cylinder => ModelSpec { radius: of(0.25), height: of(1.0), ..model },
        ModelKind::LBlock => ModelSpec { lengths: three(1.0, 1.0, 0.35), arm: of(0.35), ..model },
        ModelKind::OBlock => ModelSpec { lengths: three(1.0, 1.0, 0.25), arm: of(0.25), ..model },
        ModelKind::Ring => ModelSpec { radius: of(0.4), tube: of(0.1), ..model },
        ModelKind::Stick => ModelSpec { radius: of(0.033), length: of(1.0), ..model },
        ModelKind::Tetrahedron => ModelSpec { edge: of(1.0), ..model },
        ModelKind::Banana => ModelSpec { length: of(1.0), ..model },
        _ => ModelSpec { height: of(1.0), ..model },
    }
}
