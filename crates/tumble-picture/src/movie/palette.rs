//! The few colours of a GIF, chosen to suit a picture, and the nearest of them for any other.
//!
//! Reads pixels, chooses at most 255 colours: the box of colours with the largest squared error is
//! cut at its mean, until there are enough (Wu's criterion on plain boxes). The error counts every
//! pixel, so a plain ground gets few colours and grains get many, but a small red ball in grey sand
//! gets its red. Nothing is dithered: a pattern that shifts with every frame makes still sand
//! shimmer and files large.

/// Bits of a channel that tell colours apart while boxes are cut and looked up.
const BITS: u32 = 6;
const CELLS: usize = 1 << (3 * BITS);
/// Greatest number of colours; the 256th index means "unchanged".
pub(super) const MOST: usize = 255;
/// Entry of the lookup table that has not been computed yet.
const UNKNOWN: u8 = 255;

/// Colours, and for every cell of the colour cube the nearest of them.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// The pixels of one cell of the colour cube.
#[derive(Clone, Copy, Default)]
struct ColourCell {
    count: u64,
    sum: [u64; 3],
}

impl ColourCell {
    fn mean(&self) -> [f64; 3] {
        self.sum.map(|sum| sum as f64 / self.count as f64)
    }
}

impl Palette {
    /// The colours that suit these pixels, at most so many and never more than [`MOST`].
    pub(super) fn of(pixels: &[[u8; 3]], most: usize) -> Self {
        let mut cube = vec![ColourCell::default(); CELLS];
        for &pixel in pixels {
            let cell = &mut cube[cell(pixel)];
            cell.count += 1;
            for (sum, value) in cell.sum.iter_mut().zip(pixel) {
                *sum += u64::from(value);
            }
        }
        cube.retain(|cell| cell.count > 0);

        // Each box is a run of cells, with the error that a cut would lessen.
        let mut boxes = vec![ColourBox::of(0, &cube)];
        while boxes.len() < most.min(MOST) {
            let worst = (0..boxes.len()).max_by(|&a, &b| boxes[a].error.total_cmp(&boxes[b].error));
            let Some(worst) = worst.filter(|&worst| boxes[worst].error > 0.0) else { break };
            let ColourBox { start, end, axis, mean, .. } = boxes.swap_remove(worst);
            let cells = &mut cube[start..end];
            // The order within a half does not matter; it is the same on every machine.
            cells.sort_by(|a, b| a.mean()[axis].total_cmp(&b.mean()[axis]));
            let cut = cells.partition_point(|cell| cell.mean()[axis] < mean[axis]).clamp(1, cells.len() - 1);
            let (lower, upper) = cells.split_at(cut);
            boxes.push(ColourBox::of(start, lower));
            boxes.push(ColourBox::of(start + cut, upper));
        }
        let mut colours: Vec<[u8; 3]> = boxes.iter().map(|part| part.mean.map(|value| value.round() as u8)).collect();
        // Near colours get near places, which the compression likes, and the file does not depend
        // on how boxes were cut.
        colours.sort_by_key(|&[red, green, blue]| 2 * u32::from(red) + 5 * u32::from(green) + u32::from(blue));
        Self { colours, nearest: vec![UNKNOWN; CELLS] }
    }

    /// The place of the colour nearest to this one.
    pub(super) fn place(&mut self, pixel: [u8; 3]) -> u8 {
        let cell = cell(pixel);
        if self.nearest[cell] == UNKNOWN {
            // All colours of a cell get the same answer, whichever is asked for first: the one for
            // its middle. Where a channel is at its end, the middle is the end, so that white stays
            // white.
            let middle = pixel.map(|value| match value >> (8 - BITS) {
                0 => 0,
                top if top == (1 << BITS) - 1 => 255,
                step => (step << (8 - BITS)) | 1 << (7 - BITS),
            });
            let best = (0..).zip(&self.colours).min_by_key(|&(_, &colour)| distance(colour, middle));
            self.nearest[cell] = best.map_or(0, |(place, _)| place);
        }
        self.nearest[cell]
    }

    /// The colour at a place.
    pub(super) fn colour(&self, place: u8) -> [u8; 3] {
        self.colours[usize::from(place)]
    }

    /// The index after the last colour: it means that a pixel stays as it is.
    pub(super) fn unchanged(&self) -> u8 {
        self.colours.len() as u8
    }

    /// Red, green and blue of all colours, with a black one for [`Self::unchanged`].
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().copied().chain([[0; 3]]).flatten().collect()
    }
}

/// Cells of the cube that share a colour.
struct ColourBox {
    start: usize,
    end: usize,
    /// The channel to cut.
    axis: usize,
    mean: [f64; 3],
    /// Sum of squared distances to the mean, along the channel to cut.
    error: f64,
}

impl ColourBox {
    fn of(start: usize, cells: &[ColourCell]) -> Self {
        let mut total = ColourCell::default();
        for cell in cells {
            total.count += cell.count;
            for (sum, value) in total.sum.iter_mut().zip(cell.sum) {
                *sum += value;
            }
        }
        let mean = total.mean();
        let mut errors = [0.0; 3];
        for cell in cells {
            let own = cell.mean();
            for axis in 0..3 {
                errors[axis] += cell.count as f64 * (own[axis] - mean[axis]).powi(2);
            }
        }
        let axis = (0..3).max_by(|&a, &b| errors[a].total_cmp(&errors[b])).unwrap_or(0);
        // One cell cannot be cut, even if rounding leaves it an error.
        let error = if cells.len() > 1 { errors[axis] } else { 0.0 };
        Self { start, end: start + cells.len(), axis, mean, error }
    }
}

/// The cell of the colour cube that a colour lies in.
fn cell(pixel: [u8; 3]) -> usize {
    pixel.iter().fold(0, |cell, &value| cell << BITS | usize::from(value >> (8 - BITS)))
}

/// The square of the distance of two colours; green counts most and blue least, as for the eye.
pub(super) fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let square = |channel: usize| u32::from(a[channel].abs_diff(b[channel])).pow(2);
    (2 * square(0) + 4 * square(1) + square(2)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let pixels = [[255; 3], [0; 3], [200, 30, 40], [90, 80, 70], [94, 80, 70]];
        let mut palette = Palette::of(&pixels, MOST);
        assert_eq!(palette.unchanged(), 5);
        for pixel in pixels {
            let place = palette.place(pixel);
            assert_eq!(palette.colour(place), pixel);
        }
    }

    #[test]
    fn a_few_red_pixels_in_grey_noise_stay_red() {
        let mut pixels: Vec<[u8; 3]> = (0..100_000_u32).map(|index| [(index * 7919 % 251) as u8; 3]).collect();
        pixels.extend([[230, 20, 20]; 50]);
        let mut palette = Palette::of(&pixels, MOST);
        let place = palette.place([230, 20, 20]);
        assert!(distance(palette.colour(place), [230, 20, 20]) < 100, "{:?}", palette.colour(place));
        for grey in 0..=250 {
            let place = palette.place([grey; 3]);
            assert!(distance(palette.colour(place), [grey; 3]) < 60, "{grey}: {:?}", palette.colour(place));
        }
    }
}
