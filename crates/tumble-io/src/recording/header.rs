//! The first chunk of a recording: data shared by all frames, and the looks of bodies and
//! obstacles.
//!
//! Everything a picture needs is in the recording itself: a run can be drawn on a machine that has
//! neither the scene file nor its meshes. Meshes are named by number and stored in chunks of their
//! own after the header, see `mesh.rs`.

use serde::{Deserialize, Serialize};
use tumble::Frame;

use crate::chunk::FORMAT_VERSION;

/// Data shared by all frames of a recording. Readers ignore fields they do not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// Format of the file; a writer always writes [`FORMAT_VERSION`].
    pub version: u16,
    /// Title of the scene.
    pub title: String,
    /// Frames per second \[1/s\].
    pub fps: f64,
    /// Number of the first frame.
    pub first_frame: i64,
    /// Shapes in the order that [`tumble::FrameBody::shape`] counts.
    pub shapes: Vec<ShapeInfo>,
    /// Materials in the order that [`tumble::FrameBody::material`] counts.
    pub materials: Vec<MaterialInfo>,
    /// Obstacles in the order of [`Frame::obstacles`].
    pub obstacles: Vec<ObstacleInfo>,
    /// Numbers of the silhouette meshes whose shape piles have to hold.
    pub guides: Vec<u32>,
    /// Number of meshes after the header; a writer counts them itself.
    pub meshes: u32,
    /// Data shared by the particles of all frames; none if frames have no particles.
    pub detail: Option<DetailInfo>,
    /// The camera that the scene asks for.
    pub camera: Option<CameraInfo>,
    /// Resolved text of the scene.
    pub scene: String,
}

/// The look of a shape at size one.
///
/// A frame holds a body's centre of mass, and its orientation relative to the axes in which the
/// user gave the shape. So spheres and meshes of a recording keep the user's axes, with their
/// origin moved to the centre of mass. [`Header::pose`] gives the pose of the user's origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeInfo {
    /// Name of the shape in the scene.
    pub name: String,
    /// Centre x, y, z from the centre of mass, and radius, of each sphere \[m\].
    pub spheres: Vec<[f64; 4]>,
    /// Number of the mesh that is drawn in place of the spheres, from the centre of mass.
    #[serde(default)]
    pub mesh: Option<u32>,
    /// The centre of mass, from the origin in which the shape was given \[m\].
    #[serde(default)]
    pub centre: [f64; 3],
}

impl ShapeInfo {
    /// Radius of the smallest sphere about the origin that holds all spheres, at size one \[m\].
    pub fn reach(&self) -> f64 {
        self.spheres.iter().map(|[x, y, z, radius]| (x * x + y * y + z * z).sqrt() + radius).fold(0.0, f64::max)
    }
}

/// The look of a material.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialInfo {
    /// Name of the material in the scene.
    pub name: String,
    /// Red, green, blue in sRGB, if the scene says \[-\].
    #[serde(default)]
    pub colour: Option<[u8; 3]>,
}

/// The geometry and look of an obstacle in its own axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObstacleInfo {
    /// Name of the obstacle in the scene.
    pub name: String,
    /// Index of its material.
    pub material: u32,
    /// Its geometry.
    pub surface: SurfaceInfo,
    /// How it is drawn.
    #[serde(default)]
    pub look: ObstacleLook,
    /// Red, green, blue in sRGB, if the scene says \[-\].
    #[serde(default)]
    pub colour: Option<[u8; 3]>,
}

/// How an obstacle is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleLook {
    /// As it is.
    #[default]
    Solid,
    /// Transparent.
    Glass,
    /// Not drawn.
    Hidden,
}

/// The geometry of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceInfo {
    /// Everything below z = 0.
    Plane,
    /// A box about the origin with these half lengths \[m\].
    Box([f64; 3]),
    /// A mesh, by number.
    Mesh(u32),
}

/// High-resolution particles that follow bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DetailInfo {
    /// Shapes of the carriers, the bodies that particles replace: where particles are drawn, those
    /// bodies are not.
    #[serde(rename = "guides")]
    pub carriers: Vec<u32>,
}

/// A point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraInfo {
    /// Position of the camera \[m\].
    pub position: [f64; 3],
    /// The point it looks at \[m\].
    pub target: [f64; 3],
    /// Vertical field of view: angle between the upper and the lower edge of the picture
    /// \[degree\].
    pub fov: f64,
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
            guides: Vec::new(),
            meshes: 0,
            detail: None,
            camera: None,
            scene: String::new(),
        }
    }
}

impl Header {
    /// Returns an error text if the header names a mesh or a material that does not exist.
    ///
    /// Writer and reader check this and [`Header::check_frame`], so that drawing and exporting code
    /// may use the indices unchecked.
    pub(super) fn check(&self) -> Result<(), String> {
        let of_obstacle = |obstacle: &ObstacleInfo| match obstacle.surface {
            SurfaceInfo::Mesh(mesh) => Some(mesh),
            SurfaceInfo::Plane | SurfaceInfo::Box(_) => None,
        };
        let of_shapes = self.shapes.iter().filter_map(|shape| shape.mesh);
        let mut meshes =
            of_shapes.chain(self.obstacles.iter().filter_map(of_obstacle)).chain(self.guides.iter().copied());
        if let Some(mesh) = meshes.find(|&mesh| mesh >= self.meshes) {
            return Err(format!("the header names mesh {mesh}, but there are {}", self.meshes));
        }
        let materials = self.materials.len();
        if let Some(obstacle) = self.obstacles.iter().find(|obstacle| obstacle.material as usize >= materials) {
            let (name, material) = (&obstacle.name, obstacle.material);
            return Err(format!(
                "obstacle `{name}` has material {material}, but the header lists {materials} materials"
            ));
        }
        Ok(())
    }

    /// Returns an error text if a body of the frame has a shape or a material that the header does
    /// not list, or if the frame has more obstacles than it lists.
    pub(super) fn check_frame(&self, frame: &Frame) -> Result<(), String> {
        let (shapes, materials) = (self.shapes.len(), self.materials.len());
        if frame.obstacles.len() > self.obstacles.len() {
            let (there, listed) = (frame.obstacles.len(), self.obstacles.len());
            return Err(format!("frame {} has {there} obstacles, but the header lists {listed}", frame.number));
        }
        match frame.bodies.iter().find(|body| body.shape.index() >= shapes || body.material.index() >= materials) {
            None => Ok(()),
            Some(body) => Err(format!(
                "in frame {} body {} has shape {} and material {}, but the header lists {shapes} shapes and {materials} \
                 materials",
                frame.number,
                body.id.number(),
                body.shape.0,
                body.material.0
            )),
        }
    }
}
