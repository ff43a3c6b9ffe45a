//! ARCHITECTURE.md and the tree agree.

use crate::report;
use crate::tree::{is_source, paths, root};

const PATH: &str = "ARCHITECTURE.md";

/// Written by runs, so named and not there.
const WRITTEN: [&str; 3] = ["scene.toml", "runs/", "target/"];

/// Everything between backticks, with its line; blocks of code are left out.
fn named() -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(root().join(PATH)).unwrap_or_else(|problem| panic!("{PATH}: {problem}"));
    let mut in_block = false;
    let mut named = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            // Every second piece stood between backticks.
            named.extend(line.split('`').skip(1).step_by(2).map(|words| (number + 1, words.trim().to_string())));
        }
    }
    named
}

fn looks_like_a_path(words: &str) -> bool {
    let is_written =
        WRITTEN.iter().any(|written| words == *written || (written.ends_with('/') && words.starts_with(written)));
    let has_other_signs = words.contains(|c: char| c.is_whitespace() || "<>(){}$=|\"':…√·".contains(c));
    let is_path = words.contains('/') || [".rs", ".md", ".toml"].iter().any(|ending| words.ends_with(ending));
    is_path && !is_written && !has_other_signs && !words.starts_with('-')
}

/// Whether a path, or the end of one, is what is named; a `*` stands for any one part.
fn is_named_by(path: &str, name: &str) -> bool {
    let name = name.trim_start_matches("./").trim_matches('/');
    let (path, name): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), name.split('/').collect());
    let same = |(part, name): (&&str, &&str)| *name == "*" || part == name;
    path.len() >= name.len() && path[path.len() - name.len()..].iter().zip(&name).all(same)
}

#[test]
fn every_path_in_the_architecture_exists() {
    let paths = paths();
    let exists = |name: &str| paths.iter().any(|path| is_named_by(path, name));
    let named = named();
    let missing = named.iter().filter(|(_, words)| looks_like_a_path(words) && !exists(words));
    let missing: Vec<String> =
        missing.map(|(line, words)| format!("{PATH}:{line}: `{words}` does not exist")).collect();
    report("what is named exists", &missing);
}

#[test]
fn every_module_is_in_the_architecture() {
    let named = named();
    // `grid`, `grid.rs`, `geometry/grid.rs`; for a folder also any path through it.
    let is_named = |module: &str| {
        named.iter().any(|(_, words)| {
            words.trim_matches('/').split('/').any(|part| part == module || part.strip_suffix(".rs") == Some(module))
        })
    };
    let mut missing = Vec::new();
    for path in paths().iter().filter(|path| is_source(path)) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_folder = root().join(path).is_dir();
        let module = name.strip_suffix(".rs").unwrap_or(name);
        let is_module = is_folder || (name.ends_with(".rs") && !["mod", "lib", "main"].contains(&module));
        if is_module && !is_named(module) {
            let name = if is_folder { format!("{name}/") } else { name.to_string() };
            missing.push(format!("{path}: write `{name}` or `{module}` in {PATH}, in backticks"));
        }
    }
    report("what exists is named", &missing);
}

#[test]
fn a_path_is_known_by_its_end() {
    assert!(is_named_by("crates/tumble/src/geometry/grid.rs", "grid.rs"));
    assert!(is_named_by("crates/tumble/src/contact", "contact/"));
    assert!(is_named_by("crates/tumble/src", "crates/*/src"));
    assert!(!is_named_by("crates/tumble/src/geometry/grid.rs", "rid.rs"));
    assert!(!is_named_by("grid.rs", "geometry/grid.rs"));
    for words in ["geometry/grid.rs", "scenes/", "CHANGELOG.md", "crates/*/src"] {
        assert!(looks_like_a_path(words), "{words}");
    }
    for words in ["Simulation", "cargo test", "tumble::world", "runs/heap", "scene.toml", "f(a/b)"] {
        assert!(!looks_like_a_path(words), "{words}");
    }
}
