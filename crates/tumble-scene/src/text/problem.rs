//! Problems: what is wrong, where, and what to do. Gives one text of all of them, in the order of
//! the file.

use std::fmt;

use super::location::{Location, Source};
use super::tree::Node;

/// More problems than this are counted, not shown.
const SHOWN: usize = 40;

/// Something wrong with a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The path of the key that it is about, such as `emitter[1].count`; empty for the scene as a
    /// whole.
    pub path: String,
    /// The problem, in one sentence.
    pub what: String,
    /// Where.
    pub place: Location,
    /// Help: a way to mend it.
    pub help: Option<String>,
}

impl Problem {
    /// A problem at a place of the text.
    pub(super) fn new(what: impl Into<String>, place: &Location) -> Self {
        Self { path: String::new(), what: what.into(), place: place.clone(), help: None }
    }

    /// A problem with a value of the text.
    pub(crate) fn in_text(what: String, node: &Node, help: &str) -> Self {
        Self::new(what, &node.place).with_help(Some(help.to_owned()))
    }

    /// A problem with the value at a path. An empty `help` gives none.
    pub(crate) fn at(path: impl Into<String>, what: impl Into<String>, help: impl Into<String>) -> Self {
        let (path, help) = (path.into(), Some(help.into()).filter(|help: &String| !help.is_empty()));
        Self { place: Location::Section(path.clone()), path, what: what.into(), help }
    }

    pub(super) fn with_help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }
}

/// All problems of a scene, and the text they are about. Prints like a compiler's messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    source: Source,
    problems: Vec<Problem>,
}

impl Problems {
    /// Problems of a text, sorted by place.
    pub fn new(source: &Source, mut problems: Vec<Problem>) -> Self {
        problems.sort_by(|a, b| a.place.cmp(&b.place));
        problems.dedup();
        Self { source: source.clone(), problems }
    }

    /// The problems, in the order of their places.
    pub fn all(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.problems.iter().take(SHOWN).enumerate() {
            let gap = if number > 0 { "\n" } else { "" };
            writeln!(f, "{gap}{}: {}", self.source.place_name(&problem.place), problem.what)?;
            if let Location::Span { start, end } = problem.place {
                f.write_str(&self.source.excerpt(start, end))?;
            }
            if let Some(help) = &problem.help {
                writeln!(f, "help: {help}")?;
            }
        }
        match self.problems.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_print_in_the_order_of_the_file() {
        let source = Source::new("scene.toml", "a = 1\nb = 2\n");
        let problem = |what: &str, place| Problem::new(what, &place);
        let problems = Problems::new(
            &source,
            vec![
                problem("third", Location::Set("a=1".into())),
                Problem { help: Some("do better".into()), ..problem("second", (10..11).into()) },
                problem("first", (4..5).into()),
                problem("first", (4..5).into()),
            ],
        );
        assert_eq!(
            problems.to_string(),
            "scene.toml:1:5: first\n1 | a = 1\n  |     ^\n\nscene.toml:2:5: second\n2 | b = 2\n  |     ^\n\
             help: do better\n\n--set a=1: third\n"
        );
    }

    #[test]
    fn a_flood_of_problems_is_counted() {
        let problem = |at| Problem::new(format!("no {at}"), &Location::Section(String::new()));
        let text = Problems::new(&Source::new("x", ""), (0..SHOWN + 3).map(problem).collect()).to_string();
        assert!(text.ends_with("\nand 3 more\n"), "{text}");
    }
}
