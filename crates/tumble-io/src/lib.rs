//! The files of a run: recordings and checkpoints, written and read, and exports.
//!
//! Where to begin, from the outside in:
//! - [`RecordingWriter`] appends one [`tumble::Frame`] after the other to `frames.tumble`;
//!   [`Recording`] reads them back in any order, also while the run still writes, and also after a
//!   crash cut the end off.
//! - [`write_checkpoint`] and [`read_checkpoint`] keep the exact state of the engine in
//!   `checkpoint.tumble`, from which a run continues bit for bit.
//! - [`write_csv`] and [`write_particles_csv`] turn a recording into a table, [`write_bodies_ply`]
//!   and [`write_particles_ply`] a frame into a cloud of points, [`write_shape_obj`] writes the
//!   mesh that both tables and clouds place in the scene; [`Header::pose`] gives its pose.
//! - [`write_atomically`] replaces a file whole or not at all; use it for every small file beside a
//!   recording.
//!
//! Both binary files are lists of *chunks* (`chunk.rs`): a fixed head with counts, lengths and
//! checksums, then a compressed payload. Files are untrusted input: nothing in this crate panics on
//! one, and no length in a file is used before it was compared with the size of the file.
//!
//! ```
//! use tumble::{Frame, FrameBody};
//! use tumble_io::{Header, MaterialInfo, Recording, RecordingWriter, ShapeInfo};
//!
//! let path = std::env::temp_dir().join(format!("tumble-io-doc-{}.tumble", std::process::id()));
//! let spheres = vec![[0.0, 0.0, 0.0, 0.05]];
//! let ball = ShapeInfo { name: "ball".into(), spheres, ..ShapeInfo::default() };
//! let (shapes, materials) = (vec![ball], vec![MaterialInfo { name: "red".into(), colour: None }]);
//! let header = Header { title: "A ball".into(), shapes, materials, ..Header::default() };
//! let mut writer = RecordingWriter::create(&path, &header, &[])?;
//! for number in 1..=3 {
//!     let body = FrameBody { position: [0.0, 0.0, 0.25 * number as f32], ..FrameBody::default() };
//!     writer.append(&Frame { number, bodies: vec![body], ..Frame::default() })?;
//! }
//! writer.sync()?;
//!
//! let mut recording = Recording::open(&path)?;
//! assert_eq!((recording.header().title.as_str(), recording.frames().len()), ("A ball", 3));
//! let mut frame = Frame::default();
//! recording.read(recording.find(3)?, &mut frame)?;
//! assert_eq!(frame.bodies[0].position, [0.0, 0.0, 0.75]);
//! std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod bytes;
mod checkpoint;
mod chunk;
mod csv;
mod error;
mod obj;
mod ply;
mod recording;

pub use atomic::write_atomically;
pub use checkpoint::{Checkpoint, read_checkpoint, write_checkpoint};
pub use chunk::FORMAT_VERSION;
pub use csv::{write_csv, write_particles_csv};
pub use error::{IoError, Reason};
pub use obj::write_shape_obj;
pub use ply::{write_bodies_ply, write_particles_ply};
pub use recording::{
    BodyPose, CameraInfo, Damage, DetailInfo, FrameEntry, Header, MaterialInfo, MeshData, ObstacleInfo, ObstacleLook,
    Recording, RecordingWriter, ShapeInfo, SurfaceInfo,
};
