//! Frames with particles: both are read back, a cut anywhere leaves whole frames with whole
//! particles, and the header announces both together.

use std::fs;

use tumble::{FrameDetail, FrameParticle};
use tumble_io::{DetailInfo, Header, Recording, RecordingWriter};

use crate::common::{Folder, frame, header, mesh};
use tumble::world::MaterialId;

pub(crate) fn with_particles() -> Header {
    Header { detail: Some(DetailInfo { carriers: vec![0] }), ..header() }
}

/// Particles on the grid that files keep, so that they come back exactly.
pub(crate) fn detail(number: i64, count: u32) -> FrameDetail {
    let particle = |id: u32| FrameParticle {
        id,
        material: MaterialId(id % 2),
        radius: 0.25,
        position: [0.25 * id as f32, number as f32, 0.0],
        velocity: [0.0, 0.1875 * id as f32, -0.375],
    };
    FrameDetail { state_hash: 7 * number as u64, particles: (0..count).map(particle).collect() }
}

#[test]
fn particles_come_back_with_their_frames() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &with_particles(), &[mesh()]).unwrap();
    let counts = [0, 1, 300];
    for (number, count) in (1..).zip(counts) {
        writer.append_with(&frame(number, 2), Some(&detail(number, count))).unwrap();
    }
    // A frame without particles would break the promise of the header.
    assert!(writer.append(&frame(4, 2)).is_err());

    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.header().detail, with_particles().detail);
    let (mut bodies, mut particles) = (tumble::Frame::default(), FrameDetail::default());
    for index in [2, 0, 1] {
        let number = index as i64 + 1;
        recording.read(index, &mut bodies).unwrap();
        recording.read_particles(index, &mut particles).unwrap();
        assert_eq!((&bodies, &particles), (&frame(number, 2), &detail(number, counts[index])));
        let entry = recording.frames()[index];
        assert_eq!((entry.particles(), entry.detail_hash()), (counts[index], Some(7 * number as u64)));
    }
}

#[test]
fn a_recording_without_particles_has_none() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &header(), &[mesh()]).unwrap();
    assert!(writer.append_with(&frame(1, 2), Some(&detail(1, 3))).is_err());
    writer.append(&frame(1, 2)).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    let mut particles = detail(1, 3);
    recording.read_particles(0, &mut particles).unwrap();
    assert!(particles.particles.is_empty() && recording.frames()[0].detail_hash().is_none());
}

#[test]
fn a_frame_whose_particles_are_torn_is_not_listed_and_written_again_by_a_resumed_run() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &with_particles(), &[mesh()]).unwrap();
    writer.append_with(&frame(1, 2), Some(&detail(1, 100))).unwrap();
    let first = fs::metadata(&path).unwrap().len() as usize;
    writer.append_with(&frame(2, 2), Some(&detail(2, 100))).unwrap();
    let whole = fs::read(&path).unwrap();
    for end in first + 1..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let recording = Recording::open(&path).unwrap();
        assert_eq!(recording.frames().len(), 1, "cut at byte {end}");
        assert!(recording.damage().is_some_and(|damage| damage.is_torn), "cut at byte {end}");
    }
    let mut writer = RecordingWriter::resume(&path, 1).unwrap();
    writer.append_with(&frame(2, 2), Some(&detail(2, 100))).unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn other_particles_of_the_same_frame_are_another_frame() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &with_particles(), &[mesh()]).unwrap();
    for number in 1..=2 {
        writer.append_with(&frame(number, 2), Some(&detail(number, 100))).unwrap();
    }
    let mut recording = Recording::open(&path).unwrap();
    let mut writer = RecordingWriter::resume(&path, 1).unwrap();
    writer.append_with(&frame(2, 2), Some(&detail(5, 300))).unwrap();
    let mut particles = FrameDetail::default();
    assert!(recording.read_particles(1, &mut particles).is_err());
    recording.refresh().unwrap();
    recording.read_particles(1, &mut particles).unwrap();
    assert_eq!(particles, detail(5, 300));
}

#[test]
fn changed_particles_are_noticed() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &with_particles(), &[mesh()]).unwrap();
    writer.append_with(&frame(1, 2), Some(&detail(1, 100))).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert!(recording.read_particles(0, &mut FrameDetail::default()).is_err());
    assert!(RecordingWriter::resume(&path, 1).is_err());
}
