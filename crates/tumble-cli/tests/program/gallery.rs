//! `tumble gallery`: a table of promises, and runs that stay, go on, or are not touched.

use crate::common::{Place, signal, wait_until};

/// The row of a scene in a table.
#[track_caller]
fn row<'a>(table: &'a str, scene: &str) -> Vec<&'a str> {
    let rows = table.lines().map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    rows.into_iter().find(|row| row[0] == scene).unwrap_or_else(|| panic!("no {scene} in\n{table}"))
}

#[test]
fn a_table_of_promises() {
    let place = Place::new("a_table_of_promises");
    let out = place.good("gallery cards bounce -o out --threads 1");
    assert_eq!(out, place.read("out/gallery.md"));
    assert_eq!(out.lines().count(), 4, "{out}");
    assert_eq!(row(&out, "scene"), ["scene", "bodies", "frames", "seconds", "promises", "state"]);
    let report = place.report("out/bounce");
    let promises = format!("all {} kept", report["expectations"].as_array().unwrap().len());
    let bounce = row(&out, "bounce");
    assert_eq!([&bounce[..3], &bounce[4..5]].concat(), ["bounce", "1", "480", promises.as_str()]);
    assert_eq!(bounce[5], report["state_hash"]);

    // A finished run stays; a promise that it broke is told again.
    let before = place.files("out/cards");
    place.tumble("gallery cards -o out").expect(0).says(&["cards: was there, all 5 kept"]);
    assert_eq!(place.files("out/cards"), before);
    let broken = place.read("out/cards/report.json").replacen("\"holds\": true", "\"holds\": false", 1);
    place.write("out/cards/report.json", broken);
    let done = place.tumble("gallery cards -o out").expect(1);
    assert_eq!(row(&done.out, "cards")[4], "1 of 5 broken: bodies is 15, promised = 15");
    let anew = place.tumble("gallery cards -o out --force").expect(0);
    assert_eq!(row(&anew.out, "cards")[4], "all 5 kept");
    assert!(!anew.err.contains("was there"), "{}", anew.err);
}

#[test]
fn a_gallery_that_was_stopped_goes_on() {
    let place = Place::new("a_gallery_that_was_stopped_goes_on");
    let words = "gallery two_piles cards -o out --threads 1";
    let mut child = place.start(words);
    wait_until("a checkpoint", || place.path("out/two_piles/checkpoint.tumble").exists());
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(place.read("out/gallery.md").contains("stopped after"), "{}", place.read("out/gallery.md"));
    assert!(!place.path("out/cards").exists());
    let out = place.good(words);
    place.good("gallery two_piles -o whole");
    place.assert_same("out/two_piles", "whole/two_piles");
    assert!(place.report("out/two_piles")["resumed_from"].is_i64());
    assert!(row(&out, "two_piles")[4].starts_with("all") && row(&out, "cards")[4].starts_with("all"), "{out}");
}

#[test]
fn other_runs_are_not_touched_and_others_go_on() {
    let place = Place::new("other_runs_are_not_touched_and_others_go_on");
    place.good("run drop.toml -o out/bounce");
    let before = place.files("out/bounce");
    let done = place.tumble("gallery bounce cards -o out").expect(2);
    assert!(row(&done.out, "bounce")[4].starts_with("failed: the scene is not the one"), "{}", done.out);
    assert_eq!(row(&done.out, "cards")[4], "all 5 kept");
    assert_eq!(place.files("out/bounce"), before);
    let done = place.tumble("gallery bonce -o out").expect(2);
    done.says(&["the gallery has no scene `bonce`", "did you mean `bounce`?"]);
}
