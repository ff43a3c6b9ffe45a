//! Particles stand in the picture for the grains that they follow.

use glam::Vec3;
use tumble::{Frame, FrameParticle};
use tumble_io::{DetailInfo, Header, ObstacleLook, SurfaceInfo};
use tumble_picture::{ColourBy, Colouring, Image, View};

use crate::common::{BRICK, GRAIN, body, frame, header, particle, renderer, view, with_obstacle};
use tumble::world::MaterialId;

/// A grain on the left that particles stand for, a brick in the middle and an obstacle on the
/// right.
fn row() -> (Header, Frame) {
    let header = Header { detail: Some(DetailInfo { carriers: vec![GRAIN] }), ..header() };
    let (mut header, mut frame) =
        (header, frame(vec![body(0, GRAIN, 1.0, [-3.0, 0.0, 0.0]), body(1, BRICK, 1.0, [0.0, 0.0, 0.0])]));
    with_obstacle(&mut header, &mut frame, SurfaceInfo::Box([0.8; 3]), ObstacleLook::Solid, [3.0, 0.0, 0.0]);
    (header, frame)
}

/// A view from far away, ten pixels per metre.
fn look() -> View {
    view(Vec3::new(0.0, -100.0, 0.0), Vec3::ZERO, 2.0 * 0.04f32.atan().to_degrees(), [100, 80])
}

/// Pixel that shows a position in the plane of the row.
fn pixel(image: &Image, x: f32, z: f32) -> [u8; 3] {
    image.pixels[(40.0 - 10.0 * z) as usize * image.width + (50.0 + 10.0 * x) as usize]
}

fn is_background(image: &Image, x: f32, z: f32) -> bool {
    pixel(image, x, z) == image.pixels[0]
}

#[test]
fn particles_are_drawn_in_place_of_their_grains_and_all_else_stays() {
    let (header, frame) = row();
    let renderer = renderer(&header, &frame);
    let particles = [particle(7, 0.3, [-3.0, 0.0, 2.0]), particle(8, 0.3, [-3.0, 0.0, 0.7])];
    let [fine, coarse, bare] = [(&particles[..], false), (&particles[..], true), (&[][..], false)]
        .map(|(particles, grains)| renderer.render(&frame, particles, &View { grains, ..look() }));
    for image in [&fine, &coarse, &bare] {
        assert!(
            !is_background(image, 0.0, 0.0) && !is_background(image, 3.0, 0.0),
            "the brick or the obstacle is gone"
        );
    }
    assert!(!is_background(&fine, -3.0, 2.0) && !is_background(&fine, -3.0, 0.7), "a particle is not drawn");
    assert!(is_background(&fine, -3.0, 0.0), "the grain is drawn beside its particles");
    assert!(
        is_background(&coarse, -3.0, 2.0) && !is_background(&coarse, -3.0, 0.0),
        "no grain, or particles beside it"
    );
    // A frame without particles shows its grains.
    assert_eq!(coarse, bare);
}

/// A ball is a ball, whatever it stands for.
#[test]
fn a_particle_looks_like_a_grain_of_its_radius() {
    let (header, mut frame) = row();
    let renderer = renderer(&header, &frame);
    let view = View { colouring: Colouring { by: ColourBy::Speed, fastest: 1.0 }, ..look() };
    let one = FrameParticle { velocity: [0.0, 0.3, 0.4], ..particle(0, 1.0, [-3.0, 0.0, 0.0]) };
    frame.bodies[0].velocity = one.velocity;
    assert_eq!(renderer.render(&frame, &[one], &view), renderer.render(&frame, &[], &view));
}

#[test]
fn colours_are_those_of_the_particles() {
    let (header, frame) = row();
    let renderer = renderer(&header, &frame);
    let colour = |by: ColourBy, change: &dyn Fn(&mut FrameParticle)| {
        let mut one = particle(0, 1.0, [-3.0, 0.0, 0.0]);
        change(&mut one);
        let view = View { colouring: Colouring { by, fastest: 2.0 }, ..look() };
        pixel(&renderer.render(&frame, &[one], &view), -3.0, 0.0).map(f32::from)
    };
    let far = |a: [f32; 3], b: [f32; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f32::max);
    for by in ColourBy::ALL {
        let plain = colour(by, &|_| {});
        let material = far(plain, colour(by, &|one| one.material = MaterialId(1)));
        let speed = far(plain, colour(by, &|one| one.velocity = [0.0, 1.5, 0.0]));
        let id = far(plain, colour(by, &|one| one.id = 5));
        let name = by.name();
        match by {
            ColourBy::Speed => assert!(speed > 40.0 && material == 0.0 && id == 0.0, "{name}: {speed} {material} {id}"),
            ColourBy::Id => assert!(id > 20.0 && material == 0.0 && speed == 0.0, "{name}: {speed} {material} {id}"),
            // Particles of one material differ a little.
            ColourBy::Material => assert!(material > 25.0 && speed == 0.0 && id > 0.0 && id < 25.0, "{name}: {id}"),
            // Particles do not have the other properties.
            _ => assert!(material > 25.0 && speed == 0.0 && id == 0.0, "{name}: {speed} {material} {id}"),
        }
    }
}

/// Particles with nonsense in them do not keep the sound ones from being drawn.
#[test]
fn strange_particles_spoil_only_themselves() {
    let (header, frame) = row();
    let renderer = renderer(&header, &frame);
    let sound = particle(0, 0.5, [-3.0, 0.0, 1.0]);
    let [nan, inf] = [f32::NAN, f32::INFINITY];
    let strange = [
        particle(1, 0.5, [nan; 3]),
        particle(2, 0.5, [inf, 0.0, 0.0]),
        particle(3, nan, [0.0; 3]),
        particle(4, 0.0, [0.0, -2.0, 1.0]),
        particle(5, -1.0, [0.0, -2.0, 1.0]),
        FrameParticle { velocity: [nan; 3], ..particle(6, 0.5, [0.0, 2.0, 0.0]) },
    ];
    let all: Vec<_> = std::iter::once(sound).chain(strange).collect();
    let (wanted, got) = (renderer.render(&frame, &[sound], &look()), renderer.render(&frame, &all, &look()));
    let same = wanted.pixels.iter().zip(&got.pixels).filter(|(a, b)| (0..3).all(|k| a[k].abs_diff(b[k]) < 40)).count();
    assert!(same * 20 > wanted.pixels.len() * 19, "{same} of {} pixels", wanted.pixels.len());
}
