//! Statics and the run agree on both sides of limits that have a closed form, 5 % away from them.

use glam::DVec3;
use tumble::rigid::Rigid;
use tumble::statics::{StaticAnalysis, StaticSettings, Statics, Touching, WholeVerdict};
use tumble::world::{BodyId, Material, MaterialId, Materials, NewBody, Shape, ShapeId, World};
use tumble::{Setup, Simulation};

/// A world of blocks with these lengths and this friction.
fn world(blocks: &[DVec3], friction: f64) -> World {
    let stuff = Material { friction, restitution: 0.0, rolling_friction: 0.0, ..Material::default() };
    let shapes = blocks.iter().map(|&lengths| Shape::cuboid("block", lengths).unwrap()).collect();
    World { shapes, materials: Materials::new(vec![stuff]), ..World::ground() }
}

fn put(world: &mut World, shape: u32, place: DVec3) -> BodyId {
    world.add(NewBody::new(ShapeId(shape), MaterialId(0), place)).unwrap()
}

/// Judges a world as a whole after its first steps, then lets it run for so many seconds without
/// sleep, and compares.
#[track_caller]
fn agree(what: &str, world: World, seconds: usize, stands: bool) {
    let rigid = Rigid { sleeping: false, ..Rigid::DEFAULT };
    let mut simulation = Simulation::new(Setup { fps: 60.0, ..Setup::new(world, rigid) }).unwrap();
    simulation.advance();
    let places = |simulation: &Simulation| {
        let bodies = &simulation.world().bodies;
        bodies.rows_by_id().map(|row| bodies.pose[row].position).collect::<Vec<_>>()
    };
    let (mut touching, mut statics) = (Touching::default(), Statics::default());
    simulation.fill_touching(&mut touching);
    let settings = StaticSettings { analysis: StaticAnalysis::Whole, ..StaticSettings::default() };
    statics.judge(&touching, &settings);
    let before = places(&simulation);
    (0..60 * seconds).for_each(|_| drop(simulation.advance()));
    let moved = before.iter().zip(&places(&simulation)).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    println!("{what}: {:?}, moved by {moved:.1e} m", statics.verdict());
    assert_eq!(statics.verdict() == WholeVerdict::Stands, stands, "{what}: {:?}", statics.verdict());
    assert_eq!(moved < 0.01, stands, "{what}: moved by {moved} m in {seconds} s");
}

/// A block slides beyond tan θ = μ and topples beyond b/h.
#[test]
fn blocks_on_slopes() {
    for (friction, height) in [(0.5, 0.1), (2.0, 0.4)] {
        let limit = f64::min(friction, 0.2 / height);
        for (share, stands) in [(0.95, true), (1.05, false)] {
            let mut world = world(&[DVec3::new(0.2, 0.2, height)], friction);
            let angle = (share * limit).atan();
            world.gravity = 9.81 * DVec3::new(angle.sin(), 0.0, -angle.cos());
            put(&mut world, 0, DVec3::new(0.0, 0.0, 0.5 * height));
            agree(&format!("slope, friction {friction}, {share} of the limit"), world, 5, stands);
        }
    }
}

/// A stack of n blocks of length L, each shifted by s against the one below: the upper n - 1 have
/// their centre n s/2 beyond that of the lowest, and fall about its edge beyond s = L/n.
#[test]
fn leaning_stacks() {
    for count in [3, 5] {
        for (share, stands) in [(0.95, true), (1.05, false)] {
            let mut world = world(&[DVec3::new(0.4, 0.2, 0.08)], 0.7);
            let shift = share * 0.4 / f64::from(count);
            for k in 0..count {
                put(&mut world, 0, DVec3::new(f64::from(k) * shift, 0.0, 0.04 + 0.08 * f64::from(k)));
            }
            agree(&format!("leaning stack of {count}, {share} of the limit"), world, 5, stands);
        }
    }
}

/// A plank of mass 1 with its centre 0.2 inside an edge and a block 0.3 outside falls beyond a mass
/// of 2/3 of the block.
#[test]
fn loaded_planks() {
    for (share, stands) in [(0.95, true), (1.05, false)] {
        // A table, a plank on it, and a block whose volume is in the ratio of the masses.
        let plank = DVec3::new(1.2, 0.2, 0.05);
        let height = share * (2.0 / 3.0) * plank.x * plank.y * plank.z / (0.1 * 0.2);
        let mut world = world(&[plank, DVec3::new(0.1, 0.2, height), DVec3::new(1.0, 0.4, 0.4)], 0.6);
        put(&mut world, 2, DVec3::new(-0.5, 0.0, 0.2));
        put(&mut world, 0, DVec3::new(-0.2, 0.0, 0.425));
        put(&mut world, 1, DVec3::new(0.3, 0.0, 0.45 + 0.5 * height));
        agree(&format!("plank with {share} of the load"), world, 5, stands);
    }
}
