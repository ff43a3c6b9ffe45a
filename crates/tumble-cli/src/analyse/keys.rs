//! What of a scene an analysis can vary: reads the resolved scene, gives assignments as `--set` takes them.

use tumble::world::MaterialId;
use tumble_scene::Scene;
use tumble_scene::text::{Item, Node, Source, Value};

use crate::Failure;

/// The keys of a scene that analyses look at.
pub(super) struct Keys {
    /// Materials that bodies are made of.
    materials: Vec<String>,
    /// Numbers of the pairs between two of them.
    pairs: Vec<usize>,
    /// All emitters.
    pub(super) emitters: Vec<EmitterKeys>,
    /// Shapes of bodies that are given one by one.
    body_shapes: Vec<String>,
    /// How far the spheres of a shape's clump overlap, by the shape's name.
    overlaps: Vec<(String, f64)>,
    /// Bodies the scene will have had in the end.
    pub(super) bodies: u64,
    /// The seed.
    pub(super) seed: u64,
    /// How many piles there are.
    pub(super) piles: usize,
    /// Their angles, each once \[°\].
    pub(super) angles: Vec<f64>,
    /// Whether the solver has ordinary sleeping.
    pub(super) can_sleep: bool,
}

/// The keys of an emitter.
pub(super) struct EmitterKeys {
    /// What its bodies look like.
    pub(super) shape: String,
    /// How many it makes.
    count: u64,
    rate: Option<f64>,
    size: [f64; 2],
    /// Lengths that are to be as large as its bodies, where they are given \[m\].
    spacing: Option<f64>,
    jitter: Option<f64>,
}

impl Keys {
    pub(super) fn of(scene: &Scene) -> Result<Self, Failure> {
        let root = Source::new(&scene.name, &scene.resolved).parse().map_err(|problems| problems.to_string())?;
        let (bodies, emitters) = (tables(&root, "body"), tables(&root, "emitter"));
        let mut materials: Vec<String> =
            bodies.iter().chain(&emitters).filter_map(|table| text(get(table, "material")?)).collect();
        materials.sort();
        materials.dedup();
        let is_of_bodies = |pair: &Node| match get(pair, "between").map(|node| &node.value) {
            Some(Value::Array(names)) => {
                names.iter().all(|name| text(name).is_some_and(|name| materials.contains(&name)))
            }
            _ => false,
        };
        let pairs = tables(&root, "pair");
        let pairs = (0..pairs.len()).filter(|&n| is_of_bodies(pairs[n])).collect();
        let emitters: Vec<EmitterKeys> = emitters.into_iter().map(EmitterKeys::of).collect();
        let shape = |table: &&Node| get(table, "shape").and_then(text).unwrap_or_default();
        let overlap = |item: &Item| Some((item.key.clone(), number(get(&item.node, "overlap")?)?));
        let piles = tables(&root, "pile");
        let mut angles: Vec<f64> = piles.iter().filter_map(|table| number(get(table, "angle")?)).collect();
        angles.sort_by(f64::total_cmp);
        angles.dedup();
        Ok(Self {
            bodies: bodies.len() as u64 + emitters.iter().map(|emitter| emitter.count).sum::<u64>(),
            body_shapes: bodies.iter().map(shape).collect(),
            overlaps: get(&root, "shape")
                .map_or(Vec::new(), |shapes| items(shapes).iter().filter_map(overlap).collect()),
            seed: get(&root, "seed").map_or(1, whole),
            piles: piles.len(),
            angles,
            can_sleep: get(&root, "sleeping").is_some(),
            materials,
            pairs,
            emitters,
        })
    }

    /// Gives all materials of bodies this friction among themselves, and a rolling friction of `rolling` times as much.
    pub(super) fn with_friction(&self, friction: f64, rolling: Option<f64>) -> Vec<String> {
        let materials = self.materials.iter().map(|name| format!("material.{name}"));
        let of_bodies: Vec<String> =
            materials.chain(self.pairs.iter().map(|number| format!("pair.{number}"))).collect();
        let mut sets: Vec<String> = of_bodies.iter().map(|key| format!("{key}.friction={friction}")).collect();
        if let Some(ratio) = rolling {
            sets.extend(of_bodies.iter().map(|key| format!("{key}.rolling_friction={}", ratio * friction)));
        }
        sets
    }

    /// Makes `n` grains of each that emitters make of these shapes, with as much volume together: every length is n^(-1/3) of what it was.
    /// Nothing if no emitter makes any.
    pub(super) fn with_finer(&self, shapes: &[&str], n: u32) -> Vec<String> {
        let finer = f64::from(n).cbrt().recip();
        let mut sets = Vec::new();
        for (number, emitter) in self.emitters.iter().enumerate().filter(|(_, e)| shapes.contains(&e.shape.as_str())) {
            let mut set = |key: &str, value: String| sets.push(format!("emitter.{number}.{key}={value}"));
            let [low, high] = emitter.size.map(|size| finer * size);
            set("count", emitter.count.saturating_mul(n.into()).to_string());
            set("size", format!("[{low:?}, {high:?}]"));
            let of = |value: Option<f64>, factor: f64| value.map(|value| format!("{:?}", factor * value));
            of(emitter.rate, n.into()).into_iter().for_each(|rate| set("rate", rate));
            of(emitter.spacing, finer).into_iter().for_each(|spacing| set("spacing", spacing));
            of(emitter.jitter, finer).into_iter().for_each(|jitter| set("jitter.position", jitter));
        }
        sets
    }

    /// How many bodies of these shapes are given one by one.
    pub(super) fn single(&self, shapes: &[&str]) -> usize {
        self.body_shapes.iter().filter(|shape| shapes.contains(&shape.as_str())).count()
    }

    /// How far the spheres of a clump are in each other, over their diameter.
    pub(super) fn overlap_of(&self, shape: &str) -> f64 {
        self.overlaps.iter().find(|(name, _)| name == shape).map_or(0.0, |(_, overlap)| *overlap)
    }

    /// Friction and rolling friction of the first material of bodies on itself.
    pub(super) fn friction_in(&self, scene: &Scene) -> [f64; 2] {
        let materials = &scene.simulation.world().materials;
        let first = materials.list().iter().position(|material| Some(&material.name) == self.materials.first());
        let first = MaterialId(first.unwrap_or(0) as u32);
        materials.pair(first, first).map_or([0.0; 2], |pair| [pair.friction, pair.rolling_friction])
    }
}

impl EmitterKeys {
    fn of(table: &Node) -> Self {
        let value = |key: &str| get(table, key).and_then(number);
        let size = match get(table, "size").map(|node| &node.value) {
            Some(Value::Array(both)) => both.iter().filter_map(number).collect(),
            _ => Vec::new(),
        };
        Self {
            shape: get(table, "shape").and_then(text).unwrap_or_default(),
            count: get(table, "count").map_or(0, whole),
            rate: value("rate"),
            size: size.try_into().unwrap_or([1.0; 2]),
            spacing: value("spacing"),
            jitter: get(table, "jitter")
                .and_then(|jitter| number(get(jitter, "position")?))
                .filter(|jitter| *jitter > 0.0),
        }
    }
}

/// What is in a table; nothing in anything else.
fn items(table: &Node) -> &[Item] {
    if let Value::Table(items) = &table.value { items } else { &[] }
}

fn get<'a>(table: &'a Node, key: &str) -> Option<&'a Node> {
    items(table).iter().find(|item| item.key == key).map(|item| &item.node)
}

/// An array of tables; empty if there is none.
fn tables<'a>(root: &'a Node, key: &str) -> Vec<&'a Node> {
    match get(root, key).map(|node| &node.value) {
        Some(Value::Array(nodes)) => nodes.iter().collect(),
        _ => Vec::new(),
    }
}

fn text(node: &Node) -> Option<String> {
    if let Value::String(text) = &node.value { Some(text.clone()) } else { None }
}

fn number(node: &Node) -> Option<f64> {
    match node.value {
        Value::Integer(number) => Some(number as f64),
        Value::Float(number) => Some(number),
        _ => None,
    }
}

fn whole(node: &Node) -> u64 {
    // Not by way of a number: a seed may have more digits than that.
    match node.value {
        Value::Integer(number) => number.max(0) as u64,
        Value::Float(number) => number as u64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tumble::world::MaterialId;

    use super::Keys;

    #[test]
    fn friction_is_set_where_bodies_touch_bodies() {
        let text = "seed = 7\nground = 0\n[material.floor]\n[material.a]\n[material.b]\n\
                    [[pair]]\nbetween = ['a', 'floor']\nfriction = 0.9\n[[pair]]\nbetween = ['b', 'a']\nfriction = 0.1\n\
                    [[body]]\nmaterial = 'b'\nposition = [0, 0, 1]\n\
                    [[emitter]]\nmaterial = 'a'\ncount = 5\nbox = { low = [0, 0, 2], high = [1, 1, 3] }\n";
        let load = |sets: &[String]| tumble_scene::load_text("x", "x.toml", text, Path::new("."), sets).unwrap();
        let keys = Keys::of(&load(&[])).unwrap();
        assert_eq!((keys.bodies, keys.emitters[0].count, keys.seed), (6, 5, 7));
        let scene = load(&keys.with_friction(0.25, Some(0.1)));
        let pair = |a, b| scene.simulation.world().materials.pair(MaterialId(a), MaterialId(b)).unwrap();
        for (a, b) in [(1, 1), (1, 2), (2, 2)] {
            assert!((pair(a, b).friction - 0.25).abs() < 1e-12 && (pair(a, b).rolling_friction - 0.025).abs() < 1e-12);
        }
        // What the scene says of bodies and the floor stays.
        assert_eq!(pair(0, 1).friction, 0.9);
        assert_eq!(keys.friction_in(&scene), [0.25, 0.025]);
    }

    #[test]
    fn finer_grains_are_more_and_together_as_much() {
        let text = "ground = 0\n[material.m]\n[shape.a]\n[shape.b]\nclump = 'cube'\noverlap = 0.25\n[[body]]\nshape = 'a'\nposition = [9, 0, 1]\n\
                    [[emitter]]\nshape = 'a'\ncount = 5\nrate = 10\npoint = [0, 0, 2]\nsize = [1, 2]\n\
                    [[emitter]]\nshape = 'b'\ncount = 5\nspacing = 0.2\njitter = { position = 0.01 }\n\
                    box = { low = [5, 5, 5], high = [7, 7, 7] }\n";
        let load = |sets: &[String]| tumble_scene::load_text("x", "x.toml", text, Path::new("."), sets).unwrap();
        let keys = Keys::of(&load(&[])).unwrap();
        let of_a = ["emitter.0.count=40", "emitter.0.size=[0.5, 1.0]", "emitter.0.rate=80.0"];
        assert_eq!(keys.with_finer(&["a"], 8), of_a);
        let of_b = ["count=40", "size=[0.5, 0.5]", "spacing=0.1", "jitter.position=0.005"];
        assert_eq!(keys.with_finer(&["b"], 8), of_b.map(|set| format!("emitter.1.{set}")));
        assert!(keys.with_finer(&["c"], 8).is_empty());
        assert_eq!((keys.single(&["a"]), keys.single(&["b"])), (1, 0));
        assert_eq!((keys.overlap_of("a"), keys.overlap_of("b")), (0.0, 0.25));
        let finer = load(&keys.with_finer(&["a", "b"], 8));
        assert_eq!(Keys::of(&finer).unwrap().bodies, 81);
    }
}
