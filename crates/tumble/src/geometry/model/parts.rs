//! Models as convex parts for the rigid solver: exact, or round where the mesh is facetted.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::creatures::Creature;
use super::tyre::Tyre;
use super::{Model, ModelProblem, banana, boxes};
use crate::geometry::{Convex, ConvexPart, Hull, Pose};

/// Capsules that a ring is made of: their middles are at most 1.7 % of the radius away from the
/// circle.
const CAPSULES: u32 = 12;

impl Model {
    /// The convex parts of the model; none if contacts with its mesh are better, as for
    /// hourglasses.
    pub fn parts(&self) -> Result<Option<Vec<ConvexPart>>, ModelProblem> {
        self.check()?;
        Ok(Some(match *self {
            Self::Ball { radius } => vec![at(DVec3::ZERO, Convex::Ball(radius))],
            Self::Cylinder { radius, height } => {
                vec![at(DVec3::ZERO, Convex::Cylinder { radius, half: 0.5 * height })]
            }
            Self::Pole { radius, height, rounded } => {
                let top = if rounded { height - radius } else { height };
                let mut parts = vec![at(0.5 * top * DVec3::Z, Convex::Cylinder { radius, half: 0.5 * top })];
                if rounded {
                    parts.push(at(top * DVec3::Z, Convex::Ball(radius)));
                }
                parts
            }
            Self::Ring { radius, tube } => ring(radius, tube),
            Self::Block { lengths } => vec![block(-0.5 * lengths, 0.5 * lengths)],
            Self::LBlock { lengths: DVec3 { x, y, z }, arm } => {
                let (foot, upright) = (x * arm, arm * (y - arm));
                let middle = (foot * DVec3::new(x, arm, 0.0) + upright * DVec3::new(arm, y + arm, 0.0))
                    / (2.0 * (foot + upright));
                let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) - middle;
                vec![
                    block(corner(0.0, 0.0, -0.5 * z), corner(x, arm, 0.5 * z)),
                    block(corner(0.0, arm, -0.5 * z), corner(arm, y, 0.5 * z)),
                ]
            }
            Self::OBlock { lengths, arm } => {
                let DVec3 { x, y, z } = 0.5 * lengths;
                let v = DVec3::new;
                vec![
                    block(v(-x, -y, -z), v(x, arm - y, z)),
                    block(v(-x, y - arm, -z), v(x, y, z)),
                    block(v(-x, arm - y, -z), v(arm - x, y - arm, z)),
                    block(v(x - arm, arm - y, -z), v(x, y - arm, z)),
                ]
            }
            Self::Cross { lengths, arm } => {
                let (DVec3 { x, y, z }, a) = (0.5 * lengths, 0.5 * arm);
                let v = DVec3::new;
                vec![
                    block(v(-x, -a, -z), v(x, a, z)),
                    block(v(-a, a, -z), v(a, y, z)),
                    block(v(-a, -y, -z), v(a, -a, z)),
                ]
            }
            Self::Tetrahedron { .. } => {
                let mesh = self.mesh(0)?;
                let hull = Hull::new(mesh.vertices()).unwrap_or_else(|| unreachable!("a tetrahedron has a volume"));
                vec![at(DVec3::ZERO, Convex::Hull(Box::new(hull)))]
            }
            Self::Stick { radius, length } => {
                vec![at(DVec3::ZERO, Convex::Capsule { radius, half: 0.5 * length - radius })]
            }
            Self::Book { lengths } => boxes::book_parts(lengths),
            Self::Chair { height } => boxes::chair_parts(height),
            Self::Cart { length } => boxes::cart_parts(length),
            Self::Tyre { radius, hole, width } => Tyre { radius, hole, width }.parts(),
            Self::Banana { length } => banana::banana_parts(length),
            Self::Figure { height } => Creature::figure().parts(height),
            Self::Rabbit { height } => Creature::rabbit().parts(height),
            Self::Container { lengths, wall } => {
                let (DVec3 { x, y, .. }, top) = (0.5 * lengths, lengths.z);
                let v = DVec3::new;
                vec![
                    block(v(-x - wall, -y - wall, -wall), v(x + wall, y + wall, 0.0)),
                    block(v(-x - wall, -y - wall, 0.0), v(-x, y + wall, top)),
                    block(v(x, -y - wall, 0.0), v(x + wall, y + wall, top)),
                    block(v(-x, -y - wall, 0.0), v(x, -y, top)),
                    block(v(-x, y, 0.0), v(x, y + wall, top)),
                ]
            }
            _ => return Ok(None),
        }))
    }
}

pub(super) fn at(position: DVec3, convex: Convex) -> ConvexPart {
    ConvexPart { convex, pose: Pose { position, ..Pose::IDENTITY } }
}

/// The box between two corners.
pub(super) fn block(low: DVec3, high: DVec3) -> ConvexPart {
    at(0.5 * (low + high), Convex::Box(0.5 * (high - low)))
}

/// Capsules along the sides of a polygon about the z axis whose sides are as far in as its corners
/// are out of the circle.
fn ring(radius: f64, tube: f64) -> Vec<ConvexPart> {
    let half_angle = PI / f64::from(CAPSULES);
    let corner = 2.0 * radius / (1.0 + half_angle.cos());
    let (middle, half) = (corner * half_angle.cos(), corner * half_angle.sin());
    let capsule = |k: u32| {
        let around = DQuat::from_rotation_z(2.0 * half_angle * f64::from(k));
        let along = around * DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        let pose = Pose { position: around * (middle * DVec3::X), orientation: along };
        ConvexPart { convex: Convex::Capsule { radius: tube, half }, pose }
    };
    (0..CAPSULES).map(capsule).collect()
}

#[cfg(test)]
mod tests {
    use super::super::known::*;
    use super::*;
    use crate::geometry::{MeshSurface, Moments};
    use crate::random::Draws;

    /// How far a point is outside of a part \[m\], from its extents along the normals of the mesh
    /// and a few more: never too much.
    fn outside(part: &ConvexPart, normals: &[DVec3], point: DVec3) -> f64 {
        let local = part.pose.to_local(point);
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
        // A round part is nearest in the direction from its axis.
        let round = [local, local.with_z(0.0)].map(DVec3::normalize_or_zero);
        let ends = [-1.0, 1.0].map(|side| match part.convex {
            Convex::Capsule { half, .. } => (local - side * half * DVec3::Z).normalize_or_zero(),
            _ => DVec3::X,
        });
        let along = axes
            .chain(round)
            .chain(ends)
            .chain(normals.iter().map(|n| part.pose.orientation.conjugate() * *n))
            .filter(|n| *n != DVec3::ZERO);
        along.map(|n| local.dot(n) - part.convex.extent(n)).fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn parts_fill_the_model() {
        let mut tested = 0;
        for Known { model, .. } in all_models() {
            let Some(parts) = model.parts().unwrap() else { continue };
            tested += 1;
            let mesh = model.mesh(64).unwrap();
            let (low, high) = mesh.bounds();
            let size = (high - low).max_element();
            // Their parts are straight where they are round.
            let is_bent = matches!(model, Model::Ring { .. } | Model::Tyre { .. });
            let surface = MeshSurface::new(mesh.clone());
            let normal = |k: u32| {
                let [a, b, c] = surface.corners(k);
                (b - a).cross(c - a).normalize()
            };
            let normals: Vec<DVec3> = (0..mesh.triangles().len() as u32).map(normal).collect();
            let slack = if is_bent { 0.02 } else { 0.006 };
            for id in 0..400 {
                let mut draws = Draws::new(4, 4, id);
                let place = DVec3::new(draws.unit(), draws.unit(), draws.unit());
                let point = low + place * (high - low);
                let distance = surface.signed_distance(point) / size;
                let of_parts =
                    parts.iter().map(|part| outside(part, &normals, point)).fold(f64::INFINITY, f64::min) / size;
                assert!(
                    distance > -slack || of_parts < slack,
                    "{model:?} at {point}: inside by {distance}, parts {of_parts}"
                );
                assert!(
                    distance < slack || of_parts > -slack,
                    "{model:?} at {point}: outside by {distance}, parts {of_parts}"
                );
            }
            // A union of disjoint boxes has exactly the moments of the mesh.
            if parts.iter().all(|part| matches!(part.convex, Convex::Box(_))) {
                let (all, known) =
                    (Moments::sum(parts.iter().map(ConvexPart::moments)), crate::geometry::solid_moments(&mesh));
                assert!((all.volume - known.volume).abs() < 1e-12 * known.volume, "{model:?}");
                assert!((all.centre - known.centre).length() < 1e-9 * size);
                assert!(
                    (all.inertia - known.inertia)
                        .to_cols_array()
                        .iter()
                        .all(|x| x.abs() < 1e-9 * known.volume * size * size)
                );
            }
        }
        assert!(tested >= 14, "{tested}");
    }
}
