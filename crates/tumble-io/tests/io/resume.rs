//! A run that stopped anywhere continues as if it had not.

use std::fs;

use tumble_io::{IoError, Recording, RecordingWriter};

use crate::common::{Folder, frame, read_all, record};

#[test]
fn a_recording_cut_at_any_byte_keeps_its_whole_frames_and_can_be_continued() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let frames = [frame(1, 3), frame(2, 0), frame(3, 5)];
    let whole = record(&path, &frames);
    let ends: Vec<usize> =
        Recording::open(&path).unwrap().frames().iter().map(|entry| (entry.offset + entry.length) as usize).collect();
    let header_end = Recording::open(&path).unwrap().frames()[0].offset as usize;

    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let opened = Recording::open(&path);
        if length < header_end {
            assert!(
                matches!(opened, Err(IoError::Damaged { offset, .. }) if offset <= length as u64),
                "length {length}"
            );
            continue;
        }
        let recording = opened.unwrap();
        let count = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(recording.frames().len(), count, "length {length}");
        let last_end = if count == 0 { header_end } else { ends[count - 1] };
        match recording.damage() {
            None => assert_eq!(length, last_end),
            Some(damage) => {
                assert!(damage.is_torn && length > last_end);
                assert_eq!(damage.offset, last_end as u64);
            }
        }
        drop(recording);

        if count == 0 {
            assert!(matches!(RecordingWriter::resume(&path, 1), Err(IoError::NoFrame { held: None, .. })));
            continue;
        }
        let mut writer = RecordingWriter::resume(&path, frames[count - 1].number).unwrap();
        writer.append(&frame(4, 2)).unwrap();
        let mut expected = frames[..count].to_vec();
        expected.push(frame(4, 2));
        assert_eq!(read_all(&path), expected, "length {length}");
    }
}

#[test]
fn resuming_drops_later_frames_and_gives_the_same_file() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let frames: Vec<_> = (1..6).map(|number| frame(number, 4)).collect();
    let unbroken = record(&path, &frames);

    let mut writer = RecordingWriter::resume(&path, 2).unwrap();
    assert_eq!(read_all(&path), frames[..2]);
    for frame in &frames[2..] {
        writer.append(frame).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), unbroken);
}

#[test]
fn resuming_after_a_frame_that_is_not_there_changes_nothing() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let before = record(&path, &[frame(1, 4), frame(2, 4)]);
    assert!(matches!(RecordingWriter::resume(&path, 3), Err(IoError::NoFrame { frame: 3, held: Some((1, 2)), .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_last_frame_whose_content_never_reached_the_disk_is_not_built_on() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut bytes = record(&path, &[frame(1, 4), frame(2, 4)]);
    let start = Recording::open(&path).unwrap().frames()[1].offset as usize;
    bytes[start + 80..].fill(0);
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(RecordingWriter::resume(&path, 2), Err(IoError::Damaged { .. })));
    assert!(RecordingWriter::resume(&path, 1).is_ok());
    assert_eq!(read_all(&path), [frame(1, 4)]);
}
