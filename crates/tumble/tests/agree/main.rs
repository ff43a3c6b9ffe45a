//! The same results with any number of threads, resumed or unbroken, with or without a neighbour
//! list, in any units.

#[path = "../common/mod.rs"]
mod common;

mod shapes;
mod sleepers;
mod solids;
mod symmetry;

use glam::DVec3;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{Mesh, MeshSurface, Surface};
use tumble::granular::{Control, Granular, Integrator, Law, Stiction};
use tumble::world::{
    Clump, Key, Material, MaterialId, Materials, Motion, Obstacle, Path, Pose, Shape, ShapeSphere, World,
};
use tumble::{Setup, Simulation};

use common::{add, emitter, material, rigid, world_over_floor};

/// A bit of everything: a floor, a driven box, a mesh, two emitters of mixed sizes, bodies that
/// leave the world.
fn setup() -> Setup {
    setup_of(1e6)
}

fn setup_of(youngs_modulus: f64) -> Setup {
    let sand = Material { restitution: 0.4, friction: 0.5, ..material(youngs_modulus, 0.3, 2500.0) };
    let mut world =
        World { gravity: DVec3::new(0.3, 0.0, -9.81), drag: 0.1, ..world_over_floor(&sand, &[0.01, 0.013]) };
    let at = |x: f64, z: f64| Pose { position: DVec3::new(x, 0.0, z), ..Pose::IDENTITY };
    let push = Path::Keys(vec![Key { time: 0.1, pose: at(-0.2, 0.02) }, Key { time: 0.4, pose: at(0.1, 0.02) }]);
    world.obstacles.push(Obstacle::new("pusher", MaterialId(1), Surface::Box(DVec3::new(0.02, 0.2, 0.02)), push));
    let corners = vec![DVec3::new(0.1, -0.3, 0.0), DVec3::new(0.1, 0.3, 0.0), DVec3::new(0.3, 0.0, 0.1)];
    let ramp = MeshSurface::new(Mesh::new(corners, vec![[0, 1, 2]]).unwrap());
    world.obstacles.push(Obstacle::new(
        "ramp",
        MaterialId(1),
        Surface::Mesh(Box::new(ramp)),
        Path::Fixed(Pose::IDENTITY),
    ));
    add(&mut world, 1, DVec3::new(0.0, 0.3, 0.2), DVec3::new(0.0, 3.0, 0.0), DVec3::ZERO);
    let varied = |emitter: Emitter| Emitter {
        size: [0.8, 1.2],
        motion: Motion { velocity: DVec3::new(0.0, 0.0, -0.5), spin: DVec3::ZERO },
        jitter: Jitter { position: 0.001, velocity: 0.1, spin: 5.0, orientation: true },
        ..emitter
    };
    let block = Region::Box { low: DVec3::new(-0.1, -0.1, 0.05), high: DVec3::new(0.1, 0.1, 0.5) };
    let block = Place::Region { region: block, pattern: Pattern::Lattice(None) };
    let spout = Path::Constant(at(0.05, 0.7), Motion { velocity: DVec3::new(0.0, 0.1, 0.0), spin: DVec3::ZERO });
    let spout = Place::Point { path: spout, spread: 0.1 };
    Setup {
        emitters: vec![
            varied(emitter(0, 400, When::AtOnce(0.0), block)),
            varied(emitter(1, 200, When::Rate { per_second: 300.0, start: 0.05 }, spout)),
        ],
        fps: 50.0,
        seed: 11,
        bounds: Some((DVec3::splat(-0.6), DVec3::splat(0.8))),
        ..Setup::new(world, Law::HERTZ)
    }
}

fn hashes(simulation: &mut Simulation, frames: usize) -> Vec<u64> {
    let mut next = || {
        simulation.advance();
        simulation.state_hash()
    };
    (0..frames).map(|_| next()).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| hashes(&mut Simulation::new(setup()).unwrap(), 20))
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(3));
    assert_eq!(one.iter().collect::<std::collections::HashSet<_>>().len(), 20, "every frame differs");
}

#[test]
fn a_resumed_run_equals_the_unbroken_one() {
    let mut unbroken = Simulation::new(setup()).unwrap();
    let mut states = vec![unbroken.save()];
    let mut expected = Vec::new();
    for _ in 0..25 {
        expected.extend(hashes(&mut unbroken, 1));
        states.push(unbroken.save());
    }
    assert!(unbroken.counts().removed > 0 && unbroken.world().bodies.len() > 500, "{:?}", unbroken.counts());
    for from in [0, 1, 7, 13, 24] {
        let mut resumed = Simulation::new(setup()).unwrap();
        resumed.load(&states[from]).unwrap();
        assert_eq!(resumed.save(), states[from], "a state survives being loaded, frame {from}");
        assert_eq!(hashes(&mut resumed, 25 - from), expected[from..], "resumed from frame {from}");
    }
}

/// The same with clumps of both kinds of inertia, sizes of 10 : 1, springs that remember rolling, a
/// covered pusher that moves, and stiction: with fixed steps and with steps that the error decides.
fn clumps(integrator: Integrator) -> Setup {
    let mut setup = setup();
    let sphere = |x: f64, radius: f64| ShapeSphere { offset: DVec3::new(x, 0.002, 0.0), radius };
    let bone = Shape::clump("bone", vec![sphere(-0.008, 0.006), sphere(0.0, 0.003), sphere(0.009, 0.004)]).unwrap();
    setup.world.shapes = vec![
        Shape::named_clump("grain", Clump::Tetrahedron, 0.005, 0.1).unwrap(),
        bone,
        Shape::ball("boulder", 0.03).unwrap(),
    ];
    let sand = Material { rolling_friction: 0.05, ..setup.world.materials.list()[0].clone() };
    setup.world.materials = Materials::new(vec![sand.clone(), rigid(&sand)]);
    setup.world.obstacles[1].cover = (0..20)
        .map(|k| ShapeSphere { offset: DVec3::new(0.0, 0.02 * f64::from(k) - 0.19, 0.0), radius: 0.02 })
        .collect();
    add(&mut setup.world, 2, DVec3::new(0.0, 0.2, 0.1), DVec3::ZERO, DVec3::ZERO);
    (setup.emitters[0].count, setup.emitters[1].count) = (150, 60);
    let stiction = Some(Stiction { sliding: 0.5, turning: 0.1 });
    Setup { solver: Granular { integrator, stiction, ..Granular::new(Law::HERTZ) }.into(), ..setup }
}

#[test]
fn clumps_and_chosen_steps_agree_too() {
    let control = Control { tolerance: 1e-3, smallest: None, largest: 0.02, sequential: false };
    for (integrator, frames) in [(Integrator::Verlet, 15), (Integrator::Rk23(control), 8)] {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| hashes(&mut Simulation::new(clumps(integrator)).unwrap(), frames))
        };
        let one = with(1);
        assert_eq!(one, with(3), "{integrator:?}: one and three threads");
        let mut broken_off = Simulation::new(clumps(integrator)).unwrap();
        let half = frames / 2;
        assert_eq!(hashes(&mut broken_off, half), one[..half]);
        let mut resumed = Simulation::new(clumps(integrator)).unwrap();
        resumed.load(&broken_off.save()).unwrap();
        assert_eq!(hashes(&mut resumed, frames - half), one[half..], "{integrator:?}: resumed");
    }
}

#[test]
fn a_broken_state_is_refused_and_changes_nothing() {
    let mut simulation = Simulation::new(setup()).unwrap();
    hashes(&mut simulation, 3);
    let state = simulation.save();
    let hash = simulation.state_hash();
    for length in (0..state.len()).step_by(977) {
        assert!(simulation.load(&state[..length]).is_err());
    }
    // Any byte may be anything: a state that happens to be readable is taken, but nothing panics.
    let mut other = Simulation::new(setup()).unwrap();
    for at in (0..state.len()).step_by(31) {
        let mut damaged = state.clone();
        damaged[at] ^= 0x55;
        let _ = other.load(&damaged);
    }
    assert_eq!(simulation.state_hash(), hash);
}

/// The skin decides how often the list is built, not what touches: results differ by the order of
/// sums only.
#[test]
fn a_list_built_every_step_gives_the_same_motion() {
    let after = |skin: f64| {
        let setup = Setup { solver: Granular { skin: Some(skin), ..Granular::new(Law::HERTZ) }.into(), ..setup() };
        let mut simulation = Simulation::new(setup).unwrap();
        let report = simulation.advance();
        let heights: Vec<DVec3> =
            simulation.world().bodies.rows_by_id().map(|row| simulation.world().bodies.pose[row].position).collect();
        (heights, report)
    };
    let (every_step, often) = after(1e-9);
    let (seldom, rarely) = after(4e-3);
    assert_eq!(often.list_builds, often.steps + 1);
    assert!(rarely.list_builds < rarely.steps / 2, "{rarely:?}");
    assert_eq!(often.contacts, rarely.contacts);
    let farthest = every_step.iter().zip(&seldom).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(farthest < 1e-12, "{farthest}");
}

/// Nothing is born inside anything else, and everything is born in the end.
#[test]
fn births_never_overlap() {
    let mut setup = setup_of(1e8);
    setup.emitters[1].when = When::Rate { per_second: 3000.0, start: 0.0 };
    let mut simulation = Simulation::new(setup).unwrap();
    assert!(tumble::measure::overlaps(simulation.world()).is_empty());
    let mut deepest = 0.0f64;
    for _ in 0..40 {
        let report = simulation.advance();
        deepest = deepest.max(report.deepest_overlap);
    }
    // The hardest blows go this deep; an overlap at birth would be several times this.
    assert!(deepest < 0.08, "{deepest}");
    let counts = simulation.counts();
    assert_eq!(simulation.world().bodies.len() as u64 + counts.removed, 601);
}

#[test]
fn an_emitter_without_room_says_how_many_fit() {
    let mut setup = setup();
    setup.emitters[0].count = 100_000;
    let problem = Simulation::new(setup).unwrap_err();
    assert!(matches!(&problem, tumble::SetupProblem::NoRoom { wanted: 100_000, fit, .. } if *fit > 400), "{problem}");
}
