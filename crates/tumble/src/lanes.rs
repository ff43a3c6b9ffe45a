//! Numbers and vectors with lanes (SIMD), one contact per lane: four lanes here, eight in
//! `rigid/lanes.rs`.
//!
//! The arithmetic of a lane is that of a single number, bit for bit, so results do not depend on
//! which contacts share a register.

use std::ops::{Add, Mul, Sub};

use glam::DVec3;

/// Number of contacts that are computed together.
pub(crate) const LANES: usize = 4;

/// One number per lane.
pub(crate) type Numbers = wide::f64x4;

/// A vector and a number, in one register.
pub(crate) type Register = wide::f64x4;

/// One vector per lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VectorsOf<N> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) z: N,
}

/// Four vectors.
pub(crate) type Vectors = VectorsOf<Numbers>;

impl Vectors {
    pub(crate) const ZERO: Self = Self { x: Numbers::ZERO, y: Numbers::ZERO, z: Numbers::ZERO };

    /// One vector per lane. Takes references, because copies would go through memory a second time.
    #[inline(always)]
    pub(crate) fn new(lanes: [&DVec3; LANES]) -> Self {
        Self {
            x: Numbers::new(lanes.map(|v| v.x)),
            y: Numbers::new(lanes.map(|v| v.y)),
            z: Numbers::new(lanes.map(|v| v.z)),
        }
    }

    /// One vector per lane, and the number after it, from rows.
    #[inline(always)]
    pub(crate) fn from_rows(rows: [Register; LANES]) -> (Self, Numbers) {
        let [x, y, z, number] = Register::transpose(rows);
        (Self { x, y, z }, number)
    }

    /// The vectors of all lanes, each as a row that ends with a zero.
    #[inline(always)]
    pub(crate) fn rows(self) -> [Register; LANES] {
        Register::transpose([self.x, self.y, self.z, Register::ZERO])
    }

    /// The vectors of all lanes.
    #[inline(always)]
    pub(crate) fn lanes(self) -> [DVec3; LANES] {
        self.rows().map(vector)
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> Numbers {
        self.dot(self)
    }
}

/// The row of a vector and a number.
#[inline(always)]
pub(crate) fn row(v: DVec3, number: f64) -> Register {
    Register::new([v.x, v.y, v.z, number])
}

/// The last number of a row.
#[inline(always)]
pub(crate) fn last(row: Register) -> f64 {
    row.to_array()[3]
}

/// The vector in the first three numbers of a row.
#[inline(always)]
pub(crate) fn vector(row: Register) -> DVec3 {
    let [x, y, z, _] = row.to_array();
    DVec3::new(x, y, z)
}

impl<N: Copy + Add<Output = N> + Sub<Output = N> + Mul<Output = N>> VectorsOf<N> {
    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> N {
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
}

impl<N: Add<Output = N>> Add for VectorsOf<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<N: Sub<Output = N>> Sub for VectorsOf<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<N: Copy + Mul<Output = N>> Mul<N> for VectorsOf<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: N) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}
