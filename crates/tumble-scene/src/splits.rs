//! Meshes that were split into convex parts, by what they were split from: splitting takes seconds,
//! and a run that goes on must find the same parts to the last bit.
//!
//! As text: a line `split KEY`, a line `part` for each part, a line with three numbers for each
//! corner.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::Hasher;

use glam::DVec3;
use tumble::geometry::{self, Mesh, Split};
use xxhash_rust::xxh3::Xxh3;

/// Corners of the parts of meshes, by key: those that are known from before, and those that a scene
/// uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Splits {
    known: BTreeMap<u64, Vec<Vec<DVec3>>>,
    used: BTreeMap<u64, Vec<Vec<DVec3>>>,
}

impl Splits {
    /// Reads what [`Splits::text`] wrote. What cannot be read is left out: it will be made again.
    pub fn read(text: &str) -> Self {
        let mut known = BTreeMap::new();
        for split in text.split("split ").skip(1) {
            let mut parts = split.split("part\n");
            let Some(key) = parts.next().and_then(|key| u64::from_str_radix(key.trim(), 16).ok()) else { continue };
            let corner = |line: &str| {
                let numbers: Option<Vec<f64>> = line.split(' ').map(|number| number.parse().ok()).collect();
                <[f64; 3]>::try_from(numbers?).ok().map(DVec3::from)
            };
            let read: Option<Vec<Vec<DVec3>>> = parts.map(|part| part.lines().map(corner).collect()).collect();
            known.extend(read.filter(|parts| !parts.is_empty()).map(|parts| (key, parts)));
        }
        Self { known, used: BTreeMap::new() }
    }

    /// Those in use as text; numbers are exact.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (key, parts) in &self.used {
            let _ = writeln!(text, "split {key:016x}");
            for part in parts {
                text.push_str("part\n");
                for corner in part {
                    let _ = writeln!(text, "{:?} {:?} {:?}", corner.x, corner.y, corner.z);
                }
            }
        }
        text
    }

    /// Whether none is in use.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// The parts of a mesh: those that are known, or new ones.
    pub(crate) fn of(&mut self, mesh: &Mesh, how: &Split) -> &[Vec<DVec3>] {
        let (key, known) = (key(mesh, how), &mut self.known);
        self.used.entry(key).or_insert_with(|| known.remove(&key).unwrap_or_else(|| geometry::split(mesh, how)))
    }
}

/// A hash of all that a split follows from.
fn key(mesh: &Mesh, how: &Split) -> u64 {
    let mut hash = Xxh3::new();
    for number in mesh.vertices().iter().flat_map(|vertex| vertex.to_array()).chain([how.concavity]) {
        hash.write_u64(number.to_bits());
    }
    for number in mesh.triangles().iter().flatten().chain([&how.most_parts, &how.most_corners]) {
        hash.write_u32(*number);
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::geometry::Model;

    #[test]
    fn splits_come_back_to_the_bit() {
        let mesh = Model::Ring { radius: 0.2, tube: 0.05 }.mesh(16).unwrap();
        let how = Split { concavity: 0.05, ..Split::DEFAULT };
        let mut splits = Splits::default();
        let corners = splits.of(&mesh, &how).to_vec();
        assert!(corners.len() > 3);
        let mut again = Splits::read(&splits.text());
        assert_eq!(again.known, splits.used);
        // Another way is not the same, and what is not used is forgotten.
        again.of(&mesh, &Split { concavity: 0.04, ..how });
        assert_eq!((again.known.len(), again.used.len()), (1, 1));
        assert_eq!(again.of(&mesh, &how), corners);
        assert_eq!((again.known.len(), again.used.len()), (0, 2));
    }

    #[test]
    fn torn_texts_lose_what_is_torn_only() {
        let text = "split 00000000000000aa\npart\n0 0 0\n1 0 0\nsplit 00000000000000bb\npart\n0 1 2\n3 4";
        let splits = Splits::read(text);
        assert_eq!(splits.known.keys().copied().collect::<Vec<_>>(), [0xaa]);
        for end in 0..text.len() {
            Splits::read(&text[..end]);
        }
    }
}
