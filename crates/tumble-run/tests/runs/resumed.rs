//! A run that goes on from its folder ends as if it had never been stopped.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use tumble_io::Recording;
use tumble_run::folder::recording_in;
use tumble_run::{Earlier, Run, RunError, RunFiles, Until};
use tumble_scene::Splits;

use crate::{drop_with, dropping, place, state};

/// Number and hashes of every frame of a recording.
pub(crate) fn frames(path: &Path) -> Vec<(i64, u64, Option<u64>)> {
    let recording = Recording::open(&recording_in(path)).unwrap();
    recording.frames().iter().map(|entry| (entry.number, entry.state_hash, entry.detail_hash())).collect()
}

/// Runs so many frames in a folder.
pub(crate) fn begin(path: &Path, frames: u32) -> Run {
    let (mut run, mut files) = (dropping(), RunFiles::create(path, false).unwrap());
    files.checkpoint_every = Duration::ZERO;
    let left = Cell::new(frames);
    let stop = || left.replace(left.get().saturating_sub(1)) == 0;
    run.go(Until::LastFrame, &mut [&mut files], stop).unwrap();
    run
}

#[test]
fn a_resumed_run_equals_an_unbroken_one() {
    let [whole, broken] = ["whole", "broken"].map(place);
    let unbroken = begin(&whole, 100);
    assert_eq!(begin(&broken, 3).frame().number, 4);

    let earlier = Earlier::open(&broken).unwrap().unwrap();
    let scene = drop_with(&[], earlier.splits());
    let (mut run, mut files) = earlier.resume(scene).unwrap();
    assert_eq!((run.resumed_from(), run.frame().number, run.warnings()), (Some(4), 4, &[][..]));
    let report = run.go(Until::LastFrame, &mut [&mut files], || false).unwrap();
    assert_eq!((report.first_frame, report.last_frame, report.resumed_from), (1, 8, Some(4)));
    assert!(state(&run) == state(&unbroken) && frames(&broken) == frames(&whole));
    assert_eq!(frames(&whole).len(), 8);
    assert_eq!(run.tally(), unbroken.tally());
}

#[test]
fn a_folder_keeps_what_is_in_it() {
    let path = place("kept");
    assert!(Earlier::open(&path).unwrap().is_none());
    let run = begin(&path, 2);
    let taken = RunFiles::create(&path, false).err().unwrap();
    assert!(matches!(&taken, RunError::Taken { .. }), "{taken}");

    let earlier = Earlier::open(&path).unwrap().unwrap();
    let busy = RunFiles::create(&path, true).err().unwrap();
    assert!(matches!(&busy, RunError::Busy { .. }), "{busy}");
    let other = earlier.resume(drop_with(&["emitter.0.count=31"], Splits::default())).err().unwrap();
    assert!(matches!(&other, RunError::OtherScene { changes, .. } if changes.len() == 1), "{other}");

    // A run that may overwrite does so with its first frame, not before.
    drop(RunFiles::create(&path, true).unwrap());
    assert_eq!(frames(&path).last().unwrap().1, run.frame().state_hash);
}
