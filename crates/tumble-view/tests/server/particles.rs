//! Requests for particles: those of the recording to within one step of quantisation, or a refusal.

use std::io::{Seek, SeekFrom, Write};

use tumble::FrameDetail;
use tumble_io::{Recording, RecordingWriter};
use tumble_view::{PARTICLE_BYTES, PARTICLES_HEAD_BYTES};

use crate::client::{ask, get, range};
use crate::common::{Folder, Serving, frame, particles, record, record_particles};

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_bits(word(bytes, at))
}

/// Compares a response with the particles of the recording.
fn assert_particles(bytes: &[u8], detail: &FrameDetail) {
    assert_eq!(u64::from_le_bytes(bytes[..8].try_into().unwrap()), detail.state_hash);
    assert_eq!(word(bytes, 8) as usize, detail.particles.len());
    assert_eq!(bytes.len(), PARTICLES_HEAD_BYTES + detail.particles.len() * PARTICLE_BYTES);
    let (radius, fastest) = (float(bytes, 12), float(bytes, 40));
    for (row, particle) in bytes[PARTICLES_HEAD_BYTES..].chunks_exact(PARTICLE_BYTES).zip(&detail.particles) {
        for (axis, &recorded) in particle.position.iter().enumerate() {
            let (least, extent) = (float(bytes, 16 + 4 * axis), float(bytes, 28 + 4 * axis));
            let place = least + extent * (word(row, 4 * axis) & 0xf_ffff) as f32 / 1_048_575.0;
            assert!((place - recorded).abs() <= 0.6e-6 * extent + 1e-7, "{place} for {particle:?}");
        }
        assert_eq!(word(row, 0) >> 20, particle.material.0);
        let own = radius * (word(row, 4) >> 20 & 255) as f32 / 255.0;
        assert!((own - particle.radius).abs() <= radius / 500.0, "{own} for {particle:?}");
        let speed = fastest * (word(row, 8) >> 20) as f32 / 4095.0;
        let [u, v, w] = particle.velocity;
        assert!((speed - (u * u + v * v + w * w).sqrt()).abs() <= fastest / 8000.0, "{speed} for {particle:?}");
    }
    // Shades are spread evenly: each of sixteen, and none for much more than its share.
    let mut shades = [0; 16];
    bytes[PARTICLES_HEAD_BYTES..]
        .chunks_exact(PARTICLE_BYTES)
        .for_each(|row| shades[(word(row, 4) >> 28) as usize] += 1);
    assert!(shades.iter().all(|&count| count > 0 && count < detail.particles.len() / 8), "{shades:?}");
}

#[test]
fn every_frame_has_its_particles() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record_particles(&path, 3, 2000);
    let serving = Serving::start(std::slice::from_ref(&path));
    assert_eq!(get(serving.address, "/recording/0/header.json").json()["detail"]["guides"][1], 1);
    let index = get(serving.address, "/recording/0/index.json").json();
    let mut recording = Recording::open(&path).unwrap();
    let mut detail = FrameDetail::default();
    for k in [2, 0, 1] {
        recording.read_particles(k, &mut detail).unwrap();
        assert_eq!(index["frames"][k][5], 2000);
        let answer = get(serving.address, &format!("/recording/0/particles/{k}?generation=0"));
        assert_eq!(answer.status, 200);
        assert_particles(&answer.body, &detail);
    }
    let head = ask(serving.address, "HEAD", "/recording/0/particles/1", "");
    let promised = (PARTICLES_HEAD_BYTES + 2000 * PARTICLE_BYTES).to_string();
    assert_eq!((head.status, head.header("Content-Length"), head.body.len()), (200, Some(promised.as_str()), 0));
}

#[test]
fn what_is_not_there_is_refused_and_pieces_are_not_made() {
    let folder = Folder::new();
    let paths = [folder.file("with.tumble"), folder.file("without.tumble")];
    record_particles(&paths[0], 2, 500);
    record(&paths[1], "without", 24.0, 2);
    let serving = Serving::start(&paths);
    for index in ["2", "18446744073709551615", "18446744073709551616", "-1", "x", ""] {
        assert_eq!(get(serving.address, &format!("/recording/0/particles/{index}")).status, 404, "{index}");
    }
    assert_eq!(get(serving.address, "/recording/1/particles/0").status, 404);
    assert_eq!(ask(serving.address, "HEAD", "/recording/1/particles/0", "").status, 404);
    let whole = get(serving.address, "/recording/0/particles/1").body;
    for asked in ["bytes=0-9", "bytes=99999999-", "bytes=x"] {
        let answer = range(serving.address, "/recording/0/particles/1", asked);
        assert_eq!((answer.status, answer.header("Accept-Ranges")), (200, Some("none")), "{asked}");
        assert!(answer.body == whole, "{asked}");
    }
}

#[test]
fn particles_of_another_time_are_refused() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    drop(record_particles(&path, 4, 500));
    let serving = Serving::start(std::slice::from_ref(&path));
    let status = |index: usize, generation: usize| {
        get(serving.address, &format!("/recording/0/particles/{index}?generation={generation}")).status
    };
    assert_eq!((status(3, 0), status(3, 1)), (200, 409));

    // A resumed run has cut two frames off and written another: a request with the old list is told
    // so.
    let mut writer = RecordingWriter::resume(&path, 2).unwrap();
    writer.append_with(&frame(3, 24.0, 200), Some(&particles(9, 700))).unwrap();
    assert_eq!(status(2, 0), 409);
    assert_eq!((status(2, 1), status(0, 0), status(0, 1)), (200, 409, 200));
    assert_eq!(ask(serving.address, "HEAD", "/recording/0/particles/0?generation=0", "").status, 409);
    let answer = get(serving.address, "/recording/0/particles/2?generation=1").body;
    assert_eq!((word(&answer, 0), word(&answer, 8)), (63, 700));
}

#[test]
fn damaged_particles_are_named_and_their_frame_is_sent() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record_particles(&path, 2, 500);
    let entry = Recording::open(&path).unwrap().frames()[1];
    let end = std::fs::metadata(&path).unwrap().len();
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start((entry.offset + entry.length + end) / 2)).unwrap();
    file.write_all(&[0xff; 16]).unwrap();
    drop(file);
    let serving = Serving::start(&[path]);
    let damaged = get(serving.address, "/recording/0/particles/1");
    assert_eq!(damaged.status, 500);
    assert!(damaged.text().contains("is damaged at byte"), "{}", damaged.text());
    assert_eq!(get(serving.address, "/recording/0/particles/0").status, 200);
    assert_eq!(get(serving.address, "/recording/0/frames").status, 200);
}
