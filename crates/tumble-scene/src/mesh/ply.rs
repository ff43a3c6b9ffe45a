//! Reads PLY in all three encodings: positions from the element `vertex`, polygons from the element
//! `face`.
//!
//! A PLY header can describe any elements in any order; the ones without shape are stepped over
//! value by value. All values pass through f64, which holds every PLY type exactly, so one loop
//! serves the three encodings. Nothing is reserved from the header's counts: each value takes at
//! least a byte, so a lie ends with the file.

use std::str::SplitAsciiWhitespace;

use glam::DVec3;

use super::Triangles;

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, String> {
    let (header, body) = split_header(bytes)?;
    let (encoding, elements) = read_header(&header)?;
    let text = String::from_utf8_lossy(if encoding == Encoding::Text { body } else { &[] });
    let mut values = match encoding {
        Encoding::Text => Values::Text(text.split_ascii_whitespace()),
        Encoding::Little => Values::Binary { bytes: body, big_endian: false },
        Encoding::Big => Values::Binary { bytes: body, big_endian: true },
    };

    let mut out = Triangles::default();
    let mut polygon = Vec::new();
    for element in &elements {
        // An element without properties takes no bytes: its count alone must not keep us busy.
        let count = if element.properties.is_empty() { 0 } else { element.count };
        for row in 0..count {
            let short = |why: String| format!("{} {row} of {count}: {why}", element.name);
            let mut position = DVec3::ZERO;
            for property in &element.properties {
                match property.list_length {
                    None => {
                        let value = values.next(property.kind).map_err(short)?;
                        if let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == property.name) {
                            position[axis] = value;
                        }
                    }
                    Some(length) => {
                        let is_face = element.name == "face" && property.name.starts_with("vertex_ind");
                        polygon.clear();
                        for _ in 0..index(values.next(length).map_err(short)?).map_err(short)? {
                            let value = values.next(property.kind).map_err(short)?;
                            if is_face {
                                polygon.push(index(value).map_err(short)?);
                            }
                        }
                        out.add_polygon(&polygon);
                    }
                }
            }
            if element.name == "vertex" {
                out.vertices.push(position);
            }
        }
    }
    Ok(out)
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    Little,
    Big,
}

struct Element<'a> {
    name: &'a str,
    count: u64,
    properties: Vec<Property<'a>>,
}

struct Property<'a> {
    name: &'a str,
    kind: PlyKind,
    /// The type of the length, if this is a list.
    list_length: Option<PlyKind>,
}

#[derive(Clone, Copy)]
enum PlyKind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// The header as text and the bytes after the line `end_header`.
fn split_header(bytes: &[u8]) -> Result<(String, &[u8]), String> {
    const END: &[u8] = b"end_header";
    if !bytes.starts_with(b"ply") {
        return Err("it does not begin with `ply`".into());
    }
    let end = bytes.windows(END.len()).position(|window| window == END).ok_or("its header has no `end_header`")?;
    let (header, rest) = bytes.split_at(end);
    let line_end = rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |at| at + 1);
    Ok((String::from_utf8_lossy(header).into_owned(), &rest[line_end..]))
}

fn read_header(header: &str) -> Result<(Encoding, Vec<Element<'_>>), String> {
    let mut encoding = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    for (number, line) in header.lines().enumerate().skip(1) {
        let wrong = || format!("line {}: cannot read {:.60?}", number + 1, line.trim());
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["format", "ascii", _] => encoding = Some(Encoding::Text),
            ["format", "binary_little_endian", _] => encoding = Some(Encoding::Little),
            ["format", "binary_big_endian", _] => encoding = Some(Encoding::Big),
            ["element", name, count] => {
                let count = count.parse().map_err(|_| wrong())?;
                elements.push(Element { name, count, properties: Vec::new() });
            }
            ["property", ref kinds @ .., name] => {
                let (kind, list_length) = match kinds {
                    [kind] => (kind, None),
                    ["list", length, kind] => (kind, Some(kind_of(length).ok_or_else(wrong)?)),
                    _ => return Err(wrong()),
                };
                let kind = kind_of(kind).ok_or_else(wrong)?;
                elements.last_mut().ok_or_else(wrong)?.properties.push(Property { name, kind, list_length });
            }
            [] | ["comment" | "obj_info", ..] => {}
            _ => return Err(wrong()),
        }
    }
    Ok((encoding.ok_or("its header has no `format` line")?, elements))
}

fn kind_of(word: &str) -> Option<PlyKind> {
    Some(match word {
        "char" | "int8" => PlyKind::I8,
        "uchar" | "uint8" => PlyKind::U8,
        "short" | "int16" => PlyKind::I16,
        "ushort" | "uint16" => PlyKind::U16,
        "int" | "int32" => PlyKind::I32,
        "uint" | "uint32" => PlyKind::U32,
        "float" | "float32" => PlyKind::F32,
        "double" | "float64" => PlyKind::F64,
        _ => return None,
    })
}

/// The values after the header, one by one.
enum Values<'a> {
    Text(SplitAsciiWhitespace<'a>),
    Binary { bytes: &'a [u8], big_endian: bool },
}

impl Values<'_> {
    fn next(&mut self, kind: PlyKind) -> Result<f64, String> {
        match self {
            Self::Text(words) => {
                let word = words.next().ok_or("the file ends here")?;
                word.parse().map_err(|_| format!("{word:.60?} is not a number"))
            }
            Self::Binary { .. } => Ok(match kind {
                PlyKind::I8 => i8::from_le_bytes(self.take()?).into(),
                PlyKind::U8 => u8::from_le_bytes(self.take()?).into(),
                PlyKind::I16 => i16::from_le_bytes(self.take()?).into(),
                PlyKind::U16 => u16::from_le_bytes(self.take()?).into(),
                PlyKind::I32 => i32::from_le_bytes(self.take()?).into(),
                PlyKind::U32 => u32::from_le_bytes(self.take()?).into(),
                PlyKind::F32 => f32::from_le_bytes(self.take()?).into(),
                PlyKind::F64 => f64::from_le_bytes(self.take()?),
            }),
        }
    }

    /// The next bytes of a binary file, little end first.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let Self::Binary { bytes, big_endian } = self else { return Err("the file is text".into()) };
        let (value, rest) = bytes.split_first_chunk::<N>().ok_or("the file ends here")?;
        *bytes = rest;
        let mut value = *value;
        if *big_endian {
            value.reverse();
        }
        Ok(value)
    }
}

/// A whole number that counts or names something.
fn index(value: f64) -> Result<u32, String> {
    let index = value as u32;
    if f64::from(index) == value { Ok(index) } else { Err(format!("{value} is not the number of a vertex")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "ply\nformat ascii 1.0\ncomment hi\nelement vertex 3\nproperty float y\nproperty list uchar int \
                        tags\nproperty double x\nproperty char z\nelement face 1\nproperty list uchar uint vertex_index\n\
                        end_header\n";

    #[test]
    fn properties_may_come_in_any_order_and_others_are_stepped_over() {
        let out = read(format!("{HEAD}2 0 1 3\n0 2 7 7 0 0\n1 1 9 0 0\n3 0 1 2\n").as_bytes()).unwrap();
        assert_eq!(out.vertices, [DVec3::new(1., 2., 3.), DVec3::ZERO, DVec3::new(0., 1., 0.)]);
        assert_eq!(out.triangles, [[0, 1, 2]]);
    }

    #[test]
    fn errors_say_where() {
        let error = |text: String| read(text.as_bytes()).err().unwrap();
        assert!(error(format!("{HEAD}0 0 0 0\n")).starts_with("vertex 1 of 3: the file ends"));
        assert!(error(format!("{HEAD}0 0 0 0\n0 0 0 0\n0 0 0 0\n3 0 1 -2")).contains("-2 is not"));
        assert!(error(HEAD.replace("double x", "real x")).starts_with("line 7:"));
    }

    #[test]
    fn counts_alone_cost_nothing() {
        let out = read(b"ply\nformat binary_little_endian 1.0\nelement nothing 18446744073709551615\nend_header\n");
        assert!(out.unwrap().triangles.is_empty());
    }
}
