//! A tyre: a profile like a C, open towards the axis, turned around it.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3};

use super::Mesh;
use super::around::{circle, level, solid};
use super::parts::at;
use crate::geometry::{Convex, ConvexPart, Hull};

/// Pieces around, as convex parts: their corners and middles are at most 1 % of the radius away
/// from the circle.
const PIECES: u32 = 16;

/// The lengths of a tyre \[m\].
#[derive(Clone, Copy)]
pub(super) struct Tyre {
    pub(super) radius: f64,
    pub(super) hole: f64,
    pub(super) width: f64,
}

impl Tyre {
    /// Thickness of tread and side walls.
    pub(super) fn wall(&self) -> f64 {
        self.width.min(self.radius - self.hole) / 8.0
    }

    /// Radius of the shoulders between tread and side walls, outside.
    pub(super) fn shoulder(&self) -> f64 {
        2.5 * self.wall()
    }

    /// The middle of the upper shoulder: distance from the axis and height.
    pub(super) fn bend(&self) -> DVec2 {
        DVec2::new(self.radius - self.shoulder(), 0.5 * self.width - self.shoulder())
    }

    /// Grooves in the tread: how deep, half as wide, and how far the outer ones are from the
    /// middle.
    pub(super) fn grooves(&self) -> (f64, f64, f64) {
        (0.4 * self.wall(), 0.025 * self.width, 0.13 * self.width)
    }

    pub(super) fn mesh(&self, segments: u32) -> Mesh {
        let (half, wall, bend) = (0.5 * self.width, self.wall(), self.bend());
        let steps = (segments / 8).max(2);
        // From the side wall to the tread.
        let arc = |radius: f64| {
            (0..=steps).map(move |k| {
                // Their ends are exact, so that the tyre is as wide as it should be.
                let way = match k {
                    0 => DVec2::Y,
                    k if k == steps => DVec2::X,
                    k => DVec2::from_angle(FRAC_PI_2 * (1.0 - f64::from(k) / f64::from(steps))),
                };
                bend + radius * way
            })
        };
        let (depth, narrow, apart) = self.grooves();
        let mut side = vec![DVec2::new(self.hole, half - wall), DVec2::new(self.hole, half)];
        side.extend(arc(self.shoulder()));
        let inside: Vec<DVec2> = arc(self.shoulder() - wall).collect();
        let below = |p: &DVec2| DVec2::new(p.x, -p.y);
        let mut profile = side.clone();
        for middle in [apart, 0.0, -apart] {
            let groove = [(0.0, narrow), (depth, narrow), (depth, -narrow), (0.0, -narrow)];
            profile.extend(groove.map(|(deep, off)| DVec2::new(self.radius - deep, middle + off)));
        }
        profile.extend(side.iter().rev().map(below));
        profile.extend(inside.iter().map(below));
        profile.extend(inside.iter().rev());
        // Drawn from the top down outside, so the other way round.
        profile.reverse();
        solid(&circle(segments), &[profile.iter().map(|p| level(p.x, p.y)).collect()])
    }

    /// Tread and side walls in pieces, each of them convex; shoulders belong half to one and half
    /// to the other.
    pub(super) fn parts(&self) -> Vec<ConvexPart> {
        let (half, wall, bend) = (0.5 * self.width, self.wall(), self.bend());
        let slanted = |radius: f64| bend + 0.5f64.sqrt() * radius * DVec2::ONE;
        let (outer, inner) = (slanted(self.shoulder()), slanted(self.shoulder() - wall));
        let side = [
            DVec2::new(self.hole, half - wall),
            DVec2::new(self.hole, half),
            DVec2::new(bend.x, half),
            outer,
            inner,
            DVec2::new(bend.x, half - wall),
        ];
        let crown = [DVec2::new(self.radius, bend.y), outer, inner, DVec2::new(self.radius - wall, bend.y)];
        let down = |points: &[DVec2]| points.iter().map(|p| DVec2::new(p.x, -p.y)).collect::<Vec<_>>();
        let sections = [[crown.to_vec(), down(&crown)].concat(), side.to_vec(), down(&side)];
        let half_angle = PI / f64::from(PIECES);
        // Corners as far out of the circle as the middles of the pieces are in it.
        let grown = 2.0 / (1.0 + half_angle.cos());
        let piece = |k: u32| {
            let turns = [-1.0, 1.0].map(|side| DVec2::from_angle(half_angle * (2.0 * f64::from(k) + side)));
            let hull = move |section: &Vec<DVec2>| {
                let corners = turns.iter().flat_map(|turn| section.iter().map(|p| (grown * p.x * *turn).extend(p.y)));
                let hull = Hull::new(&corners.collect::<Vec<DVec3>>());
                hull.unwrap_or_else(|| unreachable!("a piece of a checked tyre has a volume"))
            };
            sections.iter().map(hull).map(|hull| at(DVec3::ZERO, Convex::Hull(Box::new(hull)))).collect::<Vec<_>>()
        };
        (0..PIECES).flat_map(piece).collect()
    }
}
