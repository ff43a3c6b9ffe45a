//! How analyses vary a scene: changes of its values, and questions they ask of it.

use std::path::PathBuf;

use tumble::world::MaterialId;
use tumble_scene::spec::{EmitterSpec, FormSpec, SceneSpec};
use tumble_scene::{Parsed, Scene, SceneError, SceneText, Splits, find, parse};

use crate::{Failure, SceneArguments};

/// A scene as the user gave it, which variants change.
pub(super) struct Base {
    name: String,
    folder: PathBuf,
    /// Its values. All names are there; values that follow from others are not, so that they follow
    /// from those of a variant.
    pub(super) spec: SceneSpec,
}

impl Base {
    /// Reads the scene of the command line; gives also the scene itself.
    pub(super) fn load(arguments: &SceneArguments) -> Result<(Self, Scene), SceneError> {
        let SceneText { name, file, text, folder } = find(&arguments.scene)?;
        let parsed: Parsed = parse(&file, &text, &arguments.sets())?;
        let spec = parsed.spec.clone().with_names();
        let scene = parsed.compile(&name, &folder, Splits::default())?;
        Ok((Self { name, folder, spec }, scene))
    }
}

/// A scene with some values changed.
pub(super) struct Variant {
    /// Its name in the progress line and in notes.
    pub(super) name: String,
    scene: String,
    folder: PathBuf,
    spec: SceneSpec,
}

impl Variant {
    /// The scene after a change.
    pub(super) fn new(base: &Base, name: String, change: impl FnOnce(&mut SceneSpec)) -> Self {
        let mut spec = base.spec.clone();
        change(&mut spec);
        Self { name, scene: base.name.clone(), folder: base.folder.clone(), spec }
    }

    pub(super) fn load(&self) -> Result<Scene, Failure> {
        Ok(Scene::new(&self.scene, self.spec.clone(), &self.folder, Splits::default())?)
    }
}

/// Names of the materials that bodies are made of, each once.
fn materials_of_bodies(spec: &SceneSpec) -> Vec<&str> {
    let of_bodies = spec.bodies.iter().filter_map(|body| body.material.as_deref());
    let of_emitters = spec.emitters.iter().filter_map(|emitter| emitter.material.as_deref());
    let mut names: Vec<&str> = of_bodies.chain(of_emitters).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Gives all materials of bodies this friction among themselves, and a rolling friction of
/// `rolling` times as much.
pub(super) fn set_friction(spec: &mut SceneSpec, friction: f64, rolling: Option<f64>) {
    let names: Vec<String> = materials_of_bodies(spec).into_iter().map(str::to_owned).collect();
    for (_, material) in spec.materials.iter_mut().filter(|(name, _)| names.contains(name)) {
        material.friction = friction;
        if let Some(ratio) = rolling {
            material.rolling_friction = ratio * friction;
        }
    }
    for pair in spec.pairs.iter_mut().filter(|pair| pair.between.iter().all(|name| names.contains(name))) {
        pair.friction = Some(friction);
        pair.rolling_friction = rolling.map(|ratio| ratio * friction).or(pair.rolling_friction);
    }
}

/// Friction and rolling friction of the first material of bodies on itself.
pub(super) fn friction_in(scene: &Scene) -> [f64; 2] {
    let materials = &scene.simulation.world().materials;
    let first = materials_of_bodies(&scene.spec).first().copied();
    let row = materials.list().iter().position(|material| Some(material.name.as_str()) == first).unwrap_or(0);
    let first = MaterialId(row as u32);
    materials.pair(first, first).map_or([0.0; 2], |pair| [pair.friction, pair.rolling_friction])
}

/// Whether an emitter makes bodies of one of these shapes.
fn makes(emitter: &EmitterSpec, shapes: &[&str]) -> bool {
    emitter.shape.as_deref().is_some_and(|shape| shapes.contains(&shape))
}

/// Makes `n` grains of each that emitters make of these shapes, with as much volume together: every
/// length is n^(-1/3) of the original.
pub(super) fn refine(spec: &mut SceneSpec, shapes: &[&str], n: u32) {
    let finer = f64::from(n).cbrt().recip();
    for emitter in spec.emitters.iter_mut().filter(|emitter| makes(emitter, shapes)) {
        emitter.count = emitter.count.saturating_mul(n.into());
        emitter.size = emitter.size.map(|size| finer * size);
        emitter.rate = emitter.rate.map(|rate| f64::from(n) * rate);
        emitter.jitter.position *= finer;
        if let Some(pattern) = emitter.place.pattern_mut() {
            pattern.spacing = pattern.spacing.map(|spacing| finer * spacing);
        }
    }
}

/// Whether emitters make bodies of one of these shapes.
pub(super) fn are_made(spec: &SceneSpec, shapes: &[&str]) -> bool {
    spec.emitters.iter().any(|emitter| makes(emitter, shapes))
}

/// Number of bodies of these shapes that are given one by one or in grids.
pub(super) fn single(spec: &SceneSpec, shapes: &[&str]) -> u64 {
    let is_one = |shape: Option<&str>| shape.is_some_and(|shape| shapes.contains(&shape));
    spec.bodies.iter().filter(|body| is_one(body.shape.as_deref())).map(|body| body.count()).sum()
}

/// Number of bodies that the scene makes in total.
pub(super) fn bodies(spec: &SceneSpec) -> u64 {
    let there = spec.bodies.iter().map(|body| body.count());
    there.chain(spec.emitters.iter().map(|emitter| emitter.count)).fold(0, u64::saturating_add)
}

/// Overlap of a clump's spheres over their diameter.
pub(super) fn overlap_of(spec: &SceneSpec, shape: &str) -> f64 {
    match spec.shapes.iter().find(|(name, _)| name == shape).map(|(_, shape)| &shape.form) {
        Some(FormSpec::Clump { overlap, .. }) => *overlap,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(text: &str) -> Base {
        let spec = parse("x.toml", text, &[]).unwrap().spec.with_names();
        Base { name: "x".into(), folder: ".".into(), spec }
    }

    #[test]
    fn friction_is_set_where_bodies_touch_bodies() {
        let text = "seed = 7\nground = 0\n[material.floor]\n[material.a]\n[material.b]\n\
                    [[pair]]\nbetween = ['a', 'floor']\nfriction = 0.9\n[[pair]]\nbetween = ['b', 'a']\nfriction = 0.1\n\
                    [[body]]\nmaterial = 'b'\nposition = [0, 0, 1]\n\
                    [[emitter]]\nmaterial = 'a'\ncount = 5\nbox = { low = [0, 0, 2], high = [1, 1, 3] }\n";
        let base = base(text);
        assert_eq!(bodies(&base.spec), 6);
        let scene = Variant::new(&base, String::new(), |spec| set_friction(spec, 0.25, Some(0.1))).load().unwrap();
        let pair = |a, b| scene.simulation.world().materials.pair(MaterialId(a), MaterialId(b)).unwrap();
        for (a, b) in [(1, 1), (1, 2), (2, 2)] {
            assert!((pair(a, b).friction - 0.25).abs() < 1e-12 && (pair(a, b).rolling_friction - 0.025).abs() < 1e-12);
        }
        // Friction between bodies and the floor stays as in the scene.
        assert_eq!(pair(0, 1).friction, 0.9);
        assert_eq!(friction_in(&scene), [0.25, 0.025]);
    }

    #[test]
    fn finer_grains_are_more_and_together_as_much() {
        let text = "ground = 0\n[material.m]\n[shape.a]\n[shape.b]\nclump = 'cube'\noverlap = 0.25\n[[body]]\nshape = 'a'\nposition = [9, 0, 1]\n\
                    [[emitter]]\nshape = 'a'\ncount = 5\nrate = 10\npoint = [0, 0, 2]\nsize = [1, 2]\n\
                    [[emitter]]\nshape = 'b'\ncount = 5\nspacing = 0.2\njitter = { position = 0.01 }\n\
                    box = { low = [5, 5, 5], high = [7, 7, 7] }\n";
        let base = base(text);
        let refined = |shapes: &[&str]| {
            let mut spec = base.spec.clone();
            refine(&mut spec, shapes, 8);
            spec.emitters
        };
        let [a, b] = &refined(&["a"])[..] else { panic!() };
        assert_eq!((a.count, a.size, a.rate), (40, [0.5, 1.0], Some(80.0)));
        assert_eq!(b, &base.spec.emitters[1]);
        let [a, b] = &refined(&["b"])[..] else { panic!() };
        assert_eq!((b.count, b.size, b.jitter.position), (40, [0.5, 0.5], 0.005));
        assert_eq!((b.place.pattern().unwrap().spacing, a), (Some(0.1), &base.spec.emitters[0]));
        assert!(!are_made(&base.spec, &["c"]) && are_made(&base.spec, &["b"]));
        assert_eq!((single(&base.spec, &["a"]), single(&base.spec, &["b"])), (1, 0));
        assert_eq!((overlap_of(&base.spec, "a"), overlap_of(&base.spec, "b")), (0.0, 0.25));
        let finer = Variant::new(&base, String::new(), |spec| refine(spec, &["a", "b"], 8)).load().unwrap();
        assert_eq!(bodies(&finer.spec), 81);
    }
}
