//! Reads the numbers of a glTF accessor out of the buffers, with every offset, stride and count
//! checked.
//!
//! The `gltf` crate has iterators for this, but they trust the file: a count of zero, an offset
//! near the largest number, a stride shorter than the item or too few sparse values make them
//! panic.

use gltf::accessor::{DataType, sparse::IndexType};
use gltf::{Accessor, buffer::View};

/// All components of an accessor, item by item. f64 holds every component type exactly.
pub(super) fn numbers(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<f64>, String> {
    let width = accessor.dimensions().multiplicity();
    let kind = accessor.data_type();
    let items = |view: View<'_>, offset, count| Strided { view, offset, count, kind, width }.read(buffers);

    let mut numbers = match accessor.view() {
        Some(view) => items(view, accessor.offset(), accessor.count())?,
        // Without a view all is zero, which costs the file no bytes. More items than bytes is not a
        // mesh.
        None if accessor.count() > buffers.iter().map(Vec::len).sum() => {
            return Err(format!("accessor {} has {} items but no bytes", accessor.index(), accessor.count()));
        }
        None => vec![0.0; accessor.count() * width],
    };
    if let Some(sparse) = accessor.sparse() {
        let (indices, values) = (sparse.indices(), sparse.values());
        let kind = match indices.index_type() {
            IndexType::U8 => DataType::U8,
            IndexType::U16 => DataType::U16,
            IndexType::U32 => DataType::U32,
        };
        let at = Strided { view: indices.view(), offset: indices.offset(), count: sparse.count(), kind, width: 1 };
        let values = items(values.view(), values.offset(), sparse.count())?;
        for (item, value) in at.read(buffers)?.into_iter().zip(values.chunks_exact(width)) {
            let start = (item as usize).saturating_mul(width);
            let target = numbers.get_mut(start..start.saturating_add(width));
            target
                .ok_or_else(|| format!("accessor {} replaces item {item}, which is not there", accessor.index()))?
                .copy_from_slice(value);
        }
    }
    if accessor.normalized() {
        let scale = largest(kind);
        numbers.iter_mut().for_each(|number| *number = (*number / scale).max(-1.0));
    }
    Ok(numbers)
}

/// Items at equal distances in a buffer view.
struct Strided<'a> {
    view: View<'a>,
    offset: usize,
    count: usize,
    kind: DataType,
    width: usize,
}

impl Strided<'_> {
    fn read(&self, buffers: &[Vec<u8>]) -> Result<Vec<f64>, String> {
        let component = self.kind.size();
        let size = component * self.width;
        let stride = self.view.stride().unwrap_or(size);
        let bytes = self.bytes(buffers, size, stride).ok_or_else(|| {
            format!("buffer view {} is too short for the {} items read from it", self.view.index(), self.count)
        })?;
        let items = bytes.chunks(stride.max(1)).flat_map(|item| item[..size].chunks_exact(component));
        Ok(items.map(|bytes| number(self.kind, bytes)).collect())
    }

    /// From the first byte of the first item to the last byte of the last one.
    fn bytes<'b>(&self, buffers: &'b [Vec<u8>], size: usize, stride: usize) -> Option<&'b [u8]> {
        let buffer = buffers.get(self.view.buffer().index())?;
        let end = self.view.offset().checked_add(self.view.length())?;
        let view = buffer.get(self.view.offset()..end)?;
        let length = match self.count {
            0 => 0,
            count => stride.checked_mul(count - 1)?.checked_add(size)?,
        };
        // Items may not overlap: with a short stride a small file could hold any number of them.
        if stride < size {
            return None;
        }
        view.get(self.offset..self.offset.checked_add(length)?)
    }
}

fn number(kind: DataType, bytes: &[u8]) -> f64 {
    let mut all = [0; 4];
    all[..bytes.len()].copy_from_slice(bytes);
    let [low, high, ..] = all;
    match kind {
        DataType::I8 => i8::from_le_bytes([low]).into(),
        DataType::U8 => low.into(),
        DataType::I16 => i16::from_le_bytes([low, high]).into(),
        DataType::U16 => u16::from_le_bytes([low, high]).into(),
        DataType::U32 => u32::from_le_bytes(all).into(),
        DataType::F32 => f32::from_le_bytes(all).into(),
    }
}

/// The integer that means 1 in a normalised accessor.
fn largest(kind: DataType) -> f64 {
    match kind {
        DataType::I8 => i8::MAX.into(),
        DataType::U8 => u8::MAX.into(),
        DataType::I16 => i16::MAX.into(),
        DataType::U16 => u16::MAX.into(),
        DataType::U32 | DataType::F32 => 1.0,
    }
}
