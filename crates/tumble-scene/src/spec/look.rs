//! `[camera]` and colours: how a scene wants to be seen. Nothing here changes a simulation.

use glam::DVec3;

use super::ANYWHERE;
use crate::text::{Field, Fields, Node, Problem, Range, Section, Value, Word};

/// A colour in sRGB, such as "#c8a165".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Field for Colour {
    fn read(key: &str, node: &Node, range: Range) -> Result<Self, Problem> {
        let text = String::read(key, node, range)?;
        let is_hex = |digits: &&str| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let digits = text.strip_prefix('#').filter(is_hex);
        let byte = |at: usize| digits.and_then(|digits| u8::from_str_radix(&digits[at..at + 2], 16).ok());
        let colour = byte(0).zip(byte(2)).zip(byte(4)).map(|((red, green), blue)| Self([red, green, blue]));
        colour.ok_or_else(|| {
            let help = "write # and two hexadecimal digits each for red, green and blue, such as \"#c8a165\"";
            Problem::in_text(format!("`{text}` is not a colour"), node, help)
        })
    }

    fn value(&self) -> Option<Value> {
        let Self([red, green, blue]) = self;
        Some(Value::String(format!("#{red:02x}{green:02x}{blue:02x}")))
    }
}

/// How an obstacle is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookName {
    /// As a solid.
    #[default]
    Solid,
    /// One sees through it.
    Glass,
    /// Not at all.
    Hidden,
}

impl Word for LookName {
    const WORDS: &'static [(&'static str, Self)] =
        &[("solid", Self::Solid), ("glass", Self::Glass), ("hidden", Self::Hidden)];
}

/// A point of view.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraSpec {
    /// Where the camera is \[m\].
    pub position: DVec3,
    /// The point it looks at \[m\].
    pub target: DVec3,
    /// Angle between the upper and the lower edge of the picture \[degree\].
    pub fov: f64,
}

impl Default for CameraSpec {
    fn default() -> Self {
        Self { position: DVec3::ZERO, target: DVec3::ZERO, fov: 35.0 }
    }
}

impl Section for CameraSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("position", &mut self.position, ANYWHERE);
        fields.within("target", &mut self.target, ANYWHERE);
        fields.within("fov", &mut self.fov, Range::Within(1.0, 150.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::SceneSpec;
    use crate::{SceneError, load_text};

    fn look(text: &str) -> Result<SceneSpec, String> {
        let text = format!("[[body]]\n{text}");
        let scene = load_text("test", "test", &text, ".".as_ref(), &[]);
        scene.map(|scene| scene.spec).map_err(|error: SceneError| error.to_string())
    }

    #[test]
    fn a_scene_says_how_it_wants_to_be_seen() {
        let seen = look("[camera]\nposition = [1, -2, 3]\n[material.clay]\ncolour = \"#B0670a\"\n").unwrap();
        let camera = CameraSpec { position: DVec3::new(1.0, -2.0, 3.0), target: DVec3::ZERO, fov: 35.0 };
        assert_eq!((seen.camera, seen.materials[0].1.colour), (Some(camera), Some(Colour([0xB0, 0x67, 0x0A]))));
        let plain = look("").unwrap();
        assert_eq!((plain.camera, plain.materials[0].1.colour), (None, None));
    }

    #[test]
    fn what_cannot_be_seen_is_refused() {
        for colour in ["red", "#12345", "#12345g", "#+12345", "#äöü", ""] {
            let problem = look(&format!("[material.clay]\ncolour = \"{colour}\"\n")).unwrap_err();
            assert!(problem.contains("is not a colour"), "{colour}: {problem}");
        }
        assert!(look("[camera]\nposition = [0, 0, 0]\n").unwrap_err().contains("stands where it looks"));
        assert!(look("[camera]\ntarget = [0, 0, 1]\n").unwrap_err().contains("position"));
    }
}
