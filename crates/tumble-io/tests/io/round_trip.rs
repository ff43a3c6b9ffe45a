//! Data written to a recording are read back to the last bit.

use proptest::collection::vec;
use proptest::prelude::*;
use tumble::world::{BodyId, MaterialId, ShapeId};
use tumble::{Frame, FrameBody, FramePose, Method};
use tumble_io::{FORMAT_VERSION, Header, IoError, Recording, RecordingWriter};

use crate::common::{Folder, frame, header, mesh, read_all, record};

/// Any bits at all: also NaN with any payload, infinities, denormals and minus zero.
fn any_floats<const N: usize>() -> impl Strategy<Value = [f32; N]> {
    prop_oneof![
        proptest::array::uniform::<_, N>(any::<u32>()).prop_map(|bits| bits.map(f32::from_bits)),
        Just([0.0; N]),
        Just([f32::NAN; N]),
    ]
}

fn any_body() -> impl Strategy<Value = FrameBody> {
    let floats = (any_floats::<1>(), any_floats(), any_floats(), any_floats(), any_floats());
    (any::<u64>(), 0..2u32, 0..2u32, floats, any::<bool>()).prop_map(
        |(id, shape, material, ([size], position, orientation, velocity, spin), asleep)| FrameBody {
            id: BodyId::from_number(id),
            shape: ShapeId(shape),
            material: MaterialId(material),
            size,
            position,
            orientation,
            velocity,
            spin,
            contacts: id as u32,
            asleep,
            held: id & 1 == 1,
            method: Method::ALL[id as usize % 4],
            layer: (id & 2 == 2).then_some(id as u16),
        },
    )
}

fn any_frame() -> impl Strategy<Value = Frame> {
    let pose = (any_floats(), any_floats()).prop_map(|(position, orientation)| FramePose { position, orientation });
    (any::<i64>(), any::<u64>(), any::<u64>(), vec(any_body(), 0..200), vec(pose, 0..2)).prop_map(
        |(number, time, state_hash, bodies, obstacles)| Frame {
            number,
            time: f64::from_bits(time),
            state_hash,
            bodies,
            obstacles,
            layers: Vec::new(),
            constraints: Vec::new(),
        },
    )
}

/// A frame as plain numbers, because NaN does not equal itself.
fn bits(frame: &Frame) -> Vec<u64> {
    let float = |value: &f32| u64::from(value.to_bits());
    let mut bits = vec![frame.number as u64, frame.time.to_bits(), frame.state_hash, frame.bodies.len() as u64];
    for body in &frame.bodies {
        bits.extend([
            body.id.number(),
            body.shape.0.into(),
            body.material.0.into(),
            body.asleep.into(),
            float(&body.size),
        ]);
        bits.extend([
            body.contacts.into(),
            body.held.into(),
            body.method as u64,
            body.layer.map_or(0, |l| 1 + u64::from(l)),
        ]);
        bits.extend(body.position.iter().chain(&body.orientation).chain(&body.velocity).chain(&body.spin).map(float));
    }
    for pose in &frame.obstacles {
        bits.extend(pose.position.iter().chain(&pose.orientation).map(float));
    }
    bits
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn random_frames_come_back_bit_for_bit(mut frames in vec(any_frame(), 0..4)) {
        frames.sort_by_key(|frame| frame.number);
        frames.dedup_by_key(|frame| frame.number);
        let folder = Folder::new();
        let path = folder.join("frames.tumble");
        record(&path, &frames);
        let back = read_all(&path);
        prop_assert_eq!(back.len(), frames.len());
        for (back, frame) in back.iter().zip(&frames) {
            prop_assert_eq!(bits(back), bits(frame));
        }
    }
}

#[test]
fn the_header_and_the_index_come_back() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let frames = [frame(-1, 3), frame(0, 0), frame(7, 90)];
    record(&path, &frames);
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.header(), &Header { version: FORMAT_VERSION, ..header() });
    assert_eq!(recording.mesh(0).unwrap(), mesh());
    assert!(recording.mesh(1).unwrap_err().to_string().contains("none has number 1"));
    for (entry, frame) in recording.frames().iter().zip(&frames) {
        assert_eq!((entry.number, entry.time, entry.state_hash), (frame.number, frame.time, frame.state_hash));
        assert_eq!(entry.bodies() as usize, frame.bodies.len());
    }
    assert_eq!(recording.find(7).unwrap(), 2);
    let missing = recording.find(3).unwrap_err().to_string();
    assert!(missing.ends_with("has no frame 3; it has frames -1 to 7"), "{missing}");
}

#[test]
fn frames_can_be_read_in_any_order_into_the_same_frame() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let frames = [frame(1, 90), frame(2, 0), frame(3, 5)];
    record(&path, &frames);
    let mut recording = Recording::open(&path).unwrap();
    let mut back = Frame::default();
    for index in [2, 0, 1, 0, 2] {
        recording.read(index, &mut back).unwrap();
        assert_eq!(back, frames[index]);
    }
    assert!(recording.read(3, &mut back).is_err());
}

#[test]
fn a_frame_of_zeros_shrinks_no_further_than_readers_accept() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut zeros = frame(1, 40_000);
    for body in &mut zeros.bodies {
        *body = FrameBody {
            id: BodyId::from_number(0),
            shape: ShapeId(0),
            material: MaterialId(0),
            size: 0.0,
            asleep: false,
            ..*body
        };
        body.position = [0.0; 3];
        body.orientation = [0.0; 4];
        body.velocity = [0.0; 3];
        body.spin = [0.0; 3];
    }
    let file = record(&path, std::slice::from_ref(&zeros));
    assert!(file.len() < 40_000, "{} bytes", file.len());
    assert_eq!(read_all(&path), [zeros]);
}

#[test]
fn a_reader_follows_a_writer() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &header(), &[mesh()]).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    let mut back = Frame::default();
    for number in 1..5 {
        assert_eq!(recording.frames().len() as i64, number - 1);
        writer.append(&frame(number, 20)).unwrap();
        assert_eq!(recording.refresh().unwrap() as i64, number);
        recording.read(number as usize - 1, &mut back).unwrap();
        assert_eq!(back, frame(number, 20));
    }

    // Another process takes the run up again from frame 2, and the reader must not mix the two
    // runs.
    let mut writer = RecordingWriter::resume(&path, 2).unwrap();
    writer.append(&frame(9, 20)).unwrap();
    writer.append(&frame(10, 50)).unwrap();
    assert!(recording.read(2, &mut back).is_err());
    assert_eq!(recording.refresh().unwrap(), 4);
    recording.read(2, &mut back).unwrap();
    assert_eq!(back, frame(9, 20));

    // A frame that lost its last byte is no longer whole.
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(file.metadata().unwrap().len() - 1).unwrap();
    assert_eq!(recording.refresh().unwrap(), 3);
    assert!(recording.damage().is_some_and(|damage| damage.is_torn));
}

#[test]
fn what_could_not_be_read_back_is_refused() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let endless = Header { fps: f64::INFINITY, ..header() };
    assert!(matches!(RecordingWriter::create(&path, &endless, &[mesh()]), Err(IoError::Refused { .. })));
    assert!(folder.names().is_empty());

    assert!(matches!(RecordingWriter::create(&path, &header(), &[]), Err(IoError::Refused { .. })));

    let mut writer = RecordingWriter::create(&path, &header(), &[mesh()]).unwrap();
    writer.append(&frame(4, 2)).unwrap();
    let mut unknown_shape = frame(5, 2);
    unknown_shape.bodies[1].shape = ShapeId(2);
    let mut unknown_material = frame(5, 2);
    unknown_material.bodies[0].material = MaterialId(2);
    for refused in [&frame(4, 2), &frame(3, 2), &unknown_shape, &unknown_material] {
        assert!(matches!(writer.append(refused), Err(IoError::Refused { .. })));
    }
    writer.append(&frame(5, 2)).unwrap();
    assert_eq!(read_all(&path), [frame(4, 2), frame(5, 2)]);
}
