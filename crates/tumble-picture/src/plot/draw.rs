//! A plot on its page: room for labels first, then frame and grid, then data, then the legend.

use std::fmt::Write;

use super::page::{Anchor, SvgPage, width_of};
use super::scale::{AxisKind, AxisScale, Ticks, superscript};
use super::thin::{PagePoints, extremes, thin_line, thin_points};
use super::{Axis, Plot, Series, SeriesStyle};

/// Okabe & Ito's colours without the yellow, which cannot be seen as a line on white.
const LINES: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
/// Colours of areas, dark and light by turns, so that neighbours differ in black and white.
const AREAS: [&str; 8] = ["#0072b2", "#a6d8f5", "#009e73", "#f0e442", "#d55e00", "#f3c78a", "#7b4173", "#c8c8c8"];
/// Dash patterns: none, long, short, long and short, …
const DASHES: [&str; 7] = ["", "8 4", "2 4", "9 4 2 4", "14 5", "5 3 2 3 2 3", "1 3"];

/// Distance between lines of text \[px\].
const ROW: f64 = 18.0;
/// Width of the sample of a series in the legend \[px\].
const SAMPLE: f64 = 26.0;

/// Entry of the legend for one series.
struct Entry {
    name: String,
    sample: LegendSample,
}

enum LegendSample {
    Line(usize),
    Points(usize),
    Area(usize),
}

/// The framed part of the page in which data is drawn \[px\].
#[derive(Clone, Copy)]
struct PlotArea {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// The text of a plot.
pub(super) fn draw(plot: &Plot) -> String {
    let legend = legend(plot);
    let rows = rows(&legend, plot.width - 40.0);
    let top = 38.0 + ROW * rows.len() as f64;
    let mut area = PlotArea { left: 30.0, right: plot.width - 24.0, top, bottom: (plot.height - 52.0).max(top + 60.0) };

    let xs = plot.series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
    let x = AxisScale::over(xs.chain(plot.stack.x.iter().copied()), plot.x.kind).map(|x| x.with_room(0.02));
    let mut left = y_scale(plot, false).map(|y| AxisScale { begin: area.bottom, end: area.top, ..y });
    let right = y_scale(plot, true).map(|y| AxisScale { begin: area.bottom, end: area.top, ..y });
    let (Some(mut x), true) = (x, left.is_some() || right.is_some()) else { return no_data(plot, area) };
    area.left += left.map_or(0.0, |y| label_width(&y.ticks(48.0))) + 14.0;
    area.right -= right.map_or(0.0, |y| label_width(&y.ticks(48.0)) + 26.0);
    (x.begin, x.end) = (area.left, area.right);
    let mut height = plot.height;
    if let (true, Some(y)) = (plot.equal, &mut left) {
        height -= make_equal(&mut x, y, &mut area);
    }

    let mut page = SvgPage::new(plot.width, height, &plot.title);
    page.text((20.0, 24.0), Anchor::Start, " font-size=\"15\" font-weight=\"600\" fill=\"#111111\"", 0.0, &plot.title);
    for (number, row) in rows.iter().enumerate() {
        draw_legend(&mut page, row, 42.0 + ROW * number as f64);
    }
    draw_x(&mut page, plot, &x, area);
    if let Some(y) = &left {
        draw_y(&mut page, &plot.left, y, area, false);
        draw_stack(&mut page, plot, &x, y);
    }
    if let Some(y) = &right {
        draw_y(&mut page, &plot.right, y, area, true);
    }
    page.add(format_args!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"#444444\"/>",
        area.left,
        area.top,
        area.right - area.left,
        area.bottom - area.top
    ));
    let mut hidden = 0;
    for (number, series) in plot.series.iter().enumerate() {
        let Some(y) = (if series.on_right { &right } else { &left }) else { continue };
        let is_hidden = |(px, py): &&(f64, f64)| {
            (px.is_finite() && py.is_finite()) && (x.place(*px).is_none() || y.place(*py).is_none())
        };
        hidden += series.points.iter().filter(is_hidden).count();
        draw_series(&mut page, series, number, &x, y);
    }
    if hidden > 0 && [plot.x.kind, plot.left.kind, plot.right.kind].contains(&AxisKind::Log) {
        let note = if hidden == 1 {
            "1 value ≤ 0 is not shown".into()
        } else {
            format!("{hidden} values ≤ 0 are not shown")
        };
        let place = (area.right, area.bottom + 44.0);
        page.text(place, Anchor::End, " font-size=\"10\" fill=\"#666666\"", 0.0, &note);
    }
    page.finish()
}

fn no_data(plot: &Plot, area: PlotArea) -> String {
    let mut page = SvgPage::new(plot.width, plot.height, &plot.title);
    page.text((20.0, 24.0), Anchor::Start, " font-size=\"15\" font-weight=\"600\" fill=\"#111111\"", 0.0, &plot.title);
    page.add(format_args!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#f7f7f7\" stroke=\"#aaaaaa\"/>",
        area.left,
        area.top,
        area.right - area.left,
        area.bottom - area.top
    ));
    let middle = (0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom));
    page.text(middle, Anchor::Middle, " font-size=\"15\" fill=\"#666666\"", 0.0, "no data");
    page.text((middle.0, area.bottom + 36.0), Anchor::Middle, " fill=\"#111111\"", 0.0, &plot.x.label);
    page.finish()
}

/// The range of one of the y axes, with room; none if nothing is drawn there.
fn y_scale(plot: &Plot, on_right: bool) -> Option<AxisScale> {
    let axis = if on_right { &plot.right } else { &plot.left };
    let of_axis = plot.series.iter().filter(|series| series.on_right == on_right);
    let values = of_axis.flat_map(|series| &series.points).filter(|point| point.0.is_finite()).map(|point| point.1);
    let edges = if on_right { Vec::new() } else { plot.stack.edges() };
    let stack = edges.last().into_iter().flatten().copied();
    let mut scale = AxisScale::over(values.chain(stack), axis.kind)?;
    if axis.kind == AxisKind::Linear && (axis.from_zero || !edges.is_empty()) {
        (scale.low, scale.high) = (scale.low.min(0.0), scale.high.max(0.0));
    }
    Some(scale.with_room(0.04))
}

/// Makes both axes show as many units per pixel: the frame becomes lower, or x shows more on both
/// sides. Returns the height that the frame lost \[px\].
fn make_equal(x: &mut AxisScale, y: &mut AxisScale, area: &mut PlotArea) -> f64 {
    let (wide, high) = (area.right - area.left, area.bottom - area.top);
    let needed = (y.high - y.low) * wide / (x.high - x.low);
    if needed > high {
        let more = 0.5 * ((y.high - y.low) * wide / high - (x.high - x.low));
        (x.low, x.high) = (x.low - more, x.high + more);
        return 0.0;
    }
    // The frame keeps room for labels; any height left over is empty above the data.
    let kept = needed.max(80.0);
    y.high = y.low + kept * (x.high - x.low) / wide;
    area.bottom = area.top + kept;
    y.begin = area.bottom;
    high - kept
}

fn legend(plot: &Plot) -> Vec<Entry> {
    let stack = plot.stack.parts.iter().enumerate().filter(|_| !plot.stack.x.is_empty());
    let stack = stack.map(|(number, (name, _))| Entry { name: name.clone(), sample: LegendSample::Area(number) });
    let series = plot.series.iter().enumerate().map(|(number, series)| Entry {
        name: if series.on_right { format!("{} (right)", series.name) } else { series.name.clone() },
        sample: if series.style == SeriesStyle::Points {
            LegendSample::Points(number)
        } else {
            LegendSample::Line(number)
        },
    });
    stack.chain(series).filter(|entry| !entry.name.is_empty()).collect()
}

/// The legend in rows that fit the page.
fn rows(legend: &[Entry], width: f64) -> Vec<Vec<&Entry>> {
    let mut rows: Vec<Vec<&Entry>> = Vec::new();
    let mut used = 0.0;
    for entry in legend {
        used += entry_width(entry);
        match rows.last_mut() {
            Some(row) if used <= width => row.push(entry),
            _ => {
                rows.push(vec![entry]);
                used = entry_width(entry);
            }
        }
    }
    rows
}

fn entry_width(entry: &Entry) -> f64 {
    SAMPLE + 6.0 + width_of(&entry.name) + 12.0
}

fn draw_legend(page: &mut SvgPage, row: &[&Entry], y: f64) {
    let mut x = 20.0;
    for entry in row {
        match entry.sample {
            LegendSample::Line(number) => page.line((x, y), (x + SAMPLE, y), &line_style(number)),
            LegendSample::Points(number) => draw_marks(page, &[(x + 0.5 * SAMPLE, y)], number),
            LegendSample::Area(number) => page.add(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{SAMPLE}\" height=\"11\" fill=\"{}\" stroke=\"#444444\" stroke-width=\"0.5\"/>",
                x,
                y - 5.5,
                AREAS[number % AREAS.len()]
            )),
        }
        page.text((x + SAMPLE + 6.0, y + 4.0), Anchor::Start, " fill=\"#111111\"", 0.0, &entry.name);
        x += entry_width(entry);
    }
}

fn draw_x(page: &mut SvgPage, plot: &Plot, x: &AxisScale, area: PlotArea) {
    let ticks = x.ticks(90.0);
    for tick in &ticks.ticks {
        let Some(at) = x.place(tick.value) else { continue };
        page.line((at, area.top), (at, area.bottom), grid_style(&tick.label));
        if !tick.label.is_empty() {
            page.line((at, area.bottom), (at, area.bottom + 4.0), " stroke=\"#444444\"");
            page.text((at, area.bottom + 17.0), Anchor::Middle, " fill=\"#333333\"", 0.0, &tick.label);
        }
    }
    let label = with_exponent(&plot.x.label, ticks.exponent);
    let place = (0.5 * (area.left + area.right), area.bottom + 36.0);
    page.text(place, Anchor::Middle, " fill=\"#111111\"", 0.0, &label);
}

fn draw_y(page: &mut SvgPage, axis: &Axis, y: &AxisScale, area: PlotArea, on_right: bool) {
    let ticks = y.ticks(48.0);
    let (edge, out, anchor) = if on_right { (area.right, 1.0, Anchor::Start) } else { (area.left, -1.0, Anchor::End) };
    for tick in &ticks.ticks {
        let Some(at) = y.place(tick.value) else { continue };
        // Only one of the axes can have a grid.
        if !on_right {
            page.line((area.left, at), (area.right, at), grid_style(&tick.label));
        }
        if !tick.label.is_empty() {
            page.line((edge, at), (edge + 4.0 * out, at), " stroke=\"#444444\"");
            page.text((edge + 7.0 * out, at + 4.0), anchor, " fill=\"#333333\"", 0.0, &tick.label);
        }
    }
    let label = with_exponent(&axis.label, ticks.exponent);
    let turned = 90.0 * out;
    let place = (edge + out * (label_width(&ticks) + 18.0), 0.5 * (area.top + area.bottom));
    page.text(place, Anchor::Middle, " fill=\"#111111\"", turned, &label);
}

fn draw_stack(page: &mut SvgPage, plot: &Plot, x: &AxisScale, y: &AxisScale) {
    let edges = plot.stack.edges();
    let Some(total) = edges.last() else { return };
    // As in a line, but the same rows for all parts: those where the total is lowest and highest.
    let rows: Vec<(usize, f64)> =
        plot.stack.x.iter().enumerate().filter_map(|(n, &v)| Some((n, x.place(v)?))).collect();
    let kept = rows.chunk_by(|a, b| a.1.floor() == b.1.floor());
    let kept: Vec<(usize, f64)> =
        kept.flat_map(|run| extremes(run, |row| total[row.0]).into_iter().map(|k| run[k])).collect();
    let place = |value: f64| y.place(value).map_or(y.begin, |at| at.min(y.begin));
    for (number, upper) in edges.iter().enumerate() {
        let mut path = String::new();
        for (row, at) in &kept {
            let _ = write!(path, "{}{at:.1} {:.1}", if path.is_empty() { 'M' } else { 'L' }, place(upper[*row]));
        }
        for (row, at) in kept.iter().rev() {
            let lower = number.checked_sub(1).map_or(0.0, |below| edges[below][*row]);
            let _ = write!(path, "L{at:.1} {:.1}", place(lower));
        }
        if !path.is_empty() {
            page.add(format_args!(
                "<path d=\"{path}Z\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.7\"/>",
                AREAS[number % AREAS.len()]
            ));
        }
    }
}

fn draw_series(page: &mut SvgPage, series: &Series, number: usize, x: &AxisScale, y: &AxisScale) {
    let placed: PagePoints = series.points.iter().map(|&(px, py)| Some((x.place(px)?, y.place(py)?))).collect();
    if series.style == SeriesStyle::Points {
        draw_marks(page, &thin_points(&placed), number);
        return;
    }
    let mut path = String::new();
    let mut before = None;
    for point in thin_line(&placed) {
        if let Some((x, y)) = point {
            let _ = match (before, series.style) {
                // A lone point between gaps is a dot, for the ends of lines are round.
                (None, _) => write!(path, "M{x:.1} {y:.1}h0"),
                (Some(_), SeriesStyle::Step) => write!(path, "H{x:.1}V{y:.1}"),
                (Some(_), _) => write!(path, "L{x:.1} {y:.1}"),
            };
        }
        before = point;
    }
    if !path.is_empty() {
        page.add(format_args!("<path d=\"{path}\" fill=\"none\"{}/>", line_style(number)));
    }
}

/// Points as one path, with a sign for each series: disc, cross, triangle, square.
fn draw_marks(page: &mut SvgPage, points: &[(f64, f64)], number: usize) {
    let colour = LINES[number % LINES.len()];
    let mut path = String::new();
    for (x, y) in points {
        let _ = match number % 4 {
            0 => write!(path, "M{x:.1} {y:.1}h0"),
            1 => write!(path, "M{:.1} {:.1}l5 5m0-5l-5 5", x - 2.5, y - 2.5),
            2 => write!(path, "M{x:.1} {:.1}l3 5.2h-6z", y - 3.4),
            _ => write!(path, "M{:.1} {:.1}h5v5h-5z", x - 2.5, y - 2.5),
        };
    }
    let disc = if points.len() > 1000 { 3.0 } else { 4.5 };
    let width = if number.is_multiple_of(4) { disc } else { 1.3 };
    if !path.is_empty() {
        page.add(format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-opacity=\"0.8\"/>"
        ));
    }
}

fn line_style(number: usize) -> String {
    let (colour, dashes) = (LINES[number % LINES.len()], DASHES[number % DASHES.len()]);
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    format!(" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dashes}")
}

fn grid_style(label: &str) -> &'static str {
    if label.is_empty() { " stroke=\"#f1f1f1\"" } else { " stroke=\"#d8d8d8\"" }
}

/// The widest label of an axis \[px\].
fn label_width(ticks: &Ticks) -> f64 {
    ticks.ticks.iter().map(|tick| width_of(&tick.label)).fold(0.0, f64::max)
}

/// A label with the power of ten that the ticks leave out, as part of its unit: "energy \[J\]"
/// becomes "energy \[10⁻⁶ J\]".
fn with_exponent(label: &str, exponent: i32) -> String {
    if exponent == 0 {
        return label.to_string();
    }
    let factor = format!("10{}", superscript(exponent));
    match label.rsplit_once('[') {
        Some((what, unit)) if unit.trim() == "-]" => format!("{what}[{factor}]"),
        Some((what, unit)) => format!("{what}[{factor} {unit}"),
        None => format!("{label} [{factor}]").trim_start().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_part_of_the_unit() {
        assert_eq!(with_exponent("energy [J]", -6), "energy [10⁻⁶ J]");
        assert_eq!(with_exponent("error [-]", 6), "error [10⁶]");
        assert_eq!(with_exponent("bodies", 3), "bodies [10³]");
        assert_eq!(with_exponent("", 3), "[10³]");
        assert_eq!(with_exponent("time [s]", 0), "time [s]");
    }

    #[test]
    fn equal_means_equal() {
        for (high, lower) in [(1.0, true), (0.01, true), (50.0, false)] {
            let mut area = PlotArea { left: 50.0, right: 650.0, top: 40.0, bottom: 340.0 };
            let mut x = AxisScale { kind: AxisKind::Linear, low: 0.0, high: 4.0, begin: 50.0, end: 650.0 };
            let mut y = AxisScale { kind: AxisKind::Linear, low: 0.0, high, begin: 340.0, end: 40.0 };
            let less = make_equal(&mut x, &mut y, &mut area);
            assert_eq!(less > 0.0, lower);
            let unit = |scale: &AxisScale| (scale.end - scale.begin).abs() / (scale.high - scale.low);
            assert!((unit(&x) / unit(&y) - 1.0).abs() < 1e-9, "{x:?} {y:?}");
            assert!(x.low <= 0.0 && x.high >= 4.0 && y.high >= high);
        }
    }
}
