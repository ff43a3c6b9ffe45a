//! The gallery: every scene says what it shows and what it promises, and its resolved text is a
//! fixed point.

use std::collections::BTreeSet;
use std::path::Path;

use tumble_scene::gallery::{SCENES, reduced};
use tumble_scene::{Scene, load_text};

use crate::in_repository;

fn load(name: &str, text: &str) -> Scene {
    load_text(name, &format!("{name}.toml"), text, Path::new("."), &[]).unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn every_scene_file_is_in_the_gallery_and_no_other() {
    let files: BTreeSet<String> = std::fs::read_dir(in_repository("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| name != "golden")
        .collect();
    let gallery: BTreeSet<String> = SCENES.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(gallery.len(), SCENES.len(), "two scenes of the gallery have one name");
    assert_eq!(files, gallery, "left the files in scenes/, right `tumble_scene::gallery::SCENES`");
}

#[test]
fn every_scene_says_what_it_shows_and_promises() {
    for (name, text) in SCENES {
        let first = text.lines().next().unwrap_or("");
        let says_what_to_look_at = first.starts_with("# ") && first.len() > 30 && first.ends_with('.');
        assert!(
            says_what_to_look_at,
            "scenes/{name}.toml: the first line is a comment on what to look at, not {first:?}"
        );
        let scene = load(name, text);
        assert!(!scene.title.is_empty(), "scenes/{name}.toml has no title");
        assert!(!scene.expectations.is_empty(), "scenes/{name}.toml has no [expect]");
        let small = reduced(name).unwrap_or_else(|| panic!("scenes/golden.toml has no [{name}] that can be read"));
        assert!(small.expect.promises.len() > 1, "scenes/golden.toml: [{name}] promises too little");
    }
}

#[test]
fn a_resolved_scene_resolves_to_itself() {
    for (name, text) in SCENES {
        let scene = load(name, text);
        let again = load(name, &scene.resolved);
        assert_eq!(scene.resolved, again.resolved, "{name}");
        assert_eq!(scene.simulation.state_hash(), again.simulation.state_hash(), "{name}");
        assert_eq!((scene.title, scene.frames, scene.expectations), (again.title, again.frames, again.expectations));
    }
}
