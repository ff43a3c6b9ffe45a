//! When things go wrong the page says so.

use std::io::{Seek, SeekFrom, Write};

use crate::common::{Folder, record};
use crate::driver::open;

#[test]
fn a_damaged_frame_is_named_and_the_others_play() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "Damaged", 24.0, 6);
    let entry = tumble_io::Recording::open(&path).unwrap().frames()[2];
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(entry.offset + entry.length / 2)).unwrap();
    file.write_all(&[0xff; 16]).unwrap();
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    browser.wait_for("document.getElementById('messages').textContent.includes('frame 3') && document.getElementById('messages').textContent.includes('is damaged')");
    assert_eq!(browser.run("return await tumble.goto(5)"), 5);
    browser.key("\u{E011}");
    browser.key(" ");
    browser.wait_for("tumble.frame() > 3");
}

#[test]
fn a_server_that_is_gone_is_noticed() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "Gone", 24.0, 6);
    let Some((browser, mut serving)) = open(&[path], "#frame=1&light=plain") else { return };
    serving.end();
    browser.wait_for("document.getElementById('messages').textContent.includes('does not answer')");
}
