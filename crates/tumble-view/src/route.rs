//! Parses paths of requests. Paths are names of a short list and numbers; no part of one ever
//! reaches the file system.
//!
//! | path | answer |
//! | --- | --- |
//! | `/`, `/main.js`, … | the page |
//! | `/recordings.json` | number of recordings |
//! | `/recording/0/header.json` | data shared by all frames of a recording |
//! | `/recording/0/index.json?from=12&epoch=0&generation=0` | list of frames from an index on |
//! | `/recording/0/frames?generation=0` | the blocks of all frames, by range |
//! | `/recording/0/overlays/12?generation=0` | layers and constraints of a frame |
//! | `/recording/0/particles/12?generation=0` | the particles of a frame, all or none |
//! | `/recording/0/mesh/3` | a mesh |
//!
//! An entry of the list of frames is: number, time, bodies, offset and length of the block,
//! particles. A mesh is: numbers of vertices and triangles (`u32`), vertices (3 `f32`), triangles
//! (3 `u32`).

/// The target of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route<'a> {
    /// A file of the page, perhaps.
    Asset(&'a str),
    /// The list of recordings.
    Recordings,
    /// A resource of a recording, by the recording's number.
    Recording(usize, Resource),
}

/// A resource of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    Header,
    Index { from: usize, epoch: u64, generation: usize },
    Frames { generation: Option<usize> },
    Overlays { index: usize, generation: Option<usize> },
    Particles { index: usize, generation: Option<usize> },
    Mesh(u32),
}

/// Longest path with its query that is parsed \[byte\]; those of the page are far shorter.
pub(crate) const LONGEST: usize = 512;

/// Parses the target of a request; `None` if it is not a path of this server.
pub(crate) fn parse(target: &str) -> Option<Route<'_>> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.strip_prefix('/')?;
    let Some(rest) = path.strip_prefix("recording/") else {
        return Some(if path == "recordings.json" { Route::Recordings } else { Route::Asset(path) });
    };
    let parts: Vec<&str> = rest.split('/').collect();
    let resource = match parts[1..] {
        ["header.json"] => Resource::Header,
        ["index.json"] => Resource::Index {
            from: value(query, "from")?.unwrap_or(0),
            epoch: value(query, "epoch")?.unwrap_or(0),
            generation: value(query, "generation")?.unwrap_or(0),
        },
        ["frames"] => Resource::Frames { generation: value(query, "generation")? },
        ["overlays", index] => Resource::Overlays { index: number(index)?, generation: value(query, "generation")? },
        ["particles", index] => Resource::Particles { index: number(index)?, generation: value(query, "generation")? },
        ["mesh", mesh] => Resource::Mesh(number(mesh)?),
        _ => return None,
    };
    Some(Route::Recording(number(parts[0])?, resource))
}

/// The value of a key of the query: `None` if it is not a number, `Some(None)` if the key is
/// missing.
fn value<T: std::str::FromStr>(query: &str, key: &str) -> Option<Option<T>> {
    let pair = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == key);
    match pair {
        None => Some(None),
        Some((_, text)) => number(text).map(Some),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_names_and_numbers() {
        assert_eq!(parse("/"), Some(Route::Asset("")));
        assert_eq!(parse("/recording/1/mesh/3"), Some(Route::Recording(1, Resource::Mesh(3))));
        let index = Resource::Index { from: 7, epoch: 0, generation: 2 };
        assert_eq!(parse("/recording/0/index.json?from=7&generation=2"), Some(Route::Recording(0, index)));
        let frames = Resource::Frames { generation: None };
        assert_eq!(parse("/recording/0/frames"), Some(Route::Recording(0, frames)));
        let particles = Resource::Particles { index: 12, generation: Some(3) };
        assert_eq!(parse("/recording/0/particles/12?generation=3"), Some(Route::Recording(0, particles)));
        let odd = ["recording/0/frames", "http://a/", "/recording/", "/recording/0", "/recording/-1/frames"];
        let more = ["/recording/0/mesh/../1", "/recording/0/mesh/%31", "/recording/+0/frames", "/recording/0/frames/"];
        for target in odd.into_iter().chain(more).chain(["/recording/0/index.json?from=x", "/recording/0/particles/"]) {
            assert_eq!(parse(target), None, "{target}");
        }
    }
}
