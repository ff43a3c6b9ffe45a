//! How small recordings are. How fast they are: `benches/benches/recordings.rs`.

use tumble::Frame;
use tumble_io::{Recording, RecordingWriter};

use crate::common::{Folder, Random, frame, header, mesh};

/// A settled heap: positions and orientations are noise, nearly all bodies sleep, the rest creep.
fn heap(number: i64, bodies: u32) -> Frame {
    let mut random = Random(3);
    let mut heap = frame(number, bodies);
    for body in &mut heap.bodies {
        body.size = 1.0;
        body.position = [random.signed(), random.signed(), random.signed().abs() * 0.5];
        let turn = [0; 4].map(|_| random.signed());
        let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
        body.orientation = turn.map(|part| part / length);
        body.asleep = random.below(10) > 0;
        body.velocity = [0; 3].map(|_| if body.asleep { 0.0 } else { random.signed() * 1e-3 });
        body.spin = [0; 3].map(|_| if body.asleep { 0.0 } else { random.signed() * 1e-2 });
    }
    heap
}

#[test]
fn a_settled_body_takes_less_than_half_of_its_raw_size() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    RecordingWriter::create(&path, &header(), &[mesh()]).unwrap().append(&heap(1, 20_000)).unwrap();
    let length = Recording::open(&path).unwrap().frames()[0].length;
    assert!(length < 20_000 * 76 / 2, "{length} bytes");
}
