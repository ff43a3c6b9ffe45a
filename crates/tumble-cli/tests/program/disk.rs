//! A disk that is full or cannot be written.

use crate::common::Place;

/// Runs the program where no file may grow beyond `bytes`, as on a disk that is full.
///
/// `ulimit -f` counts in blocks of 512 bytes, in some shells 1024: every limit here is right for
/// both.
fn limited(place: &Place, bytes: u64, words: &str) -> crate::common::Done {
    place.shell(&format!("trap '' XFSZ; ulimit -f {}; exec \"$tumble\" {words}", bytes / 512))
}

#[test]
fn a_run_on_a_full_disk_can_go_on_when_there_is_room() {
    let place = Place::new("a_run_on_a_full_disk_can_go_on");
    place.good("run pour.toml -o unbroken");
    let frames = std::fs::metadata(place.path("unbroken/frames.tumble")).unwrap().len();
    let checkpoint = std::fs::metadata(place.path("unbroken/checkpoint.tumble")).unwrap().len();
    assert!(checkpoint < frames / 4, "the limits of this test do not fit the files");

    // With one checkpoint per frame, and with the first only.
    for every in ["0", "3600"] {
        let run = format!("full{every}");
        let words = format!("run pour.toml -o {run} --checkpoint-every {every}");
        limited(&place, frames / 3, &words)
            .expect(2)
            .says(&[&format!("cannot write {run}/frames.tumble: File too large")]);
        let recorded = place.frames(&run);
        assert!((1..30).contains(&recorded.len()), "{} frames", recorded.len());
        assert_eq!(recorded, place.frames("unbroken")[..recorded.len()]);
        let info = place.good(&format!("info {run}"));
        assert!(info.contains("checkpoint  frame ") && !info.contains("damage"), "{info}");
        assert!(!place.files(&run).keys().any(|name| name.ends_with(".tmp")));

        place.good(&format!("{words} --resume"));
        place.assert_same("unbroken", &run);
    }
}

#[test]
fn a_run_whose_first_checkpoint_does_not_fit_can_be_begun_again() {
    let place = Place::new("a_run_whose_first_checkpoint_does_not_fit");
    let many =
        "--frames 1-3 --set emitter.0.count=2000 --set emitter.0.box.high=[1,1,1] --set emitter.0.pattern=random";
    place.good(&format!("run drop.toml -o whole {many}"));
    // A frame of so many bodies has about 20 kB, their exact state 50 kB.
    let words = format!("run drop.toml -o out {many}");
    limited(&place, 24_000, &words).expect(2).says(&["cannot write out/checkpoint.tumble: File too large"]);
    assert_eq!(place.files("out").keys().collect::<Vec<_>>(), ["frames.tumble", "lock", "scene.toml", "stats.csv"]);
    assert_eq!(place.frames("out"), place.frames("whole")[..1]);
    place.good(&words);
    place.assert_same("whole", "out");
}

#[test]
fn an_export_that_does_not_fit_leaves_nothing() {
    let place = Place::new("an_export_that_does_not_fit_leaves_nothing");
    place.good("run drop.toml -o out");
    place.write("rows.csv", "old");
    let words = "export out --to csv -o rows.csv --force";
    limited(&place, 20_000, words).expect(2).says(&["cannot write rows.csv: File too large"]);
    assert_eq!(place.read("rows.csv"), "old");
    assert!(!place.path("rows.csv.tmp").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let place = Place::new("a_folder_that_cannot_be_made_is_named");
    let before = place.files(".");
    // Not a matter of permissions, which root does not have to ask for.
    let done = place.tumble("run drop.toml -o drop.toml/below").expect(2);
    done.says(&["cannot write to drop.toml/below: Not a directory"]);
    place.tumble("run drop.toml -o drop.toml").expect(2).says(&["cannot write to drop.toml"]);
    assert!(place.files(".") == before);

    place.good("run drop.toml -o out --frames 1-2");
    place.tumble("export out --to csv -o drop.toml/rows.csv").expect(2).says(&["cannot write drop.toml/rows.csv"]);
    place
        .tumble("export out --to csv -o nowhere/rows.csv")
        .expect(2)
        .says(&["cannot write nowhere/rows.csv", "check the path"]);
}
