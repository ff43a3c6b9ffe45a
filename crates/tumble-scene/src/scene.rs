//! A whole scene: reads the top level and hands each part to its module, then builds the simulation.

use std::cell::RefCell;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use glam::DVec3;
use tumble::emit::Emitter;
use tumble::world::{ShapeId, World};
use tumble::{Setup, SetupProblem, Simulation, Solver};

use crate::detail::{self, Around, Detailing, Kind};
use crate::expect::Expectation;
use crate::memory;
use crate::overlaps::Placed;
use crate::shapes::Solids;
use crate::splits::Splits;
use crate::text::{Problems, Range, Reading, Source, TableReader};
use crate::{Look, bodies, contact, emitters, expect, gallery, joints, look, materials, obstacles, piles, placement};

/// A scene that is ready to run.
#[derive(Debug)]
pub struct Scene {
    /// Name: the file without folder and ending, or the name in the gallery.
    pub name: String,
    /// What it shows, in a line.
    pub title: String,
    /// First and last frame.
    pub frames: [i64; 2],
    /// Frames a second.
    pub fps: f64,
    /// Every key with its final value, as a scene file.
    pub resolved: String,
    /// Names of the sections and keys that can be written in a scene like this one.
    pub known_keys: Vec<(String, String)>,
    /// What the scene promises.
    pub expectations: Vec<Expectation>,
    /// The particles that follow its grains, if there are any, and how many grains that will be.
    pub detail: Option<(Detailing, u64)>,
    /// How it wants to be seen.
    pub look: Look,
    /// Meshes that were split into convex parts.
    pub splits: Splits,
    /// What is worth knowing about it.
    pub notes: Vec<Note>,
    /// About how much memory its bodies will take \[byte\].
    pub memory: u64,
    /// The simulation, at the first frame.
    pub simulation: Simulation,
}

/// Something that is worth knowing about a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What, in a line.
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

/// Reads a scene file, or a scene of the gallery if there is no such file, with `--set` assignments.
pub fn load(scene: &Path, sets: &[String]) -> Result<Scene, SceneError> {
    load_with(scene, sets, Splits::default())
}

/// The same where some meshes were split into convex parts before.
pub fn load_with(scene: &Path, sets: &[String], splits: Splits) -> Result<Scene, SceneError> {
    load_changed(scene, sets, &[], splits)
}

/// The same as if some keys had not been written, which are given by their paths, such as `shape.grain.overlap`.
pub fn load_without(scene: &Path, sets: &[String], keys: &[String]) -> Result<Scene, SceneError> {
    load_changed(scene, sets, keys, Splits::default())
}

fn load_changed(scene: &Path, sets: &[String], without: &[String], splits: Splits) -> Result<Scene, SceneError> {
    // A folder of that name, such as an earlier run, is no scene.
    let in_gallery = scene.to_str().filter(|_| !scene.exists() || scene.is_dir()).and_then(gallery::find);
    if let Some((name, text)) = in_gallery {
        return load_source(name, &format!("{name}.toml"), text, Path::new("."), (sets, without), splits);
    }
    let text = read_text(scene).map_err(|source| {
        let nearest = scene.to_str().and_then(gallery::similar);
        SceneError::Unreadable { path: scene.to_owned(), source, nearest }
    })?;
    let name = scene.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
    let folder = scene.parent().unwrap_or(Path::new("."));
    load_source(&name, &scene.display().to_string(), &text, folder, (sets, without), splits)
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

/// Reads a scene from text; mesh files are looked for in `folder`, messages call the text `file`.
pub fn load_text(name: &str, file: &str, text: &str, folder: &Path, sets: &[String]) -> Result<Scene, SceneError> {
    load_text_with(name, file, text, folder, sets, Splits::default())
}

/// The same where some meshes were split into convex parts before.
pub fn load_text_with(
    name: &str,
    file: &str,
    text: &str,
    folder: &Path,
    sets: &[String],
    splits: Splits,
) -> Result<Scene, SceneError> {
    load_source(name, file, text, folder, (sets, &[]), splits)
}

fn load_source(
    name: &str,
    file: &str,
    text: &str,
    folder: &Path,
    (sets, without): (&[String], &[String]),
    splits: Splits,
) -> Result<Scene, SceneError> {
    let source = Source::new(file, text);
    let mut root = source.parse().map_err(SceneError::Problems)?;
    for assignment in sets {
        crate::text::set(&mut root, assignment).map_err(SceneError::Set)?;
    }
    without.iter().for_each(|path| crate::text::unset(&mut root, path));
    let reading = Reading::new(&source, &root);
    let (splits, notes) = (RefCell::new(splits), RefCell::default());
    let parts = read(&reading, folder, &splits, &notes);
    let resolved = reading.finish().map_err(SceneError::Problems)?;
    let Some(parts) = parts else { unreachable!("a scene without problems is complete") };
    Ok(Scene {
        name: name.to_string(),
        title: parts.title,
        frames: parts.frames,
        fps: parts.fps,
        resolved: resolved.text().to_string(),
        known_keys: resolved.known_keys().to_vec(),
        expectations: parts.expectations,
        detail: parts.detail,
        look: parts.look,
        splits: splits.into_inner(),
        notes: notes.into_inner(),
        memory: parts.memory,
        simulation: parts.simulation,
    })
}

struct Parts {
    title: String,
    frames: [i64; 2],
    fps: f64,
    expectations: Vec<Expectation>,
    detail: Option<(Detailing, u64)>,
    look: Look,
    memory: u64,
    simulation: Simulation,
}

/// Reads everything; gives nothing if there was a problem.
fn read(reading: &Reading<'_>, folder: &Path, splits: &RefCell<Splits>, notes: &RefCell<Vec<Note>>) -> Option<Parts> {
    let top = reading.root();
    let title = top.string("title").or(String::new());
    let is_rigid = top.choice("solver", &["granular", "rigid"]).or("granular") == "rigid";
    let frames = top.integers::<2>("frames", Range::Within(-1e9, 1e9)).or([1, 120]);
    if frames[1] < frames[0] {
        let help = format!("write frames = [{}, {}]", frames[1], frames[0]);
        top.problem_at(
            "frames",
            format!("the last frame, {}, comes before the first, {}", frames[1], frames[0]),
            &help,
        );
    }
    let fps = top.number("fps", Range::Within(1e-3, 1e12)).or(24.0);
    let seed = top.integer("seed", Range::AtLeast(0.0)).or(1) as u64;
    let step = top.number("step", Range::Above(0.0)).optional();

    let reading_solids = Solids { folder, repair: top.boolean("repair").or(false), is_rigid, splits, notes };
    let named = materials::read(&top, &reading_solids);
    let solver = if is_rigid { contact::rigid(&top) } else { contact::granular(&top, fps, &named.shapes) };
    let mut world = World {
        shapes: named.shapes.clone(),
        materials: named.materials.clone(),
        gravity: placement::vector(&top, "gravity").or(DVec3::new(0.0, 0.0, -9.81)),
        drag: top.number("drag", DRAGS).or(0.0),
        ..World::default()
    };
    let (mut obstacle_looks, mut models) = (Vec::new(), Vec::new());
    let obstacle_readers =
        obstacles::read(&top, &named, &reading_solids, &mut world.obstacles, &mut obstacle_looks, &mut models);
    let body_readers = bodies::read(&top, &named, &mut world);
    joints::read(&top, &body_readers, &obstacle_readers, is_rigid, &mut world);
    let piles = piles::read(&top, &world);
    let (emitters, emitter_readers) = emitters::read(&top, &named, folder, &models, &obstacle_readers);
    check_count(&top, &world, &emitters, &emitter_readers);
    let bounds = bounds(&top, &world, &emitters);
    let expectations = expect::read(&top);
    let around = Around { gravity: world.gravity, drag: world.drag, seed, bounds: Some(bounds) };
    let detail = top.subtable("detail").map(|table| detailing(&table, &world, &emitters, &around));
    let look = Look { camera: look::camera(&top), colours: named.colours.clone(), obstacles: obstacle_looks };
    if !reading.is_clean() {
        return None;
    }

    let memory = memory::of_bodies(&world, &emitters);
    check_memory(&top, &world, &emitters, memory);
    let placed = Placed { world: &world, bodies: &body_readers, obstacles: &obstacle_readers };
    placed.report_overlaps();
    if is_rigid {
        placed.warn_of_overlaps(notes);
    }
    warn_of_distance(&world, &emitters, notes);
    if !reading.is_clean() {
        return None;
    }
    let substeps = if let Solver::Rigid(rigid) = &solver { rigid.substeps } else { 1 };
    let setup = Setup {
        emitters,
        piles,
        step,
        fps,
        first_frame: frames[0],
        seed,
        bounds: Some(bounds),
        ..Setup::new(world, solver)
    };
    let simulation = match Simulation::new(setup) {
        Ok(simulation) => simulation,
        Err(problem) => {
            report_setup(&problem, &top, &emitter_readers);
            return None;
        }
    };
    let longest = simulation.step_length() / f64::from(substeps);
    let drag = simulation.world().drag;
    if drag * longest > 1.0 && !simulation.is_adaptive() {
        let what = format!("within a step of {longest:.1e} s, `drag` = {drag} takes more speed than bodies have");
        top.problem_at("drag", what, &format!("lower it to {:.1e} 1/s, or set a smaller `step`", 1.0 / longest));
        return None;
    }
    let too_short = simulation.step_limit().filter(|limit| limit.default < SHORTEST_STEP);
    if let Some(limit) = too_short.filter(|_| step.is_none() && !simulation.is_adaptive()) {
        let [a, b] = &limit.between;
        let what = format!("{a} on {b} is so stiff that steps would be {:.1e} s long", limit.default);
        let help = "lower `youngs_modulus` or `stiffness`, or enlarge the bodies; if you mean it, set `step`";
        top.problem_at("step", what, help);
        return None;
    }
    Some(Parts { title, frames, fps, expectations, detail, look, memory, simulation })
}

/// Says before a run that its bodies do not fit into memory.
fn check_memory(top: &TableReader<'_>, world: &World, emitters: &[Emitter], needed: u64) {
    let born = emitters.iter().map(|emitter| emitter.count);
    let bodies = born.fold(world.bodies.len() as u64, u64::saturating_add);
    let gigabytes = |bytes: u64| 1e-9 * bytes as f64;
    if let Some(free) = memory::available().filter(|&free| needed > free) {
        let what = format!(
            "{bodies} bodies take about {:.1} GB of memory, and {:.1} GB are free",
            gigabytes(needed),
            gigabytes(free)
        );
        top.problem_at("most_bodies", what, "lower `count` of an emitter or `grid` of a body");
    }
}

/// Recordings hold places in single precision: this part of their distance from the origin.
const RECORDED: f64 = 6e-8;

/// Says that a scene is so far from the origin that recordings and pictures of it are coarse.
fn warn_of_distance(world: &World, emitters: &[Emitter], notes: &RefCell<Vec<Note>>) {
    let there = world.bodies.pose.iter().enumerate().map(|(row, pose)| (pose.position, world.radius(row)));
    let born =
        emitters.iter().map(|emitter| (emitter.place.around().0, world.radius_of(emitter.shape, emitter.size[0])));
    let coarse = |&(place, radius): &(DVec3, f64)| RECORDED * place.abs().max_element() > 0.01 * radius;
    if let Some((place, radius)) = there.chain(born).find(coarse) {
        let text = format!(
            "recordings hold places to {:.1e} m at {:.1e} m from the origin, which is coarse for a body with a radius of {radius:.1e} m; move the scene towards the origin",
            RECORDED * place.abs().max_element(),
            place.abs().max_element()
        );
        notes.borrow_mut().push(Note { text, is_warning: true });
    }
}

/// The particles of a scene, and how many grains they follow.
fn detailing(table: &TableReader<'_>, world: &World, emitters: &[Emitter], around: &Around) -> (Detailing, u64) {
    let shapes: Vec<Kind<'_>> = world
        .shapes
        .iter()
        .map(|shape| (shape.name.as_str(), shape.mesh.is_none() && !shape.spheres.is_empty()))
        .collect();
    let detailing = detail::read(table, &shapes, around);
    let is_guide = |shape: ShapeId| detailing.guides[shape.index()];
    let bodies = world.bodies.traits.iter().filter(|traits| is_guide(traits.shape)).count() as u64;
    let born = emitters.iter().filter(|emitter| is_guide(emitter.shape)).map(|emitter| emitter.count);
    let grains = born.fold(bodies, u64::saturating_add);
    (detailing, grains)
}

/// Air that bodies can fly through \[1/s\].
pub(crate) const DRAGS: Range = Range::Within(0.0, 1e9);

/// Steps shorter than this are a slip of the keyboard or of the units unless they are asked for \[s\].
const SHORTEST_STEP: f64 = 1e-9;

/// A slip of the keyboard must not take all memory: more than `most_bodies` have to be asked for.
fn check_count(top: &TableReader<'_>, world: &World, emitters: &[Emitter], readers: &[(String, TableReader<'_>)]) {
    let most = top.integer("most_bodies", Range::Within(1.0, 1e9)).or(2_000_000) as u64;
    let mut bodies = world.bodies.len() as u64;
    for (emitter, (_, reader)) in emitters.iter().zip(readers) {
        bodies = bodies.saturating_add(emitter.count);
        if bodies > most {
            let what = format!("the scene asks for {bodies} bodies up to here, more than `most_bodies` = {most}");
            let help = format!(
                "lower `count`, or write most_bodies = {bodies} if there is memory for it, about {:.1} GB",
                1e-9 * memory::of_bodies(world, emitters) as f64
            );
            reader.problem_at("count", what, &help);
        }
    }
}

/// The box that bodies must not leave: by default ten times as wide as everything finite in the scene.
fn bounds(top: &TableReader<'_>, world: &World, emitters: &[Emitter]) -> (DVec3, DVec3) {
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    let mut include = |center: DVec3, reach: f64| {
        low = low.min(center - reach);
        high = high.max(center + reach);
    };
    for (row, pose) in world.bodies.pose.iter().enumerate() {
        include(pose.position, world.radius(row));
    }
    for obstacle in &world.obstacles {
        let reach = obstacle.surface.reach();
        include(obstacle.pose.position, if reach.is_finite() { reach } else { 0.0 });
    }
    for emitter in emitters {
        let (center, reach) = emitter.place.around();
        include(center, reach + world.radius_of(emitter.shape, emitter.size[1]));
    }
    let (center, half) =
        if low.is_finite() { (0.5 * (low + high), 0.5 * (high - low)) } else { (DVec3::ZERO, DVec3::ONE) };
    let reach = 10.0 * half.max_element() + 1.0;
    let table = top.table("bounds");
    let low = placement::vector(&table, "low").or((center - reach).max(DVec3::splat(-placement::REACH)));
    let high = placement::vector(&table, "high").or((center + reach).min(DVec3::splat(placement::REACH)));
    if !low.cmplt(high).all() {
        table.problem_at("low", "`low` must be below `high` in every direction", "swap the two corners");
    }
    (low, high)
}

fn report_setup(problem: &SetupProblem, top: &TableReader<'_>, emitters: &[(String, TableReader<'_>)]) {
    match problem {
        SetupProblem::NothingMoves => {
            top.problem_at("", problem.to_string(), "add a [[body]] or an [[emitter]]");
        }
        SetupProblem::StepTooLarge { .. } => {
            top.problem_at("step", problem.to_string(), "leave `step` out to use the default, or lower the stiffness");
        }
        SetupProblem::TooManySteps { .. } => {
            top.problem_at("fps", problem.to_string(), "lower the stiffness, enlarge the bodies, or raise `fps`");
        }
        SetupProblem::Joint(_) => top.problem_at("joint", problem.to_string(), "write solver = \"rigid\" at the top"),
        SetupProblem::NoRoom { emitter, .. } => {
            let reader = emitters.iter().find(|(name, _)| name == emitter).map_or(top, |(_, reader)| reader);
            let is_random = reader.choice("pattern", &["lattice", "random"]).optional() == Some("random");
            let denser = if is_random { ", or use `pattern = \"lattice\"`" } else { ", or make the bodies smaller" };
            reader.problem_at("count", problem.to_string(), &format!("lower `count`, enlarge the place{denser}"));
        }
    }
}
