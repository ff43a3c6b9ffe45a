//! Promises about heaps and flows: each can be kept and broken, says why it cannot be measured, and
//! comes out the same after resuming.

use std::cell::Cell;
use std::fmt::Write;
use std::path::Path;

use tumble_run::{Earlier, GallerySize, Run, RunFiles, Sink, ToldKept, Until};
use tumble_scene::gallery::{self, find};
use tumble_scene::{Scene, Splits, load_text, parse};

use crate::place;

/// Cubes stacked in a pyramid: courses of 14 × 14 down to 2 × 2, which stand on each other.
fn pyramid() -> String {
    let mut text =
        "solver = \"rigid\"\nground = 0\nframes = [1, 3]\n[shape.cube]\nbox = [0.02, 0.02, 0.02]\n".to_owned();
    for (course, side) in [14, 12, 10, 8, 6, 4, 2].into_iter().enumerate() {
        let (corner, height) = (0.0101 * f64::from(1 - side), 0.01 + 0.02 * course as f64);
        writeln!(text, "[[body]]\nposition = [{corner}, {corner}, {height}]").unwrap();
        writeln!(text, "grid = [{side}, {side}, 1]\nspacing = [0.0202, 0.0202, 1]").unwrap();
    }
    text
}

/// Balls on a simple lattice.
const BLOCK: &str = r"
frames = [1, 1]
[shape.ball]
radius = 0.01
[[emitter]]
count = 2744
spacing = 0.021
box = { low = [0, 0, 0], high = [0.2941, 0.2941, 0.2941] }
";

fn with_promise(text: &str, promise: &str) -> Scene {
    let text = format!("{text}\n[expect]\n{promise}\n");
    load_text("it", "it.toml", &text, Path::new("."), &[]).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Runs a scene with one promise, and gives what came of it.
fn result(text: &str, promise: &str) -> ToldKept {
    let mut run = Run::new(with_promise(text, promise)).unwrap();
    let report = run.go(Until::LastFrame, &mut [], || false).unwrap();
    ToldKept::from(&report.expectations[0])
}

#[test]
fn promises_about_a_heap_are_kept_or_broken() {
    let heap = pyramid();
    // Courses are 20 mm high and 20 mm farther in on each side, which is 45° over the faces. From
    // the direction θ the outline is |cos θ| + |sin θ| times as wide at all levels, so the angle is
    // atan(1 / (|cos θ| + |sin θ|)), and its mean over twelve directions 38.5°. The balls
    // of the lattice fill π/6 (20/21)³ = 0.452 of the space.
    for (text, promise, value) in
        [(heap.as_str(), "repose_angle = \"38.5 ± 1\"", 38.5), (BLOCK, "packing = \"0.452 ± 0.01\"", 0.452)]
    {
        let kept = result(text, promise);
        assert!(kept.holds && kept.why.is_none(), "{kept:?}");
        assert!((kept.value.unwrap() / value - 1.0).abs() < 0.1, "{kept:?}");
    }
    for (text, promise) in [
        (heap.as_str(), "repose_angle = \"< 37\""),
        (BLOCK, "packing = \"> 0.5\""),
        (BLOCK, "contacts_per_body = \"> 0\""),
    ] {
        let broken = result(text, promise);
        assert!(!broken.holds && broken.value.is_some(), "{broken:?}");
    }
    // One ball on the ground has one contact.
    let ball = "ground = 0\nframes = [1, 20]\n[[body]]\nposition = [0, 0, 0.01]\n";
    assert!(result(ball, "contacts_per_body = \"= 1\"").holds);
}

/// A pyramid stands when it is let go. Of two boxes, one on the ground and one 1 m above it to the
/// side, the upper one is unsupported and loses all of the height it has over the other.
#[test]
fn promises_about_standing_are_kept_or_broken() {
    let heap = pyramid();
    for promise in ["unsupported = \"= 0\"", "release_loss = \"< 0.1 %\"", "held = \"= 0\""] {
        let kept = result(&heap, promise);
        assert!(kept.holds, "{kept:?}");
    }
    let fall = "solver = \"rigid\"\nground = 0\nframes = [1, 2]\n[shape.box]\nbox = [0.2, 0.2, 0.2]\n\
                [[body]]\nposition = [0, 0, 0.1]\n[[body]]\nposition = [1, 0, 1.1]\n";
    for (promise, value) in [("unsupported = \"= 0\"", 1.0), ("release_loss = \"< 2 %\"", 1.0)] {
        let broken = result(fall, promise);
        assert!(!broken.holds && (broken.value.unwrap() - value).abs() < 0.01, "{broken:?}");
    }
}

#[test]
fn what_cannot_be_measured_says_why() {
    let balls = "frames = [1, 1]\n[[body]]\nposition = [0, 0, 1]\ngrid = [3, 1, 1]\nspacing = [0.1, 0.1, 0.1]\n";
    let solids = format!("solver = \"rigid\"\n{balls}[shape.box]\nbox = [0.02, 0.02, 0.02]\n");
    let lying = "solver = \"rigid\"\nground = 0\nframes = [1, 60]\n[[body]]\nposition = [0, 0, 0.01]\n\
                 grid = [3, 1, 1]\nspacing = [0.02, 1, 1]\n[shape.box]\nbox = [0.02, 0.02, 0.02]\n"
        .to_owned();
    let layer = lying.replace("[3, 1, 1]", "[10, 10, 1]").replace("[0.02, 1, 1]", "[0.021, 0.021, 1]");
    let hopper = format!("{balls}[[obstacle]]\nmodel = {{ kind = \"hopper\", outlet = 0.1, top = 0.4 }}\n");
    let moving = format!("{balls}velocity = [1, 0, 0]\n");
    for (text, promise, why) in [
        (balls, "repose_angle = \"30 ± 3\"", "nothing touches anything"),
        (&lying, "repose_angle = \"30 ± 3\"", "3 bodies are part of a pile, 60 are needed"),
        (&layer, "repose_angle = \"30 ± 3\"", "flat: the top is 1.0 diameters above"),
        (balls, "packing = \"0.6 ± 0.1\"", "the heap has no inside"),
        (&solids, "packing = \"0.6 ± 0.1\"", "solids have no spheres to measure it by"),
        (&hopper, "rate_spread = \"< 5 %\"", "0 bodies ran through the outlet, 60 are needed"),
        (&moving, "settled_frame = \"< 5\"", "something moves in the last frame"),
    ] {
        let broken = result(text, promise);
        assert!(!broken.holds && broken.value.is_none(), "{broken:?}");
        assert!(broken.why.as_ref().unwrap().contains(why), "{broken:?}");
        assert!(broken.got().starts_with("nothing: "), "{broken:?}");
    }
}

/// The small hourglass of the gallery with promises about its flow and its heap.
fn hourglass(splits: Splits) -> Scene {
    let (_, text) = find("hourglass").unwrap();
    let mut parsed = parse("hourglass.toml", text, &gallery::reduced("hourglass").unwrap().set).unwrap();
    let promises = with_promise(
        "[[body]]\nposition=[0,0,1]\n[[obstacle]]\nmodel = { kind = \"hopper\", outlet = 0.1, top = 0.2 }\n",
        "rate_spread = \"< 1 %\"\nrepose_angle = \"> 0\"\npacking = \"> 0\"\ncontacts_per_body = \"> 1\"\ncontacts = \"> 1\"",
    );
    parsed.spec.expect = promises.spec.expect;
    parsed.compile("hourglass", Path::new("."), splits).unwrap()
}

/// Goes on with a run for so many frames, or begins it, and gives what came of the promises.
fn go(path: &Path, frames: u32) -> Vec<String> {
    let earlier = Earlier::open(path).unwrap();
    let scene = hourglass(earlier.as_ref().map_or_else(Splits::default, Earlier::splits));
    let (mut run, mut files) = match earlier {
        Some(earlier) => earlier.resume(scene).unwrap(),
        None => (Run::new(scene).unwrap(), RunFiles::create(path, false).unwrap()),
    };
    let left = Cell::new(frames);
    let stop = || left.replace(left.get().saturating_sub(1)) == 0;
    let report = run.go(Until::LastFrame, &mut [&mut files], stop).unwrap();
    report.expectations.iter().map(|kept| format!("{kept:?}")).collect()
}

#[test]
fn a_resumed_run_keeps_or_breaks_the_same_promises() {
    let [whole, broken] = ["promised_whole", "promised_broken"].map(place);
    let promised = go(&whole, 100);
    println!("{promised:#?}");
    let rate = promised.iter().find(|kept| kept.contains("rate_spread")).unwrap();
    assert!(rate.contains("value: Some(0.") && rate.contains("holds: false"), "{rate}");
    go(&broken, 5);
    go(&broken, 3);
    assert_eq!(go(&broken, 100), promised);
    // All of it is there, and nothing is left to be done.
    assert_eq!(go(&broken, 100), promised);
}

/// A run of the gallery that was broken off goes on; a finished one stays.
#[test]
fn the_gallery_goes_on_and_leaves_what_is_finished() {
    struct Quiet;
    impl Sink for Quiet {}
    let (scene, [whole, broken]) = (find("bounce").unwrap(), ["gallery_whole", "gallery_broken"].map(place));
    let run = |path: &Path, frames: u32, overwrite: bool| {
        let left = Cell::new(frames);
        let stop = || left.replace(left.get().saturating_sub(1)) == 0;
        GallerySize::Reduced.run(scene, path, overwrite, &mut Quiet, stop).unwrap()
    };
    let all = run(&whole, 1000, false);
    assert!(all.holds() && !all.was_there && all.frames == 480 && all.bodies == 1, "{all:?}");
    let part = run(&broken, 100, false);
    assert!(!part.complete && !part.holds() && part.frames == 101, "{part:?}");
    let rest = run(&broken, 1000, false);
    assert!(rest.holds() && !rest.was_there && rest.state_hash == all.state_hash, "{rest:?}");
    assert!(rest.seconds.unwrap() >= part.seconds.unwrap());

    // Nothing may be asked to stop a run that need not begin.
    let again = GallerySize::Reduced.run(scene, &broken, false, &mut Quiet, || panic!("it runs again")).unwrap();
    assert!(again.holds() && again.was_there, "{again:?}");
    assert_eq!((again.state_hash, again.bodies, again.frames), (all.state_hash, 1, 480));
    assert!(!run(&broken, 1000, true).was_there);
    let other = GallerySize::Full.run(scene, &broken, false, &mut Quiet, || false).unwrap_err();
    assert!(other.to_string().contains("the scene is not the one"), "{other}");
}
