//! Rust text with parts blanked out: comments, literals, tests. Blanks keep the length, so places
//! stay what they are.

use std::ops::Range;

/// The text with comments, strings and characters blanked out.
pub(crate) fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = literal_or_comment_end(bytes, at);
        if end == at {
            at += 1;
        } else {
            blank(&mut out, at..end);
            at = end;
        }
    }
    String::from_utf8(out).expect("blanks are whole characters")
}

/// The text with every item under `#[cfg(test)]` blanked out.
pub(crate) fn without_tests(text: &str) -> String {
    let code = code(text);
    let mut out = text.as_bytes().to_vec();
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let begin = from + found;
        from = item_end(&code, begin);
        blank(&mut out, begin..from);
    }
    String::from_utf8(out).expect("blanks are whole characters")
}

/// The number of the line in which a byte stands.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// All places of a word that is not part of a longer one.
pub(crate) fn words<'t>(code: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !code[..at].ends_with(is_part) && !code[at + word.len()..].starts_with(is_part))
}

/// Blanks bytes out but keeps line ends.
fn blank(bytes: &mut [u8], range: Range<usize>) {
    bytes[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// The end of the item at `begin`: of its block, or the semicolon before there is one.
fn item_end(code: &str, begin: usize) -> usize {
    let end = |depth: i32, byte: u8| depth == 0 && (byte == b'}' || byte == b';');
    first_at_depth(code, begin, end).map_or(code.len(), |at| at + 1)
}

/// The first byte from `begin` on that is the one looked for, given how many braces are open after
/// it.
pub(crate) fn first_at_depth(code: &str, begin: usize, is_it: impl Fn(i32, u8) -> bool) -> Option<usize> {
    let mut depth = 0;
    code.bytes().enumerate().skip(begin).find_map(|(at, byte)| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        is_it(depth, byte).then_some(at)
    })
}

/// The end of the comment or literal that begins here; `at` itself if none does.
fn literal_or_comment_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let find = |from: usize, what: &[u8]| {
        let from = from.min(bytes.len());
        bytes[from..].windows(what.len()).position(|window| window == what).map_or(bytes.len(), |found| from + found)
    };
    if rest.starts_with(b"//") {
        return find(at, b"\n");
    }
    if rest.starts_with(b"/*") {
        return (find(at + 2, b"*/") + 2).min(bytes.len());
    }
    if rest[0] == b'"' {
        return quoted_end(bytes, at + 1, b'"');
    }
    let begins_word = at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
    if begins_word && (rest.starts_with(b"r\"") || rest.starts_with(b"r#") || rest.starts_with(b"br")) {
        let hashes_from = at + if rest[0] == b'b' { 2 } else { 1 };
        let hashes = bytes[hashes_from..].iter().take_while(|byte| **byte == b'#').count();
        if bytes.get(hashes_from + hashes) == Some(&b'"') {
            let closing = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
            return (find(hashes_from + hashes + 1, &closing) + closing.len()).min(bytes.len());
        }
    }
    if rest[0] == b'\'' {
        // A lifetime has no closing quote right after its first character.
        let character =
            std::str::from_utf8(&rest[1..]).ok().and_then(|text| text.chars().next()).map_or(1, char::len_utf8);
        if rest.get(1) == Some(&b'\\') || rest.get(1 + character) == Some(&b'\'') {
            return quoted_end(bytes, at + 1, b'\'');
        }
    }
    at
}

/// The end of a literal whose inside begins at `at`.
fn quoted_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[test]
fn comments_and_literals_are_not_code() {
    let text = "let a = \"x // \\\" y\"; // z\nlet b: &'a str = r#\"w \"# ; let c = ['\\'', 'ß', '\"']; /* v */ u";
    let code = code(text);
    assert_eq!(code.len(), text.len());
    let left: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(left.join(" "), "let a = ; let b: &'a str = ; let c = [ , , ]; u");
}

#[test]
fn tests_are_left_out() {
    let text = "a();\n#[cfg(test)]\nmod tests {\n fn b() { \"}\"; }\n}\n#[cfg(test)]\nuse c;\n// d\n";
    assert_eq!(without_tests(text).split_whitespace().collect::<Vec<_>>(), ["a();", "//", "d"]);
}
