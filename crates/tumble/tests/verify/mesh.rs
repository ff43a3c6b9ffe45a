//! Triangle meshes and boxes as obstacles: a floor of many triangles must feel like one plane.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};
use tumble::emit::{Emitter, Pattern, Place, Region, When};
use tumble::geometry::{Mesh, MeshSurface, Surface};
use tumble::granular::Law;
use tumble::world::{Material, MaterialId, Motion, Obstacle, Path, Pose, World};
use tumble::{Setup, Simulation};

use crate::common::{add, advance, close, emitter, material, state, world_without_floor};

/// A square floor of side 2 at z = 0 in `n` × `n` squares of two triangles.
fn tiled(n: u32) -> Surface {
    let corner = |k: u32| 2.0 * k as f64 / n as f64 - 1.0;
    let vertices = (0..=n).flat_map(|y| (0..=n).map(move |x| DVec3::new(corner(x), corner(y), 0.0))).collect();
    let square = |x: u32, y: u32| {
        let a = y * (n + 1) + x;
        [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
    };
    let triangles = (0..n).flat_map(|y| (0..n).flat_map(move |x| square(x, y))).collect();
    Surface::Mesh(Box::new(MeshSurface::new(Mesh::new(vertices, triangles).unwrap())))
}

fn rolling(surface: Surface, position: DVec3, velocity: DVec3, friction: f64) -> World {
    let stuff = Material { restitution: 0.5, friction, ..material(1e8, 0.3, 2500.0) };
    let mut world = world_without_floor(&stuff, &[0.02]);
    world.gravity = DVec3::new(0.0, 0.0, -9.81);
    world.obstacles = vec![Obstacle::new("floor", MaterialId(1), surface, Path::Fixed(Pose::IDENTITY))];
    add(&mut world, 0, position, velocity, velocity.cross(-DVec3::Z) / 0.02);
    world
}

/// A ball that rolls over a thousand edges keeps its speed and never hops: no ghost bumps.
#[test]
fn a_ball_rolls_over_triangles_as_over_a_plane() {
    let depth = 3.0e-6;
    let start = DVec3::new(-0.9, -0.31, 0.02 - depth);
    let velocity = DVec3::new(1.0, 0.37, 0.0);
    let after = |surface: Surface| {
        let world = rolling(surface, start, velocity, 0.5);
        let body = world.bodies.traits[0].id;
        let mut simulation = Simulation::new(Setup { fps: 200.0, ..Setup::new(world, Law::HERTZ) }).unwrap();
        let mut highest = 0.0f64;
        for _ in 0..300 {
            advance(&mut simulation);
            highest = highest.max(state(&simulation, body).0.z);
        }
        (state(&simulation, body), highest)
    };
    let ((plane, plane_motion), plane_top) = after(Surface::Plane);
    let ((mesh, mesh_motion), mesh_top) = after(tiled(40));
    assert!((plane - mesh).length() < 1e-6, "{plane} {mesh}");
    assert!((plane_motion.velocity - mesh_motion.velocity).length() < 1e-6);
    assert!(mesh_top < plane_top + 1e-9, "hopped to {mesh_top}, on the plane {plane_top}");
}

/// A flat floor of triangles pushes like a plane wherever the ball is: over faces, edges and
/// corners, with a touching disc that reaches over several triangles. One step, from which the
/// force is read.
#[test]
fn triangles_push_like_a_plane() {
    let (radius, depth) = (0.02, 1e-3);
    let push = |surface: &Surface, x: f64, y: f64| {
        let mut world = rolling(surface.clone(), DVec3::new(x, y, radius - depth), DVec3::ZERO, 0.5);
        world.gravity = DVec3::ZERO;
        let mut simulation = crate::common::stepping(world, Law::HERTZ, 1e-9);
        advance(&mut simulation);
        simulation.world().bodies.wrench[0].force
    };
    let tiles = tiled(20);
    let expected = push(&Surface::Plane, 0.0, 0.0);
    let (mut worst, mut at) = (0.0f64, DVec3::ZERO);
    // A tile has a side of 0.1 and its corner in the origin.
    for (i, j) in (0..21).flat_map(|i| (0..21).map(move |j| (i, j))) {
        let (x, y) = (0.0005 * (i as f64 - 10.0) + 1e-7, 0.0005 * (j as f64 - 10.0) + 3e-7);
        let off = (push(&tiles, x, y) - expected).length() / expected.length();
        if off > worst {
            (worst, at) = (off, DVec3::new(x, y, 0.0));
        }
    }
    println!("force of tiles over that of a plane: off by at most {worst:.1e}, at {at}");
    assert!(worst < 1e-6, "off by {worst} at {at}");
}

/// A ball dropped on a box, and on a floor of triangles, comes to rest at Hertz's depth.
#[test]
fn a_ball_rests_on_a_box_and_on_its_mesh_alike() {
    for surface in [Surface::Box(DVec3::new(1.0, 1.0, 0.1)), tiled(4)] {
        let top = if matches!(surface, Surface::Box(_)) { 0.1 } else { 0.0 };
        let world = rolling(surface, DVec3::new(0.31, 0.12, top + 0.03), DVec3::ZERO, 0.5);
        let body = world.bodies.traits[0].id;
        let mass = world.bodies.inertia[0].mass;
        let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
        (0..48).for_each(|_| advance(&mut simulation));
        let depth = (mass * 9.81 / (4.0 / 3.0 * 1e8 / (1.0 - 0.09) * 0.02f64.sqrt())).powf(2.0 / 3.0);
        close("depth", top + 0.02 - state(&simulation, body).0.z, depth, 1e-2);
    }
}

/// A driven floor carries a ball: friction takes the belt's velocity at the contact. A floor moving
/// at u under a ball at rest ends in rolling at v = 2u/7 (slide-to-roll in the frame of the belt).
#[test]
fn a_conveyor_belt_sets_a_ball_rolling() {
    let belt = 0.7;
    let mut world = rolling(tiled(40), DVec3::new(0.0, 0.0, 0.02), DVec3::ZERO, 0.3);
    let motion = Motion { velocity: DVec3::new(belt, 0.0, 0.0), spin: DVec3::ZERO };
    world.obstacles[0].path = Path::Constant(Pose::IDENTITY, motion);
    let body = world.bodies.traits[0].id;
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
    (0..12).for_each(|_| advance(&mut simulation));
    close("speed on the belt", state(&simulation, body).1.velocity.x, 2.0 / 7.0 * belt, 5e-3);
}

/// A plane that turns about a distant hinge lifts a ball: the list must follow the obstacle
/// although no body has moved.
#[test]
fn a_turning_plane_is_not_missed() {
    let mut world = rolling(Surface::Plane, DVec3::new(0.5, 0.0, 0.12), DVec3::ZERO, 0.5);
    world.gravity = DVec3::ZERO;
    // Turning about -y lifts the side of +x.
    let motion = Motion { velocity: DVec3::ZERO, spin: DVec3::new(0.0, -2.0, 0.0) };
    world.obstacles[0].path = Path::Constant(Pose::IDENTITY, motion);
    let body = world.bodies.traits[0].id;
    let mut simulation = Simulation::new(Setup::new(world, Law::HERTZ)).unwrap();
    (0..6).for_each(|_| advance(&mut simulation));
    let (position, motion) = state(&simulation, body);
    let normal = DQuat::from_rotation_y(-2.0 * simulation.time()) * DVec3::Z;
    assert!(position.dot(normal) > 0.0199, "the ball is in the plane: {}", position.dot(normal));
    assert!(motion.velocity.z > 0.5, "it was hit: {}", motion.velocity);
}

/// The lower half of a sphere of radius `r` about the origin, in `n` rings of `2 n` quads of two
/// triangles.
fn bowl(r: f64, n: u32) -> Mesh {
    let around = 2 * n;
    let vertex = |ring: u32, k: u32| {
        let (down, turn) = (ring as f64 / n as f64 * FRAC_PI_2, k as f64 / around as f64 * TAU);
        r * DVec3::new(down.cos() * turn.cos(), down.cos() * turn.sin(), -down.sin())
    };
    // The last ring is the lowest point, many times over; equal vertices are merged and empty
    // triangles dropped.
    let vertices = (0..=n)
        .flat_map(|ring| (0..around).map(move |k| if ring == n { -r * DVec3::Z } else { vertex(ring, k) }))
        .collect();
    let quad = |ring: u32, k: u32| {
        let (a, b) = (ring * around + k, ring * around + (k + 1) % around);
        [[a, a + around, b + around], [a, b + around, b]]
    };
    let triangles = (0..n).flat_map(|ring| (0..around).flat_map(move |k| quad(ring, k))).collect();
    Mesh::new(vertices, triangles).unwrap()
}

/// Balls poured into a bowl of triangles stay on its inner side and come to rest at its bottom.
#[test]
fn a_bowl_of_triangles_holds_what_is_poured_into_it() {
    let stuff = Material { restitution: 0.3, friction: 0.3, ..material(1e7, 0.3, 2500.0) };
    let mut world = world_without_floor(&stuff, &[0.012]);
    world.gravity = DVec3::new(0.0, 0.0, -9.81);
    let skin = Surface::Mesh(Box::new(MeshSurface::new(bowl(0.2, 12))));
    world.obstacles = vec![Obstacle::new("bowl", MaterialId(1), skin, Path::Fixed(Pose::IDENTITY))];
    let spout = Pose { position: DVec3::new(0.05, 0.0, 0.2), ..Pose::IDENTITY };
    let spout = Place::Point { path: Path::Fixed(spout), spread: 0.06 };
    let emitter = Emitter {
        size: [0.9, 1.1],
        motion: Motion { velocity: DVec3::new(0.0, 0.0, -1.0), spin: DVec3::ZERO },
        ..emitter(0, 200, When::Rate { per_second: 400.0, start: 0.0 }, spout)
    };
    let mut simulation = Simulation::new(Setup { emitters: vec![emitter], ..Setup::new(world, Law::HERTZ) }).unwrap();
    (0..72).for_each(|_| advance(&mut simulation));
    let bodies = &simulation.world().bodies;
    assert_eq!(bodies.len(), 200);
    for pose in &bodies.pose {
        // The flat triangles lie inside the sphere, and the smallest ball has a radius of 10.8 mm.
        assert!(pose.position.length() < 0.2 - 0.0105 && pose.position.z < 0.0, "{}", pose.position);
    }
    let deepest = bodies.pose.iter().map(|pose| pose.position.z).fold(0.0, f64::min);
    assert!(deepest < -0.18, "they lie at the bottom: {deepest}");
    let fastest = bodies.motion.iter().map(|motion| motion.velocity.length()).fold(0.0, f64::max);
    assert!(fastest < 0.05, "they have all but settled: {fastest} m/s");
}

/// The inside of a tube of radius `r` along y, in `n` facets of two triangles.
fn tube(r: f64, n: u32) -> Surface {
    let corner = |k: u32, y: f64| {
        let angle = f64::from(k) / f64::from(n) * TAU;
        DVec3::new(r * angle.sin(), y, -r * angle.cos())
    };
    let vertices = (0..n).flat_map(|k| [corner(k, -0.2), corner(k, 0.2)]).collect();
    let facet = |k: u32| {
        let (a, b) = (2 * k, 2 * ((k + 1) % n));
        [[a, b, b + 1], [a, b + 1, a + 1]]
    };
    Surface::Mesh(Box::new(MeshSurface::new(Mesh::new(vertices, (0..n).flat_map(facet).collect()).unwrap())))
}

/// The remaining energy of a ball of 3 cm that swings by 10° in a tube of `facets`, R = 0.5 m,
/// after 12 s: the lowest and the highest one-second mean of the last six. The work that bends the
/// ball, 2/5 k x^{5/2}, counts.
fn swing(facets: u32, youngs_modulus: f64, friction: f64, restitution: f64, step: Option<f64>) -> [f64; 2] {
    let (r, g, tilt) = (0.03, 9.81, 10f64.to_radians());
    let stuff = Material { friction, restitution, rolling_friction: 0.0, ..material(youngs_modulus, 0.3, 2500.0) };
    let mut world = world_without_floor(&stuff, &[r]);
    world.gravity = DVec3::new(0.0, 0.0, -g);
    world.obstacles = vec![Obstacle::new("tube", MaterialId(0), tube(0.5, facets), Path::Fixed(Pose::IDENTITY))];
    // Over the middle of the facet that is nearest to the angle, as deep as its weight presses it.
    let facet = TAU / f64::from(facets);
    let angle = ((tilt / facet).floor() + 0.5) * facet;
    let mass = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3) * 2500.0;
    let modulus = youngs_modulus / (2.0 * (1.0 - 0.09));
    let depth = (mass * g * angle.cos() / (4.0 / 3.0 * modulus * r.sqrt())).powf(2.0 / 3.0);
    let length = 0.5 * (0.5 * facet).cos() - r + depth;
    let body = add(&mut world, 0, length * DVec3::new(angle.sin(), 0.01, -angle.cos()), DVec3::ZERO, DVec3::ZERO);
    let bends = |depth: f64| 0.4 * (4.0 / 3.0 * modulus * r.sqrt()) * depth.powf(2.5);
    let swing = mass * g * length * (1.0 - angle.cos());
    let mut simulation = Simulation::new(Setup { fps: 200.0, step, ..Setup::new(world, Law::HERTZ) }).unwrap();
    let energy = |simulation: &Simulation| {
        let height = state(simulation, body).0.z + length;
        let bent = bends(simulation.measure().deepest_overlap * r) - bends(depth);
        (tumble::measure::kinetic_energy(simulation.world()) + mass * g * height + bent) / swing
    };
    let means: Vec<f64> = (0..12)
        .map(|_| {
            let second = (0..200).map(|_| {
                advance(&mut simulation);
                energy(&simulation)
            });
            second.sum::<f64>() / 200.0
        })
        .collect();
    let last = &means[6..];
    [last.iter().copied().fold(f64::INFINITY, f64::min), last.iter().copied().fold(0.0, f64::max)]
}

/// In a frictionless tube of facets with restitution 1 nothing changes the energy of a ball: inner
/// edges of a mesh are not felt as kicks. At the default step and at a small one.
#[test]
fn inner_edges_add_no_energy() {
    for (facets, modulus) in [(64, 1e7), (128, 1e7), (256, 1e7), (256, 1e9), (1024, 1e7)] {
        for (step, allowed) in [(None, 0.01), (Some(if modulus > 1e8 { 5e-6 } else { 5e-5 }), 0.001)] {
            let [low, high] = swing(facets, modulus, 0.0, 1.0, step);
            println!(
                "{facets} facets, {modulus:e} Pa, step {step:?}: energy expected 1, got {low:.4} to {high:.4}, allowed ± {allowed}"
            );
            assert!((low - 1.0).abs() < allowed && (high - 1.0).abs() < allowed, "{facets} facets: {low} to {high}");
        }
    }
}

/// A ball that rolls to and fro in a tube of facets loses energy at every edge, and never gains
/// any.
#[test]
fn a_ball_that_rolls_over_inner_edges_slows_down() {
    for (facets, restitution) in [(64, 0.5), (128, 0.5), (256, 0.5), (256, 0.9)] {
        let [low, high] = swing(facets, 1e7, 0.5, restitution, None);
        println!("{facets} facets, restitution {restitution}: energy {low:.4} to {high:.4}, allowed up to 1");
        assert!(high < 1.0 && low > 0.2, "{facets} facets: {low} to {high}");
    }
}

/// Bodies that fill the inside of a closed mesh lie in it with their whole volume.
#[test]
fn a_mesh_is_filled_inside_only() {
    let stuff = material(1e7, 0.3, 2500.0);
    let half = bowl(0.2, 12);
    // Closed by a lid: a fan over the rim, whose vertices are the first ring.
    let rim: Vec<u32> = (0..24).collect();
    let mut triangles = half.triangles().to_vec();
    triangles.extend((1..23).map(|k| [rim[0], rim[k], rim[k + 1]]));
    let region = MeshSurface::new(Mesh::new(half.vertices().to_vec(), triangles).unwrap());
    assert!(region.is_closed());
    for pattern in [Pattern::Lattice(None), Pattern::Random] {
        let inside = Place::Region { region: Region::Mesh(Box::new(region.clone())), pattern };
        let emitter = Emitter { size: [0.7, 1.0], ..emitter(0, 150, When::AtOnce(0.0), inside) };
        let world = world_without_floor(&stuff, &[0.015]);
        let simulation = Simulation::new(Setup { emitters: vec![emitter], ..Setup::new(world, Law::HERTZ) }).unwrap();
        let bodies = &simulation.world().bodies;
        assert_eq!(bodies.len(), 150);
        for (pose, traits) in bodies.pose.iter().zip(&bodies.traits) {
            let depth = -region.signed_distance(pose.position);
            assert!(depth >= 0.015 * traits.size * (1.0 - 1e-6), "{} is {depth} inside", pose.position);
        }
        assert!(tumble::measure::overlaps(simulation.world()).is_empty());
    }
}
