//! The file `checkpoint.tumble`: the exact state of a run, from which it continues bit for bit.
//!
//! One chunk of kind checkpoint. Its payload has five parts, each with its length as u64 before it:
//! the scene text, the convex parts of its meshes, the tally, the state of the engine, the state of
//! the particles. This crate looks into none of them. The first count of the head is 1 where a run
//! has particles, the second is [`LAYOUT`]. Written atomically: the last good checkpoint is never
//! lost to a crash in the middle of the next.

use std::path::Path;

use crate::bytes::take;
use crate::chunk::{ChunkKind, Fault, Head};
use crate::error::IoError;
use crate::recording::open_regular;
use crate::write_atomically;

/// Version of the list of parts in a payload; incremented when the list changes.
const LAYOUT: u32 = 1;

/// Everything that a run needs to continue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The frame after which the state was taken.
    pub frame: i64,
    /// Hash of the state, as the recording has it for that frame.
    pub state_hash: u64,
    /// Resolved text of the scene.
    pub scene: String,
    /// Convex parts of the scene's meshes, as text: another version of tumble may split them
    /// otherwise.
    pub parts: String,
    /// The tally of the run since its first frame, as text.
    pub tally: String,
    /// Exact state as the engine wrote it.
    pub state: Vec<u8>,
    /// Exact state of the particles, if there are any.
    pub detail: Option<Vec<u8>>,
}

/// Writes a checkpoint in place of the one that is there.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), IoError> {
    let Checkpoint { scene, parts, tally, state, detail, .. } = checkpoint;
    let particles = detail.as_deref().unwrap_or_default();
    let mut payload = Vec::new();
    for part in [scene.as_bytes(), parts.as_bytes(), tally.as_bytes(), state, particles] {
        payload.extend_from_slice(&(part.len() as u64).to_le_bytes());
        payload.extend_from_slice(part);
    }
    let head = Head {
        kind: ChunkKind::Checkpoint,
        number: checkpoint.frame,
        state_hash: checkpoint.state_hash,
        counts: [detail.is_some().into(), LAYOUT, 0, 0],
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
        if head.kind == ChunkKind::Checkpoint {
            head.read_payload(&mut file, &mut stored, &mut payload)?;
        }
        Ok((head, payload))
    };
    let (head, payload) = read().map_err(|fault: Fault| fault.at(path, 0))?;
    if head.kind != ChunkKind::Checkpoint {
        return Err(IoError::NotTumble { path: path.to_owned(), what: "a checkpoint" });
    }
    if head.counts[1] != LAYOUT {
        return Err(IoError::OtherFormat {
            path: path.to_owned(),
            found: u16::try_from(head.counts[1]).unwrap_or(u16::MAX),
            supported: LAYOUT as u16,
        });
    }
    let unfit = |what| Fault::Damaged(what).at(path, 0);
    if head.chunk_length() != Some(length) {
        return Err(unfit("something follows the end of the checkpoint"));
    }

    let mut rest = &payload[..];
    let mut part = || {
        let (length, after) = rest.split_at_checked(size_of::<u64>()).ok_or_else(|| unfit("a part is missing"))?;
        let length = usize::try_from(u64::from_le_bytes(take(&mut &*length))).ok();
        let (part, after) = length
            .and_then(|length| after.split_at_checked(length))
            .ok_or_else(|| unfit("a part is longer than the checkpoint"))?;
        rest = after;
        Ok(part.to_owned())
    };
    let text = |part: Vec<u8>| String::from_utf8(part).map_err(|_| unfit("a text in it is not UTF-8"));
    let (scene, parts, tally) = (text(part()?)?, text(part()?)?, text(part()?)?);
    let (state, particles) = (part()?, part()?);
    let detail = (head.counts[0] != 0).then_some(particles);
    Ok(Checkpoint { frame: head.number, state_hash: head.state_hash, scene, parts, tally, state, detail })
}
