//! The file `checkpoint.tumble`: the exact state of a run, from which it continues bit for bit.
//!
//! One chunk of kind checkpoint. Its payload is the length of the scene text as u64, the scene text, then the state of
//! the engine, which this crate does not look into. Written atomically: the last good checkpoint is never lost to a
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
}

/// Writes a checkpoint in place of the one that is there.
pub fn write_checkpoint(path: &Path, checkpoint: &Checkpoint) -> Result<(), IoError> {
    let scene = checkpoint.scene.as_bytes();
    let payload = [&(scene.len() as u64).to_le_bytes(), scene, &checkpoint.state].concat();
    let head =
        Head { kind: Kind::Checkpoint, number: checkpoint.frame, state_hash: checkpoint.state_hash, ..Head::default() };
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
    let scene_length = u64::from_le_bytes(take(&mut rest));
    let (scene, state) = usize::try_from(scene_length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(|| unfit("the scene text is longer than the checkpoint"))?;
    let scene = str::from_utf8(scene).map_err(|_| unfit("the scene text is not UTF-8"))?;
    Ok(Checkpoint { frame: head.number, state_hash: head.state_hash, scene: scene.to_owned(), state: state.to_owned() })
}
