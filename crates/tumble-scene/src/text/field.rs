//! Values that a key of a scene can hold: how each is read from a node of the text and printed
//! again.

use glam::DVec3;

use super::problem::Problem;
use super::range::Range;
use super::suggest::nearest;
use super::tree::{Node, Value};

/// A value under a key.
pub trait Field: Sized {
    /// Reads the value and checks that its numbers are within the range.
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem>;

    /// The value as text holds it; none if there is nothing to write.
    fn value(&self) -> Option<Value>;
}

/// One of a few words, such as the name of a contact law.
pub trait Word: Copy + PartialEq + 'static {
    /// All words and what they mean.
    const WORDS: &'static [(&'static str, Self)];

    /// The word for this value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }
}

impl<T: Word> Field for T {
    fn read(key: &str, node: &Node, _: Range) -> Result<Self, Problem> {
        let word = string(key, node)?;
        let known: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
        T::WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value).ok_or_else(|| {
            let what = format!("`{key}` must be one of {}; got {:?}", known.join(", "), shown(word));
            Problem::new(what, &node.place)
                .with_help(nearest(word, &known).map(|known| format!("did you mean {known:?}?")))
        })
    }

    fn value(&self) -> Option<Value> {
        Some(Value::String(self.word().to_owned()))
    }
}

impl Field for bool {
    fn read(key: &str, node: &Node, _: Range) -> Result<Self, Problem> {
        if let Value::Boolean(value) = node.value { Ok(value) } else { Err(wrong_kind(key, "true or false", node)) }
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Boolean(*self))
    }
}

impl Field for String {
    fn read(key: &str, node: &Node, _: Range) -> Result<Self, Problem> {
        string(key, node).map(str::to_owned)
    }

    fn value(&self) -> Option<Value> {
        Some(Value::String(self.clone()))
    }
}

/// Whole numbers will do; infinity and not-a-number will not.
impl Field for f64 {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let number = match node.value {
            Value::Integer(integer) => integer as f64,
            Value::Float(float) => float,
            _ => return Err(wrong_kind(key, "a number", node)),
        };
        if range.contains(number) { Ok(number) } else { Err(out_of_range(key, node, range)) }
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Float(*self))
    }
}

/// A float such as 1e6 will do if it is whole.
impl Field for i64 {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let integer = match node.value {
            Value::Integer(integer) => integer,
            // Floats hold every whole number up to here.
            Value::Float(float) if float.fract() == 0.0 && float.abs() < 9e15 => float as i64,
            _ => return Err(wrong_kind(key, "a whole number", node)),
        };
        if range.contains(integer as f64) { Ok(integer) } else { Err(out_of_range(key, node, range)) }
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Integer(*self))
    }
}

/// Text holds whole numbers up to i64::MAX; a larger one is printed as a negative number, which its
/// range refuses.
impl Field for u64 {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let integer = i64::read(key, node, range)?;
        Self::try_from(integer).map_err(|_| out_of_range(key, node, Range::AtLeast(0.0)))
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Integer(*self as i64))
    }
}

impl Field for u32 {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let integer = i64::read(key, node, range)?;
        Self::try_from(integer).map_err(|_| out_of_range(key, node, Range::Within(0.0, f64::from(Self::MAX))))
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Integer(i64::from(*self)))
    }
}

impl<T: Field> Field for Vec<T> {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let Value::Array(nodes) = &node.value else { return Err(wrong_kind(key, "an array", node)) };
        nodes.iter().map(|node| T::read(key, node, range)).collect()
    }

    fn value(&self) -> Option<Value> {
        Some(self.iter().filter_map(Field::value).collect::<Vec<Value>>().into())
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        Vec::read(key, node, range)?.try_into().map_err(|items: Vec<T>| {
            Problem::new(format!("`{key}` must have {N} numbers, found {}", items.len()), &node.place)
        })
    }

    fn value(&self) -> Option<Value> {
        Some(self.iter().filter_map(Field::value).collect::<Vec<Value>>().into())
    }
}

impl Field for DVec3 {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        <[f64; 3]>::read(key, node, range).map(Self::from_array)
    }

    fn value(&self) -> Option<Value> {
        self.to_array().value()
    }
}

impl<T: Field> Field for Option<T> {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        T::read(key, node, range).map(Some)
    }

    fn value(&self) -> Option<Value> {
        self.as_ref().and_then(Field::value)
    }
}

fn string<'n>(key: &str, node: &'n Node) -> Result<&'n str, Problem> {
    if let Value::String(text) = &node.value { Ok(text) } else { Err(wrong_kind(key, "a string", node)) }
}

/// The problem of a value that is no number, no string and so on.
pub(super) fn wrong_kind(key: &str, expected: &str, node: &Node) -> Problem {
    let what = match &node.value {
        Value::Array(_) | Value::Table(_) => format!("`{key}` must be {expected}, found {}", node.value.kind()),
        value => format!("`{key}` must be {expected}, found {} {}", value.kind(), shown(&value.to_string())),
    };
    Problem::new(what, &node.place)
}

fn out_of_range(key: &str, node: &Node, range: Range) -> Problem {
    Problem::new(format!("`{key}` must be {range}, got {}", node.value), &node.place)
}

/// Text of the file as it may stand in a message: short, and without control characters.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
