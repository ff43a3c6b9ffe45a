//! Mutated files: nothing may panic, hang or grow, whatever the bytes.

use std::time::{Duration, Instant};

use tumble_scene::mesh::parse_mesh;
use tumble_scene::text::{Places, Source, print, read, set};

use crate::cubes;
use crate::texts::{SCENE, Scene, read_scene};

/// Numbers that break things, as they stand in text.
pub(crate) const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "1e999",
    "nan",
    "0.5",
];

/// A generator with a known sequence (xorshift), so that a failure comes again.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// Changes a few places: bits, bytes, whole numbers, and pieces cut, doubled or moved.
pub(crate) fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(24)).min(bytes.len());
        match random.below(8) {
            _ if bytes.is_empty() => {}
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 0x7f, 0x80, 0xff, b'\n', b'"'][random.below(6)],
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            4 if random.below(4) == 0 => bytes.truncate(at),
            5 if at + 4 <= bytes.len() => {
                let value = [0, 1, u32::MAX, 1 << 31, 1 << 16][random.below(5)];
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
            // Most of a header is numbers, so they get most of the attention.
            _ => {
                let digits = |b: &u8| b.is_ascii_digit();
                let Some(from) = bytes[at..].iter().position(digits).map(|step| at + step) else { continue };
                let length = bytes[from..].iter().take_while(|b| digits(b)).count();
                bytes.splice(from..from + length, NUMBERS[random.below(NUMBERS.len())].bytes());
            }
        }
    }
    bytes
}

#[test]
fn mutated_meshes_never_panic_hang_or_grow() {
    for (name, format, seed) in cubes::all() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut good, mut bad) = (0, 0);
        for _ in 0..4000 {
            let bytes = mutated(&seed, &mut random);
            let start = Instant::now();
            match parse_mesh(&bytes, format) {
                Ok(mesh) => {
                    good += 1;
                    assert!(mesh.triangles().len() <= bytes.len() && mesh.vertices().len() <= bytes.len());
                }
                Err(error) => {
                    bad += 1;
                    assert!(error.to_string().len() < 10_000, "{name}: {error}");
                }
            }
            assert!(start.elapsed() < Duration::from_secs(2), "{name}: {:?}", String::from_utf8_lossy(&bytes));
        }
        // Both ways must be walked, or the mutations are too wild or too tame.
        assert!(good > 50 && bad > 50, "{name}: {good} good, {bad} bad");
    }
}

#[test]
fn mutated_scenes_never_panic_and_what_is_good_resolves_to_itself() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..6000 {
        let text = String::from_utf8_lossy(&mutated(SCENE.as_bytes(), &mut random)).into_owned();
        match read_scene(&text) {
            Ok(scene) => {
                good += 1;
                assert_eq!(read_scene(&print(&scene)).unwrap(), scene, "{text}");
            }
            Err(problems) => {
                bad += 1;
                assert!(!problems.all().is_empty() && !problems.to_string().is_empty());
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
}

#[test]
fn random_text_and_assignments_never_panic() {
    const WORDS: [&str; 28] = [
        "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\n", "\r\n", "\"", "'", "\"\"\"", "'''", "\\", "#", " ", "\t",
        "a", "material", "é漢", "1", "-", "e9", "_", "nan", "\u{0}",
    ];
    let mut random = Random(77);
    for _ in 0..20_000 {
        let text: String = (0..random.below(40)).map(|_| WORDS[random.below(WORDS.len())]).collect();
        if let Err(problems) = read_scene(&text) {
            assert!(!problems.to_string().is_empty());
        }
        let source = Source::new("x", SCENE);
        let mut root = source.parse().unwrap();
        if set(&mut root, &text).is_ok() {
            let problems = read::<Scene>(&root).problems;
            drop(Places::new(source, root).locate(problems).to_string());
        }
    }
}
