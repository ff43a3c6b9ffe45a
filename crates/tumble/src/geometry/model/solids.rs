//! Models without a cavity: balls, rings, cylinders, poles, blocks and the odd pieces piles are
//! made of.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};

use super::Mesh;
use super::around::{circle, level, solid, square};
use super::extrude::{fan, prism};

pub(super) fn ring(radius: f64, tube: f64, segments: u32) -> Mesh {
    // The tube is thinner than the ring is wide, and needs fewer facets for the same look.
    let around = circle((segments / 2).max(3));
    solid(&circle(segments), &[around.iter().map(|at| level(radius + tube * at.x, tube * at.y)).collect()])
}

pub(super) fn cylinder(radius: f64, low: f64, high: f64, segments: u32) -> Mesh {
    solid(&circle(segments), &[vec![level(0.0, low), level(radius, low), level(radius, high), level(0.0, high)]])
}

pub(super) fn pole(radius: f64, height: f64, rounded: bool, segments: u32) -> Mesh {
    if !rounded {
        return cylinder(radius, 0.0, height, segments);
    }
    let steps = (segments / 4).max(2);
    let dome = (0..steps).map(|k| DVec2::from_angle(FRAC_PI_2 * f64::from(k) / f64::from(steps)));
    let mut profile = vec![level(0.0, 0.0), level(radius, 0.0)];
    profile.extend(dome.map(|at| level(radius * at.x, height - radius + radius * at.y)));
    profile.push(level(0.0, height));
    solid(&circle(segments), &[profile])
}

/// A cylinder with half a ball on both ends.
pub(super) fn capsule(radius: f64, half: f64, segments: u32) -> Mesh {
    let steps = (segments / 4).max(2);
    let quarter = (1..steps).map(|k| DVec2::from_angle(FRAC_PI_2 * f64::from(k) / f64::from(steps)));
    let mut profile = vec![level(0.0, -half - radius)];
    profile.extend(quarter.clone().map(|at| level(radius * at.y, -half - radius * at.x)));
    profile.extend([level(radius, -half), level(radius, half)]);
    profile.extend(quarter.map(|at| level(radius * at.x, half + radius * at.y)));
    profile.push(level(0.0, half + radius));
    solid(&circle(segments), &[profile])
}

/// A ball of nearly equal triangles: an icosahedron whose sides are halved until they are about as
/// long as a segment.
pub(super) fn ball(radius: f64, segments: u32) -> Mesh {
    let pole = DVec3::Z;
    let belt = |k: u32, height: f64| {
        // Five corners lie on each of two circles, those of the lower one half way between those of
        // the upper.
        let turn = TAU * (f64::from(k) + if height < 0.0 { 0.5 } else { 0.0 }) / 5.0;
        (DVec2::from_angle(turn) * (1.0 - height * height).sqrt()).extend(height)
    };
    let height = 0.2f64.sqrt();
    let (upper, lower) = (|k: u32| belt(k % 5, height), |k: u32| belt(k % 5, -height));
    let mut faces: Vec<[DVec3; 3]> = (0..5)
        .flat_map(|k| {
            let (above, below) = ([upper(k), upper(k + 1)], [lower(k), lower(k + 1)]);
            let cap = [pole, above[0], above[1]];
            let middle = [[above[0], below[0], above[1]], [below[0], below[1], above[1]]];
            [cap, middle[0], middle[1], [-pole, below[1], below[0]]]
        })
        .collect();
    let halvings = (f64::from(segments) / 5.0).log2().round().max(0.0) as u32;
    for _ in 0..halvings {
        // The middle of an edge has the same bits seen from both sides, so equal vertices are found
        // and merged.
        let middle = |a: DVec3, b: DVec3| (a + b).normalize();
        faces = faces
            .into_iter()
            .flat_map(|[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    let vertices = faces.iter().flatten().map(|corner| radius * *corner).collect();
    super::made(vertices, (0..faces.len() as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect())
}

pub(super) fn tetrahedron(edge: f64) -> Mesh {
    // A quarter of the height lies below the centre.
    let (low, top) = (-edge / 24f64.sqrt(), edge * 0.375f64.sqrt());
    let foot = |k: u32| (DVec2::from_angle(TAU * f64::from(k) / 3.0) * (edge / 3f64.sqrt())).extend(low);
    let vertices = vec![foot(0), foot(1), foot(2), DVec3::new(0.0, 0.0, top)];
    super::made(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

pub(super) fn block(lengths: DVec3) -> Mesh {
    let half = 0.5 * lengths;
    let corners: Vec<DVec2> = square().iter().map(|corner| *corner * half.truncate()).collect();
    prism(&corners, &fan(4), lengths.z)
}

pub(super) fn l_block(lengths: DVec3, arm: f64) -> Mesh {
    let (x, y) = (lengths.x, lengths.y);
    // The foot along x and the rest of the upright, each with its own middle.
    let (foot, upright) = (x * arm, arm * (y - arm));
    let middle = (foot * DVec2::new(x, arm) + upright * DVec2::new(arm, y + arm)) / (2.0 * (foot + upright));
    let corners = [(0.0, 0.0), (x, 0.0), (x, arm), (arm, arm), (arm, y), (0.0, y)];
    prism(&corners.map(|(x, y)| DVec2::new(x, y) - middle), &fan(6), lengths.z)
}

pub(super) fn o_block(lengths: DVec3, arm: f64) -> Mesh {
    let half = 0.5 * lengths;
    let hole = half - DVec3::new(arm, arm, 0.0);
    let down = DVec3::new(1.0, 1.0, -1.0);
    solid(&square(), &[vec![hole * down, half * down, half, hole]])
}

pub(super) fn cross(lengths: DVec3, arm: f64) -> Mesh {
    let (x, y, a) = (0.5 * lengths.x, 0.5 * lengths.y, 0.5 * arm);
    let corners = [
        [(x, -a), (x, a), (a, a)],
        [(a, y), (-a, y), (-a, a)],
        [(-x, a), (-x, -a), (-a, -a)],
        [(-a, -y), (a, -y), (a, -a)],
    ];
    let corners: Vec<DVec2> = corners.into_iter().flatten().map(DVec2::from).collect();
    // The inner corners are 2, 5, 8 and 11: the square in the middle, and an arm between each two.
    let mut caps = vec![[2, 5, 8], [2, 8, 11]];
    caps.extend((0..4).flat_map(|k| {
        let [before, out, back, after] = [(3 * k + 11) % 12, 3 * k, 3 * k + 1, 3 * k + 2];
        [[before, out, back], [before, back, after]]
    }));
    prism(&corners, &caps, lengths.z)
}
