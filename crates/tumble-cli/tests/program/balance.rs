//! `tumble analyse balance` of stacks whose limits are known, of scenes and of runs.

use serde_json::Value;

use crate::common::Place;

/// Three blocks, each shifted by so much of its length of 0.4 m against the one below: they fall
/// beyond a third of it.
fn stack(share: f64) -> String {
    let body = |k: u32| {
        let x = f64::from(k) * share * 0.4;
        format!("[[body]]\nposition = [{x}, 0, {}]\n", 0.04 + 0.08 * f64::from(k))
    };
    format!(
        "solver = 'rigid'\nframes = [1, 12]\nfps = 60\nground = 0\n[material.wood]\nfriction = 0.6\n\
         rolling_friction = 0\n[shape.block]\nbox = [0.4, 0.2, 0.08]\n{}",
        (0..3).map(body).collect::<String>()
    )
}

fn judged(place: &Place, words: &str) -> Value {
    serde_json::from_str(&place.good(&format!("analyse balance {words} --json"))).unwrap()
}

#[test]
fn stacks_stand_and_fall() {
    let place = Place::new("stacks_stand_and_fall");
    place.write("stands.toml", stack(0.28));
    place.write("falls.toml", stack(0.4));
    let before = place.files(".");

    let stands = judged(&place, "stands.toml");
    assert_eq!(stands["whole"], "stands", "{stands}");
    assert_eq!(stands["frame"], 12);
    assert_eq!(stands["bodies"].as_array().unwrap().len(), 3);
    assert_eq!([&stands["borne"], &stands["flying"]], [3, 0], "{stands}");
    // It needs no friction, and falls over beyond a tilt.
    assert!(stands["friction_needed"].as_f64().unwrap() < 0.02, "{stands}");
    let tilt = stands["tilt_degrees"].as_f64().unwrap();
    assert!((2.0..30.0).contains(&tilt), "{stands}");
    // The lowest block carries two.
    let carries = stands["bodies"][0]["carries"].as_f64().unwrap();
    assert!((carries - 2.0).abs() < 0.01, "{stands}");

    let falls = judged(&place, "falls.toml --frame 2");
    assert_eq!(falls["whole"], "falls", "{falls}");
    assert_eq!(falls["frame"], 2);
    let first: Vec<u64> = falls["first_to_fall"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
    assert!(first.contains(&1) && first.contains(&2) && !first.contains(&0), "{falls}");

    let text = place.good("analyse balance falls.toml --frame 2");
    assert!(text.contains("whole   falls") && text.contains("2 bodies fall:"), "{text}");
    let text = place.good("analyse balance stands.toml");
    assert!(text.contains("whole   stands") && text.contains("3 bodies, 12 points"), "{text}");
    assert_eq!(place.files("."), before, "nothing is written");
}

/// A run is judged at its checkpoint as the scene is after its last frame; later and earlier frames
/// are simulated.
#[test]
fn a_run_is_judged_as_its_scene() {
    let place = Place::new("a_run_is_judged_as_its_scene");
    place.write("stack.toml", stack(0.28));
    place.good("run stack.toml -o out --no-preview");
    assert_eq!(judged(&place, "out"), judged(&place, "stack.toml"));
    assert_eq!(judged(&place, "out --frame 5"), judged(&place, "stack.toml --frame 5"));
    assert_eq!(judged(&place, "out --frame 20"), judged(&place, "stack.toml --frame 20"));
    place.tumble("analyse balance stack.toml --frame 0").expect(2).says(&["no frame 0"]);
    place.tumble("analyse balance nowhere.toml").expect(2).says(&["nowhere.toml"]);
}
