//! Bodies judged one by one, from the top down, with what lies on them.
//!
//! The order is that of heights, then ids. Each body is balanced by contacts with what comes later
//! or stands still, and hands the forces it was balanced with, or the nearest ones, to its bearers.
//! So the forces of all bodies together balance all of them if each is balanced. The paper drops
//! contacts that push a body down (section 6.2.1) and with them the loads; that is `Alone`.
//!
//! A margin is asked at once: the same descent with kinetic friction and gravity tilted along ± x
//! and ± y, by so much that the four loads span a tilt of the margin in any direction. The loads
//! that can be borne are a convex cone, so what bears these four bears all between them.

use glam::DVec3;

use super::cone::{FrictionCone, PointForce};
use super::contacts::{StaticBody, TouchPoint, Touching};
use super::nearest::{NearestLimits, NearestSearch};
use super::{BEARS, Balance, BodyStanding, StaticAnalysis, StaticSettings, Trial, trials};

/// Most loads that a body is judged for: upright, and tilted four ways.
const LOADS: usize = 5;

/// Judges bodies from the top down. It only keeps buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Descent {
    search: NearestSearch,
    /// Bodies in the order in which they are judged.
    order: Vec<u32>,
    /// Whether a body has been judged.
    is_judged: Vec<bool>,
    /// Points that can bear the present body.
    bearing: Vec<u32>,
    /// Forces on the body of each point, for one load after the other.
    forces: [Vec<PointForce>; LOADS],
}

/// Units of a body: forces over `force` \[N\], lengths over `length` \[m\].
#[derive(Clone, Copy, Debug)]
struct BodyUnits {
    force: f64,
    length: f64,
}

impl Descent {
    /// Judges all bodies.
    pub(super) fn judge(&mut self, touching: &Touching, settings: &StaticSettings, standings: &mut [BodyStanding]) {
        let gravity = touching.gravity().length();
        let down = touching.gravity().normalize_or_zero();
        let trials = trials(touching.gravity(), settings);
        self.is_judged.clear();
        self.is_judged.extend(touching.bodies().iter().map(|body| body.is_fixed));
        for forces in &mut self.forces {
            forces.clear();
            forces.resize(touching.points().len(), PointForce::default());
        }
        let heights = |body: &u32| -down.dot(touching.bodies()[*body as usize].centre);
        self.order.clear();
        self.order.extend(0..touching.bodies().len() as u32);
        self.order.sort_unstable_by(|a, b| heights(b).total_cmp(&heights(a)).then(a.cmp(b)));
        for number in 0..self.order.len() {
            let body = self.order[number] as usize;
            standings[body] = match touching.bodies()[body].is_fixed {
                true => BodyStanding { balance: Balance::Fixed, ..BodyStanding::default() },
                false => self.judge_body(body, touching, settings, &trials, gravity),
            };
            self.is_judged[body] = true;
        }
    }
}

impl Descent {
    /// Judges a body, and keeps the forces of its bearing contacts for those below.
    fn judge_body(
        &mut self,
        number: usize,
        touching: &Touching,
        settings: &StaticSettings,
        trials: &[Trial; LOADS],
        gravity: f64,
    ) -> BodyStanding {
        let body = &touching.bodies()[number];
        let units = BodyUnits::of(body, gravity);
        let limits =
            NearestLimits { tolerance: settings.tolerance, cap: settings.cap, iterations: settings.iterations };
        let mut standing = BodyStanding::default();
        let mut is_safe = true;
        for (t, trial) in trials.iter().enumerate() {
            // Tilted loads have one friction: each search can begin where the last one ended.
            let is_new = t < 2 && (t == 0 || trial.friction != trials[0].friction);
            if is_new {
                self.gather(number, touching, settings.analysis, trial, units);
            }
            let carried = self.carried(t, number, touching, settings.analysis);
            let force = body.mass * trial.gravity + body.load.force + carried[0];
            let load = [force / units.force, (body.load.torque + carried[1]) / (units.force * units.length)];
            let found = if t < 2 { self.search.solve(load, &limits) } else { self.search.solve_again(load, &limits) };
            if t == 0 {
                let [force, torque] = found.residual;
                standing = BodyStanding {
                    balance: if found.is_balanced { Balance::Weak } else { Balance::Falls },
                    is_borne: found.is_balanced,
                    residual: (force.length_squared() + torque.length_squared()).sqrt(),
                    acceleration: -gravity * force,
                    turning: -gravity / units.length * torque,
                    carried: carried[0].length() / units.force,
                    points: self.bearing.len() as u32,
                };
            } else {
                is_safe &= found.is_balanced;
            }
            if settings.analysis == StaticAnalysis::Loaded {
                self.hand_on(t, number, touching, units);
            }
        }
        if standing.balance == Balance::Weak && is_safe {
            standing.balance = Balance::Stands;
        }
        if touching.sides(number).is_empty() && !standing.balance.is_balanced() {
            standing.balance = Balance::Flying;
        }
        standing
    }

    /// Gathers the contacts that may bear a body, in its units.
    fn gather(
        &mut self,
        number: usize,
        touching: &Touching,
        analysis: StaticAnalysis,
        trial: &Trial,
        units: BodyUnits,
    ) {
        let down = touching.gravity().normalize_or_zero();
        let body = &touching.bodies()[number];
        self.search.clear();
        self.bearing.clear();
        for side in touching.sides(number) {
            let point = &touching.points()[side.point as usize];
            let normal = side.sign * point.normal;
            let up = -normal.dot(down);
            let bears = match analysis {
                StaticAnalysis::Alone => up > 0.0,
                StaticAnalysis::All | StaticAnalysis::Whole => true,
                StaticAnalysis::Loaded => up > BEARS && self.is_below(number, point, touching),
            };
            if bears {
                self.bearing.push(side.point);
                let cone = FrictionCone {
                    normal,
                    friction: trial.friction * point.friction,
                    rolling: trial.friction * point.rolling / units.length,
                };
                self.search.push((point.point - body.centre) / units.length, cone);
            }
        }
    }

    /// Whether the other side of a point of a body comes later or stands still.
    fn is_below(&self, number: usize, point: &TouchPoint, touching: &Touching) -> bool {
        let other = if point.body as usize == number { point.to } else { Some(point.body) };
        other.is_none_or(|other| !self.is_judged[other as usize] || touching.bodies()[other as usize].is_fixed)
    }

    /// Force and torque on a body by all that lies on it, in the order of points.
    fn carried(&self, trial: usize, number: usize, touching: &Touching, analysis: StaticAnalysis) -> [DVec3; 2] {
        let mut sum = [DVec3::ZERO; 2];
        if analysis == StaticAnalysis::Loaded {
            let centre = touching.bodies()[number].centre;
            for side in touching.sides(number) {
                let PointForce { force, torque } = self.forces[trial][side.point as usize];
                let force = side.sign * force;
                sum[0] += force;
                sum[1] += (touching.points()[side.point as usize].point - centre).cross(force) + side.sign * torque;
            }
        }
        sum
    }

    /// Keeps the forces of the last search, which those below a body have to bear.
    fn hand_on(&mut self, trial: usize, number: usize, touching: &Touching, units: BodyUnits) {
        for (contact, found) in self.search.forces() {
            let index = self.bearing[contact] as usize;
            let sign = if touching.points()[index].body as usize == number { 1.0 } else { -1.0 };
            let sum = &mut self.forces[trial][index];
            sum.force += sign * units.force * found.force;
            sum.torque += sign * units.force * units.length * found.torque;
        }
    }

    /// Forces on the body of each point, of the upright load.
    pub(super) fn forces(&self) -> &[PointForce] {
        &self.forces[0]
    }

    /// Finds the bodies that are borne, from the bottom up: each is balanced, and so is all that it
    /// presses on.
    pub(super) fn find_borne(&self, touching: &Touching, standings: &mut [BodyStanding]) {
        for &number in self.order.iter().rev() {
            let number = number as usize;
            let mut is_borne = standings[number].balance.is_balanced();
            for side in touching.sides(number) {
                let (index, point) = (side.point as usize, &touching.points()[side.point as usize]);
                let other = if side.sign > 0.0 { point.to } else { Some(point.body) };
                let presses = self.forces[0][index].force != DVec3::ZERO
                    && side.sign * point.normal.dot(touching.gravity()) < 0.0;
                is_borne &= !presses || other.is_none_or(|other| standings[other as usize].is_borne);
            }
            standings[number].is_borne = is_borne || touching.bodies()[number].is_fixed;
        }
    }
}

impl BodyUnits {
    /// The weight of a body and its radius, or what there is of load and size without them.
    fn of(body: &StaticBody, gravity: f64) -> Self {
        let length = if body.radius > 0.0 { body.radius } else { 1.0 };
        let weight = body.mass * gravity;
        let load = body.load.force.length() + body.load.torque.length() / length;
        let force = if weight > 0.0 { weight } else { load };
        Self { force: if force > 0.0 { force } else { 1.0 }, length }
    }
}
