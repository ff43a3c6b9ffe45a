//! Colours of bodies and particles: by material, or by another property of theirs.
//!
//! Colours here are linear light, red, green, blue from 0 to 1; the tables are in sRGB.

use glam::Vec3;
use tumble::{FrameBody, FrameParticle, Method};
use tumble_io::{Header, ObstacleInfo};

/// Property of bodies that their colour shows.
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
    /// Method by which the solver moves them.
    Method,
    /// Layer of the pile.
    Layer,
    /// Whether a constraint holds them.
    Held,
    /// Number of contacts that push on them.
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

// The viewer (`tumble-view/page/colour.js`) has the same colours under the same names; a test
// compares the two.

/// Earth colours for materials that have none of their own, in turn.
const EARTH: [u32; 8] = [0xc9a26b, 0x8d9aa5, 0xb5694d, 0x7d9170, 0xd8c7a3, 0x6f7f95, 0xa58fa8, 0x5f8a8b];

/// Obstacles that have no colour of their own.
const OBSTACLE: u32 = 0x9aa3ad;

const NEUTRAL: u32 = 0xb9b4aa;
const AWAKE: u32 = 0xf2a03d;
const ASLEEP: u32 = 0x4f6d8f;
const HELD: u32 = 0xd8438f;
const METHOD_COLOURS: [u32; 4] = [0xe0a95c, 0x4c93d9, 0x63b77a, 0xb06fd0];
const LAYER_COLOURS: [u32; 8] = [0x4363a8, 0x3c93b5, 0x46b39a, 0x8ec45f, 0xdfc24f, 0xe8934a, 0xd95f5c, 0xb2559f];

/// Colour scales from still to fast, and from no contacts to many. Lightness grows along each
/// scale, so that it also reads in grey.
pub(crate) const SPEED_COLOURS: [u32; 6] = [0x22316b, 0x39568c, 0x287d8e, 0x3fae7c, 0xa4cf42, 0xfde74c];
pub(crate) const CONTACT_COLOURS: [u32; 6] = [0x2c1a4d, 0x6a2a70, 0xa8416b, 0xdd6a58, 0xf7a35c, 0xfbe29c];

/// Number of contacts at the end of the scale.
pub(crate) const MOST_CONTACTS: f32 = 10.0;

/// Colouring of bodies: the property that is shown, and the value at the bright end of its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// Property that the colour shows.
    pub by: ColourBy,
    /// Speed at the end of the scale \[m/s\].
    pub fastest: f32,
}

impl Default for Colouring {
    fn default() -> Self {
        Self { by: ColourBy::Material, fastest: 1.0 }
    }
}

impl Colouring {
    /// The colour of a body.
    pub(crate) fn of(&self, body: &FrameBody, header: &Header) -> Vec3 {
        match self.by {
            ColourBy::Material => {
                let own = of_material(body.material.index(), header);
                // Grains of one heap differ a little, so that they can be told apart.
                own * (0.78 + 0.44 * draw(body.id.number()))
            }
            ColourBy::Id => own_hue(body.id.number()),
            ColourBy::Speed => self.of_speed(body.velocity),
            ColourBy::Asleep => asleep(body.asleep),
            ColourBy::Method => method(body.method),
            ColourBy::Layer => body.layer.map_or(held(false), layer),
            ColourBy::Held => held(body.held),
            ColourBy::Contacts => scale(&CONTACT_COLOURS, body.contacts as f32 / MOST_CONTACTS),
        }
    }

    /// The colour of a particle: that of its material where only bodies have the property shown.
    pub(crate) fn of_particle(&self, particle: &FrameParticle, header: &Header) -> Vec3 {
        let id = u64::from(particle.id);
        match self.by {
            // Particles differ less than bodies: a pixel or two shows many, and sand must not look
            // like gravel.
            ColourBy::Material => of_material(particle.material.index(), header) * (0.88 + 0.24 * draw(id)),
            ColourBy::Id => own_hue(id),
            ColourBy::Speed => self.of_speed(particle.velocity),
            ColourBy::Asleep | ColourBy::Method | ColourBy::Layer | ColourBy::Held | ColourBy::Contacts => {
                of_material(particle.material.index(), header)
            }
        }
    }

    fn of_speed(&self, velocity: [f32; 3]) -> Vec3 {
        scale(&SPEED_COLOURS, Vec3::from(velocity).length() / self.fastest)
    }
}

/// The colour of a material, by its number.
pub(crate) fn of_material(material: usize, header: &Header) -> Vec3 {
    header.materials[material].colour.map_or(linear(EARTH[material % EARTH.len()]), from_bytes)
}

pub(crate) fn asleep(asleep: bool) -> Vec3 {
    linear(if asleep { ASLEEP } else { AWAKE })
}

pub(crate) fn held(held: bool) -> Vec3 {
    linear(if held { HELD } else { NEUTRAL })
}

pub(crate) fn method(method: Method) -> Vec3 {
    linear(METHOD_COLOURS[method as usize])
}

/// The colour of an obstacle. That of its material would often be the colour of the bodies in it.
pub(crate) fn of_obstacle(obstacle: &ObstacleInfo) -> Vec3 {
    obstacle.colour.map_or(linear(OBSTACLE), from_bytes)
}

/// The colour of a layer of a pile.
pub(crate) fn layer(layer: u16) -> Vec3 {
    linear(LAYER_COLOURS[layer as usize % LAYER_COLOURS.len()])
}

/// The colour at a place from 0 to 1 on a scale.
pub(crate) fn scale(colours: &[u32; 6], at: f32) -> Vec3 {
    let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) } * (colours.len() - 1) as f32;
    let low = (at as usize).min(colours.len() - 2);
    linear(colours[low]).lerp(linear(colours[low + 1]), at - low as f32)
}

/// A colour that belongs to this number.
fn own_hue(number: u64) -> Vec3 {
    hue(draw(number), 0.55 + 0.3 * draw(!number))
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

/// Linear light of an sRGB colour written as 0xRRGGBB.
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
    fn scales_get_brighter_all_the_way() {
        for colours in [&SPEED_COLOURS, &CONTACT_COLOURS] {
            let brightness = |at: f32| scale(colours, at).dot(Vec3::new(0.2126, 0.7152, 0.0722));
            for step in 0..100 {
                assert!(brightness((step + 1) as f32 / 100.0) > brightness(step as f32 / 100.0), "at {step} %");
            }
            assert_eq!(scale(colours, 7.0), scale(colours, 1.0));
            assert_eq!(scale(colours, f32::NAN), scale(colours, 0.0));
        }
    }

    /// The viewer shows the same colours: every list in its file is the one here.
    #[test]
    fn the_viewer_has_the_same_colours() {
        let page = include_str!("../../tumble-view/page/colour.js");
        let check = |name: &str, colours: &[u32]| {
            let line = page.lines().find(|line| line.contains(&format!("const {name} = ")));
            let listed: Vec<String> = colours.iter().map(|colour| format!("\"#{colour:06x}\"")).collect();
            assert!(line.is_some_and(|line| line.contains(&listed.join(", "))), "{name}: {line:?}");
        };
        check("EARTH", &EARTH);
        check("OBSTACLE", &[OBSTACLE]);
        check("NEUTRAL", &[NEUTRAL]);
        check("AWAKE", &[AWAKE]);
        check("ASLEEP", &[ASLEEP]);
        check("HELD", &[HELD]);
        check("METHOD_COLOURS", &METHOD_COLOURS);
        check("LAYER_COLOURS", &LAYER_COLOURS);
        check("SPEED_COLOURS", &SPEED_COLOURS);
        check("CONTACT_COLOURS", &CONTACT_COLOURS);
        assert!(page.contains(&format!("MOST_CONTACTS = {MOST_CONTACTS};")));
    }
}
