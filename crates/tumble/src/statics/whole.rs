//! All bodies at once: forces at all points that balance all bodies, or a motion that shows that
//! there are none.
//!
//! The unknowns are a force and a torque against rolling per point, each once with both signs. With
//! G what they do to bodies, w the loads and S = 1/√m (for torques 1/(√m R); for a body that is
//! loaded by more than its weight, that load over g for m) the search minimises
//! |S (G f + w)|² over all cones by accelerated projected gradients with restart (Mazhar et al.
//! 2015, algorithm 1), columns scaled to length one, from the forces that the solver has: those are
//! the physical ones, and free of squeezing without end (erratum H20 of Hsu 2013). Hsu does
//! not solve the whole; his equations 2.25 to 2.28 are corrected here as in `nearest.rs`.
//!
//! It ends with forces in their cones that leave every body less than the tolerance times its
//! weight; or with a net force r that moves bodies against no contact: forces with a sum of normal
//! forces N can do at most N max γ against it, γ the support function of a cone, so if w·r is more
//! than that for the cap on N, nothing balances all bodies. `certificate.rs` checks both.

use glam::DVec3;

use super::cone::{FrictionCone, PointForce};
use super::contacts::Touching;

/// Iterations between two looks whether the motion proves a fall.
const LOOK_EVERY: u32 = 20;

/// Square of a step, in mean weights, below which it is rounding.
const ROUNDING: f64 = 1e-26;

/// When the search for all bodies ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WholeLimits {
    /// Residual over the weight of a body below which it is balanced.
    pub(super) tolerance: f64,
    /// Sum of normal forces, over that found or over all weights, beyond which nobody looks.
    pub(super) cap: f64,
    /// Most iterations.
    pub(super) iterations: u32,
}

/// The answer for all bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WholeVerdict {
    /// Forces in their cones balance all bodies.
    Stands,
    /// None do: a motion proves it.
    Falls,
    /// Neither was found in time; it counts as falling.
    #[default]
    Open,
}

/// A point as the search sees it, in units of the mean burden and the radii of its bodies.
#[derive(Clone, Copy, Debug)]
struct WholePoint {
    bodies: [u32; 2],
    /// From the centres of both bodies, over their radii.
    arms: [DVec3; 2],
    /// Square root of the mean burden over that of both; zero for what does not move.
    lightness: [f64; 2],
    /// One over the radii of both, times the length by which its torque is measured.
    turns: [f64; 2],
    cone: FrictionCone,
    /// Force of one unit of its column.
    scale: f64,
}

/// A motion or residual of a body: of its centre, and about it times its radius.
#[derive(Clone, Copy, Debug, Default)]
struct Pull {
    force: DVec3,
    torque: DVec3,
}

/// Searches forces for all bodies. It only keeps buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct WholeSearch {
    points: Vec<WholePoint>,
    loads: Vec<Pull>,
    lightness: Vec<f64>,
    /// Forces now, before, and where the gradient is taken.
    now: Vec<PointForce>,
    before: Vec<PointForce>,
    ahead: Vec<PointForce>,
    /// Residuals of the same three.
    rest_now: Vec<Pull>,
    rest_before: Vec<Pull>,
    rest_ahead: Vec<Pull>,
    /// Length by which the torque of each point is measured \[m\].
    lengths: Vec<f64>,
    unit: f64,
    pub(super) iterations: u32,
}

impl WholeSearch {
    /// Takes over bodies and points, with a factor on friction; gravity may be tilted.
    pub(super) fn begin(&mut self, touching: &Touching, gravity: DVec3, friction: f64) {
        let bodies = touching.bodies();
        let free = || bodies.iter().filter(|body| !body.is_fixed);
        let strength = touching.gravity().length();
        let mean = free().map(|body| body.burden(strength)).sum::<f64>() / free().count().max(1) as f64;
        self.unit = if mean > 0.0 { mean } else { 1.0 };
        self.lightness.clear();
        self.loads.clear();
        for body in bodies {
            let burden = body.burden(strength);
            let light = if body.is_fixed || burden <= 0.0 { 0.0 } else { (self.unit / burden).sqrt() };
            let force = (body.mass * gravity + body.load.force) / self.unit;
            let torque = body.load.torque / (self.unit * radius(body.radius));
            self.lightness.push(light);
            self.loads.push(Pull { force: light * force, torque: light * torque });
        }
        self.points.clear();
        self.lengths.clear();
        for point in touching.points() {
            let indices = [point.body, point.to.unwrap_or(point.body)];
            let is_there = [1.0, if point.to.is_some() { 1.0 } else { 0.0 }];
            let radii = indices.map(|body| radius(bodies[body as usize].radius));
            let length = radii[0].min(radii[1]);
            let side = |k: usize| indices[k] as usize;
            let arms = [0, 1].map(|k| (point.point - bodies[side(k)].centre) / radii[k]);
            let lightness = [0, 1].map(|k| is_there[k] * self.lightness[side(k)]);
            let squares = [0, 1].map(|k| lightness[k] * lightness[k] * (1.0 + arms[k].length_squared()));
            let size = (squares[0] + squares[1]).sqrt();
            self.lengths.push(length);
            self.points.push(WholePoint {
                bodies: indices,
                arms,
                lightness,
                turns: radii.map(|radius| length / radius),
                cone: FrictionCone {
                    normal: point.normal,
                    friction: friction * point.friction,
                    rolling: friction * point.rolling / length,
                },
                scale: if size > 0.0 { 1.0 / size } else { 0.0 },
            });
        }
    }

    /// Begins with the forces of the solver, as near as the cones have them.
    pub(super) fn start_from_run(&mut self, touching: &Touching) {
        self.now.clear();
        for (point, touch) in self.points.iter().zip(touching.points()) {
            let per = if point.scale > 0.0 { 1.0 / (self.unit * point.scale) } else { 0.0 };
            self.now.push(point.cone.project(PointForce { force: per * touch.force, torque: DVec3::ZERO }));
        }
    }

    /// Begins with forces that another search ended with, as near as the cones have them.
    pub(super) fn start_again(&mut self) {
        for (point, now) in self.points.iter().zip(&mut self.now) {
            *now = point.cone.project(*now);
        }
    }

    /// Searches.
    pub(super) fn solve(&mut self, limits: &WholeLimits) -> WholeVerdict {
        let (count, bodies) = (self.points.len(), self.loads.len());
        for list in [&mut self.rest_now, &mut self.rest_before, &mut self.rest_ahead] {
            list.clear();
            list.resize(bodies, Pull::default());
        }
        add_up(&self.points, &self.loads, &self.now, &mut self.rest_now);
        self.before.clear();
        self.before.extend_from_slice(&self.now);
        self.ahead.clear();
        self.ahead.extend_from_slice(&self.now);
        self.rest_ahead.copy_from_slice(&self.rest_now);
        self.rest_before.copy_from_slice(&self.rest_now);
        let (mut stiffness, mut theta) = (1.0, 1.0);
        self.iterations = 0;
        loop {
            if self.worst() <= limits.tolerance {
                return WholeVerdict::Stands;
            }
            if self.iterations.is_multiple_of(LOOK_EVERY) && self.proves_fall(limits.cap) {
                return WholeVerdict::Falls;
            }
            if self.iterations >= limits.iterations || count == 0 {
                return WholeVerdict::Open;
            }
            std::mem::swap(&mut self.before, &mut self.now);
            std::mem::swap(&mut self.rest_before, &mut self.rest_now);
            let turned = self.step(&mut stiffness);
            // Speed that leads uphill is given up (O'Donoghue & Candès 2015).
            if turned > 0.0 {
                theta = 1.0;
                self.ahead.copy_from_slice(&self.now);
                self.rest_ahead.copy_from_slice(&self.rest_now);
            } else {
                let next = 0.5 * (theta * (theta * theta + 4.0f64).sqrt() - theta * theta);
                let beta = theta * (1.0 - theta) / (theta * theta + next);
                theta = next;
                self.look_ahead(beta);
            }
            stiffness *= 0.95;
            self.iterations += 1;
        }
    }

    /// One step along the gradient, as long as the stiffness allows; gives the product of the
    /// gradient with the whole change since the step before.
    fn step(&mut self, stiffness: &mut f64) -> f64 {
        loop {
            let (mut square, mut turned) = (0.0, 0.0);
            let steps = self.points.iter().zip(&self.ahead).zip(&self.before).zip(&mut self.now);
            for (((point, ahead), before), now) in steps {
                let slope = point.slope(&self.rest_ahead);
                let moved = PointForce {
                    force: ahead.force - slope.force / *stiffness,
                    torque: ahead.torque - slope.torque / *stiffness,
                };
                *now = point.cone.project(moved);
                let (df, dt) = (now.force - ahead.force, now.torque - ahead.torque);
                square += df.length_squared() + dt.length_squared();
                turned += slope.force.dot(now.force - before.force) + slope.torque.dot(now.torque - before.torque);
            }
            add_up(&self.points, &self.loads, &self.now, &mut self.rest_now);
            // The step was short enough if the residuals changed by no more than this stiffness
            // has it; changes as small as rounding say nothing.
            let changes = self.rest_now.iter().zip(&self.rest_ahead);
            let change: f64 = changes.map(|(now, ahead)| now.minus(ahead).square()).sum();
            if change <= *stiffness * square || square < ROUNDING {
                return turned;
            }
            *stiffness *= 2.0;
        }
    }

    /// Goes on from the present forces by a share of the last step.
    fn look_ahead(&mut self, beta: f64) {
        for ((ahead, now), before) in self.ahead.iter_mut().zip(&self.now).zip(&self.before) {
            ahead.force = now.force + beta * (now.force - before.force);
            ahead.torque = now.torque + beta * (now.torque - before.torque);
        }
        for ((ahead, now), before) in self.rest_ahead.iter_mut().zip(&self.rest_now).zip(&self.rest_before) {
            ahead.force = now.force + beta * (now.force - before.force);
            ahead.torque = now.torque + beta * (now.torque - before.torque);
        }
    }

    /// Largest residual of a body over its weight.
    fn worst(&self) -> f64 {
        let bodies = 0..self.loads.len();
        bodies.map(|body| self.missing(body)).fold(0.0, f64::max)
    }

    /// Residual of a body over its weight.
    pub(super) fn missing(&self, body: usize) -> f64 {
        self.lightness[body] * self.rest_now[body].square().sqrt()
    }

    /// Whether the residual as a motion proves that all falls.
    fn proves_fall(&self, cap: f64) -> bool {
        let gain: f64 = self.rest_now.iter().zip(&self.loads).map(|(rest, load)| rest.dot(load)).sum();
        let mut most = 0.0f64;
        let mut total = 0.0;
        for (point, now) in self.points.iter().zip(&self.now) {
            let slope = point.slope(&self.rest_now);
            let best = point.cone.extreme(-slope.force, -slope.torque);
            // Per unit of normal force, not per unit of the column.
            let gamma = -(slope.force.dot(best.force) + slope.torque.dot(best.torque));
            most = most.max(gamma / point.scale.max(f64::MIN_POSITIVE));
            total += point.scale * now.force.dot(point.cone.normal);
        }
        let weights: f64 = self.loads.len() as f64;
        gain > most * cap * f64::max(total, weights) && gain > 0.0
    }

    /// Force and torque at each point, on its first body \[N, N·m\].
    pub(super) fn forces(&self) -> impl Iterator<Item = PointForce> {
        let points = self.points.iter().zip(&self.now).zip(&self.lengths);
        points.map(|((point, now), length)| PointForce {
            force: self.unit * point.scale * now.force,
            torque: self.unit * point.scale * length * now.torque,
        })
    }

    /// How a body would start to move, over gravity: its centre, and its turning times its radius.
    pub(super) fn motion(&self, body: usize) -> [DVec3; 2] {
        let (light, rest) = (self.lightness[body], &self.rest_now[body]);
        [light * rest.force, light * rest.torque]
    }
}

impl WholePoint {
    /// Derivative of half the square of all residuals by the force and torque of the point.
    fn slope(&self, rests: &[Pull]) -> PointForce {
        let [a, b] = self.bodies.map(|body| &rests[body as usize]);
        let [la, lb] = self.lightness;
        let force = la * (a.force + a.torque.cross(self.arms[0])) - lb * (b.force + b.torque.cross(self.arms[1]));
        let torque = la * self.turns[0] * a.torque - lb * self.turns[1] * b.torque;
        PointForce { force: self.scale * force, torque: self.scale * torque }
    }
}

impl Pull {
    fn minus(&self, other: &Self) -> Self {
        Self { force: self.force - other.force, torque: self.torque - other.torque }
    }

    fn dot(&self, other: &Self) -> f64 {
        self.force.dot(other.force) + self.torque.dot(other.torque)
    }

    fn square(&self) -> f64 {
        self.dot(self)
    }
}

/// Adds forces at points up to residuals of bodies, in the order of points.
fn add_up(points: &[WholePoint], loads: &[Pull], forces: &[PointForce], rests: &mut [Pull]) {
    rests.copy_from_slice(loads);
    for (point, at) in points.iter().zip(forces) {
        let (force, torque) = (point.scale * at.force, point.scale * at.torque);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let light = sign * point.lightness[side];
            if light != 0.0 {
                let rest = &mut rests[point.bodies[side] as usize];
                rest.force += light * force;
                rest.torque += light * (point.arms[side].cross(force) + point.turns[side] * torque);
            }
        }
    }
}

/// A radius that torques can be divided by.
fn radius(radius: f64) -> f64 {
    if radius > 0.0 { radius } else { 1.0 }
}
