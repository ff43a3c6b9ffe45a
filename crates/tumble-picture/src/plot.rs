//! Plots as SVG text: lines, steps, points and stacked areas over one or two y axes.
//!
//! The text is shown by browsers, LaTeX and word processors. No library is used: plots of runs need
//! little, and the page should look the same everywhere. Colours are those of Okabe & Ito (2008),
//! which colour-blind people can tell apart, in an order of changing lightness; dashes and signs
//! differ too, so that a copy in black and white can be read. The legend stands above the frame,
//! where no data is.

mod draw;
mod page;
mod scale;
mod thin;

pub use page::escape;
use scale::AxisKind;

/// A plot, built step by step.
///
/// ```
/// use tumble_picture::Plot;
///
/// let energy = |n: u32| (0.1 * f64::from(n), (-0.05 * f64::from(n)).exp());
/// let kinetic: Vec<(f64, f64)> = (0..100).map(energy).collect();
/// let plot = Plot::new("A heap comes to rest").x("time [s]").y("energy [J]").log_y();
/// let svg = plot.line("kinetic", &kinetic).to_svg();
/// assert!(svg.starts_with("<svg"));
/// ```
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    width: f64,
    height: f64,
    x: Axis,
    left: Axis,
    right: Axis,
    series: Vec<Series>,
    stack: Stack,
    equal: bool,
}

#[derive(Clone, Debug)]
struct Axis {
    label: String,
    kind: AxisKind,
    from_zero: bool,
}

#[derive(Clone, Debug)]
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    style: SeriesStyle,
    on_right: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeriesStyle {
    Line,
    Step,
    Points,
}

/// Areas on top of each other, over common x.
#[derive(Clone, Debug, Default)]
struct Stack {
    x: Vec<f64>,
    /// Name and heights, from the bottom up.
    parts: Vec<(String, Vec<f64>)>,
}

impl Plot {
    /// A plot of 720 × 420 pixels without data.
    pub fn new(title: &str) -> Self {
        let axis = || Axis { label: String::new(), kind: AxisKind::Linear, from_zero: false };
        Self {
            title: title.to_string(),
            width: 720.0,
            height: 420.0,
            x: axis(),
            left: axis(),
            right: axis(),
            series: Vec::new(),
            stack: Stack::default(),
            equal: false,
        }
    }

    /// Another size of the page \[px\], at least 240 × 180.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        (self.width, self.height) = (width.max(240.0), height.max(180.0));
        self
    }

    /// Label of the x axis, with its unit.
    pub fn x(mut self, label: &str) -> Self {
        self.x.label = label.to_string();
        self
    }

    /// Label of the left y axis, with its unit.
    pub fn y(mut self, label: &str) -> Self {
        self.left.label = label.to_string();
        self
    }

    /// A second y axis on the right, for series that are put [`on_right`](Self::on_right).
    pub fn right_axis(mut self, label: &str) -> Self {
        self.right.label = label.to_string();
        self
    }

    /// Logarithmic y axis; values that are not positive are left out, and the plot says how many.
    pub fn log_y(mut self) -> Self {
        self.left.kind = AxisKind::Log;
        self
    }

    /// Logarithmic right axis.
    pub fn log_right(mut self) -> Self {
        self.right.kind = AxisKind::Log;
        self
    }

    /// Logarithmic x axis.
    pub fn log_x(mut self) -> Self {
        self.x.kind = AxisKind::Log;
        self
    }

    /// Both y axes begin at zero, or end there; a linear axis only.
    pub fn from_zero(mut self) -> Self {
        (self.left.from_zero, self.right.from_zero) = (true, true);
        self
    }

    /// Equal scales along x and y, for shapes: the plot becomes lower, or shows more of x.
    pub fn equal_aspect(mut self) -> Self {
        self.equal = true;
        self
    }

    /// A line through points in their order. Points that are not finite are gaps.
    pub fn line(self, name: &str, points: &[(f64, f64)]) -> Self {
        self.series(name, points, SeriesStyle::Line)
    }

    /// A line that keeps each value until the next point.
    pub fn step(self, name: &str, points: &[(f64, f64)]) -> Self {
        self.series(name, points, SeriesStyle::Step)
    }

    /// Single points.
    pub fn points(self, name: &str, points: &[(f64, f64)]) -> Self {
        self.series(name, points, SeriesStyle::Points)
    }

    /// Puts the series that was added last on the right axis.
    pub fn on_right(mut self) -> Self {
        if let Some(series) = self.series.last_mut() {
            series.on_right = true;
        }
        self
    }

    /// Areas on top of each other, the first at the bottom: a name and a height for each x. A
    /// height that is missing, negative or not finite counts as zero.
    pub fn stack(mut self, x: &[f64], parts: &[(&str, &[f64])]) -> Self {
        let height =
            |heights: &[f64], n: usize| heights.get(n).copied().filter(|h| h.is_finite()).unwrap_or(0.0).max(0.0);
        // Without a place along x there is no area.
        let rows: Vec<usize> = (0..x.len()).filter(|&n| x[n].is_finite()).collect();
        let of = |heights: &[f64]| rows.iter().map(|&n| height(heights, n)).collect();
        self.stack.x = rows.iter().map(|&n| x[n]).collect();
        self.stack.parts = parts.iter().map(|(name, heights)| (name.to_string(), of(heights))).collect();
        self
    }

    /// The plot as the text of an SVG file, which can also stand inside an HTML page.
    pub fn to_svg(&self) -> String {
        draw::draw(self)
    }

    fn series(mut self, name: &str, points: &[(f64, f64)], style: SeriesStyle) -> Self {
        self.series.push(Series { name: name.to_string(), points: points.to_vec(), style, on_right: false });
        self
    }
}

impl Stack {
    /// Upper edges of all parts, from the bottom up.
    fn edges(&self) -> Vec<Vec<f64>> {
        let mut sum = vec![0.0; self.x.len()];
        let mut edge = |heights: &Vec<f64>| {
            sum.iter_mut().zip(heights).for_each(|(sum, height)| *sum += height);
            sum.clone()
        };
        self.parts.iter().map(|(_, heights)| edge(heights)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that tags match, attributes are quoted and nothing else is markup; returns names of
    /// the elements.
    fn elements(svg: &str) -> Vec<String> {
        let (mut open, mut seen) = (Vec::new(), Vec::new());
        let mut rest = svg.trim();
        while let Some(at) = rest.find('<') {
            let text = &rest[..at];
            assert!(!text.contains('>'), "{text}");
            for (at, _) in text.match_indices('&') {
                assert!(["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|name| text[at..].starts_with(name)), "{text}");
            }
            let end = at + rest[at..].find('>').expect("a tag ends");
            let tag = &rest[at + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name.to_string()));
                continue;
            }
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
            // Outside of quotes: a name, names of attributes, equal signs.
            let bare: String = tag.trim_end_matches('/').split('"').step_by(2).collect();
            assert!(bare.chars().all(|c| c.is_ascii_alphanumeric() || " =-".contains(c)), "{bare}");
            let name = bare.split(' ').next().unwrap_or("").to_string();
            if !tag.ends_with('/') {
                open.push(name.clone());
            }
            seen.push(name);
            assert!(rest.is_empty() || !open.is_empty(), "more than one root");
        }
        assert!(open.is_empty() && rest.is_empty(), "{open:?} {rest}");
        seen
    }

    fn wave(count: usize) -> Vec<(f64, f64)> {
        (0..count).map(|n| (n as f64 * 0.01, (n as f64 * 0.03).sin())).collect()
    }

    #[test]
    fn plots_are_well_formed() {
        let stack = Plot::new("stages").stack(&[0.0, 1.0, 2.0], &[("a", &[1.0, 2.0, 3.0]), ("b", &[1.0, f64::NAN])]);
        let plots = [
            Plot::new("a < b & \"c\" \u{1}").x("<x>").y("y & z").line("l>m", &wave(500)),
            Plot::new("two").line("l", &wave(9)).step("s", &wave(9)).right_axis("r").points("p", &wave(9)).on_right(),
            Plot::new("log").log_y().log_x().line("l", &wave(500)),
            Plot::new("equal").equal_aspect().line("l", &wave(500)).size(0.0, 0.0),
            Plot::new("huge").line("l", &[(-1e308, 1e308), (f64::INFINITY, 1.0), (1e300, -1e300), (0.0, 1e299)]),
            stack.clone().log_y(),
            stack,
        ];
        for plot in plots {
            let svg = plot.to_svg();
            let seen = elements(&svg);
            assert!(seen.contains(&"path".to_string()), "{svg}");
            assert!(!svg.contains("no data"), "{svg}");
        }
    }

    #[test]
    fn without_data_the_plot_says_so() {
        let nothing = [(0.0, f64::NAN), (f64::INFINITY, 1.0)];
        for plot in [
            Plot::new("nothing"),
            Plot::new("nothing").line("l", &[]),
            Plot::new("nothing").points("p", &nothing).equal_aspect(),
            Plot::new("nothing").log_y().line("l", &[(1.0, 0.0), (2.0, -1.0)]),
            Plot::new("nothing").stack(&[], &[("a", &[])]),
        ] {
            let svg = plot.x("x").to_svg();
            elements(&svg);
            assert!(svg.contains("no data"), "{svg}");
        }
    }

    #[test]
    fn zeros_on_a_log_axis_are_gaps_and_are_counted() {
        let svg = Plot::new("log").log_y().line("l", &[(0.0, 1.0), (1.0, 0.0), (2.0, 10.0), (3.0, 100.0)]).to_svg();
        assert!(svg.contains("1 value ≤ 0 is not shown"), "{svg}");
        // Two pieces: the lone first point, and the line after the gap.
        let line = svg.lines().find(|line| line.starts_with("<path") && line.contains("fill=\"none\"")).unwrap();
        assert_eq!(line.matches('M').count(), 2, "{line}");
    }

    #[test]
    fn long_series_become_short_text() {
        let svg = Plot::new("long").line("l", &wave(1_000_000)).points("p", &wave(1_000_000)).to_svg();
        assert!(svg.len() < 3_000_000, "{}", svg.len());
    }

    #[test]
    fn edges_of_a_stack_are_sums() {
        let plot = Plot::new("s").stack(&[0.0, f64::NAN, 2.0], &[("a", &[1.0, 5.0, 2.0]), ("b", &[3.0, 5.0, -4.0])]);
        assert_eq!(plot.stack.edges(), [[1.0, 2.0], [4.0, 2.0]]);
    }
}
