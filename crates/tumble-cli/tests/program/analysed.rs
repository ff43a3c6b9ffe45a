//! Findings of `tumble analyse` against closed forms, and the files it leaves behind.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use crate::common::{Done, Place, signal, wait_until};

/// Soft grains fall from a column: a moment of work.
const COLUMN: &str = "frames = [1, 25]\nground = 0\n[material.sand]\nyoungs_modulus = 1e6\n[shape.grain]\nradius = 0.02\n\
                      [[emitter]]\ncount = 40\nbox = { low = [-0.06, -0.06, 0.02], high = [0.06, 0.06, 2] }\n\
                      jitter = { position = 0.001 }\n";

/// A ball on the ground, with a spring and a dashpot that are given; sticky enough to rest soon.
const BALL: &str = "frames = [1, 49]\nground = 0\nlaw = 'linear'\n[contact]\ncoefficients = 'given'\ndashpot = 0\n\
                    [material.rubber]\ndensity = 1000\nk_r = 1e4\nk_d = 20\nrolling_friction = 0\n[shape.ball]\nradius = 0.05\n\
                    [[body]]\nposition = [0, 0, 0.05]\n";

/// Soft coarse grains with eight particles each, and one more; with a step that is too long for
/// finer ones.
const SAND: &str = "frames = [1, 25]\nground = 0\nstep = 7e-4\n[material.sand]\nyoungs_modulus = 3e5\nrestitution = 0.1\n\
                    [shape.grain]\nradius = 0.02\n[[body]]\nposition = [0.5, 0, 0.02]\n\
                    [[emitter]]\ncount = 60\nbox = { low = [-0.1, -0.1, 0], high = [0.1, 0.1, 0.3] }\n\
                    jitter = { position = 0.001 }\n[detail]\ncount = 8\n";

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.write("column.toml", COLUMN);
    place.write("ball.toml", BALL);
    place
}

/// The rows of a table, each with its cells by name.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_string).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let row = |cells: Vec<String>| {
        assert_eq!(cells.len(), head.len(), "{cells:?}");
        head.iter().cloned().zip(cells).collect()
    };
    lines.map(row).collect()
}

#[track_caller]
fn number(row: &BTreeMap<String, String>, key: &str) -> f64 {
    row[key].parse().unwrap_or_else(|_| panic!("{key}: {:?}", row[key]))
}

#[track_caller]
fn close(got: f64, expected: f64, relative: f64) {
    assert!((got - expected).abs() <= relative * expected.abs(), "{got} is not {expected}");
}

#[test]
fn steps_fill_the_time() {
    let place = place("steps_fill_the_time");
    let out = place.good("analyse steps column.toml -o out --tolerances 0.1,0.01 --frictions 0,0.5 --rolling 0.1");
    let rows = rows(&place.read("out/steps.csv"));
    assert_eq!(rows.len(), 8);
    assert_eq!(
        place.read("out/steps.csv").lines().next().unwrap(),
        "integrator,tolerance,friction,accepted,rejected,largest_step,smallest_step,mean_step,deepest_overlap,seconds,\
         rolling_friction,frames,time,warnings"
    );
    for row in &rows {
        // 24 frames at 24 per second.
        close(number(row, "accepted") * number(row, "mean_step"), 1.0, 1e-9);
        assert_eq!((number(row, "frames"), number(row, "time")), (24.0, 1.0));
        let [least, mean, most] = ["smallest_step", "mean_step", "largest_step"].map(|key| number(row, key));
        assert!(0.0 < least && least <= mean && mean <= most && most <= 1.0 / 24.0 + 1e-12, "{row:?}");
        close(number(row, "rolling_friction") + 1.0, 0.1 * number(row, "friction") + 1.0, 1e-12);
    }
    // A tighter tolerance takes more steps, and so does the lower order.
    let accepted = |n: usize| number(&rows[n], "accepted");
    let named = |n: usize| (rows[n]["integrator"].as_str(), number(&rows[n], "tolerance"));
    assert_eq!(
        (named(4), named(5), named(6), named(7)),
        (("rkf45", 0.1), ("rkf45", 0.01), ("rk23", 0.1), ("rk23", 0.01))
    );
    assert!(accepted(5) > accepted(4) && accepted(7) > accepted(6) && accepted(7) > accepted(5), "{rows:?}");

    // Every step is there: those of a run fill its time without a gap, and are as many as counted.
    let each = self::rows(&place.read("out/steps-each.csv"));
    let of_run =
        each.iter().filter(|row| row["integrator"] == "rk23" && row["tolerance"] == "0.01" && row["friction"] == "0.5");
    let (kept, back): (Vec<_>, Vec<_>) = of_run.partition(|row| row["accepted"] == "1");
    assert_eq!((kept.len() as f64, back.len() as f64), (accepted(7), number(&rows[7], "rejected")));
    let mut time = 0.0;
    for row in kept {
        assert!((number(row, "time") - time).abs() < 1e-9);
        time += number(row, "step");
    }
    assert!((time - 1.0).abs() < 1e-9);

    let figure = place.read("out/steps-rk23-0.01-friction-0.5.svg");
    for words in ["accepted", "rejected", "#0072b2", "#d55e00", "time [s]"] {
        assert!(figure.contains(words), "{words}");
    }
    assert!(place.read("out/steps.svg").contains("rkf45, friction 0.5"));
    assert!(out.starts_with("| integrator | tolerance |") && place.read("out/steps.md").contains(&out), "{out}");
    assert!(place.read("out/steps.toml").contains("frames = [1, 25]"));
}

/// A ball of mass m that rests on a spring k with a dashpot c: m z'' + c z' + k z = 0, so λ = -c/2m
/// ± i √(k/m - (c/2m)²). Friction is a dashpot of 2/7 c that acts on 2/7 of the mass (a ball has
/// I = 2/5 m R²), so λ = -c/m; without friction there is none.
#[test]
fn a_ball_on_the_ground_has_the_eigenvalues_of_an_oscillator() {
    let place = place("a_ball_on_the_ground_has_the_eigenvalues");
    place.good("analyse stiffness ball.toml -o out --frictions 0,0.5 --times 0,2 --difference 1e-6");
    let rows = rows(&place.read("out/stiffness.csv"));
    assert_eq!(rows.len(), 4);
    let mass = 1000.0 * 4.0 / 3.0 * PI * 0.05f64.powi(3);
    let (damping, stiffness) = (20.0 / (2.0 * mass), 1e4 / mass);
    for (row, friction) in [(&rows[1], 0.0), (&rows[3], 0.5)] {
        assert_eq!((number(row, "friction"), number(row, "time"), number(row, "contacts")), (friction, 2.0, 1.0));
        close(number(row, "largest_modulus"), stiffness.sqrt(), 1e-6);
    }
    for kind in ["negative", "absolute"] {
        close(number(&rows[1], &format!("{kind}_real")), -damping, 1e-6);
        close(number(&rows[1], &format!("{kind}_imaginary")), (stiffness - damping * damping).sqrt(), 1e-6);
        close(number(&rows[3], &format!("{kind}_real")), -2.0 * damping, 1e-6);
        assert_eq!(number(&rows[3], &format!("{kind}_imaginary")), 0.0);
    }
    assert!(place.read("out/stiffness.md").contains("largest negative real part"));
    assert!(place.read("out/stiffness.svg").contains("friction 0.5"));
}

/// Two balls that fall side by side feel nothing of each other: nothing is stiff.
#[test]
fn free_fall_is_not_stiff() {
    let place = place("free_fall_is_not_stiff");
    let two = "frames = [1, 5]\n[[body]]\n[[body]]\nposition = [1, 0, 0]\nspin = [0, 0, 90]\n";
    place.write("two.toml", two);
    place.good("analyse stiffness two.toml -o out --frictions 0.5");
    let rows = rows(&place.read("out/stiffness.csv"));
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert!(number(&row, "absolute_real").abs() < 1e-6, "{row:?}");
        // A rotation vector turns with half the spin.
        close(number(&row, "largest_modulus"), PI / 4.0, 1e-6);
    }
}

#[test]
fn a_pile_with_less_friction_is_lower_and_wider() {
    let place = place("a_pile_with_less_friction");
    let heap = "frames = [1, 49]\nground = 0\n[material.sand]\nyoungs_modulus = 1e6\nrestitution = 0.1\n[material.floor]\nfriction = 1\n\
                [shape.grain]\nradius = 0.02\n\
                [[obstacle]]\nname = 'shelf'\nmaterial = 'floor'\nbox = [0.1, 0.1, 0.1]\nposition = [5, 5, 5]\n\
                [[emitter]]\nmaterial = 'sand'\ncount = 150\nrate = 200\npoint = [0, 0, 0.25]\nspread = 0.05\n";
    place.write("heap.toml", heap);
    place.tumble("analyse friction heap.toml -o out --frictions 0,0.8 --seeds 2 --rolling 0.5").expect(0);
    let rows = rows(&place.read("out/friction.csv"));
    let seen: Vec<_> = rows.iter().map(|row| (row["friction"].as_str(), row["seed"].as_str())).collect();
    assert_eq!(seen, [("0", "1"), ("0", "2"), ("0.8", "1"), ("0.8", "2")]);
    for (slippery, rough) in rows[..2].iter().zip(&rows[2..]) {
        assert!(number(rough, "height") > 1.5 * number(slippery, "height"), "{rows:?}");
        assert!(number(rough, "width") < number(slippery, "width"), "{rows:?}");
        assert_eq!(number(rough, "rolling_friction"), 0.4);
        assert!(number(rough, "bodies") <= 150.0 && number(slippery, "height") > 0.0399, "{rows:?}");
    }
    assert_ne!(rows[2]["height"], rows[3]["height"]);
    for name in ["friction-height.svg", "friction-width.svg", "friction.md", "friction.toml"] {
        assert!(place.path("out").join(name).exists(), "{name}");
    }
    // Bodies above the height do not count: here only the lowest layer is left.
    place.good("analyse friction heap.toml -o low --frictions 0.8 --seeds 1 --rolling 0.5 --below 0.03");
    let low = self::rows(&place.read("low/friction.csv"));
    assert!(number(&low[0], "height") < 0.06 && number(&low[0], "bodies") < number(&rows[2], "bodies"), "{low:?}");
}

#[test]
fn more_bodies_cost_more() {
    let place = place("more_bodies_cost_more");
    let out = place.good("analyse size column.toml -o out --counts 10,40,160 --threads 1");
    let rows = rows(&place.read("out/size.csv"));
    assert_eq!(rows.iter().map(|row| row["count"].as_str()).collect::<Vec<_>>(), ["10", "40", "160"]);
    for row in &rows {
        assert_eq!((number(row, "bodies"), number(row, "frames")), (number(row, "count"), 24.0));
        close(number(row, "seconds"), 24.0 * number(row, "seconds_per_frame"), 1e-9);
        close(number(row, "body_steps"), 24.0 * number(row, "steps_per_frame") * number(row, "bodies"), 1e-9);
        close(number(row, "nanoseconds_per_body_step"), 1e9 * number(row, "seconds") / number(row, "body_steps"), 1e-9);
    }
    assert!(out.contains("time per frame ∝ bodies^"), "{out}");
    assert!(place.read("out/size.svg").contains("bodies to the power"));
}

/// L-blocks drop on a pile for some seconds. Nothing is asleep where nothing may sleep, the pile
/// sleeps most, and error is that of the first run against the others.
#[test]
fn piles_are_compared_with_the_full_run() {
    let place = place("piles_are_compared");
    let drop = "drop --set emitter.0.count=25 --frames 1-300";
    place.good(&format!("analyse piles {drop} -o out --repeat 2"));
    let rows = rows(&place.read("out/piles.csv"));
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((row["scene"].as_str(), row["angle"].as_str()), ("drop", "45"));
    assert_eq!((number(row, "frames"), number(row, "bodies")), (299.0, 25.0));
    let [full, sleeping, piles] = ["full", "sleeping", "piles"].map(|way| number(row, &format!("{way}_seconds")));
    close(number(row, "speed_up"), full / piles, 1e-9);
    close(number(row, "speed_up_over_sleeping"), sleeping / piles, 1e-9);
    assert!(number(row, "awake_piles") < number(row, "awake_sleeping"), "{row:?}");
    assert!(number(row, "relative_error_percent") > 0.0 && number(row, "absolute_error") > 0.0, "{row:?}");

    let frames = self::rows(&place.read("out/piles-drop.csv"));
    assert_eq!(frames.len(), 299);
    let sum = |key: &str| frames.iter().map(|frame| number(frame, key)).sum::<f64>();
    close(sum("full_seconds"), full, 1e-9);
    close(sum("awake_piles") / 299.0, number(row, "awake_piles"), 1e-9);
    for frame in &frames {
        assert_eq!(frame["awake_full"], frame["bodies"], "something sleeps in the full run");
    }
    // Until the first body lands, nothing differs.
    assert_eq!(number(&frames[10], "absolute_error"), 0.0);

    // Thresholds are those of the paper's rule.
    let layers = "--set pile.0.rule=layers --set pile.0.angle=60";
    let out = place.good(&format!("analyse piles {drop} {layers} -o layers --thresholds 0.9,0.1"));
    let thresholds = self::rows(&place.read("layers/piles-thresholds.csv"));
    let named: Vec<&str> = thresholds.iter().map(|row| row["threshold"].as_str()).collect();
    assert_eq!(named, ["none", "0.9", "0.1"]);
    assert!(number(&thresholds[2], "awake") < number(&thresholds[1], "awake"), "{thresholds:?}");
    close(number(&thresholds[0], "speed_up"), 1.0, 1e-12);
    assert!(out.contains("With other thresholds") && place.read("layers/piles.md").contains(&out), "{out}");
    for words in ["full", "sleeping", "piles", "relative error [%]", "absolute error, scaled"] {
        assert!(place.read("out/piles-drop.svg").contains(words), "{words}");
    }
    // The recording of the full run is gone, and the scene is there.
    let left = place.files("out");
    assert!(!left.keys().any(|name| name.ends_with(".tumble")), "{:?}", left.keys());
    assert!(place.path("out/piles-drop.toml").exists());
}

/// Several scenes have a row each, and grains, which have no ordinary sleeping, are compared with
/// the full run only. The error is the same that `tumble compare` finds.
#[test]
fn piles_of_several_scenes_stand_in_one_table() {
    let place = place("piles_of_several_scenes");
    let grains = format!("{COLUMN}[[pile]]\nangle = 30\n");
    place.write("grains.toml", &grains);
    let small = "--set emitter.0.count=25 --frames 1-240";
    place.good(&format!("analyse piles drop grains.toml {small}"));
    let out = "runs/drop-grains-piles";
    let rows = rows(&place.read(&format!("{out}/piles.csv")));
    assert_eq!(rows.iter().map(|row| row["scene"].as_str()).collect::<Vec<_>>(), ["drop", "grains"]);
    assert_eq!((rows[1]["sleeping_seconds"].as_str(), rows[1]["awake_sleeping"].as_str()), ("", ""));

    for (name, changes) in [("full", "--set pile=[] --set sleeping=false"), ("piles", "")] {
        // The scene promises more bodies.
        place.tumble(&format!("run drop {small} {changes} -o {name}")).expect(1);
    }
    let told: serde_json::Value = {
        place.good("compare full piles --json difference.json");
        serde_json::from_str(&place.read("difference.json")).unwrap()
    };
    let error = told["relative_error"].as_f64().unwrap();
    assert!(error > 0.0);
    close(number(&rows[0], "relative_error_percent"), 100.0 * error, 1e-3);
}

/// Coarse grains with particles, and the same sand in full: as many grains as particles, of the
/// same volume.
#[test]
fn particles_are_compared_with_as_many_grains() {
    let place = place("particles_are_compared");
    place.write("sand.toml", SAND);
    let out = place.good("analyse detail sand.toml -o out --threads 1");
    let rows = rows(&place.read("out/detail.csv"));
    let [carriers, full] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((carriers["run"].as_str(), full["run"].as_str()), ("carriers with particles", "full"));
    let counts = |row: &BTreeMap<String, String>| ["grains", "particles", "frames"].map(|key| number(row, key));
    assert_eq!((counts(carriers), counts(full)), ([61.0, 488.0, 24.0], [481.0, 0.0, 24.0]));
    // Half the size, half the step; the scene's own step holds for its own grains only.
    close(number(carriers, "step"), 1.0 / 24.0 / 60.0, 1e-9);
    assert!(number(full, "steps_per_frame") > 60.0, "{full:?}");
    for row in &rows {
        close(number(row, "steps"), number(row, "steps_per_frame") * 24.0, 1e-9);
        close(number(row, "seconds"), number(row, "grains_seconds") + number(row, "particles_seconds"), 1e-9);
    }
    close(number(carriers, "speed_up"), number(full, "seconds") / number(carriers, "seconds"), 1e-9);
    assert!(number(carriers, "particles_seconds") > 0.0 && number(full, "particles_seconds") == 0.0);

    let piles = self::rows(&place.read("out/detail-piles.csv"));
    assert_eq!(
        piles.iter().map(|row| row["pile_of"].as_str()).collect::<Vec<_>>(),
        ["full grains", "carriers", "particles"]
    );
    for (n, pile) in piles.iter().enumerate() {
        let off = ["profile_difference", "worst", "surface_difference"].map(|key| number(pile, key));
        assert!(if n == 0 { off == [0.0; 3] } else { off.iter().all(|off| (1e-6..1.0).contains(off)) }, "{piles:?}");
        assert!((0.02..0.4).contains(&number(pile, "top")), "{piles:?}");
    }
    for words in [
        "by larger steps",
        "by fewer grains",
        "The profile of the particles",
        "1 [[body]] of the carriers' shapes cannot be multiplied",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(place.read("out/detail-profile.svg").contains("particles"));
    let picture = tumble_picture::read_png(&place.path("out/three_ways.png")).unwrap();
    assert!(picture.width > 3 * 640 && picture.height > 480);
    // Both can be looked at as runs, and the full one is a scene without particles.
    assert!(place.good("info out/full").contains("481 in the last frame"));
    assert!(
        !place.read("out/full/scene.toml").contains("[detail]")
            && place.read("out/carriers/scene.toml").contains("[detail]")
    );
    place.good("analyse detail sand.toml -o out --force --frames 1-3");

    // A run of somebody's own is in the way.
    place.good("run sand.toml -o mine/full --frames 1-3 --no-preview");
    place.tumble("analyse detail sand.toml -o mine --frames 1-3").expect(2).says(&["mine/full already holds a run"]);
}

/// Grains of all forms have one volume: the heap of a sphere is that of the scene itself.
#[test]
fn clumps_of_one_volume_are_compared() {
    let place = place("clumps_of_one_volume");
    let scene = COLUMN
        .replace("radius = 0.02", "clump = 'cube'\noverlap = 0.2\nradius = 0.01")
        .replace("count = 40", "count = 20");
    place.write("cubes.toml", &scene);
    place.good("analyse clumps cubes.toml -o out --seeds 2 --clumps cube,sphere");
    let rows = rows(&place.read("out/clumps.csv"));
    let seen: Vec<_> =
        rows.iter().map(|row| [row["clump"].as_str(), row["spheres"].as_str(), row["seed"].as_str()]).collect();
    assert_eq!(seen, [["sphere", "1", "1"], ["sphere", "1", "2"], ["cube", "8", "1"], ["cube", "8", "2"]]);
    // The scene's own grain stays as it is.
    close(number(&rows[2], "radius"), 0.01, 1e-9);
    // Eight spheres of 1 cm that overlap a little fill less than eight.
    assert!((0.018..0.02).contains(&number(&rows[0], "radius")), "{rows:?}");
    assert!(rows.iter().all(|row| number(row, "height") > 0.0 && number(row, "bodies") <= 20.0));
    for name in ["clumps.svg", "clumps.md", "clumps.toml"] {
        assert!(place.path("out").join(name).exists(), "{name}");
    }
}

#[test]
fn bad_input_is_refused() {
    let place = place("bad_input_of_analyses_is_refused");
    let before = place.files(".");
    let cases: [(&str, &[&str]); 24] = [
        ("steps column.toml --tolerances 0", &["--tolerances", "above 0"]),
        ("steps column.toml --tolerances 0.1,-1", &["--tolerances", "above 0"]),
        ("steps column.toml --rolling 0.1", &["--frictions"]),
        ("steps nowhere.toml", &["cannot read the scene nowhere.toml", "tumble list"]),
        ("steps column.toml --set material.sand.fricton=1", &["unknown key `fricton`", "friction"]),
        (
            "stiffness column.toml --set emitter.0.count=250 --set emitter.0.rate=99",
            &["250 bodies are too many", "3000 rows", "emitter.0.count"],
        ),
        ("stiffness column.toml --difference 0", &["--difference", "above 0"]),
        ("stiffness column.toml --times 2", &["2 s is after the end", "1 s"]),
        ("stiffness column.toml --frames 1-1", &["only one frame"]),
        ("friction column.toml --frictions -0.1", &["--frictions", "from 0 up"]),
        ("friction column.toml --seeds 0", &["--seeds"]),
        ("size ball.toml", &["ball has no emitter", "[[emitter]]"]),
        (
            "size column.toml --counts 40,100000",
            &["cannot place 100000 bodies: room without overlapping was found for "],
        ),
        ("piles", &["SCENE"]),
        ("piles drop column.toml", &["column has no pile", "[[pile]]"]),
        ("piles drop drop", &["two scenes are named drop"]),
        ("piles drop --frames 1-1", &["only one frame"]),
        ("piles drop --thresholds 0.5,2", &["threshold", "1"]),
        ("detail column.toml", &["column has no particles", "[detail]", "--set detail.count=20"]),
        ("detail column.toml --set detail.count=8 --frames 1-1", &["only one frame"]),
        ("detail ball.toml --set detail.count=8", &["no emitter of carriers", "a [[body]] cannot be multiplied"]),
        ("detail column.toml --set detail.count=1000 --set most_bodies=5000", &["40000", "most_bodies"]),
        ("clumps ball.toml", &["ball has no emitter of spheres or clumps"]),
        ("clumps column.toml --clumps cone", &["--clumps", "tetrahedron", "centred_cube"]),
    ];
    for (words, says) in cases {
        let done = place.tumble(&format!("analyse {words} -o out")).expect(2).says(says);
        assert_eq!(done.out, "", "{words}");
    }
    assert!(place.files(".") == before, "something was written");
}

#[test]
fn what_is_there_is_not_overwritten() {
    let place = place("what_is_there_is_not_overwritten");
    let size = "analyse size column.toml --counts 10 --frames 1-3";
    place.good(&format!("{size} -o out"));
    assert_eq!(place.files("runs").len(), 0);
    place.tumble(&format!("{size} -o out")).expect(2).says(&["already holds an analysis of size", "--force"]);
    place.write("out/size-notes.txt", "mine");
    place.good(&format!("{size} -o out --force"));
    assert_eq!(place.read("out/size-notes.txt"), "mine");
    // Another analysis may stand beside it.
    place.good("analyse steps column.toml -o out --tolerances 0.1 --frames 1-3");
    assert!(place.path("out/size.csv").exists() && place.path("out/steps.csv").exists());

    std::fs::create_dir(place.path("foreign")).unwrap();
    place.write("foreign/size.csv", "mine");
    let done = place.tumble(&format!("{size} -o foreign --force")).expect(2);
    done.says(&["foreign/size.csv would be overwritten", "not the folder of an analysis"]);
    assert_eq!(place.read("foreign/size.csv"), "mine");
    assert_eq!(place.files("foreign").len(), 1);
    place.good(size);
    assert!(place.path("runs/column-size/size.md").exists());
}

#[test]
fn ctrl_c_leaves_what_was_finished() {
    let place = place("ctrl_c_leaves_what_was_finished");
    // The second run would take minutes.
    let words = "analyse steps column.toml -o out --tolerances 0.1,1e-9 --frames 1-200";
    let child = place.command(words).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let child = child.unwrap();
    wait_until("the first row", || place.path("out/steps.csv").exists());
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let done = Done { status: output.status, out: text(output.stdout), err: text(output.stderr) };
    let done = done.expect(130).says(&["stopped; finished runs are in the tables"]);
    assert_eq!(rows(&place.read("out/steps.csv")).len(), 1);
    assert!(done.out.contains("rkf45"));
    assert!(place.read("out/steps.md").contains("Stopped before all runs were done"));
    assert!(place.path("out/steps-rkf45-0.1.svg").exists());
}
