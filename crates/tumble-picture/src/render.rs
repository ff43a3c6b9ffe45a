//! A picture of a frame on one page: drawing ▶ light ▶ drawing as the camera sees it ▶ tiles ▶
//! image.

use glam::Vec3;
use rayon::prelude::*;
use tumble::{Frame, FrameParticle};
use tumble_io::{Header, IoError, Recording};

use crate::camera::Camera;
use crate::colour::{ColourBy, Colouring};
use crate::drawing::{CommonMeshes, Drawing, Overlays};
use crate::image::Image;
use crate::legend;
use crate::light::{Light, LightSampling};
use crate::mesh::DrawnMesh;
use crate::motion::MotionExtent;
use crate::screen::{Screen, SeenDrawing, TILE};
use crate::tile::{RenderPass, Tile};

/// Amount of work for a picture: samples per pixel and directions of light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// A quick look.
    Draft,
    /// For films and pages.
    #[default]
    Good,
    /// For print.
    Best,
}

impl Quality {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Draft, Self::Good, Self::Best];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Good => "good",
            Self::Best => "best",
        }
    }

    /// Samples along the side of a pixel. A tile holds a whole number of pixels.
    fn samples(self) -> usize {
        match self {
            Self::Draft => 1,
            Self::Good => 2,
            Self::Best => 4,
        }
    }

    fn light_sampling(self) -> LightSampling {
        match self {
            Self::Draft => LightSampling { sky: 24, sun: 4, sky_map: 512, sun_map: 1024 },
            Self::Good => LightSampling { sky: 64, sun: 12, sky_map: 768, sun_map: 1536 },
            Self::Best => LightSampling { sky: 192, sun: 40, sky_map: 1024, sun_map: 2048 },
        }
    }
}

/// View of a frame: camera, size, quality, colours and overlays.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The point of view.
    pub camera: Camera,
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Amount of work for the picture.
    pub quality: Quality,
    /// Property that the colour of bodies shows.
    pub colouring: Colouring,
    /// Structures that are drawn over the bodies.
    pub overlays: Overlays,
    /// Whether the grains are drawn in place of the particles that follow them.
    pub grains: bool,
    /// Whether the picture has a legend of its colours.
    pub legend: bool,
}

/// Makes pictures of the frames of one recording.
#[derive(Debug)]
pub struct Renderer {
    header: Header,
    meshes: Vec<DrawnMesh>,
    extent: MotionExtent,
}

impl Renderer {
    /// Reads the meshes of a recording, and the extent of its motion.
    pub fn new(recording: &mut Recording) -> Result<Self, IoError> {
        let mut meshes = Vec::new();
        for number in 0..recording.header().meshes {
            let mesh = recording.mesh(number)?;
            meshes.push(DrawnMesh::new(mesh.vertices.into_iter().map(Vec3::from).collect(), mesh.triangles));
        }
        let meshes = CommonMeshes::with(meshes.into_iter());
        let extent = MotionExtent::of(recording, &meshes);
        Ok(Self { header: recording.header().clone(), meshes, extent })
    }

    /// The camera of the scene, or one that sees the whole motion in a picture of this width over
    /// height.
    pub fn camera(&self, aspect: f32) -> Camera {
        match &self.header.camera {
            Some(camera) => Camera {
                position: Vec3::from(camera.position.map(|x| x as f32)),
                target: Vec3::from(camera.target.map(|x| x as f32)),
                fov: camera.fov as f32,
            },
            None => Camera::framing(&self.extent.points, aspect),
        }
    }

    /// Default view of frames, for a picture of this width and height \[pixel\].
    pub fn view(&self, [width, height]: [usize; 2]) -> View {
        View {
            camera: self.camera(width as f32 / height as f32),
            width,
            height,
            quality: Quality::Good,
            colouring: Colouring { by: ColourBy::Material, fastest: self.fastest() },
            overlays: Overlays::default(),
            grains: false,
            legend: false,
        }
    }

    /// Speed that few bodies exceed: the end of the scale for colouring by speed \[m/s\].
    pub fn fastest(&self) -> f32 {
        self.extent.fastest
    }

    /// Makes a picture of a frame and its particles. Unless the view asks for the grains, particles
    /// are drawn in place of the bodies that carry them ([`tumble_io::DetailInfo::carriers`]);
    /// without particles, all bodies are drawn.
    pub fn render(&self, frame: &Frame, particles: &[FrameParticle], view: &View) -> Image {
        let middle = 0.5 * (self.extent.low + self.extent.high);
        let reach = (self.extent.high - self.extent.low).length().max(1e-6);
        let drawing = Drawing::new(frame, particles, &self.header, &self.meshes, view, (middle, 1.5 * reach));
        let light =
            Light::new(&drawing, self.extent.shadow_low, self.extent.shadow_high, view.quality.light_sampling());

        let samples = view.quality.samples();
        let screen = Screen::new(&view.camera, view.width * samples, view.height * samples);
        let seen = SeenDrawing::new(&screen, &drawing);
        let away = view.camera.position.distance(middle).max(reach);
        let pass =
            RenderPass { screen, drawing: &drawing, seen: &seen, light: &light, samples, middle, reach: 1.2 * away };

        let columns = screen.width.div_ceil(TILE);
        let mut image = Image::new(view.width, view.height, [0; 3]);
        let rows = image.pixels.par_chunks_mut(view.width * (TILE / samples)).enumerate();
        rows.for_each_init(Tile::new, |tile, (row, pixels)| {
            (0..columns).for_each(|column| tile.draw(&pass, row * columns + column, pixels));
        });
        if view.legend {
            legend::draw(&mut image, &self.header, &view.colouring);
        }
        image
    }
}
