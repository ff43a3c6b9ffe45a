//! Colours as H.264 stores them (YUV 4:2:0): luma for every pixel, chroma for every four.
//!
//! Converts a picture to three planes with the matrix of ITU-R BT.709 in its limited range (luma 16
//! to 235), which players assume. The conversion of the openh264 crate has the older matrix of
//! BT.601, whose greens and reds come out wrong in browsers.

use openh264::formats::YUVSource;

use crate::Image;

/// A picture in planes, of even width and height.
pub(super) struct Planes {
    width: usize,
    height: usize,
    luma: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
}

impl Planes {
    /// Planes for pictures of this size; an odd one is rounded up.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let quarter = width * height / 4;
        Self { width, height, luma: vec![0; width * height], blue: vec![0; quarter], red: vec![0; quarter] }
    }

    /// Converts a picture; a row or column that it lacks repeats its last one.
    pub(super) fn read(&mut self, image: &Image) {
        let quarters = self.blue.chunks_mut(self.width / 2).zip(self.red.chunks_mut(self.width / 2));
        for (pair, (luma, (blue, red))) in self.luma.chunks_mut(2 * self.width).zip(quarters).enumerate() {
            let row = |y: usize| {
                let start = y.min(image.height - 1) * image.width;
                &image.pixels[start..start + image.width]
            };
            let rows = [row(2 * pair), row(2 * pair + 1)];
            let (upper, lower) = luma.split_at_mut(self.width);
            for (luma, row) in [upper, lower].into_iter().zip(rows) {
                for (value, &pixel) in luma.iter_mut().zip(row) {
                    *value = brightness(pixel);
                }
                // The column that an odd width lacks.
                if let (Some(last), Some(&pixel)) = (luma.get_mut(image.width), row.last()) {
                    *last = brightness(pixel);
                }
            }
            for (x, (blue, red)) in blue.iter_mut().zip(red).enumerate() {
                let (left, right) = (2 * x, (2 * x + 1).min(image.width - 1));
                let four = [rows[0][left], rows[0][right], rows[1][left], rows[1][right]];
                [*blue, *red] = tint(four);
            }
        }
    }
}

/// Luma weights of BT.709 in 1/65536, with the limited range worked in: 0.2126, 0.7152 and 0.0722,
/// each times 219 / 255.
fn brightness([red, green, blue]: [u8; 3]) -> u8 {
    let sum = 11966 * u32::from(red) + 40254 * u32::from(green) + 4064 * u32::from(blue);
    (16 + ((sum + 0x8000) >> 16)) as u8
}

/// Blue and red less brightness, over 1.8556 and 1.5748, of 224 / 255, for the mean of four pixels.
/// The weights of each add up to zero, so that grey stays grey.
fn tint(four: [[u8; 3]; 4]) -> [u8; 2] {
    let sum = |channel: usize| four.iter().map(|pixel| i32::from(pixel[channel])).sum::<i32>();
    let (red, green, blue) = (sum(0), sum(1), sum(2));
    // The sums are of four pixels, hence two more bits; 128 is the zero of both.
    let scaled = |value: i32| (128 + ((value + 0x2_0000) >> 18)) as u8;
    [scaled(28785 * blue - 22189 * green - 6596 * red), scaled(28784 * red - 26145 * green - 2639 * blue)]
}

impl YUVSource for Planes {
    fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn strides(&self) -> (usize, usize, usize) {
        (self.width, self.width / 2, self.width / 2)
    }

    fn y(&self) -> &[u8] {
        &self.luma
    }

    fn u(&self) -> &[u8] {
        &self.blue
    }

    fn v(&self) -> &[u8] {
        &self.red
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table of ITU-R BT.709-6, item 3.4 and 3.5, for 8 bits.
    #[test]
    fn pure_colours_have_the_values_of_the_standard() {
        let of = |colour: [u8; 3]| {
            let [blue, red] = tint([colour; 4]);
            [brightness(colour), blue, red]
        };
        assert_eq!(of([0, 0, 0]), [16, 128, 128]);
        assert_eq!(of([255, 255, 255]), [235, 128, 128]);
        assert_eq!(of([255, 0, 0]), [63, 102, 240]);
        assert_eq!(of([0, 255, 0]), [173, 42, 26]);
        assert_eq!(of([0, 0, 255]), [32, 240, 118]);
        assert!((0..=255).all(|grey| of([grey; 3])[1..] == [128, 128]));
    }

    #[test]
    fn four_pixels_share_the_mean_of_their_tints() {
        let (white, red) = ([255; 3], [255, 0, 0]);
        let mut planes = Planes::new(2, 2);
        for place in 0..4 {
            let mut image = Image::new(2, 2, white);
            image.pixels[place] = red;
            planes.read(&image);
            // A quarter of the way from 128 to the 102 and 240 of red.
            assert_eq!((planes.u(), planes.v()), (&[122_u8][..], &[156_u8][..]), "pixel {place}");
        }
    }

    #[test]
    fn an_odd_picture_repeats_its_edge() {
        let mut image = Image::new(3, 3, [0; 3]);
        image.pixels[8] = [255; 3];
        let mut planes = Planes::new(3, 3);
        planes.read(&image);
        assert_eq!(planes.dimensions(), (4, 4));
        assert_eq!(planes.y(), [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 235, 235, 16, 16, 235, 235]);
    }
}
