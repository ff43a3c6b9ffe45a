//! A recording as the page sees it: a list of frames, and a virtual file of their blocks, of which
//! only requested bytes are made.
//!
//! Reads a [`Recording`], caches one block and the overlays of a few frames, writes nothing. A
//! frame is decoded only when a byte of its block is requested, so a recording of any length costs
//! the memory of one response. Particles are read for one response and not cached.
//!
//! The run may still be writing, and a resumed run may cut frames off and replace them. Each such
//! cut begins a new *generation*; a client that asks with an older one is told from which frame on
//! its list is out of date. When another file replaces the recording, because the scene was run
//! anew, a new *epoch* begins, and the whole list is out of date. Generations count on across
//! epochs, so that a generation alone tells whether a list is current.

use std::collections::VecDeque;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use serde_json::{Value, json};
use tumble::{Frame, FrameDetail};
use tumble_io::{FrameEntry, Header, IoError, MeshData, Recording};

use crate::{layout, particles};

/// Longest response \[byte\], unless a single frame is longer. The page asks for half of it at a
/// time.
pub(crate) const MOST_BYTES: u64 = 4 << 20;

/// Number of frames whose overlays are cached: the page asks for them just after their blocks.
const KEPT_OVERLAYS: usize = 64;

/// A recording shared by the threads of the server.
pub(crate) struct Stream {
    path: PathBuf,
    state: Mutex<StreamState>,
}

struct StreamState {
    recording: Recording,
    /// Identity of the open file, to notice that another one has replaced it.
    identity: Option<Identity>,
    epoch: u64,
    /// The frames as they were last listed.
    frames: Vec<FrameEntry>,
    /// Offset of each block, then the end of the last one \[byte\].
    starts: Vec<u64>,
    /// The first frame that each cut changed, in the order of the cuts; their count is the
    /// generation. Replacing the file is a cut before all frames.
    cuts: Vec<usize>,
    /// Buffer for the frame that is being read.
    frame: Frame,
    /// Cache: the index of a frame and its block, the one that was made last.
    block: Option<(usize, Arc<Vec<u8>>)>,
    overlays: VecDeque<(usize, Arc<Vec<u8>>)>,
}

/// The reason why a slice of a stream is not available.
#[derive(Debug)]
pub(crate) enum StreamError {
    /// The frames have changed; the client should read the list again.
    Changed,
    /// The frame cannot be read.
    Io(IoError),
}

/// A slice of the file of blocks, with its offset and the length of the file.
#[derive(Debug)]
pub(crate) struct StreamSlice {
    pub(crate) start: u64,
    pub(crate) total: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Stream {
    pub(crate) fn open(path: &Path) -> Result<Self, IoError> {
        let identity = Identity::of(path);
        let state = StreamState::new(Recording::open(path)?, identity, 0, Vec::new());
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// Ignores poisoning: all state is rebuilt or replaced as a whole, so a thread that panicked
    /// leaves nothing inconsistent.
    fn lock(&self) -> MutexGuard<'_, StreamState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The data shared by all frames, and the epoch for which they hold.
    pub(crate) fn header(&self) -> (Header, u64) {
        let state = self.lock();
        (state.recording.header().clone(), state.epoch)
    }

    pub(crate) fn mesh(&self, number: u32) -> Result<Option<MeshData>, IoError> {
        let mut state = self.lock();
        let is_there = number < state.recording.header().meshes;
        is_there.then(|| state.recording.mesh(number)).transpose()
    }

    /// The frames from index `from` on, for a client that has listed the ones before in this epoch
    /// and generation.
    pub(crate) fn index(&self, from: usize, epoch: u64, generation: usize) -> Result<Value, IoError> {
        let mut state = self.lock();
        state.look_again(&self.path)?;
        // An older list is valid up to the first frame that any cut since then has changed.
        let is_known = epoch == state.epoch && generation <= state.cuts.len();
        let cuts = if is_known { &state.cuts[generation..] } else { &[0][..] };
        let from = cuts.iter().copied().fold(from, usize::min).min(state.frames.len());
        let frames: Vec<Value> = (from..state.frames.len())
            .map(|index| {
                let entry = &state.frames[index];
                let (start, end) = (state.starts[index], state.starts[index + 1]);
                json!([entry.number, entry.time, entry.bodies(), start, end - start, entry.particles()])
            })
            .collect();
        let age = fs::metadata(&self.path).and_then(|about| about.modified()).ok();
        let age = age.and_then(|modified| SystemTime::now().duration_since(modified).ok());
        Ok(json!({
            "epoch": state.epoch,
            "generation": state.cuts.len(),
            "from": from,
            "frames": frames,
            "age": age.map(|age| age.as_secs_f64()),
            // A running simulation has a torn end at times; report other damage only.
            "damage": state.recording.damage().filter(|damage| !damage.is_torn).map(ToString::to_string),
        }))
    }

    /// Length of the file of blocks of all listed frames \[byte\].
    pub(crate) fn total(&self) -> u64 {
        self.lock().total()
    }

    /// The bytes of a range, or fewer: a slice ends after [`MOST_BYTES`] and before a frame that
    /// cannot be read.
    ///
    /// The range must not be empty and must begin inside the file.
    pub(crate) fn slice(&self, range: Range<u64>, generation: Option<usize>) -> Result<StreamSlice, StreamError> {
        let mut state = self.lock();
        let total = state.total();
        if !state.is_current(generation) || range.start >= total {
            return Err(StreamError::Changed);
        }
        let end = range.end.min(total);
        let mut bytes = Vec::new();
        let mut at = range.start;
        while at < end {
            let index = state.starts.partition_point(|&start| start <= at) - 1;
            let block_start = state.starts[index];
            // Whole blocks are added while they fit; the first one always is, or its middle could
            // not be reached.
            let block_end = state.starts[index + 1].min(end);
            if !bytes.is_empty() && (bytes.len() as u64 + block_end - at) > MOST_BYTES {
                break;
            }
            let block = match state.block(index) {
                Ok(block) => block,
                Err(_) if !bytes.is_empty() => break,
                Err(problem) => return Err(state.explain(&self.path, problem)),
            };
            let (first, last) = ((at - block_start) as usize, (block_end - block_start) as usize);
            bytes.extend_from_slice(&block[first..last]);
            at = block_end;
        }
        Ok(StreamSlice { start: range.start, total, bytes })
    }

    /// The layers and constraints of the frame with this index; `None` if there is no such frame.
    pub(crate) fn overlays(
        &self,
        index: usize,
        generation: Option<usize>,
    ) -> Result<Option<Arc<Vec<u8>>>, StreamError> {
        let mut state = self.lock();
        if !state.is_current(generation) {
            return Err(StreamError::Changed);
        }
        if index >= state.frames.len() {
            return Ok(None);
        }
        if let Some((_, bytes)) = state.overlays.iter().find(|(kept, _)| *kept == index) {
            return Ok(Some(Arc::clone(bytes)));
        }
        match state.block(index) {
            Ok(_) => Ok(state.overlays.back().map(|(_, bytes)| Arc::clone(bytes))),
            Err(problem) => Err(state.explain(&self.path, problem)),
        }
    }

    /// Length of the response for the particles of a frame \[byte\]; `None` if there is no such
    /// frame, or frames have no particles.
    pub(crate) fn particles_length(&self, index: usize, generation: Option<usize>) -> Result<Option<u64>, StreamError> {
        let state = self.lock();
        if !state.is_current(generation) {
            return Err(StreamError::Changed);
        }
        Ok(state.entry_with_particles(index).map(|entry| particles::length(entry.particles())))
    }

    /// The particles of a frame; `None` if there is no such frame, or frames have no particles.
    pub(crate) fn particles(&self, index: usize, generation: Option<usize>) -> Result<Option<Vec<u8>>, StreamError> {
        // The lock is held to the end: reading particles takes six times the memory of the
        // response, so only one frame is read at a time.
        let mut state = self.lock();
        if !state.is_current(generation) {
            return Err(StreamError::Changed);
        }
        if state.entry_with_particles(index).is_none() {
            return Ok(None);
        }
        let mut detail = FrameDetail::default();
        match state.recording.read_particles(index, &mut detail) {
            Ok(()) => Ok(Some(particles::encode(&detail))),
            Err(problem) => Err(state.explain(&self.path, problem)),
        }
    }
}

impl StreamState {
    fn new(recording: Recording, identity: Option<Identity>, epoch: u64, cuts: Vec<usize>) -> Self {
        let mut state = Self {
            recording,
            identity,
            epoch,
            frames: Vec::new(),
            starts: vec![0],
            cuts,
            frame: Frame::default(),
            block: None,
            overlays: VecDeque::new(),
        };
        state.list();
        state
    }

    /// Whether a client with this generation has the current list; without a generation it accepts
    /// any frames.
    fn is_current(&self, generation: Option<usize>) -> bool {
        generation.is_none_or(|generation| generation == self.cuts.len())
    }

    fn entry_with_particles(&self, index: usize) -> Option<&FrameEntry> {
        self.frames.get(index).filter(|entry| entry.detail_hash().is_some())
    }

    fn total(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Updates the list with frames that the run has appended, cut off or replaced since.
    fn look_again(&mut self, path: &Path) -> Result<(), IoError> {
        let identity = Identity::of(path);
        if identity.is_some() && identity != self.identity {
            // A file that cannot be opened yet may become a recording; until then the old one is
            // shown.
            if let Ok(recording) = Recording::open(path) {
                let cuts = vec![0; self.cuts.len() + 1];
                *self = Self::new(recording, identity, self.epoch + 1, cuts);
                return Ok(());
            }
        }
        let refreshed = self.recording.refresh();
        self.list();
        refreshed.map(|_| ())
    }

    /// Lists the frames of the recording as it is now.
    fn list(&mut self) {
        let now = self.recording.frames();
        let same = self.frames.iter().zip(now).take_while(|(old, new)| old == new).count();
        if same < self.frames.len() {
            self.cuts.push(same);
            self.block = None;
            self.overlays.clear();
        }
        self.frames.truncate(same);
        self.starts.truncate(same + 1);
        let obstacles = self.recording.header().obstacles.len();
        for entry in &now[same..] {
            self.frames.push(*entry);
            self.starts.push(self.starts[self.starts.len() - 1] + layout::block_length(entry.bodies(), obstacles));
        }
    }

    /// The block of the frame with this index, made now unless it is the cached one.
    fn block(&mut self, index: usize) -> Result<Arc<Vec<u8>>, IoError> {
        if let Some((_, block)) = self.block.as_ref().filter(|(kept, _)| *kept == index) {
            return Ok(Arc::clone(block));
        }
        self.recording.read(index, &mut self.frame)?;
        // As a rule no other thread holds the old block, and its memory is reused.
        let mut bytes = self.block.take().and_then(|(_, block)| Arc::try_unwrap(block).ok()).unwrap_or_default();
        layout::write_block(&self.frame, self.recording.header().obstacles.len(), &mut bytes);
        let block = Arc::new(bytes);
        self.block = Some((index, Arc::clone(&block)));

        self.overlays.retain(|(kept, _)| *kept != index);
        if self.overlays.len() >= KEPT_OVERLAYS {
            self.overlays.pop_front();
        }
        self.overlays.push_back((index, Arc::new(layout::overlays(&self.frame))));
        Ok(block)
    }

    /// Distinguishes a frame that could not be read because the run has changed it from a damaged
    /// one.
    fn explain(&mut self, path: &Path, problem: IoError) -> StreamError {
        let before = (self.epoch, self.cuts.len());
        match self.look_again(path) {
            Ok(()) if (self.epoch, self.cuts.len()) != before => StreamError::Changed,
            _ => StreamError::Io(problem),
        }
    }
}

/// Identity of a file, to tell it from another one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).ok().map(|about| Self(about.dev(), about.ino()))
    }

    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<Self> {
        let created = fs::metadata(path).ok()?.created().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some(Self(created.as_secs(), u64::from(created.subsec_nanos())))
    }
}
