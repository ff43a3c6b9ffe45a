//! `[[joint]]`: what holds a body to another one, to an obstacle or to a fixed place.

use std::cell::Cell;
use std::collections::BTreeSet;

use glam::DVec3;
use tumble::world::{BodyId, End, FREE, JointKind, NewJoint, ObstacleId, Pose, Strength, World};

use crate::placement;
use crate::text::{Range, TableReader};

/// Angles \[°\].
const ANGLES: Range = Range::Within(-180.0, 180.0);

/// Loads that break a joint \[N, N·m\].
const LOADS: Range = Range::Within(0.0, 1e18);

/// Adds all joints between the named bodies and obstacles. Names of `bodies` and `obstacles` are in the order of the world.
pub(crate) fn read(
    top: &TableReader<'_>,
    bodies: &[(String, TableReader<'_>)],
    obstacles: &[(String, TableReader<'_>)],
    is_rigid: bool,
    world: &mut World,
) {
    let tables = top.array_of_tables("joint");
    if let Some(table) = tables.first().filter(|_| !is_rigid) {
        table.problem_at("", "joints need the rigid solver", "write solver = \"rigid\" at the top");
        tables.iter().for_each(TableReader::leave_unread);
        return;
    }
    let mut taken = BTreeSet::new();
    for (number, table) in tables.iter().enumerate() {
        placement::name(table, "joint", number + 1, &mut taken);
        let kind = kind(table);
        let held = Held { bodies, obstacles, world };
        let body = held.body(table);
        let to = held.to(table);
        let axis = placement::vector(table, "axis").or(DVec3::Z);
        let Some(axis) = axis.try_normalize() else {
            table.problem_at("axis", "an axis must have a direction", "write axis = [0, 0, 1]");
            table.leave_unread();
            continue;
        };
        let at = Pose::along(placement::vector(table, "position").required(), axis);
        let strength = Strength {
            force: table.number("break_force", LOADS).optional().unwrap_or(f64::INFINITY),
            torque: table.number("break_torque", LOADS).optional().unwrap_or(f64::INFINITY),
        };
        let collide = table.boolean("collide").or(false);
        let (Some(kind), Some(body), Some(to)) = (kind, body, to) else { continue };
        if let Err(problem) = world.join(NewJoint { body, to, kind, strength, collide }, at) {
            table.problem_at("to", problem.to_string(), "join it to another body, to an obstacle, or leave `to` out");
        }
    }
}

fn kind(table: &TableReader<'_>) -> Option<JointKind> {
    let good = Cell::new(true);
    let between = |key: &str, range: Range| {
        let Some([least, most]) = table.numbers::<2>(key, range).optional() else { return FREE };
        if most < least {
            table.problem_at(key, "the largest comes before the smallest", &format!("write {key} = [{most}, {least}]"));
            good.set(false);
        }
        [least, most]
    };
    let turn = || between("turn", ANGLES).map(f64::to_radians);
    let kind = match table.choice("kind", &["fixed", "hinge", "slider", "ball"]).optional() {
        Some("fixed") => JointKind::Fixed,
        Some("hinge") => JointKind::Hinge { turn: turn() },
        Some("slider") => {
            let reach = Range::Within(-placement::REACH, placement::REACH);
            JointKind::Slider { travel: between("travel", reach), turn: turn() }
        }
        Some(_) => JointKind::Ball {
            swing: table.number("swing", Range::Within(0.0, 180.0)).optional().map_or(f64::INFINITY, f64::to_radians),
        },
        None => {
            if !table.has("kind") {
                let what = "`kind` is missing in [[joint]]";
                table.problem_at("kind", what, "write one of fixed, hinge, slider, ball");
            }
            // Which other keys belong here depends on the kind.
            table.leave_unread();
            return None;
        }
    };
    good.get().then_some(kind)
}

/// What joints can hold, by name.
struct Held<'a> {
    bodies: &'a [(String, TableReader<'a>)],
    obstacles: &'a [(String, TableReader<'a>)],
    world: &'a World,
}

impl Held<'_> {
    /// The body under `body`.
    fn body(&self, table: &TableReader<'_>) -> Option<BodyId> {
        let name = table.string("body").required();
        let found = self.named(&name);
        if found.is_none() && !name.is_empty() {
            table.problem_at("body", format!("there is no body `{name}`"), &help("bodies", self.bodies));
        }
        found
    }

    /// What is under `to`, or a fixed place.
    fn to(&self, table: &TableReader<'_>) -> Option<End> {
        let Some(name) = table.string("to").optional() else { return Some(End::World) };
        if let Some(id) = self.named(&name) {
            return Some(End::Body(id));
        }
        let found = self.obstacles.iter().position(|(obstacle, _)| *obstacle == name);
        if found.is_none() {
            let help = [
                help("bodies", self.bodies),
                help("obstacles", self.obstacles),
                "without `to` it is a fixed place".into(),
            ];
            table.problem_at("to", format!("there is no body or obstacle `{name}`"), &help.join("; "));
        }
        found.map(|number| End::Obstacle(ObstacleId(number as u32)))
    }

    fn named(&self, name: &str) -> Option<BodyId> {
        // Nothing was removed yet, so bodies are in the order in which they were named.
        let row = self.bodies.iter().position(|(body, _)| body == name)?;
        Some(self.world.bodies.traits[row].id)
    }
}

/// Which names there are.
fn help(kind: &str, named: &[(String, TableReader<'_>)]) -> String {
    let names: Vec<&str> = named.iter().take(8).map(|(name, _)| name.as_str()).collect();
    let more = if named.len() > names.len() { ", …" } else { "" };
    if names.is_empty() {
        format!("there are no {kind} with a name")
    } else {
        format!("{kind}: {}{more}", names.join(", "))
    }
}
