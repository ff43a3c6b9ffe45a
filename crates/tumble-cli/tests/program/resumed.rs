//! Runs that are there already: never overwritten unasked, gone on with only if they are of the
//! same scene.

use crate::common::{Place, RAMP};

#[test]
fn a_run_is_not_overwritten_without_force() {
    let place = Place::new("a_run_is_not_overwritten_without_force");
    place.good("run drop.toml -o out");
    let before = place.files("out");
    for scene in ["drop.toml", "pour.toml"] {
        let done = place.tumble(&format!("run {scene} -o out")).expect(2);
        done.says(&["out already holds a run", "--resume", "--force", "-o"]);
        assert_eq!(place.files("out"), before);
    }
    // A scene with a problem is no reason either, not even by force.
    place.tumble("run drop.toml -o out --force --set fps=0").expect(2);
    assert_eq!(place.files("out"), before);
    place.tumble("run drop.toml -o out --force --resume").expect(2);
    assert_eq!(place.files("out"), before);

    place.good("run drop.toml -o out --force --set emitter.0.count=5 --frames 1-3");
    assert_eq!((place.frames("out").len(), &place.report("out")["bodies"]), (3, &5.into()));
}

#[test]
fn files_of_others_are_never_overwritten() {
    let place = Place::new("files_of_others_are_never_overwritten");
    std::fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/scene.toml", crate::common::DROP);
    let before = place.files("mine");
    for words in ["", "--force", "--resume"] {
        let done = place.tumble(&format!("run mine/scene.toml -o mine {words}")).expect(2);
        done.says(&["mine/scene.toml would be overwritten", "-o"]);
        assert_eq!(place.files("mine"), before);
    }
    // Other files do not mind.
    place.good("run drop.toml -o . --frames 1-2");
    assert_eq!(place.frames(".").len(), 2);
}

#[test]
fn a_run_broken_off_at_birth_can_be_begun_again() {
    let place = Place::new("a_run_broken_off_at_birth_can_be_begun_again");
    place.good("run drop.toml -o whole");
    place.good("run drop.toml -o out");
    std::fs::remove_file(place.path("out/checkpoint.tumble")).unwrap();
    place.good("run drop.toml -o out");
    place.assert_same("whole", "out");
}

#[test]
fn resuming_a_finished_run_changes_nothing() {
    let place = Place::new("resuming_a_finished_run_changes_nothing");
    place.good("run drop.toml -o out");
    let before = place.files("out");
    place.good("run drop.toml -o out --resume");
    let after = place.files("out");
    for name in ["scene.toml", "frames.tumble", "checkpoint.tumble", "stats.csv"] {
        assert!(before[name] == after[name], "{name}");
    }
    assert_eq!(before.len(), after.len());
}

#[test]
fn resuming_without_a_run_begins_one() {
    let place = Place::new("resuming_without_a_run_begins_one");
    place.good("run drop.toml -o a");
    place.good("run drop.toml -o b --resume");
    place.assert_same("a", "b");
}

#[test]
fn a_longer_run_goes_on() {
    let place = Place::new("a_longer_run_goes_on");
    place.good("run pour.toml -o long --frames 1-30");
    place.good("run pour.toml -o out --frames 1-20");
    // The number of threads, the title and the promises are free to change too.
    place.good("run pour.toml -o out --frames 1-30 --resume --threads 1 --set title=Longer");
    place.assert_same("long", "out");
    assert_eq!(place.report("out")["resumed_from"], 20);
    assert_eq!(place.report("out")["title"], "Longer");
    let scene = place.read("out/scene.toml");
    assert!(scene.contains("frames = [1, 30]") && scene.contains("Longer"), "{scene}");
}

#[test]
fn a_changed_scene_cannot_be_resumed() {
    let place = Place::new("a_changed_scene_cannot_be_resumed");
    place.good("run pour.toml -o out --frames 1-5");
    let before = place.files("out");
    let refused = |words: &str, changes: &[&str]| {
        let done = place.tumble(&format!("run pour.toml -o out --resume {words}")).expect(2);
        done.says(&["not the one that out was run with"]).says(changes);
        assert!(place.files("out") == before, "{words}");
    };
    refused("--frames 1-9 --set material.sand.friction=0.3", &["\n  material.sand.friction: 0.5 -> 0.3\n"]);
    refused("--frames 2-9", &["\n  frames: [1, 5] -> [2, 9]\n"]);
    refused("--set fps=25 --set emitter.0.count=301", &["fps: 24 -> 25\n", "emitter[0].count: 300 -> 301\n"]);
    refused("--set step=1e-5", &["step: added 1e-5"]);

    // The content of a mesh belongs to the scene, even where its name is the same.
    place.write("ramp.obj", RAMP.replace("0.1 0.1 0.1", "0.1 0.1 0.11"));
    refused("--frames 1-9", &["obstacle[1].mesh_hash: "]);
    place.write("ramp.obj", RAMP);
    place.good("run pour.toml -o out --resume --frames 1-9");
}

/// Meshes are split into convex parts once. The checkpoint keeps them under its checksum, and no
/// file beside it can change what a run computes.
#[test]
fn convex_parts_are_kept_under_a_checksum() {
    let place = Place::new("convex_parts_are_kept_under_a_checksum");
    let corners: String = (0..8).map(|k| format!("v {} {} {}\n", k & 1, k >> 1 & 1, k >> 2)).collect();
    let faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map(|face| format!("f {face}\n"));
    place.write("cube.obj", corners + &faces.concat());
    place.write("split.toml", "solver = \"rigid\"\nground = 0\n[shape.cube]\nmesh = \"cube.obj\"\nscale = 0.1\n[[body]]\nposition = [0, 0, 0.2]\nrotation = [30, 40, 0]\n");
    let said = place.good("check split.toml");
    assert!(said.contains("# shape cube: ") && said.contains("convex part"), "{said}");
    place.good("run split.toml -o whole --frames 1-9");
    let parts = tumble_io::read_checkpoint(&place.path("whole/checkpoint.tumble")).unwrap().parts;
    assert!(parts.starts_with("split "), "{parts}");

    // A file of parts that another version of tumble or somebody left there is not read.
    let other = parts.replace("0.1", "0.12");
    assert_ne!(other, parts);
    for [first, rest] in [["--frames 1-9", "--force"], ["--frames 1-5 --force", "--resume"]] {
        place.good(&format!("run split.toml -o out {first}"));
        place.write("out/parts.txt", &other);
        place.good(&format!("run split.toml -o out --frames 1-9 {rest}"));
        place.assert_same("whole", "out");
    }
}

/// The counts behind promises are under the checksum of the checkpoint, not in a table that can get
/// lost.
#[test]
fn a_lost_table_breaks_no_promise_and_keeps_none() {
    let place = Place::new("a_lost_table_breaks_no_promise_and_keeps_none");
    // Balls shot out of the world, one by one: each is a warning.
    place.write(
        "leave.toml",
        "ground = 0\nframes = [1, 24]\n[shape.a]\nradius = 0.01\n[[emitter]]\ncount = 20\nrate = 24\npoint = [0, 0, 0.5]\nvelocity = [30, 0, 0]\n\
         [bounds]\nlow = [-1, -1, -1]\nhigh = [1, 1, 1]\n[expect]\nwarnings = \"< 12\"\n",
    );
    place.tumble("run leave.toml -o whole").expect(1).says(&["expectation failed: warnings should be < 12"]);
    let whole = place.report("whole");
    for damage in ["lost", "cut", "changed", "kept"] {
        place.tumble("run leave.toml -o out --frames 1-18 --force");
        let rows = place.read("out/stats.csv");
        match damage {
            "lost" => std::fs::remove_file(place.path("out/stats.csv")).unwrap(),
            "cut" => {
                place.write("out/stats.csv", rows.lines().take(5).map(|row| format!("{row}\n")).collect::<String>())
            }
            "changed" => place.write("out/stats.csv", rows.replacen("\n9,", "\n8,", 1)),
            _ => {}
        }
        let done = place.tumble("run leave.toml -o out --resume").expect(1);
        assert_eq!(
            done.err.contains("rows of out/stats.csv up to frame 18 are lost"),
            damage != "kept",
            "{}",
            done.err
        );
        let out = place.report("out");
        for key in ["warnings", "warning_kinds", "expectations", "deepest_overlap", "settled_frame", "state_hash"] {
            assert_eq!(out[key], whole[key], "{damage}: {key}");
        }
    }
}
