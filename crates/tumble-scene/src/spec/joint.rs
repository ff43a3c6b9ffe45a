//! `[[joint]]`: what holds a body to another one, to an obstacle or to a fixed place.

use glam::DVec3;

use super::{ANYWHERE, REACH};
use crate::text::{Fields, Range, Section, Word};

/// Angles \[degree\].
const ANGLES: Range = Range::Within(-180.0, 180.0);

/// Loads that break a joint \[N, N·m\].
const LOADS: Range = Range::Within(0.0, 1e18);

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSpec {
    /// Its name.
    pub name: Option<String>,
    /// Its kind: the motion that it leaves free.
    pub kind: JointKindSpec,
    /// Name of the body that it holds.
    pub body: String,
    /// Name of the body or obstacle to which; without it, to a fixed place.
    pub to: Option<String>,
    /// Its axis.
    pub axis: DVec3,
    /// Where it is \[m\].
    pub position: DVec3,
    /// The force that breaks it \[N\].
    pub break_force: Option<f64>,
    /// The torque that breaks it \[N·m\].
    pub break_torque: Option<f64>,
    /// Whether the two collide all the same.
    pub collide: bool,
}

impl Default for JointSpec {
    fn default() -> Self {
        Self {
            name: None,
            kind: JointKindSpec::Fixed,
            body: String::new(),
            to: None,
            axis: DVec3::Z,
            position: DVec3::ZERO,
            break_force: None,
            break_torque: None,
            collide: false,
        }
    }
}

/// Kinds of joints, by the motion that they leave free.
#[derive(Clone, Debug, PartialEq)]
pub enum JointKindSpec {
    /// Nothing.
    Fixed,
    /// Turning about its axis.
    Hinge {
        /// From the smallest angle to the largest \[degree\].
        turn: Option<[f64; 2]>,
    },
    /// Travelling along its axis, and turning about it.
    Slider {
        /// From the smallest distance to the largest \[m\].
        travel: Option<[f64; 2]>,
        /// From the smallest angle to the largest \[degree\].
        turn: Option<[f64; 2]>,
    },
    /// Turning about its place.
    Ball {
        /// The largest angle between both axes \[degree\].
        swing: Option<f64>,
    },
}

#[derive(Clone, Copy, PartialEq)]
enum KindName {
    Fixed,
    Hinge,
    Slider,
    Ball,
}

impl Word for KindName {
    const WORDS: &'static [(&'static str, Self)] =
        &[("fixed", Self::Fixed), ("hinge", Self::Hinge), ("slider", Self::Slider), ("ball", Self::Ball)];
}

impl JointKindSpec {
    fn name(&self) -> KindName {
        match self {
            Self::Fixed => KindName::Fixed,
            Self::Hinge { .. } => KindName::Hinge,
            Self::Slider { .. } => KindName::Slider,
            Self::Ball { .. } => KindName::Ball,
        }
    }

    fn with_name(name: KindName) -> Self {
        match name {
            KindName::Fixed => Self::Fixed,
            KindName::Hinge => Self::Hinge { turn: None },
            KindName::Slider => Self::Slider { travel: None, turn: None },
            KindName::Ball => Self::Ball { swing: None },
        }
    }

    /// Names its keys; false, after a problem, if it is not known which.
    fn describe(&mut self, fields: &mut Fields<'_>) -> bool {
        if fields.is_reading() && !fields.has("kind") {
            fields.missing("kind", Some("write one of fixed, hinge, slider, ball".into()));
            return false;
        }
        let mut name = self.name();
        if !fields.value("kind", &mut name) {
            return false;
        }
        if name != self.name() {
            *self = Self::with_name(name);
        }
        match self {
            Self::Fixed => {}
            Self::Hinge { turn } => {
                fields.within("turn", turn, ANGLES);
            }
            Self::Slider { travel, turn } => {
                fields.within("travel", travel, Range::Within(-REACH, REACH));
                fields.within("turn", turn, ANGLES);
            }
            Self::Ball { swing } => {
                fields.within("swing", swing, Range::Within(0.0, 180.0));
            }
        }
        true
    }
}

impl Section for JointSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("name", &mut self.name);
        if !self.kind.describe(fields) {
            fields.take_any_key();
        }
        fields.required("body", &mut self.body, Range::Any);
        fields.value("to", &mut self.to);
        fields.within("axis", &mut self.axis, ANYWHERE);
        fields.required("position", &mut self.position, ANYWHERE);
        fields.within("break_force", &mut self.break_force, LOADS);
        fields.within("break_torque", &mut self.break_torque, LOADS);
        fields.value("collide", &mut self.collide);
    }
}
