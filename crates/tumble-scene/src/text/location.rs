//! Where something stands: a span of the scene text, a `--set` on the command line, or a section.
//! Gives the excerpt with carets that a message shows.

use std::ops::Range;

/// The excerpt of a long line has about this many characters.
const EXCERPT: usize = 100;

/// A text and the name it goes by in messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The name, usually the path of the file as the user wrote it.
    pub name: String,
    /// The TOML text.
    pub text: String,
}

/// Where a value or a problem stands. The order is the order in which problems are shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// Something that is missing in this section, which is empty at the top level, and stands
    /// nowhere.
    Section(String),
    /// Bytes from `start` to `end` of the text.
    Span {
        /// The first byte.
        start: usize,
        /// One after the last byte.
        end: usize,
    },
    /// The assignment of a `--set`.
    Set(String),
}

impl From<Range<usize>> for Location {
    fn from(span: Range<usize>) -> Self {
        Self::Span { start: span.start, end: span.end }
    }
}

impl Source {
    /// A text with its name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The name of a place as it begins a message: `scene.toml:12:11`, `--set a.b=1` or
    /// `scene.toml`.
    pub(super) fn place_name(&self, place: &Location) -> String {
        match place {
            Location::Span { start, .. } => {
                let (line, column, _) = self.position(*start);
                format!("{}:{line}:{column}", self.name)
            }
            Location::Set(assignment) => format!("--set {assignment}"),
            Location::Section(section) if section.is_empty() => self.name.clone(),
            Location::Section(section) => format!("{}: [{section}]", self.name),
        }
    }

    /// The line of a span with carets under the span, as two lines of text.
    pub(super) fn excerpt(&self, start: usize, end: usize) -> String {
        let (number, column, line) = self.position(start);
        let marked = self.text.get(self.floor(start)..self.floor(end)).unwrap_or("");
        let marked = marked.split(['\r', '\n']).next().unwrap_or("").chars().count().max(1);

        // A long line is cut to the characters around the span, with a mark where it was cut.
        let chars: Vec<char> = line.chars().collect();
        let first = (column - 1).saturating_sub(EXCERPT.saturating_sub(marked) / 2).min(chars.len());
        let first = if chars.len() <= EXCERPT { 0 } else { first.min(chars.len() - EXCERPT) };
        let last = chars.len().min(first + EXCERPT);
        let mut shown = String::from(if first > 0 { "…" } else { "" });
        let mut carets = " ".repeat(shown.chars().count());
        for (at, &c) in chars[..last].iter().enumerate().skip(first) {
            let (text, cells) = shown_as(c);
            shown.push_str(&text);
            let mark = if (column - 1..column - 1 + marked).contains(&at) { "^" } else { " " };
            if at < column - 1 + marked {
                carets.push_str(&mark.repeat(cells));
            }
        }
        // A span at the end of the line, or of the text, still gets its caret.
        if column > chars.len() {
            carets.push('^');
        }
        if last < chars.len() {
            shown.push('…');
        }
        let gutter = number.to_string();
        format!("{gutter} | {shown}\n{} | {carets}\n", " ".repeat(gutter.len()))
    }

    /// Line and column of a byte, counted from 1 in characters, and the text of that line.
    fn position(&self, byte: usize) -> (usize, usize, &str) {
        let byte = self.floor(byte);
        let before = &self.text[..byte];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[start..].lines().next().unwrap_or("");
        (before.matches('\n').count() + 1, self.text[start..byte].chars().count() + 1, line)
    }

    /// The byte, or the nearest one before it at which the text may be cut.
    fn floor(&self, byte: usize) -> usize {
        self.text.floor_char_boundary(byte)
    }
}

/// How a character is shown, and in how many cells of a terminal.
fn shown_as(c: char) -> (String, usize) {
    match c {
        '\t' => ("    ".into(), 4),
        // Control characters could recolour or clear the user's terminal.
        _ if c.is_control() => ("\u{fffd}".into(), 1),
        // Accents and other marks share the cell of the letter before them.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => (c.into(), 0),
        // Chinese, Japanese, Korean, full-width forms and pictures take two cells.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => (c.into(), 2),
        _ => (c.into(), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, marked: &str) -> String {
        let start = text.find(marked).unwrap();
        Source::new("x", text).excerpt(start, start + marked.len())
    }

    #[test]
    fn carets_stand_under_the_span() {
        assert_eq!(excerpt("a = 1\nbc = -25 # no\n", "-25"), "2 | bc = -25 # no\n  |      ^^^\n");
    }

    #[test]
    fn tabs_accents_and_wide_letters_keep_the_carets_in_place() {
        assert_eq!(excerpt("\ta = 9", "9"), "1 |     a = 9\n  |         ^\n");
        assert_eq!(excerpt("größe = 9", "9"), "1 | größe = 9\n  |         ^\n");
        assert_eq!(excerpt("\"漢\" = 9", "9"), "1 | \"漢\" = 9\n  |        ^\n");
        let source = Source::new("x", "größe = 9");
        assert_eq!(source.place_name(&Location::from(10..11)), "x:1:9");
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let text = format!("a = [{}777, {}]", "1, ".repeat(2000), "2, ".repeat(2000));
        let shown = excerpt(&text, "777");
        let lines: Vec<_> = shown.lines().map(|line| line.chars().collect::<Vec<_>>()).collect();
        assert!(lines[0].len() < 110 && lines[0].contains(&'…'), "{shown}");
        let caret = lines[1].iter().position(|&c| c == '^').unwrap();
        assert_eq!(lines[0][caret..caret + 3], ['7', '7', '7']);
    }

    #[test]
    fn spans_over_lines_past_the_end_and_control_characters() {
        assert_eq!(excerpt("a = [1,\r\n2]", "[1,\r\n2]"), "1 | a = [1,\n  |     ^^^\n");
        assert_eq!(Source::new("x", "a =").excerpt(3, 3), "1 | a =\n  |    ^\n");
        assert_eq!(Source::new("x", "").excerpt(7, 9), "1 | \n  | ^\n");
        assert!(!excerpt("a = \u{1b}[31m9", "9").contains('\u{1b}'));
    }
}
