//! PNG files, for single pictures, contact sheets and the golden pictures of tests.
//!
//! Reads an [`Image`] and writes a file without loss, and the other way round. Pictures of up to
//! 256 colours, such as plots and labels, are stored with a palette, which is several times
//! smaller.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter, SrgbRenderingIntent, Transformations};
use tumble_io::write_atomically;

use crate::{Image, PictureError};

/// Greatest number of pixels of a picture read from a file: a header that claims more is refused.
const MOST_PIXELS: u64 = 1 << 28;

/// Writes a picture as a PNG file, whole or not at all.
pub fn write_png(path: &Path, image: &Image) -> Result<(), PictureError> {
    let content = png_bytes(image)?;
    Ok(write_atomically(path, |out| out.write_all(&content))?)
}

/// The content of a PNG file.
pub fn png_bytes(image: &Image) -> Result<Vec<u8>, PictureError> {
    let sizes = (u32::try_from(image.width), u32::try_from(image.height));
    let (Ok(width @ 1..=0x7fff_ffff), Ok(height @ 1..=0x7fff_ffff)) = sizes else {
        let what = "a PNG file has from 1 to 2147483647 pixels a side";
        return Err(PictureError::BadSize { width: image.width, height: image.height, what });
    };
    let mut content = Vec::new();
    encode(&mut content, image, width, height)
        .map_err(|problem| PictureError::Encoder { what: problem.to_string() })?;
    Ok(content)
}

fn encode(out: &mut Vec<u8>, image: &Image, width: u32, height: u32) -> Result<(), png::EncodingError> {
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    // On a shaded pile of 1280 x 720, the highest level saves one percent more in three times the
    // time.
    encoder.set_compression(Compression::Balanced);
    if let Some((palette, places)) = few_colours(image) {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(palette);
        // Neighbouring indices of a palette mean nothing, so differences between them only hide
        // repetitions.
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&places)?;
        return writer.finish();
    }
    encoder.set_color(ColorType::Rgb);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image.pixels.as_flattened())?;
    writer.finish()
}

/// The palette of a picture and the index of every pixel in it, if it has at most 256 colours.
fn few_colours(image: &Image) -> Option<(Vec<u8>, Vec<u8>)> {
    // Sorted, so that the file is the same for the same picture.
    let mut colours: BTreeMap<[u8; 3], u8> = BTreeMap::new();
    let mut last = None;
    for &pixel in &image.pixels {
        if last != Some(pixel) {
            colours.insert(pixel, 0);
            if colours.len() > 256 {
                return None;
            }
            last = Some(pixel);
        }
    }
    for (place, value) in (0..=255).zip(colours.values_mut()) {
        *value = place;
    }
    let places = image.pixels.iter().map(|pixel| colours[pixel]).collect();
    Some((colours.into_keys().flatten().collect(), places))
}

/// Reads a PNG file of any kind; grey becomes colour, 16 bits become 8, and translucent pixels are
/// blended onto white.
pub fn read_png(path: &Path) -> Result<Image, PictureError> {
    let file = File::open(path).map_err(|source| PictureError::read(path, source))?;
    decode(BufReader::new(file)).map_err(|what| PictureError::NotAPicture { path: path.to_owned(), what })
}

/// Reads the content of a PNG file.
fn decode(file: BufReader<File>) -> Result<Image, String> {
    let mut decoder = Decoder::new(file);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!("it says that it has {width} x {height} pixels, more than {MOST_PIXELS}"));
    }
    let size = reader.output_buffer_size().ok_or("it says that it is larger than the memory")?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(|error| error.to_string())?;
    bytes.truncate(frame.buffer_size());
    let on_white = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let (pixels, _) = bytes.as_chunks();
    let pixels: Vec<[u8; 3]> = match frame.color_type {
        ColorType::Rgb => pixels.to_vec(),
        ColorType::Grayscale => bytes.iter().map(|&grey| [grey; 3]).collect(),
        ColorType::GrayscaleAlpha => {
            bytes.as_chunks().0.iter().map(|&[grey, alpha]| [on_white(grey, alpha); 3]).collect()
        }
        ColorType::Rgba => {
            let (pixels, _) = bytes.as_chunks();
            pixels
                .iter()
                .map(|&[red, green, blue, alpha]| [red, green, blue].map(|value| on_white(value, alpha)))
                .collect()
        }
        ColorType::Indexed => return Err("its palette could not be expanded".to_owned()),
    };
    Ok(Image { width: width as usize, height: height as usize, pixels })
}
