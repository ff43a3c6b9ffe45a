//! Colour modes: in a known scene, each body has the colour that its state means.

use tumble::{Frame, FrameBody, Method};
use tumble_io::{Header, MaterialInfo, RecordingWriter, ShapeInfo};

use crate::common::{Folder, body};
use crate::driver::{Browser, open};
use tumble::world::MaterialId;

/// Four large spheres in a row, seen from the front, and nothing else.
fn row() -> (Header, Frame) {
    let material = |name: &str, colour| MaterialInfo { name: name.into(), colour: Some(colour) };
    let header = Header {
        title: "Four".into(),
        shapes: vec![ShapeInfo {
            name: "ball".into(),
            spheres: vec![[0.0, 0.0, 0.0, 0.4]],
            mesh: None,
            ..ShapeInfo::default()
        }],
        materials: vec![material("red", [200, 40, 40]), material("blue", [40, 60, 200])],
        ..Header::default()
    };
    let place = |k: u32| [k as f32 - 1.5, 0.0, 0.0];
    let four = |k: u32| FrameBody {
        material: MaterialId(k % 2),
        velocity: [0.0, 0.0, if k == 3 { 5.0 } else { 0.0 }],
        contacts: if k == 2 { 10 } else { 0 },
        asleep: k == 1,
        held: k == 2,
        method: Method::ALL[k as usize],
        layer: (k > 0).then(|| k as u16 - 1),
        ..body(k, place(k))
    };
    (header, Frame { number: 1, bodies: (0..4).map(four).collect(), ..Frame::default() })
}

/// Colours at places, which an expression lists.
fn pixels<const N: usize>(browser: &Browser, places: &str) -> [[f64; 3]; N] {
    let found = browser.get(&format!("tumble.pixels({places})"));
    std::array::from_fn(|place| [0, 1, 2].map(|k| found[place][k].as_f64().unwrap()))
}

/// The middles of the four bodies.
const MIDDLES: &str = "['0', '1', '2', '3'].map((id) => tumble.where(id))";

/// The colour without its brightness, which depends on the light.
fn hue(colour: [f64; 3]) -> [f64; 3] {
    let linear = colour.map(|part| (part / 255.0).powf(2.2));
    let sum: f64 = linear.iter().sum::<f64>().max(1e-6);
    linear.map(|part| part / sum)
}

fn is_alike(a: [f64; 3], b: [f64; 3]) -> bool {
    let (a, b) = (hue(a), hue(b));
    (0..3).all(|k| (a[k] - b[k]).abs() < 0.07)
}

fn rgb(hex: &str) -> [f64; 3] {
    [0, 2, 4].map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap().into())
}

#[test]
fn every_mode_says_what_it_means() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let (header, frame) = row();
    RecordingWriter::create(&path, &header, &[]).unwrap().append(&frame).unwrap();
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain&view=0,0,0,8,-1.5708,0.05") else { return };
    let colours = || pixels::<4>(&browser, MIDDLES);

    let none = "b9b4aa";
    let expected = [
        ("material", ["c82828", "283cc8", "c82828", "283cc8"]),
        ("speed", ["22316b", "22316b", "22316b", "fde74c"]),
        ("asleep", ["f2a03d", "4f6d8f", "f2a03d", "f2a03d"]),
        ("method", ["e0a95c", "4c93d9", "63b77a", "b06fd0"]),
        ("layer", [none, "4363a8", "3c93b5", "46b39a"]),
        ("held", [none, none, "d8438f", none]),
        ("contacts", ["2c1a4d", "2c1a4d", "fbe29c", "2c1a4d"]),
    ];
    let keys = browser.get("tumble.colourModes");
    for (mode, wanted) in expected {
        let key = keys.as_array().unwrap().iter().position(|known| known == mode).unwrap() + 1;
        browser.key(&key.to_string());
        assert_eq!(browser.get("tumble.get('colour')"), mode);
        for (id, (found, wanted)) in colours().into_iter().zip(wanted).enumerate() {
            assert!(is_alike(found, rgb(wanted)), "{mode}: body {id} is {found:?}, not like {wanted}");
        }
        let legend = browser.get("document.getElementById('legend').textContent");
        assert!(!legend.as_str().unwrap().is_empty(), "{mode} has a legend");
    }
    browser.click_on("#colour button[data-value=id]");
    let own = colours();
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        assert!(
            own[a].iter().zip(own[b]).any(|(x, y)| (x - y).abs() > 12.0),
            "bodies {a} and {b} look the same: {own:?}"
        );
    }
    browser.key("c");
    assert_eq!(browser.get("tumble.get('colour')"), "speed");
    browser.assert_content();
}

#[test]
fn the_clip_plane_takes_away_one_side() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let (header, frame) = row();
    RecordingWriter::create(&path, &header, &[]).unwrap().append(&frame).unwrap();
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain&view=0,0,0,8,-1.5708,0.05") else { return };
    let [background] = pixels(&browser, "[[30, 300]]");
    let is_colour = |colour: [f64; 3]| colour.iter().zip(background).any(|(a, b)| (a - b).abs() > 30.0);
    let are_there = || pixels::<4>(&browser, MIDDLES).map(is_colour);
    assert_eq!(are_there(), [true; 4]);
    browser.key("x");
    assert_eq!(are_there(), [true, true, false, false]);
    browser.click_on("#clip-flip");
    assert_eq!(are_there(), [false, false, true, true]);
    browser.run("tumble.set('clipAt', 0.99)");
    assert_eq!(are_there(), [false; 4]);
    browser.key("x");
    assert_eq!(are_there(), [true; 4]);

    // Cut along the view, spheres show their inside: flat, so equally bright in the middle and near
    // the edge.
    browser.run("tumble.set('clipAxis', 'y'); tumble.set('clipAt', 0.5); tumble.set('clipFlip', true); tumble.set('clip', true)");
    let inside: [_; 2] =
        pixels(&browser, "(([x, y, metre]) => [[x, y], [x, y - 0.8 * 0.4 * metre]])(tumble.where('0'))");
    assert!(inside[0].iter().zip(inside[1]).all(|(a, b)| (a - b).abs() < 6.0), "{inside:?}");
    browser.assert_content();
}
