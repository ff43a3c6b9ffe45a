//! Dependencies that may be built in: licences, crates and sources, as `deny.toml` says, without
//! `cargo deny`.

use std::process::Command;

use serde_json::Value;

use crate::report;
use crate::tree::root;

/// The words of a list in a section of `deny.toml`.
fn listed(section: &str, key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let section = text.split(&format!("\n[{section}]\n")).nth(1).unwrap().split("\n[").next().unwrap();
    let list = section.split(&format!("\n{key} = [")).nth(1).or(section.strip_prefix(&format!("{key} = [")));
    let list = list.unwrap_or_else(|| panic!("deny.toml has no {key}")).split(']').next().unwrap();
    list.split(',').map(|word| word.trim().trim_matches('"').to_string()).filter(|word| !word.is_empty()).collect()
}

/// All crates of the lock file that this machine builds.
fn packages() -> Vec<Value> {
    let compiler = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let compiler = String::from_utf8(compiler).unwrap();
    let machine = compiler.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", machine])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let metadata: Value = serde_json::from_slice(&cargo.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    assert!(packages.len() > 50, "where are the dependencies?");
    packages
}

/// Whether an SPDX expression can be met with these licences. `/` is the old way to write OR.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = either(&words, allowed);
    assert!(rest.is_empty(), "{expression} is no licence expression");
    met
}

/// One or more parts with OR between them, and the words after them.
fn either<'a>(words: &'a [&'a str], allowed: &[String]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = both(words, allowed);
    while let Some((&"OR", more)) = rest.split_first() {
        let (next, after) = both(more, allowed);
        (met, rest) = (met || next, after);
    }
    (met, rest)
}

/// One or more parts with AND between them, which binds stronger.
fn both<'a>(words: &'a [&'a str], allowed: &[String]) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = part(words, allowed);
    while let Some((&"AND", more)) = rest.split_first() {
        let (next, after) = part(more, allowed);
        (met, rest) = (met && next, after);
    }
    (met, rest)
}

/// A licence, or an expression in brackets.
fn part<'a>(words: &'a [&'a str], allowed: &[String]) -> (bool, &'a [&'a str]) {
    let (&first, rest) = words.split_first().expect("a licence expression goes on");
    if first != "(" {
        return (allowed.iter().any(|licence| licence == first), rest);
    }
    let (met, rest) = either(rest, allowed);
    (met, rest.strip_prefix(&[")"]).expect("brackets are closed"))
}

#[test]
fn licence_expressions_are_understood() {
    let allowed = ["MIT".to_string(), "Zlib".to_string()];
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR Zlib", true),
        ("GPL-3.0-only/MIT", true),
        ("MIT AND GPL-3.0-only", false),
        ("(MIT OR Apache-2.0) AND Zlib", true),
        ("(Apache-2.0 OR GPL-2.0-only) AND MIT", false),
        ("GPL-2.0-only AND MIT OR Zlib", true),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}

#[test]
fn licences_crates_and_sources_are_allowed() {
    let (licences, banned) = (listed("licenses", "allow"), listed("bans", "deny"));
    let registries: Vec<String> =
        listed("sources", "allow-registry").iter().map(|address| format!("registry+{address}")).collect();
    let mut against = Vec::new();
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        match package["license"].as_str() {
            None => against.push(format!("{name} names no licence")),
            Some(licence) if !is_allowed(licence, &licences) => against.push(format!("{name} is under {licence}")),
            Some(_) => {}
        }
        if banned.iter().any(|other| other == name) {
            against.push(format!("{name} is banned"));
        }
        if let Some(source) =
            package["source"].as_str().filter(|source| !registries.iter().any(|known| known == source))
        {
            against.push(format!("{name} comes from {source}"));
        }
    }
    report("dependencies have a licence, a name and a source that deny.toml allows", &against);
}
