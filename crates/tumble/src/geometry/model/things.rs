//! Known properties of books, chairs, carts, tyres, bananas, figures and rabbits. For tests.

use std::f64::consts::PI;

use glam::DVec3;

use super::Model;
use super::known::{Known, SEGMENTS, facetted, v};
use super::tyre::Tyre;

const TYRE: Tyre = Tyre { radius: 0.32, hole: 0.2, width: 0.2 };

/// Things with a volume in closed form.
pub(super) fn things() -> Vec<Known> {
    let round = facetted(SEGMENTS);
    let cavity = None;
    // The tyre: rings with rectangular sections, less the corners outside of the shoulders, plus
    // those inside of them.
    let Tyre { radius, hole, width } = TYRE;
    let (wall, shoulder) = (TYRE.wall(), TYRE.shoulder());
    let ring = |inner: f64, outer: f64, high: f64| PI * (outer * outer - inner * inner) * high;
    // The corner that a quarter circle leaves of a square with a corner at this radius: its area,
    // and 2π times its distance.
    let corner = |out: f64, bend: f64| {
        let quarter = 0.25 * PI * bend * bend;
        let middle = out - bend;
        2.0 * PI * (bend * bend * (middle + 0.5 * bend) - quarter * (middle + 4.0 / 3.0 * bend / PI))
    };
    let (depth, narrow, _) = TYRE.grooves();
    let filled = ring(hole, radius, width) - 2.0 * corner(radius, shoulder);
    let hollow = ring(hole, radius - wall, width - 2.0 * wall) - 2.0 * corner(radius - wall, shoulder - wall);
    let grooves = 3.0 * ring(radius - depth, radius, 2.0 * narrow);
    let box_volume = |[x, y, z]: [f64; 3]| x * y * z;
    // Seat, four legs, two posts, two slats and the broad one above.
    let chair = [
        box_volume([0.42, 0.42, 0.04]),
        4.0 * box_volume([0.04, 0.04, 0.41]),
        2.0 * box_volume([0.03, 0.035, 0.45]),
        0.35 * 0.02 * (2.0 * 0.06 + 0.1),
    ];
    // Floor, walls, beam, drawbar and its handle, axles and what they carry; wheels.
    let cart = [
        box_volume([1.0, 0.6, 0.03]),
        box_volume([1.0, 0.6, 0.27]) - box_volume([0.94, 0.54, 0.27]),
        box_volume([0.54, 0.06, 0.06]),
        box_volume([0.59, 0.04, 0.03]) + box_volume([0.03, 0.24, 0.03]),
        2.0 * (box_volume([0.06, 0.63, 0.05]) + box_volume([0.06, 0.44, 0.075])),
    ];
    let (cart, wheels): (f64, f64) = (cart.iter().sum(), 4.0 * PI * 0.16 * 0.16 * 0.06);
    vec![
        Known {
            model: Model::Stick { radius: 0.1, length: 0.8 },
            volume: PI * (0.01 * 0.6 + 4.0 / 3.0 * 0.001),
            facets: [0.98, 1.0],
            low: v(-0.1, -0.1, -0.4),
            high: v(0.1, 0.1, 0.4),
            holds: |p| p.distance(v(0.0, 0.0, p.z.clamp(-0.3, 0.3))) < 0.1,
            cavity,
        },
        Known {
            model: Model::Book { lengths: v(0.6, 0.9, 0.12) },
            volume: 0.6 * 0.9 * 0.02 + 0.1 * (0.01 * 0.9 + (0.6 - 0.01 - 0.018) * (0.9 - 0.036)),
            facets: [1.0; 2],
            low: v(-0.3, -0.45, -0.06),
            high: v(0.3, 0.45, 0.06),
            holds: |p| {
                let within = p.abs().cmplt(v(0.3, 0.45, 0.06)).all();
                let between = p.x < -0.29 || (p.x < 0.282 && p.y.abs() < 0.432);
                within && (p.z.abs() > 0.05 || between)
            },
            cavity,
        },
        Known {
            model: Model::Chair { height: 0.9 },
            volume: chair.iter().sum(),
            facets: [1.0; 2],
            low: v(-0.21, -0.21, 0.0),
            high: v(0.21, 0.21, 0.9),
            holds: |p| {
                let side = p.y.abs();
                let over = side < 0.21 && p.x.abs() < 0.21;
                let leg = over && side > 0.17 && p.x.abs() > 0.17;
                let post = over && side > 0.175 && p.x < -0.18 && p.z < 0.9;
                let high =
                    [[0.54, 0.6], [0.66, 0.72], [0.78, 0.88]].iter().any(|[low, high]| p.z > *low && p.z < *high);
                let slat = high && side < 0.175 && p.x > -0.205 && p.x < -0.185;
                p.z > 0.0 && if p.z < 0.41 { leg } else { (p.z < 0.45 && over) || (p.z > 0.45 && (post || slat)) }
            },
            cavity,
        },
        Known {
            model: Model::Cart { length: 1.0 },
            volume: cart + wheels,
            facets: [(cart + round * wheels) / (cart + wheels); 2],
            low: v(-0.5, -0.38, 0.0),
            high: v(0.95, 0.38, 0.56),
            holds: |p| {
                let DVec3 { x, y, z } = v(p.x, p.y.abs(), p.z);
                let bed = x.abs() < 0.5 && y < 0.3 && z > 0.26 && z < 0.56;
                let room = x.abs() < 0.47 && y < 0.27 && z > 0.29;
                let beam = x.abs() < 0.27 && y < 0.03 && z > 0.2 && z < 0.26;
                let bar = (x > 0.33 && x < 0.95) && y < if x < 0.92 { 0.02 } else { 0.12 } && z > 0.145 && z < 0.175;
                let axle = (x.abs() - 0.3).abs() < 0.03 && ((z - 0.16).abs() < 0.025 && y < 0.315);
                let post = (x.abs() - 0.3).abs() < 0.03 && y < 0.22 && z > 0.185 && z < 0.26;
                let wheel = (x.abs() - 0.3).hypot(z - 0.16) < 0.16 && (y - 0.35).abs() < 0.03;
                (bed && !room) || beam || bar || axle || post || wheel
            },
            cavity,
        },
        Known {
            model: Model::Tyre { radius, hole, width },
            volume: filled - hollow - grooves,
            facets: [0.98, 1.0],
            low: v(-0.32, -0.32, -0.1),
            high: v(0.32, 0.32, 0.1),
            holds: |p| {
                let (out, high) = (p.truncate().length(), p.z.abs());
                let within = |less: f64| {
                    let bend = TYRE.shoulder() - less;
                    let off = (glam::DVec2::new(out, high) - TYRE.bend()).max(glam::DVec2::ZERO);
                    off.length() < bend
                };
                let (depth, narrow, apart) = TYRE.grooves();
                let groove = out > TYRE.radius - depth && (high < narrow || (high - apart).abs() < narrow);
                out > TYRE.hole && within(0.0) && !within(TYRE.wall()) && !groove
            },
            cavity,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::super::known::assert_closed;
    use super::*;
    use crate::geometry::{MeshSurface, solid_moments};
    use crate::random::Draws;

    /// Things of a shape of their own.
    fn grown_things() -> [Model; 3] {
        [Model::Banana { length: 0.2 }, Model::Figure { height: 1.8 }, Model::Rabbit { height: 0.3 }]
    }

    #[test]
    fn grown_things_are_closed_and_in_their_place() {
        for model in grown_things() {
            let mesh = model.mesh(SEGMENTS).unwrap();
            assert_closed(&mesh, &format!("{model:?}"));
            let (low, high) = mesh.bounds();
            let centre = solid_moments(&mesh).centre;
            let place = match model {
                Model::Banana { length } => {
                    assert!((high.x - low.x - length).abs() < 1e-12, "{low} {high}");
                    centre
                }
                Model::Figure { height } | Model::Rabbit { height } => {
                    assert!(low.z.abs() < 1e-12 && (high.z - height).abs() < 1e-12, "{low} {high}");
                    assert!(
                        (low.y + high.y).abs() < 1e-3 * height,
                        "{model:?} is as wide on the left as on the right: {low} {high}"
                    );
                    centre.with_z(0.0)
                }
                _ => unreachable!(),
            };
            assert!(place.length() < 1e-12, "{model:?}: {centre}");
            // One piece without a hole through it: as many vertices as half the triangles, and two.
            let (vertices, triangles) = (mesh.vertices().len(), mesh.triangles().len());
            assert_eq!(vertices, triangles / 2 + 2, "{model:?}");
            assert!(vertices > 2000 && vertices < 3000, "{model:?}: {vertices} vertices");
        }
        for segments in [3, 6, 24, 200] {
            assert_closed(&Model::Banana { length: 1.0 }.mesh(segments).unwrap(), "banana");
        }
    }

    /// The angles of triangles: few are narrow, none is a sliver.
    #[test]
    fn grown_things_have_even_triangles() {
        for model in grown_things() {
            let mesh = model.mesh(SEGMENTS).unwrap();
            let smallest = |triangle: &[u32; 3]| {
                let [a, b, c] = triangle.map(|k| mesh.vertices()[k as usize]);
                (b - a).angle_between(c - a).min((a - b).angle_between(c - b)).min((a - c).angle_between(b - c))
            };
            let mut angles: Vec<f64> = mesh.triangles().iter().map(|t| smallest(t).to_degrees()).collect();
            angles.sort_unstable_by(f64::total_cmp);
            let (least, low, middle) = (angles[0], angles[angles.len() / 20], angles[angles.len() / 2]);
            assert!(least > 5.0 && low > 15.0 && middle > 35.0, "{model:?}: {least}° {low}° {middle}°");
        }
    }

    /// Convex parts fill these meshes and little else.
    #[test]
    fn parts_fit_grown_things() {
        for (number, model) in grown_things().into_iter().enumerate() {
            let mesh = model.mesh(SEGMENTS).unwrap();
            let parts = model.parts().unwrap().unwrap();
            let (low, high) = mesh.bounds();
            let size = (high - low).max_element();
            let surface = MeshSurface::new(mesh);
            let hulls: Vec<MeshSurface> = parts.iter().map(|part| MeshSurface::new(part.mesh(0))).collect();
            let (mut inside, mut covered, mut beyond, mut farthest) = (0, 0, 0, (0.0, DVec3::ZERO, 0));
            for id in 0..20_000 {
                let mut draws = Draws::new(13, number as u64, id);
                let point = low + (high - low) * (1.04 * v(draws.unit(), draws.unit(), draws.unit()) - 0.02);
                let distance = surface.signed_distance(point);
                let hull = hulls.iter().position(|hull| hull.signed_distance(point) < 0.0);
                inside += usize::from(distance < 0.0);
                covered += usize::from(distance < 0.0 && hull.is_some());
                if distance > 0.0
                    && let Some(hull) = hull
                {
                    beyond += 1;
                    if distance / size > farthest.0 {
                        farthest = (distance / size, point, hull);
                    }
                }
            }
            let [covered, beyond] = [covered, beyond].map(|count| count as f64 / inside as f64);
            let corners: Vec<usize> = parts.iter().map(|part| part.mesh(0).vertices().len()).collect();
            assert!(covered > 0.95 && beyond < 0.15 && farthest.0 < 0.03, "{model:?}: {covered} {beyond} {farthest:?}");
            assert!(corners.iter().all(|count| *count <= 32), "{model:?}: {corners:?}");
        }
    }

    /// However small or large, thin or thick, there are as many parts.
    #[test]
    fn parts_are_there_at_any_size() {
        for size in [1e-9, 1e-3, 1.0, 1e9] {
            let count = |model: Model| model.parts().unwrap().unwrap().len();
            assert_eq!(count(Model::Rabbit { height: size }), 12);
            assert_eq!(count(Model::Figure { height: size }), 14);
            assert_eq!(count(Model::Banana { length: size }), 6);
            let tyre = |hole: f64, width: f64| Model::Tyre { radius: size, hole: hole * size, width: width * size };
            for (hole, width) in [(0.6, 0.6), (0.99, 1.0), (0.99, 0.01), (0.01, 0.01), (0.01, 100.0)] {
                // Nothing may be shorter than a nanometre or longer than a million kilometres.
                if size > 1e-9 && size < 1e9 {
                    assert_eq!(count(tyre(hole, width)), 48);
                }
            }
        }
    }

    /// Finer rabbits are the same rabbit: closed, with four times the triangles, and about the same
    /// volume.
    #[test]
    fn creatures_are_as_fine_as_asked() {
        let rabbit = Model::Rabbit { height: 0.3 };
        let (coarse, fine) = (rabbit.mesh(48).unwrap(), rabbit.mesh(200).unwrap());
        assert_eq!(fine.triangles().len(), 16 * coarse.triangles().len());
        assert_eq!(crate::geometry::check_solid(&fine), Ok(()));
        let volume = |mesh: &crate::geometry::Mesh| crate::geometry::solid_moments(mesh).volume;
        assert!((volume(&fine) / volume(&coarse) - 1.0).abs() < 0.02);
    }
}
