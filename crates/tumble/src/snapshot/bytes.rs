//! Numbers as bytes, little end first, for the exact state.

use glam::{DVec3, Vec3};

use super::NotAState;
use crate::contact::SphereName;
use crate::world::BodyId;

/// Writes numbers, little end first.
pub(crate) struct Writer<'a> {
    out: &'a mut dyn FnMut(&[u8]),
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut dyn FnMut(&[u8])) -> Self {
        Self { out }
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub(crate) fn small_vec(&mut self, value: Vec3) {
        value.to_array().into_iter().for_each(|c| self.f32(c));
    }

    pub(crate) fn u32(&mut self, value: u32) {
        (self.out)(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        (self.out)(&value.to_le_bytes());
    }

    pub(crate) fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    pub(crate) fn name(&mut self, name: SphereName) {
        self.u64(name.body.number());
        self.u32(name.sphere);
    }

    pub(crate) fn vec(&mut self, value: DVec3) {
        value.to_array().into_iter().for_each(|c| self.f64(c));
    }
}

/// Reads what [`Writer`] wrote; never past the end.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Whether everything was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], NotAState> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(NotAState("it is cut off"))?;
        self.rest = rest;
        Ok(*first)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, NotAState> {
        self.bytes().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, NotAState> {
        self.bytes().map(u64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32, NotAState> {
        self.u32().map(f32::from_bits)
    }

    pub(crate) fn small_vec(&mut self) -> Result<Vec3, NotAState> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    pub(crate) fn f64(&mut self) -> Result<f64, NotAState> {
        self.u64().map(f64::from_bits)
    }

    pub(crate) fn vec(&mut self) -> Result<DVec3, NotAState> {
        Ok(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    pub(crate) fn id(&mut self) -> Result<BodyId, NotAState> {
        self.u64().map(BodyId::from_number)
    }

    pub(crate) fn name(&mut self) -> Result<SphereName, NotAState> {
        Ok(SphereName { body: self.id()?, sphere: self.u32()? })
    }

    /// A counted list of items of `size` bytes each.
    pub(crate) fn list<T>(
        &mut self,
        size: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, NotAState>,
    ) -> Result<Vec<T>, NotAState> {
        let count = self.u64()? as usize;
        // A count that the rest cannot hold must not reserve memory for it.
        if count > self.rest.len() / size {
            return Err(NotAState("it is cut off"));
        }
        (0..count).map(|_| item(self)).collect()
    }
}
