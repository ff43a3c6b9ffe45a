//! Overlays of the scene, the help, and the size of the page.

use std::time::Duration;

use serde_json::Value;

use crate::common::{Folder, record};
use crate::driver::{Browser, open};

/// How many of a grid of pixels differ after something was done.
fn changed(browser: &Browser, action: &str) -> usize {
    let grid =
        "tumble.pixels(Array.from({ length: 400 }, (_, k) => [60 + (k % 20) * 24, 60 + Math.floor(k / 20) * 24]))";
    let pixels = |value: Value| -> Vec<Vec<i64>> {
        let rows = value.as_array().unwrap().iter();
        rows.map(|row| row.as_array().unwrap().iter().map(|part| part.as_i64().unwrap()).collect()).collect()
    };
    // While frames still come in, the scene of a run that counts as live grows, and its ground with
    // it.
    let mut before = pixels(browser.get(grid));
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(250));
        let again = pixels(browser.get(grid));
        if again == before {
            break;
        }
        before = again;
    }
    browser.run(action);
    let after = pixels(browser.get(grid));
    let differ = |(a, b): (&Vec<i64>, &Vec<i64>)| a.iter().zip(b).any(|(x, y)| (x - y).abs() > 6);
    before.iter().zip(&after).filter(|&pair| differ(pair)).count()
}

#[test]
fn overlays_appear_and_go() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A directed pile", 24.0, 10);
    let hash = "#frame=10&light=plain&layers=0&guides=0&constraints=0&view=0,0,0.4,5,-1,0.3";
    let Some((browser, _serving)) = open(&[path], hash) else { return };
    assert_eq!(changed(&browser, ""), 0, "nothing moves by itself");
    for (name, at_least) in [("layers", 60), ("guides", 40), ("constraints", 1)] {
        let count = changed(&browser, &format!("tumble.set('{name}', true)"));
        assert!(count >= at_least, "{name}: {count}");
        assert_eq!(changed(&browser, &format!("tumble.set('{name}', false); tumble.set('{name}', true)")), 0);
    }
    browser.key("o");
    assert_eq!(browser.get("['layers', 'guides', 'constraints'].some((name) => tumble.get(name))"), false);
    for (setting, at_least) in [("'obstacles', 'hidden'", 1), ("'ground', false", 40), ("'light', 'full'", 20)] {
        let count = changed(&browser, &format!("tumble.set({setting})"));
        assert!(count >= at_least, "{setting}: {count}");
    }
    browser.assert_content();
}

#[test]
fn help_lists_every_key() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A pile", 24.0, 3);
    let Some((browser, _serving)) = open(&[path], "#frame=3&light=plain") else { return };
    assert_eq!(browser.get("document.getElementById('help').open"), false);
    browser.key("?");
    assert_eq!(browser.get("document.getElementById('help').open"), true);
    let text = browser.get("document.getElementById('help').textContent").as_str().unwrap().to_string();
    for words in [
        "Play or pause",
        "Clip plane",
        "Turntable",
        "Side by side",
        "Look at everything",
        "Orbit",
        "Overlays",
        "Faster",
    ] {
        assert!(text.contains(words), "{words}");
    }
    browser.shoot("help");
    browser.key("\u{E00C}");
    assert_eq!(browser.get("document.getElementById('help').open"), false);
    browser.assert_content();
}

#[test]
fn the_picture_follows_the_page_and_the_mouse() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "A directed pile", 24.0, 10);
    let Some((browser, _serving)) = open(&[path], "#frame=10") else { return };
    for (width, height) in [(1280, 800), (600, 900), (960, 640)] {
        browser.resize(width, height);
        assert_eq!(
            browser.get("[document.getElementById('canvas').width, document.getElementById('canvas').height]"),
            serde_json::json!([width, height])
        );
        assert!(
            changed(&browser, "tumble.set('colour', tumble.get('colour') === 'id' ? 'material' : 'id')") > 5,
            "something is seen"
        );
    }
    let before = browser.get("tumble.where('1')");
    browser.drag(&[[300.0, 300.0], [360.0, 320.0], [420.0, 330.0]]);
    assert_ne!(browser.get("tumble.where('1')"), before, "dragging orbits");
    assert_eq!(browser.get("tumble.chosen()"), Value::Null, "and chooses nothing");
    browser.key("f");
    browser.resize(1280, 800);
    browser.run("tumble.look('0,0,0.4,4.6,-0.9,0.32')");
    browser.shoot("overlays");
    browser.run("tumble.set('layers', false); tumble.set('guides', false); tumble.set('constraints', false); tumble.set('clip', true); tumble.set('colour', 'layer')");
    browser.shoot("clip");
    browser.assert_content();
}
