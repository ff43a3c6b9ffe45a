//! Eight contacts at a time, in single precision: what is solved within a step is small and relative to its start, so nothing is
//! lost, and a register holds twice as many contacts.

use glam::{Mat3, Quat, Vec3};

use crate::lanes::VectorsOf;
use crate::world::Motion;

/// How many contacts are solved together.
pub(super) const LANES: usize = 8;

/// One number a contact.
pub(super) type Numbers = wide::f32x8;

/// One vector a contact.
pub(super) type Vectors = VectorsOf<Numbers>;

impl Vectors {
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

/// One symmetric tensor a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tensors {
    diagonal: Vectors,
    /// yz, zx, xy.
    mixed: Vectors,
}

impl Tensors {
    #[inline(always)]
    pub(super) fn times(&self, v: Vectors) -> Vectors {
        let (d, m) = (&self.diagonal, &self.mixed);
        Vectors {
            x: d.x * v.x + m.z * v.y + m.y * v.z,
            y: m.z * v.x + d.y * v.y + m.x * v.z,
            z: m.y * v.x + m.x * v.y + d.z * v.z,
        }
    }

    /// Puts a tensor into one lane.
    pub(super) fn set(&mut self, lane: usize, m: &Mat3) {
        self.diagonal.set(lane, Vec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z));
        self.mixed.set(lane, Vec3::new(m.y_axis.z, m.z_axis.x, m.x_axis.y));
    }
}

/// One rotation a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    axis: Vectors,
    w: Numbers,
}

impl Turns {
    #[inline(always)]
    pub(super) fn times(&self, v: Vectors) -> Vectors {
        let twice = self.axis.cross(v) * Numbers::splat(2.0);
        v + twice * self.w + self.axis.cross(twice)
    }
}

/// A body or obstacle as contacts see it within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Velocity, a zero, spin, a zero.
    motion: Numbers,
    /// How far it has come since the step began, a zero, and how it has turned.
    way: Numbers,
}

impl State {
    /// A body with this motion where the step began.
    pub(super) fn of(motion: &Motion) -> Self {
        Self::new(motion.velocity.as_vec3(), motion.spin.as_vec3())
    }

    pub(super) fn new(velocity: Vec3, spin: Vec3) -> Self {
        let mut state = Self { motion: Numbers::ZERO, way: Numbers::ZERO };
        state.set_motion(velocity, spin);
        state.set_way(Vec3::ZERO, Quat::IDENTITY);
        state
    }

    #[inline(always)]
    pub(super) fn set_motion(&mut self, v: Vec3, w: Vec3) {
        self.motion = Numbers::new([v.x, v.y, v.z, 0.0, w.x, w.y, w.z, 0.0]);
    }

    #[inline(always)]
    pub(super) fn set_way(&mut self, way: Vec3, turn: Quat) {
        self.way = Numbers::new([way.x, way.y, way.z, 0.0, turn.x, turn.y, turn.z, turn.w]);
    }

    /// How it has turned since the step began.
    pub(super) fn turn(&self) -> Quat {
        let [_, _, _, _, x, y, z, w] = self.way.to_array();
        Quat::from_xyzw(x, y, z, w)
    }

    /// Moves it on by a little.
    pub(super) fn shift(&mut self, way: Vec3, turn: Vec3) {
        let [x, y, z, _, qx, qy, qz, w] = self.way.to_array();
        let half = 0.5 * turn;
        let turned = Quat::from_xyzw(half.x, half.y, half.z, 1.0) * Quat::from_xyzw(qx, qy, qz, w);
        self.set_way(Vec3::new(x, y, z) + way, turned.normalize());
    }

    /// Velocity and spin.
    #[inline(always)]
    pub(super) fn motion(&self) -> (Vec3, Vec3) {
        let [vx, vy, vz, _, wx, wy, wz, _] = self.motion.to_array();
        (Vec3::new(vx, vy, vz), Vec3::new(wx, wy, wz))
    }
}

/// Velocities and spins of eight bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motions {
    pub(super) velocity: Vectors,
    pub(super) spin: Vectors,
}

impl Motions {
    #[inline(always)]
    pub(super) fn of(states: [&State; LANES]) -> Self {
        let [a, b, c, d, e, f, g, h] = states;
        let rows = [a.motion, b.motion, c.motion, d.motion, e.motion, f.motion, g.motion, h.motion];
        let [vx, vy, vz, _, wx, wy, wz, _] = Numbers::transpose(rows);
        Self { velocity: Vectors { x: vx, y: vy, z: vz }, spin: Vectors { x: wx, y: wy, z: wz } }
    }

    /// One row a body, as in [`State`].
    #[inline(always)]
    pub(super) fn rows(self) -> [Numbers; LANES] {
        let (v, w) = (self.velocity, self.spin);
        Numbers::transpose([v.x, v.y, v.z, Numbers::ZERO, w.x, w.y, w.z, Numbers::ZERO])
    }

    /// Velocity of a point of each body at `lever` from its centre.
    #[inline(always)]
    pub(super) fn at(&self, lever: Vectors) -> Vectors {
        self.velocity + self.spin.cross(lever)
    }
}

/// Writes a row of [`Motions::rows`] back.
#[inline(always)]
pub(super) fn write_motion(state: &mut State, row: Numbers) {
    state.motion = row;
}

/// How far eight bodies have come since the step began, and how they have turned.
#[inline(always)]
pub(super) fn ways(states: [&State; LANES]) -> (Vectors, Turns) {
    let [a, b, c, d, e, f, g, h] = states;
    let rows = [a.way, b.way, c.way, d.way, e.way, f.way, g.way, h.way];
    let [x, y, z, _, qx, qy, qz, w] = Numbers::transpose(rows);
    (Vectors { x, y, z }, Turns { axis: Vectors { x: qx, y: qy, z: qz }, w })
}
