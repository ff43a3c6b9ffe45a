//! A picture in memory: the renderer makes it, and files and movies are written from it.

/// Rows of pixels from the top left, in sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue of every pixel.
    pub pixels: Vec<[u8; 3]>,
}

impl Image {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// Copies a picture into this one, its top left corner at column `x`, row `y`; the copy is
    /// clipped.
    pub fn paste(&mut self, picture: &Self, x: usize, y: usize) {
        let columns = picture.width.min(self.width.saturating_sub(x));
        let rows = if columns == 0 { 0 } else { picture.height.min(self.height.saturating_sub(y)) };
        for row in 0..rows {
            let from = row * picture.width;
            let to = (y + row) * self.width + x;
            self.pixels[to..to + columns].copy_from_slice(&picture.pixels[from..from + columns]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out() {
        for (width, height) in [(1, 3), (3, 1), (2, 2), (9, 9)] {
            for (x, y) in [(0, 0), (1, 1), (2, 0), (0, 2), (50, 50)] {
                let mut image = Image::new(width, height, [0; 3]);
                image.paste(&Image::new(4, 4, [1; 3]), x, y);
                let covered = |size: usize, at: usize| size.saturating_sub(at).min(4);
                let painted = image.pixels.iter().filter(|pixel| **pixel == [1; 3]).count();
                assert_eq!(painted, covered(width, x) * covered(height, y), "{width} x {height} at {x}, {y}");
            }
        }
    }
}
