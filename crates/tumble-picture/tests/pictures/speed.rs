//! How long a picture takes. Prints figures:
//! `cargo test -p tumble-picture --release --test pictures -- --ignored --nocapture speed`

use std::time::Instant;

use tumble::{Frame, FrameParticle};
use tumble_io::{DetailInfo, Header};
use tumble_picture::{Quality, View, write_png};

use crate::common::{BRICK, CLUMP, GRAIN, body, frame, header, particle, renderer, view, with_floor};

/// A cone of grains as dense as a heap, on a floor.
fn heap(count: u32, shape: u32) -> Frame {
    let mut bodies = Vec::new();
    // A face-centred lattice: layer above layer until there are enough, in a cone of 30 degrees.
    let volume_each = 4.0 * 2f32.sqrt();
    let tangent = 30f32.to_radians().tan();
    let radius = (3.0 * count as f32 * volume_each / (std::f32::consts::PI * tangent)).cbrt();
    let step = 2.0 / 3f32.sqrt() * 2f32.sqrt();
    let reach = (radius / 2.0) as i32 + 1;
    for layer in 0.. {
        let z = 1.0 + step * layer as f32;
        let here = radius - z / tangent;
        if here < 0.0 {
            break;
        }
        for row in -reach * 2..=reach * 2 {
            for column in -reach..=reach {
                let odd = (row.rem_euclid(2) + layer % 2) as f32;
                let (x, y) = (2.0 * column as f32 + odd, 3f32.sqrt() * row as f32 + 1.1547 * (layer % 3) as f32);
                if x * x + y * y < here * here {
                    let k = bodies.len() as u32;
                    let wobble = |n: u32| ((k.wrapping_mul(2_654_435_761) >> n) & 255) as f32 / 1000.0;
                    bodies.push(body(k, shape, 0.9, [x + wobble(3), y + wobble(11), z + wobble(19)]));
                }
            }
        }
    }
    frame(bodies)
}

/// A picture of each quality.
fn time(what: &str, header: &Header, frame: &Frame, particles: &[FrameParticle], size: [usize; 2]) {
    let renderer = renderer(header, frame);
    let camera = renderer.camera(16.0 / 9.0);
    for quality in Quality::ALL {
        let look = View { quality, camera, ..view(camera.position, camera.target, 30.0, size) };
        let begin = Instant::now();
        let image = renderer.render(frame, particles, &look);
        let seconds = begin.elapsed().as_secs_f64();
        let count = frame.bodies.len() + particles.len();
        println!("{what} ({count}), {}: {seconds:.2} s", quality.name());
        if let Some(folder) = std::env::var_os("TUMBLE_PICTURES") {
            write_png(&std::path::Path::new(&folder).join(format!("{what}-{}.png", quality.name())), &image).unwrap();
        }
    }
}

#[test]
#[ignore = "prints figures"]
fn speed() {
    for (count, shape, what) in [
        (30_000, GRAIN, "30000 grains"),
        (1_000_000, GRAIN, "1000000 points"),
        (30_000, CLUMP, "30000 clumps of 4"),
        (1_000_000, BRICK, "1000000 bricks"),
    ] {
        let (mut header, mut frame) = (header(), heap(count, shape));
        with_floor(&mut header, &mut frame, 0.0);
        time(what, &header, &frame, &[], [1280, 720]);
    }
}

/// Two million particles in place of the grains of a heap; `/usr/bin/time -v` tells the memory.
#[test]
#[ignore = "prints figures"]
fn speed_of_particles() {
    let fine = heap(2_000_000, GRAIN);
    // In no order of space, which is the hardest one: neighbours are a million apart.
    let count = fine.bodies.len();
    let place = |k: usize| fine.bodies[k * 1_000_003 % count].position;
    let particles: Vec<_> = (0..count).map(|k| particle(k as u32, 0.9, place(k))).collect();
    let bodies = fine.bodies.iter().step_by(100).copied().collect();
    drop(fine);
    let (mut header, mut frame) =
        (Header { detail: Some(DetailInfo { guides: vec![GRAIN] }), ..header() }, frame(bodies));
    with_floor(&mut header, &mut frame, 0.0);
    time("2000000 particles", &header, &frame, &particles, [1920, 1080]);
}
