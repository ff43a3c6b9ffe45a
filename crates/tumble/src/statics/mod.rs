//! Statics: which bodies can rest on what they touch, how safely, and what bears them.
//!
//! [`Touching`] holds bodies and their points of contact, [`Statics::judge`] says of each body how
//! it stands. The sources are chapters 2.3 and 6.2.1 of Hsu, *Piles of Objects* (2013), with the
//! corrections that the files name. Statics says that bodies *can* rest; only a run says that they
//! *do*. What is asked is one of four questions, [`StaticAnalysis`]:
//!
//! - `Alone`, as printed: each body by its contacts that push it up, without what lies on it;
//! - `All`: each body by all its contacts, as if whatever touches it could not move;
//! - `Loaded`: from the top down, each body with what lies on it; if all stand, their forces
//!   together prove it for the whole pile;
//! - `Whole`: all bodies at once, with forces or a motion that [`certificate`] checks.
//!
//! Everything is relative: forces over weights, torques over weights times radii. Nothing depends
//! on the order in which contacts were added, nothing is remembered from call to call, and after
//! the first call nothing is allocated.
//!
//! ```
//! use tumble::prelude::*;
//! use tumble::statics::{Balance, Statics, StaticSettings, Touching};
//!
//! let mut world = World::ground();
//! let block = world.add_shape(Shape::cuboid("block", DVec3::new(0.2, 0.1, 0.1))?);
//! world.add(NewBody::new(block, MaterialId(0), DVec3::new(0.0, 0.0, 0.05)))?;
//! let mut simulation = Simulation::new(Setup::new(world, Rigid::DEFAULT))?;
//! (0..24).for_each(|_| drop(simulation.advance()));
//!
//! let (mut touching, mut statics) = (Touching::default(), Statics::default());
//! simulation.fill_touching(&mut touching);
//! let standings = statics.judge(&touching, &StaticSettings::default());
//! assert_eq!(standings[0].balance, Balance::Stands);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod certificate;
mod cone;
mod contacts;
mod loaded;
mod nearest;
mod whole;

pub use cone::PointForce;
pub use contacts::{StaticBody, TouchPoint, TouchSide, Touching};
pub use whole::WholeVerdict;

use glam::DVec3;

use loaded::Descent;
use whole::{WholeLimits, WholeSearch};

use crate::world::Motion;

/// Least upward part of a normal that bears: what leans less is a side.
const BEARS: f64 = 0.2;

/// The question that statics answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaticAnalysis {
    /// Each body by its contacts that push it up (n·u > 0), without what lies on it: the
    /// "conservative" analysis of section 6.2.1. It is not (erratum H14): a leaning stack whose
    /// every block passes may fall.
    Alone,
    /// Each body by all its contacts: the "all-selecting" analysis of figure 6.12.
    All,
    /// Bodies from the top down, each with the forces of those above it, borne by contacts that
    /// lean upwards to what comes later or stands still. It has passed no pile that falls; it may
    /// refuse one that lives by pushing sideways.
    #[default]
    Loaded,
    /// All bodies at once. If the whole falls, the bodies that fall are those that move.
    Whole,
}

/// How statics judges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticSettings {
    /// The question.
    pub analysis: StaticAnalysis,
    /// Factor on the friction of all contacts \[-\].
    pub friction: f64,
    /// Kinetic friction over static: with it, a body that stands must be balanced \[-\].
    pub kinetic: f64,
    /// Angle by which gravity may tilt in any direction before a body that stands is lost \[rad\].
    pub margin: f64,
    /// Sum of normal forces on a body over its load beyond which a balance does not count \[-\]:
    /// friction alone would hold a block between two walls however it is squeezed (erratum H20).
    pub cap: f64,
    /// Residual over the load below which a body is balanced \[-\].
    pub tolerance: f64,
    /// Most columns that are tried for a body.
    pub iterations: u32,
    /// Residual of a body over its weight below which the whole balances it \[-\].
    pub whole_tolerance: f64,
    /// Most iterations for the whole.
    pub whole_iterations: u32,
}

impl Default for StaticSettings {
    fn default() -> Self {
        Self {
            analysis: StaticAnalysis::Loaded,
            friction: 1.0,
            kinetic: 6.0 / 7.0,
            margin: 3f64.to_radians(),
            cap: 20.0,
            tolerance: 1e-6,
            iterations: 64,
            whole_tolerance: 1e-4,
            whole_iterations: 1500,
        }
    }
}

/// How a body stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Balance {
    /// It touches nothing.
    #[default]
    Flying,
    /// No forces of its contacts balance it.
    Falls,
    /// Some do, but not with kinetic friction and gravity tilted by the margin.
    Weak,
    /// Some do, with that margin.
    Stands,
    /// Nothing was asked of it.
    Fixed,
}

impl Balance {
    /// Whether forces of its contacts can balance the body.
    pub fn is_balanced(self) -> bool {
        matches!(self, Self::Weak | Self::Stands | Self::Fixed)
    }
}

/// The verdict about a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyStanding {
    /// How it stands.
    pub balance: Balance,
    /// Whether it is balanced and everything that it presses on is borne, down to what stands
    /// still.
    pub is_borne: bool,
    /// Length of (force over weight, torque over weight and radius) that is missing for balance.
    pub residual: f64,
    /// How it would start to move \[m/s²\].
    pub acceleration: DVec3,
    /// How it would start to turn, as if its moments of inertia were its mass times its radius
    /// squared \[rad/s²\].
    pub turning: DVec3,
    /// Force of all that lies on it, over its weight \[-\].
    pub carried: f64,
    /// Number of points that could bear it.
    pub points: u32,
}

/// Judges bodies. It only keeps buffers.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    standings: Vec<BodyStanding>,
    forces: Vec<PointForce>,
    motions: Vec<Motion>,
    verdict: WholeVerdict,
    iterations: u32,
    descent: Descent,
    search: WholeSearch,
}

impl Statics {
    /// Judges all bodies; verdicts are in the order of [`Touching::bodies`].
    pub fn judge(&mut self, touching: &Touching, settings: &StaticSettings) -> &[BodyStanding] {
        self.standings.clear();
        self.standings.resize(touching.bodies().len(), BodyStanding::default());
        self.forces.clear();
        self.motions.clear();
        self.iterations = 0;
        if settings.analysis == StaticAnalysis::Whole {
            self.judge_whole(touching, settings);
        } else {
            self.descent.judge(touching, settings, &mut self.standings);
            self.descent.find_borne(touching, &mut self.standings);
            self.forces.extend_from_slice(self.descent.forces());
            let all = self.standings.iter().all(|standing| standing.balance.is_balanced());
            self.verdict = if all { WholeVerdict::Stands } else { WholeVerdict::Open };
            let motion = |standing: &BodyStanding| Motion { velocity: standing.acceleration, spin: standing.turning };
            self.motions.extend(self.standings.iter().map(motion));
        }
        &self.standings
    }

    /// The verdicts of the last call.
    pub fn standings(&self) -> &[BodyStanding] {
        &self.standings
    }

    /// The verdict of the last call about all bodies together; local analyses never prove that
    /// they fall.
    pub fn verdict(&self) -> WholeVerdict {
        self.verdict
    }

    /// Forces and torques on the body of each point that balance all bodies, or come nearest; in
    /// the order of [`Touching::points`], of the last call. After `Alone` and `All`, whose bodies
    /// do not agree on them, they are zero.
    pub fn forces(&self) -> &[PointForce] {
        &self.forces
    }

    /// How bodies would start to move \[m/s², rad/s²\], of the last call; if the whole falls, the
    /// motion that proves it.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Iterations of the last search for the whole.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Judges all bodies at once: upright, and if that stands, with kinetic friction and gravity
    /// tilted four ways.
    fn judge_whole(&mut self, touching: &Touching, settings: &StaticSettings) {
        let limits = WholeLimits {
            tolerance: settings.whole_tolerance,
            cap: settings.cap,
            iterations: settings.whole_iterations,
        };
        let trials = trials(touching.gravity(), settings);
        self.search.begin(touching, trials[0].gravity, trials[0].friction);
        self.search.start_from_run(touching);
        self.verdict = self.search.solve(&limits);
        self.iterations = self.search.iterations;
        self.forces.extend(self.search.forces());
        self.stand_in_whole(touching, settings);
        let mut is_safe = self.verdict == WholeVerdict::Stands;
        for trial in trials[1..].iter().take_while(|_| settings.margin > 0.0 || settings.kinetic < 1.0) {
            if is_safe {
                self.search.begin(touching, trial.gravity, trial.friction);
                self.search.start_again();
                is_safe = self.search.solve(&limits) == WholeVerdict::Stands;
            }
        }
        for standing in self.standings.iter_mut().filter(|standing| standing.balance == Balance::Weak && is_safe) {
            standing.balance = Balance::Stands;
        }
    }

    /// Says of each body how it stands in the whole.
    fn stand_in_whole(&mut self, touching: &Touching, settings: &StaticSettings) {
        let gravity = touching.gravity().length();
        for (number, body) in touching.bodies().iter().enumerate() {
            let [force, turning] = self.search.motion(number);
            let residual = self.search.missing(number);
            let (acceleration, turning) = (gravity * force, gravity / body.radius.max(f64::MIN_POSITIVE) * turning);
            let sides = touching.sides(number);
            let balance = match residual <= settings.whole_tolerance {
                _ if body.is_fixed => Balance::Fixed,
                true => Balance::Weak,
                false if sides.is_empty() => Balance::Flying,
                false => Balance::Falls,
            };
            let down = |side: &TouchSide| {
                let (point, force) = (&touching.points()[side.point as usize], &self.forces[side.point as usize]);
                let presses = side.sign * point.normal.dot(touching.gravity()) > 0.0;
                if presses { side.sign * force.force } else { DVec3::ZERO }
            };
            let carried = sides.iter().map(down).sum::<DVec3>().length();
            let weight = body.mass * gravity;
            self.motions.push(Motion { velocity: acceleration, spin: turning });
            self.standings[number] = BodyStanding {
                balance,
                is_borne: balance.is_balanced(),
                residual,
                acceleration,
                turning,
                carried: if weight > 0.0 { carried / weight } else { 0.0 },
                points: sides.len() as u32,
            };
        }
    }
}

/// Gravity and friction for which bodies are judged.
#[derive(Clone, Copy, Debug)]
struct Trial {
    /// Gravity \[m/s²\].
    gravity: DVec3,
    /// Factor on friction.
    friction: f64,
}

/// Gravity upright with static friction, then tilted four ways with kinetic friction: by so much
/// along two axes that every tilt by the margin lies between them.
fn trials(gravity: DVec3, settings: &StaticSettings) -> [Trial; 5] {
    let tilt = std::f64::consts::SQRT_2 * settings.margin.tan();
    let down = gravity.normalize_or_zero();
    let across = if down.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    let x = (across - across.dot(down) * down).normalize_or_zero();
    let y = down.cross(x);
    let tilted = |e: DVec3| Trial {
        gravity: gravity + tilt * gravity.length() * e,
        friction: settings.kinetic * settings.friction,
    };
    [Trial { gravity, friction: settings.friction }, tilted(x), tilted(y), tilted(-x), tilted(-y)]
}
