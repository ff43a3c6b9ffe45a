//! Emitters: bodies made over time, at a point or filling a region.

use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::{CavityPart, Mesh, MeshSurface};
use tumble::world::{Motion, World};

use super::obstacles::Standing;
use super::solids::Solids;
use super::{material_of, paths, rotation, shape_of, spin};
use crate::findings::Findings;
use crate::spec::{EmitterSpec, ObstacleSpec, PatternName, PatternSpec, PlaceSpec, SceneSpec, SurfaceSpec};

/// Makes all emitters, which may fill models that stand in the scene. One with a problem is left
/// out.
pub(super) fn compile(
    spec: &mut SceneSpec,
    world: &World,
    models: &[Standing],
    solids: &mut Solids<'_>,
) -> Vec<Emitter> {
    let mut emitters = Vec::new();
    for (at, emitter) in spec.emitters.iter_mut().enumerate() {
        let path = format!("emitter[{at}]");
        if !solids.findings.is_clean(&path) {
            continue;
        }
        let shape = shape_of(&spec.shapes, emitter.shape.as_ref());
        let smallest = 2.0 * world.radius_of(shape, emitter.size[0]);
        if let Some(spacing) = emitter.place.pattern().and_then(|p| p.spacing).filter(|spacing| *spacing < smallest) {
            let what = format!("a spacing of {spacing} m is less than the smallest body is wide, {smallest} m");
            let help = "leave `spacing` out to pack the bodies as close as they fit";
            solids.findings.at(format!("{path}.spacing"), what, help);
        }
        let filled = Filled { models, obstacles: &spec.obstacles, has_ground: spec.ground.is_some() };
        let Some(place) = place(&path, emitter, &filled, solids) else { continue };
        let start = emitter.start;
        emitters.push(Emitter {
            name: emitter.name.clone().unwrap_or_default(),
            shape,
            material: material_of(&spec.materials, emitter.material.as_ref()),
            count: emitter.count,
            size: emitter.size,
            when: emitter.rate.map_or(When::AtOnce(start), |per_second| When::Rate { per_second, start }),
            orientation: rotation(emitter.rotation),
            motion: Motion { velocity: emitter.velocity, spin: spin(emitter.spin) },
            jitter: Jitter {
                position: emitter.jitter.position,
                velocity: emitter.jitter.velocity,
                spin: emitter.jitter.spin.to_radians(),
                orientation: emitter.jitter.orientation,
            },
            place,
        });
    }
    emitters
}

fn place(path: &str, spec: &mut EmitterSpec, filled: &Filled<'_>, solids: &mut Solids<'_>) -> Option<Place> {
    let (region, pattern) = match &mut spec.place {
        PlaceSpec::Point { point, spread, drift, keys } => {
            return Some(Place::Point { path: paths::of_point(*point, *drift, keys), spread: *spread });
        }
        PlaceSpec::Box { corners, pattern } => (Region::Box { low: corners.low, high: corners.high }, pattern),
        PlaceSpec::Mesh { mesh, pattern } => {
            let mesh = MeshSurface::new(solids.read(path, mesh)?);
            if !mesh.is_closed() {
                let what = "the mesh is not closed, so it has no inside to fill";
                solids.findings.at(format!("{path}.mesh"), what, "close its holes, or fill a `box` instead");
                return None;
            }
            (Region::Mesh(Box::new(mesh)), pattern)
        }
        PlaceSpec::Inside { obstacle, part, pattern } => {
            let cavity = filled.cavity(path, obstacle, *part, spec.start, solids.findings)?;
            (Region::Mesh(Box::new(cavity)), pattern)
        }
    };
    let pattern = match pattern {
        PatternSpec { name: PatternName::Random, .. } => Pattern::Random,
        PatternSpec { name: PatternName::Lattice, spacing } => Pattern::Lattice(*spacing),
    };
    Some(Place::Region { region, pattern })
}

/// Models and obstacles that emitters can fill.
struct Filled<'a> {
    models: &'a [Standing],
    obstacles: &'a [ObstacleSpec],
    has_ground: bool,
}

impl Filled<'_> {
    /// The cavity of a model, where it is at `time` \[s\].
    fn cavity(
        &self,
        path: &str,
        name: &str,
        part: CavityPart,
        time: f64,
        findings: &mut Findings,
    ) -> Option<MeshSurface> {
        let Some(standing) = self.models.iter().find(|standing| standing.name == name) else {
            self.report_missing(path, name, findings);
            return None;
        };
        let Some(cavity) = standing.cavity(part) else {
            let (key, word, help) = match part {
                CavityPart::Upper => ("inside", "upper", "containers, tubes, hoppers and hourglasses can be filled"),
                CavityPart::Lower => ("part", "lower", "only an hourglass has a lower part; leave `part` out"),
            };
            let what = format!("obstacle `{name}` has no {word} part to fill");
            findings.at(format!("{path}.{key}"), what, help);
            return None;
        };
        let pose = standing.path.at(time).0;
        match cavity.map(|vertex| pose.to_world(vertex)).map(MeshSurface::new) {
            Ok(mesh) if mesh.is_closed() => Some(mesh),
            _ => {
                let what = format!("obstacle `{name}` is too far away to fill: its inside is lost in rounding");
                findings.at(format!("{path}.inside"), what, "move it nearer to the origin");
                None
            }
        }
    }

    /// Says that there is no such model, unless it is one with a problem of its own.
    fn report_missing(&self, path: &str, name: &str, findings: &mut Findings) {
        let found = self.obstacles.iter().find(|obstacle| obstacle.name.as_deref() == Some(name));
        if found.is_some_and(|obstacle| matches!(obstacle.surface, SurfaceSpec::Model(_))) {
            return;
        }
        let what = if found.is_some() || (self.has_ground && name == "ground") {
            format!("obstacle `{name}` is no model, so it has no inside to fill")
        } else {
            format!("there is no obstacle `{name}`")
        };
        let hollow = self.models.iter().filter(|standing| standing.cavity(CavityPart::Upper).is_some());
        let names: Vec<&str> = hollow.map(|standing| standing.name.as_str()).collect();
        let help = match names.as_slice() {
            [] => "give a hollow model as [[obstacle]]: a container, tube, hopper or hourglass".to_owned(),
            names => format!("hollow obstacles: {}", names.join(", ")),
        };
        findings.at(format!("{path}.inside"), what, help);
    }
}

impl Standing {
    fn cavity(&self, part: CavityPart) -> Option<Mesh> {
        // A model that has a mesh has been checked.
        self.model.cavity(part, self.segments).ok().flatten()
    }
}
