//! Particles that follow grains: closed forms of their motion, real heaps, the same bits, and
//! nothing where it should not be.

mod bits;
#[path = "../common/mod.rs"]
mod common;
mod flight;
mod heaps;
mod obstacles;
mod weights;

use glam::{DVec3, Vec3};
use tumble::detail::{Detail, DetailSettings, DetailShape, DetailSurface};
use tumble::world::{BodyId, ShapeSphere};
use tumble::{Frame, FrameBody, FrameDetail, FrameParticle, FramePose};

/// Radius of the carriers here \[m\].
const RADIUS: f64 = 0.01;

/// Time between two frames \[s\].
const TIME: f64 = 1.0 / 30.0;

/// A sphere as a carrier, and a ball of twice its radius as something that is none.
fn shapes() -> Vec<DetailShape> {
    let sphere = |radius| vec![ShapeSphere { offset: DVec3::ZERO, radius }];
    vec![
        DetailShape { spheres: sphere(RADIUS), mesh: None, is_carrier: true },
        DetailShape { spheres: sphere(2.0 * RADIUS), mesh: None, is_carrier: false },
    ]
}

/// A frame with carriers at places, with velocities, and one pose per obstacle.
fn frame(number: i64, carriers: impl IntoIterator<Item = (DVec3, DVec3)>, obstacles: &[DVec3]) -> Frame {
    let body = |(index, (place, velocity)): (u32, (DVec3, DVec3))| FrameBody {
        id: BodyId { index, generation: 0 },
        position: place.as_vec3().to_array(),
        velocity: velocity.as_vec3().to_array(),
        ..FrameBody::default()
    };
    let pose = |place: &DVec3| FramePose { position: place.as_vec3().to_array(), orientation: [1.0, 0.0, 0.0, 0.0] };
    Frame {
        number,
        time: number as f64 * TIME,
        bodies: (0..).zip(carriers).map(body).collect(),
        obstacles: obstacles.iter().map(pose).collect(),
        ..Frame::default()
    }
}

/// Places on a cubic lattice of touching carriers, n to a side, the lowest layer on the plane
/// z = 0.
fn lattice(n: i32) -> Vec<DVec3> {
    let place = |x, y, z| 2.0 * RADIUS * DVec3::new(f64::from(x), f64::from(y), f64::from(z) + 0.5);
    (0..n).flat_map(|z| (0..n).flat_map(move |y| (0..n).map(move |x| place(x, y, z)))).collect()
}

fn detail(settings: DetailSettings, surfaces: &[DetailSurface], first: &Frame) -> Detail {
    let (detail, warnings) = Detail::new(settings, &shapes(), surfaces, first).unwrap();
    assert!(warnings.is_empty());
    detail
}

fn shown(detail: &Detail) -> Vec<FrameParticle> {
    let mut shown = FrameDetail::default();
    detail.show(&mut shown);
    shown.particles
}

fn advance(detail: &mut Detail, frame: &Frame) -> Vec<FrameParticle> {
    detail.advance(frame);
    shown(detail)
}

fn place(particle: &FrameParticle) -> Vec3 {
    Vec3::from(particle.position)
}

fn velocity(particle: &FrameParticle) -> Vec3 {
    Vec3::from(particle.velocity)
}
