//! Speed at which particles follow grains: interpolations and steps with external forces apart,
//! beside the bound that memory sets.
//!
//! `cargo run --release -p tumble-benches --bin detail -- [PARTICLES]`. A block of grains as dense
//! as tetrahedra lie in a heap, 40 particles each, shears and slides over a plane and through a
//! fine mesh. Times of frames with several numbers of interpolations i and of steps s are solved
//! for the terms of t = base + i a + i s b. The bound is the time that the machine needs to read
//! and write the places and velocities of all particles once, with as many threads.

use std::time::Instant;

use glam::DVec3;
use tumble::detail::{Detail, DetailSettings, DetailShape, DetailSurface, Kernel};
use tumble::geometry::Model;
use tumble::world::{BodyId, Clump, Shape};
use tumble::{Frame, FrameBody, FramePose};

const COUNT: u32 = 40;
const RADIUS: f64 = 0.01;
const TIME: f64 = 1.0 / 30.0;

fn main() {
    let wanted: u32 =
        std::env::args().nth(1).map_or(Ok(2_000_000), |word| word.parse()).expect("a number of particles");
    let shape = Shape::named_clump("grain", Clump::Tetrahedron, RADIUS, 0.0).expect("a radius");
    let reach = shape.bounding_radius;
    let shapes = [DetailShape { spheres: shape.spheres, mesh: None, is_carrier: true }];
    let ball = Model::Ball { radius: 0.2 }.mesh(400).expect("a ball");
    let surfaces = [DetailSurface::Plane, DetailSurface::Mesh(ball)];
    let side = f64::from(wanted / COUNT).cbrt().round() as i32;
    println!(
        "{} particles of {} grains, {} thread(s) at most",
        side.pow(3) as u32 * COUNT,
        side.pow(3),
        rayon::current_num_threads()
    );
    println!(
        "threads  kernel    ns an interpolation  ns a step  ns base  M interpolated/s  M stepped/s  GB/s copied  bound M/s  bound over interpolation, step"
    );
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let bandwidth = bandwidth(side.pow(3) as usize * COUNT as usize * 6);
            for kernel in [Kernel::Smooth, Kernel::Printed] {
                let time = |interpolations: u32, steps: u32| {
                    let settings = DetailSettings { count: COUNT, kernel, interpolations, steps, ..DetailSettings::default() };
                    let (mut detail, _) = Detail::new(settings, &shapes, &surfaces, &frame(0, side, reach)).expect("particles");
                    let particles = f64::from(side.pow(3) as u32 * COUNT);
                    // The first frame sorts.
                    detail.advance(&frame(1, side, reach));
                    let best = (2..6).map(|k| {
                        let next = frame(k, side, reach);
                        let begin = Instant::now();
                        detail.advance(&next);
                        begin.elapsed().as_secs_f64()
                    });
                    1e9 * best.fold(f64::INFINITY, f64::min) / particles
                };
                let (t11, t81, t19) = (time(1, 1), time(8, 1), time(1, 9));
                let b = (t19 - t11) / 8.0;
                let a = (t81 - t11) / 7.0 - b;
                let base = t11 - a - b;
                let bound = bandwidth / 48.0 * 1e3;
                println!(
                    "{threads:>7}  {:8}  {a:19.1}  {b:9.1}  {base:7.1}  {:16.1}  {:11.1}  {bandwidth:11.1}  {bound:9.0}  {:.1}, {:.1}",
                    format!("{kernel:?}").to_lowercase(),
                    1e3 / a,
                    1e3 / b,
                    bound * a / 1e3,
                    bound * b / 1e3
                );
            }
        });
    }
}

/// Memory bandwidth \[GB/s\], read and write together: the best of some passes over so many
/// numbers.
fn bandwidth(numbers: usize) -> f64 {
    use rayon::prelude::*;
    let (mut a, b) = (vec![1f32; numbers], vec![2f32; numbers]);
    let pass = |a: &mut Vec<f32>| {
        let begin = Instant::now();
        a.par_chunks_mut(1 << 14).zip(b.par_chunks(1 << 14)).for_each(|(a, b)| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = 0.5 * *b);
        });
        begin.elapsed().as_secs_f64()
    };
    let best = (0..8).map(|_| pass(&mut a)).fold(f64::INFINITY, f64::min);
    8e-9 * numbers as f64 / best
}

/// A block that shears and slides along x, half of it over the ball.
fn frame(number: i64, side: i32, reach: f64) -> Frame {
    let apart = 1.4 * reach;
    let mut frame = Frame { number, time: number as f64 * TIME, ..Frame::default() };
    for index in 0..side.pow(3) {
        let [x, y, z] = [index % side, index / side % side, index / side / side].map(f64::from);
        let noise = |k: i32| (f64::from(index.wrapping_mul(7919 + 2 * k) % 1000) / 1000.0 - 0.5) * 0.6;
        let velocity = DVec3::new(0.2 + 0.3 * z / f64::from(side), 0.02 * noise(4), 0.02 * noise(5));
        let place =
            apart * DVec3::new(x + noise(1), y + noise(2), z + 0.6 + noise(3)) + number as f64 * TIME * velocity;
        frame.bodies.push(FrameBody {
            id: BodyId { index: index as u32, generation: 0 },
            position: place.as_vec3().to_array(),
            velocity: velocity.as_vec3().to_array(),
            contacts: 4,
            ..FrameBody::default()
        });
    }
    let stand = |position: [f32; 3]| FramePose { position, orientation: [1.0, 0.0, 0.0, 0.0] };
    let middle = (0.5 * apart * f64::from(side)) as f32;
    frame.obstacles = vec![stand([0.0; 3]), stand([middle, middle, 0.1])];
    frame
}
