//! What colour a body has, and why: by its material, or by what is known of it.
//!
//! Colours here are linear light, red, green, blue from 0 to 1; the tables are written in sRGB as designers write them.

use glam::Vec3;
use tumble::{FrameBody, Method};
use tumble_io::Header;

/// What the colour of bodies shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourBy {
    /// Their material.
    #[default]
    Material,
    /// A colour of its own for each.
    Id,
    /// Dark blue at rest, yellow when fast.
    Speed,
    /// Asleep is dark.
    Asleep,
    /// How the solver moves them.
    Method,
    /// Layer of the pile.
    Layer,
    /// Whether a constraint holds them.
    Held,
    /// How many contacts push on them.
    Contacts,
}

impl ColourBy {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Material, Self::Id, Self::Speed, Self::Asleep, Self::Method, Self::Layer, Self::Held, Self::Contacts];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Id => "id",
            Self::Speed => "speed",
            Self::Asleep => "asleep",
            Self::Method => "method",
            Self::Layer => "layer",
            Self::Held => "held",
            Self::Contacts => "contacts",
        }
    }
}

/// Materials that have no colour of their own get these, in turn: sand, slate, clay, moss, ochre, plum, teal, bone.
const PALETTE: [u32; 8] = [0xd2ab75, 0x7d8a99, 0xb5694c, 0x7f9162, 0xdba13a, 0x8d6583, 0x4f8f8b, 0xd9d2c0];

/// Colours that are easy to tell apart, also for the colour-blind (after Okabe & Ito).
const DISTINCT: [u32; 7] = [0x4e79a7, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442];

/// From dark blue through red to yellow, as bright as it is far along: a scale that also reads in grey.
const SCALE: [u32; 6] = [0x1b1247, 0x5b1a78, 0xa52c60, 0xe05536, 0xfb9f2d, 0xf6ee8f];

const AWAKE: u32 = 0xe8a33d;
const ASLEEP: u32 = 0x3f4652;
const HELD: u32 = 0xd1403f;
const FREE: u32 = 0xb9bcc0;

/// Colour of obstacles whose material has none.
const OBSTACLE: u32 = 0x9aa3ad;

/// How bodies are coloured: a choice, and the numbers that are at the bright end of its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// What the colour shows.
    pub by: ColourBy,
    /// Speed at the end of the scale \[m/s\].
    pub fastest: f32,
}

impl Default for Colouring {
    fn default() -> Self {
        Self { by: ColourBy::Material, fastest: 1.0 }
    }
}

/// Contacts at the end of the scale: as many equal spheres as touch one in the densest packing.
pub(crate) const MOST_CONTACTS: f32 = 12.0;

impl Colouring {
    /// The colour of a body.
    pub(crate) fn of(&self, body: &FrameBody, header: &Header) -> Vec3 {
        match self.by {
            ColourBy::Material => {
                let own = of_material(body.material as usize, header);
                // Grains of one heap differ a little, and only then they can be told apart.
                own * (0.78 + 0.44 * draw(body.id.number()))
            }
            ColourBy::Id => hue(draw(body.id.number()), 0.55 + 0.3 * draw(!body.id.number())),
            ColourBy::Speed => scale(Vec3::from(body.velocity).length() / self.fastest),
            ColourBy::Asleep => asleep(body.asleep),
            ColourBy::Method => method(body.method),
            ColourBy::Layer => body.layer.map_or(held(false), layer),
            ColourBy::Held => held(body.held),
            ColourBy::Contacts => scale(body.contacts as f32 / MOST_CONTACTS),
        }
    }
}

/// The colour of a material, by its number.
pub(crate) fn of_material(material: usize, header: &Header) -> Vec3 {
    header.materials[material].colour.map_or(linear(PALETTE[material % PALETTE.len()]), from_bytes)
}

pub(crate) fn asleep(asleep: bool) -> Vec3 {
    linear(if asleep { ASLEEP } else { AWAKE })
}

pub(crate) fn held(held: bool) -> Vec3 {
    linear(if held { HELD } else { FREE })
}

pub(crate) fn method(method: Method) -> Vec3 {
    linear(DISTINCT[method as usize])
}

/// The colour of an obstacle.
pub(crate) fn of_obstacle(material: u32, header: &Header) -> Vec3 {
    header.materials.get(material as usize).and_then(|material| material.colour).map_or(linear(OBSTACLE), from_bytes)
}

/// The colour of a layer of a pile.
pub(crate) fn layer(layer: u16) -> Vec3 {
    linear(DISTINCT[layer as usize % DISTINCT.len()])
}

/// The colour at a place from 0 to 1 on the scale.
pub(crate) fn scale(at: f32) -> Vec3 {
    let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) } * (SCALE.len() - 1) as f32;
    let low = (at as usize).min(SCALE.len() - 2);
    linear(SCALE[low]).lerp(linear(SCALE[low + 1]), at - low as f32)
}

/// A colour of this hue, from 0 to 1, and brightness.
fn hue(hue: f32, value: f32) -> Vec3 {
    let wheel = |shift: f32| {
        let at = (hue + shift).fract() * 6.0;
        (at - 3.0).abs() - 1.0
    };
    let pure = Vec3::new(wheel(0.0), wheel(2.0 / 3.0), wheel(1.0 / 3.0)).clamp(Vec3::ZERO, Vec3::ONE);
    (Vec3::splat(0.35) + 0.65 * pure) * value
}

/// A number from 0 to 1 that belongs to this one (the finaliser of MurmurHash3).
fn draw(mut number: u64) -> f32 {
    number = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number ^= number >> 33;
    number = number.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    number ^= number >> 33;
    (number >> 40) as f32 / (1 << 24) as f32
}

/// Linear light of an sRGB colour as designers write it.
pub(crate) fn linear(colour: u32) -> Vec3 {
    let [_, red, green, blue] = colour.to_be_bytes();
    from_bytes([red, green, blue])
}

/// Linear light of an sRGB colour.
pub(crate) fn from_bytes(colour: [u8; 3]) -> Vec3 {
    Vec3::from(colour.map(|byte| {
        let value = f32::from(byte) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }))
}

/// The sRGB colour of linear light.
pub(crate) fn to_bytes(light: Vec3) -> [u8; 3] {
    light.to_array().map(|value| {
        let value = value.clamp(0.0, 1.0);
        let encoded = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (255.0 * encoded + 0.5) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        for byte in 0..=255 {
            assert_eq!(to_bytes(from_bytes([byte; 3])), [byte; 3]);
        }
    }

    #[test]
    fn the_scale_gets_brighter_all_the_way() {
        let brightness = |at: f32| scale(at).dot(Vec3::new(0.2126, 0.7152, 0.0722));
        for step in 0..100 {
            assert!(brightness((step + 1) as f32 / 100.0) > brightness(step as f32 / 100.0));
        }
        assert_eq!(scale(7.0), scale(1.0));
    }
}
