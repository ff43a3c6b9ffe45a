//! `--set`: changes one value of the tree. Reads `path=value`, gives the changed tree; the new
//! nodes remember the assignment, so that a problem with them names it.

use toml::de::DeValue;

use super::location::Location;
use super::tree::{Item, MOST_PARTS, Node, Value, node, too_many_parts};

/// Applies `a.b.0.c=value`. Parts of the path are keys of tables or numbers of array items; tables
/// that are missing are made. The value is TOML; a word that is no TOML value is a string.
pub fn set(root: &mut Node, assignment: &str) -> Result<(), String> {
    let (path, text) = assignment
        .split_once('=')
        .ok_or_else(|| format!("--set {assignment}: expected key=value, such as material.sand.friction=0.3"))?;
    let fail = |why: String| format!("--set {assignment}: {why}");
    let place = Location::Set(assignment.to_owned());
    let parts: Vec<&str> = path.split('.').map(str::trim).collect();
    if parts.contains(&"") || parts.len() > MOST_PARTS {
        return Err(fail(format!("{:?} is not a path of keys", path.trim())));
    }
    let mut target = root;
    for part in parts {
        target = child(target, part, &place).map_err(fail)?;
    }
    *target = Node { value: parse_value(text.trim(), &place).map_err(fail)?, place };
    Ok(())
}

/// The node one step down, made if it is missing from a table.
fn child<'a>(parent: &'a mut Node, part: &str, place: &Location) -> Result<&'a mut Node, String> {
    let kind = parent.value.kind();
    match &mut parent.value {
        Value::Table(items) => {
            let at = items.iter().position(|item| item.key == part).unwrap_or(items.len());
            if at == items.len() {
                let node = Node { place: place.clone(), value: Value::Table(Vec::new()) };
                items.push(Item { key: part.to_owned(), key_place: place.clone(), node });
            }
            Ok(&mut items[at].node)
        }
        Value::Array(nodes) => {
            let count = nodes.len();
            let node = part.parse().ok().and_then(|at: usize| nodes.get_mut(at));
            node.ok_or_else(|| {
                format!("{part:?} is not a number from 0 to {} of an array item", count.saturating_sub(1))
            })
        }
        _ => Err(format!("{part:?} cannot be inside {kind}")),
    }
}

fn parse_value(text: &str, place: &Location) -> Result<Value, String> {
    if too_many_parts(text).is_some() {
        return Err(format!("a key may have at most {MOST_PARTS} parts"));
    }
    let mut problems = Vec::new();
    let mut value = match DeValue::parse(text) {
        Ok(value) => node(value, &mut problems).value,
        // A text that begins like an array, table or string was meant to be one.
        Err(error) if text.is_empty() || text.starts_with(['[', '{', '"', '\'']) => return Err(error.message().into()),
        Err(_) => Value::String(text.to_owned()),
    };
    if let Some(problem) = problems.into_iter().next() {
        return Err(problem.what);
    }
    move_to(&mut value, place);
    Ok(value)
}

/// Gives all nodes inside a value the place of the assignment.
fn move_to(value: &mut Value, place: &Location) {
    match value {
        Value::Array(nodes) => nodes.iter_mut().for_each(|node| {
            node.place = place.clone();
            move_to(&mut node.value, place);
        }),
        Value::Table(items) => items.iter_mut().for_each(|item| {
            item.key_place = place.clone();
            item.node.place = place.clone();
            move_to(&mut item.node.value, place);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Source;

    fn after(text: &str, assignment: &str) -> Result<String, String> {
        let mut root = Source::new("x", text).parse().unwrap();
        set(&mut root, assignment).map(|()| root.value.to_string())
    }

    #[test]
    fn values_are_replaced_and_made() {
        assert_eq!(after("a = 1", "a=2").unwrap(), "{ a = 2 }");
        assert_eq!(after("", "a.b.c=-1.5").unwrap(), "{ a = { b = { c = -1.5 } } }");
        assert_eq!(after("[[e]]\nn = 1\n[[e]]\nn = 2", "e.1.n=[3, 4]").unwrap(), "{ e = [{ n = 1 }, { n = [3, 4] }] }");
        assert_eq!(after("", "a=round clump").unwrap(), "{ a = \"round clump\" }");
        assert_eq!(after("", "a = \"x=y\"").unwrap(), "{ a = \"x=y\" }");
    }

    #[test]
    fn nonsense_is_refused() {
        for assignment in ["a", "=1", "a.=1", "a=", "a=[1", "e.2.n=1", "e.x=1", "s.x=1", "a=99999999999999999999"] {
            let error = after("s = 'text'\n[[e]]\n[[e]]", assignment).unwrap_err();
            assert!(error.starts_with(&format!("--set {assignment}: ")), "{error}");
        }
    }

    #[test]
    fn too_deep_a_path_is_refused() {
        assert!(after("", &format!("{}=1", ["a"; 100_000].join("."))).is_err());
        assert!(after("", &format!("a={{ {} = 1 }}", ["a"; 40].join("."))).is_err());
    }
}
