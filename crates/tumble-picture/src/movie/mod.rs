//! Movies, one picture after the other: MP4 for everything that plays video, GIF for a README.
//!
//! The ending of the file name selects the format. Encoded pictures go to a scratch file beside the
//! target at once, so memory does not grow with the length of the movie. The target appears, whole,
//! when the movie is finished; a movie that is dropped before leaves nothing behind.

mod boxes;
mod gif;
mod mp4;
mod palette;
mod yuv;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::{Image, PictureError};

/// A movie that is being written.
pub struct Movie {
    path: PathBuf,
    width: usize,
    height: usize,
    encoder: MovieEncoder,
}

/// The encoder of each file format.
enum MovieEncoder {
    Mp4(Box<mp4::Mp4>),
    Gif(Box<gif::Gif>),
}

impl Movie {
    /// Default quality: grains keep their edges, and a file is small enough to send.
    pub const DEFAULT_QUALITY: u8 = 70;

    /// Starts a movie; the ending of its name selects the format: `.mp4` or `.gif`.
    ///
    /// `fps` is the number of pictures per second, from 0.01 to 1000. `quality` goes from 0 to 100;
    /// more counts as 100.
    ///
    /// - MP4 is H.264 of constant quality: the file is as large as the motion in it. It takes from
    ///   16 x 16 to 3840 x 2160 pixels, in either orientation. Its colours are stored in blocks of
    ///   two by two, so an odd width or height grows by a column or row in the colour of the edge.
    /// - GIF takes up to 65535 pixels per side and repeats for ever. Quality is the number of
    ///   colours, from 15 to 255, and how little a pixel may change unseen. Browsers play nothing
    ///   faster than 50 pictures per second, so above that pictures are left out; the length of the
    ///   movie stays right.
    pub fn create(path: &Path, width: usize, height: usize, fps: f64, quality: u8) -> Result<Self, PictureError> {
        if !(0.01..=1000.0).contains(&fps) {
            return Err(PictureError::BadRate { fps });
        }
        let quality = quality.min(100);
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let encoder = match ending.as_deref() {
            Some("mp4") => {
                mp4::check_size(width, height)?;
                MovieEncoder::Mp4(Box::new(mp4::Mp4::new(Scratch::create(path)?, width, height, fps, quality)?))
            }
            Some("gif") => {
                let size = gif::check_size(width, height)?;
                MovieEncoder::Gif(Box::new(gif::Gif::new(Scratch::create(path)?, size, fps, quality)))
            }
            _ => return Err(PictureError::UnknownEnding { path: path.to_owned() }),
        };
        Ok(Self { path: path.to_owned(), width, height, encoder })
    }

    /// Adds a picture of the movie's size.
    pub fn push(&mut self, image: &Image) -> Result<(), PictureError> {
        let (expected, found) = ((self.width, self.height), (image.width, image.height));
        if found != expected {
            return Err(PictureError::OtherSize { expected, found });
        }
        if image.pixels.len() != image.width * image.height {
            return Err(PictureError::encoder("its pixels are not as many as its size says"));
        }
        match &mut self.encoder {
            MovieEncoder::Mp4(movie) => movie.push(image),
            MovieEncoder::Gif(movie) => movie.push(image),
        }
    }

    /// Writes the file, whole or not at all. A movie without a picture is an error.
    pub fn finish(self) -> Result<(), PictureError> {
        let is_written = match self.encoder {
            MovieEncoder::Mp4(movie) => movie.finish(&self.path)?,
            MovieEncoder::Gif(movie) => movie.finish(&self.path)?,
        };
        if is_written { Ok(()) } else { Err(PictureError::NoPictures { path: self.path }) }
    }
}

/// The encoded pictures so far, in a file beside the target that is removed when this is dropped.
struct Scratch {
    path: PathBuf,
    /// Empty only while the value is dropped: some systems remove no file that is open.
    out: Option<BufWriter<File>>,
}

impl Scratch {
    /// Makes `<name>.part` in the folder of the target: where the movie has room, its parts have
    /// too.
    fn create(target: &Path) -> Result<Self, PictureError> {
        let mut name = OsString::from(target.file_name().unwrap_or_default());
        name.push(".part");
        let path = target.with_file_name(name);
        let open = || {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(true).open(&path)
        };
        let file = open().map_err(|source| PictureError::write(target, source))?;
        Ok(Self { path, out: Some(BufWriter::with_capacity(1 << 16, file)) })
    }

    fn file(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.out.as_mut().ok_or_else(|| io::Error::other("the scratch file is closed"))
    }

    /// Copies all that was written to another file.
    fn copy_to(&mut self, mut out: &mut dyn Write) -> io::Result<()> {
        let file = self.file()?;
        file.flush()?;
        file.rewind()?;
        io::copy(file.get_mut(), &mut out)?;
        Ok(())
    }
}

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.out = None;
        // Nobody is left to tell; a leftover is overwritten by the next movie of this name.
        let _ = fs::remove_file(&self.path);
    }
}
