//! Help for runs that fail, in the words of the command line.

use tumble_run::{RunError, RunWarning};

use crate::say;

/// The line of help for a problem; none where its message says all there is to say.
pub(crate) fn help(problem: &RunError) -> Option<&'static str> {
    Some(match problem {
        RunError::Busy { .. } => "wait for it or choose another folder with -o",
        RunError::Taken { .. } => "--resume continues it, --force overwrites it, -o chooses another folder",
        RunError::Foreign { .. } => "-o chooses another folder",
        RunError::OtherScene { .. } => "give the same scene and --set again, or choose another folder with -o",
        RunError::OtherSettings { .. } => "give the same settings again, or choose another folder with -o",
        RunError::SameRecording { .. } => "-o chooses another folder",
        RunError::Unfit { .. } | RunError::OtherParticles { .. } => "start anew with --force",
        RunError::OtherRecording { .. } => "put back the recording of this run, or start anew with --force",
        RunError::TooManyParticles { .. } => "lower `detail.count`",
        RunError::Memory { .. } => "lower `detail.count`, here with -n or --set",
        _ => return None,
    })
}

/// Says what may be wrong with a run.
pub(crate) fn warn<'a>(warnings: impl IntoIterator<Item = &'a RunWarning>) {
    for warning in warnings {
        let help = match warning {
            RunWarning::RottenFrames { .. } => ", and --force starts anew",
            _ => "",
        };
        say(format_args!("warning: {warning}{help}"));
    }
}
