//! Runge–Kutta with error control: states between, slopes, and the choice of the next step.
//!
//! Reads and writes poses and motions of all awake bodies, which come last; the forces in between
//! are the solver's. The state of a body is its place, orientation, velocity and spin: q' = w q/2
//! and w' = I⁻¹(τ - w × I w) (erratum Y13 of Yee et al. 2009).

use glam::{DQuat, DVec3};
use rayon::prelude::*;

use super::tableau::{RK23, RKF45, Tableau};
use super::{Control, Integrator, TriedStep};
use crate::world::{Motion, Pose, World};

/// A step is taken if the best step for its error is at least this share of it (Yee et al. 2009,
/// algorithm 1).
const ACCEPTED: f64 = 0.75;

/// The next step is at most this many times as long as the last.
const LARGEST_GROWTH: f64 = 4.0;

/// After a step that led to something that is not a number, the next is this share of it.
const AFTER_NONSENSE: f64 = 0.1;

/// The smallest step over the fixed step, unless it is given.
const SMALLEST: f64 = 0.05;

/// Bodies in a unit of work.
const CHUNK: usize = 256;

/// How the state of a body changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    velocity: DVec3,
    turning: DQuat,
    pub(crate) acceleration: DVec3,
    pub(crate) spinning: DVec3,
}

impl Slope {
    /// The slope of the body in a row, from its state and the forces there.
    pub(crate) fn of(world: &World, row: usize) -> Self {
        let (bodies, gravity, drag) = (&world.bodies, world.gravity, world.drag);
        let (q, motion) = (bodies.pose[row].orientation, &bodies.motion[row]);
        let (wrench, inertia) = (&bodies.wrench[row], &bodies.inertia[row]);
        let w = motion.spin;
        let torque = if inertia.is_round() { wrench.torque } else { wrench.torque - w.cross(inertia.momentum(q, w)) };
        Self {
            velocity: motion.velocity,
            turning: DQuat::from_xyzw(0.5 * w.x, 0.5 * w.y, 0.5 * w.z, 0.0) * q,
            acceleration: wrench.force / inertia.mass + gravity - drag * motion.velocity,
            spinning: inertia.spin(q, torque),
        }
    }
}

/// An adaptive integrator and its storage within a step.
#[derive(Clone, Debug)]
pub(crate) struct RungeKutta {
    tableau: &'static Tableau,
    pub(crate) control: Control,
    /// No step is shorter \[s\].
    smallest: f64,
    /// The step to try next \[s\]. Part of the state.
    pub(crate) next: f64,
    /// The first row of awake bodies.
    first: usize,
    /// Poses and motions at the beginning of the step.
    start: Vec<(Pose, Motion)>,
    /// Slopes of all awake bodies, by stage.
    slopes: Vec<Vec<Slope>>,
    /// Every step tried, if recording was requested. Not part of the state.
    pub(crate) tried: Option<Vec<TriedStep>>,
}

impl RungeKutta {
    /// The integrator of this name, if it is adaptive.
    pub(crate) fn new(integrator: Integrator, first_step: f64) -> Option<Self> {
        let (tableau, control) = match integrator {
            Integrator::Rkf45(control) => (&RKF45, control),
            Integrator::Rk23(control) => (&RK23, control),
            Integrator::Verlet | Integrator::SymplecticEuler => return None,
        };
        let slopes = vec![Vec::new(); tableau.c.len()];
        let smallest = control.smallest.unwrap_or(SMALLEST * first_step).min(control.largest);
        let next = first_step.clamp(smallest, control.largest);
        Some(Self { tableau, control, smallest, next, first: 0, start: Vec::new(), slopes, tried: None })
    }

    /// Restores the next step of a saved state, if it is finite.
    pub(crate) fn set_next(&mut self, step: f64) {
        if step.is_finite() {
            self.next = step.clamp(self.smallest, self.control.largest);
        }
    }

    /// Number of stages.
    pub(crate) fn stages(&self) -> usize {
        self.tableau.c.len()
    }

    /// The time of a stage, in steps.
    pub(crate) fn time(&self, stage: usize) -> f64 {
        self.tableau.c[stage]
    }

    /// Stores the state at the beginning of a step of all bodies from the row `first` on; those
    /// before it are asleep.
    pub(crate) fn begin(&mut self, world: &World, first: usize) {
        let bodies = &world.bodies;
        self.first = first;
        self.start.clear();
        self.start.extend(bodies.pose[first..].iter().copied().zip(bodies.motion[first..].iter().copied()));
    }

    /// Rejects a step: returns to the state at its beginning.
    pub(crate) fn restore(&self, world: &mut World) {
        for (row, &(pose, motion)) in (self.first..).zip(&self.start) {
            (world.bodies.pose[row], world.bodies.motion[row]) = (pose, motion);
        }
    }

    /// Stores the slopes of a stage, from the state of the stage and the forces there.
    pub(crate) fn note(&mut self, stage: usize, world: &World) {
        let slope = |row: usize| Slope::of(world, row);
        let rows = (self.first..world.bodies.len()).into_par_iter().with_min_len(CHUNK);
        rows.map(slope).collect_into_vec(&mut self.slopes[stage]);
    }

    /// Puts bodies into the state of a stage.
    pub(crate) fn enter(&self, stage: usize, world: &mut World, dt: f64) {
        self.combine(world, self.tableau.a[stage - 1], dt);
    }

    /// Puts bodies where the step leads.
    pub(crate) fn finish(&self, world: &mut World, dt: f64) {
        self.combine(world, self.tableau.b, dt);
    }

    /// Start plus `dt` times the weighted slopes.
    fn combine(&self, world: &mut World, weights: &[f64], dt: f64) {
        let (start, slopes) = (&self.start, &self.slopes);
        let poses = world.bodies.pose[self.first..].par_iter_mut().with_min_len(CHUNK);
        poses.zip(&mut world.bodies.motion[self.first..]).enumerate().for_each(|(row, (pose, motion))| {
            (*pose, *motion) = start[row];
            for (slopes, weight) in slopes.iter().zip(weights) {
                let (slope, h) = (&slopes[row], weight * dt);
                pose.position += h * slope.velocity;
                pose.orientation += slope.turning * h;
                motion.velocity += h * slope.acceleration;
                motion.spin += h * slope.spinning;
            }
            pose.orientation = pose.orientation.normalize();
        });
    }

    /// Moves bodies on as if the step were over, with gravity already applied: where Yee et al.
    /// evaluate contact forces when they apply forces one after another (algorithm 1, lines 6–11;
    /// the orientation with the factor ½ that is missing there).
    pub(crate) fn advance_one_by_one(&self, world: &mut World, dt: f64) {
        let gravity = world.gravity;
        for (pose, motion) in world.bodies.pose[self.first..].iter_mut().zip(&mut world.bodies.motion[self.first..]) {
            pose.position += dt * motion.velocity + 0.5 * dt * dt * gravity;
            let w = 0.5 * dt * motion.spin;
            let turned = pose.orientation + DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * pose.orientation;
            pose.orientation = turned.normalize();
            motion.velocity += dt * gravity;
        }
    }

    /// The largest position error of a step, per second \[m/s\]: that of a body's centre plus that
    /// of its farthest point by the rotation error.
    fn error(&self, world: &World) -> f64 {
        let error = |k: usize| {
            let weighted = || self.slopes.iter().zip(self.tableau.error).map(|(slopes, e)| (&slopes[k], *e));
            let centre = weighted().map(|(slope, e)| e * slope.velocity).sum::<DVec3>();
            // A quaternion that is off by d has turned by 2 d too far.
            let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            let turned = 2.0 * weighted().fold(zero, |sum, (slope, e)| sum + slope.turning * e).length();
            let length = centre.length() + world.radius(self.first + k) * turned;
            // A NaN must not hide in the maximum.
            if length.is_nan() { f64::INFINITY } else { length }
        };
        let rows = (0..self.start.len()).into_par_iter().with_min_len(CHUNK);
        rows.map(error).max_by(f64::total_cmp).unwrap_or(0.0)
    }

    /// The largest spin, at the beginning of the step, of a body whose moments differ \[rad/s\].
    fn largest_spin(&self, world: &World) -> f64 {
        let inertia = &world.bodies.inertia[self.first..];
        let spins = self.start.iter().zip(inertia).filter(|(_, inertia)| !inertia.is_round());
        spins.map(|((_, motion), _)| motion.spin.length()).fold(0.0, f64::max)
    }

    /// The step that would just have met the tolerance, and whether the step of `dt` may be kept.
    ///
    /// h_opt = h (ε/(2 error))^{1/p} with the error per second (Yee et al. 2009, algorithm 1; p = 4
    /// for RKF45 and 2 for RK23, Y14), and no more than a body may turn in a step.
    pub(crate) fn judge(&self, world: &World, dt: f64) -> (f64, Verdict) {
        let error = self.error(world);
        let ratio = (self.control.tolerance / (2.0 * error)).powf(1.0 / self.tableau.power);
        let best = dt * if error.is_finite() { ratio.min(LARGEST_GROWTH) } else { AFTER_NONSENSE };
        let best = best.min(self.tableau.largest_turn / self.largest_spin(world));
        // The last step of a frame may be shorter than the smallest by rounding.
        let smallest = dt <= self.smallest * (1.0 + 1e-9);
        let verdict = match (best >= ACCEPTED * dt, smallest) {
            (true, _) => Verdict::Good,
            (false, true) => Verdict::Smallest,
            (false, false) => Verdict::TooLong,
        };
        (best.clamp(self.smallest, self.control.largest), verdict)
    }
}

/// Decision on a tried step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Keep it.
    Good,
    /// Accept it, though its error is too large: it cannot be shorter.
    Smallest,
    /// Take it back.
    TooLong,
}
