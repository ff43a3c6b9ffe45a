//! Shade and colours as they come out; the closed forms of light are tested where it is computed.

use glam::Vec3;
use tumble_picture::{ColourBy, Colouring, Overlays, View};

use crate::common::{GRAIN, body, brightness, everything, frame, header, renderer, view, with_floor};
use tumble::world::ShapeId;

/// Where a ball touches the floor it is dark, and it gets lighter with the distance.
#[test]
fn contacts_can_be_read() {
    let (mut header, mut frame) = (header(), frame(vec![body(0, GRAIN, 1.0, [0.0, 0.0, 1.0])]));
    with_floor(&mut header, &mut frame, 0.0);
    let look = view(Vec3::new(0.0, -12.0, 3.0), Vec3::ZERO, 30.0, [301, 301]);
    let image = renderer(&header, &frame).render(&frame, &[], &look);
    // On the floor in front of the ball, from the contact outwards.
    let row = |away: f32| {
        let seen = Vec3::new(0.0, -away, 0.0) - Vec3::new(0.0, -12.0, 3.0);
        let forward = Vec3::new(0.0, 12.0, -3.0).normalize();
        let up = Vec3::X.cross(forward);
        (150.5 - seen.dot(up) / seen.dot(forward) * 150.5 / 15f32.to_radians().tan()) as usize
    };
    let at: Vec<f32> = [0.7, 1.1, 1.8, 4.0].map(|away| brightness(&image, 150, row(away))).to_vec();
    assert!(at.is_sorted() && at[0] < 0.96 * at[3], "{at:?}");
}

#[test]
fn any_number_of_threads_gives_the_same_picture() {
    let (header, frame) = everything();
    let renderer = renderer(&header, &frame);
    let look = View {
        overlays: Overlays { layers: true, guides: true, constraints: true },
        ..view(Vec3::new(7.0, -10.0, 6.0), Vec3::Z, 40.0, [150, 90])
    };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| renderer.render(&frame, &[], &look))
    };
    assert_eq!(with(1), with(3));
}

/// Every way of colouring shows a difference between bodies that differ in it, and none between
/// those that do not.
#[test]
fn colours_show_what_they_say() {
    let (header, all) = everything();
    let look = |by| View {
        colouring: Colouring { by, fastest: 2.0 },
        ..view(Vec3::new(0.0, -9.0, 0.0), Vec3::ZERO, 30.0, [40, 40])
    };
    for by in ColourBy::ALL {
        let colour = |k: usize| {
            let mut alone = all.clone();
            let mut one = alone.bodies[k];
            (one.shape, one.position, one.size, one.orientation) =
                (ShapeId(GRAIN), [0.0; 3], 1.0, [1.0, 0.0, 0.0, 0.0]);
            alone.bodies = vec![one];
            (alone.obstacles, alone.layers, alone.constraints) = (vec![], vec![], vec![]);
            renderer(&header, &alone).render(&alone, &[], &look(by)).pixels[20 * 40 + 20]
        };
        let (same, other) = match by {
            // Differ in material; grains of one material differ in brightness only.
            ColourBy::Material => (Some((0, 0)), (0, 1)),
            ColourBy::Id => (None, (0, 1)),
            ColourBy::Speed => (Some((22, 23)), (0, 12)),
            ColourBy::Asleep => (Some((1, 2)), (0, 1)),
            ColourBy::Method => (Some((0, 4)), (0, 1)),
            ColourBy::Layer => (Some((0, 1)), (0, 8)),
            ColourBy::Held => (Some((1, 2)), (0, 1)),
            ColourBy::Contacts => (Some((0, 13)), (0, 6)),
        };
        let far = |(a, b): (usize, usize)| {
            let (a, b) = (colour(a), colour(b));
            (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap()
        };
        assert!(far(other) > 20, "{} does not show", by.name());
        assert!(same.is_none_or(|pair| far(pair) < 20), "{} shows something else", by.name());
    }
}
