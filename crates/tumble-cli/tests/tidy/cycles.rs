//! The modules of the engine stand in layers: none of them needs one that needs it.
//!
//! An edge is a path in the code that leads from one module to another, such as
//! `crate::world::Pose`. A name that a `mod.rs` passes on belongs to the module that the path
//! names.

use std::collections::{BTreeMap, BTreeSet};

use crate::report;
use crate::rust::{code, line_of, without_tests, words};
use crate::tree::{root, sources};

const ENGINE: &str = "crates/tumble/src/";

/// A file of the engine: its path, the names of its module from the root on, and its code.
struct Module {
    path: String,
    names: Vec<String>,
    code: String,
}

impl Module {
    fn new(path: &str, text: &str) -> Self {
        let module = path.trim_start_matches(ENGINE).trim_end_matches(".rs");
        let module = module.trim_end_matches("/mod").trim_end_matches("lib");
        let names = module.split('/').filter(|name| !name.is_empty()).map(str::to_string).collect();
        Self { path: path.to_string(), names, code: code(&without_tests(text)) }
    }

    fn is_folder(&self) -> bool {
        self.path.ends_with("/mod.rs") || self.path.ends_with("/lib.rs")
    }
}

/// Modules that are there for tests only: those declared under `#[cfg(test)]`.
fn of_tests(path: &str, text: &str) -> Vec<Vec<String>> {
    let (code, module) = (code(text), Module::new(path, text));
    let declared = code.match_indices("#[cfg(test)]").filter_map(|(at, _)| {
        let (item, _) = code[at..].split_once(']')?.1.split_once(';')?;
        let name = item.trim().trim_start_matches("pub(crate)").trim().strip_prefix("mod ")?;
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| name.to_string())
    });
    declared.map(|name| [&module.names[..], &[name]].concat()).collect()
}

/// The engine without its tests.
fn engine() -> Vec<Module> {
    let files: Vec<_> = sources().into_iter().filter(|file| file.path.starts_with(ENGINE)).collect();
    let tests: Vec<Vec<String>> = files.iter().flat_map(|file| of_tests(&file.path, &file.text)).collect();
    let is_test = |module: &Module| tests.iter().any(|test| module.names.starts_with(test));
    let modules = files.iter().map(|file| Module::new(&file.path, &file.text));
    let modules: Vec<Module> = modules.filter(|module| !is_test(module)).collect();
    assert!(modules.len() > 20, "where is the engine?");
    modules
}

/// All names to which the path at the beginning of some code leads, and how long it is; a group in
/// braces leads to several.
fn leaves(code: &str) -> (Vec<Vec<String>>, usize) {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        at += code[at..].len() - code[at..].trim_start().len();
        let rest = &code[at..];
        if let Some(group) = rest.strip_prefix('{') {
            let (mut all, mut inside) = (Vec::new(), at + 1);
            while !code[inside..].trim_start().starts_with('}') && !group.is_empty() {
                let (some, length) = leaves(&code[inside..]);
                all.extend(some.into_iter().map(|leaf| [&names[..], &leaf].concat()));
                inside += length;
                // Up to the next leaf: `as name` is skipped, too.
                let next = code[inside..].find([',', '}']).map_or(code.len(), |found| inside + found);
                inside = if code[next..].starts_with(',') { next + 1 } else { next };
            }
            return (all, inside);
        }
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '*')).unwrap_or(rest.len());
        names.push(rest[..length].to_string());
        at += length;
        match code[at..].strip_prefix("::") {
            // `f::<T>` ends with its name.
            Some(more) if !more.starts_with('<') => at += 2,
            _ => return (vec![names], at),
        }
    }
}

/// All paths in a module that begin with `crate`, `super`, `self` or, in a folder, with the name of
/// one of its files; each with its place, and with its names from the root on.
fn references(module: &Module, files: &BTreeSet<String>) -> Vec<(usize, Vec<String>)> {
    let code = &module.code;
    let mut found = Vec::new();
    let own = if module.is_folder() { files.iter().map(String::as_str).collect() } else { Vec::new() };
    for first in ["crate", "super", "self"].into_iter().chain(own) {
        for at in words(code, first).filter(|at| code[at + first.len()..].starts_with("::")) {
            let before = code[..at].trim_end();
            // `super` within a path, the macro's `$crate`, and `pub(in crate::room)`.
            if before.ends_with(['$']) || before.ends_with("::") || before.ends_with("(in") {
                continue;
            }
            // A re-export opens a door and needs nothing.
            let statement = before.rsplit([';', '}']).next().unwrap_or("").trim();
            let is_door = module.is_folder() && statement.starts_with("pub") && statement.ends_with("use");
            if is_door && files.contains(first) {
                continue;
            }
            for leaf in leaves(&code[at..]).0 {
                let ups = leaf.iter().take_while(|name| *name == "super").count();
                let known = match first {
                    "crate" => &[],
                    _ => &module.names[..module.names.len() - ups],
                };
                let rest = if first == "super" { &leaf[ups..] } else { &leaf[usize::from(!files.contains(first))..] };
                found.push((at, [known, rest].concat()));
            }
        }
    }
    found
}

/// Names that a folder passes on, with the file that they come from.
fn doors(folder: &Module, files: &BTreeSet<String>) -> BTreeMap<String, String> {
    let code = &folder.code;
    let mut doors = BTreeMap::new();
    for file in files {
        for at in words(code, file).filter(|&at| code[..at].ends_with("use ")) {
            let named = leaves(&code[at..]).0.into_iter().filter_map(|leaf| leaf.last().cloned());
            doors.extend(named.map(|name| (name, file.clone())));
        }
    }
    doors
}

/// Edges between the modules of a room: from, to, and the places of the paths that make the edge.
type Edges = BTreeMap<(String, String), Vec<String>>;

/// The graph of a room's modules; what stands in its `mod.rs` itself is a module `mod`. The root is
/// the room without a name, and `lib.rs` is no part of its graph.
fn edges(modules: &[Module], room: &[String]) -> Edges {
    let in_room = |module: &&Module| module.names.starts_with(room) && module.names.len() > room.len();
    let files: BTreeSet<String> =
        modules.iter().filter(in_room).map(|module| module.names[room.len()].clone()).collect();
    let folder = modules.iter().find(|module| module.names == room && module.is_folder());
    let doors = folder.map(|folder| doors(folder, &files)).unwrap_or_default();
    let mut edges = Edges::new();
    for module in modules.iter().filter(|module| module.names.starts_with(room)) {
        let is_folder = module.names.len() == room.len();
        if is_folder && room.is_empty() {
            continue;
        }
        let from = module.names.get(room.len()).map_or("mod", String::as_str);
        let none = BTreeSet::new();
        for (at, path) in references(module, if is_folder { &files } else { &none }) {
            let Some(name) = path.strip_prefix(room).and_then(|rest| rest.first()) else { continue };
            let to = if files.contains(name) { name } else { doors.get(name).map_or("mod", String::as_str) };
            if from != to {
                let place = format!("{}:{}: {}", module.path, line_of(&module.code, at), path.join("::"));
                edges.entry((from.to_string(), to.to_string())).or_default().push(place);
            }
        }
    }
    edges
}

/// Modules that can be reached along edges.
fn reached(edges: &Edges, from: &str) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from.to_string()]);
    while let Some(module) = open.pop() {
        let next = edges.keys().filter(|(a, _)| *a == module).map(|(_, b)| b);
        open.extend(next.filter(|to| reached.insert(to.to_string())).cloned());
    }
    reached
}

/// The strongly connected components of more than one module, each with the edges inside it.
fn cycles(edges: &Edges) -> Vec<String> {
    let modules: BTreeSet<&String> = edges.keys().flat_map(|(a, b)| [a, b]).collect();
    let reached: BTreeMap<&String, BTreeSet<String>> = modules.iter().map(|m| (*m, reached(edges, m))).collect();
    let mut seen = BTreeSet::new();
    let mut cycles = Vec::new();
    for module in modules {
        let both = |other: &&String| reached[*other].contains(module);
        let members: BTreeSet<&String> = reached[module].iter().filter(both).collect();
        if members.is_empty() || !seen.insert(members.clone()) {
            continue;
        }
        let names: Vec<&str> = members.iter().map(|name| name.as_str()).collect();
        let mut lines = vec![names.join(" ↔ ")];
        for ((a, b), places) in edges.iter().filter(|((a, b), _)| members.contains(a) && members.contains(b)) {
            lines.extend(places.iter().map(|place| format!("    {a} ▶ {b}: {place}")));
        }
        cycles.push(lines.join("\n  "));
    }
    cycles
}

#[test]
fn rooms_of_the_engine_stand_in_layers() {
    let edges = edges(&engine(), &[]);
    assert!(edges.len() > 20, "where are the edges?");
    let nowhere: Vec<String> =
        edges.iter().filter(|((_, to), _)| to == "mod").flat_map(|(_, places)| places.clone()).collect();
    report("a path from `crate` names a module, or what `lib.rs` takes from one", &nowhere);
    report("modules of the engine have no cycle", &cycles(&edges));
}

/// Rooms whose files have no cycle either.
const ROOMS: [&str; 2] = ["granular", "rigid"];

#[test]
fn files_of_the_solvers_have_no_cycle() {
    let modules = engine();
    for room in ROOMS {
        let edges = edges(&modules, &[room.to_string()]);
        assert!(edges.len() > 10, "where are the edges of {room}?");
        report(&format!("files of {room} have no cycle"), &cycles(&edges));
    }
}

/// Layers of the engine as ARCHITECTURE.md names them, the lowest first.
fn layers() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let sentence = text.split_once("stand in layers**").unwrap().1.split_once("From the bottom:").unwrap().1;
    let layers = sentence.split_once('.').unwrap().0.split(';');
    // Every second piece stands between backticks.
    layers.map(|layer| layer.split('`').skip(1).step_by(2).map(str::to_string).collect()).collect()
}

#[test]
fn layers_of_the_engine_are_those_of_the_architecture() {
    let (modules, layers) = (engine(), layers());
    let layer_of = |name: &str| layers.iter().position(|layer| layer.iter().any(|other| other == name));
    let names: BTreeSet<&String> = modules.iter().filter_map(|module| module.names.first()).collect();
    let without = names.iter().filter(|name| layer_of(name).is_none());
    let mut against: Vec<String> = without.map(|name| format!("`{name}` has no layer in ARCHITECTURE.md")).collect();
    for ((from, to), places) in edges(&modules, &[]) {
        if layer_of(&from) <= layer_of(&to) {
            against.extend(places.iter().map(|place| format!("{from} ▶ {to}: {place}")));
        }
    }
    report("a module needs lower layers only", &against);
}

#[test]
fn cycles_are_found() {
    let made = |files: &[(&str, &str)]| -> Vec<Module> {
        files.iter().map(|(path, text)| Module::new(&format!("{ENGINE}{path}"), text)).collect()
    };
    let modules = made(&[
        ("lib.rs", "mod a; mod b; mod c; mod d; mod e;\npub use a::{A, One as Two};"),
        ("a/mod.rs", "mod x; mod y;\npub use x::X;\nuse y::{self, Y};"),
        ("a/x.rs", "use std::{fmt, crate_name};\nuse crate::{b::B,\n  c::{self, C as Other}};"),
        ("a/y.rs", "pub(in crate::a) fn f() { super::super::d::f::<u8>() }\nuse super::X;"),
        ("b.rs", "fn f(a: crate::A) {} // crate::e::E"),
        ("c.rs", "#[cfg(test)] mod tests { use crate::a::A; }\n fn f() -> super::d::D {}"),
        ("d.rs", "use crate::e::*;"),
        ("e.rs", "fn f() { self::g() } fn g() { crate::Nowhere::f() }"),
    ]);
    let edges_of = |room: &[String]| -> Vec<String> {
        edges(&modules, room).keys().map(|(from, to)| format!("{from} {to}")).collect()
    };
    assert_eq!(edges_of(&[]), ["a b", "a c", "a d", "b a", "c d", "d e", "e mod"]);
    assert_eq!(edges_of(&["a".to_string()]), ["mod y", "y x"]);
    let found = cycles(&edges(&modules, &[]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0], format!("a ↔ b\n      a ▶ b: {ENGINE}a/x.rs:2: b::B\n      b ▶ a: {ENGINE}b.rs:1: A"));
    assert_eq!(of_tests(&format!("{ENGINE}a/mod.rs"), "#[cfg(test)]\nmod z;\nmod w;"), [["a", "z"]]);
}
