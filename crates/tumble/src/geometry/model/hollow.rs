//! Models with a cavity: containers, tubes, hoppers and hourglasses. Their lengths are those of the
//! cavity, the wall is around it.
//!
//! Wall and cavity share the points of their profiles, so a body that fits into the cavity does not
//! touch the wall.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::around::{circle, level, solid, square};
use super::{CavityPart, HopperSection, Mesh};

/// The outline of a section.
fn outline(section: HopperSection, segments: u32) -> Vec<DVec2> {
    match section {
        HopperSection::Round => circle(segments),
        HopperSection::Square => square(),
    }
}

pub(super) fn container(lengths: DVec3, wall: f64) -> Mesh {
    let inner = |height: f64| DVec3::new(0.5 * lengths.x, 0.5 * lengths.y, height);
    let outer = |height: f64| inner(height) + DVec3::new(wall, wall, 0.0);
    let profile = [level(0.0, -wall), outer(-wall), outer(lengths.z), inner(lengths.z), inner(0.0), level(0.0, 0.0)];
    solid(&square(), &[profile.to_vec()])
}

pub(super) fn container_cavity(lengths: DVec3) -> Mesh {
    let side = |height: f64| DVec3::new(0.5 * lengths.x, 0.5 * lengths.y, height);
    solid(&square(), &[vec![level(0.0, 0.0), side(0.0), side(lengths.z), level(0.0, lengths.z)]])
}

pub(super) fn tube(radius: f64, height: f64, wall: f64, segments: u32) -> Mesh {
    let outer = radius + wall;
    let profile = vec![level(radius, 0.0), level(outer, 0.0), level(outer, height), level(radius, height)];
    solid(&circle(segments), &[profile])
}

/// The lengths of a hopper.
#[derive(Clone, Copy)]
pub(super) struct Hopper {
    pub(super) section: HopperSection,
    pub(super) outlet: f64,
    pub(super) top: f64,
    pub(super) angle: f64,
    pub(super) bin: f64,
    pub(super) wall: f64,
}

impl Hopper {
    /// Height of the part that narrows \[m\].
    pub(super) fn cone(&self) -> f64 {
        0.5 * (self.top - self.outlet) / self.angle.tan()
    }

    /// Height at which the outside of the cone meets that of the bin \[m\]: the wall is equally
    /// thick around the edge.
    pub(super) fn outer_cone(&self) -> f64 {
        self.cone() - self.wall * (0.5 * self.angle).tan()
    }

    /// The inside of the wall, from the top down.
    fn inner(&self) -> Vec<DVec3> {
        let (bottom, top) = (0.5 * self.outlet, 0.5 * self.top);
        let mut inner = vec![level(top, self.cone()), level(bottom, 0.0)];
        if self.bin > 0.0 {
            inner.insert(0, level(top, self.cone() + self.bin));
        }
        inner
    }

    pub(super) fn mesh(&self, segments: u32) -> Mesh {
        let outer = 0.5 * self.top + self.wall;
        let mut profile = self.inner();
        profile.push(level(0.5 * self.outlet + self.wall / self.angle.cos(), 0.0));
        profile.extend([level(outer, self.outer_cone()), level(outer, self.cone() + self.bin)]);
        solid(&outline(self.section, segments), &[profile])
    }

    pub(super) fn cavity(&self, segments: u32) -> Mesh {
        let mut profile = vec![level(0.0, 0.0)];
        profile.extend(self.inner().iter().rev());
        profile.push(level(0.0, self.cone() + self.bin));
        solid(&outline(self.section, segments), &[profile])
    }
}

/// The lengths of an hourglass.
#[derive(Clone, Copy)]
pub(super) struct Hourglass {
    pub(super) neck: f64,
    pub(super) bulb: f64,
    pub(super) height: f64,
    pub(super) wall: f64,
}

impl Hourglass {
    /// Radius of the cavity at a height, and how fast it grows: a cosine, upright at the neck and
    /// at both ends.
    fn radius(&self, height: f64) -> (f64, f64) {
        let (wave, widening) = (TAU / self.height, 0.25 * (self.bulb - self.neck));
        let (sine, cosine) = (wave * height).sin_cos();
        (0.5 * self.neck + widening * (1.0 - cosine), widening * wave * sine)
    }

    /// Heights from the neck to the end of the upper bulb.
    fn heights(&self, segments: u32) -> impl DoubleEndedIterator<Item = f64> + Clone + use<> {
        let (steps, half) = ((segments / 4).max(3), 0.5 * self.height);
        (0..=steps).map(move |k| half * f64::from(k) / f64::from(steps))
    }

    pub(super) fn mesh(&self, segments: u32) -> Mesh {
        let upper = self.heights(segments);
        let heights = upper.clone().rev().map(|height| -height).chain(upper.skip(1));
        let end = 0.5 * self.height + self.wall;
        let outside = 0.5 * self.bulb + self.wall;
        let mut outer = vec![level(0.0, -end), level(outside, -end)];
        let mut inner = vec![level(0.0, -0.5 * self.height)];
        for height in heights {
            let (radius, growth) = self.radius(height);
            inner.push(level(radius, height));
            // Farther out where the wall leans, so that it is as thick as upright walls are;
            // nowhere farther than at the ends.
            let leaning = radius + self.wall * (1.0 + growth * growth).sqrt();
            outer.push(level(leaning.min(outside), height));
        }
        inner.push(level(0.0, 0.5 * self.height));
        outer.extend([level(outside, end), level(0.0, end)]);
        inner.reverse();
        solid(&circle(segments), &[outer, inner])
    }

    pub(super) fn cavity(&self, part: CavityPart, segments: u32) -> Mesh {
        let mut profile = vec![level(0.0, 0.0)];
        profile.extend(self.heights(segments).map(|height| level(self.radius(height).0, height)));
        profile.push(level(0.0, 0.5 * self.height));
        if part == CavityPart::Lower {
            profile.iter_mut().for_each(|point| point.z = -point.z);
            profile.reverse();
        }
        solid(&circle(segments), &[profile])
    }
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::super::known::*;
    use super::*;
    use crate::geometry::MeshSurface;
    use crate::random::Draws;

    /// A ball that lies wholly in a cavity does not touch the wall, and the cavity is as large as
    /// it should be.
    #[test]
    fn cavities_are_clear_of_their_walls() {
        for (number, Known { model, cavity: volume, .. }) in all_models().into_iter().enumerate() {
            let parts =
                [CavityPart::Upper, CavityPart::Lower].map(|part| (part, model.cavity(part, SEGMENTS).unwrap()));
            let count = parts.iter().filter(|(_, cavity)| cavity.is_some()).count();
            let expected = if matches!(model, Model::Hourglass { .. }) { 2 } else { usize::from(volume.is_some()) };
            assert_eq!(count, expected, "{model:?}");
            let wall = MeshSurface::new(model.mesh(SEGMENTS).unwrap());
            for (part, cavity) in parts.into_iter().filter_map(|(part, cavity)| Some((part, cavity?))) {
                let ratio = volume_and_moment(&cavity).0 / volume.unwrap();
                assert!(ratio > 0.99 && ratio < 1.0, "{model:?}: {ratio}");
                let (low, high) = cavity.bounds();
                assert!(if part == CavityPart::Upper { low.z > 0.0 } else { high.z < 0.0 }, "{model:?}: {low} {high}");
                let cavity = MeshSurface::new(cavity);
                let mut inside = 0;
                for id in 0..2000 {
                    let mut draws = Draws::new(12, number as u64, id);
                    let point = low + (high - low) * v(draws.unit(), draws.unit(), draws.unit());
                    let room = -cavity.signed_distance(point);
                    if room > 0.0 {
                        inside += 1;
                        assert!(wall.signed_distance(point) > room, "{model:?} at {point}");
                    }
                }
                assert!(inside > 500, "{model:?}: {inside}");
            }
        }
    }

    #[test]
    fn cavities_fill_their_models() {
        // Exactly known where no profile is curved: the facets, and a millionth less on every side.
        for Known { model, cavity, .. } in hollow_models() {
            let shrunk = (1.0 - 1e-6f64).powi(3);
            let facets = match model {
                Model::Container { .. } | Model::Hopper { section: HopperSection::Square, .. } => 1.0,
                Model::Hourglass { .. } => continue,
                _ => facetted(SEGMENTS),
            };
            let (found, _) = volume_and_moment(&model.cavity(CavityPart::Upper, SEGMENTS).unwrap().unwrap());
            assert!((found / cavity.unwrap() / facets / shrunk - 1.0).abs() < 1e-9, "{model:?}: {found}");
        }
    }
}
