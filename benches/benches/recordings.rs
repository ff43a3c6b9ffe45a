//! How fast recordings are written, read, served and drawn, and how small they are.
//!
//! `cargo bench -p tumble-benches --bench recordings [-- files|server|pictures]` prints figures.
//! The recordings are made up: a heap in which a tenth of the bodies move, and cones of grains that
//! fill a picture.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Instant;

use tumble::world::{BodyId, MaterialId, ShapeId};
use tumble::{Frame, FrameBody, FrameDetail, FrameParticle, FramePose};
use tumble_io::{
    DetailInfo, Header, MaterialInfo, MeshData, ObstacleInfo, ObstacleLook, Recording, RecordingWriter, ShapeInfo,
    SurfaceInfo, write_csv,
};
use tumble_picture::{Colouring, Overlays, Quality, Renderer, View};
use tumble_view::{Options, serve};

/// Number of each shape in [`header`].
const GRAIN: u32 = 0;
const CLUMP: u32 = 1;
const BRICK: u32 = 2;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, measure) in [("files", files as fn()), ("server", server), ("pictures", pictures)] {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            measure();
        }
    }
}

/// Writes, reads and exports 50 frames of 20,000 bodies.
fn files() {
    let (count, frames, path) = (20_000, 50, file("files"));
    let mut heap = Frame { bodies: (0..count).map(settled).collect(), ..with_floor(Frame::default()) };
    let bodies = f64::from(count) * frames as f64;
    let mut writer = RecordingWriter::create(&path, &header(), &[brick()]).expect("a file");
    let begin = Instant::now();
    for number in 0..frames {
        heap.number = number;
        writer.append(&heap).expect("a frame");
    }
    println!("files: {:.1} million bodies written per second", bodies / begin.elapsed().as_secs_f64() / 1e6);

    let mut recording = Recording::open(&path).expect("a recording");
    println!("files: {:.1} bytes per body and frame", recording.frames()[0].length as f64 / f64::from(count));
    let begin = Instant::now();
    (0..frames as usize).for_each(|index| recording.read(index, &mut heap).expect("a frame"));
    println!("files: {:.1} million bodies read per second", bodies / begin.elapsed().as_secs_f64() / 1e6);

    let begin = Instant::now();
    let rows = write_csv(&mut recording, None, &mut std::io::sink()).expect("a table");
    println!("files: {:.2} million rows of CSV per second", rows as f64 / begin.elapsed().as_secs_f64() / 1e6);
}

/// Streams frames of 100,000 bodies and of two million particles to one reader.
fn server() {
    let bodies = Frame { bodies: (0..100_000).map(settled).collect(), ..with_floor(Frame::default()) };
    let particles = (0..2_000_000).map(|k| particle(k, 0.01, settled(k).position)).collect();
    let detail = FrameDetail { particles, ..FrameDetail::default() };
    for (what, detail, frames) in [("100,000 bodies", None, 12), ("2,000,000 particles", Some(&detail), 4)] {
        let path = file("server");
        let header = Header { detail: detail.map(|_| DetailInfo { carriers: vec![GRAIN] }), ..header() };
        let mut writer = RecordingWriter::create(&path, &header, &[brick()]).expect("a file");
        for number in 1..=frames {
            let frame = Frame { number, ..bodies.clone() };
            writer.append_with(&frame, detail).expect("a frame");
        }
        let server = serve(&[path], Options::default()).expect("a server");
        let (address, stop) = (server.address(), server.stop_handle());
        let thread = std::thread::spawn(move || server.run());
        let begin = Instant::now();
        let bytes: usize = match detail {
            None => get(address, "/recording/0/frames"),
            Some(_) => (0..frames).map(|index| get(address, &format!("/recording/0/particles/{index}"))).sum(),
        };
        let seconds = begin.elapsed().as_secs_f64() / frames as f64;
        println!("server: {what}: {} bytes and {seconds:.3} s per frame", bytes / frames as usize);
        stop.stop();
        thread.join().expect("the server ends");
    }
}

/// Bytes of the answer to a request, which must succeed.
fn get(address: SocketAddr, path: &str) -> usize {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer[..answer.len().min(200)]));
    answer.len()
}

/// Pictures of cones of grains, clumps, bricks and particles in each quality.
fn pictures() {
    for (count, shape, what) in [
        (30_000, GRAIN, "grains"),
        (1_000_000, GRAIN, "points"),
        (30_000, CLUMP, "clumps of 4"),
        (1_000_000, BRICK, "bricks"),
    ] {
        let bodies = cone(count).enumerate().map(|(k, place)| body(k as u32, shape, 0.9, place)).collect();
        picture(what, &header(), &with_floor(Frame { bodies, ..Frame::default() }), &[], [1280, 720]);
    }
    // In no order of space, which is the hardest one: neighbours are a million apart.
    let places: Vec<[f32; 3]> = cone(2_000_000).collect();
    let place = |k: usize| places[k * 1_000_003 % places.len()];
    let particles: Vec<_> = (0..places.len()).map(|k| particle(k as u32, 0.9, place(k))).collect();
    let carriers = (0..places.len()).step_by(100).map(|k| body(k as u32, GRAIN, 0.9, places[k])).collect();
    let header = Header { detail: Some(DetailInfo { carriers: vec![GRAIN] }), ..header() };
    picture(
        "particles",
        &header,
        &with_floor(Frame { bodies: carriers, ..Frame::default() }),
        &particles,
        [1920, 1080],
    );
}

fn picture(what: &str, header: &Header, frame: &Frame, particles: &[FrameParticle], [width, height]: [usize; 2]) {
    let path = file("pictures");
    let mut writer = RecordingWriter::create(&path, header, &[brick()]).expect("a file");
    let none = FrameDetail::default();
    writer.append_with(frame, header.detail.is_some().then_some(&none)).expect("a frame");
    let renderer = Renderer::new(&mut Recording::open(&path).expect("a recording")).expect("a renderer");
    let camera = renderer.camera(16.0 / 9.0);
    let (colouring, overlays) = (Colouring::default(), Overlays::default());
    let count = frame.bodies.len() + particles.len();
    for quality in Quality::ALL {
        let view = View { camera, width, height, quality, colouring, overlays, grains: false, legend: false };
        let begin = Instant::now();
        std::hint::black_box(renderer.render(frame, particles, &view));
        println!("pictures: {count} {what}, {}: {:.2} s", quality.name(), begin.elapsed().as_secs_f64());
    }
}

/// A file in cargo's folder for benches.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}.tumble"))
}

/// Bodies are a ball of radius one, four balls, or a brick.
fn header() -> Header {
    let tetrahedron = [[0.5, 0.5, 0.5, 0.6], [-0.5, -0.5, 0.5, 0.6], [-0.5, 0.5, -0.5, 0.6], [0.5, -0.5, -0.5, 0.6]];
    let ball = [[0.0, 0.0, 0.0, 1.0]];
    let shapes: [(&str, &[[f64; 4]], _); 3] =
        [("grain", &ball, None), ("clump", &tetrahedron, None), ("brick", &ball, Some(0))];
    let shape = |(name, spheres, mesh): (&str, &[[f64; 4]], _)| ShapeInfo {
        name: name.into(),
        spheres: spheres.to_vec(),
        mesh,
        ..ShapeInfo::default()
    };
    let (surface, look) = (SurfaceInfo::Plane, ObstacleLook::Solid);
    Header {
        title: "Made up".into(),
        fps: 24.0,
        shapes: shapes.map(shape).to_vec(),
        materials: vec![MaterialInfo { name: "sand".into(), colour: None }],
        obstacles: vec![ObstacleInfo { name: "floor".into(), material: 0, surface, look, colour: None }],
        meshes: 1,
        ..Header::default()
    }
}

/// A brick of half lengths 1, 0.5 and 0.35.
fn brick() -> MeshData {
    let corner =
        |k: u32| [(0, 1.0), (1, 0.5), (2, 0.35)].map(|(bit, half)| if k >> bit & 1 == 1 { half } else { -half });
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    MeshData {
        vertices: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

fn with_floor(frame: Frame) -> Frame {
    Frame { obstacles: vec![FramePose { position: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }], ..frame }
}

/// A body at rest.
fn body(index: u32, shape: u32, size: f32, position: [f32; 3]) -> FrameBody {
    FrameBody {
        id: BodyId { index, generation: 0 },
        shape: ShapeId(shape),
        size,
        position,
        asleep: true,
        ..FrameBody::default()
    }
}

/// A body of a settled heap: places and turns are noise, one in ten creeps.
fn settled(index: u32) -> FrameBody {
    let draw = |count: u32| {
        let x = u64::from(index << 4 | count).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let turn = [0, 1, 2, 3].map(draw);
    let length = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
    let asleep = !index.is_multiple_of(10);
    let creep = |scale: f32| [4, 5, 6].map(|count| if asleep { 0.0 } else { scale * draw(count) });
    FrameBody {
        orientation: turn.map(|part| part / length),
        velocity: creep(1e-3),
        spin: creep(1e-2),
        asleep,
        ..body(index, GRAIN, 1.0, [draw(7), draw(8), 0.5 * draw(9).abs()])
    }
}

/// A particle at rest.
fn particle(id: u32, radius: f32, position: [f32; 3]) -> FrameParticle {
    FrameParticle { id, material: MaterialId(0), radius, position, velocity: [0.0; 3] }
}

/// Places of about so many balls of radius one on a square lattice, in a cone of 30°.
fn cone(count: u32) -> impl Iterator<Item = [f32; 3]> {
    let slope = 30f32.to_radians().tan();
    let radius = (3.0 * 8.0 * count as f32 / (std::f32::consts::PI * slope)).cbrt();
    let reach = (radius / 2.0) as i32;
    let wobble = |k: i32, n: u32| ((k.wrapping_mul(-1_640_531_535) >> n) & 255) as f32 / 1000.0;
    let place = move |x: i32, y: i32, z: i32| {
        let k = x + 4096 * (y + 4096 * z);
        [2.0 * x as f32 + wobble(k, 3), 2.0 * y as f32 + wobble(k, 11), 1.0 + 2.0 * z as f32 + wobble(k, 19)]
    };
    let rows = (0..reach).flat_map(move |z| (-reach..=reach).map(move |y| (y, z)));
    let places = rows.flat_map(move |(y, z)| (-reach..=reach).map(move |x| place(x, y, z)));
    places.filter(move |[x, y, z]| x.hypot(*y) < radius - z / slope)
}
