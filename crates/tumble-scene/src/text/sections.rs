//! The tables that a walk over a description passed: their values as text, and the keys they know.

use std::collections::BTreeSet;

use super::fields::{Section, walk};
use super::location::Location;
use super::problem::Problem;
use super::tree::{Value, key_text};

/// TOML of every value, with all that has a default. Reading it gives the same scene, and printing
/// that the same text.
pub fn print<T: Section + Clone>(value: &T) -> String {
    text_of(&walk(value).tables, true)
}

/// TOML of what is not as by default, for people to read and change.
pub fn print_short<T: Section + Clone>(value: &T) -> String {
    text_of(&walk(value).tables, false)
}

/// Problems of single values that are out of range, each with its path.
pub fn check_ranges<T: Section + Clone>(value: &T) -> Vec<Problem> {
    walk(value).problems
}

/// One table of a walk.
#[derive(Debug)]
pub(super) struct Table {
    /// The row of the table around it; none for the top level.
    pub(super) parent: Option<usize>,
    /// Its path in messages: `emitter[1].jitter`.
    pub(super) name: String,
    /// Its path in headers: `emitter.jitter`.
    pub(super) header: String,
    /// Its path in documentation: `material.*`.
    pub(super) pattern: String,
    /// How it comes to be there.
    pub(super) kind: Presence,
    /// Where it stands.
    pub(super) place: Location,
    /// The keys in the text and where they stand.
    pub(super) present: Vec<(String, Location)>,
    /// The keys asked for.
    pub(super) keys: Vec<TableKey>,
    /// Whether keys that nobody asked for are let through.
    pub(super) takes_any_key: bool,
}

/// How a table comes to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// It always is, with its defaults.
    Always,
    /// Somebody wrote it.
    Given,
    /// It is one of an array of tables.
    Item,
}

/// A key that a description asked for.
#[derive(Clone, Debug)]
pub(super) struct TableKey {
    pub(super) name: &'static str,
    pub(super) value: Option<Value>,
    /// Whether this is the value that the table has by default, so that it need not be written.
    is_default: bool,
    /// Whether it has to be written all the same.
    is_required: bool,
}

impl Table {
    /// Notes that a key was asked for, and its value.
    pub(super) fn note(&mut self, name: &'static str, value: Option<Value>) {
        match self.keys.iter_mut().find(|key| key.name == name) {
            Some(key) => key.value = value.or(key.value.take()),
            None => self.keys.push(TableKey { name, value, is_default: false, is_required: false }),
        }
    }

    /// Marks a key as one that has to be written.
    pub(super) fn require(&mut self, name: &str) {
        self.keys.iter_mut().filter(|key| key.name == name).for_each(|key| key.is_required = true);
    }

    /// Marks the values that are those of a table with nothing but defaults.
    pub(super) fn mark_defaults(&mut self, defaults: &[TableKey]) {
        for key in &mut self.keys {
            key.is_default = defaults.iter().any(|other| other.name == key.name && other.value == key.value);
        }
    }

    /// Name, header and pattern of a table inside this one.
    pub(super) fn paths_of(&self, step: &str, pattern: &str) -> [String; 3] {
        [join(&self.name, step), join(&self.header, step), join(&self.pattern, pattern)]
    }

    /// The path of a key; that of the table itself without one.
    pub(super) fn path_of(&self, key: &str) -> String {
        if key.is_empty() { self.name.clone() } else { join(&self.name, key) }
    }

    /// The words " in [emitter\[1\]]", or nothing at the top level.
    pub(super) fn inside(&self) -> String {
        if self.name.is_empty() { String::new() } else { format!(" in [{}]", self.name) }
    }

    fn print(&self, text: &mut String, has_children: bool, with_defaults: bool) {
        let shown = |key: &&TableKey| key.value.is_some() && (with_defaults || key.is_required || !key.is_default);
        let is_bare = !self.keys.iter().any(|key| shown(&key));
        let gap = if text.is_empty() { "" } else { "\n" };
        // A header that only holds other tables goes without saying.
        let goes_without = is_bare && (has_children || (self.kind == Presence::Always && !with_defaults));
        if self.kind == Presence::Item {
            text.push_str(&format!("{gap}[[{}]]\n", self.header));
        } else if self.parent.is_some() && !goes_without {
            text.push_str(&format!("{gap}[{}]\n", self.header));
        }
        for TableKey { name, value, .. } in self.keys.iter().filter(shown) {
            text.extend(value.as_ref().map(|value| format!("{} = {value}\n", key_text(name))));
        }
    }
}

fn join(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") }
}

/// The tables as TOML.
fn text_of(tables: &[Table], with_defaults: bool) -> String {
    let mut children = vec![Vec::new(); tables.len()];
    for (at, table) in tables.iter().enumerate() {
        if let Some(parent) = table.parent {
            children[parent].push(at);
        }
    }
    // A table stands right before its children, or TOML would give them to another item of the same
    // array.
    let mut text = String::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        tables[at].print(&mut text, !children[at].is_empty(), with_defaults);
        open.extend(children[at].iter().rev());
    }
    text
}

/// Every section and key that tables know, once each, in the order of the walk.
pub(super) fn known_keys(tables: &[Table]) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let keys = tables.iter().flat_map(|table| table.keys.iter().map(|key| (table.pattern.as_str(), key.name)));
    keys.filter(|known| seen.insert(*known)).map(|(pattern, key)| (pattern.to_owned(), key.to_owned())).collect()
}
