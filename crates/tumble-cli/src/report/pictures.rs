//! Contact sheets for pages: pictures of one run, or of two above each other at the same times, as
//! the content of a PNG file.

use tumble_io::Recording;
use tumble_picture::{Renderer, View, png_bytes, sheet};

use crate::Failure;
use crate::look;
use crate::progress::Line;

/// Pixels of a picture; on a page it is shown half as large, which is sharp on fine screens and on
/// paper.
const SIZE: [usize; 2] = [480, 270];

/// Pictures in a row.
pub(crate) const COLUMNS: usize = 4;

/// Gets to know a recording, and from where it is looked at.
pub(crate) fn camera(recording: &mut Recording) -> Result<(Renderer, View), Failure> {
    let renderer = Renderer::new(recording)?;
    let view = renderer.view(SIZE);
    Ok((renderer, view))
}

/// The contact sheet of a run: frames spread evenly from the first to the one with index `last`.
pub(crate) fn contact_sheet(recording: &mut Recording, last: usize, count: usize) -> Result<Vec<u8>, Failure> {
    let (renderer, view) = camera(recording)?;
    let indices = look::spread(&(0..=last).collect::<Vec<_>>(), count);
    let mut line = Line::new();
    let taken = look::pictures(recording, &renderer, &view, &indices, &mut line, (0, indices.len()));
    line.end();
    let (images, labels) = taken?;
    Ok(png_bytes(&sheet(&images, &labels, COLUMNS))?)
}
