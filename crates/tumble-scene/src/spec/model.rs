//! `model`: things made by formula, as shapes and as obstacles.

use glam::DVec3;
use tumble::geometry::{HopperSection, Model};

use super::{EXTENTS, LENGTHS};
use crate::text::{Fields, Range, Section, Word, describe_alone};

/// A model: its kind, and the lengths that this kind has. Those of other kinds are not looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSpec {
    /// Its kind.
    pub kind: ModelKind,
    /// Facets around what is round.
    pub segments: Option<u32>,
    /// Lengths along x, y and z \[m\].
    pub lengths: Option<[f64; 3]>,
    /// Its radius \[m\].
    pub radius: Option<f64>,
    /// Its height \[m\].
    pub height: Option<f64>,
    /// Its length \[m\].
    pub length: Option<f64>,
    /// Its width \[m\].
    pub width: Option<f64>,
    /// Length of the edges of a tetrahedron \[m\].
    pub edge: Option<f64>,
    /// Width of the arms of blocks and crosses \[m\].
    pub arm: Option<f64>,
    /// Radius of a ring's tube \[m\].
    pub tube: Option<f64>,
    /// Radius of a tyre's hole \[m\].
    pub hole: Option<f64>,
    /// Thickness of walls \[m\].
    pub wall: Option<f64>,
    /// Angle of a slope, or of a hopper's wall from the vertical \[degree\].
    pub angle: Option<f64>,
    /// Length of the flat part before a slope \[m\].
    pub flat: Option<f64>,
    /// Cross-section of a hopper.
    pub section: Option<HopperSection>,
    /// Width of a hopper's outlet \[m\].
    pub outlet: Option<f64>,
    /// Width of a hopper at its top \[m\].
    pub top: Option<f64>,
    /// Height of the bin above a hopper \[m\].
    pub bin: Option<f64>,
    /// Width of an hourglass's neck \[m\].
    pub neck: Option<f64>,
    /// Width of an hourglass's bulbs \[m\].
    pub bulb: Option<f64>,
    /// Whether a pole has a round top.
    pub rounded: Option<bool>,
}

/// Facets around what is round.
const SEGMENTS: Range = Range::Within(6.0, 256.0);

impl ModelSpec {
    /// The model that the engine makes.
    pub fn model(&self) -> Model {
        describe_alone(|fields| self.clone().describe_kind(fields))
    }

    /// Facets around what is round.
    pub fn segments(&self) -> u32 {
        self.segments.unwrap_or(48)
    }

    /// Names the keys that this kind has, and makes the model of them.
    fn describe_kind(&mut self, fields: &mut Fields<'_>) -> Model {
        let Self { radius, height, length, width, lengths, arm, .. } = self;
        match self.kind {
            ModelKind::Ball => Model::Ball { radius: given(fields, "radius", radius) },
            ModelKind::Banana => Model::Banana { length: usual(fields, "length", length, 0.2) },
            ModelKind::Blade => Model::Blade {
                radius: given(fields, "radius", radius),
                width: given(fields, "width", width),
                height: given(fields, "height", height),
                wall: usual(fields, "wall", &mut self.wall, WALL),
            },
            ModelKind::Block => Model::Block { lengths: given_lengths(fields, lengths) },
            ModelKind::Book => Model::Book { lengths: usual_lengths(fields, lengths, [0.15, 0.22, 0.035]) },
            ModelKind::Brick => Model::Block { lengths: usual_lengths(fields, lengths, [0.24, 0.115, 0.071]) },
            ModelKind::Card => Model::Block { lengths: usual_lengths(fields, lengths, [0.088, 0.063, 0.0003]) },
            ModelKind::Cart => Model::Cart { length: usual(fields, "length", length, 1.0) },
            ModelKind::Chair => Model::Chair { height: usual(fields, "height", height, 0.9) },
            ModelKind::Container => Model::Container {
                lengths: given_lengths(fields, lengths),
                wall: usual(fields, "wall", &mut self.wall, WALL),
            },
            ModelKind::Cross => {
                Model::Cross { lengths: given_lengths(fields, lengths), arm: given(fields, "arm", arm) }
            }
            ModelKind::Cylinder => {
                Model::Cylinder { radius: given(fields, "radius", radius), height: given(fields, "height", height) }
            }
            ModelKind::Figure => Model::Figure { height: usual(fields, "height", height, 1.8) },
            ModelKind::Hopper => {
                let section = self.section.get_or_insert(HopperSection::Round);
                fields.value("section", section);
                Model::Hopper {
                    section: *section,
                    outlet: given(fields, "outlet", &mut self.outlet),
                    top: given(fields, "top", &mut self.top),
                    angle: angle(fields, &mut self.angle),
                    bin: extra(fields, "bin", &mut self.bin),
                    wall: usual(fields, "wall", &mut self.wall, WALL),
                }
            }
            ModelKind::Hourglass => Model::Hourglass {
                neck: given(fields, "neck", &mut self.neck),
                bulb: given(fields, "bulb", &mut self.bulb),
                height: given(fields, "height", height),
                wall: usual(fields, "wall", &mut self.wall, WALL),
            },
            ModelKind::LBlock => {
                Model::LBlock { lengths: given_lengths(fields, lengths), arm: given(fields, "arm", arm) }
            }
            ModelKind::OBlock => {
                Model::OBlock { lengths: given_lengths(fields, lengths), arm: given(fields, "arm", arm) }
            }
            ModelKind::Pole => {
                let (radius, height) = (given(fields, "radius", radius), given(fields, "height", height));
                let rounded = self.rounded.get_or_insert(false);
                fields.value("rounded", rounded);
                Model::Pole { radius, height, rounded: *rounded }
            }
            ModelKind::Rabbit => Model::Rabbit { height: usual(fields, "height", height, 0.3) },
            ModelKind::Ring => {
                Model::Ring { radius: given(fields, "radius", radius), tube: given(fields, "tube", &mut self.tube) }
            }
            ModelKind::Slope => Model::Slope {
                height: given(fields, "height", height),
                angle: angle(fields, &mut self.angle),
                width: given(fields, "width", width),
                flat: extra(fields, "flat", &mut self.flat),
                wall: usual(fields, "wall", &mut self.wall, WALL),
            },
            ModelKind::Stick => Model::Stick {
                radius: usual(fields, "radius", radius, 0.01),
                length: usual(fields, "length", length, 0.3),
            },
            ModelKind::Tetrahedron => Model::Tetrahedron { edge: given(fields, "edge", &mut self.edge) },
            ModelKind::Tube => Model::Tube {
                radius: given(fields, "radius", radius),
                height: given(fields, "height", height),
                wall: usual(fields, "wall", &mut self.wall, WALL),
            },
            ModelKind::Tyre => {
                let radius = usual(fields, "radius", radius, 0.32);
                let hole = usual(fields, "hole", &mut self.hole, 0.625 * radius);
                Model::Tyre { radius, hole, width: usual(fields, "width", width, 0.625 * radius) }
            }
        }
    }
}

/// Thickness of walls by default \[m\].
const WALL: f64 = 0.005;

/// A length that must be given \[m\].
fn given(fields: &mut Fields<'_>, key: &'static str, length: &mut Option<f64>) -> f64 {
    fields.required(key, length, LENGTHS);
    length.unwrap_or(1.0)
}

fn given_lengths(fields: &mut Fields<'_>, lengths: &mut Option<[f64; 3]>) -> DVec3 {
    fields.required("lengths", lengths, LENGTHS);
    DVec3::from(lengths.unwrap_or([1.0; 3]))
}

/// A length of a thing whose size is known, which need not be given \[m\].
fn usual(fields: &mut Fields<'_>, key: &'static str, length: &mut Option<f64>, usual: f64) -> f64 {
    let length = length.get_or_insert(usual);
    fields.within(key, length, LENGTHS);
    *length
}

fn usual_lengths(fields: &mut Fields<'_>, lengths: &mut Option<[f64; 3]>, usual: [f64; 3]) -> DVec3 {
    let lengths = lengths.get_or_insert(usual);
    fields.within("lengths", lengths, LENGTHS);
    DVec3::from(*lengths)
}

/// A length that may be nothing \[m\].
fn extra(fields: &mut Fields<'_>, key: &'static str, length: &mut Option<f64>) -> f64 {
    let length = length.get_or_insert(0.0);
    fields.within(key, length, EXTENTS);
    *length
}

/// The angle of a wall or slope \[rad\].
fn angle(fields: &mut Fields<'_>, degrees: &mut Option<f64>) -> f64 {
    let degrees = degrees.get_or_insert(30.0);
    fields.within("angle", degrees, Range::Within(1.0, 89.0));
    degrees.to_radians()
}

impl Section for ModelSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        let was_missing = fields.is_reading() && !fields.has("kind");
        if was_missing {
            let kinds: Vec<&str> = ModelKind::WORDS.iter().map(|(word, _)| *word).collect();
            fields.missing("kind", Some(format!("write one of {}", kinds.join(", "))));
        }
        // Which other keys belong here depends on the kind.
        if was_missing || !fields.value("kind", &mut self.kind) {
            return fields.take_any_key();
        }
        self.describe_kind(fields);
        let mut segments = self.segments();
        fields.within("segments", &mut segments, SEGMENTS);
        self.segments = Some(segments);
    }
}

/// Kinds of models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "docs/scene.md describes each kind with its lengths")]
pub enum ModelKind {
    #[default]
    Ball,
    Banana,
    Blade,
    Block,
    Book,
    Brick,
    Card,
    Cart,
    Chair,
    Container,
    Cross,
    Cylinder,
    Figure,
    Hopper,
    Hourglass,
    LBlock,
    OBlock,
    Pole,
    Rabbit,
    Ring,
    Slope,
    Stick,
    Tetrahedron,
    Tube,
    Tyre,
}

impl Word for ModelKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("ball", Self::Ball),
        ("banana", Self::Banana),
        ("blade", Self::Blade),
        ("block", Self::Block),
        ("book", Self::Book),
        ("brick", Self::Brick),
        ("card", Self::Card),
        ("cart", Self::Cart),
        ("chair", Self::Chair),
        ("container", Self::Container),
        ("cross", Self::Cross),
        ("cylinder", Self::Cylinder),
        ("figure", Self::Figure),
        ("hopper", Self::Hopper),
        ("hourglass", Self::Hourglass),
        ("l_block", Self::LBlock),
        ("o_block", Self::OBlock),
        ("pole", Self::Pole),
        ("rabbit", Self::Rabbit),
        ("ring", Self::Ring),
        ("slope", Self::Slope),
        ("stick", Self::Stick),
        ("tetrahedron", Self::Tetrahedron),
        ("tube", Self::Tube),
        ("tyre", Self::Tyre),
    ];
}

impl Word for HopperSection {
    const WORDS: &'static [(&'static str, Self)] = &[("round", Self::Round), ("square", Self::Square)];
}
