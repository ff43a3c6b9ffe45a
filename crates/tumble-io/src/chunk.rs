//! The building block of both binary files: a head of fixed size, then a payload.
//!
//! A file is a list of chunks and nothing else. Each stands for itself, so that a recording can be
//! appended to, read while it grows, cut anywhere and still read up to the cut. All numbers are
//! little-endian:
//!
//! | byte | field | |
//! | --- | --- | --- |
//! | 0 | magic | `tumb` |
//! | 4 | format | u16, [`FORMAT_VERSION`]; this field and the magic stay in place for ever |
//! | 6 | kind | u16: 1 header, 2 frame, 3 checkpoint, 4 mesh, 5 particles of the frame before |
//! | 8 | frame number | i64 |
//! | 16 | time \[s\] | f64 |
//! | 24 | state hash | u64 |
//! | 32 | counts | 4 × u32, by kind: see below |
//! | 48 | raw length, stored length | u64, u64: the payload before and after compression |
//! | 64 | checksum of the stored payload | xxh3 |
//! | 72 | checksum of bytes 0 to 71 | xxh3 |
//!
//! The counts of a frame are bodies, obstacles, layers, constraints; of a mesh vertices, triangles;
//! of particles their number. A checkpoint uses them as `checkpoint.rs` says.
//!
//! The head has a checksum of its own, so that a scan that skips payloads can trust the heads it
//! lists. That checksum covers the payload's checksum, so it protects the whole chunk.
//!
//! Payloads are compressed with zstd at level 1, except a recording's header, which stays legible.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::IoError;
use crate::bytes::{put, take};

/// The one file format this program writes and reads.
pub const FORMAT_VERSION: u16 = 3;

const MAGIC: [u8; 4] = *b"tumb";

/// Level 1: on a settled heap level 3 writes less than half as fast and saves nothing.
const LEVEL: i32 = 1;

/// Largest ratio of decompressed to stored size, beyond [`FREE_GROWTH`], so that a small hostile
/// file cannot demand much memory. Real frames shrink to about a third; the writer pads payloads
/// that shrink more than this ratio allows.
const MAX_GROWTH: u64 = 256;

/// Payloads up to this size may have any compression ratio \[byte\].
const FREE_GROWTH: u64 = 64 * 1024;

/// The content of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ChunkKind {
    /// The header of a recording.
    #[default]
    Header = 1,
    /// One frame.
    Frame = 2,
    /// An exact state.
    Checkpoint = 3,
    /// A triangle mesh that frames refer to.
    Mesh = 4,
    /// The particles of the frame before.
    Particles = 5,
}

/// The head of a chunk; the module's table says what each field is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Head {
    pub(crate) kind: ChunkKind,
    pub(crate) number: i64,
    pub(crate) time: f64,
    pub(crate) state_hash: u64,
    pub(crate) counts: [u32; 4],
    pub(crate) raw: u64,
    pub(crate) stored: u64,
    pub(crate) checksum: u64,
}

/// The reason why a chunk cannot be used.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The file ends before the chunk does: a crash, or a writer that is not done yet.
    Torn,
    /// There is no chunk here.
    NotChunk,
    /// The chunk has an earlier or a later format.
    OtherFormat(u16),
    /// The chunk does not hold together.
    Damaged(&'static str),
    /// The system could not read the file.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Torn,
            _ => Self::Io(error),
        }
    }
}

impl Fault {
    /// The fault in words.
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Self::Torn => "the file ends in the middle of a chunk",
            Self::NotChunk => "there is no chunk where one should start",
            Self::OtherFormat(_) => "this part was written by another version of tumble",
            Self::Damaged(what) => what,
            Self::Io(_) => "the file cannot be read",
        }
    }

    /// The fault as an error about a file that cannot be used because of it.
    pub(crate) fn at(self, path: &Path, offset: u64) -> IoError {
        let path = path.to_owned();
        match self {
            Self::Io(source) => IoError::Read { path, source },
            Self::OtherFormat(found) => IoError::OtherFormat { path, found, supported: FORMAT_VERSION },
            Self::NotChunk if offset == 0 => IoError::NotTumble { path, what: "a tumble file" },
            fault => IoError::Damaged { path, what: fault.what().to_owned(), offset },
        }
    }
}

impl Head {
    /// Size of a head \[byte\].
    pub(crate) const BYTES: usize = 80;

    /// Offset of the head's own checksum; the checksum covers all bytes before it \[byte\].
    const CHECKED: usize = 72;

    /// Size of the chunk, or nothing if it is larger than any file \[byte\].
    pub(crate) fn chunk_length(&self) -> Option<u64> {
        self.stored.checked_add(Self::BYTES as u64)
    }

    fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let mut rest = &mut bytes[..Self::CHECKED];
        put(&mut rest, MAGIC);
        put(&mut rest, FORMAT_VERSION.to_le_bytes());
        put(&mut rest, (self.kind as u16).to_le_bytes());
        put(&mut rest, self.number.to_le_bytes());
        put(&mut rest, self.time.to_le_bytes());
        put(&mut rest, self.state_hash.to_le_bytes());
        for count in self.counts {
            put(&mut rest, count.to_le_bytes());
        }
        put(&mut rest, self.raw.to_le_bytes());
        put(&mut rest, self.stored.to_le_bytes());
        put(&mut rest, self.checksum.to_le_bytes());
        let own = xxh3_64(&bytes[..Self::CHECKED]);
        bytes[Self::CHECKED..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    /// Parses the first bytes of a chunk: [`Head::BYTES`] of them, or fewer at the end of a file.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        // The magic and the format come first, before anything that another format may have
        // changed.
        let start = bytes.len().min(MAGIC.len());
        if bytes[..start] != MAGIC[..start] {
            return Err(Fault::NotChunk);
        }
        if bytes.len() < Self::BYTES {
            return Err(Fault::Torn);
        }
        let mut rest = &bytes[start..];
        let version = u16::from_le_bytes(take(&mut rest));
        if version != FORMAT_VERSION {
            return Err(Fault::OtherFormat(version));
        }
        if xxh3_64(&bytes[..Self::CHECKED]) != u64::from_le_bytes(take(&mut &bytes[Self::CHECKED..])) {
            return Err(Fault::Damaged("the head of a chunk does not match its checksum"));
        }

        let kind = match u16::from_le_bytes(take(&mut rest)) {
            1 => ChunkKind::Header,
            2 => ChunkKind::Frame,
            3 => ChunkKind::Checkpoint,
            4 => ChunkKind::Mesh,
            5 => ChunkKind::Particles,
            _ => return Err(Fault::Damaged("a chunk of unknown kind")),
        };
        let head = Self {
            kind,
            number: i64::from_le_bytes(take(&mut rest)),
            time: f64::from_le_bytes(take(&mut rest)),
            state_hash: u64::from_le_bytes(take(&mut rest)),
            counts: std::array::from_fn(|_| u32::from_le_bytes(take(&mut rest))),
            raw: u64::from_le_bytes(take(&mut rest)),
            stored: u64::from_le_bytes(take(&mut rest)),
            checksum: u64::from_le_bytes(take(&mut rest)),
        };
        // A checksum keeps accidents out, not intent: the lengths decide how much memory is taken.
        let fits = match kind {
            ChunkKind::Header => head.raw == head.stored,
            ChunkKind::Frame | ChunkKind::Checkpoint | ChunkKind::Mesh | ChunkKind::Particles => {
                head.raw <= head.stored.saturating_mul(MAX_GROWTH).saturating_add(FREE_GROWTH)
            }
        };
        if fits { Ok(head) } else { Err(Fault::Damaged("the lengths of a chunk do not fit each other")) }
    }

    /// Reads the head at `offset` of a file of `length` bytes, and makes sure that its whole chunk
    /// is in the file.
    pub(crate) fn read(file: &mut File, offset: u64, length: u64) -> Result<Self, Fault> {
        let mut bytes = [0; Self::BYTES];
        let left = length.saturating_sub(offset);
        let here = &mut bytes[..left.min(Self::BYTES as u64) as usize];
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(here)?;
        let head = Self::from_bytes(here)?;
        match head.chunk_length() {
            Some(chunk) if chunk <= left => Ok(head),
            _ => Err(Fault::Torn),
        }
    }

    /// Reads the payload that follows the head just read as it is stored.
    pub(crate) fn read_stored(&self, file: &mut File, stored: &mut Vec<u8>) -> Result<(), Fault> {
        make_room(stored, self.stored)?;
        file.read_exact(stored)?;
        if xxh3_64(stored) == self.checksum {
            Ok(())
        } else {
            Err(Fault::Damaged("the content of a chunk does not match its checksum"))
        }
    }

    /// Reads the payload that follows the head just read, into `raw`; `stored` is room to work in.
    pub(crate) fn read_payload(&self, file: &mut File, stored: &mut Vec<u8>, raw: &mut Vec<u8>) -> Result<(), Fault> {
        self.read_stored(file, stored)?;
        if self.kind == ChunkKind::Header {
            std::mem::swap(stored, raw);
            return Ok(());
        }
        // The buffer has exactly the size given in the head, so decompression cannot write more.
        make_room(raw, self.raw)?;
        match zstd::bulk::decompress_to_buffer(stored, &mut raw[..]) {
            Ok(length) if length == raw.len() => Ok(()),
            _ => Err(Fault::Damaged("the content of a chunk cannot be decompressed")),
        }
    }

    /// Makes the whole chunk of this head and payload, in one buffer so that one write appends it.
    pub(crate) fn seal(mut self, raw: &[u8], chunk: &mut Vec<u8>) -> io::Result<()> {
        chunk.clear();
        chunk.resize(Self::BYTES, 0);
        match self.kind {
            ChunkKind::Header => chunk.extend_from_slice(raw),
            ChunkKind::Frame | ChunkKind::Checkpoint | ChunkKind::Mesh | ChunkKind::Particles => pack(raw, chunk)?,
        }
        self.raw = raw.len() as u64;
        self.stored = (chunk.len() - Self::BYTES) as u64;
        self.checksum = xxh3_64(&chunk[Self::BYTES..]);
        chunk[..Self::BYTES].copy_from_slice(&self.to_bytes());
        Ok(())
    }
}

/// Resizes a buffer to a length read from a file; a length too large for memory is an error, not an
/// abort.
fn make_room(buffer: &mut Vec<u8>, length: u64) -> io::Result<()> {
    let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    buffer.clear();
    buffer.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    buffer.resize(length, 0);
    Ok(())
}

/// Appends the compressed form of `raw`.
fn pack(raw: &[u8], chunk: &mut Vec<u8>) -> io::Result<()> {
    let start = chunk.len();
    chunk.resize(start + zstd::zstd_safe::compress_bound(raw.len()), 0);
    let packed = zstd::bulk::compress_to_buffer(raw, &mut chunk[start..], LEVEL)?;
    chunk.truncate(start + packed);

    // Zeros shrink ten thousandfold, which readers refuse. A skippable zstd frame (RFC 8878, 3.1.2)
    // pads the payload up to the allowed ratio.
    let least = (raw.len() as u64).saturating_sub(FREE_GROWTH).div_ceil(MAX_GROWTH) as usize;
    if packed < least {
        let padding = least - packed;
        chunk.extend_from_slice(&0x184D_2A50_u32.to_le_bytes());
        chunk.extend_from_slice(&(padding as u32).to_le_bytes());
        chunk.resize(chunk.len() + padding, 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            kind: ChunkKind::Frame,
            number: -3,
            time: 0.125,
            state_hash: 11,
            counts: [12, 13, 17, 18],
            raw: 14,
            stored: 15,
            checksum: 16,
        }
    }

    #[test]
    fn a_head_reads_back() {
        assert_eq!(Head::from_bytes(&head().to_bytes()).unwrap(), head());
    }

    #[test]
    fn every_changed_bit_of_a_head_is_noticed() {
        for bit in 0..Head::BYTES * 8 {
            let mut bytes = head().to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Head::from_bytes(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn another_format_is_named_even_when_the_rest_is_different() {
        for format in [1, 9] {
            let mut bytes = head().to_bytes();
            bytes[4] = format;
            bytes[40] ^= 1;
            assert!(matches!(Head::from_bytes(&bytes), Err(Fault::OtherFormat(found)) if found == u16::from(format)));
        }
    }

    #[test]
    fn a_promise_of_too_much_memory_is_refused() {
        let bomb = Head { raw: 1 << 30, stored: 1000, ..head() };
        assert!(matches!(Head::from_bytes(&bomb.to_bytes()), Err(Fault::Damaged(_))));
        let largest = Head { raw: 1000 * MAX_GROWTH + FREE_GROWTH, stored: 1000, ..head() };
        assert!(Head::from_bytes(&largest.to_bytes()).is_ok());
    }

    #[test]
    fn lengths_that_no_file_has_do_not_overflow() {
        let endless = Head { raw: u64::MAX, stored: u64::MAX, ..head() };
        assert_eq!(Head::from_bytes(&endless.to_bytes()).unwrap().chunk_length(), None);
    }

    #[test]
    fn a_payload_of_zeros_is_padded_until_readers_accept_it() {
        let raw = vec![0; 3 << 20];
        let mut chunk = Vec::new();
        head().seal(&raw, &mut chunk).unwrap();
        assert!(Head::from_bytes(&chunk[..Head::BYTES]).is_ok());
        assert_eq!(zstd::bulk::decompress(&chunk[Head::BYTES..], raw.len()).unwrap(), raw);
    }
}
