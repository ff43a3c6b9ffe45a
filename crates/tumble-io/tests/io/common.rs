//! Folders that clean up after themselves, small frames, and random numbers that are the same in
//! every run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tumble::world::{BodyId, MaterialId, ShapeId};
use tumble::{Frame, FrameBody, FrameConstraint, FrameLayer, FramePose, Method};
use tumble_io::{
    CameraInfo, Header, MaterialInfo, MeshData, ObstacleInfo, ObstacleLook, Recording, RecordingWriter, ShapeInfo,
    SurfaceInfo,
};

/// A folder for one test, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("io-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// SplitMix64: enough for tests, and the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Between -1 and 1.
    pub(crate) fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

pub(crate) fn header() -> Header {
    Header {
        title: "Two bananas".to_owned(),
        first_frame: -1,
        shapes: vec![
            ShapeInfo {
                name: "grain".to_owned(),
                spheres: vec![[0.1, 0.2, 1.0 / 3.0, 4.5e-7]],
                mesh: None,
                ..ShapeInfo::default()
            },
            ShapeInfo { name: "banana, ripe".to_owned(), spheres: vec![], mesh: Some(0), ..ShapeInfo::default() },
        ],
        materials: vec![
            MaterialInfo { name: "sand".to_owned(), colour: None },
            MaterialInfo { name: "peel".to_owned(), colour: Some([250, 220, 0]) },
        ],
        obstacles: vec![ObstacleInfo {
            name: "floor".to_owned(),
            material: 1,
            surface: SurfaceInfo::Plane,
            look: ObstacleLook::Glass,
            colour: Some([1, 2, 3]),
        }],
        guides: vec![0],
        meshes: 1,
        camera: Some(CameraInfo { position: [1.0, 2.0, 3.0], target: [0.0, 0.5, 0.0], fov: 30.0 }),
        scene: "title = \"Two bananas\"\n".to_owned(),
        ..Header::default()
    }
}

/// A frame whose every number differs from that of every other frame.
pub(crate) fn frame(number: i64, bodies: u32) -> Frame {
    let body = |index: u32| {
        let value = number as f32 + index as f32 / 8.0;
        FrameBody {
            id: BodyId { index, generation: 1 },
            shape: ShapeId(index % 2),
            material: MaterialId((index + 1) % 2),
            size: 1.0 + value,
            position: [value, -value, 0.5],
            orientation: [1.0, 0.0, value, 0.0],
            velocity: [0.25, value, -0.0],
            spin: [value, 1e-7, 0.0],
            contacts: index,
            asleep: index.is_multiple_of(3),
            held: index.is_multiple_of(5),
            method: Method::ALL[index as usize % 4],
            layer: (index % 2 == 1).then_some(index as u16),
        }
    };
    Frame {
        number,
        time: number as f64 / 24.0,
        state_hash: (1000 + number) as u64,
        bodies: (0..bodies).map(body).collect(),
        obstacles: vec![FramePose { position: [number as f32, 0.0, 0.0], orientation: [1.0, 0.0, 0.0, 0.0] }],
        layers: vec![FrameLayer { pile: 1, centre: [0.0, 0.5, 0.0], radius: 2.0, height: 0.25, density: 0.5 }],
        constraints: vec![FrameConstraint { from: [0.0, 1.0, 2.0], to: [number as f32, 1.0, 1.0] }],
    }
}

/// The mesh of the header: a tetrahedron.
pub(crate) fn mesh() -> MeshData {
    let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.5]];
    MeshData { vertices, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }
}

/// Writes the frames and returns the bytes of the file.
pub(crate) fn record(path: &Path, frames: &[Frame]) -> Vec<u8> {
    let mut writer = RecordingWriter::create(path, &header(), &[mesh()]).unwrap();
    for frame in frames {
        writer.append(frame).unwrap();
    }
    writer.sync().unwrap();
    fs::read(path).unwrap()
}

/// Reads all frames.
pub(crate) fn read_all(path: &Path) -> Vec<Frame> {
    let mut recording = Recording::open(path).unwrap();
    assert_eq!(recording.damage(), None);
    (0..recording.frames().len())
        .map(|index| {
            let mut frame = Frame::default();
            recording.read(index, &mut frame).unwrap();
            frame
        })
        .collect()
}
