//! Joints within a step: rows of what must not happen, and the impulses that keep it from happening.
//!
//! Reads joints and where bodies are; writes velocities, and into each joint the impulses it remembers. A row is one motion of the
//! second frame against the first. Those that are locked are solved together, exactly (a Cholesky factor of their J M⁻¹ Jᵀ), so that one
//! joint alone needs no iteration; limits come after them, one by one, like contacts. Errors are taken out softly within substeps and
//! leave no speed behind, as in `solve.rs`.

use glam::{DQuat, Mat3, Quat, Vec3};

use super::lanes::State;
use super::solve::{Resistance, UNMOVED};
use super::step::resistance;
use super::tree::Bodies;
use crate::world::{End, FREE, Inertia, JointKind, MOST_ROWS, Pose, World};

/// How many rows can be locked.
const MOST_LOCKED: usize = 6;

/// One motion of the second frame against the first.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Direction, for what moves along; zero for what turns.
    along: Vec3,
    /// What spin of the first and of the second body adds to its speed.
    about_a: Vec3,
    about_b: Vec3,
    /// What an impulse adds to their spins.
    turn_a: Vec3,
    turn_b: Vec3,
    /// How far it is from where it should be; of a limit, how far from it \[m or rad\].
    error: f32,
}

/// A joint within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Where the joint is in the list of the world.
    pub(super) joint: u32,
    /// What it joins: rows of bodies, or what nothing moves as in groups of contacts.
    pub(super) sides: [u32; 2],
    kind: JointKind,
    frames: [Pose; 2],
    poses: [Pose; 2],
    inertia: [Option<Inertia>; 2],
    /// Largest speeds at which errors are taken out \[m/s\] and \[rad/s\].
    fastest: [f32; 2],
    /// From centres to the places of the frames, and between these.
    levers: [Vec3; 2],
    between: Vec3,
    /// Rows, first those that are locked.
    rows: [Row; MOST_ROWS],
    locked: usize,
    count: usize,
    factor: [[f32; MOST_LOCKED]; MOST_LOCKED],
    masses: [f32; 2],
    pub(super) impulses: [f32; MOST_ROWS],
    /// Sums of impulses and of angular impulses over the step, and the most that they may be \[N·s\] and \[N·m·s\].
    sum: [Vec3; 2],
    most: [f32; 2],
    pub(super) is_broken: bool,
}

/// What joints do not move, as it is in a substep.
pub(super) struct Unmoved<'a> {
    pub(super) states: &'a [State],
    pub(super) poses: &'a [Pose],
}

/// Velocities and spins of both bodies.
#[derive(Default)]
struct Speeds {
    velocity: [Vec3; 2],
    spin: [Vec3; 2],
}

impl Row {
    fn speed(&self, speeds: &Speeds) -> f32 {
        let [va, vb] = speeds.velocity;
        self.along.dot(vb - va) + self.about_b.dot(speeds.spin[1]) - self.about_a.dot(speeds.spin[0])
    }

    /// What an impulse along another row adds to the speed along this one.
    fn coupling(&self, other: &Self, masses: f32) -> f32 {
        masses * self.along.dot(other.along) + self.about_a.dot(other.turn_a) + self.about_b.dot(other.turn_b)
    }
}

impl Link {
    /// The joint with this number, if it moves anything; `fastest` gives the largest speed at which errors are taken out for bodies of
    /// a radius.
    pub(super) fn new(
        world: &World,
        joint: usize,
        radii: &[f64],
        fastest: impl Fn(f64) -> f64,
        dt: f64,
    ) -> Option<Self> {
        let what = &world.joints.list[joint];
        let still = UNMOVED | world.obstacles.len() as u32;
        let body = |row: usize| {
            let pose = world.bodies.pose[row];
            if world.bodies.rest[row].asleep {
                (still, pose, None)
            } else {
                (row as u32, pose, Some(world.bodies.inertia[row]))
            }
        };
        // The axis is that of what the body is held to.
        let (side_b, pose_b, inertia_b) = body(world.bodies.row(what.what.body)?);
        let (side_a, pose_a, inertia_a) = match what.what.to {
            End::Body(id) => body(world.bodies.row(id)?),
            End::Obstacle(number) => (UNMOVED | number, world.obstacles[number as usize].pose, None),
            End::World => (still, Pose::IDENTITY, None),
        };
        if inertia_a.is_none() && inertia_b.is_none() {
            return None;
        }
        let radius =
            [side_a, side_b].iter().filter_map(|&side| radii.get(side as usize)).fold(f64::INFINITY, |a, b| a.min(*b));
        let speed = fastest(radius);
        let inverse_mass = |inertia: &Option<Inertia>| inertia.map_or(0.0, |inertia| (1.0 / inertia.mass) as f32);
        Some(Self {
            joint: joint as u32,
            sides: [side_a, side_b],
            kind: what.what.kind,
            frames: [what.on_other, what.on_body],
            poses: [pose_a, pose_b],
            fastest: [speed as f32, (speed / radius) as f32],
            levers: [Vec3::ZERO; 2],
            between: Vec3::ZERO,
            rows: [Row::default(); MOST_ROWS],
            locked: 0,
            count: 0,
            factor: [[0.0; MOST_LOCKED]; MOST_LOCKED],
            masses: [inverse_mass(&inertia_a), inverse_mass(&inertia_b)],
            inertia: [inertia_a, inertia_b],
            impulses: what.impulses,
            sum: [Vec3::ZERO; 2],
            most: [what.what.strength.force, what.what.strength.torque].map(|load| (load * dt) as f32),
            is_broken: false,
        })
    }

    /// Sees where the two are at the beginning of a substep, and gives them what the joint remembers.
    pub(super) fn warm_start(&mut self, bodies: &mut Bodies<'_>, unmoved: &Unmoved<'_>) {
        self.see(bodies, unmoved);
        let mut speeds = self.speeds(bodies, unmoved);
        for k in 0..self.count {
            self.push(&mut speeds, k, self.impulses[k]);
        }
        self.write(bodies, &speeds);
    }

    /// Makes rows for where the two are now.
    fn see(&mut self, bodies: &Bodies<'_>, unmoved: &Unmoved<'_>) {
        if self.is_broken {
            return;
        }
        for side in 0..2 {
            let number = self.sides[side];
            if number < UNMOVED {
                self.poses[side] = bodies.poses[number as usize - bodies.first];
            } else if let Some(pose) = unmoved.poses.get((number & !UNMOVED) as usize) {
                self.poses[side] = *pose;
            }
        }
        self.make_rows();
    }

    /// Rows where the two are now, and the factor of those that are locked.
    fn make_rows(&mut self) {
        let [a, b] = [0, 1].map(|side| self.poses[side].of(&self.frames[side]));
        let axes = |pose: &Pose| {
            let turn = Mat3::from_quat(Quat::from_array(pose.orientation.to_array().map(|c| c as f32)));
            [turn.x_axis, turn.y_axis, turn.z_axis]
        };
        let ([x, y, z], [.., other_z]) = (axes(&a), axes(&b));
        // Impulses act at the place of the second frame on both: so they keep angular momentum.
        let between = (b.position - a.position).as_vec3();
        let levers = [0, 1].map(|side| (b.position - self.poses[side].position).as_vec3());
        (self.between, self.levers) = (between, [levers[0] - between, levers[1]]);
        let line = |direction: Vec3, error: f32| Row {
            along: direction,
            about_a: levers[0].cross(direction),
            about_b: levers[1].cross(direction),
            error,
            ..Row::default()
        };
        let turn = |axis: Vec3, error: f32| Row { about_a: axis, about_b: axis, error, ..Row::default() };
        let twisted = a.orientation.conjugate() * b.orientation;
        let tilt = z.cross(other_z);

        let (travel, turns, swing) = match self.kind {
            JointKind::Fixed => ([0.0; 2], [0.0; 2], None),
            JointKind::Hinge { turn } => ([0.0; 2], turn, None),
            JointKind::Slider { travel, turn } => (travel, turn, None),
            JointKind::Ball { swing } => ([0.0; 2], FREE, Some(swing)),
        };
        let (mut locked, mut limits) = (Gathered::default(), Gathered::default());
        locked.push(line(x, between.dot(x)));
        locked.push(line(y, between.dot(y)));
        let way = between.dot(z);
        limit(line(z, 0.0), f64::from(way), travel, &mut locked, &mut limits);
        match swing {
            None => {
                locked.push(turn(x, tilt.dot(x)));
                locked.push(turn(y, tilt.dot(y)));
                if turns != FREE {
                    let angle = 2.0 * twisted.z.atan2(twisted.w);
                    let angle = angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round();
                    limit(turn(z, 0.0), angle, turns, &mut locked, &mut limits);
                }
            }
            // cos θ - cos(most) over sin θ is how far it may swing on, near the limit, and grows with the turn back.
            Some(swing) if swing.is_finite() && tilt.length_squared() > 1e-12 => {
                let sine = tilt.length();
                limits.push(turn(tilt / -sine, (z.dot(other_z) - swing.cos() as f32) / sine));
            }
            Some(_) => {}
        }
        (self.locked, self.count) = (locked.len, locked.len + limits.len);
        self.rows[..locked.len].copy_from_slice(&locked.rows[..locked.len]);
        self.rows[locked.len..self.count].copy_from_slice(&limits.rows[..limits.len]);

        let resistances = [0, 1].map(|side| {
            let turn = Mat3::from_quat(Quat::from_array(self.poses[side].orientation.to_array().map(|c| c as f32)));
            self.inertia[side].map_or(Resistance::INFINITE, |inertia| resistance(&inertia, &turn))
        });
        for row in &mut self.rows[..self.count] {
            row.turn_a = resistances[0].inverse_inertia * row.about_a;
            row.turn_b = resistances[1].inverse_inertia * row.about_b;
        }
        self.factorise();
    }

    /// L of K = L Lᵀ over the locked rows, with inverse diagonal.
    fn factorise(&mut self) {
        let masses = self.masses[0] + self.masses[1];
        for i in 0..self.locked {
            for j in 0..=i {
                let dot: f32 = (0..j).map(|k| self.factor[i][k] * self.factor[j][k]).sum();
                let rest = self.rows[i].coupling(&self.rows[j], masses) - dot;
                // A row that others already hold gets nothing.
                self.factor[i][j] = if i > j {
                    rest * self.factor[j][j]
                } else if rest > 1e-6 * (rest + dot) {
                    rest.sqrt().recip()
                } else {
                    0.0
                };
            }
        }
    }

    /// K⁻¹ times a vector.
    fn divide(&self, mut v: [f32; MOST_LOCKED]) -> [f32; MOST_LOCKED] {
        let (n, l) = (self.locked, &self.factor);
        for i in 0..n {
            v[i] = (v[i] - (0..i).map(|k| l[i][k] * v[k]).sum::<f32>()) * l[i][i];
        }
        for i in (0..n).rev() {
            v[i] = (v[i] - (i + 1..n).map(|k| l[k][i] * v[k]).sum::<f32>()) * l[i][i];
        }
        v
    }

    /// Impulses before bodies move, such that afterwards nothing has moved that must not.
    pub(super) fn solve(&mut self, bodies: &mut Bodies<'_>, unmoved: &Unmoved<'_>, h: f32) {
        let speeds = self.speeds(bodies, unmoved);
        let bend = self.bend(&speeds, 0.5 * h);
        self.change(bodies, speeds, h, &bend);
    }

    /// After bodies have moved, puts them where they belong; then impulses such that nothing moves that must not.
    pub(super) fn relax(&mut self, bodies: &mut Bodies<'_>, unmoved: &Unmoved<'_>, h: f32) {
        self.see(bodies, unmoved);
        self.put_right(bodies, h);
        let speeds = self.speeds(bodies, unmoved);
        self.change(bodies, speeds, h, &[0.0; MOST_ROWS]);
        self.add_up(bodies, unmoved);
    }

    /// Adds up what the joint has held in this step. When that is more than it can, it breaks, and gives back what was too much.
    fn add_up(&mut self, bodies: &mut Bodies<'_>, unmoved: &Unmoved<'_>) {
        let mut now = [Vec3::ZERO; 2];
        for (row, &impulse) in self.rows[..self.count].iter().zip(&self.impulses) {
            now[0] += impulse * row.along;
            if row.along == Vec3::ZERO {
                now[1] += impulse * row.about_b;
            }
        }
        let too_much = [0, 1].map(|k| ((self.sum[k] + now[k]).length() - self.most[k]) / now[k].length());
        self.sum = [self.sum[0] + now[0], self.sum[1] + now[1]];
        let share = too_much[0].max(too_much[1]).min(1.0);
        if share > 0.0 {
            let mut speeds = self.speeds(bodies, unmoved);
            (0..self.count).for_each(|k| self.push(&mut speeds, k, -share * self.impulses[k]));
            self.write(bodies, &speeds);
            (self.locked, self.count, self.is_broken) = (0, 0, true);
        }
    }

    /// Moves both bodies so that the joint fits, in proportion to what they resist with, but not faster than what overlaps. Not by
    /// their velocities: with those, a chain of joints remembers corrections as if they were loads, and swings up.
    fn put_right(&mut self, bodies: &mut Bodies<'_>, h: f32) {
        let within = |row: &Row| {
            let most = h * if row.along == Vec3::ZERO { self.fastest[1] } else { self.fastest[0] };
            row.error.clamp(-most, most)
        };
        let mut moves = Speeds::default();
        let wrong = std::array::from_fn(|k| if k < self.locked { within(&self.rows[k]) } else { 0.0 });
        for (k, change) in self.divide(wrong).into_iter().enumerate().take(self.locked) {
            self.push(&mut moves, k, -change);
        }
        for k in self.locked..self.count {
            let error = within(&self.rows[k]) + self.rows[k].speed(&moves);
            if let Some((gives, holds)) = self.yields(k).filter(|_| error < 0.0) {
                self.push_with(&mut moves, k, -error / gives, &holds);
            }
        }
        for (side, &row) in self.sides.iter().enumerate().filter(|(_, row)| **row < UNMOVED) {
            let (pose, way, turn) =
                (&mut bodies.poses[row as usize - bodies.first], moves.velocity[side], moves.spin[side]);
            pose.position += way.as_dvec3();
            let half = 0.5 * turn.as_dvec3();
            let turned = DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * pose.orientation;
            pose.orientation = turned.normalize();
            bodies.states[row as usize - bodies.first].shift(way, turn);
        }
    }

    /// What turning adds to the speed along each row in half a substep, because ways are bent and tops wobble: without it, whatever turns
    /// about a joint would lose speed (as in RATTLE, Andersen 1983, the way ends on the circle, not on its tangent).
    fn bend(&self, speeds: &Speeds, half: f32) -> [f32; MOST_ROWS] {
        let ([va, vb], [wa, wb], [ra, rb]) = (speeds.velocity, speeds.spin, self.levers);
        let [wobble_a, wobble_b] = [0, 1].map(|side| {
            let (spin, turn) = (speeds.spin[side].as_dvec3(), self.poses[side].orientation);
            let gains = |inertia: Inertia| inertia.spin(turn, inertia.momentum(turn, spin).cross(spin)).as_vec3();
            self.inertia[side].filter(|inertia| !inertia.is_round()).map_or(Vec3::ZERO, gains)
        });
        let bent = |w: Vec3, wobble: Vec3, r: Vec3| w.cross(w.cross(r)) + wobble.cross(r);
        let bends = bent(wb, wobble_b, rb) - bent(wa, wobble_a, ra);
        let drifts = vb + wb.cross(rb) - va - wa.cross(ra);
        std::array::from_fn(|k| {
            let row = &self.rows[k];
            let n = row.along;
            if n == Vec3::ZERO {
                let axis = row.about_b;
                return half * (axis.dot(wobble_b - wobble_a) + wa.cross(axis).dot(wb - wa));
            }
            let (turns, bending) = (wa.cross(n), wa.cross(wa.cross(n)) + wobble_a.cross(n));
            half * (n.dot(bends) + 2.0 * turns.dot(drifts) + bending.dot(self.between))
        })
    }

    /// Changes impulses until the speed along every locked row is minus `bias`, and limits are kept.
    fn change(&mut self, bodies: &mut Bodies<'_>, mut speeds: Speeds, h: f32, bias: &[f32; MOST_ROWS]) {
        let wanted = std::array::from_fn(|k| if k < self.locked { self.rows[k].speed(&speeds) + bias[k] } else { 0.0 });
        for (k, change) in self.divide(wanted).into_iter().enumerate().take(self.locked) {
            self.impulses[k] -= change;
            self.push(&mut speeds, k, -change);
        }
        for (k, bias) in bias.iter().enumerate().take(self.count).skip(self.locked) {
            let Some((gives, holds)) = self.yields(k) else { continue };
            // Before a limit the two may come just so far as to reach it.
            let allowed = bias + self.rows[k].error.max(0.0) / h;
            let push = (self.impulses[k] - (self.rows[k].speed(&speeds) + allowed) / gives).max(0.0);
            let change = push - self.impulses[k];
            self.impulses[k] = push;
            for (impulse, hold) in self.impulses.iter_mut().zip(&holds).take(self.locked) {
                *impulse -= hold * change;
            }
            self.push_with(&mut speeds, k, change, &holds);
        }
        self.write(bodies, &speeds);
    }

    /// How much speed an impulse at a limit adds, and which impulses must come with it to hold what is locked; nothing if that lets
    /// nothing move.
    fn yields(&self, limit: usize) -> Option<(f32, [f32; MOST_LOCKED])> {
        let (row, masses) = (&self.rows[limit], self.masses[0] + self.masses[1]);
        let couplings: [f32; MOST_LOCKED] =
            std::array::from_fn(|k| if k < self.locked { row.coupling(&self.rows[k], masses) } else { 0.0 });
        let holds = self.divide(couplings);
        let held: f32 = holds.iter().zip(&couplings).map(|(hold, coupling)| hold * coupling).sum();
        let gives = row.coupling(row, masses) - held;
        (gives > 1e-6 * held).then_some((gives, holds))
    }

    fn push_with(&self, speeds: &mut Speeds, limit: usize, impulse: f32, holds: &[f32; MOST_LOCKED]) {
        self.push(speeds, limit, impulse);
        for (k, hold) in holds.iter().enumerate().take(self.locked) {
            self.push(speeds, k, -hold * impulse);
        }
    }

    fn push(&self, speeds: &mut Speeds, row: usize, impulse: f32) {
        let row = &self.rows[row];
        speeds.velocity[0] -= impulse * self.masses[0] * row.along;
        speeds.velocity[1] += impulse * self.masses[1] * row.along;
        speeds.spin[0] -= impulse * row.turn_a;
        speeds.spin[1] += impulse * row.turn_b;
    }

    /// The rows of what it moves, twice the same if that is one.
    pub(super) fn rows(&self) -> [usize; 2] {
        let [a, b] = self.sides;
        [if a < UNMOVED { a } else { b }, if b < UNMOVED { b } else { a }].map(|row| row as usize)
    }

    fn speeds(&self, bodies: &Bodies<'_>, unmoved: &Unmoved<'_>) -> Speeds {
        let [a, b] = self.sides.map(|side| {
            if side < UNMOVED {
                bodies.states[side as usize - bodies.first].motion()
            } else {
                unmoved.states[(side & !UNMOVED) as usize].motion()
            }
        });
        Speeds { velocity: [a.0, b.0], spin: [a.1, b.1] }
    }

    fn write(&self, bodies: &mut Bodies<'_>, speeds: &Speeds) {
        for (side, &row) in self.sides.iter().enumerate().filter(|(_, row)| **row < UNMOVED) {
            bodies.states[row as usize - bodies.first].set_motion(speeds.velocity[side], speeds.spin[side]);
        }
    }
}

/// Rows as they are gathered.
#[derive(Default)]
struct Gathered {
    rows: [Row; MOST_ROWS],
    len: usize,
}

impl Gathered {
    fn push(&mut self, row: Row) {
        self.rows[self.len] = row;
        self.len += 1;
    }
}

/// Locks a row whose least and most are one, and else puts a limit at both.
fn limit(row: Row, value: f64, [least, most]: [f64; 2], locked: &mut Gathered, limits: &mut Gathered) {
    if least == most {
        locked.push(Row { error: (value - least) as f32, ..row });
        return;
    }
    if least.is_finite() {
        limits.push(Row { error: (value - least) as f32, ..row });
    }
    if most.is_finite() {
        let [along, about_a, about_b] = [-row.along, -row.about_a, -row.about_b];
        limits.push(Row { along, about_a, about_b, error: (most - value) as f32, ..row });
    }
}
