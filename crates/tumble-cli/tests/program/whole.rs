//! Every command on a run that goes well.

use crate::common::{DROP, Place, frame_column};

#[test]
fn a_run_leaves_all_its_files() {
    let place = Place::new("a_run_leaves_all_its_files");
    let done = place.tumble("run pour.toml -o out --frames 1-12").expect(0);
    assert!(done.err.contains("frames 1 to 12 in out"), "{}", done.err);
    let files = place.files("out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["checkpoint.tumble", "frames.tumble", "lock", "report.json", "scene.toml", "stats.csv"]);

    let frames = place.frames("out");
    assert_eq!(frames.iter().map(|frame| frame.0).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    let report = place.report("out");
    assert_eq!(report["frames"], 12);
    assert_eq!(report["settled_frame"], serde_json::Value::Null);
    assert_eq!(report["state_hash"], format!("{:016x}", frames[11].1));
    for key in ["bodies", "steps", "body_steps_per_second", "wall_seconds", "peak_memory_bytes"] {
        assert!(report[key].as_f64().unwrap() > 0.0, "{key}: {report}");
    }
    assert!(report["warnings"].is_u64());
    assert_eq!(frame_column(&place.read("out/stats.csv")), (1..=12).collect::<Vec<_>>());

    // The text that is written as the scene is the scene: run where its mesh is, it gives the same.
    place.write("again.toml", place.read("out/scene.toml"));
    place.good("run again.toml -o again");
    place.assert_same("out", "again");
}

#[test]
fn info_says_what_a_run_holds() {
    let place = Place::new("info_says_what_a_run_holds");
    place.good("run drop.toml -o out");
    let hash = format!("{:016x}", place.frames("out").last().unwrap().1);
    for run in ["out", "out/frames.tumble"] {
        let text = place.good(&format!("info {run}"));
        for words in ["Balls drop", "1 to 20 (20)", "60 in the last frame", &hash, "rubber", "ground", "frame 20"] {
            assert!(text.contains(words), "{words:?} is not in {text}");
        }
        let info: serde_json::Value = serde_json::from_str(&place.good(&format!("info {run} --json"))).unwrap();
        assert_eq!((&info["first_frame"], &info["last_frame"], &info["frames"]), (&1.into(), &20.into(), &20.into()));
        assert_eq!((&info["bodies"], &info["state_hash"]), (&60.into(), &hash.as_str().into()));
        assert_eq!((&info["checkpoint_frame"], info["damage"].is_null()), (&20.into(), true));
    }
}

#[test]
fn export_writes_a_row_a_body_and_frame() {
    let place = Place::new("export_writes_a_row_a_body_and_frame");
    place.good("run drop.toml -o out");
    let done = place.tumble("export out --to csv -o rows.csv").expect(0).says(&["rows.csv: 1200 rows"]);
    assert_eq!(done.out, "");
    let csv = place.read("rows.csv");
    assert_eq!(
        csv.lines().next(),
        Some("frame,time,id,kind,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep,size,material,generation")
    );
    assert_eq!(csv.lines().count(), 1 + 60 * 20);
    assert!(csv.lines().all(|line| line.split(',').count() == 21));
    assert_eq!(place.good("export out --to csv -o -"), csv);

    let some = place.good("export out --to csv -o - --frames 3-4");
    assert_eq!(frame_column(&some), [[3; 60], [4; 60]].concat());

    // An existing file stays as it is.
    place.write("mine.csv", "precious");
    place.tumble("export out --to csv -o mine.csv").expect(2).says(&["mine.csv exists", "--force"]);
    assert_eq!(place.read("mine.csv"), "precious");
    place.good("export out --to csv -o mine.csv --force");
    assert_eq!(place.read("mine.csv"), csv);
}

#[test]
fn list_and_check_know_the_gallery() {
    let place = Place::new("list_and_check_know_the_gallery");
    let list = place.good("list");
    assert_eq!(list.lines().count(), tumble_scene::gallery::SCENES.len());
    for (line, (name, _)) in list.lines().zip(tumble_scene::gallery::SCENES) {
        assert!(line.starts_with(name) && line.split_whitespace().count() > 2, "{line}");
    }
    assert!(place.good("check bounce").contains("title = \"A ball bounces\""));
    let unknown = place.tumble("check bouncy").expect(2);
    assert!(unknown.err.contains("`bounce`"), "{}", unknown.err);
}

#[test]
fn a_checked_scene_checks_to_itself() {
    let place = Place::new("a_checked_scene_checks_to_itself");
    let first = place.good("check pour.toml --set material.sand.friction=0.125 --frames 5-9");
    for words in ["friction = 0.125", "frames = [5, 9]", "mesh_hash = ", "fps = 24", "# 1 bodies at the start"] {
        assert!(first.contains(words), "{words:?} is not in {first}");
    }
    place.write("resolved.toml", &first);
    assert_eq!(place.good("check resolved.toml"), first);
    assert!(!place.path("runs").exists());
}

#[test]
fn bench_agrees_with_itself_and_writes_nothing() {
    let place = Place::new("bench_agrees_with_itself_and_writes_nothing");
    let before = place.files(".");
    let text = place.good("bench drop.toml --threads 1,2");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((rows[0][0], rows[1][0], rows[2][0]), ("threads", "1", "2"), "{text}");
    assert_eq!(rows[1][4], rows[2][4], "{text}");
    assert!(text.contains("bytes per body"), "{text}");
    assert_eq!(place.files("."), before);
}

#[test]
fn json_is_an_object_a_line() {
    let place = Place::new("json_is_an_object_a_line");
    let done = place.tumble("run drop.toml -o out --json --frames 1001-1010").expect(0);
    assert_eq!(done.err, "");
    let lines: Vec<serde_json::Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (report, frames) = lines.split_last().unwrap();
    assert_eq!(
        frames.iter().map(|f| f["frame"].as_i64().unwrap()).collect::<Vec<_>>(),
        (1002..=1010).collect::<Vec<_>>()
    );
    let hashes: Vec<String> = place.frames("out").iter().skip(1).map(|frame| format!("{:016x}", frame.1)).collect();
    assert_eq!(frames.iter().map(|f| f["state_hash"].as_str().unwrap()).collect::<Vec<_>>(), hashes);
    assert_eq!(*report, place.report("out"));
}

#[test]
fn set_changes_the_run_and_the_default_folder_is_named_after_the_scene() {
    let place = Place::new("set_changes_the_run");
    place.good("run drop.toml --frames 1-3 --set emitter.0.count=7 --set title=seven");
    assert_eq!(place.report("runs/drop")["bodies"], 7);
    assert_eq!(place.report("runs/drop")["title"], "seven");
    assert!(place.read("runs/drop/scene.toml").contains("count = 7\n"));
}

#[test]
fn every_number_of_threads_gives_the_same_frames() {
    let place = Place::new("every_number_of_threads_gives_the_same_frames");
    for threads in 1..=3 {
        place.good(&format!("run pour.toml -o threads{threads} --threads {threads}"));
        assert_eq!(place.report(&format!("threads{threads}"))["threads"], threads);
    }
    place.assert_same("threads1", "threads2");
    place.assert_same("threads1", "threads3");
    // The hashes are worth comparing: they tell frames and scenes from each other.
    let mut hashes: Vec<u64> = place.frames("threads1").iter().map(|frame| frame.1).collect();
    place.good("run pour.toml -o other --frames 1-2 --set seed=2");
    hashes.push(place.frames("other")[1].1);
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), 31);
}

#[test]
fn a_broken_promise_is_exit_code_1() {
    let place = Place::new("a_broken_promise_is_exit_code_1");
    place.write("kept.toml", format!("{DROP}[expect]\nbodies = \"= 60\"\nhighest = \"< 1\"\n"));
    place.good("run kept.toml -o kept");
    place.write("broken.toml", format!("{DROP}[expect]\nbodies = \"> 60\"\nhighest = \"< 1\"\n"));
    let done = place.tumble("run broken.toml -o broken").expect(1);
    assert!(done.err.contains("expectation failed: bodies should be > 60, got 60"), "{}", done.err);
    assert!(!done.err.contains("highest"), "{}", done.err);
    // The run itself is whole.
    place.assert_same("kept", "broken");
}
