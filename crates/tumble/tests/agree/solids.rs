//! The same for the rigid solver: solids of every kind, a pusher, a mesh, sleepers that are hit,
//! bodies that leave.

use glam::{DQuat, DVec3};
use tumble::direct::pile::PileSettings;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{Convex, ConvexPart, Hull, Mesh, MeshSurface, Model, Surface};
use tumble::rigid::Rigid;
use tumble::world::{
    BodyId, End, FREE, JointKind, Key, Material, MaterialId, Materials, Motion, NewBody, NewJoint, Obstacle,
    ObstacleId, Path, Pose, Shape, ShapeId, Strength, World,
};
use tumble::{Setup, Simulation};

use crate::common::emitter;
use crate::hashes;

fn solid(parts: Vec<ConvexPart>) -> Shape {
    Shape::of_parts("solid", parts).unwrap()
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
        Shape::ball("ball", 0.06).unwrap(),
    ];
    let stuff =
        Material { friction: 0.6, restitution: 0.2, density: 800.0, rolling_friction: 0.0, ..Material::default() };
    let at = |x: f64, z: f64| Pose { position: DVec3::new(x, 0.0, z), ..Pose::IDENTITY };
    let push = Path::Keys(vec![Key { time: 1.2, pose: at(-2.0, 0.2) }, Key { time: 2.2, pose: at(-0.3, 0.2) }]);
    let corners = vec![DVec3::new(0.6, -1.0, 0.0), DVec3::new(0.6, 1.0, 0.0), DVec3::new(1.6, 0.0, 0.6)];
    let ramp = MeshSurface::new(Mesh::new(corners, vec![[0, 1, 2]]).unwrap());
    let mut world = World {
        shapes,
        materials: Materials::new(vec![stuff.clone(), stuff]),
        obstacles: vec![
            Obstacle::new("floor", MaterialId(1), Surface::Plane, Path::Fixed(Pose::IDENTITY)),
            Obstacle::new("pusher", MaterialId(1), Surface::Box(DVec3::new(0.1, 0.5, 0.2)), push),
            Obstacle::new("ramp", MaterialId(1), Surface::Mesh(Box::new(ramp)), Path::Fixed(Pose::IDENTITY)),
        ],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        ..World::default()
    };
    // One that leaves the world.
    let motion = Motion { velocity: DVec3::new(0.0, 12.0, 2.0), spin: DVec3::new(0.0, 0.0, 3.0) };
    let pose = Pose { position: DVec3::new(0.0, 1.0, 0.5), orientation: DQuat::IDENTITY };
    let leaver =
        world.add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.3, pose, motion }).unwrap();
    join(&mut world, leaver);
    // Some that are put into each other: they are moved apart, which takes many steps.
    for (k, shape) in (0..6).zip([0, 3, 4].into_iter().cycle()) {
        let position = DVec3::new(3.0 + 0.03 * f64::from(k), 2.0, 0.1 + 0.05 * f64::from(k));
        let pose = Pose { position, orientation: DQuat::IDENTITY };
        world
            .add_centred(NewBody {
                shape: ShapeId(shape),
                material: MaterialId(0),
                size: 1.0,
                pose,
                motion: Motion::default(),
            })
            .unwrap();
    }
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
        piles: vec![PileSettings::new(0.7)],
        ..Setup::new(world, Rigid::DEFAULT)
    }
}

/// The deepest overlap of a frame is that of any of its steps: the same for one frame of twelve
/// steps as for twelve of one.
#[test]
fn the_deepest_overlap_is_that_of_all_steps() {
    let deepest = |frames: u32| {
        let shape = solid(vec![ConvexPart { convex: Convex::Box(DVec3::new(0.05, 0.07, 0.06)), pose: Pose::IDENTITY }]);
        let mut world = World {
            shapes: vec![shape],
            materials: Materials::new(vec![Material { restitution: 0.9, ..Material::default() }]),
            obstacles: vec![Obstacle::new("floor", MaterialId(0), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
            gravity: DVec3::new(0.0, 0.0, -9.81),
            ..World::default()
        };
        for k in 0..4 {
            let tilt = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.1) * f64::from(k));
            let pose =
                Pose { position: DVec3::new(0.02 * f64::from(k), 0.0, 0.2 + 0.2 * f64::from(k)), orientation: tilt };
            let motion = Motion { velocity: DVec3::new(0.0, 0.0, -8.0), spin: DVec3::ZERO };
            world.add_centred(NewBody { shape: ShapeId(0), material: MaterialId(0), size: 1.0, pose, motion }).unwrap();
        }
        let setup = Setup::new(world, Rigid::DEFAULT);
        let setup = Setup { step: Some(1.0 / 240.0), fps: 20.0 * f64::from(frames), ..setup };
        let mut simulation = Simulation::new(setup).unwrap();
        let reports = (0..frames).map(|_| simulation.advance().deepest_overlap);
        (reports.fold(0.0, f64::max), simulation.counts().steps, simulation.measure().deepest_overlap)
    };
    let ((whole, steps, end), (single, ..)) = (deepest(1), deepest(12));
    println!("deepest overlap of twelve steps {whole:.5}, of twelve frames {single:.5}; at the end {end:.5}");
    assert_eq!(steps, 12);
    assert!(single > 1.1 * end, "the deepest is not that of the end");
    assert!((whole - single).abs() < 1e-6 * single, "{whole} in one frame, {single} in twelve");
}

/// A chain of every kind of joint that hangs in the way of falling bodies, a joint that breaks, and
/// one that leaves with its body.
fn join(world: &mut World, leaver: BodyId) {
    let mut put = |position: DVec3| {
        let pose = Pose { position, ..Pose::IDENTITY };
        world
            .add_centred(NewBody {
                shape: ShapeId(0),
                material: MaterialId(0),
                size: 0.8,
                pose,
                motion: Motion::default(),
            })
            .unwrap()
    };
    let links: Vec<BodyId> = (0..6).map(|k| put(DVec3::new(1.0 + 0.15 * f64::from(k), -0.9, 0.9))).collect();
    let follower = put(DVec3::new(0.0, 1.0, 0.8));
    let kinds = [
        JointKind::Hinge { turn: [-1.0, 1.5] },
        JointKind::Ball { swing: 0.7 },
        JointKind::Slider { travel: [-0.05, 0.1], turn: [-0.5, 0.5] },
        JointKind::Fixed,
        JointKind::Slider { travel: [0.0; 2], turn: FREE },
        JointKind::Fixed,
    ];
    for (k, (&body, kind)) in links.iter().zip(kinds).enumerate() {
        let to = if k == 0 { End::World } else { End::Body(links[k - 1]) };
        let strength = if k == 5 { Strength { force: 2.0, torque: f64::INFINITY } } else { Strength::ENDLESS };
        let at = Pose::along(DVec3::new(0.93 + 0.15 * k as f64, -0.9, 0.9), DVec3::Y);
        world.join(NewJoint { body, to, kind, strength, collide: k == 2 }, at).unwrap();
    }
    let held = NewJoint {
        body: follower,
        to: End::Body(leaver),
        kind: JointKind::Ball { swing: f64::INFINITY },
        strength: Strength::ENDLESS,
        collide: true,
    };
    world.join(held, Pose { position: DVec3::new(0.0, 1.0, 0.65), ..Pose::IDENTITY }).unwrap();
    let held = NewJoint {
        body: leaver,
        to: End::Obstacle(ObstacleId(1)),
        strength: Strength { force: 1.0, torque: 1.0 },
        ..held
    };
    world.join(held, Pose { position: DVec3::ZERO, ..Pose::IDENTITY }).unwrap();
}

#[test]
fn joints_hold_break_and_leave() {
    let mut simulation = Simulation::new(setup()).unwrap();
    assert_eq!(simulation.world().joints.len(), 8);
    hashes(&mut simulation, 60);
    // The joint to the pusher breaks at once, the last of the chain under a falling body, and one
    // goes with its bodies.
    assert_eq!(simulation.world().joints.len(), 5);
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
    // Any byte may be anything: a state that happens to be readable is taken, but nothing panics,
    // also not in the next frame.
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

/// A sleeper that a hit wakes moves within that step. Put to sleep again at once, it lies where it
/// then is for all that look for it: the run goes on as one resumed from there does.
#[test]
fn a_body_that_moves_for_one_step_is_seen_where_it_lies() {
    let mut simulation = Simulation::new(Setup { step: Some(1.0 / 60.0), fps: 60.0, ..setup() }).unwrap();
    let (mut held_again, mut resumed) = (0, simulation.clone());
    for frame in 0..90 {
        let before = simulation.world().bodies.clone();
        simulation.advance();
        let slept = |id: BodyId| before.row(id).is_some_and(|row| before.rest[row].asleep);
        let bodies: Vec<_> = simulation.stagehand().bodies().collect();
        // Every third body falls asleep after a second, and does so again whenever it wakes.
        for body in bodies.iter().filter(|body| frame > 60 && body.id.index % 3 == 0 && !body.rest.asleep) {
            held_again += usize::from(slept(body.id));
            simulation.stagehand().hold(body.id).unwrap();
        }
        resumed.load(&simulation.save()).unwrap();
        let mut next = simulation.clone();
        (0..3).for_each(|_| drop((next.advance(), resumed.advance())));
        assert_eq!(next.state_hash(), resumed.state_hash(), "from frame {frame}, {held_again} held again");
    }
    assert!(held_again > 10, "{held_again}");
}

/// Asleep means not a bit of motion, until something hits.
#[test]
fn sleepers_lie_still_and_wake_when_hit() {
    // Without bodies that roll: nothing would ever stop them.
    let emitters = vec![setup().emitters[0].clone(), setup().emitters[4].clone()];
    let mut simulation = Simulation::new(Setup { emitters, ..setup() }).unwrap();
    simulation.remove_joints(|_| true);
    // A pile that has come to rest wakes once to prove that it stands.
    let mut quiet = 0;
    while quiet < 10 {
        simulation.advance();
        let all_sleep = simulation.world().bodies.rest.iter().all(|rest| rest.asleep);
        quiet = if all_sleep { quiet + 1 } else { 0 };
        assert!(simulation.time() < 15.0, "{} are awake", simulation.measure().awake);
    }
    let poses = simulation.world().bodies.pose.clone();
    (0..50).for_each(|_| drop(simulation.advance()));
    let sorted = |poses: &[Pose]| {
        let mut heights: Vec<u64> = poses.iter().map(|pose| pose.position.z.to_bits()).collect();
        heights.sort_unstable();
        heights
    };
    assert_eq!(sorted(&simulation.world().bodies.pose), sorted(&poses), "rows may have moved, bodies must not");
    let pose = Pose { position: DVec3::new(0.0, 0.0, 2.0), ..Pose::IDENTITY };
    let motion = Motion { velocity: DVec3::new(0.0, 0.0, -8.0), spin: DVec3::ZERO };
    simulation.add(NewBody { shape: ShapeId(5), material: MaterialId(0), size: 2.0, pose, motion }).unwrap();
    (0..9).for_each(|_| drop(simulation.advance()));
    assert!(simulation.measure().awake > 5, "{}", simulation.measure().awake);
}
