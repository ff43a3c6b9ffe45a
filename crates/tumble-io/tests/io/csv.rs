//! The table, letter by letter.

use std::io;

use tumble_io::{IoError, Recording, RecordingWriter, write_csv, write_particles_csv};

use crate::common::{Folder, frame, mesh, record};
use crate::particles::{detail, with_particles};

const GOLDEN: &str = "\
frame,time,id,kind,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep,size,material,generation
0,0,4294967296,grain,0,-0,0.5,1,0,0,0,0.25,0,-0,0,1e-7,0,1,1,peel,1
0,0,4294967297,\"banana, ripe\",0.125,-0.125,0.5,1,0,0.125,0,0.25,0.125,-0,0.125,1e-7,0,0,1.125,sand,1
3,0.125,4294967296,grain,3,-3,0.5,1,0,3,0,0.25,3,-0,3,1e-7,0,1,4,peel,1
";

fn table(recording: &mut Recording, frames: Option<std::ops::RangeInclusive<i64>>) -> (String, u64) {
    let mut text = Vec::new();
    let rows = write_csv(recording, frames, &mut text).unwrap();
    (String::from_utf8(text).unwrap(), rows)
}

#[test]
fn the_table_is_as_documented() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    record(&path, &[frame(0, 2), frame(1, 0), frame(3, 1)]);
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(table(&mut recording, None), (GOLDEN.to_owned(), 3));
    let last: String = GOLDEN.lines().take(1).chain(GOLDEN.lines().skip(3)).map(|line| format!("{line}\n")).collect();
    assert_eq!(table(&mut recording, Some(1..=5)), (last, 1));
}

#[test]
fn particles_are_a_table_of_their_own() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &with_particles(), &[mesh()]).unwrap();
    for (number, count) in [(1, 1), (2, 0), (3, 2)] {
        writer.append_with(&frame(number, 1), Some(&detail(number, count))).unwrap();
    }
    let mut recording = Recording::open(&path).unwrap();
    let mut table = |frames| {
        let mut text = Vec::new();
        let rows = write_particles_csv(&mut recording, frames, &mut text).unwrap();
        (String::from_utf8(text).unwrap(), rows)
    };
    let title = "frame,time,id,material,radius,x,y,z,vx,vy,vz\n";
    let last = "3,0.125,0,sand,0.25,0,3,0,0,0,-0.375\n3,0.125,1,peel,0.25,0.25,3,0,0,0.1875,-0.375\n";
    assert_eq!(table(Some(2..=9)), (format!("{title}{last}"), 2));
    assert_eq!(table(Some(2..=2)), (title.to_owned(), 0));
    assert_eq!(table(None).1, 3);
}

#[test]
fn a_stream_that_ends_is_an_error_of_the_output() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    record(&path, &[frame(0, 2)]);
    match write_csv(&mut Recording::open(&path).unwrap(), None, &mut Closed) {
        Err(IoError::Output { source }) => assert_eq!(source.kind(), io::ErrorKind::BrokenPipe),
        other => panic!("{other:?}"),
    }
}
