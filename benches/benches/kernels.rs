//! How long kernels of the engine take, each in a state where it has work to do.
//!
//! `cargo bench -p tumble-benches --bench kernels` prints time per frame and the change since the
//! last run. A kernel is a stage of a frame, and the engine's own stopwatch measures it: nothing
//! private is opened for a bench. Statics is timed per call, for all bodies.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use tumble::statics::{StaticAnalysis, StaticBody, StaticSettings, Statics, TouchPoint, Touching};
use tumble::world::{BodyId, Wrench};
use tumble::{Simulation, Stage, Stopwatch};
use tumble_scene::load_text;

criterion_group!(kernels, granular, rigid, statics_of_a_heap, statics_of_a_pyramid);
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

/// Boxes of a heap as statics judges them: contacts read, bodies alone, from the top down with and
/// without a margin, and all at once from the forces of the solver.
fn statics_of_a_heap(criterion: &mut Criterion) {
    let simulation = settled("crates", &["emitter.0.count=1000"], 360);
    let mut touching = Touching::default();
    let bodies = simulation.world().bodies.len();
    criterion.bench_function(&format!("statics: contacts read, {bodies} boxes"), |bencher| {
        bencher.iter(|| simulation.fill_touching(&mut touching));
    });
    judged(criterion, &format!("{bodies} boxes, {} points", touching.points().len()), &touching);
}

/// A pyramid of 1015 blocks, each on four, whose forces are not known.
fn statics_of_a_pyramid(criterion: &mut Criterion) {
    judged(criterion, "pyramid of 1015 blocks", &pyramid(14));
}

/// Times each question about some bodies.
fn judged(criterion: &mut Criterion, what: &str, touching: &Touching) {
    let mut statics = Statics::default();
    let (plain, safe) = ([1.0, 0.0], [6.0 / 7.0, 3f64.to_radians()]);
    for (name, analysis, [kinetic, margin]) in [
        ("alone, five loads", StaticAnalysis::Alone, safe),
        ("loaded, five loads", StaticAnalysis::Loaded, safe),
        ("whole, one load", StaticAnalysis::Whole, plain),
    ] {
        let settings = StaticSettings { analysis, kinetic, margin, ..StaticSettings::default() };
        criterion.bench_function(&format!("statics: {name}, {what}"), |bencher| {
            bencher.iter(|| statics.judge(touching, &settings).len());
        });
    }
}

/// Layers of blocks over each other, from `width` × `width` to one.
fn pyramid(width: u32) -> Touching {
    let mut touching = Touching::default();
    touching.begin(-9.81 * DVec3::Z);
    let mut layers = Vec::new();
    for layer in 0..width {
        let side = width - layer;
        layers.push(touching.bodies().len() as u32);
        for k in 0..side * side {
            let place = [k % side, k / side].map(|along| f64::from(along) + 0.5 * f64::from(layer));
            let id = BodyId { index: touching.bodies().len() as u32, generation: 0 };
            let centre = DVec3::new(place[0], place[1], 0.5 + f64::from(layer));
            let load = Wrench::default();
            touching.add_body(StaticBody { id, centre, mass: 1.0, radius: 0.75f64.sqrt(), load, is_fixed: false });
        }
    }
    for layer in 0..width {
        let side = width - layer;
        for k in 0..side * side {
            let body = layers[layer as usize] + k;
            for quarter in 0..4 {
                let (right, back) = (quarter % 2, quarter / 2);
                let below = |below: u32| layers[below as usize] + (k / side + back) * (side + 1) + k % side + right;
                let to = layer.checked_sub(1).map(below);
                let centre = touching.bodies()[body as usize].centre;
                for corner in 0..4 {
                    let along = |which: u32, half: u32| 0.5 * f64::from(half) - 0.5 + 0.5 * f64::from(which);
                    let (x, y) = (along(corner % 2, right), along(corner / 2, back));
                    touching.add_point(TouchPoint {
                        body,
                        to,
                        order: [0, 0, quarter, corner],
                        point: centre + DVec3::new(x, y, -0.5),
                        normal: DVec3::Z,
                        friction: 0.5,
                        rolling: 0.0,
                        gap: 0.0,
                        force: DVec3::ZERO,
                    });
                }
            }
        }
    }
    touching.finish();
    touching
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
