//! The legend: the meaning of the colours, written into the lower left corner of a picture.

use glam::Vec3;
use tumble::Method;
use tumble_io::Header;

use crate::colour::{self, ColourBy, Colouring, to_bytes};
use crate::image::Image;
use crate::text::{draw_text, text_height, text_width};

const INK: [u8; 3] = [40; 3];

/// Steps in which a scale is drawn.
const STEPS: usize = 60;

/// Draws the legend; a picture that is coloured by id has none.
pub(crate) fn draw(image: &mut Image, header: &Header, colouring: &Colouring) {
    let entry = |name: &str, colour: Vec3| (name.to_string(), colour);
    let entries: Vec<(String, Vec3)> = match colouring.by {
        ColourBy::Id => return,
        ColourBy::Speed => {
            return draw_scale(image, &colour::SPEED_COLOURS, "speed", "0", &format!("{:.3} m/s", colouring.fastest));
        }
        ColourBy::Contacts => {
            return draw_scale(
                image,
                &colour::CONTACT_COLOURS,
                "contacts",
                "0",
                &format!("{} or more", colour::MOST_CONTACTS),
            );
        }
        ColourBy::Material => {
            let materials = header.materials.iter().enumerate();
            materials.map(|(index, material)| entry(&material.name, colour::of_material(index, header))).collect()
        }
        ColourBy::Asleep => vec![entry("awake", colour::asleep(false)), entry("asleep", colour::asleep(true))],
        ColourBy::Method => Method::ALL.map(|method| entry(method.name(), colour::method(method))).to_vec(),
        ColourBy::Layer => {
            let layers = (0..4).map(|k| (format!("layer {k}"), colour::layer(k)));
            layers.chain([entry("in no layer", colour::held(false))]).collect()
        }
        ColourBy::Held => vec![entry("held", colour::held(true)), entry("free", colour::held(false))],
    };
    let scale = scale(image);
    let line = text_height(scale) + 3 * scale;
    let margin = 5 * scale;
    let top = image.height.saturating_sub(margin + entries.len() * line);
    for (k, (name, colour)) in entries.iter().enumerate() {
        let y = top + k * line;
        let side = text_height(scale);
        image.paste(&Image::new(side, side, to_bytes(*colour)), margin, y);
        draw_text(image, margin + side + 3 * scale, y, scale, INK, name);
    }
}

fn draw_scale(image: &mut Image, colours: &[u32; 6], title: &str, from: &str, to: &str) {
    let scale = scale(image);
    let (margin, line) = (5 * scale, text_height(scale) + 3 * scale);
    let top = image.height.saturating_sub(margin + 2 * line + 4 * scale);
    draw_text(image, margin, top, scale, INK, title);
    let (width, height) = (2 * scale, 5 * scale);
    for step in 0..STEPS {
        let colour = to_bytes(colour::scale(colours, step as f32 / (STEPS - 1) as f32));
        image.paste(&Image::new(width, height, colour), margin + step * width, top + line);
    }
    let under = top + line + height + scale;
    draw_text(image, margin, under, scale, INK, from);
    let right = (margin + STEPS * width).saturating_sub(text_width(to, scale));
    draw_text(image, right, under, scale, INK, to);
}

/// Scale of the text, at least 1: it grows with the picture, so that it can be read in small
/// pictures and in large ones.
fn scale(image: &Image) -> usize {
    (image.height / 400).max(1)
}
