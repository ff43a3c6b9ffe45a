//! Rules about files of code and about dependencies.

use crate::report;
use crate::rust::{code, line_of, without_tests};
use crate::tree::{is_source, root, rust_files, sources, texts};

/// The most lines of a Rust file.
const MOST_LINES: usize = 600;

#[test]
fn every_source_file_says_what_it_is() {
    let silent = |path: &str| is_source(path) || path.starts_with("benches/src/");
    let silent: Vec<String> = rust_files()
        .into_iter()
        .filter(|file| silent(&file.path) && !file.text.starts_with("//!"))
        .map(|file| file.path)
        .collect();
    report("a source file opens with `//!` and what it is for", &silent);
}

#[test]
fn no_rust_file_is_too_long() {
    let long = |path: String, lines: usize| (lines > MOST_LINES).then(|| format!("{path}: {lines} lines"));
    let long: Vec<String> =
        rust_files().into_iter().filter_map(|file| long(file.path, file.text.lines().count())).collect();
    report(&format!("a Rust file has at most {MOST_LINES} lines"), &long);
}

#[test]
fn sources_handle_what_can_fail() {
    let mut found = Vec::new();
    for file in sources() {
        let code = code(&without_tests(&file.text));
        for call in [".unwrap()", ".expect("] {
            found.extend(
                code.match_indices(call).map(|(at, _)| format!("{}:{}: {call}", file.path, line_of(&code, at))),
            );
        }
    }
    report("outside of tests nothing is unwrapped: return the error, or `unreachable!` with the reason", &found);
}

/// The seam between the solvers, in the engine and in scenes: the files that may ask which it is.
const SEAMS: [&str; 4] = [
    "crates/tumble/src/solver.rs",
    "crates/tumble-scene/src/spec/contact.rs",
    "crates/tumble-scene/src/compile/contact.rs",
    "crates/tumble-scene/src/check.rs",
];

#[test]
fn only_the_seam_asks_which_solver_it_is() {
    let names = ["Engine::", "Solver::", "SolverKind::", "SolverSpec::"];
    let kinds = names.iter().flat_map(|name| ["Granular", "Rigid"].map(|kind| format!("{name}{kind}")));
    let kinds: Vec<String> = kinds.collect();
    let is_asked = |path: &str| path.starts_with("crates/tumble/") || path.starts_with("crates/tumble-scene/");
    let (mut found, mut in_seams) = (Vec::new(), 0);
    for file in sources().iter().filter(|file| is_asked(&file.path)) {
        let code = code(&without_tests(&file.text));
        let places = kinds.iter().flat_map(|kind| code.match_indices(kind.as_str()));
        let places: Vec<String> =
            places.map(|(at, kind)| format!("{}:{}: {kind}", file.path, line_of(&code, at))).collect();
        if SEAMS.contains(&file.path.as_str()) {
            in_seams += places.len();
        } else {
            found.extend(places);
        }
    }
    assert!(in_seams > 4, "where is the seam?");
    report("what differs between the solvers is a method of the seam", &found);
}

#[test]
fn every_dependency_has_a_reason() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (mut in_section, mut has_reason, mut seen) = (false, false, 0);
    let mut without = Vec::new();
    for (number, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            in_section = line == "[workspace.dependencies]";
        }
        if !in_section || line.is_empty() || line.starts_with('[') {
            has_reason = false;
        } else if let Some(comment) = line.strip_prefix('#') {
            // A line such as `# -- engine --` is a heading.
            has_reason = !comment.trim().starts_with("--") && comment.split_whitespace().count() >= 3;
        } else {
            seen += 1;
            let is_own = line.contains("path = \"crates/");
            if !has_reason && !is_own {
                without.push(format!("Cargo.toml:{}: {line}", number + 1));
            }
        }
    }
    assert!(seen > 5, "where are the dependencies?");
    report("a dependency has a comment line of reason above its group", &without);
}

/// Or a dependency could come in without a reason.
#[test]
fn crates_take_their_dependencies_from_the_workspace() {
    let mut others = Vec::new();
    for file in texts().iter().filter(|file| file.path.ends_with("/Cargo.toml")) {
        let mut in_section = false;
        for (number, line) in file.text.lines().enumerate() {
            if line.starts_with('[') {
                in_section = line.ends_with("dependencies]");
            } else if in_section && line.contains('=') && !line.starts_with('#') && !line.contains("workspace = true") {
                others.push(format!("{}:{}: {line}", file.path, number + 1));
            }
        }
    }
    others.retain(|line| !line.contains(".workspace = true"));
    report("the version of a dependency stands in the root Cargo.toml", &others);
}

#[test]
fn no_paths_of_a_machine() {
    let mut found = Vec::new();
    for file in texts().iter().filter(|file| !file.path.contains("/tests/")) {
        let text = if file.path.ends_with(".rs") { without_tests(&file.text) } else { file.text.clone() };
        for folder in ["work", "root", "tmp", "home"].map(|name| format!("/{name}/")) {
            let places = text.match_indices(&folder).map(|(at, _)| at);
            // The middle of a longer path or of an address is none.
            let begins = |at: &usize| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || "._-~*/}".contains(c));
            found.extend(places.filter(begins).map(|at| format!("{}:{}: {folder}", file.path, line_of(&text, at))));
        }
    }
    report("nothing outside of tests names a folder of one machine", &found);
}
