//! Particles of a recording: `[detail]` of the scene that it was made of.

use crate::SceneError;
use crate::check::check_values;
use crate::compile::{Detailing, ShapeKind, detailing};
use crate::complete::complete;
use crate::findings::Findings;
use crate::spec::SceneSpec;
use crate::text::{Places, Problem, Source, print, read, set};

/// Reads what the resolved scene of a recording says about particles, changed as `--set` changes
/// scenes; gives that scene with it in place. A scene without `[detail]` gets all defaults.
pub fn detail_of(resolved: &str, shapes: &[ShapeKind<'_>], sets: &[String]) -> Result<(Detailing, String), SceneError> {
    let source = Source::new("the recording's scene", resolved);
    let mut root = source.parse().map_err(SceneError::Problems)?;
    for assignment in sets {
        if !assignment.trim_start().starts_with("detail.") {
            let what =
                format!("`{assignment}` would change what was simulated\nhelp: only keys of `detail` can be set here");
            return Err(SceneError::Set(what));
        }
        set(&mut root, assignment).map_err(SceneError::Set)?;
    }
    let read = read::<SceneSpec>(&root);
    // Everything else was checked when it was simulated.
    let is_about_particles = |problem: &Problem| problem.path.starts_with("detail");
    let about_particles = |problems: Vec<Problem>| problems.into_iter().filter(is_about_particles).collect();
    let (mut spec, mut findings) = (read.value, Findings::new(about_particles(read.problems)));
    complete(&mut spec, &mut Findings::default());
    let bounds = spec.bounds.low.zip(spec.bounds.high);
    let detailing = detailing(&mut spec, shapes, bounds, &mut findings);
    check_values(&spec, &mut findings);
    let problems: Vec<Problem> = about_particles(findings.into_list());
    if problems.is_empty() {
        return Ok((detailing, print(&spec)));
    }
    Err(SceneError::Problems(Places::new(source, root).locate(problems)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [ShapeKind<'_>; 2] = [("grain", true), ("chair", false)];

    #[test]
    fn the_scene_of_a_recording_gets_a_section_or_another_one() {
        let text = "title = \"x\"\nseed = 7\ngravity = [0.0, 0.0, -1.6]\n\n[material.sand]\nfriction = 0.5\n";
        let (detail, scene) = detail_of(text, &SHAPES, &["detail.count=20".into()]).unwrap();
        assert_eq!((detail.settings.count, detail.settings.seed, detail.carriers), (20, 7, vec![true, false]));
        assert_eq!(detail.settings.gravity.z, -1.6);
        assert!(scene.contains("\n\n[detail]\ncount = 20\nseed = 7\n"), "{scene}");
        // Once more: what was said before stays.
        let (detail, again) = detail_of(&scene, &SHAPES, &["detail.steps=5".into()]).unwrap();
        assert_eq!((detail.settings.count, detail.settings.steps), (20, 5));
        assert_eq!(again, scene.replace("steps = 2", "steps = 5"));
    }

    #[test]
    fn only_particles_can_be_changed_and_mistakes_are_said() {
        let wrong = |set: &str| detail_of("seed = 1\n", &SHAPES, &[set.into()]).unwrap_err().to_string();
        assert!(wrong("seed=2").contains("would change what was simulated"));
        assert!(wrong("detail.influence=0.9").contains("no particle would see a second grain"));
        assert!(wrong("detail.shapes=[\"chair\"]").contains("is a solid"));
        assert!(wrong("detail.shapes=[\"grian\"]").contains("there is no shape `grian`"));
        assert!(wrong("detail.cout=3").contains("did you mean `count`?"));
    }
}
