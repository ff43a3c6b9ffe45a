//! `[expect]`: what a scene promises of its run, and whether a run kept it.

use crate::text::TableReader;

/// What can be promised, in the words of `report.json`.
pub const QUANTITIES: [&str; 10] = [
    "bodies",
    "contacts",
    "kinetic_energy",
    "potential_energy",
    "deepest_overlap",
    "highest",
    "mean_height",
    "settled_frame",
    "removed",
    "warnings",
];

/// A promise about one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// One of [`QUANTITIES`].
    pub quantity: &'static str,
    /// The condition as written.
    pub condition: String,
    least: f64,
    most: f64,
}

impl Expectation {
    /// A quantity and a condition: `< 5 %`, `>= 3`, `= 400`, `1.2 ± 0.1`, `10 to 20`.
    pub fn new(quantity: &'static str, condition: &str) -> Option<Self> {
        let (least, most) = interval(condition)?;
        Some(Self { quantity, condition: condition.to_string(), least, most })
    }

    /// Whether a value keeps the promise; a value that is missing does not.
    pub fn holds(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| self.least <= value && value <= self.most)
    }
}

/// The closed interval that a condition allows.
fn interval(condition: &str) -> Option<(f64, f64)> {
    let text = condition.trim();
    if let Some((middle, spread)) = text.split_once('±') {
        let (middle, spread) = (number(middle)?, number(spread)?);
        return Some((middle - spread, middle + spread));
    }
    if let Some((least, most)) = text.split_once(" to ") {
        return Some((number(least)?, number(most)?));
    }
    // Longer signs first: "<" is also the beginning of "<=".
    for sign in ["<=", ">=", "<", ">", "="] {
        let Some(bound) = text.strip_prefix(sign) else { continue };
        let bound = number(bound)?;
        return Some(match sign {
            "<=" => (f64::NEG_INFINITY, bound),
            ">=" => (bound, f64::INFINITY),
            "<" => (f64::NEG_INFINITY, bound.next_down()),
            ">" => (bound.next_up(), f64::INFINITY),
            _ => (bound, bound),
        });
    }
    None
}

fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let (text, scale) = text.strip_suffix('%').map_or((text, 1.0), |text| (text.trim(), 0.01));
    text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| scale * number)
}

/// Reads `[expect]`.
pub(crate) fn read(top: &TableReader<'_>) -> Vec<Expectation> {
    let Some(table) = top.subtable("expect") else { return Vec::new() };
    let mut expectations = Vec::new();
    for quantity in QUANTITIES {
        let Some(condition) = table.string(quantity).optional() else { continue };
        match Expectation::new(quantity, &condition) {
            Some(expectation) => expectations.push(expectation),
            None => {
                let what = format!("{condition:?} is not a condition");
                table.problem_at(quantity, what, "write \"< 5 %\", \">= 3\", \"= 400\", \"1.2 ± 0.1\" or \"10 to 20\"");
            }
        }
    }
    expectations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_understood() {
        let holds = |condition: &str, value: f64| Expectation::new("bodies", condition).unwrap().holds(Some(value));
        assert!(holds("< 5 %", 0.0499) && !holds("< 5 %", 0.05));
        assert!(holds(">= 3", 3.0) && !holds("> 3", 3.0));
        assert!(holds("= 400", 400.0) && !holds("=400", 401.0));
        assert!(holds("1.2 ± 0.1", 1.25) && !holds("1.2 ± 0.1", 1.35));
        assert!(holds("-2 to 3", -1.0) && !holds("-2 to 3", 4.0));
        for bad in ["", "<", "5", "< five", "< inf", "1 ± "] {
            assert_eq!(Expectation::new("bodies", bad), None, "{bad}");
        }
        assert!(!Expectation::new("bodies", "< 5").unwrap().holds(None));
    }
}
