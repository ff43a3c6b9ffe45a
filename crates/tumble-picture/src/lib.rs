//! Pictures, movies and plots of recordings, on the CPU alone.
//!
//! Begin with [`Renderer`] (`render.rs`): it draws the frames of a recording as [`Image`]s; a
//! [`View`] has camera, size, colours and overlays. [`write_png`], [`sheet()`] and [`Movie`] turn
//! images into files. [`Plot`] draws numbers as SVG and needs no recording.
//!
//! ```
//! use tumble::{Frame, FrameBody};
//! use tumble_io::{Header, MaterialInfo, Recording, RecordingWriter, ShapeInfo};
//! use tumble_picture::{Renderer, png_bytes};
//!
//! // A recording of one red ball.
//! let name = format!("tumble-picture-doc-{}.tumble", std::process::id());
//! let path = std::env::temp_dir().join(name);
//! let spheres = vec![[0.0, 0.0, 0.0, 0.5]];
//! let ball = ShapeInfo { name: "ball".into(), spheres, ..ShapeInfo::default() };
//! let red = MaterialInfo { name: "red".into(), colour: Some([200, 0, 0]) };
//! let header = Header { shapes: vec![ball], materials: vec![red], ..Header::default() };
//! let frame = Frame { bodies: vec![FrameBody::default()], ..Frame::default() };
//! let mut writer = RecordingWriter::create(&path, &header, &[])?;
//! writer.append(&frame)?;
//! writer.sync()?;
//!
//! let renderer = Renderer::new(&mut Recording::open(&path)?)?;
//! let image = renderer.render(&frame, &[], &renderer.view([32, 32]));
//! std::fs::remove_file(&path)?;
//! // The camera looks at the ball.
//! let [red, green, _] = image.pixels[32 * 16 + 16];
//! assert!(red > 3 * green);
//! assert!(png_bytes(&image)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod camera;
mod cluster;
mod colour;
mod drawing;
mod error;
mod image;
mod legend;
mod light;
mod mesh;
mod motion;
mod movie;
mod plot;
mod png_file;
mod raster;
mod render;
mod screen;
mod sheet;
mod text;
mod tile;

pub use camera::Camera;
pub use colour::{ColourBy, Colouring};
pub use drawing::Overlays;
pub use error::PictureError;
pub use image::Image;
pub use movie::Movie;
pub use plot::{Plot, escape};
pub use png_file::{png_bytes, read_png, write_png};
pub use render::{Quality, Renderer, View};
pub use sheet::sheet;
pub use text::{draw_text, text_height, text_width};
