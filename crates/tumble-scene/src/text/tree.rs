//! The tree of a TOML text: every value with its place, tables in the order of the file. Reads
//! text, gives nodes, and gives the text of a value back.
//!
//! `toml` bounds how deep brackets nest, but not how many parts a dotted key has, and every part is
//! a table in a table: a few kilobytes of dots would overflow the stack when the tree is dropped.
//! So the dots are counted first.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::location::{Location, Source};
use super::problem::{Problem, Problems};

/// The most parts of a dotted key.
pub(super) const MOST_PARTS: usize = 32;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where. A table's place is its header.
    pub place: Location,
    /// Its value.
    pub value: Value,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// Text.
    String(String),
    /// A date or time, which no scene needs: kept to name it in messages.
    Date(String),
    /// A list.
    Array(Vec<Node>),
    /// A table in the order of the file.
    Table(Vec<Item>),
}

/// One key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_place: Location,
    /// Its value.
    pub node: Node,
}

impl Source {
    /// Reads the text into a tree. All syntax errors are given, as far as `toml` finds its way back
    /// after one.
    pub fn parse(&self) -> Result<Node, Problems> {
        if let Some(dot) = too_many_parts(&self.text) {
            let what = format!("a key may have at most {MOST_PARTS} parts");
            return Err(Problems::new(self, vec![Problem::new(what, &(dot..dot + 1).into())]));
        }
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let mut problems: Vec<_> = errors
            .iter()
            .map(|error| {
                Problem::new(error.message(), &error.span().map_or(Location::Section(String::new()), Location::from))
            })
            .collect();
        let value = table_value(table.into_inner(), &mut problems);
        if !problems.is_empty() {
            return Err(Problems::new(self, problems));
        }
        Ok(Node { place: Location::Section(String::new()), value })
    }
}

pub(super) fn node(spanned: Spanned<DeValue<'_>>, problems: &mut Vec<Problem>) -> Node {
    let place = Location::from(spanned.span());
    let value = match spanned.into_inner() {
        DeValue::Boolean(value) => Value::Boolean(value),
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).map_or_else(
            |_| {
                let what = format!("{:.60} is too large for a whole number", integer.to_string());
                problems.push(Problem::new(what, &place).with_help(Some("write it as 1e20".into())));
                Value::Integer(0)
            },
            Value::Integer,
        ),
        // Too large a float becomes infinity, which every reader of numbers refuses.
        DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Array(array) => Value::Array(array.into_iter().map(|item| node(item, problems)).collect()),
        DeValue::Table(table) => table_value(table, problems),
    };
    Node { place, value }
}

fn table_value(table: DeTable<'_>, problems: &mut Vec<Problem>) -> Value {
    let mut items: Vec<_> = table
        .into_iter()
        .map(|(key, value)| Item {
            key_place: key.span().into(),
            key: key.into_inner().into_owned(),
            node: node(value, problems),
        })
        .collect();
    // `toml` sorts its tables by key.
    items.sort_by(|a, b| a.key_place.cmp(&b.key_place));
    Value::Table(items)
}

/// The dot that gives a key too many parts. Counts dots outside strings and comments since the last
/// sign that ends a key.
pub(super) fn too_many_parts(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut dots = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at = string_end(bytes, at, quote);
                continue;
            }
            b'#' => {
                at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'.' => dots += 1,
            b'\n' | b'=' | b',' | b'[' | b']' | b'{' | b'}' => dots = 0,
            _ => {}
        }
        if dots >= MOST_PARTS {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// One after the end of the string that begins here, whether it is closed or not.
fn string_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let is_triple = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if is_triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !is_triple => return at,
            b if b == quote && !is_triple => return at + 1,
            // A string in triple quotes may end with up to two quotes of its own.
            b if b == quote && bytes[at..].starts_with(&[quote; 3]) => {
                let extra = bytes[at + 3..].iter().take(2).take_while(|&&b| b == quote).count();
                return at + 3 + extra;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

impl Value {
    /// The kind of this value, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Boolean(_) => "a boolean",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::String(_) => "a string",
            Self::Date(_) => "a date",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
        }
    }
}

/// Prints TOML that reads back as an equal value, on one line. Whole floats are printed like
/// integers.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) if value.is_nan() => write!(f, "nan"),
            // Up to here every whole float is an integer that f64 holds exactly. Zero keeps its
            // sign as a float only.
            Self::Float(value)
                if value.fract() == 0.0 && value.abs() < 1e15 && value.to_bits() != (-0.0_f64).to_bits() =>
            {
                write!(f, "{value:.0}")
            }
            Self::Float(value) => write!(f, "{value:?}"),
            Self::String(text) => write_string(f, text),
            Self::Date(text) => write!(f, "{text}"),
            Self::Array(nodes) => {
                write!(f, "[")?;
                for (at, node) in nodes.iter().enumerate() {
                    write!(f, "{}{}", if at > 0 { ", " } else { "" }, node.value)?;
                }
                write!(f, "]")
            }
            Self::Table(items) => {
                write!(f, "{{")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{} {} = {}", if at > 0 { "," } else { "" }, key_text(&item.key), item.node.value)?;
                }
                write!(f, " }}")
            }
        }
    }
}

fn write_string(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            _ if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// A key as TOML: bare if it can be, else as a string.
pub(crate) fn key_text(key: &str) -> String {
    if !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return key.to_owned();
    }
    Value::String(key.to_owned()).to_string()
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

/// A list of values that stand nowhere.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        let node = |value: T| Node { place: Location::Section(String::new()), value: value.into() };
        Self::Array(values.into_iter().map(node).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Node, Problems> {
        Source::new("x", text).parse()
    }

    #[test]
    fn tables_keep_the_order_of_the_file() {
        let Value::Table(items) = parse("z = 1\n[m.b]\n[k]\n[m.a]\n").unwrap().value else { panic!() };
        assert_eq!(items.iter().map(|item| item.key.as_str()).collect::<Vec<_>>(), ["z", "m", "k"]);
        let Value::Table(inner) = &items[1].node.value else { panic!() };
        assert_eq!(inner.iter().map(|item| item.key.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    }

    #[test]
    fn all_syntax_errors_are_given() {
        let problems = parse("a = \nb = 1\nc = [1\nd = 99999999999999999999\n").unwrap_err();
        assert!(problems.all().len() >= 2, "{problems}");
    }

    #[test]
    fn values_print_as_they_read() {
        for text in
            ["1", "-0.0", "0.1", "1e-7", "1e300", "\"a\\\"\\\\\\n\\u001B\"", "[1, [true]]", "{ a = 1, \"b c\" = 2 }"]
        {
            let Value::Table(items) = parse(&format!("k = {text}")).unwrap().value else { panic!() };
            assert_eq!(items[0].node.value.to_string(), text);
        }
        assert_eq!(Value::Float(2650.0).to_string(), "2650");
        assert_eq!(Value::Float(1e22).to_string(), "1e22");
    }

    #[test]
    fn dots_in_keys_are_bounded_and_elsewhere_free() {
        let deep = ["a"; 40].join(".");
        assert!(parse(&format!("[{deep}]")).is_err());
        assert!(parse(&format!("{deep} = 1")).is_err());
        assert!(parse(&format!("k = {{\n {} = 1 }}", ["'='"; 40].join(" . "))).is_err());
        // The string ends after its fourth quote, so the key after it is seen.
        let after = parse(&format!("k = {{ s = \"\"\"x\"\"\"\", {deep} = 1 }}")).unwrap_err();
        assert!(after.to_string().contains("at most 32 parts"), "{after}");
        let numbers = ["0.5"; 100].join(", ");
        assert!(parse(&format!("k = [{numbers}] # {deep}\ns = '{deep}'\nt = \"\"\"\n{deep}\"\"\"\"\n")).is_ok());
        // Without the bound this overflows the stack.
        assert!(parse(&format!("{} = 1", ["a"; 1_000_000].join("."))).is_err());
    }
}
