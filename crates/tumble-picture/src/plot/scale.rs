//! The scale of an axis: its range of values, their positions on the page, and its ticks.
//!
//! Steps are 1, 2 or 5 times a power of ten. Labels are written from whole multiples of the step
//! with as many digits as the step has, so that no 0.30000000000000004 appears; very large and very
//! small values share a power of ten.

/// Linear axis (equal distances are equal differences) or logarithmic axis (equal ratios).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisKind {
    Linear,
    Log,
}

/// One axis: values from `low` to `high` lie evenly between `begin` and `end` on the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisScale {
    pub(super) kind: AxisKind,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Position of `low` on the page \[px\].
    pub(super) begin: f64,
    /// Position of `high` on the page \[px\].
    pub(super) end: f64,
}

/// A place of an axis that is marked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    /// Nothing for a minor tick.
    pub(super) label: String,
}

/// All ticks of an axis, and the power of ten that its labels leave out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ticks {
    pub(super) ticks: Vec<Tick>,
    pub(super) exponent: i32,
}

impl AxisScale {
    /// An axis that shows all these values, as far as it can: finite ones, and on a logarithmic
    /// axis positive ones. None if there are none.
    pub(super) fn over(values: impl Iterator<Item = f64>, kind: AxisKind) -> Option<Self> {
        let shown = values.filter(|&value| is_shown(value, kind));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (low <= high).then_some(Self { kind, low, high, begin: 0.0, end: 1.0 })
    }

    /// Adds room around the data, so that nothing lies on the frame. An end at zero stays at zero:
    /// an axis below zero would mislead.
    pub(super) fn with_room(mut self, part: f64) -> Self {
        if self.kind == AxisKind::Log {
            let ratio = (self.high / self.low).powf(part).max(1.15);
            (self.low, self.high) = (self.low / ratio, (self.high * ratio).min(f64::MAX));
            return self;
        }
        let size = self.low.abs().max(self.high.abs());
        // Values that differ by rounding only count as one.
        let flat = self.high - self.low <= 1e-9 * size;
        let room = if flat { if size > 0.0 { 0.1 * size } else { 1.0 } } else { part * (self.high - self.low) };
        if flat || self.low != 0.0 {
            self.low -= room;
        }
        if flat || self.high != 0.0 {
            self.high += room;
        }
        self
    }

    /// Position of a value on the page \[px\]; none if the axis cannot show it.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        if !is_shown(value, self.kind) {
            return None;
        }
        let along = match self.kind {
            AxisKind::Linear => (value - self.low) / (self.high - self.low),
            AxisKind::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        Some(self.begin + along * (self.end - self.begin))
    }

    /// Ticks that are about this far apart \[px\].
    pub(super) fn ticks(&self, apart: f64) -> Ticks {
        let count = ((self.end - self.begin).abs() / apart).max(2.0);
        match self.kind {
            AxisKind::Linear => linear_ticks(self.low, self.high, count),
            AxisKind::Log => log_ticks(self.low, self.high, count),
        }
    }
}

/// Values beyond this are as good as infinite: their differences would overflow.
const MOST: f64 = 1e300;

fn is_shown(value: f64, kind: AxisKind) -> bool {
    match kind {
        AxisKind::Linear => value.abs() <= MOST,
        AxisKind::Log => value > 1.0 / MOST && value <= MOST,
    }
}

fn linear_ticks(low: f64, high: f64, count: f64) -> Ticks {
    let raw = (high - low) / count;
    let magnitude = raw.log10().floor();
    let unit = power(magnitude as i32);
    // The nearest of 1, 2, 5, 10 by ratio, and into how many parts minor ticks divide it.
    let (factor, parts) = match raw / unit {
        r if r < 2f64.sqrt() => (1.0, 5.0),
        r if r < 10f64.sqrt() => (2.0, 4.0),
        r if r < 50f64.sqrt() => (5.0, 5.0),
        _ => (10.0, 5.0),
    };
    let step = factor * unit;
    let size = low.abs().max(high.abs());
    // In steps of thousands, as units are: 10⁻⁶, not 10⁻⁵.
    let exponent = if (1e-3..1e5).contains(&size) { 0 } else { (size.log10() / 3.0).floor() as i32 * 3 };
    let digits = exponent - (magnitude as i32 + i32::from(factor == 10.0));
    let minor = step / parts;
    // An end that misses a tick by rounding has it.
    let (first, last) = ((low / minor - 1e-6).ceil(), (high / minor + 1e-6).floor());
    let mut ticks = Vec::new();
    let mut n = first;
    while n <= last && ticks.len() < 1000 {
        let value = n * minor;
        let label = if n.rem_euclid(parts) == 0.0 {
            // The label comes from the number of steps, not from a sum; see `scaled` for the power
            // of ten.
            decimal(scaled(n / parts * factor, magnitude as i32 - exponent), digits.max(0) as usize)
        } else {
            String::new()
        };
        ticks.push(Tick { value, label });
        n += 1.0;
    }
    Ticks { ticks, exponent }
}

fn log_ticks(low: f64, high: f64, count: f64) -> Ticks {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = (high / low).log10();
    // Labels at every decade, at every few if there are many, at 2 and 5 too if there are few.
    let every = (decades / count).ceil().max(1.0) as i32;
    let plain = first >= -3 && last <= 4;
    let mut ticks = Vec::new();
    for decade in first..=last {
        for digit in 1..10 {
            let value = f64::from(digit) * power(decade);
            if value < low || value > high || (every > 1 && digit > 1) {
                continue;
            }
            let labelled = match digit {
                1 => decade % every == 0,
                2 | 5 => decades < 2.5,
                _ => decades < 0.7,
            };
            let label = match (labelled, plain, digit) {
                (false, ..) => String::new(),
                (_, true, _) => decimal(value, (-decade).max(0) as usize),
                (_, _, 1) => format!("10{}", superscript(decade)),
                _ => format!("{digit}·10{}", superscript(decade)),
            };
            ticks.push(Tick { value, label });
        }
    }
    Ticks { ticks, exponent: 0 }
}

fn power(exponent: i32) -> f64 {
    10f64.powi(exponent)
}

/// The value times a power of ten, by dividing where the power is negative: 3 / 10 is 0.3, 3 · 0.1
/// is not.
fn scaled(value: f64, exponent: i32) -> f64 {
    if exponent < 0 { value / power(-exponent) } else { value * power(exponent) }
}

/// A number with this many digits after the point, with a true minus sign.
pub(super) fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.contains(|c: char| ('1'..='9').contains(&c)) => format!("−{rest}"),
        Some(rest) => rest.to_string(),
        None => text,
    }
}

/// A number as an exponent is written.
pub(super) fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    number.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, kind: AxisKind) -> (Vec<String>, i32) {
        let scale = AxisScale { kind, low, high, begin: 0.0, end: 500.0 };
        let found = scale.ticks(100.0);
        (found.ticks.into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect(), found.exponent)
    }

    #[test]
    fn labels_are_round() {
        assert_eq!(labels(0.0, 0.5, AxisKind::Linear).0, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(-1.0, 9.0, AxisKind::Linear).0, ["0", "2", "4", "6", "8"]);
        assert_eq!(labels(-0.1, 0.1, AxisKind::Linear).0, ["−0.10", "−0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(labels(0.0, 44.0, AxisKind::Linear).0, ["0", "10", "20", "30", "40"]);
        assert_eq!(
            labels(1000.2, 1000.7, AxisKind::Linear).0,
            ["1000.2", "1000.3", "1000.4", "1000.5", "1000.6", "1000.7"]
        );
    }

    #[test]
    fn large_and_small_values_share_a_power_of_ten() {
        assert_eq!(labels(0.0, 2e-5, AxisKind::Linear), (["0", "5", "10", "15", "20"].map(String::from).to_vec(), -6));
        assert_eq!(
            labels(0.0, 5e8, AxisKind::Linear),
            (["0", "100", "200", "300", "400", "500"].map(String::from).to_vec(), 6)
        );
        let (text, exponent) = labels(-1e300, 1e300, AxisKind::Linear);
        assert_eq!((text, exponent), (["−1.0", "−0.5", "0.0", "0.5", "1.0"].map(String::from).to_vec(), 300));
    }

    #[test]
    fn logarithmic_labels() {
        assert_eq!(labels(0.05, 200.0, AxisKind::Log).0, ["0.1", "1", "10", "100"]);
        assert_eq!(labels(1e-9, 1e-5, AxisKind::Log).0, ["10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"]);
        assert_eq!(labels(1.5, 30.0, AxisKind::Log).0, ["2", "5", "10", "20"]);
        assert!(labels(1e-200, 1e200, AxisKind::Log).0.len() < 8);
    }

    #[test]
    fn what_cannot_be_shown_has_no_place() {
        let values = [0.0, -3.0, 1.0, f64::NAN, 100.0, f64::INFINITY];
        let mut scale = AxisScale::over(values.into_iter(), AxisKind::Log).unwrap();
        assert_eq!((scale.low, scale.high), (1.0, 100.0));
        (scale.begin, scale.end) = (0.0, 200.0);
        assert_eq!((scale.place(10.0), scale.place(0.0), scale.place(f64::NAN)), (Some(100.0), None, None));
        assert!(AxisScale::over([0.0, -1.0].into_iter(), AxisKind::Log).is_none());
        assert!(AxisScale::over([f64::NAN].into_iter(), AxisKind::Linear).is_none());
    }

    #[test]
    fn one_value_has_room_around_it() {
        for value in [0.0, 5.0, -1e-30, 1e299] {
            let scale = AxisScale::over([value].into_iter(), AxisKind::Linear).unwrap().with_room(0.05);
            assert!(scale.low < value && scale.high > value, "{scale:?}");
            assert!(scale.ticks(0.2).ticks.len() > 1, "{scale:?}");
        }
    }
}
