//! Checks the lengths of a model. Lengths that pass make a closed mesh that does not intersect
//! itself.

use std::fmt;

use super::Model;
use super::hollow::Hopper;

/// Why there is no model with these lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelProblem {
    /// The length or angle that does not fit, as it is called in [`Model`].
    pub length: &'static str,
    /// The problem with it.
    pub what: String,
    /// A remedy.
    pub help: &'static str,
}

impl fmt::Display for ModelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)
    }
}

impl std::error::Error for ModelProblem {}

/// Lengths \[m\] whose squares neither overflow nor underflow.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// The smallest length of a model, relative to its largest: less would get lost in rounding, facet
/// by facet.
const FINEST: f64 = 1e-6;

/// Width and thickness of a tyre at least, relative to its radius: its walls are an eighth of that,
/// and their hulls need a volume.
const THINNEST_TYRE: f64 = 0.01;

/// The most facets around what is round: more are millions of triangles, and far below what anybody
/// sees.
const MOST_SEGMENTS: u32 = 4096;

/// Angles of slopes and hoppers \[°\]; towards 0 and 90 they become endless or flat.
const ANGLES: std::ops::RangeInclusive<f64> = 1.0..=89.0;

impl Model {
    /// Reports the first thing that makes the model impossible.
    pub fn check(&self) -> Result<(), ModelProblem> {
        let lengths = self.lengths();
        for &(length, value) in &lengths {
            if !LENGTHS.contains(&value) {
                let what = format!("`{length}` must be from 1e-9 to 1e9 m, got {value}");
                return Err(ModelProblem { length, what, help: "lengths are in metres" });
            }
        }
        self.check_fit()?;
        let largest = lengths.iter().map(|(_, value)| *value).fold(0.0, f64::max);
        for &(length, value) in &lengths {
            if value < FINEST * largest {
                let what = format!("`{length}` is less than a millionth of the model's largest length, {largest} m");
                return Err(ModelProblem { length, what, help: "make it larger" });
            }
        }
        Ok(())
    }

    /// All lengths by name, but for those that may be zero and are.
    fn lengths(&self) -> Vec<(&'static str, f64)> {
        let three = |lengths: glam::DVec3| lengths.to_array().map(|length| ("lengths", length)).to_vec();
        let mut all = match *self {
            Self::Ring { radius, tube } => vec![("radius", radius), ("tube", tube)],
            Self::Ball { radius } => vec![("radius", radius)],
            Self::Cylinder { radius, height } | Self::Pole { radius, height, .. } => {
                vec![("radius", radius), ("height", height)]
            }
            Self::Block { lengths } => three(lengths),
            Self::LBlock { lengths, arm } | Self::OBlock { lengths, arm } | Self::Cross { lengths, arm } => {
                [three(lengths), vec![("arm", arm)]].concat()
            }
            Self::Tetrahedron { edge } => vec![("edge", edge)],
            Self::Stick { radius, length } => vec![("radius", radius), ("length", length)],
            Self::Book { lengths } => three(lengths),
            Self::Chair { height } | Self::Figure { height } | Self::Rabbit { height } => vec![("height", height)],
            Self::Cart { length } | Self::Banana { length } => vec![("length", length)],
            Self::Tyre { radius, hole, width } => vec![("radius", radius), ("hole", hole), ("width", width)],
            Self::Slope { height, width, flat, wall, .. } => {
                vec![("height", height), ("width", width), ("flat", flat), ("wall", wall)]
            }
            Self::Blade { radius, width, height, wall } => {
                vec![("radius", radius), ("width", width), ("height", height), ("wall", wall)]
            }
            Self::Container { lengths, wall } => [three(lengths), vec![("wall", wall)]].concat(),
            Self::Tube { radius, height, wall } => vec![("radius", radius), ("height", height), ("wall", wall)],
            Self::Hopper { outlet, top, bin, wall, .. } => {
                vec![("outlet", outlet), ("top", top), ("bin", bin), ("wall", wall)]
            }
            Self::Hourglass { neck, bulb, height, wall } => {
                vec![("neck", neck), ("bulb", bulb), ("height", height), ("wall", wall)]
            }
        };
        all.retain(|&(length, value)| value != 0.0 || !["flat", "bin"].contains(&length));
        all
    }

    /// Whether one length leaves room for the others.
    fn check_fit(&self) -> Result<(), ModelProblem> {
        let refuse = |length, what, help| Err(ModelProblem { length, what, help });
        // An inner width equal to the outer one leaves no wall; a nearly equal one is lost in
        // rounding.
        let fits = |inner: f64, outer: f64| inner <= (1.0 - FINEST) * outer;
        match *self {
            Self::Ring { radius, tube } if !fits(tube, radius) => {
                let what = format!("a tube of radius {tube} m leaves no hole in a ring of radius {radius} m");
                refuse("tube", what, "make `tube` less than `radius`")
            }
            Self::Pole { radius, height, rounded: true } if !fits(radius, height) => {
                let what = format!("a round top of radius {radius} m does not fit on a pole {height} m high");
                refuse("height", what, "make `height` more than `radius`")
            }
            Self::LBlock { lengths, arm } | Self::Cross { lengths, arm } if !fits(arm, lengths.x.min(lengths.y)) => {
                let what = format!("arms {arm} m wide do not fit into lengths of {} m and {} m", lengths.x, lengths.y);
                refuse("arm", what, "make `arm` less than the first two `lengths`")
            }
            Self::OBlock { lengths, arm } if !fits(2.0 * arm, lengths.x.min(lengths.y)) => {
                let what = format!("a frame {arm} m wide leaves no hole in {} m by {} m", lengths.x, lengths.y);
                refuse("arm", what, "make `arm` less than half of the first two `lengths`")
            }
            Self::Stick { radius, length } if !fits(2.0 * radius, length) => {
                let what = format!("a stick that is {length} m long cannot have a radius of {radius} m");
                refuse("length", what, "make `length` more than two `radius`: then it is a ball")
            }
            Self::Tyre { radius, hole, .. } if hole > (1.0 - THINNEST_TYRE) * radius => {
                let what = format!("a hole of radius {hole} m leaves too little of a tyre of radius {radius} m");
                refuse("hole", what, "make `hole` at most 99 % of `radius`")
            }
            Self::Tyre { radius, width, .. } if width < THINNEST_TYRE * radius => {
                let what = format!("a tyre of radius {radius} m cannot be only {width} m wide");
                refuse("width", what, "make `width` at least 1 % of `radius`")
            }
            Self::Slope { angle, .. } | Self::Hopper { angle, .. } if !is_inclined(angle) => {
                let what = format!("an angle of {:.3}° is not from 1° to 89°", angle.to_degrees());
                refuse("angle", what, "a wall must be inclined, neither level nor upright")
            }
            Self::Blade { radius, height, .. } if height > 2.0 * radius => {
                let what = format!("a bend of radius {radius} m is not {height} m high");
                refuse("radius", what, "make `radius` at least half of `height`")
            }
            Self::Hopper { outlet, top, .. } if !fits(outlet, top) => {
                let what = format!("an outlet of {outlet} m is not narrower than the top, {top} m");
                refuse("outlet", what, "make `outlet` less than `top`, or use a tube")
            }
            Self::Hopper { section, outlet, top, angle, bin, wall } => {
                let hopper = Hopper { section, outlet, top, angle, bin, wall };
                if hopper.outer_cone() < FINEST * hopper.cone() {
                    let cone = hopper.cone();
                    let what = format!("a wall of {wall} m is too thick for an inclined part {cone:.3e} m high");
                    return refuse("wall", what, "make `wall` thinner, or `angle` smaller");
                }
                Ok(())
            }
            Self::Hourglass { neck, bulb, .. } if !fits(neck, bulb) => {
                let what = format!("a neck of {neck} m is not narrower than the bulbs, {bulb} m");
                refuse("neck", what, "make `neck` less than `bulb`")
            }
            _ => Ok(()),
        }
    }
}

/// Reports a number of facets around that no machine has the memory for.
pub(super) fn check_segments(segments: u32) -> Result<(), ModelProblem> {
    if segments <= MOST_SEGMENTS {
        return Ok(());
    }
    let what = format!("{segments} facets around are more than {MOST_SEGMENTS}");
    Err(ModelProblem { length: "segments", what, help: "32 look round, 200 perfectly so" })
}

/// Whether an angle \[rad\] is within `ANGLES`, up to rounding between degrees and radians.
fn is_inclined(angle: f64) -> bool {
    let rounded = (angle.to_degrees() * 1e9).round() * 1e-9;
    ANGLES.contains(&rounded)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::geometry::model::known::{SEGMENTS, assert_closed, v};
    use crate::geometry::{CavityPart, HopperSection};

    #[test]
    fn impossible_models_are_refused_by_name() {
        let lengths = v(0.6, 0.8, 0.2);
        let hopper =
            Model::Hopper { section: HopperSection::Round, outlet: 0.2, top: 1.0, angle: 0.5, bin: 0.0, wall: 0.05 };
        assert_eq!(hopper.check(), Ok(()));
        let hopper = |outlet, top, angle, bin, wall| Model::Hopper {
            section: HopperSection::Round,
            outlet,
            top,
            angle,
            bin,
            wall,
        };
        let hourglass = |neck, bulb, wall| Model::Hourglass { neck, bulb, height: 1.0, wall };
        let slope = |angle, flat| Model::Slope { height: 1.0, angle, width: 1.0, flat, wall: 0.1 };
        let cases = [
            (Model::Ring { radius: 0.1, tube: 0.1 }, "tube"),
            (Model::Ring { radius: -0.1, tube: 0.1 }, "radius"),
            (Model::Ring { radius: 1.0, tube: 1e-7 }, "tube"),
            (Model::Ball { radius: f64::NAN }, "radius"),
            (Model::Ball { radius: 1e-200 }, "radius"),
            (Model::Cylinder { radius: 1.0, height: 0.0 }, "height"),
            (Model::Pole { radius: 1.0, height: 1.0, rounded: true }, "height"),
            (Model::Block { lengths: v(1.0, f64::INFINITY, 1.0) }, "lengths"),
            (Model::LBlock { lengths, arm: 0.6 }, "arm"),
            (Model::OBlock { lengths, arm: 0.3 }, "arm"),
            (Model::Cross { lengths, arm: 0.7 }, "arm"),
            (Model::Tetrahedron { edge: 0.0 }, "edge"),
            (Model::Stick { radius: 0.1, length: 0.2 }, "length"),
            (Model::Book { lengths: v(0.2, 0.3, 1e-8) }, "lengths"),
            (Model::Chair { height: -1.0 }, "height"),
            (Model::Cart { length: 1e10 }, "length"),
            (Model::Tyre { radius: 0.3, hole: 0.3, width: 0.2 }, "hole"),
            (Model::Tyre { radius: 0.3, hole: 0.2, width: 0.0 }, "width"),
            (Model::Tyre { radius: 0.3, hole: 0.2, width: 0.002 }, "width"),
            (Model::Banana { length: f64::NAN }, "length"),
            (Model::Figure { height: 0.0 }, "height"),
            (Model::Rabbit { height: f64::INFINITY }, "height"),
            (slope(0.0, 0.0), "angle"),
            (slope(PI / 2.0, 0.0), "angle"),
            (slope(0.5, -1.0), "flat"),
            (Model::Blade { radius: 0.4, width: 1.0, height: 0.9, wall: 0.1 }, "radius"),
            (Model::Container { lengths, wall: 0.0 }, "wall"),
            (Model::Tube { radius: 1.0, height: 1.0, wall: -1.0 }, "wall"),
            (hopper(1.0, 1.0, 0.5, 0.0, 0.05), "outlet"),
            (hopper(0.2, 1.0, 1.57, 0.0, 0.05), "angle"),
            (hopper(0.2, 1.0, 0.5, f64::NAN, 0.05), "bin"),
            (hopper(0.2, 1.0, 0.5, 0.0, 4.0), "wall"),
            (hourglass(0.3, 0.2, 0.01), "neck"),
            (hourglass(0.1, 0.2, f64::NAN), "wall"),
        ];
        for (model, length) in cases {
            let problem = model.mesh(SEGMENTS).unwrap_err();
            assert_eq!(problem.length, length, "{model:?}: {problem}");
            assert!(model.cavity(CavityPart::Upper, SEGMENTS).is_err(), "{model:?}");
        }
        // Limiting lengths still make a model.
        for degrees in [1f64, 89.0] {
            assert_closed(&slope(degrees.to_radians(), 1e-4).mesh(SEGMENTS).unwrap(), "slope");
            let hopper = hopper(0.2, 0.201, degrees.to_radians(), 0.0, 1e-6);
            assert_closed(&hopper.mesh(SEGMENTS).unwrap(), "hopper");
        }
        assert_closed(&Model::Book { lengths: v(1e-6, 1.0, 1.0) }.mesh(3).unwrap(), "book");
        assert_closed(&Model::Tyre { radius: 1.0, hole: 0.99, width: 1.0 }.mesh(SEGMENTS).unwrap(), "tyre");
        assert_closed(&Model::Tyre { radius: 1.0, hole: 1e-6, width: 0.01 }.mesh(SEGMENTS).unwrap(), "tyre");
        assert_closed(&Model::Rabbit { height: 1e-9 }.mesh(3).unwrap(), "rabbit");
        assert_closed(&Model::Figure { height: 1e9 }.mesh(3).unwrap(), "figure");
        assert_closed(&Model::Ring { radius: 1e9, tube: 1e3 }.mesh(200).unwrap(), "ring");
        assert_closed(&Model::Blade { radius: 1.0, width: 1.0, height: 2.0, wall: 0.1 }.mesh(200).unwrap(), "blade");
        assert_closed(&Model::Blade { radius: 1e3, width: 1.0, height: 2e-3, wall: 2e-3 }.mesh(200).unwrap(), "blade");
        assert_closed(
            &Model::Hourglass { neck: 1e-6, bulb: 1.0, height: 1e-6, wall: 1e-6 }.mesh(200).unwrap(),
            "glass",
        );
    }
}
