//! Files of pictures and movies, read back with other code than that which wrote them.

mod gif_movie;
mod mp4_movie;
mod png_picture;
mod refusals;

use std::fs;
use std::path::{Path, PathBuf};

use tumble_picture::{Image, Movie};

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tumble-picture-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Shaded brown and grey discs that fall in front of a plain ground; every picture differs from the
/// one before.
fn pile(width: usize, height: usize, frame: usize) -> Image {
    let mut image = Image::new(width, height, [226, 224, 218]);
    for grain in 0..60_usize {
        let radius = 2.0 + (grain * 7 % 5) as f64;
        let x = (grain * 37 % width) as f64;
        let y = ((grain * 53 + 3 * frame) % height) as f64;
        let base = (70 + grain * 29 % 130) as f64;
        let colour = [base + (grain % 3 * 15) as f64, base, base - (grain % 3 * 15) as f64];
        for (place, pixel) in image.pixels.iter_mut().enumerate() {
            let (across, down) = ((place % width) as f64 - x, (place / width) as f64 - y);
            let distance = (across * across + down * down).sqrt() / radius;
            if distance < 1.0 {
                *pixel = colour.map(|value| (value * (1.2 - 0.5 * distance)).min(255.0) as u8);
            }
        }
    }
    image
}

/// Writes a movie of a falling pile.
fn write_movie(path: &Path, (width, height): (usize, usize), fps: f64, frames: usize, quality: u8) {
    let mut movie = Movie::create(path, width, height, fps, quality).unwrap();
    for frame in 0..frames {
        movie.push(&pile(width, height, frame)).unwrap();
    }
    movie.finish().unwrap();
}

/// Peak signal-to-noise ratio of two pictures \[dB\].
fn likeness(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let squares = a.as_flattened().iter().zip(b.as_flattened()).map(|(&a, &b)| f64::from(a.abs_diff(b)).powi(2));
    let mean = squares.sum::<f64>() / (3 * a.len()) as f64;
    10.0 * (255.0 * 255.0 / mean.max(1e-9)).log10()
}
