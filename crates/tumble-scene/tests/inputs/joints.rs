//! Joints and grids in scene files: what they become, and what is refused with which words.

use std::path::Path;

use tumble::world::{End, JointKind, ObstacleId};
use tumble_scene::{Scene, SceneError, load_text};

fn load(joints: &str) -> Result<Scene, SceneError> {
    let text = format!(
        "solver = \"rigid\"\nground = 0\n[shape.box]\nbox = [0.2, 0.2, 0.2]\n[[body]]\nname = \"row\"\nposition = [0, 0, 1]\n\
         grid = [2, 1, 3]\nspacing = [0.3, 1, 0.4]\n{joints}"
    );
    load_text("scene", "scene.toml", &text, Path::new("."), &[])
}

#[track_caller]
fn refused(joints: &str, words: &[&str]) {
    let problem = load(joints).expect_err(joints).to_string();
    for word in words {
        assert!(problem.contains(word), "{joints}\nsays\n{problem}\nwithout {word:?}");
    }
}

#[test]
fn a_grid_has_its_bodies_where_they_belong() {
    let scene = load("").unwrap();
    let places: Vec<[f64; 3]> = scene.simulation.world().bodies.pose.iter().map(|pose| pose.position.into()).collect();
    let expected =
        [[0.0, 0.0, 1.0], [0.3, 0.0, 1.0], [0.0, 0.0, 1.4], [0.3, 0.0, 1.4], [0.0, 0.0, 1.8], [0.3, 0.0, 1.8]];
    for (place, expected) in places.iter().zip(expected) {
        assert!(place.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{places:?}");
    }
    assert_eq!(places.len(), 6);
}

#[test]
fn joints_join_what_they_name() {
    let scene = load(
        "[[joint]]\nkind = \"hinge\"\nbody = \"row 2\"\nto = \"row 1\"\nposition = [0.15, 0, 1]\nturn = [-90, 45]\n\
         [[joint]]\nkind = \"ball\"\nbody = \"row 3\"\nposition = [0, 0, 2]\n\
         [[joint]]\nkind = \"fixed\"\nbody = \"row 1\"\nto = \"ground\"\nposition = [0, 0, 0]\n",
    )
    .unwrap();
    let world = scene.simulation.world();
    let joints: Vec<_> = world.joints.iter().collect();
    let id = |row: usize| world.bodies.traits[row].id;
    assert_eq!(joints.len(), 3);
    assert_eq!((joints[0].what.body, joints[0].what.to), (id(1), End::Body(id(0))));
    assert!(
        matches!(joints[0].what.kind, JointKind::Hinge { turn: [a, b] } if (a + b * 2.0).abs() < 1e-12 && b > 0.78)
    );
    assert_eq!((joints[1].what.to, joints[2].what.to), (End::World, End::Obstacle(ObstacleId(0))));
}

#[test]
fn joints_that_cannot_be_are_refused_with_words() {
    let joint = |rest: &str| format!("[[joint]]\nkind = \"hinge\"\nposition = [0, 0, 1]\n{rest}\n");
    refused(&joint("body = \"raw 1\""), &["there is no body `raw 1`", "bodies: row 1, row 2"]);
    refused(&joint("body = \"row 1\"\nto = \"wall\""), &["there is no body or obstacle `wall`", "obstacles: ground"]);
    refused(&joint("body = \"row 1\"\nto = \"row 1\""), &["cannot be joined to itself"]);
    refused(&joint("body = \"row 1\"\naxis = [0, 0, 0]"), &["an axis must have a direction"]);
    refused(
        &joint("body = \"row 1\"\nturn = [90, -90]"),
        &["the largest comes before the smallest", "turn = [-90, 90]"],
    );
    refused(&joint("body = \"row 1\"\nturn = [-200, 0]"), &["from -180 to 180"]);
    refused(&joint("body = \"row 1\"\ntravel = [0, 1]"), &["travel"]);
    refused("[[joint]]\nbody = \"row 1\"\n", &["`kind` is missing", "fixed, hinge, slider, ball"]);
    refused("[[joint]]\nkind = \"hinge\"\n", &["`body` is missing", "`position` is missing"]);
    refused(
        "[[body]]\nposition = [5, 0, 1]\ngrid = [2000, 2000, 2000]\nspacing = [1, 1, 1]\n",
        &["more than 2000000 bodies"],
    );
    let text = "[[body]]\nposition = [0, 0, 1]\n[[joint]]\nkind = \"fixed\"\nbody = \"body 1\"\nposition = [0, 0, 0]\n";
    let problem = load_text("scene", "scene.toml", text, Path::new("."), &[]).expect_err(text).to_string();
    assert!(problem.contains("joints need the rigid solver"), "{problem}");
}
