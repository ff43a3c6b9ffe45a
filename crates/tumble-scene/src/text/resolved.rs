//! The resolved scene: what was read from which section, with defaults filled in. Written by the reader, printed as TOML.

use std::fmt::Write;

use super::place::Place;
use super::tree::Value;

/// A scene with nothing left to default.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    text: String,
    known_keys: Vec<(String, String)>,
}

impl Resolved {
    /// TOML of every key that was read, with its final value, in the order of reading. Keys without a value are left out.
    /// Reading this text gives this text again.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every section and key that was asked for, once each: `("material.*", "density")`, `("emitter", "count")`, `("", "fps")`.
    /// A subtable is a key of its parent too. Sections that this scene does not have were not read, so their keys are not here.
    pub fn known_keys(&self) -> &[(String, String)] {
        &self.known_keys
    }

    pub(super) fn new(sections: &[Section]) -> Self {
        let mut known_keys: Vec<(String, String)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for section in sections {
            for (key, _) in &section.keys {
                let known = (section.pattern.clone(), key.clone());
                if seen.insert(known.clone()) {
                    known_keys.push(known);
                }
            }
        }
        let mut children = vec![Vec::new(); sections.len()];
        for (at, section) in sections.iter().enumerate() {
            if let Some(parent) = section.parent {
                children[parent].push(at);
            }
        }
        // A section stands right before its children, or TOML would give them to another item of the same array.
        let mut text = String::new();
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            sections[at].print(&mut text, !children[at].is_empty());
            open.extend(children[at].iter().rev());
        }
        Self { text, known_keys }
    }
}

/// One table that was read.
#[derive(Debug)]
pub(super) struct Section {
    /// The row of the table around it; none for the top level.
    pub(super) parent: Option<usize>,
    /// Its path in messages: `emitter[1].jitter`.
    pub(super) name: String,
    /// Its path in headers: `emitter.jitter`.
    pub(super) header: String,
    /// Its path in documentation: `material.*`.
    pub(super) pattern: String,
    /// Whether it is one of an array of tables.
    pub(super) is_array_item: bool,
    /// Where it stands.
    pub(super) place: Place,
    /// The keys in the file and where they stand.
    pub(super) present: Vec<(String, Place)>,
    /// The keys asked for and the values given.
    pub(super) keys: Vec<(String, Option<Value>)>,
}

impl Section {
    /// Notes that a key was asked for, and what was given if it was a value.
    pub(super) fn note(&mut self, key: &str, value: Option<Value>) {
        match self.keys.iter_mut().find(|(known, _)| known == key) {
            Some(known) => known.1 = value.or(known.1.take()),
            None => self.keys.push((key.to_owned(), value)),
        }
    }

    fn print(&self, text: &mut String, has_children: bool) {
        let values = self.keys.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        let gap = if text.is_empty() { "" } else { "\n" };
        // A header that only holds other sections goes without saying.
        let needs_header = !has_children || values.clone().next().is_some();
        let written = match (self.parent, self.is_array_item) {
            (Some(_), true) => writeln!(text, "{gap}[[{}]]", self.header),
            (Some(_), false) if needs_header => writeln!(text, "{gap}[{}]", self.header),
            _ => Ok(()),
        };
        // Writing to a string cannot fail.
        debug_assert!(written.is_ok());
        for (key, value) in values {
            text.push_str(&format!("{} = {value}\n", super::tree::key_text(key)));
        }
    }
}
