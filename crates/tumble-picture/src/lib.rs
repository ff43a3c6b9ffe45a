//! Pictures, movies and plots of recordings, on the CPU alone.
//!
//! Begin with [`Renderer`] (`render.rs`): it draws the frames of a recording as [`Image`]s; a
//! [`View`] has camera, size, colours and overlays. [`write_png`], [`sheet()`] and [`Movie`] turn
//! images into files. [`Plot`] draws numbers as SVG and needs no recording.

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
