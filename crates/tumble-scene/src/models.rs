//! `[obstacle.model]`: models made by formula, as obstacles and as what emitters fill.

use std::cell::Cell;

use glam::DVec3;
use tumble::geometry::{Mesh, MeshSurface, Model, Part, Section};
use tumble::world::Path;

use crate::placement;
use crate::text::{Range, TableReader};

/// All words of `kind`.
const KINDS: [&str; 25] = [
    "ball",
    "banana",
    "blade",
    "block",
    "book",
    "brick",
    "card",
    "cart",
    "chair",
    "container",
    "cross",
    "cylinder",
    "figure",
    "hopper",
    "hourglass",
    "l_block",
    "o_block",
    "pole",
    "rabbit",
    "ring",
    "slope",
    "stick",
    "tetrahedron",
    "tube",
    "tyre",
];

/// Lengths of models; what they have to do with each other is the model's own affair.
const LENGTHS: Range = Range::Within(1e-9, placement::REACH);

/// Facets around what is round.
const SEGMENTS: Range = Range::Within(6.0, 256.0);

/// A model that stands in the scene under the name of its obstacle.
pub(crate) struct Standing {
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) segments: u32,
    pub(crate) path: Path,
}

/// Reads the table `model`: the model, its number of facets around, and the mesh that follows.
pub(crate) fn read(obstacle: &TableReader<'_>) -> Option<(Model, u32, Mesh)> {
    let table = obstacle.subtable("model")?;
    let Some(kind) = table.choice("kind", &KINDS).optional() else {
        if !table.has("kind") {
            let what = format!("`kind` is missing in [{}]", table.name());
            table.problem_at("kind", what, &format!("write one of {}", KINDS.join(", ")));
        }
        // Which other keys belong here depends on the kind.
        table.leave_unread();
        return None;
    };
    let model = model(kind, &table);
    let segments = table.integer("segments", SEGMENTS).or(48) as u32;
    let model = model?;
    match model.mesh(segments) {
        Ok(mesh) => Some((model, segments, mesh)),
        Err(problem) => {
            table.problem_at(problem.length, problem.to_string(), problem.help);
            None
        }
    }
}

/// Reads all keys of a kind; gives nothing if one that must be there is missing or wrong, since what else is wrong then would be
/// guesswork.
fn model(kind: &str, table: &TableReader<'_>) -> Option<Model> {
    let complete = Cell::new(true);
    let length = |key: &str| {
        let length = table.number(key, LENGTHS);
        complete.set(complete.get() && length.is_good());
        length.required()
    };
    let lengths = || {
        let lengths = table.numbers::<3>("lengths", LENGTHS);
        complete.set(complete.get() && lengths.is_good());
        DVec3::from(lengths.required())
    };
    let wall = || table.number("wall", LENGTHS).or(0.005);
    let angle = || table.number("angle", Range::Within(1.0, 89.0)).or(30.0).to_radians();
    // Things of a known size need not be told theirs.
    let usual = |key: &str, length: f64| table.number(key, LENGTHS).or(length);
    let usual_lengths = |lengths: [f64; 3]| DVec3::from(table.numbers::<3>("lengths", LENGTHS).or(lengths));
    let extra = |key: &str| placement::extent(table, key).or(0.0);
    let model = match kind {
        "ball" => Model::Ball { radius: length("radius") },
        "banana" => Model::Banana { length: usual("length", 0.2) },
        "blade" => {
            Model::Blade { radius: length("radius"), width: length("width"), height: length("height"), wall: wall() }
        }
        "block" => Model::Block { lengths: lengths() },
        "book" => Model::Book { lengths: usual_lengths([0.15, 0.22, 0.035]) },
        "brick" => Model::Block { lengths: usual_lengths([0.24, 0.115, 0.071]) },
        "card" => Model::Block { lengths: usual_lengths([0.088, 0.063, 0.0003]) },
        "cart" => Model::Cart { length: usual("length", 1.0) },
        "chair" => Model::Chair { height: usual("height", 0.9) },
        "container" => Model::Container { lengths: lengths(), wall: wall() },
        "cross" => Model::Cross { lengths: lengths(), arm: length("arm") },
        "cylinder" => Model::Cylinder { radius: length("radius"), height: length("height") },
        "figure" => Model::Figure { height: usual("height", 1.8) },
        "hopper" => Model::Hopper {
            section: match table.choice("section", &["round", "square"]).or("round") {
                "square" => Section::Square,
                _ => Section::Round,
            },
            outlet: length("outlet"),
            top: length("top"),
            angle: angle(),
            bin: extra("bin"),
            wall: wall(),
        },
        "hourglass" => {
            Model::Hourglass { neck: length("neck"), bulb: length("bulb"), height: length("height"), wall: wall() }
        }
        "l_block" => Model::LBlock { lengths: lengths(), arm: length("arm") },
        "o_block" => Model::OBlock { lengths: lengths(), arm: length("arm") },
        "pole" => Model::Pole {
            radius: length("radius"),
            height: length("height"),
            rounded: table.boolean("rounded").or(false),
        },
        "rabbit" => Model::Rabbit { height: usual("height", 0.3) },
        "ring" => Model::Ring { radius: length("radius"), tube: length("tube") },
        "slope" => Model::Slope {
            height: length("height"),
            angle: angle(),
            width: length("width"),
            flat: extra("flat"),
            wall: wall(),
        },
        "stick" => Model::Stick { radius: usual("radius", 0.01), length: usual("length", 0.3) },
        "tetrahedron" => Model::Tetrahedron { edge: length("edge") },
        "tube" => Model::Tube { radius: length("radius"), height: length("height"), wall: wall() },
        "tyre" => {
            let radius = usual("radius", 0.32);
            Model::Tyre { radius, hole: usual("hole", 0.625 * radius), width: usual("width", 0.625 * radius) }
        }
        other => unreachable!("`{other}` is not one of the kinds"),
    };
    complete.get().then_some(model)
}

/// What `inside` and `part` of an emitter name: the cavity of a model, where it is at `time` \[s\].
pub(crate) fn cavity(
    emitter: &TableReader<'_>,
    time: f64,
    models: &[Standing],
    obstacles: &[(String, TableReader<'_>)],
) -> Option<MeshSurface> {
    let name = emitter.string("inside").optional()?;
    let (part, word) = match emitter.choice("part", &["upper", "lower"]).or("upper") {
        "lower" => (Part::Lower, "lower"),
        _ => (Part::Upper, "upper"),
    };
    let hollow = |standing: &&Standing| standing.cavity(Part::Upper).is_some();
    let Some(standing) = models.iter().find(|standing| standing.name == name) else {
        // A model with a problem of its own is left alone here.
        match obstacles.iter().find(|(other, _)| *other == name) {
            Some((_, obstacle)) if obstacle.has("model") => {}
            found => {
                let what = match found {
                    Some(_) => format!("obstacle `{name}` is no model, so it has no inside to fill"),
                    None => format!("there is no obstacle `{name}`"),
                };
                let names: Vec<&str> = models.iter().filter(hollow).map(|standing| standing.name.as_str()).collect();
                let help = match names.as_slice() {
                    [] => "give a hollow model as [[obstacle]]: a container, tube, hopper or hourglass".to_string(),
                    names => format!("hollow obstacles: {}", names.join(", ")),
                };
                emitter.problem_at("inside", what, &help);
            }
        }
        return None;
    };
    let Some(cavity) = standing.cavity(part) else {
        let (key, help) = match part {
            Part::Upper => ("inside", "containers, tubes, hoppers and hourglasses can be filled"),
            Part::Lower => ("part", "only an hourglass has a lower part; leave `part` out"),
        };
        emitter.problem_at(key, format!("obstacle `{name}` has no {word} part to fill"), help);
        return None;
    };
    let pose = standing.path.at(time).0;
    match cavity.map(|vertex| pose.to_world(vertex)).map(MeshSurface::new) {
        Ok(mesh) if mesh.is_closed() => Some(mesh),
        _ => {
            let what = format!("obstacle `{name}` is too far away to fill: its inside is lost in rounding");
            emitter.problem_at("inside", what, "move it nearer to the origin");
            None
        }
    }
}

impl Standing {
    fn cavity(&self, part: Part) -> Option<Mesh> {
        // A model that has a mesh has been checked.
        self.model.cavity(part, self.segments).ok().flatten()
    }
}
