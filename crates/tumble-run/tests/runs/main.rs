//! Runs through the library: sinks, resuming, particles, and the golden states of the gallery.

mod golden;
mod promised;
mod refined;
mod resumed;
mod sinks;

use std::path::{Path, PathBuf};

use tumble_run::{Report, Run, RunError, Sink};
use tumble_scene::{Scene, Splits};

/// A moment of work: soft balls drop on the ground, with particles.
const DROP: &str = r#"frames = [1, 8]
ground = 0

[material.rubber]
youngs_modulus = 6e6

[[emitter]]
count = 30
box = { low = [0, 0, 0], high = [0.1, 0.1, 0.1] }
jitter = { position = 0.0005 }

[detail]
count = 4
"#;

/// The scene with some keys changed, as `--set` does.
fn drop_with(sets: &[&str], splits: Splits) -> Scene {
    let sets: Vec<String> = sets.iter().map(|set| set.to_string()).collect();
    tumble_scene::parse("drop.toml", DROP, &sets).unwrap().compile("drop", Path::new("."), splits).unwrap()
}

fn dropping() -> Run {
    Run::new(drop_with(&[], Splits::default())).unwrap()
}

/// The whole state of a run.
fn state(run: &Run) -> (Vec<u8>, Vec<u8>) {
    (run.simulation().save(), run.following().unwrap().save())
}

/// An empty folder for a test.
fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs").join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path).unwrap();
    }
    path
}

/// Writes down what it is told, and fails at a frame if asked.
#[derive(Default)]
struct Log {
    told: Vec<String>,
    fails_at: Option<i64>,
}

impl Sink for Log {
    fn begin(&mut self, run: &Run) -> Result<(), RunError> {
        self.told.push(format!("begin {:?} {}", run.resumed_from(), run.header().shapes.len()));
        Ok(())
    }

    fn frame(&mut self, run: &Run) -> Result<(), RunError> {
        let (number, particles) = (run.frame().number, run.particles().unwrap().particles.len());
        assert_eq!(run.frame_report().frame, number);
        if self.fails_at == Some(number) {
            return Err(RunError::Sink("it is full".into()));
        }
        self.told.push(format!("frame {number} {} {particles}", run.frame().bodies.len()));
        Ok(())
    }

    fn end(&mut self, run: &Run, report: &Report) -> Result<(), RunError> {
        self.told.push(format!("end {} {}", run.frame().number, report.complete));
        Ok(())
    }
}
