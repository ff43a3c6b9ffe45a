//! Runs that are stopped at any moment and go on as if nothing had happened.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use tumble_io::Recording;

use crate::common::{Place, signal, wait_until};

/// A generator with a known sequence (xorshift).
struct Random(u64);

impl Random {
    /// Evenly between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// How often runs are killed; `TUMBLE_KILLS=1000` for the long version.
fn kills() -> u32 {
    std::env::var("TUMBLE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(100)
}

/// Starts or resumes a run and kills it after a while; says whether it was alive until then.
fn kill_after(place: &Place, words: &str, delay: Duration) -> bool {
    let mut child = place.start(&format!("{words} --resume"));
    std::thread::sleep(delay);
    let was_alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    was_alive
}

/// A kill must leave usable files: a recording that opens, and a checkpoint that is not
/// ahead of it. Gives the last frame.
fn look(place: &Place, run: &str) -> Option<i64> {
    if !place.path(run).join("frames.tumble").exists() {
        return None;
    }
    let info: serde_json::Value = serde_json::from_str(&place.good(&format!("info {run} --json"))).unwrap();
    if place.path(run).join("checkpoint.tumble").exists() {
        let [checkpoint, last] = ["checkpoint_frame", "last_frame"].map(|key| info[key].as_i64().unwrap());
        assert!(checkpoint <= last, "{info}");
    }
    info["last_frame"].as_i64()
}

#[test]
fn a_run_killed_at_random_moments_ends_as_the_unbroken_one() {
    let place = Place::new("a_run_killed_at_random_moments");
    let begin = Instant::now();
    place.good("run pour.toml -o unbroken");
    let duration = begin.elapsed();

    // With one checkpoint per frame a run gets far between kills; with the first only, it always
    // begins anew.
    let kills = kills();
    for (kills, checkpoint_every, longest) in [(kills - kills / 10, "0", 0.15), (kills / 10, "3600", 1.0)] {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut seen = BTreeSet::new();
        let mut left = kills;
        let mut round = 0;
        while left > 0 {
            let run = format!("every{checkpoint_every}_{round}");
            let words = format!("run pour.toml -o {run} --checkpoint-every {checkpoint_every}");
            while left > 0 && kill_after(&place, &words, duration.mul_f64(longest * random.unit())) {
                left -= 1;
                seen.insert(look(&place, &run));
            }
            place.good(&format!("{words} --resume"));
            place.assert_same("unbroken", &run);
            round += 1;
        }
        assert!(seen.len() > 2, "all kills hit the same moment: {seen:?}");
    }
}

#[test]
fn ctrl_c_says_how_to_go_on() {
    let place = Place::new("ctrl_c_says_how_to_go_on");
    place.good("run pour.toml -o unbroken");

    let child = place
        .command("run pour.toml --set title=Again -o stopped --checkpoint-every 3600")
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let recording = place.path("stopped").join("frames.tumble");
    wait_until("frame 4", || Recording::open(&recording).is_ok_and(|recording| recording.frames().len() > 3));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    let again = err.split("resume with: tumble ").nth(1).unwrap_or_else(|| panic!("{err}")).trim();

    let report = place.report("stopped");
    let last = report["last_frame"].as_i64().unwrap();
    assert_eq!(report["complete"], false);
    assert!((4..30).contains(&last));
    // The last frame was finished and can be gone on from.
    assert_eq!(place.frames("stopped").last().unwrap().0, last);
    assert!(place.good("info stopped").contains(&format!("checkpoint  frame {last}")));

    place.good(again);
    assert_eq!(place.report("stopped")["resumed_from"], last);
    place.assert_same("unbroken", "stopped");
}

/// Batch systems and closed terminals ask otherwise than Ctrl-C, and get the same.
#[cfg(unix)]
#[test]
fn other_signals_leave_a_checkpoint_too() {
    let place = Place::new("other_signals_leave_a_checkpoint");
    place.good("run pour.toml -o unbroken");
    for (name, code) in [("TERM", 143), ("HUP", 129)] {
        let child = place.start(&format!("run pour.toml -o {name} --checkpoint-every 3600"));
        let recording = place.path(name).join("frames.tumble");
        wait_until("frame 4", || Recording::open(&recording).is_ok_and(|recording| recording.frames().len() > 3));
        signal(&child, name);
        let status = { child }.wait().unwrap();
        assert_eq!(status.code(), Some(code), "{status}");
        let last = place.report(name)["last_frame"].as_i64().unwrap();
        assert!(place.good(&format!("info {name}")).contains(&format!("checkpoint  frame {last}")));
        place.good(&format!("run pour.toml -o {name} --resume"));
        place.assert_same("unbroken", name);
    }
    // Under `nohup` a run outlives its terminal.
    let words = "run pour.toml -o nohup --no-preview";
    let started = place.shell(&format!("nohup \"$tumble\" {words} >/dev/null 2>&1 & sleep 0.2; kill -HUP $!; wait $!"));
    started.expect(0);
    place.assert_same("unbroken", "nohup");
}

/// An export that is stopped leaves nothing half written.
#[cfg(unix)]
#[test]
fn a_stopped_export_leaves_nothing() {
    let place = Place::new("a_stopped_export_leaves_nothing");
    // A long recording of few bodies: some hundred thousand rows.
    place.good("run drop.toml -o out --frames 1-3000");
    let before = place.files(".");
    for delay in [20, 60, 100, 140] {
        let mut child = place.start("export out --to csv -o rows.csv");
        std::thread::sleep(Duration::from_millis(delay));
        signal(&child, "INT");
        let status = child.wait().unwrap();
        if status.success() {
            std::fs::remove_file(place.path("rows.csv")).unwrap();
        }
        assert!(place.files(".") == before, "{status}: {:?}", place.files(".").keys());
    }
}

#[test]
fn the_way_to_go_on_can_be_pasted() {
    let place = Place::new("the_way_to_go_on_can_be_pasted");
    place.good("run pour.toml -o unbroken --frames 1-25");
    let mut child = place.command("run pour.toml --frames 1-25 -o");
    let child = child.arg("it's a run").stderr(std::process::Stdio::piped()).spawn().unwrap();
    let recording = place.path("it's a run").join("frames.tumble");
    wait_until("frame 2", || Recording::open(&recording).is_ok_and(|recording| recording.frames().len() > 1));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    let again = err.split("resume with: tumble ").nth(1).unwrap_or_else(|| panic!("{err}")).trim();
    place.shell(&format!("\"$tumble\" {again}")).expect(0);
    place.assert_same("unbroken", "it's a run");
}

#[test]
fn two_programs_cannot_write_one_folder() {
    let place = Place::new("two_programs_cannot_write_one_folder");
    place.good("run pour.toml -o alone");
    let mut first = place.start("run pour.toml -o shared");
    wait_until("the checkpoint", || place.path("shared").join("checkpoint.tumble").exists());
    // It holds still while others try, however fast it is.
    signal(&first, "STOP");
    for words in ["run pour.toml -o shared --force", "run pour.toml -o shared --resume", "run drop.toml -o shared"] {
        place.tumble(words).expect(2).says(&["shared is being written by another tumble", "-o"]);
    }
    signal(&first, "CONT");
    assert!(first.wait().unwrap().success());
    place.assert_same("alone", "shared");
}
