//! Changes input a little: bits, numbers, pieces and lines that are cut, doubled, moved or taken
//! from another input.

/// SplitMix64: a sequence that is the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of an execution.
    pub(crate) fn of(seed: u64, number: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ number);
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Less than `end`; 0 if there is nothing less.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn one_of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let at = self.below(list.len());
        list.get(at)
    }
}

/// Numbers that break things, as they stand in text.
const NUMBERS: [&str; 24] = [
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "255",
    "65536",
    "2000000",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e999",
    "nan",
    "inf",
    "0.5",
    "1e-9",
    "1e-308",
    "1e9",
    "1e308",
    "1e6",
    "1e-6",
    "3.141592653589793",
];

/// The same as bits of floating-point numbers and of whole ones.
const WORDS: [u64; 16] = [
    0,
    1,
    2,
    u64::MAX,
    1 << 63,
    i64::MAX as u64,
    u32::MAX as u64,
    1 << 31,
    0x7FF0_0000_0000_0000,
    0x7FF8_0000_0000_0001,
    0x7FEF_FFFF_FFFF_FFFF,
    0x0010_0000_0000_0000,
    0x3FF0_0000_0000_0000,
    0xBFF0_0000_0000_0000,
    0x41CD_CD65_0000_0000,
    0x3E11_2E0B_E826_D695,
];

/// Changes a few places of a text, and sometimes takes a piece of another one.
pub(crate) fn text(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(4) {
        match random.below(10) {
            0 => flip(&mut bytes, random),
            1 => cut(&mut bytes, random),
            2 => double(&mut bytes, random),
            3..=4 => lines(&mut bytes, other, random),
            _ => number(&mut bytes, random),
        }
    }
    bytes
}

/// Changes a few places of what is no text.
pub(crate) fn binary(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(3) {
        match random.below(12) {
            0..=3 => flip(&mut bytes, random),
            4 => cut(&mut bytes, random),
            5 => double(&mut bytes, random),
            // Numbers stand at multiples of four bytes, as a rule.
            kind => {
                let word = random.one_of(&WORDS).copied().unwrap_or(0).to_le_bytes();
                let size = if kind < 9 { 8 } else { 4 };
                let at = 4 * random.below(bytes.len() / 4);
                if let Some(place) = bytes.get_mut(at..at + size) {
                    place.copy_from_slice(&word[..size]);
                }
            }
        }
    }
    bytes
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

fn cut(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let end = if random.below(8) == 0 { bytes.len() } else { (at + 1 + random.below(24)).min(bytes.len()) };
    bytes.drain(at..end);
}

fn double(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let piece = bytes[at..(at + 1 + random.below(64)).min(bytes.len())].to_vec();
    let to = random.below(bytes.len());
    bytes.splice(to..to, piece);
}

/// Puts some lines of another text, or of the same, somewhere, or leaves some out.
fn lines(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let starts = |text: &[u8]| -> Vec<usize> {
        let after = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        [0].into_iter().chain(after).collect()
    };
    let mut piece = |text: &[u8]| {
        let starts = starts(text);
        let first = random.below(starts.len());
        let last = (first + 1 + random.below(6)).min(starts.len() - 1);
        starts[first]..starts[last].max(starts[first])
    };
    let (here, there) = (piece(bytes), piece(other));
    match random.below(3) {
        0 => drop(bytes.drain(here)),
        1 => drop(bytes.splice(here.start..here.start, other[there].to_vec())),
        _ => drop(bytes.splice(here, other[there].to_vec())),
    }
}

/// Puts another number in the place of one.
fn number(bytes: &mut Vec<u8>, random: &mut Random) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b".e-+".contains(byte);
    let at = random.below(bytes.len());
    let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit).map(|step| at + step) else { return };
    let length = bytes[from..].iter().take_while(|byte| is_part(byte)).count();
    let old = String::from_utf8_lossy(&bytes[from..from + length]).parse::<f64>().unwrap_or(1.0);
    let new = match random.below(3) {
        0 => random.one_of(&NUMBERS).copied().unwrap_or("0").to_string(),
        1 => format!("{:e}", old * 10f64.powi(random.below(13) as i32 - 6)),
        _ => format!("{}", (old * (random.below(400) as f64 / 100.0) * 1e4).round() / 1e4),
    };
    bytes.splice(from..from + length, new.bytes());
}
