//! Sinks see everything in order and change nothing.

use std::cell::Cell;

use tumble_run::{Preview, RunError, RunFiles, Statistics, Until};
use tumble_scene::Splits;

use crate::{Log, drop_with, dropping, place, state};

fn frames(range: std::ops::RangeInclusive<i64>) -> Vec<String> {
    range.map(|number| format!("frame {number} 30 120")).collect()
}

#[test]
fn sinks_are_told_everything_in_order() {
    let mut logs = [Log::default(), Log::default()];
    let [first, second] = &mut logs;
    let report = dropping().go(Until::LastFrame, &mut [first, second], || false).unwrap();
    assert_eq!((report.first_frame, report.last_frame, report.frames, report.complete), (1, 8, 8, true));
    let all = [vec!["begin None 1".into()], frames(1..=8), vec!["end 8 true".into()]].concat();
    assert!(logs.iter().all(|log| log.told == all), "{:#?}", logs[0].told);
}

#[test]
fn without_sinks_the_state_is_the_same_to_the_bit() {
    let mut seen = dropping();
    let mut files = RunFiles::create(&place("seen"), false).unwrap();
    let mut preview = Preview::of(files.folder());
    let [stats, again] = ["csv", "twice"].map(|ending| files.folder().stats().with_extension(ending));
    let mut table = Statistics::new(again.clone());
    let mut log = Log::default();
    seen.go(Until::LastFrame, &mut [&mut log, &mut files, &mut table, &mut preview], || false).unwrap();
    assert!(preview.made().unwrap().as_ref().unwrap().exists());
    assert_eq!(std::fs::read(stats).unwrap(), std::fs::read(again).unwrap());

    let mut alone = dropping();
    let start = state(&alone);
    alone.go(Until::LastFrame, &mut [], || false).unwrap();
    assert!(state(&alone) == state(&seen) && state(&alone) != start);
    assert_eq!(alone.tally().deepest_overlap(), seen.tally().deepest_overlap());
}

#[test]
fn a_run_that_is_stopped_ends_its_sinks_and_can_be_called_again() {
    let (mut log, asked) = (Log::default(), Cell::new(0));
    let mut run = dropping();
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    assert!(!run.go(Until::LastFrame, &mut [&mut log], stop).unwrap().complete);
    let told = [vec!["begin None 1".into()], frames(1..=4), vec!["end 4 false".into()]].concat();
    assert_eq!(log.told, told);
    let report = run.go(Until::LastFrame, &mut [&mut log], || false).unwrap();
    assert_eq!((report.complete, report.resumed_from), (true, Some(4)));
    assert_eq!(log.told[6..], [vec!["begin Some(4) 1".into()], frames(5..=8), vec!["end 8 true".into()]].concat());

    let mut whole = dropping();
    whole.go(Until::LastFrame, &mut [], || false).unwrap();
    assert!(state(&run) == state(&whole) && run.tally() == whole.tally());
}

#[test]
fn a_sink_that_fails_ends_the_run() {
    let mut log = Log { fails_at: Some(3), ..Log::default() };
    let failed = dropping().go(Until::LastFrame, &mut [&mut log], || false).unwrap_err();
    assert!(matches!(&failed, RunError::Sink(problem) if problem.to_string() == "it is full"), "{failed}");
    assert_eq!(log.told, [vec!["begin None 1".to_string()], frames(1..=2)].concat());
}

#[test]
fn a_run_ends_when_everything_rests() {
    let mut run = tumble_run::Run::new(drop_with(&["frames=[1, 2000]", "fps=20"], Splits::default())).unwrap();
    let report = run.go(Until::Rest, &mut [], || false).unwrap();
    let settled = report.settled_frame.unwrap();
    // A second is twenty frames, and the first of them rests.
    assert_eq!((report.last_frame, report.complete), (settled + 19, true));
    assert!(report.last_frame < 2000);
    assert_eq!(run.scene().frames, [1, report.last_frame]);
    assert!(run.scene().resolved.contains(&format!("\nframes = [1, {}]\n", report.last_frame)));
}
