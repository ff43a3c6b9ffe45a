//! At rest means at rest: a settled heap does not creep, though nothing ever puts a body to sleep.
//!
//! Friction and rolling springs with memory come to rest at a stretch that holds (Cundall & Strack
//! 1979); friction that only opposes motion lets a heap creep flat (Yee, Christara & Lait 2009, on
//! their model 1). So the default law with a little rolling friction must leave every clump where
//! it is, to a ten-thousandth of its size in a minute.

use glam::DVec3;
use tumble::emit::{Emitter, Jitter, Place, When};
use tumble::granular::Law;
use tumble::world::{BodyId, Clump, Material, Motion, Path, Pose, Shape};
use tumble::{Setup, Simulation};

use crate::common::emitter;
use crate::scene::{BASE, D, between, frame, grain, plane, settle, world};

/// Pours a heap of clumps, four spheres each, on a plane and waits until it has settled.
fn settled_heap(count: u64, seed: u64) -> Simulation {
    let stuff = Material { rolling_friction: 0.01, ..grain(0.5) };
    let mut world = world(Shape::named_clump("clump", Clump::Tetrahedron, 0.5 * D, 0.0).unwrap(), &stuff, 0.5);
    world.obstacles.push(plane("ground", BASE, DVec3::ZERO, DVec3::Z));
    let above = Pose { position: DVec3::new(0.0, 0.0, 0.14 + 2e-4 * count as f64), ..Pose::IDENTITY };
    let spout = Place::Point { path: Path::Fixed(above), spread: 4.0 * D };
    let pour = Emitter {
        motion: Motion { velocity: DVec3::new(0.0, 0.0, -0.5), spin: DVec3::ZERO },
        jitter: Jitter { position: 0.0, velocity: 0.1, spin: 3.0, orientation: true },
        ..emitter(0, count, When::Rate { per_second: 400.0, start: 0.0 }, spout)
    };
    // With the step that scenes have by default.
    let setup = Setup { emitters: vec![pour], seed, ..Setup::new(world, Law::HERTZ) };
    let mut simulation = Simulation::new(setup).unwrap();
    // Stragglers roll until rolling friction has stopped them.
    settle(&mut simulation, 0.0025 * count as f64 + 10.0);
    simulation
}

fn places(simulation: &Simulation) -> Vec<(BodyId, DVec3)> {
    let bodies = &simulation.world().bodies;
    bodies.rows_by_id().map(|row| (bodies.traits[row].id, bodies.pose[row].position)).collect()
}

/// How far any clump moves in a time \[s\], and all of them on average, in diameters of a clump.
fn creep(simulation: &mut Simulation, time: f64) -> (f64, f64) {
    let start = places(simulation);
    let size = 2.0 * simulation.world().radius(0);
    let end = simulation.time() + time;
    let mut energy = 0.0;
    while simulation.time() < end {
        energy = frame(simulation).kinetic_energy;
    }
    let moved: Vec<f64> =
        start.iter().zip(places(simulation)).map(|(from, to)| (to.1 - from.1).length() / size).collect();
    let mean = moved.iter().sum::<f64>() / moved.len() as f64;
    println!("{} clumps, {time} s: mean {mean:.1e}, kinetic energy {energy:.1e} J", moved.len());
    (moved.iter().copied().fold(0.0, f64::max), mean)
}

fn holds(count: u64, wait: f64, time: f64, seed: u64) {
    let mut simulation = settled_heap(count, seed);
    println!("settled after {:.2} s, step {:.1e} s", simulation.time(), simulation.step_length());
    // "Settled" is a millionth of the energy that lifts a clump by its size: still a visible speed.
    // Rest takes a little longer.
    let (first, _) = creep(&mut simulation, wait);
    println!("in the first {wait} s the farthest moves by {first:.1e} diameters");
    let (farthest, mean) = creep(&mut simulation, time);
    between("farthest any clump moves, in diameters", farthest, 0.0, 1e-4);
    between("mean", mean, 0.0, 1e-5);
}

#[test]
fn a_heap_of_clumps_stays() {
    holds(150, 2.0, 5.0, 1);
}

/// Six minutes.
#[test]
#[ignore = "full size: 1000 clumps for a minute"]
fn a_large_heap_of_clumps_stays_for_a_minute() {
    holds(1000, 5.0, 60.0, 1);
}
