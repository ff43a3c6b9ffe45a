//! Janssen: the walls of a tall column carry all weight but that of the lowest few diameters.
//!
//! σ(z) = (ρ_b g D / 4 μ_w K) (1 - exp(-4 μ_w K z/D)) with friction of the walls fully mobilised
//! (Janssen 1895). A square column of side D is the same, as area over perimeter is D/4 too.
//! Friction is mobilised by lowering the base a little. Without friction of the walls the base
//! carries everything, exactly.
//!
//! The engine tells no forces on obstacles. The base is a plane, and at rest its contacts push with
//! Hertz's force of their overlap and rub only sideways, so the sum of these forces over the lowest
//! grains is the force on the base; likewise the sideways pressure on the walls.

use glam::DVec3;
use tumble::Simulation;
use tumble::world::{Key, Material, Path, Pose, Shape};

use crate::scene::{BASE, D, G, between, filling, grain, near, plane, run, settled_energy, simulate, walls, world};

/// Friction of the walls, below that among grains, so that these slide along the wall and do not
/// roll.
const WALL_FRICTION: f64 = 0.25;

/// How far the base comes down \[m\].
const LOWERED: f64 = 0.5 * D;

/// Sums of the forces on the base and on the walls up to one width, the weight \[N\], and the
/// height of the column \[m\].
struct Carried {
    base: f64,
    walls: f64,
    weight: f64,
    height: f64,
}

fn stuff() -> Material {
    Material { youngs_modulus: 4e6, ..grain(0.5) }
}

/// A column of this width and filling depth, in diameters, at rest on its lowered base.
fn column(width: f64, depth: f64, wall_friction: f64, seed: u64) -> Carried {
    let half = 0.5 * width * D;
    let mut world = world(Shape::ball("grain", 0.5 * D).unwrap(), &stuff(), wall_friction);
    world.obstacles = walls([half, half]);
    // Grains fall slowly and come to rest soon.
    world.drag = 30.0;
    let count = (0.6 * width * width * depth * 6.0 / std::f64::consts::PI) as u64;
    let (lowering, lowered) = (0.5 + 0.008 * depth, 0.3);
    let mut base = plane("base", BASE, DVec3::ZERO, DVec3::Z);
    base.path = Path::Keys(vec![
        Key { time: lowering, pose: Pose::IDENTITY },
        Key { time: lowering + lowered, pose: Pose { position: DVec3::NEG_Z * LOWERED, ..Pose::IDENTITY } },
    ]);
    world.obstacles.push(base);
    let corner = |z: f64| DVec3::new(half, half, z * D);
    let fill = filling(count, corner(0.0) * DVec3::new(-1.0, -1.0, 1.0), corner(3.0 * depth));
    let mut simulation = simulate(world, vec![fill], seed);
    run(&mut simulation, lowering + lowered);
    run(&mut simulation, 0.3);
    let deepest = run(&mut simulation, 0.02);
    let energy = tumble::measure::kinetic_energy(simulation.world());
    let carried = carried(&simulation, half);
    println!(
        "{count} grains, {:.1} of {:.1} N on the base, deepest overlap {deepest:.3}, {:.1e} of the energy that is settled",
        carried.base,
        carried.weight,
        energy / settled_energy(&simulation)
    );
    carried
}

fn carried(simulation: &Simulation, half: f64) -> Carried {
    let stuff = stuff();
    let world = simulation.world();
    let radius = 0.5 * D;
    let stiffness = 4.0 / 3.0 * stuff.youngs_modulus / (1.0 - stuff.poisson_ratio.powi(2)) * radius.sqrt();
    let push = |distance: f64| stiffness * (radius - distance).max(0.0).powf(1.5);
    let mut sum = Carried { base: 0.0, walls: 0.0, weight: 0.0, height: 0.0 };
    for (pose, inertia) in world.bodies.pose.iter().zip(&world.bodies.inertia) {
        let place = pose.position;
        sum.base += push(place.z + LOWERED);
        if place.z < 2.0 * half {
            sum.walls += push(half - place.x.abs()) + push(half - place.y.abs());
        }
        sum.weight += inertia.mass * G;
        sum.height = sum.height.max(place.z + radius);
    }
    sum
}

/// The base's share of the weight by Janssen's law, with K, the sideways over the vertical stress,
/// from the lowest part of the column, one width high.
fn law(column: &Carried, width: f64, friction: f64) -> f64 {
    let side = width * D;
    let k = column.walls / (4.0 * side * side) / (column.base / (side * side));
    let depth = side / (4.0 * friction * k);
    println!("K = {k:.2}");
    depth / column.height * (1.0 - (-column.height / depth).exp())
}

/// The share of the base, five widths deep, over that of the law.
fn saturates(width: f64, seed: u64) -> f64 {
    let [shorter, taller] = [4.0, 5.0].map(|depth| column(width, depth * width, WALL_FRICTION, seed));
    between("base force over weight, five widths deep", taller.base / taller.weight, 0.0, 0.6);
    between("base force five widths deep over that of four", taller.base / shorter.base, 0.0, 1.1);
    let law = law(&taller, width, WALL_FRICTION);
    println!("base force over weight by Janssen's law: {law:.3}");
    taller.base / taller.weight / law
}

#[test]
fn the_base_of_a_tall_column_carries_little() {
    near("base force over Janssen's", saturates(8.0, 1), 1.0, 0.25);
}

#[test]
#[ignore = "full size: ten diameters wide, three seeds, minutes"]
fn the_base_of_a_wide_column_carries_what_janssen_says() {
    let ratios = [1, 2, 3].map(|seed| saturates(10.0, seed));
    println!("{ratios:.2?}");
    near("mean base force over Janssen's", ratios.iter().sum::<f64>() / 3.0, 1.0, 0.15);
}

#[test]
fn the_base_between_smooth_walls_carries_all() {
    let column = column(8.0, 12.0, 0.0, 1);
    near("base force over weight", column.base / column.weight, 1.0, 0.01);
}
