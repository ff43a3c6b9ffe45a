//! Links between documents lead somewhere.

use std::path::Path;

use crate::report;
use crate::tree::{Text, root, texts};

fn is_document(path: &str) -> bool {
    let at_root = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].contains(&path);
    at_root || (path.starts_with("docs/") && path.ends_with(".md"))
}

/// The text with code blanked out: blocks and what stands between backticks.
fn prose(text: &str) -> Vec<String> {
    let mut in_block = false;
    let blank = |(at, piece): (usize, &str)| if at % 2 == 0 { piece.to_string() } else { "code".to_string() };
    let line = |line: &str| {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        if in_block || is_fence { String::new() } else { line.split('`').enumerate().map(blank).collect() }
    };
    text.lines().map(line).collect()
}

/// Targets of `[…](target)`, `[…]: target`, `src="target"` and `href="target"`, each with its line.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(text).iter().enumerate() {
        let between = |begin: &str, end: char| {
            let pieces = line.split(begin).skip(1);
            pieces.filter_map(|rest| Some(rest.split_once(end)?.0.to_string())).collect::<Vec<_>>()
        };
        let mut found = [between("](", ')'), between("src=\"", '"'), between("href=\"", '"')].concat();
        if line.starts_with('[') {
            found.extend(line.split_once("]: ").map(|(_, target)| target.to_string()));
        }
        // A title may follow the target.
        let target = |found: String| found.split(' ').next().unwrap_or("").trim_matches(['<', '>']).to_string();
        links.extend(found.into_iter().map(|found| (number + 1, target(found))));
    }
    links
}

/// The anchors of a document's headings, as they are made on GitHub.
fn anchors(text: &str) -> Vec<String> {
    let mut in_block = false;
    let headings = text.lines().filter(|line| {
        in_block ^= line.trim_start().starts_with("```");
        !in_block && line.starts_with('#')
    });
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// The problem with a link, if there is one.
fn problem(document: &Text, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = Path::new(&document.path).parent().unwrap_or(Path::new(""));
    let path = if file.is_empty() { root().join(&document.path) } else { root().join(folder).join(file) };
    if !path.exists() {
        return Some("no such file".to_string());
    }
    if anchor.is_empty() || path.extension().is_none_or(|ending| ending != "md") {
        return None;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    (!anchors(&text).iter().any(|known| known == anchor)).then(|| format!("no heading gives #{anchor}"))
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for document in texts().iter().filter(|file| is_document(&file.path)) {
        for (line, target) in links(&document.text) {
            broken.extend(problem(document, &target).map(|why| format!("{}:{line}: {target}: {why}", document.path)));
        }
    }
    report("a relative link leads to a file of the repository", &broken);
}

#[test]
fn links_are_seen() {
    let text =
        "[a](b.md) and ![c](d.png \"title\"), `[no](code)`\n```\n[no](block)\n```\n[e]: f.md\n<img src=\"g.svg\">\n";
    let targets: Vec<String> = links(text).into_iter().map(|(_, target)| target).collect();
    assert_eq!(targets, ["b.md", "d.png", "f.md", "g.svg"]);
    assert_eq!(anchors("# The `a.*` part\n```\n# no\n```\n"), ["the-a-part"]);
}
