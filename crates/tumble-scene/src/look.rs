//! `[camera]` and the colours of materials: how a scene wants to be seen. Nothing here changes a simulation.

use glam::DVec3;
use tumble::geometry::Mesh;

use crate::placement;
use crate::text::{Range, TableReader};

/// How a scene wants to be seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// The point of view, if the scene has one.
    pub camera: Option<Camera>,
    /// Colour of each material in sRGB, if the scene says.
    pub colours: Vec<Option<[u8; 3]>>,
    /// How each obstacle is drawn.
    pub obstacles: Vec<ObstacleLook>,
}

/// How an obstacle is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleLook {
    /// `solid`, `glass` or `hidden`.
    pub how: &'static str,
    /// Its colour in sRGB, if the scene says.
    pub colour: Option<[u8; 3]>,
    /// A finer mesh, which is drawn and which particles touch.
    pub fine: Option<Mesh>,
}

/// A point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera is \[m\].
    pub position: DVec3,
    /// What it looks at \[m\].
    pub target: DVec3,
    /// Angle between the upper and the lower edge of the picture \[degree\].
    pub fov: f64,
}

/// Reads `[camera]`.
pub(crate) fn camera(top: &TableReader<'_>) -> Option<Camera> {
    let table = top.subtable("camera")?;
    let position = placement::vector(&table, "position").required();
    let target = placement::vector(&table, "target").or(DVec3::ZERO);
    let fov = table.number("fov", Range::Within(1.0, 150.0)).or(35.0);
    if position == target {
        table.problem_at("position", "the camera stands where it looks", "move `position` away from `target`");
    }
    Some(Camera { position, target, fov })
}

/// Reads `look` and `colour` of an obstacle.
pub(crate) fn obstacle(table: &TableReader<'_>) -> ObstacleLook {
    ObstacleLook {
        how: table.choice("look", &["solid", "glass", "hidden"]).or("solid"),
        colour: colour(table),
        fine: None,
    }
}

/// Reads `colour`, such as "#c8a165".
pub(crate) fn colour(table: &TableReader<'_>) -> Option<[u8; 3]> {
    let text = table.string("colour").optional()?;
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let byte = |at: usize| digits.and_then(|digits| u8::from_str_radix(&digits[at..at + 2], 16).ok());
    let colour = byte(0).zip(byte(2)).zip(byte(4)).map(|((red, green), blue)| [red, green, blue]);
    if colour.is_none() {
        let help = "write # and two hexadecimal digits each for red, green and blue, such as \"#c8a165\"";
        table.problem_at("colour", format!("`{text}` is not a colour"), help);
    }
    colour
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_text;

    fn look(text: &str) -> Result<Look, String> {
        let text = format!("[[body]]\n{text}");
        load_text("test", "test", &text, ".".as_ref(), &[]).map(|scene| scene.look).map_err(|error| error.to_string())
    }

    #[test]
    fn a_scene_says_how_it_wants_to_be_seen() {
        let seen = look("[camera]\nposition = [1, -2, 3]\n[material.clay]\ncolour = \"#B0670a\"\n").unwrap();
        let camera = Camera { position: DVec3::new(1.0, -2.0, 3.0), target: DVec3::ZERO, fov: 35.0 };
        assert_eq!(seen, Look { camera: Some(camera), colours: vec![Some([0xB0, 0x67, 0x0A])], obstacles: vec![] });
        assert_eq!(look("").unwrap(), Look { camera: None, colours: vec![None], obstacles: vec![] });
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
