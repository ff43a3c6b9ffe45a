//! Any input of a caller gets an answer or a sentence, never a panic.
//!
//! Every public function that takes ids, numbers or lists is called with some that no sane caller
//! would give. Numbers are drawn from those that go wrong: not finite, zero, negative, huge, tiny.

use glam::{DMat3, DVec2, DVec3};
use proptest::prelude::*;
use tumble::detail::{Detail, DetailShape, DetailSurface};
use tumble::direct::pile::PileSettings;
use tumble::geometry::{
    CavityPart, Convex, ConvexPart, Cover, Hull, Mesh, MeshSurface, Model, Moments, Split, Surface, check_solid, cover,
    repair, solid_moments, split,
};
use tumble::granular::{Granular, Integrator, Law};
use tumble::measure::{self, Ball};
use tumble::rigid::Rigid;
use tumble::world::{
    BodyId, Clump, End, JointKind, Material, MaterialId, NewBody, NewJoint, Obstacle, ObstacleId, Pair, Path, Pose,
    Shape, ShapeId, ShapeSphere, Strength, World,
};
use tumble::{Frame, FrameDetail, Setup, Simulation, Solver};

use crate::wild::*;

/// A world in order, with a ball, a box and two materials.
fn world() -> World {
    let mut world = World::ground();
    world.add_shape(Shape::ball("ball", 0.05).unwrap());
    world.materials.add(Material::default());
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shapes_are_made_or_refused(lengths in wild_vector(), radius in wild(), length in wild(), points in prop::collection::vec(wild_vector(), 0..7), pose in wild_pose()) {
        let spheres: Vec<ShapeSphere> = points.iter().map(|&offset| ShapeSphere { offset, radius }).collect();
        let shapes = [
            Shape::ball("", radius),
            Shape::cuboid("", lengths),
            Shape::capsule("", radius, length),
            Shape::cylinder("", radius, length),
            Shape::hull("", &points),
            Shape::clump("", spheres),
            Shape::named_clump("", Clump::Cube, radius, length),
            Shape::of_parts("", vec![ConvexPart { convex: Convex::Capsule { radius, half: length }, pose }]),
        ];
        for shape in shapes {
            match shape {
                Ok(shape) => prop_assert!(shape.volume > 0.0 && shape.bounding_radius > 0.0 && shape.moments.is_finite()),
                Err(problem) => prop_assert!(!problem.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn meshes_are_made_or_refused(points in prop::collection::vec(wild_vector(), 0..6), triangles in prop::collection::vec([wild_number(), wild_number(), wild_number()], 0..5), at in wild_vector(), radius in wild(), moments in (wild(), wild_vector(), wild_vector())) {
        let Ok(mesh) = Mesh::new(points, triangles) else { return Ok(()) };
        let how = Cover { radius, density: moments.0, offset: -radius, seed: 1 };
        let known = Moments { volume: moments.0, centre: moments.1, inertia: DMat3::from_diagonal(moments.2) };
        let (_, _, _) = (check_solid(&mesh), repair(&mesh).is_ok(), solid_moments(&mesh));
        let (_, _, _) = (cover(&mesh, &how).is_ok(), Shape::mesh("", &mesh).is_ok(), Shape::covered("", &mesh, &how).is_ok());
        let (_, _) = (Shape::mesh("", &mesh).and_then(|shape| shape.cover(&how)).is_ok(), Shape::covered("", &mesh, &how).and_then(|shape| shape.split(&Split::DEFAULT)).is_ok());
        let sphere = ShapeSphere { offset: at, radius };
        let part = ConvexPart { convex: Convex::Ball(radius), pose: Pose { position: at, ..Pose::IDENTITY } };
        if let Ok(shape) = Shape::of_mass("", &mesh, &known) {
            let _ = (shape.clone().with_spheres(vec![sphere]).is_ok(), shape.with_parts(vec![part]).is_ok());
        }
        let (_, _) = (split(&mesh, &Split { concavity: radius, most_parts: 4, most_corners: 8 }), Mesh::joined(&[mesh.clone(), mesh.clone()]));
        MeshSurface::new(mesh).signed_distance(at);
    }

    #[test]
    fn models_are_made_or_refused(model in wild_model(), segments in prop_oneof![4 => 0u32..20, 1 => Just(u32::MAX)]) {
        match model.mesh(segments) {
            Err(problem) => prop_assert!(!problem.to_string().is_empty() && !problem.length.is_empty()),
            Ok(mesh) => prop_assert!(check_solid(&mesh).is_ok(), "{model:?}"),
        }
        if let Err(problem) = model.parts() {
            prop_assert!(!problem.to_string().is_empty());
        }
        let _ = (model.check(), model.cavity(CavityPart::Upper, segments), model.cavity(CavityPart::Lower, segments));
    }

    #[test]
    fn particles_follow_or_say_why_not(
        settings in wild_detail(), frames in prop::collection::vec(wild_frame(), 1..4), half in wild_vector(),
        spheres in prop::collection::vec((wild_vector(), wild()), 0..3), carries in any::<bool>(), state in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let cube = || Model::Block { lengths: DVec3::splat(0.2) }.mesh(0).unwrap();
        let ball = Shape::ball("ball", 0.05).unwrap();
        // Distances from meshes are known as far as the largest particle reaches, which takes
        // seconds if that is far.
        let odd = spheres.into_iter().map(|(offset, radius)| ShapeSphere { offset, radius: if radius.is_finite() { radius.min(0.1) } else { radius } }).collect();
        let shapes = [
            DetailShape { spheres: if carries { ball.spheres } else { Vec::new() }, mesh: None, is_carrier: true },
            DetailShape { spheres: odd, mesh: None, is_carrier: carries },
            DetailShape { spheres: Vec::new(), mesh: Some(cube()), is_carrier: false },
        ];
        let surfaces = [DetailSurface::Plane, DetailSurface::Box(half), DetailSurface::Mesh(cube())];
        match Detail::new(settings, &shapes, &surfaces, &frames[0]) {
            Err(problem) => prop_assert!(!problem.to_string().is_empty()),
            Ok((mut detail, warnings)) => {
                prop_assert!(warnings.iter().all(|warning| !warning.to_string().is_empty()));
                let saved = detail.save();
                for frame in &frames {
                    detail.advance(frame);
                    detail.show(&mut FrameDetail::default());
                    let _ = (detail.unevenness(), detail.state_hash());
                }
                let _ = (detail.load(&state, &frames[0]), Detail::hash_of(&state));
                // Particles that were thrown beyond all numbers are no state.
                prop_assert!(detail.load(&saved, &frames[0]).map_or_else(|problem| !problem.to_string().is_empty(), |()| true));
            }
        }
    }

    #[test]
    fn adaptive_steps_are_taken_or_refused(
        integrator in wild_integrator(), body in wild_body(), motion in wild_motion(), change in prop::collection::vec(wild(), 0..30), state in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut world = world();
        for k in 0..2 {
            world.add(NewBody { motion, ..NewBody::new(ShapeId(0), MaterialId(0), DVec3::new(0.0, 0.0, 0.05 + 0.11 * f64::from(k))) }).ok();
        }
        let _ = world.add(NewBody { shape: ShapeId(0), material: MaterialId(0), ..body });
        let solver = Granular { integrator, ..Granular::new(Law::HERTZ) };
        match Simulation::new(Setup { fps: 1e5, ..Setup::new(world, solver) }) {
            Err(problem) => prop_assert!(!problem.to_string().is_empty()),
            Ok(mut simulation) => {
                let control = if let Integrator::Rkf45(control) | Integrator::Rk23(control) = integrator { Some(control) } else { None };
                prop_assert_eq!(control.is_some(), simulation.is_adaptive());
                // Steps of a femtosecond are allowed, and take their time.
                let shortest = control.map_or(1e-5, |control| control.smallest.unwrap_or(1e-5).min(control.largest));
                let _ = (simulation.take_tried_steps(), simulation.slopes(&change), simulation.load(&state));
                if shortest > 1e-7 {
                    (0..2).for_each(|_| drop(simulation.advance()));
                    let saved = simulation.save();
                    // Bodies that were thrown beyond all numbers are no state.
                    prop_assert!(simulation.load(&saved).map_or_else(|problem| !problem.to_string().is_empty(), |()| true));
                    prop_assert!(simulation.take_tried_steps().iter().all(|step| step.length > 0.0));
                }
            }
        }
    }

    #[test]
    fn a_world_takes_or_refuses(body in wild_body(), id in wild_id(), motion in wild_motion(), impulse in wild_vector(), at in wild_pose(), path in wild_path(), time in wild(), number in wild_number(), limits in [wild(), wild()], material in wild_material()) {
        let mut world = world();
        let first = world.add(NewBody::new(ShapeId(0), MaterialId(0), DVec3::Z)).unwrap();
        let _ = (world.add(body), world.add_centred(body));
        let _ = (world.pose(id), world.motion(id), world.mass(id), world.rest(id), world.centre(id), world.shape(body.shape));
        let _ = (world.set_motion(id, motion), world.apply_impulse(id, impulse, at.position), world.sleep(id), world.hold(id), world.wake(id));
        let row = number as usize;
        let _ = (world.radius(row), world.diameter(row), world.spheres(row).count(), world.radius_of(body.shape, body.size));
        path.at(time);
        let _ = world.add_obstacle(Obstacle::new("odd", body.material, Surface::Box(impulse), path));
        let (a, b) = (body.material, MaterialId(number));
        let pair = Pair { restitution: time, friction: time, rolling_friction: time };
        let _ = (world.materials.pair(a, b), world.materials.set_pair(a, b, pair), world.materials.add(material));
        for kind in [JointKind::Fixed, JointKind::Hinge { turn: limits }, JointKind::Slider { travel: limits, turn: limits }, JointKind::Ball { swing: time }] {
            for to in [End::World, End::Body(id), End::Obstacle(ObstacleId(number))] {
                let strength = Strength { force: limits[0], torque: limits[1] };
                let _ = world.join(NewJoint { body: first, to, kind, strength, collide: true }, at);
            }
        }
        let _ = (measure::kinetic_energy(&world), measure::potential_energy(&world), measure::is_settled(&world));
        if let Ok(mut simulation) = Simulation::new(Setup::new(world, Rigid::DEFAULT)) {
            (0..2).for_each(|_| drop(simulation.advance()));
        }
    }

    #[test]
    fn a_simulation_begins_or_says_why_not(
        solver in wild_solver(), emitter in wild_emitter(), path in wild_path(), material in wild_material(), half in wild_vector(),
        numbers in [wild(), wild(), wild(), wild()], gravity in wild_vector(), body in wild_body(), broken in 0..10,
    ) {
        let mut world = world();
        world.add(NewBody::new(ShapeId(0), MaterialId(0), 0.2 * DVec3::Z)).unwrap();
        let mut setup = Setup::new(world, Law::LINEAR);
        // One thing at a time is broken: two hide each other.
        match broken {
            0 => setup.solver = solver,
            1 => setup.emitters.push(emitter),
            2 => setup.world.obstacles.push(Obstacle::new("odd", MaterialId(0), Surface::Plane, path)),
            3 => drop(setup.world.materials.add(material)),
            4 => setup.world.obstacles.push(Obstacle::new("odd", body.material, Surface::Box(half), Path::Fixed(Pose::IDENTITY))),
            5 => (setup.fps, setup.step) = (numbers[0], Some(numbers[1])),
            6 => (setup.world.gravity, setup.world.drag) = (gravity, numbers[0]),
            7 => setup.world.bodies.pose.clear(),
            8 => setup.world.bodies.traits[0].shape = body.shape,
            _ => setup.piles.push(PileSettings { angle: numbers[0], place: Some(DVec2::splat(numbers[1])), slow: numbers[2], grace: numbers[3], ..PileSettings::new(0.5) }),
        }
        match Simulation::new(setup) {
            Err(problem) => prop_assert!(!problem.to_string().is_empty()),
            Ok(mut simulation) if simulation.steps_per_frame() < 100_000 && !simulation.is_adaptive() => drop(simulation.advance()),
            Ok(_) => {}
        }
    }

    #[test]
    fn between_frames_anything_may_be_asked(rigid in any::<bool>(), calls in prop::collection::vec((0..9, wild_id(), wild_motion(), wild_body(), wild_pose()), 0..20)) {
        let mut world = world();
        for k in 0..3 {
            world.add(NewBody::new(ShapeId(0), MaterialId(0), DVec3::new(0.0, 0.0, 0.05 + 0.1 * f64::from(k)))).unwrap();
        }
        let solver = if rigid { Solver::from(Rigid::DEFAULT) } else { Solver::from(Law::LINEAR) };
        let mut simulation = Simulation::new(Setup::new(world, solver)).unwrap();
        for (call, id, motion, body, pose) in calls {
            match call {
                0 => drop(simulation.advance()),
                1 => drop(simulation.add(body)),
                2 => drop(simulation.remove(id)),
                3 => drop(simulation.set_motion(id, motion)),
                4 => drop(simulation.apply_impulse(id, motion.velocity, motion.spin)),
                5 => drop((simulation.sleep(id), simulation.wake(id))),
                6 => drop((simulation.pose(id), simulation.motion(id), simulation.contacts())),
                7 => {
                    let mut hand = simulation.stagehand();
                    drop((hand.body(id), hand.pose(id), hand.motion(id), hand.hold(id), hand.sleep(id), hand.set_motion(id, motion)));
                    let made = hand.add_constraint(NewJoint { body: id, to: End::World, kind: JointKind::Fixed, strength: Strength::ENDLESS, collide: true }, pose);
                    drop((hand.contacts(), hand.touched(), made.map(|joint| hand.remove_constraint(joint))));
                }
                _ => simulation.show(&mut Frame::default()),
            }
        }
        simulation.advance();
    }

    #[test]
    fn heaps_are_measured_or_refused(places in prop::collection::vec((wild_vector(), wild()), 0..40), up in wild_vector(), number in wild()) {
        let balls: Vec<Ball> = places.iter().zip(0..).map(|(&(centre, radius), index)| Ball { centre, radius, body: BodyId { index, generation: 0 } }).collect();
        let _ = (measure::repose(&balls, up), measure::packing(&balls, up), measure::penetration(&balls, number), measure::grain_diameter(&balls));
        if let Some(surface) = measure::PileSurface::new(&balls, up, number, number) {
            let _ = (surface.axis(), surface.top(), surface.profile(DVec2::splat(number)), surface.radius(DVec2::splat(number)), surface.difference(&surface));
        }
    }
}

#[test]
fn hulls_of_anything() {
    for points in [vec![], vec![DVec3::NAN; 4], vec![DVec3::ZERO; 9], vec![DVec3::splat(1e300); 5]] {
        assert!(Hull::new(&points).is_none());
    }
}
