//! The recording of a run, as a sink.

use std::path::PathBuf;

use tumble_io::RecordingWriter;

use crate::{Run, RunError, Sink};

/// Writes `frames.tumble`: every frame with its particles.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    writer: Option<RecordingWriter>,
}

impl Recorder {
    /// A sink that writes to this file. A run that goes on goes on with the recording that is
    /// there; any other replaces it.
    pub fn new(path: PathBuf) -> Self {
        Self { path, writer: None }
    }

    /// Waits until the disk has all frames.
    pub fn sync(&mut self) -> Result<(), RunError> {
        Ok(self.writer.as_mut().map_or(Ok(()), RecordingWriter::sync)?)
    }

    fn writer(&mut self, run: &Run) -> Result<&mut RecordingWriter, RunError> {
        let writer = match (self.writer.take(), run.resumed_from()) {
            (Some(open), _) => open,
            (None, Some(frame)) => RecordingWriter::resume(&self.path, frame)?,
            (None, None) => RecordingWriter::create(&self.path, run.header(), run.meshes())?,
        };
        Ok(self.writer.insert(writer))
    }
}

impl Sink for Recorder {
    fn begin(&mut self, run: &Run) -> Result<(), RunError> {
        self.writer(run).map(|_| ())
    }

    fn frame(&mut self, run: &Run) -> Result<(), RunError> {
        Ok(self.writer(run)?.append_with(run.frame(), run.particles())?)
    }

    fn end(&mut self, _: &Run, _: &crate::Report) -> Result<(), RunError> {
        self.sync()
    }
}
