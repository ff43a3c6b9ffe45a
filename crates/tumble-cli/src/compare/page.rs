//! The page of a comparison, from top to bottom: the two runs, the outcome, pictures above each
//! other, plots, both piles, changed keys.

use tumble_scene::text::Change;

use super::difference::{Difference, FrameDifference};
use crate::report::html::{HtmlPage, number, percent};
use crate::report::page::pile_rows;
use crate::report::past::PastRun;
use crate::report::plots;

/// Writes the page. The sheet is the content of a PNG file, or the reason why there is none.
pub(crate) fn write(
    runs: [&PastRun; 2],
    names: [&str; 2],
    found: &Difference,
    sheet: Option<Result<Vec<u8>, String>>,
) -> String {
    let [title, other] = runs.map(PastRun::title);
    let both = if title == other { title.to_string() } else { format!("{title} – {other}") };
    let mut page = HtmlPage::new(&format!("{both}: two runs compared"));
    page.paragraph(&format!("A, the reference: {} ({title}). B: {} ({other}).", names[0], names[1]));
    if found.identical {
        page.verdict(true, &outcome(found));
    } else {
        page.paragraph(&outcome(found));
    }
    for note in &found.notes {
        page.verdict(false, note);
    }
    page.table(
        &[],
        &rows(found).into_iter().map(|[name, value, remark]| vec![name, value, remark]).collect::<Vec<_>>(),
    );
    page.aside(&format!(
        "The error of a body is the difference between the runs in its motion from frame to frame. The relative error is divided by the motion in A, \
         or by {} of the body's radius if that is more, since the motion is zero at rest. Means over bodies, then over frames \
         (Hsu & Keyser 2010, section 4.2.4).",
        number(found.floor)
    ));

    page.heading("A above B at the same times");
    match sheet {
        Some(Ok(png)) => page.picture(&png, "The camera is that of A for both."),
        Some(Err(why)) => page.verdict(false, &format!("There are no pictures: {why}")),
        None => page.aside("No pictures were asked for."),
    }
    page.heading("Plots");
    page.plots(&all_plots(runs, found));
    if found.seconds.is_none() {
        page.aside("Plots of time per frame and speed-up need the stats.csv of both runs.");
    }

    for (name, pile) in ["A", "B"].into_iter().zip(&found.piles) {
        if let Some(why) = &pile.no_repose {
            page.aside(&format!("{name} has no profile and no angle of repose: {why}."));
        }
    }

    page.heading("Both piles");
    let [a, b] = [0, 1].map(|run| pile_rows(&found.piles[run]));
    let both = a.iter().zip(&b).map(|(a, b)| vec![a[0].clone(), a[1].clone(), b[1].clone()]);
    page.table(&["", "A", "B"], &both.collect::<Vec<_>>());
    page.aside(&format!("In frame {} of A. Penetration is relative to the radius, drift in radii.", found.last_frame));

    page.heading("Differences between the scenes");
    if found.changed_keys.is_empty() {
        page.paragraph("Nothing.");
    } else {
        let row = |change: &Change| vec![change.path.clone(), change.values()];
        page.table(&["key", "A -> B"], &found.changed_keys.iter().map(row).collect::<Vec<_>>());
    }
    page.aside(&format!("Written by tumble {}.", found.version));
    page.finish()
}

/// The outcome in a sentence.
pub(crate) fn outcome(found: &Difference) -> String {
    match found.first_different_frame {
        None => format!(
            "The runs are identical: the exact states agree in all {} frames, up to {}.",
            found.frames, found.state_hashes[0]
        ),
        Some(frame) => format!("The states differ from frame {frame} on."),
    }
}

/// The comparison in rows: name, value, remark. Both the page and the terminal show them.
pub(crate) fn rows(found: &Difference) -> Vec<[String; 3]> {
    let row = |name: &str, value: String, remark: String| [name.to_string(), value, remark];
    let offset = match found.frame_offset {
        0 => String::new(),
        offset => format!(
            ", frame n of A is {} of B",
            if offset > 0 { format!("n + {offset}") } else { format!("n - {}", -offset) }
        ),
    };
    let left_out = match found.most_left_out_frame {
        None => "none left out".to_string(),
        Some(frame) => {
            format!("at most {} left out, in frame {frame}: in one run only, just born or gone", found.most_left_out)
        }
    };
    let mut rows = vec![
        row(
            "Frames",
            format!("{} to {}", found.first_frame, found.last_frame),
            format!("{} compared{offset}", found.frames),
        ),
        row("Bodies", format!("{} in both", found.bodies), left_out),
        row(
            "Relative error",
            percent(found.relative_error),
            format!("of the motion, floor {} radii per frame", number(found.floor)),
        ),
        row("Absolute error", format!("{} m", number(found.absolute_error)), "per frame".into()),
        row(
            "Final distance",
            format!("{} radii", number(found.apart.mean_relative)),
            found.apart.worst_body.filter(|_| found.apart.worst_relative > 0.0).map_or(String::new(), |body| {
                format!("mean; worst {}, body {body}", number(found.apart.worst_relative))
            }),
        ),
    ];
    if let Some([a, b]) = found.seconds {
        rows.push(row("Seconds", format!("A {}, B {}", number(a), number(b)), "to compute these frames".into()));
    }
    match found.speed_up {
        Some(speed_up) => {
            rows.push(row("Speed-up", format!("{speed_up:.2}x"), "seconds of A over seconds of B".into()))
        }
        None => rows.push(row("Speed-up", "–".into(), "not known without the stats.csv of both".into())),
    }
    rows
}

fn all_plots(runs: [&PastRun; 2], found: &Difference) -> Vec<(String, String)> {
    let rows = &found.per_frame;
    let over_frames =
        |of: &dyn Fn(&FrameDifference) -> f64| rows.iter().map(|row| (row.frame as f64, of(row))).collect::<Vec<_>>();
    let seconds = |run: usize| over_frames(&|row| row.seconds.map_or(f64::NAN, |seconds| seconds[run]));
    let largest = |of: fn(&FrameDifference) -> f64| rows.iter().map(of).fold(0.0, f64::max);
    let most = [largest(|row| row.relative_error), largest(|row| row.absolute_error)];
    // As in the paper's figures, the absolute error has no scale of its own; it is drawn as high as
    // the relative one.
    let scale = if most[1] > 0.0 { 100.0 * most[0] / most[1] } else { 0.0 };

    let mut timing = plots::plot("Time per frame and error").x("frame").y("time per frame [s]").from_zero();
    if found.seconds.is_some() {
        timing = timing.line("A", &seconds(0)).line("B", &seconds(1));
    }
    timing = timing
        .right_axis("relative error [%]")
        .line("relative", &over_frames(&|row| 100.0 * row.relative_error))
        .on_right();
    timing = timing.line("absolute, scaled", &over_frames(&|row| scale * row.absolute_error)).on_right();
    let caption = format!(
        "The absolute error is scaled so that its largest value, {} m per frame, is as high as that of the relative one.",
        number(most[1])
    );
    let mut all = vec![(timing.to_svg(), caption)];

    if found.seconds.is_some() {
        let unknown = |speed_up: Option<f64>| speed_up.unwrap_or(f64::NAN);
        let speed_up = plots::plot("Speed-up").x("frame").y("seconds of A over B").from_zero();
        let speed_up = speed_up.line("all frames so far", &over_frames(&|row| unknown(row.speed_up_so_far)));
        all.push((speed_up.points("each frame", &over_frames(&|row| unknown(row.speed_up))).to_svg(), String::new()));
    }
    let absolute = plots::plot("Absolute error").x("frame").y("error [m per frame]").from_zero();
    all.push((absolute.line("", &over_frames(&|row| row.absolute_error)).to_svg(), String::new()));

    let mut energy = plots::plot("Kinetic energy").x("time [s]").y("energy [J]").log_y();
    for (name, table) in ["A", "B"].into_iter().zip(runs.map(|run| run.table.as_ref())) {
        if let Some(table) = table {
            energy = energy.line(name, &plots::pairs(table.column("time"), table.column("kinetic_energy")));
        }
    }
    if runs.iter().any(|run| run.table.is_some()) {
        all.push((energy.to_svg(), String::new()));
    }
    let [a, b] = &found.piles;
    let profiles: Vec<_> = [("A: ", &a.repose), ("B: ", &b.repose)]
        .into_iter()
        .filter_map(|(name, repose)| Some((name, repose.as_ref()?)))
        .collect();
    if !profiles.is_empty() {
        all.push((plots::profile("Final profiles", &profiles), String::new()));
    }
    all
}
