//! The file `frames.tumble`: what a run shows, frame by frame.
//!
//! The first chunk is the [`Header`] as JSON; every further chunk is one frame, complete in itself. `writer.rs` appends
//! them, `reader.rs` finds and reads them, `columns.rs` lays a frame's bodies out so that they compress well.

mod columns;
mod reader;
mod writer;

pub(crate) use reader::open_regular;
pub use reader::{Damage, FrameEntry, Recording};
pub use writer::RecordingWriter;

use serde::{Deserialize, Serialize};
use tumble::Frame;

use crate::chunk::FORMAT_VERSION;

/// What all frames of a recording have in common. Readers ignore fields they do not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Format of the file; a writer always writes [`FORMAT_VERSION`].
    pub version: u16,
    /// Title of the scene.
    pub title: String,
    /// Frames a second \[1/s\].
    pub fps: f64,
    /// Number of the first frame.
    pub first_frame: i64,
    /// Shapes in the order that [`tumble::FrameBody::shape`] counts.
    pub shapes: Vec<ShapeInfo>,
    /// Names of the materials in the order that [`tumble::FrameBody::material`] counts.
    pub materials: Vec<String>,
    /// Names of the obstacles in the order of [`Frame::obstacles`].
    pub obstacles: Vec<String>,
    /// Resolved text of the scene.
    pub scene: String,
}

/// What a shape looks like at size one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeInfo {
    /// Name of the shape in the scene.
    pub name: String,
    /// Centre x, y, z in the body's axes, and radius, of each sphere \[m\].
    pub spheres: Vec<[f64; 4]>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            version: FORMAT_VERSION,
            title: String::new(),
            fps: 24.0,
            first_frame: 1,
            shapes: Vec::new(),
            materials: Vec::new(),
            obstacles: Vec::new(),
            scene: String::new(),
        }
    }
}

impl Header {
    /// Says what is wrong if a body of the frame has a shape or a material that the header does not list.
    ///
    /// Both ends check this, so that whoever draws or exports a frame may use the indices as they are.
    fn check(&self, frame: &Frame) -> Result<(), String> {
        let (shapes, materials) = (self.shapes.len(), self.materials.len());
        match frame.bodies.iter().find(|body| body.shape as usize >= shapes || body.material as usize >= materials) {
            None => Ok(()),
            Some(body) => Err(format!(
                "in frame {} body {} has shape {} and material {}, but the header lists {shapes} shapes and {materials} \
                 materials",
                frame.number,
                body.id.number(),
                body.shape,
                body.material
            )),
        }
    }
}
