//! Runs a start state of the DEM peers and prints one line in the form their driver reads.
//!
//! `peer STATE L WARM STEPS [THREADS]`: spheres of STATE (lines `id 1 diameter density x y z` after `Atoms`) in an open box of
//! side L with the material of the peers' scenes: E = 10 MPa, ν = 0.3, e = 0.5, μ = 0.5, step 75 µs, skin 1 mm.

use std::time::Instant;

use glam::DVec3;
use tumble::geometry::Surface;
use tumble::granular::Law;
use tumble::world::{Material, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, World};
use tumble::{Setup, Simulation, Stage, Stopwatch, measure};

const STEP: f64 = 7.5e-5;
/// Steps in a "frame" of this program.
const STEPS_A_FRAME: usize = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [state, side, warm, steps, threads @ ..] = arguments.as_slice() else {
        eprintln!("usage: peer STATE L WARM STEPS [THREADS]");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<f64>().unwrap_or_else(|_| panic!("{text} is not a number"));
    let threads = threads.first().map_or(1.0, number) as usize;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads start once");

    let text = std::fs::read_to_string(state).unwrap_or_else(|problem| panic!("cannot read {state}: {problem}"));
    let mut simulation = simulation(&text, number(side));
    let frames = |text: &String| number(text) as usize / STEPS_A_FRAME;
    let mut watch = Stopwatch::stopped();
    (0..frames(warm)).for_each(|_| drop(simulation.advance(&mut watch)));

    let mut watch = Stopwatch::new(seconds);
    let begin = Instant::now();
    let mut builds = 0;
    let mut contacts = 0;
    for _ in 0..frames(steps) {
        let report = simulation.advance(&mut watch);
        builds += report.list_builds;
        contacts = report.contacts;
    }
    let loop_seconds = begin.elapsed().as_secs_f64();
    let world = simulation.world();
    let heights = world.bodies.pose.iter().map(|pose| pose.position.z);
    let mean = heights.sum::<f64>() / world.bodies.len() as f64;
    let energy = measure::kinetic_energy(world);
    let taken = frames(steps) * STEPS_A_FRAME;
    println!("PEER_LOOP {loop_seconds:.4} steps {taken} ke {energy:.6e} zc {mean:.6} contacts {contacts}");
    println!("Neighbor list builds = {builds}");
    let total: f64 = watch.seconds.iter().sum();
    for (stage, seconds) in Stage::ALL.iter().zip(watch.seconds) {
        println!("  {:<10} {:5.1} %  {seconds:.4} s", stage.name(), 100.0 * seconds / total);
    }
    let rate = (world.bodies.len() * taken) as f64 / loop_seconds;
    println!("  {:.3} M sphere-steps/s, {:.1} ns a sphere-step", rate / 1e6, 1e9 / rate);
}

/// The peers' scene with the spheres of a state.
fn simulation(text: &str, side: f64) -> Simulation {
    let atoms = text.split("Atoms").nth(1).expect("a line `Atoms`").lines();
    let spheres: Vec<Vec<f64>> = atoms
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect())
        .take_while(|row: &Vec<f64>| row.is_empty() || row.len() == 7)
        .filter(|row: &Vec<f64>| row.len() == 7)
        .collect();
    let stone = Material {
        name: "stone".into(),
        density: spheres[0][3],
        youngs_modulus: 1e7,
        poisson_ratio: 0.3,
        stiffness: 1e4,
        restitution: 0.5,
        friction: 0.5,
        ..Material::default()
    };
    let wall = |x: f64, y: f64, normal: DVec3| {
        let orientation = glam::DQuat::from_rotation_arc(DVec3::Z, normal);
        Obstacle::new("wall", 0, Surface::Plane, Path::Fixed(Pose { position: DVec3::new(x, y, 0.0), orientation }))
    };
    let mut world = World {
        shapes: vec![Shape::sphere("sphere", 0.5 * spheres[0][2])],
        materials: Materials::new(vec![stone]),
        obstacles: vec![
            wall(0.0, 0.0, DVec3::Z),
            wall(0.0, 0.0, DVec3::X),
            wall(side, 0.0, -DVec3::X),
            wall(0.0, 0.0, DVec3::Y),
            wall(0.0, side, -DVec3::Y),
        ],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    for row in spheres {
        let pose = Pose { position: DVec3::new(row[4], row[5], row[6]), ..Pose::IDENTITY };
        world.add(NewBody { shape: 0, material: 0, size: 1.0, pose, motion: Motion::default() });
    }
    let fps = 1.0 / (STEPS_A_FRAME as f64 * STEP);
    let setup = Setup { step: Some(STEP), skin: Some(1e-3), fps, ..Setup::new(world, Law::HERTZ) };
    Simulation::new(setup).unwrap_or_else(|problem| panic!("{problem}"))
}

fn seconds() -> f64 {
    use std::sync::OnceLock;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
