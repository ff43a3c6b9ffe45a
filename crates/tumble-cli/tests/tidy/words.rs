//! Rules about words: comments that are sentences within a line's width, one meaning per type name.

use std::collections::BTreeMap;

use crate::report;
use crate::tree::{is_source, rust_files};

/// The most characters of a line with a comment.
const WIDEST: usize = 100;

/// Words with which a clause begins that has no head: "What it is." is no sentence.
const HEADLESS: [&str; 6] = ["What", "Who", "Whom", "Whose", "Whoever", "Whatever"];

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = ["///", "//!", "//"].iter().find_map(|mark| line.strip_prefix(mark))?;
    Some(text.trim())
}

#[test]
fn comments_fit_a_line() {
    let mut wide = Vec::new();
    for file in rust_files() {
        let lines = file.text.lines().enumerate();
        let lines = lines.filter(|(_, line)| comment(line).is_some() && line.chars().count() > WIDEST);
        wide.extend(lines.map(|(at, _)| format!("{}:{}", file.path, at + 1)));
    }
    report(&format!("a comment has at most {WIDEST} columns"), &wide);
}

#[test]
fn comments_are_no_headless_clauses() {
    let mut found = Vec::new();
    for file in rust_files() {
        let lines: Vec<&str> = file.text.lines().collect();
        for (at, text) in lines.iter().enumerate().filter_map(|(at, line)| Some((at, comment(line)?))) {
            if is_headless(text, &lines, at) {
                found.push(format!("{}:{}: {text}", file.path, at + 1));
            }
        }
    }
    report("a comment has a subject: no clause begins with what or who", &found);
}

/// Whether the comment in this line begins a sentence without a head, and is no question.
fn is_headless(text: &str, lines: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| comment(lines[before]));
    let begins = before.is_none_or(|before| before.is_empty() || before.ends_with(['.', ':']));
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let sentence = || lines[at..].iter().map_while(|line| comment(line)).collect::<Vec<_>>().join(" ");
    let is_question = || sentence().split_inclusive(['.', '?']).next().is_some_and(|first| first.ends_with('?'));
    begins && HEADLESS.contains(&word) && !is_question()
}

#[test]
fn a_headless_clause_is_seen_and_a_question_is_not() {
    let headless = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        is_headless(comment(lines[0]).unwrap(), &lines, 0)
    };
    assert!(headless("/// What all frames have in common.") && headless("// Who\n// sleeps."));
    assert!(!headless("/// What is an angle\n/// of repose? It is steep.") && !headless("/// Bodies that sleep."));
}

#[test]
fn a_type_name_has_one_meaning() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in rust_files().into_iter().filter(|file| is_source(&file.path) || file.path.contains("/src/")) {
        for name in file.text.lines().filter_map(type_name) {
            let of_name = places.entry(name.to_owned()).or_default();
            if !of_name.contains(&file.path) {
                of_name.push(file.path.clone());
            }
        }
    }
    let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
    let twice: Vec<String> = twice.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    report("a type name is defined in one file", &twice);
}

/// The name that a line at the left margin gives to a type or trait.
fn type_name(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}
