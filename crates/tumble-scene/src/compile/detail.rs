//! Particles that follow grains, of a scene or of a recording.

use glam::DVec3;
use tumble::detail::DetailSettings;
use tumble::emit::Emitter;
use tumble::world::{Shape, ShapeId, World};

use crate::findings::Findings;
use crate::spec::SceneSpec;

/// Settings of the particles of a scene.
#[derive(Clone, Debug)]
pub struct Detailing {
    /// How they follow.
    pub settings: DetailSettings,
    /// For each shape of the scene whether its bodies are carriers.
    pub carriers: Vec<bool>,
}

/// A shape, as particles need it: its name, and whether it is a sphere or a clump.
pub type ShapeKind<'a> = (&'a str, bool);

/// The particles of a scene, if it has some, and how many grains they follow.
pub(super) fn compile(
    spec: &mut SceneSpec,
    world: &World,
    emitters: &[Emitter],
    bounds: (DVec3, DVec3),
    findings: &mut Findings,
) -> Option<(Detailing, u64)> {
    spec.detail.as_ref()?;
    let is_clump = |shape: &Shape| shape.mesh.is_none() && !shape.spheres.is_empty();
    let shapes: Vec<ShapeKind<'_>> = world.shapes.iter().map(|shape| (shape.name.as_str(), is_clump(shape))).collect();
    let detailing = detailing(spec, &shapes, Some(bounds), findings);
    let is_carrier = |shape: ShapeId| detailing.carriers[shape.index()];
    let bodies = world.bodies.traits.iter().filter(|traits| is_carrier(traits.shape)).count() as u64;
    let born = emitters.iter().filter(|emitter| is_carrier(emitter.shape)).map(|emitter| emitter.count);
    let grains = born.fold(bodies, u64::saturating_add);
    Some((detailing, grains))
}

/// How particles follow bodies of these shapes. Fills in what follows from the rest of the scene.
pub(crate) fn detailing(
    spec: &mut SceneSpec,
    shapes: &[ShapeKind<'_>],
    bounds: Option<(DVec3, DVec3)>,
    findings: &mut Findings,
) -> Detailing {
    let detail = spec.detail.get_or_insert_default();
    let clumps: Vec<&str> = shapes.iter().filter(|shape| shape.1).map(|shape| shape.0).collect();
    let names = detail.shapes.get_or_insert_with(|| clumps.iter().map(|&name| name.to_owned()).collect());
    for name in &*names {
        match shapes.iter().find(|shape| shape.0 == name) {
            Some((_, true)) => {}
            Some((_, false)) => {
                let what = format!("shape `{name}` is a solid: particles follow spheres and clumps");
                findings.at("detail.shapes", what, "leave it out: particles run off it as off an obstacle");
            }
            None => {
                let known: Vec<String> = clumps.iter().map(|name| format!("`{name}`")).collect();
                let help = format!("spheres and clumps of this scene: {}", known.join(", "));
                findings.at("detail.shapes", format!("there is no shape `{name}`"), help);
            }
        }
    }
    if names.is_empty() {
        let what = "no shape of the scene is a sphere or a clump, so there is nothing that particles could follow";
        findings.at("detail.shapes", what, "leave [detail] out, or add grains");
    }
    let carriers = shapes.iter().map(|shape| names.iter().any(|name| name == shape.0)).collect();
    let settings = DetailSettings {
        count: detail.count,
        seed: *detail.seed.get_or_insert(spec.seed),
        influence: detail.influence,
        kernel: detail.kernel,
        jitter: detail.jitter,
        least_carriers: detail.least_guides,
        touch: detail.touch,
        refill: detail.refill,
        interpolations: detail.interpolations,
        steps: detail.steps,
        gravity: spec.gravity,
        drag: *detail.drag.get_or_insert(spec.drag),
        wind: detail.wind,
        friction: detail.friction,
        restitution: detail.restitution,
        cell: detail.cell,
        bounds,
    };
    Detailing { settings, carriers }
}
