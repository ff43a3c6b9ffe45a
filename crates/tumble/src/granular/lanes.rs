//! Four contacts at a time: numbers and vectors with four lanes.
//!
//! The arithmetic of a lane is that of a single number, bit for bit, so results do not depend on which contacts happen
//! to share a register.

use std::ops::{Add, AddAssign, Mul, Sub};

use glam::DVec3;

/// How many contacts are computed together.
pub(crate) const LANES: usize = 4;

/// One number a contact.
pub(crate) type Numbers = wide::f64x4;

/// Four vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors {
    pub(crate) x: Numbers,
    pub(crate) y: Numbers,
    pub(crate) z: Numbers,
}

impl Vectors {
    /// One vector a lane. Takes references, because copies would go through memory a second time.
    #[inline(always)]
    pub(crate) fn new(lanes: [&DVec3; LANES]) -> Self {
        Self {
            x: Numbers::new(lanes.map(|v| v.x)),
            y: Numbers::new(lanes.map(|v| v.y)),
            z: Numbers::new(lanes.map(|v| v.z)),
        }
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub(crate) fn splat(v: DVec3) -> Self {
        Self { x: Numbers::splat(v.x), y: Numbers::splat(v.y), z: Numbers::splat(v.z) }
    }

    /// The vectors of all lanes.
    #[inline(always)]
    pub(crate) fn lanes(self) -> [DVec3; LANES] {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        std::array::from_fn(|k| DVec3::new(x[k], y[k], z[k]))
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> Numbers {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The vectors of the lanes for which the mask is set, zero in the others.
    #[inline(always)]
    pub(crate) fn only(self, mask: Numbers) -> Self {
        Self { x: self.x & mask, y: self.y & mask, z: self.z & mask }
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> Numbers {
        self.dot(self)
    }
}

impl Add for Vectors {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl AddAssign for Vectors {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vectors {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Numbers> for Vectors {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: Numbers) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}
