//! A folder for each test, the scenes in it, and the program.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tumble_io::Recording;

/// About a second of work: a stream, a driven obstacle and a mesh.
pub(crate) const POUR: &str = r#"title = "Beads pour over a turning bar and down a ramp"
frames = [1, 30]
ground = 0

[material.sand]
density = 2500
youngs_modulus = 2e7
friction = 0.5
restitution = 0.4

[shape.bead]
radius = 0.01

[[emitter]]
count = 300
rate = 400
point = [0, 0, 0.35]
spread = 0.05
size = [0.8, 1.2]
velocity = [0, 0, -1]
jitter = { velocity = 0.1, spin = 90, orientation = true }

[[obstacle]]
name = "bar"
box = [0.3, 0.02, 0.02]
position = [0, 0, 0.15]
spin = [0, 0, 360]

[[obstacle]]
name = "ramp"
mesh = "ramp.obj"
"#;

pub(crate) const RAMP: &str = "v -0.1 -0.1 0\nv 0.1 -0.1 0.1\nv 0.1 0.1 0.1\nv -0.1 0.1 0\nf 1 2 3 4\n";

/// A moment of work: soft balls on the ground.
pub(crate) const DROP: &str = r#"title = "Balls drop"
frames = [1, 20]
ground = 0

[material.rubber]
youngs_modulus = 6e6

[[emitter]]
count = 60
box = { low = [0, 0, 0], high = [0.1, 0.1, 0.1] }
jitter = { position = 0.0005 }
"#;

/// A folder of its own for a test, with the two scenes in it.
pub(crate) struct Place(PathBuf);

impl Place {
    /// An empty folder but for the scenes; `name` must be that of the test.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("program").join(name);
        if path.exists() {
            std::fs::remove_dir_all(&path).unwrap();
        }
        std::fs::create_dir_all(&path).unwrap();
        let place = Self(path);
        place.write("pour.toml", POUR);
        place.write("ramp.obj", RAMP);
        place.write("drop.toml", DROP);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program in this folder, with words split at spaces. Runs make no picture, which takes
    /// longer than most of them.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
        let rest = words.strip_prefix("run ").filter(|_| !words.contains("--no-preview"));
        if rest.is_some() {
            command.args(["run", "--no-preview"]);
        }
        command.args(rest.unwrap_or(words).split_whitespace()).current_dir(&self.0);
        command
    }

    /// Runs the program to its end.
    pub(crate) fn tumble(&self, words: &str) -> Done {
        Done::of(&mut self.command(words))
    }

    /// Runs the program, which must succeed, and gives what it printed.
    #[track_caller]
    pub(crate) fn good(&self, words: &str) -> String {
        self.tumble(words).expect(0).out
    }

    /// Starts the program with nobody listening.
    pub(crate) fn start(&self, words: &str) -> Child {
        self.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// A line of shell in this folder, in which `$tumble` is the program.
    pub(crate) fn shell(&self, line: &str) -> Done {
        let mut command = Command::new("sh");
        Done::of(command.args(["-c", line]).env("tumble", env!("CARGO_BIN_EXE_tumble")).current_dir(&self.0))
    }

    /// Number and state hash of every frame of a run.
    #[track_caller]
    pub(crate) fn frames(&self, run: &str) -> Vec<(i64, u64)> {
        let recording = Recording::open(&self.path(run).join("frames.tumble")).unwrap();
        assert_eq!(recording.damage(), None);
        recording.frames().iter().map(|frame| (frame.number, frame.state_hash)).collect()
    }

    /// Name and content of everything in a folder, which need not be there.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else { return BTreeMap::new() };
        let file = |path: PathBuf| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap_or_default())
        };
        entries.map(|entry| file(entry.unwrap().path())).collect()
    }

    /// `report.json` of a run.
    #[track_caller]
    pub(crate) fn report(&self, run: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(&format!("{run}/report.json"))).unwrap()
    }

    /// Asserts that two runs recorded the same: every frame, every row of statistics, the same end.
    #[track_caller]
    pub(crate) fn assert_same(&self, run: &str, other: &str) {
        assert_eq!(self.frames(run), self.frames(other));
        assert_eq!(
            frame_column(&self.read(&format!("{run}/stats.csv"))),
            frame_column(&self.read(&format!("{other}/stats.csv")))
        );
        let [a, b] = [run, other].map(|run| self.report(run));
        for key in ["frames", "bodies", "steps", "state_hash", "deepest_overlap", "settled_frame", "warnings"] {
            assert_eq!(a[key], b[key], "{key}");
        }
        assert_eq!(a["complete"], true);
    }
}

/// The first column of a table with a header.
pub(crate) fn frame_column(csv: &str) -> Vec<i64> {
    csv.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
}

/// The outcome of the program: exit code and output.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { status: output.status, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{}{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// Asserts what is said on standard error.
    #[track_caller]
    pub(crate) fn says(self, words: &[impl AsRef<str>]) -> Self {
        for word in words {
            assert!(self.err.contains(word.as_ref()), "{:?} is not in:\n{}", word.as_ref(), self.err);
        }
        self
    }
}

/// Sends a signal to a program that was started by the test.
pub(crate) fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let words: [&OsStr; 3] = ["-s".as_ref(), name.as_ref(), id.as_ref()];
    assert!(Command::new("kill").args(words).status().unwrap().success());
}

/// Waits until something holds; a minute is far more than anything here takes.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: waited a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}
