//! What is piled: a model by its name or a mesh file, in the words of a scene file, and how large it is.
//!
//! A model is given by its longest side alone; its other lengths are in proportion. Volume and extent come from the mesh that the scene will use.

use std::path::Path;

use glam::DVec3;
use tumble::geometry::{Mesh, solid_moments};
use tumble_scene::mesh::read_mesh;
use tumble_scene::text::nearest;

use super::scene::short;
use crate::Failure;

/// Models that can be piled, and how long their longest side usually is \[m\].
const MODELS: [(&str, f64); 18] = [
    ("ball", 0.1),
    ("banana", 0.2),
    ("block", 0.2),
    ("book", 0.22),
    ("brick", 0.24),
    ("card", 0.088),
    ("cart", 1.45),
    ("chair", 0.9),
    ("cross", 0.2),
    ("cylinder", 0.2),
    ("figure", 1.8),
    ("l_block", 0.2),
    ("o_block", 0.2),
    ("rabbit", 0.3),
    ("ring", 0.2),
    ("stick", 0.3),
    ("tetrahedron", 0.2),
    ("tyre", 0.64),
];

/// Other words for them.
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
    /// The lines of its shape.
    pub(crate) shape: String,
    /// Volume \[m³\], and that of the box around it.
    pub(crate) volume: f64,
    pub(crate) room: f64,
    /// Radius of the ball about its centre of mass that holds it \[m\].
    pub(crate) reach: f64,
}

impl Thing {
    /// Finds a thing by the name of a model or of a mesh file. Its mesh will be looked for from `folder`.
    pub(crate) fn find(what: &str, length: Option<f64>, folder: &Path) -> Result<Self, Failure> {
        let name = ALSO.iter().find(|(also, _)| *also == what).map_or(what, |(_, name)| name);
        match MODELS.iter().find(|(model, _)| *model == name) {
            Some((_, usual)) => Self::model(name, length.unwrap_or(*usual)),
            None if Path::new(what).extension().is_some() => Self::mesh(Path::new(what), length, folder),
            None => {
                let names = MODELS.map(|(name, _)| name);
                let help = match nearest(what, &names) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("a mesh file (.obj, .stl, .ply, .glb, .gltf), or one of {}", names.join(", ")),
                };
                Err(format!("there is no model `{what}`\nhelp: {help}").into())
            }
        }
    }

    fn model(name: &str, length: f64) -> Result<Self, Failure> {
        let shape = format!("model = {{ kind = \"{name}\", {} }}", lengths(name, length));
        // The scene reader knows the models; a scene with one body of it tells how large it is.
        let text = format!("solver = \"rigid\"\n[shape.{name}]\n{shape}\n[[body]]\n");
        let scene = tumble_scene::load_text(name, name, &text, Path::new("."), &[])?;
        let found = scene.simulation.world().shapes.first();
        let mesh = found.and_then(|shape| shape.mesh.as_ref()).ok_or_else(|| format!("{name} has no surface"))?;
        Ok(Self::new(name, shape, mesh, 1.0))
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
        let path = toml_text(&file.to_string_lossy());
        Ok(Self::new(&name, format!("mesh = {path}\nscale = {scale}"), &mesh, scale))
    }

    fn new(name: &str, shape: String, mesh: &Mesh, scale: f64) -> Self {
        let (low, high) = mesh.bounds();
        let moments = solid_moments(mesh);
        let reach = mesh.vertices().iter().map(|vertex| vertex.distance(moments.centre)).fold(0.0, f64::max);
        let cube = |lengths: DVec3| lengths.element_product();
        Self {
            name: name.to_string(),
            shape,
            volume: moments.volume.abs() * scale.powi(3),
            room: cube(scale * (high - low)),
            reach: reach * scale,
        }
    }
}

/// The lengths of a model whose longest side is this long, in the words of a scene.
fn lengths(name: &str, length: f64) -> String {
    let of = |part: f64| short(part * length);
    let three = |x: f64, y: f64, z: f64| format!("lengths = [{}, {}, {}]", of(x), of(y), of(z));
    match name {
        "ball" => format!("radius = {}", of(0.5)),
        "block" => three(1.0, 1.0, 1.0),
        "book" => three(0.68, 1.0, 0.16),
        "brick" => three(1.0, 0.48, 0.3),
        "card" => three(1.0, 0.716, 0.0035),
        "cart" => format!("length = {}", of(1.0 / 1.45)),
        "cross" => format!("{}, arm = {}", three(1.0, 1.0, 0.3), of(0.3)),
        "cylinder" => format!("radius = {}, height = {}", of(0.25), of(1.0)),
        "l_block" => format!("{}, arm = {}", three(1.0, 1.0, 0.35), of(0.35)),
        "o_block" => format!("{}, arm = {}", three(1.0, 1.0, 0.25), of(0.25)),
        "ring" => format!("radius = {}, tube = {}", of(0.4), of(0.1)),
        "stick" => format!("radius = {}, length = {}", of(0.033), of(1.0)),
        "tetrahedron" => format!("edge = {}", of(1.0)),
        "tyre" => format!("radius = {}", of(0.5)),
        "banana" => format!("length = {}", of(1.0)),
        _ => format!("height = {}", of(1.0)),
    }
}

/// A string as TOML writes it.
fn toml_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
