//! Scene texts: all problems at once with their places, suggestions, `--set`, and the resolved scene.

use glam::DVec3;
use proptest::prelude::*;
use tumble_scene::text::{Problems, Range, Reading, Resolved, Source, changed_keys, set};

/// A good scene that uses every kind of value.
pub(crate) const SCENE: &str = r#"title = "A \"sand\" pile"
frames = [1, 240]
fps = 24
gravity = [0, 0, -9.81]

[material.sand]
density = 2650
friction = 0.5
law = "hertz"

[material."hard steel"]
density = 7.8e3

[shape.grain]
clump = "tetrahedron"
radii = [0.003, 0.002]

[[emitter]]
shape = "grain"
count = 27427
jitter = { angle = 10.5 }

[[emitter]]
shape = "grain"
still = true
tags = ["a", "b"]
"#;

/// Reads a small scene with every method of the reader.
pub(crate) fn read(reading: &Reading<'_>) {
    let top = reading.root();
    top.string("title").optional();
    top.integers::<2>("frames", Range::Any).or([1, 240]);
    let fps = top.number("fps", Range::Above(0.0)).or(24.0);
    assert!(fps > 0.0 && fps.is_finite());
    let gravity = top.vector("gravity").or(DVec3::new(0.0, 0.0, -9.81));
    assert!(gravity.is_finite());
    top.table("output").boolean("movie").or(false);
    for (name, material) in top.subtables("material") {
        let density = material.number("density", Range::Above(0.0)).required();
        assert!(density > 0.0, "{name}");
        let friction = material.number("friction", Range::AtLeast(0.0)).or(0.5);
        assert!(friction >= 0.0);
        assert!(["linear", "hertz"].contains(&material.choice("law", &["linear", "hertz"]).or("linear")));
        if density < friction {
            material.problem_at("friction", "a pile of nonsense", "use less");
        }
    }
    for (_, shape) in top.subtables("shape") {
        shape.string("clump").or("sphere");
        shape.number_list("radii", Range::Above(0.0)).or([0.5]);
        shape.numbers::<2>("size", Range::Within(0.0, 10.0)).or([1.0, 2.0]);
    }
    for emitter in top.array_of_tables("emitter") {
        emitter.string("shape").required();
        let count = emitter.integer("count", Range::AtLeast(1.0)).optional();
        assert!(count.is_none_or(|count| count >= 1));
        emitter.boolean("still").or(false);
        emitter.string_list("tags").optional();
        if let Some(jitter) = emitter.subtable("jitter") {
            jitter.number("angle", Range::Within(0.0, 90.0)).or(5.0);
        }
    }
}

pub(crate) fn read_scene(text: &str) -> Result<Resolved, Problems> {
    read_scene_with(text, &[])
}

fn read_scene_with(text: &str, assignments: &[&str]) -> Result<Resolved, Problems> {
    let source = Source::new("scene.toml", text);
    let mut root = source.parse()?;
    for assignment in assignments {
        set(&mut root, assignment).unwrap();
    }
    let reading = Reading::new(&source, &root);
    read(&reading);
    reading.finish()
}

/// The first lines of all problems.
fn problems(text: &str, assignments: &[&str]) -> Vec<String> {
    let problems = read_scene_with(text, assignments).unwrap_err().to_string();
    problems.split("\n\n").map(|problem| problem.lines().next().unwrap_or("").to_owned()).collect()
}

#[test]
fn a_scene_resolves_with_its_defaults() {
    let expected = r#"title = "A \"sand\" pile"
frames = [1, 240]
fps = 24
gravity = [0, 0, -9.81]

[output]
movie = false

[material.sand]
density = 2650
friction = 0.5
law = "hertz"

[material."hard steel"]
density = 7800
friction = 0.5
law = "linear"

[shape.grain]
clump = "tetrahedron"
radii = [0.003, 0.002]
size = [1, 2]

[[emitter]]
shape = "grain"
count = 27427
still = false

[emitter.jitter]
angle = 10.5

[[emitter]]
shape = "grain"
still = true
tags = ["a", "b"]
"#;
    let resolved = read_scene(SCENE).unwrap();
    assert_eq!(resolved.text(), expected);
    assert_eq!(read_scene(expected).unwrap(), resolved);
}

#[test]
fn all_problems_come_at_once_with_line_and_column() {
    let text = r#"fps = 0
gravity = [0, "down", 1]
frames = [1]

[material.sand]
densty = 5
friction = inf
law = "hertzz"

[[emitter]]
shape = "grain"
count = 2.5
still = "yes"
	jitter = 5

[material]
wood = 1
"#;
    assert_eq!(
        problems(text, &[]),
        [
            "scene.toml:1:7: `fps` must be > 0, got 0",
            "scene.toml:2:15: `gravity` must be a number, found a string \"down\"",
            "scene.toml:3:10: `frames` must have 2 numbers, found 1",
            "scene.toml:5:1: `density` is missing in [material.sand]",
            "scene.toml:6:1: unknown key `densty` in [material.sand]",
            "scene.toml:7:12: `friction` must be >= 0, got inf",
            "scene.toml:8:7: `law` must be one of linear, hertz; got \"hertzz\"",
            "scene.toml:12:9: `count` must be a whole number, found a number 2.5",
            "scene.toml:13:9: `still` must be true or false, found a string \"yes\"",
            "scene.toml:14:11: `jitter` must be a table, found a whole number 5",
            "scene.toml:17:8: `material.wood` must be a table, found a whole number 1",
        ]
    );
}

#[test]
fn a_problem_prints_line_carets_and_help() {
    let text = read_scene("[material.sand]\ndensity = 1\nfricton = 0.3\n").unwrap_err().to_string();
    assert_eq!(
        text,
        "scene.toml:3:1: unknown key `fricton` in [material.sand]\n3 | fricton = 0.3\n  | ^^^^^^^\n\
         help: did you mean `friction`? allowed keys: density, friction, law\n"
    );
    let text = read_scene("[material.sand]\ndensity = 1\ncolour = 3\n").unwrap_err().to_string();
    assert!(text.contains("help: allowed keys: density"), "{text}");
    let text = read_scene("[material.sand]\ndensity = 1\nlaw = 'herz'\n").unwrap_err().to_string();
    assert!(text.contains("help: did you mean \"hertz\"?"), "{text}");
}

#[test]
fn problems_found_later_point_at_the_value() {
    let found = problems("[material.a]\ndensity = 1\nfriction = 2\n[material.b]\ndensity = 0.25\n", &[]);
    assert_eq!(found, ["scene.toml:3:12: a pile of nonsense", "scene.toml:4:1: a pile of nonsense"]);
}

#[test]
fn syntax_errors_have_their_place() {
    assert!(problems("fps = 24\ntitle = \n", &[])[0].starts_with("scene.toml:2:9: "));
    assert!(problems("a = 1\na = 2\n", &[])[0].starts_with("scene.toml:2:1: duplicate key"));
}

#[test]
fn missing_and_wrong_sections() {
    assert_eq!(problems("[[emitter]]\n", &[]), ["scene.toml:1:1: `shape` is missing in [emitter[0]]"]);
    let found = problems("material = 3\n[emitter]\nshape = 'a'\n", &[]);
    assert_eq!(
        found,
        [
            "scene.toml:1:12: `material` must be a table, found a whole number 3",
            "scene.toml:2:1: `emitter` must be an array of tables, found a table"
        ]
    );
}

#[test]
fn problems_with_a_set_name_it() {
    let found = problems(SCENE, &["material.sand.friction=-1", "fsp=3", "emitter.0.count=many"]);
    assert_eq!(
        found,
        [
            "--set emitter.0.count=many: `count` must be a whole number, found a string \"many\"",
            "--set fsp=3: unknown key `fsp`",
            "--set material.sand.friction=-1: `friction` must be >= 0, got -1",
        ]
    );
}

#[test]
fn problems_inside_a_set_name_it_too() {
    let found = problems(SCENE, &["gravity=[0, 'x', 1]", "output={ movi = true }"]);
    assert_eq!(
        found,
        [
            "--set gravity=[0, 'x', 1]: `gravity` must be a number, found a string \"x\"",
            "--set output={ movi = true }: unknown key `movi` in [output]",
        ]
    );
}

#[test]
fn a_set_changes_what_it_names_and_nothing_else() {
    let before = read_scene(SCENE).unwrap();
    let after = read_scene_with(SCENE, &["material.sand.friction=0.3", "emitter.1.count=100", "title=new"]).unwrap();
    assert_eq!(
        changed_keys(before.text(), after.text()),
        [
            "title: \"A \\\"sand\\\" pile\" -> \"new\"",
            "material.sand.friction: 0.5 -> 0.3",
            "emitter[1].count: added 100"
        ]
    );
}

#[test]
fn known_keys_are_named_by_section() {
    let resolved = read_scene(SCENE).unwrap();
    let known: Vec<_> = resolved.known_keys().iter().map(|(section, key)| (section.as_str(), key.as_str())).collect();
    for key in [
        ("", "fps"),
        ("", "material"),
        ("output", "movie"),
        ("material.*", "law"),
        ("emitter", "count"),
        ("emitter.jitter", "angle"),
    ] {
        assert_eq!(known.iter().filter(|known| **known == key).count(), 1, "{key:?}");
    }
    assert!(!known.iter().any(|(section, _)| section.contains("sand")));
}

#[test]
fn a_table_may_be_read_twice() {
    let source = Source::new("x", "[a]\nb = 1\n");
    let root = source.parse().unwrap();
    let reading = Reading::new(&source, &root);
    assert_eq!(reading.root().table("a").integer("b", Range::Any).or(2), 1);
    assert_eq!(reading.root().table("a").integer("c", Range::Any).or(2), 2);
    assert_eq!(reading.finish().unwrap().text(), "[a]\nb = 1\nc = 2\n");
}

#[test]
fn a_table_without_values_is_still_there_when_resolved() {
    let resolved = |text: &str| {
        let source = Source::new("x", text);
        let root = source.parse().unwrap();
        let reading = Reading::new(&source, &root);
        if let Some(inner) = reading.root().subtable("outer").and_then(|outer| outer.subtable("inner")) {
            assert_eq!(inner.number("a", Range::Any).optional(), None);
        }
        reading.finish().unwrap().text().to_owned()
    };
    assert_eq!(resolved("outer = { inner = {} }"), "[outer.inner]\n");
    assert_eq!(resolved("[outer.inner]\n"), "[outer.inner]\n");
}

proptest! {
    #[test]
    fn any_scene_resolves_to_itself(
        title in any::<Option<String>>(),
        name in any::<String>(),
        numbers in prop::array::uniform5(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO),
        count in 1..i64::MAX,
        tags in prop::collection::vec(any::<String>(), 0..4),
    ) {
        // Debug of a float is TOML; texts are printed as the resolved scene prints them.
        let [x, y, z, density, radius] = numbers;
        let text = format!(
            "gravity = [{x:?}, {y:?}, {z:?}]\n[shape.a]\nradii = [{:?}]\n[[emitter]]\nshape = ''\ncount = {count}\n\
             tags = {}\n[material.m]\ndensity = {:?}\nfriction = 0\n",
            radius.abs() + 1e-300, tumble_scene::text::Value::from(tags.clone()), density.abs() + 1e-300,
        );
        let text = match &title {
            Some(title) => format!("title = {}\n{text}", tumble_scene::text::Value::from(title.clone())),
            None => text,
        };
        let text = format!("{text}[material.{}]\ndensity = 1\n", tumble_scene::text::Value::from(format!("{name}2")));
        let first = read_scene(&text).map_err(|problems| TestCaseError::fail(problems.to_string()))?;
        let second = read_scene(first.text()).map_err(|problems| TestCaseError::fail(problems.to_string()))?;
        prop_assert_eq!(&first, &second);
        prop_assert!(changed_keys(first.text(), second.text()).is_empty());

        // The numbers themselves survive, bit by bit.
        let source = Source::new("x", first.text());
        let root = source.parse().unwrap();
        let reading = Reading::new(&source, &root);
        let top = reading.root();
        prop_assert_eq!(top.vector("gravity").required().to_array().map(f64::to_bits), [x, y, z].map(f64::to_bits));
        prop_assert_eq!(top.string("title").optional(), title);
        let emitter = top.array_of_tables("emitter")[0];
        prop_assert_eq!(emitter.integer("count", Range::Any).required(), count);
        prop_assert_eq!(emitter.string_list("tags").required(), tags);
    }
}
