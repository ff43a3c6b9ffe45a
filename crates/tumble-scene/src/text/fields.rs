//! One description of a table serves for reading it, printing it and checking it.
//!
//! A type that stands for a table of a scene lists its keys in [`Section::describe`]. [`read`]
//! walks that description over the nodes of a text and fills in what the text gives; what it does
//! not give keeps its default. [`print`](super::print) walks it and writes down every value. Both
//! check ranges, so that a scene which was built by a program is refused like a text. Reading goes
//! on after a problem and finds all of them; unknown keys are those that no description asked for.

use super::field::{Field, shown, wrong_kind};
use super::location::Location;
use super::problem::Problem;
use super::range::Range;
use super::sections::{Presence, Table, known_keys};
use super::suggest::nearest;
use super::tree::{Item, Node, Value, key_text};

/// The values of one table of a scene.
pub trait Section: Default {
    /// Names every key, in the order in which they are printed.
    fn describe(&mut self, fields: &mut Fields<'_>);
}

/// Tables and problems found by a walk over a description.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) tables: Vec<Table>,
    pub(super) problems: Vec<Problem>,
    /// Whether this is a walk over a table of defaults.
    is_of_defaults: bool,
}

/// Result of reading a text.
#[derive(Debug)]
pub struct Read<T> {
    /// The scene, with defaults where the text has nothing or something wrong.
    pub value: T,
    /// Problems of single keys.
    pub problems: Vec<Problem>,
    /// Every section and key that was asked for, once each: `("material.*", "density")`,
    /// `("emitter", "count")`, `("", "fps")`. A subtable is a key of its parent too. Sections that
    /// the text does not have were not read, so their keys are not here.
    pub known_keys: Vec<(String, String)>,
}

/// Reads the top level of a text.
pub fn read<T: Section>(root: &Node) -> Read<T> {
    let mut walk = Walk::default();
    let items = if let Value::Table(items) = &root.value { items.as_slice() } else { &[] };
    let mut value = T::default();
    Fields::top(&mut walk, Some(items), &root.place).describe(&mut value);
    let Walk { tables, mut problems, .. } = walk;
    problems.extend(tables.iter().flat_map(unknown_keys));
    Read { value, problems, known_keys: known_keys(&tables) }
}

/// All values of a scene as tables, and values that are out of range.
pub(super) fn walk<T: Section + Clone>(value: &T) -> Walk {
    let mut walk = Walk::default();
    Fields::top(&mut walk, None, &Location::Section(String::new())).describe(&mut value.clone());
    walk
}

/// Walks over a description of which nothing but its own values count.
pub(crate) fn describe_alone<R>(describe: impl FnOnce(&mut Fields<'_>) -> R) -> R {
    let mut walk = Walk { is_of_defaults: true, ..Walk::default() };
    describe(&mut Fields::top(&mut walk, None, &Location::Section(String::new())))
}

/// Problems of keys that stand in the text and in no description.
fn unknown_keys(table: &Table) -> Vec<Problem> {
    let known: Vec<&str> = table.keys.iter().map(|key| key.name).collect();
    let is_unknown = |key: &str| !table.takes_any_key && !known.contains(&key);
    let unknown = table.present.iter().filter(|(key, _)| is_unknown(key));
    unknown
        .map(|(key, place)| {
            let what = format!("unknown key `{}`{}", shown(key), table.inside());
            let meant = nearest(key, &known).map(|known| format!("did you mean `{known}`? ")).unwrap_or_default();
            let help = format!("{meant}allowed keys: {}", known.join(", "));
            Problem { path: table.path_of(key), ..Problem::new(what, place).with_help(Some(help)) }
        })
        .collect()
}

/// One table in a walk: reads it if there is a text, and notes its values.
#[derive(Debug)]
pub struct Fields<'a> {
    walk: &'a mut Walk,
    /// Its row in the walk.
    row: usize,
    /// Items of the text in this table, if there is a text.
    items: Option<&'a [Item]>,
}

impl<'a> Fields<'a> {
    fn top(walk: &'a mut Walk, items: Option<&'a [Item]>, place: &Location) -> Self {
        let mut top = Self { walk, row: 0, items: None };
        top.row = top.push(None, [""; 3].map(String::from), Presence::Always, (place, items));
        Self { items, ..top }
    }

    /// Walks over a table. If a scene is printed, notes which values are those by default.
    fn describe<T: Section>(mut self, value: &mut T) {
        value.describe(&mut self);
        if self.items.is_none() && !self.walk.is_of_defaults {
            let mut defaults = Walk { is_of_defaults: true, ..Walk::default() };
            T::default().describe(&mut Fields::top(&mut defaults, None, &Location::Section(String::new())));
            self.walk.tables[self.row].mark_defaults(&defaults.tables[0].keys);
        }
    }

    /// A value that any text or number will do for; false, after a problem, if it is wrong.
    pub fn value(&mut self, key: &'static str, value: &mut impl Field) -> bool {
        self.within(key, value, Range::Any)
    }

    /// A value whose numbers must be in a range; false, after a problem, if it is wrong.
    pub fn within<T: Field>(&mut self, key: &'static str, value: &mut T, range: Range) -> bool {
        let read = match self.items {
            Some(_) => self.node(key).map(|node| T::read(key, node, range)),
            None => value.value().map(|value| T::read(key, &Node { place: self.place(), value }, range)),
        };
        let is_wrong = matches!(read, Some(Err(_)));
        match read {
            Some(Ok(read)) => *value = read,
            Some(Err(problem)) => self.problem(key, problem),
            None => {}
        }
        self.note(key, value.value());
        !is_wrong
    }

    /// The same for a key that must be there.
    pub fn required<T: Field>(&mut self, key: &'static str, value: &mut T, range: Range) {
        let is_there = if self.items.is_some() { self.has(key) } else { value.value().is_some() };
        if !is_there {
            self.missing(key, None);
        }
        self.within(key, value, range);
        self.walk.tables[self.row].require(key);
    }

    /// A table that is read and printed even if the text has none.
    pub fn table<T: Section>(&mut self, key: &'static str, value: &mut T) {
        self.note(key, None);
        self.open_table(key, value, Presence::Always);
    }

    fn open_table<T: Section>(&mut self, key: &'static str, value: &mut T, kind: Presence) {
        let (place, items) = match self.node(key).map(|node| self.items_of(key, node)) {
            Some(Some((place, items))) => (place, Some(items)),
            // Something else than a table has no keys to ask for.
            Some(None) => return,
            // Without a table its defaults stand.
            None => (Location::Section(self.table_here().path_of(key)), self.items.map(|_| [].as_slice())),
        };
        let paths = self.table_here().paths_of(&key_text(key), &key_text(key));
        self.open(paths, kind, &place, items).describe(value);
    }

    /// A table that may be missing.
    pub fn optional<T: Section>(&mut self, key: &'static str, value: &mut Option<T>) {
        if self.items.is_some() && self.has(key) && value.is_none() {
            *value = self.has_table(key).then(T::default);
        }
        self.note(key, None);
        match value {
            Some(value) => self.open_table(key, value, Presence::Given),
            None => {
                // Anything else at this key is no table.
                let _ = self.node(key).and_then(|node| self.items_of(key, node));
            }
        }
    }

    /// The tables of an array such as `[[emitter]]`.
    pub fn list<T: Section>(&mut self, key: &'static str, values: &mut Vec<T>) {
        self.note(key, None);
        let nodes = self.nodes_of(key);
        if self.items.is_some() {
            values.clear();
        }
        // A node that is no table is a problem, and a table of defaults keeps its place.
        values.resize_with(values.len().max(nodes.map_or(0, <[Node]>::len)), T::default);
        for (at, value) in values.iter_mut().enumerate() {
            let step = format!("{}[{at}]", key_text(key));
            let [_, header, pattern] = self.table_here().paths_of(&key_text(key), &key_text(key));
            let paths = [self.table_here().paths_of(&step, "")[0].clone(), header, pattern];
            let node = nodes.and_then(|nodes| nodes.get(at));
            let found = node.map(|node| self.items_of(&format!("{key}[{at}]"), node));
            let (place, items) = match found {
                Some(Some((place, items))) => (place, Some(items)),
                Some(None) => continue,
                None => (self.place(), None),
            };
            self.open(paths, Presence::Item, &place, items).describe(value);
        }
    }

    /// The named tables of a map such as `[material.sand]` and `[material.steel]`, in the order of
    /// the file.
    pub fn named<T: Section>(&mut self, key: &'static str, values: &mut Vec<(String, T)>) {
        self.note(key, None);
        if self.items.is_some() {
            values.clear();
        }
        let map = self.node(key).and_then(|node| self.items_of(key, node));
        let inside = map.map_or([].as_slice(), |(_, items)| items);
        for item in inside {
            let step = format!("{}.{}", key_text(key), key_text(&item.key));
            let mut value = T::default();
            if let Some((place, items)) = self.items_of(&step, &item.node) {
                let paths = self.table_here().paths_of(&step, &format!("{}.*", key_text(key)));
                self.open(paths, Presence::Given, &place, Some(items)).describe(&mut value);
            }
            values.push((item.key.clone(), value));
        }
        if self.items.is_none() {
            for (name, value) in values {
                let step = format!("{}.{}", key_text(key), key_text(name));
                let paths = self.table_here().paths_of(&step, &format!("{}.*", key_text(key)));
                let place = self.place();
                self.open(paths, Presence::Given, &place, None).describe(value);
            }
        }
    }

    /// Which of these keys the text has, of which there must be exactly one; `now` if there is no
    /// text. None, after a problem, if there is not exactly one; then which other keys belong here
    /// is not known.
    pub fn one_of(&mut self, keys: &[&'static str], now: &'static str) -> Option<&'static str> {
        if self.items.is_none() {
            return Some(now);
        }
        let given: Vec<&'static str> = keys.iter().copied().filter(|key| self.has(key)).collect();
        if let [only] = given.as_slice() {
            return Some(only);
        }
        let found = if given.is_empty() { "none of them".to_owned() } else { given.join(" and ") };
        let what = format!("`{}` needs one of {}; it has {found}", self.table_here().name, keys.join(", "));
        let key = given.last().copied().unwrap_or("");
        let place = self.node(key).map_or_else(|| self.place(), |node| node.place.clone());
        self.problem(key, Problem::new(what, &place).with_help(Some("keep exactly one".into())));
        keys.iter().for_each(|key| self.note(key, None));
        if !given.is_empty() {
            self.take_any_key();
        }
        None
    }

    /// Whether the text has this key. Does not make the key known.
    pub fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    /// Whether the text has a table under this key.
    fn has_table(&self, key: &str) -> bool {
        self.node(key).is_some_and(|node| matches!(node.value, Value::Table(_)))
    }

    /// Whether a text is read; else values are printed or checked.
    pub fn is_reading(&self) -> bool {
        self.items.is_some()
    }

    /// Takes every key of the text as known, where it is not known which belong here.
    pub fn take_any_key(&mut self) {
        self.walk.tables[self.row].takes_any_key = true;
    }

    /// Reports that a key is missing.
    pub fn missing(&mut self, key: &'static str, help: Option<String>) {
        let what = format!("`{key}` is missing{}", self.table_here().inside());
        self.problem(key, Problem::new(what, &self.place()).with_help(help));
    }

    fn problem(&mut self, key: &str, problem: Problem) {
        let path = self.table_here().path_of(key);
        self.walk.problems.push(Problem { path, ..problem });
    }

    fn node(&self, key: &str) -> Option<&'a Node> {
        self.items?.iter().find(|item| item.key == key).map(|item| &item.node)
    }

    /// The nodes of an array; none, after a problem, if something else is there.
    fn nodes_of(&mut self, key: &'static str) -> Option<&'a [Node]> {
        let node = self.node(key)?;
        if let Value::Array(nodes) = &node.value {
            return Some(nodes);
        }
        let header = self.table_here().paths_of(&key_text(key), "")[1].clone();
        let help = Some(format!("write [[{header}]]"));
        self.problem(key, wrong_kind(key, "an array of tables", node).with_help(help));
        None
    }

    /// Location and items of a table; none, after a problem, if the node is none.
    fn items_of(&mut self, key: &str, node: &'a Node) -> Option<(Location, &'a [Item])> {
        let Value::Table(items) = &node.value else {
            self.problem(key, wrong_kind(key, "a table", node));
            return None;
        };
        Some((node.place.clone(), items))
    }

    fn open(&mut self, paths: [String; 3], kind: Presence, place: &Location, items: Option<&'a [Item]>) -> Fields<'_> {
        let row = self.push(Some(self.row), paths, kind, (place, items));
        Fields { walk: self.walk, row, items }
    }

    /// Adds a table to the walk and gives its row.
    fn push(
        &mut self,
        parent: Option<usize>,
        [name, header, pattern]: [String; 3],
        kind: Presence,
        (place, items): (&Location, Option<&[Item]>),
    ) -> usize {
        let present = items.unwrap_or(&[]).iter().map(|item| (item.key.clone(), item.key_place.clone())).collect();
        let (place, keys) = (place.clone(), Vec::new());
        let table = Table { parent, name, header, pattern, kind, place, present, keys, takes_any_key: false };
        self.walk.tables.push(table);
        self.walk.tables.len() - 1
    }

    fn table_here(&self) -> &Table {
        &self.walk.tables[self.row]
    }

    fn place(&self) -> Location {
        self.table_here().place.clone()
    }

    fn note(&mut self, key: &'static str, value: Option<Value>) {
        self.walk.tables[self.row].note(key, value);
    }
}
