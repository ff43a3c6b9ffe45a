//! Two runs in numbers: how different bodies move, how far apart they end, which is faster. The
//! page and `--json` show these.
//!
//! Frames are matched by how many come before them, so that a run from frame 1 can be compared with
//! one from frame 1001, and bodies by their ids. The first run counts as right, as the full
//! simulation does in Hsu & Keyser 2010, section 4.2.4.

use serde::Serialize;
use tumble::Frame;
use tumble::measure::{MotionError, drift};
use tumble_run::{Forms, PileFigures};
use tumble_scene::text::{Change, changes};

use crate::Failure;
use crate::report::past::PastRun;

/// Two runs in numbers. Of two numbers the first is that of A.
#[derive(Debug, Serialize)]
pub(crate) struct Difference {
    pub(crate) version: &'static str,
    pub(crate) titles: [String; 2],
    pub(crate) fps: f64,
    /// Frames compared, as A counts them; motion leads from each but the last to the next.
    pub(crate) first_frame: i64,
    pub(crate) last_frame: i64,
    pub(crate) frames: usize,
    /// Number of a frame of B less that of the same frame of A.
    pub(crate) frame_offset: i64,
    /// Motion in radii per frame below which errors are compared with the floor.
    pub(crate) floor: f64,
    /// Mean errors over frames: part of the motion \[-\], and \[m\] per frame.
    pub(crate) relative_error: f64,
    pub(crate) absolute_error: f64,
    /// Bodies in both runs, in the last frame.
    pub(crate) bodies: usize,
    /// Bodies left out in the frame with most of them, because they are in one run only, were just
    /// born or are gone.
    pub(crate) most_left_out: usize,
    pub(crate) most_left_out_frame: Option<i64>,
    /// Whether the exact states are the same in all frames compared.
    pub(crate) identical: bool,
    pub(crate) first_different_frame: Option<i64>,
    /// State hashes, and distances between bodies, in the last frame compared.
    pub(crate) state_hashes: [String; 2],
    pub(crate) apart: Apart,
    /// Computing time of the frames compared \[s\], and that of A over that of B; none without a
    /// table of both.
    pub(crate) seconds: Option<[f64; 2]>,
    pub(crate) speed_up: Option<f64>,
    pub(crate) threads: [Option<u64>; 2],
    /// Both piles in the last frame compared.
    pub(crate) piles: [PileFigures; 2],
    /// Changes from the scene of A to that of B.
    #[serde(serialize_with = "as_lines")]
    pub(crate) changed_keys: Vec<Change>,
    pub(crate) notes: Vec<String>,
    pub(crate) per_frame: Vec<FrameDifference>,
}

/// Changes as JSON has them: a line each.
fn as_lines<S: serde::Serializer>(changes: &[Change], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(changes.iter().map(Change::to_string))
}

/// How far bodies are from each other in the last frame compared.
#[derive(Debug, Serialize)]
pub(crate) struct Apart {
    pub(crate) mean: f64,
    /// Distances over the body's radius.
    pub(crate) mean_relative: f64,
    pub(crate) worst_relative: f64,
    pub(crate) worst_body: Option<u64>,
}

/// Errors and times of one frame of both runs.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct FrameDifference {
    pub(crate) frame: i64,
    pub(crate) time: f64,
    pub(crate) bodies: usize,
    pub(crate) left_out: usize,
    pub(crate) relative_error: f64,
    pub(crate) absolute_error: f64,
    /// Computing time \[s\]; none without a table of both.
    pub(crate) seconds: Option<[f64; 2]>,
    pub(crate) speed_up: Option<f64>,
    pub(crate) speed_up_so_far: Option<f64>,
}

/// Indices of the same frame in both recordings.
pub(crate) type FramePair = [usize; 2];

/// Number of a frame of B less that of the same frame of A.
fn offset(a: &PastRun, b: &PastRun) -> i64 {
    b.recording.header().first_frame.saturating_sub(a.recording.header().first_frame)
}

/// The frames that both runs have, in a range of numbers of the first.
pub(crate) fn common(a: &PastRun, b: &PastRun, range: Option<[i64; 2]>) -> Result<Vec<FramePair>, Failure> {
    let headers = [a.recording.header(), b.recording.header()];
    let [fps, other] = headers.map(|header| header.fps);
    if (fps - other).abs() > 1e-9 * fps.abs() {
        return Err(format!(
            "the frames of the runs are at different times: A has {fps} frames per second, B has {other}\nhelp: run one of them again with --set fps={fps}"
        )
        .into());
    }
    let offset = offset(a, b);
    let [first, last] = range.unwrap_or([i64::MIN, i64::MAX]);
    let entries = a.recording.frames().iter().enumerate().take(a.last + 1);
    let wanted = entries.filter(|(_, entry)| (first..=last).contains(&entry.number));
    let find = |number: i64| b.recording.find(number.checked_add(offset)?).ok().filter(|index| *index <= b.last);
    let pairs: Vec<FramePair> = wanted.filter_map(|(index, entry)| Some([index, find(entry.number)?])).collect();
    if pairs.len() < 2 {
        let held = |run: &PastRun| {
            let frames = &run.recording.frames()[..=run.last];
            format!("{} to {}", frames[0].number, frames[run.last].number)
        };
        let among = range.map_or(String::new(), |[first, last]| format!(" among {first} to {last}"));
        return Err(format!(
            "motion needs two frames that are in both runs, and there {}{among}: A has frames {}, B has {}",
            if pairs.is_empty() { "are none" } else { "is one" },
            held(a),
            held(b)
        )
        .into());
    }
    Ok(pairs)
}

impl Difference {
    /// Compares frames of two runs. The notes of both become those of the difference.
    pub(crate) fn of(
        a: &mut PastRun,
        b: &mut PastRun,
        pairs: &mut Vec<FramePair>,
        floor: f64,
    ) -> Result<Self, Failure> {
        let mut notes = Vec::new();
        for (name, run) in [("A", &mut *a), ("B", &mut *b)] {
            notes.extend(run.notes.drain(..).map(|note| format!("{name}: {note}")));
        }
        let radii = Forms::of(&mut a.recording)?.radii;
        let mut error = MotionError::new(floor, &radii);
        let (mut frame_a, mut frame_b) = (Frame::default(), Frame::default());
        let mut rows = Vec::new();
        for (place, &[of_a, of_b]) in pairs.iter().enumerate() {
            let read = a.recording.read(of_a, &mut frame_a).and_then(|()| b.recording.read(of_b, &mut frame_b));
            if let Err(problem) = read {
                notes.push(format!("Frames after it are left out: {problem}."));
                pairs.truncate(place);
                break;
            }
            rows.extend(error.push(&frame_a, &frame_b).map(|found| FrameDifference {
                frame: found.frame,
                time: frame_a.time,
                bodies: found.bodies,
                left_out: found.left_out,
                relative_error: found.relative,
                absolute_error: found.absolute,
                seconds: None,
                speed_up: None,
                speed_up_so_far: None,
            }));
        }
        let mean = error.mean();
        let (Some(&[first, _]), Some(&[of_a, of_b])) = (pairs.first(), pairs.last()) else {
            return Err("no frame of both runs can be read".into());
        };
        if mean.frames == 0 {
            return Err("no body is in both runs in two frames after each other\nhelp: bodies are matched by their ids; compare runs of the same scene".into());
        }
        let total = time_rows(&mut rows, a, b);

        // The frames that were read last may be beyond the last pair.
        a.recording.read(of_a, &mut frame_a)?;
        b.recording.read(of_b, &mut frame_b)?;
        let apart = drift(&frame_a, &frame_b, &radii);
        let most = rows.iter().max_by_key(|row| (row.left_out, std::cmp::Reverse(row.frame)));
        let entry = |run: &PastRun, index: usize| run.recording.frames()[index];
        let differs = |&&[i, j]: &&FramePair| entry(a, i).state_hash != entry(b, j).state_hash;
        let first_different_frame = pairs.iter().find(differs).map(|&[i, _]| entry(a, i).number);
        let threads = [&*a, &*b].map(|run| run.told.as_ref().and_then(|told| told.threads));
        if let [Some(of_a), Some(of_b)] = threads
            && of_a != of_b
        {
            notes.push(format!(
                "A was computed by {of_a} threads and B by {of_b}: the speed-up is not that of the method alone."
            ));
        }
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            titles: [&*a, &*b].map(|run| run.recording.header().title.clone()),
            fps: a.recording.header().fps,
            first_frame: entry(a, first).number,
            last_frame: entry(a, of_a).number,
            frames: pairs.len(),
            frame_offset: offset(a, b),
            floor,
            relative_error: mean.relative,
            absolute_error: mean.absolute,
            bodies: apart.bodies,
            most_left_out: most.map_or(0, |row| row.left_out),
            most_left_out_frame: most.filter(|row| row.left_out > 0).map(|row| row.frame),
            identical: first_different_frame.is_none(),
            first_different_frame,
            state_hashes: [entry(a, of_a), entry(b, of_b)].map(|entry| format!("{:016x}", entry.state_hash)),
            apart: Apart {
                mean: apart.mean,
                mean_relative: apart.mean_relative,
                worst_relative: apart.worst.map_or(0.0, |worst| worst.relative),
                worst_body: apart.worst.map(|worst| worst.body.number()),
            },
            seconds: total,
            speed_up: total.and_then(ratio),
            threads,
            piles: [PileFigures::of(&mut a.recording, of_a, a.up)?, PileFigures::of(&mut b.recording, of_b, b.up)?],
            changed_keys: changes(&a.scene, &b.scene)?,
            notes,
            per_frame: rows,
        })
    }
}

/// Fills in how long both runs took for each frame; gives the sums over frames that both tables
/// have.
fn time_rows(rows: &mut [FrameDifference], a: &PastRun, b: &PastRun) -> Option<[f64; 2]> {
    let offset = offset(a, b) as f64;
    let (table_a, table_b) = (a.table.as_ref()?, b.table.as_ref()?);
    let seconds = [table_a.seconds(), table_b.seconds()];
    let at = |table: &tumble_run::StatsTable, frame: f64| {
        table.column("frame").binary_search_by(|number| number.total_cmp(&frame)).ok()
    };
    let mut sum = [0.0; 2];
    for row in rows {
        let frame = row.frame as f64;
        let Some((of_a, of_b)) = at(table_a, frame).zip(at(table_b, frame + offset)) else { continue };
        let spent = [seconds[0][of_a], seconds[1][of_b]];
        sum = [sum[0] + spent[0], sum[1] + spent[1]];
        (row.seconds, row.speed_up, row.speed_up_so_far) = (Some(spent), ratio(spent), ratio(sum));
    }
    Some(sum)
}

/// The first over the second; none if the second took no time that could be measured.
fn ratio([a, b]: [f64; 2]) -> Option<f64> {
    (b > 0.0).then(|| a / b)
}
