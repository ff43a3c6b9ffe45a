//! Recordings that hold nonsense, or little: all sound things are drawn, and nothing panics.

use glam::Vec3;
use tumble::{Frame, FrameBody};
use tumble_io::{ObstacleLook, Recording, RecordingWriter, SurfaceInfo};
use tumble_picture::{ColourBy, Colouring, Overlays, Quality, Renderer, View};

use crate::common::{
    BRICK, Folder, GRAIN, body, brick, everything, frame, header, renderer, view, with_floor, with_obstacle,
};

fn draft(look: View) -> View {
    View { quality: Quality::Draft, ..look }
}

/// Bodies and obstacles that are nowhere or endless neither hide the others nor move the camera.
#[test]
fn strange_numbers_spoil_only_themselves() {
    let balls = || (0..400).map(|k| body(k, GRAIN, 0.5, [(k % 20) as f32, (k / 20) as f32, 0.5])).collect::<Vec<_>>();
    let (mut header, mut plain) = (header(), frame(balls()));
    with_floor(&mut header, &mut plain, 0.0);
    let mut strange = plain.clone();
    let odd = |index: u32, change: fn(&mut FrameBody)| {
        let mut odd = body(index, [GRAIN, BRICK][index as usize % 2], 1.0, [1.0, 1.0, 1.0]);
        change(&mut odd);
        odd
    };
    let changes: [fn(&mut FrameBody); 6] = [
        |body| body.position = [f32::NAN; 3],
        |body| body.position = [f32::INFINITY, 0.0, 0.0],
        |body| body.size = f32::NAN,
        |body| body.size = f32::INFINITY,
        |body| body.size = 0.0,
        |body| body.position = [1e30, 0.0, -1e30],
    ];
    let kinds = (1000..).zip(changes.iter().flat_map(|change| [change, change]));
    strange.bodies.extend(kinds.map(|(index, change)| odd(index, *change)));
    with_obstacle(&mut header, &mut strange, SurfaceInfo::Box([1.0; 3]), ObstacleLook::Solid, [f32::NAN; 3]);
    with_obstacle(&mut header, &mut strange, SurfaceInfo::Plane, ObstacleLook::Glass, [f32::INFINITY; 3]);

    let (sound, odd) = (renderer(&header, &plain), renderer(&header, &strange));
    let [a, b] = [sound.camera(1.5), odd.camera(1.5)];
    // A few may lie anywhere: the box of the others, and with it the camera, hardly moves.
    assert!(a.position.distance(b.position) < 0.2 * a.position.length(), "{a:?} {b:?}");
    let look = draft(view(Vec3::new(10.0, -24.0, 16.0), Vec3::new(10.0, 8.0, 0.0), 40.0, [90, 60]));
    let (wanted, got) = (sound.render(&plain, &[], &look), odd.render(&strange, &[], &look));
    let same = wanted.pixels.iter().zip(&got.pixels).filter(|(a, b)| (0..3).all(|k| a[k].abs_diff(b[k]) < 40)).count();
    assert!(same * 10 > wanted.pixels.len() * 9, "{same} of {} pixels", wanted.pixels.len());
}

#[test]
fn a_ball_beside_the_camera_is_seen() {
    let frame = frame(vec![body(0, GRAIN, 1.0, [0.0, 0.0, 1.0])]);
    let renderer = renderer(&header(), &frame);
    // Its centre is behind the picture plane, its right edge 40 to 60 degrees off the axis.
    let look = draft(view(Vec3::new(0.0, -1.3, 1.0), Vec3::new(3.0, -1.3, 1.0), 120.0, [120, 120]));
    let image = renderer.render(&frame, &[], &look);
    let seen = image.pixels.iter().filter(|pixel| **pixel != image.pixels[119]).count();
    assert!(seen > 200, "{seen} pixels");
    // From inside there is nothing to see, and no harm done.
    renderer.render(&frame, &[], &draft(view(Vec3::new(0.0, 0.0, 1.0), Vec3::X, 60.0, [30, 30])));
}

#[test]
fn tiny_pictures_and_empty_frames_are_drawn() {
    let (header, full) = everything();
    let bare = Frame { number: 1, ..Frame::default() };
    for (header, frame) in [(&header, &full), (&crate::common::header(), &bare)] {
        let renderer = renderer(header, frame);
        for size in [[1, 1], [1, 200], [300, 1], [13, 7]] {
            for by in ColourBy::ALL {
                let camera = renderer.camera(size[0] as f32 / size[1] as f32);
                let overlays = Overlays { layers: true, guides: true, constraints: true };
                let colouring = Colouring { by, fastest: renderer.fastest() };
                let look = view(camera.position, camera.target, camera.fov, size);
                let image = renderer.render(frame, &[], &draft(View { overlays, colouring, legend: true, ..look }));
                assert_eq!(image.pixels.len(), size[0] * size[1]);
            }
        }
    }
}

#[test]
fn a_level_plane_has_its_colour() {
    let (mut header, mut frame) = (header(), frame(vec![body(0, GRAIN, 0.1, [0.0, 0.0, 0.1])]));
    with_floor(&mut header, &mut frame, 0.0);
    header.obstacles[0].colour = Some([200, 30, 30]);
    let look = draft(view(Vec3::new(0.0, -1.0, 0.6), Vec3::ZERO, 30.0, [40, 40]));
    let [red, green, _] = renderer(&header, &frame).render(&frame, &[], &look).pixels[39 * 40 + 3];
    assert!(red > green.saturating_mul(2), "red {red}, green {green}");
}

#[test]
fn one_damaged_frame_does_not_hide_the_others() {
    let folder = Folder::new();
    let path = folder.0.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &header(), &[brick()]).unwrap();
    for number in 1..=3 {
        writer.append(&Frame { number, ..frame(vec![body(0, GRAIN, 1.0, [0.0, 0.0, number as f32])]) }).unwrap();
    }
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    let renderer = Renderer::new(&mut recording).unwrap();
    let mut first = Frame::default();
    recording.read(0, &mut first).unwrap();
    let camera = renderer.camera(1.0);
    let image = renderer.render(&first, &[], &draft(view(camera.position, camera.target, camera.fov, [40, 40])));
    assert!(image.pixels.iter().any(|pixel| *pixel != image.pixels[0]));
    assert!(recording.read(2, &mut first).is_err());
}
