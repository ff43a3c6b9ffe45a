//! Pictures and movies: `render`, and the picture at the end of a run.

use std::collections::BTreeSet;

use tumble::{Frame, FrameDetail, FrameParticle};
use tumble_io::{DetailInfo, Header, Recording, RecordingWriter};
use tumble_picture::{Image, read_png};

use crate::common::{Place, signal, wait_until};

/// A run of a few frames, and small, quick pictures of it.
fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.good("run drop.toml -o out");
    place
}

const QUICK: &str = "--size 64x48 --quality draft";

fn picture(place: &Place, name: &str) -> Image {
    read_png(&place.path(name)).unwrap()
}

#[test]
fn a_run_ends_with_a_picture() {
    let place = Place::new("a_run_ends_with_a_picture");
    // Through the shell, because the other way runs make no picture.
    place.shell("$tumble run drop.toml -o out").expect(0).says(&["picture in out/preview.png"]);
    let preview = picture(&place, "out/preview.png");
    assert_eq!((preview.width, preview.height), (960, 540));
    let colours: BTreeSet<[u8; 3]> = preview.pixels.iter().copied().collect();
    assert!(colours.len() > 100, "there is nothing to see");
    place.shell("$tumble run drop.toml -o out --force --no-preview").expect(0);
    assert!(!place.path("out/preview.png").exists(), "the picture of another run was left");
}

#[test]
fn frames_differ_and_threads_do_not() {
    let place = place("frames_differ_and_threads_do_not");
    let [first, last] = [place.frames("out")[0].0, place.frames("out").last().unwrap().0];
    place.good(&format!("render out {QUICK} --frame {first} -o first.png --threads 1"));
    place.good(&format!("render out {QUICK} -o last.png --threads 1"));
    place.good(&format!("render out/frames.tumble {QUICK} --frame {last} -o again.png --threads 3"));
    assert_ne!(picture(&place, "first.png"), picture(&place, "last.png"));
    assert_eq!(place.files(".")["last.png"], place.files(".")["again.png"]);
}

#[test]
fn a_row_of_hashes_gives_a_picture_a_frame() {
    let place = place("a_row_of_hashes_gives_a_picture_a_frame");
    place.good(&format!("render out {QUICK} --frames 2-6 --every 2 -o f.####.png"));
    let names: Vec<String> = place.files(".").into_keys().filter(|name| name.starts_with("f.")).collect();
    assert_eq!(names, ["f.0002.png", "f.0004.png", "f.0006.png"]);
}

#[test]
fn a_sheet_holds_its_pictures() {
    let place = place("a_sheet_holds_its_pictures");
    place.good(&format!("render out {QUICK} --sheet 5 --columns 3 -o sheet.png"));
    let sheet = picture(&place, "sheet.png");
    assert!(sheet.width > 3 * 64 && sheet.height > 2 * 48, "{} x {}", sheet.width, sheet.height);
}

#[test]
fn movies_last_as_long_as_the_run() {
    let place = place("movies_last_as_long_as_the_run");
    let frames = place.frames("out").len();
    for (name, extra) in
        [("a.mp4", ""), ("b.mp4", "--every 2"), ("c.gif", "--every 3"), ("d.mp4", "--frame 3 --pictures 7")]
    {
        place.good(&format!("render out {QUICK} {extra} -o {name}"));
        assert!(place.files(".")[name].len() > 200, "{name}");
    }
    let times = |name: &str| mp4_times(&place.files(".")[name]);
    let (count, seconds) = times("a.mp4");
    assert_eq!(count, frames);
    assert!((seconds - frames as f64 / 24.0).abs() < 1e-3, "{seconds} s");
    let (count, half) = times("b.mp4");
    assert_eq!(count, frames.div_ceil(2));
    assert!((half - seconds).abs() < 2.0 / 24.0, "{half} s");
    assert_eq!(times("d.mp4").0, 7);
}

/// Number of pictures and seconds of a movie, from its `stsz` and `mdhd` boxes.
fn mp4_times(file: &[u8]) -> (usize, f64) {
    let at = |name: &[u8]| file.windows(4).position(|window| window == name).unwrap() + 4;
    let number = |place: usize| u32::from_be_bytes(file[place..place + 4].try_into().unwrap());
    let (sizes, header) = (at(b"stsz"), at(b"mdhd"));
    let is_long = file[header] == 1;
    let (scale, duration) =
        if is_long { (number(header + 20), number(header + 28)) } else { (number(header + 12), number(header + 16)) };
    (number(sizes + 8) as usize, f64::from(duration) / f64::from(scale))
}

#[test]
fn bad_requests_are_refused() {
    let place = place("bad_requests_are_refused");
    place.write("there.png", "mine");
    for (words, says) in [
        ("render out -o there.png", "there.png exists"),
        ("render out -o x.jpg", "neither .png nor .mp4 nor .gif"),
        ("render out --frame 999 -o x.png", "has no frame 999"),
        ("render out --frames 800-900 -o x.mp4", "there is no frame from 800 to 900"),
        ("render nowhere -o x.png", "nowhere"),
        ("render out --size 0x10 -o x.png", "from 1 to 16384"),
        ("render out --size 9x9 -o x.mp4", "16"),
        ("render out --sheet 4 -o x.mp4", "a contact sheet is one picture"),
        ("render out --camera 1,2 -o x.png", "three numbers"),
        ("render out --camera 1,2,3 --target 1,2,3 -o x.png", "the camera is at its target"),
        ("render out --colour mood -o x.png", "possible values: material"),
        ("render out -o nowhere/x.png", "nowhere"),
    ] {
        place.tumble(words).expect(2).says(&[says]);
    }
    assert_eq!(place.read("there.png"), "mine");
    let left: Vec<String> = place.files(".").into_keys().filter(|name| name.starts_with('x')).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_movie_that_is_stopped_leaves_nothing() {
    let place = place("a_movie_that_is_stopped_leaves_nothing");
    let mut child = place.start("render out --size 1280x720 --quality best --turntable -o long.mp4");
    wait_until("the movie begins", || place.files(".").keys().any(|name| name.starts_with("long.mp4")));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<String> = place.files(".").into_keys().filter(|name| name.starts_with("long")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The same run with a small particle in every ball.
#[test]
fn particles_are_seen_unless_grains_are_wanted() {
    let place = place("particles_are_seen_unless_grains_are_wanted");
    let mut recording = Recording::open(&place.path("out/frames.tumble")).unwrap();
    let header = Header { detail: Some(DetailInfo { carriers: vec![0] }), ..recording.header().clone() };
    let mut writer = RecordingWriter::create(&place.path("fine.tumble"), &header, &[]).unwrap();
    let mut frame = Frame::default();
    for index in 0..recording.frames().len() {
        recording.read(index, &mut frame).unwrap();
        let particle = |(id, body): (u32, &tumble::FrameBody)| FrameParticle {
            id,
            material: body.material,
            radius: 0.002,
            position: body.position,
            velocity: body.velocity,
        };
        let particles = (0..).zip(&frame.bodies).map(particle).collect();
        writer.append_with(&frame, Some(&FrameDetail { state_hash: 1, particles })).unwrap();
    }
    place.good(&format!("render out {QUICK} -o coarse.png"));
    place.good(&format!("render fine.tumble {QUICK} -o fine.png"));
    place.good(&format!("render fine.tumble {QUICK} --grains -o grains.png"));
    assert_eq!(picture(&place, "grains.png"), picture(&place, "coarse.png"));
    assert_ne!(picture(&place, "fine.png"), picture(&place, "coarse.png"));
    // Movies, sheets and single pictures show them too.
    let last = frame.number;
    place.good(&format!("render fine.tumble {QUICK} --frames {last}-{last} -o f.#.png"));
    assert_eq!(picture(&place, &format!("f.{last}.png")), picture(&place, "fine.png"));
    place.good(&format!("render fine.tumble {QUICK} --sheet 2 -o sheet.png"));
    place.good(&format!("render out {QUICK} --sheet 2 -o coarse_sheet.png"));
    assert_ne!(picture(&place, "sheet.png"), picture(&place, "coarse_sheet.png"));
}
