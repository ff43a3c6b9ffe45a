//! What changed between two resolved scenes, key by key: says why a run cannot be resumed.

use std::collections::BTreeMap;

use super::place::Source;
use super::tree::{Node, Value, key_text};

/// Lines such as `material.sand.friction: 0.5 -> 0.3`, `emitter[1].count: added 100` and `fps: removed 24`, in the order of
/// the old text, then of the new.
pub fn changed_keys(old: &str, new: &str) -> Vec<String> {
    let (old, new) = match (leaves(old), leaves(new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(why), _) => return vec![format!("the old scene cannot be read: {why}")],
        (_, Err(why)) => return vec![format!("the new scene cannot be read: {why}")],
    };
    let index = |leaves: &[(String, String)]| leaves.iter().cloned().collect::<BTreeMap<_, _>>();
    let (old_values, new_values) = (index(&old), index(&new));
    let kept_or_removed = old.iter().filter_map(|(path, value)| match new_values.get(path) {
        None => Some(format!("{path}: removed {value}")),
        Some(other) if other != value => Some(format!("{path}: {value} -> {other}")),
        Some(_) => None,
    });
    let added = new.iter().filter(|(path, _)| !old_values.contains_key(path));
    kept_or_removed.chain(added.map(|(path, value)| format!("{path}: added {value}"))).collect()
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
        assert_eq!(
            changed_keys(old, new),
            [
                "fps: removed 24",
                "size: [1, 2] -> [1, 3]",
                "material.sand.friction: 0.5 -> 0.3",
                "emitter[1].count: added 100"
            ]
        );
        assert!(changed_keys(old, old).is_empty());
    }

    #[test]
    fn broken_text_is_said() {
        assert!(changed_keys("a = ", "a = 1")[0].starts_with("the old scene cannot be read"));
    }
}
