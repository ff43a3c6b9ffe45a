//! Files as the system sees them: atomic writes, wrong paths, newer formats, full disks.

use std::error::Error;
use std::fs;
use std::io;

use tumble_io::{FORMAT_VERSION, IoError, Recording, RecordingWriter, read_checkpoint, write_atomically};

use crate::common::{Folder, header, mesh, record};

#[test]
fn an_atomic_write_replaces_the_file_and_leaves_nothing_else() {
    let folder = Folder::new();
    let path = folder.join("report.json");
    fs::write(&path, "old").unwrap();
    write_atomically(&path, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(folder.names(), ["report.json"]);
}

#[test]
fn a_failed_atomic_write_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.join("report.json");
    fs::write(&path, "old").unwrap();
    let error = write_atomically(&path, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err(io::Error::other("the pen broke"))
    })
    .unwrap_err();
    assert!(error.to_string().ends_with("report.json: the pen broke"), "{error}");
    assert_eq!(error.source().unwrap().to_string(), "the pen broke");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(folder.names(), ["report.json"]);
}

/// `/dev/full` stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.join("report.json");
    fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.join("report.json.tmp")).unwrap();
    let error = write_atomically(&path, |out| out.write_all(b"new")).unwrap_err().to_string();
    let expected = "report.json: No space left on device; free space and try again";
    assert!(error.starts_with("cannot write ") && error.ends_with(expected), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(folder.names(), ["report.json"]);

    std::os::unix::fs::symlink("/dev/full", folder.join("frames.tumble.tmp")).unwrap();
    let error = RecordingWriter::create(&folder.join("frames.tumble"), &header(), &[mesh()]).unwrap_err().to_string();
    assert!(error.contains("No space left on device;"), "{error}");
    assert_eq!(folder.names(), ["report.json"]);
}

#[test]
fn only_regular_files_are_replaced() {
    let folder = Folder::new();
    fs::create_dir(folder.join("folder")).unwrap();
    let (socket, folder_path) = (folder.join("socket"), folder.join("folder"));
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [socket, folder_path] {
        let error = write_atomically(&path, |out| out.write_all(b"new")).unwrap_err().to_string();
        assert!(error.ends_with("it is there and is not a regular file"), "{error}");
    }
    assert_eq!(folder.names(), ["folder", "socket"]);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new();
    let path = folder.join("nowhere/frames.tumble");
    for error in [
        RecordingWriter::create(&path, &header(), &[mesh()]).unwrap_err(),
        Recording::open(&path).unwrap_err(),
        read_checkpoint(&path).unwrap_err(),
        write_atomically(&path, |_| Ok(())).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(text.ends_with("frames.tumble: No such file or directory; check the path"), "{text}");
    }
}

#[test]
fn other_files_folders_and_devices_are_not_recordings() {
    let folder = Folder::new();
    let text = folder.join("notes.txt");
    fs::write(&text, "not a recording").unwrap();
    assert!(matches!(Recording::open(&text), Err(IoError::NotTumble { .. })));
    assert!(matches!(Recording::open(&folder.join(".")), Err(IoError::NotTumble { .. })));
    #[cfg(unix)]
    assert!(matches!(Recording::open("/dev/zero".as_ref()), Err(IoError::NotTumble { .. })));
}

#[test]
fn a_newer_format_is_told_apart_from_damage() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut bytes = record(&path, &[]);
    bytes[4..6].copy_from_slice(&(FORMAT_VERSION + 4).to_le_bytes());
    fs::write(&path, &bytes).unwrap();
    match Recording::open(&path) {
        Err(IoError::OtherFormat { found, supported, .. }) => {
            assert_eq!((found, supported), (FORMAT_VERSION + 4, FORMAT_VERSION));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn header_fields_of_later_programs_are_ignored() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut bytes = record(&path, &[]);
    let stored = u64::from_le_bytes(bytes[56..64].try_into().unwrap());
    let meshes = bytes.split_off(80 + stored as usize);
    let json = String::from_utf8(bytes.split_off(80)).unwrap();
    let json = json.replacen('{', "{\"later\":[1,{}],", 1);
    bytes[48..56].copy_from_slice(&(json.len() as u64).to_le_bytes());
    bytes[56..64].copy_from_slice(&(json.len() as u64).to_le_bytes());
    bytes[64..72].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(json.as_bytes()).to_le_bytes());
    let own = xxhash_rust::xxh3::xxh3_64(&bytes[..72]);
    bytes[72..].copy_from_slice(&own.to_le_bytes());
    bytes.extend(json.bytes());
    bytes.extend(meshes);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(Recording::open(&path).unwrap().header(), &header());
}
