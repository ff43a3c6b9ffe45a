//! How long four kernels of the engine take, each in a state where it has work to do.
//!
//! `cargo bench -p tumble-benches --bench kernels` prints time per frame and the change since the
//! last run. A kernel is a stage of a frame, and the engine's own stopwatch measures it: nothing
//! private is opened for a bench.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use tumble::{Simulation, Stage, Stopwatch};
use tumble_scene::load_text;

criterion_group!(kernels, granular, rigid);
criterion_main!(kernels);

/// Grains in a box: the contact law on batches of pairs, and the list of pairs that may touch.
fn granular(criterion: &mut Criterion) {
    let mut simulation = settled("box", &["emitter.0.count=4000"], 12);
    stage(criterion, "contact law, 4000 spheres", &mut simulation, Stage::Contacts);
    stage(criterion, "neighbour list, 4000 spheres", &mut simulation, Stage::Neighbours);
}

/// Boxes in a heap that is kept awake: impulses in groups of eight contacts, and where boxes touch.
fn rigid(criterion: &mut Criterion) {
    let mut simulation = settled("crates", &["emitter.0.count=400", "sleeping=false"], 120);
    stage(criterion, "rigid group solve, 400 boxes", &mut simulation, Stage::Solve);
    stage(criterion, "narrow phase box-box, 400 boxes", &mut simulation, Stage::Narrow);
}

/// A scene of the gallery with these changes, after so many frames.
fn settled(scene: &str, sets: &[&str], frames: usize) -> Simulation {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_string()).collect();
    let (_, text) =
        tumble_scene::gallery::SCENES.iter().find(|(name, _)| *name == scene).expect("a scene of the gallery");
    let scene = load_text(scene, &format!("{scene}.toml"), text, std::path::Path::new("."), &sets);
    let mut simulation = scene.expect("the scene is sound").simulation;
    (0..frames).for_each(|_| drop(simulation.advance()));
    simulation
}

/// Measures one stage of frames that all begin with the state as it is now.
fn stage(criterion: &mut Criterion, name: &str, simulation: &mut Simulation, stage: Stage) {
    let state = simulation.save();
    let at = Stage::ALL.iter().position(|other| *other == stage).expect("a stage");
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let mut watch = Stopwatch::new(seconds);
            for _ in 0..iterations {
                simulation.load(&state).expect("its own state");
                simulation.advance_timed(&mut watch);
            }
            Duration::from_secs_f64(watch.seconds[at])
        });
    });
}

fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_secs_f64()
}
