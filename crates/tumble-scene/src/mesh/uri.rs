//! Reads the URIs by which a glTF names its buffers: `data:` with base64 inside, or a file beside
//! the glTF.

use std::path::{Component, PathBuf};

/// The bytes inside a `data:` URI, or `None` if it is another URI.
pub(super) fn inline_bytes(uri: &str) -> Option<Result<Vec<u8>, String>> {
    let (about, content) = uri.strip_prefix("data:")?.split_once(',')?;
    if !about.ends_with(";base64") {
        return Some(Err("its data URI is not base64".into()));
    }
    Some(base64(content.as_bytes()).ok_or_else(|| "its data URI has broken base64".into()))
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for &digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        // Four digits are three bytes; the last group may hold two or three digits for one or two
        // bytes.
        let byte_count = match group.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        bits <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&bits.to_be_bytes()[1..1 + byte_count]);
    }
    Some(bytes)
}

/// The path of a file beside the glTF. Absolute paths and web addresses are refused: a mesh from
/// elsewhere must not choose what is read on this machine.
pub(super) fn relative_path(uri: &str) -> Result<PathBuf, String> {
    let path = percent_decoded(uri).map(PathBuf::from).ok_or_else(|| format!("it has a broken URI {uri:.60?}"))?;
    let is_relative = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_relative || uri.contains("://") || uri.is_empty() {
        return Err(format!("its buffer {uri:.60?} is not a file beside it; export it with the buffers in its folder"));
    }
    Ok(path)
}

fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = uri.bytes();
    let mut decoded = Vec::with_capacity(uri.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let mut digit = || char::from(bytes.next()?).to_digit(16);
            (digit()? * 16 + digit()?) as u8
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        for (text, bytes) in [("", ""), ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu", "Man"), ("TWFuIQ", "Man!")] {
            assert_eq!(base64(text.as_bytes()).unwrap(), bytes.as_bytes());
        }
        assert_eq!(base64(b"+/+/").unwrap(), [0xfb, 0xff, 0xbf]);
        assert_eq!(base64(b"TWFuI"), None);
        assert_eq!(base64(b"TW-u"), None);
    }

    #[test]
    fn only_files_beside_the_mesh_are_named() {
        assert_eq!(relative_path("my%20cube.bin").unwrap(), PathBuf::from("my cube.bin"));
        assert_eq!(relative_path("parts/a.bin").unwrap(), PathBuf::from("parts/a.bin"));
        for uri in ["", "/dev/zero", "../a.bin", "%2e%2e/a.bin", "file:///a", "https://a.b/c", "%zz", "%f"] {
            assert!(relative_path(uri).is_err(), "{uri}");
        }
    }
}
