//! Models as obstacles and as what emitters fill: what is there, what is filled, and what is
//! refused with which words.

use std::path::Path;

use glam::DVec3;
use tumble::geometry::Surface;
use tumble_scene::{Scene, SceneError, load_text};

fn load(text: &str) -> Result<Scene, SceneError> {
    load_text("scene", "scene.toml", text, Path::new("."), &[])
}

fn good(text: &str) -> Scene {
    load(text).unwrap_or_else(|problem| panic!("{text}\n{problem}"))
}

/// First lines of all problems, and the helps.
fn problems(text: &str) -> (Vec<String>, String) {
    let problems = load(text).expect_err(text).to_string();
    let first = problems.split("\n\n").map(|problem| problem.lines().next().unwrap_or("").to_owned()).collect();
    let help = problems.lines().filter(|line| line.starts_with("help: ")).collect::<Vec<_>>().join("\n");
    (first, help)
}

/// A scene with one model and a body out of its way.
fn with_model(model: &str) -> String {
    format!("[[body]]\nposition = [50, 0, 0]\n[[obstacle]]\nmodel = {{ {model} }}\n")
}

/// The shortest text of every kind, and the box it takes up.
const EVERY_KIND: [(&str, [f64; 3], [f64; 3]); 25] = [
    ("kind = \"ring\", radius = 1, tube = 0.5", [-1.5, -1.5, -0.5], [1.5, 1.5, 0.5]),
    ("kind = \"ball\", radius = 1, segments = 6", [-0.89443, -0.85065, -1.0], [0.89443, 0.85065, 1.0]),
    ("kind = \"cylinder\", radius = 1, height = 3", [-1.0, -1.0, -1.5], [1.0, 1.0, 1.5]),
    ("kind = \"pole\", radius = 1, height = 3", [-1.0, -1.0, 0.0], [1.0, 1.0, 3.0]),
    ("kind = \"block\", lengths = [1, 2, 3]", [-0.5, -1.0, -1.5], [0.5, 1.0, 1.5]),
    ("kind = \"o_block\", lengths = [1, 2, 3], arm = 0.2", [-0.5, -1.0, -1.5], [0.5, 1.0, 1.5]),
    ("kind = \"cross\", lengths = [1, 2, 3], arm = 0.2", [-0.5, -1.0, -1.5], [0.5, 1.0, 1.5]),
    // Equal arms: the middle of both, weighed with 2 and 1.
    ("kind = \"l_block\", lengths = [2, 2, 1], arm = 1", [-5.0 / 6.0, -5.0 / 6.0, -0.5], [7.0 / 6.0, 7.0 / 6.0, 0.5]),
    ("kind = \"tetrahedron\", edge = 1", [-0.28868, -0.5, -0.20412], [0.57735, 0.5, 0.61237]),
    ("kind = \"slope\", height = 1, angle = 45, width = 2", [-1.0, -1.0, -0.005], [0.0, 1.0, 1.0]),
    ("kind = \"blade\", radius = 1, width = 4, height = 2", [-1.005, -2.0, 0.0], [0.0, 2.0, 2.0]),
    ("kind = \"container\", lengths = [1, 2, 3]", [-0.505, -1.005, -0.005], [0.505, 1.005, 3.0]),
    ("kind = \"tube\", radius = 1, height = 3", [-1.005, -1.005, 0.0], [1.005, 1.005, 3.0]),
    ("kind = \"hopper\", outlet = 1, top = 3, angle = 45", [-1.505, -1.505, 0.0], [1.505, 1.505, 1.0]),
    ("kind = \"brick\"", [-0.12, -0.0575, -0.0355], [0.12, 0.0575, 0.0355]),
    ("kind = \"card\"", [-0.044, -0.0315, -0.00015], [0.044, 0.0315, 0.00015]),
    ("kind = \"stick\"", [-0.01, -0.01, -0.15], [0.01, 0.01, 0.15]),
    ("kind = \"book\"", [-0.075, -0.11, -0.0175], [0.075, 0.11, 0.0175]),
    ("kind = \"tyre\"", [-0.32, -0.32, -0.1], [0.32, 0.32, 0.1]),
    ("kind = \"banana\", length = 1", [-0.53977, -0.10542, -0.13823], [0.46023, 0.10542, 0.18642]),
    ("kind = \"chair\"", [-0.21, -0.21, 0.0], [0.21, 0.21, 0.9]),
    ("kind = \"cart\"", [-0.5, -0.38, 0.0], [0.95, 0.38, 0.56]),
    ("kind = \"figure\"", [-0.13674, -0.49941, 0.0], [0.21384, 0.49954, 1.8]),
    ("kind = \"rabbit\"", [-0.14313, -0.09023, 0.0], [0.13811, 0.09023, 0.3]),
    ("kind = \"hourglass\", neck = 1, bulb = 2, height = 4", [-1.005, -1.005, -2.005], [1.005, 1.005, 2.005]),
];

#[test]
fn every_kind_is_an_obstacle() {
    for (model, low, high) in EVERY_KIND {
        let scene = good(&with_model(model));
        let Surface::Mesh(mesh) = &scene.simulation.world().obstacles[0].surface else { panic!("{model}") };
        let bounds = mesh.mesh().bounds();
        let off = (bounds.0 - DVec3::from(low)).abs().max((bounds.1 - DVec3::from(high)).abs());
        assert!(off.max_element() < 1e-4, "{model}: {bounds:?}");
        assert!(mesh.is_closed(), "{model}");
    }
}

/// Things that need no measures fall, lie and are what they are for the rigid solver too.
#[test]
fn every_thing_is_a_body() {
    for (kind, parts) in [
        ("banana", 6),
        ("book", 4),
        ("brick", 1),
        ("card", 1),
        ("cart", 16),
        ("chair", 10),
        ("figure", 14),
        ("rabbit", 12),
        ("stick", 1),
        ("tyre", 48),
    ] {
        let text = format!(
            "solver = \"rigid\"\nground = 0\n[shape.thing]\nmodel = {{ kind = \"{kind}\" }}\n[[body]]\nposition = [0, 0, 3]\n"
        );
        let scene = good(&text);
        assert_eq!(scene.simulation.world().shapes[0].parts.len(), parts, "{kind}");
        assert_eq!(good(&scene.resolved).resolved, scene.resolved, "{kind}");
    }
}

/// A promise about what runs through needs something to run through.
#[test]
fn a_rate_needs_an_outlet() {
    let text = |model: &str, word: &str| format!("[expect]\n{word} = \"< 5 %\"\n{}", with_model(model));
    let hopper = "kind = \"hopper\", outlet = 0.1, top = 0.4";
    good(&text(hopper, "rate_spread"));
    let (found, help) = problems(&text("kind = \"ball\", radius = 1", "rate_spread"));
    assert_eq!(found, ["scene.toml:2:15: nothing here has an outlet whose rate could be even"]);
    assert!(help.contains("hopper or hourglass"), "{help}");
    for (wrong, right) in [("rate_spred", "rate_spread"), ("repose_angel", "repose_angle"), ("packin", "packing")] {
        let (found, help) = problems(&text(hopper, wrong));
        assert!(found[0].contains(&format!("unknown key `{wrong}`")), "{found:?}");
        assert!(help.contains(&format!("did you mean `{right}`?")), "{help}");
    }
}

/// An unknown kind is answered with all kinds, and a key of another kind is no key.
#[test]
fn kinds_and_their_keys() {
    let (found, help) = problems(&with_model("kind = \"hoper\", outlet = 1"));
    let kinds: Vec<&str> = EVERY_KIND.iter().map(|(model, ..)| model.split('"').nth(1).unwrap()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(kinds.iter().all(|kind| found[0].contains(kind)), "{found:?}");
    assert_eq!(help, "help: did you mean \"hopper\"?");
    let (found, help) = problems(&with_model("outlet = 1"));
    assert_eq!(found, ["scene.toml:4:9: `kind` is missing in [obstacle[0].model]"]);
    assert!(kinds.iter().all(|kind| help.contains(kind)), "{help}");
    let (found, help) = problems(&with_model("kind = \"ball\", radius = 1, outlet = 2"));
    assert_eq!(found, ["scene.toml:4:38: unknown key `outlet` in [obstacle[0].model]"]);
    assert!(help.contains("allowed keys: kind, radius, segments"), "{help}");
    let (found, _) = problems("[[body]]\n[[obstacle]]\nmodel = \"hopper\"\n");
    assert_eq!(found, ["scene.toml:3:9: `model` must be a table, found a string \"hopper\""]);
    let (found, _) = problems(&format!("{}box = [1, 1, 1]\n", with_model("kind = \"ball\", radius = 1")));
    assert_eq!(found, ["scene.toml:4:9: `obstacle[0]` needs one of plane, box, mesh, model; it has box and model"]);
}

/// One problem each, at the value that is wrong. A number that is wrong by itself is not blamed for
/// what others are.
#[test]
fn impossible_models_are_explained() {
    let cases = [
        ("kind = \"hourglass\", neck = 0.3, bulb = 0.2, height = 1", "0.3", "a neck of 0.3 m is not narrower than"),
        ("kind = \"hopper\", outlet = 0.3, top = 0.2", "0.3", "an outlet of 0.3 m is not narrower than the top"),
        ("kind = \"hopper\", outlet = 0.1, top = 0.2, wall = 3", "3 ", "a wall of 3 m is too thick for"),
        ("kind = \"hopper\", outlet = 0.1, top = 0.2, angle = 90", "90", "`angle` must be from 1 to 89, got 90"),
        ("kind = \"ring\", radius = 0.1, tube = 0.2", "0.2", "a tube of radius 0.2 m leaves no hole"),
        ("kind = \"ring\", radius = 0, tube = 0.2", "0,", "`radius` must be from 0.000000001 to 1000000000, got 0"),
        ("kind = \"ring\", tube = 0.2", "{ kind", "`radius` is missing in [obstacle[0].model]"),
        ("kind = \"ball\", radius = -1", "-1", "`radius` must be from "),
        ("kind = \"ball\", radius = 1, segments = 5", "5", "`segments` must be from 6 to 256, got 5"),
        ("kind = \"tube\", radius = 1, height = 1, wall = 1e-8", "1e-8", "`wall` is less than a millionth"),
        ("kind = \"o_block\", lengths = [1, 2, 3], arm = 0.5", "0.5", "a frame 0.5 m wide leaves no hole"),
        ("kind = \"block\", lengths = [1, 2]", "[1, 2]", "`lengths` must have 3 numbers, found 2"),
        ("kind = \"pole\", radius = 2, height = 1, rounded = true", "1,", "a round top of radius 2 m does not fit"),
        ("kind = \"stick\", length = 0.02", "0.02", "a stick that is 0.02 m long cannot have a radius of 0.01 m"),
        ("kind = \"tyre\", radius = 0.1, hole = 0.2", "0.2", "a hole of radius 0.2 m leaves too little of a tyre"),
        ("kind = \"rabbit\", height = 0", "0 ", "`height` must be from 0.000000001 to 1000000000, got 0"),
        ("kind = \"blade\", radius = 0.4, width = 1, height = 1", "0.4", "a bend of radius 0.4 m is not 1 m high"),
    ];
    for (model, at, what) in cases {
        let text = with_model(model);
        let column = text.lines().nth(3).unwrap().find(at).unwrap() + 1;
        let (found, _) = problems(&text);
        assert_eq!(found.len(), 1, "{model}: {found:?}");
        assert!(found[0].starts_with(&format!("scene.toml:4:{column}: {what}")), "{model}: {found:?}");
    }
}

const HOURGLASS: &str = "kind = \"hourglass\", neck = 0.1, bulb = 0.6, height = 1.2, wall = 0.02";

/// Bodies of an emitter inside a turned and moved model, in the model's own axes.
fn born(model: &str, emitter: &str) -> Vec<DVec3> {
    let text = format!(
        "gravity = [0, 0, 0]\n[[obstacle]]\nname = \"it\"\nmodel = {{ {model} }}\nposition = [3, -2, 1]\n\
         rotation = [20, 30, 40]\n[[emitter]]\ninside = \"it\"\n{emitter}\n"
    );
    let scene = good(&text);
    assert_eq!(good(&scene.resolved).resolved, scene.resolved);
    let world = scene.simulation.world();
    world.bodies.pose.iter().map(|pose| world.obstacles[0].pose.to_local(pose.position)).collect()
}

#[test]
fn an_emitter_fills_a_model_where_it_stands() {
    let upper = born(HOURGLASS, "count = 900");
    assert_eq!(upper.len(), 900);
    assert!(upper.iter().all(|at| at.z > 0.01 - 1e-6 && at.z < 0.59 && at.truncate().length() < 0.29));
    let lower = born(HOURGLASS, "count = 900\npart = \"lower\"\npattern = \"random\"");
    assert!(lower.iter().all(|at| at.z < -0.01 + 1e-6 && at.z > -0.59 && at.truncate().length() < 0.29));
    // Straight up the lattice stands on the floor itself: the millionth that the cavity is smaller
    // is all that is lost.
    let text = "[[obstacle]]\nname = \"it\"\nmodel = { kind = \"container\", lengths = [0.2, 0.2, 0.2] }\n\
                position = [0.1, 0.7, 0.3]\n[[emitter]]\ninside = \"it\"\ncount = 729\n";
    let scene = good(text);
    let lowest = scene.simulation.world().bodies.pose.iter().map(|pose| pose.position.z).fold(f64::MAX, f64::min);
    assert!(lowest > 0.31 && lowest < 0.31 + 1e-6, "{lowest}");
}

/// The cavity is where the model is when the emitter begins.
#[test]
fn a_moving_model_is_filled_where_it_is_then() {
    let text = "gravity = [0, 0, 0]\nfps = 10\n[[obstacle]]\nname = \"it\"\nvelocity = [1, 0, 0]\n\
                model = { kind = \"tube\", radius = 0.1, height = 0.5 }\n[[emitter]]\ninside = \"it\"\ncount = 20\nstart = 2\n";
    let mut scene = good(text);
    while scene.simulation.world().bodies.len() < 20 {
        assert!(scene.simulation.time() < 2.2);
        scene.simulation.advance();
    }
    let x = |pose: &tumble::world::Pose| pose.position.x;
    assert!(scene.simulation.world().bodies.pose.iter().all(|pose| (x(pose) - 2.0).abs() < 0.2));
}

/// Bodies inside a model stay inside: its walls hold.
#[test]
fn a_container_holds_its_bodies() {
    let text = "frames = [1, 30]\n[[obstacle]]\nname = \"it\"\nmodel = { kind = \"hourglass\", neck = 0.01, bulb = 0.2, height = 0.3 }\n\
                [[emitter]]\ninside = \"it\"\ncount = 60\n";
    let mut scene = good(text);
    for _ in 0..29 {
        scene.simulation.advance();
    }
    let bodies = &scene.simulation.world().bodies;
    assert_eq!(bodies.len(), 60);
    for pose in &bodies.pose {
        // The neck is narrower than a body; none gets through, none leaves.
        assert!(pose.position.z > 0.0 && pose.position.z < 0.14, "{}", pose.position);
        assert!(pose.position.truncate().length() < 0.0905, "{}", pose.position);
    }
    // They have come down to the neck.
    assert!(bodies.pose.iter().any(|pose| pose.position.z < 0.04));
}

#[test]
fn what_cannot_be_filled_is_refused() {
    let text = |obstacle: &str, emitter: &str| {
        format!("ground = -9\n[[obstacle]]\nname = \"it\"\n{obstacle}\n[[emitter]]\ncount = 1\n{emitter}\n")
    };
    let glass = format!("model = {{ {HOURGLASS} }}");
    let tube = "model = { kind = \"tube\", radius = 1, height = 1, wall = 1 }";
    let cases = [
        (text(&glass, "inside = \"that\""), "7:10: there is no obstacle `that`", "hollow obstacles: it"),
        (text(&glass, "inside = \"ground\""), "7:10: obstacle `ground` is no model", "hollow obstacles: it"),
        (text("box = [1, 1, 1]", "inside = \"it\""), "7:10: obstacle `it` is no model", "give a hollow model"),
        (
            text("model = { kind = \"ball\", radius = 1 }", "inside = \"it\""),
            "7:10: obstacle `it` has no upper part",
            "containers, tubes",
        ),
        (text(tube, "part = \"lower\"\ninside = \"it\""), "7:8: obstacle `it` has no lower part", "only an hourglass"),
        (text(tube, "part = \"uper\"\ninside = \"it\""), "7:8: `part` must be one of upper, lower", "did you mean"),
        (text(tube, "part = \"upper\"\npoint = [0, 0, 5]"), "7:1: unknown key `part`", "allowed keys"),
        (text(tube, "point = [0, 0, 5]\ninside = \"it\""), "8:10: `emitter[0]` needs one of", "keep exactly one"),
        (
            text(&format!("{}\nposition = [9e8, 0, 0]", tube.replace("= 1", "= 1e-8")), "inside = \"it\""),
            "8:10: obstacle `it` is too far away to fill",
            "nearer to the origin",
        ),
        // The problem of the model is enough.
        (text("model = { kind = \"ball\", radius = 0 }", "inside = \"it\""), "4:35: `radius` must be", ""),
    ];
    for (text, what, words) in cases {
        let (found, help) = problems(&text);
        assert_eq!(found.len(), 1, "{text}\n{found:?}");
        assert!(found[0].starts_with(&format!("scene.toml:{what}")), "{text}\n{found:?}");
        assert!(help.contains(words), "{text}\n{help}");
    }
}
