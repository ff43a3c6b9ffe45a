//! What of a scene an analysis can vary: reads the resolved scene, gives assignments as `--set` takes them.

use tumble_scene::Scene;
use tumble_scene::text::{Node, Source, Value};

use crate::Failure;

/// The keys of a scene that analyses look at.
pub(super) struct Keys {
    /// Materials that bodies are made of.
    materials: Vec<String>,
    /// Numbers of the pairs between two of them.
    pairs: Vec<usize>,
    /// How many bodies each emitter makes.
    pub(super) counts: Vec<u64>,
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
        let counts: Vec<u64> = emitters.iter().map(|table| get(table, "count").map_or(0, whole)).collect();
        let piles = tables(&root, "pile");
        let mut angles: Vec<f64> = piles.iter().filter_map(|table| number(get(table, "angle")?)).collect();
        angles.sort_by(f64::total_cmp);
        angles.dedup();
        Ok(Self {
            bodies: bodies.len() as u64 + counts.iter().sum::<u64>(),
            seed: get(&root, "seed").map_or(1, whole),
            piles: piles.len(),
            angles,
            can_sleep: get(&root, "sleeping").is_some(),
            materials,
            pairs,
            counts,
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

    /// Friction and rolling friction of the first material of bodies on itself.
    pub(super) fn friction_in(&self, scene: &Scene) -> [f64; 2] {
        let materials = &scene.simulation.world().materials;
        let first = materials.list().iter().position(|material| Some(&material.name) == self.materials.first());
        let pair = materials.pair(first.unwrap_or(0), first.unwrap_or(0));
        [pair.friction, pair.rolling_friction]
    }
}

fn get<'a>(table: &'a Node, key: &str) -> Option<&'a Node> {
    let Value::Table(items) = &table.value else { return None };
    items.iter().find(|item| item.key == key).map(|item| &item.node)
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

    use super::Keys;

    #[test]
    fn friction_is_set_where_bodies_touch_bodies() {
        let text = "seed = 7\nground = 0\n[material.floor]\n[material.a]\n[material.b]\n\
                    [[pair]]\nbetween = ['a', 'floor']\nfriction = 0.9\n[[pair]]\nbetween = ['b', 'a']\nfriction = 0.1\n\
                    [[body]]\nmaterial = 'b'\nposition = [0, 0, 1]\n\
                    [[emitter]]\nmaterial = 'a'\ncount = 5\nbox = { low = [0, 0, 2], high = [1, 1, 3] }\n";
        let load = |sets: &[String]| tumble_scene::load_text("x", "x.toml", text, Path::new("."), sets).unwrap();
        let keys = Keys::of(&load(&[])).unwrap();
        assert_eq!((keys.bodies, keys.counts.as_slice(), keys.seed), (6, [5].as_slice(), 7));
        let scene = load(&keys.with_friction(0.25, Some(0.1)));
        let pair = |a, b| scene.simulation.world().materials.pair(a, b);
        for (a, b) in [(1, 1), (1, 2), (2, 2)] {
            assert!((pair(a, b).friction - 0.25).abs() < 1e-12 && (pair(a, b).rolling_friction - 0.025).abs() < 1e-12);
        }
        // What the scene says of bodies and the floor stays.
        assert_eq!(pair(0, 1).friction, 0.9);
        assert_eq!(keys.friction_in(&scene), [0.25, 0.025]);
    }
}
