//! Pixels that bodies cover, against closed forms.

use std::f32::consts::PI;

use glam::Vec3;
use tumble_io::{ObstacleLook, SurfaceInfo};
use tumble_picture::{Image, Quality, View};

use crate::common::{BRICK, CLUMP, GRAIN, body, frame, header, renderer, view, with_obstacle};

/// Number of pixels that are not the background, which the first pixel shows.
fn covered(image: &Image) -> f32 {
    let background = image.pixels[0];
    let far = |pixel: &&[u8; 3]| pixel.iter().zip(background).any(|(a, b)| a.abs_diff(b) > 8);
    image.pixels.iter().filter(far).count() as f32
}

/// A sphere at distance d fills a cone of half angle asin(r/d): on its axis a disc of radius f r /
/// √(d² - r²).
#[test]
fn a_sphere_covers_its_disc() {
    for (radius, distance) in [(0.5, 10.0), (0.5, 2.0), (0.02, 1.0)] {
        let frame = frame(vec![body(0, GRAIN, radius, [0.0, 0.0, 0.0])]);
        let renderer = renderer(&header(), &frame);
        let look =
            View { quality: Quality::Draft, ..view(Vec3::new(0.0, -distance, 0.0), Vec3::ZERO, 40.0, [400, 300]) };
        let f = 150.0 / 20f32.to_radians().tan();
        let disc = f * radius / (distance * distance - radius * radius).sqrt();
        let (expected, got) = (PI * disc * disc, covered(&renderer.render(&frame, &[], &look)));
        // The edge is 2 pi r pixels long and is met by about a pixel in each: half of them may go
        // either way.
        assert!((got - expected).abs() < 0.5 * 2.0 * PI * disc + 1.0, "{got} pixels, expected {expected}");
    }
}

/// Off the axis the disc becomes an ellipse, longer by 1/cos³ in all at small radius.
#[test]
fn perspective_stretches_a_sphere_at_the_side() {
    let angle = 0.5f32;
    let frame = frame(vec![body(0, GRAIN, 0.1, [4.0 * angle.tan(), 0.0, 0.0])]);
    let renderer = renderer(&header(), &frame);
    let look = View { quality: Quality::Draft, ..view(Vec3::new(0.0, -4.0, 0.0), Vec3::ZERO, 60.0, [900, 500]) };
    let f = 250.0 / 30f32.to_radians().tan();
    let expected = PI * (f * 0.1 / (4.0 / angle.cos())).powi(2) / angle.cos().powi(3);
    let got = covered(&renderer.render(&frame, &[], &look));
    assert!((got - expected).abs() < 0.05 * expected, "{got} pixels, expected {expected}");
}

/// From far away the front face of a box is a rectangle.
#[test]
fn a_mesh_covers_its_outline() {
    let frame = frame(vec![body(0, BRICK, 1.0, [0.0, 0.0, 0.0])]);
    let renderer = renderer(&header(), &frame);
    let look = View { quality: Quality::Draft, ..view(Vec3::new(0.0, -100.5, 0.0), Vec3::ZERO, 2.0, [600, 400]) };
    let pixels_a_metre = 200.0 / (100.0 * 1f32.to_radians().tan());
    let expected = 4.0 * 1.0 * 0.35 * pixels_a_metre * pixels_a_metre;
    let got = covered(&renderer.render(&frame, &[], &look));
    assert!((got - expected).abs() < 2.0 * 2.7 * pixels_a_metre, "{got} pixels, expected {expected}");
}

/// A body that is smaller than a sample is drawn as a ball of the same surface, which covers as
/// much.
#[test]
fn tiny_meshes_cover_as_much_as_large_ones_would() {
    let grid = |size: f32| {
        let bodies =
            (0..400).map(|k| body(k, BRICK, size, [(k % 20) as f32 * 10.0 * size, 0.0, (k / 20) as f32 * 10.0 * size]));
        frame(bodies.collect())
    };
    let brightness_of = |distance: f32, size: f32| {
        let frame = grid(size);
        let renderer = renderer(&header(), &frame);
        let middle = Vec3::new(95.0 * size, 0.0, 95.0 * size);
        let look = view(middle - distance * size * Vec3::Y, middle, 40.0, [200, 200]);
        let image = renderer.render(&frame, &[], &look);
        let background = image.pixels[0];
        let change = |pixel: &[u8; 3]| (0..3).map(|k| f32::from(background[k]) - f32::from(pixel[k])).sum::<f32>();
        image.pixels.iter().map(change).sum::<f32>() * distance * distance
    };
    // Twice as far away a quarter is covered; at the far place a brick is less than a sample wide.
    let (near, far) = (brightness_of(600.0, 1.0), brightness_of(2400.0, 1.0));
    assert!((far / near - 1.0).abs() < 0.35, "{near} near, {far} far");
}

#[test]
fn the_spheres_of_a_clump_turn_with_it() {
    let look = view(Vec3::new(0.0, -8.0, 0.0), Vec3::ZERO, 30.0, [80, 80]);
    let mut turned = body(0, CLUMP, 1.0, [0.0; 3]);
    let straight = frame(vec![turned]);
    // A quarter turn about x takes the tetrahedron to its mirror image, seen along y: left and
    // right change places.
    turned.orientation = [0.5f32.sqrt(), 0.5f32.sqrt(), 0.0, 0.0];
    let turned = frame(vec![turned]);
    let picture = |frame| renderer(&header(), frame).render(frame, &[], &look);
    let outline = |image: &Image, mirror: bool| -> Vec<bool> {
        let at = |k: usize| if mirror { k / 80 * 80 + 79 - k % 80 } else { k };
        (0..6400).map(|k| image.pixels[at(k)] != image.pixels[0]).collect()
    };
    let (before, after) = (picture(&straight), picture(&turned));
    let differ = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    assert!(differ(&outline(&before, true), &outline(&after, false)) < 40);
}

#[test]
fn hidden_obstacles_are_hidden_and_glass_is_seen_through() {
    let picture = |look: Option<ObstacleLook>| {
        let (mut header, mut frame) = (header(), frame(vec![body(0, GRAIN, 1.0, [0.0; 3])]));
        if let Some(look) = look {
            with_obstacle(&mut header, &mut frame, SurfaceInfo::Box([2.0, 0.1, 2.0]), look, [0.0, -3.0, 0.0]);
        }
        let look = view(Vec3::new(0.0, -9.0, 0.0), Vec3::ZERO, 40.0, [60, 60]);
        renderer(&header, &frame).render(&frame, &[], &look).pixels[30 * 60 + 30].map(f32::from)
    };
    let far = |a: [f32; 3], b: [f32; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).sum::<f32>();
    let (bare, hidden) = (picture(None), picture(Some(ObstacleLook::Hidden)));
    let (glass, solid) = (picture(Some(ObstacleLook::Glass)), picture(Some(ObstacleLook::Solid)));
    assert_eq!(bare, hidden);
    assert!(far(glass, bare) > 3.0 && far(glass, bare) < far(glass, solid), "{bare:?} {glass:?} {solid:?}");
}
