//! A step allocates nothing: counted by an allocator of its own, so this binary holds one test
//! only.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;
use tumble::geometry::Surface;
use tumble::granular::Law;
use tumble::rigid::Rigid;
use tumble::statics::{StaticAnalysis, StaticSettings, Statics, Touching};
use tumble::world::{
    BodyId, End, JointKind, Material, MaterialId, Materials, NewBody, NewJoint, Obstacle, Path, Pose, Shape, ShapeId,
    Strength, World,
};
use tumble::{Setup, Simulation, Solver};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[allow(unsafe_code)]
// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A settled bed under one solver.
#[derive(Clone, Copy, Debug)]
struct Case {
    solver: Solver,
    /// Length of a step \[s\].
    step: f64,
    /// Whether every other grain is put to sleep.
    asleep: bool,
    /// Whether pendulums swing above it.
    has_joints: bool,
}

/// Two runs of the same settled bed that differ only in the number of steps allocate the same
/// number of times: with both solvers, with every other grain asleep, and with the default settings
/// of the rigid solver while the bed sleeps and joints are at work.
#[test]
fn a_step_allocates_nothing() {
    let allocations = |case: Case, steps: f64| {
        let mut simulation = settled(case, steps);
        let rows = simulation.world().bodies.rows_by_id();
        let others: Vec<_> = rows.step_by(2).map(|row| simulation.world().bodies.traits[row].id).collect();
        others.into_iter().filter(|_| case.asleep).for_each(|body| simulation.sleep(body).unwrap());
        simulation.advance();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let report = simulation.advance();
        let is_rigid = matches!(case.solver, Solver::Rigid(_));
        assert!(is_rigid || report.list_builds == 1, "the bed rests, so the list holds");
        let sleeps = case.asleep || case.solver == Rigid::DEFAULT.into();
        assert!(report.contacts > 300 && (report.awake < report.bodies) == sleeps, "{report:?}");
        assert!(report.awake > 0 && (report.joints > 0) == case.has_joints, "{report:?}");
        (ALLOCATIONS.load(Ordering::Relaxed) - before, report.steps)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (grains, awake) = (Law::HERTZ.into(), Rigid { sleeping: false, ..Rigid::DEFAULT }.into());
    let case = Case { solver: grains, step: 5e-5, asleep: false, has_joints: false };
    let cases = [
        case,
        Case { asleep: true, ..case },
        Case { solver: awake, ..case },
        Case { solver: Rigid::DEFAULT.into(), step: 2e-3, has_joints: true, ..case },
    ];
    for case in cases {
        let (few, few_steps) = pool.install(|| allocations(case, 100.0));
        let (many, many_steps) = pool.install(|| allocations(case, 1000.0));
        assert!(many_steps >= 10 * few_steps);
        assert_eq!(few, many, "allocations in {few_steps} and in {many_steps} steps of {case:?}");
    }
    for analysis in [StaticAnalysis::Alone, StaticAnalysis::Loaded, StaticAnalysis::Whole] {
        assert_eq!(allocations_of_statics(analysis), 0, "{analysis:?}");
    }
}

/// Allocations while contacts are read and judged a second time.
fn allocations_of_statics(analysis: StaticAnalysis) -> u64 {
    let case = Case { solver: Rigid::DEFAULT.into(), step: 2e-3, asleep: false, has_joints: false };
    let mut simulation = settled(case, 10.0);
    (0..10).for_each(|_| drop(simulation.advance()));
    let (mut touching, mut statics) = (Touching::default(), Statics::default());
    let settings = StaticSettings { analysis, ..StaticSettings::default() };
    let mut before = 0;
    for _ in 0..2 {
        before = ALLOCATIONS.load(Ordering::Relaxed);
        simulation.fill_touching(&mut touching);
        let standings = statics.judge(&touching, &settings);
        assert!(standings.iter().all(|standing| standing.balance.is_balanced()) && standings.len() == 400);
    }
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// A flat layer of spheres that lie on the floor; a frame has about this many steps.
fn settled(case: Case, steps: f64) -> Simulation {
    let mut world = World {
        shapes: vec![Shape::ball("sphere", 0.01).unwrap()],
        materials: Materials::new(vec![Material::default()]),
        obstacles: vec![Obstacle::new("floor", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    for k in 0..400 {
        add(&mut world, DVec3::new((k % 20) as f64 * 0.02, (k / 20) as f64 * 0.02, 0.01));
    }
    for k in 0..if case.has_joints { 20 } else { 0 } {
        add_pendulum(&mut world, DVec3::new(k as f64 * 0.2, 0.0, 1.0));
    }
    let fps = 1.0 / (steps * case.step);
    Simulation::new(Setup { step: Some(case.step), fps, ..Setup::new(world, case.solver) }).unwrap()
}

fn add(world: &mut World, position: DVec3) -> BodyId {
    world.add(NewBody::new(ShapeId(0), MaterialId(0), position)).unwrap()
}

/// A sphere that is fixed in the air, and one that swings below it: the first is still for long
/// enough to sleep, and may not because of the second.
fn add_pendulum(world: &mut World, top: DVec3) {
    let (still, swings) = (add(world, top), add(world, top + DVec3::new(0.08, 0.0, 0.0)));
    let joint = |body, to, kind| NewJoint { body, to, kind, strength: Strength::ENDLESS, collide: true };
    let at = Pose { position: top, ..Pose::IDENTITY };
    world.join(joint(still, End::World, JointKind::Fixed), at).unwrap();
    world.join(joint(swings, End::Body(still), JointKind::Ball { swing: f64::INFINITY }), at).unwrap();
}
