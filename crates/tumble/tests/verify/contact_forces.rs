//! The forces that [`Simulation::contacts`] reports are those that act: at rest they carry the
//! weight and turn nothing, and between two balls they are Hertz's.

use glam::{DQuat, DVec3};
use tumble::granular::Law;
use tumble::rigid::Rigid;
use tumble::world::{BodyId, Clump, Key, Material, NewBody, Path, Pose, Shape, World};
use tumble::{Setup, Simulation, Solver};

use crate::common::{add, advance, close, material, stepping, world_without_floor};

const G: f64 = 9.81;

/// A body on the ground, all of one material, under a gravity that is tilted by this angle.
fn on_a_slope(shape: Shape, height: f64, angle: f64, stuff: Material) -> (World, BodyId) {
    let mut world = World::ground();
    let stuff = world.materials.add(stuff);
    world.obstacles[0].material = stuff;
    let shape = world.add_shape(shape);
    world.gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
    let body = world.add(NewBody::new(shape, stuff, height * DVec3::Z)).unwrap();
    (world, body)
}

/// After so long at rest: the force that is left of all contacts and the weight, over the weight;
/// and the torque that is left about the centre of mass, over the weight at an arm of `length`.
fn left_over(simulation: &mut Simulation, body: BodyId, seconds: f64, length: f64) -> [f64; 2] {
    (0..(seconds * 24.0) as usize).for_each(|_| advance(simulation));
    let weight = simulation.world().mass(body).unwrap() * simulation.world().gravity;
    let centre = simulation.world().centre(body).unwrap();
    let (mut force, mut torque) = (weight, DVec3::ZERO);
    let contacts = simulation.contacts();
    assert!(!contacts.is_empty());
    for contact in &contacts {
        assert_eq!(contact.body, body);
        force += contact.force();
        torque += contact.torque;
        for point in &contact.points {
            torque += (point.position - centre).cross(-point.normal_force * contact.normal);
        }
        let middle = contact.points.iter().map(|point| point.position).sum::<DVec3>() / contact.points.len() as f64;
        torque += (middle - centre).cross(contact.friction);
    }
    let left = [force.length() / weight.length(), torque.length() / (weight.length() * length)];
    println!("left over: {:.1e} of the weight, {:.1e} of its torque", left[0], left[1]);
    left
}

/// A ball on a slope is held by its rolling resistance, which is the torque of its one contact: g
/// sin α R for each kilogram.
#[test]
fn a_ball_of_grains_at_rest() {
    let (radius, angle) = (0.05, 0.2f64);
    let stuff = Material { restitution: 0.3, friction: 0.8, rolling_friction: 0.5, ..material(1e9, 0.3, 2500.0) };
    let (world, ball) = on_a_slope(Shape::ball("ball", radius).unwrap(), radius, angle, stuff);
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
    let [force, torque] = left_over(&mut simulation, ball, 4.0, radius);
    // Friction acts at the radius of the ball, and the point is named half an overlap above it.
    let overlap = -simulation.contacts()[0].points[0].separation / radius;
    assert!(force < 1e-9 && torque < 0.51 * overlap * angle.sin(), "{force:e} {torque:e} {overlap:e}");
    let [contact] = simulation.contacts().try_into().unwrap();
    let mass = simulation.world().mass(ball).unwrap();
    close("rolling resistance", contact.torque.length(), mass * G * angle.sin() * radius, 1e-9);
    close("normal force", contact.normal_force(), mass * G * angle.cos(), 1e-9);
}

/// A clump stands on three spheres, which share its weight and hold it on the slope.
#[test]
fn a_clump_of_grains_at_rest() {
    let (radius, angle, apart) = (0.02, 0.2f64, 0.9);
    let stuff = Material { restitution: 0.3, friction: 0.8, ..material(1e9, 0.3, 2500.0) };
    let shape = Shape::named_clump("clump", Clump::Tetrahedron, radius, 1.0 - apart).unwrap();
    // One corner up: its centre is a twelfth of √6 edges above those of the lower three.
    let height = radius + 2.0 * radius * apart * 6f64.sqrt() / 12.0;
    let orientation = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let (mut world, _) = on_a_slope(shape, 1.0, angle, stuff);
    world.bodies.pose[0] = Pose { position: height * DVec3::Z, orientation };
    let clump = world.bodies.traits[0].id;
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
    let [force, torque] = left_over(&mut simulation, clump, 4.0, radius);
    let contacts = simulation.contacts();
    assert_eq!(contacts.len(), 3);
    let deepest = contacts.iter().map(|contact| -contact.points[0].separation / radius).fold(0.0, f64::max);
    assert!(force < 1e-6 && torque < deepest, "{force:e} {torque:e} {deepest:e}");
}

/// F = 4/3 E* √R* δ^(3/2), with 1/E* = 2 (1 - ν²)/E and 1/R* = 1/a + 1/b (Hertz 1882).
#[test]
fn two_balls_push_as_hertz_says() {
    let (youngs_modulus, poisson_ratio, [a, b]) = (1e7, 0.3, [0.01, 0.03]);
    let mut world = world_without_floor(&material(youngs_modulus, poisson_ratio, 2500.0), &[a, b]);
    let direction = DVec3::new(1.0, -2.0, 2.0) / 3.0;
    let one = add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let other = add(&mut world, 1, 0.99 * (a + b) * direction, DVec3::ZERO, DVec3::ZERO);
    let mut simulation = stepping(world, Law::HERTZ, 1e-7);
    advance(&mut simulation);
    let [contact] = simulation.contacts().try_into().unwrap();
    let apart = simulation.pose(other).unwrap().position - simulation.pose(one).unwrap().position;
    let overlap = a + b - apart.length();
    let (modulus, radius) = (0.5 * youngs_modulus / (1.0 - poisson_ratio * poisson_ratio), a * b / (a + b));
    close("force", contact.normal_force(), 4.0 / 3.0 * modulus * radius.sqrt() * overlap.powf(1.5), 1e-9);
    assert!(contact.friction.length() < 1e-9 && contact.torque.length() < 1e-12);
    let on_one = if contact.body == one { contact.force() } else { -contact.force() };
    assert!((on_one.normalize() + direction).length() < 1e-9, "{on_one}");
    let [point] = contact.points.as_slice() else { panic!("{:?}", contact.points) };
    assert!((point.separation + overlap).abs() < 1e-15, "{}", point.separation);
    assert!((point.position - (a - 0.5 * overlap) * direction).length() < 1e-9);
}

/// The same of the rigid solver, where resistance is an impulse of each substep.
#[test]
fn a_rigid_ball_at_rest() {
    let (radius, angle) = (0.05, 0.2f64);
    let stuff = Material { restitution: 0.0, friction: 0.8, rolling_friction: 0.5, ..Material::default() };
    let (world, ball) = on_a_slope(Shape::ball("ball", radius).unwrap(), radius, angle, stuff);
    let mut simulation = Simulation::new(Setup::new(world, awake())).unwrap();
    let [force, torque] = left_over(&mut simulation, ball, 4.0, radius);
    assert!(force < 1e-4 && torque < 1e-4, "{force:e} {torque:e}");
}

fn awake() -> Solver {
    Rigid { sleeping: false, ..Rigid::DEFAULT }.into()
}

/// A block whose centre of mass is not over the middle of its foot stands on a plate that tilts
/// across that offset: friction holds it in the middle, and twists it about a normal that turns.
#[test]
fn a_rigid_block_on_a_tilted_plate() {
    let corner = |k: u32, x: [f64; 2], y: f64, z: f64| DVec3::new(x[(k & 1) as usize], y * (f64::from(k & 2) - 1.0), z);
    let foot = (0..4).map(|k| corner(k, [-0.1, 0.1], 0.1, 0.0));
    let top = (0..4).map(|k| corner(k, [0.06, 0.1], 0.1, 0.1));
    let block = Shape::hull("block", &foot.chain(top).collect::<Vec<_>>()).unwrap();
    assert!(block.centre.x > 0.02);
    let (mut world, body) = on_a_slope(block, 0.0, 0.0, Material { friction: 2.0, ..Material::default() });
    let tilted = Pose { orientation: DQuat::from_rotation_x(0.5), ..Pose::IDENTITY };
    world.obstacles[0].path =
        Path::Keys(vec![Key { time: 0.5, pose: Pose::IDENTITY }, Key { time: 1.5, pose: tilted }]);
    let mut simulation = Simulation::new(Setup::new(world, awake())).unwrap();
    let [force, torque] = left_over(&mut simulation, body, 4.0, 0.1);
    assert!(force < 1e-3 && torque < 1e-3, "{force:e} {torque:e}");
}
