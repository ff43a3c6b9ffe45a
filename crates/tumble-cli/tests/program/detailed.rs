//! Particles: the same during a run, from its recording and after a stop; and nothing from a wrong
//! line.

use tumble::FrameDetail;
use tumble_io::Recording;

use crate::common::{Place, signal, wait_until};

/// The hash of the particles of every frame, and those of the last one.
#[track_caller]
fn particles(place: &Place, run: &str) -> (Vec<Option<u64>>, FrameDetail) {
    let mut recording = Recording::open(&place.path(run).join("frames.tumble")).unwrap();
    let hashes = recording.frames().iter().map(|frame| frame.detail_hash()).collect();
    let mut last = FrameDetail::default();
    recording.read_particles(recording.frames().len() - 1, &mut last).unwrap();
    (hashes, last)
}

#[test]
fn a_run_and_its_recording_give_the_same_particles() {
    let place = Place::new("a_run_and_its_recording_give_the_same_particles");
    // The ramp is a sheet of two triangles.
    let sheet = "warning: obstacle `ramp`: its mesh is no solid";
    place.tumble("run pour.toml -o during --set detail.count=7 --threads 1").expect(0).says(&[sheet]);
    place.good("run pour.toml -o plain");
    // Particles do not act on bodies.
    assert_eq!(place.frames("during"), place.frames("plain"));
    place.tumble("detail plain -n 7 -o after --no-preview --threads 2").expect(0).says(&[
        sheet,
        "2100 particles",
        "the density of particles",
    ]);
    assert_eq!(place.frames("after"), place.frames("plain"));
    let (hashes, last) = particles(&place, "during");
    assert_eq!((last.particles.len(), hashes.len()), (2100, 30));
    assert!(particles(&place, "after") == (hashes, last));
    assert!(place.read("after/scene.toml").contains("[detail]\ncount = 7\n"));
    assert_eq!(place.report("during")["particles"], 2100);
    assert!(place.good("info after").contains("particles   2100 in the last frame"));

    // The settings of a run are those of its recording unless others are given, and particles of
    // particles begin with its grains again.
    place.good("detail during -o again --no-preview");
    assert!(particles(&place, "again") == particles(&place, "during"));
    place.good("detail during -o other --no-preview --set detail.seed=9");
    assert!(particles(&place, "other").0 != particles(&place, "during").0);
}

#[test]
fn stopped_particles_go_on() {
    let place = Place::new("stopped_particles_go_on");
    place.good("run pour.toml -o during --set detail.count=300");
    let child = place.start("run pour.toml -o stopped --set detail.count=300 --checkpoint-every 0");
    stop(&place, "stopped", child);
    place.good("run pour.toml -o stopped --set detail.count=300 --resume");
    assert!(particles(&place, "stopped") == particles(&place, "during"));

    place.good("run pour.toml -o plain");
    stop(&place, "later", place.start("detail plain -n 300 -o later --no-preview"));
    let done = place.tumble("detail plain -n 301 -o later --resume").expect(2);
    done.says(&["these are not the settings", "detail.count: 300 -> 301"]);
    place.good("detail plain -n 300 -o later --resume --no-preview");
    assert!(particles(&place, "later") == particles(&place, "during"));
}

/// Stops a program when it has written some frames.
fn stop(place: &Place, run: &str, mut child: std::process::Child) {
    let recording = place.path(run).join("frames.tumble");
    wait_until("frame 8", || Recording::open(&recording).is_ok_and(|recording| recording.frames().len() > 7));
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn bad_input_is_said_before_anything_is_written() {
    let place = Place::new("bad_input_is_said_before_anything_is_written");
    place.good("run drop.toml -o plain --frames 1-3");
    let cases: [(&str, &[&str]); 8] = [
        ("detail nothing", &["nothing"]),
        ("detail plain -o plain", &["written over the recording", "-o"]),
        ("detail plain -n 0", &["--count"]),
        ("detail plain --set detail.influence=0.9", &["no particle would see a second grain"]),
        ("detail plain --set detail.cuont=3", &["did you mean `count`?"]),
        ("detail plain --set gravity=[0,0,0]", &["would change what was simulated"]),
        (
            "run drop.toml -o many --set detail.count=1000000 --set emitter.0.count=5000 --set emitter.0.box.high=[1,1,1]",
            &["5000000000 particles are more than"],
        ),
        ("run drop.toml -o none --set detail.shapes=[]", &["nothing that particles could follow"]),
    ];
    for (line, said) in cases {
        place.tumble(line).expect(2).says(said);
    }
    assert!(!place.path("plain_detail/frames.tumble").exists() && !place.path("many/frames.tumble").exists());
    place.good("detail plain -n 2 --no-preview");
    place.tumble("detail plain -n 2").expect(2).says(&["plain_detail already holds a run", "--force"]);
}
