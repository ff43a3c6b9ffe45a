//! `[[pile]]`: heaps that get a chosen angle of repose.

use tumble::direct::pile::{PileSettings, Rule};

use super::ANYWHERE;
use crate::text::{Fields, Range, Section, Word};

/// A pile.
#[derive(Clone, Debug, PartialEq)]
pub struct PileSpec {
    /// Its name.
    pub name: Option<String>,
    /// Angle of repose \[degree\].
    pub angle: f64,
    /// Where its axis is \[m\]; without it piles are found wherever bodies land.
    pub position: Option<[f64; 2]>,
    /// Height of what it stands on \[m\]; by default of the first plane, or 0.
    pub base: Option<f64>,
    /// Names of the shapes of the bodies that can be part of it; all if there are none.
    pub shapes: Vec<String>,
    /// The rule by which bodies sleep and wake.
    pub rule: Rule,
    /// The score above which bodies fall asleep \[-\].
    pub threshold: f64,
    /// Speed below which a body counts as slow, over √(g D) \[-\].
    pub slow: f64,
    /// For how long a body must have been slow \[s\].
    pub grace: f64,
}

/// As the engine has it, at 35 degrees.
impl Default for PileSpec {
    fn default() -> Self {
        let PileSettings { rule, threshold, slow, grace, .. } = PileSettings::new(0.0);
        let shapes = Vec::new();
        Self { name: None, angle: 35.0, position: None, base: None, shapes, rule, threshold, slow, grace }
    }
}

impl Section for PileSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("name", &mut self.name);
        fields.required("angle", &mut self.angle, Range::Within(5.0, 75.0));
        fields.within("position", &mut self.position, ANYWHERE);
        fields.within("base", &mut self.base, ANYWHERE);
        fields.value("shapes", &mut self.shapes);
        fields.value("rule", &mut self.rule);
        fields.within("threshold", &mut self.threshold, Range::Within(0.0, 1.0));
        fields.within("slow", &mut self.slow, Range::Within(1e-3, 1e3));
        fields.within("grace", &mut self.grace, Range::Within(0.0, 1e3));
    }
}

impl Word for Rule {
    const WORDS: &'static [(&'static str, Self)] =
        &[("shells", Self::Shells), ("layers", Self::Layers), ("local_layers", Self::LocalLayers)];
}
