//! Obstacles, standing and moving: particles bounce off, rub on and run around them, and are never
//! inside.

use glam::{DVec3, Vec3};
use tumble::detail::{Detail, DetailProblem, DetailSettings, DetailShape, DetailSurface, DetailWarning, Which};
use tumble::geometry::{Mesh, MeshSurface, Model};
use tumble::world::{BodyId, ShapeId, ShapeSphere};
use tumble::{Frame, FramePose};

use crate::{RADIUS, TIME, advance, detail, frame, lattice, place, shapes, shown, velocity};

/// A particle that falls on a plane with speed v leaves it with e v, and rises again by e² of its
/// height: h' = e² h.
#[test]
fn particles_bounce_as_high_as_restitution_says() {
    let settings = DetailSettings { restitution: 0.6, friction: 0.0, count: 50, ..DetailSettings::default() };
    let settings = DetailSettings { steps: 16, ..settings };
    let still = |k: i64| frame(k, [(DVec3::Z, DVec3::ZERO)], &[DVec3::ZERO]);
    let mut detail = detail(settings, &[DetailSurface::Plane], &still(0));
    let first = shown(&detail);
    let (mut landed, mut highest) = (vec![false; 50], [0f32; 50]);
    for k in 1..=25 {
        for (n, particle) in advance(&mut detail, &still(k)).iter().enumerate() {
            landed[n] |= particle.velocity[2] > 0.0;
            if landed[n] {
                highest[n] = highest[n].max(particle.position[2] - particle.radius);
            }
        }
    }
    for (particle, highest) in first.iter().zip(highest) {
        let fall = particle.position[2] - particle.radius;
        // A step of 0.5 ms at 4 m/s sees the plane up to 2 mm late, and frames see the top to g
        // (1/60 s)² / 2 = 1.4 mm.
        assert!((highest - 0.36 * fall).abs() < 0.006, "{highest} {fall}");
    }
}

/// On a level plane friction takes μ g from the speed: a particle that slides with v comes to rest
/// after v² / 2 μ g.
#[test]
fn friction_brings_particles_to_rest() {
    let v = 1.0;
    let settings = DetailSettings { restitution: 0.0, friction: 0.3, count: 1, steps: 8, ..DetailSettings::default() };
    let at = |k: i64| frame(k, [(DVec3::new(0.0, 0.0, RADIUS), DVec3::X * v)], &[DVec3::ZERO]);
    let mut detail = detail(settings, &[DetailSurface::Plane], &at(0));
    let mut particle = shown(&detail)[0];
    let mut slides = None;
    for k in 1..=60 {
        particle = advance(&mut detail, &at(k))[0];
        // It first falls a bit, and friction of that impact takes from its speed too.
        if slides.is_none() && particle.position[2] < particle.radius * 1.001 {
            slides = Some((particle.position[0], velocity(&particle).length()));
        }
    }
    let (from, speed) = slides.unwrap();
    assert_eq!(velocity(&particle), Vec3::ZERO);
    let expected = speed * speed / (2.0 * 0.3 * 9.81);
    assert!(
        (particle.position[0] - from - expected).abs() < 0.03 * expected,
        "{} {expected}",
        particle.position[0] - from
    );
}

/// A knotted, thin thing: a ring on edge, of half a million triangles.
fn ring() -> Mesh {
    let torus = |i: u32, j: u32| {
        let (a, b) = (f64::from(i) / 700.0 * std::f64::consts::TAU, f64::from(j) / 360.0 * std::f64::consts::TAU);
        let out = 0.06 + 0.012 * (1.0 + 0.2 * (9.0 * a).sin() * (5.0 * b).cos()) * b.cos();
        DVec3::new(out * a.cos(), 0.012 * b.sin(), out * a.sin())
    };
    let vertices = (0..700).flat_map(|i| (0..360).map(move |j| torus(i, j))).collect();
    let at = |i: u32, j: u32| i % 700 * 360 + j % 360;
    let quads = (0..700).flat_map(|i| (0..360).map(move |j| (i, j)));
    let triangles = quads
        .flat_map(|(i, j)| [[at(i, j), at(i, j + 1), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i + 1, j)]]);
    Mesh::new(vertices, triangles.collect()).unwrap()
}

/// Sand falls fast over a fine mesh that turns and moves: at the end of no frame is a particle
/// inside, by the exact distance to half a million triangles; many have touched it.
#[test]
fn nothing_is_ever_inside_a_fine_mesh_that_moves() {
    let mesh = ring();
    let exact = MeshSurface::new(mesh.clone());
    assert!(exact.is_closed());
    let settings = DetailSettings { count: 30, ..DetailSettings::default() };
    // Carriers fall through: they know nothing of the ring.
    let drop = |k: i64| {
        let t = k as f64 * TIME;
        let at = move |p: DVec3| {
            let start = p + DVec3::new(-0.09, -0.09, 0.15);
            (start + t * DVec3::new(0.0, 0.0, -3.0), DVec3::new(0.0, 0.0, -3.0))
        };
        let mut frame = frame(k, lattice(9).into_iter().map(at), &[]);
        let turn = glam::DQuat::from_rotation_z(4.0 * t);
        frame.obstacles = vec![FramePose {
            position: [(0.3 * t) as f32, 0.0, 0.0],
            orientation: [turn.w, turn.x, turn.y, turn.z].map(|c| c as f32),
        }];
        (frame, turn, DVec3::new(0.3 * t, 0.0, 0.0))
    };
    let (mut detail, warnings) = Detail::new(settings, &shapes(), &[DetailSurface::Mesh(mesh)], &drop(0).0).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let mut touched = 0;
    for k in 1..=12 {
        let (frame, turn, shift) = drop(k);
        for particle in advance(&mut detail, &frame) {
            let own = turn.inverse() * (place(&particle).as_dvec3() - shift);
            if own.length() < 0.1 {
                let distance = exact.signed_distance(own);
                assert!(distance > 0.5 * f64::from(particle.radius), "frame {k}: {particle:?} is {distance} outside");
                touched += u32::from(distance < 1.1 * f64::from(particle.radius));
            }
        }
    }
    assert!(touched > 300, "{touched}");
}

/// In a corner of three walls everything is pressed together, and still nothing is in a wall.
#[test]
fn corners_hold() {
    let boxes = [
        DetailSurface::Box(DVec3::new(0.02, 0.3, 0.3)),
        DetailSurface::Box(DVec3::new(0.3, 0.02, 0.3)),
        DetailSurface::Plane,
    ];
    let stands = [DVec3::new(-0.02, 0.0, 0.3), DVec3::new(0.0, -0.02, 0.3), DVec3::ZERO];
    let v = DVec3::new(-1.0, -1.2, -0.8);
    let at = |k: i64| frame(k, lattice(5).into_iter().map(|p| (p + 0.02 + k as f64 * TIME * v, v)), &stands);
    let mut detail = detail(DetailSettings::default(), &boxes, &at(0));
    for k in 1..=20 {
        for particle in advance(&mut detail, &at(k)) {
            assert!(particle.position.iter().all(|&x| x > 0.98 * particle.radius), "frame {k}: {particle:?}");
        }
    }
}

/// In the wedge between a ball and the ground it lies on, resolving one overlap causes another.
#[test]
fn wedges_hold() {
    let ball = Model::Ball { radius: 0.05 }.mesh(64).unwrap();
    let stands = [DVec3::ZERO, DVec3::new(0.0, 0.0, 0.05)];
    // Sand flows under the ball: carriers know nothing of it.
    let v = DVec3::new(0.6, 0.1, 0.0);
    let start = DVec3::new(-0.16, -0.04, 0.0);
    let layer = || lattice(5).into_iter().filter(|p| p.z < 3.0 * RADIUS);
    let at = |k: i64| frame(k, layer().map(|p| (p + start + k as f64 * TIME * v, v)), &stands);
    let settings = DetailSettings { count: 60, ..DetailSettings::default() };
    let mut detail = detail(settings, &[DetailSurface::Plane, DetailSurface::Mesh(ball)], &at(0));
    let mut in_wedge = 0;
    for k in 1..=12 {
        for particle in advance(&mut detail, &at(k)) {
            let (place, radius) = (place(&particle), particle.radius);
            assert!(place.z > 0.98 * radius, "frame {k}: {particle:?}");
            let distance = place.distance(Vec3::Z * 0.05) - 0.05;
            // The ball has facets, and cells as wide as a particle's radius round them.
            assert!(distance > 0.8 * radius, "frame {k}: {particle:?} {distance}");
            in_wedge += u32::from(distance < 1.2 * radius && place.z < 1.2 * radius);
        }
    }
    assert!(in_wedge > 20, "{in_wedge}");
}

/// Where shapes differ in size, or bodies from their shape, all particles lie around their grain
/// and outside of meshes by their radius.
#[test]
fn large_and_small_particles_meet_a_mesh() {
    let sphere = |radius| vec![ShapeSphere { offset: DVec3::ZERO, radius }];
    let carrier = |radius| DetailShape { spheres: sphere(radius), mesh: None, is_carrier: true };
    let shapes = [carrier(RADIUS), carrier(0.25 * RADIUS)];
    let ball = Model::Ball { radius: 0.06 }.mesh(64).unwrap();
    let v = DVec3::new(0.0, 0.0, -1.0);
    let start = DVec3::new(-0.04, -0.04, 0.09);
    let at = |k: i64| {
        let mut frame = frame(k, lattice(5).into_iter().map(|p| (p + start + k as f64 * TIME * v, v)), &[DVec3::ZERO]);
        for body in frame.bodies.iter_mut().step_by(3) {
            body.size = 1.8;
        }
        for body in frame.bodies.iter_mut().skip(1).step_by(3) {
            body.shape = ShapeId(1);
        }
        frame
    };
    let settings = DetailSettings { count: 8, ..DetailSettings::default() };
    let (mut detail, _) = Detail::new(settings, &shapes, &[DetailSurface::Mesh(ball)], &at(0)).unwrap();
    let born = shown(&detail);
    assert!(born.chunks(8).all(|of_one| of_one[1..].iter().all(|other| other.position != of_one[0].position)));
    let mut touched = 0;
    for k in 1..=6 {
        for particle in advance(&mut detail, &at(k)) {
            let free = place(&particle).length() - 0.06 - particle.radius;
            assert!(free > -4e-4, "frame {k}: {particle:?} {free}");
            touched += u32::from(free < 4e-4);
        }
    }
    assert!(touched > 100, "{touched}");
}

/// A recording may say anything of its bodies: impossible ones have no particles, and others go on.
#[test]
fn bodies_that_cannot_be_are_left_out() {
    let at = |k: i64| {
        let mut frame = frame(k, lattice(4).into_iter().map(|p| (p, DVec3::ZERO)), &[DVec3::ZERO]);
        frame.bodies[3].position[1] = f32::NAN;
        frame.bodies[9].velocity[0] = f32::INFINITY;
        frame.bodies[63].size = 0.0;
        frame
    };
    let mut detail = detail(DetailSettings { count: 5, ..DetailSettings::default() }, &[DetailSurface::Plane], &at(0));
    let after = (1..=4).map(|k| advance(&mut detail, &at(k))).last().unwrap();
    assert_eq!(after.len(), 61 * 5);
    assert!(after.iter().all(|particle| particle.position.iter().chain(&particle.velocity).all(|x| x.is_finite())));
}

/// Bodies that are no carriers push particles as obstacles do: a ball that flies through a cloud
/// takes those in its way along.
#[test]
fn other_bodies_are_obstacles() {
    let with_ball = |k: i64| -> Frame {
        let mut frame = frame(k, lattice(4).into_iter().map(|p| (p, DVec3::ZERO)), &[]);
        let mut ball = frame.bodies[0];
        ball.id = BodyId { index: 9999, generation: 0 };
        ball.shape = ShapeId(1);
        ball.size = 1.5;
        ball.position = [-0.1 + 0.05 * k as f32, 0.03, 0.04];
        frame.bodies.push(ball);
        frame
    };
    let settings = DetailSettings { count: 60, gravity: DVec3::ZERO, ..DetailSettings::default() };
    let mut detail = detail(settings, &[], &with_ball(0));
    for k in 1..=5 {
        let ball = Vec3::from(with_ball(k).bodies.last().unwrap().position);
        for particle in advance(&mut detail, &with_ball(k)) {
            let distance = place(&particle).distance(ball);
            assert!(distance > 3.0 * RADIUS as f32, "frame {k}: {particle:?}");
        }
    }
}

#[test]
fn bad_input_is_said() {
    let first = frame(0, [(DVec3::ZERO, DVec3::ZERO)], &[]);
    let settings = |influence| DetailSettings { influence, ..DetailSettings::default() };
    let problem = Detail::new(settings(1.0), &shapes(), &[], &first).unwrap_err();
    assert_eq!(problem, DetailProblem::InfluenceTooSmall { influence: 1.0 });
    let none: Vec<_> = shapes().into_iter().skip(1).collect();
    assert_eq!(Detail::new(settings(2.0), &none, &[], &Frame::default()).unwrap_err(), DetailProblem::NoCarriers);

    let block = Model::Block { lengths: DVec3::ONE }.mesh(0).unwrap();
    let holed = Mesh::new(block.vertices().to_vec(), block.triangles()[1..].to_vec()).unwrap();
    let (_, warnings) = Detail::new(settings(2.0), &shapes(), &[DetailSurface::Mesh(holed)], &first).unwrap();
    assert!(matches!(warnings[0], DetailWarning::Sheet { which: Which::Obstacle(0), .. }), "{warnings:?}");
    assert!(warnings[0].to_string().contains("no solid"), "{}", warnings[0]);
    let vast = Model::Block { lengths: DVec3::splat(100.0) }.mesh(0).unwrap();
    let (_, warnings) = Detail::new(settings(2.0), &shapes(), &[DetailSurface::Mesh(vast)], &first).unwrap();
    assert!(matches!(warnings[0], DetailWarning::Coarse { which: Which::Obstacle(0), .. }), "{warnings:?}");
}

/// Particles that leave the world are removed and counted; others keep their names.
#[test]
fn who_leaves_the_world_is_counted() {
    let bounds = Some((DVec3::splat(-1.0), DVec3::splat(1.0)));
    let settings = DetailSettings { bounds, count: 10, ..DetailSettings::default() };
    let v = DVec3::new(3.0, 0.0, 0.0);
    let at = |k: i64| {
        let t = k as f64 * TIME;
        frame(k, [(DVec3::ZERO, DVec3::ZERO), (DVec3::X * 0.9 + t * v, v), (DVec3::X * 0.92 + t * v, v)], &[])
    };
    let settings = DetailSettings { gravity: DVec3::ZERO, ..settings };
    let mut detail = detail(settings, &[], &at(0));
    let mut removed = 0;
    for k in 1..=5 {
        let report = detail.advance(&at(k));
        removed += report.removed;
        assert_eq!(report.particles + removed, 30);
    }
    assert_eq!(removed, 20);
    assert_eq!(shown(&detail).iter().map(|particle| particle.id).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
}
