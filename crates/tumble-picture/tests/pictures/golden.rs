//! Small pictures that a person has looked at.
//! `UPDATE_GOLDEN=1 cargo test -p tumble-picture --test pictures golden` makes them anew: then look
//! at them again.

use std::path::Path;

use glam::Vec3;
use tumble::FrameParticle;
use tumble_io::{DetailInfo, Header};
use tumble_picture::{ColourBy, Colouring, Image, Overlays, Quality, View, read_png, write_png};

use crate::common::{GRAIN, everything, particle, renderer, view};
use tumble::world::ShapeId;

/// Mean over squares of 4 x 4 pixels: eyes do not mind if a sample at an edge falls to the other
/// side.
fn softened(image: &Image) -> Vec<[f32; 3]> {
    let square = |x: usize, y: usize| {
        let mut sum = [0.0; 3];
        for k in 0..16 {
            let pixel = image.pixels[(4 * y + k / 4) * image.width + 4 * x + k % 4];
            (0..3).for_each(|c| sum[c] += f32::from(pixel[c]) / 16.0);
        }
        sum
    };
    (0..image.height / 4).flat_map(|y| (0..image.width / 4).map(move |x| (x, y))).map(|(x, y)| square(x, y)).collect()
}

/// Largest difference of two pictures that eyes could see, in steps of 255.
fn difference(a: &Image, b: &Image) -> f32 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let pairs = softened(a).into_iter().zip(softened(b));
    pairs.flat_map(|(a, b)| (0..3).map(move |k| (a[k] - b[k]).abs())).fold(0.0, f32::max)
}

fn check(name: &str, particles: &[FrameParticle], change: impl Fn(&mut View)) {
    let (header, frame) = everything();
    let header = Header { detail: Some(DetailInfo { carriers: vec![GRAIN] }), ..header };
    let mut look = view(Vec3::new(6.0, -12.0, 7.0), Vec3::new(0.0, 0.0, 0.8), 34.0, [320, 200]);
    change(&mut look);
    let image = renderer(&header, &frame).render(&frame, particles, &look);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/golden/{name}.png"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        write_png(&path, &image).unwrap();
    }
    let seen = difference(&image, &read_png(&path).unwrap());
    assert!(seen < 3.0, "{name} differs by {seen} of 255");
}

#[test]
fn golden_materials() {
    check("materials", &[], |_| {});
}

#[test]
fn golden_overlays() {
    check("overlays", &[], |look| look.overlays = Overlays { layers: true, guides: true, constraints: true });
}

#[test]
fn golden_asleep() {
    check("asleep", &[], |look| look.colouring = Colouring { by: ColourBy::Asleep, fastest: 1.0 });
}

/// Every grain has fallen apart into sand of two materials.
#[test]
fn golden_particles() {
    let (_, frame) = everything();
    let grains = frame.bodies.iter().filter(|body| body.shape == ShapeId(GRAIN));
    let particles = grains.flat_map(|grain| {
        (0..150u32).map(|k| {
            // Positions by golden angle and height about the axis of the grain, every second one
            // nearer to it.
            let (sin, cos) = (2.4 * k as f32).sin_cos();
            let height = (k as f32 + 0.5) / 75.0 - 1.0;
            let across = (1.0 - height * height).sqrt();
            let away = 0.6 - 0.15 * (k % 2) as f32;
            let [x, y, z] = grain.position;
            let position = [x + away * across * cos, y + away * across * sin, z + away * height];
            FrameParticle { material: grain.material, ..particle(150 * grain.id.index + k, 0.08, position) }
        })
    });
    check("particles", &particles.collect::<Vec<_>>(), |_| {});
}

/// All qualities show the same picture, more or less finely.
#[test]
fn golden_qualities() {
    let (header, frame) = everything();
    let renderer = renderer(&header, &frame);
    let picture = |quality| {
        let look = view(Vec3::new(6.0, -12.0, 7.0), Vec3::new(0.0, 0.0, 0.8), 34.0, [160, 100]);
        softened(&renderer.render(&frame, &[], &View { quality, ..look }))
    };
    let best = picture(Quality::Best);
    let mean = |quality| {
        let pairs = picture(quality).into_iter().zip(&best);
        pairs.map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs()).sum::<f32>() / 3.0).sum::<f32>() / best.len() as f32
    };
    let (draft, good) = (mean(Quality::Draft), mean(Quality::Good));
    assert!(good < 1.0 && draft < 4.0 && good < draft, "good differs by {good}, draft by {draft}");
}
