//! Small recordings to look at, one of everything that can be drawn.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;
use tumble::world::{BodyId, MaterialId, ShapeId};
use tumble::{Frame, FrameBody, FrameConstraint, FrameDetail, FrameLayer, FrameParticle, FramePose, Method};
use tumble_io::{
    Header, MaterialInfo, MeshData, ObstacleInfo, ObstacleLook, Recording, RecordingWriter, ShapeInfo, SurfaceInfo,
};
use tumble_picture::{Camera, Colouring, Image, Overlays, Quality, Renderer, View};

/// Number of each shape in [`header`].
pub(crate) const GRAIN: u32 = 0;
pub(crate) const CLUMP: u32 = 1;
pub(crate) const BRICK: u32 = 2;

/// Bodies have these shapes: a ball of radius one, four balls, a brick.
pub(crate) fn header() -> Header {
    let shape = |name: &str, spheres: &[[f64; 4]], mesh| ShapeInfo {
        name: name.into(),
        spheres: spheres.to_vec(),
        mesh,
        ..ShapeInfo::default()
    };
    let tetrahedron = [[0.5, 0.5, 0.5, 0.6], [-0.5, -0.5, 0.5, 0.6], [-0.5, 0.5, -0.5, 0.6], [0.5, -0.5, -0.5, 0.6]];
    Header {
        title: "Made up".into(),
        shapes: vec![
            shape("grain", &[[0.0, 0.0, 0.0, 1.0]], None),
            shape("clump", &tetrahedron, None),
            shape("brick", &[[0.0, 0.0, 0.0, 1.0]], Some(0)),
        ],
        materials: vec![
            MaterialInfo { name: "sand".into(), colour: None },
            MaterialInfo { name: "clay".into(), colour: Some([0xB0, 0x50, 0x40]) },
        ],
        meshes: 1,
        ..Header::default()
    }
}

/// A brick of half lengths 1, 0.5 and 0.35.
pub(crate) fn brick() -> MeshData {
    let corner =
        |k: u32| [(0, 1.0), (1, 0.5), (2, 0.35)].map(|(bit, half)| if k >> bit & 1 == 1 { half } else { -half });
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    MeshData {
        vertices: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

/// A body at rest.
pub(crate) fn body(index: u32, shape: u32, size: f32, position: [f32; 3]) -> FrameBody {
    FrameBody { id: BodyId { index, generation: 0 }, shape: ShapeId(shape), size, position, ..FrameBody::default() }
}

/// A particle at rest.
pub(crate) fn particle(id: u32, radius: f32, position: [f32; 3]) -> FrameParticle {
    FrameParticle { id, material: MaterialId(0), radius, position, velocity: [0.0; 3] }
}

pub(crate) fn frame(bodies: Vec<FrameBody>) -> Frame {
    Frame { number: 1, bodies, ..Frame::default() }
}

/// A level floor at this height.
pub(crate) fn with_floor(header: &mut Header, frame: &mut Frame, height: f32) {
    with_obstacle(header, frame, SurfaceInfo::Plane, ObstacleLook::Solid, [0.0, 0.0, height]);
}

pub(crate) fn with_obstacle(
    header: &mut Header,
    frame: &mut Frame,
    surface: SurfaceInfo,
    look: ObstacleLook,
    position: [f32; 3],
) {
    let name = format!("obstacle {}", header.obstacles.len());
    header.obstacles.push(ObstacleInfo { name, material: 0, surface, look, colour: None });
    frame.obstacles.push(FramePose { position, orientation: [1.0, 0.0, 0.0, 0.0] });
}

/// A pile of everything, with every kind of body, obstacle and overlay.
pub(crate) fn everything() -> (Header, Frame) {
    let mut bodies = Vec::new();
    for k in 0..24u32 {
        let (ring, turn) = (k / 8, std::f32::consts::TAU * k as f32 / 8.0);
        let radius = 3.0 - ring as f32;
        let place = [radius * turn.cos(), radius * turn.sin(), 0.6 + 0.9 * ring as f32];
        let half = 0.5 * turn;
        bodies.push(FrameBody {
            material: MaterialId(k % 2),
            orientation: [half.cos(), 0.2 * half.sin(), 0.0, half.sin()],
            velocity: [0.0, 0.1 * k as f32, 0.0],
            contacts: k % 13,
            asleep: k % 3 == 0,
            held: k % 5 == 0,
            method: Method::ALL[k as usize % 4],
            layer: (k % 4 != 3).then_some(ring as u16),
            ..body(k, k % 3, 0.6, place)
        });
    }
    let (mut header, mut frame) = (Header { guides: vec![0], ..header() }, frame(bodies));
    with_floor(&mut header, &mut frame, 0.0);
    with_obstacle(&mut header, &mut frame, SurfaceInfo::Box([4.2, 0.1, 0.5]), ObstacleLook::Solid, [0.0, 4.0, 0.5]);
    with_obstacle(&mut header, &mut frame, SurfaceInfo::Box([4.2, 0.1, 1.2]), ObstacleLook::Glass, [0.0, -4.0, 1.2]);
    let layer = |k: u8| FrameLayer {
        pile: 0,
        centre: [0.0, 0.0, f32::from(k)],
        radius: 4.0 - f32::from(k),
        height: 0.95,
        density: 0.3 * f32::from(k),
    };
    frame.layers = (0..3).map(layer).collect();
    frame.constraints = vec![FrameConstraint { from: [3.0, 0.0, 0.6], to: [1.0, 0.0, 3.5] }];
    (header, frame)
}

/// A folder for one test, removed at its end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("pictures-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A renderer for a recording of one frame; where the header promises particles, there are none.
pub(crate) fn renderer(header: &Header, frame: &Frame) -> Renderer {
    let folder = Folder::new();
    let path = folder.0.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, header, &[brick()]).unwrap();
    let none = FrameDetail::default();
    writer.append_with(frame, header.detail.is_some().then_some(&none)).unwrap();
    Renderer::new(&mut Recording::open(&path).unwrap()).unwrap()
}

/// A small picture from a place.
pub(crate) fn view(position: Vec3, target: Vec3, fov: f32, size: [usize; 2]) -> View {
    View {
        camera: Camera { position, target, fov },
        width: size[0],
        height: size[1],
        quality: Quality::Good,
        colouring: Colouring::default(),
        overlays: Overlays::default(),
        grains: false,
        legend: false,
    }
}

/// Brightness of a pixel, from 0 to 255.
pub(crate) fn brightness(image: &Image, x: usize, y: usize) -> f32 {
    let [r, g, b] = image.pixels[y * image.width + x].map(f32::from);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}
