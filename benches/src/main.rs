//! Runs a start state of the DEM peers and prints one line in the form their driver reads.
//!
//! `peer STATE GEOMETRY SIDE MEMBERS WARM STEPS [THREADS [STL]]`: spheres of STATE (lines
//! `id 1 diameter density x y z` after `Atoms`), alone or in clumps of MEMBERS (4: tetrahedra, 8:
//! cubes), in an open box of this SIDE or in the hopper of an STL file, with the material of the
//! peers' scenes: E = 10 MPa, ν = 0.3, e = 0.5, μ = 0.5, step 75 µs, skin 1 mm.

use std::time::Instant;

use glam::{DMat3, DQuat, DVec3};
use tumble::geometry::{MeshSurface, Surface};
use tumble::granular::{Granular, Law};
use tumble::world::{
    Material, MaterialId, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, ShapeSphere, World,
};
use tumble::{Setup, Simulation, Stage, Stopwatch, measure};

const STEP: f64 = 7.5e-5;
/// Most steps in a "frame" of this program; in the hopper, grains are removed at the end of a
/// frame.
const MOST_STEPS_PER_FRAME: usize = 100;
const STEPS_PER_FRAME_OF_HOPPER: usize = 20;
/// Grains of the hopper are removed below this height \[m\].
const FLOOR_OF_HOPPER: f64 = -0.05;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [state, geometry, side, members, warm, steps_text, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: peer STATE box|hopper SIDE MEMBERS WARM STEPS [THREADS [STL]]");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<f64>().unwrap_or_else(|_| panic!("{text} is not a number"));
    let threads = rest.first().map_or(1.0, number) as usize;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("threads start once");

    let text = std::fs::read_to_string(state).unwrap_or_else(|problem| panic!("cannot read {state}: {problem}"));
    let mut world = bodies(&text, number(members) as usize);
    world.obstacles = match geometry.as_str() {
        "hopper" => vec![hopper(rest.get(1).expect("the hopper is an STL file"))],
        _ => open_box(number(side)),
    };
    let drains = geometry == "hopper";
    // A whole number of frames fills the timed steps; the warm-up may be longer than asked for.
    let most = if drains { STEPS_PER_FRAME_OF_HOPPER } else { MOST_STEPS_PER_FRAME };
    let a_frame = (1..=most).rev().find(|&steps| (number(steps_text) as usize).is_multiple_of(steps)).unwrap_or(1);
    let mut simulation = simulation(world, drains, a_frame);
    let frames = |text: &String| (number(text) as usize).div_ceil(a_frame);
    (0..frames(warm)).for_each(|_| drop(simulation.advance()));

    let mut watch = Stopwatch::new(seconds);
    let begin = Instant::now();
    let (mut builds, mut contacts, mut sphere_steps) = (0, 0, 0);
    for _ in 0..frames(steps_text) {
        let report = simulation.advance_timed(&mut watch);
        builds += report.list_builds;
        contacts = report.contacts;
        sphere_steps += simulation.world().bodies.len() * a_frame * number(members).max(1.0) as usize;
        if drains {
            let below = simulation.world().bodies.pose.iter().filter(|pose| pose.position.z < 0.0).count();
            println!("NOUT {} {}", simulation.counts().steps, simulation.counts().removed + below as u64);
        }
    }
    let loop_seconds = begin.elapsed().as_secs_f64();
    let world = simulation.world();
    let heights = world.bodies.pose.iter().map(|pose| pose.position.z);
    let mean = heights.sum::<f64>() / world.bodies.len() as f64;
    let energy = measure::kinetic_energy(world);
    let taken = frames(steps_text) * a_frame;
    println!("PEER_LOOP {loop_seconds:.4} steps {taken} ke {energy:.6e} zc {mean:.6} contacts {contacts}");
    println!("Neighbor list builds = {builds}");
    let total: f64 = watch.seconds.iter().sum();
    for (stage, seconds) in Stage::ALL.iter().zip(watch.seconds) {
        println!("  {:<10} {:5.1} %  {seconds:.4} s", stage.name(), 100.0 * seconds / total);
    }
    let rate = sphere_steps as f64 / loop_seconds;
    println!("  {:.3} M sphere-steps/s, {:.1} ns a sphere-step", rate / 1e6, 1e9 / rate);
}

/// The spheres of a state, or clumps of them.
fn bodies(text: &str, members: usize) -> World {
    let atoms = text.split("Atoms").nth(1).expect("a line `Atoms`").lines();
    let spheres: Vec<Vec<f64>> = atoms
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect())
        .take_while(|row: &Vec<f64>| row.is_empty() || row.len() == 7)
        .filter(|row: &Vec<f64>| row.len() == 7)
        .collect();
    let radius = 0.5 * spheres[0][2];
    let template = template(members, radius);
    let clump = template.iter().map(|&offset| ShapeSphere { offset, radius }).collect();
    let stone = Material { density: spheres[0][3], rolling_friction: 0.0, ..Material::default() };
    let mut world = World {
        shapes: vec![Shape::clump("clump", clump).expect("spheres with a radius")],
        materials: Materials::new(vec![stone]),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    for group in spheres.chunks(template.len()) {
        let place = |row: &Vec<f64>| DVec3::new(row[4], row[5], row[6]);
        let position = group.iter().map(place).sum::<DVec3>() / group.len() as f64;
        let offsets: Vec<DVec3> = group.iter().map(|row| place(row) - position).collect();
        let pose = Pose { position, orientation: turn(&template, &offsets) };
        world
            .add(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() })
            .expect("a body");
    }
    world
}

/// Centres of a clump's spheres, which touch, in the order of the states.
fn template(members: usize, radius: f64) -> Vec<DVec3> {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    match members {
        4 => [corner(1.0, 1.0, 1.0), corner(1.0, -1.0, -1.0), corner(-1.0, 1.0, -1.0), corner(-1.0, -1.0, 1.0)]
            .map(|corner| radius / 2f64.sqrt() * corner)
            .to_vec(),
        8 => {
            let sign = |k: i32| f64::from(2 * (k & 1) - 1);
            (0..8).map(|k| radius * corner(sign(k >> 2), sign(k >> 1), sign(k))).collect()
        }
        _ => vec![DVec3::ZERO],
    }
}

/// The rotation that takes the template to these offsets: Σ d cᵀ is the rotation times Σ c cᵀ,
/// which is a multiple of the identity here.
fn turn(template: &[DVec3], offsets: &[DVec3]) -> DQuat {
    if template.len() == 1 {
        return DQuat::IDENTITY;
    }
    let outer = |d: DVec3, c: DVec3| DMat3::from_cols(d * c.x, d * c.y, d * c.z);
    let sum = template.iter().zip(offsets).fold(DMat3::ZERO, |sum, (&c, &d)| sum + outer(d, c));
    let number = template.iter().map(|c| c.length_squared()).sum::<f64>() / 3.0;
    DQuat::from_mat3(&(sum * (1.0 / number))).normalize()
}

fn open_box(side: f64) -> Vec<Obstacle> {
    let wall = |x: f64, y: f64, normal: DVec3| {
        let orientation = DQuat::from_rotation_arc(DVec3::Z, normal);
        Obstacle::new(
            "wall",
            MaterialId(0),
            Surface::Plane,
            Path::Fixed(Pose { position: DVec3::new(x, y, 0.0), orientation }),
        )
    };
    vec![
        wall(0.0, 0.0, DVec3::Z),
        wall(0.0, 0.0, DVec3::X),
        wall(side, 0.0, -DVec3::X),
        wall(0.0, 0.0, DVec3::Y),
        wall(0.0, side, -DVec3::Y),
    ]
}

fn hopper(stl: &str) -> Obstacle {
    let mesh = tumble_scene::mesh::read_mesh(stl.as_ref()).unwrap_or_else(|problem| panic!("{problem}")).mesh;
    Obstacle::new("hopper", MaterialId(0), Surface::Mesh(Box::new(MeshSurface::new(mesh))), Path::Fixed(Pose::IDENTITY))
}

fn simulation(world: World, drains: bool, steps_a_frame: usize) -> Simulation {
    let fps = 1.0 / (steps_a_frame as f64 * STEP);
    let bounds = drains.then_some((DVec3::new(-9.0, -9.0, FLOOR_OF_HOPPER), DVec3::splat(9.0)));
    let setup = Setup {
        step: Some(STEP),
        fps,
        bounds,
        ..Setup::new(world, Granular { skin: Some(1e-3), ..Granular::new(Law::HERTZ) })
    };
    Simulation::new(setup).unwrap_or_else(|problem| panic!("{problem}"))
}

fn seconds() -> f64 {
    use std::sync::OnceLock;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
