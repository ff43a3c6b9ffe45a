//! GIF, which a README shows and repeats without a player.
//!
//! Streams pictures to a scratch file as differences: only the rectangle that changed, and in it
//! only the pixels that changed. One palette serves until it no longer suits the pictures, because
//! a palette that changes with every picture makes still sand shimmer. Delays are whole hundredths
//! of a second; the rounding is spread, so that the movie as a whole takes the right time.

use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use tumble_io::write_atomically;

use super::Scratch;
use super::palette::{Palette, distance};
use crate::{Image, PictureError};

/// Shortest delay of a picture \[1/100 s\]: browsers replace shorter delays by a tenth of a second.
const SHORTEST: u64 = 2;
/// Squared colour error, as in [`distance`], above which a pixel looks wrong.
const FAR: u32 = 1200;

/// A GIF file that is being written.
pub(super) struct Gif {
    state: EncoderState,
    /// The scratch file, for messages.
    path: PathBuf,
    width: u16,
    height: u16,
    fps: f64,
    /// Greatest number of colours in a palette.
    colours: usize,
    /// Squared colour error, as in [`distance`], up to which a pixel stays unchanged.
    tolerance: u32,
    /// Pictures taken so far.
    taken: u64,
    /// Pixels that a player shows after the frames so far.
    shown: Vec<[u8; 3]>,
    palette: Palette,
    /// Whether the palette is the one at the head of the file.
    is_first_palette: bool,
    /// Pixels that were far from their colour when the palette was new.
    far_when_new: usize,
    /// The last frame, which is written when its delay is known, and its start \[1/100 s\].
    waiting: Option<(Frame<'static>, u64)>,
}

/// The encoder writes its palette when it is made, so it is made with the first picture.
enum EncoderState {
    Empty(Scratch),
    Writing(Encoder<Scratch>),
    /// The state after an error.
    Broken,
}

/// Width and height, if a GIF can have them.
pub(super) fn check_size(width: usize, height: usize) -> Result<(u16, u16), PictureError> {
    match (u16::try_from(width), u16::try_from(height)) {
        (Ok(width @ 1..), Ok(height @ 1..)) => Ok((width, height)),
        _ => {
            let what = "a GIF file has from 1 to 65535 pixels a side; choose another size";
            Err(PictureError::BadSize { width, height, what })
        }
    }
}

impl Gif {
    pub(super) fn new(scratch: Scratch, (width, height): (u16, u16), fps: f64, quality: u8) -> Self {
        let steps = u32::from(100 - quality) / 10;
        // From 15 colours to 255: with the one that means "unchanged", whole bits at 0, 25, 50, 75
        // and 100.
        let colours = (16.0 * (f64::from(quality) / 25.0).exp2()) as usize - 1;
        Self {
            path: scratch.path.clone(),
            state: EncoderState::Empty(scratch),
            width,
            height,
            fps,
            colours,
            // The weights of a distance add up to 3.5.
            tolerance: steps * steps * 7 / 2,
            taken: 0,
            shown: Vec::new(),
            palette: Palette::of(&[[0; 3]], 1),
            is_first_palette: true,
            far_when_new: 0,
            waiting: None,
        }
    }

    pub(super) fn push(&mut self, image: &Image) -> Result<(), PictureError> {
        let start = self.time(self.taken);
        self.taken += 1;
        if self.waiting.as_ref().is_some_and(|(_, before)| start < before + SHORTEST) {
            return Ok(());
        }
        if let EncoderState::Empty(_) = self.state {
            self.begin(image)?;
        } else {
            self.renew_palette(image);
        }
        // A picture that looks like the one before only makes that one stay longer.
        if let Some(frame) = self.difference(image) {
            self.write_waiting(start)?;
            self.waiting = Some((frame, start));
        }
        Ok(())
    }

    /// Start time of a picture \[1/100 s\].
    fn time(&self, picture: u64) -> u64 {
        (picture as f64 * 100.0 / self.fps).round() as u64
    }

    /// Writes the head of the file, with the palette of the first picture.
    fn begin(&mut self, image: &Image) -> Result<(), PictureError> {
        let EncoderState::Empty(scratch) = std::mem::replace(&mut self.state, EncoderState::Broken) else {
            return Ok(());
        };
        self.palette = Palette::of(&image.pixels, self.colours);
        self.far_when_new = far_pixels(&mut self.palette, image);
        let bytes = self.palette.bytes();
        let begun = Encoder::new(scratch, self.width, self.height, &bytes).and_then(|mut encoder| {
            encoder.set_repeat(Repeat::Infinite)?;
            Ok(encoder)
        });
        self.state = EncoderState::Writing(begun.map_err(|error| problem(&self.path, error))?);
        Ok(())
    }

    /// Chooses another palette when many more pixels are far from their colours than when it was
    /// new.
    fn renew_palette(&mut self, image: &Image) {
        let allowed = 2 * self.far_when_new + image.pixels.len() / 1000;
        if far_pixels(&mut self.palette, image) > allowed {
            self.palette = Palette::of(&image.pixels, self.colours);
            self.far_when_new = far_pixels(&mut self.palette, image);
            self.is_first_palette = false;
        }
    }

    /// The frame that changes the shown pixels into this picture; none if no pixel changes.
    fn difference(&mut self, image: &Image) -> Option<Frame<'static>> {
        let unchanged = self.palette.unchanged();
        let is_first = self.shown.is_empty();
        if is_first {
            self.shown.clone_from(&image.pixels);
        }
        let mut places = Vec::with_capacity(image.pixels.len());
        for (&wanted, shown) in image.pixels.iter().zip(&mut self.shown) {
            let place = self.palette.place(wanted);
            let best = self.palette.colour(place);
            // A pixel stays if a new colour would not be nearer, or the error is within the
            // tolerance.
            let is_still = !is_first && distance(*shown, wanted) <= self.tolerance.max(distance(best, wanted));
            places.push(if is_still { unchanged } else { place });
            if !is_still {
                *shown = best;
            }
        }
        let (left, top, right, bottom) = changed(&places, image.width, unchanged)?;
        let mut rectangle = Vec::with_capacity((right - left) * (bottom - top));
        for row in places.chunks(image.width).take(bottom).skip(top) {
            rectangle.extend(&row[left..right]);
        }
        Some(Frame {
            dispose: DisposalMethod::Keep,
            transparent: Some(unchanged),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            palette: (!self.is_first_palette).then(|| self.palette.bytes()),
            buffer: rectangle.into(),
            ..Frame::default()
        })
    }

    /// Writes the waiting frame, whose end is now known.
    fn write_waiting(&mut self, end: u64) -> Result<(), PictureError> {
        let (Some((mut frame, start)), EncoderState::Writing(encoder)) = (self.waiting.take(), &mut self.state) else {
            return Ok(());
        };
        let mut left = end.saturating_sub(start).max(SHORTEST);
        while left > 0 {
            frame.delay = u16::try_from(left).unwrap_or(u16::MAX);
            left -= u64::from(frame.delay);
            encoder.write_frame(&frame).map_err(|error| problem(&self.path, error))?;
            // Beyond eleven minutes, one pixel that does not change stays for the rest.
            (frame.left, frame.top, frame.width, frame.height) = (0, 0, 1, 1);
            frame.buffer = vec![frame.transparent.unwrap_or(0)].into();
        }
        Ok(())
    }

    /// Writes the file; returns false if there were no pictures.
    pub(super) fn finish(mut self, path: &Path) -> Result<bool, PictureError> {
        self.write_waiting(self.time(self.taken))?;
        let encoder = match self.state {
            EncoderState::Empty(_) => return Ok(false),
            EncoderState::Broken => return Err(PictureError::encoder("an earlier picture could not be written")),
            EncoderState::Writing(encoder) => encoder,
        };
        let mut scratch = encoder.into_inner().map_err(|error| problem(&self.path, error))?;
        write_atomically(path, |out| scratch.copy_to(out))?;
        Ok(true)
    }
}

/// Number of pixels without a near colour in the palette.
fn far_pixels(palette: &mut Palette, image: &Image) -> usize {
    let is_far = |&&pixel: &&[u8; 3]| {
        let place = palette.place(pixel);
        distance(palette.colour(place), pixel) > FAR
    };
    image.pixels.iter().filter(is_far).count()
}

/// The rectangle of all pixels that change: left, top, and one beyond right and bottom.
fn changed(places: &[u8], width: usize, unchanged: u8) -> Option<(usize, usize, usize, usize)> {
    let mut bounds: Option<(usize, usize, usize, usize)> = None;
    for (y, row) in places.chunks(width).enumerate() {
        let first = row.iter().position(|&place| place != unchanged);
        let last = row.iter().rposition(|&place| place != unchanged);
        if let (Some(first), Some(last)) = (first, last) {
            let (left, top, right, _) = bounds.unwrap_or((first, y, last + 1, y));
            bounds = Some((left.min(first), top, right.max(last + 1), y + 1));
        }
    }
    bounds
}

/// The encoder's error as ours.
fn problem(path: &Path, error: EncodingError) -> PictureError {
    match error {
        EncodingError::Io(source) => PictureError::write(path, source),
        other => PictureError::encoder(other),
    }
}
