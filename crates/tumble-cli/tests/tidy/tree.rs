//! The files of the repository, as far as they are kept.

use std::path::{Path, PathBuf};

/// A text file, its path from the root with `/` between the parts.
pub(crate) struct Text {
    pub(crate) path: String,
    pub(crate) text: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files and folders that are kept, from the root, sorted; what `.gitignore` names is left out.
pub(crate) fn paths() -> Vec<String> {
    let ignored = std::fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
    let ignored: Vec<&str> = ignored.lines().map(|line| line.trim().trim_matches('/')).collect();
    let is_ignored = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        path == ".git"
            || ignored.iter().any(|rule| rule.strip_prefix('*').map_or(path == *rule, |end| name.ends_with(end)))
    };
    let (mut found, mut open) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if is_ignored(&path) {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                open.push(path.clone());
            }
            found.push(path);
        }
    }
    found.sort();
    assert!(found.len() > 50, "this is not the root of tumble: {}", root().display());
    found
}

/// All kept files that are text.
pub(crate) fn texts() -> Vec<Text> {
    let read = |path: String| Some(Text { text: std::fs::read_to_string(root().join(&path)).ok()?, path });
    paths().into_iter().filter_map(read).collect()
}

/// All Rust files.
pub(crate) fn rust_files() -> Vec<Text> {
    texts().into_iter().filter(|file| file.path.ends_with(".rs")).collect()
}

/// The Rust files of the crates themselves, without their tests and benchmarks.
pub(crate) fn sources() -> Vec<Text> {
    let files: Vec<Text> = rust_files().into_iter().filter(|file| is_source(&file.path)).collect();
    assert!(files.len() > 30, "where are the sources?");
    files
}

/// Whether a path is below `crates/*/src`.
pub(crate) fn is_source(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    parts.len() > 3 && parts[0] == "crates" && parts[2] == "src"
}
