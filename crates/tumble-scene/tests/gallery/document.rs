//! Reads `docs/scene.md`: the tables of keys, section by section, and the examples.

use crate::text_of;

pub(crate) const PATH: &str = "docs/scene.md";

const HEADER: [&str; 5] = ["key", "unit", "default", "range", "meaning"];

/// A row of the document about one key.
#[derive(Debug)]
pub(crate) struct Row {
    /// The section as `Parsed::known_keys` names it: `material.*`, `emitter.jitter`, empty for the
    /// top level.
    pub(crate) section: String,
    pub(crate) key: String,
    pub(crate) default: String,
    pub(crate) range: String,
    pub(crate) meaning: String,
    pub(crate) line: usize,
}

/// A code block.
pub(crate) struct Block {
    /// The words after the backticks.
    pub(crate) info: String,
    pub(crate) text: String,
    /// Line of its first line.
    pub(crate) line: usize,
}

/// All rows of all tables of keys. A table of keys outside a section is an error.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let (mut section, mut in_table) = (None, false);
    for (number, line) in text_of(PATH).lines().enumerate() {
        let number = number + 1;
        if let Some(heading) = line.strip_prefix('#') {
            section = section_of(heading.trim_start_matches('#').trim());
        }
        let Some(cells) = cells(line) else {
            in_table = false;
            continue;
        };
        if cells == HEADER {
            in_table = true;
        } else if in_table && !cells[0].starts_with("---") {
            let [key, _, default, range, meaning] = cells.as_slice() else {
                panic!("{PATH}:{number}: a row of keys has five cells, this one has {}", cells.len());
            };
            let Some(section) = &section else { panic!("{PATH}:{number}: a table of keys outside a section") };
            let Some(key) = unquoted(key) else { panic!("{PATH}:{number}: write the key in backticks") };
            let [default, range, meaning] = [default, range, meaning].map(|cell| cell.to_string());
            rows.push(Row { section: String::clone(section), key, default, range, meaning, line: number });
        }
    }
    rows
}

/// All code blocks.
pub(crate) fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in text_of(PATH).lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push(Block { info: info.to_string(), text: String::new(), line: number + 2 });
            }
            None if open => blocks.iter_mut().last().into_iter().for_each(|block| {
                block.text.push_str(line);
                block.text.push('\n');
            }),
            None => {}
        }
    }
    assert!(!open, "{PATH}: the last code block has no end");
    blocks
}

/// The section that a heading begins: its name in backticks, or the top level.
fn section_of(heading: &str) -> Option<String> {
    if heading == "Top level" { Some(String::new()) } else { unquoted(heading) }
}

fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// The text between backticks, if the whole of it stands there.
pub(crate) fn unquoted(text: &str) -> Option<String> {
    let inside = text.strip_prefix('`')?.strip_suffix('`')?;
    (!inside.contains('`')).then(|| inside.to_string())
}
