//! The file `checkpoint.tumble`: the exact state of a run, from which it continues bit for bit.
//!
//! One chunk of kind checkpoint. Its payload is the length of the scene text as u64, the scene text, then the state of
//! the engine, which this crate does not look into. Where a run has particles, the first count of the head is 1, and the length of the state
//! as u64 comes before it and the state of the particles after it. Written atomically: the last good checkpoint is never lost to a
//! crash in the middle of the next.

use std::path::Path;

use crate::bytes::take;
use crate::chunk::{Fault, Head, Kind};
use crate::error::IoError;
use crate::recording::open_regular;
use crate::write_atomically;

/// What a run needs to continue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The frame after which the state was taken.
    pub frame: i64,
    /// Hash of the state, as the recording has it for that frame.
    pub state_hash: u64,
    /// Resolved text of the scene.
    pub scene: String,
    /// Exact state as the engine wrote it.
    pub state: Vec<u8>,
    /// Exact state of the particles, if there are any.
    pub detail: Option<Vec<u8>>,
}

/// Writes a checkpoint in place of the one that is there.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), IoError> {
    let scene = checkpoint.scene.as_bytes();
    let length = |bytes: &[u8]| (bytes.len() as u64).to_le_bytes();
    let mut payload = [&length(scene), scene].concat();
    if let Some(detail) = &checkpoint.detail {
        payload.extend([&length(&checkpoint.state), &checkpoint.state[..], detail].concat());
    } else {
        payload.extend_from_slice(&checkpoint.state);
    }
    let head = Head {
        kind: Kind::Checkpoint,
        number: checkpoint.frame,
        state_hash: checkpoint.state_hash,
        counts: [checkpoint.detail.is_some().into(), 0, 0, 0],
        ..Head::default()
    };
    write_atomically(path, |out| {
        let mut chunk = Vec::new();
        head.seal(&payload, &mut chunk)?;
        out.write_all(&chunk)
    })
}

/// Reads a checkpoint; it comes back exactly as it was written or not at all.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint, IoError> {
    let (mut file, length) = open_regular(path)?;
    let mut read = || {
        let head = Head::read(&mut file, 0, length)?;
        let (mut stored, mut payload) = (Vec::new(), Vec::new());
        if head.kind == Kind::Checkpoint {
            head.read_payload(&mut file, &mut stored, &mut payload)?;
        }
        Ok((head, payload))
    };
    let (head, payload) = read().map_err(|fault: Fault| fault.at(path, 0))?;
    if head.kind != Kind::Checkpoint {
        return Err(IoError::NotTumble { path: path.to_owned(), what: "a checkpoint" });
    }
    let unfit = |what| Fault::Damaged(what).at(path, 0);
    if head.chunk_length() != Some(length) {
        return Err(unfit("something follows the end of the checkpoint"));
    }

    let mut rest = &payload[..];
    let mut part = || {
        let length = usize::try_from(u64::from_le_bytes(take(&mut rest))).ok();
        let (part, after) = length
            .and_then(|length| rest.split_at_checked(length))
            .ok_or_else(|| unfit("a part is longer than the checkpoint"))?;
        rest = after;
        Ok(part)
    };
    let scene = part()?;
    let scene = str::from_utf8(scene).map_err(|_| unfit("the scene text is not UTF-8"))?.to_owned();
    let has_particles = head.counts[0] != 0;
    let first = if has_particles { Some(part()?.to_owned()) } else { None };
    let (state, detail) = match first {
        Some(state) => (state, Some(rest.to_owned())),
        None => (rest.to_owned(), None),
    };
    Ok(Checkpoint { frame: head.number, state_hash: head.state_hash, scene, state, detail })
}
