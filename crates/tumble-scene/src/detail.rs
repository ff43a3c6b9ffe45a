//! `[detail]`: high-resolution particles that follow grains. Read with a scene, or by itself from the scene of a recording.

use glam::DVec3;
use tumble::detail::{DetailSettings, Kernel};

use crate::SceneError;
use crate::placement;
use crate::scene::DRAGS;
use crate::text::{Node, Range, Reading, Source, TableReader, Value};

/// What a scene says about particles.
#[derive(Clone, Debug)]
pub struct Detailing {
    /// How they follow.
    pub settings: DetailSettings,
    /// For each shape of the scene whether its bodies are guides.
    pub guides: Vec<bool>,
}

/// A shape, as this part of a scene needs it: its name, and whether it is a sphere or a clump.
pub type Kind<'a> = (&'a str, bool);

/// What the rest of a scene says that particles need to know.
pub(crate) struct Around {
    pub(crate) gravity: DVec3,
    pub(crate) drag: f64,
    pub(crate) seed: u64,
    pub(crate) bounds: Option<(DVec3, DVec3)>,
}

/// Reads the table.
pub(crate) fn read(table: &TableReader<'_>, shapes: &[Kind<'_>], around: &Around) -> Detailing {
    let defaults = DetailSettings::default();
    let whole =
        |key: &str, most: f64, default: u32| table.integer(key, Range::Within(1.0, most)).or(i64::from(default)) as u32;
    let settings = DetailSettings {
        count: whole("count", 1e6, defaults.count),
        seed: table.integer("seed", Range::AtLeast(0.0)).or(around.seed as i64) as u64,
        influence: table.number("influence", Range::Within(0.1, 100.0)).or(defaults.influence),
        kernel: match table.choice("kernel", &["smooth", "printed"]).or("smooth") {
            "printed" => Kernel::Printed,
            _ => Kernel::Smooth,
        },
        jitter: table.number("jitter", Range::Within(0.0, 1e6)).or(defaults.jitter),
        least_guides: whole("least_guides", 1e6, defaults.least_guides),
        touch: table.number("touch", Range::Within(0.1, 100.0)).or(defaults.touch),
        refill: table.boolean("refill").or(defaults.refill),
        interpolations: whole("interpolations", 1000.0, defaults.interpolations),
        steps: whole("steps", 1000.0, defaults.steps),
        gravity: around.gravity,
        drag: table.number("drag", DRAGS).or(around.drag),
        wind: table.vector_within("wind", Range::Within(-1e6, 1e6)).or(DVec3::ZERO),
        friction: table.number("friction", Range::Within(0.0, 100.0)).or(defaults.friction),
        restitution: table.number("restitution", Range::Within(0.0, 1.0)).or(defaults.restitution),
        cell: table.number("cell", Range::Within(1e-9, 1e6)).optional(),
        bounds: around.bounds,
    };
    if settings.influence <= 1.0 {
        let what = "no particle would see a second grain: the influence radius must be larger than a grain";
        table.problem_at("influence", what, "write 2, or leave it out");
    }
    let clumps = || shapes.iter().filter(|shape| shape.1).map(|shape| shape.0.to_string());
    let names = table.string_list("shapes").or(clumps().collect::<Vec<_>>());
    for name in &names {
        match shapes.iter().find(|shape| shape.0 == name) {
            Some((_, true)) => {}
            Some((_, false)) => {
                let what = format!("shape `{name}` is a solid: particles follow spheres and clumps");
                table.problem_at("shapes", what, "leave it out: particles run off it as off an obstacle");
            }
            None => {
                let known: Vec<String> = clumps().map(|name| format!("`{name}`")).collect();
                let help = format!("spheres and clumps of this scene: {}", known.join(", "));
                table.problem_at("shapes", format!("there is no shape `{name}`"), &help);
            }
        }
    }
    if names.is_empty() {
        let what = "no shape of the scene is a sphere or a clump, so there is nothing that particles could follow";
        table.problem_at("shapes", what, "leave [detail] out, or add grains");
    }
    let guides = shapes.iter().map(|shape| names.iter().any(|name| name == shape.0)).collect();
    Detailing { settings, guides }
}

/// Keys at the top of a scene that particles depend on.
const KEYS: [&str; 5] = ["detail", "gravity", "drag", "seed", "bounds"];

/// Reads what the resolved scene of a recording says about particles, changed as `--set` changes scenes; gives that scene with it in
/// place. A scene without `[detail]` gets all defaults.
pub fn detail_of(resolved: &str, shapes: &[Kind<'_>], sets: &[String]) -> Result<(Detailing, String), SceneError> {
    let source = Source::new("the recording's scene", resolved);
    let mut root: Node = source.parse().map_err(SceneError::Problems)?;
    for assignment in sets {
        if !assignment.trim_start().starts_with("detail.") {
            let what =
                format!("`{assignment}` would change what was simulated\nhelp: only keys of `detail` can be set here");
            return Err(SceneError::Set(what));
        }
        crate::text::set(&mut root, assignment).map_err(SceneError::Set)?;
    }
    // Everything else was checked when it was simulated.
    if let Value::Table(items) = &mut root.value {
        items.retain(|item| KEYS.contains(&item.key.as_str()));
    }
    let reading = Reading::new(&source, &root);
    let top = reading.root();
    let bounds = top.table("bounds");
    let corner = |key: &str| placement::vector(&bounds, key).optional();
    let around = Around {
        gravity: placement::vector(&top, "gravity").or(DVec3::new(0.0, 0.0, -9.81)),
        drag: top.number("drag", DRAGS).or(0.0),
        seed: top.integer("seed", Range::AtLeast(0.0)).or(1) as u64,
        bounds: corner("low").zip(corner("high")),
    };
    let detailing = read(&top.table("detail"), shapes, &around);
    let own = reading.finish().map_err(SceneError::Problems)?;
    Ok((detailing, with_section(resolved, own.text(), "[detail]")))
}

/// A resolved scene with a section taken from another one.
fn with_section(text: &str, other: &str, header: &str) -> String {
    let section = |text: &str| -> (usize, usize) {
        let begin = text.find(&format!("\n{header}\n")).map_or(text.len(), |at| at + 1);
        let end = text[begin..].match_indices("\n[").map(|(at, _)| begin + at + 1).next().unwrap_or(text.len());
        (begin, end)
    };
    let (begin, end) = section(text);
    let (from, to) = section(other);
    let gap = if text[..begin].ends_with("\n\n") || begin == 0 { "" } else { "\n" };
    format!(
        "{}{gap}{}\n{}",
        &text[..begin],
        other[from..to].trim_end(),
        if end < text.len() { format!("\n{}", &text[end..]) } else { String::new() }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Kind<'_>; 2] = [("grain", true), ("chair", false)];

    #[test]
    fn the_scene_of_a_recording_gets_a_section_or_another_one() {
        let text = "title = \"x\"\nseed = 7\ngravity = [0.0, 0.0, -1.6]\n\n[material.sand]\nfriction = 0.5\n";
        let (detail, scene) = detail_of(text, &SHAPES, &["detail.count=20".into()]).unwrap();
        assert_eq!((detail.settings.count, detail.settings.seed, detail.guides), (20, 7, vec![true, false]));
        assert_eq!(detail.settings.gravity.z, -1.6);
        assert!(scene.starts_with(text) && scene.contains("\n\n[detail]\ncount = 20\n"), "{scene}");
        // Once more, with something after it.
        let (detail, again) =
            detail_of(&format!("{scene}\n[expect]\nbodies = \"= 1\"\n"), &SHAPES, &["detail.steps=5".into()]).unwrap();
        assert_eq!((detail.settings.count, detail.settings.steps), (20, 5));
        assert_eq!(again, format!("{}\n[expect]\nbodies = \"= 1\"\n", scene.replace("steps = 2", "steps = 5")));
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
