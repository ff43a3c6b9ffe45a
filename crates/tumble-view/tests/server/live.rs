//! A recording that changes while it is viewed: it grows, is cut back by a resumed run, is replaced
//! by a new one.

use tumble_io::RecordingWriter;

use crate::client::{get, range};
use crate::common::{Folder, Serving, frame, header, meshes, record};

#[test]
fn appended_frames_are_listed_from_where_one_asks() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let mut writer = record(&path, "pile", 24.0, 2);
    let serving = Serving::start(&[path]);
    let before = get(serving.address, "/recording/0/index.json").json();
    assert_eq!(before["frames"].as_array().unwrap().len(), 2);
    assert!(before["age"].as_f64().unwrap() < 60.0);

    writer.append(&frame(3, 24.0, 17)).unwrap();
    let after = get(serving.address, "/recording/0/index.json?from=2&epoch=0&generation=0").json();
    assert_eq!((&after["from"], &after["generation"], &after["epoch"]), (&2.into(), &0.into(), &0.into()));
    let listed = after["frames"].as_array().unwrap();
    assert_eq!((listed.len(), &listed[0][0], &listed[0][2]), (1, &3.into(), &17.into()));
    let start = listed[0][3].as_u64().unwrap();
    let answer = range(serving.address, "/recording/0/frames?generation=0", &format!("bytes={start}-"));
    assert_eq!((answer.status, &answer.body[..8]), (206, &3i64.to_le_bytes()[..]));
}

#[test]
fn a_resumed_run_tells_from_where_on_it_differs() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    drop(record(&path, "pile", 24.0, 6));
    let serving = Serving::start(std::slice::from_ref(&path));
    let old = get(serving.address, "/recording/0/index.json").json();

    let mut writer = RecordingWriter::resume(&path, 3).unwrap();
    writer.append(&frame(4, 24.0, 5)).unwrap();
    // A request with the old list is told that the list is out of date, and gets no other frame
    // instead.
    let [start, length] = [3, 4].map(|part| old["frames"][5][part].as_u64().unwrap());
    let asked = format!("bytes={start}-{}", start + length - 1);
    assert_eq!(range(serving.address, "/recording/0/frames?generation=0", &asked).status, 409);

    let new = get(serving.address, "/recording/0/index.json?from=6&epoch=0&generation=0").json();
    assert_eq!((&new["from"], &new["generation"]), (&3.into(), &1.into()));
    assert_eq!((&new["frames"][0][0], &new["frames"][0][2]), (&4.into(), &5.into()));
    let start = new["frames"][0][3].as_u64().unwrap();
    let answer = range(serving.address, "/recording/0/frames?generation=1", &format!("bytes={start}-"));
    assert_eq!((answer.status, answer.body[24]), (206, 5));
    assert_eq!(range(serving.address, "/recording/0/frames?generation=0", "bytes=0-9").status, 409);

    // Cut again, further back: a client that has missed both cuts is told the earliest.
    let mut writer = RecordingWriter::resume(&path, 1).unwrap();
    writer.append(&frame(2, 24.0, 6)).unwrap();
    let late = get(serving.address, "/recording/0/index.json?from=6&epoch=0&generation=0").json();
    assert_eq!((&late["from"], &late["generation"]), (&1.into(), &2.into()));
    let current = get(serving.address, "/recording/0/index.json?from=2&epoch=0&generation=2").json();
    assert_eq!(current["frames"].as_array().unwrap().len(), 0);
}

#[test]
fn a_run_made_anew_is_another_epoch() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    drop(record(&path, "old", 24.0, 4));
    let serving = Serving::start(std::slice::from_ref(&path));
    assert_eq!(get(serving.address, "/recording/0/header.json").json()["title"], "old");

    std::fs::remove_file(&path).unwrap();
    let gone = get(serving.address, "/recording/0/index.json").json();
    assert_eq!(gone["frames"].as_array().unwrap().len(), 4, "until there is another, the old one is shown");
    let mut writer = RecordingWriter::create(&path, &header("new", 12.0), &meshes()).unwrap();
    writer.append(&frame(1, 12.0, 3)).unwrap();
    let index = get(serving.address, "/recording/0/index.json?from=4&epoch=0&generation=0").json();
    assert_eq!((&index["epoch"], &index["from"]), (&1.into(), &0.into()));
    assert_eq!(get(serving.address, "/recording/0/header.json").json()["title"], "new");

    // A client with a generation of the old run gets nothing of the new one instead.
    let generation = index["generation"].as_u64().unwrap();
    assert!(generation > 0);
    let frames = |generation: u64| {
        range(serving.address, &format!("/recording/0/frames?generation={generation}"), "bytes=0-9").status
    };
    let overlays =
        |generation: u64| get(serving.address, &format!("/recording/0/overlays/0?generation={generation}")).status;
    assert_eq!((frames(0), overlays(0)), (409, 409));
    assert_eq!((frames(generation), overlays(generation)), (206, 200));
}

#[test]
fn a_run_without_frames_yet_is_not_an_error() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &header("soon", 24.0), &meshes()).unwrap();
    let serving = Serving::start(&[path]);
    assert_eq!(get(serving.address, "/recording/0/index.json").json()["frames"].as_array().unwrap().len(), 0);
    let empty = get(serving.address, "/recording/0/frames");
    assert_eq!((empty.status, empty.body.len()), (200, 0));
    assert_eq!(range(serving.address, "/recording/0/frames", "bytes=0-").status, 416);
    writer.append(&frame(1, 24.0, 3)).unwrap();
    assert_eq!(get(serving.address, "/recording/0/index.json").json()["frames"].as_array().unwrap().len(), 1);
}
