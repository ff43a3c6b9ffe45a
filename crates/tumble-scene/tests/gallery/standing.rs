//! Towers held by friction alone stand for a minute with nothing asleep, and fall where friction
//! does not allow it.

use tumble_scene::{Scene, gallery, load_text};

fn load(name: &str, sets: &[String]) -> Scene {
    let (name, text) = gallery::find(name).unwrap();
    load_text(name, name, text, std::path::Path::new("."), sets).unwrap()
}

/// How far any body is from where it was after this many seconds, over its radius, and the fastest
/// speed then \[m/s\].
fn moved(scene: &mut Scene, seconds: f64) -> (f64, f64) {
    let simulation = &mut scene.simulation;
    let places = |simulation: &tumble::Simulation| -> Vec<_> {
        let bodies = &simulation.world().bodies;
        bodies.rows_by_id().map(|row| (bodies.pose[row].position, simulation.world().radius(row))).collect()
    };
    let before = places(simulation);
    while simulation.time() < seconds {
        simulation.advance();
    }
    let after = places(simulation);
    let far = before.iter().zip(&after).map(|((a, r), (b, _))| a.distance(*b) / r).fold(0.0, f64::max);
    let fastest = simulation.world().bodies.motion.iter().map(|motion| motion.velocity.length()).fold(0.0, f64::max);
    (far, fastest)
}

#[test]
fn the_tower_and_the_arch_stand_for_a_minute() {
    for name in ["cards", "arch"] {
        let mut scene = load(name, &[]);
        let (far, fastest) = moved(&mut scene, 60.0);
        println!("{name}: moved by {far:.1e} of a body in a minute, at the end {fastest:.1e} m/s");
        assert_eq!(scene.simulation.measure().awake, scene.simulation.world().bodies.len() as u64);
        assert!(far < 0.02 && fastest < 1e-3, "{name} moved by {far} of a body");
    }
}

#[test]
fn the_tower_and_the_arch_fall_on_ice() {
    // Two cards at 70° alone need a friction of 0.18; stones at the foot of an arch lean by far
    // more than atan 0.2.
    for (name, sets) in [
        ("cards", ["material.card.friction=0.15", "material.felt.friction=0.15"]),
        ("arch", ["material.stone.friction=0.2", "material.floor.friction=0.2"]),
    ] {
        let mut scene = load(name, &sets.map(String::from));
        let (far, _) = moved(&mut scene, 3.0);
        assert!(far > 1.0, "{name} moved by {far} of a body only");
    }
}
