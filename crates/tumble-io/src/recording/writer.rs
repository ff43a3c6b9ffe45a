//! Appends frames to a recording.
//!
//! A frame is one write of one whole chunk, or of two if it has particles, so a crash can tear only
//! the last one. If a write fails, the file is truncated to the last whole frame and the same frame
//! may be tried again.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tumble::{Frame, FrameDetail};

use super::{Header, MeshData, Recording, columns, particles};
use crate::chunk::{ChunkKind, FORMAT_VERSION, Head};
use crate::{IoError, write_atomically};

/// A recording that is being made.
#[derive(Debug)]
pub struct RecordingWriter {
    path: PathBuf,
    file: File,
    header: Header,
    /// Where the last whole chunk ends \[byte\].
    end: u64,
    /// Number of the last frame; numbers only grow, so that a frame can be found by its number.
    last: Option<i64>,
    /// Buffers for a payload and a chunk, reused from frame to frame.
    raw: Vec<u8>,
    chunk: Vec<u8>,
    second: Vec<u8>,
}

impl RecordingWriter {
    /// Starts a recording and replaces a file of this name. The header and its meshes are in the
    /// file from the beginning.
    pub fn create(path: &Path, header: &Header, meshes: &[MeshData]) -> Result<Self, IoError> {
        let count = u32::try_from(meshes.len()).map_err(|_| IoError::refused(path, "more than 4294967295 meshes"))?;
        let header = Header { version: FORMAT_VERSION, meshes: count, ..header.clone() };
        header.check().map_err(|what| IoError::refused(path, what))?;
        // JSON has no infinities and no NaN: report them now, not after the run.
        let json = serde_json::to_vec(&header).map_err(|error| IoError::refused(path, error.to_string()))?;
        if serde_json::from_slice::<Header>(&json).ok().as_ref() != Some(&header) {
            return Err(IoError::refused(path, "a number in the header is not finite"));
        }

        let (mut raw, mut chunk, mut end) = (Vec::new(), Vec::new(), 0);
        write_atomically(path, |out| {
            Head::default().seal(&json, &mut chunk)?;
            out.write_all(&chunk)?;
            end = chunk.len() as u64;
            for (number, mesh) in meshes.iter().enumerate() {
                let [vertices, triangles] =
                    [mesh.vertices.len(), mesh.triangles.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
                let counts = [vertices, triangles, 0, 0];
                mesh.encode(&mut raw);
                Head { kind: ChunkKind::Mesh, number: number as i64, counts, ..Head::default() }
                    .seal(&raw, &mut chunk)?;
                out.write_all(&chunk)?;
                end += chunk.len() as u64;
            }
            Ok(())
        })?;
        Ok(Self { end, ..Self::new(path, Self::open(path)?, header) })
    }

    /// Continues a recording after `last_frame`: later frames and a torn end are cut off.
    pub fn resume(path: &Path, last_frame: i64) -> Result<Self, IoError> {
        let mut recording = Recording::open(path)?;
        let index = recording.find(last_frame)?;
        // A crash may leave the head of a frame without its content; nothing may be appended to
        // such a frame.
        recording.read(index, &mut Frame::default())?;
        if recording.header().detail.is_some() {
            recording.read_particles(index, &mut FrameDetail::default())?;
        }
        let end = recording.frames()[index].end();

        let file = Self::open(path)?;
        file.set_len(end).map_err(|source| IoError::write(path, source))?;
        Ok(Self { end, last: Some(last_frame), ..Self::new(path, file, recording.header().clone()) })
    }

    fn open(path: &Path) -> Result<File, IoError> {
        OpenOptions::new().write(true).open(path).map_err(|source| IoError::write(path, source))
    }

    fn new(path: &Path, file: File, header: Header) -> Self {
        Self {
            path: path.to_owned(),
            file,
            header,
            end: 0,
            last: None,
            raw: Vec::new(),
            chunk: Vec::new(),
            second: Vec::new(),
        }
    }

    /// Appends a frame of a recording without particles. Its number must be larger than the last,
    /// and the header must list its shapes and materials.
    ///
    /// After an error the recording ends with the last whole frame.
    pub fn append(&mut self, frame: &Frame) -> Result<(), IoError> {
        self.append_with(frame, None)
    }

    /// Appends a frame as [`RecordingWriter::append`] does, with particles if the header says that
    /// frames have them.
    pub fn append_with(&mut self, frame: &Frame, detail: Option<&FrameDetail>) -> Result<(), IoError> {
        if detail.is_some() != self.header.detail.is_some() {
            let what = format!("frame {} has particles and the header says no, or the other way round", frame.number);
            return Err(IoError::refused(&self.path, what));
        }
        self.header.check_frame(frame).map_err(|what| IoError::refused(&self.path, what))?;
        if let Some(last) = self.last.filter(|&last| last >= frame.number) {
            return Err(IoError::refused(&self.path, format!("frame {} after frame {last}", frame.number)));
        }
        let Some(counts) = columns::counts(frame) else {
            return Err(IoError::refused(&self.path, "more than 4294967295 bodies, obstacles, layers or constraints"));
        };

        let head = Head {
            kind: ChunkKind::Frame,
            number: frame.number,
            time: frame.time,
            state_hash: frame.state_hash,
            counts,
            ..Head::default()
        };
        columns::encode(frame, counts, &mut self.raw);
        let sealed = head.seal(&self.raw, &mut self.chunk);
        sealed
            .and_then(|()| detail.map_or(Ok(()), |detail| self.seal_particles(&head, detail)))
            .and_then(|()| self.write_chunk())
            .map_err(|source| IoError::write(&self.path, source))?;
        self.last = Some(frame.number);
        Ok(())
    }

    /// Puts the chunk of particles behind that of their frame, so that one write appends both.
    fn seal_particles(&mut self, frame: &Head, detail: &FrameDetail) -> io::Result<()> {
        let count = u32::try_from(detail.particles.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let counts = [count, 0, 0, 0];
        particles::encode(&detail.particles, self.header.fps, &mut self.raw);
        let head = Head { kind: ChunkKind::Particles, counts, state_hash: detail.state_hash, ..*frame };
        head.seal(&self.raw, &mut self.second)?;
        self.chunk.extend_from_slice(&self.second);
        Ok(())
    }

    /// Waits until the disk has all frames.
    pub fn sync(&mut self) -> Result<(), IoError> {
        self.file.sync_data().map_err(|source| IoError::write(&self.path, source))
    }

    /// Writes `self.chunk` at the end, all of it or nothing.
    fn write_chunk(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(&self.chunk) {
            // If this fails too, readers see the rest as a torn end, and the next append overwrites
            // it.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += self.chunk.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_failed_write_the_same_frame_can_be_tried_again() {
        let path = std::env::temp_dir().join(format!("tumble-io-writer-{}", std::process::id()));
        let mut writer = RecordingWriter::create(&path, &Header::default(), &[]).unwrap();
        let frames = [1, 2].map(|number| Frame { number, ..Frame::default() });
        writer.append(&frames[0]).unwrap();

        // A handle that may only read fails like a disk that is full.
        let good = std::mem::replace(&mut writer.file, File::open(&path).unwrap());
        assert!(matches!(writer.append(&frames[1]), Err(IoError::Write { .. })));
        assert_eq!(Recording::open(&path).unwrap().frames().len(), 1);

        // Half a chunk that could not be cut off is overwritten.
        writer.file = good;
        writer.file.seek(SeekFrom::Start(writer.end)).unwrap();
        writer.file.write_all(b"tumb half").unwrap();
        writer.append(&frames[1]).unwrap();
        let recording = Recording::open(&path).unwrap();
        assert_eq!((recording.frames().len(), recording.damage()), (2, None));
        std::fs::remove_file(&path).unwrap();
    }
}
