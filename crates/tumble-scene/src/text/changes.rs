//! Changes between two resolved scenes, key by key: the reason why a run cannot be resumed.

use std::collections::BTreeMap;
use std::fmt;

use super::location::Source;
use super::tree::{Node, Value, key_text};

/// A key that is different in two scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path, such as `material.sand.friction`.
    pub path: String,
    /// Its value in the first scene, as text; none if it has no such key.
    pub old: Option<String>,
    /// Its value in the second scene.
    pub new: Option<String>,
}

impl Change {
    /// Both values: `0.5 -> 0.3`, `added 100` or `removed 24`.
    pub fn values(&self) -> String {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => format!("{old} -> {new}"),
            (Some(old), None) => format!("removed {old}"),
            (None, new) => format!("added {}", new.as_deref().unwrap_or_default()),
        }
    }
}

/// Prints `material.sand.friction: 0.5 -> 0.3`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.values())
    }
}

/// Differences of two scene texts, in the order of the old one, then of the new; or why one
/// of them cannot be read.
pub fn changes(old: &str, new: &str) -> Result<Vec<Change>, String> {
    let old = leaves(old).map_err(|why| format!("the old scene cannot be read: {why}"))?;
    let new = leaves(new).map_err(|why| format!("the new scene cannot be read: {why}"))?;
    let index = |leaves: &[(String, String)]| leaves.iter().cloned().collect::<BTreeMap<_, _>>();
    let (old_values, new_values) = (index(&old), index(&new));
    let changed = |(path, value): (String, String)| {
        let new = new_values.get(&path).cloned();
        (new.as_ref() != Some(&value)).then_some(Change { path, old: Some(value), new })
    };
    let added = |(path, value): &(String, String)| {
        let is_new = !old_values.contains_key(path);
        is_new.then(|| Change { path: path.clone(), old: None, new: Some(value.clone()) })
    };
    Ok(old.into_iter().filter_map(changed).chain(new.iter().filter_map(added)).collect())
}

/// Path and text of every value that is no table, in the order of the text.
fn leaves(text: &str) -> Result<Vec<(String, String)>, String> {
    let root = Source::new("scene", text).parse().map_err(|problems| problems.to_string())?;
    let mut leaves = Vec::new();
    collect(&root, String::new(), &mut leaves);
    Ok(leaves)
}

fn collect(node: &Node, path: String, leaves: &mut Vec<(String, String)>) {
    match &node.value {
        Value::Table(items) => {
            for item in items {
                let dot = if path.is_empty() { "" } else { "." };
                collect(&item.node, format!("{path}{dot}{}", key_text(&item.key)), leaves);
            }
        }
        Value::Array(nodes) if nodes.iter().any(|node| matches!(node.value, Value::Table(_))) => {
            for (at, node) in nodes.iter().enumerate() {
                collect(node, format!("{path}[{at}]"), leaves);
            }
        }
        value => leaves.push((path, value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_named_once() {
        let old = "fps = 24\nsize = [1, 2]\n[material.sand]\nfriction = 0.5\n[[emitter]]\ncount = 1\n";
        let new =
            "size = [1.0, 3]\n[material.sand]\nfriction = 0.3\n[[emitter]]\ncount = 1.0\n[[emitter]]\ncount = 100\n";
        let changed: Vec<String> = changes(old, new).unwrap().iter().map(Change::to_string).collect();
        assert_eq!(
            changed,
            [
                "fps: removed 24",
                "size: [1, 2] -> [1, 3]",
                "material.sand.friction: 0.5 -> 0.3",
                "emitter[1].count: added 100"
            ]
        );
        assert!(changes(old, old).unwrap().is_empty());
    }

    #[test]
    fn broken_text_is_said() {
        assert!(changes("a = ", "a = 1").unwrap_err().starts_with("the old scene cannot be read"));
    }
}
