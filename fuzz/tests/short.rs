//! A short version of the fuzzing: some thousand executions per target, with the same seed every
//! time, and everything that was ever found.

use std::path::Path;
use std::process::Command;

/// Runs the program, which must find nothing.
#[track_caller]
fn finds_nothing(words: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_tumble-fuzz")).args(words).output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words:?}: {}{}", said(&output.stdout), said(&output.stderr));
}

#[test]
fn scenes() {
    finds_nothing(&["scenes", "1500"]);
}

#[test]
fn meshes() {
    finds_nothing(&["meshes", "20000"]);
}

#[test]
fn recordings() {
    finds_nothing(&["recordings", "4000"]);
}

#[test]
fn checkpoints() {
    finds_nothing(&["checkpoints", "1500"]);
}

#[test]
fn what_was_found_does_no_harm_any_more() {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("found");
    for target in ["scenes", "meshes", "recordings", "checkpoints"] {
        let Ok(files) = std::fs::read_dir(found.join(target)) else { continue };
        for file in files {
            finds_nothing(&["replay", target, file.unwrap().path().to_str().unwrap()]);
        }
    }
}
