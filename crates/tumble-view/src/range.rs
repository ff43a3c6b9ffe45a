//! Parses the `Range` header: the requested bytes of a file (RFC 9110, section 14).

use std::ops::Range;

/// The bytes that a `Range` header asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Everything: there is no header, or one in an unknown unit, which counts as none.
    All,
    /// These bytes; never empty, never beyond the end.
    Part(Range<u64>),
    /// Bytes outside the file, or several ranges at once: the page never asks for that, and the
    /// response would have a different format.
    Nothing,
}

/// Parses the header's value, for a file of `total` bytes.
pub(crate) fn parse(value: Option<&str>, total: u64) -> Asked {
    let Some((unit, ranges)) = value.and_then(|value| value.split_once('=')) else {
        return if value.is_none() { Asked::All } else { Asked::Nothing };
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Asked::All;
    }
    let part = ranges.trim().split_once('-').and_then(|(first, last)| part(first, last, total));
    part.filter(|part| part.start < part.end).map_or(Asked::Nothing, Asked::Part)
}

fn part(first: &str, last: &str, total: u64) -> Option<Range<u64>> {
    match (first.is_empty(), last.is_empty()) {
        (true, true) => None,
        // A suffix range: the last so many bytes.
        (true, false) => Some(total.saturating_sub(number(last)?)..total),
        (false, true) => Some(number(first)?..total),
        (false, false) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then(|| first..last.saturating_add(1).min(total))
        }
    }
}

/// Digits only: `u64::from_str` would take a plus sign as well.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_to_the_file_or_refused() {
        let of = |value| parse(Some(value), 100);
        assert_eq!(parse(None, 100), Asked::All);
        assert_eq!(of("lines=1-2"), Asked::All);
        assert_eq!(of("bytes=0-9"), Asked::Part(0..10));
        assert_eq!(of("Bytes=90-"), Asked::Part(90..100));
        assert_eq!(of("bytes=90-18446744073709551615"), Asked::Part(90..100));
        assert_eq!(of("bytes=-10"), Asked::Part(90..100));
        assert_eq!(of("bytes=-1000"), Asked::Part(0..100));
        let bad = ["bytes=100-", "bytes=5-4", "bytes=-0", "bytes=-", "bytes=", "bytes=+1-2", "bytes=1-2,4-5", "bytes"];
        for value in bad.into_iter().chain(["bytes=1-99999999999999999999", "bytes=a-b", "bytes=1 -2", "bytes=0x1-2"]) {
            assert_eq!(of(value), Asked::Nothing, "{value}");
        }
        assert_eq!(parse(Some("bytes=0-0"), 0), Asked::Nothing);
    }
}
