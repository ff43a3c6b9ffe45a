//! Reads Wavefront OBJ: the `v` and `f` lines of all groups and objects, as one list of triangles.
//!
//! Everything else in the file (normals, texture coordinates, materials, curves) says nothing about
//! shape and is skipped. A polygon becomes a fan, as in every other reader of the format.

use glam::DVec3;

use super::Triangles;

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    // Names of objects may be in any encoding; numbers are always ASCII.
    let text = String::from_utf8_lossy(bytes);
    let mut out = Triangles::default();
    let mut polygon = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut joined = String::new();
    while let Some((number, mut line)) = lines.next() {
        // A backslash at the end continues the line. One growing string keeps this linear in the
        // size of the file.
        if line.ends_with('\\') {
            joined.clear();
            joined.push_str(line);
            while joined.ends_with('\\') {
                joined.pop();
                joined.push(' ');
                joined.push_str(lines.next().map_or("", |(_, next)| next));
            }
            line = &joined;
        }
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => out.vertices.push(position(words).ok_or_else(|| {
                format!("line {}: expected `v` and three numbers, found {:.60?}", number + 1, line.trim())
            })?),
            Some("f") => {
                polygon.clear();
                for word in words {
                    polygon.push(corner(word, out.vertices.len()).ok_or_else(|| {
                        format!("line {}: {word:.60?} is not a corner of a face, such as 7, 7/1/3 or -2", number + 1)
                    })?);
                }
                out.add_polygon(&polygon);
            }
            _ => {}
        }
    }
    Ok(out)
}

/// The first three numbers; a fourth (weight) or colours may follow.
fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<DVec3> {
    let mut next = || words.next()?.parse().ok();
    Some(DVec3::new(next()?, next()?, next()?))
}

/// The vertex of a corner written as vertex/texture/normal. Counts from 1, or backwards from the
/// last vertex so far.
fn corner(word: &str, vertex_count: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number < 0 { vertex_count as i64 + number } else { number - 1 };
    u32::try_from(index).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_numbers_count_from_the_last_vertex() {
        let out = read(b"v 0 0 0\nv 1 0 0\nv 0 1 0 1.0\nf -3/1/1 -2//4 -1\n").unwrap();
        assert_eq!(out.triangles, [[0, 1, 2]]);
        assert!(read(b"v 0 0 0\nf -2 1 1\n").is_err());
        assert!(read(b"v 0 0 0\nf 0 1 1\n").is_err());
    }

    #[test]
    fn a_backslash_continues_a_line() {
        let out = read(b"v 0 \\\r\n0 \\\n 7\nv 1 2 3\\").unwrap();
        assert_eq!(out.vertices, [DVec3::new(0., 0., 7.), DVec3::new(1., 2., 3.)]);
    }

    #[test]
    fn errors_name_the_line() {
        let line = |bytes: &[u8]| read(bytes).err().unwrap();
        assert!(line(b"# hello\nv 1 2\n").starts_with("line 2:"));
        assert!(line(b"v 1 2 3\n\nf 1 x 1\n").starts_with("line 3:"));
    }

    #[test]
    fn names_in_other_encodings_do_no_harm() {
        assert_eq!(read(b"o K\xfcgel\nv 1 2 3\n").unwrap().vertices.len(), 1);
    }
}
