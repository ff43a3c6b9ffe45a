//! A whole scene: text ▶ values ▶ checked ▶ simulation.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use tumble::Simulation;
use tumble::geometry::Mesh;

use crate::check::check_values;
use crate::compile::{Detailing, compile};
use crate::complete::complete;
use crate::findings::Findings;
use crate::gallery;
use crate::spec::{Expectation, SceneSpec};
use crate::splits::Splits;
use crate::text::{Places, Problem, Problems, Source, print, read, set};

/// A scene that is ready to run.
#[derive(Debug)]
pub struct Scene {
    /// Name: the file without folder and ending, or the name in the gallery.
    pub name: String,
    /// Title: its content in a line.
    pub title: String,
    /// First and last frame.
    pub frames: [i64; 2],
    /// Frames per second \[1/s\].
    pub fps: f64,
    /// All of it as values, with nothing left to default.
    pub spec: SceneSpec,
    /// The same as a scene file.
    pub resolved: String,
    /// Promises of the scene.
    pub expectations: Vec<Expectation>,
    /// The particles that follow its grains, if there are any, and how many grains that will be.
    pub detail: Option<(Detailing, u64)>,
    /// A finer mesh of each obstacle, the ground first, where there is one: it is drawn, and
    /// particles touch it.
    pub fine_meshes: Vec<Option<Mesh>>,
    /// Meshes that were split into convex parts.
    pub splits: Splits,
    /// Notes and warnings about it.
    pub notes: Vec<Note>,
    /// About how much memory its bodies will take \[byte\].
    pub memory: u64,
    /// The simulation, at the first frame.
    pub simulation: Simulation,
}

/// Something that is worth knowing about a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The note, in a line.
    pub text: String,
    /// Whether it may look wrong.
    pub is_warning: bool,
}

/// Why there is no scene.
#[derive(Debug)]
pub enum SceneError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
        /// Names of the gallery that are like it.
        nearest: Option<&'static str>,
    },
    /// A `--set` makes no sense.
    Set(String),
    /// The text has problems.
    Problems(Problems),
}

impl std::fmt::Display for SceneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable { path, source, nearest } => {
                write!(f, "cannot read the scene {}: {source}", path.display())?;
                match nearest {
                    Some(name) => write!(f, "\nhelp: did you mean the gallery scene `{name}`?"),
                    None => write!(f, "\nhelp: give the path of a scene file, or a name that `tumble list` shows"),
                }
            }
            Self::Set(problem) => write!(f, "{problem}"),
            Self::Problems(problems) => write!(f, "{}", problems.to_string().trim_end()),
        }
    }
}

impl std::error::Error for SceneError {}

/// A scene that was read, and where its values stand in the text.
#[derive(Debug)]
pub struct Parsed {
    /// The scene as values, with defaults where the text has nothing or something wrong.
    pub spec: SceneSpec,
    /// Problems of single values.
    pub problems: Vec<Problem>,
    /// Where they stand.
    pub places: Places,
    /// Names of the sections and keys that can be written in a scene like this one.
    pub known_keys: Vec<(String, String)>,
}

/// Reads a text, which messages call `file`, with `--set` assignments.
pub fn parse(file: &str, text: &str, sets: &[String]) -> Result<Parsed, SceneError> {
    let source = Source::new(file, text);
    let mut root = source.parse().map_err(SceneError::Problems)?;
    for assignment in sets {
        set(&mut root, assignment).map_err(SceneError::Set)?;
    }
    let read = read(&root);
    Ok(Parsed {
        spec: read.value,
        problems: read.problems,
        places: Places::new(source, root),
        known_keys: read.known_keys,
    })
}

impl Parsed {
    /// Makes a scene of it. Mesh files are looked for in `folder`; meshes that are in `splits` need
    /// not be split again.
    pub fn compile(self, name: &str, folder: &Path, splits: Splits) -> Result<Scene, SceneError> {
        let Self { spec, problems, places, .. } = self;
        let scene = compile_after(problems, name, spec, folder, splits);
        scene.map_err(|problems| SceneError::Problems(places.locate(problems)))
    }
}

impl Scene {
    /// Makes a scene of values, wherever they come from. Mesh files are looked for in `folder`.
    pub fn new(name: &str, spec: SceneSpec, folder: &Path, splits: Splits) -> Result<Self, SceneError> {
        let text = Source::new(name, "");
        let problems = crate::text::check_ranges(&spec);
        let scene = compile_after(problems, name, spec, folder, splits);
        scene.map_err(|problems| SceneError::Problems(Problems::new(&text, problems)))
    }

    /// Ends the scene at another frame.
    pub fn end_at(&mut self, last: i64) {
        self.spec.frames[1] = last;
        self.frames = self.spec.frames;
        self.resolved = print(&self.spec);
    }
}

fn compile_after(
    problems: Vec<Problem>,
    name: &str,
    mut spec: SceneSpec,
    folder: &Path,
    splits: Splits,
) -> Result<Scene, Vec<Problem>> {
    let mut findings = Findings::new(problems);
    complete(&mut spec, &mut findings);
    check_values(&spec, &mut findings);
    compile(name, spec, folder, splits, findings)
}

/// The text of a scene and what belongs to it.
#[derive(Debug)]
pub struct SceneText {
    /// Name: the file without folder and ending, or the name in the gallery.
    pub name: String,
    /// Its name in messages.
    pub file: String,
    /// The text.
    pub text: String,
    /// Where its mesh files are looked for.
    pub folder: PathBuf,
}

/// Finds a scene file, or a scene of the gallery if there is no such file.
pub fn find(scene: &Path) -> Result<SceneText, SceneError> {
    // A folder of that name, such as an earlier run, is no scene.
    let in_gallery = scene.to_str().filter(|_| !scene.exists() || scene.is_dir()).and_then(gallery::find);
    if let Some((name, text)) = in_gallery {
        let file = format!("{name}.toml");
        return Ok(SceneText { name: name.into(), file, text: text.into(), folder: ".".into() });
    }
    let text = read_text(scene).map_err(|source| {
        let nearest = scene.to_str().and_then(gallery::similar);
        SceneError::Unreadable { path: scene.to_owned(), source, nearest }
    })?;
    let name = scene.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
    let folder = scene.parent().unwrap_or(Path::new(".")).to_owned();
    Ok(SceneText { name, file: scene.display().to_string(), text, folder })
}

/// Reads a scene file, or a scene of the gallery if there is no such file, with `--set`
/// assignments.
pub fn load(scene: &Path, sets: &[String]) -> Result<Scene, SceneError> {
    load_with(scene, sets, Splits::default())
}

/// The same where some meshes were split into convex parts before.
pub fn load_with(scene: &Path, sets: &[String], splits: Splits) -> Result<Scene, SceneError> {
    let SceneText { name, file, text, folder } = find(scene)?;
    parse(&file, &text, sets)?.compile(&name, &folder, splits)
}

/// Reads a scene from text; mesh files are looked for in `folder`, messages call the text `file`.
pub fn load_text(name: &str, file: &str, text: &str, folder: &Path, sets: &[String]) -> Result<Scene, SceneError> {
    parse(file, text, sets)?.compile(name, folder, Splits::default())
}

/// Larger scene files are something else \[byte\]: two million bodies one by one have that much
/// text.
const LONGEST_TEXT: u64 = 1 << 28;

/// The text of a file, which may be a pipe, but not one without end.
fn read_text(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LONGEST_TEXT + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST_TEXT {
        let what = format!("it has more than {} MB and is no scene", LONGEST_TEXT >> 20);
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, what));
    }
    Ok(text)
}
