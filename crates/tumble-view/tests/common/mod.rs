//! Made-up recordings with everything in them that a frame can hold, and places to put them.

#![allow(dead_code)]

mod serving;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tumble::world::{BodyId, MaterialId, ShapeId};
use tumble::{Frame, FrameBody, FrameConstraint, FrameDetail, FrameLayer, FrameParticle, FramePose, Method};
use tumble_io::{DetailInfo, Header, MaterialInfo, MeshData, ObstacleInfo, RecordingWriter, ShapeInfo, SurfaceInfo};

pub(crate) use serving::Serving;

/// A folder that is removed at the end of its test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tumble-view-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A closed box as a mesh, with these half lengths.
pub(crate) fn box_mesh(half: [f32; 3], at: [f32; 3]) -> MeshData {
    let corner = |k: usize| [0, 1, 2].map(|axis| at[axis] + if k >> axis & 1 == 1 { half[axis] } else { -half[axis] });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    MeshData { vertices: (0..8).map(corner).collect(), triangles }
}

/// Several meshes as one.
pub(crate) fn join(parts: &[MeshData]) -> MeshData {
    let mut whole = MeshData::default();
    for part in parts {
        let first = whole.vertices.len() as u32;
        whole.vertices.extend(&part.vertices);
        whole.triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|corner| corner + first)));
    }
    whole
}

/// A seat, a back and four legs.
pub(crate) fn chair() -> MeshData {
    let leg = |x, y| box_mesh([0.02, 0.02, 0.11], [x, y, -0.11]);
    let (seat, back) = (box_mesh([0.13, 0.13, 0.015], [0.0; 3]), box_mesh([0.13, 0.015, 0.14], [0.0, 0.115, 0.15]));
    join(&[seat, back, leg(-0.1, -0.1), leg(0.1, -0.1), leg(-0.1, 0.1), leg(0.1, 0.1)])
}

pub(crate) fn header(title: &str, fps: f64) -> Header {
    let shape = |name: &str, spheres: &[[f64; 4]], mesh| ShapeInfo {
        name: name.into(),
        spheres: spheres.into(),
        mesh,
        ..ShapeInfo::default()
    };
    let material = |name: &str, colour| MaterialInfo { name: name.into(), colour };
    // From JSON, where what is not named has its default.
    let obstacle = |name: &str, material: u32, surface: SurfaceInfo| -> ObstacleInfo {
        serde_json::from_value(serde_json::json!({ "name": name, "material": material, "surface": surface })).unwrap()
    };
    Header {
        title: title.into(),
        fps,
        shapes: vec![
            shape("pebble", &[[0.0, 0.0, 0.0, 0.06]], None),
            shape("clump", &[[-0.05, 0.0, 0.0, 0.05], [0.05, 0.0, 0.0, 0.05], [0.0, 0.06, 0.0, 0.04]], None),
            shape("chair", &[[0.0, 0.0, 0.0, 0.13]], Some(0)),
        ],
        materials: vec![
            material("sand", None),
            material("wood", Some([160, 90, 44])),
            material("slate", Some([70, 84, 99])),
        ],
        obstacles: vec![
            obstacle("ground", 0, SurfaceInfo::Plane),
            obstacle("blade", 2, SurfaceInfo::Box([0.03, 0.5, 0.12])),
            obstacle("step", 2, SurfaceInfo::Mesh(1)),
        ],
        guides: vec![2],
        ..Header::default()
    }
}

pub(crate) fn meshes() -> Vec<MeshData> {
    let mut cone = MeshData { vertices: vec![[0.0, 0.0, 1.15]], triangles: Vec::new() };
    for k in 0..48 {
        let angle = k as f32 / 48.0 * std::f32::consts::TAU;
        cone.vertices.push([1.15 * angle.cos(), 1.15 * angle.sin(), 0.0]);
        cone.triangles.push([0, 1 + k, 1 + (k + 1) % 48]);
    }
    vec![chair(), box_mesh([0.25, 0.25, 0.04], [0.0; 3]), cone]
}

/// A number from 0 to 1 that depends on these two alone.
pub(crate) fn draw(a: u32, b: u32) -> f32 {
    let mut x = a.wrapping_mul(0x9e37_79b9) ^ b.wrapping_mul(0x85eb_ca6b) ^ 0x1234_5678;
    for _ in 0..3 {
        x ^= x >> 16;
        x = x.wrapping_mul(0x7feb_352d);
    }
    (x >> 8) as f32 / (1 << 24) as f32
}

/// A body at rest.
pub(crate) fn body(index: u32, position: [f32; 3]) -> FrameBody {
    FrameBody { id: BodyId { index, generation: 0 }, position, ..FrameBody::default() }
}

/// A frame of a pile that grows: spheres, clumps and chairs, all methods, layers, constraints, a
/// blade that moves.
pub(crate) fn frame(number: i64, fps: f64, count: u32) -> Frame {
    let time = (number - 1) as f64 / fps;
    let make = |k: u32| {
        // Bodies stand in a cone: layer by layer, each smaller than the one below.
        let layer = ((1.0 - draw(k, 1).sqrt()) * 7.99) as u16;
        let reach = 1.0 - f32::from(layer) / 8.0;
        let (angle, away) = (draw(k, 2) * std::f32::consts::TAU, draw(k, 3).sqrt() * reach);
        let height = 0.07 + f32::from(layer) * 0.13;
        let fall = (0.4 - 0.1 * number as f32).max(0.0) * draw(k, 4);
        let turn: Vec<f32> = (5..9).map(|part| draw(k, part) - 0.5).collect();
        let size = turn.iter().map(|part| part * part).sum::<f32>().sqrt();
        FrameBody {
            id: BodyId { index: k, generation: if k.is_multiple_of(50) { 3 } else { 0 } },
            shape: if k.is_multiple_of(23) { ShapeId(2) } else { ShapeId(u32::from(k.is_multiple_of(3))) },
            material: if k.is_multiple_of(23) { MaterialId(1) } else { MaterialId(k % 3 / 2 * 2) },
            size: 0.8 + 0.4 * draw(k, 9),
            position: [away * angle.cos(), away * angle.sin(), height + fall],
            orientation: [turn[0] / size, turn[1] / size, turn[2] / size, turn[3] / size],
            velocity: [0.1 * draw(k, 10), 0.0, -fall * 5.0],
            spin: [draw(k, 11), 0.0, 1.0],
            contacts: k % 13,
            asleep: layer < 3,
            held: k.is_multiple_of(9),
            method: Method::ALL[k as usize / 2 % 4],
            layer: (!k.is_multiple_of(7)).then_some(layer),
        }
    };
    let turned = (number as f32 * 0.02).sin_cos();
    let poses = [
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        ([-1.6 + 0.02 * number as f32, 0.0, 0.12], [turned.1, 0.0, 0.0, turned.0]),
        ([1.5, -0.9, 0.04], [1.0, 0.0, 0.0, 0.0]),
    ];
    let layer = |k: u32| FrameLayer {
        pile: 0,
        centre: [0.0, 0.0, k as f32 * 0.13],
        radius: 1.05 - k as f32 / 8.0,
        height: 0.13,
        density: 1.0 - k as f32 / 10.0,
    };
    let bodies: Vec<FrameBody> = (0..count).map(make).collect();
    let held = bodies.iter().filter(|body| body.held);
    let constraints = held
        .map(|body| FrameConstraint { from: body.position, to: [body.position[0], body.position[1], 0.0] })
        .collect();
    Frame {
        number,
        time,
        state_hash: number as u64 * 0x1111_1111,
        bodies,
        obstacles: poses.map(|(position, orientation)| FramePose { position, orientation }).into(),
        layers: (0..8).map(layer).collect(),
        constraints,
    }
}

/// Writes a recording of frames 1 to `frames` of a growing pile, and returns the writer to go on
/// with.
pub(crate) fn record(path: &Path, title: &str, fps: f64, frames: i64) -> RecordingWriter {
    let mut writer = RecordingWriter::create(path, &header(title, fps), &meshes()).unwrap();
    for number in 1..=frames {
        writer.append(&frame(number, fps, 200 + 10 * number as u32)).unwrap();
    }
    writer
}

/// The same header for frames with particles, which stand for the pebbles and the clumps.
pub(crate) fn header_with_particles(title: &str) -> Header {
    Header { detail: Some(DetailInfo { carriers: vec![0, 1] }), ..header(title, 24.0) }
}

/// Particles of a heap: a cone of them, which sinks a little from frame to frame.
pub(crate) fn particles(number: i64, count: u32) -> FrameDetail {
    let particle = |k: u32| {
        let up = 1.0 - draw(k, 1).cbrt();
        let (angle, away) = (draw(k, 2) * std::f32::consts::TAU, draw(k, 3).sqrt() * (1.0 - up));
        FrameParticle {
            id: 2 * k,
            material: if k.is_multiple_of(4) { MaterialId(2) } else { MaterialId(0) },
            radius: 0.006 + 0.003 * draw(k, 4),
            position: [away * angle.cos(), away * angle.sin(), 0.01 + 0.6 * up - 0.002 * number as f32 * up],
            velocity: [0.3 * up * draw(k, 5), 0.0, -0.1 * up],
        }
    };
    FrameDetail { state_hash: 7 * number as u64, particles: (0..count).map(particle).collect() }
}

/// Writes frames 1 to `frames` with so many particles each, and returns the writer to go on with.
pub(crate) fn record_particles(path: &Path, frames: i64, count: u32) -> RecordingWriter {
    let mut writer = RecordingWriter::create(path, &header_with_particles("Detail"), &meshes()).unwrap();
    for number in 1..=frames {
        writer.append_with(&frame(number, 24.0, 200), Some(&particles(number, count))).unwrap();
    }
    writer
}
