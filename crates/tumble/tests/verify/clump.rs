//! Clumps: their inertia in closed form, and conservation laws of collisions between them.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use tumble::granular::{ContactEnd, Dashpot, Law, Normal};
use tumble::world::{BodyId, Clump, Material, MaterialId, Motion, NewBody, Pose, Shape, ShapeId, ShapeSphere, World};
use tumble::{Setup, Simulation};

use crate::common::{advance, close, material, world_without_floor};

/// Fails unless all principal moments are this one.
#[track_caller]
fn isotropic(name: &str, shape: &Shape, expected: f64) {
    for moment in shape.moments.to_array() {
        close(&format!("{name}: moment"), moment, expected, 1e-12);
    }
}

/// Spheres of mass m and radius r on the corners of a polyhedron of edge a = 2 r: tetrahedron m
/// a² + 1.6 m r², cube 4 m a² + 3.2 m r², octahedron 2 m a² + 2.4 m r².
#[test]
fn named_clumps_have_their_closed_forms() {
    for r in [1.0f64, 0.013] {
        let m = 4.0 / 3.0 * PI * r.powi(3);
        let a = 2.0 * r;
        for (clump, count, expected) in [
            (Clump::Sphere, 1.0, 0.4 * m * r * r),
            (Clump::Tetrahedron, 4.0, m * a * a + 1.6 * m * r * r),
            (Clump::Octahedron, 6.0, 2.0 * m * a * a + 2.4 * m * r * r),
            (Clump::Cube, 8.0, 4.0 * m * a * a + 3.2 * m * r * r),
        ] {
            let shape = Shape::named_clump("clump", clump, r, 0.0).unwrap();
            isotropic(&format!("{clump:?}, r = {r}"), &shape, expected);
            close("volume", shape.volume, count * m, 1e-12);
        }
    }
}

/// Two balls of radius r at distance d share a lens of volume π(4r+d)(2r-d)²/12. Its moments are ∫
/// over slices of radius ρ² = r² - (z + d/2)², z from 0 to r - d/2: about the axis ½πρ⁴, across it
/// ¼πρ⁴ + πρ²z²; polynomials, so Gauss' rule is exact.
#[test]
fn two_overlapping_balls_share_a_lens() {
    for (r, d) in [(1.0, 1.0), (0.02, 0.03), (0.5, 0.95)] {
        let balls = [-0.5 * d, 0.5 * d].map(|z| ShapeSphere { offset: DVec3::new(0.0, 0.0, z), radius: r });
        let shape = Shape::clump("pair", balls.to_vec()).unwrap();
        let m = 4.0 / 3.0 * PI * r * r * r;
        close("volume less the lens", shape.volume, 2.0 * m - PI * (4.0 * r + d) * (2.0 * r - d).powi(2) / 12.0, 1e-12);
        let height = r - 0.5 * d;
        let root = 0.6f64.sqrt();
        let slice = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            let nodes = [(0.5 - 0.5 * root, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + 0.5 * root, 5.0 / 18.0)];
            // Two halves.
            2.0 * nodes
                .iter()
                .map(|(z, w)| w * height * f(z * height, r * r - (z * height + 0.5 * d).powi(2)))
                .sum::<f64>()
        };
        let about = 0.8 * m * r * r - slice(&|_, rho2| 0.5 * PI * rho2 * rho2);
        let across = 0.8 * m * r * r + 0.5 * m * d * d - slice(&|z, rho2| 0.25 * PI * rho2 * rho2 + PI * rho2 * z * z);
        let mut moments = shape.moments.to_array();
        moments.sort_by(f64::total_cmp);
        close("about the axis", moments[0], about, 1e-12);
        close("across the axis", moments[1], across, 1e-12);
        close("across the axis", moments[2], across, 1e-12);
    }
}

/// Four spheres of different sizes that do not touch: volume, centre and the whole tensor Σ m (0.4
/// r² + (s² 1 - s sᵀ)), which the principal moments and axes must give back; all spheres lie where
/// they were given.
#[test]
fn an_uneven_clump_is_the_sum_of_its_spheres() {
    let given = [
        (DVec3::new(0.0, 0.0, 0.0), 0.5),
        (DVec3::new(1.3, 0.2, -0.4), 0.3),
        (DVec3::new(-0.6, 1.1, 0.9), 0.7),
        (DVec3::new(0.4, -1.5, 0.3), 0.45),
    ];
    let spheres = given.map(|(offset, radius)| ShapeSphere { offset, radius });
    let shape = Shape::clump("uneven", spheres.to_vec()).unwrap();
    let mass = |r: f64| 4.0 / 3.0 * PI * r.powi(3);
    let volume: f64 = given.iter().map(|&(_, r)| mass(r)).sum();
    let centre = given.iter().map(|&(c, r)| mass(r) * c).sum::<DVec3>() / volume;
    close("volume", shape.volume, volume, 1e-12);
    let outer = |s: DVec3| DMat3::from_cols(s * s.x, s * s.y, s * s.z);
    let of_sphere = |&(c, r): &(DVec3, f64)| {
        let s = c - centre;
        DMat3::from_diagonal(DVec3::splat(mass(r) * (0.4 * r * r + s.length_squared()))) - outer(s) * mass(r)
    };
    let direct = given.iter().map(of_sphere).fold(DMat3::ZERO, |sum, part| sum + part);
    let axes = DMat3::from_quat(shape.axes);
    let got = axes * DMat3::from_diagonal(shape.moments) * axes.transpose();
    let size = shape.moments.max_element();
    for (g, d) in got.to_cols_array().iter().zip(direct.to_cols_array()) {
        assert!((g - d).abs() < 1e-12 * size, "tensor {got} instead of {direct}");
    }
    for ((c, r), sphere) in given.iter().zip(&shape.spheres) {
        assert!((shape.axes * sphere.offset - (*c - centre)).length() < 1e-12 && sphere.radius == *r);
    }
}

/// Where a pair meets. Not farther from the origin than need be: places are rounded to 1e-16 of
/// that.
fn place(k: u32) -> DVec3 {
    0.3 * DVec3::new((k % 4) as f64 - 1.5, (k / 4 % 4) as f64 - 1.5, (k / 16) as f64 - 1.0)
}

/// Forty pairs of clumps of three kinds, far from each other, thrown at one another off centre; any
/// fixed scatter will do.
fn pairs(stuff: &Material) -> (World, Vec<[BodyId; 2]>) {
    let mut world = world_without_floor(stuff, &[0.01]);
    let ball = |x: f64, y: f64, radius: f64| ShapeSphere { offset: DVec3::new(x, y, 0.0), radius };
    let bent = vec![ball(0.0, 0.0, 0.01), ball(0.015, 0.0, 0.008), ball(0.025, 0.01, 0.006)];
    world.shapes = vec![
        Shape::named_clump("tetrahedron", Clump::Tetrahedron, 0.01, 0.2).unwrap(),
        Shape::named_clump("cube", Clump::Cube, 0.007, 0.0).unwrap(),
        Shape::clump("bent", bent).unwrap(),
    ];
    let ids = (0..40u32).map(|k| {
        let scatter = |n: f64| (n * (k as f64 + 1.0)).sin();
        let turn = |n: f64| DQuat::from_scaled_axis(3.0 * DVec3::new(scatter(n), scatter(n + 0.7), scatter(n + 1.9)));
        let spin = |n: f64| 30.0 * DVec3::new(scatter(n), scatter(n + 2.2), scatter(n + 4.1));
        let middle = place(k);
        let aside = 0.008 * DVec3::new(0.0, scatter(5.3), scatter(8.8));
        let mut body = |shape: u32, position: DVec3, orientation: DQuat, velocity: DVec3, spin: DVec3| {
            let (pose, motion) = (Pose { position, orientation }, Motion { velocity, spin });
            world
                .add_centred(NewBody { shape: ShapeId(shape), material: MaterialId(0), size: 1.0, pose, motion })
                .unwrap()
        };
        let (reach, speed) = (DVec3::new(0.03, 0.0, 0.0), DVec3::new(1.0 + 0.3 * scatter(7.7), 0.0, 0.0));
        [
            body(k % 3, middle - reach + aside, turn(1.1), speed, spin(2.3)),
            body(k / 3 % 3, middle + reach, turn(4.7), -speed, spin(9.1)),
        ]
    });
    let ids = ids.collect();
    (world, ids)
}

/// Momentum, angular momentum about the pair's place, and kinetic energy.
fn sums(world: &World, pair: [BodyId; 2], middle: DVec3) -> (DVec3, DVec3, f64) {
    let bodies = &world.bodies;
    pair.iter().map(|&id| bodies.row(id).unwrap()).fold((DVec3::ZERO, DVec3::ZERO, 0.0), |(p, l, e), row| {
        let (pose, motion, inertia) = (&bodies.pose[row], &bodies.motion[row], &bodies.inertia[row]);
        let own = inertia.momentum(pose.orientation, motion.spin);
        let momentum = inertia.mass * motion.velocity;
        let energy = 0.5 * (momentum.dot(motion.velocity) + own.dot(motion.spin));
        (p + momentum, l + (pose.position - middle).cross(momentum) + own, e + energy)
    })
}

/// Before and after the collisions of all pairs; fails if momentum or angular momentum of one has
/// changed by 1e-10.
fn collide(stuff: &Material, law: Law, step: Option<f64>) -> Vec<(f64, f64)> {
    let (world, ids) = pairs(stuff);
    let middles: Vec<_> = (0..40).map(place).collect();
    let before: Vec<_> = ids.iter().zip(&middles).map(|(&pair, &middle)| sums(&world, pair, middle)).collect();
    let speeds: Vec<_> = ids.iter().map(|pair| world.bodies.motion[world.bodies.row(pair[0]).unwrap()]).collect();
    let mut simulation = Simulation::new(Setup { fps: 50.0, step, ..Setup::new(world, law) }).unwrap();
    // Long enough to fly apart again: all energy is kinetic.
    (0..4).for_each(|_| advance(&mut simulation));
    let mut hit = 0;
    let world = simulation.world();
    let after = ids.iter().zip(&middles).zip(before).zip(speeds).map(|(((&pair, &middle), (p0, l0, e0)), motion)| {
        let (p, l, e) = sums(world, pair, middle);
        let mass = world.bodies.inertia[world.bodies.row(pair[0]).unwrap()].mass;
        let scale = mass * motion.velocity.length();
        assert!((p - p0).length() < 1e-10 * scale, "momentum {p0} became {p}");
        assert!((l - l0).length() < 1e-10 * scale * 0.06, "angular momentum {l0} became {l}");
        let now = world.bodies.motion[world.bodies.row(pair[0]).unwrap()].velocity;
        hit += usize::from((now - motion.velocity).length() > 0.1);
        (e0, e)
    });
    let after: Vec<_> = after.collect();
    assert!(hit > 30, "they must collide: {hit}");
    after
}

/// Off-centre collisions with friction, damping and rolling resistance under every kind of law:
/// momentum and angular momentum to 1e-10, and never more energy than before.
#[test]
fn clumps_conserve_momentum_and_never_gain_energy() {
    let stuff = Material {
        restitution: 0.5,
        friction: 0.4,
        rolling_friction: 0.05,
        stiffness: 1e4,
        ..material(1e7, 0.3, 1000.0)
    };
    let pulling = Law { end: ContactEnd::ZeroOverlap, ..Law::HERTZ };
    for law in [Law::HERTZ, Law::LINEAR, Law::BASIC, Law::STATIC, Law::DAMPED, pulling] {
        let energies = collide(&stuff, law, None);
        let most = energies.iter().map(|(before, after)| after / before).fold(0.0, f64::max);
        println!("{:?}, {:?}: at most {most:.3} of the energy is left", law.normal, law.shear);
        assert!(most <= 1.0 + 1e-9, "{law:?} made energy: {most}");
    }
}

/// Elastic and smooth: energy is conserved but for the error of the method, which falls with the
/// square of the step (or faster: when a step happens to begin with the contact, its error is
/// smaller).
#[test]
fn elastic_clumps_conserve_energy_in_second_order() {
    let stuff = Material { stiffness: 1e4, ..material(1e7, 0.3, 1000.0) };
    let law = Law { normal: Normal::Hertz(Dashpot::Quarter), ..Law::HERTZ };
    let error = |step: f64| {
        let energies = collide(&stuff, law, Some(step));
        let square: f64 = energies.iter().map(|(before, after)| (after / before - 1.0).powi(2)).sum();
        (square / energies.len() as f64).sqrt()
    };
    let errors = [12e-6, 6e-6, 3e-6].map(error);
    println!("energy off by {errors:?} at steps of 12, 6, 3 µs");
    for pair in errors.windows(2) {
        assert!(pair[0] / pair[1] > 3.0, "{errors:?}");
    }
    assert!(errors[2] < 1e-6, "{errors:?}");
}
