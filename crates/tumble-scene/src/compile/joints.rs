//! Joints between the bodies and obstacles that they name.

use tumble::world::{End, FREE, JointKind, NewJoint, ObstacleId, Pose, Strength, World};

use crate::findings::Findings;
use crate::spec::{JointKindSpec, JointSpec, SceneSpec};

/// Adds all joints to the world, which has all bodies and obstacles.
pub(super) fn compile(spec: &SceneSpec, world: &mut World, findings: &mut Findings) {
    if spec.joints.is_empty() || !spec.solver.kind().has_joints() {
        return;
    }
    let bodies: Vec<String> = spec.bodies.iter().flat_map(|body| body.names()).collect();
    let ground = spec.ground.map(|_| "ground".to_owned());
    let obstacles: Vec<String> = ground.into_iter().chain(spec.obstacles.iter().flat_map(|o| o.name.clone())).collect();
    for (at, joint) in spec.joints.iter().enumerate() {
        let named = Named { bodies: &bodies, obstacles: &obstacles, path: format!("joint[{at}]") };
        let (body, to) = (named.body(&joint.body, findings), named.to(joint, findings));
        let is_complete = findings.is_clean("body") && findings.is_clean("obstacle") && findings.is_clean(&named.path);
        let (Some(body), Some(to), true) = (body, to, is_complete) else { continue };
        // Nothing was removed yet, so bodies are in the order in which they were named.
        let id = |row: usize| world.bodies.traits[row].id;
        let what = NewJoint {
            body: id(body),
            to: match to {
                JoinedTo::Body(row) => End::Body(id(row)),
                JoinedTo::Obstacle(row) => End::Obstacle(ObstacleId(row as u32)),
                JoinedTo::World => End::World,
            },
            kind: kind(&joint.kind),
            strength: Strength {
                force: joint.break_force.unwrap_or(f64::INFINITY),
                torque: joint.break_torque.unwrap_or(f64::INFINITY),
            },
            collide: joint.collide,
        };
        let Some(axis) = joint.axis.try_normalize() else { continue };
        if let Err(problem) = world.join(what, Pose::along(joint.position, axis)) {
            let help = "join it to another body, to an obstacle, or leave `to` out";
            findings.at(format!("{}.to", named.path), problem.to_string(), help);
        }
    }
}

fn kind(kind: &JointKindSpec) -> JointKind {
    let turn = |turn: Option<[f64; 2]>| turn.unwrap_or(FREE).map(f64::to_radians);
    match *kind {
        JointKindSpec::Fixed => JointKind::Fixed,
        JointKindSpec::Hinge { turn: limits } => JointKind::Hinge { turn: turn(limits) },
        JointKindSpec::Slider { travel, turn: limits } => {
            JointKind::Slider { travel: travel.unwrap_or(FREE), turn: turn(limits) }
        }
        JointKindSpec::Ball { swing } => JointKind::Ball { swing: swing.map_or(f64::INFINITY, f64::to_radians) },
    }
}

/// Names of all bodies and obstacles that a joint can hold, in the order of the world.
struct Named<'a> {
    bodies: &'a [String],
    obstacles: &'a [String],
    /// The path of the joint.
    path: String,
}

/// The other side of a joint, by its number.
enum JoinedTo {
    Body(usize),
    Obstacle(usize),
    World,
}

impl Named<'_> {
    fn body(&self, name: &str, findings: &mut Findings) -> Option<usize> {
        let found = self.bodies.iter().position(|body| body == name);
        if found.is_none() {
            let what = format!("there is no body `{name}`");
            findings.at(format!("{}.body", self.path), what, list("bodies", self.bodies));
        }
        found
    }

    fn to(&self, joint: &JointSpec, findings: &mut Findings) -> Option<JoinedTo> {
        let Some(name) = &joint.to else { return Some(JoinedTo::World) };
        let body = self.bodies.iter().position(|body| body == name).map(JoinedTo::Body);
        let obstacle = || self.obstacles.iter().position(|obstacle| obstacle == name).map(JoinedTo::Obstacle);
        let found = body.or_else(obstacle);
        if found.is_none() {
            let (bodies, obstacles) = (list("bodies", self.bodies), list("obstacles", self.obstacles));
            let help = format!("{bodies}; {obstacles}; without `to` it is a fixed place");
            findings.at(format!("{}.to", self.path), format!("there is no body or obstacle `{name}`"), help);
        }
        found
    }
}

/// Which names there are.
fn list(kind: &str, named: &[String]) -> String {
    let names: Vec<&str> = named.iter().take(8).map(String::as_str).collect();
    let more = if named.len() > names.len() { ", …" } else { "" };
    if names.is_empty() {
        format!("there are no {kind} with a name")
    } else {
        format!("{kind}: {}{more}", names.join(", "))
    }
}
