//! Messages for bad input: the problem, its place and a remedy, exit code 2, and no trace on the
//! disk.

use crate::common::{Place, RAMP};

/// Checks and runs a scene that must be refused with these words, all of them.
#[track_caller]
fn refused(place: &Place, text: &str, words: &[&str]) {
    place.write("scene.toml", text);
    let before = place.files(".");
    let check = place.tumble("check scene.toml").expect(2).says(words);
    let run = place.tumble("run scene.toml -o out").expect(2);
    let forced = place.tumble("run scene.toml -o out --force").expect(2);
    assert_eq!((&check.err, &check.err), (&run.err, &forced.err));
    assert_eq!(check.out, "");
    assert!(place.files(".") == before, "something was written");
}

/// A scene with one ball, and something wrong after it.
const BALL: &str = "ground = 0\n[material.sand]\n[shape.ball]\nradius = 0.1\n[[body]]\nposition = [0, 0, 1]\n";

#[test]
fn keys_and_values() {
    let place = Place::new("keys_and_values");
    let cases: [(&str, &[&str]); 15] = [
        ("[material.sand]\nfricton = 0.3\n", &["scene.toml:2:1: unknown key `fricton`", "did you mean `friction`?"]),
        ("gravty = [0, 0, -1]\n", &["scene.toml:1:1: unknown key `gravty`", "did you mean `gravity`?"]),
        ("[[body]]\npos = [0, 0, 1]\n", &["scene.toml:2:1: unknown key `pos` in [body[0]]", "allowed keys: "]),
        ("fps = \"fast\"\n[[body]]\n", &["scene.toml:1:7: `fps` must be a number, found a string \"fast\""]),
        ("[[body]]\nposition = 3\n", &["scene.toml:2:12: `position` must be an array, found a whole number 3"]),
        ("[[body]]\nposition = [1, 2]\n", &["scene.toml:2:12: `position` must have 3 numbers, found 2"]),
        ("[body]\n", &["scene.toml:1:1: `body` must be an array of tables", "write [[body]]"]),
        ("[material.sand]\ndensity = 0\n[[body]]\n", &["scene.toml:2:11: `density` must be", "got 0"]),
        ("[material.sand]\ndensity = -2500\n[[body]]\n", &["scene.toml:2:11: `density` must be", "got -2500"]),
        ("[material.sand]\nfriction = -0.1\n[[body]]\n", &["scene.toml:2:12: `friction` must be >= 0, got -0.1"]),
        ("frames = [10, 1]\n[[body]]\n", &["scene.toml:1:10: the last frame, 1, comes before the first, 10"]),
        (
            "law = \"herz\"\n[[body]]\n",
            &["scene.toml:1:7: `law` must be one of hertz, linear", "did you mean \"hertz\""],
        ),
        ("title = \"never closed\n[[body]]\n", &["scene.toml:1:"]),
        (
            "[[emitter]]\ncount = 300000000\nbox = { low = [0, 0, 0], high = [50, 50, 50] }\n",
            &["scene.toml:2:9: the scene asks for 300000000 bodies", "most_bodies"],
        ),
        ("ground = 0\n", &["nothing to simulate", "[[body]]", "[[emitter]]"]),
    ];
    for (text, words) in cases {
        refused(&place, text, words);
    }
}

#[test]
fn two_things_with_one_name() {
    let place = Place::new("two_things_with_one_name");
    let obstacle = "[[obstacle]]\nname = \"wall\"\nplane = [1, 0, 0]\nposition = [-9, 0, 0]\n";
    let text = format!("{BALL}{obstacle}{obstacle}");
    refused(&place, &text, &["scene.toml:12:8: there are two things named `wall`", "give each its own name"]);
    let text = format!("{BALL}{}", obstacle.replace("wall", "ground"));
    refused(&place, &text, &["scene.toml:8:8: there are two things named `ground`"]);
    let text = "[[body]]\nname = \"a\"\n[[body]]\nname = \"a\"\nposition = [1, 0, 0]\n";
    refused(&place, text, &["scene.toml:4:8: there are two things named `a`"]);
    refused(&place, "[material.sand]\n[material.sand]\n[[body]]\n", &["scene.toml:2:", "duplicate key"]);
    refused(&place, "fps = 1\nfps = 2\n[[body]]\n", &["scene.toml:2:1: duplicate key"]);
}

#[test]
fn things_that_are_not_there() {
    let place = Place::new("things_that_are_not_there");
    place.tumble("run nowhere.toml").expect(2).says(&["cannot read the scene nowhere.toml", "tumble list"]);
    place.tumble("run .").expect(2).says(&["cannot read the scene ."]);
    place.write("latin.toml", b"title = \"\xe9\"\n");
    place.tumble("run latin.toml").expect(2).says(&["cannot read the scene latin.toml", "UTF-8"]);
    place.tumble("info nowhere").expect(2).says(&["nowhere/frames.tumble", "check the path"]);
    place.tumble("export nowhere --to csv -o rows.csv").expect(2).says(&["nowhere/frames.tumble"]);
    assert!(!place.path("rows.csv").exists() && !place.path("runs").exists());

    let text = "[material.a]\n[material.b]\n[[body]]\nmaterial = \"c\"\nshape = \"cube\"\n";
    refused(
        &place,
        text,
        &["scene.toml:4:12: there is no material `c`", "there are: a, b", "there is no shape `cube`"],
    );
}

#[test]
fn meshes() {
    let place = Place::new("meshes");
    let text = format!("{BALL}[[obstacle]]\nmesh = \"bad.obj\"\n");
    refused(&place, &text, &["scene.toml:8:8: ", "bad.obj", "No such file"]);
    place.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    refused(&place, &text, &["scene.toml:8:8: ", "bad.obj", "no faces"]);
    place.write("bad.obj", RAMP.replace("-0.1 -0.1 0", "-0.1 nan 0"));
    refused(&place, &text, &["scene.toml:8:8: ", "bad.obj", "finite"]);
    place.write("bad.obj", RAMP.replace("f 1 2 3 4", "f 1 2 9"));
    refused(&place, &text, &["scene.toml:8:8: ", "bad.obj", "which does not exist"]);
    place.write("bad.obj", [0xff; 100]);
    refused(&place, &text, &["scene.toml:8:8: ", "bad.obj"]);
    let odd = text.replace("bad.obj", "bad.txt");
    place.write("bad.txt", RAMP);
    refused(&place, &odd, &["scene.toml:8:8: ", "bad.txt"]);

    // An open mesh has no inside to fill.
    let fill = "[[emitter]]\ncount = 3\nmesh = \"ramp.obj\"\n";
    refused(&place, fill, &["scene.toml:3:8: the mesh is not closed", "fill a `box` instead"]);
}

#[test]
fn things_that_do_not_fit() {
    let place = Place::new("things_that_do_not_fit");
    let text = "[[emitter]]\nname = \"hopper\"\ncount = 1000\nbox = { low = [0, 0, 0], high = [0.1, 0.1, 0.1] }\n";
    refused(
        &place,
        text,
        &[
            "scene.toml:3:9: hopper cannot place 1000 bodies: room without overlapping was found for 64",
            "lower `count`",
        ],
    );
    let random = format!("{text}pattern = \"random\"\n");
    refused(
        &place,
        &random,
        &["scene.toml:3:9: hopper cannot place 1000 bodies: room without overlapping was found for "],
    );
    refused(
        &place,
        "[[emitter]]\ncount = 2\npoint = [0, 0, 1]\n",
        &["scene.toml:3:9: ", "one point at once", "`rate`"],
    );

    let text = format!("{BALL}[[body]]\nname = \"late\"\nposition = [0, 0.15, 1]\n");
    refused(&place, &text, &["body `body 1` overlaps body `late` by 5.000e-2 m at the start", "move one of them"]);
    let text = BALL.replace("0, 0, 1", "0, 0, 0.07");
    refused(&place, &text, &["scene.toml:6:12: body `body 1` overlaps obstacle `ground` by 3.000e-2 m"]);
    let wall = "[[obstacle]]\nname = \"wall\"\nbox = [0.2, 1, 1]\nposition = [0.15, 0, 1]\n";
    refused(&place, &format!("{BALL}{wall}"), &["body `body 1` overlaps obstacle `wall` by 5.000e-2 m"]);
    let ramp = "[[obstacle]]\nname = \"ramp\"\nmesh = \"ramp.obj\"\nposition = [0, 0, 1]\n";
    refused(&place, &format!("{BALL}{ramp}"), &["body `body 1` overlaps obstacle `ramp` by "]);
}

#[test]
fn steps_that_are_too_large_or_too_many() {
    let place = Place::new("steps_that_are_too_large_or_too_many");
    let text = format!("step = 0.01\n{BALL}");
    refused(
        &place,
        &text,
        &["scene.toml:1:8: a step of 1e-2 s is too large", "sand on sand", "is stable", "leave `step` out"],
    );
    let text = BALL
        .replace("radius = 0.1", "radius = 1e-9")
        .replace("[material.sand]", "[material.sand]\nyoungs_modulus = 1e13");
    refused(&place, &text, &["a frame would take", "lower the stiffness"]);
}

#[test]
fn all_problems_of_a_file_at_once() {
    let place = Place::new("all_problems_of_a_file_at_once");
    let text = "frames = [9, 1]\nfpss = 24\n[material.sand]\ndensity = -1\nfriction = \"much\"\n[shape.ball]\nradius = 0\n\
                [[emitter]]\ncount = 0\nbox = { low = [0, 0, 1], high = [1, 1, 0] }\n[[obstacle]]\nmesh = \"gone.obj\"\n\
                [[obstacle]]\nplane = [0, 0, 0]\n[expect]\nbodies = \"many\"\n";
    let places = ["1:10", "2:1", "4:11", "5:12", "7:10", "9:9", "10:15", "12:8", "14:9", "16:10"];
    let words: Vec<String> = places.iter().map(|place| format!("scene.toml:{place}: ")).collect();
    refused(&place, text, &words.iter().map(String::as_str).collect::<Vec<_>>());
    // In the order of the file, each once.
    let err = place.tumble("check scene.toml").err;
    let found: Vec<&str> =
        err.lines().filter_map(|line| line.trim_start_matches("tumble: ").strip_prefix("scene.toml:")).collect();
    assert_eq!(found.len(), places.len(), "{err}");
    assert!(found.iter().zip(places).all(|(line, place)| line.starts_with(place)), "{err}");
}

#[test]
fn words_of_the_command_line() {
    let place = Place::new("words_of_the_command_line");
    let before = place.files(".");
    let cases: [(&str, &[&str]); 21] = [
        ("", &["Usage"]),
        ("pile", &["pile"]),
        ("run", &["<SCENE>"]),
        ("run drop.toml --set friction", &["--set friction: expected key=value"]),
        (
            "run drop.toml --set material.rubber.frction=1",
            &["--set material.rubber.frction=1", "did you mean `friction`"],
        ),
        ("run drop.toml --set emitter.3.count=1", &["--set emitter.3.count=1", "from 0 to 0"]),
        ("run drop.toml --set frames=[9,1]", &["--set frames=[9,1]: the last frame, 1, comes before"]),
        ("run drop.toml --frames 9-1", &["--frames", "the last frame, 1, comes before the first, 9"]),
        ("run drop.toml --frames 9", &["--frames", "such as 1-48"]),
        ("run drop.toml --frames 1-x", &["--frames", "such as 1-48"]),
        ("run drop.toml --frames é-3", &["--frames", "such as 1-48"]),
        ("run drop.toml --frames 1-99999999999", &["frames", "1000000000"]),
        ("run drop.toml --threads 0", &["--threads", "1..=1024"]),
        ("run drop.toml --threads many", &["--threads", "many"]),
        ("bench drop.toml --threads 1,0", &["--threads", "1..=1024"]),
        ("run drop.toml --checkpoint-every -1", &["--checkpoint-every"]),
        ("run drop.toml --checkpoint-every nan", &["--checkpoint-every", "number of seconds"]),
        ("run drop.toml --checkpoint-every inf", &["--checkpoint-every", "number of seconds"]),
        ("run drop.toml --resume --force", &["--resume", "--force"]),
        ("export drop.toml --to xls -o x", &["xls", "csv"]),
        ("export drop.toml --to csv -o x", &["drop.toml is not a tumble file"]),
    ];
    for (words, said) in cases {
        let done = place.tumble(words).expect(2);
        // The first case prints the help.
        done.says(said);
    }
    assert!(place.files(".") == before && !place.path("runs").exists());
}

#[test]
fn frames_may_be_negative() {
    let place = Place::new("frames_may_be_negative");
    place.good("run drop.toml -o out --frames -3--1");
    assert_eq!(place.frames("out").iter().map(|frame| frame.0).collect::<Vec<_>>(), [-3, -2, -1]);
}
