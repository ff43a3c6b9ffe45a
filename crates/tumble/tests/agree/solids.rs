//! The same for the rigid solver: solids of every kind, a pusher, a mesh, sleepers that are hit, bodies that leave.

use glam::{DQuat, DVec3};
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{Convex, ConvexPart, Hull, Mesh, MeshSurface, Model, Moments, Surface};
use tumble::rigid::Rigid;
use tumble::world::{Key, Material, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, World};
use tumble::{Setup, Simulation, Stopwatch};

use crate::common::emitter;
use crate::hashes;

fn solid(parts: Vec<ConvexPart>) -> Shape {
    let meshes: Vec<Mesh> = parts.iter().map(|part| part.mesh(12)).collect();
    Shape::solid("solid", parts.clone(), &Moments::sum(parts.iter().map(ConvexPart::moments)), &Mesh::joined(&meshes))
}

fn setup() -> Setup {
    let one = |convex| solid(vec![ConvexPart { convex, pose: Pose::IDENTITY }]);
    let corner = |k: u32| 0.1 * DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1));
    let hull = Hull::new(&(0..7).map(corner).collect::<Vec<_>>()).unwrap();
    let l_block = Model::LBlock { lengths: DVec3::new(0.2, 0.2, 0.07), arm: 0.07 };
    let shapes = vec![
        one(Convex::Box(DVec3::new(0.05, 0.07, 0.06))),
        one(Convex::Capsule { radius: 0.04, half: 0.06 }),
        one(Convex::Cylinder { radius: 0.06, half: 0.05 }),
        one(Convex::Hull(Box::new(hull))),
        solid(l_block.parts().unwrap().unwrap()),
        Shape::sphere("ball", 0.06),
    ];
    let stuff = Material { friction: 0.6, restitution: 0.2, density: 800.0, ..Material::default() };
    let at = |x: f64, z: f64| Pose { position: DVec3::new(x, 0.0, z), ..Pose::IDENTITY };
    let push = Path::Keys(vec![Key { time: 1.2, pose: at(-2.0, 0.2) }, Key { time: 2.2, pose: at(-0.3, 0.2) }]);
    let corners = vec![DVec3::new(0.6, -1.0, 0.0), DVec3::new(0.6, 1.0, 0.0), DVec3::new(1.6, 0.0, 0.6)];
    let ramp = MeshSurface::new(Mesh::new(corners, vec![[0, 1, 2]]).unwrap());
    let mut world = World {
        shapes,
        materials: Materials::new(vec![stuff.clone(), stuff]),
        obstacles: vec![
            Obstacle::new("floor", 1, Surface::Plane, Path::Fixed(Pose::IDENTITY)),
            Obstacle::new("pusher", 1, Surface::Box(DVec3::new(0.1, 0.5, 0.2)), push),
            Obstacle::new("ramp", 1, Surface::Mesh(Box::new(ramp)), Path::Fixed(Pose::IDENTITY)),
        ],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    // One that leaves the world.
    let motion = Motion { velocity: DVec3::new(0.0, 9.0, 2.0), spin: DVec3::new(0.0, 0.0, 3.0) };
    let pose = Pose { position: DVec3::new(0.0, 1.0, 0.5), orientation: DQuat::IDENTITY };
    world.add(NewBody { shape: 0, material: 0, size: 1.3, pose, motion });
    let filling = |shape: u32| -> Emitter {
        let low = DVec3::new(-0.8, -0.8, 0.2 + 0.5 * f64::from(shape));
        let region = Region::Box { low, high: DVec3::new(0.8, 0.8, low.z + 0.5) };
        let place = Place::Region { region, pattern: Pattern::Lattice(None) };
        let jitter = Jitter { position: 0.001, velocity: 0.3, spin: 1.0, orientation: true };
        Emitter { size: [0.9, 1.1], jitter, ..emitter(shape, 16, When::AtOnce(0.0), place) }
    };
    Setup {
        emitters: (0..6).map(filling).collect(),
        fps: 30.0,
        seed: 4,
        bounds: Some((DVec3::splat(-4.0), DVec3::splat(5.0))),
        ..Setup::new(world, Rigid::DEFAULT)
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| hashes(&mut Simulation::new(setup()).unwrap(), 60))
    };
    let one = with(1);
    for threads in [2, 3, 8] {
        assert_eq!(one, with(threads), "{threads} threads");
    }
}

#[test]
fn a_resumed_run_equals_the_unbroken_one() {
    let frames = 100;
    let mut unbroken = Simulation::new(setup()).unwrap();
    let (mut states, mut expected) = (vec![unbroken.save()], Vec::new());
    let mut most_asleep = 0;
    for _ in 0..frames {
        expected.extend(hashes(&mut unbroken, 1));
        states.push(unbroken.save());
        most_asleep = most_asleep.max(unbroken.world().bodies.rest.iter().filter(|rest| rest.asleep).count());
    }
    assert!(unbroken.counts().removed > 0 && most_asleep > 10, "{:?}, {most_asleep} asleep", unbroken.counts());
    for from in [0, 1, 15, 16, 40, 70, 95] {
        let mut resumed = Simulation::new(setup()).unwrap();
        resumed.load(&states[from]).unwrap();
        assert!(resumed.save() == states[from], "a state survives being loaded, frame {from}");
        assert_eq!(hashes(&mut resumed, frames - from), expected[from..], "resumed from frame {from}");
    }
}

#[test]
fn a_broken_state_is_refused_and_changes_nothing() {
    let mut simulation = Simulation::new(setup()).unwrap();
    hashes(&mut simulation, 25);
    let (state, hash) = (simulation.save(), simulation.state_hash());
    for length in (0..state.len()).step_by(1977) {
        assert!(simulation.load(&state[..length]).is_err());
    }
    // Any byte may be anything: a state that happens to be readable is taken, but nothing panics, also not in the next frame.
    let mut other = Simulation::new(setup()).unwrap();
    for at in (0..state.len()).step_by(499) {
        let mut damaged = state.clone();
        damaged[at] ^= 0x55;
        if other.load(&damaged).is_ok() {
            let _ = other.measure();
        }
    }
    assert_eq!(simulation.state_hash(), hash);
}

/// Asleep means not a bit of motion, until something hits.
#[test]
fn sleepers_lie_still_and_wake_when_hit() {
    // Without what rolls: nothing would ever stop it.
    let emitters = vec![setup().emitters[0].clone(), setup().emitters[4].clone()];
    let mut simulation = Simulation::new(Setup { emitters, ..setup() }).unwrap();
    let mut watch = Stopwatch::stopped();
    while simulation.world().bodies.rest.iter().any(|rest| !rest.asleep) {
        simulation.advance(&mut watch);
        assert!(simulation.time() < 12.0, "{} are awake", simulation.measure().awake);
    }
    let poses = simulation.world().bodies.pose.clone();
    (0..50).for_each(|_| drop(simulation.advance(&mut watch)));
    let sorted = |poses: &[Pose]| {
        let mut heights: Vec<u64> = poses.iter().map(|pose| pose.position.z.to_bits()).collect();
        heights.sort_unstable();
        heights
    };
    assert_eq!(sorted(&simulation.world().bodies.pose), sorted(&poses), "rows may have moved, bodies must not");
    let pose = Pose { position: DVec3::new(0.0, 0.0, 2.0), ..Pose::IDENTITY };
    let motion = Motion { velocity: DVec3::new(0.0, 0.0, -8.0), spin: DVec3::ZERO };
    simulation.add(NewBody { shape: 5, material: 0, size: 2.0, pose, motion });
    (0..9).for_each(|_| drop(simulation.advance(&mut watch)));
    assert!(simulation.measure().awake > 5, "{}", simulation.measure().awake);
}
