//! How a scene wants to be seen: camera, colours and finer meshes. Nothing here changes a simulation.

use glam::DVec3;
use tumble::geometry::Mesh;

use crate::spec::{Colour, LookName, SceneSpec};

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObstacleLook {
    /// Whether it is solid, glass or hidden.
    pub how: LookName,
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

impl Look {
    /// What a scene says, and the finer mesh of each obstacle, the ground first.
    pub(crate) fn new(spec: &SceneSpec, fine: Vec<Option<Mesh>>) -> Self {
        let rgb = |colour: Option<Colour>| colour.map(|Colour(rgb)| rgb);
        let ground = spec.ground.map(|_| (LookName::Solid, None));
        let looks = ground.into_iter().chain(spec.obstacles.iter().map(|obstacle| (obstacle.look, obstacle.colour)));
        let camera = spec.camera.as_ref();
        Self {
            camera: camera.map(|c| Camera { position: c.position, target: c.target, fov: c.fov }),
            colours: spec.materials.iter().map(|(_, material)| rgb(material.colour)).collect(),
            obstacles: looks
                .zip(fine)
                .map(|((how, colour), fine)| ObstacleLook { how, colour: rgb(colour), fine })
                .collect(),
        }
    }
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
