//! Runs in which numbers could stop being numbers: fast spins stay right, and what cannot go on
//! says so and ends.

use crate::common::Place;

/// Dice of a centimetre thrown at the ground at 85 m/s: they turn by more than two radians in a
/// substep.
const SPIN: &str = r#"solver = "rigid"
ground = 0
frames = [1, 60]
[material.a]
friction = 1
[shape.die]
box = [0.01, 0.01, 0.01]
[[emitter]]
count = 40
rate = 400
point = [0, 0, 0.3]
spread = 0.05
velocity = [60, 0, -60]
jitter = { orientation = true, velocity = 2 }
[bounds]
low = [-500, -500, -500]
high = [500, 500, 500]
"#;

/// A cube at 2,500 turns per minute, with one substep per step.
const CUBE: &str = r#"solver = "rigid"
ground = 0
frames = [1, 60]
substeps = 1
[shape.a]
box = [0.3, 0.3, 0.3]
[[body]]
position = [0, 0, 0.5]
spin = [0, 0, 15000]
"#;

/// A lone ball at 300,000 turns per second.
const BALL: &str = r#"frames = [1, 10]
gravity = [0, 0, 0]
[shape.a]
radius = 0.01
[[body]]
spin = [1e8, 1e8, 1e8]
"#;

/// Rows of an export: numbers by column.
fn rows(place: &Place, run: &str) -> Vec<Vec<f64>> {
    place.tumble(&format!("export {run} --to csv -o rows.csv --force")).expect(0);
    let text = place.read("rows.csv");
    let first = text.lines().next().unwrap();
    let columns: Vec<usize> = ["z", "qw", "qx", "qy", "qz"]
        .iter()
        .map(|name| first.split(',').position(|column| column == *name).unwrap_or_else(|| panic!("{name} in {first}")))
        .collect();
    let number = |row: &str, column: usize| row.split(',').nth(column).unwrap().parse().unwrap();
    text.lines().skip(1).map(|row| columns.iter().map(|&column| number(row, column)).collect()).collect()
}

#[test]
fn fast_spins_leave_orientations_of_length_one() {
    let place = Place::new("fast_spins_leave_orientations_of_length_one");
    let tries = [
        ("dice", SPIN.to_string()),
        ("balls", SPIN.replace("box = [0.01, 0.01, 0.01]", "radius = 0.005")),
        ("beads", SPIN.replace("box = [0.01, 0.01, 0.01]", "radius = 0.001").replace("60, 0, -60", "10, 0, -10")),
        ("cube", CUBE.to_string()),
        ("ball", BALL.to_string()),
    ];
    for (name, scene) in tries {
        place.write("scene.toml", scene);
        place.tumble(&format!("run scene.toml -o {name} --no-preview")).expect(0);
        let stats = place.read(&format!("{name}/stats.csv"));
        assert!(!stats.contains("NaN") && !stats.contains("inf"), "{name}: {stats}");
        for row in rows(&place, name) {
            let length = row[1..].iter().map(|q| q * q).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() < 1e-5, "{name}: {row:?}");
            assert!(row[0] > -0.01, "{name} is below the ground: {row:?}");
        }
    }
}
