//! Eight contacts at a time (wide types, suffix `W`), in single precision: what is solved within a
//! step is small and relative to its start, so nothing is lost, and a register holds twice as many
//! contacts.

use glam::{Mat3, Quat, Vec3};

use crate::lanes::VectorsOf;
use crate::world::Motion;

/// Number of contacts that are solved together.
pub(super) const LANES: usize = 8;

/// One number per lane.
pub(super) type FloatW = wide::f32x8;

/// One vector per lane.
pub(super) type Vec3W = VectorsOf<FloatW>;

impl Vec3W {
    /// Puts a vector into one lane.
    pub(super) fn set(&mut self, lane: usize, v: Vec3) {
        self.x.as_mut_array()[lane] = v.x;
        self.y.as_mut_array()[lane] = v.y;
        self.z.as_mut_array()[lane] = v.z;
    }

    /// The vector of one lane.
    pub(super) fn get(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.as_array()[lane], self.y.as_array()[lane], self.z.as_array()[lane])
    }
}

/// One symmetric matrix per lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SymMat3W {
    diagonal: Vec3W,
    /// Entries yz, zx, xy.
    mixed: Vec3W,
}

impl SymMat3W {
    /// Matrix times vector.
    #[inline(always)]
    pub(super) fn times(&self, v: Vec3W) -> Vec3W {
        let (d, m) = (&self.diagonal, &self.mixed);
        Vec3W {
            x: d.x * v.x + m.z * v.y + m.y * v.z,
            y: m.z * v.x + d.y * v.y + m.x * v.z,
            z: m.y * v.x + m.x * v.y + d.z * v.z,
        }
    }

    /// Puts a matrix into one lane.
    pub(super) fn set(&mut self, lane: usize, m: &Mat3) {
        self.diagonal.set(lane, Vec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z));
        self.mixed.set(lane, Vec3::new(m.y_axis.z, m.z_axis.x, m.x_axis.y));
    }
}

/// One unit quaternion per lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuatW {
    axis: Vec3W,
    w: FloatW,
}

impl QuatW {
    /// Rotates a vector.
    #[inline(always)]
    pub(super) fn times(&self, v: Vec3W) -> Vec3W {
        let twice = self.axis.cross(v) * FloatW::splat(2.0);
        v + twice * self.w + self.axis.cross(twice)
    }
}

/// The state of a body or obstacle within a step: two registers that contacts gather and scatter.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyState {
    /// Velocity, a zero, spin, a zero.
    motion: FloatW,
    /// Displacement since the step began, a zero, and rotation since then.
    displacement: FloatW,
}

impl BodyState {
    /// A body with this motion when the step begins.
    pub(super) fn of(motion: &Motion) -> Self {
        Self::new(motion.velocity.as_vec3(), motion.spin.as_vec3())
    }

    /// A body with this velocity \[m/s\] and spin \[rad/s\] when the step begins.
    pub(super) fn new(velocity: Vec3, spin: Vec3) -> Self {
        let mut state = Self { motion: FloatW::ZERO, displacement: FloatW::ZERO };
        state.set_motion(velocity, spin);
        state.set_displacement(Vec3::ZERO, Quat::IDENTITY);
        state
    }

    /// Sets velocity \[m/s\] and spin \[rad/s\].
    #[inline(always)]
    pub(super) fn set_motion(&mut self, v: Vec3, w: Vec3) {
        self.motion = FloatW::new([v.x, v.y, v.z, 0.0, w.x, w.y, w.z, 0.0]);
    }

    /// Sets displacement \[m\] and rotation since the step began.
    #[inline(always)]
    pub(super) fn set_displacement(&mut self, d: Vec3, q: Quat) {
        self.displacement = FloatW::new([d.x, d.y, d.z, 0.0, q.x, q.y, q.z, q.w]);
    }

    /// Rotation since the step began.
    pub(super) fn rotation(&self) -> Quat {
        let [_, _, _, _, x, y, z, w] = self.displacement.to_array();
        Quat::from_xyzw(x, y, z, w)
    }

    /// Moves it by a small displacement \[m\] and rotation vector \[rad\].
    pub(super) fn shift(&mut self, displacement: Vec3, rotation: Vec3) {
        let [x, y, z, _, qx, qy, qz, w] = self.displacement.to_array();
        let half = 0.5 * rotation;
        let rotated = Quat::from_xyzw(half.x, half.y, half.z, 1.0) * Quat::from_xyzw(qx, qy, qz, w);
        self.set_displacement(Vec3::new(x, y, z) + displacement, rotated.normalize());
    }

    /// Velocity \[m/s\] and spin \[rad/s\].
    #[inline(always)]
    pub(super) fn motion(&self) -> (Vec3, Vec3) {
        let [vx, vy, vz, _, wx, wy, wz, _] = self.motion.to_array();
        (Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz))
    }
}

/// Velocities and spins of eight bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotionW {
    pub(super) velocity: Vec3W,
    pub(super) spin: Vec3W,
}

impl MotionW {
    /// Gathers the motion of eight bodies.
    #[inline(always)]
    pub(super) fn of(states: [&BodyState; LANES]) -> Self {
        let [a, b, c, d, e, f, g, h] = states;
        let bodies = [a.motion, b.motion, c.motion, d.motion, e.motion, f.motion, g.motion, h.motion];
        let [vx, vy, vz, _, wx, wy, wz, _] = FloatW::transpose(bodies);
        Self { velocity: Vec3W { x: vx, y: vy, z: vz }, spin: Vec3W { x: wx, y: wy, z: wz } }
    }

    /// One register per body, as in [`BodyState`].
    #[inline(always)]
    pub(super) fn registers(self) -> [FloatW; LANES] {
        let (v, w) = (self.velocity, self.spin);
        FloatW::transpose([v.x, v.y, v.z, FloatW::ZERO, w.x, w.y, w.z, FloatW::ZERO])
    }

    /// Velocity of the point of each body at `anchor` from its centre.
    #[inline(always)]
    pub(super) fn at(&self, anchor: Vec3W) -> Vec3W {
        self.velocity + self.spin.cross(anchor)
    }
}

/// Scatters one of [`MotionW::registers`].
#[inline(always)]
pub(super) fn write_motion(state: &mut BodyState, register: FloatW) {
    state.motion = register;
}

/// Displacements and rotations of eight bodies since the step began.
#[derive(Clone, Copy, Debug)]
pub(super) struct DisplacementW {
    pub(super) displacement: Vec3W,
    pub(super) rotation: QuatW,
}

impl DisplacementW {
    /// Gathers the displacements of eight bodies.
    #[inline(always)]
    pub(super) fn of(states: [&BodyState; LANES]) -> Self {
        let [x, y, z, _, qx, qy, qz, w] = FloatW::transpose([
            states[0].displacement,
            states[1].displacement,
            states[2].displacement,
            states[3].displacement,
            states[4].displacement,
            states[5].displacement,
            states[6].displacement,
            states[7].displacement,
        ]);
        Self { displacement: Vec3W { x, y, z }, rotation: QuatW { axis: Vec3W { x: qx, y: qy, z: qz }, w } }
    }
}
