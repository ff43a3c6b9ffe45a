//! Signals that ask a command to end in good order: Ctrl-C, and those that batch systems and closed
//! terminals send.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::Failure;

/// Whether a signal has asked the command to end, and which.
#[derive(Clone, Default)]
pub(crate) struct Interruption(Arc<AtomicUsize>);

impl Interruption {
    /// Takes these signals from now on, instead of being ended by them.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let signal = Arc::default();
        let mut signals = vec![SIGINT, SIGTERM];
        #[cfg(unix)]
        if !is_ignored(signal_hook::consts::SIGHUP) {
            signals.push(signal_hook::consts::SIGHUP);
        }
        for number in signals {
            signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)?;
        }
        Ok(Self(signal))
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The exit code of a command that a signal has ended, as shells have it: 130 for Ctrl-C.
    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(128 + self.0.load(Ordering::Relaxed).min(127) as u8)
    }
}

/// Whether the parent process wants a signal to be ignored: `nohup` does so that a run outlives its
/// terminal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 != 0)
}

/// Output that ends when a signal asks for it, so that nothing half written stays.
pub(crate) struct Stoppable<'a> {
    pub(crate) out: &'a mut dyn Write,
    pub(crate) interrupted: &'a Interruption,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // Not `Interrupted`: the caller would try again.
        if self.interrupted.is_raised() { Err(std::io::Error::other("stopped")) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
