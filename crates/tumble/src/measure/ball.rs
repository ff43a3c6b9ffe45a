//! The balls that bodies are made of, placed as in a frame: the input of all measures of a pile's
//! form.
//!
//! Reads a frame and the spheres of the shapes, as a recording's header lists them. A clump gives
//! several balls. Frames are in single precision; everything here goes on in double precision.

use glam::{DQuat, DVec3};

use crate::frame::Frame;
use crate::world::{BodyId, World};

/// One ball of a body, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre \[m\].
    pub centre: DVec3,
    /// Radius \[m\].
    pub radius: f64,
    /// The body it belongs to.
    pub body: BodyId,
}

/// All balls of a frame, in the order of the bodies.
///
/// `spheres_of` has one entry per shape: its spheres as x, y, z, radius \[m\] in the body's axes,
/// for size one. A body of an unknown shape has no balls, and a ball without a finite place and a
/// positive radius is left out, so that one damaged body does not make every number of a pile
/// useless.
pub fn balls(frame: &Frame, spheres_of: &[Vec<[f64; 4]>]) -> Vec<Ball> {
    let mut balls = Vec::with_capacity(frame.bodies.len());
    for body in &frame.bodies {
        let Some(spheres) = spheres_of.get(body.shape.index()) else { continue };
        let [w, x, y, z] = body.orientation.map(f64::from);
        let (turn, size) = (DQuat::from_xyzw(x, y, z, w).normalize(), f64::from(body.size));
        let place = DVec3::from_array(body.position.map(f64::from));
        for &[x, y, z, radius] in spheres {
            let ball =
                Ball { centre: place + turn * (size * DVec3::new(x, y, z)), radius: size * radius, body: body.id };
            // Squares and cubes of sizes must be numbers too.
            if ball.centre.abs().max_element() < 1e60 && (1e-60..1e60).contains(&ball.radius) {
                balls.push(ball);
            }
        }
    }
    balls
}

/// One ball for each body of a world, in the order of their ids, as wide as such bodies lie apart.
pub fn single_balls(world: &World) -> Vec<Ball> {
    let ball = |row: usize| Ball {
        centre: world.bodies.pose[row].position,
        radius: 0.5 * world.diameter(row),
        body: world.bodies.traits[row].id,
    };
    world.bodies.rows_by_id().map(ball).collect()
}

/// Diameters of all bodies \[m\], ascending: each is that of a ball about the mean of the body's
/// centres that holds the body.
pub(super) fn diameters(balls: &[Ball]) -> Vec<f64> {
    let mut sorted: Vec<&Ball> = balls.iter().collect();
    sorted.sort_by_key(|ball| ball.body);
    let diameter = |body: &[&Ball]| {
        let middle = body.iter().fold(DVec3::ZERO, |sum, ball| sum + ball.centre) / body.len() as f64;
        2.0 * body.iter().map(|ball| (ball.centre - middle).length() + ball.radius).fold(0.0, f64::max)
    };
    let mut diameters: Vec<f64> = sorted.chunk_by(|a, b| a.body == b.body).map(diameter).collect();
    diameters.sort_by(f64::total_cmp);
    diameters
}

/// The diameter of a grain of these balls \[m\], as all measures of a pile's form take it.
pub fn grain_diameter(balls: &[Ball]) -> f64 {
    typical_diameter(&diameters(balls))
}

/// The diameter that stands for all bodies of a pile \[m\]: the mean weighted by volume, so that
/// dust between stones does not decide how wide a bin is.
pub(super) fn typical_diameter(diameters: &[f64]) -> f64 {
    let sum = |power: i32| diameters.iter().map(|d| d.powi(power)).sum::<f64>();
    sum(4) / sum(3)
}

/// Balls turned so that up is z, in an order that does not depend on the order they came in. Sums
/// over them have the same bits whatever the order of the bodies was.
pub(super) fn upright(balls: &[Ball], up: DVec3) -> Vec<Ball> {
    let up = up.normalize_or(DVec3::Z);
    let (x, y) = up.any_orthonormal_pair();
    let turned = |ball: &Ball| {
        let centre = DVec3::new(x.dot(ball.centre), y.dot(ball.centre), up.dot(ball.centre));
        Ball { centre, ..*ball }
    };
    let mut balls: Vec<Ball> = balls.iter().map(turned).collect();
    let key = |ball: &Ball| [ball.centre.x, ball.centre.y, ball.centre.z, ball.radius];
    balls.sort_by(|a, b| {
        let pairs = key(a).into_iter().zip(key(b));
        pairs.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(a.body.cmp(&b.body))
    });
    balls
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::frame::FrameBody;
    use crate::world::ShapeId;

    /// A ball of radius one at rest; the tests of all measures are made of these.
    pub(in crate::measure) fn body(number: u64, position: DVec3) -> FrameBody {
        FrameBody { id: BodyId::from_number(number), position: position.as_vec3().to_array(), ..FrameBody::default() }
    }

    pub(in crate::measure) fn frame(bodies: Vec<FrameBody>) -> Frame {
        Frame { bodies, ..Frame::default() }
    }

    /// Every centre is a body of its own.
    pub(in crate::measure) fn single(centres: impl IntoIterator<Item = DVec3>, radius: f64) -> Vec<Ball> {
        let ball = |(number, centre)| Ball { centre, radius, body: BodyId::from_number(number as u64) };
        centres.into_iter().enumerate().map(ball).collect()
    }

    #[test]
    fn a_clump_is_scaled_turned_and_moved() {
        let mut clump = body(7, DVec3::new(1.0, 2.0, 3.0));
        // A quarter turn about z: x becomes y.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        (clump.size, clump.orientation) = (2.0, [half, 0.0, 0.0, half]);
        let found = balls(&frame(vec![clump]), &[vec![[0.5, 0.0, 0.0, 0.25], [-0.5, 0.0, 0.0, 0.1]]]);
        assert_eq!(found.len(), 2);
        assert!((found[0].centre - DVec3::new(1.0, 3.0, 3.0)).length() < 1e-6, "{found:?}");
        assert!((found[1].centre - DVec3::new(1.0, 1.0, 3.0)).length() < 1e-6, "{found:?}");
        assert_eq!((found[0].radius, found[1].radius, found[1].body.number()), (0.5, 0.2, 7));
        // The middle of the centres is the body's place, and the larger ball reaches 1.5 m from
        // there.
        assert!((diameters(&found)[0] - 3.0).abs() < 1e-6);
    }

    #[test]
    fn damaged_bodies_have_no_balls() {
        let mut bodies = vec![body(0, DVec3::ZERO), body(1, DVec3::NAN), body(2, DVec3::X), body(3, DVec3::Y)];
        bodies[2].shape = ShapeId(9);
        bodies[3].size = 0.0;
        let found = balls(&frame(bodies), &[vec![[0.0, 0.0, 0.0, 1.0]]]);
        assert_eq!(found.iter().map(|ball| ball.body.number()).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn dust_does_not_decide_the_diameter() {
        let mut diameters = vec![0.01; 10_000];
        diameters.extend([1.0; 100]);
        assert!((typical_diameter(&diameters) - 1.0).abs() < 1e-3);
    }
}
