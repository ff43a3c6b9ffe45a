//! What a joint forbids, as rows of relative motion.
//!
//! Reads the kind of a joint and where its two ends are; makes rows. A row is one motion of the second frame against the first. Those that
//! are locked have a Cholesky factor of their K = J M⁻¹ Jᵀ, so that they are solved together and exactly.

use glam::{Mat3, Vec3};

use super::solve::Resistance;
use crate::world::{FREE, Inertia, JointKind, MOST_ROWS, Pose};

/// How many rows can be locked.
const MOST_LOCKED: usize = 6;

/// One motion of the second frame against the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// Direction, for what moves along; zero for what turns.
    pub(super) along: Vec3,
    /// What spin of the first and of the second body adds to its speed.
    about_a: Vec3,
    pub(super) about_b: Vec3,
    /// What an impulse adds to their spins.
    turn_a: Vec3,
    turn_b: Vec3,
    /// How far it is from where it should be; of a limit, how far from it \[m or rad\].
    pub(super) error: f32,
}

/// All rows of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rows {
    /// Rows, first those that are locked.
    pub(super) list: [Row; MOST_ROWS],
    pub(super) locked: usize,
    pub(super) count: usize,
    factor: [[f32; MOST_LOCKED]; MOST_LOCKED],
    inverse_masses: [f32; 2],
    /// From centres to the places of the frames, and between these.
    levers: [Vec3; 2],
    between: Vec3,
}

/// The two that a joint holds together, as they are now; what nothing moves has no inertia.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) poses: [Pose; 2],
    pub(super) inertia: [Option<Inertia>; 2],
}

/// Velocities and spins of both bodies.
#[derive(Default)]
pub(super) struct Speeds {
    pub(super) velocity: [Vec3; 2],
    pub(super) spin: [Vec3; 2],
}

impl Row {
    /// How fast the two move so.
    pub(super) fn speed(&self, speeds: &Speeds) -> f32 {
        let [va, vb] = speeds.velocity;
        self.along.dot(vb - va) + self.about_b.dot(speeds.spin[1]) - self.about_a.dot(speeds.spin[0])
    }

    /// What an impulse along another row adds to the speed along this one.
    fn coupling(&self, other: &Self, masses: f32) -> f32 {
        masses * self.along.dot(other.along) + self.about_a.dot(other.turn_a) + self.about_b.dot(other.turn_b)
    }
}

impl Rows {
    /// Rows where the two are now, and the factor of those that are locked.
    pub(super) fn see(&mut self, kind: &JointKind, frames: &[Pose; 2], ends: &Ends) {
        let [a, b] = [0, 1].map(|side| ends.poses[side].of(&frames[side]));
        let axes = |pose: &Pose| {
            let turn = Mat3::from_quat(pose.orientation.as_quat());
            [turn.x_axis, turn.y_axis, turn.z_axis]
        };
        let ([x, y, z], [.., other_z]) = (axes(&a), axes(&b));
        // Impulses act at the place of the second frame on both: so they keep angular momentum.
        let between = (b.position - a.position).as_vec3();
        let levers = [0, 1].map(|side| (b.position - ends.poses[side].position).as_vec3());
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

        let (travel, turns, swing) = match *kind {
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
        self.list[..locked.len].copy_from_slice(&locked.rows[..locked.len]);
        self.list[locked.len..self.count].copy_from_slice(&limits.rows[..limits.len]);

        let resistances = [0, 1].map(|side| {
            let turn = Mat3::from_quat(ends.poses[side].orientation.as_quat());
            ends.inertia[side].map_or(Resistance::INFINITE, |inertia| Resistance::of(&inertia, &turn))
        });
        self.inverse_masses = [resistances[0].inverse_mass, resistances[1].inverse_mass];
        for row in &mut self.list[..self.count] {
            row.turn_a = resistances[0].inverse_inertia * row.about_a;
            row.turn_b = resistances[1].inverse_inertia * row.about_b;
        }
        self.factorise();
    }

    /// L of K = L Lᵀ over the locked rows, with inverse diagonal.
    fn factorise(&mut self) {
        let masses = self.inverse_masses[0] + self.inverse_masses[1];
        for i in 0..self.locked {
            for j in 0..=i {
                let dot: f32 = (0..j).map(|k| self.factor[i][k] * self.factor[j][k]).sum();
                let rest = self.list[i].coupling(&self.list[j], masses) - dot;
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
    pub(super) fn divide(&self, mut v: [f32; MOST_LOCKED]) -> [f32; MOST_LOCKED] {
        let (n, l) = (self.locked, &self.factor);
        for i in 0..n {
            v[i] = (v[i] - (0..i).map(|k| l[i][k] * v[k]).sum::<f32>()) * l[i][i];
        }
        for i in (0..n).rev() {
            v[i] = (v[i] - (i + 1..n).map(|k| l[k][i] * v[k]).sum::<f32>()) * l[i][i];
        }
        v
    }

    /// What turning adds to the speed along each row in half a substep, because ways are bent and tops wobble: without it, whatever turns
    /// about a joint would lose speed (as in RATTLE, Andersen 1983, the way ends on the circle, not on its tangent).
    pub(super) fn bend(&self, ends: &Ends, speeds: &Speeds, half: f32) -> [f32; MOST_ROWS] {
        let ([va, vb], [wa, wb], [ra, rb]) = (speeds.velocity, speeds.spin, self.levers);
        let [wobble_a, wobble_b] = [0, 1].map(|side| {
            let (spin, turn) = (speeds.spin[side].as_dvec3(), ends.poses[side].orientation);
            let gains = |inertia: Inertia| inertia.spin(turn, inertia.momentum(turn, spin).cross(spin)).as_vec3();
            ends.inertia[side].filter(|inertia| !inertia.is_round()).map_or(Vec3::ZERO, gains)
        });
        let bent = |w: Vec3, wobble: Vec3, r: Vec3| w.cross(w.cross(r)) + wobble.cross(r);
        let bends = bent(wb, wobble_b, rb) - bent(wa, wobble_a, ra);
        let drifts = vb + wb.cross(rb) - va - wa.cross(ra);
        std::array::from_fn(|k| {
            let row = &self.list[k];
            let n = row.along;
            if n == Vec3::ZERO {
                let axis = row.about_b;
                return half * (axis.dot(wobble_b - wobble_a) + wa.cross(axis).dot(wb - wa));
            }
            let (turns, bending) = (wa.cross(n), wa.cross(wa.cross(n)) + wobble_a.cross(n));
            half * (n.dot(bends) + 2.0 * turns.dot(drifts) + bending.dot(self.between))
        })
    }

    /// How much speed an impulse at a limit adds, and which impulses must come with it to hold what is locked; nothing if that lets
    /// nothing move.
    pub(super) fn yields(&self, limit: usize) -> Option<(f32, [f32; MOST_LOCKED])> {
        let (row, masses) = (&self.list[limit], self.inverse_masses[0] + self.inverse_masses[1]);
        let couplings: [f32; MOST_LOCKED] =
            std::array::from_fn(|k| if k < self.locked { row.coupling(&self.list[k], masses) } else { 0.0 });
        let holds = self.divide(couplings);
        let held: f32 = holds.iter().zip(&couplings).map(|(hold, coupling)| hold * coupling).sum();
        let gives = row.coupling(row, masses) - held;
        (gives > 1e-6 * held).then_some((gives, holds))
    }

    /// Gives an impulse at a limit, with those that hold what is locked.
    pub(super) fn push_with(&self, speeds: &mut Speeds, limit: usize, impulse: f32, holds: &[f32; MOST_LOCKED]) {
        self.push(speeds, limit, impulse);
        for (k, hold) in holds.iter().enumerate().take(self.locked) {
            self.push(speeds, k, -hold * impulse);
        }
    }

    /// Gives the second body an impulse along a row, and the first the opposite.
    pub(super) fn push(&self, speeds: &mut Speeds, row: usize, impulse: f32) {
        let row = &self.list[row];
        speeds.velocity[0] -= impulse * self.inverse_masses[0] * row.along;
        speeds.velocity[1] += impulse * self.inverse_masses[1] * row.along;
        speeds.spin[0] -= impulse * row.turn_a;
        speeds.spin[1] += impulse * row.turn_b;
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
