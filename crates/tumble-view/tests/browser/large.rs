//! Cost of a hundred thousand bodies for the page, without the drawing itself, which a software GPU
//! cannot measure.

use tumble::Frame;
use tumble_io::RecordingWriter;

use crate::common::{Folder, body, draw, header, meshes};
use crate::driver::open;

#[test]
#[ignore = "full size: 80 frames of 100,000 bodies"]
fn a_hundred_thousand_bodies_cost_little_script() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    let mut header = header("Large", 24.0);
    header.shapes.truncate(1);
    let mut writer = RecordingWriter::create(&path, &header, &meshes()).unwrap();
    for number in 1..=80 {
        let place = |k| [draw(k, 1), draw(k, 2), 0.2 * draw(k, 3) + 1e-3 * number as f32];
        let bodies = (0..100_000).map(|k| tumble::FrameBody { size: 0.08, ..body(k, place(k)) }).collect();
        writer.append(&Frame { number, time: number as f64 / 24.0, bodies, ..Frame::default() }).unwrap();
    }
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    for number in [10, 30, 50, 70, 20] {
        browser.run(&format!("await tumble.goto({number})"));
        println!("frame {number}: {}", browser.get("tumble.costs()"));
    }
    browser.key(" ");
    std::thread::sleep(std::time::Duration::from_secs(8));
    println!("playing: {}", browser.get("tumble.costs()"));
    browser.key(" ");
    assert!(browser.get("tumble.costs().kept").as_f64().unwrap() <= f64::from(256 << 20) + 6.1e6);
    browser.shoot("large");
    browser.assert_content();
}
