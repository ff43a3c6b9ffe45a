//! PNG files.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::Path;

use tumble_picture::{Image, PictureError, read_png, write_png};

use super::{Folder, pile};

/// Kind of colours and bytes of a file, as the `png` crate alone sees it, with palettes expanded.
fn look(path: &Path) -> (png::ColorType, Vec<u8>) {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    (reader.info().color_type, bytes)
}

#[test]
fn a_picture_comes_back_as_it_was() {
    let folder = Folder::new("png");
    let mut many = pile(61, 47, 3);
    for (place, pixel) in many.pixels.iter_mut().enumerate() {
        pixel[2] = (place * 31 % 256) as u8;
    }
    let few = Image { width: 2, height: 2, pixels: vec![[255; 3], [0; 3], [9, 8, 7], [255; 3]] };
    for (image, kind) in [(many, png::ColorType::Rgb), (few, png::ColorType::Indexed)] {
        let path = folder.file("a.png");
        write_png(&path, &image).unwrap();
        assert_eq!(look(&path), (kind, image.pixels.as_flattened().to_vec()));
        assert_eq!(read_png(&path).unwrap(), image);
    }
    assert_eq!(folder.names(), ["a.png"]);
}

#[test]
fn exactly_256_colours_have_a_palette_and_257_have_not() {
    let folder = Folder::new("palette");
    for (count, kind) in [(256, png::ColorType::Indexed), (257, png::ColorType::Rgb)] {
        let pixels = (0..count).map(|index: u32| [index as u8, (index >> 8) as u8, 7]).collect();
        let image = Image { width: count as usize, height: 1, pixels };
        write_png(&folder.file("a.png"), &image).unwrap();
        assert_eq!(look(&folder.file("a.png")).0, kind);
        assert_eq!(read_png(&folder.file("a.png")).unwrap(), image);
    }
}

#[test]
fn other_kinds_of_colours_are_read() {
    let folder = Folder::new("kinds");
    let path = folder.file("a.png");
    let read = |kind: png::ColorType, bytes: &[u8]| {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(&path).unwrap()), 2, 1);
        encoder.set_color(kind);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(bytes).unwrap();
        writer.finish().unwrap();
        read_png(&path).unwrap().pixels
    };
    assert_eq!(read(png::ColorType::Grayscale, &[3, 200]), [[3; 3], [200; 3]]);
    assert_eq!(read(png::ColorType::Rgba, &[1, 2, 3, 255, 9, 9, 9, 0]), [[1, 2, 3], [255; 3]]);
    assert_eq!(read(png::ColorType::GrayscaleAlpha, &[0, 255, 0, 128]), [[0; 3], [127; 3]]);
}

#[test]
fn what_is_no_png_file_is_an_error() {
    let folder = Folder::new("no-png");
    let path = folder.file("a.png");
    assert!(matches!(read_png(&path), Err(PictureError::Read { .. })));
    write_png(&path, &pile(40, 30, 0)).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in [0, 7, 20, 60, whole.len() / 2] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(read_png(&path), Err(PictureError::NotAPicture { .. })), "{length} bytes");
    }
    let empty = write_png(&folder.file("b.png"), &Image::new(0, 5, [0; 3]));
    assert!(matches!(empty, Err(PictureError::BadSize { .. })));
}
