//! `docs/scene.md` against the reader: every key, its default, its range, and every example.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use tumble_scene::gallery;
use tumble_scene::{Scene, SceneError, load_text, parse};

use crate::document::{self, PATH, Row, unquoted};
use crate::everything::{EVERYTHING, EVERYTHING_RIGID};

/// The cube from -1 to 1.
const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n\
                    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

/// A folder that holds a cube under each of these names; STL files get the same cube as text.
fn folder_with_meshes<'a>(purpose: &str, names: impl IntoIterator<Item = &'a str>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery").join(purpose);
    std::fs::create_dir_all(&folder).unwrap();
    for name in names {
        let text = if name.ends_with(".stl") { stl(CUBE) } else { CUBE.to_string() };
        // Tests at the same time share the folder: none may see half a file.
        let own = folder.join(format!("{name}.{:?}", std::thread::current().id()));
        std::fs::write(&own, text).unwrap();
        std::fs::rename(own, folder.join(name)).unwrap();
    }
    folder
}

fn stl(obj: &str) -> String {
    let words = |kind: &str| {
        let lines = obj.lines().filter_map(|line| line.strip_prefix(kind).map(str::to_string));
        lines.map(|line| line.split(' ').map(str::to_string).collect()).collect::<Vec<Vec<_>>>()
    };
    let vertices = words("v ");
    let mut text = "solid cube\n".to_string();
    for quad in words("f ") {
        for corners in [[0, 1, 2], [0, 2, 3]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for corner in corners {
                let vertex: usize = quad[corner].parse().unwrap();
                text += &format!("vertex {}\n", vertices[vertex - 1].join(" "));
            }
            text += "endloop\nendfacet\n";
        }
    }
    text + "endsolid cube\n"
}

fn load(text: &str, folder: &Path) -> Result<Scene, SceneError> {
    load_text("scene", "scene.toml", text, folder, &[])
}

/// The scenes with every key, resolved, and as tables.
fn everything() -> ([(Scene, Table); 2], PathBuf) {
    let folder = folder_with_meshes("everything", ["cube.obj"]);
    let scenes = [EVERYTHING, EVERYTHING_RIGID].map(|text| {
        let scene = load(text, &folder).unwrap_or_else(|problem| panic!("{problem}"));
        let table = scene.resolved.parse().unwrap();
        (scene, table)
    });
    (scenes, folder)
}

/// Every section and key that the reader asked for in the resolved text of a scene.
fn known_keys(scene: &Scene) -> Vec<(String, String)> {
    parse("scene.toml", &scene.resolved, &[]).unwrap_or_else(|problem| panic!("{problem}")).known_keys
}

/// The first of the scenes that has a key, the number of the table of its section, and the value
/// there.
fn scene_with<'s>(scenes: &'s [(Scene, Table)], row: &Row) -> Option<(&'s Table, usize, Value)> {
    scenes.iter().find_map(|(_, table)| first_with(table, row).map(|(number, value)| (table, number, value)))
}

/// All tables of a section: `material.*` are many, `emitter.key` even more.
fn tables<'t>(root: &'t mut Table, section: &str) -> Vec<&'t mut Table> {
    let mut found = vec![root];
    for step in section.split('.').filter(|step| !step.is_empty()) {
        found = found
            .into_iter()
            .flat_map(|table| {
                let inside: Vec<&mut Value> = if step == "*" {
                    table.iter_mut().map(|(_, v)| v).collect()
                } else {
                    table.get_mut(step).into_iter().collect()
                };
                inside.into_iter().flat_map(|value| match value {
                    Value::Table(table) => vec![table],
                    Value::Array(items) => items.iter_mut().filter_map(Value::as_table_mut).collect(),
                    _ => Vec::new(),
                })
            })
            .collect();
    }
    found
}

/// The number of the first table of a section that has the key, and the value there.
fn first_with(root: &Table, row: &Row) -> Option<(usize, Value)> {
    let mut root = root.clone();
    let found = tables(&mut root, &row.section);
    found.into_iter().enumerate().find_map(|(number, table)| Some((number, table.get(&row.key)?.clone())))
}

/// The resolved scene after one table of a section was changed.
fn load_changed(
    root: &Table,
    section: &str,
    number: usize,
    change: impl FnOnce(&mut Table),
    folder: &Path,
) -> Result<Table, String> {
    let mut root = root.clone();
    change(tables(&mut root, section).swap_remove(number));
    let scene = load(&root.to_string(), folder).map_err(|problem| problem.to_string())?;
    Ok(scene.resolved.parse().unwrap())
}

fn is_section(value: &Value) -> bool {
    value.is_table() || value.as_array().is_some_and(|items| items.iter().any(Value::is_table))
}

/// Prints all complaints at once.
fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} problems:\n  {}", complaints.len(), complaints.join("\n  "));
}

#[test]
fn every_key_is_documented_and_no_other() {
    let (scenes, _) = everything();
    // Models and covers are the same for shapes and obstacles, solids for shapes and their parts;
    // each is documented once.
    let once = |(section, key): &(String, String)| match section.strip_prefix("shape.*.") {
        Some(table @ ("model" | "cover")) => (format!("obstacle.{table}"), key.clone()),
        Some(part) if part.starts_with("part.") => (section.replace("part.", ""), key.clone()),
        _ => (section.clone(), key.clone()),
    };
    let known: BTreeSet<_> = scenes.iter().flat_map(|(scene, _)| known_keys(scene)).map(|key| once(&key)).collect();
    let rows = document::rows();
    let documented: BTreeSet<_> = rows.iter().map(|row| (row.section.clone(), row.key.clone())).collect();
    assert_eq!(documented.len(), rows.len(), "a key is documented twice");
    let name = |(section, key): &(String, String)| {
        let section = if section.is_empty() { "Top level" } else { section };
        format!("`{key}` in the section `{section}`")
    };
    let missing = known.difference(&documented).map(|key| format!("missing in {PATH}: {}", name(key)));
    let wrong = documented.difference(&known).map(|key| format!("in {PATH}, but no such key exists: {}", name(key)));
    let empty = rows.iter().filter(|row| row.meaning.is_empty()).map(|row| format!("{PATH}:{}: no meaning", row.line));
    report(&missing.chain(wrong).chain(empty).collect::<Vec<_>>());
}

/// The scene above must use every key, or the other tests would pass over it: whatever can be
/// written is in its resolved text.
#[test]
fn the_scene_with_every_key_has_every_key() {
    let (scenes, _) = everything();
    let missing = |(section, key): &(String, String)| {
        let has = |(_, table): &(Scene, Table)| {
            tables(&mut table.clone(), section).iter().any(|table| table.contains_key(key))
        };
        !scenes.iter().any(has)
    };
    let missing: Vec<_> = scenes.iter().flat_map(|(scene, _)| known_keys(scene)).filter(missing).collect();
    assert!(missing.is_empty(), "add to EVERYTHING: {missing:?}");
}

#[test]
fn defaults_are_as_documented() {
    let (scenes, folder) = everything();
    let mut complaints = Vec::new();
    for row in document::rows() {
        let Some((table, number, value)) = scene_with(&scenes, &row) else { continue };
        if is_section(&value) {
            continue;
        }
        let without = load_changed(table, &row.section, number, |table| drop(table.remove(&row.key)), &folder);
        let mut complain = |truth: &str| {
            let Row { section, key, default, line, .. } = &row;
            complaints.push(format!("{PATH}:{line}: the default of `{section}` `{key}` is {default}; really {truth}"));
        };
        let missing = format!("`{}` is missing", row.key);
        let words = row.default.as_str();
        match without {
            Err(problem) if problem.contains("and there are several") => {
                if words != "the only one" {
                    complain("the only one");
                }
            }
            Err(problem) if problem.contains(&missing) => {
                if words != "required" {
                    complain("required");
                }
            }
            Err(problem) if problem.contains("needs one of") => {
                if !is_choice(words) {
                    complain("one of several");
                }
            }
            Err(problem) => panic!("{PATH}:{}: EVERYTHING without `{}`: {problem}", row.line, row.key),
            Ok(mut resolved) => {
                let value = tables(&mut resolved, &row.section).swap_remove(number).get(&row.key).cloned();
                let documented = unquoted(words);
                let agrees = match (&value, &documented) {
                    (Some(value), Some(text)) => parse_value(text).is_some_and(|other| equal(&other, value)),
                    // A default in words depends on the scene.
                    (Some(_), None) => !["", "none", "required"].contains(&words) && !is_choice(words),
                    (None, Some(_)) => false,
                    (None, None) => !["", "required"].contains(&words) && !is_choice(words),
                };
                if !agrees {
                    complain(&value.map_or("none".to_string(), |value| value.to_string()));
                }
            }
        }
    }
    report(&complaints);
}

/// Whether a default says that one of so many keys must be there.
fn is_choice(words: &str) -> bool {
    ["one of two", "one of four", "one of five", "one of nine"].contains(&words)
}

fn parse_value(text: &str) -> Option<Value> {
    format!("value = {text}").parse::<Table>().ok()?.remove("value")
}

/// Equal, and 1 is 1.0.
fn equal(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| value.as_float().or(value.as_integer().map(|integer| integer as f64));
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        },
    }
}

#[test]
fn ranges_are_as_documented() {
    let (scenes, folder) = everything();
    let mut complaints = Vec::new();
    for row in document::rows() {
        let Some((table, number, value)) = scene_with(&scenes, &row) else { continue };
        if is_section(&value) {
            continue;
        }
        let spoilt = |with: Value| {
            let change = |table: &mut Table| drop(table.insert(row.key.clone(), with));
            load_changed(table, &row.section, number, change, &folder).err().unwrap_or_default()
        };
        let spoilt_number = match &value {
            Value::Array(items) if items.iter().all(|item| item.is_integer() || item.is_float()) => {
                spoilt(Value::Array(vec![Value::Float(-1e12); items.len()]))
            }
            Value::Integer(_) | Value::Float(_) => spoilt(Value::Float(-1e12)),
            _ => String::new(),
        };
        let spoilt_word = if value.is_str() { spoilt(Value::String("zzz".into())) } else { String::new() };

        let must = format!("`{}` must be ", row.key);
        let allowed = |problem: &str, end: &str| {
            let (_, after) = problem.split_once(&must)?;
            Some(after.split_once(end)?.0.to_string())
        };
        let in_words = |words: &mut dyn Iterator<Item = &str>| {
            words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        };
        let truth = if let Some(range) = allowed(&spoilt_number, ", got") {
            Some(range)
        } else if let Some(words) = allowed(&spoilt_word, "; got") {
            let words: Vec<String> =
                words.trim_start_matches("one of ").split(", ").map(|word| format!("\"{word}\"")).collect();
            Some(in_words(&mut words.iter().map(String::as_str)))
        } else if value.is_bool() {
            Some(in_words(&mut ["true", "false"].into_iter()))
        } else {
            None
        };
        let looks_like_range = ["from ", ">", "<"].iter().any(|begin| row.range.starts_with(begin));
        let agrees = truth.as_ref().map_or(!looks_like_range, |truth| same_words(truth, &row.range));
        if !agrees {
            let Row { section, key, range, line, .. } = &row;
            let truth = truth.unwrap_or("not limited".into());
            complaints.push(format!("{PATH}:{line}: the range of `{section}` `{key}` is {range:?}; really {truth:?}"));
        }
    }
    report(&complaints);
}

/// The same text, up to how numbers are written.
fn same_words(a: &str, b: &str) -> bool {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
    let same = |(a, b): (&&str, &&str)| a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a));
    a.len() == b.len() && a.iter().zip(&b).all(same)
}

#[test]
fn every_example_is_a_scene_that_loads() {
    let mut examples = 0;
    for block in document::blocks() {
        assert_ne!(block.info, "toml", "{PATH}:{}: write ```toml scene: every example is a whole scene", block.line);
        if block.info != "toml scene" {
            continue;
        }
        examples += 1;
        let meshes = block.text.lines().filter_map(|line| line.strip_prefix("mesh = \"")?.strip_suffix('"'));
        let folder = folder_with_meshes("examples", meshes);
        let scene = load(&block.text, &folder).unwrap_or_else(|problem| panic!("{PATH}:{}: {problem}", block.line));
        let again = load(&scene.resolved, &folder).unwrap_or_else(|problem| panic!("{PATH}:{}: {problem}", block.line));
        assert_eq!(scene.resolved, again.resolved, "{PATH}:{}", block.line);
    }
    // One for each section, and the first.
    assert!(examples >= 14, "{PATH} has only {examples} examples");
    let first = document::blocks().into_iter().find(|block| block.info == "toml scene").unwrap();
    assert!(first.text.lines().count() < 10, "the first example is the shortest useful scene");
}

#[test]
fn every_command_with_set_is_possible() {
    let mut commands = 0;
    let blocks = document::blocks();
    for line in blocks.iter().flat_map(|block| block.text.lines()).filter(|line| line.contains(" --set ")) {
        commands += 1;
        // Every second piece stood between quotes; its spaces do not separate words.
        let pieces = line.split('\'').enumerate();
        let quoted = pieces.map(|(at, piece)| if at % 2 == 1 { piece.replace(' ', "\0") } else { piece.to_string() });
        let words: Vec<String> = quoted.collect::<String>().split(' ').map(|word| word.replace('\0', " ")).collect();
        let [_, _, name, ..] = words.as_slice() else { panic!("{line}") };
        let (_, text) = gallery::find(name).unwrap_or_else(|| panic!("{PATH}: {name} is not in the gallery"));
        let sets: Vec<String> =
            words.windows(2).filter(|pair| pair[0] == "--set").map(|pair| pair[1].clone()).collect();
        let changed = load_text(name, "scene.toml", text, Path::new("."), &sets);
        let changed = changed.unwrap_or_else(|problem| panic!("{PATH}: {line}: {problem}"));
        let plain = load_text(name, "scene.toml", text, Path::new("."), &[]).unwrap();
        assert_ne!(changed.resolved, plain.resolved, "{PATH}: {line} changes nothing");
    }
    assert!(commands > 0);
}
