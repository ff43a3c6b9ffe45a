//! Solids around the z axis: a profile is carried around an outline and closes on itself or at the
//! axis.
//!
//! A circle as outline makes surfaces of revolution, a square makes boxes, pyramids and square
//! rings. Vertices are numbered, not compared, so that the result is closed whatever rounding does.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::Mesh;

/// A circle seen from above, counter-clockwise, with this many corners, all of them on it.
pub(super) fn circle(segments: u32) -> Vec<DVec2> {
    (0..segments).map(|k| DVec2::from_angle(TAU * f64::from(k) / f64::from(segments))).collect()
}

/// The square from -1 to 1 seen from above, counter-clockwise.
pub(super) fn square() -> Vec<DVec2> {
    vec![DVec2::new(1.0, 1.0), DVec2::new(-1.0, 1.0), DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0)]
}

/// A point of a profile that has the same half width \[m\] in x and y, at this height \[m\].
pub(super) fn level(half: f64, height: f64) -> DVec3 {
    DVec3::new(half, half, height)
}

/// The solid whose cross-section right of the axis is bounded by these profiles.
///
/// The points of a profile are half widths in x and y and a height \[m\]. A profile goes around the
/// solid counter-clockwise, with x to the right and z up, so around a void clockwise; its last
/// point is joined to the first. On the axis the half widths are zero.
pub(super) fn solid(outline: &[DVec2], profiles: &[Vec<DVec3>]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for profile in profiles {
        let rings: Vec<Ring> = profile.iter().map(|&point| Ring::new(point, outline, &mut vertices)).collect();
        for (at, this) in rings.iter().enumerate() {
            let next = &rings[(at + 1) % rings.len()];
            for k in 0..outline.len() as u32 {
                let corners = [this.vertex(k), this.vertex(k + 1), next.vertex(k + 1), next.vertex(k)];
                let halves = [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]];
                // At the axis one side of the strip is a point, and half of it is left.
                triangles.extend(halves.into_iter().filter(|[a, b, c]| a != b && b != c && c != a));
            }
        }
    }
    super::made(vertices, triangles)
}

/// The vertices of one point of a profile.
struct Ring {
    first: u32,
    count: u32,
}

impl Ring {
    fn new(point: DVec3, outline: &[DVec2], vertices: &mut Vec<DVec3>) -> Self {
        let first = vertices.len() as u32;
        if point.x == 0.0 && point.y == 0.0 {
            vertices.push(point);
        } else {
            vertices.extend(outline.iter().map(|side| (*side * point.truncate()).extend(point.z)));
        }
        Self { first, count: vertices.len() as u32 - first }
    }

    fn vertex(&self, k: u32) -> u32 {
        self.first + k % self.count
    }
}
