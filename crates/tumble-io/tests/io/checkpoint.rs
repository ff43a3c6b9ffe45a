//! A checkpoint comes back exactly or not at all.

use std::fs;

use tumble_io::{Checkpoint, IoError, Recording, read_checkpoint, write_checkpoint};

use crate::common::{Folder, Random, frame, record};

fn checkpoint() -> Checkpoint {
    Checkpoint {
        frame: -12,
        state_hash: 0xFEED_0123_4567_89AB,
        scene: "title = \"Ängström\"\n".to_owned(),
        parts: "split 00\n".to_owned(),
        tally: "{}".to_owned(),
        state: (0..200_u32).map(|i| (i * i) as u8).collect(),
        detail: None,
    }
}

#[test]
fn checkpoints_come_back() {
    let folder = Folder::new();
    let path = folder.join("checkpoint.tumble");
    let zeros = Checkpoint { state: vec![0; 5 << 20], ..checkpoint() };
    let particles = Checkpoint { detail: Some(vec![7; 99]), ..checkpoint() };
    let none = Checkpoint { detail: Some(Vec::new()), ..checkpoint() };
    for checkpoint in [checkpoint(), Checkpoint::default(), zeros, particles, none] {
        write_checkpoint(&path, &checkpoint).unwrap();
        assert!(read_checkpoint(&path).unwrap() == checkpoint);
        assert_eq!(folder.names(), ["checkpoint.tumble"]);
    }
}

#[test]
fn every_changed_byte_and_every_cut_is_reported() {
    let folder = Folder::new();
    let path = folder.join("checkpoint.tumble");
    write_checkpoint(&path, &checkpoint()).unwrap();
    let whole = fs::read(&path).unwrap();
    for position in 0..whole.len() {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[position] ^= change;
            fs::write(&path, &bytes).unwrap();
            assert!(read_checkpoint(&path).is_err(), "byte {position}");
        }
        fs::write(&path, &whole[..position]).unwrap();
        assert!(read_checkpoint(&path).is_err(), "cut at {position}");
    }
    fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
    assert!(read_checkpoint(&path).is_err());
}

#[test]
fn thousands_of_mutated_checkpoints_do_no_harm() {
    let folder = Folder::new();
    let path = folder.join("checkpoint.tumble");
    write_checkpoint(&path, &checkpoint()).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut random = Random(11);
    for _ in 0..4000 {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes.truncate(at + 1),
                _ => bytes.insert(at, random.next() as u8),
            }
        }
        fs::write(&path, &bytes).unwrap();
        if let Ok(back) = read_checkpoint(&path) {
            assert_eq!((&bytes, back), (&whole, checkpoint()));
        }
    }
}

#[test]
fn a_scene_text_longer_than_the_file_is_refused() {
    let folder = Folder::new();
    let path = folder.join("checkpoint.tumble");
    write_checkpoint(&path, &Checkpoint::default()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // A right file around a payload that lies about its parts.
    let payload = zstd::bulk::compress(&u64::MAX.to_le_bytes(), 1).unwrap();
    bytes.truncate(80);
    bytes[48..56].copy_from_slice(&8u64.to_le_bytes());
    bytes[56..64].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    bytes[64..72].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(&payload).to_le_bytes());
    let own = xxhash_rust::xxh3::xxh3_64(&bytes[..72]);
    bytes[72..].copy_from_slice(&own.to_le_bytes());
    bytes.extend(payload);
    fs::write(&path, &bytes).unwrap();
    let error = read_checkpoint(&path).unwrap_err().to_string();
    assert!(error.contains("longer than the checkpoint"), "{error}");
}

#[test]
fn a_checkpoint_with_other_parts_is_of_another_version() {
    let folder = Folder::new();
    let path = folder.join("checkpoint.tumble");
    write_checkpoint(&path, &checkpoint()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[36] = 0;
    let own = xxhash_rust::xxh3::xxh3_64(&bytes[..72]);
    bytes[72..80].copy_from_slice(&own.to_le_bytes());
    fs::write(&path, &bytes).unwrap();
    let error = read_checkpoint(&path).unwrap_err().to_string();
    assert!(error.contains("an older version of tumble"), "{error}");
}

#[test]
fn a_recording_is_not_a_checkpoint_nor_the_other_way_round() {
    let folder = Folder::new();
    let (recording, checkpoint_path) = (folder.join("frames.tumble"), folder.join("checkpoint.tumble"));
    record(&recording, &[frame(1, 2)]);
    write_checkpoint(&checkpoint_path, &checkpoint()).unwrap();
    assert!(matches!(read_checkpoint(&recording), Err(IoError::NotTumble { what: "a checkpoint", .. })));
    assert!(matches!(Recording::open(&checkpoint_path), Err(IoError::NotTumble { what: "a recording", .. })));
}
