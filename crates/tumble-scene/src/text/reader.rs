//! Takes values out of the tree: checks type and range, fills in defaults, notes what was given, collects problems.
//!
//! Every method returns something usable, whatever the file holds, so that reading goes on and finds all problems. The
//! readers are small copies that share one [`Reading`]; none of them has to be closed, and any of them can report a
//! problem later, when the whole scene is known. Unknown keys are found at the end, in every table that was read.

use std::cell::RefCell;
use std::collections::BTreeMap;

use glam::DVec3;

use super::place::{Place, Source};
use super::problem::{Problem, Problems};
use super::range::Range;
use super::resolved::{Resolved, Section};
use super::suggest::nearest;
use super::tree::{Item, Node, Value, key_text};

/// The reading of one scene: begins with [`Reading::root`], ends with [`Reading::finish`].
#[derive(Debug)]
pub struct Reading<'a> {
    source: &'a Source,
    root: &'a Node,
    // Shared, because readers of different tables are alive at the same time.
    notes: RefCell<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    problems: Vec<Problem>,
    sections: Vec<Section>,
    /// The row of each section by name.
    rows: BTreeMap<String, usize>,
}

impl<'a> Reading<'a> {
    /// Begins to read a tree that came from this text.
    pub fn new(source: &'a Source, root: &'a Node) -> Self {
        Self { source, root, notes: RefCell::default() }
    }

    /// The top level.
    pub fn root(&'a self) -> TableReader<'a> {
        let items = if let Value::Table(items) = &self.root.value { items.as_slice() } else { &[] };
        self.open(None, [""; 3].map(String::from), false, (&self.root.place, items))
    }

    /// Adds a problem that some other check found.
    pub fn problem(&self, problem: Problem) {
        self.notes.borrow_mut().problems.push(problem);
    }

    /// Whether no problem was found so far. Unknown keys are only found at the end.
    pub fn is_clean(&self) -> bool {
        self.notes.borrow().problems.is_empty()
    }

    /// Reports unknown keys, then gives the resolved scene, or all problems if there is one.
    pub fn finish(self) -> Result<Resolved, Problems> {
        let Notes { mut problems, sections, .. } = self.notes.into_inner();
        for section in &sections {
            let known: Vec<&str> = section.keys.iter().map(|(key, _)| key.as_str()).collect();
            for (key, place) in section.present.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
                let what = format!("unknown key `{}`{}", shown(key), inside(section));
                let meant = nearest(key, &known).map(|known| format!("did you mean `{known}`? ")).unwrap_or_default();
                let help = Some(format!("{meant}allowed keys: {}", known.join(", ")));
                problems.push(Problem { what, place: place.clone(), help });
            }
        }
        if problems.is_empty() { Ok(Resolved::new(&sections)) } else { Err(Problems::new(self.source, problems)) }
    }

    /// The reader of a table; the same table read twice has one section. `paths` are its name, header and pattern.
    fn open(
        &'a self,
        parent: Option<usize>,
        paths: [String; 3],
        is_array_item: bool,
        (place, items): (&Place, &'a [Item]),
    ) -> TableReader<'a> {
        let notes = &mut *self.notes.borrow_mut();
        let row = *notes.rows.entry(paths[0].clone()).or_insert(notes.sections.len());
        if row == notes.sections.len() {
            let [name, header, pattern] = paths;
            let present = items.iter().map(|item| (item.key.clone(), item.key_place.clone())).collect();
            let place = place.clone();
            let keys = Vec::new();
            notes.sections.push(Section { parent, name, header, pattern, is_array_item, place, present, keys });
        }
        TableReader { reading: self, items, row }
    }
}

/// Reads one table.
#[derive(Clone, Copy, Debug)]
pub struct TableReader<'a> {
    reading: &'a Reading<'a>,
    items: &'a [Item],
    row: usize,
}

impl<'a> TableReader<'a> {
    /// A number in a range. Whole numbers will do; infinity and not-a-number will not.
    pub fn number(&self, key: &str, range: Range) -> Entry<'a, f64> {
        self.entry(key, range.stand_in(), |node| number(key, node, range))
    }

    /// A whole number in a range. A float such as 1e6 will do if it is whole.
    pub fn integer(&self, key: &str, range: Range) -> Entry<'a, i64> {
        self.entry(key, range.stand_in() as i64, |node| integer(key, node, range))
    }

    /// `true` or `false`.
    pub fn boolean(&self, key: &str) -> Entry<'a, bool> {
        self.entry(key, false, |node| match node.value {
            Value::Boolean(value) => Ok(value),
            _ => Err(wrong_kind(key, "true or false", node)),
        })
    }

    /// Text.
    pub fn string(&self, key: &str) -> Entry<'a, String> {
        self.entry(key, String::new(), |node| string(key, node).map(str::to_owned))
    }

    /// One of a few words; the first of them stands in for a wrong one.
    pub fn choice(&self, key: &str, words: &[&'static str]) -> Entry<'a, &'static str> {
        self.entry(key, words.first().copied().unwrap_or(""), |node| {
            let word = string(key, node)?;
            words.iter().find(|known| **known == word).copied().ok_or_else(|| Problem {
                what: format!("`{key}` must be one of {}; got {:?}", words.join(", "), shown(word)),
                place: node.place.clone(),
                help: nearest(word, words).map(|known| format!("did you mean {known:?}?")),
            })
        })
    }

    /// A vector `[x, y, z]`.
    pub fn vector(&self, key: &str) -> Entry<'a, DVec3> {
        self.vector_within(key, Range::Any)
    }

    /// A vector whose components are in a range.
    pub fn vector_within(&self, key: &str, range: Range) -> Entry<'a, DVec3> {
        let stand_in = DVec3::splat(range.stand_in());
        self.entry(key, stand_in, |node| exactly(key, node, |node| number(key, node, range)).map(DVec3::from_array))
    }

    /// `N` numbers in a range: `t.numbers::<2>("size", Range::Above(0.0)).or([1.0, 1.0])`.
    pub fn numbers<const N: usize>(&self, key: &str, range: Range) -> Entry<'a, [f64; N]> {
        self.entry(key, [range.stand_in(); N], |node| exactly(key, node, |node| number(key, node, range)))
    }

    /// `N` whole numbers in a range.
    pub fn integers<const N: usize>(&self, key: &str, range: Range) -> Entry<'a, [i64; N]> {
        self.entry(key, [range.stand_in() as i64; N], |node| exactly(key, node, |node| integer(key, node, range)))
    }

    /// Any number of numbers in a range.
    pub fn number_list(&self, key: &str, range: Range) -> Entry<'a, Vec<f64>> {
        self.entry(key, Vec::new(), |node| array(key, node, |node| number(key, node, range)))
    }

    /// Any number of vectors `[x, y, z]` whose components are in a range.
    pub fn vector_list(&self, key: &str, range: Range) -> Entry<'a, Vec<DVec3>> {
        let vector = |node: &Node| exactly(key, node, |node| number(key, node, range)).map(DVec3::from_array);
        self.entry(key, Vec::new(), |node| array(key, node, vector))
    }

    /// Any number of strings.
    pub fn string_list(&self, key: &str) -> Entry<'a, Vec<String>> {
        self.entry(key, Vec::new(), |node| array(key, node, |node| string(key, node).map(str::to_owned)))
    }

    /// Whether the file has this key. Does not make the key known.
    pub fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    /// Whether the file has a table under this key, for keys that take a value or a table. Does not make the key known.
    pub fn has_table(&self, key: &str) -> bool {
        self.node(key).is_some_and(|node| matches!(node.value, Value::Table(_)))
    }

    /// A table that is read even if the file has none, so that its defaults are resolved.
    pub fn table(&self, key: &str) -> TableReader<'a> {
        self.subtable(key).unwrap_or_else(|| {
            let paths = self.paths(&key_text(key), &key_text(key));
            let place = Place::Section(paths[0].clone());
            self.reading.open(Some(self.row), paths, false, (&place, &[]))
        })
    }

    /// A table that may be missing.
    pub fn subtable(&self, key: &str) -> Option<TableReader<'a>> {
        self.note(key, None);
        let table = self.items_of(key, self.node(key)?)?;
        Some(self.reading.open(Some(self.row), self.paths(&key_text(key), &key_text(key)), false, table))
    }

    /// The named tables of a map such as `[material.sand]` and `[material.steel]`, in the order of the file.
    pub fn subtables(&self, key: &str) -> Vec<(String, TableReader<'a>)> {
        self.note(key, None);
        let map = self.node(key).and_then(|node| self.items_of(key, node));
        let (_, items) = map.unwrap_or((&Place::Section(String::new()), &[]));
        let key = key_text(key);
        let open = |item: &'a Item| {
            let name = format!("{key}.{}", key_text(&item.key));
            let table = self.items_of(&name, &item.node)?;
            let paths = self.paths(&name, &format!("{key}.*"));
            Some((item.key.clone(), self.reading.open(Some(self.row), paths, false, table)))
        };
        items.iter().filter_map(open).collect()
    }

    /// The tables of an array such as `[[emitter]]`.
    pub fn array_of_tables(&self, key: &str) -> Vec<TableReader<'a>> {
        self.note(key, None);
        let nodes = match self.node(key).map(|node| (node, &node.value)) {
            Some((_, Value::Array(nodes))) => nodes.as_slice(),
            Some((node, _)) => {
                self.reading.problem(Problem {
                    help: Some(format!("write [[{}]]", self.paths(&key_text(key), "")[1])),
                    ..wrong_kind(key, "an array of tables", node)
                });
                &[]
            }
            None => &[],
        };
        let open = |(at, node): (usize, &'a Node)| {
            let [_, header, pattern] = self.paths(&key_text(key), &key_text(key));
            let [name, ..] = self.paths(&format!("{}[{at}]", key_text(key)), "");
            let table = self.items_of(&format!("{key}[{at}]"), node)?;
            Some(self.reading.open(Some(self.row), [name, header, pattern], true, table))
        };
        nodes.iter().enumerate().filter_map(open).collect()
    }

    /// Whether an array stands at a key.
    pub fn is_array(&self, key: &str) -> bool {
        self.node(key).is_some_and(|node| matches!(node.value, Value::Array(_)))
    }

    /// Takes every key of the file as known, for a table of which it is not known what belongs there.
    pub fn leave_unread(&self) {
        self.items.iter().for_each(|item| self.note(&item.key, None));
    }

    /// The path of this table in messages: `material.sand`, `emitter[1]`, or empty at the top level.
    pub fn name(&self) -> String {
        self.reading.notes.borrow().sections[self.row].name.clone()
    }

    /// Reports a problem with the value of a key, or with this table if the file does not have the key. Works at any time,
    /// also long after the key was read. An empty `help` gives none.
    pub fn problem_at(&self, key: &str, what: impl Into<String>, help: &str) {
        let place = self.node(key).map_or_else(|| self.place(), |node| node.place.clone());
        let help = Some(help.to_owned()).filter(|help| !help.is_empty());
        self.reading.problem(Problem { what: what.into(), place, help });
    }

    fn node(&self, key: &str) -> Option<&'a Node> {
        self.items.iter().find(|item| item.key == key).map(|item| &item.node)
    }

    fn place(&self) -> Place {
        self.reading.notes.borrow().sections[self.row].place.clone()
    }

    fn note(&self, key: &str, value: Option<Value>) {
        self.reading.notes.borrow_mut().sections[self.row].note(key, value);
    }

    /// Name, header and pattern of a table inside this one.
    fn paths(&self, step: &str, pattern: &str) -> [String; 3] {
        let section = &self.reading.notes.borrow().sections[self.row];
        let join = |path: &str, step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
        [join(&section.name, step), join(&section.header, step), join(&section.pattern, pattern)]
    }

    /// Place and items of a table, or a problem if it is none.
    fn items_of(&self, key: &str, node: &'a Node) -> Option<(&'a Place, &'a [Item])> {
        let Value::Table(items) = &node.value else {
            self.reading.problem(wrong_kind(key, "a table", node));
            return None;
        };
        Some((&node.place, items))
    }

    fn entry<T>(&self, key: &str, stand_in: T, read: impl FnOnce(&Node) -> Result<T, Problem>) -> Entry<'a, T> {
        let found = match self.node(key).map(read) {
            None => Found::Nothing,
            Some(Ok(value)) => Found::Value(value),
            Some(Err(problem)) => {
                self.reading.problem(problem);
                Found::Wrong
            }
        };
        Entry { table: *self, key: key.to_owned(), found, stand_in }
    }
}

/// What the file has under a key. It counts as read once it is said what happens if it is missing.
#[derive(Debug)]
#[must_use = "say what happens if the key is missing: or(default), required() or optional()"]
pub struct Entry<'a, T> {
    table: TableReader<'a>,
    key: String,
    found: Found<T>,
    stand_in: T,
}

#[derive(Debug)]
enum Found<T> {
    Nothing,
    Wrong,
    Value(T),
}

impl<T: Clone + Into<Value>> Entry<'_, T> {
    /// Whether the file has an allowed value here.
    pub fn is_good(&self) -> bool {
        matches!(self.found, Found::Value(_))
    }

    /// The value, or the default if it is missing or wrong.
    pub fn or(self, default: impl Into<T>) -> T {
        let value = if let Found::Value(value) = self.found { value } else { default.into() };
        self.table.note(&self.key, Some(value.clone().into()));
        value
    }

    /// The value, or `None` if it is missing or wrong.
    pub fn optional(self) -> Option<T> {
        let value = if let Found::Value(value) = self.found { Some(value) } else { None };
        self.table.note(&self.key, value.clone().map(Into::into));
        value
    }

    /// The value. If it is missing, that is a problem; then, or if it is wrong, some allowed value stands in for it.
    pub fn required(self) -> T {
        if matches!(self.found, Found::Nothing) {
            let what = format!(
                "`{}` is missing{}",
                self.key,
                inside(&self.table.reading.notes.borrow().sections[self.table.row])
            );
            let place = self.table.place();
            self.table.reading.problem(Problem { what, place, help: None });
        }
        let stand_in = self.stand_in.clone();
        self.or(stand_in)
    }
}

fn number(key: &str, node: &Node, range: Range) -> Result<f64, Problem> {
    let number = match node.value {
        Value::Integer(integer) => integer as f64,
        Value::Float(float) => float,
        _ => return Err(wrong_kind(key, "a number", node)),
    };
    if range.contains(number) { Ok(number) } else { Err(out_of_range(key, node, range)) }
}

fn integer(key: &str, node: &Node, range: Range) -> Result<i64, Problem> {
    let integer = match node.value {
        Value::Integer(integer) => integer,
        // Floats hold every whole number up to here.
        Value::Float(float) if float.fract() == 0.0 && float.abs() < 9e15 => float as i64,
        _ => return Err(wrong_kind(key, "a whole number", node)),
    };
    if range.contains(integer as f64) { Ok(integer) } else { Err(out_of_range(key, node, range)) }
}

fn string<'n>(key: &str, node: &'n Node) -> Result<&'n str, Problem> {
    if let Value::String(text) = &node.value { Ok(text) } else { Err(wrong_kind(key, "a string", node)) }
}

fn array<T>(key: &str, node: &Node, item: impl FnMut(&Node) -> Result<T, Problem>) -> Result<Vec<T>, Problem> {
    let Value::Array(nodes) = &node.value else { return Err(wrong_kind(key, "an array", node)) };
    nodes.iter().map(item).collect()
}

fn exactly<T, const N: usize>(
    key: &str,
    node: &Node,
    item: impl FnMut(&Node) -> Result<T, Problem>,
) -> Result<[T; N], Problem> {
    array(key, node, item)?.try_into().map_err(|items: Vec<T>| Problem {
        what: format!("`{key}` must have {N} numbers, found {}", items.len()),
        place: node.place.clone(),
        help: None,
    })
}

fn wrong_kind(key: &str, expected: &str, node: &Node) -> Problem {
    let what = match &node.value {
        Value::Array(_) | Value::Table(_) => format!("`{key}` must be {expected}, found {}", node.value.kind()),
        value => format!("`{key}` must be {expected}, found {} {}", value.kind(), shown(&value.to_string())),
    };
    Problem { what, place: node.place.clone(), help: None }
}

fn out_of_range(key: &str, node: &Node, range: Range) -> Problem {
    Problem { what: format!("`{key}` must be {range}, got {}", node.value), place: node.place.clone(), help: None }
}

fn inside(section: &Section) -> String {
    if section.name.is_empty() { String::new() } else { format!(" in [{}]", section.name) }
}

/// Text of the file as it may stand in a message: short, and without control characters.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
