//! `tumble verify`: what is whole is said to be whole, and every changed byte is found.

use crate::common::Place;

/// Changes a byte of a file of a run, verifies it, and puts the byte back.
#[track_caller]
fn notices(place: &Place, file: &str, at: usize, words: &[&str]) {
    let path = place.path("out").join(file);
    let whole = std::fs::read(&path).unwrap();
    let mut changed = whole.clone();
    changed[at] ^= 0x04;
    std::fs::write(&path, changed).unwrap();
    place.tumble("verify out").expect(2).says(words);
    std::fs::write(&path, whole).unwrap();
}

#[test]
fn every_byte_of_a_run_is_vouched_for() {
    let place = Place::new("every_byte_of_a_run");
    place.write("detail.toml", format!("{}[detail]\ncount = 4\n", crate::common::DROP));
    for scene in ["drop.toml", "detail.toml", "pour.toml"] {
        place.good(&format!("run {scene} -o out --force --frames 1-8"));
        let said = place.good("verify out");
        for word in ["frames      1 to 8 (8)", "checkpoint  frame 8", "stats.csv   rows up to frame 8", "report.json"] {
            assert!(said.contains(word), "{said}");
        }
        let length = std::fs::metadata(place.path("out/frames.tumble")).unwrap().len() as usize;
        for k in 0..25 {
            notices(&place, "frames.tumble", k * length / 25, &[""]);
        }
        let length = std::fs::metadata(place.path("out/checkpoint.tumble")).unwrap().len() as usize;
        for k in 0..10 {
            notices(&place, "checkpoint.tumble", k * length / 10, &["checkpoint.tumble"]);
        }
        let row = place.read("out/stats.csv").find("\n4,").unwrap() + 3;
        notices(&place, "stats.csv", row, &["stats.csv: rows up to frame 8 are lost or changed"]);
        place.good("verify out");
    }
    // A recording alone, and one that belongs to another checkpoint.
    place.good("run drop.toml -o other --frames 1-8 --set seed=2");
    std::fs::copy(place.path("other/frames.tumble"), place.path("alone.tumble")).unwrap();
    place.good("verify alone.tumble");
    place.good("run drop.toml -o out --force --frames 1-8");
    std::fs::copy(place.path("other/frames.tumble"), place.path("out/frames.tumble")).unwrap();
    place.tumble("verify out").expect(2).says(&["it does not belong to frame 8 of this recording", "out is damaged"]);
}

#[test]
fn a_resumed_run_says_which_of_its_frames_are_lost() {
    let place = Place::new("a_resumed_run_says");
    place.good("run drop.toml -o out --frames 1-10");
    let path = place.path("out/frames.tumble");
    let frame = tumble_io::Recording::open(&path).unwrap().frames()[4];
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[(frame.offset + frame.length) as usize - 1] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let done = place.tumble("run drop.toml -o out --frames 1-12 --resume").expect(0);
    done.says(&["warning: 1 of the recorded frames cannot be read, frame 5 the first", "--force"]);
    place.tumble("verify out").expect(2).says(&["problem: frame 5: ", "1 problems"]);
}

/// Particles that an attacker has changed, with all checksums made right again, are not gone on
/// with.
#[test]
fn particles_of_a_checkpoint_are_those_of_the_recording() {
    let place = Place::new("particles_of_a_checkpoint");
    place.write("detail.toml", format!("{}[detail]\ncount = 4\n", crate::common::DROP));
    place.good("run detail.toml -o out --frames 1-5");
    place.good("detail out -n 3 -o more");
    for (folder, command) in
        [("out", "run detail.toml -o out --frames 1-8 --resume"), ("more", "detail out -n 3 -o more --resume")]
    {
        let path = place.path(folder).join("checkpoint.tumble");
        let good = tumble_io::read_checkpoint(&path).unwrap();
        let mut bad = good.clone();
        // The place of the last particle.
        let particles = bad.detail.as_mut().unwrap();
        let at = particles.len() - 20;
        particles[at] ^= 1;
        tumble_io::write_checkpoint(&path, &bad).unwrap();
        place.tumble(command).expect(2).says(&["checkpoint.tumble are not those that frame 5 of the recording has"]);
        place.tumble(&format!("verify {folder}")).expect(2).says(&["its particles are not those of frame 5"]);
        tumble_io::write_checkpoint(&path, &good).unwrap();
    }
}

/// A state that an attacker has changed is refused before anything is computed from it.
#[test]
fn a_state_without_size_is_refused_at_once() {
    let place = Place::new("a_state_without_size");
    place.good("run drop.toml -o out --frames 1-5");
    let path = place.path("out/checkpoint.tumble");
    let good = tumble_io::read_checkpoint(&path).unwrap();
    let flipped = (0..good.state.len()).step_by(good.state.len() / 40).map(|at| {
        let mut state = good.state.clone();
        state[at] ^= 0x10;
        state
    });
    // Among all that is 1 are the sizes of bodies; a body of size zero has the grid look for cells
    // for ever.
    let one = 1f64.to_le_bytes();
    let mut sizeless = good.state.clone();
    let mut at = 0;
    while at + one.len() <= sizeless.len() {
        if sizeless[at..].starts_with(&one) {
            sizeless[at..at + one.len()].fill(0);
        }
        at += 1;
    }
    for state in flipped.chain([sizeless]) {
        let bad = tumble_io::Checkpoint { state, ..good.clone() };
        tumble_io::write_checkpoint(&path, &bad).unwrap();
        place.tumble("run drop.toml -o out --frames 1-8 --resume").expect(2).says(&["does not hold the state it says"]);
    }
}
