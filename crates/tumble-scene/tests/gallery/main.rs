//! The gallery and `docs/scene.md`: what is written about scenes is true, and every scene can be
//! run.

mod document;
mod documented;
mod everything;
mod scenes;
mod standing;

use std::path::{Path, PathBuf};

/// A file or folder of the repository, given from its root.
fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text_of(path: &str) -> String {
    let path = in_repository(path);
    std::fs::read_to_string(&path).unwrap_or_else(|problem| panic!("cannot read {}: {problem}", path.display()))
}
