//! Sinks: observers that read a run while it goes on.
//!
//! A sink gets the run by shared reference and can only read: removing all sinks changes no bit of
//! the state. Files, progress, live views and other languages all listen here.

use crate::{Report, Run, RunError};

/// Reads the frames of a run, in the order `begin`, `frame` for every frame, `end`.
///
/// A run calls its sinks in the order in which they were given. The first error ends the run; an
/// error of the sink's own goes into [`RunError::Sink`].
pub trait Sink {
    /// Called once, before any frame. A run that goes on shows the frames after
    /// [`Run::resumed_from`]; any other begins with its first frame, which is the start.
    fn begin(&mut self, _run: &Run) -> Result<(), RunError> {
        Ok(())
    }

    /// Called for every frame: [`Run::frame`] is what there is to see.
    fn frame(&mut self, _run: &Run) -> Result<(), RunError> {
        Ok(())
    }

    /// Called once, after the last frame, also if the run was asked to stop before the scene's end.
    /// A run that fails does not call it.
    fn end(&mut self, _run: &Run, _report: &Report) -> Result<(), RunError> {
        Ok(())
    }
}
