//! Closed forms for the models: volumes, bounding boxes, cavities, and which points they hold; and
//! measures of meshes. For tests.

use std::f64::consts::{FRAC_PI_6, PI, TAU};

use glam::DVec3;

use super::things::things;
use super::{HopperSection, Mesh, Model};
use crate::geometry::MeshSurface;

pub(super) const SEGMENTS: u32 = 48;

/// Area of a polygon with corners on a circle, over that of the circle.
pub(super) fn facetted(segments: u32) -> f64 {
    let n = f64::from(segments);
    n / TAU * (TAU / n).sin()
}

pub(super) fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// The closed forms of a model.
pub(super) struct Known {
    pub(super) model: Model,
    /// Volume of the true solid \[m³\].
    pub(super) volume: f64,
    /// Volume of the mesh over it; known exactly for all but curved profiles, there as smallest and
    /// largest.
    pub(super) facets: [f64; 2],
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// Whether a point lies in the true solid.
    pub(super) holds: fn(DVec3) -> bool,
    /// Volume of the cavity.
    pub(super) cavity: Option<f64>,
}

/// Distance from the z axis.
fn off_axis(p: DVec3) -> f64 {
    p.truncate().length()
}

/// Whether a point lies in a box about the origin with these full lengths.
fn in_box(p: DVec3, lengths: DVec3) -> bool {
    p.abs().cmplt(0.5 * lengths).all()
}

/// Volume of a cone cut off between two radii.
fn frustum(one: f64, two: f64, height: f64) -> f64 {
    PI * height / 3.0 * (one * one + one * two + two * two)
}

const GLASS: [f64; 4] = [0.1, 0.6, 1.2, 0.04];

/// Outlet, top, bin and wall of the hoppers, whose half-angle has the sine 1/2.
const HOPPER: [f64; 4] = [0.2, 1.0, 0.3, 0.05];

fn cone_height() -> f64 {
    0.4 / FRAC_PI_6.tan()
}

/// Half width of a hopper's inside and outside at a height.
fn hopper_sides(z: f64) -> (f64, f64) {
    let inner = (0.1 + z * FRAC_PI_6.tan()).min(0.5);
    let outer = (0.1 + 0.05 / FRAC_PI_6.cos() + z * FRAC_PI_6.tan()).min(0.55);
    (inner, outer)
}

/// Radius of an hourglass' inside.
fn glass_radius(z: f64) -> f64 {
    let [neck, bulb, height, _] = GLASS;
    0.5 * neck + 0.25 * (bulb - neck) * (1.0 - (TAU * z / height).cos())
}

pub(super) fn solid_models() -> Vec<Known> {
    let round = facetted(SEGMENTS);
    let cavity = None;
    let centred = |model, volume, facets, lengths: DVec3, holds| Known {
        model,
        volume,
        facets,
        low: -0.5 * lengths,
        high: 0.5 * lengths,
        holds,
        cavity,
    };
    let lengths = v(0.6, 0.8, 0.2);
    // Middle of an L: its foot is 0.6 × 0.1, the rest of its upright 0.1 × 0.7.
    let middle = (0.06 * v(0.3, 0.05, 0.0) + 0.07 * v(0.05, 0.45, 0.0)) / 0.13;
    vec![
        centred(
            Model::Ring { radius: 1.0, tube: 0.3 },
            2.0 * PI * PI * 0.09,
            [round * facetted(SEGMENTS / 2); 2],
            v(2.6, 2.6, 0.6),
            |p| (off_axis(p) - 1.0).hypot(p.z) < 0.3,
        ),
        centred(
            Model::Ball { radius: 0.5 },
            4.0 / 3.0 * PI * 0.125,
            [0.985, 0.995],
            // The icosahedron has a corner above and below, and reaches the full radius in x.
            v(1.0, 1.0, 1.0),
            |p| p.length() < 0.5,
        ),
        centred(Model::Cylinder { radius: 0.3, height: 0.8 }, PI * 0.072, [round; 2], v(0.6, 0.6, 0.8), |p| {
            off_axis(p) < 0.3 && p.z.abs() < 0.4
        }),
        Known {
            model: Model::Pole { radius: 0.1, height: 1.5, rounded: false },
            volume: PI * 0.015,
            facets: [round; 2],
            low: v(-0.1, -0.1, 0.0),
            high: v(0.1, 0.1, 1.5),
            holds: |p| off_axis(p) < 0.1 && p.z > 0.0 && p.z < 1.5,
            cavity,
        },
        Known {
            model: Model::Pole { radius: 0.4, height: 0.7, rounded: true },
            volume: PI * (0.16 * 0.3 + 2.0 / 3.0 * 0.064),
            facets: [0.98, round],
            low: v(-0.4, -0.4, 0.0),
            high: v(0.4, 0.4, 0.7),
            holds: |p| off_axis(p) < 0.4 && p.z > 0.0 && off_axis(p).hypot((p.z - 0.3).max(0.0)) < 0.4,
            cavity,
        },
        centred(Model::Block { lengths }, 0.096, [1.0; 2], lengths, |p| in_box(p, v(0.6, 0.8, 0.2))),
        Known {
            model: Model::LBlock { lengths, arm: 0.1 },
            volume: 0.13 * 0.2,
            facets: [1.0; 2],
            low: v(-middle.x, -middle.y, -0.1),
            high: v(0.6 - middle.x, 0.8 - middle.y, 0.1),
            holds: |p| {
                let p = p + (0.06 * v(0.3, 0.05, 0.0) + 0.07 * v(0.05, 0.45, 0.0)) / 0.13;
                let within = p.x > 0.0 && p.x < 0.6 && p.y > 0.0 && p.y < 0.8 && p.z.abs() < 0.1;
                within && (p.x < 0.1 || p.y < 0.1)
            },
            cavity,
        },
        centred(Model::OBlock { lengths, arm: 0.1 }, (0.48 - 0.24) * 0.2, [1.0; 2], lengths, |p| {
            in_box(p, v(0.6, 0.8, 0.2)) && !in_box(p, v(0.4, 0.6, 1.0))
        }),
        centred(Model::Cross { lengths, arm: 0.1 }, 0.13 * 0.2, [1.0; 2], lengths, |p| {
            in_box(p, v(0.6, 0.1, 0.2)) || in_box(p, v(0.1, 0.8, 0.2))
        }),
        Known {
            model: Model::Tetrahedron { edge: 1.0 },
            volume: 1.0 / 72f64.sqrt(),
            facets: [1.0; 2],
            low: v(-0.5 / 3f64.sqrt(), -0.5, -1.0 / 24f64.sqrt()),
            high: v(1.0 / 3f64.sqrt(), 0.5, 0.375f64.sqrt()),
            holds: |p| {
                // Half way to a corner of the ball around it, for each side.
                let height = 1.0 / 24f64.sqrt();
                let corner = |turn: f64| v(turn.cos() / 3f64.sqrt(), turn.sin() / 3f64.sqrt(), -height).normalize();
                let corners = [DVec3::Z, corner(0.0), corner(TAU / 3.0), corner(2.0 * TAU / 3.0)];
                corners.iter().all(|corner| p.dot(-*corner) < height)
            },
            cavity,
        },
        Known {
            model: Model::Slope { height: 0.5, angle: FRAC_PI_6, width: 0.4, flat: 0.3, wall: 0.1 },
            volume: 0.4 * (0.25 * 0.75f64.sqrt() + (0.75f64.sqrt() + 0.3) * 0.1),
            facets: [1.0; 2],
            low: v(-(0.75f64.sqrt()), -0.2, -0.1),
            high: v(0.3, 0.2, 0.5),
            holds: |p| {
                let within = p.x > -(0.75f64.sqrt()) && p.x < 0.3 && p.y.abs() < 0.2;
                within && p.z > -0.1 && p.z < (-p.x * FRAC_PI_6.tan()).max(0.0)
            },
            cavity,
        },
        Known {
            model: Model::Slope { height: 0.5, angle: FRAC_PI_6, width: 0.4, flat: 0.0, wall: 0.1 },
            volume: 0.4 * (0.25 + 0.1) * 0.75f64.sqrt(),
            facets: [1.0; 2],
            low: v(-(0.75f64.sqrt()), -0.2, -0.1),
            high: v(0.0, 0.2, 0.5),
            holds: |p| {
                let within = p.x > -(0.75f64.sqrt()) && p.x < 0.0 && p.y.abs() < 0.2;
                within && p.z > -0.1 && p.z < -p.x * FRAC_PI_6.tan()
            },
            cavity,
        },
        Known {
            model: Model::Blade { radius: 0.5, width: 1.2, height: 0.6, wall: 0.05 },
            // Moving the front makes the back, so the section is as large as that of an upright
            // plate.
            volume: 0.05 * 0.6 * 1.2,
            facets: [1.0; 2],
            // The bend is 0.5 - √(0.5² - 0.3²) deep.
            low: v(-0.15, -0.6, 0.0),
            high: v(0.0, 0.6, 0.6),
            holds: |p| {
                let front = 0.4 - (0.25 - (p.z - 0.3) * (p.z - 0.3)).max(0.0).sqrt();
                p.y.abs() < 0.6 && p.z > 0.0 && p.z < 0.6 && p.x < front && p.x > front - 0.05
            },
            cavity,
        },
    ]
}

pub(super) fn hollow_models() -> Vec<Known> {
    let round = facetted(SEGMENTS);
    let [outlet, top, bin, wall] = HOPPER;
    let hopper = |section| Model::Hopper { section, outlet, top, angle: FRAC_PI_6, bin, wall };
    let cone = cone_height();
    // The outside of the cone reaches the outside of the bin a little lower than the inside does.
    let (bottom, turn) = (0.1 + wall / FRAC_PI_6.cos(), cone - wall * (0.5 * FRAC_PI_6).tan());
    let inside = frustum(0.1, 0.5, cone) + PI * 0.25 * bin;
    let around = frustum(bottom, 0.55, turn) + PI * 0.55 * 0.55 * (cone + bin - turn) - inside;
    let [neck, bulb, height, glass] = GLASS;
    // The mean of the squared radius: that of the mean radius, and half the squared amplitude.
    let (mean, amplitude) = (0.25 * (neck + bulb), 0.25 * (bulb - neck));
    let bulbs = PI * height * (mean * mean + 0.5 * amplitude * amplitude);
    let shell = {
        // No closed form: the midpoint rule, far finer than the facets.
        let steps = 100_000;
        let rings = (0..steps).map(|k| {
            let z = height * ((f64::from(k) + 0.5) / f64::from(steps) - 0.5);
            let growth = amplitude * TAU / height * (TAU * z / height).sin();
            let outer = glass_radius(z) + glass * (1.0 + growth * growth).sqrt();
            PI * (outer * outer - glass_radius(z) * glass_radius(z))
        });
        let ends = 2.0 * PI * (0.5 * bulb + glass) * (0.5 * bulb + glass) * glass;
        rings.sum::<f64>() * height / f64::from(steps) + ends
    };
    vec![
        Known {
            model: Model::Container { lengths: v(0.6, 0.8, 0.5), wall: 0.1 },
            volume: 0.8 * 1.0 * 0.6 - 0.6 * 0.8 * 0.5,
            facets: [1.0; 2],
            low: v(-0.4, -0.5, -0.1),
            high: v(0.4, 0.5, 0.5),
            holds: |p| {
                let outer = p.x.abs() < 0.4 && p.y.abs() < 0.5 && p.z > -0.1 && p.z < 0.5;
                outer && !(p.x.abs() < 0.3 && p.y.abs() < 0.4 && p.z > 0.0)
            },
            cavity: Some(0.24),
        },
        Known {
            model: Model::Tube { radius: 0.3, height: 1.0, wall: 0.05 },
            volume: PI * (0.35 * 0.35 - 0.09),
            facets: [round; 2],
            low: v(-0.35, -0.35, 0.0),
            high: v(0.35, 0.35, 1.0),
            holds: |p| p.z > 0.0 && p.z < 1.0 && off_axis(p) > 0.3 && off_axis(p) < 0.35,
            cavity: Some(PI * 0.09),
        },
        Known {
            model: hopper(HopperSection::Round),
            volume: around,
            facets: [round; 2],
            low: v(-0.55, -0.55, 0.0),
            high: v(0.55, 0.55, cone + bin),
            holds: |p| {
                let (inner, outer) = hopper_sides(p.z);
                p.z > 0.0 && p.z < cone_height() + HOPPER[2] && off_axis(p) > inner && off_axis(p) < outer
            },
            cavity: Some(inside),
        },
        Known {
            model: hopper(HopperSection::Square),
            // As the round one, with squares for circles.
            volume: around * 4.0 / PI,
            facets: [1.0; 2],
            low: v(-0.55, -0.55, 0.0),
            high: v(0.55, 0.55, cone + bin),
            holds: |p| {
                let (inner, outer) = hopper_sides(p.z);
                let off = p.x.abs().max(p.y.abs());
                p.z > 0.0 && p.z < cone_height() + HOPPER[2] && off > inner && off < outer
            },
            cavity: Some(inside * 4.0 / PI),
        },
        Known {
            model: Model::Hourglass { neck, bulb, height, wall: glass },
            volume: shell,
            facets: [0.985, 1.0],
            low: v(-0.34, -0.34, -0.64),
            high: v(0.34, 0.34, 0.64),
            holds: |p| {
                let growth = 0.125 * TAU / 1.2 * (TAU * p.z / 1.2).sin();
                let outer = glass_radius(p.z) + 0.04 * (1.0 + growth * growth).sqrt();
                match p.z.abs() {
                    z if z < 0.6 => off_axis(p) > glass_radius(p.z) && off_axis(p) < outer,
                    z => z < 0.64 && off_axis(p) < 0.34,
                }
            },
            cavity: Some(0.5 * bulbs),
        },
    ]
}

pub(super) fn all_models() -> Vec<Known> {
    solid_models().into_iter().chain(things()).chain(hollow_models()).collect()
}

/// Volume and first moment of a closed mesh: sums of tetrahedra with a corner at the origin.
pub(super) fn volume_and_moment(mesh: &Mesh) -> (f64, DVec3) {
    let mut sum = (0.0, DVec3::ZERO);
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|vertex| mesh.vertices()[vertex as usize]);
        let volume = a.dot(b.cross(c)) / 6.0;
        sum = (sum.0 + volume, sum.1 + 0.25 * volume * (a + b + c));
    }
    sum
}

/// Every edge belongs to two triangles, which run along it in opposite directions; the whole lies
/// where the outside is out.
pub(super) fn assert_closed(mesh: &Mesh, name: &str) {
    let sides = |t: &[u32; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let mut there: Vec<(u32, u32)> = mesh.triangles().iter().flat_map(sides).collect();
    let mut back: Vec<(u32, u32)> = there.iter().map(|&(a, b)| (b, a)).collect();
    there.sort_unstable();
    back.sort_unstable();
    assert!(there.windows(2).all(|pair| pair[0] != pair[1]), "{name}: an edge is run along twice");
    assert_eq!(there, back, "{name}: an edge is run along one way only");
    assert!(MeshSurface::new(mesh.clone()).is_closed(), "{name}");
    assert!(volume_and_moment(mesh).0 > 0.0, "{name}");
}
