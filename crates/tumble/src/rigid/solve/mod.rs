//! Eight contacts and their impulses.
//!
//! Soft contacts with substeps (Catto, "Solver2D", 2024; Macklin et al., "Small Steps in Physics Simulation", 2019): within a
//! substep, overlap is pushed out by a spring that is damped so much that it never bounces; then velocities are relaxed without the
//! spring, so that pushing out leaves no speed behind. Impulses are accumulated and clamped: pushes to be positive, friction to
//! the cone. Each is the one that takes most kinetic energy out of what it acts on, so none adds any.
//!
//! With r from the centre of mass to the contact and K = (1/m_a + 1/m_b) 1 - [r_a] I_a⁻¹ [r_a] - [r_b] I_b⁻¹ [r_b] (Hsu 2013, 2.14,
//! corrected as in H1 and H2: second body gets minus the impulse), a push is -u_n / nᵀKn and friction -K_t⁻¹ u_t for the two
//! tangents together.

mod apart;
mod fill;
mod restitution;
mod rolling;

use glam::{DVec3, Mat3};

use fill::inverse;
pub(super) use fill::{Lane, Surfaces};

use super::lanes::{LANES, Motions, Numbers, State, Tensors, Turns, Vectors, ways, write_motion};
use super::narrow::MOST_POINTS;
use super::tree::Bodies;
use crate::rest::natural_speed;
use crate::world::Inertia;

/// Frequency at which an overlap is pushed out, over that of substeps.
const STIFFNESS: f64 = 0.25;

/// Damping ratio of that spring.
const DAMPING: f64 = 10.0;

/// Collisions that are slower than what gravity adds in so many steps do not bounce.
const LEAST_BOUNCE: f64 = 0.5;

/// Largest speed out of an overlap, over the natural speed of the smaller body.
const OUT: f64 = 1.5;

/// Largest speed \[m/s\] at which overlaps of a body of this radius \[m\] are pushed out.
pub(super) fn fastest_out(gravity: f64, radius: f64) -> f64 {
    OUT * natural_speed(gravity, radius)
}

/// How contacts are softened in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Soft {
    /// One over the substep \[1/s\].
    pub(super) rate: f32,
    /// Speed out of an overlap, over the overlap \[1/s\].
    pub(super) bias: f32,
    /// Part of the mass that the spring moves.
    pub(super) mass: f32,
    /// Part of the impulse so far that the spring forgets.
    pub(super) forget: f32,
    /// Speeds below which nothing bounces \[m/s\].
    pub(super) least_bounce: f32,
    /// Speed that gravity gives in a substep \[m/s\].
    pub(super) fall: f32,
}

impl Soft {
    /// Contacts in substeps of `h` \[s\] of a step of `dt` \[s\], in such gravity \[m/s²\].
    pub(super) fn new(h: f64, dt: f64, gravity: f64) -> Self {
        let omega = std::f64::consts::TAU * (STIFFNESS / h);
        let a1 = 2.0 * DAMPING + h * omega;
        let a2 = h * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self {
            rate: (1.0 / h) as f32,
            bias: (omega / a1) as f32,
            mass: (a2 * a3) as f32,
            forget: a3 as f32,
            least_bounce: (LEAST_BOUNCE * gravity * dt) as f32,
            fall: (gravity * h) as f32,
        }
    }
}

/// A body's resistance, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resistance {
    pub(super) inverse_mass: f32,
    pub(super) inverse_inertia: Mat3,
}

impl Resistance {
    /// Of what nothing moves.
    pub(super) const INFINITE: Self = Self { inverse_mass: 0.0, inverse_inertia: Mat3::ZERO };

    /// That of a body that is turned so.
    pub(super) fn of(inertia: &Inertia, turn: &Mat3) -> Self {
        let inverse_mass = (1.0 / inertia.mass) as f32;
        let inverse = (DVec3::ONE / inertia.moments).as_vec3();
        let inverse_inertia = if inertia.is_round() {
            Mat3::from_diagonal(inverse)
        } else {
            *turn * Mat3::from_diagonal(inverse) * turn.transpose()
        };
        Self { inverse_mass, inverse_inertia }
    }
}

/// From here on rows are those of what contacts do not move: obstacles, then something that stands still.
pub(super) const UNMOVED: u32 = 1 << 31;

/// The largest impulse that a contact remembers: so many times what it remembered before, and so
/// many times what stops the reduced mass of its bodies after they have fallen for a substep.
const GROWTH: f32 = 4.0;
const WEIGHTS: f32 = 4.0;

/// One point of eight contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroupPoint {
    /// From the centre of the first body.
    lever: Vectors,
    /// Gap when the step began, less what the levers' way along the normal makes of it \[m\].
    gap: Numbers,
    /// 1 / nᵀKn \[kg\].
    mass: Numbers,
    /// Impulse in this substep \[N·s\].
    push: Numbers,
    /// Of a hit: relative velocity along the normal before any impulse of the substep, which is
    /// negative; else zero \[m/s\].
    approach: Numbers,
    /// Of a hit: the largest push of the substep; what only nearly touches does not bounce \[N·s\].
    most: Numbers,
    /// Of a hit: impulse of restitution \[N·s\].
    bounce: Numbers,
}

/// Eight contacts that share no body.
#[derive(Clone, Debug)]
pub(super) struct Group {
    a: [u32; LANES],
    b: [u32; LANES],
    inverse_mass_a: Numbers,
    inverse_mass_b: Numbers,
    inertia_a: Tensors,
    inertia_b: Tensors,
    normal: Vectors,
    /// One direction of friction; the other is across it and the normal.
    tangent: Vectors,
    /// From the centre of the first body to that of the second.
    between: Vectors,
    points: [GroupPoint; MOST_POINTS],
    /// The most points that any of the eight has.
    count: usize,
    /// Sum of the pushes that the substep began with \[N·s\].
    warm: Numbers,
    /// Whether any point came fast enough in this substep to bounce.
    is_hit: bool,
    /// Of a hit: work that impulses have done at the contact in this substep, negative where they
    /// took energy \[J\].
    work: Numbers,
    /// The middle of the points that bear, from the centre of the first body: where friction acts.
    middle: Vectors,
    /// Inverse of K for both tangents: xx, xy, yy \[kg\].
    rub_mass: [Numbers; 3],
    rub: [Numbers; 2],
    /// One over the inverse inertia about the normal \[kg·m²\].
    twist_mass: Numbers,
    twist: Numbers,
    /// Mean distance of points from their middle \[m\].
    arm: Numbers,
    /// Largest torque about the normal over the push, where points do not give it an arm \[m\].
    twisting: Numbers,
    /// Radii with which both pieces are round where they touch: round things turn without their gap changing \[m\].
    round: [Numbers; 2],
    is_round: bool,
    /// What that makes of the gap \[m\].
    rounded: Numbers,
    /// Largest torque of rolling resistance over the push: coefficient times effective radius \[m\].
    rolling: Numbers,
    /// Angular impulse of rolling resistance along both tangents \[N·m·s\].
    roll: [Numbers; 2],
    friction: Numbers,
    restitution: Numbers,
    /// Largest speed out of an overlap \[m/s\]; zero where it is deep.
    fastest_out: Numbers,
    /// The same where it is deep: bodies are moved apart so fast, zero elsewhere \[m/s\].
    fastest_apart: Numbers,
    is_deep: bool,
}

impl Group {
    /// Gives the bodies what the contacts remember, and sees which contacts are hit in this
    /// substep. Says whether any is.
    #[inline(always)]
    pub(super) fn warm_start(
        &mut self,
        bodies: &mut Bodies<'_>,
        obstacles: &[State],
        resistance: &[Resistance],
        soft: &Soft,
    ) -> bool {
        let (mut a, mut b) = self.motions(bodies.states, bodies.first, obstacles);
        let least = Numbers::splat(-soft.least_bounce);
        let comes = |point: &GroupPoint| self.leaving(&a, &b, point.lever).dot(self.normal).simd_lt(least).any();
        if self.is_hit || self.points[..self.count].iter().any(comes) {
            self.find_hits(bodies, obstacles, resistance, least);
        }
        self.keep_loads(soft.fall);
        let pushed = self.pushed();
        for point in &self.points[..self.count] {
            self.apply(&mut a, &mut b, self.normal * point.push, point.lever);
        }
        self.warm = pushed;
        // The friction that a forgotten push allowed goes with it.
        let limit = self.friction * pushed;
        self.rub = cut(self.rub, limit);
        let limit = self.twist_limit(pushed);
        self.twist = self.twist.fast_max(-limit).fast_min(limit);
        self.apply(&mut a, &mut b, self.along(self.rub), self.middle);
        self.turn(&mut a, &mut b, self.normal * self.twist);
        self.write(bodies.states, bodies.first, a, b);
        if self.is_round {
            self.warm_start_rolling(bodies.states, bodies.first, obstacles);
        }
        self.is_hit
    }

    /// Changes impulses until the contacts neither come together nor slip; `out` says whether overlap is pushed out too.
    #[inline(always)]
    pub(super) fn solve(&mut self, states: &mut [State], first: usize, obstacles: &[State], soft: &Soft, out: bool) {
        if self.is_round {
            self.roll_on(states, first, obstacles);
        }
        let (mut a, mut b) = self.motions(states, first, obstacles);
        let ((way_a, turn_a), (way_b, turn_b)) = self.ways(states, first, obstacles);
        let apart = (way_b - way_a).dot(self.normal) + self.rounded;

        // Pushes, one after the other.
        for p in 0..self.count {
            let point = self.points[p];
            let turned = (turn_b.times(point.lever - self.between) - turn_a.times(point.lever)).dot(self.normal);
            let gap = point.gap + apart + turned;
            // Apart, the points may come together just so far as to touch; in each other, the spring pushes.
            let open = gap.simd_gt(Numbers::ZERO);
            let spring = (gap * Numbers::splat(soft.bias)).fast_max(-self.fastest_out);
            let inside = if out { spring } else { Numbers::ZERO };
            let (mass, forget) = if out { (soft.mass, soft.forget) } else { (1.0, 0.0) };
            let bias = open.bitselect(gap * Numbers::splat(soft.rate), inside);
            let mass = open.bitselect(Numbers::ONE, Numbers::splat(mass)) * point.mass;
            let forget = open.bitselect(Numbers::ZERO, Numbers::splat(forget));

            let speed = self.leaving(&a, &b, point.lever).dot(self.normal);
            let push = (point.push - mass * (speed + bias) - forget * point.push).fast_max(Numbers::ZERO);
            let change = push - point.push;
            self.points[p].push = push;
            self.apply(&mut a, &mut b, self.normal * change, point.lever);
            if self.is_hit {
                self.points[p].most = point.most.fast_max(push);
                self.work += work(change, speed, point.mass);
            }
        }
        // Friction acts where velocities are made right: it then knows how hard the contact pushes.
        // Where overlap is pushed out it would answer motion that is taken back, which lets stacks
        // sway.
        if !out {
            self.rub(&mut a, &mut b);
        }
        self.write(states, first, a, b);
        if self.is_round {
            self.resist_rolling(states, first, obstacles);
        }
    }

    /// Changes friction until the contacts do not slip, or as far as the cone allows.
    #[inline(always)]
    fn rub(&mut self, a: &mut Motions, b: &mut Motions) {
        let pushed = self.pushed();
        self.rub_within(a, b, pushed);
    }

    /// The same for contacts that push with these impulses.
    #[inline(always)]
    fn rub_within(&mut self, a: &mut Motions, b: &mut Motions, pushed: Numbers) {
        let slip = self.leaving(a, b, self.middle);
        let rub = self.within_cone(slip, self.rub, self.friction * pushed);
        let change = self.along([rub[0] - self.rub[0], rub[1] - self.rub[1]]);
        self.rub = rub;
        self.apply(a, b, change, self.middle);
        if self.is_hit {
            self.work += change.dot(slip + self.leaving(a, b, self.middle)) * Numbers::splat(0.5);
        }

        // And about the normal.
        let limit = self.twist_limit(pushed);
        let spin = (b.spin - a.spin).dot(self.normal);
        let twist = (self.twist - self.twist_mass * spin).fast_max(-limit).fast_min(limit);
        let change = twist - self.twist;
        self.twist = twist;
        self.turn(a, b, self.normal * change);
        if self.is_hit {
            self.work += work(change, spin, self.twist_mass);
        }
    }

    /// The largest angular impulse about the normal where contacts push with these impulses:
    /// friction at the points around their middle, or what a round patch resists, whichever is
    /// more.
    #[inline(always)]
    fn twist_limit(&self, pushed: Numbers) -> Numbers {
        pushed * (self.friction * self.arm).fast_max(self.twisting)
    }

    /// The pushes of all points together.
    #[inline(always)]
    fn pushed(&self) -> Numbers {
        self.points[..self.count].iter().fold(Numbers::ZERO, |sum, point| sum + point.push)
    }

    /// Cuts pushes to what will come again in the next substep; gravity adds `fall` \[m/s\] in one.
    /// A load grows from one substep to the next by the weights of bodies. A push that grows faster
    /// is the shock of a hit somewhere near, and to repeat it would add energy.
    #[inline(always)]
    pub(super) fn keep_loads(&mut self, fall: f32) {
        let mass = inverse(self.inverse_mass_a + self.inverse_mass_b);
        let load = Numbers::splat(GROWTH) * self.warm + Numbers::splat(WEIGHTS * fall) * mass;
        let pushed = self.pushed();
        let part = pushed.simd_gt(load).bitselect(load / pushed, Numbers::ONE);
        self.points[..self.count].iter_mut().for_each(|point| point.push *= part);
    }

    /// The impulse of friction along both tangents that stops this slip, after `before`, cut to `limit`.
    #[inline(always)]
    fn within_cone(&self, slip: Vectors, before: [Numbers; 2], limit: Numbers) -> [Numbers; 2] {
        let (u, v) = (slip.dot(self.tangent), slip.dot(self.normal.cross(self.tangent)));
        let [xx, xy, yy] = self.rub_mass;
        cut([before[0] - (xx * u + xy * v), before[1] - (xy * u + yy * v)], limit)
    }

    /// How fast the second bodies leave the first at a place.
    #[inline(always)]
    fn leaving(&self, a: &Motions, b: &Motions, lever: Vectors) -> Vectors {
        b.at(lever - self.between) - a.at(lever)
    }

    /// A vector across the normal, from its parts along both directions of friction.
    #[inline(always)]
    fn along(&self, [x, y]: [Numbers; 2]) -> Vectors {
        self.tangent * x + self.normal.cross(self.tangent) * y
    }

    /// Gives the second bodies an impulse at a place and the first ones the opposite.
    #[inline(always)]
    fn apply(&self, a: &mut Motions, b: &mut Motions, impulse: Vectors, lever: Vectors) {
        a.velocity = a.velocity - impulse * self.inverse_mass_a;
        a.spin = a.spin - self.inertia_a.times(lever.cross(impulse));
        b.velocity = b.velocity + impulse * self.inverse_mass_b;
        b.spin = b.spin + self.inertia_b.times((lever - self.between).cross(impulse));
    }

    /// Gives the second bodies an angular impulse and the first ones the opposite.
    #[inline(always)]
    fn turn(&self, a: &mut Motions, b: &mut Motions, impulse: Vectors) {
        a.spin = a.spin - self.inertia_a.times(impulse);
        b.spin = b.spin + self.inertia_b.times(impulse);
    }

    #[inline(always)]
    fn states<'a>(
        &self,
        states: &'a [State],
        first: usize,
        obstacles: &'a [State],
        rows: &[u32; LANES],
    ) -> [&'a State; LANES] {
        let of = |row: u32| {
            if row < UNMOVED { &states[row as usize - first] } else { &obstacles[(row & !UNMOVED) as usize] }
        };
        // Written out: `map` is a call, which costs more than all the rest.
        let [a, b, c, d, e, f, g, h] = *rows;
        [of(a), of(b), of(c), of(d), of(e), of(f), of(g), of(h)]
    }

    #[inline(always)]
    fn motions(&self, states: &[State], first: usize, obstacles: &[State]) -> (Motions, Motions) {
        let of = |rows| Motions::of(self.states(states, first, obstacles, rows));
        (of(&self.a), of(&self.b))
    }

    #[inline(always)]
    fn ways(&self, states: &[State], first: usize, obstacles: &[State]) -> ((Vectors, Turns), (Vectors, Turns)) {
        let of = |rows| ways(self.states(states, first, obstacles, rows));
        (of(&self.a), of(&self.b))
    }

    #[inline(always)]
    fn write(&self, states: &mut [State], first: usize, a: Motions, b: Motions) {
        for (rows, motions) in [(&self.a, a), (&self.b, b)] {
            for (&row, motion) in rows.iter().zip(motions.rows()) {
                if row < UNMOVED {
                    write_motion(&mut states[row as usize - first], motion);
                }
            }
        }
    }
}

/// Work of impulses at points with such relative velocities before them, and such effective masses.
#[inline(always)]
fn work(impulse: Numbers, speed: Numbers, mass: Numbers) -> Numbers {
    let there = mass.simd_gt(Numbers::ZERO);
    let gained = impulse / mass.fast_max(Numbers::splat(f32::MIN_POSITIVE));
    there.bitselect(impulse * (speed + Numbers::splat(0.5) * gained), Numbers::ZERO)
}

/// Vectors with both these parts, no longer than `limit`.
#[inline(always)]
fn cut([x, y]: [Numbers; 2], limit: Numbers) -> [Numbers; 2] {
    let squares = x * x + y * y;
    let beyond = squares.simd_gt(limit * limit);
    let shorter = beyond.bitselect(limit / (squares.sqrt() + Numbers::splat(f32::MIN_POSITIVE)), Numbers::ONE);
    [x * shorter, y * shorter]
}
