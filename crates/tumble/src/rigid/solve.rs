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

use glam::{Mat3, Vec3};

use super::contact::Seen;
use super::lanes::{LANES, Motions, Numbers, State, Tensors, Turns, Vectors, ways, write_motion};
use super::narrow::MOST_POINTS;

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
}

impl Soft {
    /// A spring with this frequency \[1/s\] and damping ratio in substeps of `dt` \[s\].
    pub(super) fn new(frequency: f64, damping: f64, dt: f64, least_bounce: f64) -> Self {
        let omega = std::f64::consts::TAU * frequency;
        let a1 = 2.0 * damping + dt * omega;
        let a2 = dt * omega * a1;
        let a3 = 1.0 / (1.0 + a2);
        Self {
            rate: (1.0 / dt) as f32,
            bias: (omega / a1) as f32,
            mass: (a2 * a3) as f32,
            forget: a3 as f32,
            least_bounce: least_bounce as f32,
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
}

/// From here on rows are those of what contacts do not move: obstacles, then something that stands still.
pub(super) const UNMOVED: u32 = 1 << 31;

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
    /// Largest of the step.
    most: Numbers,
    /// Impulse with which it leaves again \[N·s\].
    bounce: Numbers,
    /// How fast the points left each other before the first push of the step: negative when they came together \[m/s\].
    speed: Numbers,
}

impl GroupPoint {
    /// Where it came fast and was pushed in this step: what only nearly touches does not bounce.
    #[inline(always)]
    fn was_hit(&self, soft: &Soft) -> Numbers {
        self.speed.simd_lt(Numbers::splat(-soft.least_bounce)) & self.most.simd_gt(Numbers::ZERO)
    }

    /// The push with which the next substep begins: that of a hit will not come again, and would add energy.
    #[inline(always)]
    fn lasting_push(&self, soft: &Soft) -> Numbers {
        self.was_hit(soft).bitselect(Numbers::ZERO, self.push)
    }
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
    /// Whether any point came fast enough to bounce.
    is_hit: bool,
    /// The middle of the points, from the centre of the first body: where friction acts.
    middle: Vectors,
    /// Inverse of K for both tangents: xx, xy, yy \[kg\].
    rub_mass: [Numbers; 3],
    rub: [Numbers; 2],
    /// One over the inverse inertia about the normal \[kg·m²\].
    twist_mass: Numbers,
    twist: Numbers,
    /// Mean distance of points from their middle \[m\].
    arm: Numbers,
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
    /// Largest speed out of an overlap \[m/s\].
    fastest_out: Numbers,
}

/// What a lane is filled with.
pub(super) struct Lane<'a> {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) seen: &'a Seen,
    pub(super) pushes: [f32; MOST_POINTS],
    pub(super) count: usize,
    pub(super) rub: Vec3,
    pub(super) turn: Vec3,
    pub(super) resistance: [&'a Resistance; 2],
    pub(super) surfaces: Surfaces,
}

/// How two surfaces answer each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surfaces {
    pub(super) friction: f32,
    /// Coefficient of rolling resistance.
    pub(super) rolling: f32,
    pub(super) restitution: f32,
    /// Radii with which they are round where they touch, zero if they are not \[m\].
    pub(super) round: [f32; 2],
    /// Largest speed out of an overlap \[m/s\].
    pub(super) fastest_out: f32,
}

impl Surfaces {
    /// Largest torque of rolling resistance over the push: coefficient times effective radius \[m\].
    fn rolling_arm(&self) -> f32 {
        let [a, b] = self.round;
        let radius = if a > 0.0 && b > 0.0 { a * b / (a + b) } else { a.max(b) };
        self.rolling * radius
    }
}

impl Group {
    /// Without any contact; all lanes are of what stands still, which is after so many obstacles.
    pub(super) fn empty(obstacles: usize) -> Self {
        let still = UNMOVED | obstacles as u32;
        Self {
            a: [still; LANES],
            b: [still; LANES],
            inverse_mass_a: Numbers::ZERO,
            inverse_mass_b: Numbers::ZERO,
            inertia_a: Tensors::default(),
            inertia_b: Tensors::default(),
            normal: Vectors::default(),
            tangent: Vectors::default(),
            between: Vectors::default(),
            points: [GroupPoint::default(); MOST_POINTS],
            count: 0,
            is_hit: false,
            middle: Vectors::default(),
            rub_mass: [Numbers::ZERO; 3],
            rub: [Numbers::ZERO; 2],
            twist_mass: Numbers::ZERO,
            twist: Numbers::ZERO,
            arm: Numbers::ZERO,
            round: [Numbers::ZERO; 2],
            is_round: false,
            rounded: Numbers::ZERO,
            rolling: Numbers::ZERO,
            roll: [Numbers::ZERO; 2],
            friction: Numbers::ZERO,
            restitution: Numbers::ZERO,
            fastest_out: Numbers::ZERO,
        }
    }

    /// Puts a contact into one lane.
    pub(super) fn fill(&mut self, lane: usize, contact: &Lane<'_>) {
        let [of_a, of_b] = contact.resistance;
        let normal = contact.seen.normal;
        let t1 = normal.any_orthonormal_vector();
        let t2 = normal.cross(t1);
        self.a[lane] = contact.a;
        self.b[lane] = contact.b;
        self.inverse_mass_a.as_mut_array()[lane] = of_a.inverse_mass;
        self.inverse_mass_b.as_mut_array()[lane] = of_b.inverse_mass;
        self.inertia_a.set(lane, &of_a.inverse_inertia);
        self.inertia_b.set(lane, &of_b.inverse_inertia);
        self.normal.set(lane, normal);
        self.tangent.set(lane, t1);
        self.between.set(lane, contact.seen.levers[0][0] - contact.seen.levers[0][1]);
        self.count = self.count.max(contact.count);

        let inverse_mass = of_a.inverse_mass + of_b.inverse_mass;
        // uᵀKw for levers r.
        let k = |levers: [Vec3; 2], u: Vec3, w: Vec3| {
            let [a, b] = levers;
            let turn_a = a.cross(u).dot(of_a.inverse_inertia * a.cross(w));
            let turn_b = b.cross(u).dot(of_b.inverse_inertia * b.cross(w));
            inverse_mass * u.dot(w) + turn_a + turn_b
        };
        let count = contact.count;
        let surfaces = &contact.surfaces;
        let [round_a, round_b] = surfaces.round;
        let mut middle = [Vec3::ZERO; 2];
        for (p, point) in self.points.iter_mut().enumerate() {
            // A point that is not there has no mass, so it never gets an impulse.
            let there = p < count;
            let levers = if there { contact.seen.levers[p] } else { [Vec3::ZERO; 2] };
            middle = [middle[0] + levers[0], middle[1] + levers[1]];
            point.lever.set(lane, levers[0]);
            let gap = if there { contact.seen.gaps[p] - (levers[1] - levers[0]).dot(normal) } else { 0.0 };
            point.gap.as_mut_array()[lane] = gap;
            point.mass.as_mut_array()[lane] = if there { inverse(k(levers, normal, normal)) } else { 0.0 };
            point.push.as_mut_array()[lane] = if there { contact.pushes[p] } else { 0.0 };
            point.most.as_mut_array()[lane] = 0.0;
            point.speed.as_mut_array()[lane] = 0.0;
        }
        let share = 1.0 / count as f32;
        let middle = middle.map(|sum| share * sum);
        let levers = &contact.seen.levers[..count];
        let arm = share * levers.iter().map(|lever| lever[0].distance(middle[0])).sum::<f32>();
        self.middle.set(lane, middle[0]);
        self.arm.as_mut_array()[lane] = arm;
        let (xx, xy, yy) = (k(middle, t1, t1), k(middle, t1, t2), k(middle, t2, t2));
        let scale = inverse(xx * yy - xy * xy);
        for (mass, value) in self.rub_mass.iter_mut().zip([yy * scale, -xy * scale, xx * scale]) {
            mass.as_mut_array()[lane] = value;
        }
        self.rub[0].as_mut_array()[lane] = contact.rub.dot(t1);
        self.rub[1].as_mut_array()[lane] = contact.rub.dot(t2);
        let about = normal.dot((of_a.inverse_inertia + of_b.inverse_inertia) * normal);
        self.twist_mass.as_mut_array()[lane] = inverse(about);
        self.twist.as_mut_array()[lane] = contact.turn.dot(normal);
        self.round[0].as_mut_array()[lane] = round_a;
        self.round[1].as_mut_array()[lane] = round_b;
        self.is_round |= round_a + round_b > 0.0;
        self.rolling.as_mut_array()[lane] = surfaces.rolling_arm();
        self.roll[0].as_mut_array()[lane] = contact.turn.dot(t1);
        self.roll[1].as_mut_array()[lane] = contact.turn.dot(t2);
        self.friction.as_mut_array()[lane] = surfaces.friction;
        self.restitution.as_mut_array()[lane] = surfaces.restitution;
        self.fastest_out.as_mut_array()[lane] = surfaces.fastest_out;
    }

    /// What one lane's contact is to remember: pushes but those of hits, friction, turning.
    pub(super) fn result(&self, lane: usize, soft: &Soft) -> ([f32; MOST_POINTS], Vec3, Vec3) {
        let pushes = self.points.map(|point| point.lasting_push(soft).as_array()[lane]);
        let (normal, tangent) = (self.normal.get(lane), self.tangent.get(lane));
        let along = |[x, y]: [Numbers; 2]| x.as_array()[lane] * tangent + y.as_array()[lane] * normal.cross(tangent);
        (pushes, along(self.rub), self.twist.as_array()[lane] * normal + along(self.roll))
    }

    /// Gives the bodies what the contacts remember; the friction that a forgotten push allowed goes with it.
    #[inline(always)]
    pub(super) fn warm_start(&mut self, states: &mut [State], first: usize, obstacles: &[State], soft: &Soft) {
        let (mut a, mut b) = self.motions(states, first, obstacles);
        let mut pushed = Numbers::ZERO;
        for p in 0..self.count {
            let point = self.points[p];
            let push = point.lasting_push(soft);
            self.points[p].push = push;
            pushed += push;
            self.apply(&mut a, &mut b, self.normal * push, point.lever);
        }
        let limit = self.friction * pushed;
        self.rub = cut(self.rub, limit);
        self.twist = self.twist.fast_max(-limit * self.arm).fast_min(limit * self.arm);
        self.apply(&mut a, &mut b, self.along(self.rub), self.middle);
        self.turn(&mut a, &mut b, self.normal * self.twist);
        // Until its first push, a point remembers how fast it comes.
        for p in 0..self.count {
            let point = &self.points[p];
            let untouched = (point.most + point.push).simd_eq(Numbers::ZERO);
            let speed = untouched.bitselect(self.leaving(&a, &b, point.lever).dot(self.normal), point.speed);
            self.points[p].speed = speed;
            self.is_hit |= speed.simd_lt(Numbers::splat(-soft.least_bounce)).any();
        }
        self.write(states, first, a, b);
        if self.is_round {
            self.warm_start_rolling(states, first, obstacles);
        }
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

        // Where overlap is pushed out, not to overlap is more important and has the last word. Where velocities are made right, friction
        // has it: it then knows how hard the contact pushes.
        if out {
            self.rub(&mut a, &mut b);
        }
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
            self.points[p].most = point.most.fast_max(push);
            self.apply(&mut a, &mut b, self.normal * change, point.lever);
        }
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
        let limit = self.friction * self.pushed();
        let slip = self.leaving(a, b, self.middle);
        let rub = self.within_cone(slip, self.rub, limit);
        let change = self.along([rub[0] - self.rub[0], rub[1] - self.rub[1]]);
        self.rub = rub;
        self.apply(a, b, change, self.middle);

        // And about the normal.
        let limit = limit * self.arm;
        let twist =
            (self.twist - self.twist_mass * (b.spin - a.spin).dot(self.normal)).fast_max(-limit).fast_min(limit);
        let change = twist - self.twist;
        self.twist = twist;
        self.turn(a, b, self.normal * change);
    }

    /// Sees how much of the turning is rolling, which leaves gaps as they are.
    #[inline(never)]
    fn roll_on(&mut self, states: &[State], first: usize, obstacles: &[State]) {
        let ((_, turn_a), (_, turn_b)) = self.ways(states, first, obstacles);
        let [round_a, round_b] = self.round;
        let turned = turn_a.times(self.normal) * round_a + turn_b.times(self.normal) * round_b;
        self.rounded = turned.dot(self.normal) - (round_a + round_b);
    }

    /// Gives the bodies the rolling resistance that the contacts remember.
    #[inline(never)]
    fn warm_start_rolling(&mut self, states: &mut [State], first: usize, obstacles: &[State]) {
        let (mut a, mut b) = self.motions(states, first, obstacles);
        self.roll = cut(self.roll, self.rolling * self.pushed());
        self.turn(&mut a, &mut b, self.along(self.roll));
        self.write(states, first, a, b);
    }

    /// Changes rolling resistance until the bodies do not turn against each other across the normal, or as far as the push allows. By itself,
    /// so that what is not round does not pay for it.
    #[inline(never)]
    fn resist_rolling(&mut self, states: &mut [State], first: usize, obstacles: &[State]) {
        let (mut a, mut b) = self.motions(states, first, obstacles);
        let (t1, t2) = (self.tangent, self.normal.cross(self.tangent));
        let turned = |t: Vectors| self.inertia_a.times(t) + self.inertia_b.times(t);
        let (k1, k2) = (turned(t1), turned(t2));
        let (xx, xy, yy) = (t1.dot(k1), t1.dot(k2), t2.dot(k2));
        let scale = Numbers::ONE / (xx * yy - xy * xy).fast_max(Numbers::splat(f32::MIN_POSITIVE));
        let spin = b.spin - a.spin;
        let (u, v) = (spin.dot(t1) * scale, spin.dot(t2) * scale);
        let limit = self.rolling * self.pushed();
        let roll = cut([self.roll[0] - (yy * u - xy * v), self.roll[1] - (xx * v - xy * u)], limit);
        let change = self.along([roll[0] - self.roll[0], roll[1] - self.roll[1]]);
        self.roll = roll;
        self.turn(&mut a, &mut b, change);
        self.write(states, first, a, b);
    }

    /// The pushes of all points together.
    #[inline(always)]
    fn pushed(&self) -> Numbers {
        self.points[..self.count].iter().fold(Numbers::ZERO, |sum, point| sum + point.push)
    }

    /// The impulse of friction along both tangents that stops this slip, after `before`, cut to `limit`.
    #[inline(always)]
    fn within_cone(&self, slip: Vectors, before: [Numbers; 2], limit: Numbers) -> [Numbers; 2] {
        let (u, v) = (slip.dot(self.tangent), slip.dot(self.normal.cross(self.tangent)));
        let [xx, xy, yy] = self.rub_mass;
        cut([before[0] - (xx * u + xy * v), before[1] - (xy * u + yy * v)], limit)
    }

    /// Lets points that came together fast enough leave each other again. These impulses are not remembered: the next step begins with
    /// bodies that leave each other.
    #[inline(always)]
    pub(super) fn bounce(&mut self, states: &mut [State], first: usize, obstacles: &[State], soft: &Soft) {
        if !self.is_hit {
            return;
        }
        let (mut a, mut b) = self.motions(states, first, obstacles);
        for p in 0..self.count {
            let point = self.points[p];
            let speed = self.leaving(&a, &b, point.lever).dot(self.normal);
            let wanted = self.restitution * point.speed;
            let push = (point.bounce - point.mass * (speed + wanted)).fast_max(Numbers::ZERO);
            let push = point.was_hit(soft).bitselect(push, Numbers::ZERO);
            self.apply(&mut a, &mut b, self.normal * (push - point.bounce), point.lever);
            self.points[p].bounce = push;
        }
        self.write(states, first, a, b);
    }

    /// What leaves again also rubs once more.
    #[inline(always)]
    pub(super) fn rub_again(&self, states: &mut [State], first: usize, obstacles: &[State]) {
        if !self.is_hit {
            return;
        }
        let pushed = self.points[..self.count].iter().fold(Numbers::ZERO, |sum, point| sum + point.bounce);
        let (mut a, mut b) = self.motions(states, first, obstacles);
        let slip = self.leaving(&a, &b, self.middle);
        let rub = self.within_cone(slip, [Numbers::ZERO; 2], self.friction * pushed);
        self.apply(&mut a, &mut b, self.along(rub), self.middle);
        self.write(states, first, a, b);
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

/// Vectors with both these parts, no longer than `limit`.
#[inline(always)]
fn cut([x, y]: [Numbers; 2], limit: Numbers) -> [Numbers; 2] {
    let squares = x * x + y * y;
    let beyond = squares.simd_gt(limit * limit);
    let shorter = beyond.bitselect(limit / (squares.sqrt() + Numbers::splat(f32::MIN_POSITIVE)), Numbers::ONE);
    [x * shorter, y * shorter]
}

/// One over a number, or zero.
fn inverse(number: f32) -> f32 {
    if number > 0.0 { 1.0 / number } else { 0.0 }
}
