//! Every scene of the gallery has its picture, small enough for a repository, and the README shows
//! it.

use crate::report;
use crate::tree::{paths, root};

/// The most bytes of a scene's picture, and of anything else in the folder.
const MOST: u64 = 200_000;
const MOST_MOVIE: u64 = 1_500_000;

#[test]
fn every_scene_has_its_picture() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let paths = paths();
    let names = paths.iter().filter_map(|path| path.strip_prefix("scenes/")?.strip_suffix(".toml"));
    let scenes: Vec<&str> = names.filter(|name| *name != "golden").collect();
    assert!(scenes.len() > 3, "where are the scenes?");
    let mut complaints = Vec::new();
    for scene in scenes {
        let path = format!("docs/pictures/{scene}.png");
        let content = std::fs::read(root().join(&path)).unwrap_or_default();
        if !content.starts_with(b"\x89PNG\r\n\x1a\n") || content.len() as u64 > MOST {
            complaints
                .push(format!("{path}: {} bytes; make it with `tumble render`, at most {MOST} bytes", content.len()));
        }
        if !readme.contains(&path) {
            complaints.push(format!("README.md does not show {path}"));
        }
    }
    report("a scene has a picture that the README shows", &complaints);
}

#[test]
fn pictures_are_small_and_used() {
    let documents: String = [
        "README.md",
        "docs/look.md",
        "docs/scene.md",
        "docs/performance.md",
        "docs/models/detail.md",
        "docs/models/pile.md",
    ]
    .map(|path| std::fs::read_to_string(root().join(path)).unwrap())
    .concat();
    let mut complaints = Vec::new();
    for path in paths().iter().filter(|path| path.starts_with("docs/pictures/")) {
        let bytes = std::fs::metadata(root().join(path)).unwrap().len();
        let most = if path.ends_with(".gif") { MOST_MOVIE } else { MOST };
        if bytes > most {
            complaints.push(format!("{path}: {bytes} bytes, at most {most}"));
        }
        if !documents.contains(path.trim_start_matches("docs/")) {
            complaints.push(format!("{path}: no document shows it"));
        }
    }
    report("pictures are small and shown", &complaints);
}
