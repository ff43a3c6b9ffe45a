//! The page of a report, from top to bottom: the run, whether it kept its promises, pictures, key
//! figures, plots, scene.

use tumble_run::{PileFigures, ReposeFigures};

use super::html::{HtmlPage, number, or_dash, percent};
use super::numbers::{RunNumbers, Totals};
use super::past::PastRun;
use super::plots;

/// Writes the page. The sheet is the content of a PNG file, or the reason why there is none.
pub(crate) fn write(run: &PastRun, numbers: &RunNumbers, sheet: Option<Result<Vec<u8>, String>>) -> String {
    let mut page = HtmlPage::new(run.title());
    page.paragraph(&what_was_run(numbers));
    verdict(&mut page, numbers, &run.scene);
    for note in &numbers.notes {
        page.verdict(false, note);
    }
    match sheet {
        Some(Ok(png)) => page.picture(&png, &format!("Frames {} to {}.", numbers.first_frame, numbers.last_frame)),
        Some(Err(why)) => page.verdict(false, &format!("There are no pictures: {why}")),
        None => {}
    }

    page.heading("Key figures");
    let mut rows = pile_rows(&numbers.pile);
    rows.extend(numbers.totals.as_ref().map(|totals| run_rows(numbers, totals)).unwrap_or_default());
    rows.push(row("State", numbers.state_hash.clone(), "hash of the exact state of the last frame"));
    page.table(&[], &rows);
    page.aside(&format!("Of frame {} at {} s.", numbers.pile.frame, number(numbers.pile.time)));
    if let Some(repose) = &numbers.pile.repose {
        page.heading("Angle of repose by direction");
        match repose.together {
            true => {
                page.aside("The heap is too coarse to measure single sides: all directions were measured together.")
            }
            false => sectors(&mut page, repose),
        }
    }
    warnings(&mut page, numbers);

    page.heading("Plots");
    let profile = numbers.pile.repose.iter().map(|repose| {
        let caption = match repose.together {
            true => "The angle is that of one cone through the highest bodies in all directions, ± its standard error.",
            false => "The angle is the mean of straight sides by direction, ± their standard deviation.",
        };
        (plots::profile("Profile of the pile", &[("", repose)]), caption.to_string())
    });
    let of_table = run.table.as_ref().map(plots::of_table).unwrap_or_default();
    let plots: Vec<_> = profile.chain(of_table).collect();
    page.plots(&plots);
    if let Some(why) = &numbers.pile.no_repose {
        page.aside(&format!("There is no profile: {why}."));
    }
    if run.table.is_none() {
        page.aside("Plots of time per frame, energies, bodies, contacts, step sizes and overlaps need the stats.csv of the run.");
    }

    page.heading("Scene");
    page.folded("The scene with every default", &run.scene);
    page.aside(&format!("Written by tumble {}.", numbers.version));
    page.finish()
}

fn row(name: &str, value: impl Into<String>, remark: impl Into<String>) -> Vec<String> {
    vec![name.into(), value.into(), remark.into()]
}

fn what_was_run(numbers: &RunNumbers) -> String {
    let RunNumbers { bodies, first_frame, last_frame, fps, time, .. } = numbers;
    let mut text = format!(
        "{bodies} bodies, frames {first_frame} to {last_frame} at {} per second, {} simulated seconds.",
        number(*fps),
        number(*time)
    );
    if let Some(totals) = &numbers.totals {
        text += &format!(
            " {} steps of {} s on average took {} s",
            totals.steps,
            number(totals.mean_step),
            number(totals.seconds)
        );
        text += &numbers.threads.map_or(String::new(), |threads| {
            format!(" on {threads} {}", if threads == 1 { "thread" } else { "threads" })
        });
        text += &format!(", {} million body-steps per second.", number(totals.body_steps_per_second / 1e6));
    }
    if let (Some(false), Some(planned)) = (numbers.complete, numbers.planned_last_frame) {
        text += &format!(" The run was stopped or is still going on: the last frame of the scene is {planned}.");
    }
    text
}

/// Says which conditions of `[expect]` hold.
fn verdict(page: &mut HtmlPage, numbers: &RunNumbers, scene: &str) {
    let all = numbers.expectations.len();
    let failed = numbers.expectations.iter().filter(|kept| !kept.holds).count();
    if all == 0 {
        if scene.lines().any(|line| line == "[expect]") {
            page.aside("Whether the expectations of the scene hold is known when the run has ended.");
        }
        return;
    }
    match failed {
        0 => page.verdict(true, &format!("All {all} expectations of the scene hold.")),
        _ => page.verdict(false, &format!("{failed} of {all} expectations of the scene failed.")),
    }
    let rows = numbers.expectations.iter().map(|kept| {
        let value = or_dash(kept.value.map(number).or_else(|| kept.why.clone()));
        vec![kept.quantity.clone(), kept.condition.clone(), value, if kept.holds { "holds" } else { "failed" }.into()]
    });
    page.table(&["expectation", "should be", "is", ""], &rows.collect::<Vec<_>>());
}

/// The pile in rows: name, value, remark.
pub(crate) fn pile_rows(pile: &PileFigures) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    match (&pile.repose, &pile.no_repose) {
        (Some(repose), _) => {
            let value = format!("{:.1}° ± {:.1}°", repose.angle_degrees, repose.spread_degrees);
            let change = repose.change_degrees.map_or(String::new(), |change| {
                let seconds = pile.drift.as_ref().map_or(0.0, |drift| drift.seconds);
                format!("; {change:+.1}° over the last {} s", number(seconds))
            });
            let remark = match repose.together {
                true => format!("one cone through all directions, ± standard error{change}"),
                false => format!("mean and standard deviation of {} directions{change}", repose.sectors.len()),
            };
            rows.push(row("Angle of repose", value, remark));
        }
        (None, why) => rows.push(row("Angle of repose", "–", or_dash(why.clone()))),
    }
    rows.push(match &pile.packing {
        Some(packing) => {
            let value = format!("{:.3} ± {:.3}", packing.fraction, packing.standard_error);
            let remark =
                format!("solid fraction of the space around {} bodies inside, ± standard error", packing.bodies);
            row("Packing fraction", value, remark)
        }
        None if pile.penetration.is_none() => row("Packing fraction", "–", "measured for spheres only"),
        None => row("Packing fraction", "–", "the pile is too small or flat to have an inside"),
    });
    match &pile.penetration {
        Some(depth) => {
            let worst =
                depth.worst_bodies.map_or(String::new(), |[a, b]| format!("; deepest between bodies {a} and {b}"));
            let value = format!("{} mean, {} worst", percent(depth.mean), percent(depth.worst));
            rows.push(row("Penetration", value, format!("of the smaller radius{worst}")));
            let value = format!("{} ({} with obstacles)", number(depth.coordination), number(pile.contacts_per_body));
            rows.push(row("Coordination number", value, format!("{} pairs of bodies touch", depth.contacts)));
        }
        None => {
            rows.push(row("Penetration", "–", "measured for spheres only; see the deepest overlap"));
            rows.push(row("Coordination number", number(pile.contacts_per_body), "with bodies and obstacles"));
        }
    }
    rows.push(match &pile.drift {
        Some(drift) => {
            let name = format!("Drift, last {} s", number(drift.seconds));
            let value = format!("{} mean, {} worst", number(drift.mean_relative), number(drift.worst_relative));
            let body =
                drift.worst_body.map_or(String::new(), |body| format!("; body {body} moved {} m", number(drift.worst)));
            let born = match drift.unmatched {
                0 => String::new(),
                unmatched => format!("; {unmatched} bodies were not there all the time"),
            };
            row(&name, value, format!("radii{body}{born}"))
        }
        None => row("Drift", "–", "there is no earlier frame with the same bodies"),
    });
    let highest = or_dash(pile.highest.map(|highest| format!("{} m", number(highest))));
    rows.push(row("Highest point", highest, ""));
    let held = if pile.held > 0 { format!(", {} held", pile.held) } else { String::new() };
    rows.push(row("Bodies", pile.bodies.to_string(), format!("{} asleep{held}", pile.asleep)));
    rows
}

/// Totals of the table, in rows.
fn run_rows(numbers: &RunNumbers, totals: &Totals) -> Vec<Vec<String>> {
    let in_frame = |frame: Option<i64>| frame.map_or(String::new(), |frame| format!("in frame {frame}"));
    let settled = totals.settled_frame.map_or("not settled".into(), |frame| format!("frame {frame}"));
    let kinetic = format!("final kinetic energy {} J", number(totals.kinetic_energy));
    let mut rows = vec![
        row("Settled", settled, kinetic),
        row(
            "Deepest overlap",
            percent(totals.deepest_overlap),
            format!("of the radius, {}", in_frame(totals.deepest_overlap_frame)),
        ),
        row("Contacts", totals.contacts.to_string(), "with a force, in the last frame"),
        row("Slowest frame", format!("{} s", number(totals.slowest_frame_seconds)), in_frame(totals.slowest_frame)),
    ];
    if let Some(bytes) = numbers.peak_memory_bytes {
        rows.push(row("Memory", format!("{:.1} MB", bytes as f64 / 1e6), "peak"));
    }
    let first = totals.first_warning_frame.map_or(String::new(), |frame| format!("first in frame {frame}"));
    rows.push(row("Warnings", totals.warnings.to_string(), first));
    rows
}

fn sectors(page: &mut HtmlPage, repose: &ReposeFigures) {
    let cells = |of: fn(&tumble_run::SectorFigures) -> String| repose.sectors.iter().map(of);
    let name = |name: &str| std::iter::once(name.to_string());
    let rows = [
        name("Direction").chain(cells(|sector| format!("{:.0}°", sector.azimuth_degrees))).collect(),
        name("Angle").chain(cells(|sector| format!("{:.1}°", sector.angle_degrees))).collect(),
        name("Straight (r²)").chain(cells(|sector| format!("{:.3}", sector.r2))).collect(),
    ];
    page.table(&[], &rows);
    let mut about = "Directions are counted from x towards y.".to_string();
    let left_out = [
        (repose.sectors_too_short, "with too short a side"),
        (repose.sectors_not_straight, "whose side is not straight"),
    ];
    for (count, why) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        about += &format!(" Left out: {count} {why}.");
    }
    page.aside(&about);
}

fn warnings(page: &mut HtmlPage, numbers: &RunNumbers) {
    page.heading("Warnings");
    let count = numbers.totals.as_ref().map(|totals| totals.warnings);
    if !numbers.warning_kinds.is_empty() {
        let row = |(kind, of_kind): (&String, &tumble_run::WarningCount)| {
            vec![kind.replace('_', " "), of_kind.count.to_string(), of_kind.first.clone()]
        };
        page.table(&["kind", "times", "first"], &numbers.warning_kinds.iter().map(row).collect::<Vec<_>>());
        return;
    }
    match count {
        Some(0) => page.paragraph("None."),
        Some(count) => page.paragraph(&format!("{count}; their kinds are known when the run has ended.")),
        None => page.paragraph("Not known without the stats.csv of the run."),
    }
}
