//! Two recordings side by side: one camera, one clock.

use crate::common::{Folder, record};
use crate::driver::open;
use crate::played::{recorded, shown};

#[test]
fn two_recordings_share_camera_and_clock() {
    let folder = Folder::new();
    let paths = [folder.file("a.tumble"), folder.file("b.tumble")];
    record(&paths[0], "Coarse", 12.0, 12);
    record(&paths[1], "Fine", 24.0, 36);
    let Some((browser, _serving)) = open(&paths, "#frame=1") else { return };
    browser.resize(1280, 800);
    let titles = browser.get("document.getElementById('titles').textContent").as_str().unwrap().to_string();
    assert!(titles.contains("Coarse") && titles.contains("Fine"), "{titles}");
    // Both have the same three materials, and the legend names each of them once.
    assert_eq!(browser.get("document.querySelectorAll('#legend li').length"), 3);

    // Frame 7 of the first is at 6/12 s, which is frame 13 of the second.
    assert_eq!(browser.run("return [await tumble.goto(7), tumble.frame(1)]"), serde_json::json!([7, 13]));
    assert!(shown(&browser, 0) == recorded(&paths[0], 7) && shown(&browser, 1) == recorded(&paths[1], 13));
    // The next tick is one of the second alone, and the first one's last frame stays when its time
    // is over.
    browser.key("\u{E014}");
    browser.run("await tumble.settled()");
    assert_eq!(browser.get("[tumble.frame(0), tumble.frame(1)]"), serde_json::json!([7, 14]));
    browser.key("\u{E010}");
    browser.run("await tumble.settled()");
    assert_eq!(browser.get("[tumble.frame(0), tumble.frame(1)]"), serde_json::json!([12, 36]));

    // Both halves show something, and the same place in the scene is at the same place of each
    // half.
    let (a, b) = (browser.get("tumble.where('1', 0)"), browser.get("tumble.where('1', 1)"));
    let half = browser.get("document.getElementById('divider').getBoundingClientRect().left").as_f64().unwrap();
    assert!((a[0].as_f64().unwrap() + half - b[0].as_f64().unwrap()).abs() < 12.0, "{a} {b}");
    browser.shoot("side-by-side");

    let place = browser.get("tumble.where('23', 1)");
    browser.click([place[0].as_f64().unwrap(), place[1].as_f64().unwrap()]);
    browser.wait_for("document.getElementById('body-facts').textContent.startsWith('recording2')");
    browser.key("s");
    browser.wait_for("tumble.get('shown') === 'first' && document.getElementById('titles').children.length === 1");
    browser.key(" ");
    browser.wait_for("tumble.isPlaying()");
    browser.wait_for("tumble.frame(0) > 3 && tumble.frame(1) > 6");
    browser.assert_content();
}
