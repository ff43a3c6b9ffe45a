//! Targets and their first inputs: files of `fuzz/corpus`, and recordings and checkpoints that
//! tumble makes of its scenes.
//!
//! Recordings and checkpoints are made anew at every start, so that they always have the present
//! format.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use tumble::detail::Detail;
use tumble::geometry;
use tumble::{Frame, FrameDetail, Simulation};
use tumble_io::{
    Checkpoint, Header, MaterialInfo, MeshData, ObstacleInfo, Recording, RecordingWriter, ShapeInfo, read_checkpoint,
    write_bodies_ply, write_checkpoint, write_csv,
};
use tumble_picture::{Colouring, Overlays, Quality, Renderer, View};
use tumble_scene::mesh::{Format, parse_mesh};
use tumble_scene::{Scene, SceneError, load_text};

use crate::mutate::{self, Random};
use crate::recordings;

/// The kinds of input that can be fuzzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Scenes,
    Meshes,
    Recordings,
    Checkpoints,
}

impl Target {
    pub(crate) const ALL: [Self; 4] = [Self::Scenes, Self::Meshes, Self::Recordings, Self::Checkpoints];

    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scenes => "scenes",
            Self::Meshes => "meshes",
            Self::Recordings => "recordings",
            Self::Checkpoints => "checkpoints",
        }
    }
}

/// Steps of bodies that an execution may simulate, so that it tests states and not patience.
const MOST_STEPS: usize = 20_000;

/// Scenes that take long to load: one draw in sixteen of them counts.
const SLOW: [&str; 2] = ["covers.toml", "split.toml"];

/// State that all executions of a target share.
pub(crate) struct Bench {
    target: Target,
    corpus: PathBuf,
    /// Inputs to begin with: the name of the file they come from, and their bytes.
    seeds: Vec<(String, Vec<u8>)>,
    /// A file of this worker.
    scratch: PathBuf,
    /// Scenes that states are loaded into, by name, with the states they begin with.
    fresh: BTreeMap<String, (Simulation, Vec<u8>)>,
}

impl Bench {
    pub(crate) fn new(target: Target) -> Result<Self, Box<dyn Error>> {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        let folder = corpus.join(if target == Target::Meshes { "meshes" } else { "scenes" });
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        files.sort();
        let scratch = std::env::temp_dir().join(format!("tumble-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&scratch)?;
        let scratch = scratch.join("file.tumble");
        let mut bench = Self { target, corpus, seeds: Vec::new(), scratch, fresh: BTreeMap::new() };
        for file in files {
            // Splitting takes long, and leaves nothing in a state.
            if target == Target::Checkpoints && file.ends_with("split.toml") {
                continue;
            }
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let bytes = std::fs::read(&file)?;
            let bytes = match target {
                Target::Scenes | Target::Meshes => bytes,
                Target::Recordings => bench.record(&String::from_utf8(bytes)?)?,
                Target::Checkpoints => bench.save(&String::from_utf8(bytes)?)?,
            };
            bench.seeds.push((name, bytes));
        }
        Ok(bench)
    }

    /// The input of an execution: a line with the name of the file it comes from, then its bytes.
    pub(crate) fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::of(seed, number);
        let mut drawn = random.one_of(&self.seeds);
        while drawn.is_some_and(|(name, _)| SLOW.contains(&name.as_str())) && random.below(16) > 0 {
            drawn = random.one_of(&self.seeds);
        }
        let Some((name, bytes)) = drawn else { return Vec::new() };
        let other = random.one_of(&self.seeds).map_or(&[][..], |(_, other)| other);
        let is_text = self.target == Target::Scenes || std::str::from_utf8(bytes).is_ok();
        let changed = match self.target {
            Target::Scenes | Target::Meshes if is_text => mutate::text(bytes, other, &mut random),
            Target::Scenes | Target::Meshes => mutate::binary(bytes, &mut random),
            Target::Recordings => recordings::mutated(bytes, &mut random),
            // The state is what is read without a format around it.
            Target::Checkpoints if random.below(4) == 0 => recordings::mutated(bytes, &mut random),
            Target::Checkpoints => self.changed_state(bytes, &mut random),
        };
        [name.as_bytes(), b"\n", &changed].concat()
    }

    /// Executes an input. It may be refused; it may not panic, hang or grow.
    pub(crate) fn execute(&mut self, input: &[u8], number: u64) {
        let at = input.iter().position(|byte| *byte == b'\n').unwrap_or(0);
        let (name, bytes) =
            (String::from_utf8_lossy(&input[..at]).into_owned(), input.get(at + 1..).unwrap_or_default());
        match self.target {
            Target::Scenes => self.scene(&String::from_utf8_lossy(bytes)),
            Target::Meshes => mesh(Path::new(&name), bytes, number.is_multiple_of(64)),
            Target::Recordings => self.recording(bytes, number.is_multiple_of(128)),
            Target::Checkpoints => self.checkpoint(&name, bytes),
        }
    }

    fn load(&self, text: &str) -> Result<Scene, SceneError> {
        load_text("fuzzed", "fuzzed.toml", text, &self.corpus.join("scenes"), &[])
    }

    /// A scene that loads has a resolved text that says the same, and is fit to run.
    fn scene(&self, text: &str) {
        let mut scene = match self.load(text) {
            Ok(scene) => scene,
            Err(problem) => {
                assert!(!problem.to_string().is_empty());
                return;
            }
        };
        match self.load(&scene.resolved) {
            Ok(again) => assert_eq!(again.resolved, scene.resolved),
            Err(problem) => panic!("the resolved scene does not load: {problem}"),
        }
        advance(&mut scene.simulation);
    }

    /// A recording of a scene, three frames long, as bytes.
    fn record(&self, text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut scene = self.load(text).map_err(|problem| problem.to_string())?;
        let (header, meshes) = header(&scene);
        let mut writer = RecordingWriter::create(&self.scratch, &header, &meshes)?;
        let mut frame = Frame::default();
        for _ in 0..3 {
            scene.simulation.show(&mut frame);
            let detail = FrameDetail::default();
            writer.append_with(&frame, header.detail.is_some().then_some(&detail))?;
            advance(&mut scene.simulation);
            // A scene that is too large to be simulated has one frame.
            if scene.simulation.frame_number() == frame.number {
                break;
            }
        }
        Ok(std::fs::read(&self.scratch)?)
    }

    /// Reads all that is in a recording, as the commands do.
    fn recording(&self, bytes: &[u8], draws: bool) {
        if std::fs::write(&self.scratch, bytes).is_err() {
            return;
        }
        let Ok(mut recording) = Recording::open(&self.scratch) else { return };
        for mesh in 0..recording.header().meshes {
            let _ = recording.mesh(mesh);
        }
        let (mut frame, mut detail) = (Frame::default(), FrameDetail::default());
        let renderer = Renderer::new(&mut recording).ok().filter(|_| draws);
        for index in 0..recording.frames().len() {
            let _ = recording.check(index);
            let is_read = recording.read(index, &mut frame).is_ok();
            if is_read && recording.read_particles(index, &mut detail).is_ok() {
                let _ = write_bodies_ply(&mut recording, index, &mut std::io::sink());
                let picture = |renderer: &Renderer| renderer.render(&frame, &detail.particles, &small_view(renderer));
                let _ = renderer.as_ref().map(picture);
            }
        }
        let _ = write_csv(&mut recording, None, &mut std::io::sink());
        let last = recording.frames().last().map_or(0, |entry| entry.number);
        let _ = RecordingWriter::resume(&self.scratch, last);
    }

    /// A checkpoint of a scene after a frame, as bytes.
    fn save(&self, text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut scene = self.load(text).map_err(|problem| problem.to_string())?;
        advance(&mut scene.simulation);
        let checkpoint = Checkpoint {
            frame: scene.simulation.frame_number(),
            state_hash: scene.simulation.state_hash(),
            scene: scene.resolved.clone(),
            parts: scene.splits.text(),
            state: scene.simulation.save(),
            ..Checkpoint::default()
        };
        write_checkpoint(&self.scratch, &checkpoint)?;
        Ok(std::fs::read(&self.scratch)?)
    }

    /// The same checkpoint with another state in it, and all checksums right.
    fn changed_state(&self, bytes: &[u8], random: &mut Random) -> Vec<u8> {
        let mut again = || -> Result<Vec<u8>, Box<dyn Error>> {
            std::fs::write(&self.scratch, bytes)?;
            let good = read_checkpoint(&self.scratch)?;
            let state = mutate::binary(&good.state, random);
            write_checkpoint(&self.scratch, &Checkpoint { state_hash: Simulation::hash_of(&state), state, ..good })?;
            Ok(std::fs::read(&self.scratch)?)
        };
        again().unwrap_or_default()
    }

    /// Goes on from a checkpoint as `tumble run --resume` does.
    fn checkpoint(&mut self, name: &str, bytes: &[u8]) {
        if std::fs::write(&self.scratch, bytes).is_err() {
            return;
        }
        let Ok(checkpoint) = read_checkpoint(&self.scratch) else { return };
        let _ = tumble_scene::Splits::read(&checkpoint.parts);
        let _ = checkpoint.detail.as_deref().map(Detail::hash_of);
        let Some((simulation, first)) = self.fresh(name) else { return };
        if simulation.load(&checkpoint.state).is_err() {
            assert_eq!(simulation.state_hash(), Simulation::hash_of(first), "a state that is refused changes nothing");
            return;
        }
        // A state that does not come back as it was is not gone on from.
        if simulation.state_hash() == Simulation::hash_of(&checkpoint.state) {
            let mut frame = Frame::default();
            simulation.show(&mut frame);
            advance(simulation);
            simulation.show(&mut frame);
        }
        assert!(simulation.load(first).is_ok() && simulation.state_hash() == Simulation::hash_of(first));
    }

    /// The simulation of a scene of the corpus, in the state it begins with.
    fn fresh(&mut self, name: &str) -> Option<&mut (Simulation, Vec<u8>)> {
        if !self.fresh.contains_key(name) {
            let text = std::fs::read_to_string(self.corpus.join("scenes").join(name)).ok()?;
            let simulation = self.load(&text).ok()?.simulation;
            let first = simulation.save();
            self.fresh.insert(name.to_owned(), (simulation, first));
        }
        self.fresh.get_mut(name)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.scratch.parent().map(std::fs::remove_dir_all);
    }
}

/// A frame, if it takes few steps.
fn advance(simulation: &mut Simulation) {
    let bodies = simulation.world().bodies.len().max(1);
    if bodies.saturating_mul(simulation.steps_per_frame()) <= MOST_STEPS && !simulation.is_adaptive() {
        simulation.advance();
    }
}

/// Reads a mesh, and now and then makes something of it.
fn mesh(name: &Path, bytes: &[u8], looks_closer: bool) {
    let Some(format) = Format::of(name) else { return };
    let Ok(mesh) = parse_mesh(bytes, format) else { return };
    let is_solid = geometry::check_solid(&mesh).is_ok();
    if looks_closer && mesh.triangles().len() < 1000 {
        let _ = geometry::repair(&mesh);
        if is_solid {
            let _ = geometry::solid_moments(&mesh);
            let (low, high) = mesh.bounds();
            let radius = 0.1 * (high - low).max_element();
            let _ = geometry::cover(&mesh, &geometry::Cover { radius, density: 1.0, offset: -radius, seed: 1 });
        }
    }
}

/// The header of a scene's recording, as far as readers look at it.
fn header(scene: &Scene) -> (Header, Vec<MeshData>) {
    let world = scene.simulation.world();
    let mut meshes = Vec::new();
    let shapes = world.shapes.iter().map(|shape| {
        let spheres = shape.spheres.iter().map(|sphere| {
            let [x, y, z] = sphere.offset.to_array();
            [x, y, z, sphere.radius]
        });
        let mesh = shape.mesh.as_ref().map(|mesh| {
            let vertices = mesh.vertices().iter().map(|vertex| vertex.as_vec3().to_array()).collect();
            meshes.push(MeshData { vertices, triangles: mesh.triangles().to_vec() });
            meshes.len() as u32 - 1
        });
        ShapeInfo { name: shape.name.clone(), spheres: spheres.collect(), mesh, centre: shape.centre.to_array() }
    });
    let shapes = shapes.collect();
    let obstacle = |obstacle: &tumble::world::Obstacle| ObstacleInfo {
        name: obstacle.name.clone(),
        material: obstacle.material.0,
        surface: tumble_io::SurfaceInfo::Plane,
        colour: None,
        look: tumble_io::ObstacleLook::Solid,
    };
    let material = |material: &tumble::world::Material| MaterialInfo { name: material.name.clone(), colour: None };
    let header = Header {
        title: scene.title.clone(),
        fps: scene.fps,
        first_frame: scene.frames[0],
        shapes,
        obstacles: world.obstacles.iter().map(obstacle).collect(),
        materials: world.materials.list().iter().map(material).collect(),
        scene: scene.resolved.clone(),
        ..Header::default()
    };
    (header, meshes)
}

/// A picture that takes no time.
fn small_view(renderer: &Renderer) -> View {
    View {
        camera: renderer.camera(16.0 / 9.0),
        width: 32,
        height: 18,
        quality: Quality::ALL[0],
        colouring: Colouring { by: tumble_picture::ColourBy::Material, fastest: renderer.fastest() },
        overlays: Overlays::default(),
        grains: false,
        legend: true,
    }
}
