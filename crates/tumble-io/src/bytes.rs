//! Little-endian fields one after the other: the two functions that write and read chunk heads.
//!
//! Neither panics. A head has a fixed size that fits its fields, which its round-trip test shows.

/// Puts a field at the front of `rest` and moves on.
pub(crate) fn put<const N: usize>(rest: &mut &mut [u8], field: [u8; N]) {
    if let Some((front, tail)) = std::mem::take(rest).split_first_chunk_mut() {
        *front = field;
        *rest = tail;
    }
}

/// Takes a field from the front of `rest` and moves on; zeros once nothing is left.
pub(crate) fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    match rest.split_first_chunk() {
        Some((front, tail)) => {
            *rest = tail;
            *front
        }
        None => [0; N],
    }
}
