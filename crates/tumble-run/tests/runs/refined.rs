//! A recording gets the particles that its run would have had.

use std::cell::Cell;

use tumble_run::{Previous, Refinement, RunError};

use crate::place;
use crate::resumed::{begin, frames};

#[test]
fn a_recording_gets_the_particles_of_its_run() {
    let [run, again] = ["with_particles", "again"].map(place);
    begin(&run, 100);
    let open = |sets: &[String], previous| Refinement::open(&run, &again, sets, previous);

    // Stopped in the middle, and resumed.
    let (left, mut seen) = (Cell::new(2), Vec::new());
    let see = |now: &Refinement| {
        seen.push(now.frame().number);
        Ok(())
    };
    let stop = || left.replace(left.get() - 1) == 0;
    open(&[], Previous::Kept).unwrap().go(see, stop).unwrap();
    assert_eq!(seen, [2, 3, 4]);
    let mut rest = open(&[], Previous::Resumed).unwrap();
    assert_eq!(rest.go(|_| Ok(()), || false).unwrap().particle_frames, 4 * 120);
    drop(rest);
    assert_eq!(frames(&again), frames(&run));

    let taken = open(&[], Previous::Kept).unwrap_err();
    assert!(matches!(&taken, RunError::Taken { .. }), "{taken}");
    let other = open(&["detail.count=5".into()], Previous::Resumed).unwrap_err();
    assert!(matches!(&other, RunError::OtherSettings { changes, .. } if changes.len() == 1), "{other}");
    let same = Refinement::open(&run, &run, &[], Previous::Overwritten).unwrap_err();
    assert!(matches!(&same, RunError::SameRecording { .. }), "{same}");
    assert_eq!(frames(&again), frames(&run));
}
