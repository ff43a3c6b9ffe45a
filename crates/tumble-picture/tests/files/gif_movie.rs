//! GIF files, read with the decoder of the `gif` crate and composed here.

use std::fs::{self, File};
use std::path::Path;

use tumble_picture::{Image, Movie};

use super::{Folder, likeness, pile, write_movie};

/// The pictures of a file as a viewer shows them, and how long each stays \[1/100 s\].
fn play(path: &Path) -> (Vec<Vec<[u8; 3]>>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
    let width = usize::from(decoder.width());
    let mut shown = vec![[0; 3]; width * usize::from(decoder.height())];
    let (mut pictures, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.dispose, gif::DisposalMethod::Keep);
        let rectangle = usize::from(frame.width);
        for (place, &[red, green, blue, alpha]) in frame.buffer.as_chunks().0.iter().enumerate() {
            let (x, y) = (place % rectangle + usize::from(frame.left), place / rectangle + usize::from(frame.top));
            if alpha == 255 {
                shown[y * width + x] = [red, green, blue];
            }
        }
        pictures.push(shown.clone());
        delays.push(frame.delay);
    }
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    (pictures, delays)
}

#[test]
fn all_pictures_are_there_for_the_right_time() {
    let folder = Folder::new("gif");
    let path = folder.file("a.gif");
    for (fps, frames, total) in [(24.0, 48, 200), (12.5, 25, 200), (23.976, 24, 100), (30.0, 31, 103)] {
        write_movie(&path, (101, 75), fps, frames, 70);
        let (pictures, delays) = play(&path);
        assert_eq!(pictures.len(), frames);
        assert_eq!(delays.iter().map(|&delay| u32::from(delay)).sum::<u32>(), total, "{fps} per second");
        let even = 100.0 / fps;
        assert!(delays.iter().all(|&delay| (f64::from(delay) - even).abs() <= 1.0), "{delays:?}");
        for (frame, picture) in pictures.iter().enumerate() {
            let alike = likeness(picture, &pile(101, 75, frame).pixels);
            assert!(alike > 38.0, "frame {frame}: {alike} dB");
        }
    }
    assert_eq!(folder.names(), ["a.gif"]);
}

#[test]
fn more_than_fifty_a_second_keep_the_length_of_the_movie() {
    let folder = Folder::new("gif-fast");
    write_movie(&folder.file("a.gif"), (40, 30), 60.0, 60, 70);
    let (pictures, delays) = play(&folder.file("a.gif"));
    assert!((40..=50).contains(&pictures.len()), "{} pictures", pictures.len());
    assert!(delays.iter().all(|&delay| delay >= 2), "{delays:?}");
    assert_eq!(delays.iter().sum::<u16>(), 100);
}

#[test]
fn what_does_not_move_costs_nothing() {
    let folder = Folder::new("gif-still");
    let path = folder.file("a.gif");
    write_movie(&path, (200, 100), 24.0, 1, 70);
    let one = fs::metadata(&path).unwrap().len();
    let still = pile(200, 100, 0);
    let mut moved = still.clone();
    moved.pixels[50 * 200 + 20] = [255, 0, 0];
    let mut movie = Movie::create(&path, 200, 100, 24.0, 70).unwrap();
    for frame in 0..100 {
        movie.push(if frame < 60 { &still } else { &moved }).unwrap();
    }
    movie.finish().unwrap();
    assert!(fs::metadata(&path).unwrap().len() < one + 100);
    assert_eq!(play(&path).1, [250, 167]);
}

#[test]
fn an_hour_of_one_picture_is_an_hour() {
    let folder = Folder::new("gif-long");
    let mut movie = Movie::create(&folder.file("a.gif"), 8, 8, 0.01, 70).unwrap();
    for _ in 0..36 {
        movie.push(&Image::new(8, 8, [200; 3])).unwrap();
    }
    movie.finish().unwrap();
    let (pictures, delays) = play(&folder.file("a.gif"));
    assert_eq!(delays.iter().map(|&delay| u32::from(delay)).sum::<u32>(), 360_000);
    assert!(pictures.iter().all(|picture| *picture == vec![[200; 3]; 64]));
}

#[test]
fn colours_that_come_later_are_right_too() {
    let folder = Folder::new("gif-colours");
    let path = folder.file("a.gif");
    let picture = |frame: usize| {
        let mut image = pile(120, 80, frame);
        // A ball in colours that the first pictures do not have.
        if frame >= 5 {
            image.paste(&Image::new(10, 10, [220, 20, 30]), 10 + frame, 20);
            image.paste(&Image::new(10, 10, [20, 60, 230]), 60, 20 + frame);
        }
        image
    };
    let mut movie = Movie::create(&path, 120, 80, 24.0, 70).unwrap();
    for frame in 0..12 {
        movie.push(&picture(frame)).unwrap();
    }
    movie.finish().unwrap();
    let (pictures, _) = play(&path);
    assert_eq!(pictures.len(), 12);
    for (frame, shown) in pictures.iter().enumerate() {
        let alike = likeness(shown, &picture(frame).pixels);
        assert!(alike > 38.0, "frame {frame}: {alike} dB");
        if frame >= 5 {
            let [red, green, blue] = shown[25 * 120 + 15 + frame];
            assert!(red > 200 && green < 45 && blue < 55, "frame {frame}: {red} {green} {blue}");
        }
    }
}

#[test]
fn more_quality_is_nearer_and_larger() {
    let folder = Folder::new("gif-quality");
    let path = folder.file("a.gif");
    let measure = |quality| {
        write_movie(&path, (160, 90), 24.0, 4, quality);
        (likeness(&play(&path).0[3], &pile(160, 90, 3).pixels), fs::metadata(&path).unwrap().len())
    };
    let (low, middle, high) = (measure(0), measure(50), measure(100));
    assert!(low.0 < middle.0 && middle.0 < high.0, "{low:?} {middle:?} {high:?}");
    assert!(low.1 < middle.1 && middle.1 < high.1, "{low:?} {middle:?} {high:?}");
}
