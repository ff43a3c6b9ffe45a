//! Consistency of the values of a scene, whether they come from a text or from a program.

use glam::{DVec2, DVec3};

use crate::complete::complete;
use crate::findings::Findings;
use crate::spec::{
    BodySpec, CoefficientsName, EmitterSpec, FineSpec, GranularSpec, JointKindSpec, MOST_IN_A_GRID, NormalName,
    ObstacleSpec, PatternName, PlaceSpec, Quantity, SceneSpec, ShearName, SolverSpec, SurfaceSpec,
};
use crate::text::{Problem, check_ranges, key_text};

/// Everything that is wrong with a scene and can be said without its files, by the paths of the
/// values.
pub fn check(spec: &SceneSpec) -> Vec<Problem> {
    let mut findings = Findings::new(check_ranges(spec));
    let mut spec = spec.clone();
    complete(&mut spec, &mut findings);
    check_values(&spec, &mut findings);
    findings.into_list()
}

/// Checks the values of a scene with all its names against each other.
pub(crate) fn check_values(spec: &SceneSpec, findings: &mut Findings) {
    let [first, last] = spec.frames;
    if last < first {
        let what = format!("the last frame, {last}, comes before the first, {first}");
        findings.at("frames", what, format!("write frames = [{last}, {first}]"));
    }
    if let SolverSpec::Granular(granular) = &spec.solver {
        check_grains(spec, granular, findings);
    }
    for (at, obstacle) in spec.obstacles.iter().enumerate() {
        check_obstacle(at, obstacle, findings);
    }
    for (at, body) in spec.bodies.iter().enumerate() {
        check_grid(at, body, findings);
    }
    for (at, emitter) in spec.emitters.iter().enumerate() {
        check_emitter(at, emitter, findings);
    }
    check_joints(spec, findings);
    let falls_down = spec.gravity.truncate() == DVec2::ZERO && spec.gravity.z < 0.0;
    if !spec.piles.is_empty() && !falls_down {
        findings.at("gravity", "piles need a gravity along -z", "write gravity = [0, 0, -9.81], or leave it out");
    }
    if spec.detail.as_ref().is_some_and(|detail| detail.influence <= 1.0) {
        let what = "no particle would see a second grain: the influence radius must be larger than a grain";
        findings.at("detail.influence", what, "write 2, or leave it out");
    }
    let promises = spec.expect.iter().flat_map(|expect| &expect.promises);
    if promises.map(|promise| promise.quantity).any(|it| it == Quantity::RateSpread) && spec.outlet().is_none() {
        let what = "nothing here has an outlet whose rate could be even";
        findings.at("expect.rate_spread", what, "add an obstacle with a `model` of kind hopper or hourglass");
    }
    if spec.camera.as_ref().is_some_and(|camera| camera.position == camera.target) {
        findings.at("camera.position", "the camera stands where it looks", "move `position` away from `target`");
    }
}

/// The least restitution that damped springs can have.
const LEAST_OF_GRAINS: f64 = 0.01;

/// Checks the requirements of the granular solver.
fn check_grains(spec: &SceneSpec, granular: &GranularSpec, findings: &mut Findings) {
    // Zero restitution would need infinite damping.
    let of_materials =
        spec.materials.iter().map(|(name, m)| (format!("material.{}", key_text(name)), Some(m.restitution)));
    let of_pairs = spec.pairs.iter().enumerate().map(|(at, pair)| (format!("pair[{at}]"), pair.restitution));
    for (path, restitution) in of_materials.chain(of_pairs) {
        if let Some(value) = restitution.filter(|value| *value < LEAST_OF_GRAINS) {
            let what = format!("grains need a `restitution` of at least {LEAST_OF_GRAINS}, not {value}");
            findings.at(format!("{path}.restitution"), what, "write 0.01, or solver = \"rigid\" at the top");
        }
    }
    let contact = granular.contact.after(granular.law);
    let is_derived = contact.coefficients == CoefficientsName::Derived;
    let power = contact.dashpot.unwrap_or_default();
    if ![0.0, 0.25, 0.5].contains(&power) {
        let what = "the exponent of the dashpot is 0, 0.25 or 0.5";
        findings.at("contact.dashpot", what, "0.25 keeps restitution constant");
    }
    if contact.normal == Some(NormalName::Linear) && is_derived && power != 0.0 {
        let what = "a linear contact with derived coefficients has the dashpot 0";
        findings.at("contact.dashpot", what, "leave `dashpot` out, or write coefficients = \"given\"");
    }
    let is_of_hertz = contact.normal == Some(NormalName::Hertz) && is_derived;
    if contact.shear == Some(ShearName::Mindlin) && !is_of_hertz {
        let what = "Mindlin's friction spring is that of Hertz' spheres";
        findings.at("contact.shear", what, "write shear = \"spring\", or normal = \"hertz\"");
    }
    let largest = granular.largest_step.unwrap_or(1.0 / spec.fps);
    if granular.smallest_step.is_some_and(|smallest| smallest > largest) {
        findings.at("smallest_step", "`smallest_step` is larger than `largest_step`", "swap the two");
    }
}

fn check_obstacle(at: usize, obstacle: &ObstacleSpec, findings: &mut Findings) {
    let path = |key: &str| format!("obstacle[{at}].{key}");
    if obstacle.surface == SurfaceSpec::Plane(DVec3::ZERO) {
        findings.at(path("plane"), "the normal of a plane must not be zero", "write plane = [0, 0, 1] for a floor");
    }
    let is_plane = matches!(obstacle.surface, SurfaceSpec::Plane(_));
    if is_plane && obstacle.cover.is_some() {
        let what = "an endless plane cannot be covered with spheres";
        findings.at(path("cover"), what, "use a `box` instead of the plane");
    }
    if matches!(obstacle.fine, Some(FineSpec::Segments(_))) && !matches!(obstacle.surface, SurfaceSpec::Model(_)) {
        let what = "only a `model` can be made with more facets";
        findings.at(path("fine.segments"), what, "give a finer `mesh` instead");
    }
    let moves = obstacle.velocity != DVec3::ZERO || obstacle.spin != DVec3::ZERO;
    let starts = obstacle.position.is_some() || obstacle.rotation.is_some();
    let times: Vec<f64> = obstacle.keys.iter().map(|key| key.time).collect();
    check_keys(&path("key"), moves, starts, &times, findings);
}

fn check_grid(at: usize, body: &BodySpec, findings: &mut Findings) {
    if body.count() > MOST_IN_A_GRID as u64 {
        let [x, y, z] = body.grid;
        let what = format!("a grid of {x} x {y} x {z} has more than {MOST_IN_A_GRID} bodies");
        findings.at(format!("body[{at}].grid"), what, "lower the counts, or use an [[emitter]] in a box");
    }
}

fn check_emitter(at: usize, emitter: &EmitterSpec, findings: &mut Findings) {
    let path = |key: &str| format!("emitter[{at}].{key}");
    if emitter.size[1] < emitter.size[0] {
        findings.at(path("size"), "the largest size comes before the smallest", "write size = [smallest, largest]");
    }
    match &emitter.place {
        PlaceSpec::Point { drift, keys, .. } => {
            if emitter.rate.is_none() && emitter.count > 1 {
                let help = "add `rate`, or fill a `box`, a `mesh` or the `inside` of something instead";
                findings.at(path("point"), "several bodies cannot be born at one point at once", help);
            }
            let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
            check_keys(&path("key"), *drift != DVec3::ZERO, true, &times, findings);
        }
        PlaceSpec::Box { corners, .. } if !corners.low.cmplt(corners.high).all() => {
            let what = "`low` must be below `high` in every direction";
            findings.at(path("box.low"), what, "swap the two corners");
        }
        _ => {}
    }
    if let Some(pattern) = emitter.place.pattern()
        && pattern.name == PatternName::Random
        && pattern.spacing.is_some()
    {
        findings.at(path("spacing"), "a random pattern has no spacing", "remove `spacing` or `pattern`");
    }
}

/// A path has keys, in the order of their times, or a constant motion.
fn check_keys(path: &str, moves: bool, starts: bool, times: &[f64], findings: &mut Findings) {
    if moves && !times.is_empty() {
        findings.at(path, "a path has either keys or a constant velocity and spin", "remove one of the two");
    }
    let before = starts.then_some(0.0).into_iter().chain(times.iter().copied());
    let after = times.iter().enumerate().skip(usize::from(!starts));
    for (before, (at, time)) in before.zip(after).filter(|(before, (_, time))| **time <= *before) {
        let what = format!("the time of a key, {time} s, must come after {before} s, where it already is");
        let help = "sort the keys by time; a place given outside the keys is that at time 0";
        findings.at(format!("{path}[{at}].time"), what, help);
    }
}

fn check_joints(spec: &SceneSpec, findings: &mut Findings) {
    if !spec.joints.is_empty() && !spec.solver.kind().has_joints() {
        findings.at("joint[0]", "joints need the rigid solver", "write solver = \"rigid\" at the top");
        return;
    }
    for (at, joint) in spec.joints.iter().enumerate() {
        let path = |key: &str| format!("joint[{at}].{key}");
        if joint.axis.try_normalize().is_none() {
            findings.at(path("axis"), "an axis must have a direction", "write axis = [0, 0, 1]");
        }
        let limits = match joint.kind {
            JointKindSpec::Hinge { turn } => [("turn", turn), ("travel", None)],
            JointKindSpec::Slider { travel, turn } => [("turn", turn), ("travel", travel)],
            JointKindSpec::Fixed | JointKindSpec::Ball { .. } => [("turn", None), ("travel", None)],
        };
        for (key, limit) in limits {
            if let Some([least, most]) = limit.filter(|[least, most]| most < least) {
                let help = format!("write {key} = [{most}, {least}]");
                findings.at(path(key), "the largest comes before the smallest", help);
            }
        }
    }
}
