//! Recordings as lists of chunks: taken apart, mutated beyond their checksums, and put together
//! again.
//!
//! The layout of a head is that of the table in `crates/tumble-io/src/chunk.rs`.

use xxhash_rust::xxh3::xxh3_64;

use crate::mutate::{self, Random};

/// Size of a head \[byte\], and where in it are the kind, the counts, the lengths, the checksums.
const HEAD: usize = 80;
const KIND: usize = 6;
const RAW: usize = 48;
const STORED: usize = 56;
const CHECKSUM: usize = 64;
const OWN: usize = 72;

/// A head and the payload as it was before it was compressed.
#[derive(Clone)]
struct Chunk {
    head: [u8; HEAD],
    raw: Vec<u8>,
}

fn number(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}

/// The chunks of a file that is whole.
fn chunks(mut file: &[u8]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    while let Some((head, rest)) = file.split_first_chunk::<HEAD>() {
        let (stored, raw) = (number(head, STORED) as usize, number(head, RAW) as usize);
        let Some((stored, rest)) = rest.split_at_checked(stored) else { break };
        let payload = if head[KIND] == 1 { Ok(stored.to_vec()) } else { zstd::bulk::decompress(stored, raw) };
        let Ok(raw) = payload else { break };
        chunks.push(Chunk { head: *head, raw });
        file = rest;
    }
    chunks
}

/// Puts chunks together, with all lengths and checksums right but where `lie` says otherwise.
fn sealed(chunks: &[Chunk], lie: Option<(usize, u64)>) -> Vec<u8> {
    let mut file = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let packed = if chunk.head[KIND] == 1 { Ok(chunk.raw.clone()) } else { zstd::bulk::compress(&chunk.raw, 1) };
        let stored = packed.unwrap_or_default();
        let mut head = chunk.head;
        let raw = lie.filter(|lie| lie.0 == index).map_or(chunk.raw.len() as u64, |lie| lie.1);
        head[RAW..STORED].copy_from_slice(&raw.to_le_bytes());
        head[STORED..CHECKSUM].copy_from_slice(&(stored.len() as u64).to_le_bytes());
        head[CHECKSUM..OWN].copy_from_slice(&xxh3_64(&stored).to_le_bytes());
        let own = xxh3_64(&head[..OWN]);
        head[OWN..].copy_from_slice(&own.to_le_bytes());
        file.extend_from_slice(&head);
        file.extend(stored);
    }
    file
}

/// A recording or a checkpoint with something else in it, or somewhere else.
pub(crate) fn mutated(file: &[u8], random: &mut Random) -> Vec<u8> {
    if random.below(8) == 0 {
        return mutate::binary(file, random);
    }
    let mut chunks = chunks(file);
    let mut lie = None;
    for _ in 0..1 + random.below(2) {
        let at = random.below(chunks.len());
        let other = random.below(chunks.len());
        let Some(chunk) = chunks.get_mut(at) else { continue };
        match random.below(10) {
            0 => chunks.swap(at, other),
            1 => drop(chunks.remove(at)),
            2 => {
                let again = chunk.clone();
                chunks.insert(other, again);
            }
            // Format and magic are checked before all else; what follows them is of interest.
            3..=4 => {
                let head = mutate::binary(&chunk.head[KIND..RAW], random);
                let length = head.len().min(RAW - KIND);
                chunk.head[KIND..KIND + length].copy_from_slice(&head[..length]);
            }
            5 => lie = Some((at, random.next() >> random.below(64))),
            _ if chunk.head[KIND] == 1 => chunk.raw = mutate::text(&chunk.raw, &chunk.raw, random),
            _ => chunk.raw = mutate::binary(&chunk.raw, random),
        }
    }
    sealed(&chunks, lie)
}
