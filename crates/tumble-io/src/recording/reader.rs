//! Finds and reads the frames of a recording.
//!
//! Opening reads the header and skips from head to head, so its cost does not depend on the size of
//! frames. A frame's content is read and checked only on request. Bytes after the last whole frame
//! are described, not refused: they may be left by a crash, or belong to a frame that another
//! process is writing at this moment.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tumble::{Frame, FrameDetail};

use super::{Header, MeshData, columns, particles};
use crate::IoError;
use crate::chunk::{ChunkKind, Fault, Head};

/// A recording on disk, open for reading in any order.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: File,
    header: Header,
    /// Where the chunk of each mesh starts \[byte\].
    meshes: Vec<u64>,
    /// Where the first frame starts \[byte\].
    start: u64,
    frames: Vec<FrameEntry>,
    damage: Option<Damage>,
    /// Buffers for a chunk's payload, compressed and decompressed, reused from frame to frame.
    stored: Vec<u8>,
    raw: Vec<u8>,
}

/// Data of a frame from its chunk head, known without reading the payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameEntry {
    /// Frame number as the user counts.
    pub number: i64,
    /// Simulated time since the first frame \[s\].
    pub time: f64,
    /// Hash of the exact state at the end of the frame.
    pub state_hash: u64,
    /// Number of bodies, obstacles, layers and constraints.
    counts: [u32; 4],
    /// Where the frame's chunk starts in the file \[byte\].
    pub offset: u64,
    /// Size of the chunk in the file \[byte\].
    pub length: u64,
    /// Checksum of the content, by which a reader notices that the file has changed since it was
    /// listed.
    checksum: u64,
    /// The chunk of the frame's particles, which follows it.
    particles: Option<ParticlesEntry>,
}

/// Data of a frame's particles from their chunk head, known without reading the payload.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ParticlesEntry {
    count: u32,
    state_hash: u64,
    length: u64,
    checksum: u64,
}

impl FrameEntry {
    /// Number of bodies.
    pub fn bodies(&self) -> u32 {
        self.counts[0]
    }

    /// Number of particles.
    pub fn particles(&self) -> u32 {
        self.particles.map_or(0, |particles| particles.count)
    }

    /// Hash of the exact state of the particles, if there are any.
    pub fn detail_hash(&self) -> Option<u64> {
        self.particles.map(|particles| particles.state_hash)
    }

    /// Where the frame ends, with its particles \[byte\].
    pub(super) fn end(&self) -> u64 {
        self.offset + self.length + self.particles.map_or(0, |particles| particles.length)
    }
}

/// Bytes after the last whole frame of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where it starts \[byte\].
    pub offset: u64,
    /// Whether the file merely ends too early: after a crash, or because the frame is not yet
    /// written.
    pub is_torn: bool,
    /// The inconsistency that was found.
    pub what: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the recording is whole up to byte {}; there {}", self.offset, self.what)
    }
}

impl Recording {
    /// Opens a recording and lists its frames.
    pub fn open(path: &Path) -> Result<Self, IoError> {
        let (mut file, length) = open_regular(path)?;
        let at_start = |fault: Fault| fault.at(path, 0);
        let head = Head::read(&mut file, 0, length).map_err(at_start)?;
        if head.kind != ChunkKind::Header {
            return Err(IoError::NotTumble { path: path.to_owned(), what: "a recording" });
        }
        let (mut stored, mut raw) = (Vec::new(), Vec::new());
        head.read_payload(&mut file, &mut stored, &mut raw).map_err(at_start)?;
        let senseless = |what: String| IoError::Damaged {
            path: path.to_owned(),
            what: format!("the header makes no sense: {what}"),
            offset: 0,
        };
        let header: Header = serde_json::from_slice(&raw).map_err(|error| senseless(error.to_string()))?;
        header.check().map_err(senseless)?;

        let mut start = Head::BYTES as u64 + head.stored;
        let mut meshes = Vec::new();
        for _ in 0..header.meshes {
            let head = mesh_head(&mut file, start, length).map_err(|fault| fault.at(path, start))?;
            meshes.push(start);
            start += Head::BYTES as u64 + head.stored;
        }
        let (path, frames, damage) = (path.to_owned(), Vec::new(), None);
        let mut recording = Self { path, file, header, meshes, start, frames, damage, stored, raw };
        recording.refresh()?;
        Ok(recording)
    }

    /// Data shared by all frames.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads a mesh that the header names.
    pub fn mesh(&mut self, number: u32) -> Result<MeshData, IoError> {
        let Some(&offset) = self.meshes.get(number as usize) else {
            let what = format!("it has {} meshes, none has number {number}", self.meshes.len());
            return Err(IoError::read(&self.path, io::Error::new(io::ErrorKind::InvalidInput, what)));
        };
        let read = |this: &mut Self| {
            let head = mesh_head(&mut this.file, offset, this.start)?;
            head.read_payload(&mut this.file, &mut this.stored, &mut this.raw)?;
            MeshData::decode(&this.raw, head.counts[0], head.counts[1])
        };
        read(self).map_err(|fault| fault.at(&self.path, offset))
    }

    /// The whole frames, in the order of their numbers.
    pub fn frames(&self) -> &[FrameEntry] {
        &self.frames
    }

    /// The damage after the last whole frame, if there is any.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Index in [`Recording::frames`] of the frame with this number.
    pub fn find(&self, number: i64) -> Result<usize, IoError> {
        self.frames.binary_search_by_key(&number, |entry| entry.number).map_err(|_| IoError::NoFrame {
            path: self.path.clone(),
            frame: number,
            held: self.frames.first().zip(self.frames.last()).map(|(first, last)| (first.number, last.number)),
        })
    }

    /// Lists the frames that were appended since the last call, and returns the number of frames.
    pub fn refresh(&mut self) -> Result<usize, IoError> {
        let length = self.file.metadata().map_err(|source| IoError::read(&self.path, source))?.len();
        // A run that was resumed meanwhile has cut frames off and may have replaced them.
        while let Some(&last) = self.frames.last()
            && !self.is_still_there(&last, length)
        {
            self.frames.pop();
        }

        self.damage = None;
        let mut offset = self.frames.last().map_or(self.start, FrameEntry::end);
        while offset < length {
            match self.entry_at(offset, length) {
                Ok(entry) => {
                    offset = entry.end();
                    self.frames.push(entry);
                }
                Err(Fault::Io(source)) => return Err(IoError::read(&self.path, source)),
                Err(fault) => {
                    let is_torn = matches!(fault, Fault::Torn);
                    self.damage = Some(Damage { offset, is_torn, what: fault.what() });
                    break;
                }
            }
        }
        Ok(self.frames.len())
    }

    /// Whether a listed frame is still in the file, unchanged and with the same particles.
    fn is_still_there(&mut self, entry: &FrameEntry, length: u64) -> bool {
        let offset = entry.offset + entry.length;
        entry.end() <= length
            && self.head_of(entry).is_ok()
            && entry
                .particles
                .is_none_or(|listed| self.particles_at(offset, length, entry.number).is_ok_and(|found| found == listed))
    }

    /// Parses the head of the frame at `offset`.
    fn entry_at(&mut self, offset: u64, length: u64) -> Result<FrameEntry, Fault> {
        let head = Head::read(&mut self.file, offset, length)?;
        let chunk_length = head.chunk_length().ok_or(Fault::Torn)?;
        if head.kind != ChunkKind::Frame {
            return Err(Fault::Damaged("a chunk stands here that is not a frame"));
        }
        if head.raw != columns::payload_length(head.counts) {
            return Err(Fault::Damaged("the length of a frame does not fit its numbers of bodies and other things"));
        }
        if self.frames.last().is_some_and(|last| last.number >= head.number) {
            return Err(Fault::Damaged("a frame stands here whose number is not larger than the last"));
        }
        let particles = match self.header.detail {
            Some(_) => Some(self.particles_at(offset + chunk_length, length, head.number)?),
            None => None,
        };
        Ok(FrameEntry {
            particles,
            number: head.number,
            time: head.time,
            state_hash: head.state_hash,
            counts: head.counts,
            offset,
            length: chunk_length,
            checksum: head.checksum,
        })
    }

    /// Parses the head of the particles of a frame, which must be at `offset`.
    fn particles_at(&mut self, offset: u64, length: u64, frame: i64) -> Result<ParticlesEntry, Fault> {
        let head = Head::read(&mut self.file, offset, length)?;
        let count = head.counts[0];
        if (head.kind, head.number) != (ChunkKind::Particles, frame) || head.raw != particles::payload_length(count) {
            return Err(Fault::Damaged("no particles stand where the header promises them"));
        }
        let length = head.chunk_length().ok_or(Fault::Torn)?;
        Ok(ParticlesEntry { count, state_hash: head.state_hash, length, checksum: head.checksum })
    }

    /// Reads the particles of the frame at `index` of [`Recording::frames`]: none if the recording
    /// has none. After an error `detail` holds nothing of use.
    pub fn read_particles(&mut self, index: usize, detail: &mut FrameDetail) -> Result<(), IoError> {
        let entry = self.entry(index)?;
        detail.particles.clear();
        let Some(listed) = entry.particles else { return Ok(()) };
        let offset = entry.offset + entry.length;
        let read = |this: &mut Self| {
            let head = Head::read(&mut this.file, offset, entry.end())?;
            if head.checksum != listed.checksum || head.raw != particles::payload_length(listed.count) {
                return Err(Fault::Damaged("other particles stand here since the recording was opened"));
            }
            head.read_payload(&mut this.file, &mut this.stored, &mut this.raw)
        };
        read(self).map_err(|fault| fault.at(&self.path, offset))?;
        particles::decode(&self.raw, &mut detail.particles);
        detail.state_hash = listed.state_hash;
        let materials = self.header.materials.len();
        match detail.particles.iter().find(|particle| particle.material.index() >= materials) {
            None => Ok(()),
            Some(particle) => Err(IoError::Damaged {
                path: self.path.clone(),
                what: format!("particle {} has a material that the header does not list", particle.id),
                offset,
            }),
        }
    }

    fn entry(&self, index: usize) -> Result<FrameEntry, IoError> {
        self.frames.get(index).copied().ok_or_else(|| {
            let what = format!("it has {} frames, none has index {index}", self.frames.len());
            IoError::read(&self.path, io::Error::new(io::ErrorKind::InvalidInput, what))
        })
    }

    /// Reads the frame at `index` of [`Recording::frames`]. After an error `frame` holds nothing of
    /// use.
    pub fn read(&mut self, index: usize, frame: &mut Frame) -> Result<(), IoError> {
        let entry = self.entry(index)?;
        self.read_entry(&entry, frame).map_err(|fault| fault.at(&self.path, entry.offset))?;
        self.header.check_frame(frame).map_err(|what| IoError::Damaged {
            path: self.path.clone(),
            what,
            offset: entry.offset,
        })
    }

    /// Makes sure that the bytes of the frame at `index` and of its particles are those that were
    /// written, which takes little more than reading them.
    pub fn check(&mut self, index: usize) -> Result<(), IoError> {
        let entry = self.entry(index)?;
        let check = |this: &mut Self| {
            this.head_of(&entry)?.read_stored(&mut this.file, &mut this.stored)?;
            if entry.particles.is_some() {
                let head = Head::read(&mut this.file, entry.offset + entry.length, entry.end())?;
                head.read_stored(&mut this.file, &mut this.stored)?;
            }
            Ok(())
        };
        check(self).map_err(|fault: Fault| fault.at(&self.path, entry.offset))
    }

    /// Reads the head of a listed frame again: the file may have changed since.
    fn head_of(&mut self, entry: &FrameEntry) -> Result<Head, Fault> {
        let head = Head::read(&mut self.file, entry.offset, entry.offset + entry.length)?;
        let raw = columns::payload_length(entry.counts);
        let is_same = (head.number, head.checksum, head.raw) == (entry.number, entry.checksum, raw);
        if is_same { Ok(head) } else { Err(Fault::Damaged("another frame stands here since the recording was opened")) }
    }

    fn read_entry(&mut self, entry: &FrameEntry, frame: &mut Frame) -> Result<(), Fault> {
        let head = self.head_of(entry)?;
        head.read_payload(&mut self.file, &mut self.stored, &mut self.raw)?;
        frame.number = entry.number;
        frame.time = entry.time;
        frame.state_hash = entry.state_hash;
        columns::decode(&self.raw, entry.counts, frame);
        Ok(())
    }
}

/// Reads the head of the mesh at `offset`, in a file of `length` bytes.
fn mesh_head(file: &mut File, offset: u64, length: u64) -> Result<Head, Fault> {
    let head = Head::read(file, offset, length)?;
    let [vertices, triangles, ..] = head.counts;
    if head.kind != ChunkKind::Mesh || head.raw != MeshData::payload_length(vertices, triangles) {
        return Err(Fault::Damaged("no mesh stands where the header promises one"));
    }
    Ok(head)
}

/// Opens a file and returns its length. Only a regular file has one: reading a pipe or a device
/// could go on for ever.
pub(crate) fn open_regular(path: &Path) -> Result<(File, u64), IoError> {
    let about = fs::metadata(path).map_err(|source| IoError::open(path, source))?;
    if !about.is_file() {
        return Err(IoError::NotTumble { path: path.to_owned(), what: "a regular file" });
    }
    let file = File::open(path).map_err(|source| IoError::open(path, source))?;
    Ok((file, about.len()))
}
