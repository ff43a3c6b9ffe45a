//! The engine gives the same bits every time: no clock, no hidden generator, no order that comes
//! from hashing or threads.

use std::collections::BTreeSet;

use crate::report;
use crate::rust::{code, first_at_depth, line_of, without_tests, words};
use crate::tree::sources;

/// Words that have no place in the engine, and why.
const FORBIDDEN: [(&str, &str); 12] = [
    ("Instant", "the engine has no clock"),
    ("SystemTime", "the engine has no clock"),
    ("thread_rng", "a random number is a hash of seed, stream, id and count"),
    ("RandomState", "its hashes differ from run to run"),
    ("mul_add", "fused or not, depending on the machine"),
    ("mul_sub", "fused or not, depending on the machine"),
    ("mul_neg_add", "fused or not, depending on the machine"),
    ("mul_neg_sub", "fused or not, depending on the machine"),
    ("fma", "fused or not, depending on the machine"),
    ("par_bridge", "its order depends on threads"),
    ("current_num_threads", "nothing depends on the number of threads"),
    ("current_thread_index", "nothing depends on the number of threads"),
];

/// The one file that may hash; it never iterates.
const HASHES: &str = "crates/tumble/src/emit/occupancy.rs";

/// Methods of a hash map that may be called: none that shows its order.
const WITHOUT_ORDER: [&str; 8] = ["get", "get_mut", "insert", "remove", "contains_key", "entry", "len", "clear"];

/// Beginnings of parallel iterators.
const PARALLEL: [&str; 7] =
    ["par_iter", "par_iter_mut", "into_par_iter", "par_chunks", "par_chunks_mut", "par_chunks_exact", "par_windows"];

/// Ends of parallel iterators that join results in an order that depends on threads.
const JOINS: [&str; 8] = ["sum", "product", "fold", "reduce", "reduce_with", "fold_with", "try_reduce", "try_fold"];

/// Sums of these do not depend on the order.
const EXACT: [&str; 6] = ["u32", "u64", "usize", "i32", "i64", "isize"];

/// The engine's files: path and code.
fn engine() -> Vec<(String, String)> {
    let files = sources().into_iter().filter(|file| file.path.starts_with("crates/tumble/src/"));
    let files: Vec<_> = files.map(|file| (file.path, code(&without_tests(&file.text)))).collect();
    assert!(files.len() > 20, "where is the engine?");
    files
}

#[test]
fn no_clock_no_generator_no_fused_arithmetic() {
    let mut found = Vec::new();
    for (path, code) in engine() {
        for (word, why) in FORBIDDEN {
            found.extend(words(&code, word).map(|at| format!("{path}:{}: {word}: {why}", line_of(&code, at))));
        }
    }
    report("the engine depends on its state alone", &found);
}

#[test]
fn no_order_from_hashing() {
    let mut found = Vec::new();
    for (path, code) in engine() {
        if path != HASHES {
            for word in ["HashMap", "HashSet", "hash_map", "hash_set"] {
                found.extend(words(&code, word).map(|at| format!("{path}:{}: {word}", line_of(&code, at))));
            }
            continue;
        }
        found.extend(uses_of_order(&code).map(|at| format!("{path}:{}: iterates over a hash map", line_of(&code, at))));
    }
    report(&format!("only {HASHES} hashes, and it looks up only"), &found);
}

/// Places where a field or variable that is a hash map is used for more than looking up.
fn uses_of_order(code: &str) -> impl Iterator<Item = usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let name_before = |at: usize| {
        let before = code[..at].trim_end().strip_suffix([':', '='])?.trim_end();
        Some(&before[before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1)..]).filter(|name| !name.is_empty())
    };
    let names = words(code, "HashMap").chain(words(code, "HashSet")).filter_map(name_before);
    let uses = names.flat_map(|name| words(code, name).map(move |at| (at, &code[at + name.len()..])));
    let looks_up = |rest: &str| {
        let rest = rest.trim_start();
        let method = rest.strip_prefix('.').map(|rest| rest.split(|c| !is_part(c)).next().unwrap_or(""));
        rest.starts_with([':', '=']) || method.is_some_and(|method| WITHOUT_ORDER.contains(&method))
    };
    let places: BTreeSet<usize> = uses.filter(|(_, rest)| !looks_up(rest)).map(|(at, _)| at).collect();
    places.into_iter()
}

#[test]
fn no_sum_in_the_order_of_threads() {
    let mut found = Vec::new();
    for (path, code) in engine() {
        found.extend(joins(&code).into_iter().map(|(at, join)| format!("{path}:{}: .{join}", line_of(&code, at))));
    }
    report("parallel results are written to rows, and summed in the order of rows", &found);
}

/// Methods that join the results of a parallel iterator, and where.
fn joins(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for at in PARALLEL.iter().flat_map(|begin| words(code, begin)) {
        let end = chain(code, at, &mut found);
        // `let rows = ….par_iter();` goes on wherever the rest of the block says `rows`.
        let statement = code[..at].rfind([';', '{', '}']).map_or(0, |before| before + 1);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        if let Some(rest) = code[statement..at].trim_start().strip_prefix("let ") {
            let name = rest.trim_start_matches("mut ").split(|c| !is_part(c)).next().unwrap_or("");
            let block = block_end(code, end);
            let uses = words(&code[end..block], name).map(|offset| end + offset + name.len());
            for after in uses.filter(|_| !name.is_empty()) {
                chain(code, after, &mut found);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Follows a chain of methods to the end of its expression; notes those that join.
fn chain(code: &str, begin: usize, found: &mut Vec<(usize, String)>) -> usize {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate().skip(begin) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'.' if depth == 0 => {
                let rest = &code[at + 1..];
                let method = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
                let of = rest[method.len()..].strip_prefix("::<").and_then(|rest| rest.split('>').next());
                if JOINS.contains(&method) && !of.is_some_and(|of| EXACT.contains(&of)) {
                    found.push((at, method.to_string()));
                }
            }
            _ => {}
        }
        if depth < 0 || (depth == 0 && (byte == b';' || byte == b',')) {
            return at;
        }
    }
    code.len()
}

/// The end of the block around a place.
fn block_end(code: &str, begin: usize) -> usize {
    first_at_depth(code, begin, |depth, _| depth < 0).unwrap_or(code.len())
}

#[test]
fn joins_are_found_and_nothing_else() {
    let methods = |code: &str| joins(code).into_iter().map(|(_, method)| method).collect::<Vec<_>>();
    assert_eq!(methods("fn f() { a.par_iter().map(|x| x.b).sum::<f64>() }"), ["sum"]);
    assert_eq!(methods("let r = (a, b).into_par_iter(); r.map(f).reduce(g, h);"), ["reduce"]);
    assert!(methods("a.par_iter().for_each(|x| x.iter().sum::<f64>());").is_empty());
    assert!(methods("let r = a.par_iter().map(|x| x.len()).sum::<usize>(); b.iter().sum::<f64>()").is_empty());
    assert!(methods("{ let r = a.par_iter(); r.for_each(f); } { r.iter().sum() }").is_empty());
    let iterates = |code: &str| uses_of_order(code).count();
    assert_eq!(iterates("struct A { m: HashMap<u8, u8> } fn f(a: A) { a.m.get(1); a.m.insert(1, 2); }"), 0);
    assert_eq!(iterates("let m: HashMap<u8, u8> = x; for a in &m {} m.values()"), 2);
}
