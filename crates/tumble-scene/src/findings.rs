//! Problems found so far, by the paths of the values they are about.

use std::collections::BTreeSet;

use crate::text::Problem;

/// All problems of a scene: those of single values come first, what follows from several values
/// later.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Problem>,
    /// Paths of values that are wrong by themselves, and of all that have a problem. A hostile
    /// scene has millions, so they are looked up, not searched.
    wrong_values: BTreeSet<String>,
    paths: BTreeSet<String>,
}

impl Findings {
    /// Begins with what is wrong with single values.
    pub(crate) fn new(of_values: Vec<Problem>) -> Self {
        let wrong_values: BTreeSet<String> = of_values.iter().map(|problem| problem.path.clone()).collect();
        Self { list: of_values, paths: wrong_values.clone(), wrong_values }
    }

    /// Adds a problem with the value at a path, unless that value is known to be wrong by itself:
    /// what stands in for it is not the user's. An empty `help` gives none.
    pub(crate) fn at(&mut self, path: impl Into<String>, what: impl Into<String>, help: impl Into<String>) {
        let path = path.into();
        if path.is_empty() || !self.wrong_values.contains(&path) {
            self.paths.insert(path.clone());
            self.list.push(Problem::at(path, what, help));
        }
    }

    /// Whether nothing is wrong at a path or below it.
    pub(crate) fn is_clean(&self, path: &str) -> bool {
        let is_below = |sign: char| {
            let begin = format!("{path}{sign}");
            self.paths.range(begin.clone()..).next().is_some_and(|next| next.starts_with(&begin))
        };
        !self.paths.contains(path) && !is_below('.') && !is_below('[')
    }

    /// Whether nothing is wrong at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All problems.
    pub(crate) fn into_list(self) -> Vec<Problem> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_clean_if_nothing_at_or_below_it_is_wrong() {
        let mut findings = Findings::new(vec![Problem::at("shape.a.radius", "wrong", "")]);
        findings.at("body[1]", "wrong too", "");
        findings.at("shape.a.radius", "not the user's value", "");
        assert_eq!(findings.list.len(), 2);
        for path in ["shape", "shape.a", "shape.a.radius", "body", "body[1]"] {
            assert!(!findings.is_clean(path), "{path}");
        }
        for path in ["shape.ab", "shape.a.radiuses", "shape.b", "body[10]", "body[0]", "bod"] {
            assert!(findings.is_clean(path), "{path}");
        }
    }
}
