//! Reads STL, text and binary: triangles with three corners each; the mesh joins equal corners
//! later.
//!
//! Binary files may begin with the word `solid` too, so the size decides: a binary file has exactly
//! 84 + 50·n bytes. The stored normals are ignored, as they follow from the corners.

use glam::DVec3;

use super::Triangles;

/// Bytes before the first triangle: 80 of any content and the count.
const HEADER: usize = 84;
/// Bytes of a triangle: normal, three corners, and two bytes that programs use for colour.
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    let is_text = bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    match binary_body(bytes) {
        Some((body, rest)) if rest.is_empty() || !is_text => Ok(read_binary(body)),
        None if !is_text => Err("it is neither text that begins with `solid`, nor as long as its triangle count says \
                                 (84 + 50 for each triangle); it may be cut off"
            .into()),
        _ => read_text(&String::from_utf8_lossy(bytes)),
    }
}

/// The bytes of the triangles and what follows them, if the file is as long as its header says.
fn binary_body(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (header, body) = bytes.split_at_checked(HEADER)?;
    let count = u32::from_le_bytes(*header.last_chunk()?) as usize;
    body.split_at_checked(count.checked_mul(TRIANGLE)?)
}

fn read_binary(body: &[u8]) -> Triangles {
    let mut out = Triangles::default();
    for triangle in body.chunks_exact(TRIANGLE) {
        let mut numbers = triangle.as_chunks::<4>().0.iter().map(|&bytes| f64::from(f32::from_le_bytes(bytes)));
        // The normal comes first.
        let mut next = || numbers.next().unwrap_or(f64::NAN);
        let _normal = [next(), next(), next()];
        let corners: [DVec3; 3] = std::array::from_fn(|_| DVec3::new(next(), next(), next()));
        add(&mut out, &corners);
    }
    out
}

fn read_text(text: &str) -> Result<Triangles, String> {
    let mut out = Triangles::default();
    let mut corners = Vec::new();
    let mut ended = false;
    for (number, line) in text.lines().enumerate() {
        let wrong = |expected: &str| format!("line {}: expected {expected}, found {:.60?}", number + 1, line.trim());
        let mut words = line.split_ascii_whitespace();
        let Some(word) = words.next() else { continue };
        match word.to_ascii_lowercase().as_str() {
            "vertex" => {
                let mut next = || words.next()?.parse().ok();
                let corner = (|| Some(DVec3::new(next()?, next()?, next()?)))();
                corners.push(corner.ok_or_else(|| wrong("`vertex` and three numbers"))?);
            }
            "endloop" => {
                add(&mut out, &corners);
                corners.clear();
            }
            "endsolid" => ended = true,
            "solid" | "facet" | "outer" | "endfacet" => {}
            _ => return Err(wrong("`facet`, `outer loop`, `vertex`, `endloop`, `endfacet` or `endsolid`")),
        }
    }
    if ended && corners.is_empty() { Ok(out) } else { Err("it ends without `endsolid`; it may be cut off".into()) }
}

fn add(out: &mut Triangles, corners: &[DVec3]) {
    // The size limit of files keeps the count far below what u32 holds.
    let first = out.vertices.len() as u32;
    out.vertices.extend_from_slice(corners);
    out.add_polygon(&(first..first + corners.len() as u32).collect::<Vec<_>>());
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid a vertex\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
                        endloop\nendfacet\nendsolid a vertex\n";

    fn binary(header: &[u8], count: u32, triangles: usize) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(80, b' ');
        bytes.extend(count.to_le_bytes());
        bytes.resize(HEADER + TRIANGLE * triangles, 0);
        bytes
    }

    #[test]
    fn text_may_be_in_any_case_and_hold_many_solids() {
        assert_eq!(read(TEXT.as_bytes()).unwrap().triangles.len(), 1);
        let two = format!("\n{}{}", TEXT.to_uppercase(), TEXT);
        assert_eq!(read(two.as_bytes()).unwrap().triangles.len(), 2);
    }

    #[test]
    fn binary_may_begin_with_solid_or_have_bytes_after_it() {
        assert_eq!(read(&binary(b"solid made by hand", 2, 2)).unwrap().triangles.len(), 2);
        assert_eq!(read(&binary(b"made by hand", 1, 2)).unwrap().triangles.len(), 1);
    }

    #[test]
    fn a_count_without_triangles_is_refused() {
        assert!(read(&binary(b"x", u32::MAX, 1)).is_err());
        assert!(read(&binary(b"x", 1, 0)).is_err());
    }

    #[test]
    fn cut_text_is_refused() {
        assert!(read(&TEXT.as_bytes()[..TEXT.len() - 20]).is_err());
        let error = read(TEXT.replace("1 0 0", "1 0").as_bytes()).err().unwrap();
        assert!(error.starts_with("line 5:"), "{error}");
    }
}
