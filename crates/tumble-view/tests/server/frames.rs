//! Streamed bytes equal the recorded ones, however they are requested.

use std::path::Path;

use tumble::{Frame, Method};
use tumble_io::Recording;
use tumble_view::{BODY_BYTES, HEAD_BYTES, POSE_BYTES};

use crate::client::{ask, get, range};
use crate::common::{Folder, Serving, record};

fn word<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().unwrap()
}

fn float(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(word(bytes, at))
}

/// Compares a block with the frame it stands for, bit by bit.
fn assert_block(block: &[u8], frame: &Frame, obstacles: usize) {
    assert_eq!(i64::from_le_bytes(word(block, 0)), frame.number);
    assert_eq!(f64::from_le_bytes(word(block, 8)), frame.time);
    assert_eq!(u64::from_le_bytes(word(block, 16)), frame.state_hash);
    let counts = [frame.bodies.len(), frame.obstacles.len(), frame.layers.len(), frame.constraints.len()];
    assert_eq!([24, 28, 32, 36].map(|at| u32::from_le_bytes(word(block, at)) as usize), counts);
    assert_eq!(block.len(), HEAD_BYTES + counts[0] * BODY_BYTES + obstacles * POSE_BYTES);
    for (k, body) in frame.bodies.iter().enumerate() {
        let row = &block[HEAD_BYTES + k * BODY_BYTES..][..BODY_BYTES];
        for axis in 0..3 {
            assert_eq!(float(row, 4 * axis), body.position[axis].to_bits(), "position of row {k}");
            assert_eq!(float(row, 24 + 4 * axis), body.velocity[axis].to_bits(), "velocity of row {k}");
        }
        assert_eq!(float(row, 12), body.size.to_bits());
        for part in 0..4 {
            let turned = f32::from(i16::from_le_bytes(word(row, 16 + 2 * part))) / 32767.0;
            assert!((turned - body.orientation[part]).abs() < 1.6e-5, "orientation of row {k}");
        }
        assert_eq!(u64::from_le_bytes(word(row, 36)), body.id.number());
        assert_eq!([44, 48, 52].map(|at| float(row, at)), [body.shape.0, body.material.0, body.contacts]);
        let state = float(row, 56);
        assert_eq!((state & 1 == 1, state & 2 == 2), (body.asleep, body.held));
        assert_eq!((state & 4 == 4).then_some((state >> 16) as u16), body.layer);
        assert_eq!(Method::ALL[(state >> 8 & 255) as usize], body.method);
    }
    for (k, pose) in frame.obstacles.iter().enumerate() {
        let row = &block[HEAD_BYTES + counts[0] * BODY_BYTES + k * POSE_BYTES..];
        let values = pose.position.iter().chain(&pose.orientation);
        values.enumerate().for_each(|(at, value)| assert_eq!(float(row, 4 * at), value.to_bits(), "obstacle {k}"));
    }
}

fn all_frames(path: &Path) -> Vec<Frame> {
    let mut recording = Recording::open(path).unwrap();
    (0..recording.frames().len())
        .map(|index| {
            let mut frame = Frame::default();
            recording.read(index, &mut frame).unwrap();
            frame
        })
        .collect()
}

#[test]
fn every_frame_by_its_range_is_the_recording() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "pile", 24.0, 6);
    let serving = Serving::start(std::slice::from_ref(&path));
    let index = get(serving.address, "/recording/0/index.json").json();
    let listed = index["frames"].as_array().unwrap();
    let frames = all_frames(&path);
    assert_eq!(listed.len(), frames.len());
    let mut next = 0;
    for (entry, frame) in listed.iter().zip(&frames) {
        let [number, bodies, start, length] = [0, 2, 3, 4].map(|k| entry[k].as_u64().unwrap());
        assert_eq!((number as i64, entry[1].as_f64().unwrap()), (frame.number, frame.time));
        assert_eq!((bodies as usize, start), (frame.bodies.len(), next));
        next = start + length;
        let answer = range(serving.address, "/recording/0/frames", &format!("bytes={start}-{}", next - 1));
        assert_eq!(answer.status, 206);
        assert_block(&answer.body, frame, 3);
    }
}

#[test]
fn ranges_of_all_kinds_are_pieces_of_one_file() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "pile", 24.0, 4);
    let serving = Serving::start(&[path]);
    let whole = get(serving.address, "/recording/0/frames");
    assert_eq!((whole.status, whole.header("Accept-Ranges")), (200, Some("bytes")));
    let all = whole.body;
    let total = all.len();
    let block = get(serving.address, "/recording/0/index.json").json()["frames"][0][4].as_u64().unwrap() as usize;
    let cases = [
        ("bytes=0-0".to_string(), 0..1),
        (format!("bytes={}-{}", block - 3, block + 4), block - 3..block + 5),
        (format!("bytes={}-", total - 100), total - 100..total),
        ("bytes=-17".to_string(), total - 17..total),
        (format!("bytes=5-{}", 10 * total), 5..total),
        (format!("bytes=-{}", 10 * total), 0..total),
    ];
    for (asked, expected) in cases {
        let answer = range(serving.address, "/recording/0/frames", &asked);
        assert_eq!(answer.status, 206, "{asked}");
        assert_eq!(answer.body, all[expected.clone()], "{asked}");
        let promised = format!("bytes {}-{}/{total}", expected.start, expected.end - 1);
        assert_eq!(answer.header("Content-Range"), Some(promised.as_str()));
    }
    let bad =
        ["bytes=0-1,5-6", "bytes=9-3", "bytes=-0", "bytes=x-y", "bytes=-", "bytes", "bytes=99999999999999999999-"];
    for asked in bad.map(String::from).into_iter().chain([format!("bytes={total}-")]) {
        let answer = range(serving.address, "/recording/0/frames", &asked);
        assert_eq!(answer.status, 416, "{asked}");
        assert_eq!(answer.header("Content-Range"), Some(format!("bytes */{total}").as_str()));
    }
    assert_eq!(
        ask(serving.address, "GET", "/recording/0/frames", "Range: bytes=0-1\r\nRange: bytes=2-3\r\n").status,
        416
    );
}

#[test]
fn heads_tell_lengths_and_send_nothing() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "pile", 24.0, 2);
    let serving = Serving::start(&[path]);
    let total = get(serving.address, "/recording/0/frames").body.len().to_string();
    let head = ask(serving.address, "HEAD", "/recording/0/frames", "");
    assert_eq!((head.status, head.header("Content-Length"), head.body.len()), (200, Some(total.as_str()), 0));
    let part = ask(serving.address, "HEAD", "/recording/0/frames", "Range: bytes=10-19\r\n");
    assert_eq!((part.status, part.header("Content-Length"), part.body.len()), (206, Some("10"), 0));
    let page = ask(serving.address, "HEAD", "/", "");
    assert_eq!((page.status, page.body.len()), (200, 0));
}

#[test]
fn header_meshes_and_overlays_are_the_recording() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A pile \"with\" ümlauts", 30.0, 2);
    let serving = Serving::start(std::slice::from_ref(&path));
    let header = get(serving.address, "/recording/0/header.json").json();
    assert_eq!((header["title"].as_str().unwrap(), header["fps"].as_f64().unwrap()), ("A pile \"with\" ümlauts", 30.0));
    assert_eq!(header["shapes"][1]["spheres"].as_array().unwrap().len(), 3);
    assert_eq!(header["obstacles"][1]["surface"]["box"][1], 0.5);
    assert_eq!(
        (&header["obstacles"][0]["surface"], &header["obstacles"][2]["surface"]["mesh"]),
        (&"plane".into(), &1.into())
    );
    assert_eq!((&header["guides"][0], &header["materials"][1]["colour"][0]), (&2.into(), &160.into()));

    let mut recording = Recording::open(&path).unwrap();
    for number in 0..3 {
        let mesh = recording.mesh(number).unwrap();
        let bytes = get(serving.address, &format!("/recording/0/mesh/{number}")).body;
        let words: Vec<u32> = bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect();
        assert_eq!(words[..2], [mesh.vertices.len() as u32, mesh.triangles.len() as u32]);
        assert!(
            words[2..].iter().copied().eq(mesh
                .vertices
                .iter()
                .flatten()
                .map(|v| v.to_bits())
                .chain(mesh.triangles.into_iter().flatten()))
        );
    }
    assert_eq!(get(serving.address, "/recording/0/mesh/3").status, 404);

    let frame = &all_frames(&path)[1];
    let bytes = get(serving.address, "/recording/0/overlays/1").body;
    assert_eq!(bytes.len(), 28 * frame.layers.len() + 24 * frame.constraints.len());
    let layer = frame.layers[3];
    let row = &bytes[3 * 28..4 * 28];
    assert_eq!(float(row, 0), layer.pile);
    let values = [layer.centre[0], layer.centre[1], layer.centre[2], layer.radius, layer.height, layer.density];
    values.iter().enumerate().for_each(|(k, value)| assert_eq!(float(row, 4 + 4 * k), value.to_bits()));
    let last = frame.constraints.last().unwrap();
    assert_eq!(float(&bytes, bytes.len() - 4), last.to[2].to_bits());
    assert_eq!(get(serving.address, "/recording/0/overlays/2").status, 404);
}

#[test]
fn two_hundred_at_once_all_get_their_own() {
    let folder = Folder::new();
    let paths = [folder.file("a.tumble"), folder.file("b.tumble")];
    record(&paths[0], "a", 24.0, 8);
    record(&paths[1], "b", 12.0, 5);
    let serving = Serving::start(&paths);
    let wholes = [0, 1].map(|k| get(serving.address, &format!("/recording/{k}/frames")).body);
    std::thread::scope(|scope| {
        for k in 0..200 {
            let (serving, wholes) = (&serving, &wholes);
            scope.spawn(move || {
                let whole = &wholes[k % 2];
                let (start, end) = (whole.len() / 200 * k / 2, whole.len() / 200 * (k / 2 + 60).min(200));
                let asked = format!("bytes={start}-{}", end - 1);
                let answer = range(serving.address, &format!("/recording/{}/frames", k % 2), &asked);
                assert_eq!(answer.status, 206);
                assert!(answer.body == whole[start..end], "{asked}");
            });
        }
    });
}

#[test]
fn a_connection_serves_many_requests() {
    use std::io::{Read, Write};
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "pile", 24.0, 2);
    let serving = Serving::start(&[path]);
    let mut stream = std::net::TcpStream::connect(serving.address).unwrap();
    for _ in 0..3 {
        let request =
            format!("GET /recording/0/frames HTTP/1.1\r\nHost: {}\r\nRange: bytes=0-7\r\n\r\n", serving.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            let mut one = [0];
            stream.read_exact(&mut one).unwrap();
            bytes.push(one[0]);
        }
        let mut number = [0; 8];
        stream.read_exact(&mut number).unwrap();
        assert_eq!(i64::from_le_bytes(number), 1);
    }
}
