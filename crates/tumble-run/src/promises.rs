//! The promises of a scene and what came of them.
//!
//! Reads the report of a run, its last frame and what has passed its outlet. Every quantity has a
//! value or a reason why it has none. The frame is that of the state: a run that goes on from its
//! checkpoint finds the same.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};
use tumble::measure::{NotAHeap, packing, silhouette};
use tumble_scene::spec::{Expectation, Quantity};
use tumble_scene::text::Word;

use crate::measures::{too_few, up_in};
use crate::standing::{Release, support};
use crate::{Forms, Report, Run, outflow};

/// A value, or the reason why there is none.
type Measured = Result<f64, String>;

/// A promise and what came of it.
#[derive(Debug, Serialize)]
pub struct PromiseResult {
    /// The quantity that it is about.
    pub quantity: &'static str,
    /// The condition, as the scene has it.
    pub condition: String,
    /// The value it has got; none if there is nothing that has one.
    pub value: Option<f64>,
    /// The reason why there is no value.
    pub why: Option<String>,
    /// Whether the promise was kept.
    pub holds: bool,
}

/// A promise and what came of it, read back.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ToldKept {
    /// The quantity that it is about.
    pub quantity: String,
    /// The condition, as the scene has it.
    pub condition: String,
    /// The value it has got.
    pub value: Option<f64>,
    /// The reason why there is no value.
    #[serde(default)]
    pub why: Option<String>,
    /// Whether the promise was kept.
    pub holds: bool,
}

impl From<&PromiseResult> for ToldKept {
    fn from(result: &PromiseResult) -> Self {
        let PromiseResult { quantity, condition, value, why, holds } = result;
        let (quantity, condition) = ((*quantity).to_owned(), condition.clone());
        Self { quantity, condition, value: *value, why: why.clone(), holds: *holds }
    }
}

impl ToldKept {
    /// The value in words, or that there is none and why.
    pub fn got(&self) -> String {
        match (self.value, &self.why) {
            (Some(value), _) => value.to_string(),
            (None, Some(why)) => format!("nothing: {why}"),
            (None, None) => "nothing".into(),
        }
    }
}

/// Measures of the heap in the last frame and of the flow through an outlet.
pub(crate) struct EndMeasures {
    /// Angle of the silhouette \[°\].
    pub(crate) repose_angle: Measured,
    /// Solid part of the space inside \[-\].
    pub(crate) packing: Measured,
    /// Bodies that nothing touches from below.
    pub(crate) unsupported: Measured,
    /// Part of its potential energy that the pile loses when it is let go \[-\].
    pub(crate) release_loss: Measured,
    /// Spread of the rate over its mean \[-\].
    pub(crate) rate_spread: Measured,
}

impl EndMeasures {
    /// Measures a run as it is now.
    pub(crate) fn of(run: &Run) -> Self {
        let (frame, up) = (run.frame(), up_in(run.simulation()));
        let Ok(forms) = Forms::new(run.header(), |mesh| Ok::<_, Infallible>(run.meshes()[mesh as usize].clone()));
        let angle = if frame.bodies.iter().any(|body| body.contacts > 0 || body.asleep) {
            let found = silhouette(&forms.of_heap(frame), up);
            found.map(|found| found.angle.to_degrees()).map_err(|why| match why {
                NotAHeap::TooFew { bodies, needed } => too_few(bodies, needed),
                why => why.to_string(),
            })
        } else {
            Err("nothing touches anything".to_owned())
        };
        let balls = forms.true_balls(frame);
        let no_packing = match balls.is_empty() && !frame.bodies.is_empty() {
            true => "solids have no spheres to measure it by",
            false => "the heap has no inside: too few bodies are two diameters below its surface and from its sides",
        };
        let has_piles = !run.scene().spec.piles.is_empty();
        let is_promised = |of: Quantity| run.scene().expectations.iter().any(|promise| promise.quantity == of);
        let frames = frame.number.abs_diff(run.scene().frames[0]) as usize + 1;
        Self {
            repose_angle: angle,
            packing: packing(&balls, up).map(|found| found.fraction).ok_or_else(|| no_packing.to_owned()),
            unsupported: match has_piles || is_promised(Quantity::Unsupported) {
                true => Ok(support(run.simulation()).unsupported as f64),
                false => Err("the scene has no pile".to_owned()),
            },
            // A run that was stopped should not go on with another simulation.
            release_loss: match is_promised(Quantity::ReleaseLoss) && frame.number >= run.scene().frames[1] {
                true => Ok(Release::of(run.simulation(), true).loss),
                false => Err("it is measured after the last frame".to_owned()),
            },
            rate_spread: match run.scene().spec.outlet() {
                Some(_) => outflow::rate_spread(run.tally().passed(), frames),
                None => Err("the scene has no hopper and no hourglass".to_owned()),
            },
        }
    }
}

/// Compares the promises of a run that has this report with the values they have got.
pub(crate) fn judge(promises: &[Expectation], report: &Report, end: &EndMeasures) -> Vec<PromiseResult> {
    let result = |promise: &Expectation| {
        let measured = value(promise.quantity, report, end);
        let holds = promise.condition.holds(measured.as_ref().ok().copied());
        let condition = promise.condition.text().to_owned();
        let (value, why) = measured.map_or_else(|why| (None, Some(why)), |value| (Some(value), None));
        PromiseResult { quantity: promise.quantity.word(), condition, value, why, holds }
    };
    promises.iter().map(result).collect()
}

fn value(quantity: Quantity, report: &Report, end: &EndMeasures) -> Measured {
    let of_bodies = |value: Option<f64>| value.ok_or_else(|| "there are no bodies".to_owned());
    match quantity {
        Quantity::Bodies => Ok(report.bodies as f64),
        Quantity::Contacts => Ok(report.contacts as f64),
        Quantity::KineticEnergy => Ok(report.kinetic_energy),
        Quantity::PotentialEnergy => Ok(report.potential_energy),
        Quantity::DeepestOverlap => Ok(report.deepest_overlap),
        Quantity::Highest => of_bodies(report.highest),
        Quantity::MeanHeight => of_bodies(report.mean_height),
        Quantity::ContactsPerBody => of_bodies(report.contacts_per_body),
        Quantity::ReposeAngle => end.repose_angle.clone(),
        Quantity::Packing => end.packing.clone(),
        Quantity::Held => Ok(report.held.len() as f64),
        Quantity::Unsupported => end.unsupported.clone(),
        Quantity::ReleaseLoss => end.release_loss.clone(),
        Quantity::RateSpread => end.rate_spread.clone(),
        Quantity::SettledFrame => {
            let settled = report.settled_frame.map(|frame| frame as f64);
            settled.ok_or_else(|| "something moves in the last frame, or is not born yet".to_owned())
        }
        Quantity::Removed => Ok(report.removed as f64),
        Quantity::Warnings => Ok(report.warnings as f64),
    }
}
