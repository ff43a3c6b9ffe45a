//! Particles: drawn in place of the bodies they stand for, in the colours they should have, as the
//! clock goes on.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use tumble::{Frame, FrameBody, FrameDetail, FrameParticle, FramePose};
use tumble_io::{DetailInfo, Header, MaterialInfo, Recording, RecordingWriter, ShapeInfo};

use crate::common::{Folder, body, header, particles, record_particles};
use crate::driver::{Browser, open};
use tumble::world::{MaterialId, ShapeId};

/// A red carrier with a blue particle in it, a red body that is no carrier, a fast blue particle
/// where a tiny carrier is, and a tiny carrier on the ground where the first particle's shadow
/// falls.
fn record_few(path: &Path) {
    let material = |name: &str, colour| MaterialInfo { name: name.into(), colour: Some(colour) };
    let ball = |name: &str, radius| ShapeInfo {
        name: name.into(),
        spheres: vec![[0.0, 0.0, 0.0, radius]],
        mesh: None,
        ..ShapeInfo::default()
    };
    let header = Header {
        title: "Few".into(),
        shapes: vec![ball("carrier", 0.4), ball("stone", 0.4), ball("speck", 0.001)],
        materials: vec![material("red", [200, 40, 40]), material("blue", [40, 60, 200])],
        obstacles: header("", 24.0).obstacles.drain(..1).collect(),
        detail: Some(DetailInfo { carriers: vec![0, 2] }),
        ..Header::default()
    };
    // The sun shines along (0.42, 0.55, -1.15).
    let places = [[-1.5, 0.0, 1.0], [0.0, 0.0, 1.0], [1.5, 0.0, 1.0], [-1.5 + 0.42 / 1.15, 0.55 / 1.15, 0.0]];
    let bodies = places
        .iter()
        .zip([0, 1, 2, 2])
        .zip(0..)
        .map(|((&at, shape), id)| FrameBody { shape: ShapeId(shape), ..body(id, at) });
    let obstacles = vec![FramePose { position: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }];
    let frame = Frame { number: 1, bodies: bodies.collect(), obstacles, ..Frame::default() };
    let particle = |id: u32, speed| FrameParticle {
        id,
        material: MaterialId(1),
        radius: 0.35,
        position: places[2 * id as usize],
        velocity: [speed, 0.0, 0.0],
    };
    let detail = FrameDetail { state_hash: 1, particles: vec![particle(0, 0.0), particle(1, 4.5)] };
    RecordingWriter::create(path, &header, &[]).unwrap().append_with(&frame, Some(&detail)).unwrap();
}

/// Colours where the four bodies of [`record_few`] are, whether or not they are drawn.
fn colours(browser: &Browser) -> [[f64; 3]; 4] {
    let found = browser.get("tumble.pixels(['0', '1', '2', '3'].map((id) => tumble.where(id)))");
    std::array::from_fn(|place| [0, 1, 2].map(|k| found[place][k].as_f64().unwrap()))
}

fn is_red([red, green, blue]: [f64; 3]) -> bool {
    red > 1.5 * green && red > 1.5 * blue
}

fn is_blue([red, green, blue]: [f64; 3]) -> bool {
    blue > 1.5 * red && blue > 1.3 * green
}

#[test]
fn particles_stand_for_their_carriers_and_the_switch_brings_them_back() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record_few(&path);
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain&view=0,0,0.7,7,-1.5708,0.3") else { return };
    assert_eq!(browser.get("tumble.particles()"), serde_json::json!([2, 1]));
    let [carrier, stone, fast, ground] = colours(&browser);
    assert!(is_blue(carrier) && is_red(stone) && is_blue(fast), "{carrier:?} {stone:?} {fast:?}");

    // Of the other colour modes particles have the speed only.
    browser.key("3");
    let [slow, _, fast, _] = colours(&browser);
    assert!(is_blue(slow) && fast[0] > 1.5 * fast[2] && fast[1] > 1.5 * fast[2], "{slow:?} {fast:?}");
    browser.key("8");
    assert!(is_blue(colours(&browser)[0]));
    assert_eq!(browser.get("document.getElementById('legend').textContent.includes('their material')"), true);
    browser.key("1");

    // In the sun a particle casts a shadow, and nothing else could where the speck was.
    browser.run("tumble.set('light', 'full'); await tumble.settled()");
    let shadow = colours(&browser)[3];
    assert!(shadow.iter().zip(ground).all(|(dark, light)| *dark < light - 20.0), "{shadow:?} {ground:?}");

    browser.key("d");
    browser.run("await tumble.settled()");
    assert_eq!(browser.get("tumble.particles()"), serde_json::Value::Null);
    let [carrier, stone, nothing, _] = colours(&browser);
    assert!(is_red(carrier) && is_red(stone) && !is_blue(nothing), "{carrier:?} {stone:?} {nothing:?}");
    browser.click_on("#particles-row span");
    browser.run("await tumble.settled()");
    assert!(is_blue(colours(&browser)[0]));

    // A click on a particle selects the body below it.
    let place = browser.get("tumble.where('0')");
    browser.click([place[0].as_f64().unwrap(), place[1].as_f64().unwrap()]);
    assert_eq!(browser.get("tumble.chosen()"), "0");

    // The cut takes them away.
    browser.run("tumble.set('clip', true); tumble.set('clipAxis', 'z'); tumble.set('clipAt', 0.1)");
    assert!(colours(&browser)[..3].iter().all(|&colour| !is_blue(colour) && !is_red(colour)));
    browser.assert_content();
}

#[test]
fn particles_follow_the_clock() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record_particles(&path, 40, 3000);
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    for number in [17, 40, 3] {
        browser.run(&format!("await tumble.goto({number})"));
        assert_eq!(browser.get("tumble.particles()"), serde_json::json!([3000, number]));
    }
    browser.wait_for("document.getElementById('bodies').textContent === '200 bodies, 3,000 particles'");
    browser.key(" ");
    browser.wait_for("tumble.frame() > 12 && tumble.particles() !== null && tumble.particles()[1] > 10");
    browser.key(" ");
    browser.run("await tumble.settled()");
    assert_eq!(browser.get("tumble.particles()[1] === tumble.frame()"), true);
    browser.assert_content();
}

#[test]
fn who_does_not_look_at_particles_does_not_fetch_them() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record_particles(&path, 40, 3000);
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain&particles=0") else { return };
    browser.run("await tumble.goto(20)");
    assert_eq!(browser.get("[tumble.particles(), tumble.costs().keptParticles]"), serde_json::json!([null, 0]));
    // With room for so many frames, or for not even one, the requested frames come and none is
    // requested twice.
    for room in [0.5, 1.5, 7.9] {
        let kept = browser.run(&format!(
            "const {{ Particles }} = await import('/particles.js');
            const {{ Recording }} = await import('/recording.js');
            const recording = await Recording.open(0);
            const size = 48 + 12 * 3000;
            const particles = new Particles(recording, {room} * size);
            const rest = () => new Promise((resolve) => setTimeout(resolve, 50));
            const kept = [];
            for (const centre of [30, 12, 11]) {{
                particles.aim(centre, 0);
                do await rest(); while (particles.requests.size > 0);
                const before = particles.fetchedBytes;
                particles.aim(centre, 0);
                await rest();
                kept.push(particles.get(centre)?.head.count, particles.bytes <= Math.max(1, {room}) * size, particles.fetchedBytes - before);
            }}
            return kept"
        ));
        assert_eq!(kept, serde_json::json!([3000, true, 0, 3000, true, 0, 3000, true, 0]), "room for {room} frames");
    }
    browser.assert_content();
}

#[test]
fn where_particles_are_damaged_bodies_are_shown() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record_particles(&path, 3, 3000);
    let [entry, next] = [1, 2].map(|index| Recording::open(&path).unwrap().frames()[index]);
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start((entry.offset + entry.length + next.offset) / 2)).unwrap();
    file.write_all(&[0xff; 16]).unwrap();
    let Some((browser, _serving)) = open(&[path], "#frame=1&light=plain") else { return };
    browser.wait_for("document.getElementById('messages').textContent.includes('frame 2') && document.getElementById('messages').textContent.includes('is damaged')");
    let shown = "return [await tumble.goto(2), tumble.particles(), await tumble.goto(3), tumble.particles()]";
    assert_eq!(browser.run(shown), serde_json::json!([2, null, 3, [3000, 3]]));
}

#[test]
#[ignore = "full size: two million particles"]
fn many_particles_cost_little_script() {
    for count in [200_000, 2_000_000] {
        let folder = Folder::new();
        let path = folder.file("frames.tumble");
        let mut header = header("Many particles", 24.0);
        header.detail = Some(DetailInfo { carriers: vec![0] });
        header.guides.clear();
        header.obstacles.truncate(1);
        let mut writer = RecordingWriter::create(&path, &header, &crate::common::meshes()).unwrap();
        for number in 1..=4 {
            let mut detail = particles(number, count);
            let scale = (200_000.0 / f64::from(count)).cbrt() as f32;
            detail.particles.iter_mut().for_each(|particle| particle.radius *= scale);
            let obstacles = vec![FramePose { position: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }];
            let bodies = (0..400).map(|k| body(k, detail.particles[k as usize * 100].position)).collect();
            let frame = Frame { number, time: number as f64 / 24.0, bodies, obstacles, ..Frame::default() };
            writer.append_with(&frame, Some(&detail)).unwrap();
        }
        let Some((browser, _serving)) = open(&[path], "#frame=1&view=0,0,0.25,2.9,-1,0.4") else { return };
        for number in [3, 2] {
            let seconds = browser.run(&format!(
                "const start = performance.now(); await tumble.goto({number}); return (performance.now() - start) / 1000"
            ));
            println!(
                "{count} particles, frame {number}: {seconds} s until it is seen, {}",
                browser.get("tumble.costs()")
            );
        }
        browser.resize(1280, 800);
        browser.shoot(&format!("particles-{count}"));
        browser.key("3");
        browser.shoot(&format!("particles-{count}-speed"));
        browser.key("1");
        browser.key("d");
        browser.shoot(&format!("particles-{count}-grains"));
        browser.key("d");
        browser.run("tumble.look('0.25,-0.3,0.35,0.35,-1,0.4'); await tumble.settled()");
        browser.shoot(&format!("particles-{count}-near"));
        browser.assert_content();
    }
}
