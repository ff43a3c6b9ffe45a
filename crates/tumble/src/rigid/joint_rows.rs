//! The constraint rows J of a joint: degrees of freedom that it locks or limits.
//!
//! Reads the kind of a joint and the poses of its two sides; makes rows. A row is one relative
//! motion of frame B against frame A. The locked rows have a Cholesky factor of K = J M⁻¹ Jᵀ, so
//! that they are solved together and exactly.

use glam::{Mat3, Vec3};

use super::solve::InverseMass;
use crate::world::{FREE, Inertia, JointKind, MOST_ROWS, Pose};

/// The largest number of locked rows.
const MAX_LOCKED: usize = 6;

/// One constraint row: a relative motion of frame B against frame A.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ConstraintRow {
    /// Direction of a translation; zero for a rotation.
    pub(super) along: Vec3,
    /// Angular Jacobians: the row's velocity is along · (vB − vA) + about_b · ωB − about_a · ωA.
    about_a: Vec3,
    pub(super) about_b: Vec3,
    /// I⁻¹ times the angular Jacobians: spin that a unit impulse gives.
    turn_a: Vec3,
    turn_b: Vec3,
    /// Position error of a locked row, or distance to a limit \[m or rad\].
    pub(super) error: f32,
}

/// All rows of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointRows {
    /// Rows, locked ones first.
    pub(super) list: [ConstraintRow; MOST_ROWS],
    pub(super) locked: usize,
    pub(super) count: usize,
    factor: [[f32; MAX_LOCKED]; MAX_LOCKED],
    inverse_masses: [f32; 2],
    /// Anchors: from the centres of A and B to their frames, and from frame A to frame B \[m\].
    anchors: [Vec3; 2],
    between: Vec3,
}

/// Both sides of a joint as they are now; a static side has no inertia.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointSides {
    pub(super) poses: [Pose; 2],
    pub(super) inertia: [Option<Inertia>; 2],
}

/// Velocities and spins of both bodies.
#[derive(Default)]
pub(super) struct JointVelocities {
    pub(super) velocity: [Vec3; 2],
    pub(super) spin: [Vec3; 2],
}

impl ConstraintRow {
    /// Velocity along the row \[m/s or rad/s\].
    pub(super) fn velocity(&self, velocities: &JointVelocities) -> f32 {
        let [va, vb] = velocities.velocity;
        self.along.dot(vb - va) + self.about_b.dot(velocities.spin[1]) - self.about_a.dot(velocities.spin[0])
    }

    /// Entry of K: velocity along this row that a unit impulse along another one gives.
    fn coupling(&self, other: &Self, masses: f32) -> f32 {
        masses * self.along.dot(other.along) + self.about_a.dot(other.turn_a) + self.about_b.dot(other.turn_b)
    }
}

impl JointRows {
    /// Makes the rows for the present poses, and factorises the locked ones.
    pub(super) fn update(&mut self, kind: &JointKind, frames: &[Pose; 2], sides: &JointSides) {
        let [a, b] = [0, 1].map(|side| sides.poses[side].of(&frames[side]));
        // Impulses act at frame B on both bodies: so they conserve angular momentum.
        let between = (b.position - a.position).as_vec3();
        let anchors = [0, 1].map(|side| (b.position - sides.poses[side].position).as_vec3());
        (self.between, self.anchors) = (between, [anchors[0] - between, anchors[1]]);
        let (mut locked, mut limits) = (RowBuffer::default(), RowBuffer::default());
        let (travel, turns, swing) = match *kind {
            JointKind::Fixed => ([0.0; 2], [0.0; 2], None),
            JointKind::Hinge { turn } => ([0.0; 2], turn, None),
            JointKind::Slider { travel, turn } => (travel, turn, None),
            JointKind::Ball { swing } => ([0.0; 2], FREE, Some(swing)),
        };
        add_translations(&a, between, anchors, travel, &mut locked, &mut limits);
        match swing {
            None => add_rotations(&a, &b, turns, &mut locked, &mut limits),
            Some(swing) => add_swing(&a, &b, swing, &mut limits),
        }
        (self.locked, self.count) = (locked.len, locked.len + limits.len);
        self.list[..locked.len].copy_from_slice(&locked.rows[..locked.len]);
        self.list[locked.len..self.count].copy_from_slice(&limits.rows[..limits.len]);

        let inverse = [0, 1].map(|side| {
            let rotation = Mat3::from_quat(sides.poses[side].orientation.as_quat());
            sides.inertia[side].map_or(InverseMass::ZERO, |inertia| InverseMass::of(&inertia, &rotation))
        });
        self.inverse_masses = [inverse[0].mass, inverse[1].mass];
        for row in &mut self.list[..self.count] {
            row.turn_a = inverse[0].inertia * row.about_a;
            row.turn_b = inverse[1].inertia * row.about_b;
        }
        self.factorise();
    }

    /// Cholesky factor L of K = L Lᵀ over the locked rows, with inverted diagonal.
    fn factorise(&mut self) {
        let masses = self.inverse_masses[0] + self.inverse_masses[1];
        for i in 0..self.locked {
            for j in 0..=i {
                let dot: f32 = (0..j).map(|k| self.factor[i][k] * self.factor[j][k]).sum();
                let rest = self.list[i].coupling(&self.list[j], masses) - dot;
                // A redundant row gets no impulse.
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

    /// Solves K x = v for the locked rows.
    pub(super) fn solve_locked(&self, mut v: [f32; MAX_LOCKED]) -> [f32; MAX_LOCKED] {
        let (n, l) = (self.locked, &self.factor);
        for i in 0..n {
            v[i] = (v[i] - (0..i).map(|k| l[i][k] * v[k]).sum::<f32>()) * l[i][i];
        }
        for i in (0..n).rev() {
            v[i] = (v[i] - (i + 1..n).map(|k| l[k][i] * v[k]).sum::<f32>()) * l[i][i];
        }
        v
    }

    /// Velocity that curved paths and gyroscopic wobble add along each row in half a substep.
    /// Without this bias a body that turns about a joint would lose speed: as in RATTLE (Andersen
    /// 1983), its path ends on the circle, not on the tangent.
    pub(super) fn curvature_bias(
        &self,
        sides: &JointSides,
        velocities: &JointVelocities,
        half: f32,
    ) -> [f32; MOST_ROWS] {
        let ([va, vb], [wa, wb], [ra, rb]) = (velocities.velocity, velocities.spin, self.anchors);
        let [wobble_a, wobble_b] = [0, 1].map(|side| {
            let (spin, turn) = (velocities.spin[side].as_dvec3(), sides.poses[side].orientation);
            let gains = |inertia: Inertia| inertia.spin(turn, inertia.momentum(turn, spin).cross(spin)).as_vec3();
            sides.inertia[side].filter(|inertia| !inertia.is_round()).map_or(Vec3::ZERO, gains)
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

    /// Inverse effective mass of a limit row after eliminating the locked rows (Schur complement),
    /// and the locked impulses that go with a unit limit impulse; `None` if it has no freedom left.
    pub(super) fn limit_mass(&self, limit: usize) -> Option<(f32, [f32; MAX_LOCKED])> {
        let (row, masses) = (&self.list[limit], self.inverse_masses[0] + self.inverse_masses[1]);
        let couplings: [f32; MAX_LOCKED] =
            std::array::from_fn(|k| if k < self.locked { row.coupling(&self.list[k], masses) } else { 0.0 });
        let holds = self.solve_locked(couplings);
        let held: f32 = holds.iter().zip(&couplings).map(|(hold, coupling)| hold * coupling).sum();
        let inverse_mass = row.coupling(row, masses) - held;
        (inverse_mass > 1e-6 * held).then_some((inverse_mass, holds))
    }

    /// Applies an impulse at a limit, with the impulses of locked rows that go with it.
    pub(super) fn apply_limit(
        &self,
        velocities: &mut JointVelocities,
        limit: usize,
        impulse: f32,
        holds: &[f32; MAX_LOCKED],
    ) {
        self.apply(velocities, limit, impulse);
        for (k, hold) in holds.iter().enumerate().take(self.locked) {
            self.apply(velocities, k, -hold * impulse);
        }
    }

    /// Applies an impulse along a row to B, and the opposite to A.
    pub(super) fn apply(&self, velocities: &mut JointVelocities, row: usize, impulse: f32) {
        let row = &self.list[row];
        velocities.velocity[0] -= impulse * self.inverse_masses[0] * row.along;
        velocities.velocity[1] += impulse * self.inverse_masses[1] * row.along;
        velocities.spin[0] -= impulse * row.turn_a;
        velocities.spin[1] += impulse * row.turn_b;
    }
}

/// Rows that are being collected.
#[derive(Default)]
struct RowBuffer {
    rows: [ConstraintRow; MOST_ROWS],
    len: usize,
}

impl RowBuffer {
    fn push(&mut self, row: ConstraintRow) {
        self.rows[self.len] = row;
        self.len += 1;
    }
}

/// The axes of a frame in the world.
fn axes(frame: &Pose) -> [Vec3; 3] {
    let rotation = Mat3::from_quat(frame.orientation.as_quat());
    [rotation.x_axis, rotation.y_axis, rotation.z_axis]
}

/// Locks translations across the z axis of frame A, and locks or limits that along it.
fn add_translations(
    a: &Pose,
    between: Vec3,
    anchors: [Vec3; 2],
    travel: [f64; 2],
    locked: &mut RowBuffer,
    limits: &mut RowBuffer,
) {
    let [x, y, z] = axes(a);
    let row = |direction: Vec3, error: f32| ConstraintRow {
        along: direction,
        about_a: anchors[0].cross(direction),
        about_b: anchors[1].cross(direction),
        error,
        ..ConstraintRow::default()
    };
    locked.push(row(x, between.dot(x)));
    locked.push(row(y, between.dot(y)));
    limit(row(z, 0.0), f64::from(between.dot(z)), travel, locked, limits);
}

/// A row of rotation about an axis.
fn rotation(axis: Vec3, error: f32) -> ConstraintRow {
    ConstraintRow { about_a: axis, about_b: axis, error, ..ConstraintRow::default() }
}

/// Locks rotations that tilt the z axes of both frames, and locks or limits the turn about them.
fn add_rotations(a: &Pose, b: &Pose, turns: [f64; 2], locked: &mut RowBuffer, limits: &mut RowBuffer) {
    let ([x, y, z], [.., other_z]) = (axes(a), axes(b));
    let tilt = z.cross(other_z);
    locked.push(rotation(x, tilt.dot(x)));
    locked.push(rotation(y, tilt.dot(y)));
    if turns != FREE {
        let twisted = a.orientation.conjugate() * b.orientation;
        let angle = 2.0 * twisted.z.atan2(twisted.w);
        let angle = angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round();
        limit(rotation(z, 0.0), angle, turns, locked, limits);
    }
}

/// Limits the angle θ between the z axes of both frames to `swing` \[rad\]. Near the limit,
/// (cos θ − cos swing) / sin θ is the angle that is left.
fn add_swing(a: &Pose, b: &Pose, swing: f64, limits: &mut RowBuffer) {
    let ([.., z], [.., other_z]) = (axes(a), axes(b));
    let tilt = z.cross(other_z);
    if swing.is_finite() && tilt.length_squared() > 1e-12 {
        let sine = tilt.length();
        limits.push(rotation(tilt / -sine, (z.dot(other_z) - swing.cos() as f32) / sine));
    }
}

/// Locks a row whose bounds coincide, else adds a limit row for each finite bound.
fn limit(row: ConstraintRow, value: f64, [least, most]: [f64; 2], locked: &mut RowBuffer, limits: &mut RowBuffer) {
    if least == most {
        locked.push(ConstraintRow { error: (value - least) as f32, ..row });
        return;
    }
    if least.is_finite() {
        limits.push(ConstraintRow { error: (value - least) as f32, ..row });
    }
    if most.is_finite() {
        let [along, about_a, about_b] = [-row.along, -row.about_a, -row.about_b];
        limits.push(ConstraintRow { along, about_a, about_b, error: (most - value) as f32, ..row });
    }
}
