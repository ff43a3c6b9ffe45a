//! How fast large frames are streamed. Prints figures:
//! `cargo test -p tumble-view --release --test server -- --ignored --nocapture speed`

use std::time::Instant;

use tumble::Frame;
use tumble_io::RecordingWriter;

use crate::client::{get, range};
use crate::common::{Folder, Serving, body, draw, header, meshes, record_particles};

#[test]
#[ignore = "prints figures"]
fn speed() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &header("large", 24.0), &meshes()).unwrap();
    let frames = 12;
    for number in 1..=frames {
        let place = |k| [draw(k, 1), draw(k, 2), draw(k, 3) + 1e-3 * number as f32];
        let bodies = (0..100_000).map(|k| body(k, place(k))).collect();
        writer.append(&Frame { number, time: number as f64 / 24.0, bodies, ..Frame::default() }).unwrap();
    }
    let serving = Serving::start(&[path]);
    let index = get(serving.address, "/recording/0/index.json").json();
    let start = Instant::now();
    let mut bytes = 0;
    for entry in index["frames"].as_array().unwrap() {
        let [from, length] = [3, 4].map(|part| entry[part].as_u64().unwrap());
        let answer = range(serving.address, "/recording/0/frames", &format!("bytes={from}-{}", from + length - 1));
        assert_eq!((answer.status, answer.body.len() as u64), (206, length));
        bytes += answer.body.len();
    }
    let seconds = start.elapsed().as_secs_f64();
    let (rate, speed) = (frames as f64 / seconds, bytes as f64 / 1e6 / seconds);
    println!("100 000 bodies: {} bytes a frame, {rate:.1} frames/s, {speed:.0} MB/s", bytes / frames as usize);
}

#[test]
#[ignore = "prints figures"]
fn speed_of_particles() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let (frames, count) = (4, 2_000_000);
    record_particles(&path, frames, count);
    let serving = Serving::start(&[path]);
    let start = Instant::now();
    let mut bytes = 0;
    for index in 0..frames {
        let answer = get(serving.address, &format!("/recording/0/particles/{index}"));
        assert_eq!(answer.status, 200);
        bytes += answer.body.len();
    }
    let seconds = start.elapsed().as_secs_f64() / frames as f64;
    println!("{count} particles: {} bytes and {seconds:.2} s a frame", bytes / frames as usize);
}
