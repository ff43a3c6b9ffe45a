//! A picture of the last frame, so that one sees at once what came of a run.

use std::path::{Path, PathBuf};

use tumble::{Frame, FrameDetail};
use tumble_io::Recording;
use tumble_picture::{PictureError, Renderer, write_png};

use crate::{Folder, Report, Run, RunError, Sink};

/// Width and height \[pixel\].
const SIZE: [usize; 2] = [960, 540];

/// Makes a picture when a run has come to its end. It reads the recording, so it must come after
/// the sink that writes it. A run is whole without its picture: that there is none is no failure.
#[derive(Debug)]
pub struct Preview {
    recording: PathBuf,
    picture: PathBuf,
    made: Option<Result<PathBuf, PictureError>>,
}

impl Preview {
    /// The picture in the folder of a run.
    pub fn of(folder: &Folder) -> Self {
        Self { recording: folder.recording(), picture: folder.preview(), made: None }
    }

    /// The file with the picture, or why there is none; nothing if the run was stopped before its
    /// end: whoever stops it does not want to wait.
    pub fn made(&self) -> Option<&Result<PathBuf, PictureError>> {
        self.made.as_ref()
    }
}

impl Sink for Preview {
    fn end(&mut self, _: &Run, report: &Report) -> Result<(), RunError> {
        if report.complete {
            self.made = Some(write(&self.recording, &self.picture).map(|()| self.picture.clone()));
        }
        Ok(())
    }
}

/// Makes a picture of the last frame of a recording.
pub fn write(recording: &Path, picture: &Path) -> Result<(), PictureError> {
    let mut recording = Recording::open(recording)?;
    let renderer = Renderer::new(&mut recording)?;
    let (mut frame, mut detail) = (Frame::default(), FrameDetail::default());
    if let Some(last) = recording.frames().len().checked_sub(1) {
        recording.read(last, &mut frame)?;
        recording.read_particles(last, &mut detail)?;
    }
    let image = renderer.render(&frame, &detail.particles, &renderer.view(SIZE));
    write_png(picture, &image)
}
