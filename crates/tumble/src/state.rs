//! The form of values in a saved state, described once for writing, reading and hashing.
//!
//! A value implements [`State`]. A record names its fields with [`record!`] in the order of their
//! bytes; a field that is forgotten does not compile. An owner of state has one function over a
//! [`StateIo`], in the order of its bytes: a [`Writer`] takes what it is given, to files or hashes,
//! a [`Reader`] gives what was written in its place. Numbers have the little end first.

use std::convert::Infallible;

use glam::{DQuat, DVec2, DVec3, Vec3};

use crate::world::{BodyId, JointId, MaterialId, ShapeId};

/// Why bytes are not a state of this simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAState(pub(crate) &'static str);

impl std::fmt::Display for NotAState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the saved state does not belong to this simulation: {}", self.0)
    }
}

impl std::error::Error for NotAState {}

/// A value with a form in bytes.
pub(crate) trait State: Sized {
    fn write(&self, to: &mut Writer<'_>);
    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState>;
}

/// Goes through the state of an owner in the order of its bytes.
pub(crate) trait StateIo {
    /// Why it can end early.
    type Problem;

    /// Marks the layout with a version; a state with another one is refused for this reason.
    fn version(&mut self, version: u32, reason: &'static str) -> Result<(), Self::Problem>;

    /// Writes the present value and gives back nothing of use, or gives the one that was written.
    fn value<T: State + Default>(&mut self, present: &T) -> Result<T, Self::Problem>;

    /// The same for so many items, which are made only while they are written.
    fn list<T: State>(&mut self, count: usize, present: impl Iterator<Item = T>) -> Result<Vec<T>, Self::Problem>;
}

/// Writes bytes to wherever they go. This cannot fail.
pub(crate) struct Writer<'a> {
    out: &'a mut dyn FnMut(&[u8]),
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut dyn FnMut(&[u8])) -> Self {
        Self { out }
    }
}

impl StateIo for Writer<'_> {
    type Problem = Infallible;

    fn version(&mut self, version: u32, _: &'static str) -> Result<(), Infallible> {
        version.write(self);
        Ok(())
    }

    fn value<T: State + Default>(&mut self, present: &T) -> Result<T, Infallible> {
        present.write(self);
        Ok(T::default())
    }

    fn list<T: State>(&mut self, count: usize, present: impl Iterator<Item = T>) -> Result<Vec<T>, Infallible> {
        (count as u64).write(self);
        present.for_each(|item| item.write(self));
        Ok(Vec::new())
    }
}

/// Reads what a [`Writer`] wrote; never past the end.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Refuses bytes that are left over, for this reason.
    pub(crate) fn end(&self, reason: &'static str) -> Result<(), NotAState> {
        if self.rest.is_empty() { Ok(()) } else { Err(NotAState(reason)) }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], NotAState> {
        let (first, rest) = self.rest.split_first_chunk().ok_or(NotAState("it is cut off"))?;
        self.rest = rest;
        Ok(*first)
    }
}

impl StateIo for Reader<'_> {
    type Problem = NotAState;

    fn version(&mut self, version: u32, reason: &'static str) -> Result<(), NotAState> {
        if u32::read(self)? == version { Ok(()) } else { Err(NotAState(reason)) }
    }

    fn value<T: State + Default>(&mut self, _: &T) -> Result<T, NotAState> {
        T::read(self)
    }

    fn list<T: State>(&mut self, _: usize, _: impl Iterator<Item = T>) -> Result<Vec<T>, NotAState> {
        Vec::read(self)
    }
}

/// Describes records by their fields in the order of their bytes. Fields that are no state come
/// from the value after `else`.
macro_rules! record {
    ($type:ty: $($field:ident),+ $(; else $other:expr)?) => {
        impl $crate::state::State for $type {
            fn write(&self, to: &mut $crate::state::Writer<'_>) {
                $($crate::state::State::write(&self.$field, to);)+
            }

            fn read(from: &mut $crate::state::Reader<'_>) -> Result<Self, $crate::state::NotAState> {
                $(let $field = $crate::state::State::read(from)?;)+
                Ok(Self { $($field,)+ $(..$other)? })
            }
        }
    };
}
pub(crate) use record;

/// Describes values that have the form of another type, by the functions that lead there and back.
macro_rules! saved_as {
    ($($type:ty => $other:ty, $to:ident, $from:path;)+) => {$(
        impl State for $type {
            fn write(&self, to: &mut Writer<'_>) {
                self.$to().write(to);
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
                <$other>::read(from).map($from)
            }
        }
    )+};
}

saved_as! {
    f32 => u32, to_bits, f32::from_bits;
    f64 => u64, to_bits, f64::from_bits;
    Vec3 => [f32; 3], to_array, Vec3::from_array;
    DVec2 => [f64; 2], to_array, DVec2::from_array;
    DVec3 => [f64; 3], to_array, DVec3::from_array;
    DQuat => [f64; 4], to_array, DQuat::from_array;
    BodyId => u64, number, BodyId::from_number;
}

/// Describes names that are a number.
macro_rules! saved_as_number {
    ($($type:ident($number:ty);)+) => {$(
        impl State for $type {
            fn write(&self, to: &mut Writer<'_>) {
                self.0.write(to);
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
                <$number>::read(from).map($type)
            }
        }
    )+};
}

saved_as_number! {
    ShapeId(u32);
    MaterialId(u32);
    JointId(u64);
}

impl State for u32 {
    fn write(&self, to: &mut Writer<'_>) {
        (to.out)(&self.to_le_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        from.bytes().map(Self::from_le_bytes)
    }
}

impl State for u64 {
    fn write(&self, to: &mut Writer<'_>) {
        (to.out)(&self.to_le_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        from.bytes().map(Self::from_le_bytes)
    }
}

impl State for bool {
    fn write(&self, to: &mut Writer<'_>) {
        u32::from(*self).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        u32::read(from).map(|value| value != 0)
    }
}

impl<T: State> State for Option<T> {
    fn write(&self, to: &mut Writer<'_>) {
        self.is_some().write(to);
        self.iter().for_each(|value| value.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<T: State + Copy + Default, const N: usize> State for [T; N] {
    fn write(&self, to: &mut Writer<'_>) {
        self.iter().for_each(|item| item.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(from)?;
        }
        Ok(items)
    }
}

impl<T: State> State for Vec<T> {
    fn write(&self, to: &mut Writer<'_>) {
        (self.len() as u64).write(to);
        self.iter().for_each(|item| item.write(to));
    }

    /// Memory grows with the items that are there, not with the count: damaged bytes can claim any
    /// number.
    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        let count = u64::read(from)?;
        let mut items = Self::new();
        for _ in 0..count {
            items.push(T::read(from)?);
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Sample {
        flag: bool,
        place: DVec3,
        list: Vec<[f32; 2]>,
    }
    record!(Sample: flag, place, list);

    fn bytes_of(sample: &Sample) -> Vec<u8> {
        let mut bytes = Vec::new();
        sample.write(&mut Writer::new(&mut |part| bytes.extend_from_slice(part)));
        bytes
    }

    #[test]
    fn a_record_comes_back_and_never_from_fewer_bytes() {
        let sample = Sample { flag: true, place: DVec3::new(1.0, -0.0, 3.5), list: vec![[1.0, 2.0], [3.0, 4.0]] };
        let bytes = bytes_of(&sample);
        assert_eq!(bytes.len(), 4 + 24 + 8 + 2 * 8);
        assert_eq!(Sample::read(&mut Reader::new(&bytes)), Ok(sample));
        for cut in 0..bytes.len() {
            assert_eq!(Sample::read(&mut Reader::new(&bytes[..cut])), Err(NotAState("it is cut off")), "{cut}");
        }
    }

    #[test]
    fn a_count_beyond_the_bytes_takes_no_memory() {
        let mut bytes = bytes_of(&Sample { flag: false, place: DVec3::ZERO, list: Vec::new() });
        bytes[28..].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(Sample::read(&mut Reader::new(&bytes)), Err(NotAState("it is cut off")));
    }
}
