//! Readers that have seen enough.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{Done, Place};

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn an_export_ends_quietly_when_its_reader_does() {
    let place = Place::new("an_export_ends_quietly_when_its_reader_does");
    place.good("run drop.toml -o out");
    let done = place.shell("\"$tumble\" export out --to csv -o - | head -1").expect(0);
    assert_eq!((done.out.lines().count(), done.err.as_str()), (1, ""));

    let mut child =
        place.command("export out --to csv -o -").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("frame,time,id"), "{line}");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn no_command_minds_a_closed_output() {
    let place = Place::new("no_command_minds_a_closed_output");
    place.good("run drop.toml -o out");
    for words in
        ["list", "check drop.toml", "info out", "info out --json", "export out --to csv -o -", "bench drop.toml"]
    {
        let output = place.command(words).stdout(closed()).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{words}");
    }
}

#[test]
fn a_run_goes_on_without_listeners() {
    let place = Place::new("a_run_goes_on_without_listeners");
    place.good("run drop.toml -o heard");
    for (run, words) in [("json", "--json"), ("plain", "")] {
        let mut command = place.command(&format!("run drop.toml -o {run} {words}"));
        let status = command.stdout(closed()).stderr(closed()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{run}");
        place.assert_same("heard", run);
    }
    let done = Done::of(place.command("run drop.toml -o out --json").stdout(closed())).expect(0);
    assert_eq!(done.err, "");
    // A failure has its exit code even if nobody hears why.
    let status = place.command("run drop.toml -o out").stdout(closed()).stderr(closed()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}
