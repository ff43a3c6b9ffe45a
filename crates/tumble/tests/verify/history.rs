//! Contact history: only accepted steps change it, and it follows a contact over edges of a mesh.

use glam::{DQuat, DVec3};
use tumble::granular::{Control, Granular, Integrator, Law};
use tumble::world::{
    BodyId, Clump, Material, MaterialId, Materials, Motion, NewBody, Path, Pose, Shape, ShapeId, World,
};
use tumble::{Setup, Simulation};

use crate::common::{add, advance, material, rigid, state, world_over_floor};

const G: f64 = 9.81;

/// A cube of eight spheres that rests on a slope of 0.2 by its friction springs alone.
fn held_cube() -> (World, BodyId) {
    let stuff = Material { restitution: 0.3, friction: 0.6, ..material(1e7, 0.3, 2500.0) };
    let mut world = world_over_floor(&stuff, &[0.01]);
    world.gravity = G * DVec3::new(0.2, 0.0, -1.0).normalize();
    world.shapes.push(Shape::named_clump("cube", Clump::Cube, 0.01, 0.0).unwrap());
    let pose = Pose { position: DVec3::new(0.0, 0.0, 0.02), ..Pose::IDENTITY };
    let body = world
        .add_centred(NewBody { shape: ShapeId(1), material: MaterialId(0), size: 1.0, pose, motion: Motion::default() })
        .unwrap();
    (world, body)
}

fn adaptive(method: fn(Control) -> Integrator, largest: f64) -> Integrator {
    method(Control { tolerance: 1e-6, smallest: Some(1e-8), largest, sequential: false })
}

/// A held cube stays held by adaptive steps, which now and then try one that is too long and take
/// it back: with steps as long as a frame allowed it drifts by less than the tolerance of 1e-6 m/s,
/// and lies where short steps leave it.
#[test]
fn rejected_steps_leave_the_memory_alone() {
    for method in [Integrator::Rkf45 as fn(Control) -> Integrator, Integrator::Rk23] {
        let run = |largest: f64| {
            let (world, body) = held_cube();
            let setup = Setup {
                fps: 10.0,
                ..Setup::new(world, Granular { integrator: adaptive(method, largest), ..Granular::new(Law::HERTZ) })
            };
            let mut simulation = Simulation::new(setup).unwrap();
            let mut rejected = 0;
            let mut go = |simulation: &mut Simulation, frames: usize| {
                for _ in 0..frames {
                    rejected += simulation.advance().rejected_steps;
                }
            };
            go(&mut simulation, 10);
            let rest = state(&simulation, body).0;
            go(&mut simulation, 20);
            let place = state(&simulation, body).0;
            (place, (place - rest).length() / 0.04, rejected)
        };
        let (short, short_drift, _) = run(5e-5);
        let (long, long_drift, rejected) = run(0.1);
        let apart = (short - long).length();
        println!("{rejected} steps rejected; drift {short_drift:.1e} and {long_drift:.1e} in 2 s; {apart:.1e} m apart");
        assert!(rejected > 10, "steps must be rejected: {rejected}");
        assert!(short_drift < 1e-6 && long_drift < 5e-5, "{short_drift:e} {long_drift:e}");
        assert!(apart < 3e-6, "{apart:e} m apart");
    }
}

/// Where a held cube is before and after a ball as light as air has hit one of its upper spheres:
/// \[m\], and how many steps were rejected.
fn hit_cube(largest: f64) -> (f64, f64, u64) {
    let (mut world, body) = held_cube();
    let stuff = Material { youngs_modulus: 1e6, ..world.materials.list()[0].clone() };
    let air = Material { density: 1.0, ..stuff.clone() };
    world.materials = Materials::new(vec![stuff.clone(), rigid(&stuff), air]);
    world.shapes[0] = Shape::ball("ball", 0.004).unwrap();
    let (speed, hit) = (5.0, 1.0 + 0.7e-3);
    let fall = speed * hit * DVec3::Z - 0.5 * hit * hit * world.gravity;
    let pose = Pose { position: DVec3::new(0.01, 0.01, 0.044) + fall, ..Pose::IDENTITY };
    let motion = Motion { velocity: DVec3::new(0.0, 0.0, -speed), spin: DVec3::ZERO };
    world.add_centred(NewBody { shape: ShapeId(0), material: MaterialId(2), size: 1.0, pose, motion }).unwrap();
    let integrator = adaptive(Integrator::Rkf45, largest);
    let mut simulation =
        Simulation::new(Setup { fps: 10.0, ..Setup::new(world, Granular { integrator, ..Granular::new(Law::HERTZ) }) })
            .unwrap();
    (0..10).for_each(|_| advance(&mut simulation));
    let before = state(&simulation, body).0.x;
    let rejected = simulation.advance().rejected_steps;
    advance(&mut simulation);
    (before, state(&simulation, body).0.x, rejected)
}

/// Like the cube above, but the trial step is absurd: a ball comes down on the cube so fast that
/// the trial step in which they meet overlaps them deeply and throws the cube off the floor. It is
/// rejected, and the contact history of the cube's feet must be restored: the cube would sink by
/// the stretch of its springs, m g sin θ/Σ k_t = 20 µm, if it were lost. The hit itself, of 3e-7 kg
/// at 5 m/s, moves it by far less than the tolerance of 1e-6 m/s times 0.2 s.
#[test]
fn an_absurd_trial_step_does_not_forget() {
    let (before, after, _) = hit_cube(1e-5);
    let careful = after - before;
    let (before, after, rejected) = hit_cube(1.0);
    let bold = after - before;
    println!("moved by {careful:.1e} m with short steps, by {bold:.1e} m with long ones, {rejected} rejected");
    assert!(rejected > 0, "steps must be rejected");
    assert!(careful.abs() < 1e-6, "{careful:e}");
    assert!(bold.abs() < 2e-6, "{bold:e}");
}

/// A cube rides on a turntable, 10 cm from its axis at 3 rad/s; friction holds it against 0.9 m/s²,
/// and its springs turn with the table. It stays where it is on it.
#[test]
fn a_cube_stays_on_a_turntable() {
    let stuff = Material { restitution: 0.3, friction: 0.5, ..material(1e7, 0.3, 2500.0) };
    let mut world = world_over_floor(&stuff, &[0.01]);
    world.gravity = DVec3::new(0.0, 0.0, -G);
    world.shapes[0] = Shape::named_clump("cube", Clump::Cube, 0.01, 0.0).unwrap();
    let start = DVec3::new(0.1, 0.0, 0.02);
    let turning = Motion { velocity: DVec3::ZERO, spin: DVec3::new(0.0, 0.0, 3.0) };
    world.obstacles[0].path = Path::Constant(Pose::IDENTITY, turning);
    let body = add(&mut world, 0, start, turning.spin.cross(start), turning.spin);
    let mut simulation = Simulation::new(Setup { fps: 10.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
    let on_table =
        |simulation: &Simulation| DQuat::from_rotation_z(-3.0 * simulation.time()) * state(simulation, body).0;
    (0..5).for_each(|_| advance(&mut simulation));
    let rest = on_table(&simulation);
    (0..100).for_each(|_| advance(&mut simulation));
    let drift = (on_table(&simulation) - rest).length() / 0.04;
    println!("on a turntable: drift expected 0, got {drift:.1e} of a body in 10 s");
    assert!(drift < 1e-4, "{drift:e}");
}
