//! Changed and hostile recordings: no panic, no endless loop, and never a wrong frame without a
//! word.

use std::fs;
use std::path::Path;

use tumble::Frame;
use tumble_io::{IoError, Recording, RecordingWriter};
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{Folder, Random, frame, header, mesh, record};

/// Reads what can be read and checks that every frame that comes back is one of the originals.
/// Returns how many came back and whether any trouble was reported.
fn survive(path: &Path, originals: &[Frame]) -> (usize, bool) {
    let Ok(mut recording) = Recording::open(path) else {
        return (0, true);
    };
    let mut frame = Frame::default();
    let mut count = 0;
    let mut trouble = recording.damage().is_some();
    for number in 0..recording.header().meshes {
        match recording.mesh(number) {
            Ok(back) => assert_eq!(back, mesh()),
            Err(_) => trouble = true,
        }
    }
    for index in 0..recording.frames().len() {
        match recording.read(index, &mut frame) {
            Ok(()) => {
                assert_eq!(Some(&frame), originals.iter().find(|original| original.number == frame.number));
                count += 1;
            }
            Err(_) => trouble = true,
        }
    }
    (count, trouble)
}

/// Puts the right checksum into the head at `start`, as an attacker would.
fn reseal(bytes: &mut [u8], start: usize) {
    let own = xxh3_64(&bytes[start..start + 72]);
    bytes[start + 72..start + 80].copy_from_slice(&own.to_le_bytes());
}

#[test]
fn every_changed_byte_is_reported_and_spoils_no_other_frame() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let frames = [frame(1, 3), frame(2, 0), frame(3, 5)];
    let whole = record(&path, &frames);
    let starts: Vec<usize> =
        Recording::open(&path).unwrap().frames().iter().map(|entry| entry.offset as usize).collect();
    let stored = |start: usize| u64::from_le_bytes(whole[start + 56..start + 64].try_into().unwrap()) as usize;
    let mesh = 80 + stored(0);
    for position in 0..whole.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[position] ^= change;
            fs::write(&path, &bytes).unwrap();
            let (count, trouble) = survive(&path, &frames);
            assert!(trouble, "byte {position} changed without notice");
            // A broken head hides what follows; a broken payload hides only its own frame or mesh.
            let expected = match starts.iter().rposition(|&start| start <= position) {
                None if position >= mesh + 80 => 3,
                None => 0,
                Some(hit) if position < starts[hit] + 80 => hit,
                Some(_) => 2,
            };
            assert_eq!(count, expected, "byte {position}");
        }
    }
}

#[test]
fn thousands_of_mutated_recordings_do_no_harm() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let frames = [frame(1, 30), frame(2, 0), frame(3, 70)];
    let whole = record(&path, &frames);
    let starts: Vec<usize> =
        Recording::open(&path).unwrap().frames().iter().map(|entry| entry.offset as usize).collect();
    let mut random = Random(7);
    for _ in 0..4000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            match random.below(5) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes.truncate(at + 1),
                2 => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(90)))),
                3 => {
                    let piece = whole[random.below(whole.len())..].to_vec();
                    bytes.splice(at..at, piece);
                }
                // Any number in a head may be anything, under a checksum that is right.
                _ => {
                    let start = starts[random.below(3)];
                    if start + 80 <= bytes.len() {
                        // Not the identity of the frame, so that a frame that is read back can be
                        // told right from wrong.
                        let field = start + 32 + 4 * random.below(8);
                        let value = random.next() >> random.below(64);
                        bytes[field..field + 4].copy_from_slice(&(value as u32).to_le_bytes());
                        reseal(&mut bytes, start);
                    }
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        fs::write(&path, &bytes).unwrap();
        survive(&path, &frames);
    }
}

#[test]
fn a_head_that_promises_more_than_the_file_holds_takes_no_memory() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let whole = record(&path, &[frame(1, 3)]);
    let start = Recording::open(&path).unwrap().frames()[0].offset as usize;
    let bodies = u32::MAX;
    let raw = u64::from(bodies) * 80 + 80;
    for (stored, is_torn) in [(raw, true), (u64::MAX, true), ((whole.len() - start - 80) as u64, false)] {
        let mut bytes = whole.clone();
        bytes[start + 32..start + 36].copy_from_slice(&bodies.to_le_bytes());
        bytes[start + 48..start + 56].copy_from_slice(&raw.to_le_bytes());
        bytes[start + 56..start + 64].copy_from_slice(&stored.to_le_bytes());
        reseal(&mut bytes, start);
        fs::write(&path, &bytes).unwrap();
        let recording = Recording::open(&path).unwrap();
        assert!(recording.frames().is_empty());
        assert_eq!(recording.damage().map(|damage| damage.is_torn), Some(is_torn), "{:?}", recording.damage());
    }
}

#[test]
fn a_head_whose_counts_do_not_fit_its_length_is_refused() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut bytes = record(&path, &[frame(1, 3)]);
    let start = Recording::open(&path).unwrap().frames()[0].offset as usize;
    bytes[start + 32] = 2;
    reseal(&mut bytes, start);
    fs::write(&path, &bytes).unwrap();
    let recording = Recording::open(&path).unwrap();
    assert!(recording.frames().is_empty());
    assert!(recording.damage().is_some_and(|damage| damage.what.contains("does not fit its numbers")));
}

#[test]
fn a_payload_that_unpacks_to_more_or_less_than_promised_is_refused() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let whole = record(&path, &[frame(1, 3)]);
    let start = Recording::open(&path).unwrap().frames()[0].offset as usize;
    for bodies in [2_u32, 4] {
        let mut bytes = whole.clone();
        bytes[start + 32..start + 36].copy_from_slice(&bodies.to_le_bytes());
        bytes[start + 48..start + 56].copy_from_slice(&(u64::from(bodies) * 80 + 80).to_le_bytes());
        reseal(&mut bytes, start);
        fs::write(&path, &bytes).unwrap();
        let mut recording = Recording::open(&path).unwrap();
        assert_eq!(recording.frames().len(), 1);
        match recording.read(0, &mut Frame::default()) {
            Err(IoError::Damaged { what, .. }) => assert!(what.contains("cannot be decompressed"), "{what}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_body_of_a_shape_that_the_header_does_not_list_is_refused() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let whole = record(&path, &[frame(1, 3)]);
    let start = Recording::open(&path).unwrap().frames()[0].offset as usize;
    let mut poor = header();
    poor.shapes.pop();
    drop(RecordingWriter::create(&path, &poor, &[mesh()]).unwrap());
    let bytes = [fs::read(&path).unwrap(), whole[start..].to_vec()].concat();
    fs::write(&path, bytes).unwrap();
    let error = Recording::open(&path).unwrap().read(0, &mut Frame::default()).unwrap_err().to_string();
    assert!(error.contains("has shape 1 ") && error.contains("lists 1 shapes"), "{error}");
}

#[test]
fn a_frame_out_of_order_ends_the_list() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut bytes = record(&path, &[frame(1, 3), frame(2, 3)]);
    let last = Recording::open(&path).unwrap().frames()[1].offset as usize;
    let again = bytes[last..].to_vec();
    bytes.extend(again);
    fs::write(&path, &bytes).unwrap();
    let recording = Recording::open(&path).unwrap();
    assert_eq!(recording.frames().len(), 2);
    assert!(recording.damage().is_some_and(|damage| !damage.is_torn && damage.to_string().contains("not larger")));
}
