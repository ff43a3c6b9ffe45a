//! Limits of rest that have a closed form: pyramid, ladder, a block squeezed between walls; and the
//! ball that bounces itself to rest.
//!
//! Friction springs make the limits soft, so they are bracketed: 3 to 5 % on the safe side it
//! stands, as much on the other it falls.

use glam::{DQuat, DVec3};
use tumble::geometry::Surface;
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::{
    BodyId, Clump, Material, MaterialId, Materials, Motion, NewBody, Obstacle, Pair, Path, Pose, Shape, ShapeId,
    ShapeSphere, World,
};
use tumble::{Setup, Simulation};

use crate::common::{add, advance, close, material, rigid, state, world_over_floor};

const G: f64 = 9.81;

fn hard() -> Material {
    Material { restitution: 0.2, friction: 0.9, ..material(2e8, 0.3, 2500.0) }
}

/// Sets the friction of the first material with itself and with the second.
fn set_friction(world: &mut World, among: f64, floor: f64) {
    let pair = |friction: f64| Pair { restitution: 0.2, friction, rolling_friction: 0.0 };
    world.materials.set_pair(MaterialId(0), MaterialId(0), pair(among)).unwrap();
    world.materials.set_pair(MaterialId(0), MaterialId(1), pair(floor)).unwrap();
}

/// How far a body has sunk after a second.
fn sunk(world: World, body: BodyId) -> f64 {
    let mut simulation = Simulation::new(Setup { fps: 10.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
    let start = state(&simulation, body).0.z;
    (0..10).for_each(|_| advance(&mut simulation));
    start - state(&simulation, body).0.z
}

/// A ball on three that touch. With φ the angle of the lines of centres to the vertical, sin φ =
/// 1/√3: each lower ball is pushed at one point and stands on another, so the push must point from
/// one to the other, at φ/2 to the line of centres and to the vertical. So μ among balls ≥ tan(φ/2)
/// = √3 - √2, and with W/3 from above and W of its own, μ of the floor ≥ (√3 - √2)/4. (The same
/// argument for three cylinders gives 2 - √3 and (2 - √3)/3.)
#[test]
fn a_pyramid_of_four_needs_its_friction() {
    let limit = 3f64.sqrt() - 2f64.sqrt();
    let pyramid = |among: f64, floor: f64| {
        let radius = 0.01;
        let mut world = world_over_floor(&hard(), &[radius]);
        world.gravity = DVec3::new(0.0, 0.0, -G);
        set_friction(&mut world, among, floor);
        let out = 2.0 * radius / 3f64.sqrt();
        for k in 0..3 {
            let turn = DQuat::from_rotation_z(k as f64 * std::f64::consts::TAU / 3.0);
            add(&mut world, 0, turn * DVec3::new(out, 0.0, 0.0) + radius * DVec3::Z, DVec3::ZERO, DVec3::ZERO);
        }
        let top = radius + 2.0 * radius * (2.0f64 / 3.0).sqrt();
        let ball = add(&mut world, 0, DVec3::new(0.0, 0.0, top), DVec3::ZERO, DVec3::ZERO);
        sunk(world, ball) / radius
    };
    for (name, among, floor, stands) in [
        ("balls, 4 % above", 1.04 * limit, 0.9, true),
        ("balls, 4 % below", 0.96 * limit, 0.9, false),
        ("floor, 4 % above", 0.9, 1.04 * limit / 4.0, true),
        ("floor, 4 % below", 0.9, 0.96 * limit / 4.0, false),
    ] {
        let got = pyramid(among, floor);
        println!("pyramid, friction of {name}: sank by {got:.1e} of a radius, stands: {stands}");
        assert_eq!(got < 0.02, stands, "pyramid, friction of {name}: sank by {got} of a radius");
    }
}

/// A ladder of length L between the middles of its end spheres (radius r), at θ to the floor: with
/// N on the floor, μ_f N against sliding, which is also the push of the wall, and μ_w μ_f N up the
/// wall, the torques about its middle balance at (L/2)(1 - μ_f μ_w) cos θ = μ_f L sin θ + μ_f r
/// (1 + μ_w); for r = 0 this is tan θ = (1 - μ_f μ_w)/(2 μ_f). Two rails, so that it does not fall
/// sideways. It stands 1.5° above that angle and slides 1.5° below.
#[test]
fn a_ladder_slides_below_its_angle() {
    let (radius, length) = (0.01, 0.4);
    let rail = |y: f64| (0..11).map(move |k| DVec3::new(length * (k as f64 / 10.0 - 0.5), y, 0.0));
    let spheres = rail(-0.05).chain(rail(0.05)).map(|offset| ShapeSphere { offset, radius }).collect();
    let shape = Shape::clump("ladder", spheres).unwrap();
    for (mu_floor, mu_wall) in [(0.4, 0.0), (0.4, 0.4), (0.3, 0.2)] {
        let balance = |theta: f64| {
            0.5 * length * (1.0 - mu_floor * mu_wall) * theta.cos()
                - mu_floor * length * theta.sin()
                - mu_floor * radius * (1.0 + mu_wall)
        };
        let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if balance(middle) > 0.0 { low = middle } else { high = middle }
        }
        for (degrees, stands) in [(1.5f64, true), (-1.5, false)] {
            let theta = low + degrees.to_radians();
            let mut world = world_over_floor(&hard(), &[radius]);
            world.gravity = DVec3::new(0.0, 0.0, -G);
            world.materials = Materials::new(vec![hard(), rigid(&hard()), rigid(&hard())]);
            set_friction(&mut world, 0.9, mu_floor);
            world
                .materials
                .set_pair(
                    MaterialId(0),
                    MaterialId(2),
                    Pair { restitution: 0.2, friction: mu_wall, rolling_friction: 0.0 },
                )
                .unwrap();
            // The wall looks along +x; the ladder leans against it with its upper end.
            let wall = Pose { position: DVec3::ZERO, orientation: DQuat::from_rotation_arc(DVec3::Z, DVec3::X) };
            world.obstacles.push(Obstacle::new("wall", MaterialId(2), Surface::Plane, Path::Fixed(wall)));
            let along = DVec3::new(-theta.cos(), 0.0, theta.sin());
            let turn = DQuat::from_rotation_arc(DVec3::X, along);
            let middle = DVec3::new(radius + 0.5 * length * theta.cos(), 0.0, radius + 0.5 * length * theta.sin());
            world.shapes = vec![shape.clone()];
            let pose = Pose { position: middle, orientation: turn * shape.axes };
            let body = world
                .add_centred(NewBody {
                    shape: ShapeId(0),
                    material: MaterialId(0),
                    size: 1.0,
                    pose,
                    motion: Motion::default(),
                })
                .unwrap();
            let got = sunk(world, body) / length;
            println!(
                "ladder, {mu_floor}, {mu_wall}: limit {:.2}°, {degrees:+}°: sank by {got:.1e} of its length",
                low.to_degrees()
            );
            assert_eq!(got < 5e-3, stands, "ladder {mu_floor} {mu_wall} {degrees}: sank by {got}");
        }
    }
}

/// A cube between two walls that press with P holds while W ≤ 2 μ P; else it falls at g - 2 μ P/m.
/// The linear law makes P = k x on four feet each side, k twice the stiffness against a rigid wall.
#[test]
fn a_squeezed_cube_is_held_by_friction() {
    let (radius, mu, stiffness) = (0.01, 0.5, 1e4);
    let stuff = Material { stiffness, friction: mu, ..hard() };
    let overlap = 1e-5;
    let press = 4.0 * 2.0 * stiffness * overlap;
    for share in [0.97, 1.03, 1.3] {
        let mut world = world_over_floor(&stuff, &[radius]);
        world.obstacles.clear();
        for side in [-1.0, 1.0] {
            let orientation = DQuat::from_rotation_arc(DVec3::Z, -side * DVec3::X);
            let pose = Pose { position: side * (2.0 * radius - overlap) * DVec3::X, orientation };
            world.obstacles.push(Obstacle::new("wall", MaterialId(1), Surface::Plane, Path::Fixed(pose)));
        }
        world.shapes = vec![Shape::named_clump("cube", Clump::Cube, radius, 0.0).unwrap()];
        let body = add(&mut world, 0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        let weight = share * 2.0 * mu * press;
        world.gravity = DVec3::new(0.0, 0.0, -weight / world.bodies.inertia[0].mass);
        let gravity = -world.gravity.z;
        let mut simulation = Simulation::new(Setup { fps: 100.0, ..Setup::new(world, Law::LINEAR) }).unwrap();
        (0..10).for_each(|_| advance(&mut simulation));
        let before = state(&simulation, body);
        (0..10).for_each(|_| advance(&mut simulation));
        let after = state(&simulation, body);
        if share < 1.0 {
            let moved = (after.0 - before.0).length() / (4.0 * radius);
            println!("squeezed with {:.2} of what it needs: drift {moved:.1e} in 0.1 s", 1.0 / share);
            assert!(moved < 1e-6, "{moved:e}");
        } else {
            let got = (before.1.velocity.z - after.1.velocity.z) / 0.1;
            close(&format!("W = {share} of 2 μ P: fall"), got, gravity * (1.0 - 1.0 / share), 3e-2);
        }
    }
}

/// A ball dropped from h with constant e is at rest after √(2h/g) (1+e)/(1-e) and has gone h
/// (1+e²)/(1-e²): 4.0637 s and 4.5556 m for h = 1, e = 0.8. Contacts take time, 1 % of it all;
/// below a hop of 10 µm, where e^n = 0.3 %, it counts as at rest. Adaptive steps, as long as a
/// frame in flight and thousands of times shorter in a contact.
#[test]
fn a_bouncing_ball_comes_to_rest() {
    let (h, e, radius) = (1.0, 0.8, 0.05);
    let stuff = Material { restitution: e, ..material(2e10, 0.3, 1000.0) };
    for (name, integrator) in [
        ("RKF45", Integrator::Rkf45 as fn(Control) -> Integrator),
        ("RK23", Integrator::Rk23 as fn(Control) -> Integrator),
    ] {
        let mut world = world_over_floor(&stuff, &[radius]);
        world.gravity = DVec3::new(0.0, 0.0, -G);
        let ball = add(&mut world, 0, DVec3::new(0.0, 0.0, radius + h), DVec3::ZERO, DVec3::ZERO);
        let integrator = integrator(Control { tolerance: 1e-5, smallest: Some(1e-8), largest: 1.0, sequential: false });
        let mut simulation = Simulation::new(Setup {
            fps: 2000.0,
            ..Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) })
        })
        .unwrap();
        let (mut way, mut last, mut moving) = (0.0, h, 0.0);
        while simulation.time() < 5.0 {
            advance(&mut simulation);
            let up = state(&simulation, ball).0.z - radius;
            way += (up - last).abs();
            last = up;
            if up > 1e-5 {
                moving = simulation.time();
            }
        }
        close(&format!("{name}: time until rest"), moving, (2.0 * h / G).sqrt() * (1.0 + e) / (1.0 - e), 2e-2);
        close(&format!("{name}: way until rest"), way, h * (1.0 + e * e) / (1.0 - e * e), 1e-2);
    }
}
