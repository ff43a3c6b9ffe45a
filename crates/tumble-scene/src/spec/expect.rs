//! `[expect]`: what a scene promises of its run.

use crate::text::{Field, Fields, Node, Problem, Range, Section, Value, Word};

/// Quantities that can be promised, in the words of `report.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Bodies in the end.
    Bodies,
    /// Contacts in the end.
    Contacts,
    /// Kinetic energy in the end \[J\].
    KineticEnergy,
    /// Potential energy in the end \[J\].
    PotentialEnergy,
    /// The deepest overlap of the run, over the radius of the smaller body \[-\].
    DeepestOverlap,
    /// Height of the highest point in the end \[m\].
    Highest,
    /// Mean height of bodies in the end \[m\].
    MeanHeight,
    /// Contacts of a body on average in the end \[-\].
    ContactsPerBody,
    /// Angle of the heap in the end, by its silhouette \[°\].
    ReposeAngle,
    /// Solid part of the space inside the heap in the end \[-\].
    Packing,
    /// Bodies that a director holds by a firm grip in the end.
    Held,
    /// Bodies that nothing bears in the end.
    Unsupported,
    /// Part of its potential energy that the pile loses when it is let go in the end \[-\].
    ReleaseLoss,
    /// How unevenly bodies run through an outlet, over the mean rate \[-\].
    RateSpread,
    /// The first frame from which on everything is at rest.
    SettledFrame,
    /// Bodies that left the world.
    Removed,
    /// Warnings of the run.
    Warnings,
}

impl Word for Quantity {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("bodies", Self::Bodies),
        ("contacts", Self::Contacts),
        ("kinetic_energy", Self::KineticEnergy),
        ("potential_energy", Self::PotentialEnergy),
        ("deepest_overlap", Self::DeepestOverlap),
        ("highest", Self::Highest),
        ("mean_height", Self::MeanHeight),
        ("contacts_per_body", Self::ContactsPerBody),
        ("repose_angle", Self::ReposeAngle),
        ("packing", Self::Packing),
        ("held", Self::Held),
        ("unsupported", Self::Unsupported),
        ("release_loss", Self::ReleaseLoss),
        ("rate_spread", Self::RateSpread),
        ("settled_frame", Self::SettledFrame),
        ("removed", Self::Removed),
        ("warnings", Self::Warnings),
    ];
}

/// A promise about one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The quantity that it is about.
    pub quantity: Quantity,
    /// The condition that is promised.
    pub condition: Condition,
}

/// Promises, at most one for each quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpectSpec {
    /// All promises, in the order of [`Quantity::WORDS`].
    pub promises: Vec<Expectation>,
}

impl Section for ExpectSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        let mut promises = Vec::new();
        for &(word, quantity) in Quantity::WORDS {
            let given = self.promises.iter().find(|promise| promise.quantity == quantity);
            let mut condition = given.map(|promise| promise.condition.clone());
            fields.value(word, &mut condition);
            promises.extend(condition.map(|condition| Expectation { quantity, condition }));
        }
        self.promises = promises;
    }
}

/// A condition on a quantity: `< 5 %`, `>= 3`, `= 400`, `1.2 ± 0.1`, `10 to 20`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    least: f64,
    most: f64,
}

impl Condition {
    /// Reads a condition; none if it is not one.
    pub fn new(text: &str) -> Option<Self> {
        let (least, most) = interval(text)?;
        Some(Self { text: text.to_owned(), least, most })
    }

    /// The condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a value keeps the promise; a value that is missing does not.
    pub fn holds(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| self.least <= value && value <= self.most)
    }
}

impl Field for Condition {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let text = String::read(key, node, range)?;
        Self::new(&text).ok_or_else(|| {
            let help = "write \"< 5 %\", \">= 3\", \"= 400\", \"1.2 ± 0.1\" or \"10 to 20\"";
            Problem::in_text(format!("{text:?} is not a condition"), node, help)
        })
    }

    fn value(&self) -> Option<Value> {
        Some(Value::String(self.text.clone()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_understood() {
        let holds = |condition: &str, value: f64| Condition::new(condition).unwrap().holds(Some(value));
        assert!(holds("< 5 %", 0.0499) && !holds("< 5 %", 0.05));
        assert!(holds(">= 3", 3.0) && !holds("> 3", 3.0));
        assert!(holds("= 400", 400.0) && !holds("=400", 401.0));
        assert!(holds("1.2 ± 0.1", 1.25) && !holds("1.2 ± 0.1", 1.35));
        assert!(holds("-2 to 3", -1.0) && !holds("-2 to 3", 4.0));
        for bad in ["", "<", "5", "< five", "< inf", "1 ± "] {
            assert_eq!(Condition::new(bad), None, "{bad}");
        }
        assert!(!Condition::new("< 5").unwrap().holds(None));
    }
}
