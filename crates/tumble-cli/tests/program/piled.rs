//! `tumble pile`: everything from one line, and nothing from a wrong one.

use tumble_io::Recording;

use crate::common::{Place, signal, wait_until};

#[test]
fn one_line_gives_scene_run_picture_and_table() {
    let place = Place::new("one_line_gives_scene_run_picture_and_table");
    let line = "pile brick -n 12 --angle 30 --size 0.1 --seed 3 -o out/bricks.csv";
    let said = ["out/bricks.csv: 12 rows", "scene in out/bricks.toml", "asked for 30°, not measured: 12 bodies"];
    place.tumble(line).expect(0).says(&said);
    assert_eq!(place.read("out/bricks.csv").lines().count(), 13);
    assert!(place.path("out/bricks.png").exists() && place.path("out/bricks/frames.tumble").exists());

    // The run ended when everything had come to rest, long before the scene would have, and counts
    // as whole.
    let report = place.report("out/bricks");
    assert_eq!((report["complete"].as_bool(), report["bodies"].as_u64()), (Some(true), Some(12)));
    let table = place.read("out/bricks/stats.csv");
    assert!(table.lines().count() as i64 == report["frames"].as_i64().unwrap() + 1);
    place.good("report out/bricks --pictures 0");
    assert!(!place.read("out/bricks/report.html").contains("The run was stopped"));

    // The scene is one like any other.
    let scene = place.read("out/bricks.toml");
    assert!(scene.contains("seed = 3") && scene.contains("angle = 30"), "{scene}");
    place.good("check out/bricks.toml");

    // Nothing is overwritten unasked.
    place.tumble(line).expect(2).says(&["out/bricks.toml exists", "--force"]);
    place.tumble(&format!("{line} --force")).expect(0);
}

#[test]
fn a_stopped_pile_goes_on() {
    let place = Place::new("a_stopped_pile_goes_on");
    place.good("pile brick -n 30 --angle 30 --size 0.1 -o whole.csv");
    let line = "pile brick -n 30 --angle 30 --size 0.1 -o stopped.csv";
    let mut child = place.start(line);
    let recording = place.path("stopped").join("frames.tumble");
    wait_until("frame 20", || Recording::open(&recording).is_ok_and(|recording| recording.frames().len() > 19));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!place.path("stopped.csv").exists());

    // Once more when it is finished changes nothing.
    for _ in 0..2 {
        place.good(&format!("{line} --resume"));
        place.assert_same("whole", "stopped");
        assert_eq!(place.read("whole.csv"), place.read("stopped.csv"));
    }
}

#[test]
fn bad_input_leaves_nothing() {
    let place = Place::new("bad_input_leaves_nothing");
    let before = place.files(".");
    let cases: [(&str, &[&str]); 9] = [
        ("pile rabit", &["there is no model `rabit`", "did you mean `rabbit`?"]),
        ("pile xyzzy", &["there is no model `xyzzy`", "a mesh file", "l_block"]),
        ("pile brick -n 0", &["invalid value '0'"]),
        ("pile brick --angle 90", &["invalid value '90'", "write an angle in degrees from 5 to 75"]),
        ("pile brick --size -1", &["invalid value '-1'", "a length in metres"]),
        ("pile nothing.obj", &["nothing.obj"]),
        ("pile pour.toml", &["pour.toml"]),
        ("pile ramp.obj", &["the mesh is no solid"]),
        ("pile brick -o pile.usd", &["pile.usd ends in .usd", "help: "]),
    ];
    for (line, words) in cases {
        place.tumble(line).expect(2).says(words);
    }
    assert!(place.files(".") == before, "something was written");
}
