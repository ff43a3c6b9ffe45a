//! Scene texts: all problems at once with their places, suggestions, `--set`, and the resolved
//! scene.

use glam::DVec3;
use proptest::prelude::*;
use tumble_scene::text::{
    Change, Fields, Location, Places, Problem, Problems, Range, Read, Section, Source, Word, changes, check_ranges,
    print, print_short, read, set,
};

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

/// A small scene with every kind of value and table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    title: Option<String>,
    frames: [i64; 2],
    fps: f64,
    pub(crate) gravity: DVec3,
    output: Output,
    material: Vec<(String, Material)>,
    shape: Vec<(String, Shape)>,
    emitter: Vec<Emitter>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: None,
            frames: [1, 240],
            fps: 24.0,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            output: Output::default(),
            material: Vec::new(),
            shape: Vec::new(),
            emitter: Vec::new(),
        }
    }
}

impl Section for Scene {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("title", &mut self.title);
        fields.value("frames", &mut self.frames);
        fields.within("fps", &mut self.fps, Range::Above(0.0));
        fields.value("gravity", &mut self.gravity);
        fields.table("output", &mut self.output);
        fields.named("material", &mut self.material);
        fields.named("shape", &mut self.shape);
        fields.list("emitter", &mut self.emitter);
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Output {
    movie: bool,
}

impl Section for Output {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("movie", &mut self.movie);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Linear,
    Hertz,
}

impl Word for Law {
    const WORDS: &'static [(&'static str, Self)] = &[("linear", Self::Linear), ("hertz", Self::Hertz)];
}

#[derive(Clone, Debug, PartialEq)]
struct Material {
    density: f64,
    friction: f64,
    law: Law,
}

impl Default for Material {
    fn default() -> Self {
        Self { density: 1.0, friction: 0.5, law: Law::Linear }
    }
}

impl Section for Material {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("density", &mut self.density, Range::Above(0.0));
        fields.within("friction", &mut self.friction, Range::AtLeast(0.0));
        fields.value("law", &mut self.law);
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Shape {
    clump: String,
    radii: Vec<f64>,
    size: [f64; 2],
}

impl Default for Shape {
    fn default() -> Self {
        Self { clump: "sphere".into(), radii: vec![0.5], size: [1.0, 2.0] }
    }
}

impl Section for Shape {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("clump", &mut self.clump);
        fields.within("radii", &mut self.radii, Range::Above(0.0));
        fields.within("size", &mut self.size, Range::Within(0.0, 10.0));
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Emitter {
    shape: String,
    count: Option<i64>,
    still: bool,
    tags: Option<Vec<String>>,
    jitter: Option<Jitter>,
}

impl Section for Emitter {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("shape", &mut self.shape, Range::Any);
        fields.within("count", &mut self.count, Range::AtLeast(1.0));
        fields.value("still", &mut self.still);
        fields.value("tags", &mut self.tags);
        fields.optional("jitter", &mut self.jitter);
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Jitter {
    angle: f64,
}

impl Default for Jitter {
    fn default() -> Self {
        Self { angle: 5.0 }
    }
}

impl Section for Jitter {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("angle", &mut self.angle, Range::Within(0.0, 90.0));
    }
}

pub(crate) fn read_scene(text: &str) -> Result<Scene, Problems> {
    read_scene_with(text, &[])
}

fn read_scene_with(text: &str, assignments: &[&str]) -> Result<Scene, Problems> {
    let source = Source::new("scene.toml", text);
    let mut root = source.parse()?;
    for assignment in assignments {
        set(&mut root, assignment).unwrap();
    }
    let Read { value, mut problems, .. } = read::<Scene>(&root);
    for (name, material) in &value.material {
        if material.density < material.friction {
            let path = format!("material.{name}.friction");
            problems.push(Problem { path, ..nonsense() });
        }
    }
    if problems.is_empty() { Ok(value) } else { Err(Places::new(source, root).locate(problems)) }
}

/// A problem that is found when everything is read.
fn nonsense() -> Problem {
    Problem {
        path: String::new(),
        what: "a pile of nonsense".into(),
        place: Location::Section(String::new()),
        help: None,
    }
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
    let scene = read_scene(SCENE).unwrap();
    assert_eq!(print(&scene), expected);
    assert_eq!(read_scene(expected).unwrap(), scene);
}

#[test]
fn a_short_text_has_what_is_not_by_default() {
    let expected = r#"title = "A \"sand\" pile"

[material.sand]
density = 2650
law = "hertz"

[material."hard steel"]
density = 7800

[shape.grain]
clump = "tetrahedron"
radii = [0.003, 0.002]

[[emitter]]
shape = "grain"
count = 27427

[emitter.jitter]
angle = 10.5

[[emitter]]
shape = "grain"
still = true
tags = ["a", "b"]
"#;
    let scene = read_scene(SCENE).unwrap();
    assert_eq!(print_short(&scene), expected);
    assert_eq!(read_scene(expected).unwrap(), scene);
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
    let changed = changes(&print(&before), &print(&after)).unwrap();
    assert_eq!(
        changed.iter().map(Change::to_string).collect::<Vec<_>>(),
        [
            "title: \"A \\\"sand\\\" pile\" -> \"new\"",
            "material.sand.friction: 0.5 -> 0.3",
            "emitter[1].count: added 100"
        ]
    );
}

#[test]
fn known_keys_are_named_by_section() {
    let known_keys = read::<Scene>(&Source::new("x", SCENE).parse().unwrap()).known_keys;
    let known: Vec<_> = known_keys.iter().map(|(section, key)| (section.as_str(), key.as_str())).collect();
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
fn a_table_without_values_is_still_there_when_printed() {
    let text = "[[emitter]]\nshape = \"a\"\njitter = {}\n";
    let scene = read_scene(text).unwrap();
    assert!(print_short(&scene).ends_with("[emitter.jitter]\n"), "{}", print_short(&scene));
    assert_eq!(read_scene(&print_short(&scene)).unwrap(), scene);
}

/// Values of a program are refused as those of a text are.
#[test]
fn values_of_programs_are_checked_like_texts() {
    let mut scene = read_scene(SCENE).unwrap();
    (scene.fps, scene.material[1].1.density, scene.emitter[1].count) = (-1.0, f64::NAN, Some(0));
    let found: Vec<String> =
        check_ranges(&scene).iter().map(|problem| format!("{}: {}", problem.path, problem.what)).collect();
    assert_eq!(
        found,
        [
            "fps: `fps` must be > 0, got -1",
            "material.\"hard steel\".density: `density` must be > 0, got nan",
            "emitter[1].count: `count` must be >= 1, got 0",
        ]
    );
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
        for text in [print(&first), print_short(&first)] {
            let second = read_scene(&text).map_err(|problems| TestCaseError::fail(problems.to_string()))?;
            prop_assert_eq!(&first, &second);
            prop_assert_eq!(print(&first), print(&second));
        }

        // The numbers themselves survive, bit by bit.
        prop_assert_eq!(first.gravity.to_array().map(f64::to_bits), [x, y, z].map(f64::to_bits));
        prop_assert_eq!(&first.title, &title);
        prop_assert_eq!((first.emitter[0].count, &first.emitter[0].tags), (Some(count), &Some(tags)));
    }
}
