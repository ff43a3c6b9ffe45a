//! A picture in memory: what the renderer makes and what files and movies are written from.

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

    /// Copies a picture into this one, its top left corner at column `x`, row `y`; what does not fit is left out.
    pub fn paste(&mut self, picture: &Self, x: usize, y: usize) {
        let columns = picture.width.min(self.width.saturating_sub(x));
        let rows = picture.height.min(self.height.saturating_sub(y));
        for row in 0..rows {
            let from = row * picture.width;
            let to = (y + row) * self.width + x;
            self.pixels[to..to + columns].copy_from_slice(&picture.pixels[from..from + columns]);
        }
    }
}
