//! Names: what a scene leaves out and everybody expects, and whether every name leads somewhere.

use std::collections::BTreeSet;

use crate::findings::Findings;
use crate::spec::{MaterialSpec, SceneSpec, ShapeSpec};

/// Gives a scene without materials or shapes one of each, and names to everything; reports names
/// that are taken, that are missing and that nobody has.
pub(crate) fn complete(spec: &mut SceneSpec, findings: &mut Findings) {
    if spec.materials.is_empty() {
        spec.materials.push(("stone".into(), MaterialSpec::default()));
    }
    if spec.shapes.is_empty() {
        spec.shapes.push(("sphere".into(), ShapeSpec::default()));
    }
    let materials: Vec<&str> = spec.materials.iter().map(|(name, _)| name.as_str()).collect();
    let shapes: Vec<&str> = spec.shapes.iter().map(|(name, _)| name.as_str()).collect();
    let rigid: Vec<&str> = spec.materials.iter().filter(|(_, m)| m.rigid).map(|(name, _)| name.as_str()).collect();
    let refuse_rigid = |material: &Option<String>, path: &str, findings: &mut Findings| {
        if let Some(name) = material.as_deref().filter(|name| rigid.contains(name)) {
            let what = format!("`{name}` is rigid, and what moves must give way a little");
            findings.at(format!("{path}.material"), what, "use rigid materials for obstacles only");
        }
    };

    let mut taken: BTreeSet<String> = spec.ground.map(|_| "ground".to_owned()).into_iter().collect();
    for (at, obstacle) in spec.obstacles.iter_mut().enumerate() {
        let path = format!("obstacle[{at}]");
        name(&mut obstacle.name, "obstacle", at, &mut taken, findings);
        refer(&mut obstacle.material, &path, "material", &materials, findings);
    }
    let mut taken = BTreeSet::new();
    for (at, body) in spec.bodies.iter_mut().enumerate() {
        let path = format!("body[{at}]");
        name(&mut body.name, "body", at, &mut taken, findings);
        taken.extend(body.names().into_iter().filter(|_| body.grid != [1; 3]));
        refer(&mut body.shape, &path, "shape", &shapes, findings);
        refer(&mut body.material, &path, "material", &materials, findings);
        refuse_rigid(&body.material, &path, findings);
    }
    let mut taken = BTreeSet::new();
    for (at, joint) in spec.joints.iter_mut().enumerate() {
        name(&mut joint.name, "joint", at, &mut taken, findings);
    }
    let mut taken = BTreeSet::new();
    for (at, pile) in spec.piles.iter_mut().enumerate() {
        name(&mut pile.name, "pile", at, &mut taken, findings);
        let path = format!("pile[{at}].shapes");
        pile.shapes.iter().for_each(|name| known(&path, "shape", name, &shapes, findings));
    }
    let mut taken = BTreeSet::new();
    for (at, emitter) in spec.emitters.iter_mut().enumerate() {
        let path = format!("emitter[{at}]");
        name(&mut emitter.name, "emitter", at, &mut taken, findings);
        refer(&mut emitter.shape, &path, "shape", &shapes, findings);
        refer(&mut emitter.material, &path, "material", &materials, findings);
        refuse_rigid(&emitter.material, &path, findings);
    }
    for (at, pair) in spec.pairs.iter().enumerate() {
        let path = format!("pair[{at}].between");
        match pair.between.as_slice() {
            [a, b] => [a, b].into_iter().for_each(|name| known(&path, "material", name, &materials, findings)),
            _ => findings.at(path, "`between` must name two materials", "write between = [\"sand\", \"steel\"]"),
        }
    }
}

/// Gives something the name of its kind with its number, if it has none; reports a name that is
/// taken.
fn name(name: &mut Option<String>, kind: &str, at: usize, taken: &mut BTreeSet<String>, findings: &mut Findings) {
    let name = name.get_or_insert_with(|| format!("{kind} {}", at + 1));
    if !taken.insert(name.clone()) {
        let what = format!("there are two things named `{name}`");
        findings.at(format!("{kind}[{at}].name"), what, "give each its own name");
    }
}

/// Fills in the only name there is; reports one that is missing or that nobody has.
fn refer(given: &mut Option<String>, owner: &str, key: &str, names: &[&str], findings: &mut Findings) {
    let path = format!("{owner}.{key}");
    match (&given, names) {
        (Some(name), _) => known(&path, key, name, names, findings),
        (None, [only]) => *given = Some((*only).to_owned()),
        (None, _) => {
            let what = format!("`{key}` is missing in `{owner}`, and there are several");
            findings.at(path, what, format!("name one of {}", names.join(", ")));
        }
    }
}

fn known(path: &str, kind: &str, name: &str, names: &[&str], findings: &mut Findings) {
    if !names.contains(&name) {
        findings.at(path, format!("there is no {kind} `{name}`"), format!("there are: {}", names.join(", ")));
    }
}

impl SceneSpec {
    /// The scene with all its names: everything has one, and what refers to the only material or
    /// shape there is says so. Names that lead nowhere stay; [`crate::check()`] reports them.
    pub fn with_names(mut self) -> Self {
        complete(&mut self, &mut Findings::default());
        self
    }
}
