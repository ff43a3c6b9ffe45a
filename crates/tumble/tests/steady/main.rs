//! A step allocates nothing: counted by an allocator of its own, so this binary holds one test only.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use glam::DVec3;
use tumble::geometry::Surface;
use tumble::granular::Law;
use tumble::rigid::Rigid;
use tumble::world::{Material, MaterialId, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, World};
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

/// Two runs of the same settled bed that differ only in the number of steps allocate the same number of times, with both solvers, and
/// with every other grain asleep.
#[test]
fn a_step_allocates_nothing() {
    let allocations = |solver: Solver, asleep: bool, steps: f64| {
        let mut simulation = settled(solver, steps);
        let rows = simulation.world().bodies.rows_by_id();
        let others: Vec<_> = rows.step_by(2).map(|row| simulation.world().bodies.traits[row].id).collect();
        others.into_iter().filter(|_| asleep).for_each(|body| simulation.set_asleep(body, true));
        simulation.advance();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let report = simulation.advance();
        let is_rigid = matches!(solver, Solver::Rigid(_));
        assert!(is_rigid || report.list_builds == 1, "the bed rests, so the list holds");
        assert!(report.contacts > 300 && (report.awake < report.bodies) == asleep, "{report:?}");
        (ALLOCATIONS.load(Ordering::Relaxed) - before, report.steps)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let awake = Rigid { sleeping: false, ..Rigid::DEFAULT };
    for (solver, asleep) in [(Solver::from(Law::HERTZ), false), (Solver::from(Law::HERTZ), true), (awake.into(), false)]
    {
        let (few, few_steps) = pool.install(|| allocations(solver, asleep, 100.0));
        let (many, many_steps) = pool.install(|| allocations(solver, asleep, 1000.0));
        assert!(many_steps >= 10 * few_steps);
        assert_eq!(few, many, "allocations in {few_steps} and in {many_steps} steps of {solver:?}, asleep {asleep}");
    }
}

/// A flat layer of spheres that lie on the floor; a frame has about this many steps.
fn settled(solver: Solver, steps: f64) -> Simulation {
    let mut world = World {
        shapes: vec![Shape::sphere("sphere", 0.01)],
        materials: Materials::new(vec![Material::default()]),
        obstacles: vec![Obstacle::new("floor", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    for k in 0..400 {
        let position = DVec3::new((k % 20) as f64 * 0.02, (k / 20) as f64 * 0.02, 0.01);
        let pose = Pose { position, ..Pose::IDENTITY };
        world.add(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() });
    }
    let step = 5e-5;
    Simulation::new(Setup { step: Some(step), fps: 1.0 / (steps * step), ..Setup::new(world, solver) }).unwrap()
}
