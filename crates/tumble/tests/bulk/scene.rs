//! Building blocks of the bulk scenes: grains, walls, fillings, and comparisons of results.

use glam::{DQuat, DVec3};
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{MeshSurface, Model, Surface};
use tumble::granular::{Granular, Law};
use tumble::measure::Ball;
use tumble::world::{Material, MaterialId, Materials, Obstacle, Pair, Path, Pose, Shape, World};
use tumble::{Setup, Simulation, Solver};

use crate::common::{emitter, material, rigid};

/// Gravity \[m/s²\].
pub(crate) const G: f64 = 9.81;

/// Diameter of a grain \[m\].
pub(crate) const D: f64 = 0.01;

/// Indices of the materials of a scene: grains, a base they grip like each other, walls with a
/// friction of their own.
pub(crate) const BASE: u32 = 1;
pub(crate) const WALL: u32 = 2;

/// A grain's material, so soft that steps are long and so stiff that grains at rest overlap by a
/// few per cent of a radius.
pub(crate) fn grain(friction: f64) -> Material {
    Material { friction, restitution: 0.5, ..material(2e6, 0.3, 2500.0) }
}

/// An empty world of grains of this shape and material.
pub(crate) fn world(shape: Shape, grain: &Material, wall_friction: f64) -> World {
    let mut materials = Materials::new(vec![grain.clone(), rigid(grain), rigid(grain)]);
    let wall = Pair {
        friction: wall_friction,
        rolling_friction: 0.0,
        ..materials.pair(MaterialId(0), MaterialId(WALL)).unwrap()
    };
    materials.set_pair(MaterialId(0), MaterialId(WALL), wall).unwrap();
    World { shapes: vec![shape], materials, gravity: DVec3::new(0.0, 0.0, -G), ..World::default() }
}

/// A half-space whose surface goes through a point, with this side out.
pub(crate) fn plane(name: &str, material: u32, point: DVec3, outside: DVec3) -> Obstacle {
    let pose = Pose { position: point, orientation: DQuat::from_rotation_arc(DVec3::Z, outside) };
    Obstacle::new(name, MaterialId(material), Surface::Plane, Path::Fixed(pose))
}

/// Four walls around x from -`half.x` to `half.x`, y from -`half.y` to `half.y`.
pub(crate) fn walls(half: [f64; 2]) -> Vec<Obstacle> {
    let [x, y] = half;
    [DVec3::X * x, -DVec3::X * x, DVec3::Y * y, -DVec3::Y * y]
        .map(|at| plane("wall", WALL, at, -at.normalize()))
        .to_vec()
}

/// A box between two corners.
pub(crate) fn block(name: &str, material: u32, low: DVec3, high: DVec3) -> Obstacle {
    let pose = Pose { position: 0.5 * (low + high), ..Pose::IDENTITY };
    Obstacle::new(name, MaterialId(material), Surface::Box(0.5 * (high - low)), Path::Fixed(pose))
}

/// A model that stands at a point.
pub(crate) fn model(name: &str, material: u32, model: Model, position: DVec3) -> Obstacle {
    let surface = MeshSurface::new(model.mesh(32).unwrap());
    Obstacle::new(
        name,
        MaterialId(material),
        Surface::Mesh(Box::new(surface)),
        Path::Fixed(Pose { position, ..Pose::IDENTITY }),
    )
}

/// Grains at once between two corners, in layers that no two runs share.
pub(crate) fn filling(count: u64, low: DVec3, high: DVec3) -> Emitter {
    let place = Place::Region { region: Region::Box { low, high }, pattern: Pattern::Lattice(None) };
    let jitter = Jitter { position: 0.03 * D, velocity: 0.3, spin: 0.0, orientation: true };
    Emitter { jitter, ..emitter(0, count, When::AtOnce(0.0), place) }
}

/// A simulation with fifty frames per second.
pub(crate) fn simulate(world: World, emitters: Vec<Emitter>, seed: u64) -> Simulation {
    with_long_steps(Setup { emitters, seed, fps: 50.0, ..Setup::new(world, Law::HERTZ) })
}

/// A simulation with half the longest step that the engine allows, twelve in a collision: the
/// results here hardly depend on it. The skin of the neighbour list is wide, because grains fall
/// fast.
pub(crate) fn with_long_steps(setup: Setup) -> Simulation {
    let step = 0.5 * Simulation::new(setup.clone()).unwrap().step_limit().unwrap().largest;
    let Solver::Granular(granular) = setup.solver else { unreachable!("grains") };
    let solver = Solver::Granular(Granular { skin: Some(0.2 * D), ..granular });
    Simulation::new(Setup { step: Some(step), solver, ..setup }).unwrap()
}

/// Goes on with the bodies of a simulation among other obstacles. Contacts forget their friction
/// springs.
pub(crate) fn change(simulation: &Simulation, obstacles: Vec<Obstacle>) -> World {
    World { obstacles, ..simulation.world().clone() }
}

/// Runs for a time \[s\] and says how deep the deepest overlap of a frame was, over the radius.
pub(crate) fn run(simulation: &mut Simulation, time: f64) -> f64 {
    let end = simulation.time() + time;
    let mut deepest = 0.0f64;
    while simulation.time() < end - 1e-9 {
        deepest = deepest.max(frame(simulation).deepest_overlap);
    }
    deepest
}

/// One frame.
pub(crate) fn frame(simulation: &mut Simulation) -> tumble::FrameReport {
    let report = simulation.advance();
    assert!(!report.warnings.iter().any(|w| w.kind() == "not_finite"), "{:?}", report.warnings);
    report
}

/// Runs until all bodies together have next to no energy, at most for a time \[s\]. Grains that
/// rattle in their cages may go on.
pub(crate) fn settle(simulation: &mut Simulation, at_most: f64) {
    let end = simulation.time() + at_most;
    let energy = |simulation: &Simulation| tumble::measure::kinetic_energy(simulation.world());
    while simulation.time() < end {
        let report = frame(simulation);
        if report.kinetic_energy < settled_energy(simulation) && report.waiting == 0 {
            return;
        }
    }
    panic!("not settled after {at_most} s: {:.1e} J, {:.1e} J is", energy(simulation), settled_energy(simulation));
}

/// A millionth of the work that lifts every body by its diameter \[J\].
pub(crate) fn settled_energy(simulation: &Simulation) -> f64 {
    let world = simulation.world();
    let lift = |row: usize| world.bodies.inertia[row].mass * world.gravity.length() * 2.0 * world.radius(row);
    1e-6 * world.bodies.rows_by_id().map(lift).sum::<f64>()
}

/// All balls, with places to the last bit.
pub(crate) fn balls(simulation: &Simulation) -> Vec<Ball> {
    let world = simulation.world();
    let of_row = |row: usize| {
        let body = world.bodies.traits[row].id;
        world.spheres(row).map(move |(centre, radius)| Ball { centre, radius, body })
    };
    world.bodies.rows_by_id().flat_map(of_row).collect()
}

/// The least-squares line through points: slope, value at zero, r².
pub(crate) fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let (xx, yy) = (mean(&|p| (p.0 - x).powi(2)), mean(&|p| (p.1 - y).powi(2)));
    let xy = mean(&|p| (p.0 - x) * (p.1 - y));
    (xy / xx, y - xy / xx * x, xy * xy / (xx * yy))
}

/// Mean and standard deviation.
pub(crate) fn spread(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt())
}

/// Fails unless `got` is within `tolerance` of `expected`.
#[track_caller]
pub(crate) fn near(what: &str, got: f64, expected: f64, tolerance: f64) {
    println!("{what}: expected {expected:.4}, got {got:.4}, allowed ± {tolerance:.4}");
    assert!((got - expected).abs() <= tolerance, "{what}: expected {expected} ± {tolerance}, got {got}");
}

/// Fails unless `got` lies between two numbers.
#[track_caller]
pub(crate) fn between(what: &str, got: f64, least: f64, most: f64) {
    println!("{what}: expected {least:?} to {most:?}, got {got:.4e}");
    assert!(least <= got && got <= most, "{what}: expected {least} to {most}, got {got}");
}
