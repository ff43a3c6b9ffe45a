//! The plots of a report: computing time frame by frame, counts and energies, and the form of the
//! pile.

use tumble_picture::Plot;
use tumble_run::{ReposeFigures, StatsTable};

use super::html::number;

/// Pixels of a plot: two stand side by side on a page, and one fills a column on paper.
const SIZE: [f64; 2] = [480.0, 320.0];

/// An empty plot of the common size.
pub(crate) fn plot(title: &str) -> Plot {
    Plot::new(title).size(SIZE[0], SIZE[1])
}

/// Two columns as points.
pub(crate) fn pairs(x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    x.iter().copied().zip(y.iter().copied()).collect()
}

/// All plots that the table has data for, each with the line under it.
pub(crate) fn of_table(table: &StatsTable) -> Vec<(String, String)> {
    // The first row is the state before the first step, which cost nothing.
    let rows = 1.min(table.column("frame").len());
    let over_time = |name: &str| pairs(table.column("time"), table.column(name));
    let has = |name: &str| table.column(name).iter().any(|value| *value > 0.0);

    let frames = &table.column("frame")[rows..];
    let stages: Vec<(&str, &[f64])> =
        table.stages().iter().map(|(name, seconds)| (name.as_str(), &seconds[rows..])).collect();
    let seconds = plot("Seconds per frame, by stage").x("frame").y("time [s]").stack(frames, &stages);

    let mut bodies = plot("Bodies and contacts").x("time [s]").y("bodies").right_axis("contacts").from_zero();
    bodies = bodies.line("bodies", &over_time("bodies")).line("awake", &over_time("awake"));
    bodies = bodies.line("contacts", &over_time("contacts")).on_right();
    if has("waiting") {
        bodies = bodies.line("waiting for room", &over_time("waiting"));
    }

    let percent: Vec<f64> = table.column("deepest_overlap").iter().map(|part| 100.0 * part).collect();
    let overlap = plot("Deepest overlap").x("time [s]").y("part of the radius [%]").from_zero();
    let overlap = overlap.line("", &pairs(table.column("time"), &percent));

    let mut plots = vec![(seconds.to_svg(), String::new())];
    plots.push(energies(table));
    plots.push((bodies.to_svg(), String::new()));
    plots.push(steps(table));
    plots.push((overlap.to_svg(), String::new()));
    plots
}

/// Energies with equal ratios along y, so that one sees how a pile comes to rest.
fn energies(table: &StatsTable) -> (String, String) {
    let time = table.column("time");
    let mut potential = table.column("potential_energy").to_vec();
    let lowest = potential.iter().copied().filter(|energy| energy.is_finite()).fold(f64::INFINITY, f64::min);
    let mut caption = String::new();
    // Only differences of potential energy mean something; below the origin it is negative and has
    // no logarithm.
    if lowest <= 0.0 {
        potential.iter_mut().for_each(|energy| *energy -= lowest);
        caption = format!("Potential energy is counted from its lowest value in the run, {} J.", number(lowest));
    }
    let plot = plot("Energies").x("time [s]").y("energy [J]").log_y();
    let plot =
        plot.line("kinetic", &pairs(time, table.column("kinetic_energy"))).line("potential", &pairs(time, &potential));
    (plot.to_svg(), caption)
}

/// Step sizes over time, in kind as in Yee's figures 10 and 11: accepted steps in blue, rejected
/// ones in red.
fn steps(table: &StatsTable) -> (String, String) {
    let (time, steps) = (table.column("time"), table.column("steps"));
    let mean = |row: usize| (time[row], (time[row] - time[row - 1]) / steps[row]);
    let mean: Vec<(f64, f64)> = (1..time.len().min(steps.len())).filter(|row| steps[*row] > 0.0).map(mean).collect();
    let column = |name: &str| pairs(time, table.column(name));
    let mut plot = plot("Step size").x("time [s]").y("step [s]").log_y().step("accepted, mean per frame", &mean);
    let sizes = || mean.iter().map(|step| step.1);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let rejected = table.column("rejected_steps");
    let is_fixed = most > 0.0 && most - least < 1e-6 * most && rejected.iter().all(|steps| *steps == 0.0);
    // A solver that chooses its steps also shows how large these were and how many were rejected.
    // The first row, of the start, has no steps.
    let chosen = |name: &str| column(name).into_iter().filter(|point| point.1 > 0.0).collect::<Vec<_>>();
    if !is_fixed && !rejected.is_empty() {
        plot = plot.right_axis("rejected steps per frame").points("rejected", &column("rejected_steps")).on_right();
        plot = plot.line("smallest", &chosen("smallest_step")).line("largest", &chosen("largest_step"));
    }
    let caption = if is_fixed { format!("All steps are {} s long.", number(most)) } else { String::new() };
    (plot.to_svg(), caption)
}

/// Profiles of piles with the lines that were fitted; a metre is as long along as up.
pub(crate) fn profile(title: &str, piles: &[(&str, &ReposeFigures)]) -> String {
    let mut plot = plot(title).x("distance from the axis [m]").y("height [m]").equal_aspect();
    for (name, repose) in piles {
        let fit = format!("{name}{:.1}° ± {:.1}°", repose.angle_degrees, repose.spread_degrees);
        let reach = (repose.apex_height - repose.base_height) / repose.angle_degrees.to_radians().tan();
        plot = plot.points(&format!("{name}surface"), &repose.profile);
        plot = plot.line(&fit, &[(0.0, repose.apex_height), (reach, repose.base_height)]);
    }
    plot.to_svg()
}
