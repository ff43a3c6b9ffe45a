//! The rest of a simulation: its bounds and piles, whether it fits into memory, and its first
//! frame.

use glam::{DVec2, DVec3};
use tumble::direct::pile::PileSettings;
use tumble::emit::Emitter;
use tumble::geometry::Surface;
use tumble::world::World;
use tumble::{Setup, SetupProblem, Simulation, Solver};

use super::memory;
use crate::findings::Findings;
use crate::scene::Note;
use crate::spec::{PatternName, PileSpec, REACH, SceneSpec};

/// A slip of the keyboard must not take all memory: more than `most_bodies` have to be asked for.
pub(super) fn check_count(spec: &SceneSpec, world: &World, emitters: &[Emitter], findings: &mut Findings) {
    let most = spec.most_bodies;
    let mut bodies = world.bodies.len() as u64;
    for (at, emitter) in spec.emitters.iter().enumerate() {
        bodies = bodies.saturating_add(emitter.count);
        if bodies > most {
            let what = format!("the scene asks for {bodies} bodies up to here, more than `most_bodies` = {most}");
            let help = format!(
                "lower `count`, or write most_bodies = {bodies} if there is memory for it, about {:.1} GB",
                1e-9 * memory::of_bodies(world, emitters) as f64
            );
            findings.at(format!("emitter[{at}].count"), what, help);
        }
    }
}

/// Says before a run that its bodies do not fit into memory.
pub(super) fn check_memory(world: &World, emitters: &[Emitter], needed: u64, findings: &mut Findings) {
    let born = emitters.iter().map(|emitter| emitter.count);
    let bodies = born.fold(world.bodies.len() as u64, u64::saturating_add);
    if let Some(free) = memory::available().filter(|&free| needed > free) {
        let [needed, free] = [needed, free].map(|bytes| 1e-9 * bytes as f64);
        let what = format!("{bodies} bodies take about {needed:.1} GB of memory, and {free:.1} GB are free");
        findings.at("most_bodies", what, "lower `count` of an emitter or `grid` of a body");
    }
}

/// Recordings hold places in single precision: this part of their distance from the origin.
const RECORDED: f64 = 6e-8;

/// Says that a scene is so far from the origin that recordings and pictures of it are coarse.
pub(super) fn warn_of_distance(world: &World, emitters: &[Emitter], notes: &mut Vec<Note>) {
    let there = world.bodies.pose.iter().enumerate().map(|(row, pose)| (pose.position, world.radius(row)));
    let born =
        emitters.iter().map(|emitter| (emitter.place.around().0, world.radius_of(emitter.shape, emitter.size[0])));
    let coarse = |&(place, radius): &(DVec3, f64)| RECORDED * place.abs().max_element() > 0.01 * radius;
    if let Some((place, radius)) = there.chain(born).find(coarse) {
        let text = format!(
            "recordings hold places to {:.1e} m at {:.1e} m from the origin, which is coarse for a body with a radius of {radius:.1e} m; move the scene towards the origin",
            RECORDED * place.abs().max_element(),
            place.abs().max_element()
        );
        notes.push(Note { text, is_warning: true });
    }
}

/// The box that bodies must not leave: by default ten times as wide as everything finite in the
/// scene.
pub(super) fn bounds(
    spec: &mut SceneSpec,
    world: &World,
    emitters: &[Emitter],
    findings: &mut Findings,
) -> (DVec3, DVec3) {
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    let mut include = |center: DVec3, reach: f64| {
        low = low.min(center - reach);
        high = high.max(center + reach);
    };
    for (row, pose) in world.bodies.pose.iter().enumerate() {
        include(pose.position, world.radius(row));
    }
    for obstacle in &world.obstacles {
        let reach = obstacle.surface.reach();
        include(obstacle.pose.position, if reach.is_finite() { reach } else { 0.0 });
    }
    for emitter in emitters {
        let (center, reach) = emitter.place.around();
        include(center, reach + world.radius_of(emitter.shape, emitter.size[1]));
    }
    let (center, half) =
        if low.is_finite() { (0.5 * (low + high), 0.5 * (high - low)) } else { (DVec3::ZERO, DVec3::ONE) };
    let reach = 10.0 * half.max_element() + 1.0;
    let low = *spec.bounds.low.get_or_insert((center - reach).max(DVec3::splat(-REACH)));
    let high = *spec.bounds.high.get_or_insert((center + reach).min(DVec3::splat(REACH)));
    if !low.cmplt(high).all() {
        findings.at("bounds.low", "`low` must be below `high` in every direction", "swap the two corners");
    }
    (low, high)
}

/// Piles; by default they stand on the first plane.
pub(super) fn piles(spec: &mut SceneSpec, world: &World) -> Vec<PileSettings> {
    let on_ground = world.obstacles.iter().find(|obstacle| matches!(obstacle.surface, Surface::Plane));
    let SceneSpec { shapes, piles, .. } = spec;
    let ground = on_ground.map_or(0.0, |plane| plane.pose.position.z);
    let of_name = |name: &String| super::shape_of(shapes, Some(name));
    let pile = |pile: &mut PileSpec| PileSettings {
        angle: pile.angle.to_radians(),
        place: pile.position.map(DVec2::from),
        base: *pile.base.get_or_insert(ground),
        shapes: pile.shapes.iter().map(of_name).collect(),
        rule: pile.rule,
        threshold: pile.threshold,
        slow: pile.slow,
        grace: pile.grace,
    };
    piles.iter_mut().map(pile).collect()
}

/// The parts of a simulation.
pub(super) struct SimulationParts {
    pub(super) world: World,
    pub(super) emitters: Vec<Emitter>,
    pub(super) solver: Solver,
    pub(super) piles: Vec<PileSettings>,
    pub(super) bounds: (DVec3, DVec3),
}

/// Steps shorter than this are a slip of the keyboard or of the units unless they are asked for
/// \[s\].
const SHORTEST_STEP: f64 = 1e-9;

/// The simulation at its first frame, unless its steps make no sense or its bodies find no room.
pub(super) fn simulation(spec: &SceneSpec, parts: SimulationParts, findings: &mut Findings) -> Option<Simulation> {
    let SimulationParts { world, emitters, solver, piles, bounds } = parts;
    let substeps = solver.substeps();
    let setup = Setup {
        emitters,
        piles,
        step: spec.step,
        fps: spec.fps,
        first_frame: spec.frames[0],
        seed: spec.seed,
        bounds: Some(bounds),
        ..Setup::new(world, solver)
    };
    let simulation = match Simulation::new(setup) {
        Ok(simulation) => simulation,
        Err(problem) => {
            report(&problem, spec, findings);
            return None;
        }
    };
    let longest = simulation.step_length() / f64::from(substeps);
    let drag = simulation.world().drag;
    if drag * longest > 1.0 && !simulation.is_adaptive() {
        let what = format!("within a step of {longest:.1e} s, `drag` = {drag} takes more speed than bodies have");
        findings.at("drag", what, format!("lower it to {:.1e} 1/s, or set a smaller `step`", 1.0 / longest));
    }
    let too_short = simulation.step_limit().filter(|limit| limit.default < SHORTEST_STEP);
    if let Some(limit) = too_short.filter(|_| spec.step.is_none() && !simulation.is_adaptive()) {
        let [a, b] = &limit.between;
        let what = format!("{a} on {b} is so stiff that steps would be {:.1e} s long", limit.default);
        let help = "lower `youngs_modulus` or `stiffness`, or enlarge the bodies; if you mean it, set `step`";
        findings.at("step", what, help);
    }
    findings.is_empty().then_some(simulation)
}

/// Says why there is no simulation, where the scene can do something about it.
fn report(problem: &SetupProblem, spec: &SceneSpec, findings: &mut Findings) {
    let (path, help) = match problem {
        SetupProblem::NothingMoves => (String::new(), "add a [[body]] or an [[emitter]]"),
        SetupProblem::StepTooLarge { .. } => {
            ("step".into(), "leave `step` out to use the default, or lower the stiffness")
        }
        SetupProblem::TooManySteps { .. } => ("fps".into(), "lower the stiffness, enlarge the bodies, or raise `fps`"),
        SetupProblem::World(_) => (String::new(), "change it within these limits"),
        SetupProblem::Joint(_) => ("joint".into(), "write solver = \"rigid\" at the top"),
        SetupProblem::NoRoom { emitter, .. } => {
            let at = spec.emitters.iter().position(|spec| spec.name.as_ref() == Some(emitter)).unwrap_or(0);
            let pattern = spec.emitters[at].place.pattern();
            let help = if pattern.is_some_and(|pattern| pattern.name == PatternName::Random) {
                "lower `count`, enlarge the place, or use `pattern = \"lattice\"`"
            } else {
                "lower `count`, enlarge the place, or make the bodies smaller"
            };
            (format!("emitter[{at}].count"), help)
        }
    };
    findings.at(path, problem.to_string(), help);
}
