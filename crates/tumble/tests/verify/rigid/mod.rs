//! The rigid solver against closed forms.

mod crowds;
mod flat;
mod hits;
mod impact;
mod joints;
mod motion;
mod overlaps;
mod piles;
mod round;
mod stacks;
mod statics;
mod stillness;

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, ConvexPart, Surface};
use tumble::rigid::Rigid;
use tumble::world::{
    BodyId, Material, MaterialId, Materials, Motion, NewBody, Obstacle, Pair, Path, Pose, Shape, ShapeId, World,
};
use tumble::{Setup, Simulation};

const G: f64 = 9.81;

/// A shape of one convex solid.
fn solid(convex: Convex) -> Shape {
    Shape::of_parts("solid", vec![ConvexPart { convex, pose: Pose::IDENTITY }]).unwrap()
}

fn block(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid("block", DVec3::new(x, y, z)).unwrap()
}

/// These shapes over a floor at z = 0, with this friction and restitution of everything.
fn world(shapes: Vec<Shape>, friction: f64, restitution: f64) -> World {
    let material = Material { density: 1000.0, friction, restitution, rolling_friction: 0.0, ..Material::default() };
    World {
        shapes,
        materials: Materials::new(vec![material.clone(), material]),
        obstacles: vec![Obstacle::new("floor", MaterialId(1), Surface::Plane, Path::Fixed(Pose::IDENTITY))],
        gravity: DVec3::new(0.0, 0.0, -G),
        ..World::default()
    }
}

/// Sets the friction between two materials.
fn rub(world: &mut World, a: u32, b: u32, friction: f64) {
    let pair = world.materials.pair(MaterialId(a), MaterialId(b)).unwrap();
    world.materials.set_pair(MaterialId(a), MaterialId(b), Pair { friction, ..pair }).unwrap();
}

fn add(world: &mut World, shape: u32, position: DVec3, orientation: DQuat, motion: Motion) -> BodyId {
    world
        .add_centred(NewBody {
            shape: ShapeId(shape),
            material: MaterialId(0),
            size: 1.0,
            pose: Pose { position, orientation },
            motion,
        })
        .unwrap()
}

/// Adds a body at rest and upright.
fn put(world: &mut World, shape: u32, position: DVec3) -> BodyId {
    add(world, shape, position, DQuat::IDENTITY, Motion::default())
}

/// A simulation whose frames are single steps: of this length \[s\], or without one of the length
/// that the solver takes by itself for this world at sixty frames per second.
fn stepping(world: World, step: impl Into<Option<f64>>) -> Simulation {
    hitting(world, step.into(), 0.0)
}

/// The same with bodies moved back on their ways by this part of a step, after which they will be
/// where they were put.
fn hitting(mut world: World, step: Option<f64>, part: f64) -> Simulation {
    let step = step.unwrap_or_else(|| by_default(world.clone()).step_length());
    println!("steps of {step:.2e} s");
    for (pose, motion) in world.bodies.pose.iter_mut().zip(&world.bodies.motion) {
        pose.position -= part * step * motion.velocity;
    }
    let setup = Setup::new(world, Rigid { sleeping: false, ..Rigid::DEFAULT });
    Simulation::new(Setup { step: Some(step), fps: 1.0 / step, ..setup }).unwrap()
}

/// Steps of this length and of the default one, with some parts of a step for [`hitting`]: impulses
/// act where bodies are when a step begins, so it matters when in a step they meet.
fn any_time_in_a_step(small: f64) -> impl Iterator<Item = (Option<f64>, f64)> {
    [Some(small), None].into_iter().flat_map(|step| [0.05, 0.5, 0.95].map(|part| (step, part)))
}

/// A simulation with default settings, at sixty frames per second.
fn by_default(world: World) -> Simulation {
    Simulation::new(Setup { fps: 60.0, ..Setup::new(world, Rigid { sleeping: false, ..Rigid::DEFAULT }) }).unwrap()
}

fn pose(simulation: &Simulation, body: BodyId) -> Pose {
    let bodies = &simulation.world().bodies;
    bodies.pose[bodies.row(body).unwrap()]
}

fn motion(simulation: &Simulation, body: BodyId) -> Motion {
    let bodies = &simulation.world().bodies;
    bodies.motion[bodies.row(body).unwrap()]
}
