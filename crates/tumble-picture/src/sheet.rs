//! Several pictures on one: contact sheets of a run, and pictures side by side to compare.
//!
//! Reads pictures and their labels, writes one picture: a grid on white, a line of text under each.

use crate::Image;
use crate::text::{draw_text, text_height, text_width};

const BACKGROUND: [u8; 3] = [255; 3];
const INK: [u8; 3] = [40; 3];
/// Pixels between the pictures and around them.
const GAP: usize = 8;
/// Pixels between a picture and its label.
const LABEL_GAP: usize = 4;
/// Columns of a picture from which its label is written twice as large, because such sheets are
/// shown shrunk.
const WIDE: usize = 400;

/// Lays pictures out in a grid of `columns`, row by row, with a label under each.
///
/// The first label belongs to the first picture, and so on; without labels no room is left for
/// them. A label that is wider than its picture is cut, with dots at its end. Two columns put two
/// pictures side by side. Pictures of different sizes get cells of the largest one and stand in the
/// top left corner of theirs.
pub fn sheet(images: &[Image], labels: &[String], columns: usize) -> Image {
    let columns = columns.clamp(1, images.len().max(1));
    let rows = images.len().div_ceil(columns);
    let width = images.iter().map(|image| image.width).max().unwrap_or(0);
    let height = images.iter().map(|image| image.height).max().unwrap_or(0);
    let scale = if width >= WIDE { 2 } else { 1 };
    let label_height = if labels.is_empty() { 0 } else { LABEL_GAP + text_height(scale) };
    let (step_x, step_y) = (width + GAP, height + label_height + GAP);

    let mut sheet = Image::new(GAP + columns * step_x, GAP + rows * step_y, BACKGROUND);
    for (place, image) in images.iter().enumerate() {
        let (x, y) = (GAP + place % columns * step_x, GAP + place / columns * step_y);
        sheet.paste(image, x, y);
        if let Some(label) = labels.get(place) {
            let label = cut(label, width, scale);
            draw_text(&mut sheet, x, y + height + LABEL_GAP, scale, INK, &label);
        }
    }
    sheet
}

/// As much of a label as fits under a picture.
fn cut(label: &str, width: usize, scale: usize) -> String {
    let mut text = label.to_owned();
    let mut kept = label.chars().count();
    while text_width(&text, scale) > width && kept > 0 {
        kept -= 1;
        text = label.chars().take(kept).chain("..".chars()).collect();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(count: u8) -> Vec<Image> {
        (0..count).map(|index| Image::new(60, 20, [index, 100, 200])).collect()
    }

    #[test]
    fn pictures_stand_in_rows_with_room_for_labels() {
        let labels: Vec<String> = (0..5).map(|frame| format!("frame {frame}")).collect();
        let sheet = sheet(&pictures(5), &labels, 3);
        let step = 20 + LABEL_GAP + text_height(1) + GAP;
        assert_eq!((sheet.width, sheet.height), (GAP + 3 * 68, GAP + 2 * step));
        // The fifth picture is the second of the second row.
        let at = |x: usize, y: usize| sheet.pixels[y * sheet.width + x];
        assert_eq!(at(GAP + 68, GAP + step), [4, 100, 200]);
        assert_eq!(at(GAP + 68 + 59, GAP + step + 19), [4, 100, 200]);
        assert_eq!(at(GAP + 2 * 68, GAP + step), BACKGROUND);
        assert!(sheet.pixels.contains(&INK));
    }

    #[test]
    fn a_label_never_runs_into_the_next_picture() {
        let label = ["a name far too long for this".to_owned()];
        let sheet = sheet(&pictures(2), &label, 2);
        let right =
            (0..sheet.pixels.len()).filter(|&place| sheet.pixels[place] == INK).map(|place| place % sheet.width);
        assert!(right.max().is_some_and(|right| right < GAP + 60));
    }

    #[test]
    fn nothing_and_one_are_sheets_too() {
        assert_eq!(sheet(&[], &[], 4).width, GAP * 2);
        let one = sheet(&pictures(1), &[], 0);
        assert_eq!((one.width, one.height), (60 + 2 * GAP, 20 + 2 * GAP));
    }
}
