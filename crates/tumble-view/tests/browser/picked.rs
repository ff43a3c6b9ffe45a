//! Choosing bodies with the mouse.

use tumble::world::{BodyId, ShapeId};
use tumble::{Frame, FrameBody, Method};
use tumble_io::RecordingWriter;

use crate::common::{Folder, body, header, meshes, record};
use crate::driver::open;

/// Bodies of all shapes, far enough apart to be hit one by one; some ids have more than 32 bits.
fn scattered() -> Frame {
    let one = |k: u32| {
        let place = [(k % 4) as f32 * 0.7 - 1.05, (k / 4) as f32 * 0.7 - 0.7, 0.2];
        let id = BodyId { index: k, generation: if k.is_multiple_of(5) { 7 } else { 0 } };
        FrameBody { id, shape: ShapeId(k % 3), contacts: k, method: Method::ALL[k as usize % 4], ..body(k, place) }
    };
    Frame { number: 1, bodies: (0..12).map(one).collect(), ..Frame::default() }
}

#[test]
fn a_click_finds_the_body_that_is_seen_there() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let frame = scattered();
    RecordingWriter::create(&path, &header("Scattered", 24.0), &meshes()).unwrap().append(&frame).unwrap();
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain&view=0,0,0,5,-1.2,1.1&guides=0") else {
        return;
    };
    for body in &frame.bodies {
        let id = body.id.number();
        let place = browser.get(&format!("tumble.where('{id}')"));
        let [x, y, metre] = [0, 1, 2].map(|k| place[k].as_f64().unwrap());
        browser.click([x, y]);
        // Between the spheres of a clump one may look at its middle and see nothing of it.
        if browser.get("tumble.chosen()").is_null() {
            browser.click([x + 0.05 * metre, y]);
        }
        assert_eq!(browser.get("tumble.chosen()"), id.to_string(), "{body:?}");
        let words = [format!("id{id}"), format!("contacts{}", body.contacts), format!("method{}", body.method.name())];
        for words in words {
            browser.wait_for(&format!("document.getElementById('body-facts').textContent.includes('{words}')"));
        }
        // Beside it there is nothing.
        browser.click([x, y - 0.34 * metre]);
        assert_ne!(browser.get("tumble.chosen()"), id.to_string());
    }
    browser.click([20.0, 420.0]);
    assert_eq!(browser.get("tumble.chosen()"), serde_json::Value::Null);
    browser.assert_content();
}

#[test]
fn the_chosen_body_is_followed_through_time() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A pile", 24.0, 8);
    let Some((browser, _serving)) = open(&[path], "#frame=1") else { return };
    browser.run("tumble.look('0,0,0.3,4,-1.2,1.2'); await tumble.settled()");
    let places = browser.get("tumble.positions().map(([id]) => [id, ...tumble.where(id)])");
    for place in places.as_array().unwrap().iter().take(40) {
        browser.click([place[1].as_f64().unwrap(), place[2].as_f64().unwrap()]);
        if browser.get("tumble.chosen()").is_string() {
            break;
        }
    }
    let chosen = browser.get("tumble.chosen()");
    assert!(chosen.is_string());
    let before = browser.get("document.getElementById('body-facts').textContent");
    browser.run("await tumble.goto(6); await tumble.settled()");
    assert_eq!(browser.get("tumble.chosen()"), chosen);
    assert_ne!(browser.get("document.getElementById('body-facts').textContent"), before);
    assert_eq!(browser.get("document.getElementById('marker').hidden"), false);
    browser.shoot("chosen");
    browser.assert_content();
}
