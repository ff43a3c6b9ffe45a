//! The file `frames.tumble`: the frames of a run, one by one.
//!
//! The first chunk is the [`Header`] as JSON, then come the meshes it names, and every further
//! chunk is one frame, complete in itself. `writer.rs` appends them, `reader.rs` finds and reads
//! them, `columns.rs` lays a frame out so that it compresses well.

mod columns;
mod header;
mod mesh;
mod particles;
mod pose;
mod reader;
mod writer;

pub use header::{CameraInfo, DetailInfo, Header, MaterialInfo, ObstacleInfo, ObstacleLook, ShapeInfo, SurfaceInfo};
pub use mesh::MeshData;
pub use pose::BodyPose;
pub(crate) use reader::open_regular;
pub use reader::{Damage, FrameEntry, Recording};
pub use writer::RecordingWriter;
