//! Reduced runs of the gallery against `scenes/golden.toml`: the same state to the last bit,
//! promises kept, and nothing goes wrong.
//!
//! A reduced run has promises of its own in `expect`, in the words of a scene's `[expect]`: those
//! of the scene are about its full size. With `--nocapture` the test prints what there is to
//! promise.
//!
//! `UPDATE_GOLDEN=1 cargo test -p tumble-run --test runs golden` writes the states as they are now,
//! after the same checks of warnings and energies. The number of threads is the default;
//! `RAYON_NUM_THREADS=1` must give the same.

use std::path::Path;

use toml::{Table, Value};
use tumble::Warning;
use tumble_run::{Run, RunError, Sink, Until};
use tumble_scene::gallery::SCENES;
use tumble_scene::spec::{Condition, ExpectSpec, Expectation, Quantity};
use tumble_scene::text::Word;
use tumble_scene::{Splits, parse};

const PATH: &str = "scenes/golden.toml";

const UPDATE: &str = "UPDATE_GOLDEN=1 cargo test -p tumble-run --test runs golden";

/// A reduced run.
struct Golden {
    /// Makes the scene small, as `--set` does.
    set: Vec<String>,
    /// Kinds of warnings that may occur.
    warnings: Vec<String>,
    /// Promises of the reduced run.
    expect: ExpectSpec,
    /// Hash of the last state, with that of the particles behind it if there are any.
    state: Option<String>,
}

impl Golden {
    /// The entry of a scene in the file.
    fn of(table: &Table, scene: &str) -> Self {
        let Some(table) = table.get(scene).and_then(Value::as_table) else {
            panic!(
                "{PATH} has no [{scene}]: add it with a `set` that makes the scene run in a second, then run {UPDATE}"
            );
        };
        for key in table.keys() {
            assert!(
                ["set", "warnings", "expect", "state"].contains(&key.as_str()),
                "{PATH}: unknown key `{key}` in [{scene}]"
            );
        }
        let list = |key: &str| {
            let items = table.get(key).map_or(&[][..], |list| list.as_array().expect("a list of strings"));
            items.iter().map(|item| item.as_str().expect("a list of strings").to_string()).collect()
        };
        let state = table.get("state").map(|state| state.as_str().expect("the state is a string").to_string());
        Self { set: list("set"), warnings: list("warnings"), expect: promises(table, scene), state }
    }
}

/// The promises of a reduced run: at least how many bodies there are and how deep they overlap.
fn promises(table: &Table, scene: &str) -> ExpectSpec {
    let expect = table.get("expect").and_then(Value::as_table).unwrap_or_else(|| panic!("[{scene}] has no `expect`"));
    for quantity in ["bodies", "deepest_overlap"] {
        assert!(expect.contains_key(quantity), "{PATH}: [{scene}] promises nothing of `{quantity}`");
    }
    let promise = |(quantity, condition): (&String, &Value)| {
        let known = Quantity::WORDS.iter().find(|(word, _)| word == quantity).map(|(_, quantity)| *quantity);
        let condition = condition.as_str().and_then(Condition::new);
        let Some((quantity, condition)) = known.zip(condition) else {
            panic!("{PATH}: [{scene}] promises nothing that can be kept of `{quantity}`")
        };
        Expectation { quantity, condition }
    };
    ExpectSpec { promises: expect.iter().map(promise).collect() }
}

/// Looks for what goes wrong in a run.
struct Judge<'a> {
    golden: &'a Golden,
    wrong: Vec<String>,
    contacts: u64,
}

impl Sink for Judge<'_> {
    fn frame(&mut self, run: &Run) -> Result<(), RunError> {
        let report = run.frame_report();
        let frame = report.frame;
        // The first frame is the start, of which nothing has been computed.
        if frame == run.scene().frames[0] {
            return Ok(());
        }
        let is_meant = |warning: &&Warning| self.golden.warnings.iter().any(|kind| kind == warning.kind());
        for warning in report.warnings.iter().filter(|warning| !is_meant(warning)) {
            self.wrong.push(format!("frame {frame}: unexpected warning {}: {warning}", warning.kind()));
        }
        for (name, energy) in [("kinetic", report.kinetic_energy), ("potential", report.potential_energy)] {
            if !energy.is_finite() {
                self.wrong.push(format!("frame {frame}: the {name} energy is {energy}"));
            }
        }
        self.contacts += report.contacts;
        Ok(())
    }
}

/// Runs a scene as users do and gives the hash of its last state, with that of its particles if
/// there are any, or what went wrong.
fn run(scene: &str, text: &str, golden: &Golden) -> Result<String, Vec<String>> {
    let name = scene;
    let load = || {
        let mut parsed = parse(&format!("{name}.toml"), text, &golden.set)?;
        parsed.spec.expect = Some(golden.expect.clone());
        parsed.compile(name, Path::new("."), Splits::default())
    };
    let scene = load().map_err(|problem| vec![problem.to_string()])?;
    let mut judge = Judge { golden, wrong: Vec::new(), contacts: 0 };
    let report = Run::new(scene).and_then(|mut run| run.go(Until::LastFrame, &mut [&mut judge], || false));
    let report = report.map_err(|problem| vec![problem.to_string()])?;
    if judge.contacts == 0 {
        judge.wrong.push("nothing touches: the reduced run shows nothing".to_string());
    }
    println!(
        "{name}: bodies {}, contacts {}, deepest_overlap {:.4}, highest {:.4}, mean_height {:.4}, contacts_per_body {:.3}, repose_angle {:?}, packing {:?}, rate_spread {:?}, kinetic_energy {:.3e}, potential_energy {:.4e}, removed {}, warnings {}",
        report.bodies,
        report.contacts,
        report.deepest_overlap,
        report.highest.unwrap_or(f64::NAN),
        report.mean_height.unwrap_or(f64::NAN),
        report.contacts_per_body.unwrap_or(f64::NAN),
        report.repose_angle,
        report.packing,
        report.rate_spread,
        report.kinetic_energy,
        report.potential_energy,
        report.removed,
        report.warnings
    );
    for kept in report.expectations.iter().filter(|kept| !kept.holds) {
        judge.wrong.push(format!("promised {} {}, got {:?}", kept.quantity, kept.condition, kept.value));
    }
    let particles = report.detail_hash.map_or(String::new(), |hash| format!(" {hash}"));
    if judge.wrong.is_empty() { Ok(report.state_hash + &particles) } else { Err(judge.wrong) }
}

#[test]
fn golden() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PATH);
    let text = std::fs::read_to_string(&path).unwrap();
    let table: Table = text.parse().unwrap_or_else(|problem| panic!("{PATH}: {problem}"));
    let stale: Vec<_> = table.keys().filter(|name| !SCENES.iter().any(|(scene, _)| scene == name)).collect();
    assert!(stale.is_empty(), "{PATH} names scenes that are not in the gallery: {stale:?}");

    let is_update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value != "0" && !value.is_empty());
    let mut updated = text.clone();
    let mut problems = Vec::new();
    for (scene, scene_text) in SCENES {
        let golden = Golden::of(&table, scene);
        match run(scene, scene_text, &golden) {
            Err(wrong) => problems.extend(wrong.iter().map(|wrong| format!("{scene}: {wrong}"))),
            Ok(state) if is_update => {
                updated = with_state(&updated, scene, &state);
                let written = updated.parse().map(|table| Golden::of(&table, scene).state);
                assert_eq!(written, Ok(Some(state)), "the new text of {PATH} is wrong:\n{updated}");
            }
            Ok(state) if golden.state.as_ref() == Some(&state) => {}
            Ok(state) => {
                let expected = golden.state.as_deref().unwrap_or("not known");
                problems.push(format!("{scene}: the last state is {state}, expected {expected}"));
            }
        }
    }
    let help = format!("if the change of the states is meant: {UPDATE}");
    assert!(problems.is_empty(), "{} problems:\n  {}\n{help}", problems.len(), problems.join("\n  "));
    if updated != text {
        std::fs::write(path, &updated).unwrap();
        println!("wrote {PATH}");
    }
}

/// The text with another state in the section of a scene; every other line stays as it is.
fn with_state(text: &str, scene: &str, state: &str) -> String {
    let header = format!("[{scene}]");
    let line_of_state = format!("state = {state:?}");
    let mut lines: Vec<&str> = text.lines().collect();
    let begin =
        lines.iter().position(|line| line.trim() == header).unwrap_or_else(|| panic!("{PATH} has no {header}")) + 1;
    let end = (begin..lines.len()).find(|&at| is_header(lines[at])).unwrap_or(lines.len());
    match (begin..end).find(|&at| lines[at].split('=').next().is_some_and(|key| key.trim() == "state")) {
        Some(at) => lines[at] = &line_of_state,
        None => {
            // After the last value of the section: comments below it belong to the next.
            let is_value = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
            let last = (begin..end).rev().find(|&at| is_value(lines[at])).map_or(begin, |at| at + 1);
            lines.insert(last, &line_of_state);
        }
    }
    lines.join("\n") + "\n"
}

/// A line `[name]`; a line of an array is none.
fn is_header(line: &str) -> bool {
    let inside = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inside.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))
}

#[test]
fn an_update_changes_the_state_and_nothing_else() {
    let text = "# Kept.\n[heap]\nset = [\n  \"a=[1]\",\n]\nstate = \"0\"\n\n[box]\nset = [] # Kept too.\n\n# Of more.\n[more]\n";
    let once = with_state(text, "heap", "1f");
    assert_eq!(once, text.replace("\"0\"", "\"1f\""));
    let twice = with_state(&once, "box", "2e");
    assert_eq!(twice, once.replace("too.\n", "too.\nstate = \"2e\"\n"));
    assert_eq!(with_state(&twice, "box", "2e"), twice);
}
