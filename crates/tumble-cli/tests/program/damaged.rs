//! Recordings and checkpoints that were cut, changed, or are something else.

use crate::common::Place;

#[test]
fn a_cut_recording_is_read_up_to_the_cut() {
    let place = Place::new("a_cut_recording_is_read_up_to_the_cut");
    place.good("run drop.toml -o out");
    let whole = std::fs::read(place.path("out/frames.tumble")).unwrap();
    let recording = tumble_io::Recording::open(&place.path("out/frames.tumble")).unwrap();
    let ends: Vec<usize> = recording.frames().iter().map(|frame| (frame.offset + frame.length) as usize).collect();
    let first = recording.frames()[0].offset as usize;

    let middle = (ends[9] + ends[10]) / 2;
    let lengths = [first, first + 1, ends[0] - 1, ends[0], ends[0] + 71, middle, ends[18] + 1, ends[19] - 1, ends[19]];
    for length in lengths {
        place.write("cut.tumble", &whole[..length]);
        let frames = ends.iter().filter(|end| **end <= length).count();
        let is_torn = length != first && !ends.contains(&length);

        let info: serde_json::Value = serde_json::from_str(&place.good("info cut.tumble --json")).unwrap();
        assert_eq!(info["frames"], frames);
        assert_eq!(info["damage"].is_string(), is_torn, "{info}");
        let text = place.good("info cut.tumble");
        assert_eq!(text.contains("whole up to byte"), is_torn, "{text}");

        let done = place.tumble("export cut.tumble --to csv -o -").expect(0);
        assert_eq!(done.out.lines().count(), 1 + 60 * frames);
        assert_eq!(done.err.contains("warning: the recording is whole up to byte"), is_torn, "{}", done.err);
    }

    // Without its header nothing can be known.
    for length in [0, 1, 3, 4, 6, 71, 72, first / 2, first - 1] {
        place.write("cut.tumble", &whole[..length]);
        for words in ["info cut.tumble", "info cut.tumble --json", "export cut.tumble --to csv -o rows.csv"] {
            let done = place.tumble(words).expect(2).says(&["cut.tumble"]);
            assert_eq!(done.out, "", "{length}");
        }
        assert!(!place.path("rows.csv").exists());
    }
}

#[test]
fn other_files_are_no_recordings() {
    let place = Place::new("other_files_are_no_recordings");
    place.good("run drop.toml -o out --frames 1-2");
    for file in ["drop.toml", "out/stats.csv", "out/checkpoint.tumble", "out/report.json"] {
        place.tumble(&format!("info {file}")).expect(2).says(&[&format!("{file} is not a"), "check the path"]);
        place.tumble(&format!("export {file} --to csv -o -")).expect(2).says(&[&format!("{file} is not a")]);
    }
    place.tumble("info /dev/null").expect(2).says(&["/dev/null"]);
}

#[test]
fn a_changed_byte_is_noticed() {
    let place = Place::new("a_changed_byte_is_noticed");
    place.good("run drop.toml -o out");
    let whole = std::fs::read(place.path("out/frames.tumble")).unwrap();
    let intact = place.good("export out --to csv -o -");
    for k in 0..40 {
        let mut bytes = whole.clone();
        bytes[k * whole.len() / 40] ^= 0x20;
        place.write("changed.tumble", &bytes);
        let info = place.tumble("info changed.tumble");
        assert!(matches!(info.status.code(), Some(0 | 2)), "{}", info.err);
        let done = place.tumble("export changed.tumble --to csv -o rows.csv");
        match done.status.code() {
            // In a head: the recording ends there, and says so.
            Some(0) => {
                assert!(done.err.contains("warning: the recording is whole up to byte"), "{}", done.err);
                assert!(intact.starts_with(&place.read("rows.csv")));
                std::fs::remove_file(place.path("rows.csv")).unwrap();
            }
            // In the content of a frame: it cannot be read.
            _ => {
                done.expect(2).says(&["changed.tumble"]);
                assert!(!place.path("rows.csv").exists());
            }
        }
    }
}

#[test]
fn a_damaged_checkpoint_is_not_gone_on_from() {
    let place = Place::new("a_damaged_checkpoint_is_not_gone_on_from");
    place.good("run drop.toml -o out --frames 1-10");
    place.good("run drop.toml -o whole");
    let good = std::fs::read(place.path("out/checkpoint.tumble")).unwrap();
    let mut changed = good.clone();
    changed[good.len() / 2] ^= 1;
    let longer = [good.as_slice(), b"more"].concat();
    let frames = std::fs::read(place.path("out/frames.tumble")).unwrap();
    for bad in [&changed, &good[..good.len() - 1], &good[..50], b"", b"not a checkpoint", &longer, &frames] {
        place.write("out/checkpoint.tumble", bad);
        let before = place.files("out");
        let done = place.tumble("run drop.toml -o out --resume").expect(2).says(&["out/checkpoint.tumble"]);
        assert!(done.err.contains("is damaged") || done.err.contains("is not a"), "{}", done.err);
        assert!(place.files("out") == before);
        let info = place.good("info out");
        assert!(info.contains("checkpoint  unusable: "), "{info}");
        // It is still a run, and still not overwritten.
        place.tumble("run drop.toml -o out").expect(2);
        assert!(place.files("out") == before);
    }
    place.write("out/checkpoint.tumble", good);
    place.good("run drop.toml -o out --resume");
    place.assert_same("whole", "out");
}

#[test]
fn a_recording_that_does_not_fit_its_checkpoint_is_not_gone_on_with() {
    let place = Place::new("a_recording_that_does_not_fit_its_checkpoint");
    place.good("run drop.toml -o out --frames 1-10");
    place.good("run drop.toml -o whole");
    let whole = std::fs::read(place.path("out/frames.tumble")).unwrap();
    let mut changed = whole.clone();
    let last = whole.len() - 10;
    changed[last] ^= 1;
    for (bad, words) in
        [(&whole[..whole.len() - 1], "no frame 10"), (&whole[..100], ""), (b"", ""), (&changed, "damaged")]
    {
        place.write("out/frames.tumble", bad);
        let before = place.files("out");
        place.tumble("run drop.toml -o out --resume").expect(2).says(&["out/frames.tumble", words]);
        assert!(place.files("out") == before);
    }
    std::fs::remove_file(place.path("out/frames.tumble")).unwrap();
    place.tumble("run drop.toml -o out --resume").expect(2).says(&["out/frames.tumble"]);

    // A recording of something else under the same name.
    place.good("run drop.toml -o other --set seed=5 --frames 1-10");
    std::fs::copy(place.path("other/frames.tumble"), place.path("out/frames.tumble")).unwrap();
    let before = place.files("out");
    place.tumble("run drop.toml -o out --resume").expect(2).says(&["out/frames.tumble"]);
    assert!(place.files("out") == before);

    place.write("out/frames.tumble", whole);
    place.good("run drop.toml -o out --resume");
    place.assert_same("whole", "out");
}
