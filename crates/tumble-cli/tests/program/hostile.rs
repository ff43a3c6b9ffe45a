//! Input that wants to break something: memory, time, the terminal, files that are there.

use std::time::{Duration, Instant};

use crate::common::Place;

/// Checks a scene that must be refused soon, with these words.
#[track_caller]
fn refused_soon(place: &Place, text: &str, words: &[&str]) {
    place.write("scene.toml", text);
    let begin = Instant::now();
    // A process that wants more memory than this is ended.
    let done = place.shell("ulimit -v 1500000; \"$tumble\" check scene.toml").expect(2);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    done.says(words);
}

#[test]
fn bodies_in_one_place_are_counted_not_listed() {
    let place = Place::new("bodies_in_one_place");
    for spacing in ["[0, 0, 0]", "[0.005, 0.005, 0.005]"] {
        let text = format!("[[body]]\nname = \"b\"\ngrid = [40, 40, 40]\nspacing = {spacing}\n");
        refused_soon(&place, &text, &["body `b 1` overlaps body `b ", "at least 9980 more overlaps", "`spacing`"]);
    }
    refused_soon(&place, "[[body]]\n[[body]]\nposition = [0.015, 0, 0]\n", &["body `body 1` overlaps body `body 2`"]);
}

#[test]
fn many_problems_take_a_moment() {
    let place = Place::new("many_problems");
    // Where every name is compared with every other this takes minutes.
    let text: String = (0..250_000).map(|k| format!("[[body]]\nposition = [0, 0, 'x']\nname = 'q{k}'\n")).collect();
    refused_soon(&place, &text, &["`position` must be a number", "and 249960 more"]);
}

#[test]
fn solids_without_thickness_are_refused() {
    let place = Place::new("solids_without_thickness");
    let body = "solver = 'rigid'\nground = 0\n[[body]]\nposition = [0, 0, 5]\n";
    let flat = "[shape.a]\nhull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\n";
    refused_soon(&place, &format!("{body}{flat}"), &["four points that do not lie in a plane"]);
    let nearly = flat.replace("[1, 1, 0]", "[1, 1, 1e-9]");
    refused_soon(&place, &format!("{body}{nearly}"), &["four points that do not lie in a plane"]);
    for (key, value) in [
        ("box", "[1e-9, 1e9, 1]"),
        ("capsule", "{ radius = 1e-7, length = 1 }"),
        ("cylinder", "{ radius = 1, height = 1e-8 }"),
    ] {
        refused_soon(&place, &format!("{body}[shape.a]\n{key} = {value}\n"), &["m thick", "a millionth"]);
    }
    let thin = format!("{body}[shape.a]\nhull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 5e-3]]\n");
    place.write("thin.toml", thin);
    place.good("check thin.toml");
    // Air drag that takes more speed in a step than there is.
    for drag in ["1e308", "1e8"] {
        refused_soon(&place, &format!("drag = {drag}\n{body}[shape.a]\nbox = [1, 1, 1]\n"), &["drag"]);
    }
    let covered =
        "ground = 0\n[[body]]\nposition = [0, 0, 5]\n[[obstacle]]\nbox = [0.5, 1e6, 0.1]\nposition = [0, 0, -1]\n";
    let covered = format!("{covered}cover = {{ radius = 0.02 }}\n");
    refused_soon(&place, &covered, &["scene.toml:5:7: the box cannot be covered", "a millionth"]);
}

#[test]
fn covers_and_clumps_have_bounds() {
    let place = Place::new("covers_and_clumps_have_bounds");
    let ring = |offset: &str| {
        format!(
            "ground = 0\n[shape.ring]\nmodel = {{ kind = \"ring\", radius = 0.1, tube = 0.02 }}\n\
             cover = {{ radius = 0.015, offset = {offset} }}\n[[body]]\nposition = [0, 0, 9]\n"
        )
    };
    for offset in ["0.6", "1", "3", "1e9", "-1e9"] {
        refused_soon(&place, &ring(offset), &["`offset` of the cover"]);
    }
    let clump = |count: usize| {
        let sphere = |k: usize| {
            format!(
                "[[shape.a.sphere]]\nposition = [{}, {}, 0]\nradius = 0.02\n",
                k as f64 * 1e-5,
                (k * 7 % 13) as f64 * 1e-4
            )
        };
        (0..count).map(sphere).collect::<String>() + "[[body]]\nposition = [0, 0, 1]\n"
    };
    refused_soon(&place, &clump(3000), &["3000 spheres overlap too much", "use fewer spheres"]);
    refused_soon(&place, &clump(20_001), &["a clump of 20001 spheres"]);
    place.write("small.toml", clump(20));
    place.good("check small.toml");
}

#[test]
fn bodies_that_do_not_fit_into_memory_are_told_before() {
    let place = Place::new("bodies_that_do_not_fit");
    let text = "most_bodies = 30000000\n[[emitter]]\ncount = 12000000\nbox = { low = [0, 0, 0], high = [9, 9, 90] }\n";
    place.write("many.toml", text);
    let words = ["12000000 bodies take about 24.6 GB of memory, and ", " GB are free", "lower `count`"];
    for command in ["check many.toml", "run many.toml -o out"] {
        place.shell(&format!("ulimit -v 20000000; \"$tumble\" {command}")).expect(2).says(&words);
    }
    let said = place.good("check drop.toml");
    assert!(said.contains("; about 0.00 GB of memory for all bodies"), "{said}");
}

#[test]
fn names_neither_colour_the_terminal_nor_end_a_line() {
    let place = Place::new("names_neither_colour");
    place.write(
        "scene.toml",
        r#"title = "\u001b[31mRED\u001b]0;owned\u0007\u202eevil\nline"
ground = 0
frames = [1, 2]
[material."a\nground = 5 #\u001b[2J"]
[shape."s\u001b[31m"]
radius = 0.01
[[obstacle]]
name = "\u001b]8;;http://evil\u0007"
box = [0.1, 0.1, 0.01]
position = [0, 0, 0.3]
[[body]]
position = [0, 0, 0.05]
"#,
    );
    let is_clean = |text: &str| !text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}');
    let checked = place.good("check scene.toml");
    let comments = checked.rsplit_once("\n# ").unwrap().1;
    assert!(is_clean(comments) && comments.lines().count() == 1, "{comments:?}");
    place.write("again.toml", &checked);
    assert_eq!(place.good("check again.toml"), checked);
    let done = place.tumble("run scene.toml -o out").expect(0);
    assert!(is_clean(&done.err), "{:?}", done.err);
    let info = place.good("info out");
    assert!(
        is_clean(&info)
            && info.lines().next() == Some("\u{fffd}[31mRED\u{fffd}]0;owned\u{fffd}\u{fffd}evil\u{fffd}line"),
        "{info:?}"
    );
    // Every message about a scene quotes it.
    for (old, new) in [
        ("radius = 0.01", "radius = 0.01\ncolour = \"\\u001b[31m\""),
        ("[[body]]", "[[body]]\nshape = \"\\u001b[31m\""),
    ] {
        place.write("bad.toml", place.read("scene.toml").replace(old, new));
        let done = place.tumble("check bad.toml").expect(2);
        assert!(is_clean(&done.err), "{:?}", done.err);
    }
}

#[test]
fn a_pile_that_is_refused_leaves_its_scene_alone() {
    let place = Place::new("a_pile_that_is_refused");
    place.good("pile brick -n 3 -o p");
    let scene = place.read("p.toml");
    place.tumble("pile brick -n 4 -o p --resume").expect(2).says(&["not the one that p was run with"]);
    assert_eq!(place.read("p.toml"), scene);
    // Somebody else writes to its folder.
    let lock = std::fs::File::open(place.path("p/lock")).unwrap();
    lock.lock().unwrap();
    place.tumble("pile brick -n 4 -o p --force").expect(2).says(&["is being written by another tumble"]);
    assert_eq!(place.read("p.toml"), scene);
}

#[test]
fn what_obstacles_and_emitters_cannot_do_is_said() {
    let place = Place::new("what_obstacles_and_emitters_cannot_do");
    let hammer = "ground = -9\nframes = [1, 4]\n[shape.a]\nradius = 0.01\n[[body]]\nposition = [0, 0, 1]\n[[obstacle]]\nname = \"hammer\"\nbox = [0.1, 0.1, 0.02]\nposition = [0, 0, 21]\n";
    place.write("fast.toml", format!("{hammer}velocity = [0, 0, -1000]\n"));
    let done = place.tumble("run fast.toml -o fast").expect(0);
    done.says(&["warning: obstacle_too_fast", "obstacle `hammer` moves at 1000.000 m/s", "smaller `step`"]);
    assert_eq!(place.report("fast")["warning_kinds"]["obstacle_too_fast"]["count"], 1);
    place.write("slow.toml", format!("{hammer}velocity = [0, 0, -100]\n"));
    place.good("run slow.toml -o slow");
    assert!(place.report("slow")["warning_kinds"]["obstacle_too_fast"].is_null());

    // A box stands where bodies should be born.
    let spout = "frames = [1, 12]\n[[emitter]]\nname = \"spout\"\ncount = 9\nrate = 30\npoint = [0, 0, 1]\n[[obstacle]]\nbox = [1, 1, 1]\nposition = [0, 0, 0.2]\n";
    place.write("starved.toml", spout);
    let done = place.tumble("run starved.toml -o starved");
    done.says(&["warning: emitter `spout` has made ", " of the 9 bodies that were due", "`spread`"]);
}

#[test]
fn a_fine_lattice_in_a_thin_mesh_finds_its_places() {
    let place = Place::new("a_fine_lattice");
    place.write(
        "glass.toml",
        "ground = -1\n[shape.a]\nradius = 1e-5\n[[obstacle]]\nname = \"glass\"\nmodel = { kind = \"hourglass\", neck = 0.002, bulb = 0.04, height = 0.1, wall = 0.002 }\n\
         [[emitter]]\ncount = 50\ninside = \"glass\"\n",
    );
    place.good("check glass.toml");
    let few = "ground = 0\n[[emitter]]\ncount = 1000\nbox = { low = [0, 0, 0], high = [0.1, 0.1, 0.1] }\npattern = \"random\"\n";
    refused_soon(
        &place,
        few,
        &["cannot place 1000 bodies: room without overlapping was found for ", "pattern = \"lattice\""],
    );
    refused_soon(
        &place,
        &few.replace("pattern = \"random\"\n", ""),
        &["cannot place 1000 bodies", "make the bodies smaller"],
    );
}

#[test]
fn small_slips_are_refused_with_the_right_words() {
    let place = Place::new("small_slips");
    place.shell("ulimit -v 1500000; \"$tumble\" check /dev/zero").expect(2).says(&["/dev/zero", "is no scene"]);
    place.good("run drop.toml -o out --frames 1-3");
    let recording = std::fs::read(place.path("out/frames.tumble")).unwrap();
    let done = place.tumble("export out --to csv -o out/frames.tumble --force").expect(2);
    done.says(&["out/frames.tumble is the recording that is being read"]);
    assert!(std::fs::read(place.path("out/frames.tumble")).unwrap() == recording);
    for to in ["csv", "ply"] {
        let words = format!("export out --to {to} -o rows --frames 500-600");
        place.tumble(&words).expect(2).says(&["there is no such frame"]);
    }
    assert!(!place.path("rows").exists());
    place.tumble("render out -o a.mp4 --turntable nan").expect(2).says(&["a number of degrees"]);
    let joint = "solver = \"rigid\"\n[[body]]\nname = \"a\"\n[[joint]]\nbody = \"a\"\nkind = \"hinge\"\nposition = [0, 0, 0]\naxis = [0, 0, 0]\n";
    place.write("joint.toml", joint);
    let done = place.tumble("check joint.toml").expect(2).says(&["an axis must have a direction"]);
    assert!(!done.err.contains("unknown key"), "{}", done.err);
    place.write("plane.toml", "[[body]]\n[[obstacle]]\nplane = [1e308, 0, 0]\nposition = [-1, 0, 0]\n");
    place.tumble("check plane.toml").expect(2).says(&["`plane` must be from -1000000000 to 1000000000"]);
    place.write("far.toml", "frames = [1, 2]\n[[body]]\nposition = [1e8, 0, 0]\n");
    place.tumble("run far.toml -o far").expect(0).says(&["warning: recordings hold places to 6.0e0 m"]);
}

#[test]
fn solids_in_each_other_are_named_and_too_many_refused() {
    let place = Place::new("solids_in_each_other");
    let scene = "solver = 'rigid'\nframes = [1, 2]\nground = 0\n[shape.a]\nbox = [1, 1, 1]\n[[body]]\nname = 'crate'\nposition = [0, 0, 0.4]\n\
                 grid = [3, 1, 1]\nspacing = [0.5, 0, 0]\n";
    place.write("crates.toml", scene);
    let named =
        ["body `crate 1` is in body `crate 2` by 5.000e-1 m at the start", "in obstacle `ground` by 1.000e-1 m"];
    for command in ["check crates.toml", "run crates.toml -o out"] {
        let done = place.tumble(command).expect(0);
        let said = done.out + &done.err;
        named.iter().for_each(|words| assert!(said.contains(words), "{command}: {said}"));
    }
    // Bodies that a joint holds together may be in each other.
    let joined = "[[joint]]\nkind = 'fixed'\nbody = 'crate 1'\nto = 'crate 2'\nposition = [0, 0, 1]\n";
    place.write("joined.toml", format!("{scene}{joined}"));
    let said = place.good("check joined.toml");
    assert!(!said.contains("`crate 1` is in body `crate 2`"), "{said}");
    // All in one place are more pairs than there is memory.
    let many = scene.replace("[3, 1, 1]", "[20, 20, 20]").replace("[0.5, 0, 0]", "[0, 0, 0]");
    refused_soon(&place, &many, &["in each other in at least 512000 pairs"]);
}
