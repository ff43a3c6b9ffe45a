//! Pages about runs: `report` and `compare`.

use serde_json::Value;

use crate::common::{DROP, Place, signal, wait_until};

/// Elements that have no end.
const VOID: [&str; 3] = ["meta", "img", "!DOCTYPE"];

/// Checks that tags match and attributes are quoted, that there is no script, and that nothing is
/// fetched from elsewhere.
#[track_caller]
fn check_page(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        // A style sheet may say which child of which; text may not.
        assert!(open.last() == Some(&"style") || !text.contains('>'), "{text}");
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().unwrap();
        assert!(!["script", "link", "iframe", "object", "base", "form"].contains(&name), "{tag}");
        for (number, piece) in tag.split('"').enumerate() {
            assert!(number % 2 == 0 || !piece.contains("://") || piece == "http://www.w3.org/2000/svg", "{tag}");
            assert!(!(number % 2 == 0 && (piece.contains(" on") || piece.contains("href"))), "{tag}");
        }
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    assert!(!style.contains("url(") && !style.contains("@import"), "{style}");
}

/// The content of a table: of each row the cells.
fn csv(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

fn numbers(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_report_is_one_whole_page() {
    let place = Place::new("a_report_is_one_whole_page");
    let scene = DROP.replace("title = \"Balls drop\"", "title = '<b>&\"<script>alert(1)</script> http://x.y'");
    place.write("drop.toml", format!("{scene}[expect]\nbodies = \"= 60\"\nhighest = \"> 5\"\n"));
    place.tumble("run drop.toml -o out").expect(1);
    let files = place.files("out").len();
    place.tumble("report out --pictures 2").expect(0).says(&["out/report.html: "]);
    let page = place.read("out/report.html");
    check_page(&page);
    assert!(page.contains("<h1>&lt;b&gt;&amp;&quot;&lt;script&gt;alert(1)&lt;/script&gt; http://x.y</h1>"));
    assert!(!page.contains("<b>") && !page.contains("<script"));
    let hash = format!("{:016x}", place.frames("out").last().unwrap().1);
    for words in [
        "60 bodies, frames 1 to 20",
        "1 of 2 expectations of the scene failed",
        "Angle of repose",
        "Packing fraction",
        "Penetration",
        "Drift",
        "Warnings",
        &hash,
        "youngs_modulus = 6000000",
        "Seconds per frame, by stage",
        "Energies",
        "Bodies and contacts",
        "Step size",
        "Deepest overlap",
        "src=\"data:image/png;base64,iVBORw0KGgo",
    ] {
        assert!(page.contains(words), "{words:?} is not on the page");
    }

    // Existing files stay unless `--force` is given, and nothing else is left in the folder.
    place.write("mine.html", "precious");
    place.tumble("report out --pictures 0 -o mine.html").expect(2).says(&["mine.html exists", "--force"]);
    assert_eq!(place.read("mine.html"), "precious");
    place.good("report out --pictures 0 -o mine.html --force");
    check_page(&place.read("mine.html"));
    assert!(!place.read("mine.html").contains("<img"));
    assert_eq!(place.files("out").len(), files + 1);
    // The page in the run's own folder is made anew, and goes when another run takes the folder.
    place.good("report out --pictures 0");
    place.tumble("run drop.toml -o out --force").expect(1);
    assert!(!place.path("out/report.html").exists());
}

#[test]
fn json_has_the_numbers_of_the_run() {
    let place = Place::new("json_has_the_numbers_of_the_run");
    place.good("run pour.toml -o out");
    let found = numbers(&place.good("report out --json"));
    assert!(!place.path("out/report.html").exists());
    let (table, told) = (csv(&place.read("out/stats.csv")), place.report("out"));
    let last = table.last().unwrap();
    let header = place.read("out/stats.csv");
    let column = |name: &str| header.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
    for name in ["frame", "time", "steps", "bodies", "awake", "contacts", "kinetic_energy", "deepest_overlap"] {
        let values: Vec<f64> = table.iter().map(|row| row[column(name)]).collect();
        assert_eq!(found["per_frame"][name], Value::from(values), "{name}");
    }
    for name in ["title", "first_frame", "last_frame", "frames", "complete", "threads", "bodies", "state_hash"] {
        assert_eq!(found[name], told[name], "{name}");
    }
    let totals = &found["totals"];
    for name in ["steps", "contacts", "warnings", "settled_frame"] {
        assert_eq!(totals[name], told[name], "{name}");
    }
    assert_eq!(totals["deepest_overlap"].as_f64(), told["deepest_overlap"].as_f64());
    assert_eq!(totals["kinetic_energy"].as_f64(), Some(last[column("kinetic_energy")]));
    let stages: f64 = table.iter().flat_map(|row| &row[column("warnings") + 1..]).sum();
    assert!((totals["seconds"].as_f64().unwrap() - stages).abs() < 1e-9);
    for (stage, seconds) in told["seconds_per_stage"].as_object().unwrap() {
        let added = totals["seconds_per_stage"][stage].as_f64().unwrap();
        assert!((added - seconds.as_f64().unwrap()).abs() < 1e-4, "{stage}");
    }
    let pile = &found["pile"];
    assert_eq!((&pile["frame"], &pile["bodies"]), (&found["last_frame"], &found["bodies"]));
    assert!(pile["repose"].is_object() != pile["no_repose"].is_string(), "{pile}");
    assert!(pile["highest"].as_f64().unwrap() > 0.0, "{pile}");
    assert!((pile["drift"]["seconds"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{pile}");

    place.good("report out --json out.json -o page.html --pictures 0");
    assert_eq!(numbers(&place.read("out.json")), found);
    check_page(&place.read("page.html"));
    place.tumble("report out --json out.json").expect(2).says(&["out.json exists"]);
}

#[test]
fn a_report_needs_only_the_recording() {
    let place = Place::new("a_report_needs_only_the_recording");
    place.good("run drop.toml -o out");
    std::fs::create_dir(place.path("bare")).unwrap();
    std::fs::copy(place.path("out/frames.tumble"), place.path("bare/mine.tumble")).unwrap();
    place.tumble("report bare/mine.tumble --pictures 1").expect(0).says(&["no stats.csv"]);
    let page = place.read("bare/report.html");
    check_page(&page);
    for words in ["need the stats.csv", "Packing fraction", "Not known without", "Balls drop"] {
        assert!(page.contains(words), "{words}");
    }
    let found = numbers(&place.good("report bare/mine.tumble --json"));
    assert_eq!((&found["totals"], &found["per_frame"], &found["bodies"]), (&Value::Null, &Value::Null, &60.into()));
    assert_eq!(found["complete"], true);
}

#[test]
fn a_run_that_was_broken_off_has_a_report() {
    let place = Place::new("a_run_that_was_broken_off_has_a_report");
    let mut child = place.start("run pour.toml -o out --checkpoint-every 3600");
    let stats = place.path("out/stats.csv");
    wait_until("frame 6", || std::fs::read_to_string(&stats).is_ok_and(|text| text.lines().count() > 6));
    // While it is being made, and after it was killed.
    signal(&child, "STOP");
    for _ in 0..2 {
        place.good("report out --pictures 1 --force");
        let page = place.read("out/report.html");
        check_page(&page);
        assert!(page.contains("is still going on: the last frame of the scene is 30"), "{page}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let whole = std::fs::read(place.path("out/frames.tumble")).unwrap();
    place.write("out/frames.tumble", &whole[..whole.len() - 3]);
    place.tumble("report out --pictures 1 --force").expect(0).says(&["warning: Damage", "whole up to byte"]);
    check_page(&place.read("out/report.html"));
    assert!(place.read("out/report.html").contains("whole up to byte"));
    let found = numbers(&place.good("report out --json"));
    assert_eq!(found["complete"], false);
    let rows = found["per_frame"]["frame"].as_array().unwrap();
    assert!(rows.last().unwrap().as_f64().unwrap() <= found["last_frame"].as_f64().unwrap());

    // A frame whose inside was changed is left out, not believed.
    let mut changed = whole.clone();
    let at = changed.len() - 40;
    changed[at] ^= 0x55;
    place.write("out/frames.tumble", &changed);
    let shorter = numbers(&place.good("report out --json"));
    assert!(shorter["notes"].to_string().contains("Frames left out at the end: 1"), "{}", shorter["notes"]);
    place.good("report out --pictures 1 --force");
    check_page(&place.read("out/report.html"));
    assert!(place.read("out/report.html").contains("<img"), "the sound frames can be seen");
    place.write("out/frames.tumble", &whole[..10]);
    place.tumble("report out --force").expect(2);
}

#[test]
fn a_run_is_the_same_as_itself_and_not_as_another() {
    let place = Place::new("a_run_is_the_same_as_itself");
    place.good("run pour.toml -o a");
    place.good("run pour.toml -o b --set material.sand.friction=0.1 --frames 1-24");
    place.good("run pour.toml -o later --frames 1001-1030");

    for other in ["a", "later"] {
        let found = numbers(&place.good(&format!("compare a {other} --json")));
        assert_eq!((&found["relative_error"], &found["absolute_error"]), (&0.0.into(), &0.0.into()), "{other}");
        assert_eq!(found["frames"], 30);
    }
    let text = place.good("compare a a --pictures 0 -o same.html");
    assert!(text.contains("The runs are identical: the exact states agree in all 30 frames"), "{text}");
    check_page(&place.read("same.html"));

    let text = place.good("compare a b --pictures 2");
    for words in [
        "1 to 24",
        "24 compared",
        "Relative error",
        "floor 0.01 radii",
        "Speed-up",
        "material.sand.friction: 0.5 -> 0.1",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    let page = place.read("compare.html");
    check_page(&page);
    for words in ["Time per frame and error", "Speed-up", "A above B", "material.sand.friction", "data:image/png"] {
        assert!(page.contains(words), "{words:?} is not on the page");
    }
    place.tumble("compare a b").expect(2).says(&["compare.html exists", "--force"]);
    // A reader who closes the pipe of the table still gets the page.
    place.shell("\"$tumble\" compare a b --pictures 0 -o unread.html | true").expect(0);
    assert!(place.read("unread.html").ends_with("</html>\n"));

    let found = numbers(&place.good("compare a b --json --frames 5-20"));
    assert_eq!((&found["first_frame"], &found["last_frame"], &found["frames"]), (&5.into(), &20.into(), &16.into()));
    assert_eq!(found["identical"], false);
    assert!(found["relative_error"].as_f64().unwrap() > 0.0 && found["absolute_error"].as_f64().unwrap() > 0.0);
    // A higher floor never makes an error larger.
    let higher = numbers(&place.good("compare a b --json --frames 5-20 --floor 10"));
    assert!(higher["relative_error"].as_f64().unwrap() < found["relative_error"].as_f64().unwrap());
    let rows = found["per_frame"].as_array().unwrap();
    assert_eq!(rows.len(), 15);
    let mean = rows.iter().map(|row| row["relative_error"].as_f64().unwrap()).sum::<f64>() / 15.0;
    assert!((mean - found["relative_error"].as_f64().unwrap()).abs() < 1e-12);
    let seconds: f64 = rows.iter().map(|row| row["seconds"][1].as_f64().unwrap()).sum();
    assert!((seconds - found["seconds"][1].as_f64().unwrap()).abs() < 1e-9);
}

#[test]
fn runs_that_cannot_be_compared_are_refused() {
    let place = Place::new("runs_that_cannot_be_compared_are_refused");
    place.good("run drop.toml -o a");
    place.good("run drop.toml -o faster --set fps=30 --frames 1-3");
    place.good("run drop.toml -o one --frames 1-1");
    place.tumble("compare a faster").expect(2).says(&["24 frames per second", "30"]);
    place.tumble("compare a one").expect(2).says(&["two frames", "A has frames 1 to 20, B has 1 to 1"]);
    place.tumble("compare a a --frames 40-50").expect(2).says(&["there are none", "40 to 50"]);
    place.good("run drop.toml -o empty --set emitter.0.start=100");
    place.tumble("compare a empty").expect(2).says(&["no body is in both runs"]);
    place.good("report empty --pictures 1");
    check_page(&place.read("empty/report.html"));
    place.tumble("compare a missing").expect(2).says(&["missing"]);
    place.tumble("compare a a --floor -1").expect(2).says(&["0 or more"]);
    assert!(!place.path("compare.html").exists());

    // Without a table there is no time, but there is an error.
    place.good("run drop.toml -o b --set seed=7");
    std::fs::remove_file(place.path("b/stats.csv")).unwrap();
    let done = place.tumble("compare a b --pictures 0").expect(0).says(&["B: There is no stats.csv"]);
    assert!(done.out.contains("not known without the stats.csv of both"), "{}", done.out);
    check_page(&place.read("compare.html"));
}

/// Solids have no spheres: their heap is seen by a ball each, and overlaps are not guessed.
#[test]
fn a_report_measures_solids() {
    let place = Place::new("a_report_measures_solids");
    place.write(
        "bricks.toml",
        "solver = \"rigid\"\nground = 0\nframes = [1, 31]\n[shape.cube]\nbox = [0.1, 0.1, 0.1]\n\
         [[body]]\nposition = [0, 0, 0.3]\nrotation = [45, 0, 0]\n[[body]]\nposition = [1, 0, 0.05]\n",
    );
    place.good("run bricks.toml -o start --frames 1-1");
    let pile = &numbers(&place.good("report start --json"))["pile"];
    // A cube on its edge: half its diagonal above its middle.
    let highest = pile["highest"].as_f64().unwrap();
    assert!((highest - (0.3 + 0.05 * 2.0f64.sqrt())).abs() < 1e-6, "{highest}");
    assert!(pile["penetration"].is_null() && pile["packing"].is_null(), "{pile}");
    assert_eq!(pile["no_repose"], "2 bodies are part of a pile, 60 are needed");
    place.good("run bricks.toml -o out");
    let pile = &numbers(&place.good("report out --json"))["pile"];
    assert_eq!(pile["drift"]["unmatched"], 0, "{pile}");
    place.good("report out --pictures 0");
    assert!(place.read("out/report.html").contains("measured for spheres only"));
}
