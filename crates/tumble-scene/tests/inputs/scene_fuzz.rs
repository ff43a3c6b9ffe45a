//! Whole scenes, mutated: whatever the text, loading it neither panics nor hangs, and what loads is
//! fit to run.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tumble_scene::{Scene, SceneError, load_text};

use crate::mutation::{NUMBERS, Random, mutated};

/// Scenes that have every key between them, and few bodies.
const SEEDS: [&str; 4] = [
    r#"title = "Everything that falls"
solver = "granular"
law = "linear"
frames = [1001, 1048]
fps = 24
seed = 7
gravity = [0, 0, -9.81]
drag = 0.1
ground = -0.5

[bounds]
low = [-5, -5, -5]
high = [5, 5, 5]

[material.sand]
density = 2650
youngs_modulus = 1e7
poisson_ratio = 0.3
restitution = 0.5
friction = 0.5

[material."hard steel"]
rigid = true

[[pair]]
between = ["sand", "hard steel"]
restitution = 0.6
friction = 0.2

[shape.grain]
clump = "sphere"
radius = 0.01

[shape.pebble]
radius = 0.02

[[emitter]]
name = "hopper"
shape = "grain"
material = "sand"
count = 20
size = [0.8, 1.2]
start = 0
box = { low = [0, 0, 0], high = [0.1, 0.1, 0.1] }
pattern = "lattice"
spacing = 0.026
rotation = [0, 90, 0]
velocity = [0, 0, -1]
spin = [10, 0, 0]

[emitter.jitter]
position = 0.0005
velocity = 0.1
spin = 90
orientation = true

[[emitter]]
name = "sprinkler"
shape = "pebble"
material = "sand"
count = 10
box = { low = [1, 0, 0], high = [1.2, 0.2, 0.2] }
pattern = "random"

[expect]
bodies = "= 30"
deepest_overlap = "< 5 %"
mean_height = "0.2 ± 0.1"
highest = "0 to 1"
"#,
    r#"ground = 0
law = "hertz"

# Other restitutions take long to invert.
[material.ideal]
restitution = 1

[shape.bead]
radius = 0.05

[[emitter]]
count = 4
mesh = "cube.obj"
scale = 0.5

[[emitter]]
count = 50
rate = 100
start = 0.1
point = [0, 0, 3]
spread = 0.05
drift = [0.1, 0, 0]

[[emitter]]
count = 50
rate = 100
point = [0, 0, 3]

[[emitter.key]]
time = 0.5
position = [0, 0, 3]

[[emitter.key]]
time = 1
position = [1, 0, 3]

[[obstacle]]
name = "plate"
mesh = "cube.obj"
scale = 0.1
position = [0, 0, 2]

[[obstacle]]
plane = [1, 0, 0.5]
position = [-3, 0, 0]

[[obstacle]]
box = [0.05, 1, 0.3]
position = [2, 0, 0.15]
rotation = [0, 0, 45]
velocity = [0.1, 0, 0]
spin = [0, 0, 30]

[[obstacle]]
box = [0.1, 0.1, 0.1]

[[obstacle.key]]
time = 0
position = [3, 0, 0]

[[obstacle.key]]
time = 0.5
position = [3, 0, 1]
rotation = [0, 10, 0]
"#,
    r#"law = "linear"
step = 1e-5
skin = 0.001

[material.rubber]
stiffness = 1e4
restitution = 0.9

[[body]]
name = "first"
shape = "sphere"
material = "rubber"
position = [0, 0, 1]
rotation = [10, 20, 30]
velocity = [0, 1, 0]
spin = [0, 0, 360]
size = 2

[[body]]
position = [0, 0, 1.05]

[[body]]
position = [0.5, 0, 1.5]
"#,
    r#"ground = -1

[material.ideal]
restitution = 1

[[obstacle]]
name = "glass"
position = [0.1, 0.2, 0.3]
rotation = [0, 10, 0]

[obstacle.model]
kind = "hourglass"
neck = 0.03
bulb = 0.2
height = 0.4
wall = 0.004
segments = 24

[[obstacle]]
model = { kind = "hopper", section = "square", outlet = 0.05, top = 0.2, angle = 30, bin = 0.1, wall = 0.004 }
position = [2, 0, 0]

[[obstacle]]
model = { kind = "slope", height = 0.3, angle = 20, width = 0.4, flat = 0.2, wall = 0.01 }
position = [4, 0, 0]

[[obstacle]]
model = { kind = "ring", radius = 0.2, tube = 0.05, segments = 12 }
position = [6, 0, 0]
spin = [0, 0, 90]

[[obstacle]]
model = { kind = "o_block", lengths = [0.2, 0.2, 0.1], arm = 0.04 }
position = [8, 0, 0]

[[obstacle]]
model = { kind = "pole", radius = 0.05, height = 0.4, rounded = true }
position = [10, 0, 0]

[[obstacle]]
model = { kind = "blade", radius = 0.3, width = 0.6, height = 0.3, wall = 0.02 }
position = [12, 0, 0]

[[emitter]]
count = 20
inside = "glass"
part = "upper"

[[emitter]]
count = 20
inside = "obstacle 2"
pattern = "random"
"#,
];

const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
                    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// Numbers that are allowed somewhere and extreme everywhere.
const EXTREMES: [&str; 14] = [
    "1e-300", "1e-30", "1e-9", "1e-6", "1e-3", "-1e-9", "1e3", "1e6", "1e9", "1e12", "1e30", "1e300", "-1e300",
    "5e-324",
];

/// Words that no scene has.
const WORDS: [&str; 6] = ["é漢字", "\u{202e}\u{0}", "\"\"\"", "[[[[", "= = =", "\u{feff}"];

/// A folder with the mesh, of its own for each test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("cube.obj"), CUBE).unwrap();
    folder
}

fn load(text: &str, folder: &Path) -> Result<Scene, SceneError> {
    load_text("fuzzed", "fuzzed.toml", text, folder, &[])
}

/// Changes lines, values and bytes.
fn changed(seed: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = seed.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(3) {
        let [at, other] = [random.below(lines.len()), random.below(lines.len())];
        match random.below(9) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(other, lines[at].clone()),
            2 => lines.swap(at, other),
            // Values trade places.
            3 => {
                let value = |line: &str| line.split_once(" = ").map(|(_, value)| value.to_owned());
                if let (Some(one), Some(two)) = (value(&lines[at]), value(&lines[other])) {
                    lines[at] = lines[at].replace(&one, &two);
                }
            }
            4 => {
                let middle = lines[at].char_indices().nth(random.below(12)).map_or(0, |(byte, _)| byte);
                lines[at].insert_str(middle, WORDS[random.below(WORDS.len())]);
            }
            5 => {
                lines = String::from_utf8_lossy(&mutated(lines.join("\n").as_bytes(), random))
                    .lines()
                    .map(str::to_owned)
                    .collect()
            }
            _ => change_number(&mut lines[at], random),
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n")
}

/// Puts another number in the place of one in the line.
fn change_number(line: &mut String, random: &mut Random) {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let starts: Vec<usize> = line
        .char_indices()
        .filter(|&(at, c)| is_part(c) && !line[..at].ends_with(is_part) && !line[..at].ends_with(char::is_alphabetic))
        .map(|(at, _)| at)
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = starts[random.below(starts.len())];
    let length = line[start..].find(|c: char| !is_part(c) && c != 'e').unwrap_or(line.len() - start);
    let all = NUMBERS.len() + EXTREMES.len();
    let number = NUMBERS.iter().chain(&EXTREMES).nth(random.below(all)).unwrap();
    line.replace_range(start..start + length, number);
}

#[test]
fn seeds_are_good() {
    let folder = folder("seeds_are_good");
    for seed in SEEDS {
        let scene = load(seed, &folder).unwrap_or_else(|problem| panic!("{problem}"));
        assert_fit(&scene, seed, &folder);
    }
}

/// A scene that loads can run, and its own text loads as the same scene.
fn assert_fit(scene: &Scene, text: &str, folder: &Path) {
    let simulation = &scene.simulation;
    let step = simulation.step_length();
    assert!(step > 0.0 && step <= simulation.step_limit().unwrap().largest * (1.0 + 1e-9), "step {step:e}:\n{text}");
    let bodies = &simulation.world().bodies;
    for row in bodies.rows_by_id() {
        let (pose, motion, inertia) = (&bodies.pose[row], &bodies.motion[row], &bodies.inertia[row]);
        assert!(pose.position.is_finite() && pose.orientation.is_finite(), "{pose:?}:\n{text}");
        assert!(motion.velocity.is_finite() && motion.spin.is_finite(), "{motion:?}:\n{text}");
        assert!(inertia.mass > 0.0 && inertia.mass.is_finite(), "mass {}:\n{text}", inertia.mass);
        assert!(inertia.moments.x > 0.0 && inertia.moments.x.is_finite(), "moment {}:\n{text}", inertia.moments.x);
    }
    let again = load(&scene.resolved, folder).unwrap_or_else(|problem| panic!("{problem}\n{}", scene.resolved));
    assert_eq!(again.resolved, scene.resolved, "{text}");
    assert_eq!(again.simulation.state_hash(), simulation.state_hash(), "{text}");
}

#[test]
fn mutated_scenes_load_or_say_why_not() {
    let folder = folder("mutated_scenes_load_or_say_why_not");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut good, mut bad) = (0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    for _ in 0..1500 {
        for seed in SEEDS {
            let text = changed(seed, &mut random);
            let begin = Instant::now();
            match load(&text, &folder) {
                Ok(scene) => {
                    good += 1;
                    assert_fit(&scene, &text, &folder);
                }
                Err(problem) => {
                    bad += 1;
                    let words = problem.to_string();
                    assert!(!words.is_empty() && words.len() < 100_000, "{text}");
                }
            }
            let taken = begin.elapsed();
            if taken > slowest.0 {
                slowest = (taken, text);
            }
        }
    }
    assert!(good > 500 && bad > 500, "{good} good, {bad} bad");
    // The slowest take half a second, for a region of which the first million places are taken; the
    // rest is for busy machines.
    assert!(slowest.0 < Duration::from_secs(5), "{:?}:\n{}", slowest.0, slowest.1);
}
