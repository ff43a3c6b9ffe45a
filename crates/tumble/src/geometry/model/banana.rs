//! A banana: rings with five edges along a bend, thin at the stem and blunt at the tip.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};

use super::Mesh;
use super::hulls;
use crate::geometry::{ConvexPart, solid_moments};

/// How far it bends from end to end \[rad\].
const BEND: f64 = 1.5;

/// Radii at equal steps from the stem to the tip, over the length of the bend.
const RADII: [f64; 11] = [0.036, 0.029, 0.052, 0.083, 0.1, 0.105, 0.103, 0.096, 0.08, 0.048, 0.022];

/// How much of a pentagon the rings have; the rest is a circle.
const EDGED: f64 = 0.45;

/// Where one convex part ends and the next begins, from the stem to the tip.
const ENDS: [f64; 7] = [0.0, 0.14, 0.31, 0.5, 0.69, 0.86, 1.0];

/// Facets around the mesh that the convex parts are made from.
const USUAL: u32 = 48;

/// Radius at a part of the way, by the cubics of Catmull and Rom.
fn radius(way: f64) -> f64 {
    let last = RADII.len() - 1;
    let step = ((way * last as f64) as usize).min(last - 1);
    let part = way * last as f64 - step as f64;
    let [a, b, c, d] = [step.saturating_sub(1), step, step + 1, (step + 2).min(last)].map(|k| RADII[k]);
    b + 0.5 * part * (c - a + part * (2.0 * a - 5.0 * b + 4.0 * c - d + part * (3.0 * (b - c) + d - a)))
}

/// Rings from the stem to the tip, each with its part of the way, in units of the length of the
/// bend.
fn rings(segments: u32) -> Vec<(f64, Vec<DVec3>)> {
    // A multiple of five, so that every edge has its vertices; the rest is thinner than long, and
    // needs fewer facets.
    let around = 5 * (3 * segments / 20).max(1);
    let along = 2 * around;
    let ring = |step: u32| {
        let way = f64::from(step) / f64::from(along);
        let out = DVec2::from_angle(BEND * (way - 0.5) - 0.5 * PI);
        let corner = |k: u32| {
            let turn = TAU * f64::from(k) / f64::from(around);
            // From the middle of the side of a pentagon.
            let off = TAU / 5.0 * (f64::from(5 * k % around) / f64::from(around) - 0.5);
            let edged = 1.0 + EDGED * ((0.2 * PI).cos() / off.cos() - 1.0);
            let across = radius(way) * edged * DVec2::from_angle(turn);
            let far = (1.0 / BEND + across.x) * out;
            DVec3::new(far.x, across.y, far.y)
        };
        (way, (0..around).map(corner).collect())
    };
    (0..=along).map(ring).collect()
}

/// The mesh of a banana of this length along x \[m\], and the size and the shift that make it so.
fn placed(length: f64, segments: u32) -> (Mesh, impl Fn(DVec3) -> DVec3) {
    let rings = rings(segments);
    let around = rings[0].1.len() as u32;
    let mut vertices: Vec<DVec3> = rings.iter().flat_map(|(_, ring)| ring).copied().collect();
    let mut triangles = Vec::new();
    for ring in 1..rings.len() as u32 {
        for k in 0..around {
            let [this, next] = [k, (k + 1) % around].map(|k| ring * around + k);
            triangles.extend([[this, next - around, next], [this, this - around, next - around]]);
        }
    }
    let (first, last) = (vertices.len() as u32, vertices.len() as u32 + 1);
    for (_, ring) in [&rings[0], &rings[rings.len() - 1]] {
        vertices.push(ring.iter().sum::<DVec3>() / f64::from(around));
    }
    for k in 0..around {
        let (next, end) = ((k + 1) % around, first - around);
        triangles.extend([[first, next, k], [last, end + k, end + next]]);
    }
    let mesh = super::made(vertices, triangles);
    let (low, high) = mesh.bounds();
    let (size, centre) = (length / (high.x - low.x), solid_moments(&mesh).centre);
    let place = move |vertex: DVec3| size * (vertex - centre);
    (super::made(mesh.vertices().iter().map(|v| place(*v)).collect(), mesh.triangles().to_vec()), place)
}

pub(super) fn banana(length: f64, segments: u32) -> Mesh {
    placed(length, segments).0
}

pub(super) fn banana_parts(length: f64) -> Vec<ConvexPart> {
    let (_, place) = placed(length, USUAL);
    let rings = rings(USUAL);
    let part = |ends: &[f64]| {
        // Rings on both sides of an end belong to both parts, so that there is no gap.
        let slack = 0.5 / (rings.len() - 1) as f64;
        let within = |way: f64| way > ends[0] - slack && way < ends[1] + slack;
        let points = rings.iter().filter(|(way, _)| within(*way)).flat_map(|(_, ring)| ring);
        hulls::part(&points.map(|v| place(*v)).collect::<Vec<_>>())
    };
    ENDS.windows(2).map(part).collect()
}
