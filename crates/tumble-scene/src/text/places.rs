//! Where the values of a scene stand in its text, by their paths.

use super::location::{Location, Source};
use super::problem::{Problem, Problems};
use super::tree::{Node, Value, key_text};

/// The text of a scene, and where each of its keys stands.
#[derive(Clone, Debug)]
pub struct Places {
    source: Source,
    root: Node,
}

impl Places {
    /// The places in a tree that came from this text.
    pub fn new(source: Source, root: Node) -> Self {
        Self { source, root }
    }

    /// Problems with the places of what they are about: of the key itself, or of the table that
    /// does not have it.
    pub fn locate(&self, problems: Vec<Problem>) -> Problems {
        let locate = |problem: Problem| match problem.place {
            Location::Section(_) => Problem { place: nearest(&self.root, &problem.path).clone(), ..problem },
            _ => problem,
        };
        Problems::new(&self.source, problems.into_iter().map(locate).collect())
    }
}

/// The place at a path, or of the innermost table on the way to it.
fn nearest<'a>(node: &'a Node, path: &str) -> &'a Location {
    let next = match &node.value {
        Value::Table(items) => items.iter().find_map(|item| {
            let rest = path.trim_start_matches('.').strip_prefix(&key_text(&item.key))?;
            (rest.is_empty() || rest.starts_with(['.', '['])).then_some((&item.node, rest))
        }),
        Value::Array(nodes) => path
            .strip_prefix('[')
            .and_then(|path| path.split_once(']'))
            .and_then(|(at, rest)| Some((nodes.get(at.parse::<usize>().ok()?)?, rest))),
        _ => None,
    };
    match next {
        Some((next, rest)) => nearest(next, rest),
        None => &node.place,
    }
}
