//! Time: playing, stepping, scrubbing, and that what is shown is what was recorded.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tumble::Frame;
use tumble_io::Recording;

use crate::common::{Folder, Serving, record};
use crate::driver::{Browser, open};

/// Positions by id, as the recording has them.
pub(crate) fn recorded(path: &Path, number: i64) -> BTreeMap<String, [f64; 3]> {
    let mut recording = Recording::open(path).unwrap();
    let mut frame = Frame::default();
    let index = recording.find(number).unwrap();
    recording.read(index, &mut frame).unwrap();
    frame.bodies.iter().map(|body| (body.id.number().to_string(), body.position.map(f64::from))).collect()
}

/// Positions by id, as the graphics card has them.
pub(crate) fn shown(browser: &Browser, pane: usize) -> BTreeMap<String, [f64; 3]> {
    let positions = browser.get(&format!("tumble.positions({pane})"));
    let rows = positions.as_array().unwrap().iter();
    rows.map(|row| (row[0].as_str().unwrap().to_string(), [1, 2, 3].map(|k| row[k].as_f64().unwrap()))).collect()
}

#[test]
fn it_loads_and_plays_and_stops() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A growing pile", 24.0, 40);
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    assert_eq!(browser.get("document.title"), "A growing pile – tumble");
    assert_eq!((browser.get("tumble.frame()"), browser.get("tumble.frames()")), (1.into(), 40.into()));
    assert_eq!(browser.get("tumble.isPlaying()"), false);

    browser.key(" ");
    browser.wait_for("tumble.isPlaying() && tumble.frame() > 3");
    browser.click_on("#play");
    browser.wait_for("!tumble.isPlaying()");
    browser.run("await tumble.settled()");
    let stopped = browser.get("tumble.frame()");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(browser.get("tumble.frame()"), stopped);

    let steps =
        [("\u{E011}", 1), ("\u{E014}", 2), ("\u{E014}", 3), ("\u{E012}", 2), ("\u{E010}", 40), ("\u{E012}", 39)];
    for (key, expected) in steps {
        browser.key(key);
        browser.run("await tumble.settled()");
        assert_eq!(browser.get("tumble.frame()"), expected);
    }
    browser.key("]");
    browser.wait_for("document.getElementById('speed').value === '2'");
    browser.assert_content();
}

#[test]
fn what_is_shown_is_what_was_recorded() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A growing pile", 24.0, 30);
    let Some((browser, _serving)) = open(std::slice::from_ref(&path), "#frame=1&light=plain") else { return };
    for number in [17, 30, 1, 2, 23] {
        assert_eq!(browser.run(&format!("return await tumble.goto({number})")), number);
        assert!(shown(&browser, 0) == recorded(&path, number), "frame {number}");
    }

    // The same with the mouse on the track: a press in the middle, a drag to the end. The page has
    // to be laid out by then.
    browser.run("await tumble.settled(); await document.fonts.ready");
    let track = browser.get(
        "(({ left, right, top }) => [left, right, top + 10])(document.getElementById('track').getBoundingClientRect())",
    );
    let [left, right, y] = [0, 1, 2].map(|k| track[k].as_f64().unwrap());
    let middle = [(left + right) / 2.0, y];
    browser.click(middle);
    // On a busy machine the page may see presses and moves long after they were sent.
    browser.wait_for("tumble.frame() === 15 || tumble.frame() === 16");
    browser.run("await tumble.settled()");
    let number = browser.get("tumble.frame()").as_i64().unwrap();
    assert!(shown(&browser, 0) == recorded(&path, number));
    browser.drag(&[middle, [right - 30.0, y], [right - 1.0, y]]);
    browser.wait_for("tumble.frame() === 30");
    browser.run("await tumble.settled()");
    assert!(shown(&browser, 0) == recorded(&path, 30));
    browser.assert_content();
}

#[test]
fn a_live_run_is_followed_and_a_resumed_one_too() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    // The browser first: while a test waits for its turn a recording would grow old.
    let Some(mut browser) = Browser::start() else { return };
    let mut writer = record(&path, "Live", 24.0, 3);
    let serving = Serving::start(std::slice::from_ref(&path));
    browser.go(&format!("http://{}/#light=plain", serving.address));
    browser.wait_for("tumble.isLive() && tumble.frame() === 3");
    assert_eq!(browser.get("document.getElementById('live').hidden"), false);
    for number in 4..=6 {
        writer.append(&crate::common::frame(number, 24.0, 50 + number as u32)).unwrap();
    }
    browser.wait_for("tumble.frame() === 6");
    assert!(shown(&browser, 0) == recorded(&path, 6));
    browser.shoot("live");

    // A page that shows an earlier frame stays at it.
    browser.run("await tumble.goto(2)");
    writer.append(&crate::common::frame(7, 24.0, 12)).unwrap();
    browser.wait_for("tumble.frames() === 7");
    assert_eq!(browser.get("tumble.frame()"), 2);

    // A resumed run cuts frames off and replaces them, and the one that is shown changes.
    browser.run("await tumble.goto(5)");
    let mut writer = tumble_io::RecordingWriter::resume(&path, 3).unwrap();
    for number in 4..=5 {
        writer.append(&crate::common::frame(number, 24.0, 7)).unwrap();
    }
    browser.wait_for("tumble.frames() === 5 && tumble.positions().length === 7");
    assert!(shown(&browser, 0) == recorded(&path, 5));
    browser.assert_content();
}

#[test]
fn a_reload_returns_to_the_same_place() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A growing pile", 24.0, 12);
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    browser.run(
        "await tumble.goto(9); tumble.set('colour', 'layer'); tumble.set('clip', true); tumble.look('0,0,0.2,5,1,0.5')",
    );
    browser.wait_for("location.hash.includes('frame=9') && location.hash.includes('colour=layer') && location.hash.includes('2C5%2C1')");
    browser.reload();
    let now = browser.get("[tumble.frame(), tumble.get('colour'), tumble.get('clip'), tumble.isPlaying()]");
    assert_eq!(now, Value::from(vec![Value::from(9), "layer".into(), true.into(), false.into()]));
    assert_eq!(browser.get("location.hash.includes('2C5%2C1')"), true);
    browser.assert_content();
}

#[test]
fn a_page_that_stands_still_asks_for_nothing_more() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A growing pile", 24.0, 40);
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    // With room for so many frames, or for not even one, whatever was in memory before the clock
    // came to where it stands.
    for room in [0.5, 1.5, 3.0, 7.9, 19.5] {
        let after = browser.run(&format!(
            "const {{ Frames }} = await import('/frames.js');
            const {{ Recording }} = await import('/recording.js');
            const recording = await Recording.open(0);
            const frames = new Frames(recording, {room} * recording.frames[39][4]);
            const rest = () => new Promise((resolve) => setTimeout(resolve, 100));
            const asked = [];
            for (const centre of [35, 25, 20, 19, 18]) {{
                frames.aim(centre, 0);
                while (frames.requests.size > 0 && frames.fetchedBytes < 1e8) await rest();
                const before = frames.fetchedBytes;
                for (let k = 0; k < 3; k += 1) {{
                    frames.aim(centre, 0);
                    await rest();
                }}
                asked.push(frames.fetchedBytes - before);
                if (!frames.get(centre)) asked.push(`frame ${{centre}} is missing`);
            }}
            return asked"
        ));
        assert_eq!(after, serde_json::json!([0, 0, 0, 0, 0]), "room for {room} frames");
    }
    browser.assert_content();
}
