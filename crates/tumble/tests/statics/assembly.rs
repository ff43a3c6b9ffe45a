//! Bodies and contacts as the reference files describe them, judged by the same function that
//! directors call.

use glam::DVec3;
use serde_json::Value;
use tumble::statics::{
    Balance, BodyStanding, StaticAnalysis, StaticBody, StaticSettings, Statics, TouchPoint, Touching,
};
use tumble::world::{BodyId, Wrench};

/// Settings without a cap on forces, as the reference files were made.
pub(crate) const UNCAPPED: StaticSettings = StaticSettings {
    analysis: StaticAnalysis::All,
    friction: 1.0,
    kinetic: 1.0,
    margin: 0.0,
    cap: 1e6,
    tolerance: 1e-6,
    iterations: 64,
    whole_tolerance: 1e-6,
    whole_iterations: 200_000,
};

/// Bodies and contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) gravity: DVec3,
    pub(crate) bodies: Vec<StaticBody>,
    pub(crate) points: Vec<TouchPoint>,
}

impl Assembly {
    pub(crate) fn touching(&self) -> Touching {
        let mut touching = Touching::default();
        touching.begin(self.gravity);
        self.bodies.iter().for_each(|body| touching.add_body(*body));
        self.points.iter().for_each(|point| touching.add_point(*point));
        touching.finish();
        touching
    }

    pub(crate) fn judge(&self, settings: &StaticSettings) -> Vec<BodyStanding> {
        Statics::default().judge(&self.touching(), settings).to_vec()
    }

    /// Whether every body is balanced.
    pub(crate) fn is_balanced(&self, settings: &StaticSettings) -> bool {
        self.judge(settings).iter().all(|standing| standing.balance.is_balanced())
    }

    /// How the only body stands.
    pub(crate) fn balance(&self, settings: &StaticSettings) -> Balance {
        self.judge(settings)[0].balance
    }

    /// The same with gravity turned towards `t` times a level direction.
    pub(crate) fn tilted(&self, t: f64, angle: f64) -> Self {
        let strength = self.gravity.length();
        Self { gravity: strength * DVec3::new(t * angle.cos(), t * angle.sin(), -1.0), ..self.clone() }
    }

    pub(crate) fn add_body(&mut self, mass: f64, centre: DVec3, radius: f64, load: Wrench) -> u32 {
        let id = BodyId { index: self.bodies.len() as u32, generation: 0 };
        self.bodies.push(StaticBody { id, centre, mass, radius, load, is_fixed: false });
        id.index
    }

    pub(crate) fn add_point(&mut self, body: u32, to: Option<u32>, point: DVec3, normal: DVec3, friction: f64) {
        let order = [0, 0, 0, self.points.len() as u32];
        let (rolling, gap, force) = (0.0, 0.0, DVec3::ZERO);
        self.points.push(TouchPoint { body, to, order, point, normal, friction, rolling, gap, force });
    }
}

pub(crate) fn file(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/statics/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn vector(value: &Value) -> DVec3 {
    let number = |k: usize| value[k].as_f64().unwrap();
    DVec3::new(number(0), number(1), number(2))
}

fn load(value: &Value) -> Wrench {
    let at = |k: usize| value.get(k).map_or(0.0, |number| number.as_f64().unwrap());
    Wrench { force: DVec3::new(at(0), at(1), at(2)), torque: DVec3::new(at(3), at(4), at(5)) }
}

fn add_points(assembly: &mut Assembly, contacts: &Value) {
    for contact in contacts.as_array().unwrap() {
        let body = contact["body"].as_u64().unwrap_or(0) as u32;
        let to = contact["to"].as_u64().map(|to| to as u32);
        let friction = contact["friction"].as_f64().unwrap();
        assembly.add_point(body, to, vector(&contact["point"]), vector(&contact["normal"]), friction);
    }
}

/// A case with one body.
pub(crate) fn one_body(case: &Value) -> Assembly {
    let mut assembly = Assembly { gravity: vector(&case["gravity"]), ..Assembly::default() };
    let number = |key: &str| case[key].as_f64().unwrap();
    assembly.add_body(number("mass"), vector(&case["centre"]), number("radius"), load(&case["load"]));
    add_points(&mut assembly, &case["contacts"]);
    assembly
}

/// A case with several bodies, whose files have no radii: that of half a unit serves all.
pub(crate) fn several(case: &Value) -> Assembly {
    let mut assembly = Assembly { gravity: vector(&case["gravity"]), ..Assembly::default() };
    for body in case["bodies"].as_array().unwrap() {
        assembly.add_body(body["mass"].as_f64().unwrap(), vector(&body["centre"]), 0.5, load(&body["load"]));
    }
    add_points(&mut assembly, &case["contacts"]);
    assembly
}
